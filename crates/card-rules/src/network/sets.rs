//! Sets of lengths and of networks, a bit for each member.

use super::Network;

/// The lengths that a network's numbers may have, shortest first. Iterating takes them out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthSet(pub(super) u32);

impl LengthSet {
    /// Whether a number may have this many digits.
    #[must_use]
    pub fn contains(&self, length: usize) -> bool {
        length < 32 && self.0 >> length & 1 == 1
    }

    /// The shortest length.
    #[must_use]
    pub fn shortest(&self) -> u8 {
        self.0.trailing_zeros() as u8
    }

    /// The longest length.
    #[must_use]
    pub fn longest(&self) -> u8 {
        (31 - self.0.leading_zeros()) as u8
    }
}

impl Iterator for LengthSet {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let length = self.shortest();
        self.0 &= self.0 - 1;
        Some(length)
    }
}

/// A set of networks, in the order of [`Network::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NetworkSet(pub(super) u32);

impl NetworkSet {
    /// Every network.
    #[must_use]
    pub fn all() -> Self {
        Self((1 << Network::ALL.len()) - 1)
    }

    /// No network.
    #[must_use]
    pub fn empty() -> Self {
        Self(0)
    }

    /// This one network.
    #[must_use]
    pub fn of(network: Network) -> Self {
        Self(network.bit())
    }

    /// The networks of these codes on the wire; codes that are not known are left out.
    pub fn from_codes<'a>(codes: impl IntoIterator<Item = &'a str>) -> Self {
        let mut set = Self::empty();
        for network in codes.into_iter().filter_map(Network::from_code) {
            set.insert(network);
        }
        set
    }

    /// Adds a network.
    pub fn insert(&mut self, network: Network) {
        self.0 |= Self::of(network).0;
    }

    /// Whether the network is in the set.
    #[must_use]
    pub fn contains(self, network: Network) -> bool {
        self.0 & Self::of(network).0 != 0
    }

    /// The networks that are in both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The networks, in the order of [`Network::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Network> {
        Network::ALL
            .into_iter()
            .filter(move |network| self.contains(*network))
    }

    /// The one network of a set that has just one.
    #[must_use]
    pub fn only(self) -> Option<Network> {
        self.iter().next().filter(|_| self.0.is_power_of_two())
    }

    /// How many networks there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Network> for NetworkSet {
    fn from_iter<T: IntoIterator<Item = Network>>(networks: T) -> Self {
        let mut set = Self::empty();
        for network in networks {
            set.insert(network);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut set = NetworkSet::empty();
        assert!(set.is_empty());
        assert_eq!((set, set.only()), (NetworkSet::default(), None));
        set.insert(Network::Jcb);
        assert_eq!(set.only(), Some(Network::Jcb));
        set.insert(Network::Visa);
        set.insert(Network::Jcb);
        assert_eq!((set.len(), set.only()), (2, None));
        assert!(!set.is_empty());
        assert!(
            set.contains(Network::Visa)
                && set.contains(Network::Jcb)
                && !set.contains(Network::Amex)
        );
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [Network::Visa, Network::Jcb]
        );
        assert_eq!(set, NetworkSet::from_codes(["JCB", "unheard of", "VISA"]));
        assert_eq!(NetworkSet::all().iter().collect::<Vec<_>>(), Network::ALL);
        assert_eq!(NetworkSet::all().len(), 20);
    }
}
