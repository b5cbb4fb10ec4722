//! Terminals at which somebody tries out cards, from the moment at which the merchant is told that it began until the merchant is told that
//! it ended. [`super::card_tries`] counts.
//!
//! A row is written once and deleted once, whichever process does it: who changed it tells the merchant in the same transaction.

use super::{Connection, Row, StoreError, query, query_scalar};

/// An attack that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The terminal.
    pub terminal_id: String,
    /// Its merchant.
    pub merchant_id: String,
    /// When it began.
    pub since_ms: i64,
    /// When the rule was last found to be met.
    pub met_ms: i64,
    /// When it is looked at next.
    pub check_ms: i64,
}

/// Writes down that an attack begins. `false`: it goes on already.
pub async fn begin(connection: &mut Connection, attack: &Attack) -> Result<bool, StoreError> {
    let begun = query(
        "INSERT INTO terminal_attack (terminal_id, merchant_id, since_ms, met_ms, check_ms) VALUES (?, ?, ?, ?, ?) \
         ON CONFLICT (terminal_id) DO NOTHING",
    )
    .bind(&attack.terminal_id)
    .bind(&attack.merchant_id)
    .bind(attack.since_ms)
    .bind(attack.met_ms)
    .bind(attack.check_ms)
    .execute(connection)
    .await?;
    Ok(begun > 0)
}

/// Writes down that an attack ended. `false`: it ended before.
pub async fn end(connection: &mut Connection, attack: &Attack) -> Result<bool, StoreError> {
    let ended = query("DELETE FROM terminal_attack WHERE terminal_id = ? AND since_ms = ?")
        .bind(&attack.terminal_id)
        .bind(attack.since_ms)
        .execute(connection)
        .await?;
    Ok(ended > 0)
}

/// Writes down that an attack was looked at, and goes on.
pub async fn go_on(connection: &mut Connection, attack: &Attack) -> Result<(), StoreError> {
    query("UPDATE terminal_attack SET met_ms = ?, check_ms = ? WHERE terminal_id = ? AND since_ms = ?")
        .bind(attack.met_ms)
        .bind(attack.check_ms)
        .bind(&attack.terminal_id)
        .bind(attack.since_ms)
        .execute(connection)
        .await?;
    Ok(())
}

/// The attack at a terminal. `None`: there is none.
pub async fn find(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<Option<Attack>, StoreError> {
    let row = query(
        "SELECT terminal_id, merchant_id, since_ms, met_ms, check_ms FROM terminal_attack WHERE terminal_id = ?",
    )
    .bind(terminal_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read).transpose()
}

/// The attacks that have to be looked at.
pub async fn due(connection: &mut Connection, now_ms: i64) -> Result<Vec<Attack>, StoreError> {
    let rows = query(
        "SELECT terminal_id, merchant_id, since_ms, met_ms, check_ms FROM terminal_attack WHERE check_ms <= ? ORDER BY check_ms",
    )
    .bind(now_ms)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// How many terminals are under attack.
pub async fn count(connection: &mut Connection) -> Result<i64, StoreError> {
    Ok(query_scalar("SELECT COUNT(*) FROM terminal_attack")
        .fetch_one(connection)
        .await?)
}

fn read(row: &Row) -> Result<Attack, StoreError> {
    Ok(Attack {
        terminal_id: row.try_get("terminal_id")?,
        merchant_id: row.try_get("merchant_id")?,
        since_ms: row.try_get("since_ms")?,
        met_ms: row.try_get("met_ms")?,
        check_ms: row.try_get("check_ms")?,
    })
}
