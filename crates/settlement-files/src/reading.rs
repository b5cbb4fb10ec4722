//! Reads the lines of a clearing file.

use crate::fields;
use crate::mapping::{Fees, Mapping, Meaning};
use csv::StringRecord;
use payframe_money::minor_digits;
use payframe_payment_domain::settlement::{ClearingLine, LineKind, References};
use thiserror::Error;

/// Why a file can not be read. Nothing of it is used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// It is not UTF-8.
    #[error("line {line}: the file must be UTF-8")]
    Encoding {
        /// The line.
        line: u64,
    },
    /// It has no header, or a header without a column of the mapping.
    #[error("the header has no column {column}; it has: {found}")]
    NoColumn {
        /// The column.
        column: String,
        /// The columns that are there.
        found: String,
    },
    /// Two columns have the same name, which the mapping uses.
    #[error("the header has the column {column} twice")]
    ColumnTwice {
        /// The column.
        column: String,
    },
    /// A line is not CSV, or has another number of columns than the header.
    #[error("line {line}: {problem}")]
    Line {
        /// The line.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// A value is not accepted.
    #[error("line {line}, column {column}: must be {accepts}")]
    Value {
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// The accepted values.
        accepts: String,
    },
    /// It has more lines than [`MOST_LINES`].
    #[error("the file has more than {MOST_LINES} lines; split it")]
    TooLong,
    /// It has no line.
    #[error("the file has a header and no line")]
    Empty,
}

/// Reads a whole file. Values are not part of errors: a file may have card numbers where nobody expects them.
///
/// # Errors
/// Something in it can not be read; the error says where.
pub fn read(mapping: &Mapping, bytes: &[u8]) -> Result<Vec<ClearingLine>, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (skipped, bytes) = without_lines(bytes, mapping.skip_lines);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(mapping.separator)
        .has_headers(true)
        .from_reader(bytes);
    let mut count = LineCount::of(bytes, skipped);
    let header = reader
        .headers()
        .map_err(|problem| csv_error(&problem, bytes, skipped))?
        .clone();
    let places = Places::of(mapping, &header)?;
    let mut lines = Vec::new();
    let mut record = StringRecord::new();
    while reader
        .read_record(&mut record)
        .map_err(|problem| csv_error(&problem, bytes, skipped))?
    {
        if lines.len() == MOST_LINES {
            return Err(ReadError::TooLong);
        }
        let number = count.line(record.position());
        let row = Row {
            mapping,
            places: &places,
            record: &record,
            number,
        };
        lines.extend(row.line()?);
    }
    match lines.is_empty() {
        true => Err(ReadError::Empty),
        false => Ok(lines),
    }
}

/// The bytes behind the first lines, and how many lines there were.
fn without_lines(mut bytes: &[u8], count: usize) -> (u64, &[u8]) {
    let mut skipped = 0;
    for _ in 0..count {
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            break;
        };
        bytes = &bytes[end + 1..];
        skipped += 1;
    }
    (skipped, bytes)
}

/// Counts lines up to a record. The count of the CSV reader is one less where lines end with two characters.
struct LineCount<'a> {
    bytes: &'a [u8],
    counted: usize,
    line: u64,
}

