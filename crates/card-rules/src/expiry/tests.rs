//! Tests of expiries: what is read, what is refused, what is written.

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
        "00", "13", "13 / ", "13 / 2", "00 / 28", "13/28", "1328", "99/2028", "2028-13", "2028-00",
        "202813", "0/28", "13/345", "99 99999",
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
