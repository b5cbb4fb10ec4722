//! A search for a card's last four digits lists the orders of which one operation has them, by the time of the newest operation.
//!
//! The tests run on a file, and also on a server if `PAYFRAME_TEST_DATABASE` names one.

use crate::operations::{self, NewOperation};
use crate::order_list::{self, OrderFilter, PaidWith};
use crate::order_status::{MERCHANT, ORDERS, Random, amount, order_id, with_orders};
use crate::orders::{self, OrderChange};
use crate::own_server::{in_a_file, on_a_server};
use crate::{StorageSettings, Store, Subject, Window, Write, query};
use payframe_payment_domain::operation::Totals;
use payframe_protocol::operation::Operation;
use serde_json::json;

const STEPS: i64 = 300;

/// What an operation was paid with: the instrument that lists show, and the network.
type Paid = (Option<&'static str>, Option<&'static str>);

const PAID: [Paid; 6] = [
    (Some("***0004"), Some("VISA")),
    (Some("***0004"), Some("MC")),
    (Some("***0004"), None),
    (Some("***1111"), Some("MC")),
    (Some("anna@example.com"), Some("PAYPAL")),
    (None, None),
];

/// The operations of each order: time and card.
type Written = Vec<Vec<(i64, Paid)>>;

fn document(time_ms: i64, order: usize, (instrument, circuit): Paid) -> Operation {
    let mut document = json!({
        "orderId": order_id(order), "operationId": format!("{time_ms:018}"), "channel": "ECOMMERCE", "channelDetail": "BUILD",
        "operationType": "AUTHORIZATION", "operationResult": "DECLINED", "operationTime": "", "operationAmount": "900",
        "operationCurrency": "EUR", "customerInfo": {}, "warnings": [], "terminalId": "t1", "additionalData": {}
    });
    if let Some(instrument) = instrument {
        document["paymentInstrumentInfo"] = instrument.into();
    }
    if let Some(circuit) = circuit {
        document["paymentCircuit"] = circuit.into();
    }
    serde_json::from_value(document).unwrap()
}

/// Another attempt, or another card of an attempt that is there.
async fn step(
    change: &mut Write,
    order: usize,
    written: &mut Vec<(i64, Paid)>,
    now_ms: i64,
    random: &mut Random,
) {
    let paid = random.one_of(&PAID);
    if !written.is_empty() && random.below(3) == 0 {
        let place = random.below(written.len());
        written[place].1 = paid;
        let document = document(written[place].0, order, paid);
        operations::record_response(change, &document, None).unwrap();
        return;
    }
    written.push((now_ms, paid));
    let document = document(now_ms, order, paid);
    let new = NewOperation {
        merchant_id: MERCHANT,
        session_hash: "s1",
        time_ms: now_ms,
        amount: amount(900),
        inquire_ms: None,
        release_ms: None,
        document: &document,
    };
    let of_order = OrderChange {
        totals: Totals {
            authorized: amount(0),
            captured: amount(0),
            refunded: amount(0),
        },
        last_operation_ms: Some(now_ms),
        released: None,
    };
    let id = order_id(order);
    // In any order, as the program may write them.
    if now_ms % 2 == 0 {
        orders::change(change, (MERCHANT, &id), &of_order);
        operations::add(change, &new).unwrap();
    } else {
        operations::add(change, &new).unwrap();
        orders::change(change, (MERCHANT, &id), &of_order);
    }
}

/// What a list has to show: the times of orders' newest operations, newest first.
fn expected(all: &Written, digits: &str, circuit: Option<&str>) -> Vec<(i64, String)> {
    let instrument = format!("***{digits}");
    let has_card = |(_, (shown, network)): &(i64, Paid)| {
        *shown == Some(instrument.as_str()) && (circuit.is_none() || *network == circuit)
    };
    let found = (0..)
        .zip(all)
        .filter(|(_, written)| written.iter().any(has_card));
    let mut found: Vec<_> = found
        .filter_map(|(order, written)| Some((written.last()?.0, order_id(order))))
        .collect();
    found.sort();
    found.reverse();
    found
}

/// The whole list, in pages of so many.
async fn listed(
    store: &Store,
    digits: &str,
    circuit: Option<&str>,
    max_records: u32,
) -> Vec<(i64, String)> {
    let mut connection = store.read().await.unwrap();
    let filter = OrderFilter {
        currency: Some("EUR"),
        paid_with: PaidWith {
            circuit,
            last_four: Some(digits),
        },
        ..OrderFilter::default()
    };
    let (mut all, mut to_ms) = (Vec::new(), i64::MAX);
    loop {
        let window = Window {
            from_ms: 0,
            to_ms,
            max_records,
        };
        let page = order_list::list(&mut connection, MERCHANT, &filter, window)
            .await
            .unwrap();
        let Some(last) = page.last() else {
            return all;
        };
        to_ms = last.last_ms;
        all.extend(
            page.into_iter()
                .map(|order| (order.last_ms, order.order_id)),
        );
    }
}

async fn must_list(store: &Store, all: &Written) {
    for digits in ["0004", "1111", "2222"] {
        for circuit in [None, Some("VISA"), Some("MC"), Some("PAYPAL")] {
            for max_records in [2, 50] {
                assert_eq!(
                    listed(store, digits, circuit, max_records).await,
                    expected(all, digits, circuit),
                    "{digits} {circuit:?}"
                );
            }
        }
    }
}

async fn check(settings: &StorageSettings) {
    let store = with_orders(settings).await;
    let mut random = Random(11);
    let mut all: Written = vec![Vec::new(); ORDERS];
    for now_ms in 1..=STEPS {
        let order = random.below(ORDERS);
        let id = order_id(order);
        let subject = Subject::Order {
            merchant_id: MERCHANT,
            order_id: &id,
        };
        let mut after = all[order].clone();
        let mut change = store.write(subject).await.unwrap();
        step(&mut change, order, &mut after, now_ms, &mut random).await;
        // What is rolled back is found by nobody.
        if random.below(8) == 0 {
            drop(change);
        } else {
            change.commit().await.unwrap();
            all[order] = after;
        }
        if now_ms % 10 == 0 {
            must_list(&store, &all).await;
        }
    }
    let found = listed(&store, "0004", None, 50).await;
    assert!(found.len() > ORDERS / 2, "{found:?}");
    // As before the migration: no trigger has seen the orders.
    store
        .change(query("DELETE FROM earlier_card"))
        .await
        .unwrap();
    assert_ne!(listed(&store, "0004", None, 50).await, found);
    let migration = match store.is_shared() {
        true => include_str!("../migrations/postgres/0229_cards_of_earlier_orders.sql"),
        false => include_str!("../migrations/0229_cards_of_earlier_orders.sql"),
    };
    store.change(query(migration)).await.unwrap();
    must_list(&store, &all).await;
}

#[tokio::test]
async fn a_card_of_any_operation_finds_the_order_in_a_file() {
    in_a_file(check).await;
}

#[tokio::test]
async fn a_card_of_any_operation_finds_the_order_on_a_server() {
    on_a_server("cards", check).await;
}
