//! How far a sandbox's clock is ahead of the real time. All processes on one database have it in common.

use super::{Connection, StoreError, query, query_scalar};

/// How far the clock is ahead.
pub async fn ahead_ms(connection: &mut Connection) -> Result<i64, StoreError> {
    let found = query_scalar("SELECT ahead_ms FROM test_clock").fetch_optional(connection);
    Ok(found.await?.unwrap_or(0))
}

/// Puts the clock this far ahead. It never goes back: less than before has no effect.
pub async fn put_ahead(connection: &mut Connection, ahead_ms: i64) -> Result<(), StoreError> {
    query(
        "INSERT INTO test_clock (one, ahead_ms) VALUES (1, ?) \
         ON CONFLICT (one) DO UPDATE SET ahead_ms = excluded.ahead_ms WHERE test_clock.ahead_ms < excluded.ahead_ms",
    )
    .bind(ahead_ms)
    .execute(connection)
    .await?;
    Ok(())
}
