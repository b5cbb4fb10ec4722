//! Bodies of calls that are about one session (contract, section 4).

use super::Member;
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of a call that only names its session.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NamedSession {
    /// The session. A merchant's server must name it; a frame may name it only in its header `session`.
    #[schema(value_type = Option<String>, examples("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"))]
    pub(crate) session_id: Member,
}

/// The body of `POST /build/confirm_payment`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConfirmPayment {
    /// The session. A merchant's server must name it; a frame may name it only in its header `session`.
    #[schema(value_type = Option<String>, examples("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"))]
    pub(crate) session_id: Member,
    /// The amount to charge, in the minor unit of the order's currency. From a server it replaces the order's
    /// amount and may be higher; from a frame it must be the session's.
    #[schema(value_type = String, format = "amount")]
    pub(crate) amount: Member,
    /// Whether the card is charged now (the default). `false`: the server only fixes the amount.
    #[schema(value_type = Option<bool>)]
    pub(crate) confirm: Member,
    /// The sum that the form showed when the buyer pressed Pay. If the buyer accepted an offer in the card's own currency, it is the sum
    /// of the offer. No other sum is charged. Frames send it.
    #[schema(value_type = Option<String>, examples("3545 EUR"))]
    pub(crate) shown_sum: Member,
}

/// The body of `POST /build/finalize_payment`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FinalizePayment {
    /// The session. A merchant's server must name it; a frame may name it only in its header `session`.
    #[schema(value_type = Option<String>, examples("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"))]
    pub(crate) session_id: Member,
    /// The sum that the form showed when the buyer pressed Pay. If the buyer accepted an offer in the card's own currency, it is the sum
    /// of the offer. No other sum is charged. Frames send it.
    #[schema(value_type = Option<String>, examples("3545 EUR"))]
    pub(crate) shown_sum: Member,
}

/// The body of `PATCH /build/session`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangeSession {
    /// The session.
    #[schema(value_type = String, examples("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"))]
    pub(crate) session_id: Member,
    /// The new amount of the session, in the minor unit of its currency. Above 0, except with `actionType` `VERIFY`.
    #[schema(value_type = Option<String>, format = "amount")]
    pub(crate) amount: Member,
    /// The currency of the session and of its order: the ISO 4217 letters, in any letter case.
    #[schema(value_type = Option<String>, format = "currency")]
    pub(crate) currency: Member,
    /// The new amount of the order. Without it: the amount of the session, or unchanged if the session charges a part of the order.
    #[schema(value_type = Option<String>, format = "amount")]
    pub(crate) order_amount: Member,
    /// What is bought, as a text for the buyer.
    #[schema(value_type = Option<String>, max_length = 255, examples("Two tickets, row 7, and a programme"))]
    pub(crate) description: Member,
}

/// The body of `POST /fe/build/sum`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgreedSum {
    /// The sum that the form showed when the buyer pressed Pay. If the buyer accepted an offer in the card's own currency, it is the sum
    /// of the offer.
    #[schema(value_type = String, examples("3545 EUR"))]
    pub(crate) shown_sum: Member,
}
