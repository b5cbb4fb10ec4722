//! No list, no search and no look-up reads a table from its beginning to its end: the plan of each statement is asked of the database.
//!
//! The tests run on a file, and also on a server if `PAYFRAME_TEST_DATABASE` names one.

mod rows;

use self::rows::{ROWS, filled};
use super::asked::ASKED;
use super::statement::{Value, add_to_sqlite};
use super::{
    Store, StoreError, Window, acceptances, audit, buyers, card_try_reviews, contracts, disputes,
    erasure, events, external_3ds, fulfilments, hosted_pages, ledger, operations, order_list,
    order_warnings, orders, outbox, query, refund_requests, reservations, sessions, stopped_tries,
};
use crate::order_list::{OrderFilter, PaidWith};
use crate::own_server::OwnServer;
use crate::retention::OldRecords;
use crate::{StorageSettings, Subject};
use payframe_money::Amount;
use payframe_payment_domain::dispute::DisputeState;
use sqlx::sqlite::SqliteArguments;
use sqlx::{ConnectOptions, Executor as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tables that grow with the payments.
const LARGE: [&str; 10] = [
    "merchant_order",
    "operation",
    "build_session",
    "notification",
    "notification_attempt",
    "event",
    "contract",
    "hosted_page",
    "stored_answer",
    "dispute",
];

/// A page of a list takes some thousand steps of SQLite's machine. To look at each row of a table takes more than ten for each.
const MOST_STEPS: u64 = 60_000;

/// The steps of the plan of a statement.
async fn plan(store: &Store, sql: &str, values: &[Value]) -> Vec<String> {
    let explained: &'static str = match store.is_shared() {
        true => format!("EXPLAIN (ANALYZE, COSTS OFF) {sql}").leak(),
        false => format!("EXPLAIN QUERY PLAN {sql}").leak(),
    };
    let mut question = query(explained);
    for value in values {
        question = question.bind(value.clone());
    }
    let mut change = store.write(crate::Subject::Statement).await.unwrap();
    let rows = question.fetch_all(&mut change).await;
    let rows = rows.unwrap_or_else(|problem| panic!("{problem}: {sql}"));
    rows.iter()
        .map(|row| match store.is_shared() {
            true => row.first::<String>().unwrap(),
            false => row.try_get::<String>("detail").unwrap(),
        })
        .collect()
}

/// Whether a step reads a large table as a whole.
fn reads_all(step: &str, sql: &str) -> bool {
    if let Some((_, rest)) = step.split_once("Rows Removed by Filter: ") {
        return rest.trim().parse().is_ok_and(|rows: i64| rows > ROWS / 10);
    }
    if let Some((_, rest)) = step.split_once("Seq Scan on ") {
        let table = rest.split(' ').next().unwrap_or_default();
        return LARGE.contains(&table);
    }
    let Some(name) = step.strip_prefix("SCAN ") else {
        return false;
    };
    let name = name.split(' ').next().unwrap_or_default();
    // By the name of the table, or by another that the statement gives it.
    LARGE.iter().any(|table| {
        name == *table
            || ["FROM", "JOIN"].iter().any(|word| {
                sql.contains(&format!("{word} {table} {name} "))
                    || sql.contains(&format!("{word} {table} AS {name} "))
            })
    })
}

