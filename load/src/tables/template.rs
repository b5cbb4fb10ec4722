//! An order that was paid through the gateway, with all rows that it left: the pattern for copies.
//!
//! The rows are read from the database as they are. So a copy has every column that the gateway writes, whatever a later version adds.

use super::database::{Column, Database, Stored};
use anyhow::{Result, ensure};
use std::collections::BTreeMap;

/// The rows of one order at one age, as the database holds them.
pub(super) struct Snapshot {
    /// Rows by the table's place in [`COPIED`].
    pub(super) rows: Vec<(usize, Vec<Stored>)>,
    /// What differs in each copy, and how.
    pub(super) names: Vec<Name>,
    /// The first moment of the order, and the other moments of its payment in their order.
    pub(super) moments: Vec<i64>,
}

/// A text in the rows of an order that is another one in each copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) form: Form,
}

/// How a name of a copy is made of the template's name and the copy's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The name, a hyphen, and the number.
    Numbered,
    /// The name, a hyphen, and a number that this many copies share.
    Shared(i64),
    /// The last twelve characters of the name are digits that the number makes: it looks like other names of its kind.
    Digits,
    /// A text that ends with the last four digits of a card.
    LastFour,
    /// An amount in quotation marks, as documents hold it. Columns hold the number.
    Amount(i64),
}

/// A table whose rows are copied.
pub(super) struct Copied {
    pub(super) table: &'static str,
    /// Columns whose value is a name of the row.
    named: &'static [&'static str],
    /// The column that tells which order it belongs to, or whose text is a name of another row of the order.
    belongs_by: &'static [&'static str],
    /// A number that the rows of all orders share, in the order of their time.
    pub(super) counted: Option<&'static str>,
}

const fn copied(
    table: &'static str,
    named: &'static [&'static str],
    belongs_by: &'static [&'static str],
) -> Copied {
    Copied {
        table,
        named,
        belongs_by,
        counted: None,
    }
}

/// The tables to which payments add rows. Those behind refer to those before.
pub(super) const COPIED: &[Copied] = &[
    copied("merchant_order", &[], &["order_id"]),
    copied(
        "hosted_page",
        &["page_id", "token_hash", "trace_id"],
        &["order_id"],
    ),
    copied(
        "build_session",
        &["session_hash", "trace_id"],
        &["order_id"],
    ),
    copied("threeds_page", &["token_hash"], &["session_hash"]),
    copied("operation", &["operation_id"], &["order_id"]),
    copied("earlier_card", &[], &["order_id"]),
    copied("refund_share", &[], &["refund_id"]),
    copied("acquirer_choice", &[], &["operation_id"]),
    copied("order_fulfilment", &[], &["order_id"]),
    copied("dispute", &["dispute_id"], &["order_id"]),
    Copied {
        counted: Some("contract_key"),
        ..copied("contract", &[], &["card_from"])
    },
    copied("contract_change", &[], &["operation_id"]),
    Copied {
        counted: Some("seq"),
        ..copied("notification", &["event_id"], &["order_id"])
    },
    copied("notification_attempt", &[], &["event_id"]),
    Copied {
        counted: Some("position"),
        ..copied("event", &["event_id"], &["body"])
    },
    // The program's keys begin with the order.
    copied("stored_answer", &[], &["key"]),
];

/// Other tables that have rows after payments: those of the merchant and of the gateway, which do not grow with the orders, and those of
/// cards, addresses and answers of directory servers, whose rows live for hours.
const NOT_COPIED: &[&str] = &[
    "_sqlx_migrations",
    "api_key",
    "audit_entry",
    "audit_head",
    "book_comparison",
    "book_open_order",
    "call_rate",
    "card_key",
    "card_refusal",
    "card_source",
    "card_try",
    "changed_day",
    "event_feed",
    "gateway_mode",
    "member",
    "merchant",
    "notification_secret",
    "sqlite_sequence",
    "summed_day",
    "terminal",
    "terminal_attack",
    "test_clock",
    "turn",
    "vault_content",
    "vault_key",
];

/// The columns of each table of [`COPIED`]. The error: a payment wrote into a table of which this program does not know whether to copy it.
pub(super) async fn columns(database: &mut Database) -> Result<Vec<Vec<Column>>> {
    for table in database.tables().await? {
        let is_known =
            COPIED.iter().any(|copied| copied.table == table) || NOT_COPIED.contains(&&*table);
        if !is_known {
            let rows = database
                .number(&format!("SELECT COUNT(*) FROM {table}"))
                .await?;
            ensure!(
                rows == 0,
                "payments add rows to {table}: say in load/src/tables/template.rs whether copies have them"
            );
        }
    }
    let mut all = Vec::new();
    for copied in COPIED {
        all.push(database.columns(copied.table).await?);
    }
    Ok(all)
}

