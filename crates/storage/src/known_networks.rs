//! The networks from which members of the back office logged in. Accounts and networks are keyed hashes.

use super::{Connection, StoreError, query, query_scalar};

/// Records a log-in.
pub async fn put(
    connection: &mut Connection,
    account: &str,
    network: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO known_network (account, network, seen_ms) VALUES (?, ?, ?) \
         ON CONFLICT (account, network) DO UPDATE SET seen_ms = excluded.seen_ms",
    )
    .bind(account)
    .bind(network)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether somebody logged in to this account from this network after an instant.
pub async fn is_known(
    connection: &mut Connection,
    account: &str,
    network: &str,
    after_ms: i64,
) -> Result<bool, StoreError> {
    let number: i64 = query_scalar(
        "SELECT COUNT(*) FROM known_network WHERE account = ? AND network = ? AND seen_ms > ?",
    )
    .bind(account)
    .bind(network)
    .bind(after_ms)
    .fetch_one(connection)
    .await?;
    Ok(number > 0)
}

/// Deletes the networks of which the latest log-in was at an instant or before.
pub async fn forget(connection: &mut Connection, over_ms: i64) -> Result<(), StoreError> {
    query("DELETE FROM known_network WHERE seen_ms <= ?")
        .bind(over_ms)
        .execute(connection)
        .await?;
    Ok(())
}
