//! Card numbers: turns what a buyer typed, pasted or sent into a valid number.
//!
//! Use [`CardNumber::parse`] in the form and in the gateway alike. Order of the checks, where several fail: empty, not
//! digits, network not accepted, length, network unknown, check digit. Only the form of a number is checked; whether
//! it exists, and whether it is co-badged, only the gateway knows.

use crate::digit::{STRAY, plain};
use crate::network::{LONGEST, Network, NetworkSet, SHORTEST, taken_as};
use crate::secret::Secret;

/// A card number that has a known and accepted network, one of its lengths, and a right check digit where its network has
/// one.
#[derive(Debug)]
pub struct CardNumber {
    digits: Secret,
    network: Network,
}

/// Why a text is not a card number. Holds no digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CardNumberError {
    /// No digit at all.
    #[error("no digit")]
    Empty,
    /// Something that is neither a digit nor a gap.
    #[error("neither digits nor separators")]
    NotDigits,
    /// Fewer digits than the shortest number of its network.
    #[error("shorter than the numbers of its network")]
    TooShort,
    /// More digits than the longest number of its network.
    #[error("longer than the numbers of its network")]
    TooLong,
    /// A length between those that the network has.
    #[error("a length that its network does not have")]
    WrongLength,
    /// The last digit does not fit the others.
    #[error("the check digit is wrong")]
    CheckDigit,
    /// No network has such first digits.
    #[error("no known network has this range")]
    UnknownNetwork,
    /// A network that the session does not take.
    #[error("this network is not accepted")]
    NotAccepted(Network),
}

impl CardNumber {
    /// Reads a number, with gaps, dashes, dots and other separators left out and digits of any script taken as plain ones.
    ///
    /// `accepted` are the session's networks. Where it holds a network that has no range of its own, numbers of the
    /// networks that it stands beside pass: whether such a card is co-badged is for the gateway's range table to say.
    ///
    /// # Errors
    /// The first problem in the order given by the module's text.
    pub fn parse(text: &str, accepted: NetworkSet) -> Result<Self, CardNumberError> {
        let text = plain(text);
        // Enough capacity for everything: a buffer that grows would leave a copy in memory.
        let mut digits = String::with_capacity(text.len());
        for digit in text.iter().filter(|c| c.is_ascii_digit()) {
            digits.push(char::from(*digit));
        }
        let digits = Secret::new(digits);
        let stray = text.contains(&STRAY);
        // Exposed for the check; nothing of it gets into an error.
        let network = network_of(digits.expose(), stray, accepted)?;
        Ok(Self { digits, network })
    }

    /// The digits, without gaps. Say at the call why they are needed.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.digits.expose()
    }

    /// The network to whose range the number belongs, or the one that processes it for that network.
    #[must_use]
    pub fn network(&self) -> Network {
        self.network
    }

    /// The last four digits, which a page may show.
    #[must_use]
    pub fn last4(&self) -> &str {
        // Exposed because the last four are no secret; there are at least 13 digits.
        let digits = self.digits.expose();
        digits
            .get(digits.len().saturating_sub(4)..)
            .unwrap_or_default()
    }

    /// The first `len` digits, at most 8 of them: no more may ever be shown beside the last four.
    #[must_use]
    pub fn bin(&self, len: usize) -> &str {
        // Exposed because the issuer's number is no secret; there are at least 13 digits.
        self.digits.expose().get(..len.min(8)).unwrap_or_default()
    }
}

