//! The characters that a rebuilt font keeps: those of forms and card entries in the supported languages.
//!
//! Scripts that need layout rules to be legible (Arabic, Hebrew marks, Thai), and scripts with thousands of characters, use the system's
//! fonts.

use std::ops::RangeInclusive;

/// All kept characters, in ascending order, without duplicates.
pub(crate) fn all() -> impl Iterator<Item = char> {
    RANGES.iter().cloned().flatten()
}

/// The ten digits. The font keeps all of them or none.
pub(crate) const DIGITS: RangeInclusive<char> = '0'..='9';

const RANGES: [RangeInclusive<char>; 11] = [
    // Basic Latin without controls.
    ' '..='~',
    // Latin-1 Supplement without controls.
    '\u{a0}'..='\u{ff}',
    // Latin Extended-A: Central and Eastern Europe, Turkish.
    '\u{100}'..='\u{17f}',
    // Romanian comma below.
    '\u{218}'..='\u{21b}',
    // Greek.
    '\u{384}'..='\u{3ce}',
    // Cyrillic: Russian, Bulgarian, Ukrainian.
    '\u{400}'..='\u{45f}',
    '\u{490}'..='\u{491}',
    // Dashes, quotation marks, bullet, ellipsis, narrow space.
    '\u{2010}'..='\u{2026}',
    '\u{202f}'..='\u{203a}',
    // Currency signs.
    '\u{20a0}'..='\u{20c0}',
    // Minus sign.
    '\u{2212}'..='\u{2212}',
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_in_order_and_hold_the_digits() {
        let all: Vec<char> = all().collect();
        assert!(all.is_sorted_by(|one, next| one < next));
        assert!(DIGITS.clone().all(|digit| all.contains(&digit)));
    }
}
