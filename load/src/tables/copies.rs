//! Copies of paid orders inside the database, in great number: `INSERT … SELECT` over a series of numbers, in the order of time.
//!
//! Each template gets the same number of copies, spread evenly over the time before. Copy `n` of a template differs from it in its ids, times,
//! amount and last four digits; everything else, also what the gateway encrypted, is the same. A copy is as old as a snapshot of its template
//! was, so old copies lack what the gateway deletes with time.

use super::calendar::instants;
use super::database::{Column, Database, Kind, Stored};
use super::template::{COPIED, Copied, Form, Name, Snapshot, is_time};
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
    /// This many orders, of which the newest is of this time.
    pub(super) fn new(orders: i64, templates: i64, newest_ms: i64) -> Copies {
        let of_each = (orders / templates).max(1);
        Copies {
            templates,
            of_each,
            step_ms: SPREAD_MS / (of_each * templates),
            newest_ms,
        }
    }

    /// When copy `n` of a template was made.
    pub(super) fn time_ms(&self, template: i64, n: i64) -> i64 {
        self.newest_ms - (n * self.templates + template) * self.step_ms
    }

    /// The number of a name that `by` copies of a template share. They are spread over the whole time, as the orders of a customer are.
    pub(super) fn shared(&self, n: i64, by: i64) -> i64 {
        n % self.different(by)
    }

    /// How many names there are that `by` copies share.
    fn different(&self, by: i64) -> i64 {
        (self.of_each / by).max(1)
    }

    /// Adds them to the tables.
    pub(super) async fn add(
        &self,
        database: &mut Database,
        columns: &[Vec<Column>],
        templates: &[Ages],
    ) -> Result<()> {
        let tables: Vec<&str> = COPIED.iter().map(|copied| copied.table).collect();
        let dropped = database.begin_filling(&tables).await?;
        for (place, copied) in COPIED.iter().enumerate() {
            // What is counted is in one order from the first to the last.
            let at_once = match copied.counted {
                Some(_) => self.of_each,
                None => AT_ONCE,
            };
            // The oldest have the greatest numbers.
            let mut end = self.of_each;
            while end > 0 {
                let first = (end - at_once).max(0);
                let mut rows = Vec::new();
                for (template, ages) in (0..).zip(templates) {
                    rows.extend(self.rows(
                        database,
                        (place, &columns[place]),
                        (template, ages),
                        (first, end),
                    ));
                }
                if !rows.is_empty() {
                    let sql = insert(copied, &columns[place], &rows);
                    database.execute(sql).await?;
                }
                end = first;
            }
            if let Some(column) = copied.counted {
                tell_last(database, copied.table, column).await?;
            }
        }
        database.end_filling(dropped).await
    }

    /// The rows that a range of copies of a template has in a table: a query for each row of the template.
    fn rows(
        &self,
        database: &Database,
        (place, columns): (usize, &[Column]),
        (template, ages): (i64, &Ages),
        (first, end): (i64, i64),
    ) -> Vec<String> {
        // The ages grow with the numbers.
        let number = |age_ms: i64| {
            let behind = age_ms.saturating_sub(YOUNGEST_MS + template * self.step_ms);
            (behind.max(0) as u64).div_ceil((self.templates * self.step_ms) as u64) as i64
        };
        let mut queries = Vec::new();
        for (at, (from_ms, snapshot)) in ages.iter().enumerate() {
            let until_ms = ages.get(at + 1).map_or(i64::MAX, |(from_ms, _)| *from_ms);
            let (first, end) = (first.max(number(*from_ms)), end.min(number(until_ms)));
            if first < end {
                let copy = Copy {
                    copies: self,
                    template,
                    snapshot,
                };
                queries.extend(copy.queries(database, place, columns, (first, end)));
            }
        }
        queries
    }
}

