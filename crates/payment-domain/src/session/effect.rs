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
    /// Encrypt and store the submitted card.
    KeepCard,
    /// Delete the encrypted card and the security code.
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
    /// Reserve the order for this operation. After the commit, ask the issuer or the method's operator.
    AskIssuer {
        /// The operation.
        operation_id: String,
    },
    /// Record an operation with this result.
    Record {
        /// The operation.
        operation_id: String,
        /// The terminal on which it is recorded.
        terminal: BookedOn,
        /// The card, if there was one.
        card: Option<EnteredCard>,
        /// The authentication of the buyer, if the issuer was asked for the money.
        authentication: Option<Authentication>,
        /// Its result.
        result: Recorded,
        /// The declined operation that it repeats after a challenge.
        repeats: Option<String>,
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
    /// The issuer's decline, which was recorded before, ends the attempt: count it against the card and the hosted page.
    FinishDecline {
        /// The declined operation.
        operation_id: String,
    },
    /// The buyer is back at the card: restart the idle limit.
    RestartIdle,
}

/// The terminal of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BookedOn {
    /// This one.
    Terminal(String),
    /// The terminal of the caller, or of the session if nobody called.
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
