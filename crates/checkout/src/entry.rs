//! Typing: what a field shows, and where its caret stands, after the buyer's edit.
//!
//! Each `type_…` function is pure. It gets the field as it was before the edit, and what the browser made of it by its
//! own (text and caret); it gives what the field is to show. Keys are never looked at, so that hardware keyboards,
//! on-screen keyboards that compose, pasting, dropping and autofill are all the same.
//!
//! The rule behind all: the digits are the value, gaps are drawn. A caret stands behind a digit, and keeps standing
//! behind that digit however the gaps move. Formatted texts are ASCII, so offsets into them count characters.

use crate::digit::digit_value;
use crate::expiry;
use crate::network::{gaps, max_length, network_of};
use core::fmt;

/// A field before the edit: its formatted text and its selection (`start == end` is a caret).
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// What the field shows.
    pub text: String,
    /// Where the selection begins.
    pub start: usize,
    /// Where the selection ends.
    pub end: usize,
}

/// A field after the edit.
#[derive(Clone, PartialEq, Eq)]
pub struct Typed {
    /// What the field is to show.
    pub text: String,
    /// Where its caret is to stand.
    pub caret: usize,
    /// More digits than can ever be right, from a paste. None was cut off; the field is to say so.
    pub overflow: bool,
}

/// Takes an edit of the card number. `raw` and `raw_caret` (UTF-16 units) are what the browser shows after its edit.
#[must_use]
pub fn type_card_number(before: &Entry, raw: &str, raw_caret: usize) -> Typed {
    let limit = |digits: &str| usize::from(max_length(digits));
    match Edit::read(before, raw, raw_caret).settle(limit) {
        Some((digits, behind)) => {
            let places = gaps(network_of(&digits), digits.len());
            Typed {
                caret: behind
                    + places
                        .iter()
                        .filter(|place| usize::from(**place) < behind)
                        .count(),
                text: format_card_number(&digits),
                overflow: digits.len() > limit(&digits),
            }
        }
        None => unchanged(before, limit),
    }
}

/// Takes an edit of the expiry, shown as `MM / YY`.
///
/// A month's leading zero and the separator come where there is no doubt. A pasted date in any form that
/// [`crate::expiry::Expiry::parse_shape`] reads replaces what was there. Whoever writes out a year of four digits gets
/// the short one: the third digit of it pushes the century out.
#[must_use]
pub fn type_expiry(before: &Entry, raw: &str, raw_caret: usize) -> Typed {
    let edit = Edit::read(before, raw, raw_caret);
    let limit = |_: &str| EXPIRY_DIGITS;
    if let Some(digits) = edit.whole_date() {
        return show_expiry(&digits, digits.len());
    }
    if let Some(separated) = edit.separated_month() {
        return separated;
    }
    if let Some(digits) = edit.year_past_its_century() {
        return show_expiry(&digits, digits.len());
    }
    match edit.settle(limit) {
        Some((mut digits, mut behind)) => {
            if edit.begins_month()
                && digits.len() < EXPIRY_DIGITS
                && digits.starts_with(|first| first > '1')
            {
                digits.insert(0, '0');
                behind += 1;
            }
            show_expiry(&digits, behind)
        }
        None => unchanged(before, limit),
    }
}

/// Takes an edit of the security code: digits without gaps, `max` of them.
#[must_use]
pub fn type_security_code(before: &Entry, raw: &str, raw_caret: usize, max: u8) -> Typed {
    let limit = |_: &str| usize::from(max);
    match Edit::read(before, raw, raw_caret).settle(limit) {
        Some((text, caret)) => Typed {
            caret,
            overflow: text.len() > usize::from(max),
            text,
        },
        None => unchanged(before, limit),
    }
}

