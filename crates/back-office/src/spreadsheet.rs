//! Exports as CSV, for spreadsheets.
//!
//! A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula, and a formula can send what is in the sheet elsewhere.
//! Buyers and acquirers write some of the texts. So such a text gets an apostrophe in front ([`safe`]), which spreadsheets do not show.

use super::error::OfficeError;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use payframe_money::minor_digits;

/// A cell of a row.
pub(super) enum Cell<'a> {
    /// A text that somebody else may have written.
    Text(&'a str),
    /// A sum in minor units, in a currency; written in the major unit, with a point.
    Sum(i64, &'a str),
    /// Nothing.
    Empty,
}

impl<'a> Cell<'a> {
    /// A text, or nothing.
    pub(super) fn maybe(text: Option<&'a str>) -> Cell<'a> {
        text.map_or(Cell::Empty, Cell::Text)
    }

    /// A sum, or nothing.
    pub(super) fn maybe_sum(sum: Option<&'a (i64, String)>) -> Cell<'a> {
        sum.map_or(Cell::Empty, |(minor, currency)| Cell::Sum(*minor, currency))
    }

    fn written(&self) -> String {
        match self {
            Cell::Text(text) => safe(text),
            Cell::Sum(minor, currency) => sum(*minor, currency),
            Cell::Empty => String::new(),
        }
    }
}

/// A file that is being written.
pub(super) struct Spreadsheet {
    writer: csv::Writer<Vec<u8>>,
    rows: usize,
}

impl Spreadsheet {
    /// With the names of the columns.
    pub(super) fn new(header: &[&str]) -> Result<Spreadsheet, OfficeError> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(header).map_err(failed)?;
        Ok(Spreadsheet { writer, rows: 0 })
    }

    /// Adds a row. It has as many cells as the header.
    pub(super) fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), OfficeError> {
        self.rows += 1;
        let cells = cells.iter().map(Cell::written);
        self.writer.write_record(cells).map_err(failed)
    }

    /// Whether it has as many rows as an export may have.
    pub(super) fn is_full(&self) -> bool {
        self.rows >= MOST_ROWS
    }

    /// The answer with the file, which browsers save under this name.
    pub(super) fn answer(self, name: &str) -> Result<Response, OfficeError> {
        let bytes = self.writer.into_inner().map_err(|_| OfficeError::Failed)?;
        let disposition = format!("attachment; filename=\"{name}\"");
        let headers = [
            (
                header::CONTENT_TYPE,
                "text/csv; charset=utf-8; header=present",
            ),
            (header::CACHE_CONTROL, "no-store"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (
                HeaderName::from_static("cross-origin-resource-policy"),
                "same-origin",
            ),
        ];
        Ok((headers, [(header::CONTENT_DISPOSITION, disposition)], bytes).into_response())
    }
}

fn failed(problem: csv::Error) -> OfficeError {
    tracing::error!(%problem, "an export could not be written");
    OfficeError::Failed
}

/// The text with an apostrophe in front of what a spreadsheet would take for a formula. Where people write decimals with a comma, spreadsheets
/// split lines at semicolons, and take no notice of quotation marks behind a comma: so a cell may begin in the middle of a text.
fn safe(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 1);
    let mut is_beginning = true;
    for (place, character) in text.char_indices() {
        let unquoted = text[place..].trim_start_matches('"');
        if is_beginning && unquoted.starts_with(FORMULA) {
            written.push('\'');
        }
        is_beginning = SEPARATORS.contains(&character);
        written.push(character);
    }
    written
}

/// What formulas begin with, also in full width, as East Asian keyboards write it.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Where spreadsheets may begin a cell.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// A sum in the major unit of its currency.
fn sum(minor: i64, currency: &str) -> String {
    let digits = usize::from(minor_digits(currency).unwrap_or(2));
    let sign = if minor < 0 { "-" } else { "" };
    let written = format!("{:0>width$}", minor.unsigned_abs(), width = digits + 1);
    match written.split_at(written.len() - digits) {
        (whole, "") => format!("{sign}{whole}"),
        (whole, decimals) => format!("{sign}{whole}.{decimals}"),
    }
}

/// How many rows an export may have: more do not fit into what people look at.
const MOST_ROWS: usize = 50_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula() {
        for (text, expected) in [
            ("A1", "A1"),
            (
                "=HYPERLINK(\"https://evil.example\")",
                "'=HYPERLINK(\"https://evil.example\")",
            ),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\t'=1"),
            ("a=1", "a=1"),
            ("a;=1", "a;'=1"),
            ("a;b;-1", "a;b;'-1"),
            ("a;\"=1\"", "a;'\"=1\""),
            ("a\r\n=1", "a\r\n'=1"),
            ("a\r\nb", "a\r\nb"),
            ("a\t@b", "a\t'@b"),
            ("\"=1\"", "'\"=1\""),
            ("＝1", "'＝1"),
            ("a; b", "a; b"),
            ("", ""),
        ] {
            assert_eq!(safe(text), expected);
        }
    }

    #[test]
    fn sums_are_numbers_in_the_major_unit() {
        for (minor, currency, expected) in [
            (3545, "EUR", "35.45"),
            (-5, "EUR", "-0.05"),
            (3545, "JPY", "3545"),
            (-3545, "KWD", "-3.545"),
            (0, "EUR", "0.00"),
        ] {
            assert_eq!(sum(minor, currency), expected);
        }
    }

    #[tokio::test]
    async fn an_export_is_saved_and_not_shown() {
        let mut sheet = Spreadsheet::new(&["Order", "Sum", "Note"]).unwrap();
        sheet
            .row(&[Cell::Text("=1,2"), Cell::Sum(100, "EUR"), Cell::Empty])
            .unwrap();
        let answer = sheet.answer("orders.csv").unwrap();
        let disposition = &answer.headers()[header::CONTENT_DISPOSITION];
        assert_eq!(disposition, "attachment; filename=\"orders.csv\"");
        let bytes = axum::body::to_bytes(answer.into_body(), 1000)
            .await
            .unwrap();
        assert_eq!(&bytes[..], b"Order,Sum,Note\n\"'=1,2\",1.00,\n");
    }
}
