//! Stored answers, for calls that are repeated with their idempotency key. Bodies are sealed: some hold session ids.

use super::{Connection, StoreError, query};

/// An answer that was given before.
pub struct StoredAnswer {
    /// Of the request that it answered.
    pub fingerprint: String,
    /// The HTTP status.
    pub status: u16,
    /// The body, sealed.
    pub sealed_body: Vec<u8>,
}

/// The answer that was given to this key.
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
            sealed_body: row.try_get("sealed_body")?,
        })
    })
    .transpose()
}

/// Keeps an answer. An error for whoever sends it: the key has one already, from another process.
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
        .bind(&answer.sealed_body)
        .bind(now_ms);
}

/// Drops answers older than `before_ms`.
pub async fn drop_older(connection: &mut Connection, before_ms: i64) -> Result<(), StoreError> {
    query("DELETE FROM stored_answer WHERE created_ms < ?")
        .bind(before_ms)
        .execute(connection)
        .await?;
    Ok(())
}
