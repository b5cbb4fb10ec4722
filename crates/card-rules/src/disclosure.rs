//! What a shop's page may be told about a card number, and when.
//!
//! The page may be hostile: it can combine what it is told after each key. Numbers of some networks may end at
//! several lengths, and "complete" at each of them reveals a check sum; first digits narrow down the networks one by
//! one. So the page is told states at moments that do not depend on the digits:
//!
//! - The **network** and its candidates are reported from the number of digits on at which the network of every number that the session takes is
//!   certain: see [`certain_from`]. Until then every network of the session counts as possible.
//! - The **verdict** (complete, or what is wrong) is told when the number is left or sent, when most of it came at once, as
//!   from autofill, or when no digit can follow. A page can cause this, for example by taking the focus away; it then hears verdicts
//!   that depend on a check digit at two lengths at most, until the number is entered again.
//! - First and last **digits**, where the session allows them, are told when a good number is left or sent: once for a form.
//!   The digits of a number that is edited afterwards are not reported; those of another card, entered anew, only with the result of its payment.
//!
//! The form itself shows the buyer more, and sooner. No digit is stored here.

use crate::network::{
    Network, NetworkSet, candidates_among, claimed_network, is_certainly_full, network_of, ranges,
};

/// What the page may be told about the number that is being entered.
#[derive(Debug)]
pub struct Disclosure {
    accepted: NetworkSet,
    certain_from: usize,
    network: Option<Network>,
    candidates: NetworkSet,
    /// Edited since the verdict was told.
    in_hand: bool,
    /// No digit can follow.
    full: bool,
    /// Bit n is set where a verdict on n digits was told that depends on a check digit.
    lengths_told: u32,
    digits: Digits,
    /// The digits of a number were told while there was no payment.
    digits_told: bool,
}

/// How an edit brought digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigitInput {
    /// Key by key, or in parts.
    ByParts,
    /// The number came at once, or most of it: a paste, autofill.
    AtOnce,
}

/// Where first and last digits stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    /// The number was entered again, and none of its digits is told.
    Unreported,
    /// They may be told of the number that is there.
    Reportable,
    /// They were told, and the number was edited since.
    Withheld,
}

impl DigitInput {
    /// How an edit changed the number of digits from `had`, which is 0 if all digits were selected.
    #[must_use]
    pub fn of(had: usize, digits: usize) -> Self {
        if digits >= 13 && digits > 2 * had {
            Self::AtOnce
        } else {
            Self::ByParts
        }
    }
}

impl Disclosure {
    /// For a session that takes these networks. Nothing is entered yet.
    #[must_use]
    pub fn new(accepted: NetworkSet) -> Self {
        Self {
            accepted,
            certain_from: certain_from(accepted),
            network: None,
            candidates: candidates_among("", accepted),
            in_hand: false,
            full: false,
            lengths_told: 0,
            digits: Digits::Unreported,
            digits_told: false,
        }
    }

    /// The number has other digits now (plain digits).
    pub fn edited(&mut self, digits: &str, arrival: DigitInput) {
        if digits.is_empty() || arrival == DigitInput::AtOnce {
            self.lengths_told = 0;
            self.digits = Digits::Unreported;
        } else if self.digits == Digits::Reportable {
            self.digits = Digits::Withheld;
        }
        let known = if digits.len() < self.certain_from {
            ""
        } else {
            digits
        };
        self.network = claimed_network(known, self.accepted);
        self.candidates = candidates_among(known, self.accepted);
        self.full = is_certainly_full(digits);
        self.in_hand = !digits.is_empty();
        if arrival == DigitInput::AtOnce {
            self.record_verdict(digits);
        }
    }

    /// The field was left, or all fields are judged. Gives whether the verdict on the number may be shown and told.
    pub fn record_verdict(&mut self, digits: &str) -> bool {
        let depends_on_a_digit = network_of(digits).is_some_and(|network| {
            network.has_check_digit() && network.lengths().contains(digits.len())
        });
        if self.in_hand && depends_on_a_digit {
            self.lengths_told |= 1 << digits.len();
        }
        self.in_hand &= self.lengths_told.count_ones() > LENGTHS_TOLD;
        !self.in_hand
    }

    /// A good number was left.
    pub fn left_good(&mut self) {
        if self.digits == Digits::Unreported && !self.in_hand && !self.digits_told {
            self.digits = Digits::Reportable;
            self.digits_told = true;
        }
    }

    /// The number was sent.
    pub fn sent(&mut self) {
        if self.digits == Digits::Unreported {
            self.digits = Digits::Reportable;
            self.digits_told = true;
        }
    }

    /// The network that the page may be told of, and the form may follow in what the page can see.
    #[must_use]
    pub fn network(&self) -> Option<Network> {
        self.network
    }

    /// The networks that are possible, for the page.
    #[must_use]
    pub fn candidates(&self) -> NetworkSet {
        self.candidates
    }

    /// Whether the page is told the error of the number.
    #[must_use]
    pub fn tells_fault(&self) -> bool {
        !self.in_hand
    }

    /// Whether the page is told that a valid number is valid.
    #[must_use]
    pub fn tells_good(&self) -> bool {
        !self.in_hand || self.full
    }

    /// Whether the page is told first and last digits, as far as the session allows.
    #[must_use]
    pub fn tells_digits(&self) -> bool {
        self.digits == Digits::Reportable
    }
}

/// How many first digits distinguish all networks that a session with `accepted` takes: 2 for the global networks,
/// up to 6 with some of single countries.
#[must_use]
pub fn certain_from(accepted: NetworkSet) -> usize {
    let mut width = 100_000_000;
    for digits in 1..MOST_FIRST_DIGITS {
        width /= 10;
        let mut before = None;
        let mut taken = ranges().filter(|(_, _, network)| network.is_taken(accepted));
        let mixed = taken.any(|(from, to, network)| {
            let last = before.replace((to / width, network));
            last.is_some_and(|(place, other)| place == from / width && other != network)
        });
        if !mixed {
            return digits;
        }
    }
    MOST_FIRST_DIGITS
}

/// The largest number of digits of a range.
const MOST_FIRST_DIGITS: usize = 8;

/// At how many lengths a verdict is reported that depends on a check digit: a buyer who leaves the field too early once still gets the
/// verdict on the complete number.
const LENGTHS_TOLD: u32 = 2;

#[cfg(test)]
mod tests;
