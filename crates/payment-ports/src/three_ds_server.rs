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
//! # Challenges
//!
//! A server of the real protocol says where the browser has to go ([`ThreeDsServer::challenge_form`]), and learns the result from the
//! issuer ([`ThreeDsServer::receive_result`]), not from the browser. A simulated server has none of this: the gateway shows its pages.
//!
//! # Decoupled authentications
//!
//! An issuer may ask the buyer apart from the browser, for example in its app ([`AuthenticationResponse::Decoupled`]). This is a challenge
//! without a page of the issuer: the gateway's page waits. Its result counts until the time that the response names.
//!
//! # Confirmations
//!
//! An issuer may ask for a confirmation by the buyer's device first (Secure Payment Confirmation). Then the browser is asked what
//! [`ThreeDsServer::confirmation`] says, and its outcome goes to [`ThreeDsServer::confirm`]. The issuer answers that by an authentication, a
//! challenge or a refusal. The first answer counts: a repeated call gets it again. No money moves before it.
//!
//! After a refusal ([`AuthenticationResponse::Refused`]), the same reference is not sent again. Another attempt of the buyer is another
//! operation.

mod confirmation;

use async_trait::async_trait;
pub use confirmation::{
    Assertion, AssertionProblem, AssertionResponse, Confirmation, ConfirmationOutcome,
    ConfirmationRequest, ConfirmationStatus,
};
use core::net::IpAddr;
pub use payframe_card_rules::address::AddressPart;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_money::Amount;
pub use payframe_payment_domain::billing_address::{BillingAddress, BillingAddressFields};
pub use payframe_payment_domain::exemption::RequestedExemption;
pub use payframe_payment_domain::external_3ds::Enrollment;
use payframe_payment_domain::session::ChallengeReply;
pub use payframe_payment_domain::session::{Authentication, DeviceCheck};
use std::borrow::Cow;

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

    /// Whether it authenticates buyers in browsers alone, and needs the data of the browser. Then every card has a device check, because
    /// its page collects the data.
    fn needs_browser(&self) -> bool {
        false
    }

    /// What the device check with this reference posts in a hidden frame: the issuer's 3DS method. `None`: the issuer has none. Answers
    /// from memory.
    fn device_check_form(
        &self,
        _number: &Secret,
        _check: &str,
        _notification_url: &str,
    ) -> Option<BrowserForm> {
        None
    }

    /// Requests the authentication of the buyer, or repeats the request with the same reference. A device check that is due comes first.
    ///
    /// # Errors
    /// There is no response. The buyer is not authenticated.
    async fn authenticate(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError>;

    /// What the browser posts to the issuer's page, while there is a challenge with this reference.
    ///
    /// # Errors
    /// It cannot be read.
    async fn challenge_form(
        &self,
        _reference: &str,
    ) -> Result<Option<BrowserForm>, ThreeDsServerError> {
        Ok(None)
    }

    /// How long an issuer may ask apart from the browser, in milliseconds. Zero: never. Answers from memory.
    fn longest_decoupled_ms(&self) -> u32 {
        0
    }

    /// What the issuer tells the buyer while it asks apart from the browser with this reference. `None`: nothing.
    ///
    /// # Errors
    /// It cannot be read.
    async fn decoupled_notice(
        &self,
        _reference: &str,
    ) -> Result<Option<String>, ThreeDsServerError> {
        Ok(None)
    }

    /// What the browser is asked for the confirmation with this reference, or what the issuer has said to its outcome.
    ///
    /// # Errors
    /// It cannot be read.
    async fn confirmation(
        &self,
        _request: &ConfirmationRequest<'_>,
    ) -> Result<ConfirmationStatus, ThreeDsServerError> {
        Ok(ConfirmationStatus::Answered(
            AuthenticationResponse::Refused,
        ))
    }

    /// Tells the issuer the outcome of the confirmation with this reference. May be called repeatedly; the first response counts.
    ///
    /// # Errors
    /// There is no response. The buyer is not authenticated.
    async fn confirm(
        &self,
        _request: &ConfirmationRequest<'_>,
        _outcome: &ConfirmationOutcome,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        Ok(AuthenticationResponse::Refused)
    }

    /// What the issuer said about the challenge with this reference. Undecided: it has said nothing yet. Attempted: it has not authenticated
    /// the buyer, and there is evidence of the attempt.
    ///
    /// # Errors
    /// It cannot be read.
    async fn challenge_result(
        &self,
        _reference: &str,
    ) -> Result<ChallengeReply, ThreeDsServerError> {
        Ok(ChallengeReply::Undecided)
    }

    /// Takes a message that the issuer sends about the challenge with this reference, and returns the answer.
    ///
    /// # Errors
    /// It cannot be kept. The issuer sends it again.
    async fn receive_result(
        &self,
        _reference: &str,
        _message: &[u8],
    ) -> Result<Vec<u8>, ThreeDsServerError> {
        Ok(Vec::new())
    }

    /// What the acquirer is told of an authentication that ended with [`Authentication::DataShared`]. `None`: nothing. May be called repeatedly.
    ///
    /// # Errors
    /// It cannot be read. Repeat the request.
    async fn data_share(
        &self,
        _request: &EvidenceRequest<'_>,
    ) -> Result<Option<DataShare>, ThreeDsServerError> {
        Ok(None)
    }

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
    /// The network of the payment.
    pub network: Network,
    /// The expiry month.
    pub expiry: Expiry,
    /// As the buyer typed it. `None` if it was not requested.
    pub holder_name: Option<&'a Secret>,
    /// As the buyer typed it. `None` if it was not requested.
    pub holder_email: Option<&'a Secret>,
    /// Where the bill for the card goes, as the buyer says. `None` if it was not requested.
    pub billing_address: Option<&'a BillingAddress>,
    /// What the cardholder is charged: the amount of the payment, or that of an accepted offer in the card's own currency.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: &'a str,
    /// The merchant's preference.
    pub challenge_preference: ChallengePreference,
    /// The buyer's browser. `None`: nothing is known of it.
    pub browser: Option<&'a BrowserData>,
    /// Whether a page of the gateway waits if the issuer asks the buyer apart from the browser.
    pub has_waiting_page: bool,
    /// The reference of the device check of this card, if there was one.
    pub device_check: Option<&'a str>,
    /// Where the issuer's page sends the browser after a challenge.
    pub notification_url: &'a str,
    /// Where the issuer sends the result of a challenge. No browser may learn it.
    pub results_url: &'a str,
}

