//! Vectors of stored orders: which are possible, and why others are not.

use crate::json::snapshot_json;
use crate::{DUE, minor};
use payframe_money::Amount;
use payframe_order_keeper::{
    Cause, Goods, InvalidOrderError, OpenAttempt, Order, Snapshot, Status, WaitingFor,
};
use serde_json::json;

pub(crate) fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |change: &dyn Fn(&mut Snapshot)| {
        let mut at = Order::new(minor(DUE)).unwrap().snapshot();
        change(&mut at);
        let refused = Order::restore(at.clone()).err().map(name);
        lines.push(json!({"order": snapshot_json(&at), "refused": refused}).to_string());
    };
    add(&|_| {});
    add(&|at| at.due = Amount::ZERO);
    add(&|at| at.due = Amount::MAX);
    for status in STATUSES {
        for goods in [Goods::Reserved, Goods::Fulfilled, Goods::Released] {
            add(&|at| (at.status, at.goods) = (status, goods));
        }
    }
    for numbers in NUMBERS {
        add(&|at| {
            at.attempts = 2;
            let attempt = |number: &u32| OpenAttempt {
                number: *number,
                is_closing: *number == 2,
            };
            at.open = numbers.iter().map(attempt).collect();
        });
    }
    for (asked, tickets) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (1, 2)] {
        add(&|at| (at.asked, at.tickets) = (Some(asked), tickets));
    }
    for reads in [6, 7] {
        add(&|at| at.reads = reads);
    }
    lines
}

fn name(error: InvalidOrderError) -> &'static str {
    match error {
        InvalidOrderError::Free => "FREE",
        InvalidOrderError::Attempts => "ATTEMPTS",
        InvalidOrderError::Ticket => "TICKET",
        InvalidOrderError::Reads => "READS",
        InvalidOrderError::Goods => "GOODS",
    }
}

const STATUSES: [Status; 8] = [
    Status::Unpaid,
    Status::Paying(WaitingFor::Buyer),
    Status::Paying(WaitingFor::Issuer),
    Status::Paid,
    Status::PartlyPaid,
    Status::Refunded,
    Status::GivenUp,
    Status::NeedsPerson(Cause::TooMuch),
];
/// Numbers of open attempts, of two that were made.
const NUMBERS: [&[u32]; 7] = [&[1], &[1, 2], &[2, 1], &[1, 1], &[0], &[3], &[1, 2, 3]];
