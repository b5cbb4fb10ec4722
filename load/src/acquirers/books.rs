//! Compares the gateway's books with the acquirer's, and both with what merchants were told.

use super::counterpart::{Entry, EntryState};
use super::orders::{TERMINALS, TelephoneOrder};
use crate::reconciliation::connect;
use crate::settle::{UNDECIDED, Unfinished, counts};
use anyhow::Result;
use sqlx::{Row, SqliteConnection};
use std::collections::BTreeMap;
use std::path::Path;

/// The gateway's tables, for reading.
pub(super) struct Books {
    tables: SqliteConnection,
}

/// What was found; each breach is a sentence.
pub(super) struct Findings {
    pub(super) breaches: Vec<String>,
    /// Follow-up operations.
    pub(super) movements: usize,
    /// What the acquirer has written down.
    pub(super) entries: usize,
    pub(super) reversed: usize,
}

/// An operation in the gateway's tables.
#[derive(Clone, Debug)]
struct Operation {
    order: String,
    terminal: String,
    kind: String,
    result: String,
    amount_minor: i64,
    /// The number of its message over ISO 8583.
    trace_number: Option<i64>,
}

impl Books {
    /// Those in a gateway's folder.
    pub(super) async fn open(folder: &Path) -> Result<Books> {
        Ok(Books {
            tables: connect(&folder.join("gateway.db")).await?,
        })
    }

    /// Compares everything.
    pub(super) async fn compare(
        &mut self,
        told: &[TelephoneOrder],
        entries: &BTreeMap<String, Entry>,
    ) -> Result<Findings> {
        let operations = self.operations().await?;
        let mut breaches = compare_with_acquirer(&operations, entries);
        breaches.extend(compare_with_merchants(&operations, told));
        breaches.extend(compare_totals(&operations, &self.totals().await?));
        let is_movement = |one: &&Operation| one.kind != AUTHORIZATION;
        let is_reversed = |one: &&Entry| one.state == EntryState::Reversed;
        Ok(Findings {
            breaches,
            movements: operations.values().filter(is_movement).count(),
            entries: entries.len(),
            reversed: entries.values().filter(is_reversed).count(),
        })
    }

    /// All operations, by their id.
    async fn operations(&mut self) -> Result<BTreeMap<String, Operation>> {
        let question = "SELECT operation_id, order_id, operation.terminal_id, operation_type, operation.result, operation.amount_minor, trace_number \
                        FROM operation LEFT JOIN iso8583_exchange ON reference = operation_id";
        let rows = sqlx::query(question).fetch_all(&mut self.tables).await?;
        let read = rows.iter().map(|row| {
            let operation = Operation {
                order: row.try_get("order_id")?,
                terminal: row.try_get("terminal_id")?,
                kind: row.try_get("operation_type")?,
                result: row.try_get("result")?,
                amount_minor: row.try_get("amount_minor")?,
                trace_number: row.try_get("trace_number")?,
            };
            Ok((row.try_get("operation_id")?, operation))
        });
        read.collect()
    }

    /// Authorized, captured and refunded amounts, by order.
    async fn totals(&mut self) -> Result<BTreeMap<String, [i64; 3]>> {
        let question =
            "SELECT order_id, authorized_minor, captured_minor, refunded_minor FROM merchant_order";
        let rows = sqlx::query(question).fetch_all(&mut self.tables).await?;
        let read = rows.iter().map(|row| {
            let totals = [
                row.try_get("authorized_minor")?,
                row.try_get("captured_minor")?,
                row.try_get("refunded_minor")?,
            ];
            Ok((row.try_get("order_id")?, totals))
        });
        read.collect()
    }
}

impl Unfinished for Books {
    /// Payments without an outcome, messages without an answer, reversals that nobody has acknowledged.
    async fn unfinished(&mut self) -> Result<Vec<(&'static str, i64)>> {
        let questions = [
            UNDECIDED,
            (
                "messages to the acquirer without an answer",
                "SELECT count(*) FROM iso8583_exchange WHERE state = 'WAITING'",
            ),
            (
                "reversals that the acquirer has not acknowledged",
                "SELECT count(*) FROM iso8583_exchange WHERE state = 'REVERSING'",
            ),
        ];
        counts(&mut self.tables, &questions).await
    }
}

