//! The acquirer: who is asked for money, and to capture, release or give back what was authorized.
//!
//! # References
//!
//! Each request carries a reference that the gateway has written down before it asks. An acquirer is idempotent by it: the
//! same reference moves money once and gets the same answer again, or the present one where the first was
//! [`AuthorizationResult::Pending`]. What stands beside a reference may be less the second time (the security code is lost in a
//! restart); it never asks for another amount, currency, card or terminal.
//!
//! # Unknown outcomes
//!
//! An [`AcquirerError`] says nothing of the money: the acquirer may have moved it. The caller keeps the payment as it was
//! (authorizing, or the follow-up operation pending) and asks again with the same reference until there is an answer. It never books
//! an error as a refusal, never asks for the same money with another reference, and never asks another acquirer for it.
//!
//! # Who may be asked again
//!
//! | Answer | Again with the same reference | A new attempt, with another reference |
//! |---|---|---|
//! | error | yes, until there is an answer | never |
//! | `Pending` | yes, by [`Acquirer::inquire`] for an authorization, by [`Acquirer::follow_up`] otherwise | not before it is final |
//! | `Approved` | answers the same | never for the same payment |
//! | `Declined`, `Failed` | answers the same | yes, if the buyer or the merchant wants |

use async_trait::async_trait;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_card_rules::security_code::SecurityCode;
use payframe_money::Amount;
pub use payframe_payment_domain::ledger_rules::FollowUpOperation;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::ActionType;
pub use payframe_payment_domain::operation::AuthorizationResult;

use crate::three_ds_server::AuthenticationEvidence;

/// An acquirer, or the operator of alternative methods behind it.
#[async_trait]
pub trait Acquirer: Send + Sync {
    /// Asks for money, or again for the answer to the same reference.
    ///
    /// # Errors
    /// There is no answer: the outcome is unknown. Ask again with the same reference.
    async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError>;

    /// Asks to capture, release, undo, give back or hold more of what was authorized, or again for the answer to the same
    /// reference. An acquirer keeps its own count and refuses what is more than there is.
    ///
    /// # Errors
    /// There is no answer: the outcome is unknown. Ask again with the same reference.
    async fn follow_up(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError>;

    /// The answer to the reference of an authorization as it is now. Moves nothing. `None`: the reference was never heard of, so
    /// that nothing was moved under it.
    ///
    /// # Errors
    /// There is no answer. Ask again.
    async fn inquire(
        &self,
        reference: &str,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError>;
}

/// Why an acquirer gave no answer. The outcome of what it was asked for is unknown.
#[derive(Debug, thiserror::Error)]
pub enum AcquirerError {
    /// It could not be reached, or the connection broke before its answer was there.
    #[error("the acquirer gives no answer: {0}")]
    NoAnswer(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It answered something that can not be read.
    #[error("the acquirer's answer can not be read: {0}")]
    Unreadable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What an acquirer is asked for.
#[derive(Debug)]
pub struct AuthorizationRequest<'a> {
    /// The operation's id: unique, and written down before the acquirer is asked.
    pub reference: &'a str,
    /// The terminal that it is booked on.
    pub terminal_id: &'a str,
    /// Whether it is a sale, a pre-authorization, or a check without a charge.
    pub action: ActionType,
    /// How much; zero with [`ActionType::Verify`].
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: &'a str,
    /// What is charged.
    pub instrument: Instrument<'a>,
}

/// What is to be charged.
#[derive(Debug)]
pub enum Instrument<'a> {
    /// A card, by its issuer.
    Card(CardAuthorization<'a>),
    /// An alternative method, by its operator.
    Method {
        /// Which.
        method: &'a Method,
        /// What the buyer's browser brought back from the method's page: it means something to the operator alone.
        return_data: &'a str,
    },
}

/// A card, and all that its issuer may want to know.
#[derive(Debug)]
pub struct CardAuthorization<'a> {
    /// The whole number.
    pub number: &'a Secret,
    /// The month in which it ends.
    pub expiry: Expiry,
    /// The network that the payment goes over.
    pub network: Network,
    /// In this process's memory only; never written down.
    pub security_code: SecurityCodeData<'a>,
    /// As the buyer typed it, name before surname; `None` where nobody asked.
    pub holder_name: Option<&'a Secret>,
    /// As the buyer typed it; `None` where nobody asked.
    pub holder_email: Option<&'a Secret>,
    /// Whether the buyer gave the card now.
    pub origin: CardOrigin,
    /// Who asks for the money.
    pub initiator: Initiator,
    /// The scheme's id of the payment that the card was kept with; `None` for a card that was entered now, or where that payment
    /// has no such id.
    pub first_scheme_id: Option<String>,
    /// What the authentication of the buyer gave; `None` where there was none.
    pub authentication: Option<AuthenticationEvidence>,
    /// Why the buyer did not have to be authenticated.
    pub exemption: Exemption,
}

/// The security code of a request.
#[derive(Debug)]
pub enum SecurityCodeData<'a> {
    /// The buyer's.
    Given(&'a SecurityCode),
    /// The card needs none, or nobody asked.
    NotGiven,
    /// It was given, and lost in a restart, because it is never written down. The issuer decides what that is worth.
    Lost,
}

/// Where the card of a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardOrigin {
    /// The buyer gave it for this payment.
    Entered,
    /// The merchant kept it from an earlier one.
    Stored,
}

/// Who asks for the money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initiator {
    /// The cardholder, who is there.
    Cardholder,
    /// The merchant, as was agreed before.
    Merchant,
}

/// Why a buyer who would have to be authenticated by the rules is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exemption {
    /// No reason: the buyer was authenticated, or the authentication was not available.
    None,
    /// The merchant charges alone, as was agreed.
    MerchantInitiated,
    /// The order came by mail or telephone.
    MailOrTelephone,
}

/// What an acquirer is asked to do with money that it has authorized.
#[derive(Clone, Copy, Debug)]
pub struct FollowUpRequest<'a> {
    /// The follow-up operation's id: unique, and written down before the acquirer is asked.
    pub reference: &'a str,
    /// The reference of the authorization.
    pub authorization: &'a str,
    /// What is to be done.
    pub operation: FollowUpOperation,
    /// With how much.
    pub amount: Amount,
}

/// What an acquirer answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationResponse {
    /// ISO 8583 response code in three digits; empty where no card was charged.
    pub response_code: String,
    /// What it comes to.
    pub result: AuthorizationResult,
    /// With an approval.
    pub approval: Option<Approval>,
    /// While pending: when to ask again, in milliseconds since 1970-01-01 UTC.
    pub ask_again_ms: Option<i64>,
}

/// What comes with an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Six digits.
    pub authorization_code: String,
    /// Twelve digits.
    pub retrieval_reference: String,
    /// The scheme's transaction id: the one that later payments with the same card refer to.
    pub scheme_id: String,
}