/// The digits of a card number with gaps where its network prints them; no gap at the end.
#[must_use]
pub fn format_card_number(digits: &str) -> String {
    let places = gaps(network_of(digits), digits.len());
    let mut text = String::with_capacity(digits.len() + places.len());
    for (place, digit) in digits.chars().enumerate() {
        if places.iter().any(|gap| usize::from(*gap) == place) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Whether a text holds a decimal digit of any script. An insertion without one changes nothing, so a field may refuse
/// it before it happens, which also keeps the selection.
#[must_use]
pub fn holds_digit(text: &str) -> bool {
    text.chars().any(|c| digit_value(c).is_some())
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Entry(…)")
    }
}

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Typed(…)")
    }
}

/// What the buyer did, told from the texts before and after.
struct Edit<'a> {
    before: &'a Entry,
    /// The text after the edit, in the form of [`plain`].
    text: Vec<u8>,
    /// Where the caret stands in it.
    caret: usize,
    change: Change,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// The selection gave way to so many characters before the caret: typed, pasted, or none at all.
    Inserted(usize),
    /// Without a selection, characters went, digits among them.
    Erased,
    /// Backspace took a gap only.
    ErasedGapBefore,
    /// Delete took a gap only.
    ErasedGapAfter,
    /// Anything else: a suggestion swapped in, autofill, undo.
    Replaced,
}

impl<'a> Edit<'a> {
    fn read(before: &'a Entry, raw: &str, raw_caret: usize) -> Self {
        let text = plain(raw);
        let mut units = 0;
        let caret = raw.chars().take_while(|c| {
            units += c.len_utf16();
            units <= raw_caret
        });
        let caret = caret.count();
        let change = Change::between(before, &text, caret);
        Self {
            before,
            text,
            caret,
            change,
        }
    }

    /// What came in at the caret.
    fn inserted(&self) -> Option<&[u8]> {
        match self.change {
            // The length was taken from this very text.
            Change::Inserted(length) => Some(&self.text[self.caret - length..self.caret]),
            _ => None,
        }
    }

    /// How many digits there are, and how many before the caret.
    fn counts(&self) -> (usize, usize) {
        (
            count_digits(&self.text),
            count_digits(&self.text[..self.caret]),
        )
    }

    /// How many digits there were.
    fn had(&self) -> usize {
        count_digits(self.before.text.as_bytes())
    }

    /// The digits after the edit and how many of them the caret stands behind; `None` where the edit changes nothing:
    /// no digit came in, or one too many was typed.
    fn settle(&self, limit: impl Fn(&str) -> usize) -> Option<(String, usize)> {
        let (count, mut behind) = self.counts();
        let had = self.had();
        let mut digits = digits_of(&self.text);
        let typed_one = match self.change {
            Change::Inserted(length) => {
                let inserted = count_digits(&self.text[self.caret - length..self.caret]);
                if inserted == 0 && length > 0 {
                    return None;
                }
                inserted == 1
            }
            Change::Replaced if count == 0 && self.text.contains(&STRAY) => return None,
            Change::Replaced => count == had + 1,
            Change::Erased => false,
            Change::ErasedGapBefore => {
                if behind > 0 {
                    behind -= 1;
                    digits.remove(behind);
                }
                false
            }
            Change::ErasedGapAfter => {
                if behind < count {
                    digits.remove(behind);
                }
                false
            }
        };
        let one_too_many = typed_one && count > had && count > limit(&digits);
        (!one_too_many).then_some((digits, behind))
    }

    /// The four digits of a whole date that was pasted or filled in.
    fn whole_date(&self) -> Option<String> {
        let text = match self.change {
            Change::Replaced if count_digits(&self.text) >= self.had() => self.text.as_slice(),
            _ => self.inserted()?,
        };
        if text.contains(&STRAY) || count_digits(text) < 3 {
            return None;
        }
        let text: String = text.iter().copied().map(char::from).collect();
        expiry::read(&text).map(expiry::Expiry::mmyy)
    }

