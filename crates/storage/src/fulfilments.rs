//! What shops say about the goods of their orders.

use super::{Connection, Row, StoreError, query};
use payframe_payment_domain::fulfilment::FulfilmentState;

/// The goods of an order, as the shop told them last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FulfilmentRow {
    /// Their state.
    pub state: FulfilmentState,
    /// The shop's note.
    pub note: Option<String>,
    /// When the shop first told this state with this note.
    pub changed_ms: i64,
}

/// What the shop told of an order. `None`: nothing.
pub async fn find(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Option<FulfilmentRow>, StoreError> {
    let row = query(
        "SELECT state, note, changed_ms FROM order_fulfilment WHERE merchant_id = ? AND order_id = ?",
    )
    .bind(merchant_id)
    .bind(order_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read).transpose()
}

/// Replaces what the shop told of an order.
pub fn put(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
    fulfilment: &FulfilmentRow,
) {
    connection
        .enqueue(
            "INSERT INTO order_fulfilment (merchant_id, order_id, state, note, first_ms, changed_ms) VALUES (?, ?, ?, ?, ?, ?) \
             ON CONFLICT (merchant_id, order_id) DO UPDATE SET \
             state = excluded.state, note = excluded.note, changed_ms = excluded.changed_ms",
        )
        .bind(merchant_id)
        .bind(order_id)
        .bind(fulfilment.state.code())
        .bind(fulfilment.note.as_deref())
        .bind(fulfilment.changed_ms)
        .bind(fulfilment.changed_ms);
}

fn read(row: &Row) -> Result<FulfilmentRow, StoreError> {
    Ok(FulfilmentRow {
        state: FulfilmentState::from_code(row.try_get("state")?)
            .ok_or(StoreError::Unreadable("fulfilment"))?,
        note: row.try_get("note")?,
        changed_ms: row.try_get("changed_ms")?,
    })
}
