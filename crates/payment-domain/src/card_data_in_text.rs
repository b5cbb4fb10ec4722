//! Finds card data in texts that people write and the gateway stores as they are, such as an order's description or the note of a refund.
//!
//! A card number is found by its range and its check digit, if it is written in one piece or in the groups of printed cards. A security
//! code is found by its name. Left alone are IBANs, dates, numbers that a letter touches, and numbers of 13, 17 or 18 digits: EAN-13
//! numbers of goods and operation ids have such lengths, and cards that are in use do not.
//!
//! [`find_in_id`] is for what names a customer: numbers of 14 digits are left alone there, because companies' tax numbers have that length.
//! Not for ids of orders and operations: one in thirty random numbers of 16 digits could be a card's.

use payframe_card_rules::card_number::{CardNumber, passes_luhn};
use payframe_card_rules::network::NetworkSet;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardDataFound {
    /// A card number.
    Number,
    /// A security code.
    SecurityCode,
}

impl CardDataFound {
    /// As words of a sentence.
    pub fn words(self) -> &'static str {
        match self {
            CardDataFound::Number => "a card number",
            CardDataFound::SecurityCode => "a security code",
        }
    }
}

/// Card data in a text.
pub fn find(text: &str) -> Option<CardDataFound> {
    find_with(text, &[&LONGER, &OF_14_DIGITS])
}

/// Card data in the id, the telephone number or the tax number of a customer.
pub fn find_in_id(text: &str) -> Option<CardDataFound> {
    find_with(text, &[&LONGER])
}

fn find_with(text: &str, layouts: &[&[&[usize]]]) -> Option<CardDataFound> {
    let text: String = text.chars().map(ascii_digit).collect();
    if layouts.iter().any(|layouts| holds_number(&text, layouts)) {
        Some(CardDataFound::Number)
    } else if CODE.as_ref().is_none_or(|code| code.is_match(&text)) {
        Some(CardDataFound::SecurityCode)
    } else {
        None
    }
}

/// East Asian keyboards write digits of full width.
fn ascii_digit(character: char) -> char {
    match character {
        '０'..='９' => char::from_u32(u32::from(character) - u32::from('０') + u32::from('0'))
            .unwrap_or(character),
        other => other,
    }
}

fn holds_number(text: &str, layouts: &[&[usize]]) -> bool {
    let groups = digit_groups(text);
    let ibans = ibans(text);
    let is_in_iban = |group: &Range<usize>| {
        ibans
            .iter()
            .any(|iban| iban.start <= group.start && group.end <= iban.end)
    };
    (0..groups.len()).any(|first| {
        !is_in_iban(&groups[first])
            && layouts.iter().any(|layout| {
                let groups = groups.get(first..first + layout.len());
                groups.is_some_and(|groups| is_card_number(text, groups, layout))
            })
    })
}

/// The digits between other characters, without those that a letter touches.
fn digit_groups(text: &str) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut rest = 0;
    while let Some(start) = text[rest..].find(char::is_alphanumeric) {
        let start = rest + start;
        let word = &text[start..];
        let length = word
            .find(|character: char| !character.is_alphanumeric())
            .unwrap_or(word.len());
        rest = start + length;
        if word[..length].bytes().all(|byte| byte.is_ascii_digit()) {
            groups.push(start..rest);
        }
    }
    groups
}

/// Whether these groups have these lengths, belong together, and are a card number.
fn is_card_number(text: &str, groups: &[Range<usize>], layout: &[usize]) -> bool {
    let has_layout = groups
        .iter()
        .zip(layout)
        .all(|(group, length)| group.len() == *length);
    let is_joined = groups
        .windows(2)
        .all(|pair| is_separator(&text[pair[0].end..pair[1].start]));
    let digits = || -> String { groups.iter().map(|group| &text[group.clone()]).collect() };
    has_layout && is_joined && {
        let digits = digits();
        passes_luhn(&digits) && CardNumber::parse(&digits, NetworkSet::all()).is_ok()
    }
}

fn is_separator(between: &str) -> bool {
    let is_one = |character: char| character.is_whitespace() || "-.,_/–‑".contains(character);
    between.chars().count() <= 3 && between.chars().all(is_one)
}

/// Where there are international bank account numbers, in one piece or in groups of four.
fn ibans(text: &str) -> Vec<Range<usize>> {
    let Some(beginning) = IBAN_BEGINNING.as_ref() else {
        return Vec::new();
    };
    beginning
        .find_iter(text)
        .filter_map(|found| {
            let end = iban_length(&text[found.start()..])?;
            Some(found.start()..found.start() + end)
        })
        .collect()
}

