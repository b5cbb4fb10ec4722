//! Sums as buyers read them: in their language, with the currency's sign where that language puts it.
//!
//! They have the format of the browser's `Intl.NumberFormat`, so that a sum from the gateway and one that a script
//! writes later look the same. The table comes from a browser (`cargo xtask sums`), because making the first number format
//! would take longer than everything else before a form is live. A test of the widget compares it with the browser again.

mod browser;

use crate::{Amount, minor_digits};
use browser::LOCALE_FORMATS;

/// The amount in its currency, in the language with this three-letter code. An unknown language is
/// treated as English, and an unknown currency as one with two digits.
#[must_use]
pub fn format_amount(amount: Amount, currency: &str, language: &str) -> String {
    let of = |code: &str| LOCALE_FORMATS.iter().find(|manner| manner.language == code);
    of(language)
        .or_else(|| of("eng"))
        .map_or_else(String::new, |manner| manner.write(amount, currency))
}

/// The languages in which sums can be written: three-letter code and web tag.
pub fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    LOCALE_FORMATS
        .iter()
        .map(|manner| (manner.language, manner.tag))
}

/// How sums are written in one language.
struct LocaleFormat {
    language: &'static str,
    tag: &'static str,
    /// Between the whole and its fraction.
    decimal: char,
    /// Between groups of three digits.
    group: char,
    /// The smallest number of digits of the whole for which groups are made.
    grouped_from: usize,
    /// The pattern of most currencies: `#` is the place of the number, `¤` that of the currency's letters.
    usual: &'static str,
    /// Currencies with a sign of their own in this language.
    others: &'static [(&'static str, &'static str)],
}

impl LocaleFormat {
    fn write(&self, amount: Amount, currency: &str) -> String {
        let frame = self
            .others
            .iter()
            .find(|(known, _)| *known == currency)
            .map_or(self.usual, |(_, frame)| frame);
        let (before, after) = frame.split_once('#').unwrap_or((frame, ""));
        let number = self.number(amount, usize::from(minor_digits(currency).unwrap_or(2)));
        [before, &number, after].concat().replace('¤', currency)
    }

    fn number(&self, amount: Amount, digits: usize) -> String {
        let minor = format!("{:0>width$}", amount.minor(), width = digits + 1);
        let (whole, fraction) = minor.split_at(minor.len() - digits);
        let mut number = String::new();
        for (place, digit) in whole.chars().enumerate() {
            let left = whole.len() - place;
            if place > 0 && left.is_multiple_of(3) && whole.len() >= self.grouped_from {
                number.push(self.group);
            }
            number.push(digit);
        }
        if digits > 0 {
            number.push(self.decimal);
            number.push_str(fraction);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::currencies;

    fn check(minor: u64, currency: &str, language: &str, expected: &str) {
        let amount = Amount::from_minor(minor).unwrap();
        let text = format_amount(amount, currency, language);
        assert_eq!(text, expected, "{minor} {currency} {language}");
    }

    /// I7: right decimals, sign and separators for the locale, currencies with none or three decimals too.
    #[test]
    fn sums_read_as_in_the_language() {
        check(3545, "EUR", "eng", "€35.45");
        check(3545, "CHF", "eng", "CHF\u{a0}35.45");
        check(3545, "EUR", "ita", "35,45\u{a0}€");
        check(3545, "EUR", "heb", "\u{200f}35.45\u{a0}\u{200f}€");
        check(3545, "USD", "ara", "\u{200f}35.45\u{a0}US$");
        check(3545, "JPY", "jpn", "￥3,545");
        check(3545, "KWD", "deu", "3,545\u{a0}KWD");
        check(0, "EUR", "eng", "€0.00");
        check(5, "KWD", "deu", "0,005\u{a0}KWD");
    }

    #[test]
    fn groups_are_made_from_as_many_digits_as_the_language_wants() {
        check(123_456, "EUR", "deu", "1.234,56\u{a0}€");
        check(123_456, "EUR", "ita", "1234,56\u{a0}€");
        check(1_234_567, "EUR", "ita", "12.345,67\u{a0}€");
        check(
            999_999_999_999,
            "EUR",
            "fra",
            "9\u{202f}999\u{202f}999\u{202f}999,99\u{a0}€",
        );
    }

    #[test]
    fn what_is_not_known_is_written_all_the_same() {
        check(3545, "EUR", "nld", "€35.45");
        check(3545, "XTS", "eng", "XTS\u{a0}35.45");
    }

    #[test]
    fn every_frame_has_one_place_for_the_number_and_says_the_currency() {
        for manner in LOCALE_FORMATS {
            let frames = manner.others.iter().map(|(_, frame)| *frame);
            for frame in frames.chain([manner.usual]) {
                assert_eq!(frame.matches('#').count(), 1, "{}: {frame}", manner.tag);
            }
            assert!(manner.usual.contains('¤'), "{}", manner.tag);
            for (currency, _) in manner.others {
                assert!(currencies().any(|known| known == *currency), "{currency}");
            }
        }
    }
}
