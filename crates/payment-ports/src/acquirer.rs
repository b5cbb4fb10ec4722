//! The acquirer: authorizes payments, and captures, releases or refunds what was authorized.
//!
//! # References
//!
//! Each request has a reference that the gateway stores before the request. An acquirer is idempotent by reference: the same reference
//! moves money once and gets the same response again, or the present response if the first one was [`AuthorizationResult::Pending`]. A
//! repeated request may have less data (a restart loses the security code). It never has another amount, currency, card or terminal.
//!
//! # Unknown outcomes
//!
//! An [`AcquirerError`] says nothing about the money: the acquirer may have moved it. The caller keeps the payment unchanged (authorizing,
//! or the follow-up operation pending) and sends the same reference again until there is a response. It never records an error as a
//! refusal, and never requests the same money with another reference.
//!
//! # The card's own currency
//!
//! A request with a `conversion` names two sums: what the cardholder is charged, and what the merchant gets. The acquirer's totals are in the
//! order's currency, as those of the gateway. Each follow-up operation is converted by itself, at the rate of the authorization, so several
//! parts may differ from the whole by their rounding.
//!
//! # Another acquirer
//!
//! A request goes to another acquirer only if this one has surely not taken it, and never after an unknown outcome. Two answers can say so:
//!
//! - [`AcquirerError::NotSent`]: no byte of this request has left. It says nothing about earlier requests with the same reference. So it
//!   counts only for the first request of a reference, of all processes: an earlier copy may have arrived.
//! - [`Taking::NotTaken`]: the acquirer says that nobody behind it has been asked for this reference, or will be.
//!
//! # When a request may be repeated
//!
//! | Response | Again with the same reference | A new attempt, with another reference |
//! |---|---|---|
//! | error | yes, until there is a response | never |
//! | `Pending` | yes, by [`Acquirer::inquire`] for an authorization, by [`Acquirer::follow-up operation`] otherwise | not before it is final |
//! | `Approved` | same response | never for the same payment |
//! | `Declined`, `Failed` | same response | yes, if the buyer or the merchant wants |
//!
//! A decline with [`DeclineReason::AuthenticationRequired`] is final for its reference, as every decline. The new attempt that follows it has
//! the evidence of a challenge.
//!
//! The table is about one acquirer. A second one is asked with the same reference, once the caller has written down that it is the
//! payment's acquirer from now on.

use async_trait::async_trait;
pub use payframe_card_rules::address::AddressPart;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_card_rules::security_code::SecurityCode;
use payframe_money::Amount;
pub use payframe_payment_domain::billing_address::{BillingAddress, BillingAddressFields};
pub use payframe_payment_domain::exemption::RequestedExemption;
pub use payframe_payment_domain::ledger_rules::FollowUpOperation;
use payframe_payment_domain::method::Method;
pub use payframe_payment_domain::network_token::{NetworkToken, TokenCryptogram};
pub use payframe_payment_domain::offer::AcceptedOffer;
use payframe_payment_domain::operation::ActionType;
pub use payframe_payment_domain::operation::{AuthorizationResult, Capture};

use crate::three_ds_server::{AuthenticationEvidence, DataShare};

/// An acquirer, including the operators of alternative methods behind it.
#[async_trait]
pub trait Acquirer: Send + Sync {
    /// Requests an authorization, or repeats the request with the same reference.
    ///
    /// # Errors
    /// There is no response: the outcome is unknown. Repeat the request with the same reference.
    async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError>;

