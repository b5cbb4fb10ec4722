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

impl Assertion {
    /// Reads what a browser sends.
    ///
    /// # Errors
    /// It is none, or too long.
    pub fn read(text: &str) -> Result<Assertion, AssertionProblem> {
        if text.len() > LONGEST_ASSERTION_BYTES {
            return Err(AssertionProblem::TooLong);
        }
        let assertion: Assertion =
            serde_json::from_str(text).map_err(|_| AssertionProblem::NotJson)?;
        let response = &assertion.response;
        let parts = [
            &assertion.id,
            &response.client_data,
            &response.authenticator_data,
            &response.signature,
        ];
        let is_encoded = parts
            .into_iter()
            .chain(&response.user_handle)
            .all(|part| is_base64url(part));
        match is_encoded {
            true => Ok(assertion),
            false => Err(AssertionProblem::NotEncoded),
        }
    }
}

/// Why a text is no [`Assertion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssertionProblem {
    /// It has more than 16,000 bytes.
    TooLong,
    /// It is not JSON with the members of an assertion.
    NotJson,
    /// A member is not base64url without padding.
    NotEncoded,
}

fn is_base64url(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !text.is_empty() && text.bytes().all(is_letter)
}

/// The protocol takes 20000 characters.
const LONGEST_ASSERTION_BYTES: usize = 16_000;

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
