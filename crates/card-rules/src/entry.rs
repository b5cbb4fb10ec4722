//! Typing: what a field shows, and where its caret stands, after the buyer's edit.
//!
//! Each `type_…` function is pure. It takes the field as it was before the edit, and the browser's own result of the
//! edit (text and caret); it returns what the field has to show. It never looks at keys, so hardware keyboards,
//! on-screen keyboards that compose, pasting, dropping and autofill all work in the same way.
//!
//! The digits are the value; the gaps are only drawn. The caret is behind a digit, and stays
//! behind that digit when gaps move. Formatted texts are ASCII, so offsets into them count characters.
//!
//! No digit is lost. A further key at the end of a full field does nothing, because it is a mistake. Elsewhere
//! a surplus digit of a card number is kept, and the field says that the number is too long; in an expiry or a
//! security code it replaces the digit behind the caret.

use crate::digit::{SEPARATOR, STRAY, count_digits, digit_value, plain};
use crate::expiry;
use crate::network::{gaps, max_length, network_of};
use core::fmt;
use zeroize::{Zeroize, Zeroizing};

/// A field before the edit: its formatted text and its selection (`start == end` is a caret). Wiped when dropped.
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
    /// More digits than can ever be right. None was cut off; the field has to say so.
    pub overflow: bool,
}

/// Takes an edit of the card number. `raw` and `raw_caret` (UTF-16 units) are what the browser shows after its edit.
#[must_use]
pub fn type_card_number(before: &Entry, raw: &str, raw_caret: usize) -> Typed {
    let edit = Edit::read(before, raw, raw_caret);
    let limit = usize::from(max_length(&edit.digits));
    if edit.changes_nothing(limit) {
        // The first gap stands behind the digits that decide the network.
        return edit.undone(usize::from(max_length(&before.text)));
    }
    let places = gaps(network_of(&edit.digits), edit.digits.len());
    show(
        &edit.digits,
        edit.behind,
        places,
        &CARD_NUMBER_SEPARATOR,
        limit,
    )
}

/// Takes an edit of the expiry, shown as `MM / YY`.
///
/// A month's leading zero and the separator are added as soon as they are certain: 13 to 19 are January and the first digit of a
/// year. A pasted date in any form that [`crate::expiry::Expiry::parse_shape`] reads replaces the content. A year that is
/// typed with four digits becomes the short one: its third digit removes the century. A year that is typed
/// first (`2030-12`) is shown as `02 / 03` on the way; the next digit shows that this is no month, and the year is shown first
/// until the month is typed.
#[must_use]
pub fn type_expiry(before: &Entry, raw: &str, raw_caret: usize) -> Typed {
    let edit = Edit::read(before, raw, raw_caret);
    let shown = |digits: &str, behind| show(digits, behind, &[2], &EXPIRY_SEPARATOR, EXPIRY_DIGITS);
    if let Some(digits) = edit.whole_date().or_else(|| edit.year_past_its_century()) {
        return shown(&digits, digits.len());
    }
    if let Some(typed) = edit.year_first() {
        return typed;
    }
    if let Some(mut digits) = edit.overwritten(EXPIRY_DIGITS) {
        let mut behind = edit.behind;
        if behind == 1 && digits.starts_with(|first| first > '1') {
            // The whole month is replaced.
            digits.remove(1);
            digits.insert(0, '0');
            behind = 2;
        }
        return shown(&digits, behind);
    }
    let (digits, behind) = (&edit.digits, edit.behind);
    let room = digits.len() < EXPIRY_DIGITS;
    let separated = edit.is_separator_typed();
    if separated && behind == 2 {
        return shown(digits, behind);
    }
    let month_is_certain = if separated {
        behind == 1 && !digits.starts_with('0')
    } else {
        edit.begins_month() && digits.starts_with(|first| first > '1') || edit.is_january_and_year()
    };
    if month_is_certain && room {
        let mut padded = String::from("0");
        padded.push_str(digits);
        return shown(&padded, behind + 1);
    }
    if edit.changes_nothing(EXPIRY_DIGITS) {
        edit.undone(EXPIRY_DIGITS)
    } else {
        shown(digits, behind)
    }
}

