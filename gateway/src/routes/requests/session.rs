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
}
