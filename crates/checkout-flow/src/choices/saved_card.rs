//! One saved card.

/// A saved card as the buyer knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedCard {
    /// The id with which it is chosen and removed.
    pub id: String,
    /// Code of its network.
    pub network: String,
    /// Name of its network.
    pub brand: String,
    /// Its last four digits.
    pub last4: String,
    /// The month in which it ends, `YYYY-MM`.
    pub expires: String,
    /// Whether that month is over: then the card is shown, but can not be chosen.
    pub is_expired: bool,
}
