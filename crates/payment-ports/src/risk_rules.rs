//! Risk rules: refuse payments on the merchant's side before the issuer is called.
//!
//! They are called inside the transaction that decides about a payment, so they answer from memory and never fail. They may be called
//! several times for one payment, and change nothing.

use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::secret::Secret;

/// Refuses payments that are too risky.
pub trait RiskRules: Send + Sync {
    /// Whether a payment with this card may continue to the issuer.
    fn decide(&self, question: &RiskQuestion<'_>) -> RiskDecision;
}

/// The data of a payment for the rules.
#[derive(Clone, Copy, Debug)]
pub struct RiskQuestion<'a> {
    /// The whole number.
    pub number: &'a Secret,
    /// The expiry month.
    pub expiry: Expiry,
}

/// The decision of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RiskDecision {
    /// The payment may continue.
    Accept,
    /// The payment is refused, and the issuer is not called.
    Deny,
}
