//! A search through all states of a shop's order book and the gateway together.
//!
//! [`keeper`] runs the real `payframe_order_keeper::Order::step` in a shop with two servers. A server dies between any two statements (a
//! call to the gateway, a transaction); notifications are lost, repeated, late and out of order, and arrive after the order was cancelled; the buyer pays
//! in two tabs; a payment stays pending and is approved later. Checked in every state:
//!
//! - an order is paid only while money is held, and in the end if and only if it is;
//! - it is fulfilled at most once, never after its stock was released, and in the end if and only if it is paid;
//! - it is never given up while money is held;
//! - a second charge is found and given back;
//! - every disagreement ends after [`READS_TO_AGREE`] reads once the issuer has decided, the shop's time limit has passed and there are no more faults.
//!
//! [`common_rules`] has rules that shops use in place of the keeper. Each breaks one of these properties; `docs/order-keeper.md` shows how,
//! and a test compares the page with what the search finds.
//!
//! **Bounds.** 2 presses of Pay, 1 fault or more of any kind, one time-out, one cancel by staff. Time has no length. Not in it: part payments, failed refunds,
//! gateways that break their contract (there the keeper calls a person), and a shop whose database loses what it committed.

pub mod common_rules;
mod gateway;
pub mod keeper;
#[cfg(test)]
mod tests;

pub use gateway::{Decision, Gateway, Money};

/// Reads after which shop and gateway agree, at most.
pub const READS_TO_AGREE: usize = 4;

/// See the module's documentation. By the gateway's records.
pub const PAID_IS_HELD: &str = "an order is paid only while money is held";
/// Counts goods, not messages about them.
pub const FULFILLED_ONCE: &str = "an order is fulfilled at most once, and not after its release";
/// Also if a message arrives later.
pub const GIVEN_UP_IS_UNPAID: &str = "an order is never given up while money is held";
/// One charge is held for a paid order, none for any other, and there is no open question.
pub const AGREES: &str = "shop and gateway agree after a stated number of reads";
