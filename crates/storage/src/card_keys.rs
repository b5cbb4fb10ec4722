//! The keys with which the frames encrypt card data. The caller encrypts the private keys.

use super::{Connection, Row, StoreError, query};

/// A key with its private part still encrypted.
#[derive(Clone, Debug)]
pub struct CardKeyRow {
    /// Its id, which encrypted cards contain.
    pub id: String,
    /// The private key, encrypted.
    pub encrypted: Vec<u8>,
    /// When it was created.
    pub created_ms: i64,
    /// `None` for the current key.
    pub ends_ms: Option<i64>,
}

/// All keys, newest first.
pub async fn all(connection: &mut Connection) -> Result<Vec<CardKeyRow>, StoreError> {
    let rows = query(
        "SELECT key_id, sealed, created_ms, ends_ms FROM card_key ORDER BY created_ms DESC, key_id",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// The key that is used for encryption now.
pub async fn current(connection: &mut Connection) -> Result<Option<CardKeyRow>, StoreError> {
    let row =
        query("SELECT key_id, sealed, created_ms, ends_ms FROM card_key WHERE ends_ms IS NULL")
            .fetch_optional(connection)
            .await?;
    row.as_ref().map(read).transpose()
}

/// A key that is valid for decryption at this instant.
pub async fn valid(
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

/// Stores a new key. The current key expires at `others_end_ms`.
pub async fn put_first(
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
        .bind(&key.encrypted)
        .bind(key.created_ms)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes a key. Returns whether it existed.
pub async fn delete(connection: &mut Connection, id: &str) -> Result<bool, StoreError> {
    let deleted = query("DELETE FROM card_key WHERE key_id = ?")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(deleted > 0)
}

/// Deletes expired keys.
pub async fn delete_ended(connection: &mut Connection, now_ms: i64) -> Result<(), StoreError> {
    query("DELETE FROM card_key WHERE ends_ms <= ?")
        .bind(now_ms)
        .execute(connection)
        .await?;
    Ok(())
}

fn read(row: &Row) -> Result<CardKeyRow, StoreError> {
    Ok(CardKeyRow {
        id: row.try_get("key_id")?,
        encrypted: row.try_get("sealed")?,
        created_ms: row.try_get("created_ms")?,
        ends_ms: row.try_get("ends_ms")?,
    })
}
