//! What a shop says about the goods of an order (own extension).

use serde::{Deserialize, Serialize};

/// The goods of an order as the shop told them: the answer of `PUT /orders/{orderId}/fulfilment`, in `GET /orders/{orderId}`, and in
/// events of the type `ORDER_FULFILMENT`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Fulfilment {
    /// The merchant's order.
    pub order_id: String,
    /// The state of its goods.
    pub state: FulfilmentState,
    /// Instant at which the shop first told this state with this note.
    pub changed_time: String,
    /// The shop's note; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The state of an order's goods, in the shop's words.
///
/// `NONE`: nothing is sent yet. `PARTIAL`: a part is sent. `FULFILLED`: everything is sent, or handed over. `CANCELED`: nothing will be
/// sent, and the goods are for sale again. `RETURNED`: the goods came back, or the shop has written them off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FulfilmentState {
    /// Nothing is sent yet.
    None,
    /// A part is sent.
    Partial,
    /// Everything is sent, or handed over.
    Fulfilled,
    /// Nothing will be sent: the goods are for sale again.
    Canceled,
    /// The goods came back, or the shop has written them off.
    Returned,
}
