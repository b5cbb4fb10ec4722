//! The decision table for other languages: `decisions.json` has the results of [`Order::step`] as test vectors.
//!
//! It is written again with `UPDATE_DECISIONS=1 cargo test -p payframe-order-keeper --test decisions`.

#![allow(clippy::unwrap_used)] // A test that fails.

use payframe_money::Amount;
use payframe_order_keeper::{
    Cause, Goods, Input, Intent, OpenAttempt, OperationId, Order, Output, Payment, PaymentOutcome,
    PaymentUnavailable, Reading, Snapshot, Staff, Status, WaitingFor,
};
use serde_json::{Value, json};
use std::collections::{HashSet, VecDeque};
use std::path::Path;

const DUE: u64 = 3545;
const LEAST_VECTORS: usize = 500;
/// The number of orders that are tried with every input: the first ones that can be reached from a new order.
const ORDERS: usize = 48;

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

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Undecided => "UNDECIDED",
        Cause::NotGivenBack => "NOT_GIVEN_BACK",
        Cause::TooMuch => "TOO_MUCH",
        Cause::TooLittle => "TOO_LITTLE",
        Cause::PaidAfterRelease => "PAID_AFTER_RELEASE",
        Cause::FulfilledUnpaid => "FULFILLED_UNPAID",
        Cause::Unreadable => "UNREADABLE",
    }
}

fn order_json(order: &Order) -> Value {
    let at = order.snapshot();
    let (status, why) = match at.status {
        Status::Unpaid => ("UNPAID", None),
        Status::Paying(WaitingFor::Buyer) => ("PAYING", Some("BUYER")),
        Status::Paying(WaitingFor::Issuer) => ("PAYING", Some("ISSUER")),
        Status::Paid => ("PAID", None),
        Status::PartlyPaid => ("PARTLY_PAID", None),
        Status::Refunded => ("REFUNDED", None),
        Status::GivenUp => ("GIVEN_UP", None),
        Status::NeedsPerson(why) => ("NEEDS_PERSON", Some(cause(why))),
    };
    let attempt = |one: &OpenAttempt| json!({"number": one.number, "isClosing": one.is_closing});
    json!({
        "due": at.due.minor(),
        "status": status,
        "statusDetail": why,
        "intent": match at.intent {
            Intent::Sell => "SELL",
            Intent::GiveUp => "GIVE_UP",
            Intent::GiveBack => "GIVE_BACK",
        },
        "goods": match at.goods {
            Goods::Reserved => "RESERVED",
            Goods::Fulfilled => "FULFILLED",
            Goods::Released => "RELEASED",
        },
        "open": at.open.iter().map(attempt).collect::<Vec<_>>(),
        "attempts": at.attempts,
        "returning": at.returning.iter().map(OperationId::to_string).collect::<Vec<_>>(),
        "asked": at.asked,
        "tickets": at.tickets,
        "reads": at.reads,
        "called": at.called.map(cause),
    })
}

fn input_json(input: &Input) -> Value {
    let reading_json = |reading: &Reading| {
        let payment = |one: &Payment| {
            let outcome = match one.outcome {
                PaymentOutcome::Undecided => "UNDECIDED",
                PaymentOutcome::Approved => "APPROVED",
                PaymentOutcome::Returned => "RETURNED",
            };
            json!({"operation": one.operation.to_string(), "outcome": outcome, "amount": one.amount.minor()})
        };
        let payments: Vec<_> = reading.payments().iter().map(payment).collect();
        json!({"held": reading.held().minor(), "payments": payments})
    };
    match input {
        Input::AttemptWanted => json!({"type": "ATTEMPT_WANTED"}),
        Input::AttemptOpened(number) => json!({"type": "ATTEMPT_OPENED", "number": number}),
        Input::AttemptClosed(number) => json!({"type": "ATTEMPT_CLOSED", "number": number}),
        Input::ReturnPage => json!({"type": "RETURN_PAGE"}),
        Input::Notification => json!({"type": "NOTIFICATION"}),
        Input::Feed => json!({"type": "FEED"}),
        Input::Read { ticket, reading } => {
            json!({"type": "READ", "ticket": ticket, "reading": reading_json(reading)})
        }
        Input::ReadFailed { ticket } => json!({"type": "READ_FAILED", "ticket": ticket}),
        Input::ReadUnreadable { ticket } => json!({"type": "READ_UNREADABLE", "ticket": ticket}),
        Input::TimeOut => json!({"type": "TIME_OUT"}),
        Input::Staff(Staff::Cancel) => json!({"type": "STAFF_CANCEL"}),
        Input::Staff(Staff::LookAgain) => json!({"type": "STAFF_LOOK_AGAIN"}),
    }
}

