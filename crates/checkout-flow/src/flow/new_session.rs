//! Another session for the same payment, and whether the merchant's page can bring one.

use super::{Closing, SessionSnapshot};

/// Whether the merchant's page can bring another session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Renewal {
    /// It said so.
    Available,
    /// A session's end is the end.
    Unavailable,
}

/// Another session for the same payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Who closes it.
    pub closing: Closing,
    /// Where it stands.
    pub reading: SessionSnapshot,
    /// What it asks for.
    pub terms: Terms,
}

/// What another session asks for, beside the former one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terms {
    /// The same sum, for the same merchant and purpose.
    Same,
    /// The same, but the offer in the card's currency went with the former session: the buyer chooses anew.
    OfferWithdrawn,
    /// Something else, which the buyer has to read first.
    Changed,
}
