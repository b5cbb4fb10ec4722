//! The state of the vault's keys: which are in use, which are retired, and the keys for hashes, encrypted.

use super::{Connection, StoreError, query, query_scalar};

/// A key that a gateway encrypts with, or encrypted with.
pub struct VaultKeyRow {
    /// The key's id.
    pub id: String,
    /// When a gateway last reported that it encrypts with this key.
    pub encrypting_ms: Option<i64>,
    /// When it was retired, if it was.
    pub retired_ms: Option<i64>,
}

/// The vault's own values in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The keys for hashes.
    Hashing,
    /// A value that proves that a key is correct. Databases of earlier releases have it instead of the keys for hashes.
    Proof,
}

impl Content {
    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Content::Hashing => "hashing",
            Content::Proof => "vault",
        }
    }
}

/// A value of the vault, encrypted.
pub async fn find(
    connection: &mut Connection,
    content: Content,
) -> Result<Option<Vec<u8>>, StoreError> {
    let encrypted = query_scalar("SELECT sealed FROM vault_content WHERE name = ?")
        .bind(content.name())
        .fetch_optional(connection);
    Ok(encrypted.await?)
}

/// Writes the keys for hashes, and removes the proof.
pub fn put_hashing(connection: &mut Connection, encrypted: &[u8]) {
    connection
        .enqueue("INSERT INTO vault_content (name, sealed) VALUES (?, ?)")
        .bind(Content::Hashing.name())
        .bind(encrypted);
    connection
        .enqueue("DELETE FROM vault_content WHERE name = ?")
        .bind(Content::Proof.name());
}

/// All keys that have ever been in use.
pub async fn all(connection: &mut Connection) -> Result<Vec<VaultKeyRow>, StoreError> {
    let rows = query("SELECT key_id, sealing_ms, retired_ms FROM vault_key ORDER BY key_id")
        .fetch_all(connection)
        .await?;
    let read = |row: &super::Row| {
        Ok(VaultKeyRow {
            id: row.try_get("key_id")?,
            encrypting_ms: row.try_get("sealing_ms")?,
            retired_ms: row.try_get("retired_ms")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Records that a gateway encrypts with a key. `false`: the key is retired.
pub async fn record_encryption_key(
    connection: &mut Connection,
    key_id: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let said = query(
        "INSERT INTO vault_key (key_id, sealing_ms) VALUES (?, ?) ON CONFLICT (key_id) \
         DO UPDATE SET sealing_ms = excluded.sealing_ms WHERE vault_key.retired_ms IS NULL",
    )
    .bind(key_id)
    .bind(now_ms)
    .execute(connection);
    Ok(said.await? > 0)
}

/// Retires a key, unless a gateway has reported since an instant that it encrypts with it. `false`: a gateway has.
pub async fn retire(
    connection: &mut Connection,
    key_id: &str,
    unless_since_ms: i64,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let retired = query(
        "INSERT INTO vault_key (key_id, retired_ms) VALUES (?, ?) ON CONFLICT (key_id) \
         DO UPDATE SET retired_ms = excluded.retired_ms \
         WHERE vault_key.sealing_ms IS NULL OR vault_key.sealing_ms < ?",
    )
    .bind(key_id)
    .bind(now_ms)
    .bind(unless_since_ms)
    .execute(connection);
    Ok(retired.await? > 0)
}
