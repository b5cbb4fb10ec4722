//! The outbox: what merchants are to be told. Rows are written with what they tell of; the notifier delivers them.

use super::{Connection, StoreProblem};
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
        "INSERT INTO notification (event_id, merchant_id, order_id, url, body, next_attempt_ms, terminal_id) \
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&notification.event_id)
    .bind(merchant_id)
    .bind(&notification.operation.order_id)
    .bind(url)
    .bind(body)
    .bind(now_ms)
    .bind(&notification.operation.terminal_id);
    Ok(())
}
