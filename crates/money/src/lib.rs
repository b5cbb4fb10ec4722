//! Money: amounts in the minor unit of their currency, and how many digits that unit has.
//!
//! Amounts are integers; nothing here rounds. How an amount is written for a reader is in [`currency_format`]. Nothing
//! in it knows a clock, a screen, a network or a wire format.

pub mod currency_format;

use core::fmt;
use iso_currency::Currency;

/// An amount in the minor unit of its currency, which is kept separately: 3545 is 35.45 EUR or 3545 JPY.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(u64);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The greatest amount that the wire takes: 12 digits.
    pub const MAX: Self = Self(999_999_999_999);

    /// An amount of this many minor units; `None` above [`Amount::MAX`].
    #[must_use]
    pub fn from_minor(minor: u64) -> Option<Self> {
        (minor <= Self::MAX.0).then_some(Self(minor))
    }

    /// Reads 1 to 12 plain digits, leading zeros dropped; `None` for anything else (sign, blank, point, exponent).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if !(1..=12).contains(&text.len()) {
            return None;
        }
        text.bytes()
            .try_fold(0, |sum, byte| {
                byte.is_ascii_digit()
                    .then(|| sum * 10 + u64::from(byte - b'0'))
            })
            .map(Self)
    }

    /// Reads what a person typed: in the major unit, with at most `digits` digits behind a point or a comma. `None` for
    /// anything else, also for groups of digits, so that `1,234` can not mean two things.
    #[must_use]
    pub fn parse_typed(text: &str, digits: u8) -> Option<Self> {
        let digits = usize::from(digits);
        let (whole, fraction) = match text.split_once(['.', ',']) {
            Some((whole, fraction)) if (1..=digits).contains(&fraction.len()) => (whole, fraction),
            Some(_) => return None,
            None => (text, ""),
        };
        if whole.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Self::parse(&format!("{whole}{fraction:0<digits$}"))
    }

    /// The amount as [`Amount::parse_typed`] reads it: in the major unit, with a point before its `digits` digits.
    #[must_use]
    pub fn to_typed(self, digits: u8) -> String {
        let digits = usize::from(digits);
        let minor = format!("{:0>width$}", self.0, width = digits + 1);
        match minor.split_at(minor.len() - digits) {
            (whole, "") => whole.to_owned(),
            (whole, fraction) => format!("{whole}.{fraction}"),
        }
    }

    /// How many minor units.
    #[must_use]
    pub fn minor(self) -> u64 {
        self.0
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum; `None` above [`Amount::MAX`].
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        // Both are at most 12 digits, far from the end of the integer.
        Self::from_minor(self.0 + other.0)
    }

    /// The difference; `None` where it would be less than nothing.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }
}

/// Digits only, as on the wire.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How many digits the minor unit of a currency has; `None` for a currency that is not supported (contract, table 10.2).
#[must_use]
pub fn minor_digits(currency: &str) -> Option<u8> {
    if let Some((_, digits)) = WITHDRAWN.iter().find(|(code, _)| *code == currency) {
        return Some(*digits);
    }
    let known = Currency::from_code(currency).filter(|known| DEALT_IN.contains(known))?;
    u8::try_from(known.exponent()?).ok()
}

/// The number of a currency (ISO 4217); `None` for one that is withdrawn, or unknown.
#[must_use]
pub fn numeric_code(currency: &str) -> Option<u16> {
    Currency::from_code(currency).map(Currency::numeric)
}

/// Every supported currency, by its letters.
pub fn currencies() -> impl Iterator<Item = &'static str> {
    let present = DEALT_IN.iter().map(|currency| currency.code());
    present.chain(WITHDRAWN.iter().map(|(code, _)| *code))
}

/// The supported currencies. Their minor units come from `iso_currency`.
const DEALT_IN: &[Currency] = &[
    Currency::AED,
    Currency::AOA,
    Currency::ARS,
    Currency::AUD,
    Currency::AZN,
    Currency::BAM,
    Currency::BGN,
    Currency::BHD,
    Currency::BRL,
    Currency::BYN,
    Currency::CAD,
    Currency::CHF,
    Currency::CLP,
    Currency::CNY,
    Currency::COP,
    Currency::CZK,
    Currency::DKK,
    Currency::EGP,
    Currency::EUR,
    Currency::GBP,
    Currency::GIP,
    Currency::HKD,
    Currency::HRK,
    Currency::HUF,
    Currency::INR,
    Currency::ISK,
    Currency::JOD,
    Currency::JPY,
    Currency::KRW,
    Currency::KWD,
    Currency::KZT,
    Currency::MKD,
    Currency::MXN,
    Currency::MYR,
    Currency::NGN,
    Currency::NOK,
    Currency::PHP,
    Currency::PLN,
    Currency::QAR,
    Currency::RON,
    Currency::RSD,
    Currency::RUB,
    Currency::SAR,
    Currency::SEK,
    Currency::SGD,
    Currency::THB,
    Currency::TRY,
    Currency::TWD,
    Currency::UAH,
    Currency::USD,
    Currency::VND,
    Currency::ZAR,
];

