//! The month until which a card is good, and the plain calendar date that it is held against.
//!
//! The day is a parameter: cards are good until their month's last moment in the last time zone, so callers pass the
//! date that it is in UTC−12, and the gateway's date rather than the device's where they know it.
//!
//! An expiry is read as people write it. Separators are blanks, dashes, dots, slashes and the signs for year, month and
//! day of Chinese, Japanese and Korean. These are all the forms; what fits none of them, or two that differ, is not
//! guessed at:
//!
//! | Digits, in groups | Example | Read as |
//! |---|---|---|
//! | 1–2, 2 or 4 | `5/28`, `05-2028` | month, year |
//! | 4, 1–2 | `2028-05`, `2028年5月` | year, month |
//! | 4, 1–2, 1–2 | `2030-12-31` | year, month, day (ISO 8601) |
//! | 1–2, 1–2, 4 | `31.12.2030`, `12/31/2030` | day and month in the order in which the date exists; `05/06/2030` exists in both and is not read |
//! | 3 | `130` | month of one digit, year; not `123`, which may be the beginning of `12/3…`, and not `012` |
//! | 4 | `0528` | month, year |
//! | 6 | `202805`, `052028` | year first where it begins with 2, for no month does |
//! | 2 or 4, beside a month's name | `Dec 2030`, `2030 dez.` | that month; names in English, French, German, Italian, Portuguese, Spanish |
//!
//! Short years are those of 2000 to 2099.

use crate::digit::{SEPARATOR, STRAY, plain};
use core::fmt;
use zeroize::Zeroizing;

/// A calendar date, without a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// Four digits.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Date {
    /// Reads `YYYY-MM-DD`; `None` for another form or a day that does not exist.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
            return None;
        }
        let year = number(&bytes[..4])?;
        let month = number(&bytes[5..7])? as u8;
        let day = number(&bytes[8..])? as u8;
        ((1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day)).then_some(Self {
            year,
            month,
            day,
        })
    }
}

/// A month of a year in which a card ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Expiry {
    year: u16,
    month: u8,
}

/// Why a text is not a good expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpiryError {
    /// No digit at all.
    Empty,
    /// Not a month and a year.
    Incomplete,
    /// A month that does not exist.
    Month,
    /// The month is over.
    Past,
    /// More than 20 years ahead.
    TooFar,
}

impl Expiry {
    /// Reads an expiry and holds it against the date `today`: good to the end of its month, at most 20 years ahead.
    ///
    /// # Errors
    /// Empty, a wrong month, anything else unreadable, over, too far ahead: in this order.
    pub fn parse(text: &str, today: Date) -> Result<Self, ExpiryError> {
        let expiry = Self::parse_shape(text)?;
        let months = |year: u16, month: u8| u32::from(year) * 12 + u32::from(month);
        let (end, now) = (
            months(expiry.year, expiry.month),
            months(today.year, today.month),
        );
        if end < now {
            Err(ExpiryError::Past)
        } else if end > now + 12 * 20 {
            Err(ExpiryError::TooFar)
        } else {
            Ok(expiry)
        }
    }

    /// Reads an expiry without asking the calendar, in any of the forms of the module's text.
    ///
    /// # Errors
    /// [`ExpiryError::Empty`], [`ExpiryError::Month`] or [`ExpiryError::Incomplete`].
    pub fn parse_shape(text: &str) -> Result<Self, ExpiryError> {
        let written = read(text);
        let text = plain_date(text);
        match written {
            Some(written) if (1..=12).contains(&written.month) => Ok(written),
            Some(_) => Err(ExpiryError::Month),
            None if !text.iter().any(u8::is_ascii_digit) => Err(ExpiryError::Empty),
            None if begins_with_wrong_month(&text) => Err(ExpiryError::Month),
            None => Err(ExpiryError::Incomplete),
        }
    }

    /// The month, 1 to 12.
    #[must_use]
    pub fn month(self) -> u8 {
        self.month
    }

    /// The year, four digits.
    #[must_use]
    pub fn year(self) -> u16 {
        self.year
    }

