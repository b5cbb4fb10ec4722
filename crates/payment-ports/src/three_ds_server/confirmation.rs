//! A confirmation by the buyer's device (Secure Payment Confirmation): what the browser is asked, and what came of it.

use super::{AuthenticationRequest, AuthenticationResponse};
use serde::{Deserialize, Serialize};

/// A confirmation that a session waits for.
#[derive(Debug)]
pub struct ConfirmationRequest<'a> {
    /// The authentication that led to it, with the same reference and the same values.
    pub authentication: AuthenticationRequest<'a>,
    /// The merchant's name.
    pub merchant_name: &'a str,
    /// The origin of the merchant's page. `None`: it is not known, or not https.
    pub merchant_origin: Option<&'a str>,
}

/// How far a confirmation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfirmationStatus {
    /// The browser is asked this.
    Asked(Box<Confirmation>),
    /// The issuer has answered to its outcome.
    Answered(AuthenticationResponse),
}

/// What the browser is asked: the members of `SecurePaymentConfirmationRequest` and the total of its `PaymentRequest`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// The domain that the credentials belong to.
    pub rp_id: String,
    /// The ids of the credentials that the issuer knows, base64url. At least one.
    pub credential_ids: Vec<String>,
    /// What the device signs, base64url.
    pub challenge: String,
    /// The merchant, as the browser names it. It names at least one of the two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payee_name: Option<String>,
    /// The merchant's origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payee_origin: Option<String>,
    /// How the browser names the card.
    pub instrument_name: String,
    /// The address of the picture of the card.
    pub instrument_icon: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// The amount, as a decimal number.
    pub value: String,
    /// How long the browser waits for the buyer.
    pub timeout_ms: u32,
}

/// What came of a confirmation.
#[derive(Clone, PartialEq, Eq)]
pub enum ConfirmationOutcome {
    /// The device has signed.
    Confirmed(Box<Assertion>),
    /// It did not run, or not to its end.
    NotCompleted,
    /// The buyer cancelled it, or wants another way.
    Cancelled,
    /// It took too long.
    TimedOut,
}

/// What the device signed: the members of a `PublicKeyCredential`, as its `toJSON` names them. Each is base64url.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Assertion {
    /// The id of the credential.
    pub id: String,
    /// What is signed.
    pub response: AssertionResponse,
}

/// The response of an [`Assertion`].
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssertionResponse {
    /// What the browser says about the payment, as JSON.
    #[serde(rename = "clientDataJSON")]
    pub client_data: String,
    /// What the device says about itself.
    pub authenticator_data: String,
    /// The signature over both.
    pub signature: String,
    /// Which user the credential belongs to, if the device tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_handle: Option<String>,
}
