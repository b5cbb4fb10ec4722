//! Two networks on one card: when the gateway is asked for a card's networks, what its answer means, and who made the choice.
//!
//! The table of [`crate::network`] says which cards can be of two networks; whether one is, only the gateway's range
//! look-up does (contract 5.6). Until it has answered, and where it does not, the built-in rules hold. The choice is the
//! buyer's (Regulation (EU) 2015/751, article 8(6)): a default is shown as a default, and one press changes it.

use crate::network::{Network, NetworkSet, claimed_network};
use core::fmt;
use zeroize::Zeroize;

/// What is known of the networks of the card that is being typed.
#[derive(Default)]
pub struct CoBadge {
    /// First digits of the range in question; empty where nothing is asked.
    range: String,
    /// Which question is the latest.
    turn: u32,
    choice: Option<Choice>,
    /// There was a choice, and it was withdrawn.
    withdrawn: bool,
    asking: Asking,
}

/// Which ranges the gateway is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asking {
    /// Those that can have two networks.
    #[default]
    TwoNetworks,
    /// All: the gateway may have an offer for the card.
    Always,
}

/// Networks to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Two or more, all of them taken by the session.
    pub networks: NetworkSet,
    /// The one that would be used now.
    pub chosen: Network,
    /// Whose choice that is.
    pub by: Chooser,
}

/// Who chose a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// The buyer, by hand.
    Buyer,
    /// Nobody: the merchant's preference, or the card's first network.
    Default,
}

impl Chooser {
    /// The code on the wire.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Buyer => "BUYER",
            Self::Default => "DEFAULT",
        }
    }
}

impl CoBadge {
    /// Nothing is typed yet.
    #[must_use]
    pub fn new(asking: Asking) -> Self {
        Self {
            range: String::new(),
            turn: 0,
            choice: None,
            withdrawn: false,
            asking,
        }
    }

    /// From the next edit on, these ranges are looked up. The choice stays.
    pub fn ask(&mut self, asking: Asking) {
        self.asking = asking;
    }

    /// Drops the gateway's last answer. Returns the number of a new question, if there is a range.
    pub fn again(&mut self) -> Option<u32> {
        self.turn = self.turn.wrapping_add(1);
        (!self.range.is_empty()).then_some(self.turn)
    }

    /// Takes the digits of the number after an edit. Gives the number of a look-up that is needed for
    /// [`Self::range`]; `None` while the range is the same, or can't have two networks.
    ///
    /// Another range withdraws the choice for the former one.
    pub fn follow(&mut self, digits: &str, accepted: NetworkSet) -> Option<u32> {
        let range = digits
            .get(..RANGE_DIGITS)
            .filter(|range| self.asking == Asking::Always || may_be_asked(range, accepted))
            .unwrap_or_default();
        self.withdrawn &= !digits.is_empty();
        if range == self.range {
            return None;
        }
        self.range.zeroize();
        self.range.push_str(range);
        self.turn = self.turn.wrapping_add(1);
        self.withdrawn = self.choice.take().is_some() && !digits.is_empty();
        (!range.is_empty()).then_some(self.turn)
    }

    /// The first digits to ask about, if this question is still the latest. To be sent to the gateway and nowhere else.
    #[must_use]
    pub fn range(&self, turn: u32) -> Option<&str> {
        (turn == self.turn && !self.range.is_empty()).then_some(&self.range)
    }

    /// Takes the answer to a question: the networks of the range that the session takes, and the merchant's preference
    /// among them. An answer to an older question changes nothing.
    pub fn answered(&mut self, turn: u32, networks: NetworkSet, preferred: Option<Network>) {
        if turn != self.turn || networks.len() < 2 {
            return;
        }
        let preferred = preferred.filter(|network| networks.contains(*network));
        let chosen = preferred.or_else(|| networks.iter().next());
        self.choice = chosen.map(|chosen| Choice {
            networks,
            chosen,
            by: Chooser::Default,
        });
        self.withdrawn = false;
    }

    /// The buyer chose the network at this place of the offered ones.
    pub fn choose(&mut self, place: usize) {
        if let Some(choice) = &mut self.choice
            && let Some(network) = choice.networks.iter().nth(place)
        {
            choice.chosen = network;
            choice.by = Chooser::Buyer;
        }
    }

    /// The choice, if there is one.
    #[must_use]
    pub fn choice(&self) -> Option<Choice> {
        self.choice
    }

