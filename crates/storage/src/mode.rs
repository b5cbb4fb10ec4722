//! The mode of the tables: sandbox or production.

use super::{Connection, StoreError, query, query_scalar};

/// The stored mode. `None` if no gateway of this version has opened the tables.
pub async fn find(connection: &mut Connection) -> Result<Option<String>, StoreError> {
    let found = query_scalar("SELECT mode FROM gateway_mode").fetch_optional(connection);
    Ok(found.await?)
}

/// Writes the mode, once.
pub async fn put(connection: &mut Connection, mode: &str) -> Result<(), StoreError> {
    query("INSERT INTO gateway_mode (one, mode) VALUES (1, ?)")
        .bind(mode)
        .execute(connection)
        .await?;
    Ok(())
}

/// Whether there is any order, paid or not.
pub async fn has_orders(connection: &mut Connection) -> Result<bool, StoreError> {
    let found = query("SELECT 1 FROM merchant_order LIMIT 1")
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some())
}
