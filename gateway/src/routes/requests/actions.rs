//! Bodies of calls that act on an operation (contract 8.2.6 to 8.2.8).

use super::Member;
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /operations/{operationId}/refunds`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refund {
    /// The amount to refund, in the minor unit. Captured money: from 1 to what remains of it, the oldest capture first.
    /// Money that is only held: exactly the open amount, which releases it. If the open amount is not more than the
    /// captured amount, the refund is taken from the captured money.
    #[schema(value_type = String, format = "amount", examples("1000"))]
    pub(crate) amount: Member,
    /// The currency of the operation, which is also the default. Another currency is refused (`PS0009`).
    #[schema(value_type = Option<String>, format = "currency")]
    pub(crate) currency: Member,
    /// The reason, for the merchant's own staff. It is stored with the operation.
    #[schema(value_type = Option<String>, max_length = 255, examples("one item came back"))]
    pub(crate) description: Member,
}

/// The body of `POST /operations/{operationId}/captures`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capture {
    /// How much of the held money is captured, in the minor unit: from 1 to what is open. The rest remains held.
    #[schema(value_type = String, format = "amount")]
    pub(crate) amount: Member,
    /// The currency of the operation, which is also the default. Another currency is refused (`PS0009`).
    #[schema(value_type = Option<String>, format = "currency")]
    pub(crate) currency: Member,
    /// The reason, for the merchant's own staff. It is stored with the operation.
    #[schema(value_type = Option<String>, max_length = 255, examples("one item came back"))]
    pub(crate) description: Member,
}

/// The body of `POST /operations/{operationId}/cancels`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cancel {
    /// The reason, for the merchant's own staff. It is stored with the operation.
    #[schema(value_type = Option<String>, max_length = 255, examples("one item came back"))]
    pub(crate) description: Member,
}