    /// Whether a choice was withdrawn because the number has changed.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.withdrawn
    }

    /// The network whose security code the card has, as far as is known: the one that the buyer chose, else the strictest
    /// (contract 10.5). `claimed`: the one that the digits are of.
    #[must_use]
    pub fn code_network(&self, claimed: Option<Network>, accepted: NetworkSet) -> Option<Network> {
        match self.choice {
            Some(Choice {
                chosen,
                by: Chooser::Buyer,
                ..
            }) => Some(chosen),
            Some(Choice { networks, .. }) => strictest(networks),
            None => claimed.map(|network| sole(network, accepted)),
        }
    }
}

impl fmt::Debug for CoBadge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoBadge")
            .field("choice", &self.choice)
            .finish_non_exhaustive()
    }
}

impl Drop for CoBadge {
    fn drop(&mut self) {
        self.range.zeroize();
    }
}

/// Of several networks, the one with the strictest rule for its security code.
#[must_use]
pub fn strictest(networks: NetworkSet) -> Option<Network> {
    networks
        .iter()
        .max_by_key(|network| network.security_code_policy())
}

/// Whether a session with `accepted` takes at least two of the networks that a card of this range can have.
fn may_be_asked(range: &str, accepted: NetworkSet) -> bool {
    claimed_network(range, accepted).is_some_and(|network| {
        let mut possible = network.companions();
        possible.insert(network);
        possible.intersection(accepted).len() > 1
    })
}

/// If a session accepts only one companion of a network and not the network itself, numbers of the network count as the companion's.
fn sole(network: Network, accepted: NetworkSet) -> Network {
    if accepted.contains(network) {
        return network;
    }
    network
        .companions()
        .intersection(accepted)
        .only()
        .unwrap_or(network)
}