/// The buyer's browser, as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserData {
    /// The header `Accept`.
    pub accept: String,
    /// The header `Accept-Language`.
    pub accept_language: String,
    /// The header `User-Agent`.
    pub user_agent: String,
    /// Its address, if it is known.
    pub ip: Option<IpAddr>,
    /// BCP 47 tag of its language.
    pub language: String,
    /// Whether scripts run in it. Without them, nothing is known of Java, screen and time zone.
    pub has_javascript: bool,
    /// Whether Java runs in it.
    pub has_java: bool,
    /// Bits for each point of the screen.
    pub color_depth: u8,
    /// The height of the screen in points.
    pub screen_height: u32,
    /// The width of the screen in points.
    pub screen_width: u32,
    /// Minutes from its time to UTC: negative in the east.
    pub time_zone_minutes: i16,
    /// Whether the issuer's 3DS method has reported.
    pub is_method_done: bool,
    /// Whether the frame of the payment can ask the buyer's device for a confirmation (Secure Payment Confirmation).
    pub can_confirm: bool,
}

/// A form that a browser posts.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserForm {
    /// Its target.
    pub address: String,
    /// Name and value of its one field.
    pub field: (&'static str, String),
}

/// Whether the merchant prefers a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengePreference {
    /// No preference: the issuer decides.
    None,
    /// The merchant requests a challenge.
    ChallengeRequested,
    /// A rule demands a challenge: without one, the payment does not go on.
    ChallengeMandated,
    /// The merchant shares data with the issuer, and wants neither a challenge nor an authentication ("data share only"). An issuer that takes
    /// note completes with [`Authentication::DataShared`]. It cannot challenge the buyer.
    DataShareOnly,
    /// The merchant asks for an exemption, and wants no challenge. An issuer that grants it without an authentication completes with
    /// [`Authentication::None`], and the payment goes on.
    Exemption(RequestedExemption),
}

/// The issuer's response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthenticationResponse {
    /// The authentication is complete.
    Completed(Authentication),
    /// The issuer requires a challenge.
    Challenge,
    /// The issuer requires a confirmation by the buyer's device. Only if [`BrowserData::can_confirm`].
    Confirmation,
    /// The issuer asks the buyer apart from the browser.
    Decoupled {
        /// From then on its result does not count.
        until_ms: i64,
    },
    /// The issuer refuses: the buyer is not the cardholder.
    Refused,
}

/// A completed authentication.
#[derive(Clone, Copy, Debug)]
pub struct EvidenceRequest<'a> {
    /// The id of the operation.
    pub reference: &'a str,
    /// The terminal that the buyer was authenticated for.
    pub terminal_id: &'a str,
    /// The whole number. `None`: a payment in three steps, in which the merchant is told an older version of the protocol.
    pub number: Option<&'a Secret>,
    /// The network of the payment. `None`: it is no longer known.
    pub network: Option<Network>,
    /// The result.
    pub authentication: Authentication,
}

/// What an issuer's answer to shared data says for the authorization. It proves no authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataShare {
    /// Electronic commerce indicator: two digits. `None`: the issuer gave none.
    pub eci: Option<String>,
    /// The directory server's id of the transaction.
    pub ds_transaction_id: String,
    /// The version of the protocol that was agreed.
    pub version: &'static str,
}

/// The evidence of an authentication. Its owner can prove a successful authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticationEvidence {
    /// Electronic commerce indicator: two digits.
    pub eci: Cow<'static, str>,
    /// The value that the issuer signed (CAVV, AAV).
    pub authentication_value: String,
    /// The directory server's id of the authentication.
    pub ds_transaction_id: String,
    /// The version of the protocol that was agreed.
    pub version: &'static str,
    /// The acquirer's number, as the issuer knows it. Empty where nobody was authenticated.
    pub acquirer_bin: Cow<'static, str>,
    /// The operator of the server.
    pub operator: &'static str,
}