/// Runs what lists, searches and looks up.
async fn ask_everything(store: &Store) -> Result<(), StoreError> {
    let mut connection = store.read().await?;
    let connection = &mut connection;
    let all = Window {
        from_ms: 0,
        to_ms: i64::MAX,
        max_records: 50,
    };
    let orders_by = |filter| (filter, all);
    let rare = PaidWith {
        circuit: Some("AMEX"),
        last_four: Some("1500"),
    };
    for (filter, window) in [
        OrderFilter::default(),
        OrderFilter {
            order_id: Some("o77"),
            ..OrderFilter::default()
        },
        OrderFilter {
            custom_field: Some("f7"),
            ..OrderFilter::default()
        },
        OrderFilter {
            paid_with: rare,
            ..OrderFilter::default()
        },
        OrderFilter {
            paid_with: PaidWith {
                circuit: None,
                ..rare
            },
            ..OrderFilter::default()
        },
        OrderFilter {
            paid_with: PaidWith {
                last_four: None,
                ..rare
            },
            ..OrderFilter::default()
        },
        OrderFilter {
            currency: Some("EUR"),
            amount: Some((order_list::AmountType::Order, Amount::ZERO, Amount::MAX)),
            ..OrderFilter::default()
        },
    ]
    .map(orders_by)
    {
        let listed = order_list::list(connection, "demo", &filter, window).await?;
        assert!(!listed.is_empty());
    }
    search_for_rare_orders(connection).await?;
    order_list::status(connection, "demo", "o77").await?;
    orders::find(connection, "demo", "o77").await?;
    for custom_field in [None, Some("f7")] {
        let filter = operations::OperationFilter {
            channel: Some("ECOMMERCE"),
            operation_type: None,
            custom_field,
        };
        let listed = operations::list(connection, "demo", &filter, all).await?;
        assert!(!listed.is_empty());
    }
    let operation = "100000000000000077";
    operations::find(connection, operation).await?;
    operations::find_of_merchant(connection, "demo", operation).await?;
    operations::of_order(connection, "demo", "o77").await?;
    operations::due_inquiries(connection, 1).await?;
    ledger::of_payment(connection, operation).await?;
    ledger::shares(connection, operation).await?;
    ledger::asking(connection).await?;
    ledger::overdue(connection, 1).await?;
    ledger::find_asked(connection, "x").await?;
    sessions::find(connection, "none").await?;
    sessions::open_of_order(connection, "demo", "o77").await?;
    sessions::to_wake(connection, 1).await?;
    sessions::find_asked(connection, "x").await?;
    sessions::find_page(connection, "none").await?;
    external_3ds::find(connection, "none").await?;
    let link = hosted_pages::LinkFilter {
        order_id: None,
        customer_id: None,
        custom_field: None,
        status: None,
        now_ms: 0,
    };
    for filter in [
        hosted_pages::LinkFilter { ..link },
        hosted_pages::LinkFilter {
            order_id: Some("o77"),
            ..link
        },
        hosted_pages::LinkFilter {
            customer_id: Some("c7"),
            ..link
        },
        hosted_pages::LinkFilter {
            custom_field: Some("f7"),
            ..link
        },
    ] {
        assert!(
            !hosted_pages::list_links(connection, "demo", &filter, all)
                .await?
                .is_empty()
        );
    }
    hosted_pages::links_of_order(connection, "demo", "o77").await?;
    hosted_pages::active_of_order(connection, "demo", "o77").await?;
    hosted_pages::has_unfinished(connection, "p77").await?;
    for filter in [
        outbox::EventFilter::default(),
        outbox::EventFilter {
            event_id: Some("e77"),
            ..outbox::EventFilter::default()
        },
        outbox::EventFilter {
            order_id: Some("o77"),
            ..outbox::EventFilter::default()
        },
        outbox::EventFilter {
            delivery: Some(outbox::Delivery::GivenUp),
            ..outbox::EventFilter::default()
        },
    ] {
        outbox::list(connection, "demo", &filter, 50).await?;
    }
    outbox::waiting(connection).await?;
    crate::delivery_queue::due(store, 1).await?;
    crate::delivery_queue::next_due_ms(store, 1).await?;
    events::page(connection, "demo", events::Start::Oldest, 100).await?;
    for filter in [
        contracts::ContractFilter::default(),
        contracts::ContractFilter {
            contract_id: Some("k77"),
            ..contracts::ContractFilter::default()
        },
        contracts::ContractFilter {
            customer_id: Some("c7"),
            ..contracts::ContractFilter::default()
        },
    ] {
        contracts::list(connection, "demo", &filter, 50).await?;
    }
    contracts::find_active(connection, "demo", "k77").await?;
    contracts::of_customer(connection, "demo", "c7").await?;
    disputes::of_order(connection, "demo", "o77").await?;
    for filter in [
        disputes::DisputeFilter::default(),
        disputes::DisputeFilter {
            state: Some(DisputeState::Won),
            order_id: None,
        },
        disputes::DisputeFilter {
            state: None,
            order_id: Some("o77"),
        },
    ] {
        let first = disputes::list(connection, "demo", &filter, None, 1).await?;
        let next = disputes::list(connection, "demo", &filter, first.last(), 50).await?;
        assert_eq!(next.is_empty(), filter.order_id.is_some());
    }
    fulfilments::find(connection, "demo", "o77").await?;
    acceptances::of_order(connection, "demo", "o77").await?;
    order_warnings::of_order(connection, "demo", "o77").await?;
    audit::list(connection, "demo", &audit::EntryFilter::default(), 50).await?;
    stopped_tries::list(connection, "demo", None, 50).await?;
    card_try_reviews::undecided(connection, "demo", 50).await?;
    card_try_reviews::group_of(connection, "demo", "100000000000000077").await?;
    card_try_reviews::list(connection, "demo", None, 50).await?;
    refund_requests::newest(connection, "demo", 50).await?;
    for by in [
        reservations::ListedBy::Creation,
        reservations::ListedBy::CheckIn,
        reservations::ListedBy::CheckOut,
    ] {
        let filter = reservations::ReservationFilter {
            reservation_id: None,
            by,
            custom_field: None,
            kind: None,
            structure_name: None,
            customer_name: None,
            customer_surname: None,
        };
        reservations::list(connection, "demo", &filter, all).await?;
    }
    buyers::orders_of_customer(connection, "demo", "c7").await?;
    buyers::scan(connection, "demo", "o5", 500).await?;
    buyers::contracts(connection, "demo", Some("c7"), Some("o77")).await?;
    buyers::activity(connection, ("demo", "o77"), 0).await?;
    erasure::documents(connection, "demo", "o77").await?;
    erasure::events(connection, "demo", 500, 500).await?;
    Ok(())
}

