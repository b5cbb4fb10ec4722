//! Copies of paid orders inside the database, in great number: `INSERT … SELECT` over a series of numbers.
//!
//! Each template gets the same number of copies, spread evenly over the time before. Copy `n` of a template differs from it in its ids, times,
//! amount and last four digits; everything else, also what the gateway encrypted, is the same. A copy is as old as a snapshot of its template
//! was, so old copies lack what the gateway deletes with time.

use super::database::{Column, Database, Kind, Stored};
use super::template::{COPIED, Copied, Form, Name, Snapshot, instants, is_time};
use anyhow::Result;

/// The copies that a database has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copies {
    /// How many templates there are.
    pub(super) templates: i64,
    /// How many copies of each.
    pub(super) of_each: i64,
    /// How far neighbours are apart.
    pub(super) step_ms: i64,
    /// When the newest was made.
    pub(super) newest_ms: i64,
}

/// The snapshots of a template, from its first age on.
pub(super) type Ages = Vec<(i64, Snapshot)>;

impl Copies {
    /// This many orders within the time before `now_ms`.
    pub(super) fn new(orders: i64, templates: i64, now_ms: i64) -> Copies {
        let of_each = (orders / templates).max(1);
        Copies {
            templates,
            of_each,
            step_ms: SPREAD_MS / (of_each * templates),
            newest_ms: now_ms - YOUNGEST_MS,
        }
    }

    /// When copy `n` of a template was made.
    pub(super) fn time_ms(&self, template: i64, n: i64) -> i64 {
        self.newest_ms - (n * self.templates + template) * self.step_ms
    }

    /// Adds them to the tables.
    pub(super) async fn add(
        &self,
        database: &mut Database,
        columns: &[Vec<Column>],
        templates: &[Ages],
    ) -> Result<()> {
        let tables: Vec<&str> = COPIED.iter().map(|copied| copied.table).collect();
        let indices = database.begin_filling(&tables).await?;
        // What is counted comes behind what is there, and is put into its order at the end.
        let mut counted = Vec::new();
        for copied in COPIED {
            counted.push(match copied.counted {
                Some(column) => {
                    database
                        .number(&format!(
                            "SELECT COALESCE(MAX({column}), 0) FROM {}",
                            copied.table
                        ))
                        .await?
                }
                None => 0,
            });
        }
        let mut first = 0;
        while first < self.of_each {
            let end = (first + AT_ONCE).min(self.of_each);
            database.execute(String::from("BEGIN")).await?;
            for (number, ages) in (0..).zip(templates) {
                for (at, (from_ms, snapshot)) in ages.iter().enumerate() {
                    let until_ms = ages.get(at + 1).map_or(i64::MAX, |(from_ms, _)| *from_ms);
                    // The ages grow with the numbers.
                    let place = |age_ms: i64| {
                        let behind = age_ms.saturating_sub(YOUNGEST_MS + number * self.step_ms);
                        (behind.max(0) as u64).div_ceil((self.templates * self.step_ms) as u64)
                            as i64
                    };
                    let (first, end) = (first.max(place(*from_ms)), end.min(place(until_ms)));
                    if first < end {
                        let copy = Copy {
                            copies: self,
                            template: number,
                            snapshot,
                        };
                        for sql in copy.statements(database, columns, &counted, (first, end)) {
                            database.execute(sql).await?;
                        }
                    }
                }
            }
            database.execute(String::from("COMMIT")).await?;
            first = end;
        }
        for copied in COPIED {
            if let Some(column) = copied.counted {
                order(database, copied, column).await?;
            }
        }
        database.end_filling(indices).await
    }
}

/// The copies of one template at one age.
struct Copy<'a> {
    copies: &'a Copies,
    template: i64,
    snapshot: &'a Snapshot,
}

