//! Figures are always those of the operations, whichever days are summed and whoever changes them meanwhile.
//!
//! The tests run on a file, and also on a server if `PAYFRAME_TEST_DATABASE` names one.

use crate::day_sums::{forget, sum, without_sum};
use crate::operations::{self, NewOperation};
use crate::order_status::{MERCHANT, ORDERS, Random, amount, order_id, with_orders};
use crate::own_server::{OwnServer, in_a_file, on_a_server};
use crate::statistics::{DAY_MS, DayFigures, Figures, RefusalCount, counted};
use crate::{Connection, StorageSettings, Store, Subject, query};
use payframe_payment_domain::operation::{OperationResult, OperationType};
use payframe_protocol::operation::Operation;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const DAYS: std::ops::Range<i64> = 100..104;
const STEPS: i64 = 400;

const TYPES: [OperationType; 4] = [
    OperationType::Authorization,
    OperationType::CardVerification,
    OperationType::Capture,
    OperationType::Refund,
];

const RESULTS: [OperationResult; 7] = [
    OperationResult::Authorized,
    OperationResult::Executed,
    OperationResult::Declined,
    OperationResult::DeniedByRisk,
    OperationResult::Pending,
    OperationResult::Voided,
    OperationResult::Canceled,
];

fn document(id: &str, order: usize, random: &mut Random) -> Operation {
    serde_json::from_value(json!({
        "orderId": order_id(order), "operationId": id, "channel": "ECOMMERCE", "channelDetail": "BUILD",
        "operationType": random.one_of(&TYPES).code(), "operationResult": random.one_of(&RESULTS).code(), "operationTime": "",
        "operationAmount": "900", "operationCurrency": random.one_of(&["EUR", "EUR", "USD"]), "customerInfo": {}, "warnings": [],
        "terminalId": "t1", "additionalData": { "authorizationStatus": random.one_of(&["116", "051"]) }
    }))
    .unwrap()
}

fn new<'a>(time_ms: i64, document: &'a Operation) -> NewOperation<'a> {
    NewOperation {
        merchant_id: MERCHANT,
        session_hash: "s1",
        time_ms,
        amount: amount(900),
        inquire_ms: None,
        release_ms: None,
        document,
    }
}

/// What the page shows of figures.
#[derive(Debug, PartialEq)]
struct Shown(Vec<(String, Vec<DayFigures>, Vec<RefusalCount>)>);

fn shown(figures: &Figures) -> Shown {
    let of_currency = |currency: &str| {
        let refused = figures.refused(currency).unwrap();
        (currency.to_owned(), figures.days(currency), refused)
    };
    Shown(figures.currencies().into_iter().map(of_currency).collect())
}

/// The figures, which have to be those of the operations.
async fn exact(connection: &mut Connection) -> Shown {
    let figures = Figures::of(connection, MERCHANT, DAYS).await.unwrap();
    let all = counted(connection, MERCHANT, DAYS).await.unwrap();
    let of_operations = Figures::from(all);
    assert_eq!(shown(&figures), shown(&of_operations));
    shown(&figures)
}

async fn summed(store: &Store) -> usize {
    let sums = "SELECT s.day FROM summed_day s WHERE NOT EXISTS (SELECT 1 FROM changed_day c WHERE c.merchant_id = s.merchant_id AND c.day = s.day)";
    store.ask(query(sums)).await.unwrap().len()
}

async fn check(settings: &StorageSettings) {
    let store = with_orders(settings).await;
    let mut random = Random(5);
    let mut known: Vec<(String, usize)> = Vec::new();
    let (mut most_sums, mut fewest_after) = (0, usize::MAX);
    for step in 1..=STEPS {
        let order = random.below(ORDERS);
        let time_ms = (DAYS.start + random.below(4) as i64) * DAY_MS + step;
        let id = format!("{step:018}");
        let mut change = store.write(Subject::Statement).await.unwrap();
        match random.below(4) {
            0 | 1 => {
                let document = document(&id, order, &mut random);
                operations::add(&mut change, &new(time_ms, &document)).unwrap();
                if random.below(5) > 0 {
                    change.commit().await.unwrap();
                    known.push((id, order));
                }
            }
            2 if !known.is_empty() => {
                let (id, order) = &known[random.below(known.len())];
                let document = document(id, *order, &mut random);
                operations::replace(&mut change, &new(0, &document)).unwrap();
                if random.below(5) > 0 {
                    change.commit().await.unwrap();
                }
            }
            _ => {
                drop(change);
                let day = DAYS.start + random.below(4) as i64;
                assert!(sum(&store, MERCHANT, day).await.unwrap());
            }
        }
        exact(&mut store.read().await.unwrap()).await;
        let sums = summed(&store).await;
        most_sums = most_sums.max(sums);
        fewest_after = fewest_after.min(if most_sums > 0 { sums } else { usize::MAX });
    }
    assert_eq!(
        (most_sums, fewest_after),
        (4, 0),
        "days are summed, and changed again"
    );
    // As the gateway does it every hour.
    let mut connection = store.read().await.unwrap();
    let days = without_sum(&mut connection, MERCHANT, 0..DAYS.end)
        .await
        .unwrap();
    assert!(days.iter().all(|day| DAYS.contains(day)), "{days:?}");
    for day in days {
        assert!(sum(&store, MERCHANT, day).await.unwrap());
    }
    let days = without_sum(&mut connection, MERCHANT, 0..DAYS.end)
        .await
        .unwrap();
    assert!(days.is_empty(), "{days:?}");
    let all = exact(&mut connection).await;
    forget(&store, MERCHANT, DAYS.start + 2).await.unwrap();
    assert_eq!(summed(&store).await, 2);
    assert_eq!(exact(&mut connection).await, all);
}

