//! A shop's order that always agrees with the gateway about its money: the crate `payframe-order-keeper`, and its ties to this package.
//!
//! The machine is pure: it has no clock, does no I/O and knows no database. Give it everything that happens, store what it answers in one
//! transaction, and carry the outputs out. `docs/order-keeper.md` of the project has every input and output, and what is proven of it. [`read_input`] makes the
//! input of an answer of [`crate::Orders::read`]. [`to_json`] and [`from_json`] store an order in the form of the packages for other languages.
//!
//! Names that are also those of answers are the machine's in this module: [`Order`] is the shop's, [`crate::types::Order`] the gateway's.

mod stored;

pub use payframe_money::Amount;
pub use payframe_order_keeper::{
    ASK_AFTER_SECONDS, Cause, Goods, Input, Intent, InvalidOrderError, MAX_OPEN_ATTEMPTS,
    OpenAttempt, Operation, OperationId, Order, OrderView, Output, Payment, PaymentOutcome,
    PaymentUnavailable, READS_UNTIL_PERSON, Reading, ReadingError, Snapshot, Staff, Status,
    WaitingFor,
};
pub use stored::{from_json, to_json};

use crate::errors::PayframeError;
use crate::types;

/// A new order of which nothing is paid. Its stock is reserved. `due_minor` is what it costs, in the minor unit: above 0, at most 12 digits.
///
/// # Errors
///
/// `bad_value`
pub fn new_order(due_minor: u64) -> Result<Order, PayframeError> {
    let due = Amount::from_minor(due_minor);
    due.and_then(|due| Order::new(due).ok()).ok_or_else(|| {
        PayframeError::refused_value(
            "due_minor",
            "must be a whole number of at most 12 digits, above 0",
        )
    })
}

/// The input that the answer of [`crate::Orders::read`] is: [`Input::Read`], or [`Input::ReadUnreadable`] if it can not be understood.
///
/// - `ticket`: of the [`Output::Ask`] that this answers.
/// - `answer`: `None` if the gateway has no such order (`not_found`).
/// - `currency`: of the shop's order.
#[must_use]
pub fn read_input(ticket: u32, answer: Option<&types::Order>, currency: &str) -> Input {
    match answer.map_or_else(
        || Ok(Reading::default()),
        |answer| reading_of(answer, currency),
    ) {
        Ok(reading) => Input::Read { ticket, reading },
        Err(_) => Input::ReadUnreadable { ticket },
    }
}

/// What an answer of [`crate::Orders::read`] says of the money of an order in this currency.
///
/// # Errors
///
/// [`ReadingError`]
pub fn reading_of(answer: &types::Order, currency: &str) -> Result<Reading, ReadingError> {
    let status = &answer.order_status;
    // The gateway has the newest first.
    let operations = answer.operations.iter().rev().map(|operation| Operation {
        id: &operation.operation_id,
        kind: &operation.operation_type,
        result: &operation.operation_result,
        amount: &operation.operation_amount,
    });
    let operations: Vec<_> = operations.collect();
    let view = OrderView {
        currency: status
            .order
            .get("currency")
            .and_then(|text| text.as_str())
            .unwrap_or_default(),
        authorized: &status.authorized_amount,
        refunded: &status.refunded_amount,
        operations: &operations,
    };
    Reading::parse(&view, currency)
}
