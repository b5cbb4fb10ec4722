//! Finds card data in texts that merchants send and the gateway stores as they are, such as an order's description: card numbers by
//! their range and check digit, security codes by the words before them.
//!
//! Numbers of 13 digits are left alone: no card of today has them, and the numbers of goods (EAN-13) do.

use payframe_card_rules::card_number::{CardNumber, passes_luhn};
use payframe_card_rules::network::NetworkSet;
use regex::Regex;
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

/// What was found, as words for a description. `None`: nothing.
pub(super) fn find(text: &str) -> Option<&'static str> {
    if holds_number(text) {
        Some("a card number")
    } else if CODE.as_ref().is_none_or(|code| code.is_match(text)) {
        Some("a security code")
    } else {
        None
    }
}

/// Whether whole groups of digits, with one separator between two of them, are a card number.
fn holds_number(text: &str) -> bool {
    let Some(digits) = DIGITS.as_ref() else {
        return true;
    };
    // Groups that no letter touches.
    let groups: Vec<Range<usize>> = digits.find_iter(text).map(|group| group.range()).collect();
    (0..groups.len()).any(|first| {
        let mut digits = String::new();
        let mut end = None;
        for group in &groups[first..] {
            if end.is_some_and(|end| !is_separator(&text[end..group.start])) {
                return false;
            }
            digits.push_str(&text[group.clone()]);
            if LENGTHS.contains(&digits.len()) && is_card_number(&digits) {
                return true;
            }
            end = Some(group.end);
        }
        false
    })
}

fn is_separator(between: &str) -> bool {
    let mut characters = between.chars();
    let is_one = |character: char| character.is_whitespace() || "-.–‑".contains(character);
    characters.next().is_some_and(is_one) && characters.next().is_none()
}

fn is_card_number(digits: &str) -> bool {
    passes_luhn(digits) && CardNumber::parse(digits, NetworkSet::all()).is_ok()
}

const LENGTHS: RangeInclusive<usize> = 14..=19;

// The patterns are constants, and a test compiles them. If one were broken, every text would be refused.
static DIGITS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b[0-9]+\b").ok());
static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(cvv2?|cvc2?|cvn|csc|card security code|security code|card verification (code|value))\b[^0-9a-z]{0,4}[0-9]{3,4}\b").ok()
});

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn card_numbers_are_found_however_they_are_written() {
        for text in [
            "4761730000000003",
            "4761 7300 0000 0003",
            "paid by phone: 4761-7300-0000-0003 12/30",
            "12 4761.7300.0000.0003",
            "card 3742 450000 00009, Mrs Lovelace",
            "4761\u{a0}7300\u{a0}0000\u{a0}0003",
        ] {
            assert_eq!(find(text), Some("a card number"), "{text}");
        }
    }

    #[test]
    fn security_codes_are_found_by_the_words_before_them() {
        for text in ["CVV 123", "cvc2: 1234", "Security code = 123."] {
            assert_eq!(find(text), Some("a security code"), "{text}");
        }
    }

    #[test]
    fn other_numbers_pass() {
        for text in [
            "",
            "Two tickets, row 7",
            "Order 4761730000000004",
            "EAN 4006381333931",
            "IBAN DE89370400440532013000",
            "id4761730000000003",
            "4761730000000003a",
            "476173000000000 4 5 6",
            "tracking 00340434161094022115",
            "+44 20 7946 0958",
            "4761  7300  0000  0003",
            "cvv is asked later",
            "the code 123",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