/// The statement that adds rows in the order in which a gateway would have written them, so that neighbours in time are neighbours on the disk.
fn insert(copied: &Copied, columns: &[Column], rows: &[String]) -> String {
    let table = copied.table;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let values: Vec<String> = names
        .iter()
        .map(|name| match copied.counted == Some(*name) {
            // Behind what is there, without a gap.
            true => format!(
                "(SELECT COALESCE(MAX({name}), 0) FROM {table}) + ROW_NUMBER() OVER (ORDER BY copy_ms, copy_row)"
            ),
            false => (*name).to_owned(),
        })
        .collect();
    format!(
        "INSERT INTO {table} ({}) SELECT {} FROM ({}) AS rows_of_copies ORDER BY copy_ms, copy_row",
        names.join(", "),
        values.join(", "),
        rows.join(" UNION ALL ")
    )
}

/// The copies of one template at one age.
struct Copy<'a> {
    copies: &'a Copies,
    template: i64,
    snapshot: &'a Snapshot,
}

impl Copy<'_> {
    /// The rows in one table, each with the time when it was written and its place among those of its order.
    fn queries(
        &self,
        database: &Database,
        place: usize,
        columns: &[Column],
        (first, end): (i64, i64),
    ) -> Vec<String> {
        let counted = COPIED[place].counted;
        let rows = self.snapshot.rows.iter().enumerate();
        let rows = rows.filter(|(_, (of_place, _))| *of_place == place);
        rows.map(|(at, (_, row))| {
            let values = columns.iter().zip(row);
            let values = values.filter(|(column, _)| counted != Some(column.name.as_str()));
            let values: Vec<String> = values
                .map(|(column, value)| {
                    let value = self.value(database, &column.name, value);
                    format!("{} AS {}", database.cast(&value, column), column.name)
                })
                .collect();
            format!(
                "SELECT {} AS copy_ms, {at} AS copy_row, {} FROM {}",
                self.time(self.written_ms(columns, row)),
                values.join(", "),
                database.series(first, end)
            )
        })
        .collect()
    }

    /// When a row of the template was written: its first time that is not before the order. Others are of things to come.
    fn written_ms(&self, columns: &[Column], row: &[Stored]) -> i64 {
        let first = self.snapshot.moments.first().copied().unwrap_or_default();
        let times = columns.iter().zip(row).filter_map(|(column, value)| {
            let Stored::Integer(ms) = value else {
                return None;
            };
            (is_time(&column.name) && *ms >= first).then_some(*ms)
        });
        times.min().unwrap_or(first)
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
                as_text(&format!("({number} % {})", self.copies.different(by)))
            ),
            Form::Digits => format!("({} || {})", without(12), database.digits(SCATTERED, 12)),
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

/// Twelve digits of copy `n` for ids. The gateway's are random; these are as far from those of neighbours, and no two are equal.
pub(super) fn scattered(n: i64) -> i64 {
    (n * 618_033_988_751) % 1_000_000_000_000
}
const SCATTERED: &str = "((s.n * 618033988751) % 1000000000000)";

/// How much more than its template copy `n` costs.
pub(super) fn more(n: i64) -> i64 {
    (n * 613) % 9973
}
const MORE: &str = "((s.n * 613) % 9973)";

/// Tells the database the last number of what is counted.
async fn tell_last(database: &mut Database, table: &str, column: &str) -> Result<()> {
    let sql = if column == "position" {
        format!(
            "UPDATE event_feed SET last_position = (SELECT COALESCE(MAX(e.position), event_feed.last_position) FROM {table} e \
             WHERE e.merchant_id = event_feed.merchant_id)"
        )
    } else if database.kind() == Kind::Postgres {
        format!(
            "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), (SELECT COALESCE(MAX({column}), 1) FROM {table}))"
        )
    } else {
        return Ok(());
    };
    database.execute(sql).await?;
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
pub(super) const YOUNGEST_MS: i64 = 3_600_000;
/// How many copies of each template a statement adds.
const AT_ONCE: i64 = 2000;
