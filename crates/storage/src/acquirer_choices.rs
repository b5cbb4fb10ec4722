//! Which acquirer an operation was sent to: it stays with this one, also when the settings change.
//!
//! The choice is written in the transaction that intends to ask. It changes at most once, from the acquirer to its fallback ([`move_on`]),
//! and never once the fallback was dropped ([`stay`]). Operations of the gateway's own acquirer have none.

use super::{Connection, Row, StoreError, query};

/// The acquirer of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcquirerChoice {
    /// Its name.
    pub acquirer: String,
    /// Who may be asked in its place. `None`: nobody, or it is too late.
    pub fallback: Option<Fallback>,
}

/// An acquirer that may be asked in the place of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// Its name.
    pub acquirer: String,
    /// What only the process knows that wrote the intent.
    pub key: String,
}

/// Writes down that the operation goes to this acquirer.
pub fn put(connection: &mut Connection, operation_id: &str, choice: &AcquirerChoice) {
    let fallback = choice.fallback.as_ref();
    connection
        .enqueue(
            "INSERT INTO acquirer_choice (operation_id, acquirer, fallback, fallback_key) VALUES (?, ?, ?, ?)",
        )
        .bind(operation_id)
        .bind(&choice.acquirer)
        .bind(fallback.map(|fallback| fallback.acquirer.as_str()))
        .bind(fallback.map(|fallback| fallback.key.as_str()));
}

/// The acquirer that the operation was sent to. `None`: it is the gateway's own.
pub async fn find(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Option<AcquirerChoice>, StoreError> {
    let row = query(
        "SELECT acquirer, fallback, fallback_key FROM acquirer_choice WHERE operation_id = ?",
    )
    .bind(operation_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read).transpose()
}

/// Drops the fallback: from now on the operation stays with its acquirer, because a request may have arrived there.
pub async fn stay(connection: &mut Connection, operation_id: &str) -> Result<(), StoreError> {
    query("UPDATE acquirer_choice SET fallback = NULL, fallback_key = NULL WHERE operation_id = ?")
        .bind(operation_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Gives the operation to its fallback, if the fallback with this key is still there. Returns whether it has moved.
pub async fn move_on(
    connection: &mut Connection,
    operation_id: &str,
    key: &str,
) -> Result<bool, StoreError> {
    let moved = query(
        "UPDATE acquirer_choice SET acquirer = fallback, fallback = NULL, fallback_key = NULL \
         WHERE operation_id = ? AND fallback IS NOT NULL AND fallback_key = ?",
    )
    .bind(operation_id)
    .bind(key)
    .execute(connection)
    .await?;
    Ok(moved > 0)
}

fn read(row: &Row) -> Result<AcquirerChoice, StoreError> {
    let fallback: Option<String> = row.try_get("fallback")?;
    let key: Option<String> = row.try_get("fallback_key")?;
    Ok(AcquirerChoice {
        acquirer: row.try_get("acquirer")?,
        fallback: fallback
            .zip(key)
            .map(|(acquirer, key)| Fallback { acquirer, key }),
    })
}
