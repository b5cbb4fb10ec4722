//! 3-step payments: the merchant's server sends the card, leads the authentication and pays.
//!
//! Source: gateway contract, sections 2.11 and 8.1.5 to 8.1.7.

use crate::operation::Operation;
use serde::{Deserialize, Serialize};

/// Answer of `POST /orders/3steps/init` (8.1.5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ThreeStepInitAnswer {
    /// `PENDING` where the buyer's browser has to come or the issuer knew enough, `THREEDS_VALIDATED` where it takes no part or is not
    /// there, `THREEDS_FAILED` where it refuses.
    pub operation: Operation,
    /// `ENROLLED`, `NOT_ENROLLED`, `UNAVAILABLE`; `notneeded` where the issuer knew enough without asking the buyer.
    #[serde(rename = "threeDSEnrollmentStatus")]
    pub three_ds_enrollment_status: String,
    /// Goes to `threeDSAuthUrl` as `ThreeDsRequest`; `notneeded` where the buyer is not asked.
    #[serde(rename = "threeDSAuthRequest")]
    pub three_ds_auth_request: String,
    /// Where the buyer's browser posts the form; absent where there is no issuer to ask. A buyer who is not asked comes back at once.
    #[serde(rename = "threeDSAuthUrl")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub three_ds_auth_url: Option<String>,
}

/// Answer of `POST /orders/3steps/validation` (8.1.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ThreeStepValidationAnswer {
    /// `THREEDS_VALIDATED` or `THREEDS_FAILED`.
    pub operation: Operation,
    /// What the issuer said of the buyer.
    #[serde(rename = "threeDSAuthResult")]
    pub three_ds_auth_result: ThreeDsAuthResult,
}

/// What the issuer said of the buyer (2.11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreeDsAuthResult {
    /// The issuer's proof; absent where the authentication failed, or the issuer authenticated nobody and the payment goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authentication_value: Option<String>,
    /// How the proof was made; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cavv_algorithm: Option<String>,
    /// Electronic commerce indicator.
    pub eci: String,
    /// The acquirer's number, as the issuer knows it.
    pub merchant_acquirer_bin: String,
    /// Id of the authentication.
    pub xid: String,
    /// `VALIDATED`, `ATTEMPTED`, `FAILED`, `UNAVAILABLE`.
    pub status: String,
    /// Of the issuer's access control.
    pub vendorcode: String,
    /// Version of the 3-D Secure messages.
    pub version: String,
}
