//! Single values of a clearing file: sums, days, currencies.

use crate::mapping::{Amounts, Mapping};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;
use payframe_money::Amount;

/// Reads a sum with a sign, in minor units of a currency with so many `digits`. An error is what would be accepted.
pub(crate) fn sum(text: &str, amounts: Amounts, digits: u8) -> Result<i64, String> {
    let text = text.trim();
    let (negative, unsigned) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest.trim_start()),
        None => match text.strip_suffix('-') {
            Some(rest) => (true, rest.trim_end()),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        },
    };
    let minor = match amounts {
        Amounts::Minor => Amount::parse(unsigned)
            .ok_or_else(|| String::from("a whole number of minor units, such as 1250"))?,
        Amounts::Decimal { mark, group } => {
            decimal(unsigned, mark, group, digits).ok_or_else(|| {
                let example = match digits {
                    0 => String::from("1250"),
                    _ => format!("12{mark}{:0<1$}", "5", usize::from(digits)),
                };
                format!("a number with at most {digits} decimals, such as {example}")
            })?
        }
    };
    // At most 12 digits.
    let minor = minor.minor() as i64;
    Ok(if negative { -minor } else { minor })
}

/// Zeros behind the last decimal of the currency are accepted.
fn decimal(text: &str, mark: char, group: Option<char>, digits: u8) -> Option<Amount> {
    let (whole, decimals) = text.split_once(mark).unwrap_or((text, ""));
    let whole = match group {
        Some(group) => ungrouped(whole, group)?,
        None => whole.to_owned(),
    };
    let digits = usize::from(digits);
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_digits(&whole) || !is_digits(decimals) {
        return None;
    }
    let (kept, rest) = decimals.split_at(decimals.len().min(digits));
    if rest.bytes().any(|byte| byte != b'0') {
        return None;
    }
    let minor = format!("{whole}{kept:0<digits$}");
    let minor = minor.trim_start_matches('0');
    Amount::parse(if minor.is_empty() { "0" } else { minor })
}

/// Digits without their groups; each group but the first has three.
fn ungrouped(whole: &str, group: char) -> Option<String> {
    let mut parts = whole.split(group);
    let first = parts.next()?;
    let mut all = first.to_owned();
    for part in parts {
        if part.len() != 3 || !(1..=3).contains(&first.len()) {
            return None;
        }
        all.push_str(part);
    }
    Some(all)
}

/// Reads the time of a booking: the day in the file's zone, and the instant. An error is what would be accepted.
pub(crate) fn booked(text: &str, mapping: &Mapping) -> Result<(String, i64), String> {
    let wrong = || format!("a time as {}", mapping.date_format);
    let parsed = BrokenDownTime::parse(&mapping.date_format, text.trim()).map_err(|_| wrong())?;
    let zone: &TimeZone = &mapping.time_zone;
    let there = match (
        parsed.to_timestamp(),
        parsed.to_datetime(),
        parsed.to_date(),
    ) {
        (Ok(instant), _, _) => instant.to_zoned(zone.clone()),
        (Err(_), Ok(time), _) => zone.to_zoned(time).map_err(|_| wrong())?,
        (Err(_), Err(_), Ok(day)) => day.to_zoned(zone.clone()).map_err(|_| wrong())?,
        (Err(_), Err(_), Err(_)) => return Err(wrong()),
    };
    let ms = there.timestamp().as_millisecond();
    if ms < 0 {
        return Err(wrong());
    }
    Ok((there.date().to_string(), ms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const POINT: Amounts = Amounts::Decimal {
        mark: '.',
        group: Some(','),
    };
    const COMMA: Amounts = Amounts::Decimal {
        mark: ',',
        group: None,
    };

    #[test]
    fn sums_are_read_as_the_mapping_says() {
        for (text, amounts, digits, expected) in [
            ("12.50", POINT, 2, Some(1250)),
            ("12.5", POINT, 2, Some(1250)),
            ("12", POINT, 2, Some(1200)),
            ("12.5000", POINT, 2, Some(1250)),
            ("12.505", POINT, 2, None),
            ("1,234.50", POINT, 2, Some(123_450)),
            ("1,23.50", POINT, 2, None),
            ("1234,567.00", POINT, 2, None),
            ("-12.50", POINT, 2, Some(-1250)),
            ("12.50-", POINT, 2, Some(-1250)),
            ("+0.01", POINT, 2, Some(1)),
            ("0.00", POINT, 2, Some(0)),
            ("1250", POINT, 0, Some(1250)),
            ("1.250", POINT, 3, Some(1250)),
            ("12,50", COMMA, 2, Some(1250)),
            ("1.250,00", COMMA, 2, None),
            ("1250", Amounts::Minor, 2, Some(1250)),
            ("-1250", Amounts::Minor, 2, Some(-1250)),
            ("12.50", Amounts::Minor, 2, None),
            ("", POINT, 2, None),
            (".50", POINT, 2, None),
            ("--1", POINT, 2, None),
            ("1e3", POINT, 2, None),
            ("99999999999999.00", POINT, 2, None),
        ] {
            let read = sum(text, amounts, digits);
            assert_eq!(read.as_ref().ok().copied(), expected, "{text} {read:?}");
        }
        let accepted = sum("x", COMMA, 3).unwrap_err();
        assert_eq!(accepted, "a number with at most 3 decimals, such as 12,500");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(minor in 0_u64..=999_999_999_999, digits in 0_u8..=3) {
            let text = Amount::from_minor(minor).unwrap().to_typed(digits);
            prop_assert_eq!(sum(&text, POINT, digits), Ok(minor as i64));
        }

        #[test]
        fn nothing_makes_reading_panic(text in ".*", digits in 0_u8..=4) {
            let _ = sum(&text, POINT, digits);
            let _ = sum(&text, Amounts::Minor, digits);
        }
    }
}
