//! Operations that no clearing file has in time.
//!
//! They are not written down as differences: whether a file has an operation is asked each time, so a difference is gone as soon as a file has
//! it. So that not all operations are asked for, those that no file had when they were compared with the files are kept, with those that
//! had no result by then. What came due since the last comparison is asked for beside them. So the answer is the same whenever the last
//! comparison was.

use super::difference_row::{DifferenceRow, DifferenceState, Target, resolved};
use crate::{Connection, Row, StoreError, query, query_scalar};
use payframe_payment_domain::settlement::Difference;
use std::collections::BTreeSet;

/// Which operations the clearing files of a terminal have to have, and how far they are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The merchant of the terminal.
    pub merchant_id: String,
    /// The terminal.
    pub terminal_id: String,
    /// The acquirer of the files. Empty: whichever.
    pub acquirer: String,
    /// Operations from before are not missed.
    pub since_ms: i64,
    /// An operation is missed after so long.
    pub missing_after_ms: i64,
    /// The operations from the one time on and before the other were compared.
    pub compared: Option<(i64, i64)>,
}

/// Whether an acquirer clears the operation `o`. What was undone on its own day is left out of files, and so is an authorization that is
/// captured later: it has a time of release, and its captures are cleared.
macro_rules! is_expected {
    () => {
        "o.amount_minor > 0 AND (o.operation_type <> 'AUTHORIZATION' OR o.release_ms IS NULL) \
         AND (o.operation_type IN ('AUTHORIZATION', 'CAPTURE', 'NOSHOW', 'DELAY_CHARGE') AND o.result IN ('EXECUTED', 'REFUNDED') \
              OR o.operation_type = 'REFUND' AND o.result = 'EXECUTED' AND NOT EXISTS \
                 (SELECT 1 FROM operation t WHERE t.operation_id = o.target_id AND t.result = 'VOIDED'))"
    };
}
pub(super) use is_expected;

/// Whether the operation `o` was authorized by the acquirer of the scope `s`.
macro_rules! is_of_acquirer {
    () => {
        "(s.acquirer = '' OR EXISTS (SELECT 1 FROM acquirer_choice c \
          WHERE c.operation_id = COALESCE(o.payment_id, o.operation_id) AND c.acquirer = s.acquirer))"
    };
}

/// Whether no file has the operation `o`.
macro_rules! is_in_no_file {
    () => {
        "NOT EXISTS (SELECT 1 FROM settlement_line l WHERE l.operation_id = o.operation_id)"
    };
}

/// Whether the operation `o` is missed at the time `?2`.
macro_rules! is_missed {
    () => {
        concat!(
            is_expected!(),
            " AND EXISTS (SELECT 1 FROM settlement_scope s WHERE s.terminal_id = o.terminal_id AND o.time_ms >= s.since_ms \
             AND o.time_ms < ?2 - s.missing_after_days * 86400000 AND ",
            is_of_acquirer!(),
            ") AND ",
            is_in_no_file!()
        )
    };
}

/// What is read of the operation `o`, and of what a member noted about it, `m`.
macro_rules! columns {
    () => {
        "SELECT o.operation_id, o.order_id, o.time_ms, o.amount_minor, o.currency, m.resolved_ms, m.resolved_note, \
         (SELECT b.name FROM member b WHERE b.member_id = m.resolved_by) AS resolver FROM "
    };
}

/// A page of the operations that are kept, `u`: behind the time ?4 and the id ?5, at most ?6.
macro_rules! kept {
    ($tables:literal, $more:literal) => {
        concat!(
            columns!(),
            $tables,
            " WHERE u.merchant_id = ?1 AND u.time_ms >= ?3 AND u.time_ms <= ?4 AND (u.time_ms < ?4 OR u.operation_id < ?5) AND ",
            is_missed!(),
            $more,
            " ORDER BY u.time_ms DESC, u.operation_id DESC LIMIT ?6"
        )
    };
}

