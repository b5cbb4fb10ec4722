//! What may be done with a payment after it was made: capture, refund, release, cancel (contract 8.2.0).
//!
//! [`rule`] is the one table: for an operation, its result and a call, it gives the effect of the call. The list of allowed actions
//! ([`Payment::allowed`]) and the decision about a call ([`Payment::plan`]) both read it, and both find the amounts in the same place.
//! For a refund the amount decides too, if there is something to release and something to give back. A [`Payment`] is an authorization
//! with everything that was done to its money since. Operations in progress reserve their amount, so that no amount is used twice.
//!
//! This module has no clock and no calendar: ends of days and limits are parameters, as instants.

mod payment;

pub use payment::{
    Allowed, Authorization, Dates, FollowUp, InconsistentLedgerError, Payment, PlannedFollowUp,
    RefundShare, within_reach,
};

use super::operation::{OperationResult, OperationType, Totals};
use payframe_money::Amount;

/// A call that acts on an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionCall {
    /// `captures`
    Capture,
    /// `refunds`: gives money back, or releases held money.
    Refund,
    /// `cancels`
    Cancel,
    /// `incrementals`
    Increment,
}

/// A movement of money after the authorization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowUpOperation {
    /// Held money is captured.
    Capture,
    /// Held money is released.
    Void,
    /// Captured money is given back.
    Refund,
    /// A capture is cancelled.
    Cancel,
    /// More money is held.
    Increment,
}

/// Why a call is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub enum FollowUpError {
    /// `PS0022`: it was released, so nothing is left to capture.
    CaptureOfVoided,
    /// `PS0023`: it is captured.
    CaptureOfExecuted,
    /// `PS0024`: it was given back.
    CaptureOfRefunded,
    /// `PS0028`
    AlreadyVoided,
    /// `PS0027`
    AlreadyRefunded,
    /// `PS0002`: not on the day of the capture.
    OtherDay,
    /// `PS0029`: more than is captured and not given back.
    AboveCaptured,
    /// `GW9014`: a dispute holds the money, or took it.
    Disputed,
    /// `PS0026`: more than is open.
    AboveOpen,
    /// `PS0026`: more than may be held in addition to the first amount.
    AboveIncrement,
    /// `PS0026`: what is open is released as a whole or not at all.
    NotTheOpenAmount,
    /// `GW9003`: the state does not allow it, or does not allow it any more.
    State,
}

/// A cell of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The call does this, within its bounds.
    Does(FollowUpOperation),
    /// The call is refused.
    Refused(FollowUpError),
}

/// The table: what a call does to an operation of this type with this result.
pub fn rule(kind: OperationType, result: OperationResult, call: ActionCall) -> Rule {
    use OperationResult::{Authorized, Executed, Refunded, Voided};
    use OperationType::{Authorization, Capture, DelayCharge, NoShow};
    match (kind, result, call) {
        (Authorization, Authorized, ActionCall::Increment) => {
            Rule::Does(FollowUpOperation::Increment)
        }
        (Authorization, Authorized, ActionCall::Capture) => Rule::Does(FollowUpOperation::Capture),
        (Authorization, Authorized, ActionCall::Refund) => Rule::Does(FollowUpOperation::Void),
        (Authorization, Executed, ActionCall::Capture) => {
            Rule::Refused(FollowUpError::CaptureOfExecuted)
        }
        (Authorization | NoShow | DelayCharge, Executed, ActionCall::Refund) => {
            Rule::Does(FollowUpOperation::Refund)
        }
        (Authorization, Voided, ActionCall::Capture) => {
            Rule::Refused(FollowUpError::CaptureOfVoided)
        }
        (Authorization, Refunded, ActionCall::Capture) => {
            Rule::Refused(FollowUpError::CaptureOfRefunded)
        }
        (Capture, Executed, ActionCall::Refund) => Rule::Does(FollowUpOperation::Refund),
        (Capture, Executed, ActionCall::Cancel) => Rule::Does(FollowUpOperation::Cancel),
        (Authorization | Capture | NoShow | DelayCharge, Voided, ActionCall::Refund)
        | (Capture, Voided, ActionCall::Cancel) => Rule::Refused(FollowUpError::AlreadyVoided),
        (Authorization | Capture | NoShow | DelayCharge, Refunded, ActionCall::Refund)
        | (Capture, Refunded, ActionCall::Cancel) => Rule::Refused(FollowUpError::AlreadyRefunded),
        _ => Rule::Refused(FollowUpError::State),
    }
}

