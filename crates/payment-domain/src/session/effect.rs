//! What the caller of a step has to do.

use super::Authentication;
use crate::card::EnteredCard;
use crate::method::Method;
use crate::operation::{AuthorizationResult, OperationResult};

/// What has to be done with a step, in the same transaction unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::large_enum_variant,
    reason = "a step has a few of them, for a moment"
)]
pub enum Effect {
    /// Seal and keep the submitted card.
    KeepCard,
    /// Forget the sealed card and the security code.
    ForgetCard,
    /// Make the page of this submission's device check reachable.
    OpenDeviceCheck {
        /// Its number.
        submission: u8,
    },
    /// Make the page of this operation's challenge reachable.
    OpenChallenge {
        /// The operation.
        operation_id: String,
    },
    /// Make the page of the alternative method that leads to this operation reachable.
    OpenRedirect {
        /// The operation.
        operation_id: String,
    },
    /// Reserve the order for this operation, and ask the issuer, or the method's operator, once that is committed.
    AskIssuer {
        /// The operation.
        operation_id: String,
    },
    /// Record an operation with this result.
    Record {
        /// The operation.
        operation_id: String,
        /// Where it is booked.
        terminal: BookedOn,
        /// The card, if there was one.
        card: Option<EnteredCard>,
        /// How sure the issuer was of the buyer, where it was asked for the money.
        authentication: Option<Authentication>,
        /// Its result.
        result: Recorded,
    },
    /// Record an operation of an alternative method, on the terminal of the caller or of the session.
    RecordMethod {
        /// The operation.
        operation_id: String,
        /// The method.
        method: &'static Method,
        /// Its result.
        result: Recorded,
    },
    /// The buyer is back at the card: the idle limit starts anew.
    RestartIdle,
}

/// The terminal of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BookedOn {
    /// This one.
    Terminal(String),
    /// That of the caller, or of the session where nobody called.
    Caller,
}

/// The result of an operation that a step makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Recorded {
    /// What the issuer answered.
    Issuer(AuthorizationResult),
    /// A result that needs no issuer.
    Own(OperationResult),
}