impl Copy<'_> {
    /// The statements that add a range of copies: one for each row of the template.
    fn statements(
        &self,
        database: &Database,
        columns: &[Vec<Column>],
        counted: &[i64],
        (first, end): (i64, i64),
    ) -> Vec<String> {
        let mut before = 0;
        let rows = self.snapshot.rows.iter();
        rows.map(|(place, row)| {
            let (copied, columns) = (&COPIED[*place], &columns[*place]);
            before += 1;
            let values = columns.iter().zip(row).map(|(column, value)| {
                let value = match copied.counted {
                    // The newest is the last. A row of the same order that comes later in the template is later.
                    Some(name) if name == column.name => format!(
                        "({} + (({} - s.n) * {} - {}) * {MOST_ROWS} + {before})",
                        counted[*place], self.copies.of_each, self.copies.templates, self.template
                    ),
                    _ => self.value(database, &column.name, value),
                };
                database.cast(&value, column)
            });
            let values: Vec<String> = values.collect();
            let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            format!(
                "INSERT INTO {} ({}) SELECT {} FROM {}",
                copied.table,
                names.join(", "),
                values.join(", "),
                database.series(first, end)
            )
        })
        .collect()
    }

    /// A value of copy `s.n` as an expression.
    fn value(&self, database: &Database, column: &str, stored: &Stored) -> String {
        match stored {
            Stored::Literal(literal) => literal.clone(),
            Stored::Integer(ms) if is_time(column) => self.time(*ms),
            Stored::Integer(number) => {
                let is_amount = self.snapshot.names.iter().any(
                    |name| matches!(name.form, Form::Amount(minor) if minor == *number && *number > 0),
                );
                match is_amount && (column == "amount" || column.ends_with("_minor")) {
                    true => format!("({number} + {MORE})"),
                    false => number.to_string(),
                }
            }
            Stored::Text(text) => self.text(database, text),
        }
    }

    fn text(&self, database: &Database, text: &str) -> String {
        let mut expression = quoted(text);
        for name in self
            .snapshot
            .names
            .iter()
            .filter(|name| text.contains(&name.text))
        {
            expression = replace(&expression, &name.text, &self.name(database, name));
        }
        let mut known = Vec::new();
        for (written, ms) in instants(text) {
            if !known.contains(&written) {
                known.push(written);
                let instant = database.instant(&self.time(ms));
                expression = replace(&expression, written, &instant);
            }
        }
        expression
    }

    /// A name of copy `s.n` as an expression.
    fn name(&self, database: &Database, name: &Name) -> String {
        let number = "s.n";
        let without = |characters: usize| {
            let kept = name.text.len().saturating_sub(characters);
            quoted(name.text.get(..kept).unwrap_or_default())
        };
        match name.form {
            Form::Numbered => format!("({} || '-' || {})", quoted(&name.text), as_text(number)),
            Form::Shared(by) => format!(
                "({} || '-' || {})",
                quoted(&name.text),
                as_text(&format!("({number} / {by})"))
            ),
            Form::Digits => format!("({} || {})", without(12), database.digits(number, 12)),
            Form::LastFour => format!("({} || {})", without(4), database.digits(LAST_FOUR, 4)),
            Form::Amount(minor) => {
                format!(
                    "('\"' || {} || '\"')",
                    as_text(&format!("({minor} + {MORE})"))
                )
            }
        }
    }

    /// A moment of copy `s.n` as an expression. Moments of a payment follow each other at once, so that no other order has one of them;
    /// those of its ends are as far away as in the template.
    fn time(&self, ms: i64) -> String {
        let moments = &self.snapshot.moments;
        let is_moment = (1..NEVER_MS).contains(&ms);
        let Some(first) = moments.first().filter(|_| is_moment) else {
            return ms.to_string();
        };
        let place = moments.iter().position(|moment| *moment == ms);
        let behind = place.map_or(ms - first, |place| place as i64);
        let Copies {
            templates,
            step_ms,
            newest_ms,
            ..
        } = self.copies;
        format!(
            "({newest_ms} - (s.n * {templates} + {}) * {step_ms} + {behind})",
            self.template
        )
    }
}

/// The last four digits of copy `n` of any template.
pub(super) fn last_four(n: i64) -> i64 {
    (n * 7919) % 10_000
}
const LAST_FOUR: &str = "((s.n * 7919) % 10000)";

/// How much more than its template copy `n` costs.
pub(super) fn more(n: i64) -> i64 {
    (n * 613) % 9973
}
const MORE: &str = "((s.n * 613) % 9973)";

/// Puts what is counted into the order of its time without a gap, and tells the database the last number.
async fn order(database: &mut Database, copied: &Copied, column: &str) -> Result<()> {
    let table = copied.table;
    if column == "position" {
        // A feed has no gaps. Numbers below zero keep the new ones apart from those that are still there.
        database
            .execute(format!("UPDATE {table} SET {column} = -{column}"))
            .await?;
        database
            .execute(format!(
                "UPDATE {table} SET {column} = r.place FROM (SELECT event_id AS id, ROW_NUMBER() OVER \
                 (PARTITION BY merchant_id ORDER BY written_ms, {column} DESC) AS place FROM {table}) AS r WHERE r.id = event_id"
            ))
            .await?;
        database
            .execute(format!(
                "UPDATE event_feed SET last_position = (SELECT COALESCE(MAX(e.position), event_feed.last_position) FROM {table} e \
                 WHERE e.merchant_id = event_feed.merchant_id)"
            ))
            .await?;
    } else if database.kind() == Kind::Postgres {
        database
            .execute(format!(
                "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), (SELECT COALESCE(MAX({column}), 1) FROM {table}))"
            ))
            .await?;
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn as_text(number: &str) -> String {
    format!("CAST({number} AS TEXT)")
}

fn replace(expression: &str, old: &str, new: &str) -> String {
    format!("replace({expression}, {}, {new})", quoted(old))
}

/// What is later stands for never.
const NEVER_MS: i64 = 253_402_300_800_000;
/// Three years.
const SPREAD_MS: i64 = 3 * 365 * 86_400_000;
/// The youngest copy is an hour old.
const YOUNGEST_MS: i64 = 3_600_000;
/// How many copies of each template a transaction adds.
const AT_ONCE: i64 = 5000;
/// More rows than an order has in one table.
const MOST_ROWS: i64 = 64;
