//! Disputes that a simulated bank opens by itself, until they are due. What is opened then is in [`super::disputes`].

use super::{Connection, StoreError, query};

/// Writes when the money of an operation is disputed, unless that is written already.
pub fn add(connection: &mut Connection, operation_id: &str, due_ms: i64) {
    connection
        .enqueue("INSERT INTO planned_dispute (operation_id, due_ms) VALUES (?, ?) ON CONFLICT (operation_id) DO NOTHING")
        .bind(operation_id)
        .bind(due_ms);
}

/// The operations whose money is disputed by now, the earliest first.
pub async fn due(connection: &mut Connection, now_ms: i64) -> Result<Vec<String>, StoreError> {
    let rows = query(
        "SELECT operation_id FROM planned_dispute WHERE due_ms <= ? ORDER BY due_ms LIMIT 500",
    )
    .bind(now_ms)
    .fetch_all(connection)
    .await?;
    let ids = rows.iter().map(|row| row.try_get("operation_id"));
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Removes what is done. `false`: it is done already.
pub async fn remove(connection: &mut Connection, operation_id: &str) -> Result<bool, StoreError> {
    let removed = query("DELETE FROM planned_dispute WHERE operation_id = ?")
        .bind(operation_id)
        .execute(connection)
        .await?;
    Ok(removed > 0)
}
