//! The clearing file of the sandbox's acquirer for a day, to try settlement with (`docs/settlement.md`).
//!
//! The sums come from the acquirer's own records. Some amounts ask for a difference, so that a merchant sees what it looks like.

use payframe_card_rules::expiry::Date;
use payframe_money::minor_digits;
use payframe_payment_domain::calendar::day_text;
use payframe_payment_domain::settlement::LineKind;
use payframe_storage::{Connection, query};
use std::fmt::Write as _;

/// The sums that ask for a difference, in minor units of any currency.
const SHORT: i64 = 18401;
const OTHER_CURRENCY: i64 = 18402;
const TWICE: i64 = 18403;
const LEFT_OUT: i64 = 18404;
const UNKNOWN: i64 = 18405;

/// The file as CSV, with these operations as far as the acquirer knows them.
pub async fn clearing_file(
    records: &mut Connection,
    operations: &[(String, LineKind)],
    day: Date,
) -> Result<String, sqlx::Error> {
    let mut text = String::from(HEADER);
    let day = day_text(day);
    for (reference, kind) in operations {
        let row = query(
            "SELECT amount_minor, currency, retrieval_reference FROM charge WHERE reference = ?1 \
             UNION ALL \
             SELECT m.amount_minor, c.currency, m.retrieval_reference FROM movement m \
             JOIN charge c ON c.reference = m.charge WHERE m.reference = ?1",
        )
        .bind(reference)
        .fetch_optional(records)
        .await?;
        let Some(row) = row else { continue };
        let line = Line {
            reference,
            kind: *kind,
            retrieval_reference: row.try_get("retrieval_reference")?,
            minor: row.try_get("amount_minor")?,
            currency: row.try_get("currency")?,
            day: &day,
        };
        line.write(&mut text);
    }
    Ok(text)
}

/// What the acquirer has of an operation.
#[derive(Clone, Copy)]
struct Line<'a> {
    reference: &'a str,
    kind: LineKind,
    retrieval_reference: &'a str,
    minor: i64,
    currency: &'a str,
    day: &'a str,
}

impl Line<'_> {
    /// Writes the line, or what the sum asks for in its place.
    fn write(self, text: &mut String) {
        match self.minor {
            SHORT => Line {
                minor: SHORT - 100,
                ..self
            }
            .write_once(text, "1"),
            OTHER_CURRENCY => Line {
                currency: if self.currency == "USD" { "EUR" } else { "USD" },
                ..self
            }
            .write_once(text, "1"),
            TWICE => {
                self.write_once(text, "1");
                self.write_once(text, "2");
            }
            LEFT_OUT => {}
            UNKNOWN => {
                self.write_once(text, "1");
                let reference = "100000000000000000";
                let unknown = Line {
                    reference,
                    retrieval_reference: "",
                    ..self
                };
                unknown.write_once(text, self.reference);
            }
            _ => self.write_once(text, "1"),
        }
    }

    fn write_once(self, text: &mut String, copy: &str) {
        let (word, sign) = match self.kind {
            LineKind::Refund => ("REFUND", -1),
            LineKind::Payment | LineKind::Other => ("SALE", 1),
        };
        // The fee of a payment, rounded up; a refund costs nothing.
        let fee = match self.kind {
            LineKind::Payment => (self.minor * FEE_PER_MILLE + 999) / 1000,
            LineKind::Refund | LineKind::Other => 0,
        };
        let gross = sign * self.minor;
        let sum = |minor| in_major_units(minor, self.currency);
        let Line {
            reference,
            retrieval_reference,
            currency,
            day,
            ..
        } = self;
        let payout = day.replace('-', "");
        // A text can be written to without an error.
        let _ = writeln!(
            text,
            "{word};{reference};{retrieval_reference};SBX-{reference}-{copy};{};{};{};{currency};SBX-{payout};{day}",
            sum(gross),
            sum(fee),
            sum(gross - fee)
        );
    }
}

fn in_major_units(minor: i64, currency: &str) -> String {
    let digits = usize::from(minor_digits(currency).unwrap_or(2));
    let sign = if minor < 0 { "-" } else { "" };
    let written = format!("{:0>width$}", minor.unsigned_abs(), width = digits + 1);
    match written.split_at(written.len() - digits) {
        (whole, "") => format!("{sign}{whole}"),
        (whole, decimals) => format!("{sign}{whole}.{decimals}"),
    }
}

/// The columns, as in `examples/settlement/mapping.toml`.
const HEADER: &str =
    "Type;Merchant reference;RRN;Acquirer reference;Gross;Fee;Net;Currency;Payout;Booked\n";

const FEE_PER_MILLE: i64 = 11;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: LineKind, minor: i64, currency: &str, expected: &[&str]) {
        let line = Line {
            reference: "1",
            kind,
            retrieval_reference: "2",
            minor,
            currency,
            day: "2026-11-20",
        };
        let mut text = String::new();
        line.write(&mut text);
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_sum_may_ask_for_a_difference() {
        let payment = LineKind::Payment;
        let end = "SBX-20261120;2026-11-20";
        let line = |copy: &str, sums: &str| format!("SALE;1;2;SBX-1-{copy};{sums};{end}");
        check(payment, 1000, "EUR", &[&line("1", "10.00;0.11;9.89;EUR")]);
        check(payment, 1001, "JPY", &[&line("1", "1001;12;989;JPY")]);
        check(
            payment,
            SHORT,
            "EUR",
            &[&line("1", "183.01;2.02;180.99;EUR")],
        );
        check(
            payment,
            OTHER_CURRENCY,
            "EUR",
            &[&line("1", "184.02;2.03;181.99;USD")],
        );
        let sums = "184.03;2.03;182.00;EUR";
        check(payment, TWICE, "EUR", &[&line("1", sums), &line("2", sums)]);
        check(payment, LEFT_OUT, "EUR", &[]);
        let sums = "184.05;2.03;182.02;EUR";
        let unknown = format!("SALE;100000000000000000;;SBX-100000000000000000-1;{sums};{end}");
        check(payment, UNKNOWN, "EUR", &[&line("1", sums), &unknown]);
        let refund = format!("REFUND;1;2;SBX-1-1;-10.00;0.00;-10.00;EUR;{end}");
        check(LineKind::Refund, 1000, "EUR", &[&refund]);
    }
}
