//! Questions to the gateway and its answers, as far as the flow is concerned.
//!
//! Whoever carries out a [`Call`] reports an [`Answer`]. Card data is in neither: it goes from the inputs to the gateway
//! beside the flow.

use super::outcome::Verdict;
use crate::choices::ChoiceId;
use crate::sum::Sums;

/// The session's state at the gateway.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SessionSnapshot {
    /// The buyer must choose a method.
    MethodSelection,
    /// Card data is needed; with the refusal that led back to this state, if any.
    Collecting(Option<Verdict>),
    /// Card data is complete, a completion call is due.
    Ready,
    /// Version 2: confirmed, the device check is due at this address, which is empty where the gateway did not tell it.
    Verifying(String),
    /// The issuer's page is at this address.
    Challenge(String),
    /// The page of a method that is paid on another page is at this address.
    Elsewhere(String),
    /// The outcome.
    Complete(Verdict),
}

/// A call to the gateway. All but [`Call::SendCard`] need nothing but the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Choose the card method.
    ChooseCard,
    /// Choose the method of [`Phase::OpeningElsewhere`](super::Phase::OpeningElsewhere), which is paid on another page.
    ChooseElsewhere,
    /// Send the card data, with the idempotency key of this submission.
    SendCard,
    /// Ask whether the device check is done; the number counts up from 1.
    CheckDevice(u8),
    /// Version 2: ask for the result of the device check; the number counts up from 1. Goes on to charge the card.
    VerifyDevice(u8),
    /// Say that the form does not wait for the device check any more.
    SkipDevice,
    /// Read the session's state.
    ReadState,
    /// Complete the payment, with the idempotency key of this attempt. Charges the card.
    Complete,
    /// Leave the issuer's page: the attempt ends, the payment does not.
    LeaveChallenge,
    /// Tell the gateway the sum that the buyer pressed Pay for, where the merchant's server had changed it. Charges nothing.
    AgreeToSum,
    /// Cancel the payment.
    Cancel,
}

/// Why a call has no usable answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// No connection, or an answer that is not the gateway's.
    Connection,
    /// A fault on the gateway's side.
    Service,
    /// Too many requests, or a gateway that cannot work now: ask again after so many milliseconds.
    Busy(u32),
    /// The call does not fit the session's state.
    WrongState,
    /// The session is dead, and it died before anything could be charged.
    Expired,
    /// The session is dead. The last answer is so old that it may have been charged and its outcome deleted since.
    Forgotten,
}

/// What the gateway answered to a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// State object: of all calls but [`Call::SendCard`] and [`Call::CheckDevice`].
    State(SessionSnapshot),
    /// State object with the sums of the session.
    StateWithSums(SessionSnapshot, Sums),
    /// The card data was taken and a device check is due at this address.
    CardTaken(String),
    /// The card data was taken and nothing more is due.
    CardTakenNoCheck,
    /// The gateway refused fields, and these choices. The flow does not know which fields.
    CardRefused(Vec<ChoiceId>),
    /// Somebody tries out cards at the terminal: the card is taken only with the solution of this puzzle.
    ProofDue(String),
    /// The device check is done.
    DevicePassed,
    /// The device check still runs.
    DevicePending,
    /// The device check failed for good, with this result.
    DeviceFailed(Verdict),
    /// No usable answer.
    Failed(Failure),
}

/// Marks which question an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Generation(pub(super) u32);

impl Generation {
    pub(super) fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}
