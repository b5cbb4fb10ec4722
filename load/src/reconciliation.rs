//! Compares the gateway's database with the acquirer's, and both with what merchants, buyers and receivers were told.

use crate::orders::ReportedOrder;
use crate::settle::{UNDECIDED, Unfinished, counts};
use anyhow::{Result, bail};
use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{ConnectOptions, Row, SqliteConnection};
use std::collections::BTreeMap;
use std::path::Path;

/// Both databases, for reading.
pub(crate) struct Ledgers {
    gateway: SqliteConnection,
    acquirer: SqliteConnection,
}

/// The outcome that a buyer's browser showed.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) order: String,
    /// From the form's event `result`.
    pub(crate) outcome: String,
}

/// What was found; each breach is a sentence.
pub(crate) struct Discrepancies {
    pub(crate) breaches: Vec<String>,
    pub(crate) charges: usize,
    pub(crate) movements: usize,
    pub(crate) notifications: usize,
}

/// An operation in the gateway's database.
struct Booked {
    operation_id: String,
    result: String,
}

impl Ledgers {
    /// The databases in a gateway's folder.
    pub(crate) async fn open(folder: &Path) -> Result<Ledgers> {
        Ok(Ledgers {
            gateway: connect(&folder.join("gateway.db")).await?,
            acquirer: connect(&folder.join("acquirer.db")).await?,
        })
    }

    /// Compares all records.
    pub(crate) async fn reconcile(
        &mut self,
        reported: &[ReportedOrder],
        shown: &[Shown],
        came: &BTreeMap<String, u32>,
    ) -> Result<Discrepancies> {
        let mut breaches = Vec::new();
        let mut booked = self.payments().await?;
        let mut charges = self.charges().await?;
        let count = charges.len();
        let mut agree =
            |order: &str, good: &str, operations: &[Booked], breaches: &mut Vec<String>| {
                for Booked {
                    operation_id,
                    result,
                } in operations
                {
                    let expected = if result == good {
                        "APPROVED"
                    } else {
                        "DECLINED"
                    };
                    match charges.remove(operation_id).as_deref() {
                    // A failed challenge is an operation for which no money was asked for.
                    None if result != good => {}
                    Some(result) if result == expected => {}
                    other => breaches.push(format!(
                        "{order}: {operation_id} is {result} here, and {other:?} at the acquirer"
                    )),
                }
                }
            };
        for one in reported {
            let (order, good) = (&one.order, one.good());
            let operations = booked.remove(order).unwrap_or_default();
            let have: Vec<&str> = operations
                .iter()
                .map(|operation| operation.result.as_str())
                .collect();
            let want: Vec<&str> = one
                .results
                .iter()
                .map(|result| match result.as_str() {
                    "PENDING" | "AUTHORIZED" => good,
                    other => other,
                })
                .collect();
            if have != want {
                breaches.push(format!(
                    "{order}: its merchant was told {want:?}, and the ledger has {have:?}"
                ));
            }
            if goods(good, &operations) != 1 {
                breaches.push(format!(
                    "{order}: {} final successes",
                    goods(good, &operations)
                ));
            }
            agree(order, good, &operations, &mut breaches);
        }
        for Shown { order, outcome } in shown {
            let operations = booked.remove(order).unwrap_or_default();
            let want = usize::from(outcome == "approved");
            if outcome == "unknown" || goods(SOLD, &operations) != want {
                let goods = goods(SOLD, &operations);
                breaches.push(format!(
                    "{order}: its buyer was shown {outcome}, and the ledger has {goods} successes"
                ));
            }
            agree(order, SOLD, &operations, &mut breaches);
        }
        breaches.extend(
            booked
                .into_keys()
                .map(|order| format!("{order}: nobody knows of it")),
        );
        breaches.extend(
            charges
                .into_keys()
                .map(|id| format!("{id}: charged, and not in the gateway's ledger")),
        );
        let movements = self.compare_movements(reported, &mut breaches).await?;
        self.compare_totals(reported, &mut breaches).await?;
        let notifications = self.compare_notifications(came, &mut breaches).await?;
        let cards: i64 = sqlx::query_scalar("SELECT count(*) FROM sealed_card")
            .fetch_one(&mut self.gateway)
            .await?;
        if cards > 0 {
            breaches.push(format!(
                "{cards} card numbers of ended payments are still kept"
            ));
        }
        Ok(Discrepancies {
            breaches,
            charges: count,
            movements,
            notifications,
        })
    }

    /// Payments and their outcomes, oldest first, by order.
    async fn payments(&mut self) -> Result<BTreeMap<String, Vec<Booked>>> {
        let question = "SELECT order_id, operation_id, result FROM operation WHERE payment_id IS NULL ORDER BY time_ms";
        let mut orders: BTreeMap<String, Vec<Booked>> = BTreeMap::new();
        for row in sqlx::query(question).fetch_all(&mut self.gateway).await? {
            let booked = Booked {
                operation_id: row.try_get("operation_id")?,
                result: row.try_get("result")?,
            };
            orders
                .entry(row.try_get("order_id")?)
                .or_default()
                .push(booked);
        }
        Ok(orders)
    }

    /// The acquirer's results by operation.
    async fn charges(&mut self) -> Result<BTreeMap<String, String>> {
        let question =
            "SELECT reference, coalesce(final_settlement, settlement) AS settlement FROM charge";
        let rows = sqlx::query(question).fetch_all(&mut self.acquirer).await?;
        rows.iter()
            .map(|row| Ok((row.try_get("reference")?, row.try_get("settlement")?)))
            .collect()
    }

