//! API keys and notification secrets: making them, listing them, ending them.
//!
//! A key is kept as its hash and is known by the hash's first digits; a secret is kept sealed. Both may have an
//! end: an instant from which on they are worth nothing.

use super::{Connection, Row, StoreError, query};

/// A key or a secret, as the operator may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// What it is named by; it opens nothing.
    pub id: String,
    /// The terminal whose it is.
    pub terminal_id: String,
    /// 0 for keys that are there from the start.
    pub created_ms: i64,
    /// When it stops to be good, if it does.
    pub ends_ms: Option<i64>,
}

/// All API keys, by terminal.
pub async fn keys(connection: &mut Connection) -> Result<Vec<Credential>, StoreError> {
    let rows = query(
        "SELECT substr(key_hash, 1, 12) AS id, terminal_id, created_ms, ends_ms FROM api_key \
         ORDER BY terminal_id, created_ms, key_hash",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// Whether there is a key with this hash, valid or not.
pub async fn has_key(connection: &mut Connection, key_hash: &str) -> Result<bool, StoreError> {
    let found = query("SELECT 1 FROM api_key WHERE key_hash = ?")
        .bind(key_hash)
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some())
}

/// The API keys of one merchant, by terminal.
pub async fn keys_of_merchant(
    connection: &mut Connection,
    merchant_id: &str,
) -> Result<Vec<Credential>, StoreError> {
    let rows = query(
        "SELECT substr(k.key_hash, 1, 12) AS id, k.terminal_id, k.created_ms, k.ends_ms FROM api_key k \
         JOIN terminal t ON t.terminal_id = k.terminal_id WHERE t.merchant_id = ? \
         ORDER BY k.terminal_id, k.created_ms, k.key_hash",
    )
    .bind(merchant_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// All notification secrets, by terminal.
pub async fn secrets(connection: &mut Connection) -> Result<Vec<Credential>, StoreError> {
    let rows = query(
        "SELECT secret_id AS id, terminal_id, created_ms, ends_ms FROM notification_secret \
         ORDER BY terminal_id, created_ms, secret_id",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// Keeps a new key.
pub async fn add_key(
    connection: &mut Connection,
    key_hash: &str,
    terminal_id: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query("INSERT INTO api_key (key_hash, terminal_id, created_ms) VALUES (?, ?, ?)")
        .bind(key_hash)
        .bind(terminal_id)
        .bind(now_ms)
        .execute(connection)
        .await?;
    Ok(())
}

/// Keeps a new secret, sealed for its id.
pub async fn add_secret(
    connection: &mut Connection,
    secret_id: &str,
    terminal_id: &str,
    sealed: &[u8],
    now_ms: i64,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO notification_secret (secret_id, terminal_id, sealed, created_ms) VALUES (?, ?, ?, ?)",
    )
    .bind(secret_id)
    .bind(terminal_id)
    .bind(sealed)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends a key at an instant, unless it ends earlier. Whether there is such a key.
pub async fn end_key(
    connection: &mut Connection,
    id: &str,
    ends_ms: i64,
) -> Result<bool, StoreError> {
    let ended = query(
        "UPDATE api_key SET ends_ms = CASE WHEN ends_ms < ?1 THEN ends_ms ELSE ?1 END WHERE substr(key_hash, 1, 12) = ?2",
    )
    .bind(ends_ms)
    .bind(id)
    .execute(connection)
    .await?;
    Ok(ended > 0)
}

/// Ends a secret at an instant, unless it ends earlier. Whether there is such a secret.
pub async fn end_secret(
    connection: &mut Connection,
    id: &str,
    ends_ms: i64,
) -> Result<bool, StoreError> {
    let ended = query(
        "UPDATE notification_secret SET ends_ms = CASE WHEN ends_ms < ?1 THEN ends_ms ELSE ?1 END WHERE secret_id = ?2",
    )
    .bind(ends_ms)
    .bind(id)
    .execute(connection)
    .await?;
    Ok(ended > 0)
}

/// The secrets of a terminal that are valid now, sealed, each with its id; newest first.
pub async fn valid_secrets(
    connection: &mut Connection,
    terminal_id: &str,
    now_ms: i64,
) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
    let rows = query(
        "SELECT secret_id, sealed FROM notification_secret \
         WHERE terminal_id = ? AND (ends_ms IS NULL OR ends_ms > ?) ORDER BY created_ms DESC, secret_id",
    )
    .bind(terminal_id)
    .bind(now_ms)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((row.try_get("secret_id")?, row.try_get("sealed")?)))
        .collect()
}

fn read(row: &Row) -> Result<Credential, StoreError> {
    Ok(Credential {
        id: row.try_get("id")?,
        terminal_id: row.try_get("terminal_id")?,
        created_ms: row.try_get("created_ms")?,
        ends_ms: row.try_get("ends_ms")?,
    })
}

/// How many digits of its hash name a key.
pub const KEY_ID: usize = 12;