impl ActionCall {
    /// Every call.
    pub const ALL: [ActionCall; 4] = [
        ActionCall::Capture,
        ActionCall::Refund,
        ActionCall::Cancel,
        ActionCall::Increment,
    ];
}

impl FollowUpOperation {
    /// The type of the operation that records it.
    pub fn operation_type(self) -> OperationType {
        match self {
            FollowUpOperation::Capture => OperationType::Capture,
            FollowUpOperation::Void => OperationType::Void,
            FollowUpOperation::Refund => OperationType::Refund,
            FollowUpOperation::Cancel => OperationType::Cancel,
            FollowUpOperation::Increment => OperationType::Incremental,
        }
    }

    /// The follow-up operation of a later operation's type.
    pub fn of(kind: OperationType) -> Option<FollowUpOperation> {
        match kind {
            OperationType::Capture => Some(FollowUpOperation::Capture),
            OperationType::Void => Some(FollowUpOperation::Void),
            OperationType::Refund => Some(FollowUpOperation::Refund),
            OperationType::Cancel => Some(FollowUpOperation::Cancel),
            OperationType::Incremental => Some(FollowUpOperation::Increment),
            OperationType::Authorization
            | OperationType::CardVerification
            | OperationType::NoShow
            | OperationType::DelayCharge => None,
        }
    }
}

impl Totals {
    /// The totals after a follow-up operation of money that they contain; `None` if they do not contain so much.
    pub fn moved(self, follow_up: FollowUpOperation, amount: Amount) -> Option<Totals> {
        let mut totals = self;
        match follow_up {
            FollowUpOperation::Capture => totals.captured = self.captured.checked_add(amount)?,
            FollowUpOperation::Void => totals.authorized = self.authorized.checked_sub(amount)?,
            FollowUpOperation::Increment => {
                totals.authorized = self.authorized.checked_add(amount)?
            }
            FollowUpOperation::Refund => totals.refunded = self.refunded.checked_add(amount)?,
            FollowUpOperation::Cancel => totals.captured = self.captured.checked_sub(amount)?,
        }
        (totals.refunded <= totals.captured && totals.captured <= totals.authorized)
            .then_some(totals)
    }
}

impl FollowUpError {
    /// The sentence for merchants' developers and for the back office.
    pub fn sentence(self) -> &'static str {
        match self {
            FollowUpError::CaptureOfVoided => "the authorization was voided, it cannot be captured",
            FollowUpError::CaptureOfExecuted => "the operation is executed, it cannot be captured",
            FollowUpError::CaptureOfRefunded => "the operation is refunded, it cannot be captured",
            FollowUpError::AlreadyVoided => "the operation is voided already",
            FollowUpError::AlreadyRefunded => {
                "the operation is refunded already, in part or as a whole"
            }
            FollowUpError::OtherDay => "a capture is cancelled on its own day only",
            FollowUpError::AboveCaptured => "amount is above what is captured and not refunded",
            FollowUpError::Disputed => {
                "a dispute holds the money, or took it back: it cannot be refunded"
            }
            FollowUpError::AboveOpen => "amount is above what is open",
            FollowUpError::AboveIncrement => {
                "amount is above what may be held beside the first amount"
            }
            FollowUpError::NotTheOpenAmount => {
                "amount must be all that is open: an authorization is not released in part"
            }
            FollowUpError::State => "the operation's state does not allow this call now",
        }
    }
}

#[cfg(test)]
mod tests;