/// What no order has, or only some. A search that goes through the orders by time reads all of them.
async fn search_for_rare_orders(connection: &mut crate::Connection) -> Result<(), StoreError> {
    let all = Window {
        from_ms: 0,
        to_ms: i64::MAX,
        max_records: 50,
    };
    for status in order_list::OrderStatus::ALL {
        let filter = OrderFilter {
            status: Some(status),
            ..OrderFilter::default()
        };
        let listed = order_list::list(connection, "demo", &filter, all).await?;
        assert_eq!(listed.is_empty(), status != order_list::OrderStatus::Paid);
    }
    let nobody_pays = Amount::from_minor(77_777).unwrap();
    for amount_type in [
        order_list::AmountType::Order,
        order_list::AmountType::Authorized,
        order_list::AmountType::Captured,
    ] {
        let filter = OrderFilter {
            amount: Some((amount_type, nobody_pays, nobody_pays)),
            ..OrderFilter::default()
        };
        let listed = order_list::list(connection, "demo", &filter, all).await?;
        assert!(listed.is_empty());
    }
    let filters = [
        OrderFilter {
            currency: Some("GBP"),
            ..OrderFilter::default()
        },
        OrderFilter {
            state: Some(order_list::OrderState::ToCapture),
            ..OrderFilter::default()
        },
    ];
    for filter in filters {
        let listed = order_list::list(connection, "demo", &filter, all).await?;
        assert!(listed.is_empty());
    }
    for (channel, operation_type) in [(Some("POS"), None), (None, Some("REFUND"))] {
        let filter = operations::OperationFilter {
            channel,
            operation_type,
            custom_field: None,
        };
        let listed = operations::list(connection, "demo", &filter, all).await?;
        assert!(listed.is_empty());
    }
    let filter = hosted_pages::LinkFilter {
        order_id: None,
        customer_id: None,
        custom_field: None,
        status: Some("PAID"),
        now_ms: 0,
    };
    let listed = hosted_pages::list_links(connection, "demo", &filter, all).await?;
    assert!(listed.is_empty());
    Ok(())
}

/// Deletes old records and erases an order. Nothing is committed.
async fn change_everything(store: &Store) -> Result<(), StoreError> {
    let mut change = store.write(crate::Subject::Statement).await?;
    for kind in [
        OldRecords::Answers,
        OldRecords::Events,
        OldRecords::Notifications,
        OldRecords::Sessions,
        OldRecords::Exchanges,
        OldRecords::Authentications,
        OldRecords::CardTries,
        OldRecords::CardSources,
        OldRecords::CardRefusals,
        OldRecords::WalletTokens,
    ] {
        kind.delete(&mut change, 20_000, 5).await?;
    }
    let documents = erasure::documents(&mut change, "demo", "o77").await?;
    erasure::erase(&mut change, ("demo", "o77"), &documents, 1).await?;
    erasure::delete_contract(&mut change, 77).await?;
    Ok(())
}

