//! Warnings that belong to an order and not to one of its operations: members of requests that are not read.
//!
//! Each is stored once, with the time of its first occurrence. Warnings of operations are in [`super::operations`].

use super::{Connection, StoreError, query};
use payframe_protocol::warning::Warning;

/// Stores a warning, unless the order has it.
pub fn keep(
    connection: &mut Connection,
    (merchant_id, order_id): (&str, &str),
    warning: &Warning,
    now_ms: i64,
) {
    connection
        .enqueue(
            "INSERT INTO order_warning (merchant_id, order_id, code, description, first_ms) VALUES (?, ?, ?, ?, ?) \
             ON CONFLICT (merchant_id, order_id, code, description) DO NOTHING",
        )
        .bind(merchant_id)
        .bind(order_id)
        .bind(warning.code.as_str())
        .bind(warning.description.as_str())
        .bind(now_ms);
}

/// The warnings of an order, oldest first.
pub async fn of_order(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<Warning>, StoreError> {
    let rows = query(
        "SELECT code, description FROM order_warning WHERE merchant_id = ? AND order_id = ? \
         ORDER BY first_ms, description",
    )
    .bind(merchant_id)
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Warning {
                code: row.try_get::<&str>("code")?.to_owned(),
                description: row.try_get::<&str>("description")?.to_owned(),
            })
        })
        .collect()
}
