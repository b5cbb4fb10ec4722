//! The 3-D Secure server: whether issuers take part, and how sure they are of a buyer.
//!
//! # References
//!
//! An authentication has the id of the operation that it is for as its reference. A server is idempotent by it: the same
//! reference asks the issuer once and gets the same answer again.
//!
//! # Unknown outcomes
//!
//! A [`ThreeDsServerError`] says nothing of the buyer. No money has moved, so the caller may ask again with the same reference,
//! or tell whoever called that it failed; it never goes on as if the buyer had been authenticated. A server that could ask the
//! issuer and heard that no authentication is to be had answers [`AuthenticationResponse::Completed`] with
//! [`Authentication::None`]: that is an answer, not an error.
//!
//! A refused buyer ([`AuthenticationResponse::Refused`]) is never asked about again with the same reference; another attempt of
//! the buyer is another operation.

use async_trait::async_trait;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_money::Amount;
pub use payframe_payment_domain::session::{Authentication, DeviceCheck};
pub use payframe_payment_domain::three_step::Enrollment;

/// A 3-D Secure server.
#[async_trait]
pub trait ThreeDsServer: Send + Sync {
    /// What is known of the card's range, from the ranges that the directory servers publish. Answered from memory.
    fn card_range(&self, number: &Secret) -> CardRange;

    /// Asks how sure the issuer is of the buyer, or again for the answer to the same reference. The device check, where one is
    /// due, comes before.
    ///
    /// # Errors
    /// There is no answer. Nothing is known of the buyer.
    async fn authenticate(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError>;

    /// What is known of an authentication that is over: the issuer gets it with the payment. May be asked as often as it is
    /// needed.
    ///
    /// # Errors
    /// There is no answer. Ask again.
    async fn evidence(
        &self,
        request: &EvidenceRequest<'_>,
    ) -> Result<AuthenticationEvidence, ThreeDsServerError>;
}

/// Why a 3-D Secure server gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ThreeDsServerError {
    /// It could not be reached, or the connection broke before its answer was there.
    #[error("the 3-D Secure server gives no answer: {0}")]
    NoAnswer(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It answered something that can not be read.
    #[error("the 3-D Secure server's answer can not be read: {0}")]
    Unreadable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What is known of a card's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardRange {
    /// Whether the issuer takes part.
    pub enrollment: Enrollment,
    /// Whether the issuer wants to look at the browser first.
    pub device_check: DeviceCheck,
}

/// A buyer whom an issuer is asked about.
#[derive(Debug)]
pub struct AuthenticationRequest<'a> {
    /// The id of the operation that it is for.
    pub reference: &'a str,
    /// The terminal that asks.
    pub terminal_id: &'a str,
    /// The whole number.
    pub number: &'a Secret,
    /// The month in which it ends.
    pub expiry: Expiry,
    /// As the buyer typed it; `None` where nobody asked.
    pub holder_name: Option<&'a Secret>,
    /// As the buyer typed it; `None` where nobody asked.
    pub holder_email: Option<&'a Secret>,
    /// What is to be paid.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: &'a str,
    /// What the merchant would rather have.
    pub challenge_preference: ChallengePreference,
}

/// Whether the merchant wants the buyer to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengePreference {
    /// It leaves that to the issuer.
    None,
    /// It does.
    ChallengeRequested,
}

/// What an issuer says of a buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthenticationResponse {
    /// It needs to know no more.
    Completed(Authentication),
    /// It wants to ask the buyer.
    Challenge,
    /// The buyer is not the card's holder.
    Refused,
}

/// An authentication that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvidenceRequest<'a> {
    /// The id of the operation that it is for.
    pub reference: &'a str,
    /// The network that the payment goes over. `None`: one that is not known any more.
    pub network: Option<Network>,
    /// How it ended.
    pub authentication: Authentication,
}

/// What is known of an authentication. Who has it can prove an authentication that ended well.
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
    /// Who acquires, as the scheme knows it: six digits.
    pub acquirer_bin: &'static str,
    /// Who runs the server.
    pub operator: &'static str,
}