/// The statements that lists, searches, look-ups and changes send, each with its values.
async fn statements(store: &Store) -> Vec<(&'static str, Vec<Value>)> {
    ASKED.take();
    ask_everything(store).await.unwrap();
    change_everything(store).await.unwrap();
    let asked = ASKED.take();
    assert!(asked.len() > 60, "{}", asked.len());
    asked
}

fn must_be_none(bad: &[String]) {
    assert!(
        bad.is_empty(),
        "these statements read a large part of a large table; give each an index or another form:\n\n{}",
        bad.join("\n\n")
    );
}

#[tokio::test]
async fn no_statement_reads_a_large_part_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let settings = StorageSettings {
        folder: folder.path().to_owned(),
        server_url: None,
    };
    let store = filled(&settings).await;
    let asked = statements(&store).await;
    let options = crate::sqlite_options(&folder.path().join(crate::FILE));
    let mut connection = options.connect().await.unwrap();
    let steps = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&steps);
    let mut handle = connection.lock_handle().await.unwrap();
    handle.set_progress_handler(100, move || {
        counted.fetch_add(100, Ordering::Relaxed);
        true
    });
    drop(handle);
    let mut bad = Vec::new();
    for (sql, values) in asked {
        let mut arguments = SqliteArguments::default();
        add_to_sqlite(values.clone(), &mut arguments).unwrap();
        connection.execute("BEGIN").await.unwrap();
        steps.store(0, Ordering::Relaxed);
        let done = sqlx::query_with(sql, arguments).fetch_all(&mut connection);
        done.await.unwrap();
        let taken = steps.load(Ordering::Relaxed);
        connection.execute("ROLLBACK").await.unwrap();
        let plan = plan(&store, sql, &values).await;
        if taken > MOST_STEPS || plan.iter().any(|step| reads_all(step, sql)) {
            bad.push(format!("{taken} steps: {sql}\n    {}", plan.join("\n    ")));
        }
    }
    must_be_none(&bad);
}

#[tokio::test]
async fn no_statement_reads_a_large_part_of_a_server() {
    let Some(server) = OwnServer::begin("plans").await else {
        return;
    };
    let store = filled(server.settings()).await;
    let mut bad = Vec::new();
    for (sql, values) in statements(&store).await {
        let plan = plan(&store, sql, &values).await;
        if plan.iter().any(|step| reads_all(step, sql)) {
            bad.push(format!("{sql}\n    {}", plan.join("\n    ")));
        }
    }
    server.end().await;
    must_be_none(&bad);
}

#[tokio::test]
async fn the_lock_of_an_order_reads_few_pages_of_a_server() {
    let Some(server) = OwnServer::begin("lock_plans").await else {
        return;
    };
    let store = filled(server.settings()).await;
    let mut read = Vec::new();
    for subject in [
        Subject::Session("s77"),
        Subject::Operation("100000000000000077"),
    ] {
        read.push(pages(&store, subject).await);
    }
    server.end().await;
    // A table of all these orders has hundreds.
    assert!(read.iter().all(|pages| (1..20).contains(pages)), "{read:?}");
}

/// How many pages of tables and indexes the server reads to lock a subject.
async fn pages(store: &Store, subject: Subject<'_>) -> u64 {
    let lock = subject.lock().unwrap();
    let explained: &'static str = format!("EXPLAIN (ANALYZE, BUFFERS) {lock}").leak();
    let mut change = store.write(Subject::Statement).await.unwrap();
    // The first one also plans.
    for _ in 0..2 {
        query(explained).fetch_all(&mut change).await.unwrap();
    }
    let rows = query(explained).fetch_all(&mut change).await.unwrap();
    let buffers = rows
        .iter()
        .map(|row| row.first::<String>().unwrap())
        .find(|step| step.contains("Buffers: "))
        .unwrap();
    buffers
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse::<u64>().ok())
        .sum()
}
