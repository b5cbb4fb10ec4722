//! Days and instants: reading, writing, and counting them in the terminals' time zone.
//!
//! Use it where a rule depends on a day or an hour. It asks no clock: the instant is a parameter, in milliseconds since
//! 1970-01-01 UTC.

use jiff::civil::{self, DateTime};
use jiff::tz::{Offset, TimeZone};
use jiff::{Span, Timestamp, Zoned};
use payframe_card_rules::expiry::Date;

/// An instant as the API writes it: UTC, with milliseconds (contract 1.9).
pub fn instant(ms: i64) -> String {
    match Timestamp::from_millisecond(ms) {
        Ok(time) => format!("{time:.3}"),
        // The instant is after the year 9999, which no clock reaches.
        Err(_) => String::from("9999-12-31T23:59:59.999Z"),
    }
}

/// Reads an instant as the API accepts it (contract 1.9): ISO 8601 with `Z` or an offset, or the older form
/// without a zone, which means the terminals'. Parts of a millisecond count as a whole one, so that "from"
/// includes, and "to" excludes, the right instants.
pub fn parse_instant(text: &str) -> Option<i64> {
    let time = text
        .parse()
        .ok()
        .or_else(|| {
            let there = DateTime::strptime("%Y-%m-%d %H:%M:%S%.f", text).ok()?;
            there
                .to_zoned(terminal_zone())
                .ok()
                .map(|zoned| zoned.timestamp())
        })
        .filter(|time: &Timestamp| *time >= Timestamp::UNIX_EPOCH)?;
    let over = i64::from(time.subsec_nanosecond() % 1_000_000 != 0);
    Some(time.as_millisecond() + over)
}

/// The calendar day in the terminals' time zone (contract 1.9).
pub fn terminal_day(ms: i64) -> Date {
    // The casts lose nothing: years are at most 9999, months and days are small.
    date_of(terminal_time(ms).date())
}

/// The last millisecond of the terminal's day in which `ms` lies.
pub fn end_of_terminal_day(ms: i64) -> i64 {
    terminal_time(ms)
        .end_of_day()
        .map_or(i64::MAX, |end| end.timestamp().as_millisecond())
}

/// The same time of day, `months` calendar months later, in the terminals' time zone.
pub fn months_later(ms: i64, months: i32) -> i64 {
    terminal_time(ms)
        .checked_add(Span::new().months(months))
        .map_or(i64::MAX, |later| later.timestamp().as_millisecond())
}

/// The first millisecond after a day in the terminals' time zone.
pub fn day_over(day: Date) -> i64 {
    let next = civil_day(day).and_then(|day| day.tomorrow());
    next.and_then(|next| next.to_zoned(terminal_zone()))
        .map_or(i64::MAX, |start| start.timestamp().as_millisecond())
}

/// A minute of a day in the terminals' time zone. If the change of the clocks skips it, the next existing one.
pub fn at_terminal(day: Date, minute_of_day: u16) -> i64 {
    let (hour, minute) = (minute_of_day / 60, minute_of_day % 60);
    let there = civil_day(day).and_then(|day| {
        // The casts lose nothing: a day has 24 hours of 60 minutes.
        day.at(hour as i8, minute as i8, 0, 0)
            .to_zoned(terminal_zone())
    });
    there.map_or(i64::MAX, |there| there.timestamp().as_millisecond())
}

/// The calendar day in UTC.
pub fn utc_day(ms: i64) -> Date {
    let time = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::UNIX_EPOCH);
    date_of(time.to_zoned(TimeZone::UTC).date())
}

/// The first millisecond of a day in UTC.
pub fn at_utc(day: Date) -> i64 {
    time_of_day(day, 0, 0)
}

/// A minute of a day, in a zone that is `ahead_of_utc_minutes` ahead of UTC.
pub fn time_of_day(day: Date, minute_of_day: u16, ahead_of_utc_minutes: i16) -> i64 {
    let there = civil_day(day).and_then(|day| {
        let offset = Offset::from_seconds(i32::from(ahead_of_utc_minutes) * 60)?;
        let midnight = offset.to_timestamp(day.to_datetime(civil::Time::midnight()))?;
        midnight.checked_add(Span::new().minutes(i64::from(minute_of_day)))
    });
    there.map_or(i64::MAX, |there| there.as_millisecond())
}

/// The day that is `days` days later. A day after the end of the calendar becomes its last day.
pub fn days_later(day: Date, days: i32) -> Date {
    let later = civil_day(day).and_then(|day| day.checked_add(Span::new().days(days)));
    date_of(later.unwrap_or(civil::Date::MAX))
}

/// The number of days from one day to another.
pub fn days_between(from: Date, to: Date) -> i32 {
    let both = civil_day(from).and_then(|from| civil_day(to)?.since(from));
    both.map_or(0, |span| span.get_days())
}

/// `YYYY-MM-DD`.
pub fn day_text(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year, day.month, day.day)
}

fn civil_day(day: Date) -> Result<civil::Date, jiff::Error> {
    // The casts lose nothing: years have four digits, months and days two.
    civil::Date::new(day.year as i16, day.month as i8, day.day as i8)
}

fn date_of(day: civil::Date) -> Date {
    Date {
        year: day.year() as u16,
        month: day.month() as u8,
        day: day.day() as u8,
    }
}

fn terminal_time(ms: i64) -> Zoned {
    Timestamp::from_millisecond(ms)
        .unwrap_or(Timestamp::UNIX_EPOCH)
        .to_zoned(terminal_zone())
}

fn terminal_zone() -> TimeZone {
    TimeZone::get("Europe/Rome").unwrap_or(TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_in_the_forms_of_the_contract() {
        for (text, expected) in [
            ("2022-09-01T01:20:00.001Z", Some(1_661_995_200_001)),
            ("2022-09-01T03:20:00.001+02:00", Some(1_661_995_200_001)),
            ("2022-09-01T01:20:00Z", Some(1_661_995_200_000)),
            ("2022-09-01T01:20:00.0000001Z", Some(1_661_995_200_001)),
            ("2022-09-01 03:20:00.001", Some(1_661_995_200_001)),
            ("2022-01-01 01:00:00", Some(1_640_995_200_000)),
            ("2022-09-01", None),
            ("2022-09-01T01:20:00", None),
            ("2022-13-01T01:20:00Z", None),
            ("1661995200001", None),
            ("1066-10-14T09:00:00Z", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(parse_instant(text), expected, "{text}");
        }
    }

    #[test]
    fn days_are_those_of_the_terminals() {
        // 2026-11-20T10:00:00Z, and midnight in the terminals' time zone is at 23:00 UTC.
        let morning = 1_795_168_800_000;
        let end = end_of_terminal_day(morning);
        assert_eq!(instant(end), "2026-11-20T22:59:59.999Z");
        assert_eq!(terminal_day(end), terminal_day(morning));
        assert_ne!(terminal_day(end + 1), terminal_day(morning));
        assert_eq!(
            instant(months_later(morning, 13)),
            "2027-12-20T10:00:00.000Z"
        );
    }

    #[test]
    fn instants_are_utc_with_milliseconds() {
        assert_eq!(instant(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(instant(1_661_995_200_001), "2022-09-01T01:20:00.001Z");
    }
}
