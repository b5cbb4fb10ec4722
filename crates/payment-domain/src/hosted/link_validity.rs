//! Until when a payment link is valid (contract 1.9, 8.1.2, 8.1.3): a last day in the terminal's time zone, and a time of
//! that day if the merchant gave one.

use crate::calendar::{day_over, day_text, days_between, days_later, time_of_day};
use payframe_card_rules::expiry::Date;

/// Until when a link is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkValidity {
    /// The last valid day.
    pub last_day: Date,
    /// A time of that day, with its own time zone.
    pub time: Option<EndTime>,
}

/// A time of day with its offset from UTC: `18:30+02:00`, `16:30Z`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndTime {
    text: String,
    minute_of_day: u16,
    ahead_of_utc_minutes: i16,
}

impl LinkValidity {
    /// The validity of a link that is made today without a date.
    pub fn usual(today: Date) -> LinkValidity {
        LinkValidity::until(days_later(today, USUAL_DAYS))
    }

    /// The validity of a link that ends with a day.
    pub fn until(last_day: Date) -> LinkValidity {
        LinkValidity {
            last_day,
            time: None,
        }
    }

    /// The first millisecond at which it is over.
    pub fn ends_ms(&self) -> i64 {
        match &self.time {
            None => day_over(self.last_day),
            Some(time) => time_of_day(self.last_day, time.minute_of_day, time.ahead_of_utc_minutes),
        }
    }

    /// Whether a link that is made now may have it: not in the past, and not too far in the future.
    pub fn is_acceptable(&self, today: Date, now_ms: i64) -> bool {
        let days = days_between(today, self.last_day);
        (0..=MOST_DAYS).contains(&days) && self.ends_ms() > now_ms
    }

    /// The number of days from `today` on, at least 1. A renewal gives the same number again.
    pub fn life_days(&self, today: Date) -> i32 {
        days_between(today, self.last_day).max(1)
    }

    /// The same length once more, from `today` on.
    pub fn renewed(self, today: Date, life_days: i32) -> LinkValidity {
        LinkValidity {
            last_day: days_later(today, life_days),
            time: self.time,
        }
    }

    /// `YYYY-MM-DD`.
    pub fn day_text(&self) -> String {
        day_text(self.last_day)
    }
}

impl EndTime {
    /// Reads `HH:mm` with `Z` or an offset from UTC.
    pub fn parse(text: &str) -> Option<EndTime> {
        let time = text.get(..5)?;
        let minute_of_day = minutes(time, 23)?;
        let zone = &text[5..];
        let ahead_of_utc_minutes = match zone.as_bytes().first()? {
            b'Z' if zone.len() == 1 => 0,
            b'+' => i16::try_from(minutes(&zone[1..], 14)?).ok()?,
            b'-' => -i16::try_from(minutes(&zone[1..], 14)?).ok()?,
            _ => return None,
        };
        Some(EndTime {
            text: text.to_owned(),
            minute_of_day,
            ahead_of_utc_minutes,
        })
    }

    /// The text, as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Reads `HH:mm` as minutes, with at most `most_hours` hours.
pub fn minutes(text: &str, most_hours: u16) -> Option<u16> {
    let bytes = text.as_bytes();
    let digits = bytes.len() == 5
        && bytes[2] == b':'
        && [0, 1, 3, 4].iter().all(|at| bytes[*at].is_ascii_digit());
    if !digits {
        return None;
    }
    let number = |at: usize| u16::from(bytes[at] - b'0') * 10 + u16::from(bytes[at + 1] - b'0');
    let (hours, minutes) = (number(0), number(3));
    (hours <= most_hours && minutes <= 59).then_some(hours * 60 + minutes)
}

/// The validity of a link without a date (contract 8.1.2).
const USUAL_DAYS: i32 = 30;
/// The longest validity of a link (contract 8.1.2).
const MOST_DAYS: i32 = 90;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::instant;

    fn day(text: &str) -> Date {
        Date::parse(text).unwrap()
    }

    fn term(last_day: &str, time: Option<&str>) -> LinkValidity {
        LinkValidity {
            last_day: day(last_day),
            time: time.map(|time| EndTime::parse(time).unwrap()),
        }
    }

    #[test]
    fn it_is_over_at_the_end_of_its_day_or_at_its_time() {
        for (last_day, time, expected) in [
            ("2026-11-20", None, "2026-11-20T23:00:00.000Z"),
            // A day in summer time, and the two days on which the clocks change.
            ("2027-07-01", None, "2027-07-01T22:00:00.000Z"),
            ("2027-03-28", None, "2027-03-28T22:00:00.000Z"),
            ("2026-10-25", None, "2026-10-25T23:00:00.000Z"),
            (
                "2026-11-20",
                Some("18:30+02:00"),
                "2026-11-20T16:30:00.000Z",
            ),
            ("2026-11-20", Some("16:30Z"), "2026-11-20T16:30:00.000Z"),
            (
                "2026-11-20",
                Some("00:00-05:30"),
                "2026-11-20T05:30:00.000Z",
            ),
        ] {
            assert_eq!(
                instant(term(last_day, time).ends_ms()),
                expected,
                "{last_day} {time:?}"
            );
        }
    }

    #[test]
    fn times_are_read_with_their_zone_only() {
        for text in ["18:30+02:00", "16:30Z", "00:00-00:30", "23:59+14:00"] {
            assert_eq!(EndTime::parse(text).unwrap().as_str(), text);
        }
        for text in [
            "",
            "18:30",
            "18:30z",
            "24:00Z",
            "18:60Z",
            "8:30Z",
            "18.30Z",
            "18:30+2:00",
            "18:30+0200",
            "18:30+15:00",
            "18:30Z ",
            "18:30 Z",
            "é8:30Z",
            "18:30+02:00Z",
        ] {
            assert_eq!(EndTime::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_link_lasts_until_today_at_least_and_ninety_days_at_most() {
        let today = day("2026-11-20");
        // This is 11:00 in Rome.
        let now_ms = 1_795_168_800_000;
        for (last_day, time, expected) in [
            ("2026-11-19", None, false),
            ("2026-11-20", None, true),
            ("2026-11-20", Some("11:00+01:00"), false),
            ("2026-11-20", Some("11:01+01:00"), true),
            ("2027-02-18", None, true),
            ("2027-02-19", None, false),
        ] {
            let term = term(last_day, time);
            assert_eq!(
                term.is_acceptable(today, now_ms),
                expected,
                "{last_day} {time:?}"
            );
        }
        assert_eq!(LinkValidity::usual(today).day_text(), "2026-12-20");
    }

    #[test]
    fn a_renewal_lasts_as_long_as_the_first_time() {
        for (made, last_day, renewed, expected) in [
            ("2026-11-20", "2026-11-25", "2026-12-01", "2026-12-06"),
            ("2026-11-20", "2026-11-20", "2026-12-01", "2026-12-02"),
            ("2027-02-27", "2027-03-01", "2028-02-28", "2028-03-01"),
        ] {
            let term = term(last_day, Some("16:30Z"));
            let life_days = term.life_days(day(made));
            let again = term.renewed(day(renewed), life_days);
            assert_eq!(again.day_text(), expected);
            assert_eq!(again.time.unwrap().as_str(), "16:30Z");
        }
    }
}