impl Snapshot {
    /// Reads the rows of an order. `names`: what differs in copies besides the ids that the gateway made.
    pub(super) async fn read(
        database: &mut Database,
        columns: &[Vec<Column>],
        order_id: &str,
        names: &[Name],
    ) -> Result<Snapshot> {
        let mut snapshot = Snapshot {
            rows: Vec::new(),
            names: names.to_vec(),
            moments: Vec::new(),
        };
        let mut known = vec![order_id.to_owned()];
        for (place, (copied, columns)) in COPIED.iter().zip(columns).enumerate() {
            let among = known.iter().map(|name| format!("'{name}'"));
            let among = among.collect::<Vec<_>>().join(", ");
            let conditions = copied.belongs_by.iter().map(|column| match *column {
                "key" => format!("key LIKE '{order_id}-%'"),
                "body" => format!("body LIKE '%\"orderId\":\"{order_id}\"%'"),
                column => format!("{column} IN ({among})"),
            });
            let condition = conditions.collect::<Vec<_>>().join(" OR ");
            for row in database.stored(copied.table, columns, &condition).await? {
                for (column, value) in columns.iter().zip(&row) {
                    if let Stored::Text(text) = value
                        && copied.named.contains(&&*column.name)
                    {
                        let name = Name {
                            text: text.clone(),
                            form: Form::Digits,
                        };
                        if !snapshot.names.contains(&name) {
                            known.push(text.clone());
                            snapshot.names.push(name);
                        }
                    }
                }
                snapshot.rows.push((place, row));
            }
        }
        snapshot.moments = moments(&snapshot.rows, columns);
        Ok(snapshot)
    }
}

/// The moments of a payment in its rows, in their order: columns of times, and times in documents. Later ends are not among them.
fn moments(rows: &[(usize, Vec<Stored>)], columns: &[Vec<Column>]) -> Vec<i64> {
    let mut all = BTreeMap::new();
    for (place, row) in rows {
        for (column, value) in columns[*place].iter().zip(row) {
            match value {
                Stored::Integer(ms) if is_time(&column.name) => {
                    all.insert(*ms, ());
                }
                Stored::Text(text) => all.extend(instants(text).map(|(_, ms)| (ms, ()))),
                _ => {}
            }
        }
    }
    let all = all.into_keys().filter(|ms| *ms > 0);
    let mut moments: Vec<i64> = all.collect();
    if let Some(first) = moments.first().copied() {
        moments.retain(|ms| *ms < first + LONGEST_PAYMENT_MS);
    }
    moments
}

/// Whether a column holds an instant.
pub(super) fn is_time(column: &str) -> bool {
    column.ends_with("_ms")
}

/// The instants in a text, each with its spelling: `2026-11-28T14:07:18.131Z`.
pub(super) fn instants(text: &str) -> impl Iterator<Item = (&str, i64)> {
    let starts = text.match_indices('T').map(|(at, _)| at);
    starts.filter_map(|at| {
        let written = text.get(at.checked_sub(10)?..at + 14)?;
        Some((written, instant_ms(written)?))
    })
}

/// Milliseconds since 1970 of an instant in UTC.
fn instant_ms(written: &str) -> Option<i64> {
    let number = |from: usize, to: usize| {
        let digits = written.get(from..to)?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse::<i64>().ok()).flatten()
    };
    let marks = [
        (4, "-"),
        (7, "-"),
        (10, "T"),
        (13, ":"),
        (16, ":"),
        (19, "."),
        (23, "Z"),
    ];
    if marks
        .iter()
        .any(|(at, mark)| written.get(*at..at + 1) != Some(mark))
    {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    // Days of the civil calendar, with years that begin in March.
    let years = year - i64::from(month <= 2);
    let (era, of_era) = (years.div_euclid(400), years.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let seconds = days * 86_400 + number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    Some(seconds * 1000 + number(20, 23)?)
}

/// What is later belongs to the ends of sessions and pages.
const LONGEST_PAYMENT_MS: i64 = 120_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_found_in_documents() {
        let document = r#"{"operationTime":"2026-11-28T14:07:18.131Z","note":"TEST"}"#;
        let found: Vec<_> = instants(document).collect();
        assert_eq!(found, [("2026-11-28T14:07:18.131Z", 1_795_874_838_131)]);
        assert_eq!(instants("1970-01-01T00:00:00.000Z").count(), 1);
        assert_eq!(
            instant_ms("2024-02-29T00:00:00.000Z"),
            Some(1_709_164_800_000)
        );
        assert_eq!(instants("T, 2026-11-28T14:07Z and nothing else").count(), 0);
    }
}
