//! Bodies of what is charged for a reservation later (contract 8.3.4 to 8.3.6, 8.3.11, 8.3.15 to 8.3.17).

use super::Member;
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of `POST /incrementals`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Increment {
    /// The additional amount to hold, in the minor unit. All increments together are at most what was held at first.
    #[schema(value_type = String, format = "amount", examples("1000"))]
    pub(crate) amount: Member,
    /// The currency of the original operation; another is refused (`PS0009`).
    #[schema(value_type = String, format = "currency")]
    pub(crate) currency: Member,
    /// The reason, for the merchant's own staff. It is stored with the operation.
    #[schema(value_type = Option<String>, max_length = 255, examples("one item came back"))]
    pub(crate) description: Member,
    /// The pre-authorization to increase. No part of it may be captured. An unknown id is answered with 404.
    #[schema(value_type = String, min_length = 1, max_length = 36, examples("347074400000000001"))]
    pub(crate) original_operation_id: Member,
}

/// The body of `POST /delay_charges`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DelayedCharge {
    /// The amount to charge after the stay, in the minor unit. All such charges together are at most the reservation's
    /// amount.
    #[schema(value_type = String, format = "amount", examples("1500"))]
    pub(crate) amount: Member,
    /// The currency of the original operation; another is refused (`PS0009`).
    #[schema(value_type = String, format = "currency")]
    pub(crate) currency: Member,
    /// The reason, for the merchant's own staff. It is stored with the operation.
    #[schema(value_type = Option<String>, max_length = 255, examples("one item came back"))]
    pub(crate) description: Member,
    /// The first payment of the reservation, or the check of its card. An unknown id is answered with 404.
    #[schema(value_type = String, min_length = 1, max_length = 36, examples("347074400000000001"))]
    pub(crate) original_operation_id: Member,
}

/// The body of `POST /no_shows`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NoShow {
    /// The amount that the guest who did not come pays, in the minor unit: at most one night with `GUARANTEED_NOSHOW`, at most the
    /// penalty with `GUARANTEED_PENALTY`.
    #[schema(value_type = String, format = "amount", examples("10000"))]
    pub(crate) amount: Member,
    /// The currency of the original operation; another is refused (`PS0009`).
    #[schema(value_type = String, format = "currency")]
    pub(crate) currency: Member,
    /// The reason, for the merchant's own staff. It is stored with the operation.
    #[schema(value_type = Option<String>, max_length = 255, examples("one item came back"))]
    pub(crate) description: Member,
    /// The first payment of the reservation, or the check of its card. An unknown id is answered with 404.
    #[schema(value_type = String, min_length = 1, max_length = 36, examples("347074400000000001"))]
    pub(crate) original_operation_id: Member,
}

/// The body of `POST /reservation/{reservationId}/mit`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChargePart {
    /// The amount to charge, in the minor unit: a `MANUAL` installment, or at most what is still due.
    #[schema(value_type = String, format = "amount", examples("10000"))]
    pub(crate) amount: Member,
}

/// The body of a call that asks whether a charge is possible.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChargeQuestion {
    /// The amount of the charge, in the minor unit. The answer contains the largest possible amount.
    #[schema(value_type = String, format = "amount", examples("10000"))]
    pub(crate) amount: Member,
    /// The reservation's currency; another is refused (`PS0009`).
    #[schema(value_type = String, format = "currency")]
    pub(crate) currency: Member,
    /// The reservation that the charge would be for. An unknown id is answered with 404.
    #[schema(value_type = String, format = "order-id", examples("STAY-1"))]
    pub(crate) reservation_id: Member,
}
