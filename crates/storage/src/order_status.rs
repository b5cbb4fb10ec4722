//! The status of an order is always what its totals and its newest operation say, whichever function changes them.
//!
//! The tests run on a file, and also on a server if `PAYFRAME_TEST_DATABASE` names one.

use crate::ledger::{self, NewFollowUp};
use crate::operations::{self, NewOperation};
use crate::order_list::{self, OrderFilter, OrderStatus};
use crate::orders::{self, NewOrder, OrderChange};
use crate::own_server::{in_a_file, on_a_server};
use crate::{StorageSettings, Store, Subject, Window, Write, query};
use payframe_money::Amount;
use payframe_payment_domain::operation::{OperationResult, OperationType, Totals};
use payframe_protocol::operation::Operation;
use serde_json::{Map, json};

pub(crate) const MERCHANT: &str = "demo";
pub(crate) const ORDERS: usize = 12;
const STEPS: usize = 600;

const TYPES: [OperationType; 6] = [
    OperationType::Authorization,
    OperationType::CardVerification,
    OperationType::Capture,
    OperationType::Void,
    OperationType::Refund,
    OperationType::Cancel,
];

const RESULTS: [OperationResult; 11] = [
    OperationResult::Authorized,
    OperationResult::Executed,
    OperationResult::Declined,
    OperationResult::DeniedByRisk,
    OperationResult::ThreeDsValidated,
    OperationResult::ThreeDsFailed,
    OperationResult::Pending,
    OperationResult::Canceled,
    OperationResult::Voided,
    OperationResult::Refunded,
    OperationResult::Failed,
];

/// What was written of an order.
#[derive(Clone, Default)]
struct Written {
    totals: [u64; 3],
    operations: Vec<(String, OperationType, OperationResult)>,
}

impl Written {
    fn status(&self) -> Option<OrderStatus> {
        use OperationResult as Result;
        let (_, kind, result) = self.operations.last()?;
        let [authorized, captured, refunded] = self.totals;
        Some(match (kind, result) {
            _ if authorized > captured => OrderStatus::ToCapture,
            _ if captured > 0 && refunded == 0 => OrderStatus::Paid,
            _ if captured > refunded => OrderStatus::PartlyRefunded,
            _ if captured > 0 => OrderStatus::Refunded,
            (_, Result::Pending | Result::ThreeDsValidated) => OrderStatus::Pending,
            (OperationType::CardVerification, Result::Executed) => OrderStatus::Verified,
            (_, Result::Declined | Result::DeniedByRisk | Result::ThreeDsFailed) => {
                OrderStatus::Refused
            }
            (_, Result::Canceled) => OrderStatus::Cancelled,
            (_, Result::Failed) => OrderStatus::Failed,
            _ => OrderStatus::Released,
        })
    }

    fn change(&self, last_operation_ms: Option<i64>) -> OrderChange<'static> {
        let [authorized, captured, refunded] = self.totals.map(amount);
        OrderChange {
            totals: Totals {
                authorized,
                captured,
                refunded,
            },
            last_operation_ms,
            released: None,
        }
    }
}

/// Random numbers that are the same in each run (a linear congruential generator by Knuth).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn totals(&mut self) -> [u64; 3] {
        self.one_of(&[
            [0, 0, 0],
            [0, 0, 0],
            [900, 0, 0],
            [900, 400, 0],
            [900, 900, 0],
            [900, 900, 400],
            [900, 900, 900],
        ])
    }
}

pub(crate) fn amount(minor: u64) -> Amount {
    Amount::from_minor(minor).unwrap()
}

pub(crate) fn order_id(order: usize) -> String {
    format!("o{order}")
}

fn document(id: &str, order: usize, kind: OperationType, result: OperationResult) -> Operation {
    serde_json::from_value(json!({
        "orderId": order_id(order), "operationId": id, "channel": "ECOMMERCE", "channelDetail": "BUILD",
        "operationType": kind.code(), "operationResult": result.code(), "operationTime": "", "operationAmount": "900",
        "operationCurrency": "EUR", "customerInfo": {}, "warnings": [], "terminalId": "t1", "additionalData": {}
    }))
    .unwrap()
}

pub(crate) async fn with_orders(settings: &StorageSettings) -> Store {
    let store = Store::open(settings).await.unwrap();
    for sql in [
        "INSERT INTO merchant (merchant_id, name) VALUES ('demo', 'Demo')",
        "INSERT INTO terminal (terminal_id, merchant_id, capture, tokenization, currency_conversion, networks, eight_digit_bins, card_fields) \
         VALUES ('t1', 'demo', 'IMPLICIT', 1, 1, '', '', '')",
    ] {
        store.change(query(sql)).await.unwrap();
    }
    let mut change = store.write(Subject::Merchant(MERCHANT)).await.unwrap();
    for order in 0..ORDERS {
        let new = NewOrder {
            merchant_id: MERCHANT,
            order_id: &order_id(order),
            currency: "EUR",
            amount: amount(900),
            document: &Map::new(),
            plugin_name: None,
            created_ms: 0,
            is_reservation: false,
        };
        orders::put(&mut change, &new);
    }
    change.commit().await.unwrap();
    let session = "INSERT INTO build_session (session_hash, merchant_id, terminal_id, order_id, version, merchant_origin, action_type, capture, \
         language, challenge_wish, result_url, cancel_url, security_token, trace_id, closing, card_summary, currency, amount_minor, attempts_left, \
         submissions, state, state_document, created_ms, last_seen_ms, ends_ms, wake_ms) \
         VALUES ('s1', 'demo', 't1', 'o1', 3, '', 'PAY', 'IMPLICIT', 'eng', '', '', '', '', '', 'SERVER', 'NONE', 'EUR', 900, 0, 1, 'COMPLETE', '', \
         0, 0, 0, 0)";
    store.change(query(session)).await.unwrap();
    store
}

