//! The outbox: what merchants are to be told. Rows are written with what they tell of; the notifier delivers them.

use super::{Connection, StoreProblem, query};
use payframe_protocol::operation::Notification;

/// Puts a notification into the outbox, due at once.
pub(crate) fn add(
    connection: &mut Connection,
    merchant_id: &str,
    url: &str,
    notification: &Notification,
    now_ms: i64,
) -> Result<(), StoreProblem> {
    let body = serde_json::to_string(notification)
        .map_err(|_| StoreProblem::Unreadable("notification"))?;
    connection.later(
        "INSERT INTO notification (event_id, merchant_id, order_id, url, body, next_attempt_ms, terminal_id, created_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&notification.event_id)
    .bind(merchant_id)
    .bind(&notification.operation.order_id)
    .bind(url)
    .bind(body)
    .bind(now_ms)
    .bind(&notification.operation.terminal_id)
    .bind(now_ms);
    Ok(())
}

/// What waits to be delivered.
pub(crate) struct Waiting {
    pub(crate) count: i64,
    /// When the oldest was written.
    pub(crate) oldest_ms: Option<i64>,
}

/// What waits to be delivered, for whomever.
pub(crate) async fn waiting(connection: &mut Connection) -> Result<Waiting, StoreProblem> {
    let row = query(
        "SELECT COUNT(*) AS waiting, MIN(NULLIF(created_ms, 0)) AS oldest_ms FROM notification WHERE state = 'WAITING'",
    )
    .fetch_one(connection)
    .await?;
    Ok(Waiting {
        count: row.try_get("waiting")?,
        oldest_ms: row.try_get("oldest_ms")?,
    })
}
