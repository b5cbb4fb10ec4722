//! Emergency access: a secret that lets a member in once who otherwise logs in at a provider alone.

use super::{Connection, StoreError, query, query_scalar};

/// Opens it for a member until an instant. A secret that was made before opens nothing any more.
pub async fn open(
    connection: &mut Connection,
    member_id: &str,
    secret_hash: &str,
    until_ms: i64,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO emergency_access (member_id, secret_hash, until_ms) VALUES (?, ?, ?) ON CONFLICT (member_id) DO UPDATE SET \
         secret_hash = excluded.secret_hash, until_ms = excluded.until_ms",
    )
    .bind(member_id)
    .bind(secret_hash)
    .bind(until_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// The id of the member whom a secret lets in now.
pub async fn member_of(
    connection: &mut Connection,
    secret_hash: &str,
    now_ms: i64,
) -> Result<Option<String>, StoreError> {
    let found = query_scalar(
        "SELECT member_id FROM emergency_access WHERE secret_hash = ? AND until_ms > ?",
    )
    .bind(secret_hash)
    .bind(now_ms)
    .fetch_optional(connection);
    Ok(found.await?)
}

/// Uses a member's secret up. `false`: it was used already, or its time is over.
pub async fn take(
    connection: &mut Connection,
    member_id: &str,
    secret_hash: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let taken = query(
        "DELETE FROM emergency_access WHERE member_id = ? AND secret_hash = ? AND until_ms > ?",
    )
    .bind(member_id)
    .bind(secret_hash)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(taken > 0)
}

/// Closes it for a member, and for everybody whose time is over.
pub async fn close(
    connection: &mut Connection,
    member_id: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query("DELETE FROM emergency_access WHERE member_id = ? OR until_ms <= ?")
        .bind(member_id)
        .bind(now_ms)
        .execute(connection)
        .await?;
    Ok(())
}