impl<'a> LineCount<'a> {
    fn of(bytes: &'a [u8], skipped: u64) -> LineCount<'a> {
        LineCount {
            bytes,
            counted: 0,
            line: skipped + 1,
        }
    }

    /// The line of a position that is not before the last one.
    fn line(&mut self, position: Option<&csv::Position>) -> u64 {
        let start = position.map_or(0, csv::Position::byte);
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let rest = self.bytes.get(start..).unwrap_or_default();
        let ends = rest.iter().take_while(|byte| b"\r\n".contains(byte));
        let until = (start + ends.count()).min(self.bytes.len());
        let between = self.bytes.get(self.counted..until).unwrap_or_default();
        self.line += between.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.counted = self.counted.max(until);
        self.line
    }
}

fn csv_error(problem: &csv::Error, bytes: &[u8], skipped: u64) -> ReadError {
    let line = LineCount::of(bytes, skipped).line(problem.position());
    match problem.kind() {
        csv::ErrorKind::Utf8 { .. } => ReadError::Encoding { line },
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => ReadError::Line {
            line,
            problem: format!("it has {len} columns, and the header has {expected_len}"),
        },
        _ => ReadError::Line {
            line,
            problem: String::from("it is not CSV"),
        },
    }
}

/// Where the columns of the mapping are.
struct Places {
    operation: Option<Place>,
    order: Option<Place>,
    retrieval: Option<Place>,
    acquirer: Option<Place>,
    kind: Option<Place>,
    amount: Place,
    currency: Option<Place>,
    fee: Option<Place>,
    net: Option<Place>,
    payout: Option<Place>,
    booked: Place,
}

struct Place {
    at: usize,
    name: String,
}

impl Places {
    fn of(mapping: &Mapping, header: &StringRecord) -> Result<Places, ReadError> {
        let place = |name: &String| {
            let mut found = (0..header.len()).filter(|at| header[*at].trim() == name.trim());
            match (found.next(), found.next()) {
                (Some(at), None) => Ok(Place {
                    at,
                    name: name.clone(),
                }),
                (Some(_), Some(_)) => Err(ReadError::ColumnTwice {
                    column: name.clone(),
                }),
                (None, _) => Err(ReadError::NoColumn {
                    column: name.clone(),
                    found: header.iter().map(str::trim).collect::<Vec<_>>().join(", "),
                }),
            }
        };
        let optional = |name: &Option<String>| name.as_ref().map(place).transpose();
        let columns = &mapping.columns;
        Ok(Places {
            operation: optional(&columns.operation)?,
            order: optional(&columns.order)?,
            retrieval: optional(&columns.retrieval_reference)?,
            acquirer: optional(&columns.acquirer_reference)?,
            kind: optional(&columns.kind)?,
            amount: place(&columns.amount)?,
            currency: optional(&columns.currency)?,
            fee: optional(&columns.fee)?,
            net: optional(&columns.net)?,
            payout: optional(&columns.payout)?,
            booked: place(&columns.booked)?,
        })
    }
}

/// One line that is being read.
struct Row<'a> {
    mapping: &'a Mapping,
    places: &'a Places,
    record: &'a StringRecord,
    number: u64,
}

