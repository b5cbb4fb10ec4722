//! The body of the call by which a shop tells the state of its goods.

use super::Member;
use super::forms::FulfilmentStates;
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `PUT /orders/{orderId}/fulfilment`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TellFulfilment {
    /// The state of the order's goods. `NONE`: nothing is sent yet. `PARTIAL`: a part is sent. `FULFILLED`: everything is sent, or handed
    /// over. `CANCELED`: nothing will be sent, and the goods are for sale again. `RETURNED`: the goods came back, or the shop has written
    /// them off.
    #[schema(value_type = FulfilmentStates)]
    pub(crate) state: Member,
    /// A note for the merchant's own staff, such as the number of a parcel. Without it the order has none.
    #[schema(value_type = Option<String>, max_length = 255, examples("parcel 7 of 7"))]
    pub(crate) note: Member,
}