impl CardNumberError {
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

fn network_of(digits: &str, stray: bool, accepted: NetworkSet) -> Result<Network, CardNumberError> {
    if stray {
        return Err(CardNumberError::NotDigits);
    }
    let length = digits.len();
    if length == 0 {
        return Err(CardNumberError::Empty);
    }
    let Some(network) = taken_as(digits, accepted) else {
        // The contract's form, 13 to 19 digits, comes before the network.
        return Err(if length < usize::from(SHORTEST) {
            CardNumberError::TooShort
        } else if length > usize::from(LONGEST) {
            CardNumberError::TooLong
        } else {
            CardNumberError::UnknownNetwork
        });
    };
    // Before the length: the buyer should not have to finish the number of a card that is not accepted.
    if !network.is_taken(accepted) {
        return Err(CardNumberError::NotAccepted(network));
    }
    let lengths = network.lengths();
    if length < usize::from(lengths.shortest()) {
        Err(CardNumberError::TooShort)
    } else if length > usize::from(lengths.longest()) {
        Err(CardNumberError::TooLong)
    } else if !lengths.contains(length) {
        Err(CardNumberError::WrongLength)
    } else if !network.has_check_digit() || passes_luhn(digits) {
        Ok(network)
    } else {
        Err(CardNumberError::CheckDigit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::format_card_number;
    use CardNumberError as P;
    use proptest::prelude::*;

    fn check(text: &str, expected: Result<&str, P>) {
        check_among(NetworkSet::all(), text, expected);
    }

    fn check_among(accepted: NetworkSet, text: &str, expected: Result<&str, P>) {
        let parsed = CardNumber::parse(text, accepted);
        assert_eq!(
            parsed
                .as_ref()
                .map(CardNumber::expose)
                .map_err(|problem| *problem),
            expected,
            "{text:?}"
        );
    }

    /// A5: same value, whatever stands between the digits.
    /// A12: digits of another script count as the same plain digits.
    #[test]
    fn gaps_and_scripts_make_no_difference() {
        for text in [
            "4761730000000003",
            " 4761 7300 0000 0003 ",
            "4761-7300-0000-0003",
            "4761.7300.0000.0003",
            "4761\u{2011}7300\u{2013}0000\u{2014}0003",
            "4761\n7300\r\n0000\t0003",
            "4761\u{a0}7300\u{202f}0000\u{3000}0003",
            "\u{202a}4761 7300 0000 0003\u{202c}",
            "٤٧٦١ ٧٣٠٠ ٠٠٠٠ ٠٠٠٣",
            "４７６１ 7300 ००००0003",
        ] {
            check(text, Ok("4761730000000003"));
        }
    }

    /// B4: every length of a network counts as complete, the ones between do not.
    /// B5: too short and a wrong check digit are two causes.
    /// D7: each cause has its own code.
    #[test]
    fn every_problem_has_its_cause() {
        check("", Err(P::Empty));
        check(" - ", Err(P::Empty));
        check("none", Err(P::NotDigits));
        check("4761 7300 0000 0003x", Err(P::NotDigits));
        check("4", Err(P::TooShort));
        check("5", Err(P::TooShort));
        check("9", Err(P::TooShort));
        check("900000000000", Err(P::TooShort));
        check("9000000000000", Err(P::UnknownNetwork));
        check("9000000000000000001", Err(P::UnknownNetwork));
        check("90000000000000000010", Err(P::TooLong));
        check("476173000000", Err(P::TooShort));
        check("4761730000000", Ok("4761730000000"));
        check("47617300000000", Err(P::WrongLength));
        check("476173000000000", Err(P::WrongLength));
        check("4761730000000004", Err(P::CheckDigit));
        check("47617300000000030", Err(P::WrongLength));
        check("4761730000000000000", Ok("4761730000000000000"));
        check("47617300000000000000", Err(P::TooLong));
        check("37424500000000", Err(P::TooShort));
        check("3742450000000090", Err(P::TooLong));
        check("3614890000000", Err(P::TooShort));
    }

    /// B7: the network that is not taken is named.
    #[test]
    fn a_network_that_is_not_taken_is_named_as_soon_as_it_is_certain() {
        let accepted = NetworkSet::from_codes(["VISA", "MC"]);
        check_among(accepted, "4761730000000003", Ok("4761730000000003"));
        check_among(accepted, "3", Err(P::TooShort));
        check_among(accepted, "37", Err(P::NotAccepted(Network::Amex)));
        check_among(
            accepted,
            "374245000000009",
            Err(P::NotAccepted(Network::Amex)),
        );
        check_among(
            accepted,
            "374245000000000",
            Err(P::NotAccepted(Network::Amex)),
        );
        check_among(
            NetworkSet::empty(),
            "4761730000000003",
            Err(P::NotAccepted(Network::Visa)),
        );
    }

    /// B6: numbers of a network that has no check digit are accepted without that test, all others are not.
    #[test]
    fn a_network_may_have_no_check_digit() {
        check("6200000000000000000", Ok("6200000000000000000"));
        check("6200000000000000001", Ok("6200000000000000001"));
        check("8100000000000001", Ok("8100000000000001"));
        check("620000000000001", Err(P::TooShort));
        check("6277800000000001", Err(P::CheckDigit));
        check("6799990000000000004", Err(P::CheckDigit));
    }

    /// B16: a range that may be of two networks passes for either of them.
    #[test]
    fn a_number_that_may_be_co_badged_passes_where_only_its_companion_is_taken() {
        let accepted = NetworkSet::from_codes(["CARTES_BANCAIRES"]);
        check_among(accepted, "4761732500000004", Ok("4761732500000004"));
        check_among(accepted, "5413332500000002", Ok("5413332500000002"));
        check_among(
            accepted,
            "6703000000000007",
            Err(P::NotAccepted(Network::Maestro)),
        );
        check_among(
            NetworkSet::from_codes(["BANCONTACT"]),
            "6703000000000007",
            Ok("6703000000000007"),
        );
    }

    /// B16: Discover takes all numbers that begin with its 65, also those that have been given to another network.
    #[test]
    fn discover_takes_the_ranges_that_it_processes_for_others() {
        let network = |text: &str, accepted: &[&str]| {
            let accepted = NetworkSet::from_codes(accepted.iter().copied());
            CardNumber::parse(text, accepted).map(|number| number.network())
        };
        let of = |digits: &str| {
            (0..10)
                .map(|last| format!("{digits}{last}"))
                .find(|number| passes_luhn(number))
                .unwrap()
        };
        for (digits, own) in [
            (of("650031000000000"), Network::Elo),
            (of("652150000000000"), Network::RuPay),
            (of("653149000000000"), Network::RuPay),
            (of("650002000000000"), Network::Verve),
        ] {
            assert_eq!(network(&digits, &["DISCOVER"]), Ok(Network::Discover));
            assert_eq!(
                network(&digits, &["DISCOVER", "TROY"]),
                Ok(Network::Discover)
            );
            assert_eq!(network(&digits, &["DISCOVER", own.code()]), Ok(own));
            assert_eq!(network(&digits, &["VISA"]), Err(P::NotAccepted(own)));
        }
        // Ranges of other networks outside its own first digits stay theirs.
        for (digits, own) in [
            (of("607000000000000"), Network::RuPay),
            (of("608001000000000"), Network::RuPay),
            (of("508500000000000"), Network::RuPay),
            (of("979200000000000"), Network::Troy),
            (of("622126000000000"), Network::UnionPay),
            (of("352800000000000"), Network::Jcb),
            (of("360000000000000"), Network::Diners),
        ] {
            assert_eq!(network(&digits, &["DISCOVER"]), Err(P::NotAccepted(own)));
        }
        assert_eq!(
            network(&of("600000000000000"), &["DISCOVER"]),
            Err(P::UnknownNetwork)
        );
    }

    #[test]
    fn only_so_much_is_shown() {
        let Ok(number) = CardNumber::parse("4349 9401 9900 4549", NetworkSet::all()) else {
            panic!("a documented number");
        };
        assert_eq!((number.last4(), number.network()), ("4549", Network::Visa));
        assert_eq!(
            (number.bin(6), number.bin(8), number.bin(0)),
            ("434994", "43499401", "")
        );
        assert_eq!(number.bin(16), "43499401", "never more than eight");
        let shown = format!("{number:?}");
        assert!(!shown.contains(|c: char| c.is_ascii_digit()), "{shown}");
    }

    /// D7: the codes of a card number.
    #[test]
    fn codes_are_stable() {
        let all = [
            (P::Empty, "card_number_empty"),
            (P::NotDigits, "card_number_not_digits"),
            (P::TooShort, "card_number_too_short"),
            (P::TooLong, "card_number_too_long"),
            (P::WrongLength, "card_number_wrong_length"),
            (P::CheckDigit, "card_number_check_digit"),
            (P::UnknownNetwork, "card_number_unknown_network"),
            (P::NotAccepted(Network::Jcb), "card_number_not_accepted"),
        ];
        for (problem, code) in all {
            assert_eq!(problem.code(), code);
        }
    }

    /// B5: a wrong check digit is found.
    #[test]
    fn check_digits() {
        for (digits, good) in [
            ("0", true),
            ("18", true),
            ("79927398713", true),
            ("79927398710", false),
            ("", false),
            ("1 8", false),
            ("x", false),
        ] {
            assert_eq!(passes_luhn(digits), good, "{digits}");
        }
    }

    /// The slow, obvious way: double every second digit from the right, then add up all digits of the results.
    fn luhn_by_hand(digits: &str) -> bool {
        let mut sum = 0;
        for (place, digit) in digits.chars().rev().enumerate() {
            let value = digit.to_digit(10).unwrap() * if place % 2 == 1 { 2 } else { 1 };
            sum += value / 10 + value % 10;
        }
        sum % 10 == 0
    }

    proptest! {
        #[test]
        fn luhn_agrees_with_doing_it_by_hand(digits in "[0-9]{1,40}") {
            prop_assert_eq!(passes_luhn(&digits), luhn_by_hand(&digits));
        }

        #[test]
        fn one_wrong_digit_never_passes(digits in "[0-9]{13,19}", place in 0_usize..13, by in 1_u8..10) {
            let mut other = digits.clone().into_bytes();
            other[place] = (other[place] - b'0' + by) % 10 + b'0';
            let other = String::from_utf8(other).unwrap();
            prop_assert!(!(passes_luhn(&digits) && passes_luhn(&other)));
        }

        #[test]
        fn what_is_shown_is_read_back(digits in "[2-8][0-9]{12,18}") {
            let direct = CardNumber::parse(&digits, NetworkSet::all());
            let shown = CardNumber::parse(&format_card_number(&digits), NetworkSet::all());
            prop_assert_eq!(direct.as_ref().map(CardNumber::expose), shown.as_ref().map(CardNumber::expose));
            if let Ok(number) = direct {
                prop_assert_eq!(number.expose(), digits);
            }
        }

        #[test]
        fn any_text_has_an_answer_without_its_digits(text in any::<String>()) {
            if let Err(problem) = CardNumber::parse(&text, NetworkSet::all()) {
                let shown = format!("{problem:?}");
                prop_assert!(!shown.contains(|c: char| c.is_ascii_digit()));
            }
        }
    }
}
