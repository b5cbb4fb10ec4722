//! Reads a month and a year in any of the forms that the module above lists.

use super::{Expiry, days_in};
use crate::digit::{SEPARATOR, STRAY, plain};
use zeroize::Zeroizing;

/// A whole month and year in any of the forms, whether or not the month exists.
pub(crate) fn read(text: &str) -> Option<Expiry> {
    let plain = plain_date(text);
    let groups = digit_groups(&plain)?;
    let [first, second, third] = &groups;
    if let Some(month) = named_month(text) {
        let year = match (first.len, second.len) {
            (2, 0) => 2000 + first.value,
            (4, 0) => first.value,
            _ => return None,
        };
        return Some(Expiry {
            year: year as u16,
            month,
        });
    }
    if plain.contains(&STRAY) {
        return None;
    }
    let (month, year) = match (first.len, second.len, third.len) {
        // 123 may be the beginning of 12/3…, 012 that of 01/2….
        (3, 0, 0) if first.value >= 130 => (first.value / 100, 2000 + first.value % 100),
        (4, 0, 0) => (first.value / 100, 2000 + first.value % 100),
        // No month begins with 2, and every year in question does.
        (6, 0, 0) if first.value / 100_000 == 2 => (first.value % 100, first.value / 100),
        (6, 0, 0) => (first.value / 10_000, first.value % 10_000),
        (1 | 2, 2, 0) => (first.value, 2000 + second.value),
        (1 | 2, 4, 0) => (first.value, second.value),
        (4, 1 | 2, 0) => (second.value, first.value),
        (4, 1 | 2, 1 | 2) if is_day(third.value, second.value, first.value) => {
            (second.value, first.value)
        }
        (1 | 2, 1 | 2, 4) => (month_beside_day(&groups)?, third.value),
        _ => return None,
    };
    Some(Expiry {
        year: year as u16,
        month: month as u8,
    })
}

/// The month of a date whose year comes last: `None` where the date exists in neither order, or in both with different
/// months.
fn month_beside_day([first, second, third]: &[Group; 3]) -> Option<u32> {
    let of = |day: &Group, month: &Group| {
        is_day(day.value, month.value, third.value).then_some(month.value)
    };
    match (of(first, second), of(second, first)) {
        (Some(month), Some(other)) => (month == other).then_some(month),
        (month, other) => month.or(other),
    }
}

fn is_day(day: u32, month: u32, year: u32) -> bool {
    (1..=12).contains(&month) && (1..=u32::from(days_in(year as u16, month as u8))).contains(&day)
}

/// The month of the one word that there is, by the letters that it begins with.
fn named_month(text: &str) -> Option<u8> {
    let mut words = text
        .split(|c: char| !is_latin(c))
        .filter(|word| !word.is_empty());
    let word: String = words.next()?.chars().map(lower).collect();
    if words.next().is_some() {
        return None;
    }
    let month = MONTHS.iter().position(|names| {
        names
            .split(' ')
            .any(|beginning| word.starts_with(beginning))
    })?;
    Some(month as u8 + 1)
}

/// A letter of the names below. The standard library knows all scripts, by tables that every buyer would download.
fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '\u{c0}'..='\u{24f}')
}

/// The small letter of a Latin one, as far as names of months need it.
fn lower(c: char) -> char {
    match c {
        '\u{c0}'..='\u{de}' => char::from(c as u8 + 0x20),
        _ => c.to_ascii_lowercase(),
    }
}

/// How the names of the months begin, in English, French, German, Italian, Portuguese and Spanish. No beginning is one of
/// another month in any of them.
const MONTHS: [&str; 12] = [
    "jan gen ene",
    "feb fev fév",
    "mar mär mrz",
    "apr avr abr",
    "may mai mag",
    "jun juin giu",
    "jul juil lug",
    "aug aou aoû ago",
    "sep set",
    "oct okt ott out",
    "nov",
    "dec déc dez dic",
];

/// [`plain`] with the signs that stand behind year, month and day in Chinese, Japanese and Korean as separators.
pub(super) fn plain_date(text: &str) -> Zeroizing<Vec<u8>> {
    let mut bytes = plain(text);
    for (byte, c) in bytes.iter_mut().zip(text.chars()) {
        if matches!(c, '年' | '月' | '日' | '년' | '월' | '일') {
            *byte = SEPARATOR;
        }
    }
    bytes
}

/// Whether the two digits in the month's place are no month, whatever follows.
pub(super) fn begins_with_wrong_month(text: &[u8]) -> bool {
    !text.contains(&STRAY)
        && digit_groups(text).is_some_and(|[first, _, third]| {
            first.len == 2 && third.len == 0 && !(1..=12).contains(&first.value)
        })
}

/// A run of digits; one without digits is absent.
#[derive(Clone, Copy, Default)]
struct Group {
    value: u32,
    len: u8,
}

/// At most three runs of at most six digits; `None` for anything else.
fn digit_groups(text: &[u8]) -> Option<[Group; 3]> {
    let mut groups = [Group::default(); 3];
    let mut count = 0_usize;
    let mut in_group = false;
    for c in text {
        let is_digit = c.is_ascii_digit();
        if is_digit {
            count += usize::from(!in_group);
            let group = groups.get_mut(count - 1)?;
            group.len += 1;
            if group.len > 6 {
                return None;
            }
            group.value = group.value * 10 + u32::from(c - b'0');
        }
        in_group = is_digit;
    }
    Some(groups)
}
