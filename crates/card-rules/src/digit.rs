//! Decimal digits of any script, read as the plain digits 0–9.
//!
//! Buyers type with the digits of their own keyboard; a card number is the same number in all of them. Only decimal
//! digits count (Unicode's category Nd): superscripts, fractions and Roman numerals are not digits here.

use zeroize::Zeroizing;

/// The value 0–9 of a decimal digit of any script, `None` for everything else.
#[must_use]
pub fn digit_value(c: char) -> Option<u8> {
    let code = c as u32;
    if code < 0x80 {
        return c.is_ascii_digit().then(|| code as u8 - b'0');
    }
    // The mathematical digits are five alphabets of ten, one after another, outside the basic plane.
    if (0x1d7ce..=0x1d7ff).contains(&code) {
        return Some(((code - 0x1d7ce) % 10) as u8);
    }
    ZEROS
        .iter()
        .map(|zero| code.wrapping_sub(u32::from(*zero)))
        .find(|value| *value < 10)
        .map(|value| value as u8)
}

/// A text with one byte for each character: plain digits, [`SEPARATOR`], [`STRAY`]. Wiped when dropped.
pub(crate) fn plain(text: &str) -> Zeroizing<Vec<u8>> {
    // Enough capacity for everything: a buffer that grows would leave a copy in memory.
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len()));
    for c in text.chars() {
        bytes.push(match digit_value(c) {
            Some(value) => b'0' + value,
            None if is_separator(c) => SEPARATOR,
            None => STRAY,
        });
    }
    bytes
}

/// Represents everything that people put between digits.
pub(crate) const SEPARATOR: u8 = b' ';

/// Represents every character that is neither digit nor separator.
pub(crate) const STRAY: u8 = b'x';

/// Blanks, line breaks, dashes, slashes, and the invisible marks of right-to-left texts.
fn is_separator(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\r' | ' ' | ',' | '-' | '.' | '/' | '\\' | '|' | '\u{a0}' | '\u{2000}'..='\u{2015}' | '\u{2028}'..='\u{202f}' | '\u{2044}' | '\u{2212}' | '\u{2215}' | '\u{3000}' | '\u{feff}' | '\u{ff0d}'..='\u{ff0f}'
    )
}

/// The digit zero of each script whose ten digits are consecutive (Unicode 16, basic plane).
const ZEROS: &[u16] = &[
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
    0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// The digits among the first characters.
pub(crate) fn count_digits(text: &[u8], first: usize) -> usize {
    text.iter()
        .take(first)
        .filter(|c| c.is_ascii_digit())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A12: they count as the same plain digits.
    #[test]
    fn digits_of_many_scripts_have_their_value() {
        for digits in [
            "0123456789",
            "٠١٢٣٤٥٦٧٨٩",
            "۰۱۲۳۴۵۶۷۸۹",
            "०१२३४५६७८९",
            "０１２３４５６７８９",
            "๐๑๒๓๔๕๖๗๘๙",
            "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡",
        ] {
            let values: Vec<_> = digits.chars().map(digit_value).collect();
            assert_eq!(values, (0..10).map(Some).collect::<Vec<_>>(), "{digits}");
        }
    }

    #[test]
    fn other_characters_have_none() {
        for c in [
            '/',
            ':',
            'a',
            ' ',
            '\0',
            '²',
            '½',
            'Ⅳ',
            '四',
            '\u{65f}',
            '\u{66a}',
            '\u{ff0f}',
            '\u{ff1a}',
            '\u{1d7cd}',
            '\u{1d800}',
            '\u{10ffff}',
        ] {
            assert_eq!(digit_value(c), None, "{c:?}");
        }
    }

    #[test]
    fn plain_text_has_one_byte_for_each_character() {
        let check = |text: &str, expected: &str| {
            assert_eq!(plain(text).as_slice(), expected.as_bytes(), "{text:?}")
        };
        check("", "");
        check("05 / 28", "05   28");
        check("٤７-6.1", "47 6 1");
        check("1a\u{a0}é😀2", "1x xx2");
        check("\u{200e}1\u{feff}\n\t", " 1   ");
    }

    #[test]
    fn no_two_scripts_share_a_digit() {
        assert!(ZEROS.windows(2).all(|pair| pair[0] + 10 <= pair[1]));
    }

    /// The standard library knows what is numeric: each digit here is, and its neighbours of other scripts are kept out.
    #[test]
    fn every_digit_is_numeric_in_unicode() {
        for c in '\0'..=char::MAX {
            if digit_value(c).is_some() {
                assert!(c.is_numeric(), "{c:?}");
            }
        }
    }
}
