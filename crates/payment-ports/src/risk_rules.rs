//! Risk rules: payments that the merchant's side refuses before an issuer is asked.
//!
//! They are asked inside the transaction that decides what becomes of a payment, so they answer from memory and never fail. They
//! may be asked several times about one payment, and change nothing by it.

use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::secret::Secret;

/// Refuses payments that are too risky.
pub trait RiskRules: Send + Sync {
    /// Whether a payment with this card may go on to the issuer.
    fn decide(&self, question: &RiskQuestion<'_>) -> RiskDecision;
}

/// What the rules know of a payment.
#[derive(Clone, Copy, Debug)]
pub struct RiskQuestion<'a> {
    /// The whole number.
    pub number: &'a Secret,
    /// The month in which it ends.
    pub expiry: Expiry,
}

/// What the rules say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RiskDecision {
    /// Nothing is against it.
    Accept,
    /// It is refused; the issuer is not asked.
    Deny,
}
