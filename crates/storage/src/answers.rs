//! Stored responses, for calls that are repeated with their idempotency key. Bodies are encrypted, because some contain session ids.

use super::{Connection, StoreError, query};

/// A stored response.
pub struct StoredAnswer {
    /// The fingerprint of its request.
    pub fingerprint: String,
    /// The HTTP status.
    pub status: u16,
    /// The body, encrypted.
    pub encrypted_body: Vec<u8>,
}

/// The stored response of this key.
pub async fn find(
    connection: &mut Connection,
    scope: &str,
    key: &str,
) -> Result<Option<StoredAnswer>, StoreError> {
    let row = query(
        "SELECT fingerprint, status, sealed_body FROM stored_answer WHERE scope = ? AND key = ?",
    )
    .bind(scope)
    .bind(key)
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        Ok(StoredAnswer {
            fingerprint: row.try_get("fingerprint")?,
            status: u16::try_from(row.try_get::<i64>("status")?)
                .map_err(|_| StoreError::Unreadable("status"))?,
            encrypted_body: row.try_get("sealed_body")?,
        })
    })
    .transpose()
}

/// Stores a response. Sending it fails if another process has stored a response for the key.
pub fn keep(
    connection: &mut Connection,
    scope: &str,
    key: &str,
    answer: &StoredAnswer,
    now_ms: i64,
) {
    connection
        .enqueue(
            "INSERT INTO stored_answer (scope, key, fingerprint, status, sealed_body, created_ms) \
         VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(scope)
        .bind(key)
        .bind(&answer.fingerprint)
        .bind(i64::from(answer.status))
        .bind(&answer.encrypted_body)
        .bind(now_ms);
}
