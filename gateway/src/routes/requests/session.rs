//! Bodies of calls that are about one session (contract, section 4).

use super::Member;
use serde::Deserialize;
use utoipa::ToSchema;

/// The body of a call that only names its session.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NamedSession {
    /// The session that is meant. A merchant's server must name it; a frame may leave it to its header `session`.
    #[schema(value_type = Option<String>, examples("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"))]
    pub(crate) session_id: Member,
}

/// The body of `POST /build/confirm_payment`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConfirmPayment {
    /// The session that is meant. A merchant's server must name it; a frame may leave it to its header `session`.
    #[schema(value_type = Option<String>, examples("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"))]
    pub(crate) session_id: Member,
    /// What is charged, in the minor unit of the order's currency. From a server it takes the place of the order's
    /// amount and may be higher; from a frame it must be the session's.
    #[schema(value_type = String, format = "amount")]
    pub(crate) amount: Member,
    /// Whether the card is charged now (also where it is left out). `false`: the server only fixes the amount.
    #[schema(value_type = Option<bool>)]
    pub(crate) confirm: Member,
    /// The sum that the form showed when the buyer pressed Pay, with an offer in the card's own currency that of the offer.
    /// No other is charged. Named by frames.
    #[schema(value_type = Option<String>, examples("3545 EUR"))]
    pub(crate) shown_sum: Member,
}

/// The body of `POST /build/finalize_payment`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FinalizePayment {
    /// The session that is meant. A merchant's server must name it; a frame may leave it to its header `session`.
    #[schema(value_type = Option<String>, examples("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"))]
    pub(crate) session_id: Member,
    /// The sum that the form showed when the buyer pressed Pay, with an offer in the card's own currency that of the offer.
    /// No other is charged. Named by frames.
    #[schema(value_type = Option<String>, examples("3545 EUR"))]
    pub(crate) shown_sum: Member,
}

/// The body of `PATCH /build/session`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangeSession {
    /// The session that is meant.
    #[schema(value_type = String, examples("m3p0Zr8cV1nT5xQ2bK7sLw9dYe4uHgJfA6oPiRtXvQk"))]
    pub(crate) session_id: Member,
    /// What the session charges from now on, in the minor unit of its currency. Above 0, except with `actionType` `VERIFY`.
    #[schema(value_type = Option<String>, format = "amount")]
    pub(crate) amount: Member,
    /// The currency of the session and of its order: the ISO 4217 letters, in any letter case.
    #[schema(value_type = Option<String>, format = "currency")]
    pub(crate) currency: Member,
    /// What the order costs from now on. Without it: what the session charges, or as before where the session charges a part of
    /// the order.
    #[schema(value_type = Option<String>, format = "amount")]
    pub(crate) order_amount: Member,
    /// What is bought, in words for the buyer.
    #[schema(value_type = Option<String>, max_length = 255, examples("Two tickets, row 7, and a programme"))]
    pub(crate) description: Member,
}

/// The body of `POST /fe/build/sum`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgreedSum {
    /// The sum that the form showed when the buyer pressed Pay, with an offer in the card's own currency that of the offer.
    #[schema(value_type = String, examples("3545 EUR"))]
    pub(crate) shown_sum: Member,
}