/// Withdrawn from ISO 4217, and from `iso_currency`'s table; the contract still takes them.
const WITHDRAWN: &[(&str, u8)] = &[("BYR", 0), ("LTL", 2), ("LVL", 2), ("VEF", 2)];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_digits_only() {
        let check = |text: &str, expected: Option<u64>| {
            assert_eq!(Amount::parse(text).map(Amount::minor), expected, "{text:?}")
        };
        check("3545", Some(3545));
        check("0", Some(0));
        check("000000000050", Some(50));
        check("999999999999", Some(999_999_999_999));
        for text in [
            "",
            "1000000000000",
            "0000000000001",
            "-1",
            "+1",
            " 1",
            "1 ",
            "1.0",
            "1,0",
            "1e3",
            "0x1",
            "١",
            "１",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn reads_what_people_type_exactly() {
        let check = |text: &str, digits: u8, expected: Option<u64>| {
            let amount = Amount::parse_typed(text, digits).map(Amount::minor);
            assert_eq!(amount, expected, "{text:?} {digits}")
        };
        check("35.45", 2, Some(3545));
        check("35,45", 2, Some(3545));
        check("35.4", 2, Some(3540));
        check("35", 2, Some(3500));
        check("0.05", 2, Some(5));
        check("3545", 0, Some(3545));
        check("3,545", 3, Some(3545));
        check("9999999999.99", 2, Some(999_999_999_999));
        for text in [
            "",
            ".",
            "35.",
            ".5",
            "35.456",
            "1,234.50",
            "1 234",
            " 35",
            "-1",
            "+1",
            "1e3",
            "€35",
            "10000000000",
            "35.4a",
            "٣٥",
        ] {
            check(text, 2, None);
        }
        check("35.0", 0, None);
    }

    #[test]
    fn arithmetic_stays_within_the_wire() {
        let amount = |minor| Amount::from_minor(minor).unwrap();
        assert_eq!(amount(3545).checked_add(amount(55)), Some(amount(3600)));
        assert_eq!(Amount::MAX.checked_add(Amount::ZERO), Some(Amount::MAX));
        assert_eq!(Amount::MAX.checked_add(amount(1)), None);
        assert_eq!(Amount::MAX.checked_add(Amount::MAX), None);
        assert_eq!(amount(10).checked_sub(amount(10)), Some(Amount::ZERO));
        assert_eq!(amount(10).checked_sub(amount(11)), None);
        assert_eq!(Amount::from_minor(1_000_000_000_000), None);
        assert!(Amount::ZERO.is_zero() && !amount(1).is_zero());
        assert!(amount(9) < amount(10));
    }

    /// I7: right decimals, sign and separators for the locale, currencies with none or three decimals too.
    #[test]
    fn minor_digits_are_those_of_the_contract() {
        for (currency, digits) in [
            ("EUR", 2),
            ("USD", 2),
            ("AED", 2),
            ("KZT", 2),
            ("LTL", 2),
            ("ZAR", 2),
            ("JPY", 0),
            ("BYR", 0),
            ("VND", 0),
            ("BHD", 3),
            ("JOD", 3),
            ("KWD", 3),
        ] {
            assert_eq!(minor_digits(currency), Some(digits), "{currency}");
        }
        for currency in [
            "", "eur", "978", "EURO", "XXX", "EU", "R G", "UR ", " EU", "EUR GBP", "TND",
        ] {
            assert_eq!(minor_digits(currency), None, "{currency}");
        }
        let listed = |digits| {
            currencies()
                .filter(|code| minor_digits(code) == Some(digits))
                .count()
        };
        assert_eq!([0, 2, 3].map(listed), [6, 47, 3]);
        assert_eq!(currencies().count(), 56);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(minor in 0_u64..=999_999_999_999) {
            let amount = Amount::from_minor(minor).unwrap();
            prop_assert_eq!(Amount::parse(&amount.to_string()), Some(amount));
            for digits in [0, 2, 3] {
                prop_assert_eq!(Amount::parse_typed(&amount.to_typed(digits), digits), Some(amount));
            }
        }

        #[test]
        fn any_text_has_an_answer(text in any::<String>()) {
            let _ = (Amount::parse(&text), Amount::parse_typed(&text, 2));
            prop_assert_eq!(minor_digits(&text).is_some() && text.len() != 3, false);
        }
    }
}