    async fn compare_movements(
        &mut self,
        reported: &[ReportedOrder],
        breaches: &mut Vec<String>,
    ) -> Result<usize> {
        let mut want: Vec<_> = reported
            .iter()
            .flat_map(|order| order.moved.iter().cloned())
            .collect();
        want.sort();
        let ours = "SELECT operation_id AS id, operation_type AS kind, amount_minor FROM operation \
                    WHERE payment_id IS NOT NULL ORDER BY 1";
        let theirs = "SELECT reference AS id, kind, amount_minor FROM movement WHERE settlement = 'APPROVED' ORDER BY 1";
        let ours = sqlx::query(ours).fetch_all(&mut self.gateway).await?;
        let theirs = sqlx::query(theirs).fetch_all(&mut self.acquirer).await?;
        for (whose, rows) in [("the gateway", ours), ("the acquirer", theirs)] {
            let have = rows.iter().map(movement).collect::<Result<Vec<_>>>()?;
            let lacking = want.iter().filter(|one| !have.contains(one));
            let unasked = have.iter().filter(|one| !want.contains(one));
            breaches.extend(
                lacking.map(|one| format!("{one:?} was told, and is not in {whose}'s ledger")),
            );
            breaches.extend(
                unasked.map(|one| format!("{one:?} is in {whose}'s ledger, and nobody was told")),
            );
        }
        Ok(want.len())
    }

    async fn compare_totals(
        &mut self,
        reported: &[ReportedOrder],
        breaches: &mut Vec<String>,
    ) -> Result<()> {
        let question =
            "SELECT order_id, authorized_minor, captured_minor, refunded_minor FROM merchant_order";
        let want: BTreeMap<&str, [i64; 3]> = reported
            .iter()
            .map(|order| (order.order.as_str(), order.totals))
            .collect();
        for row in sqlx::query(question).fetch_all(&mut self.gateway).await? {
            let order: &str = row.try_get("order_id")?;
            let have: [i64; 3] = [
                row.try_get("authorized_minor")?,
                row.try_get("captured_minor")?,
                row.try_get("refunded_minor")?,
            ];
            if want.get(order).is_some_and(|want| *want != have) {
                breaches.push(format!(
                    "{order}: authorized, captured, refunded are {have:?}, and not as told"
                ));
            }
        }
        Ok(())
    }

    /// One for each operation whose merchant wants notifications, and one more for each that was pending first.
    /// Each arrived at least once, and there were no others.
    async fn compare_notifications(
        &mut self,
        came: &BTreeMap<String, u32>,
        breaches: &mut Vec<String>,
    ) -> Result<usize> {
        let rows = sqlx::query("SELECT event_id, body FROM notification")
            .fetch_all(&mut self.gateway)
            .await?;
        let mut told: BTreeMap<String, usize> = BTreeMap::new();
        for row in &rows {
            let event: &str = row.try_get("event_id")?;
            if !came.contains_key(event) {
                breaches.push(format!("notification {event} was lost"));
            }
            let body: Value = serde_json::from_str(row.try_get("body")?)?;
            let operation = body["operation"]["operationId"]
                .as_str()
                .unwrap_or_default();
            *told.entry(operation.to_owned()).or_default() += 1;
        }
        if came.len() > rows.len() {
            breaches.push(format!(
                "{} notifications came that were never made",
                came.len() - rows.len()
            ));
        }
        let wanted = "SELECT operation_id FROM operation JOIN build_session USING (session_hash) \
                      WHERE notification_url IS NOT NULL";
        for row in sqlx::query(wanted).fetch_all(&mut self.gateway).await? {
            let operation: &str = row.try_get("operation_id")?;
            if !told.contains_key(operation) {
                breaches.push(format!(
                    "operation {operation}: its merchant was never notified"
                ));
            }
        }
        Ok(rows.len())
    }
}

impl Unfinished for Ledgers {
    async fn unfinished(&mut self) -> Result<Vec<(&'static str, i64)>> {
        let questions = [
            UNDECIDED,
            (
                "sessions that have not ended",
                "SELECT count(*) FROM build_session WHERE state NOT IN ('COMPLETE', 'CANCELLED', 'DEAD')",
            ),
            (
                "notifications that wait",
                "SELECT count(*) FROM notification WHERE state = 'WAITING'",
            ),
        ];
        counts(&mut self.gateway, &questions).await
    }
}

/// An error if there is a breach.
pub(crate) fn verdict(breaches: &[String]) -> Result<()> {
    if breaches.is_empty() {
        return Ok(());
    }
    bail!(
        "{} things are wrong:\n{}",
        breaches.len(),
        breaches.join("\n")
    )
}

/// A database of a gateway, for reading.
pub(crate) async fn connect(file: &Path) -> Result<SqliteConnection, sqlx::Error> {
    SqliteConnectOptions::new().filename(file).connect().await
}

fn movement(row: &SqliteRow) -> Result<(String, String, i64)> {
    Ok((
        row.try_get("id")?,
        row.try_get("kind")?,
        row.try_get("amount_minor")?,
    ))
}

fn goods(good: &str, operations: &[Booked]) -> usize {
    operations
        .iter()
        .filter(|operation| operation.result == good)
        .count()
}

/// The result of a finished sale.
const SOLD: &str = "EXECUTED";
