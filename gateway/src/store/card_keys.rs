//! The keys that the frames encrypt card data with: sealed, as [`crate::payments::card_keys`] makes them.

use super::{Connection, Row, StoreError, query};

/// A key, still sealed.
#[derive(Clone, Debug)]
pub(crate) struct CardKeyRow {
    pub(crate) id: String,
    pub(crate) sealed: Vec<u8>,
    pub(crate) created_ms: i64,
    /// None for the current one.
    pub(crate) ends_ms: Option<i64>,
}

/// All keys, newest first.
pub(crate) async fn all(connection: &mut Connection) -> Result<Vec<CardKeyRow>, StoreError> {
    let rows = query(
        "SELECT key_id, sealed, created_ms, ends_ms FROM card_key ORDER BY created_ms DESC, key_id",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// The key that is encrypted with now.
pub(crate) async fn current(connection: &mut Connection) -> Result<Option<CardKeyRow>, StoreError> {
    let row =
        query("SELECT key_id, sealed, created_ms, ends_ms FROM card_key WHERE ends_ms IS NULL")
            .fetch_optional(connection)
            .await?;
    row.as_ref().map(read).transpose()
}

/// A key that may be opened with at this instant.
pub(crate) async fn valid(
    connection: &mut Connection,
    id: &str,
    now_ms: i64,
) -> Result<Option<CardKeyRow>, StoreError> {
    let row = query(
        "SELECT key_id, sealed, created_ms, ends_ms FROM card_key \
         WHERE key_id = ? AND (ends_ms IS NULL OR ends_ms > ?)",
    )
    .bind(id)
    .bind(now_ms)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read).transpose()
}

/// Keeps a new key. The current one so far ends at `others_end_ms`.
pub(crate) async fn put_first(
    connection: &mut Connection,
    key: &CardKeyRow,
    others_end_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE card_key SET ends_ms = ? WHERE ends_ms IS NULL")
        .bind(others_end_ms)
        .execute(&mut *connection)
        .await?;
    query("INSERT INTO card_key (key_id, sealed, created_ms) VALUES (?, ?, ?)")
        .bind(&key.id)
        .bind(&key.sealed)
        .bind(key.created_ms)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes a key. Whether there was such a one.
pub(crate) async fn delete(connection: &mut Connection, id: &str) -> Result<bool, StoreError> {
    let deleted = query("DELETE FROM card_key WHERE key_id = ?")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(deleted > 0)
}

/// Deletes the keys that have ended.
pub(crate) async fn delete_ended(
    connection: &mut Connection,
    now_ms: i64,
) -> Result<(), StoreError> {
    query("DELETE FROM card_key WHERE ends_ms <= ?")
        .bind(now_ms)
        .execute(connection)
        .await?;
    Ok(())
}

fn read(row: &Row) -> Result<CardKeyRow, StoreError> {
    Ok(CardKeyRow {
        id: row.try_get("key_id")?,
        sealed: row.try_get("sealed")?,
        created_ms: row.try_get("created_ms")?,
        ends_ms: row.try_get("ends_ms")?,
    })
}
