//! The part of the HTTP API that a form frame speaks: `/build/*` and `/fe/*`.
//!
//! Source: gateway contract, sections 2.10, 4 and 5. Members that are absent on the wire are `None`.

use serde::{Deserialize, Serialize};
use strum::EnumString;

/// Where a build session stands (2.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, EnumString)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum BuildState {
    /// The buyer picks a payment method.
    PaymentMethodSelection,
    /// The buyer enters the card.
    CardDataCollection,
    /// Card data and device check are done; a completion call is due.
    ReadyForPayment,
    /// A challenge or an external method is open at `url`.
    RedirectedToExternalDomain,
    /// The session has its outcome.
    PaymentComplete,
    /// Version 2: the device check is due in a frame of its own.
    GdiVerification,
}

/// One thing that the page must show (2.10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Field {
    /// `TEXT`, `ACTION` or `GDI`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", ts(type = "'TEXT' | 'ACTION' | 'GDI'"))]
    pub kind: String,
    /// `CARD_FIELD`, `CARD`, `APM` or `GDI`.
    pub class: String,
    /// Field id, e.g. `CARD_NUMBER`.
    pub id: String,
    /// Address of the frame.
    pub src: String,
}

/// The fields of a session (2.10). `fields` is `[]` when there is nothing to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FieldSet {
    /// The session that the fields belong to.
    pub session_id: String,
    /// In the order in which they are shown.
    pub fields: Vec<Field>,
}

/// What a frame needs to know of an operation (2.7). Everything else stays with the merchant's server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct OperationSummary {
    /// The merchant's order.
    pub order_id: String,
    /// 18 digits.
    pub operation_id: String,
    /// E.g. `AUTHORIZATION`, `CANCEL`.
    pub operation_type: String,
    /// E.g. `EXECUTED`, `DECLINED`. An unlisted spelling is treated as unknown, never as a success.
    pub operation_result: String,
    /// Instant, UTC with milliseconds.
    pub operation_time: String,
    /// Only the members that a frame may show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub additional_data: Option<FrameAdditionalData>,
}

/// The one member of `additionalData` that a frame reads: why the issuer refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct FrameAdditionalData {
    /// ISO response code (10.6), e.g. `116`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorization_status: Option<String>,
}

/// Answer of `GET /build/state` and of the completion calls, as a frame sees it (2.10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct StateObject {
    /// Where the session stands.
    pub state: BuildState,
    /// With `REDIRECTED_TO_EXTERNAL_DOMAIN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// With `PAYMENT_COMPLETE`, and with a refusal that may be tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<OperationSummary>,
    /// With the two collecting states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_set: Option<FieldSet>,
    /// With a redirect to an alternative method: its code. Without it `url` is the issuer's page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// While the session is open: what it charges. The merchant's server may have changed it since the form showed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<SessionSum>,
    /// What the buyer pays in its place, once an offer in the card's own currency was taken with the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<SessionSum>,
    /// Whole seconds until an open session, or its challenge, ends: an extension of ours, for frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_left: Option<u32>,
}

/// A sum, as a frame needs it to show it: an extension of ours, for frames.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionSum {
    /// Minor units of `currency`, digits only.
    pub amount: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// How many of the amount's digits stand behind the decimal separator.
    pub minor_digits: u8,
}

/// Answer of `GET /build/cardData` (4.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CardData {
    /// First 6 digits, 8 for some networks.
    pub bin: String,
    /// Last four digits.
    pub last_four_digits: String,
    /// `MMYY`.
    pub expiring_date: String,
    /// Network code (10.5).
    pub circuit: String,
    /// `CREDIT`, `DEBIT`, `PREPAID`; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub funding: Option<String>,
    /// ISO 3166-1 alpha-3; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer_country: Option<String>,
}

/// Answer of `GET /build/cardData` to a frame: what the form shows of the card, and what `form.cardSummary` lets the page know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShownCard {
    /// Network code (10.5).
    pub circuit: String,
    /// First 6 digits; only with `cardSummary` `BIN_LAST4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bin: Option<String>,
    /// Last four digits; with `cardSummary` `NONE` only of a stored card, which the buyer did not type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_four_digits: Option<String>,
}

/// One item of the body of `POST /fe/build/text` (5.3). Holds card data: no `Debug`, never logged.
#[derive(Clone, Serialize, Deserialize)]
pub struct TextItem {
    /// Field id.
    pub id: String,
    /// What the buyer entered.
    pub value: String,
}

/// What became of one submitted field (5.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FieldStatus {
    /// `BUILD_SUCCESS` or `BUILD_ERROR`.
    pub event: String,
    /// Field id.
    pub id: String,
    /// With an error: `HF…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// With an error: English text for developers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
}

/// Where the device check lives (5.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct GdiStatus {
    /// Address of the device check page.
    pub gdi_url: String,
}

/// Answer of `POST /fe/build/text` (5.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextAnswer {
    /// One item for each submitted field, in that order.
    pub field_status: Vec<FieldStatus>,
    /// `CARD_DATA_COLLECTION`, `READY_FOR_PAYMENT`, or `PAYMENT_COMPLETE` after the tenth refused submission.
    pub workflow_state: BuildState,
    /// Present when a device check is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gdi_status: Option<GdiStatus>,
}

/// A saved card, as the buyer recognises it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SavedCard {
    /// The id with which it is chosen and removed: opaque, valid for this customer only.
    pub id: String,
    /// Code of its network (10.5).
    pub network: String,
    /// Name of its network, as buyers read it.
    pub brand: String,
    /// Its last four digits.
    pub last4: String,
    /// The month in which it ends, `YYYY-MM`.
    pub expires: String,
    /// Whether that month is over: then the card is shown, but can not be chosen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub expired: bool,
}

/// The answer to the removal of a saved card (own extension): those that are left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SavedCards {
    /// Newest first.
    pub cards: Vec<SavedCard>,
}

/// Answer of `GET /fe/build/check_gdi_result` (5.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GdiResult {
    /// `OK`, or `KO` while the check runs and when it failed.
    pub result: String,
    /// With a `KO` that is final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<OperationSummary>,
}

/// One reason of an errors object (1.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ApiProblem {
    /// `PS…` or `GW…`.
    pub code: String,
    /// English; names the field, never a submitted value.
    pub description: String,
}

/// Body of a refused call (1.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ApiProblems {
    /// At least one; clients read the first.
    pub errors: Vec<ApiProblem>,
}