    /// Answers a separator that was typed: it completes a month of one digit, and steps over the drawn separator.
    fn separated_month(&self) -> Option<Typed> {
        let inserted = self.inserted()?;
        if self.before.start != self.before.end
            || inserted.is_empty()
            || inserted.iter().any(|c| *c != SEPARATOR)
        {
            return None;
        }
        let mut digits = digits_of(&self.text);
        let behind = self.counts().1;
        if behind == 1 && digits.len() < EXPIRY_DIGITS && !digits.starts_with('0') {
            digits.insert(0, '0');
        } else if behind != 2 {
            return None;
        }
        Some(show_expiry(&digits, 2))
    }

    /// The month and the first digit of the short year, once a third digit shows that "20" was a century.
    fn year_past_its_century(&self) -> Option<String> {
        let mut digits = digits_of(&self.text);
        let at_end =
            self.inserted()?.len() == 1 && self.counts() == (EXPIRY_DIGITS + 1, EXPIRY_DIGITS + 1);
        if !at_end || &digits[2..EXPIRY_DIGITS] != "20" {
            return None;
        }
        digits.replace_range(2..EXPIRY_DIGITS, "");
        Some(digits)
    }

    /// Whether the first digit of all has just come in.
    fn begins_month(&self) -> bool {
        match self.inserted() {
            Some(inserted) => self.counts().1 == count_digits(inserted) && !inserted.is_empty(),
            None => self.change == Change::Replaced && self.had() == 0,
        }
    }
}

impl Change {
    fn between(before: &Entry, text: &[u8], caret: usize) -> Self {
        let old = plain(&before.text);
        let end = before.end.max(before.start).min(old.len());
        let start = before.start.min(before.end).min(end);
        let (head, tail) = text.split_at(caret);
        let (old_head, old_tail) = (&old[..start], &old[end..]);
        if tail == old_tail && head.starts_with(old_head) {
            return Self::Inserted(head.len() - old_head.len());
        }
        if start < end {
            return Self::Replaced;
        }
        if tail == old_tail && old_head.starts_with(head) {
            let gap_only = count_digits(&old_head[head.len()..]) == 0;
            if gap_only {
                Self::ErasedGapBefore
            } else {
                Self::Erased
            }
        } else if head == old_head && old_tail.ends_with(tail) {
            let gap_only = count_digits(&old_tail[..old_tail.len() - tail.len()]) == 0;
            if gap_only {
                Self::ErasedGapAfter
            } else {
                Self::Erased
            }
        } else {
            Self::Replaced
        }
    }
}

/// One byte for each character: plain digits, [`SEPARATOR`], [`STRAY`].
fn plain(text: &str) -> Vec<u8> {
    let byte = |c| match digit_value(c) {
        Some(value) => b'0' + value,
        None if expiry::is_separator(c) => SEPARATOR,
        None => STRAY,
    };
    text.chars().map(byte).collect()
}

fn digits_of(text: &[u8]) -> String {
    text.iter()
        .filter(|c| c.is_ascii_digit())
        .map(|c| char::from(*c))
        .collect()
}

fn count_digits(text: &[u8]) -> usize {
    text.iter().filter(|c| c.is_ascii_digit()).count()
}

fn show_expiry(digits: &str, behind: usize) -> Typed {
    let mut text = digits.to_owned();
    let mut caret = behind;
    if text.len() >= 2 {
        text.insert_str(2, DRAWN_SEPARATOR);
        if behind >= 2 {
            caret += DRAWN_SEPARATOR.len();
        }
    }
    Typed {
        text,
        caret,
        overflow: digits.len() > EXPIRY_DIGITS,
    }
}

fn unchanged(before: &Entry, limit: impl Fn(&str) -> usize) -> Typed {
    let digits = digits_of(before.text.as_bytes());
    Typed {
        caret: before.end.max(before.start).min(before.text.len()),
        overflow: digits.len() > limit(&digits),
        text: before.text.clone(),
    }
}

const EXPIRY_DIGITS: usize = 4;

const DRAWN_SEPARATOR: &str = " / ";

/// Stands for every separator.
const SEPARATOR: u8 = b' ';

/// Stands for every character that is neither digit nor separator.
const STRAY: u8 = b'x';

#[cfg(test)]
mod tests;