    /// Requests a capture, release, reversal, refund or increment of an authorization, or repeats the request with the same reference. An
    /// acquirer has its own totals and refuses an amount above the available one.
    ///
    /// # Errors
    /// There is no response: the outcome is unknown. Repeat the request with the same reference.
    async fn follow_up(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError>;

    /// The present response to the reference of an authorization. Moves no money. `None`: the acquirer does not know the reference, so no
    /// money was moved for it.
    ///
    /// # Errors
    /// There is no response. Repeat the request.
    async fn inquire(
        &self,
        request: &InquiryRequest<'_>,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError>;

    /// Whether it charges cards in their own currency, if the buyer accepts that. An acquirer that does not is never asked for it: its buyers
    /// get no offers. Answers from memory.
    fn converts(&self) -> bool {
        false
    }
}

/// Why an acquirer gave no response. The outcome of the reference is unknown.
#[derive(Debug, thiserror::Error)]
pub enum AcquirerError {
    /// Surely no byte of this request has left: no connection was made, or nobody was allowed to send on it. An earlier request with the same
    /// reference may have arrived. An implementation that is not sure says [`AcquirerError::NoAnswer`].
    #[error("the acquirer can not be reached, and nothing was sent: {0}")]
    NotSent(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// No response came in time, or the connection ended before it. The request may have arrived.
    #[error("the acquirer gives no answer: {0}")]
    NoAnswer(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Its response cannot be read.
    #[error("the acquirer's answer can not be read: {0}")]
    Unreadable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// An authorization request.
#[derive(Debug)]
pub struct AuthorizationRequest<'a> {
    /// The operation's id: unique, and stored before the request.
    pub reference: &'a str,
    /// The terminal of the operation.
    pub terminal_id: &'a str,
    /// Whether it is a sale, a pre-authorization, or a check without a charge.
    pub action: ActionType,
    /// Whether an approved amount is captured at once, or by follow-up operations.
    pub capture: Capture,
    /// The amount; zero with [`ActionType::Verify`].
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: &'a str,
    /// What the cardholder is charged in place of that, because the buyer accepted an offer in the card's own currency. The merchant gets
    /// `amount`. Only for an acquirer that [converts](Acquirer::converts).
    pub conversion: Option<&'a AcceptedOffer>,
    /// The instrument to charge.
    pub instrument: Instrument<'a>,
}

/// The instrument to charge.
#[derive(Debug)]
pub enum Instrument<'a> {
    /// A card, charged through its issuer.
    Card(CardAuthorization<'a>),
    /// An alternative method, charged through its operator.
    Method {
        /// The method.
        method: &'a Method,
        /// The data that the buyer's browser brought back from the method's page. Only the operator can read it.
        return_data: &'a str,
    },
}

/// A card, with the data that its issuer may need.
#[derive(Debug)]
pub struct CardAuthorization<'a> {
    /// The whole number: of the card, or the network token that stands for it.
    pub number: &'a Secret,
    /// What is known of a number that is a network token. `None`: it is the card's own number.
    pub network_token: Option<&'a NetworkToken>,
    /// The expiry month.
    pub expiry: Expiry,
    /// The network of the payment.
    pub network: Network,
    /// Only in the memory of this process; never stored.
    pub security_code: SecurityCodeData<'a>,
    /// As the buyer typed it, name before surname. `None` if it was not requested.
    pub holder_name: Option<&'a Secret>,
    /// As the buyer typed it. `None` if it was not requested.
    pub holder_email: Option<&'a Secret>,
    /// Where the bill for the card goes, as the buyer says. `None` if it was not requested.
    pub billing_address: Option<&'a BillingAddress>,
    /// Whether the buyer entered the card for this payment.
    pub origin: CardOrigin,
    /// Who initiates the payment.
    pub initiator: Initiator,
    /// The scheme's id of the payment with which the card was stored. `None` for a card that was entered now, or if that payment has no
    /// such id.
    pub first_scheme_id: Option<String>,
    /// The result of the buyer's authentication by 3-D Secure. `None` if there was none, also if a network token's cryptogram proves it.
    pub authentication: Option<AuthenticationEvidence>,
    /// What the issuer said of data that was only shared with it. `None` if there was an authentication, or nothing was shared.
    pub data_share: Option<&'a DataShare>,
    /// Why no authentication was required, or which exemption from it is claimed.
    pub exemption: Exemption,
}

/// The security code of a request.
#[derive(Debug)]
pub enum SecurityCodeData<'a> {
    /// The buyer entered it.
    Given(&'a SecurityCode),
    /// The card needs none, or none was requested.
    NotGiven,
    /// It was entered, and lost in a restart, because it is never stored. The issuer decides whether to accept that.
    Lost,
}

/// The source of the card of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardOrigin {
    /// The buyer entered it for this payment.
    Entered,
    /// The merchant stored it with an earlier payment.
    Stored,
}

/// Who initiates the payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initiator {
    /// The cardholder, who is present.
    Cardholder,
    /// The merchant, under an earlier agreement.
    Merchant,
}

/// Why a buyer is not authenticated although the rules require it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exemption {
    /// No reason: the buyer was authenticated, or the authentication was not available.
    None,
    /// The merchant charges without the buyer, under an agreement.
    MerchantInitiated,
    /// The order came by mail or telephone.
    MailOrTelephone,
    /// The merchant asked for this exemption, and the issuer has not demanded a challenge. There may be evidence of an authentication
    /// nevertheless.
    Requested(RequestedExemption),
}