/// The length in bytes of the bank account number with which the text begins, told by its check digits (ISO 13616).
fn iban_length(text: &str) -> Option<usize> {
    let mut account = String::new();
    for (index, character) in text.char_indices() {
        match character {
            ' ' => continue,
            _ if character.is_ascii_alphanumeric() => account.push(character),
            _ => return None,
        }
        let end = index + 1;
        let ends_here = !text[end..].starts_with(|next: char| next.is_alphanumeric());
        if ends_here && (15..=34).contains(&account.len()) && has_iban_check(&account) {
            return Some(end);
        }
        if account.len() == 34 {
            return None;
        }
    }
    None
}

/// The account number, its first four characters moved to the end and letters read as 10 to 35, is 1 modulo 97.
fn has_iban_check(account: &str) -> bool {
    let (head, tail) = account.split_at(4);
    let rest = tail.chars().chain(head.chars()).try_fold(0, |rest, next| {
        let value = next.to_digit(36)?;
        let scale = if value < 10 { 10 } else { 100 };
        Some((rest * scale + value) % 97)
    });
    rest == Some(1)
}

/// How card numbers of more than 14 digits are written: lengths of the groups of digits.
const LONGER: [&[usize]; 7] = [
    &[15],
    &[16],
    &[19],
    &[4, 4, 4, 4],
    &[4, 6, 5],
    &[4, 4, 4, 4, 3],
    &[6, 13],
];

/// How those of 14 digits are written.
const OF_14_DIGITS: [&[usize]; 2] = [&[14], &[4, 6, 4]];

// The patterns are constants, and a test compiles them. If the second were broken, every text would be refused.
static IBAN_BEGINNING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b[A-Z]{2}[0-9]{2}").ok());
/// Names that mean something else, too ("CSC 101"), count with a colon or an equals sign only.
static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix) (?: ^ | [\W_] )
        (?: (?: cvv2? | cvc2 | cvn2 | security[\ _-]?code | card[\ _-]?verification[\ _-]?(?:code|value) )
            (?: \s+ is )? [\W_]{0,4}
          | (?: cvc | csc | cvn ) \s? [:=] \s?
        )
        [0-9]{3,4} (?: $ | [\W_] )",
    )
    .ok()
});

#[cfg(test)]
mod tests {
    use super::{CardDataFound, find, find_in_id};

    #[test]
    fn card_numbers_are_found_however_they_are_written() {
        for text in [
            "4761730000000003",
            "4761 7300 0000 0003",
            "paid by phone: 4761-7300-0000-0003 12/30",
            "12 4761.7300.0000.0003",
            "card 3742 450000 00009, Mrs Lovelace",
            "4761\u{a0}7300\u{a0}0000\u{a0}0003",
            "4761  7300  0000  0003",
            "4761 - 7300 - 0000 - 0003",
            "4761_7300_0000_0003",
            "4761/7300/0000/0003",
            "card_4761730000000003",
            "４７６１７３０００００００００３",
            "IBAN DE89 3704 0044 0532 0130 00, card 4761730000000003",
        ] {
            assert_eq!(find(text), Some(CardDataFound::Number), "{text}");
        }
    }

    #[test]
    fn ids_of_customers_hold_no_card_and_may_be_tax_numbers() {
        for (id, expected) in [
            ("4761730000000003", Some(CardDataFound::Number)),
            ("cust-4761730000000003", Some(CardDataFound::Number)),
            ("+4761 7300 0000 0003", Some(CardDataFound::Number)),
            ("374245000000009", Some(CardDataFound::Number)),
            ("cvv:123", Some(CardDataFound::SecurityCode)),
            ("36000000000008", None),
            ("c4761730000000003", None),
            ("cust-7", None),
            ("+44 20 7946 0958", None),
        ] {
            assert_eq!(find_in_id(id), expected, "{id}");
        }
        assert_eq!(find("36000000000008"), Some(CardDataFound::Number));
    }

    #[test]
    fn security_codes_are_found_by_their_names() {
        for text in [
            "CVV 123",
            "cvc2: 1234",
            "CVC: 123",
            "csc=123",
            "Security code = 123.",
            "securityCode=123",
            "security_code: 123",
            "cvv_123",
            "the CVV is 123",
            "card verification value 1234",
        ] {
            assert_eq!(find(text), Some(CardDataFound::SecurityCode), "{text}");
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
            "IBAN DE15 4005 0150 0008 0031 62 of Ada",
            "DE15400501500008003162",
            "Stay 23.01.2026-29.01.2026",
            "30.11.2026-9.12.2026",
            "Refund of 644461693100611747",
            "id4761730000000003",
            "4761730000000003a",
            "476173000000000 4 5 6",
            "47617300 00000003",
            "tracking 00340434161094022115",
            "+44 20 7946 0958",
            "cvv is asked later",
            "the code 123",
            "CSC 101 lecture notes",
            "Conference CSC-2024 ticket",
            "CVC 2000 drill",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