#[tokio::test]
async fn figures_are_those_of_the_operations_in_a_file() {
    in_a_file(check).await;
}

#[tokio::test]
async fn figures_are_those_of_the_operations_on_a_server() {
    on_a_server("figures", check).await;
}

#[tokio::test]
async fn an_operation_that_is_committed_after_its_day_was_summed_is_in_the_figures() {
    let Some(server) = OwnServer::begin("late_figures").await else {
        return;
    };
    let store = with_orders(server.settings()).await;
    let other_process = Store::open(server.settings()).await.unwrap();
    let day = DAYS.start;
    let mut random = Random(3);
    let mut connection = store.read().await.unwrap();
    let documents: Vec<_> = (0..3)
        .map(|number| document(&format!("{number:018}"), number, &mut random))
        .collect();
    let number = async |connection: &mut Connection| {
        exact(connection).await;
        let all = counted(connection, MERCHANT, DAYS).await.unwrap();
        all.values()
            .flatten()
            .map(|count| count.number())
            .sum::<i64>()
    };

    // It is written, and not committed: nobody sums the day meanwhile.
    let mut first = store.write(Subject::Statement).await.unwrap();
    operations::add(&mut first, &new(day * DAY_MS, &documents[0])).unwrap();
    first.send().await.unwrap();
    assert!(!sum(&other_process, MERCHANT, day).await.unwrap());
    assert!(sum(&other_process, MERCHANT, day + 1).await.unwrap());
    first.commit().await.unwrap();
    assert_eq!(number(&mut connection).await, 1);

    // Its change begins before the day is summed, and writes and commits behind that.
    let mut second = store.write(Subject::Statement).await.unwrap();
    let asked = query("SELECT 1 AS one");
    asked.fetch_all(&mut second).await.unwrap();
    assert!(sum(&other_process, MERCHANT, day).await.unwrap());
    assert_eq!(summed(&store).await, 2);
    operations::add(&mut second, &new(day * DAY_MS + 1, &documents[1])).unwrap();
    second.send().await.unwrap();
    assert_eq!(number(&mut connection).await, 1);
    second.commit().await.unwrap();
    assert_eq!(number(&mut connection).await, 2);
    assert_eq!(summed(&store).await, 1);

    // What is rolled back leaves the sum as it is.
    assert!(sum(&other_process, MERCHANT, day).await.unwrap());
    let mut third = store.write(Subject::Statement).await.unwrap();
    operations::add(&mut third, &new(day * DAY_MS + 2, &documents[2])).unwrap();
    third.send().await.unwrap();
    drop(third);
    assert_eq!(number(&mut connection).await, 2);
    assert_eq!(summed(&store).await, 2);
    drop(connection);
    server.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_that_pay_and_sum_at_the_same_time_leave_exact_figures() {
    let Some(server) = OwnServer::begin("busy_figures").await else {
        return;
    };
    let store = with_orders(server.settings()).await;
    let paying = Arc::new(AtomicUsize::new(PAYERS));
    let payers = (0..PAYERS).map(|payer| {
        let (store, paying) = (store.clone(), Arc::clone(&paying));
        tokio::spawn(async move {
            let mut random = Random(payer as u64);
            for turn in 0..40 {
                let id = format!("{:018}", payer * 1000 + turn / 2);
                let document = document(&id, payer, &mut random);
                let time_ms = DAYS.start * DAY_MS + (payer * 1000 + turn) as i64;
                let of_order = order_id(payer);
                let subject = Subject::Order {
                    merchant_id: MERCHANT,
                    order_id: &of_order,
                };
                let mut change = store.write(subject).await.unwrap();
                match turn % 2 {
                    0 => operations::add(&mut change, &new(time_ms, &document)).unwrap(),
                    _ => operations::replace(&mut change, &new(0, &document)).unwrap(),
                }
                change.commit().await.unwrap();
            }
            paying.fetch_sub(1, Ordering::SeqCst);
        })
    });
    let payers: Vec<_> = payers.collect();
    let other_process = Store::open(server.settings()).await.unwrap();
    while paying.load(Ordering::SeqCst) > 0 {
        // Often somebody is changing the day.
        sum(&other_process, MERCHANT, DAYS.start).await.unwrap();
    }
    for payer in payers {
        payer.await.unwrap();
    }
    let mut connection = store.read().await.unwrap();
    exact(&mut connection).await;
    assert!(sum(&other_process, MERCHANT, DAYS.start).await.unwrap());
    let shown = exact(&mut connection).await;
    assert_ne!(shown, Shown(Vec::new()));
    drop(connection);
    server.end().await;
}

const PAYERS: usize = 4;