/// A follow-up operation on an authorization.
#[derive(Clone, Copy, Debug)]
pub struct FollowUpRequest<'a> {
    /// The follow-up operation's id: unique, and stored before the request.
    pub reference: &'a str,
    /// The reference of the authorization.
    pub authorization: &'a str,
    /// The reference of the operation that it changes: the authorization, or a capture of it.
    pub target: &'a str,
    /// The terminal of the operation, which may be another one than that of the authorization.
    pub terminal_id: &'a str,
    /// The kind of operation.
    pub operation: FollowUpOperation,
    /// The amount.
    pub amount: Amount,
    /// ISO 4217 code: that of the authorization.
    pub currency: &'a str,
    /// What the cardholder pays, or gets back, in place of `amount`, at the rate of the authorization. `None`: the authorization had no
    /// conversion.
    pub conversion: Option<&'a AcceptedOffer>,
}

/// A question about an authorization.
#[derive(Clone, Copy, Debug)]
pub struct InquiryRequest<'a> {
    /// The reference of the authorization.
    pub reference: &'a str,
    /// The terminal of the operation.
    pub terminal_id: &'a str,
    /// The amount that was asked for. A response about another amount is not about this authorization.
    pub amount: Amount,
    /// Its currency, as an ISO 4217 code.
    pub currency: &'a str,
}

/// An acquirer's response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationResponse {
    /// ISO 8583 response code with three digits. Empty if no card was charged.
    pub response_code: String,
    /// The result.
    pub result: AuthorizationResult,
    /// The data of an approval.
    pub approval: Option<Approval>,
    /// Why the issuer declined, if the gateway acts on it. Only with [`AuthorizationResult::Declined`].
    pub decline_reason: Option<DeclineReason>,
    /// While pending: when to repeat the request, in milliseconds since 1970-01-01 UTC.
    pub ask_again_ms: Option<i64>,
    /// Whether the acquirer took the request at all.
    pub taking: Taking,
}

/// A reason of a decline that the gateway acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclineReason {
    /// The issuer wants the buyer to be authenticated first ("soft decline"). Nothing was charged for this reference. The gateway asks the
    /// buyer, and repeats the request with another reference, once.
    AuthenticationRequired,
}

impl DeclineReason {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            DeclineReason::AuthenticationRequired => "AUTHENTICATION_REQUIRED",
        }
    }
}

/// Whether an acquirer took a request at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// It did, whatever came of it.
    Taken,
    /// It surely did not, because whoever is behind it can not be reached. Nobody has been asked for this reference, and nobody will be. Only
    /// with [`AuthorizationResult::Failed`], which is the outcome unless another acquirer is asked.
    NotTaken,
}

/// The data of an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Up to six digits or letters. Empty if the acquirer has none, as for many follow-up operations.
    pub authorization_code: String,
    /// Up to twelve digits or letters. Empty if the acquirer has none.
    pub retrieval_reference: String,
    /// The scheme's transaction id, to which later payments with the same card refer. Empty if the acquirer has none.
    pub scheme_id: String,
}