/// Changes an order in one of the ways of the program.
async fn step(
    change: &mut Write,
    order: usize,
    written: &mut Written,
    time_ms: i64,
    random: &mut Random,
) {
    let (kind, result) = (random.one_of(&TYPES), random.one_of(&RESULTS));
    let id = order_id(order);
    let place = (MERCHANT, id.as_str());
    let new_id = format!("{:018}", 100_000_000_000_000_000 + time_ms);
    let known = match written.operations.len() {
        0 => None,
        operations => Some(random.below(operations)),
    };
    let named = known.map(|index| written.operations[index].0.clone());
    let document = document(
        named
            .as_deref()
            .filter(|_| time_ms % 2 == 0)
            .unwrap_or(&new_id),
        order,
        kind,
        result,
    );
    let new = NewOperation {
        merchant_id: MERCHANT,
        session_hash: "s1",
        time_ms,
        amount: amount(900),
        inquire_ms: None,
        release_ms: None,
        document: &document,
    };
    match (known.filter(|_| time_ms % 2 == 0), named) {
        // A response, with or without new totals.
        (Some(index), _) if random.below(2) == 0 => {
            operations::record_response(change, &document, None).unwrap();
            written.operations[index].2 = result;
            if random.below(2) == 0 {
                written.totals = random.totals();
                orders::change(change, place, &written.change(None));
            }
        }
        // The result of an operation whose id was told before.
        (Some(index), _) => {
            operations::replace(change, &new).unwrap();
            written.operations[index] = (document.operation_id.clone(), kind, result);
            written.totals = random.totals();
            orders::change(change, place, &written.change(None));
        }
        // A follow-up operation, before the acquirer is asked.
        (None, Some(payment_id)) if random.below(2) == 0 => {
            let new = NewFollowUp {
                merchant_id: MERCHANT,
                session_hash: "s1",
                payment_id: &payment_id,
                target_id: &payment_id,
                description: None,
                time_ms,
                amount: amount(900),
                shares: &[],
                inquire_ms: 0,
                document: &document,
            };
            ledger::add(change, &new).unwrap();
            written.operations.push((new_id, kind, result));
        }
        // Another attempt.
        (None, _) => {
            operations::add(change, &new).unwrap();
            written.operations.push((new_id, kind, result));
            written.totals = random.totals();
            orders::change(change, place, &written.change(Some(time_ms)));
        }
    }
}

async fn check(settings: &StorageSettings) {
    let store = with_orders(settings).await;
    let mut random = Random(7);
    let mut all = vec![Written::default(); ORDERS];
    let mut seen = Vec::new();
    for time_ms in 1..=STEPS {
        let order = random.below(ORDERS);
        let id = order_id(order);
        let subject = Subject::Order {
            merchant_id: MERCHANT,
            order_id: &id,
        };
        let mut after = all[order].clone();
        let mut change = store.write(subject).await.unwrap();
        let time_ms = i64::try_from(time_ms).unwrap();
        step(&mut change, order, &mut after, time_ms, &mut random).await;
        // What is rolled back changes no status.
        if random.below(8) == 0 {
            drop(change);
        } else {
            change.commit().await.unwrap();
            all[order] = after;
        }
        let mut connection = store.read().await.unwrap();
        let status = order_list::status(&mut connection, MERCHANT, &id)
            .await
            .unwrap();
        assert_eq!(status, all[order].status(), "step {time_ms}, order {id}");
        seen.extend(status.filter(|status| !seen.contains(status)));
    }
    assert_eq!(seen.len(), OrderStatus::ALL.len(), "{seen:?}");
    let mut connection = store.read().await.unwrap();
    for status in OrderStatus::ALL {
        let filter = OrderFilter {
            status: Some(status),
            ..OrderFilter::default()
        };
        let window = Window {
            from_ms: 0,
            to_ms: i64::MAX,
            max_records: 50,
        };
        let listed = order_list::list(&mut connection, MERCHANT, &filter, window)
            .await
            .unwrap();
        let mut listed: Vec<_> = listed.into_iter().map(|order| order.order_id).collect();
        listed.sort();
        let mut expected: Vec<_> = (0..ORDERS)
            .filter(|order| all[*order].status() == Some(status))
            .map(order_id)
            .collect();
        expected.sort();
        assert_eq!(listed, expected, "{status:?}");
    }
}

#[tokio::test]
async fn the_status_of_an_order_is_what_its_operations_say_in_a_file() {
    in_a_file(check).await;
}

#[tokio::test]
async fn the_status_of_an_order_is_what_its_operations_say_on_a_server() {
    on_a_server("status", check).await;
}