/// How many digits the look-up needs to distinguish networks (contract 5.6 takes 6 to 8).
const RANGE_DIGITS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use Network::{Bancontact, CartesBancaires, Maestro, Mastercard, Visa};

    fn set(networks: &[Network]) -> NetworkSet {
        networks.iter().copied().collect()
    }

    fn european() -> NetworkSet {
        set(&[Visa, Mastercard, Maestro, CartesBancaires, Bancontact])
    }

    /// A card of Visa and Cartes Bancaires, its networks known.
    fn known(preferred: Option<Network>) -> CoBadge {
        let mut card = CoBadge::default();
        let turn = card.follow("47617325", european()).unwrap();
        card.answered(turn, set(&[Visa, CartesBancaires]), preferred);
        card
    }

    #[test]
    fn another_session_may_have_offers_and_keeps_the_choice() {
        let mut card = known(None);
        card.ask(Asking::Always);
        assert!(card.choice().is_some());
        assert!(card.follow("37424500", european()).is_some());
        card.ask(Asking::TwoNetworks);
        assert_eq!(card.follow("37424599", european()), None);
    }

    /// K23: an offer may be made for any card. K24: and another one when it has expired.
    #[test]
    fn where_offers_are_made_every_range_is_asked_about_and_again_when_told() {
        let mut card = CoBadge::new(Asking::Always);
        let first = card.follow("37424500", european()).unwrap();
        assert_eq!(card.follow("374245000", european()), None);
        let second = card.again().unwrap();
        assert_eq!(
            (card.range(first), card.range(second)),
            (None, Some("37424500"))
        );
        assert_eq!(card.follow("3742450", european()), None);
        assert_eq!(card.again(), None, "there is nothing to ask about");
    }

    #[test]
    fn a_range_is_asked_about_once_and_only_where_two_networks_can_meet() {
        let mut card = CoBadge::default();
        assert_eq!(
            card.follow("4761732", european()),
            None,
            "not enough digits"
        );
        let turn = card.follow("47617325", european()).unwrap();
        assert_eq!(card.range(turn), Some("47617325"));
        for digits in ["476173250", "4761732500000004", "476173250"] {
            assert_eq!(card.follow(digits, european()), None, "{digits}");
        }
        assert!(card.follow("54133325", european()).is_some());
        assert_eq!(card.range(turn), None, "the number is another one now");
        for (digits, accepted) in [
            ("37424500", NetworkSet::all()),
            ("47617325", set(&[Visa, Mastercard])),
            ("47617325", set(&[CartesBancaires])),
            ("90000000", NetworkSet::all()),
        ] {
            assert_eq!(
                CoBadge::default().follow(digits, accepted),
                None,
                "{digits}"
            );
        }
    }

    /// B12: several networks are a choice.
    #[test]
    fn the_first_network_is_the_default() {
        let choice = known(None).choice().unwrap();
        assert_eq!((choice.chosen, choice.by), (Visa, Chooser::Default));
        assert_eq!(choice.networks, set(&[Visa, CartesBancaires]));
    }

    /// B13: the merchant's preference is the default, and one choice of the buyer overrides it.
    #[test]
    fn the_preference_is_a_default_and_the_buyer_has_the_last_word() {
        let mut card = known(Some(CartesBancaires));
        assert_eq!(card.choice().unwrap().chosen, CartesBancaires);
        assert_eq!(card.choice().unwrap().by, Chooser::Default);
        card.choose(0);
        assert_eq!(card.choice().unwrap().chosen, Visa);
        assert_eq!(card.choice().unwrap().by, Chooser::Buyer);
        card.choose(7);
        assert_eq!(
            card.choice().unwrap().chosen,
            Visa,
            "there is no such place"
        );
        assert_eq!(
            known(Some(Mastercard)).choice().unwrap().chosen,
            Visa,
            "not on this card"
        );
    }

    /// B14: a choice that was made by hand is told apart from a default, even of the same network.
    #[test]
    fn choosing_the_default_by_hand_is_a_choice() {
        let mut card = known(None);
        card.choose(0);
        assert_eq!(card.choice().unwrap().by.code(), "BUYER");
        assert_eq!(known(None).choice().unwrap().by.code(), "DEFAULT");
    }

    /// B15: the choice stays within the range, and goes with it.
    #[test]
    fn a_choice_lasts_as_long_as_its_range() {
        let mut card = known(None);
        card.choose(1);
        for digits in ["4761732500000004", "476173259"] {
            card.follow(digits, european());
            assert_eq!(card.choice().unwrap().chosen, CartesBancaires, "{digits}");
            assert!(!card.is_withdrawn());
        }
        card.follow("4761732", european());
        assert_eq!((card.choice(), card.is_withdrawn()), (None, true));
        card.follow("", european());
        assert!(!card.is_withdrawn(), "an empty field has nothing to tell");
        let turn = card.follow("47617325", european()).unwrap();
        card.answered(turn, set(&[Visa, CartesBancaires]), None);
        assert_eq!(card.choice().unwrap().by, Chooser::Default, "asked anew");
    }

    /// B16: of the card's networks the session takes one, so there is nothing to choose.
    #[test]
    fn one_network_is_no_choice() {
        let mut card = CoBadge::default();
        let turn = card.follow("47617325", european()).unwrap();
        card.answered(turn, set(&[Visa]), None);
        assert_eq!(card.choice(), None);
        card.answered(turn, NetworkSet::empty(), None);
        assert_eq!(card.choice(), None);
    }

    /// B17: an answer for an older number is ignored.
    #[test]
    fn stale_answers_change_nothing() {
        let mut card = CoBadge::default();
        let old = card.follow("47617325", european()).unwrap();
        let new = card.follow("54133325", european()).unwrap();
        card.answered(old, set(&[Visa, CartesBancaires]), None);
        assert_eq!(card.choice(), None);
        card.answered(new, set(&[Mastercard, CartesBancaires]), None);
        card.answered(old, set(&[Visa, CartesBancaires]), None);
        assert_eq!(card.choice().unwrap().chosen, Mastercard);
        card.follow("9", european());
        card.answered(new, set(&[Mastercard, CartesBancaires]), None);
        assert_eq!(card.choice(), None);
    }

    /// B10: the code's rule is the strictest until the buyer chooses.
    #[test]
    fn the_code_follows_the_strictest_network_until_one_is_chosen() {
        let mut card = CoBadge::default();
        assert_eq!(card.code_network(Some(Maestro), european()), Some(Maestro));
        let turn = card.follow("67030000", european()).unwrap();
        card.answered(turn, set(&[Maestro, Bancontact]), Some(Bancontact));
        assert_eq!(card.code_network(Some(Maestro), european()), Some(Maestro));
        card.choose(1);
        assert_eq!(
            card.code_network(Some(Maestro), european()),
            Some(Bancontact)
        );
        card.follow("6703", european());
        assert_eq!(card.code_network(Some(Maestro), european()), Some(Maestro));
        let only = set(&[Bancontact, Visa]);
        assert_eq!(
            CoBadge::default().code_network(Some(Maestro), only),
            Some(Bancontact)
        );
        assert_eq!(CoBadge::default().code_network(None, only), None);
    }

    #[test]
    fn no_digit_is_printed() {
        let printed = format!("{:?}", known(None));
        assert!(!printed.contains("476"), "{printed}");
    }
}