/// Takes an edit of the security code: digits without gaps, `max` of them.
#[must_use]
pub fn type_security_code(before: &Entry, raw: &str, raw_caret: usize, max: u8) -> Typed {
    let edit = Edit::read(before, raw, raw_caret);
    let limit = usize::from(max);
    if edit.changes_nothing(limit) {
        return edit.undone(limit);
    }
    let overwritten = edit.overwritten(limit);
    let digits = overwritten.as_ref().unwrap_or(&edit.digits);
    show(digits, edit.behind, &[], &CARD_NUMBER_SEPARATOR, limit)
}

/// The digits of a card number with gaps where its network prints them; no gap at the end.
#[must_use]
pub fn format_card_number(digits: &str) -> String {
    show(
        digits,
        0,
        gaps(network_of(digits), digits.len()),
        &CARD_NUMBER_SEPARATOR,
        0,
    )
    .text
}

/// Whether a text holds a decimal digit of any script. An insertion without one changes nothing, so a field may refuse
/// it before it happens, which also keeps the selection.
#[must_use]
pub fn holds_digit(text: &str) -> bool {
    text.chars().any(|c| digit_value(c).is_some())
}

/// Whether a text can change an expiry: it holds a digit, or is nothing but separators, which may end a month of one digit.
#[must_use]
pub fn may_change_expiry(text: &str) -> bool {
    holds_digit(text) || plain(text).iter().all(|c| *c == SEPARATOR)
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.text.zeroize();
    }
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
    /// The text after the edit, as it is.
    raw: &'a str,
    /// The text after the edit, in the form of [`plain`].
    text: Zeroizing<Vec<u8>>,
    /// Where the caret stands in it.
    caret: usize,
    change: Change,
    /// The digits after the edit, and how many of them the caret stands behind.
    digits: String,
    behind: usize,
    /// How many digits there were before, and how many of the present ones came in at the caret.
    had: usize,
    came: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// The selection was replaced by this number of characters before the caret: typed, pasted, or none at all.
    Inserted(usize),
    /// Without a selection, characters before the caret were deleted.
    ErasedBefore,
    /// Without a selection, characters after the caret were deleted.
    ErasedAfter,
    /// Anything else: a suggestion swapped in, autofill, undo.
    Replaced,
}

impl<'a> Edit<'a> {
    fn read(before: &'a Entry, raw: &'a str, raw_caret: usize) -> Self {
        let (old, text) = (plain(&before.text), plain(raw));
        let mut units = 0;
        let before_caret = raw.chars().take_while(|c| {
            units += c.len_utf16();
            units <= raw_caret
        });
        let caret = before_caret.count();
        let end = before.end.max(before.start).min(old.len());
        let start = before.start.min(before.end).min(end);
        let change = Change::between(&old, start, end, &text, caret);

        let (had, count) = (
            count_digits(&old, old.len()),
            count_digits(&text, text.len()),
        );
        let mut behind = count_digits(&text, caret);
        let came = match change {
            Change::Inserted(_) => behind - count_digits(&text, start),
            Change::Replaced => count.saturating_sub(had),
            _ => 0,
        };
        // Only a gap was deleted: the digit beyond it was meant.
        let mut lost = usize::MAX;
        if count == had {
            match change {
                Change::ErasedBefore => {
                    behind = behind.saturating_sub(1);
                    lost = behind;
                }
                Change::ErasedAfter => lost = behind,
                _ => {}
            }
        }
        let digits = text.iter().filter(|c| c.is_ascii_digit()).enumerate();
        let digits = digits
            .filter(|(place, _)| *place != lost)
            .map(|(_, digit)| char::from(*digit))
            .collect();
        Self {
            before,
            raw,
            text,
            caret,
            change,
            digits,
            behind,
            had,
            came,
        }
    }

