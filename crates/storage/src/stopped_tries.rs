//! Tries that a rule against card testing stopped, one by one, for the merchant's staff. [`super::card_tries`] writes and counts them.

use super::card_tries::TryOutcome;
use super::{Connection, Row, RowPlace, StoreError, query};
use payframe_payment_domain::card_testing::Rule;

/// A try that a rule stopped, or let pass only with a challenge.
pub struct StoppedTry {
    /// Its operation.
    pub operation_id: String,
    /// The order. `None`: the operation is not written yet.
    pub order_id: Option<String>,
    /// The terminal.
    pub terminal_id: String,
    /// When.
    pub at_ms: i64,
    /// The rule.
    pub rule: Rule,
    /// What became of it.
    pub outcome: TryOutcome,
}

impl StoppedTry {
    /// Its place in the list.
    pub fn place(&self) -> RowPlace {
        RowPlace {
            at_ms: self.at_ms,
            id: self.operation_id.clone(),
        }
    }
}

/// The tries of a merchant that rules stopped, newest first, at most `max`. Each is there for a day.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    behind: Option<&RowPlace>,
    max: i64,
) -> Result<Vec<StoppedTry>, StoreError> {
    let (at_ms, operation_id) = RowPlace::bounds(behind);
    let rows = query(
        "SELECT t.operation_id, o.order_id, t.terminal_id, t.at_ms, t.rule, t.outcome FROM card_try t \
         LEFT JOIN operation o ON o.operation_id = t.operation_id \
         WHERE t.merchant_id = ?1 AND t.rule IS NOT NULL AND t.at_ms <= ?2 \
         AND (t.at_ms < ?2 OR t.operation_id < ?3) \
         ORDER BY t.at_ms DESC, t.operation_id DESC LIMIT ?4",
    )
    .bind(merchant_id)
    .bind(at_ms)
    .bind(operation_id)
    .bind(max)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// The newest tries that a rule stopped by one subject: one card, one address and so on.
pub async fn of_subject(
    connection: &mut Connection,
    merchant_id: &str,
    (rule, subject): (Rule, &str),
    max: i64,
) -> Result<Vec<StoppedTry>, StoreError> {
    let rows = query(
        "SELECT t.operation_id, o.order_id, t.terminal_id, t.at_ms, t.rule, t.outcome FROM card_try t \
         LEFT JOIN operation o ON o.operation_id = t.operation_id \
         WHERE t.merchant_id = ? AND t.rule IS NOT NULL AND t.rule = ? AND t.rule_subject = ? \
         ORDER BY t.at_ms DESC, t.operation_id DESC LIMIT ?",
    )
    .bind(merchant_id)
    .bind(rule.code())
    .bind(subject)
    .bind(max)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

fn read(row: &Row) -> Result<StoppedTry, StoreError> {
    let unreadable = || StoreError::Unreadable("card try");
    Ok(StoppedTry {
        operation_id: row.try_get("operation_id")?,
        order_id: row.try_get("order_id")?,
        terminal_id: row.try_get("terminal_id")?,
        at_ms: row.try_get("at_ms")?,
        rule: Rule::from_code(row.try_get("rule")?).ok_or_else(unreadable)?,
        outcome: TryOutcome::from_code(row.try_get("outcome")?).ok_or_else(unreadable)?,
    })
}
