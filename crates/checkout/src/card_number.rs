//! Card numbers: reading what a buyer typed, pasted or sent into a number that is right.
//!
//! Use [`CardNumber::parse`] in the form and in the gateway alike. Order of the checks, where several fail: empty, not
//! digits, network not accepted, length, network unknown, check digit. A number is "right" by its form alone; whether
//! it exists, and whether it is co-badged, only the gateway knows.

use crate::digit::digit_value;
use crate::network::{LONGEST, Network, NetworkSet, SHORTEST, candidates, network_of};
use crate::secret::Secret;

/// A card number that has a known and accepted network, one of its lengths, and a right check digit.
#[derive(Debug)]
pub struct CardNumber {
    digits: Secret,
    network: Network,
}

/// Why a text is not a card number. Holds no digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardNumberProblem {
    /// No digit at all.
    Empty,
    /// Something that is neither a digit nor a gap.
    NotDigits,
    /// Fewer digits than the shortest number of its network.
    TooShort,
    /// More digits than the longest number of its network.
    TooLong,
    /// A length between those that the network has.
    WrongLength,
    /// The last digit does not fit the others.
    CheckDigit,
    /// No network has such first digits.
    UnknownNetwork,
    /// A network that the session does not take.
    NotAccepted(Network),
}

impl CardNumber {
    /// Reads a number, with gaps, dashes, dots and line breaks left out and digits of any script taken as plain ones.
    ///
    /// `accepted` are the session's networks. Where it holds a network that has no range of its own, numbers of the
    /// networks that it stands beside pass: whether such a card is co-badged is for the gateway's range table to say.
    ///
    /// # Errors
    /// The first problem in the order given by the module's text.
    pub fn parse(text: &str, accepted: NetworkSet) -> Result<Self, CardNumberProblem> {
        // Room for all, so that no growing leaves a copy behind.
        let mut plain = String::with_capacity(text.len());
        let mut stray = false;
        for c in text.chars() {
            match digit_value(c) {
                Some(value) => plain.push(char::from(b'0' + value)),
                None => stray |= !is_gap(c),
            }
        }
        let digits = Secret::new(plain);
        // Exposed to be judged; nothing of it gets into a problem.
        let network = judge(digits.expose(), stray, accepted)?;
        Ok(Self { digits, network })
    }

    /// The digits, without gaps. Say at the call why they are needed.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.digits.expose()
    }

    /// The network whose range the number is in.
    #[must_use]
    pub fn network(&self) -> Network {
        self.network
    }

    /// The last four digits, which a page may show.
    #[must_use]
    pub fn last4(&self) -> &str {
        // Exposed because the last four are no secret. At least 13 digits, all ASCII.
        let digits = self.digits.expose();
        &digits[digits.len() - 4..]
    }

    /// The first `len` digits, at most 8 of them: no more may ever be shown beside the last four.
    #[must_use]
    pub fn bin(&self, len: usize) -> &str {
        // Exposed because the issuer's number is no secret. At least 13 digits, all ASCII.
        &self.digits.expose()[..len.min(8)]
    }
}

impl CardNumberProblem {
    /// Stable code of the cause.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "card_number_empty",
            Self::NotDigits => "card_number_not_digits",
            Self::TooShort => "card_number_too_short",
            Self::TooLong => "card_number_too_long",
            Self::WrongLength => "card_number_wrong_length",
            Self::CheckDigit => "card_number_check_digit",
            Self::UnknownNetwork => "card_number_unknown_network",
            Self::NotAccepted(_) => "card_number_not_accepted",
        }
    }

    /// The code of the public contract for hosted fields: `HF0004` for the number's form, `HF0005` for its network.
    #[must_use]
    pub fn hosted_field_code(self) -> &'static str {
        match self {
            Self::UnknownNetwork | Self::NotAccepted(_) => "HF0005",
            _ => "HF0004",
        }
    }
}

/// Whether plain digits end in the right check digit (ISO/IEC 7812-1, annex B). No digit, or anything else: no.
#[must_use]
pub fn passes_luhn(digits: &str) -> bool {
    let mut sum = 0;
    for (place, digit) in digits.bytes().rev().enumerate() {
        if !digit.is_ascii_digit() {
            return false;
        }
        let value = usize::from(digit - b'0') << (place & 1);
        sum += if value > 9 { value - 9 } else { value };
    }
    !digits.is_empty() && sum.is_multiple_of(10)
}

fn judge(digits: &str, stray: bool, accepted: NetworkSet) -> Result<Network, CardNumberProblem> {
    if stray {
        return Err(CardNumberProblem::NotDigits);
    }
    let length = digits.len();
    if length == 0 {
        return Err(CardNumberProblem::Empty);
    }
    let Some(network) = network_of(digits) else {
        // The contract's form, 13 to 19 digits, comes before the network.
        return Err(
            if length < usize::from(SHORTEST) || !candidates(digits).is_empty() {
                CardNumberProblem::TooShort
            } else if length > usize::from(LONGEST) {
                CardNumberProblem::TooLong
            } else {
                CardNumberProblem::UnknownNetwork
            },
        );
    };
    // Before the length: a card that is not taken is not worth typing to its end.
    if !accepted.contains(network) && accepted.intersection(network.companions()).is_empty() {
        return Err(CardNumberProblem::NotAccepted(network));
    }
    let lengths = network.lengths();
    if length < usize::from(lengths.shortest()) {
        Err(CardNumberProblem::TooShort)
    } else if length > usize::from(lengths.longest()) {
        Err(CardNumberProblem::TooLong)
    } else if !lengths.contains(length) {
        Err(CardNumberProblem::WrongLength)
    } else if passes_luhn(digits) {
        Ok(network)
    } else {
        Err(CardNumberProblem::CheckDigit)
    }
}

/// What people put between digits, line breaks and the marks of a right-to-left page included.
fn is_gap(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\n' | '\r' | '-' | '.' | '\u{a0}' | '\u{2000}'..='\u{2015}' | '\u{2028}'..='\u{202f}' | '\u{2212}' | '\u{3000}' | '\u{feff}'
    )
}
