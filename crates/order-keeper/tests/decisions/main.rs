//! The test vectors for other languages: `decisions.json` has results of [`Order::step`], `readings.json` those of
//! [`Reading::parse`], `stored.json` those of [`Order::restore`].
//!
//! They are written again with `UPDATE_DECISIONS=1 cargo test -p payframe-order-keeper --test decisions`. With
//! `MORE_DECISIONS=/tmp/more.json` the test also writes a hundred times as many walks there, to test a port longer.

#![allow(clippy::unwrap_used)] // A test that fails.

use payframe_money::Amount;

mod json;
mod readings;
mod stored;
mod walks;

use json::{input_json, order_json, output_json};
use payframe_order_keeper::{
    Input, OperationId, Order, Payment, PaymentOutcome, Reading, Snapshot, Staff,
};
use serde_json::json;
use std::collections::{HashSet, VecDeque};
use std::path::Path;

const DUE: u64 = 3545;
const LEAST_VECTORS: usize = 500;
/// The number of orders that are tried with every input: the first ones that can be reached from a new order.
const ORDERS: usize = 48;
/// The number of random walks.
const WALKS: u64 = 40;

fn minor(amount: u64) -> Amount {
    Amount::from_minor(amount).unwrap()
}

fn payment(number: u64, outcome: PaymentOutcome) -> Payment {
    Payment {
        operation: OperationId::parse(&format!("{number:018}")).unwrap(),
        outcome,
        amount: minor(DUE),
    }
}

/// Answers of the gateway: no payment, undecided, one charge, two charges, one refunded, a part, too much.
fn readings() -> Vec<Reading> {
    use PaymentOutcome::{Approved, Returned, Undecided};
    let reading = |held: u64, payments: Vec<Payment>| Reading::of(minor(held), payments).unwrap();
    vec![
        Reading::default(),
        reading(0, vec![payment(1, Undecided)]),
        reading(DUE, vec![payment(1, Approved)]),
        reading(DUE, vec![payment(1, Undecided), payment(2, Approved)]),
        reading(2 * DUE, vec![payment(1, Approved), payment(2, Approved)]),
        reading(DUE, vec![payment(1, Approved), payment(2, Returned)]),
        reading(0, vec![payment(1, Returned)]),
        reading(1000, vec![payment(1, Approved)]),
        reading(
            DUE + 1,
            vec![Payment {
                amount: minor(DUE + 1),
                ..payment(1, Approved)
            }],
        ),
    ]
}

fn inputs(order: &Order) -> Vec<Input> {
    let mut inputs = vec![
        Input::AttemptWanted,
        Input::AttemptOpened(1),
        Input::AttemptOpened(2),
        Input::AttemptClosed(1),
        Input::AttemptClosed(2),
        Input::ReturnPage,
        Input::Notification,
        Input::Feed,
        Input::TimeOut,
        Input::Staff(Staff::Cancel),
        Input::Staff(Staff::LookAgain),
        // The ticket of a request that was never made.
        Input::Read {
            ticket: 1000,
            reading: Reading::default(),
        },
    ];
    if let Some(ticket) = order.asked() {
        inputs.extend(
            readings()
                .into_iter()
                .map(|reading| Input::Read { ticket, reading }),
        );
        inputs.push(Input::ReadFailed { ticket });
        inputs.push(Input::ReadUnreadable { ticket });
    }
    inputs
}

fn vector(order: &Order, input: &Input) -> (Order, String) {
    let (after, outputs) = order.clone().step(input.clone());
    let outputs: Vec<_> = outputs.iter().map(output_json).collect();
    let vector = json!({
        "order": order_json(order),
        "input": input_json(input),
        "after": order_json(&after),
        "outputs": outputs,
    });
    (after, vector.to_string())
}

/// An order without the number of its ticket: orders that differ only in that are of the same kind.
fn kind(order: &Order) -> Snapshot {
    let mut at = order.snapshot();
    at.asked = at.asked.map(|_| 1);
    at.tickets = 1;
    at
}

