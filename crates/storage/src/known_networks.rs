//! The networks from which members of the back office logged in. Networks are keyed hashes.

use super::{Connection, StoreError, query};

/// Records a log-in.
pub async fn put(
    connection: &mut Connection,
    member_id: &str,
    network: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO known_network (member_id, network, seen_ms) VALUES (?, ?, ?) \
         ON CONFLICT (member_id, network) DO UPDATE SET seen_ms = excluded.seen_ms",
    )
    .bind(member_id)
    .bind(network)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether each member with this e-mail address logged in from this network after an instant. Without a member: no.
pub async fn is_known(
    connection: &mut Connection,
    email: &str,
    network: &str,
    after_ms: i64,
) -> Result<bool, StoreError> {
    let row = query(
        "SELECT COUNT(*) AS members, COUNT(k.member_id) AS knowing FROM member m LEFT JOIN known_network k \
         ON k.member_id = m.member_id AND k.network = ?1 AND k.seen_ms > ?2 WHERE m.email = ?3 AND m.disabled = 0",
    )
    .bind(network)
    .bind(after_ms)
    .bind(email)
    .fetch_one(connection)
    .await?;
    let (members, knowing): (i64, i64) = (row.try_get("members")?, row.try_get("knowing")?);
    Ok(knowing > 0 && knowing == members)
}

/// Deletes the networks of which the latest log-in was at an instant or before.
pub async fn forget(connection: &mut Connection, over_ms: i64) -> Result<(), StoreError> {
    query("DELETE FROM known_network WHERE seen_ms <= ?")
        .bind(over_ms)
        .execute(connection)
        .await?;
    Ok(())
}
