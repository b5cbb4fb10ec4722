//! The characters that a rebuilt font keeps: what forms in the supported languages and card entries are written with.
//!
//! Scripts that need rules to be legible (Arabic, Hebrew marks, Thai) and those with thousands of characters are left to
//! the system's fonts.

use std::ops::RangeInclusive;

/// All kept characters, in order, each once.
pub(crate) fn all() -> impl Iterator<Item = char> {
    RANGES.iter().cloned().flatten()
}

/// The ten digits, which are kept together or not at all.
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
    // Signs of currencies.
    '\u{20a0}'..='\u{20c0}',
    // Minus.
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
