//! The part of the embedded form's API that only the merchant's server or a foreign frame reads.
//!
//! Source: gateway contract, sections 3.3, 3.7, 4, 5.2 and 5.6. What the widget reads is in [`crate::api`].

use crate::api::{BuildState, Field, FieldSet};
use crate::operation::Operation;
use crate::warning::Warning;
use serde::{Deserialize, Serialize};

/// Answer of `POST /orders/build` (3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BuildAnswer {
    /// The session's id: a credential.
    pub session_id: String,
    /// 32 hex digits, to be compared with the token of notifications.
    pub security_token: String,
    /// Where the session stands.
    pub state: BuildState,
    /// What the page must show; absent with a redirect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<Field>>,
    /// With `REDIRECTED_TO_EXTERNAL_DOMAIN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `[]` if none.
    pub warnings: Vec<Warning>,
    /// Only where the request had the member `form`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<FormAddress>,
}

/// Where the one-frame form is (3.7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FormAddress {
    /// Address of the frame.
    pub src: String,
    /// The form as HTML, to be printed into the merchant's page as it is: an element with its frame, which can be typed into before
    /// any script of the page has run. The script `/sdk/payframe.js` takes this frame over.
    pub html: String,
    /// Instant at which the session ends at the latest.
    pub expires_at: String,
}

/// Answer of `GET /build/state` and of the completion calls, as the merchant's server sees it (2.10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct MerchantStateObject {
    /// Where the session stands.
    pub state: BuildState,
    /// With `REDIRECTED_TO_EXTERNAL_DOMAIN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// With `PAYMENT_COMPLETE`, and with a refusal that may be tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// With the collecting states and the device check of version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_set: Option<FieldSet>,
    /// E.g. `GW9102`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// Answer of `PATCH /build/session`: what the session charges now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangedSession {
    /// Where the session stands.
    pub state: BuildState,
    /// What the session charges, in the minor unit of `currency`.
    pub amount: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// What the order costs.
    pub order_amount: String,
    /// E.g. `GW9102`.
    pub warnings: Vec<Warning>,
}

/// Answer of `GET /build/integrity` (4.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct IntegrityAnswer {
    /// `sha384-…` of the current browser SDK.
    pub integrity: String,
    /// `anonymous`.
    pub cross_origin: String,
    /// Each script that merchants load (own extension).
    pub scripts: Vec<ScriptIntegrity>,
}

/// Integrity of one script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ScriptIntegrity {
    /// Absolute address.
    pub src: String,
    /// `sha384-…`.
    pub integrity: String,
}

/// Answer of `GET /fe/build/field_settings/{id}` (5.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FieldSettings {
    /// `text`, `password`, `checkbox`, `button`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Origin of the merchant's page.
    pub ecomm_platform_domain: String,
    /// Empty for buttons.
    pub validation_reg_exp: String,
    /// Address of a picture; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// In the language asked for.
    pub label: String,
    /// In the language asked for.
    pub title: String,
    /// In the language asked for.
    pub placeholder: String,
    /// `NUMERIC`, `ALPHA`, `EMAIL`, `NONE`.
    pub filter_type: String,
    /// Terminal default; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub css_link: Option<String>,
    /// Terminal default; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container_class: Option<String>,
    /// Terminal default; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component_class: Option<String>,
    /// From the order's customer, never card data; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// Only on `CARD_NUMBER`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_interval_list: Option<Vec<BrandInterval>>,
    /// Whether it must be filled in.
    pub field_required: bool,
    /// Trace id of the session.
    pub transaction_id: String,
}

/// A range of first digits that belongs to a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BrandInterval {
    /// Network code.
    pub brand_name: String,
    /// Lowest first 8 digits.
    pub bottom_limit: String,
    /// Highest first 8 digits.
    pub upper_limit: String,
}

/// Answer of `POST /fe/build/action/{id}` (5.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ActionAnswer {
    /// `BUILD_FLOW_STATE_CHANGE`.
    pub event: String,
    /// Where the session stands.
    pub state: BuildState,
    /// With `REDIRECTED_TO_EXTERNAL_DOMAIN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The alternative method whose page `url` is (own extension).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// What the page must show now.
    #[serde(rename = "fieldSet")]
    pub field_set: FieldSet,
}

/// Answer of `GET /fe/build/validateAndPay` (5.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReturnAddress {
    /// The merchant's page for the outcome.
    pub url: String,
}

/// Answer of `POST /fe/build/bin` (5.6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BinAnswer {
    /// Network codes; `[]` if unknown or not accepted.
    pub networks: Vec<String>,
    /// The merchant's preference among several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferred_network: Option<String>,
    /// How many digits the number may have.
    pub pan_lengths: Vec<u8>,
    /// 3 or 4.
    pub security_code_length: u8,
    /// `REQUIRED`, `OPTIONAL`, `NONE`.
    pub security_code_policy: String,
    /// ISO 3166-1 alpha-3; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer_country: Option<String>,
    /// `CREDIT`, `DEBIT`, `PREPAID`; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub funding: Option<String>,
    /// To pay in the card's own currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency_offer: Option<CurrencyOffer>,
}

/// An offer to pay in the card's own currency (5.6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CurrencyOffer {
    /// Opaque.
    pub offer_id: String,
    /// Minor units of `currency`.
    pub amount: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// Merchant's currency for one unit of `currency`.
    pub exchange_rate: String,
    /// Over the reference rate, two decimals.
    pub mark_up_percent: String,
    /// Instant.
    pub expires_at: String,
    /// How long that is from now: the buyer's clock may be wrong.
    pub expires_in_seconds: u32,
    /// How many of the amount's digits stand behind the decimal separator.
    pub minor_digits: u8,
}