impl Operation {
    /// Whether money moved, as the gateway says.
    fn is_good(&self) -> bool {
        ![
            "DECLINED",
            "DENIED_BY_RISK",
            "FAILED",
            "CANCELED",
            "PENDING",
        ]
        .contains(&self.result.as_str())
    }

    /// The number of its message at the acquirer.
    fn number(&self, operation_id: &str) -> String {
        match self.trace_number {
            Some(number) => format!("{number:06}"),
            None => operation_id.to_owned(),
        }
    }
}

/// What moved here moved there, once and with the same amount, and nothing else moved there.
fn compare_with_acquirer(
    operations: &BTreeMap<String, Operation>,
    entries: &BTreeMap<String, Entry>,
) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut left = entries.clone();
    for (id, operation) in operations {
        let entry = left.remove(&operation.number(id));
        let is_booked = |entry: &Entry| entry.state == EntryState::Booked;
        let there = entry.as_ref().filter(|entry| is_booked(entry));
        let here = operation.is_good().then_some(operation.amount_minor);
        if here != there.map(|entry| entry.amount_minor) {
            breaches.push(format!(
                "{}: {} {id} is {} of {} here, and {entry:?} at the acquirer",
                operation.order, operation.kind, operation.result, operation.amount_minor
            ));
        }
    }
    let unknown = left
        .iter()
        .filter(|(_, entry)| entry.state == EntryState::Booked);
    breaches.extend(unknown.map(|(number, entry)| {
        format!("{number}: {entry:?} at the acquirer, and nothing in the gateway's books")
    }));
    breaches
}

/// Each order has one payment, and what a merchant was told is still so.
fn compare_with_merchants(
    operations: &BTreeMap<String, Operation>,
    told: &[TelephoneOrder],
) -> Vec<String> {
    let mut breaches = Vec::new();
    let known: usize = told.iter().map(|order| order.told.len()).sum();
    if known != operations.len() {
        breaches.push(format!(
            "{} operations are in the gateway's books, and merchants were told of {known}",
            operations.len()
        ));
    }
    for order in told {
        let payments = operations
            .values()
            .filter(|one| one.order == order.order && one.kind == AUTHORIZATION);
        let payments = payments.count();
        if payments != 1 {
            breaches.push(format!("{}: {payments} payments", order.order));
        }
        for one in &order.told {
            let booked = operations.get(&one.operation_id);
            let is_so = |booked: &Operation| match (one.is_open(), booked.is_good()) {
                (true, _) => true,
                // A payment that was given back whole is not EXECUTED any more.
                (false, good) => good == one.is_good(),
            };
            if !booked.is_some_and(is_so) {
                breaches.push(format!(
                    "{}: its merchant was told that {} is {}, and the books have {booked:?}",
                    order.order, one.operation_id, one.result
                ));
            }
        }
    }
    breaches
}

/// An order's totals are the sums of its operations.
fn compare_totals(
    operations: &BTreeMap<String, Operation>,
    totals: &BTreeMap<String, [i64; 3]>,
) -> Vec<String> {
    let mut sums: BTreeMap<&str, [i64; 3]> = BTreeMap::new();
    for operation in operations.values().filter(|one| one.is_good()) {
        let [authorized, captured, refunded] = sums.entry(&operation.order).or_default();
        let amount = operation.amount_minor;
        match operation.kind.as_str() {
            AUTHORIZATION => {
                *authorized += amount;
                if operation.terminal == CAPTURES_AT_ONCE {
                    *captured += amount;
                }
            }
            "CAPTURE" => *captured += amount,
            "VOID" => *authorized -= amount,
            _ => *refunded += amount,
        }
    }
    let wrong = totals.iter().filter(|(order, have)| {
        let want = sums.get(order.as_str()).copied().unwrap_or_default();
        want != **have
    });
    let said = wrong.map(|(order, have)| {
        format!(
            "{order}: authorized, captured, refunded are {have:?}, and its operations say {:?}",
            sums.get(order.as_str())
        )
    });
    said.collect()
}