/// A merchant's operations that are missed at this time, behind the time and the id: at most `most` of those that are kept, and as many of
/// those that came due since. One may be in both.
pub(super) async fn list(
    connection: &mut Connection,
    merchant: (&str, i64),
    state: Option<DifferenceState>,
    behind: (i64, &str),
    most: u32,
) -> Result<Vec<DifferenceRow>, StoreError> {
    // In this order: what is kept meanwhile is found twice, and not never.
    let mut found = match state {
        // What is cleared is kept.
        Some(DifferenceState::Cleared) => Vec::new(),
        Some(DifferenceState::Open) | None => {
            not_compared(connection, merchant, state, behind, most).await?
        }
    };
    let kept = match state {
        None => kept!(
            "settlement_unmatched u JOIN operation o ON o.operation_id = u.operation_id \
             LEFT JOIN settlement_missing m ON m.operation_id = u.operation_id",
            ""
        ),
        Some(DifferenceState::Open) => kept!(
            "settlement_unmatched u JOIN operation o ON o.operation_id = u.operation_id \
             LEFT JOIN settlement_missing m ON m.operation_id = u.operation_id",
            " AND m.operation_id IS NULL"
        ),
        // `CROSS JOIN` has SQLite begin with what members noted.
        Some(DifferenceState::Cleared) => kept!(
            "settlement_missing m CROSS JOIN settlement_unmatched u CROSS JOIN operation o",
            " AND u.operation_id = m.operation_id AND o.operation_id = u.operation_id"
        ),
    };
    let (merchant_id, now_ms) = merchant;
    let rows = query(kept)
        .bind(merchant_id)
        .bind(now_ms)
        .bind(now_ms - MISSED_FOR_MS)
        .bind(behind.0)
        .bind(behind.1)
        .bind(most)
        .fetch_all(connection)
        .await?;
    for row in &rows {
        found.push(difference(row)?);
    }
    Ok(found)
}

/// A merchant's operations that came due since the last comparison and that no file has, newest first: behind the time and the id, at most
/// `most` of each scope.
async fn not_compared(
    connection: &mut Connection,
    (merchant_id, now_ms): (&str, i64),
    state: Option<DifferenceState>,
    (before_ms, before_id): (i64, &str),
    most: u32,
) -> Result<Vec<DifferenceRow>, StoreError> {
    let mut found = Vec::new();
    for scope in scopes(connection, Some(merchant_id)).await? {
        let Some((from_ms, until_ms)) = scope.due(now_ms) else {
            continue;
        };
        let rows = query(concat!(
            columns!(),
            "operation o LEFT JOIN settlement_missing m ON m.operation_id = o.operation_id \
             WHERE o.merchant_id = ?1 AND o.terminal_id = ?3 AND o.time_ms >= ?4 AND o.time_ms < ?5 \
             AND o.time_ms <= ?6 AND (o.time_ms < ?6 OR o.operation_id < ?7) AND (?8 IS NULL OR m.operation_id IS NULL) AND ",
            is_missed!(),
            " ORDER BY o.time_ms DESC, o.operation_id DESC LIMIT ?9"
        ))
        .bind(merchant_id)
        .bind(now_ms)
        .bind(&scope.terminal_id)
        .bind(from_ms)
        .bind(until_ms)
        .bind(before_ms)
        .bind(before_id)
        .bind(state.map(DifferenceState::code))
        .bind(most)
        .fetch_all(connection)
        .await?;
        for row in &rows {
            found.push(difference(row)?);
        }
    }
    Ok(found)
}

