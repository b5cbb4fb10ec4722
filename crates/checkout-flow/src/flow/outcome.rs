//! What became of a payment, as the gateway stated it.
//!
//! Use it wherever a result is shown or reported. It knows the gateway's values, not the steps that led to the result.

use crate::decline::Decline;

/// What became of a payment. `Unknown` is an outcome too: it forbids a second try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Paid, held or verified.
    Approved,
    /// Not final yet; no second payment may be offered.
    Pending,
    /// Refused by issuer, risk rules or 3-D Secure.
    Declined,
    /// Given up by the buyer or the merchant.
    Cancelled,
    /// A technical failure, nothing charged.
    Failed,
    /// Charged and given back.
    Reversed,
    /// The gateway's answer is not known or not understood.
    Unknown,
}

impl Outcome {
    /// From `operationResult` of the gateway contract, 2.7.2. Whatever is not listed there is [`Outcome::Unknown`].
    pub fn from_operation_result(result: &str) -> Self {
        match result {
            "AUTHORIZED" | "EXECUTED" => Self::Approved,
            "DECLINED" | "DENIED_BY_RISK" | "THREEDS_FAILED" | "3DS_FAILED" => Self::Declined,
            "PENDING" => Self::Pending,
            "CANCELED" | "CANCELLED" => Self::Cancelled,
            "VOIDED" | "REFUNDED" => Self::Reversed,
            "FAILED" => Self::Failed,
            _ => Self::Unknown,
        }
    }
}

/// An operation with its result, as the gateway stated it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// What became of the payment.
    pub outcome: Outcome,
    /// Why it was refused; `None` unless `outcome` is [`Outcome::Declined`] or [`Outcome::Failed`].
    pub decline: Option<Decline>,
    /// The gateway's operation id.
    pub operation_id: String,
}

impl Verdict {
    /// An outcome that no operation of the gateway stands for.
    pub fn without_operation(outcome: Outcome) -> Self {
        Self {
            outcome,
            decline: None,
            operation_id: String::new(),
        }
    }
}