    /// Whether the field stays as it was: text without a digit came in, or at the end a single digit more than `limit`
    /// allows.
    fn changes_nothing(&self, limit: usize) -> bool {
        let count = self.digits.len();
        let void = match self.change {
            Change::Inserted(length) => length > 0 && self.came == 0,
            Change::Replaced => count == 0 && self.text.contains(&STRAY),
            _ => false,
        };
        void || (self.is_one_too_many(limit) && self.behind == count)
    }

    /// Whether a single digit came in, and is one more than `limit` allows.
    fn is_one_too_many(&self, limit: usize) -> bool {
        let count = self.digits.len();
        self.came == 1 && count > self.had && count > limit
    }

    /// The digits, with a surplus digit in front of others replacing the digit behind it.
    fn overwritten(&self, limit: usize) -> Option<String> {
        let came_in_front = matches!(self.change, Change::Inserted(_))
            && self.is_one_too_many(limit)
            && self.behind < self.digits.len();
        came_in_front.then(|| {
            let mut digits = self.digits.clone();
            digits.remove(self.behind);
            digits
        })
    }

    /// The field as it was before.
    fn undone(&self, limit: usize) -> Typed {
        let Entry { text, start, end } = self.before;
        Typed {
            text: text.clone(),
            caret: *start.max(end).min(&text.len()),
            overflow: self.had > limit,
        }
    }

    /// What came in at the caret.
    fn inserted(&self) -> &[u8] {
        match self.change {
            Change::Inserted(length) => self
                .text
                .get(self.caret - length..self.caret)
                .unwrap_or_default(),
            _ => &[],
        }
    }

    /// The four digits of a whole date that was pasted or filled in.
    fn whole_date(&self) -> Option<String> {
        let text = match self.change {
            Change::Replaced if self.digits.len() >= self.had => self.raw,
            // A text that was filled in, however short, has no separator of ours.
            Change::Replaced if !self.has_expiry_separator() => self.raw,
            Change::Inserted(length) => {
                let place = |chars: usize| {
                    let (place, _) = self.raw.char_indices().nth(chars)?;
                    Some(place)
                };
                let end = place(self.caret).unwrap_or(self.raw.len());
                place(self.caret - length).map_or("", |start| &self.raw[start..end])
            }
            _ => "",
        };
        // Beside other digits, three digits are more likely a part of a date.
        if self.change == Change::Inserted(3) && self.came == 3 && self.digits.len() > 3 {
            return None;
        }
        expiry::read(text).map(expiry::Expiry::mmyy)
    }

    /// Byte by byte, because the library's search for a text is long.
    fn has_expiry_separator(&self) -> bool {
        let separator = EXPIRY_SEPARATOR.text.as_bytes();
        let mut places = self.raw.as_bytes().windows(separator.len());
        places.any(|place| place == separator)
    }

    /// Whether separators, and nothing else, came in at a caret.
    fn is_separator_typed(&self) -> bool {
        let inserted = self.inserted();
        self.before.start == self.before.end
            && !inserted.is_empty()
            && inserted.iter().all(|c| *c == SEPARATOR)
    }

    /// The month and the first digit of the short year, once a third digit shows that "20" was a century.
    fn year_past_its_century(&self) -> Option<String> {
        match *self.digits.as_bytes() {
            [tens, ones, b'2', b'0', year]
                if self.change == Change::Inserted(1) && self.behind == EXPIRY_DIGITS + 1 =>
            {
                Some([tens, ones, year].into_iter().map(char::from).collect())
            }
            _ => None,
        }
    }