const CAPTURES_AT_ONCE: &str = TERMINALS[0].0;
const AUTHORIZATION: &str = "AUTHORIZATION";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acquirers::orders::Told;

    fn operation(order: &str, kind: &str, result: &str, amount_minor: i64) -> Operation {
        Operation {
            order: order.to_owned(),
            terminal: CAPTURES_AT_ONCE.to_owned(),
            kind: kind.to_owned(),
            result: result.to_owned(),
            amount_minor,
            trace_number: None,
        }
    }

    fn paid() -> BTreeMap<String, Operation> {
        BTreeMap::from([
            (
                String::from("1"),
                operation("T0", AUTHORIZATION, "EXECUTED", 3545),
            ),
            (
                String::from("2"),
                operation("T0", "REFUND", "EXECUTED", 1000),
            ),
            (
                String::from("3"),
                operation("T1", AUTHORIZATION, "FAILED", 3545),
            ),
        ])
    }

    fn entry(amount_minor: i64, state: EntryState) -> Entry {
        Entry {
            amount_minor,
            state,
        }
    }

    fn agreeing() -> BTreeMap<String, Entry> {
        BTreeMap::from([
            (String::from("1"), entry(3545, EntryState::Booked)),
            (String::from("2"), entry(1000, EntryState::Booked)),
            (String::from("3"), entry(3545, EntryState::Reversed)),
        ])
    }

    fn told(operation_id: &str, result: &str) -> Told {
        Told {
            operation_id: operation_id.to_owned(),
            result: result.to_owned(),
        }
    }

    #[test]
    fn books_that_agree_have_no_breach() {
        assert_eq!(
            compare_with_acquirer(&paid(), &agreeing()),
            Vec::<String>::new()
        );
    }

    #[test]
    fn what_moved_on_one_side_alone_is_found() {
        let mut charged_after_all = agreeing();
        charged_after_all.insert(String::from("3"), entry(3545, EntryState::Booked));
        let mut lost = agreeing();
        lost.remove("2");
        let mut other_amount = agreeing();
        other_amount.insert(String::from("1"), entry(3544, EntryState::Booked));
        let mut doubled = agreeing();
        doubled.insert(String::from("4"), entry(3545, EntryState::Booked));
        for (entries, about) in [
            (charged_after_all, "T1: "),
            (lost, "T0: REFUND"),
            (other_amount, "T0: AUTHORIZATION"),
            (doubled, "4: "),
        ] {
            let found = compare_with_acquirer(&paid(), &entries);
            assert!(
                found.len() == 1 && found[0].starts_with(about),
                "{about}: {found:?}"
            );
        }
    }

    #[test]
    fn an_answer_that_is_not_so_any_more_is_found() {
        let orders = |first: &str, second: &str| {
            vec![
                TelephoneOrder {
                    order: String::from("T0"),
                    told: vec![told("1", first), told("2", "PENDING")],
                },
                TelephoneOrder {
                    order: String::from("T1"),
                    told: vec![told("3", second)],
                },
            ]
        };
        let found = |orders: Vec<_>| compare_with_merchants(&paid(), &orders);
        assert!(found(orders("EXECUTED", "FAILED")).is_empty());
        assert_eq!(found(orders("DECLINED", "FAILED")).len(), 1);
        assert_eq!(found(orders("EXECUTED", "EXECUTED")).len(), 1);
        let mut unheard = orders("EXECUTED", "FAILED");
        unheard.pop();
        assert_eq!(found(unheard).len(), 1);
    }

    #[test]
    fn totals_that_are_no_sums_are_found() {
        let totals = |refunded| {
            BTreeMap::from([
                (String::from("T0"), [3545, 3545, refunded]),
                (String::from("T1"), [0, 0, 0]),
            ])
        };
        assert!(compare_totals(&paid(), &totals(1000)).is_empty());
        assert_eq!(compare_totals(&paid(), &totals(0)).len(), 1);
    }
}