/// A merchant's operation, if it is missed at this time.
pub(super) async fn find(
    connection: &mut Connection,
    (merchant_id, now_ms): (&str, i64),
    operation_id: &str,
) -> Result<Option<DifferenceRow>, StoreError> {
    let row = query(concat!(
        columns!(),
        "operation o LEFT JOIN settlement_missing m ON m.operation_id = o.operation_id \
         WHERE o.operation_id = ?4 AND o.merchant_id = ?1 AND o.time_ms >= ?3 AND ",
        is_missed!()
    ))
    .bind(merchant_id)
    .bind(now_ms)
    .bind(now_ms - MISSED_FOR_MS)
    .bind(operation_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(difference).transpose()
}

/// How many operations of a merchant are missed at this time and not marked as cleared. At most `most` are counted.
pub(super) async fn count_open(
    connection: &mut Connection,
    merchant: (&str, i64),
    most: u32,
) -> Result<usize, StoreError> {
    let newest = (i64::MAX, "");
    let open = Some(DifferenceState::Open);
    let found = list(connection, merchant, open, newest, most).await?;
    let operations: BTreeSet<&Target> = found.iter().map(|row| &row.target).collect();
    Ok(operations.len().min(most as usize))
}

/// Which operations clearing files have to have, of a merchant or of all.
pub async fn scopes(
    connection: &mut Connection,
    merchant_id: Option<&str>,
) -> Result<Vec<Scope>, StoreError> {
    let rows = query(
        "SELECT t.merchant_id, s.terminal_id, s.acquirer, s.since_ms, s.missing_after_days, s.compared_since_ms, s.compared_until_ms \
         FROM settlement_scope s JOIN terminal t ON t.terminal_id = s.terminal_id WHERE ?1 IS NULL OR t.merchant_id = ?1 \
         ORDER BY s.terminal_id, s.acquirer",
    )
    .bind(merchant_id)
    .fetch_all(connection)
    .await?;
    let read = |row: &Row| {
        let days: i64 = row.try_get("missing_after_days")?;
        let since_ms: Option<i64> = row.try_get("compared_since_ms")?;
        let until_ms: Option<i64> = row.try_get("compared_until_ms")?;
        Ok(Scope {
            merchant_id: row.try_get("merchant_id")?,
            terminal_id: row.try_get("terminal_id")?,
            acquirer: row.try_get("acquirer")?,
            since_ms: row.try_get("since_ms")?,
            missing_after_ms: days * DAY_MS,
            compared: since_ms.zip(until_ms),
        })
    };
    rows.iter().map(read).collect()
}

impl Scope {
    /// The operations that the next comparison has to read: from the one time on and before the other. `None`: there are none.
    pub fn due(&self, now_ms: i64) -> Option<(i64, i64)> {
        let compared_ms = match self.compared {
            Some((since_ms, until_ms)) if since_ms <= self.since_ms => until_ms,
            Some(_) | None => self.since_ms,
        };
        let from_ms = compared_ms.max(now_ms - MISSED_FOR_MS);
        let until_ms = now_ms - self.missing_after_ms;
        (from_ms < until_ms).then_some((from_ms, until_ms))
    }
}

/// The time of the merchant's first operation behind `most` others in this span. `None`: the span has no more than these.
pub async fn piece_end_ms(
    connection: &mut Connection,
    merchant_id: &str,
    (from_ms, until_ms): (i64, i64),
    most: u32,
) -> Result<Option<i64>, StoreError> {
    let end_ms = query_scalar(
        "SELECT time_ms FROM operation WHERE merchant_id = ? AND time_ms >= ? AND time_ms < ? ORDER BY time_ms LIMIT 1 OFFSET ?",
    )
    .bind(merchant_id)
    .bind(from_ms)
    .bind(until_ms)
    .bind(most)
    .fetch_optional(connection)
    .await?;
    Ok(end_ms)
}

/// Keeps the operations of a scope in this span that no file has, and those without a result. Writes that the span was compared; the caller
/// takes the spans of [`Scope::due`] one after the other. `false`: the files have to have earlier operations since the scope was read, and
/// nothing is written.
pub async fn keep(
    connection: &mut Connection,
    scope: &Scope,
    (from_ms, until_ms): (i64, i64),
) -> Result<bool, StoreError> {
    let changed = query(
        "UPDATE settlement_scope SET compared_since_ms = ?3, compared_until_ms = ?4 \
         WHERE terminal_id = ?1 AND acquirer = ?2 AND since_ms = ?3",
    )
    .bind(&scope.terminal_id)
    .bind(&scope.acquirer)
    .bind(scope.since_ms)
    .bind(until_ms)
    .execute(&mut *connection)
    .await?;
    if changed == 0 {
        return Ok(false);
    }
    query(concat!(
        "INSERT INTO settlement_unmatched (merchant_id, time_ms, operation_id) \
         SELECT o.merchant_id, o.time_ms, o.operation_id FROM settlement_scope s \
         JOIN operation o ON o.merchant_id = ?1 AND o.terminal_id = s.terminal_id AND o.time_ms >= ?4 AND o.time_ms < ?5 \
         WHERE s.terminal_id = ?2 AND s.acquirer = ?3 AND ",
        is_of_acquirer!(),
        " AND ",
        is_in_no_file!(),
        " AND (o.result IN ('PENDING', 'THREEDS_VALIDATED') OR ",
        is_expected!(),
        ") ORDER BY o.operation_id ON CONFLICT DO NOTHING"
    ))
    .bind(&scope.merchant_id)
    .bind(&scope.terminal_id)
    .bind(&scope.acquirer)
    .bind(from_ms)
    .bind(until_ms)
    .execute(connection)
    .await?;
    Ok(true)
}

/// Forgets the operations of a merchant that are too old to be missed.
pub async fn forget(
    connection: &mut Connection,
    merchant_id: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query("DELETE FROM settlement_unmatched WHERE merchant_id = ? AND time_ms < ?")
        .bind(merchant_id)
        .bind(now_ms - MISSED_FOR_MS)
        .execute(connection)
        .await?;
    Ok(())
}

fn difference(row: &Row) -> Result<DifferenceRow, StoreError> {
    let operation_id: String = row.try_get("operation_id")?;
    Ok(DifferenceRow {
        target: Target::Operation {
            operation_id: operation_id.clone(),
        },
        difference: Difference::NotInFile,
        at_ms: row.try_get("time_ms")?,
        booked_day: None,
        file: None,
        operation_id: Some(operation_id),
        order_id: row.try_get("order_id")?,
        reference: None,
        cleared: None,
        booked: Some((row.try_get("amount_minor")?, row.try_get("currency")?)),
        resolved: resolved(row)?,
    })
}

const DAY_MS: i64 = 86_400_000;

/// For how long an operation is missed: half a year.
const MISSED_FOR_MS: i64 = 180 * DAY_MS;
