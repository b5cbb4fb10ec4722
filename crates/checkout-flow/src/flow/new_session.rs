//! Another session for the same payment, and whether the merchant's page can bring one.

use super::{CaptureInitiator, SessionSnapshot};
use crate::choices::Asked;
use crate::sum::Sums;

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
    /// Whether it is for the same merchant and purpose.
    pub terms: Terms,
    /// Its sums. `None`: the merchant's page does everything but the fields.
    pub sums: Option<Sums>,
    /// What it asks beside the card.
    pub asked: Asked,
}

/// The terms of another session beside its sum, compared with those of the session before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terms {
    /// For the same merchant and purpose.
    Same,
    /// Other terms, which the buyer has to read first.
    Changed,
}
