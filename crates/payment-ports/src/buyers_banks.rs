//! The banks of buyers, as far as they dispute payments by themselves.
//!
//! Real banks report disputes to the acquirer, and the operator records them. So an adapter for a real acquirer plans none. A simulator's
//! banks dispute what is paid with some of its test cards. The port answers from memory.

use core::time::Duration;
use payframe_payment_domain::dispute::{DisputeCategory, DisputeKind};

/// Plans disputes.
pub trait BuyersBanks: Send + Sync {
    /// How the bank of a card disputes each capture of its money. `masked`: the first and the last digits of the number, as operations show
    /// them. `None`: it does not.
    fn dispute_of(&self, masked: &str) -> Option<PlannedDispute>;
}

/// A dispute that a bank will open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedDispute {
    /// How long after the capture.
    pub after: Duration,
    /// How far it has come then.
    pub kind: DisputeKind,
    /// Why, in plain words.
    pub category: DisputeCategory,
    /// Why, as the network writes it.
    pub reason_code: &'static str,
    /// How long the merchant can answer.
    pub to_respond: Duration,
}
