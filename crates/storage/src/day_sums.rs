//! The figures of days that are over, summed once and kept ([`super::statistics`]).
//!
//! A sum holds as long as no operation of its day is added or changed. That can be at any time: a result comes late, the clock of a process
//! is behind. So the triggers of migration 0228 note the day in the transaction of the operation; from its commit on, the day is read from
//! its operations again, until it is summed anew. No clock decides whether a sum holds.
//!
//! On a server a change shares the lock of the day of each operation that it changes, and a sum is made under the same lock alone. It is not
//! waited for: a day that somebody is changing is summed the next time.

use super::statistics::{DAY_MS, counted, summed};
use super::{Connection, Store, StoreError, Subject, query, query_scalar};
use std::ops::Range;

/// How many days the longest statistics have, the present one included.
pub const MOST_DAYS: i64 = 90;

/// Those of these days that have no sum, or one that does not hold, from the first one with an operation on.
pub async fn without_sum(
    connection: &mut Connection,
    merchant_id: &str,
    days: Range<i64>,
) -> Result<Vec<i64>, StoreError> {
    let first_ms: Option<i64> = query_scalar(
        "SELECT time_ms FROM operation WHERE merchant_id = ? AND time_ms >= ? AND time_ms < ? ORDER BY time_ms LIMIT 1",
    )
    .bind(merchant_id)
    .bind(days.start * DAY_MS)
    .bind(days.end * DAY_MS)
    .fetch_optional(connection)
    .await?;
    let Some(first_ms) = first_ms else {
        return Ok(Vec::new());
    };
    let days = first_ms / DAY_MS..days.end;
    let there = summed(connection, merchant_id, days.clone()).await?;
    Ok(days.filter(|day| !there.contains_key(day)).collect())
}

/// Sums a merchant's day. `false`: somebody is changing it.
pub async fn sum(store: &Store, merchant_id: &str, day: i64) -> Result<bool, StoreError> {
    let mut change = store.write(Subject::Statement).await?;
    if store.is_shared() {
        // A statement of its own: what follows reads what is committed by now.
        let is_alone: Option<bool> =
            query_scalar("SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0))")
                .bind(format!("day {merchant_id} {day}"))
                .fetch_optional(&mut change)
                .await?;
        if is_alone != Some(true) {
            return Ok(false);
        }
    }
    query("DELETE FROM changed_day WHERE merchant_id = ? AND day = ?")
        .bind(merchant_id)
        .bind(day)
        .execute(&mut change)
        .await?;
    let mut counted = counted(&mut change, merchant_id, day..day + 1).await?;
    let counts = counted.remove(&day).unwrap_or_default();
    let document =
        serde_json::to_string(&counts).map_err(|_| StoreError::Unreadable("sum of a day"))?;
    query(
        "INSERT INTO summed_day (merchant_id, day, document) VALUES (?, ?, ?) \
         ON CONFLICT (merchant_id, day) DO UPDATE SET document = excluded.document",
    )
    .bind(merchant_id)
    .bind(day)
    .bind(document)
    .execute(&mut change)
    .await?;
    change.commit().await?;
    Ok(true)
}

/// Deletes a merchant's sums of days before this one.
pub async fn forget(store: &Store, merchant_id: &str, first_day: i64) -> Result<(), StoreError> {
    let mut change = store.write(Subject::Statement).await?;
    for sql in [
        "DELETE FROM summed_day WHERE merchant_id = ? AND day < ?",
        "DELETE FROM changed_day WHERE merchant_id = ? AND day < ?",
    ] {
        query(sql)
            .bind(merchant_id)
            .bind(first_day)
            .execute(&mut change)
            .await?;
    }
    change.commit().await?;
    Ok(())
}
