//! An order that was paid through the gateway, with all rows that it left: the pattern for copies.
//!
//! The rows are read from the database as they are. So a copy has every column that the gateway writes, whatever a later version adds.

use super::calendar::instants;
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

/// What is later belongs to the ends of sessions and pages.
const LONGEST_PAYMENT_MS: i64 = 120_000;
