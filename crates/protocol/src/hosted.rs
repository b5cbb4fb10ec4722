//! Hosted payment pages and payment links as the merchant's server reads them.
//!
//! Source: gateway contract, sections 2.8, 8.1.1 to 8.1.4 and 8.2.12 to 8.2.14.

use crate::warning::Warning;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Answer of `POST /orders/hpp` (8.1.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct HostedPageAnswer {
    /// Where to send the browser.
    pub hosted_page: String,
    /// 32 hex digits, to be compared with the token of notifications.
    pub security_token: String,
    /// `[]` if none.
    pub warnings: Vec<Warning>,
}

/// A payment link (2.8). What version 1 of the creation call does not answer is absent there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PaymentLink {
    /// At most 36 characters.
    pub link_id: String,
    /// What the link asks for; minor units.
    pub amount: String,
    /// The last valid day, `YYYY-MM-DD` in the terminal's time zone.
    pub expiration_date: String,
    /// Where the buyer pays.
    pub link: String,
    /// Absent until it is paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid_by_operation_id: Option<String>,
    /// `ACTIVE`, `PAID`, `EXPIRED`, `CANCELED`, `FAILED`.
    pub status: String,
    /// `HH:mm` with its zone, as in `18:30+02:00`; absent where the link is good to the end of its last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<String>,
    /// The merchant's order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// ISO 4217 letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// `PAY`, `VERIFY`, `PREAUTH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_type: Option<String>,
    /// `IMPLICIT`, `EXPLICIT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture_type: Option<String>,
    /// Instant, UTC with milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<String>,
    /// How often it was renewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renewals: Option<u32>,
}

/// Answer of the two creation calls of links (8.1.2, 8.1.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PaymentLinkAnswer {
    /// The link.
    pub payment_link: PaymentLink,
    /// 32 hex digits, to be compared with the token of notifications.
    pub security_token: String,
    /// `[]` if none.
    pub warnings: Vec<Warning>,
}

/// Answer of the calls that change a link (8.1.4, 8.2.14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangedLink {
    /// The link as it is now.
    pub payment_link: PaymentLink,
}

/// Answer of `GET /orders/paybylink` (8.2.12): newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PaymentLinkList {
    /// `[]` if none.
    pub payment_links: Vec<PaymentLink>,
}

/// Answer of `GET /orders/paybylink/{linkId}` (8.2.13).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PaymentLinkDetails {
    /// The link.
    pub payment_link: PaymentLink,
    /// The order as it was sent (2.1).
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, Value>))]
    pub order: Map<String, Value>,
}
