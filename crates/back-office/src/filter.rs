//! What was typed into the fields of a form, and what is wrong with it.
//!
//! The filters of a list are in its address, so that the address can be shared and opened again. If a filter cannot be read, the list
//! is not shown, because it would not be the requested one.

use super::display::{address, amount_hint, digits};
use axum::http::StatusCode;
use payframe_card_rules::expiry::Date;
use payframe_money::{Amount, minor_digits};
use payframe_payment_domain::calendar::{at_utc, days_later};
use payframe_storage::Window;

/// The errors in what was typed, by the name of the field.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FieldErrors(Vec<(&'static str, String)>);

impl FieldErrors {
    /// Adds the message for a field.
    pub(super) fn add(&mut self, field: &'static str, sentence: impl Into<String>) {
        self.0.push((field, sentence.into()));
    }

    /// Whether there are no errors.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The status of the page that shows the errors.
    pub(super) fn status(&self) -> StatusCode {
        match self.is_empty() {
            true => StatusCode::OK,
            false => StatusCode::BAD_REQUEST,
        }
    }

    /// The message for a field.
    pub(super) fn of(&self, field: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| *known == field);
        found.map(|(_, sentence)| sentence.as_str())
    }

    /// Reads an amount of money; empty means none.
    pub(super) fn amount(
        &mut self,
        field: &'static str,
        typed: &str,
        currency: &str,
    ) -> Option<Amount> {
        let typed = typed.trim();
        if typed.is_empty() {
            return None;
        }
        let amount = Amount::parse_typed(typed, digits(currency));
        if amount.is_none() {
            self.add(field, format!("Write {}.", amount_hint(currency)));
        }
        amount
    }

    /// Reads a currency; empty means none.
    pub(super) fn currency<'a>(&mut self, field: &'static str, typed: &'a str) -> Option<&'a str> {
        if typed.is_empty() {
            return None;
        }
        if minor_digits(typed).is_none() {
            self.add(field, "Choose a currency from the list.");
            return None;
        }
        Some(typed)
    }

    /// Reads a value that is chosen from a list. An empty text means no choice.
    pub(super) fn choice<T>(
        &mut self,
        field: &'static str,
        typed: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        if typed.is_empty() {
            return None;
        }
        let read = read(typed);
        if read.is_none() {
            self.add(field, "Choose one of the list.");
        }
        read
    }

    /// Reads the days of a list, both included and both optional, and where the page begins (`before`: the time of the last row of the
    /// previous page).
    pub(super) fn window(&mut self, (from, to): (&str, &str), before: &str, most: u32) -> Window {
        let from_ms = self.day("from", from, 0);
        let to_ms = self.day("to", to, 1);
        if let (Some(from_ms), Some(to_ms)) = (from_ms, to_ms)
            && from_ms >= to_ms
        {
            self.add("to", "This day is before the first one.");
        }
        let before = self.place(before);
        Window {
            from_ms: from_ms.unwrap_or(0),
            to_ms: to_ms.unwrap_or(i64::MAX).min(before.unwrap_or(i64::MAX)),
            max_records: most,
        }
    }

    /// Reads where the page of a list begins.
    pub(super) fn place(&mut self, before: &str) -> Option<i64> {
        if before.is_empty() {
            return None;
        }
        let place = before.parse().ok();
        if place.is_none() {
            self.add("before", "There is no such page. Start at the first page.");
        }
        place
    }

    /// The first moment of a day, or of a later day.
    fn day(&mut self, field: &'static str, typed: &str, later: i32) -> Option<i64> {
        let typed = typed.trim();
        if typed.is_empty() {
            return None;
        }
        let day = Date::parse(typed);
        if day.is_none() {
            self.add(field, "Write a day as in 2026-11-20.");
        }
        day.map(|day| at_utc(days_later(day, later)))
    }
}

/// What was typed, if anything was.
pub(super) fn typed(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// The parameters of a list's address: what is searched for, and where the page begins.
pub(super) trait ListQuery {
    /// The path of the list.
    const PATH: &'static str;

    /// Name and value of each search field. Empty ones may be among them.
    fn fields(&self) -> Vec<(&'static str, &str)>;

    /// Whether something is searched for.
    fn is_filtered(&self) -> bool {
        self.fields().iter().any(|(_, value)| !value.is_empty())
    }

    /// The address of the same list from `before` on.
    fn next(&self, before: i64) -> String {
        let before = before.to_string();
        let mut parameters = self.fields();
        parameters.push(("before", &before));
        address(Self::PATH, &parameters)
    }
}

/// A page of a list: the rows that are shown, and where the next page begins.
pub(super) struct ResultPage<T> {
    pub(super) rows: Vec<T>,
    pub(super) next: Option<i64>,
}

impl<T> ResultPage<T> {
    /// Makes a page from rows, of which one more was requested than is shown. `place` returns the position of a row.
    pub(super) fn of(mut rows: Vec<T>, place: impl Fn(&T) -> i64) -> ResultPage<T> {
        let more = rows.len() > ROWS;
        rows.truncate(ROWS);
        let next = rows.last().filter(|_| more).map(place);
        ResultPage { rows, next }
    }
}

/// How many rows a page shows.
const ROWS: usize = 25;

/// How many rows to ask for, so that a further page is noticed.
pub(super) const ROWS_AND_ONE: u32 = ROWS as u32 + 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_whole_ones_in_utc() {
        let mut errors = FieldErrors::default();
        let window = errors.window(("2026-11-20", "2026-11-20"), "", 26);
        assert!(errors.is_empty());
        assert_eq!(
            (window.from_ms, window.to_ms),
            (1_795_132_800_000, 1_795_219_200_000)
        );
        let window = errors.window(("", "2026-11-20"), "1795168800000", 26);
        assert_eq!((window.from_ms, window.to_ms), (0, 1_795_168_800_000));
    }

    #[test]
    fn what_can_not_be_read_is_said_beside_its_field() {
        let mut errors = FieldErrors::default();
        errors.window(("20.11.2026", ""), "", 26);
        errors.window(("2026-11-21", "2026-11-20"), "", 26);
        assert_eq!(errors.amount("least", "12.345", "EUR"), None);
        assert_eq!(errors.currency("currency", "euro"), None);
        assert_eq!(errors.choice("status", "LOST", |_| None::<u8>), None);
        assert_eq!(errors.place("page 2"), None);
        for (field, expected) in [
            ("from", "Write a day as in 2026-11-20."),
            ("to", "This day is before the first one."),
            (
                "least",
                "Write a number of EUR with at most 2 digits behind the point, as in 1234.56.",
            ),
            ("currency", "Choose a currency from the list."),
            ("status", "Choose one of the list."),
            ("before", "There is no such page. Start at the first page."),
        ] {
            assert_eq!(errors.of(field), Some(expected));
        }
    }

    #[test]
    fn a_page_goes_on_where_there_is_more() {
        let result = ResultPage::of((0..26).rev().collect(), |row| *row);
        assert_eq!((result.rows.len(), result.next), (25, Some(1)));
        let result = ResultPage::of((0..25).rev().collect(), |row| *row);
        assert_eq!((result.rows.len(), result.next), (25, None));
    }
}
