//! API keys and notification secrets: creates, lists and revokes them.
//!
//! An API key is stored as its hash, and its id is the start of the hash. A secret is stored encrypted. Both may have an end time, from
//! which on they are not valid.

use super::{Connection, Row, StoreError, query};

/// A key or a secret, as the operator may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// Its id. It gives no access.
    pub id: String,
    /// The terminal that it belongs to.
    pub terminal_id: String,
    /// 0 for keys that exist from the start.
    pub created_ms: i64,
    /// When it becomes invalid, if it does.
    pub ends_ms: Option<i64>,
}

/// The id of the key with this hash.
pub fn key_id(key_hash: &str) -> &str {
    key_hash.get(..ID_LENGTH).unwrap_or(key_hash)
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

/// Whether a key with this hash exists, valid or not.
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

/// Stores a new key.
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

/// Stores a new secret. Its encryption is bound to its id.
pub async fn add_secret(
    connection: &mut Connection,
    secret_id: &str,
    terminal_id: &str,
    encrypted: &[u8],
    now_ms: i64,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO notification_secret (secret_id, terminal_id, sealed, created_ms) VALUES (?, ?, ?, ?)",
    )
    .bind(secret_id)
    .bind(terminal_id)
    .bind(encrypted)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// Sets the end of a key, unless it ends earlier. Returns whether the key exists.
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

/// Sets the end of a secret, unless it ends earlier. Returns whether the secret exists.
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

/// The secrets of a terminal that are valid now, encrypted, each with its id; newest first.
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

/// The number of hash digits in the id of a key.
pub const KEY_ID: usize = 12;

/// The statements have it, too.
const ID_LENGTH: usize = 12;