fn output_json(output: &Output) -> Value {
    match output {
        Output::OpenAttempt(number) => json!({"type": "OPEN_ATTEMPT", "number": number}),
        Output::ShowForm(number) => json!({"type": "SHOW_FORM", "number": number}),
        Output::RefuseAttempt(refusal) => {
            let why = match refusal {
                PaymentUnavailable::AlreadyPaid => "ALREADY_PAID",
                PaymentUnavailable::NotForSale => "NOT_FOR_SALE",
                PaymentUnavailable::Undecided => "UNDECIDED",
                PaymentUnavailable::NeedsPerson => "NEEDS_PERSON",
                PaymentUnavailable::TooManyAttempts => "TOO_MANY_ATTEMPTS",
            };
            json!({"type": "REFUSE_ATTEMPT", "why": why})
        }
        Output::CloseAttempt(number) => json!({"type": "CLOSE_ATTEMPT", "number": number}),
        Output::Fulfil => json!({"type": "FULFIL"}),
        Output::ReleaseStock => json!({"type": "RELEASE_STOCK"}),
        Output::Ask { ticket, seconds } => {
            json!({"type": "ASK", "ticket": ticket, "seconds": seconds})
        }
        Output::GiveBack { operation, amount } => {
            json!({"type": "GIVE_BACK", "operation": operation.to_string(), "amount": amount.minor()})
        }
        Output::CallPerson(why) => json!({"type": "CALL_PERSON", "why": cause(*why)}),
    }
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

/// Long series of inputs, which a search of all series does not reach: too many attempts; an issuer that does not decide; money that is not
/// refunded; money for an order that was given up.
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

/// One line for each vector, so that a change shows what changed.
fn table() -> (usize, String) {
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
    (lines.len(), format!("[\n{}\n]\n", lines.join(",\n")))
}

/// Every answer, every state and every cause is in the table at least once.
#[test]
fn the_table_has_everything() {
    let (_, table) = table();
    let words = "UNPAID PAYING PAID PARTLY_PAID REFUNDED GIVEN_UP NEEDS_PERSON BUYER ISSUER SELL GIVE_UP GIVE_BACK RESERVED FULFILLED RELEASED \
        OPEN_ATTEMPT SHOW_FORM REFUSE_ATTEMPT CLOSE_ATTEMPT FULFIL RELEASE_STOCK ASK CALL_PERSON \
        ALREADY_PAID NOT_FOR_SALE TOO_MANY_ATTEMPTS \
        UNDECIDED NOT_GIVEN_BACK TOO_MUCH TOO_LITTLE PAID_AFTER_RELEASE FULFILLED_UNPAID UNREADABLE";
    for word in words.split_whitespace() {
        assert!(table.contains(&format!("\"{word}\"")), "{word}");
    }
}

#[test]
fn the_table_is_what_the_machine_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("decisions.json");
    let (vectors, table) = table();
    assert!(vectors >= LEAST_VECTORS, "{vectors} vectors only");
    if std::env::var_os("UPDATE_DECISIONS").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(
        kept == table,
        "the machine and decisions.json differ: if that is meant, run the test with UPDATE_DECISIONS=1 and read the difference"
    );
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
