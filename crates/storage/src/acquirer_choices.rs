//! Which acquirer an operation was sent to: it stays with this one, also when the settings change.
//!
//! The choice is written in the transaction that intends to ask, and never changed. Operations of the gateway's own acquirer have none.

use super::{Connection, StoreError, query_scalar};

/// Writes down that the operation goes to the acquirer of this name.
pub fn put(connection: &mut Connection, operation_id: &str, acquirer: &str) {
    connection
        .enqueue("INSERT INTO acquirer_choice (operation_id, acquirer) VALUES (?, ?)")
        .bind(operation_id)
        .bind(acquirer);
}

/// The name of the acquirer that the operation was sent to. `None`: it is the gateway's own.
pub async fn find(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Option<String>, StoreError> {
    let found = query_scalar("SELECT acquirer FROM acquirer_choice WHERE operation_id = ?")
        .bind(operation_id)
        .fetch_optional(connection)
        .await?;
    Ok(found)
}
