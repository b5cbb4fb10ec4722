//! The statements whose plans are asked for: what lists, searches, looks up, deletes, and adds to an order that was paid before.

use super::clearing;
use crate::asked::ASKED;
use crate::ledger::NewFollowUp;
use crate::order_list::{OrderFilter, PaidWith};
use crate::orders::OrderChange;
use crate::retention::OldRecords;
use crate::statement::Value;
use crate::statistics::Figures;
use crate::{
    Connection, Store, StoreError, Subject, Window, acceptances, audit, books, buyers,
    card_try_reviews, contracts, day_sums, delivery_queue, disputes, erasure, events, external_3ds,
    fulfilments, hosted_pages, ledger, operations, order_list, order_warnings, orders, outbox,
    refund_requests, reservations, session_pages, sessions, stopped_tries,
};
use payframe_money::Amount;
use payframe_payment_domain::dispute::DisputeState;
use payframe_payment_domain::reconciliation::GracePeriods;
use payframe_protocol::operation::Operation;

const AMOUNT_TYPES: [order_list::AmountType; 3] = [
    order_list::AmountType::Order,
    order_list::AmountType::Authorized,
    order_list::AmountType::Captured,
];

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
            custom_field: Some("web"),
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
            paid_with: PaidWith {
                circuit: Some("VISA"),
                last_four: None,
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
    // Half of the orders have the first one, and all have the second one as an earlier card.
    for last_four in ["0003", "0004"] {
        for circuit in [None, Some("VISA")] {
            let filter = OrderFilter {
                paid_with: PaidWith {
                    circuit,
                    last_four: Some(last_four),
                },
                ..OrderFilter::default()
            };
            let listed = order_list::list(connection, "demo", &filter, all).await?;
            assert_eq!(listed.len(), 50);
        }
    }
    let all_pay = Amount::from_minor(3545).unwrap();
    for amount_type in AMOUNT_TYPES {
        let filter = OrderFilter {
            amount: Some((amount_type, all_pay, all_pay)),
            ..OrderFilter::default()
        };
        let listed = order_list::list(connection, "demo", &filter, all).await?;
        assert_eq!(listed.len(), 50);
    }
    search_for_rare_orders(connection).await?;
    order_list::status(connection, "demo", "o77").await?;
    orders::find(connection, "demo", "o77").await?;
    for (channel, operation_type, custom_field) in [
        (Some("ECOMMERCE"), None, None),
        (Some("ECOMMERCE"), None, Some("f7")),
        (Some("ECOMMERCE"), None, Some("web")),
        (None, Some("AUTHORIZATION"), None),
    ] {
        let filter = operations::OperationFilter {
            channel,
            operation_type,
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
    clearing::ask(connection).await?;
    sessions::find(connection, "none").await?;
    sessions::open_of_order(connection, "demo", "o77").await?;
    sessions::to_wake(connection, 1).await?;
    sessions::authorizing(connection).await?;
    sessions::count_open(connection, i64::MAX - 1).await?;
    sessions::find_asked(connection, "x").await?;
    session_pages::find(connection, "none").await?;
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
            customer_id: Some("guest"),
            ..link
        },
        hosted_pages::LinkFilter {
            custom_field: Some("f7"),
            ..link
        },
        hosted_pages::LinkFilter {
            custom_field: Some("web"),
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
    delivery_queue::due(store, 1).await?;
    delivery_queue::next_due_ms(store, 1).await?;
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
    // The orders are of the first day, which is summed. The next day is read from its operations.
    let figures = Figures::of(connection, "demo", 0..2).await?;
    assert_eq!(figures.days("EUR").len(), 1);
    day_sums::without_sum(connection, "demo", 0..2).await?;
    erasure::documents(connection, "demo", "o77").await?;
    erasure::events(connection, "demo", 500, 500).await?;
    compare_books(connection).await
}

/// Compares the books of some orders.
async fn compare_books(connection: &mut Connection) -> Result<(), StoreError> {
    let mut span = books::DueSpan {
        after_ms: 12_000_000,
        until_ms: i64::MAX,
        grace: GracePeriods::to_fulfil(5_000_000),
    };
    let end_ms = books::piece_end_ms(connection, "demo", &span, 20).await?;
    assert_eq!(end_ms, Some(12_020_000));
    span.until_ms = 12_020_000;
    // Twenty of each grace period, and twenty with a dispute.
    assert_eq!(books::due(connection, "demo", &span).await?.len(), 60);
    let page = books::all(connection, "demo", "o7", 50).await?;
    assert_eq!(page.orders.len(), 50);
    for standing in [None, Some(books::Standing::Differs)] {
        let open = books::open(connection, "demo", standing, "o7", 50).await?;
        assert_eq!(open.len(), 50);
    }
    books::progress(connection, "demo").await?;
    Ok(())
}

/// What no order has, or only some. A search that goes through the orders by time reads all of them.
async fn search_for_rare_orders(connection: &mut Connection) -> Result<(), StoreError> {
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
    let [nobody_pays, nor_more] = [77_777, 77_778].map(|minor| Amount::from_minor(minor).unwrap());
    for (amount_type, most) in AMOUNT_TYPES
        .into_iter()
        .flat_map(|amount_type| [(amount_type, nobody_pays), (amount_type, nor_more)])
    {
        let filter = OrderFilter {
            amount: Some((amount_type, nobody_pays, most)),
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
    let mut change = store.write(Subject::Statement).await?;
    for kind in [
        OldRecords::Answers,
        OldRecords::Events,
        OldRecords::Notifications,
        OldRecords::Sessions,
        OldRecords::Exchanges,
        OldRecords::Authentications,
        OldRecords::CardTries,
        OldRecords::CardTryReviews,
        OldRecords::CardSources,
        OldRecords::CardRefusals,
        OldRecords::WalletTokens,
    ] {
        kind.delete(&mut change, 20_000, 5).await?;
    }
    let documents = erasure::documents(&mut change, "demo", "o77").await?;
    erasure::erase(&mut change, ("demo", "o77"), &documents, 1).await?;
    erasure::delete_contract(&mut change, 77).await?;
    clearing::change(&mut change).await?;
    capture(&mut change).await
}

/// Writes a later operation of an order, with all that the database makes of it.
async fn capture(change: &mut Connection) -> Result<(), StoreError> {
    let payment_id = "100000000000000077";
    let paid = operations::find(change, payment_id).await?.unwrap();
    let capture = Operation {
        operation_id: String::from("200000000000000077"),
        operation_type: String::from("CAPTURE"),
        ..paid
    };
    let new = NewFollowUp {
        merchant_id: "demo",
        session_hash: "s77",
        payment_id,
        target_id: payment_id,
        description: None,
        time_ms: i64::MAX,
        amount: Amount::from_minor(3545).unwrap(),
        shares: &[],
        inquire_ms: i64::MAX,
        document: &capture,
    };
    ledger::add(change, &new)?;
    operations::record_response(change, &capture, None)?;
    let order = orders::find(change, "demo", "o77").await?.unwrap();
    let changed = OrderChange {
        totals: order.totals,
        last_operation_ms: Some(i64::MAX),
        released: None,
    };
    orders::change(change, ("demo", "o77"), &changed);
    change.send().await?;
    Ok(())
}

/// The statements that lists, searches, look-ups and changes send, each with its values.
pub(super) async fn statements(store: &Store) -> Vec<(&'static str, Vec<Value>)> {
    ASKED.take();
    ask_everything(store).await.unwrap();
    change_everything(store).await.unwrap();
    let asked = ASKED.take();
    assert!(asked.len() > 60, "{}", asked.len());
    asked
}