impl Row<'_> {
    /// `None`: the line is not to be read.
    fn line(&self) -> Result<Option<ClearingLine>, ReadError> {
        let places = self.places;
        let told = match self.told_kind()? {
            Some(Meaning::Skip) => return Ok(None),
            Some(Meaning::Line(kind)) => Some(kind),
            None => None,
        };
        let currency = self.currency()?;
        // The currency is a known one.
        let digits = minor_digits(&currency).unwrap_or(2);
        let written = self.sum(&places.amount, digits)?;
        let (kind, gross_minor, flipped) = self.signed(told, written)?;
        let (fee_minor, net_minor) = self.fee_and_net(gross_minor, flipped, digits)?;
        let (booked_day, booked_ms) = fields::booked(self.value(&places.booked), self.mapping)
            .map_err(|accepts| self.wrong(&places.booked, accepts))?;
        let references = References {
            operation_id: self.text(&places.operation)?,
            order_id: self.text(&places.order)?,
            retrieval: self.text(&places.retrieval)?,
            acquirer: self.text(&places.acquirer)?,
        };
        let is_named = references.operation_id.is_some()
            || references.order_id.is_some()
            || references.retrieval.is_some();
        if kind != LineKind::Other && !is_named {
            return Err(ReadError::Line {
                line: self.number,
                problem: String::from("it has none of the references of the mapping"),
            });
        }
        Ok(Some(ClearingLine {
            number: self.number,
            kind,
            references,
            payout_id: self.text(&places.payout)?,
            booked_day,
            booked_ms,
            gross_minor,
            fee_minor,
            net_minor,
            currency,
            identity: self
                .record
                .iter()
                .map(str::trim)
                .collect::<Vec<_>>()
                .join("\u{1f}"),
        }))
    }

    fn told_kind(&self) -> Result<Option<Meaning>, ReadError> {
        let (Some(place), Some(kinds)) = (&self.places.kind, &self.mapping.kinds) else {
            return Ok(None);
        };
        match kinds.meaning(self.value(place)) {
            Some(meaning) => Ok(Some(meaning)),
            None => Err(self.wrong(place, format!("one of {}", kinds.values()))),
        }
    }

    fn currency(&self) -> Result<String, ReadError> {
        let Some(place) = &self.places.currency else {
            return Ok(self.mapping.currency.clone().unwrap_or_default());
        };
        let code = self.value(place).to_uppercase();
        match minor_digits(&code) {
            Some(_) => Ok(code),
            None => Err(self.wrong(place, "the three letters of a currency, such as EUR")),
        }
    }

    /// The kind, the sum with the sign that its kind has, and whether the file has it without that sign.
    fn signed(
        &self,
        told: Option<LineKind>,
        written: i64,
    ) -> Result<(LineKind, i64, bool), ReadError> {
        Ok(match told {
            None if written > 0 => (LineKind::Payment, written, false),
            None if written < 0 => (LineKind::Refund, written, false),
            None => (LineKind::Other, written, false),
            Some(LineKind::Payment) if written < 0 => {
                return Err(self.wrong(&self.places.amount, "positive for a payment"));
            }
            Some(LineKind::Refund) if written > 0 => (LineKind::Refund, -written, true),
            Some(kind) => (kind, written, false),
        })
    }

    /// What the file leaves out follows from the rest. What it has must agree.
    fn fee_and_net(&self, gross: i64, flipped: bool, digits: u8) -> Result<(i64, i64), ReadError> {
        let fee = self.optional_sum(&self.places.fee, digits)?;
        let fee = fee.map(|fee| match self.mapping.fees {
            Fees::Deducted => fee,
            Fees::Signed => -fee,
        });
        let net = self.optional_sum(&self.places.net, digits)?;
        let net = net.map(|net| if flipped && net > 0 { -net } else { net });
        match (fee, net, &self.places.net) {
            (None, None, _) => Ok((0, gross)),
            (Some(fee), None, _) => Ok((fee, gross - fee)),
            (None, Some(net), _) => Ok((gross - net, net)),
            (Some(fee), Some(net), Some(place)) if net != gross - fee => {
                Err(self.wrong(place, "the amount less the fee"))
            }
            (Some(fee), Some(net), _) => Ok((fee, net)),
        }
    }

    fn sum(&self, place: &Place, digits: u8) -> Result<i64, ReadError> {
        fields::sum(self.value(place), self.mapping.amounts, digits)
            .map_err(|accepts| self.wrong(place, accepts))
    }

    /// An empty value is none.
    fn optional_sum(&self, place: &Option<Place>, digits: u8) -> Result<Option<i64>, ReadError> {
        let place = place.as_ref().filter(|place| !self.value(place).is_empty());
        place.map(|place| self.sum(place, digits)).transpose()
    }

    /// An empty value is none.
    fn text(&self, place: &Option<Place>) -> Result<Option<String>, ReadError> {
        let Some(place) = place else {
            return Ok(None);
        };
        let value = self.value(place);
        if value.chars().count() > LONGEST || value.chars().any(char::is_control) {
            return Err(self.wrong(place, format!("at most {LONGEST} characters in one line")));
        }
        Ok(Some(value.to_owned()).filter(|value| !value.is_empty()))
    }

    fn value(&self, place: &Place) -> &str {
        self.record.get(place.at).unwrap_or_default().trim()
    }

    fn wrong(&self, place: &Place, accepts: impl Into<String>) -> ReadError {
        ReadError::Value {
            line: self.number,
            column: place.name.clone(),
            accepts: accepts.into(),
        }
    }
}

/// How many lines a file may have. They are written in one transaction, which other changes wait for.
pub const MOST_LINES: usize = 50_000;

/// How many characters a reference may have.
const LONGEST: usize = 100;

#[cfg(test)]
mod tests;