    /// `MMYY`, as the wire has it.
    #[must_use]
    pub fn mmyy(self) -> String {
        let mut text = String::with_capacity(4);
        push_two(&mut text, self.month);
        push_two(&mut text, (self.year % 100) as u8);
        text
    }

    /// `YYYYMM`, as operations show it.
    #[must_use]
    pub fn yyyymm(self) -> String {
        let mut text = String::with_capacity(6);
        push_two(&mut text, (self.year / 100) as u8);
        push_two(&mut text, (self.year % 100) as u8);
        push_two(&mut text, self.month);
        text
    }

    /// The last day on which the card is good.
    #[must_use]
    pub fn last_day(self) -> Date {
        Date {
            year: self.year,
            month: self.month,
            day: days_in(self.year, self.month),
        }
    }
}

impl fmt::Debug for Expiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Expiry(…)")
    }
}

impl ExpiryError {
    /// Stable code of the cause.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "expiry_empty",
            Self::Incomplete => "expiry_incomplete",
            Self::Month => "expiry_month",
            Self::Past => "expiry_past",
            Self::TooFar => "expiry_too_far",
        }
    }
}

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
        // No month begins with 2, no year in question with anything else.
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
fn plain_date(text: &str) -> Zeroizing<Vec<u8>> {
    let mut bytes = plain(text);
    for (byte, c) in bytes.iter_mut().zip(text.chars()) {
        if matches!(c, '年' | '月' | '日' | '년' | '월' | '일') {
            *byte = SEPARATOR;
        }
    }
    bytes
}

/// Two digits in the month's place that are no month, whatever follows.
fn begins_with_wrong_month(text: &[u8]) -> bool {
    !text.contains(&STRAY)
        && digit_groups(text).is_some_and(|[first, _, third]| {
            first.len == 2 && third.len == 0 && !(1..=12).contains(&first.value)
        })
}

/// A run of digits; without any, there is none.
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

fn push_two(text: &mut String, value: u8) {
    text.push(char::from(b'0' + value / 10 % 10));
    text.push(char::from(b'0' + value % 10));
}

fn number(bytes: &[u8]) -> Option<u16> {
    bytes.iter().try_fold(0, |sum, byte| {
        byte.is_ascii_digit()
            .then(|| sum * 10 + u16::from(byte - b'0'))
    })
}

