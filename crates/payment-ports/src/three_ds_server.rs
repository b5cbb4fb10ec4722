//! The 3-D Secure server: whether issuers take part, and the authentication of buyers.
//!
//! # References
//!
//! The reference of an authentication is the id of its operation. A server is idempotent by reference: the same reference sends one
//! request to the issuer and gets the same response again.
//!
//! # Unknown outcomes
//!
//! A [`ThreeDsServerError`] says nothing about the buyer. No money has moved, so the caller may repeat the request with the same
//! reference, or report the failure. It never continues as if the buyer had been authenticated. If the server has called the issuer and
//! the issuer offers no authentication, it returns [`AuthenticationResponse::Completed`] with [`Authentication::None`]: this is a
//! response, not an error.
//!
//! After a refusal ([`AuthenticationResponse::Refused`]), the same reference is not sent again. Another attempt of the buyer is another
//! operation.

use async_trait::async_trait;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_money::Amount;
pub use payframe_payment_domain::external_3ds::Enrollment;
pub use payframe_payment_domain::session::{Authentication, DeviceCheck};

/// A 3-D Secure server.
#[async_trait]
pub trait ThreeDsServer: Send + Sync {
    /// The data of the card's range, from the ranges that the directory servers publish. Answers from memory.
    fn card_range(&self, number: &Secret) -> CardRange;

    /// Whether payments of buyers at this terminal may begin: they can be authenticated, or the operator decided that they need not be.
    /// Answers from memory.
    fn serves(&self, _terminal_id: &str) -> bool {
        true
    }

    /// Requests the authentication of the buyer, or repeats the request with the same reference. A device check that is due comes first.
    ///
    /// # Errors
    /// There is no response. The buyer is not authenticated.
    async fn authenticate(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError>;

    /// The evidence of a completed authentication, for the issuer. May be called repeatedly.
    ///
    /// # Errors
    /// There is no response. Repeat the request.
    async fn evidence(
        &self,
        request: &EvidenceRequest<'_>,
    ) -> Result<AuthenticationEvidence, ThreeDsServerError>;
}

/// Why a 3-D Secure server gave no response.
#[derive(Debug, thiserror::Error)]
pub enum ThreeDsServerError {
    /// It could not be reached, or the connection ended before the response.
    #[error("the 3-D Secure server gives no answer: {0}")]
    NoAnswer(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Its response cannot be read.
    #[error("the 3-D Secure server's answer can not be read: {0}")]
    Unreadable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The data of a card's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardRange {
    /// Whether the issuer takes part.
    pub enrollment: Enrollment,
    /// Whether the issuer requires a device check first.
    pub device_check: DeviceCheck,
}

/// An authentication request.
#[derive(Debug)]
pub struct AuthenticationRequest<'a> {
    /// The id of the operation.
    pub reference: &'a str,
    /// The terminal of the payment.
    pub terminal_id: &'a str,
    /// The whole number.
    pub number: &'a Secret,
    /// The expiry month.
    pub expiry: Expiry,
    /// As the buyer typed it. `None` if it was not requested.
    pub holder_name: Option<&'a Secret>,
    /// As the buyer typed it. `None` if it was not requested.
    pub holder_email: Option<&'a Secret>,
    /// The amount of the payment.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: &'a str,
    /// The merchant's preference.
    pub challenge_preference: ChallengePreference,
}

/// Whether the merchant prefers a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengePreference {
    /// No preference: the issuer decides.
    None,
    /// The merchant requests a challenge.
    ChallengeRequested,
}

/// The issuer's response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthenticationResponse {
    /// The authentication is complete.
    Completed(Authentication),
    /// The issuer requires a challenge.
    Challenge,
    /// The issuer refuses: the buyer is not the cardholder.
    Refused,
}

/// A completed authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvidenceRequest<'a> {
    /// The id of the operation.
    pub reference: &'a str,
    /// The network of the payment. `None`: it is no longer known.
    pub network: Option<Network>,
    /// The result.
    pub authentication: Authentication,
}

/// The evidence of an authentication. Its owner can prove a successful authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticationEvidence {
    /// Electronic commerce indicator: two digits.
    pub eci: &'static str,
    /// The value that the issuer signed (CAVV, AAV).
    pub authentication_value: String,
    /// The directory server's id of the authentication.
    pub ds_transaction_id: String,
    /// The version of the protocol.
    pub version: &'static str,
    /// The acquirer's id in the scheme: six digits.
    pub acquirer_bin: &'static str,
    /// The operator of the server.
    pub operator: &'static str,
}
