//! Another session for the same payment, and whether the merchant's page can bring one.

use super::{CaptureInitiator, SessionSnapshot};

/// Whether the merchant's page can bring another session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Renewal {
    /// It said so.
    Available,
    /// It can not: the end of the session is the end of the payment.
    Unavailable,
}

/// Another session for the same payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Who makes the completion call.
    pub capture_initiator: CaptureInitiator,
    /// Its state.
    pub snapshot: SessionSnapshot,
    /// What it asks for.
    pub terms: Terms,
}

/// The terms of another session, compared with those of the session before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terms {
    /// The same sum, for the same merchant and purpose.
    Same,
    /// The same, but the offer in the card's currency ended with the session before it: the buyer chooses again.
    OfferWithdrawn,
    /// Other terms, which the buyer has to read first.
    Changed,
}