fn days_in(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ExpiryError as P;
    use proptest::prelude::*;

    fn check(text: &str, expected: Result<(u8, u16), P>) {
        let parsed = Expiry::parse_shape(text).map(|expiry| (expiry.month(), expiry.year()));
        assert_eq!(parsed, expected, "{text:?}");
    }

    /// C3: long years, other separators, the year first.
    /// F5: the expiry in any common form.
    #[test]
    fn forms_that_people_and_password_managers_use() {
        for text in [
            "0528",
            "05/28",
            "05 / 28",
            "5/28",
            "05-28",
            "05.28",
            "05 28",
            "05/2028",
            "5/2028",
            "052028",
            "2028-05",
            "2028-5",
            "2028/05",
            "202805",
            " 05/28\n",
            "٠٥/٢٨",
            "０５／２８",
            "05 \u{2013} 28",
            "05\u{2044}28",
        ] {
            check(text, Ok((5, 2028)));
        }
        check("12/00", Ok((12, 2000)));
        check("1299", Ok((12, 2099)));
        check("201212", Ok((12, 2012)));
        check("122012", Ok((12, 2012)));
    }

    /// C3: a day, a month's name, the signs of Chinese, Japanese and Korean, a month of one digit.
    #[test]
    fn forms_with_a_day_a_name_or_signs() {
        for text in [
            "2030-12-31",
            "2030/12/1",
            "31.12.2030",
            "12/31/2030",
            "12.12.2030",
            "Dec 2030",
            "dec-30",
            "DECEMBER 2030",
            "2030 Dec.",
            "30-dez",
            "décembre 2030",
            "dic. 30",
            "2030年12月",
            "2030年12月31日",
            "２０３０年１２月",
            "2030년 12월",
        ] {
            check(text, Ok((12, 2030)));
        }
        check("130", Ok((1, 2030)));
        check("930", Ok((9, 2030)));
        check("2030年1月", Ok((1, 2030)));
        for (text, month) in [
            ("Jan 30", 1),
            ("mrz 30", 3),
            ("März 30", 3),
            ("mai 30", 5),
            ("juin 30", 6),
            ("juillet 30", 7),
            ("août 30", 8),
            ("Sept 30", 9),
            ("ottobre 30", 10),
        ] {
            check(text, Ok((month, 2030)));
        }
    }

    /// C3: where the month can be meant otherwise nothing is guessed.
    #[test]
    fn what_can_be_meant_otherwise_is_not_guessed() {
        for text in [
            "05/06/2030",
            "12/31/30",
            "30-12-31",
            "110",
            "129",
            "2030-12-32",
            "2030-02-30",
            "31.11.2030",
            "jui 30",
            "Dec",
            "Dec 3",
            "Dec 12 2030",
            "Dec Jan 30",
            "soon 30",
            "12/2030/31",
            "1-2-3-4",
        ] {
            check(
                text,
                Err(if text == "Dec" {
                    P::Empty
                } else {
                    P::Incomplete
                }),
            );
        }
    }

    /// C4: a month that does not exist is a cause of its own.
    #[test]
    fn what_is_missing_or_wrong() {
        for text in ["", " ", "/", " / ", "soon"] {
            check(text, Err(P::Empty));
        }
        for text in [
            "1",
            "0",
            "12",
            "12 / ",
            "12 / 3",
            "123",
            "12345",
            "12/345",
            "1234567",
            "5/2",
            "1/2/2028",
            "12/2028x",
            "ab12",
            "00000000000000000000",
        ] {
            check(text, Err(P::Incomplete));
        }
        for text in [
            "00", "13", "13 / ", "13 / 2", "00 / 28", "13/28", "1328", "99/2028", "2028-13",
            "2028-00", "202813", "0/28", "13/345", "99 99999",
        ] {
            check(text, Err(P::Month));
        }
    }

    fn check_on(today: &str, text: &str, expected: Result<(), P>) {
        let today = Date::parse(today).unwrap();
        assert_eq!(
            Expiry::parse(text, today).map(|_| ()),
            expected,
            "{text} on {today:?}"
        );
    }

    /// C5: good until the month's last day, expired after it.
    /// C7: the date is given, and no clock of the device is asked.
    #[test]
    fn good_to_the_end_of_the_month() {
        check_on("2026-11-01", "11/26", Ok(()));
        check_on("2026-11-30", "11/26", Ok(()));
        check_on("2026-12-01", "11/26", Err(P::Past));
        check_on("2026-12-31", "11/26", Err(P::Past));
        check_on("2026-12-31", "01/27", Ok(()));
        check_on("2027-01-01", "12/26", Err(P::Past));
        check_on("2026-11-20", "11/16", Err(P::Past));
        check_on("2026-11-20", "12/1999", Err(P::Past));
    }

    /// C6: a year beyond the horizon is a cause of its own.
    #[test]
    fn at_most_twenty_years_ahead() {
        check_on("2026-11-20", "11/46", Ok(()));
        check_on("2026-11-20", "12/46", Err(P::TooFar));
        check_on("2026-11-20", "10/2046", Ok(()));
        check_on("2026-11-20", "01/99", Err(P::TooFar));
        check_on("2026-11-20", "01/9999", Err(P::TooFar));
    }

    #[test]
    fn the_form_is_judged_before_the_calendar() {
        check_on("2026-11-20", "", Err(P::Empty));
        check_on("2026-11-20", "13/16", Err(P::Month));
        check_on("2026-11-20", "12/1", Err(P::Incomplete));
    }

    #[test]
    fn written_as_the_wire_has_it() {
        let Ok(expiry) = Expiry::parse_shape("2/2030") else {
            panic!("a month and a year")
        };
        assert_eq!(
            (expiry.mmyy().as_str(), expiry.yyyymm().as_str()),
            ("0230", "203002")
        );
        assert_eq!(format!("{expiry:?}"), "Expiry(…)");
    }

    #[test]
    fn last_days() {
        for (text, expected) in [
            ("02/2028", "2028-02-29"),
            ("02/2026", "2026-02-28"),
            ("02/2100", "2100-02-28"),
            ("02/2000", "2000-02-29"),
            ("04/2026", "2026-04-30"),
            ("12/2026", "2026-12-31"),
        ] {
            assert_eq!(
                Expiry::parse_shape(text).ok().map(Expiry::last_day),
                Date::parse(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn dates() {
        assert_eq!(
            Date::parse("2026-11-20"),
            Some(Date {
                year: 2026,
                month: 11,
                day: 20
            })
        );
        assert!(Date::parse("2028-02-29").is_some());
        for text in [
            "",
            "2026-02-29",
            "2026-00-10",
            "2026-13-10",
            "2026-01-00",
            "2026-04-31",
            "2026-1-1",
            "2026/01/01",
            "2026-01-01T",
            "+026-01-01",
            "２０２６",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert!(Date::parse("2026-11-20") < Date::parse("2026-12-01"));
    }

    /// D7: the codes of an expiry.
    #[test]
    fn codes_are_stable() {
        let codes = [P::Empty, P::Incomplete, P::Month, P::Past, P::TooFar].map(ExpiryError::code);
        assert_eq!(
            codes,
            [
                "expiry_empty",
                "expiry_incomplete",
                "expiry_month",
                "expiry_past",
                "expiry_too_far"
            ]
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(month in 1_u8..=12, year in 2000_u16..=2099) {
            let expiry = Expiry { month, year };
            let short = format!("{month:02} / {:02}", year - 2000);
            let long = format!("{month}/{year}");
            let names = ["Jan", "feb", "MARCH", "avril", "mai", "giugno", "juillet", "ago", "sept", "okt", "Nov.", "dez"];
            let name = names[usize::from(month) - 1];
            let with_day = format!("{year}-{month:02}-{:02}", expiry.last_day().day);
            let named = [format!("{name} {year}"), format!("{name}-{:02}", year - 2000), format!("{year}年{month}月")];
            for text in [expiry.mmyy(), expiry.yyyymm(), short, long, with_day].into_iter().chain(named) {
                prop_assert_eq!(Expiry::parse_shape(&text).map(|read| (read.month, read.year)), Ok((month, year)));
            }
        }

        /// C3: a date is read only where each order in which it exists gives the same month.
        #[test]
        fn a_day_beside_a_month_is_never_guessed(first in 1_u32..=31, second in 1_u32..=31, year in 2000_u32..=2099) {
            let months: Vec<u32> = [(first, second), (second, first)]
                .into_iter()
                .filter(|(day, month)| Date::parse(&format!("{year}-{month:02}-{day:02}")).is_some())
                .map(|(_, month)| month)
                .collect();
            let expected = months.first().copied().filter(|month| months.iter().all(|other| other == month));
            let read = Expiry::parse_shape(&format!("{first}/{second}/{year}")).ok();
            prop_assert_eq!(read.map(|expiry| u32::from(expiry.month())), expected);
        }

        #[test]
        fn the_calendar_agrees_with_the_last_day(month in 1_u8..=12, year in 2000_u16..=2099, day in 1_u8..=31, this_month in 1_u8..=12, this_year in 2000_u16..=2099) {
            let expiry = Expiry { month, year };
            let today = Date { year: this_year, month: this_month, day };
            let over = Expiry::parse(&expiry.yyyymm(), today).err() == Some(P::Past);
            prop_assert_eq!(over, today > Date { day: 31, ..expiry.last_day() });
        }

        #[test]
        fn any_text_has_an_answer(text in any::<String>(), dates in "[0-9/ -]{0,12}") {
            let today = Date { year: 2026, month: 11, day: 20 };
            let _ = Expiry::parse(&text, today);
            let _ = Date::parse(&text);
            if let Ok(expiry) = Expiry::parse_shape(&dates) {
                prop_assert!((1..=12).contains(&expiry.month()));
            }
        }
    }
}
