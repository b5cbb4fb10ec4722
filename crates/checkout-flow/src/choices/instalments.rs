//! Payment in parts: which numbers of parts are offered, and how large the parts are.

/// The numbers of instalments that a session offers, and the one that is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instalments {
    /// Beside payment at once, in the order in which they are shown.
    pub offered: Vec<u8>,
    /// In how many parts the buyer pays. At first 1: at once.
    pub chosen: u8,
}

impl Instalments {
    /// `None` if nothing is offered. `before`: those of an earlier session; the choice made there stays if it is still offered.
    pub(super) fn new(offered: Vec<u8>, before: Option<&Self>) -> Option<Self> {
        let chosen = before.map_or(1, |before| before.chosen);
        let chosen = if offered.contains(&chosen) { chosen } else { 1 };
        (!offered.is_empty()).then_some(Self { offered, chosen })
    }

    /// Chooses a number that is offered; ignores any other.
    pub(super) fn choose(&mut self, count: u8) {
        if count == 1 || self.offered.contains(&count) {
            self.chosen = count;
        }
    }
}

/// A sum in parts, in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstalmentParts {
    /// The first part. It includes the remainder of the division.
    pub first_minor: u64,
    /// Each of the others.
    pub each_minor: u64,
}

impl InstalmentParts {
    /// The sum in this number of parts. With 0 parts nothing is paid.
    pub fn of(amount_minor: u64, count: u8) -> Self {
        let count = u64::from(count.max(1));
        let each_minor = amount_minor / count;
        Self {
            first_minor: each_minor + amount_minor % count,
            each_minor,
        }
    }
}
