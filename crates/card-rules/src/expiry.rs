//! The month until which a card is valid, and the plain calendar date that it is compared with.
//!
//! Today's date is a parameter. A card is valid until the end of its month in the last time zone, so callers pass the
//! date in UTC−12, and where they can the gateway's date rather than the device's.
//!
//! An expiry is read as people write it. Separators are blanks, dashes, dots, slashes and the signs for year, month and
//! day of Chinese, Japanese and Korean. The table lists all forms; a text that fits none, or two with different results, is not
//! read:
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

mod written;

use core::fmt;
pub(crate) use written::read;
use written::{begins_with_wrong_month, plain_date};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpiryError {
    /// No digit at all.
    #[error("no digit")]
    Empty,
    /// Not a month and a year.
    #[error("no month and year")]
    Incomplete,
    /// A month that does not exist.
    #[error("there is no such month")]
    Month,
    /// The month is over.
    #[error("the month is over")]
    Past,
    /// More than 20 years ahead.
    #[error("more than 20 years ahead")]
    TooFar,
}

impl Expiry {
    /// Reads an expiry and compares it with the date `today`: valid to the end of its month, at most 20 years ahead.
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

    /// Reads an expiry in any of the forms of the module's text, without a comparison with today's date.
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
mod tests;