    /// The field of a buyer who types the year first: `2030 / 1`, and the usual form once the month is there.
    fn year_first(&self) -> Option<Typed> {
        let digits = self.digits.as_str();
        let year_stands_first = |digits: &str, behind| {
            let longest = EXPIRY_DIGITS + 2;
            Some(show(digits, behind, &[4], &EXPIRY_SEPARATOR, longest))
        };
        if self.before.text.find('/') != Some("2030 ".len()) {
            // No possible expiry year begins with 03.
            return match *digits.as_bytes() {
                [b'0', b'2', b'0', b'2'..=b'9', _]
                    if self.change == Change::Inserted(1) && self.behind == digits.len() =>
                {
                    year_stands_first(&digits[1..], EXPIRY_DIGITS)
                }
                _ => None,
            };
        }
        if self.changes_nothing(EXPIRY_DIGITS + 2) {
            return Some(self.undone(EXPIRY_DIGITS + 2));
        }
        if digits.len() < EXPIRY_DIGITS {
            // Back to the text before the digits became a year.
            let is_rest_of_year = digits.starts_with('2') && self.behind == digits.len();
            return is_rest_of_year.then(|| {
                let month_first = ["0", digits].concat();
                show(
                    &month_first,
                    month_first.len(),
                    &[2],
                    &EXPIRY_SEPARATOR,
                    EXPIRY_DIGITS,
                )
            });
        }
        let (year, month) = digits.split_at(EXPIRY_DIGITS);
        if !year.starts_with("20") || month.len() > 2 {
            return None;
        }
        if matches!(month, "" | "0" | "1") {
            return year_stands_first(digits, self.behind);
        }
        let zero = if month.len() < 2 { "0" } else { "" };
        let usual = [zero, month, &year[2..]].concat();
        Some(show(
            &usual,
            EXPIRY_DIGITS,
            &[2],
            &EXPIRY_SEPARATOR,
            EXPIRY_DIGITS,
        ))
    }

    /// Whether the digits that have just come in end in 13 to 19, of which only the first can be of a month.
    fn is_january_and_year(&self) -> bool {
        matches!(self.change, Change::Inserted(_))
            && self.came > 0
            && self.behind == 2
            && matches!(*self.digits.as_bytes(), [b'1', b'3'..=b'9'])
    }

    /// Whether the first digit of all has just come in.
    fn begins_month(&self) -> bool {
        match self.change {
            Change::Inserted(_) => self.came > 0 && self.came == self.behind,
            Change::Replaced => self.had == 0,
            _ => false,
        }
    }
}

impl Change {
    /// How `old`, with `start..end` selected, became `text` with its caret there; all in the form of [`plain`].
    fn between(old: &[u8], start: usize, end: usize, text: &[u8], caret: usize) -> Self {
        let same_head = old.iter().zip(text).take_while(|(a, b)| a == b).count();
        let same_tail = old
            .iter()
            .rev()
            .zip(text.iter().rev())
            .take_while(|(a, b)| a == b)
            .count();
        let (old_tail, tail) = (old.len() - end, text.len() - caret);
        let tail_stayed = tail == old_tail && same_tail >= tail;
        if tail_stayed && caret >= start && same_head >= start {
            Self::Inserted(caret - start)
        } else if start < end || same_head < caret {
            Self::Replaced
        } else if tail_stayed {
            Self::ErasedBefore
        } else if caret == start && tail < old_tail && same_tail >= tail {
            Self::ErasedAfter
        } else {
            Self::Replaced
        }
    }
}

/// Something drawn between digits.
struct Separator {
    text: &'static str,
    /// Whether it is drawn as soon as the digits before it are there, with the caret behind it.
    eager: bool,
}

/// Draws digits with gaps after so many of them as `places` says, and the caret behind its digit.
fn show(digits: &str, behind: usize, places: &[u8], gap: &Separator, limit: usize) -> Typed {
    let gap_at = |place: usize| places.iter().any(|gap| usize::from(*gap) == place);
    let mut text = String::with_capacity(digits.len() + places.len() * gap.text.len());
    let mut caret = 0;
    let mut place = 0;
    for digit in digits.chars() {
        if gap_at(place) {
            text.push_str(gap.text);
        }
        text.push(digit);
        place += 1;
        if place == behind {
            caret = text.len();
        }
    }
    if gap.eager {
        if gap_at(place) {
            text.push_str(gap.text);
        }
        if gap_at(behind) {
            caret += gap.text.len();
        }
    }
    Typed {
        text,
        caret,
        overflow: place > limit,
    }
}

const CARD_NUMBER_SEPARATOR: Separator = Separator {
    text: " ",
    eager: false,
};

const EXPIRY_SEPARATOR: Separator = Separator {
    text: " / ",
    eager: true,
};

const EXPIRY_DIGITS: usize = 4;

#[cfg(test)]
mod tests;