/// Long series of inputs, which a search of all series does not reach: too many attempts; a build call that answers after its attempt
/// was closed; an issuer that does not decide; money that is not refunded; money for an order that was given up.
fn long_ways() -> Vec<Vec<Input>> {
    let readings = readings();
    let open = [Input::AttemptWanted, Input::AttemptOpened(1)];
    let stays = |reading: &Reading| {
        let mut way = open.to_vec();
        way.extend((1..10).map(|ticket| Input::Read {
            ticket,
            reading: reading.clone(),
        }));
        way
    };
    vec![
        vec![Input::AttemptWanted; 9],
        vec![
            Input::AttemptWanted,
            Input::AttemptWanted,
            Input::TimeOut,
            Input::AttemptClosed(1),
            Input::AttemptOpened(1),
        ],
        stays(&readings[0]),
        stays(&readings[1]),
        stays(&readings[3]),
        stays(&readings[4]),
        vec![
            Input::TimeOut,
            Input::Read {
                ticket: 1,
                reading: Reading::default(),
            },
            Input::Notification,
            Input::Read {
                ticket: 2,
                reading: readings[2].clone(),
            },
        ],
    ]
}

fn table() -> Vec<String> {
    let mut seen = HashSet::new();
    let first = Order::new(minor(DUE)).unwrap();
    let mut queue = VecDeque::from([first.clone()]);
    seen.insert(kind(&first));
    let mut lines = Vec::new();
    for _ in 0..ORDERS {
        let order = queue.pop_front().unwrap();
        for input in inputs(&order) {
            let (after, line) = vector(&order, &input);
            lines.push(line);
            if seen.insert(kind(&after)) {
                queue.push_back(after);
            }
        }
    }
    for way in long_ways() {
        let mut order = first.clone();
        for input in way {
            let (after, line) = vector(&order, &input);
            lines.push(line);
            order = after;
        }
    }
    lines.extend(walks::lines(&first, WALKS));
    lines
}

/// One vector in each line, so that a change shows what changed.
fn document(lines: &[String]) -> String {
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Compares a file of vectors with what the machine does, or writes it.
fn check_file(name: &str, document: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE_DECISIONS").is_some() {
        std::fs::write(&path, document).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(
        kept == document,
        "the machine and {name} differ: if that is meant, run the test with UPDATE_DECISIONS=1 and read the difference"
    );
}

/// Every answer, every state and every cause is in the table at least once.
#[test]
fn the_table_has_everything() {
    let table = table().concat();
    let words = "UNPAID PAYING PAID PARTLY_PAID REFUNDED GIVEN_UP NEEDS_PERSON BUYER ISSUER SELL GIVE_UP GIVE_BACK RESERVED FULFILLED RELEASED \
        OPEN_ATTEMPT SHOW_FORM REFUSE_ATTEMPT CLOSE_ATTEMPT FULFIL RELEASE_STOCK ASK CALL_PERSON \
        ALREADY_PAID NOT_FOR_SALE TOO_MANY_ATTEMPTS GIVE_BACK \
        UNDECIDED NOT_GIVEN_BACK TOO_MUCH TOO_LITTLE PAID_AFTER_RELEASE FULFILLED_UNPAID UNREADABLE";
    for word in words.split_whitespace() {
        assert!(table.contains(&format!("\"{word}\"")), "{word}");
    }
}

#[test]
fn the_vectors_are_what_the_machine_does() {
    let table = table();
    assert!(table.len() >= LEAST_VECTORS, "{} vectors only", table.len());
    check_file("decisions.json", &document(&table));
    check_file("readings.json", &document(&readings::lines()));
    check_file("stored.json", &document(&stored::lines()));
    if let Some(path) = std::env::var_os("MORE_DECISIONS") {
        let first = Order::new(minor(DUE)).unwrap();
        std::fs::write(path, document(&walks::lines(&first, 100 * WALKS))).unwrap();
    }
}

#[test]
fn every_order_in_reach_can_be_stored_and_restored() {
    let mut orders = vec![Order::new(minor(DUE)).unwrap()];
    for _ in 0..5 {
        let before = std::mem::take(&mut orders);
        let mut seen = HashSet::new();
        for order in before {
            for input in inputs(&order) {
                let (after, _) = order.clone().step(input);
                assert_eq!(Order::restore(after.snapshot()), Ok(after.clone()));
                if seen.insert(after.clone()) {
                    orders.push(after);
                }
            }
        }
    }
    assert!(orders.len() > 1000, "{} orders only", orders.len());
}
