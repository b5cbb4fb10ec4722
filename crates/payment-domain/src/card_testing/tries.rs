//! How many tries there were, by what they have in common.

/// Tries that have one thing in common, within the time that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// Admitted, and not approved: declined, given up, or still on their way.
    pub unapproved: u32,
    /// Approved.
    pub approved: u32,
}

/// The tries before this one, by what they have in common with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EarlierTries {
    /// With the same card.
    pub card: Tries,
    /// In the same session.
    pub session: Tries,
    /// From the same address.
    pub address: Tries,
    /// With a card of the same range.
    pub range: Tries,
    /// At the same terminal, within the last hour.
    pub terminal: Tries,
    /// At all terminals of the same merchant that are not under attack, within the last hour.
    pub merchant: Tries,
    /// From browsers of the same kind.
    pub device: Tries,
    /// Of the same sum, within the last hour.
    pub order_value: Tries,
    /// Those at the terminal that came with a proof of work. `None`: this one has none.
    pub proven: Option<Tries>,
}
