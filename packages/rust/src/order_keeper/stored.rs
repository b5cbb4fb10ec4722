//! An order of the keeper as JSON, in the form of the packages for other languages and of the crate's test vectors.

use crate::errors::PayframeError;
use payframe_money::Amount;
use payframe_order_keeper::{
    Cause, Goods, Intent, InvalidOrderError, OpenAttempt, OperationId, Order, Snapshot, Status,
    WaitingFor,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An order as JSON, to be stored.
#[must_use]
pub fn to_json(order: &Order) -> Value {
    let at = order.snapshot();
    let (status, detail) = match at.status {
        Status::Unpaid => ("UNPAID", None),
        Status::Paying(WaitingFor::Buyer) => ("PAYING", Some("BUYER")),
        Status::Paying(WaitingFor::Issuer) => ("PAYING", Some("ISSUER")),
        Status::Paid => ("PAID", None),
        Status::PartlyPaid => ("PARTLY_PAID", None),
        Status::Refunded => ("REFUNDED", None),
        Status::GivenUp => ("GIVEN_UP", None),
        Status::NeedsPerson(cause) => ("NEEDS_PERSON", Some(name_of(&CAUSES, cause))),
    };
    let attempt = |one: &OpenAttempt| StoredAttempt {
        number: one.number,
        is_closing: one.is_closing,
    };
    let stored = StoredOrder {
        due: at.due.minor(),
        status: status.to_owned(),
        status_detail: detail.map(str::to_owned),
        intent: name_of(&INTENTS, at.intent).to_owned(),
        goods: name_of(&GOODS, at.goods).to_owned(),
        open: at.open.iter().map(attempt).collect(),
        attempts: at.attempts,
        returning: at.returning.iter().map(OperationId::to_string).collect(),
        asked: at.asked,
        tickets: at.tickets,
        reads: at.reads,
        called: at.called.map(|cause| name_of(&CAUSES, cause).to_owned()),
    };
    json!(stored)
}

/// The order that was stored.
///
/// # Errors
///
/// `bad_value`: it is none that [`to_json`] made.
pub fn from_json(stored: &Value) -> Result<Order, PayframeError> {
    let no_order = || {
        PayframeError::refused_value(
            "order",
            "must be an order as it was stored: new_order() makes the first",
        )
    };
    let stored = StoredOrder::deserialize(stored).map_err(|_| no_order())?;
    let snapshot = snapshot_of(&stored).ok_or_else(no_order)?;
    Order::restore(snapshot).map_err(|impossible| {
        let why = match impossible {
            InvalidOrderError::Free => "FREE",
            InvalidOrderError::Attempts => "ATTEMPTS",
            InvalidOrderError::Ticket => "TICKET",
            InvalidOrderError::Reads => "READS",
            InvalidOrderError::Goods => "GOODS",
        };
        let accepted = format!("must be an order that the keeper made: {why}");
        PayframeError::refused_value("order", &accepted)
    })
}

/// `Option`s without a default: a member that is absent is not the same as `null`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredOrder {
    due: u64,
    status: String,
    #[serde(deserialize_with = "Option::deserialize")]
    status_detail: Option<String>,
    intent: String,
    goods: String,
    open: Vec<StoredAttempt>,
    attempts: u32,
    returning: Vec<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    asked: Option<u32>,
    tickets: u32,
    reads: u8,
    #[serde(deserialize_with = "Option::deserialize")]
    called: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredAttempt {
    number: u32,
    is_closing: bool,
}

/// `None` if a word or an id is unknown.
fn snapshot_of(stored: &StoredOrder) -> Option<Snapshot> {
    let detail = stored.status_detail.as_deref();
    let status = match (stored.status.as_str(), detail) {
        ("UNPAID", None) => Status::Unpaid,
        ("PAYING", Some("BUYER")) => Status::Paying(WaitingFor::Buyer),
        ("PAYING", Some("ISSUER")) => Status::Paying(WaitingFor::Issuer),
        ("PAID", None) => Status::Paid,
        ("PARTLY_PAID", None) => Status::PartlyPaid,
        ("REFUNDED", None) => Status::Refunded,
        ("GIVEN_UP", None) => Status::GivenUp,
        ("NEEDS_PERSON", Some(cause)) => Status::NeedsPerson(named(&CAUSES, cause)?),
        _ => return None,
    };
    let attempt = |one: &StoredAttempt| OpenAttempt {
        number: one.number,
        is_closing: one.is_closing,
    };
    let returning = stored.returning.iter().map(|id| OperationId::parse(id));
    Some(Snapshot {
        due: Amount::from_minor(stored.due)?,
        status,
        intent: named(&INTENTS, &stored.intent)?,
        goods: named(&GOODS, &stored.goods)?,
        open: stored.open.iter().map(attempt).collect(),
        attempts: stored.attempts,
        returning: returning.collect::<Option<_>>()?,
        asked: stored.asked,
        tickets: stored.tickets,
        reads: stored.reads,
        called: match &stored.called {
            Some(cause) => Some(named(&CAUSES, cause)?),
            None => None,
        },
    })
}

fn name_of<T: PartialEq>(names: &[(T, &'static str)], value: T) -> &'static str {
    // The tables have every value: a test stores each.
    names
        .iter()
        .find(|(one, _)| *one == value)
        .map_or("", |(_, name)| name)
}

fn named<T: Copy>(names: &[(T, &'static str)], name: &str) -> Option<T> {
    names
        .iter()
        .find(|(_, one)| *one == name)
        .map(|(value, _)| *value)
}

const CAUSES: [(Cause, &str); 7] = [
    (Cause::Undecided, "UNDECIDED"),
    (Cause::NotGivenBack, "NOT_GIVEN_BACK"),
    (Cause::TooMuch, "TOO_MUCH"),
    (Cause::TooLittle, "TOO_LITTLE"),
    (Cause::PaidAfterRelease, "PAID_AFTER_RELEASE"),
    (Cause::FulfilledUnpaid, "FULFILLED_UNPAID"),
    (Cause::Unreadable, "UNREADABLE"),
];
const INTENTS: [(Intent, &str); 3] = [
    (Intent::Sell, "SELL"),
    (Intent::GiveUp, "GIVE_UP"),
    (Intent::GiveBack, "GIVE_BACK"),
];
const GOODS: [(Goods, &str); 3] = [
    (Goods::Reserved, "RESERVED"),
    (Goods::Fulfilled, "FULFILLED"),
    (Goods::Released, "RELEASED"),
];
