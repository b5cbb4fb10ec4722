//! The messages of the protocol, as they are on the wire, and what they are in the terms of the port.
//!
//! Requests contain card data, so they have no `Debug`. Members that a reader does not know are ignored on both sides.

mod sum;

use self::sum::{ConversionMessage, SumMessage};
use crate::error::ExchangeError;
use payframe_money::Amount;
use payframe_payment_ports::acquirer::{
    AcceptedOffer, AddressPart, Approval, AuthorizationRequest, AuthorizationResponse,
    AuthorizationResult, CardAuthorization, CardOrigin, DeclineReason, Exemption, FollowUpRequest,
    Initiator, InquiryRequest, NetworkToken, SecurityCodeData, Taking, TokenCryptogram,
};
use payframe_payment_ports::three_ds_server::{AuthenticationEvidence, DataShare};
use serde::{Deserialize, Serialize};

/// `authorize`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthorizeMessage<'a> {
    reference: &'a str,
    terminal_id: &'a str,
    action: &'static str,
    capture: &'static str,
    #[serde(flatten)]
    sum: SumMessage<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversion: Option<ConversionMessage<'a>>,
    card: CardMessage<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CardMessage<'a> {
    number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    network_token: Option<NetworkTokenMessage<'a>>,
    expiry_month: u8,
    expiry_year: u16,
    network: &'static str,
    security_code_status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    security_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holder_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holder_email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    billing_address: Option<BillingAddressMessage<'a>>,
    origin: &'static str,
    initiator: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_scheme_id: Option<&'a str>,
    exemption: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    authentication: Option<AuthenticationMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_share: Option<DataShareMessage<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NetworkTokenMessage<'a> {
    wallet: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cryptogram: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eci: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BillingAddressMessage<'a> {
    country: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line1: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line2: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_code: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AuthenticationMessage<'a> {
    eci: &'a str,
    authentication_value: &'a str,
    ds_transaction_id: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DataShareMessage<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    eci: Option<&'a str>,
    ds_transaction_id: &'a str,
    version: &'a str,
}

/// `follow-up`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FollowUpMessage<'a> {
    reference: &'a str,
    authorization: &'a str,
    target: &'a str,
    terminal_id: &'a str,
    operation: &'static str,
    #[serde(flatten)]
    sum: SumMessage<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversion: Option<ConversionMessage<'a>>,
}

/// `inquire`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InquireMessage<'a> {
    reference: &'a str,
    terminal_id: &'a str,
}

/// `describe`
#[derive(Serialize)]
pub(crate) struct DescribeMessage {}

/// The answer to `describe`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DescriptionMessage {
    pub(crate) name: String,
    pub(crate) protocols: Vec<u32>,
    pub(crate) operations: Vec<String>,
}

/// The answer to `authorize` and `follow-up`, and the outcome in that to `inquire`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OutcomeMessage {
    reference: String,
    result: ResultMessage,
    response_code: String,
    amount_minor: u64,
    currency: String,
    #[serde(default)]
    authorization_code: String,
    #[serde(default)]
    retrieval_reference: String,
    #[serde(default)]
    scheme_id: String,
    ask_again_after_seconds: Option<u64>,
    #[serde(default)]
    not_taken: bool,
    decline_reason: Option<DeclineReasonMessage>,
    conversion: Option<ChargedMessage>,
}

/// What the cardholder was charged, or got back, in the card's own currency.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChargedMessage {
    amount_minor: u64,
    currency: String,
}

/// Why the issuer declined. Reasons that the gateway does not act on are plain declines.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum DeclineReasonMessage {
    AuthenticationRequired,
    #[serde(other)]
    Other,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum ResultMessage {
    Approved,
    Declined,
    Failed,
    Pending,
}

/// The answer to `inquire`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InquiryMessage {
    reference: String,
    known: bool,
    outcome: Option<OutcomeMessage>,
}

/// What an answer must be about.
#[derive(Clone, Copy)]
pub(crate) struct Expected<'a> {
    pub(crate) reference: &'a str,
    pub(crate) amount: Amount,
    pub(crate) currency: &'a str,
    /// What an approval must say that the cardholder was charged, or got back.
    pub(crate) conversion: Option<&'a AcceptedOffer>,
}

/// Whether a security code was sent before with the same reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecurityCodeUse {
    First,
    Repeated,
}

impl<'a> AuthorizeMessage<'a> {
    /// The message for the authorization of a card.
    pub(crate) fn of(
        request: &AuthorizationRequest<'a>,
        card: &'a CardAuthorization<'a>,
        code_use: SecurityCodeUse,
    ) -> Result<AuthorizeMessage<'a>, ExchangeError> {
        Ok(AuthorizeMessage {
            reference: request.reference,
            terminal_id: request.terminal_id,
            action: request.action.code(),
            capture: request.capture.code(),
            sum: SumMessage::of(request.amount, request.currency)?,
            conversion: request.conversion.map(ConversionMessage::of).transpose()?,
            card: CardMessage::of(card, code_use),
        })
    }
}

impl<'a> CardMessage<'a> {
    fn of(card: &'a CardAuthorization<'a>, code_use: SecurityCodeUse) -> CardMessage<'a> {
        let (security_code_status, security_code) = match (&card.security_code, code_use) {
            // Exposed to be sent to the acquirer, this once.
            (SecurityCodeData::Given(code), SecurityCodeUse::First) => {
                ("GIVEN", Some(code.expose()))
            }
            (SecurityCodeData::Given(_), SecurityCodeUse::Repeated)
            | (SecurityCodeData::Lost, _) => ("LOST", None),
            (SecurityCodeData::NotGiven, _) => ("NOT_GIVEN", None),
        };
        CardMessage {
            // Exposed to be sent to the acquirer, like name, e-mail address and billing address.
            number: card.number.expose(),
            network_token: card.network_token.map(NetworkTokenMessage::of),
            expiry_month: card.expiry.month(),
            expiry_year: card.expiry.year(),
            network: card.network.code(),
            security_code_status,
            security_code,
            holder_name: card.holder_name.map(|name| name.expose()),
            holder_email: card.holder_email.map(|email| email.expose()),
            billing_address: card.billing_address.map(|address| {
                let part = |part| address.part(part).map(|text| text.expose());
                BillingAddressMessage {
                    country: address.country().code(),
                    line1: part(AddressPart::Line1),
                    line2: part(AddressPart::Line2),
                    city: part(AddressPart::City),
                    state: part(AddressPart::State),
                    postal_code: part(AddressPart::PostalCode),
                }
            }),
            origin: match card.origin {
                CardOrigin::Entered => "ENTERED",
                CardOrigin::Stored => "STORED",
            },
            initiator: match card.initiator {
                Initiator::Cardholder => "CARDHOLDER",
                Initiator::Merchant => "MERCHANT",
            },
            first_scheme_id: card.first_scheme_id.as_deref(),
            exemption: match card.exemption {
                Exemption::None => "NONE",
                Exemption::MerchantInitiated => "MERCHANT_INITIATED",
                Exemption::MailOrTelephone => "MAIL_OR_TELEPHONE",
                Exemption::Requested(exemption) => exemption.code(),
            },
            authentication: card.authentication.as_ref().map(AuthenticationMessage::of),
            data_share: card.data_share.map(DataShareMessage::of),
        }
    }
}

impl<'a> NetworkTokenMessage<'a> {
    fn of(token: &'a NetworkToken) -> NetworkTokenMessage<'a> {
        let cryptogram = token.cryptogram.as_ref();
        NetworkTokenMessage {
            wallet: token.wallet.code(),
            // Exposed to be sent to the acquirer.
            cryptogram: cryptogram.map(|cryptogram| cryptogram.value().expose()),
            eci: cryptogram.and_then(TokenCryptogram::eci),
        }
    }
}

impl<'a> AuthenticationMessage<'a> {
    fn of(evidence: &'a AuthenticationEvidence) -> AuthenticationMessage<'a> {
        AuthenticationMessage {
            eci: &evidence.eci,
            authentication_value: &evidence.authentication_value,
            ds_transaction_id: &evidence.ds_transaction_id,
            version: evidence.version,
        }
    }
}

impl<'a> DataShareMessage<'a> {
    fn of(shared: &'a DataShare) -> DataShareMessage<'a> {
        DataShareMessage {
            eci: shared.eci.as_deref(),
            ds_transaction_id: &shared.ds_transaction_id,
            version: shared.version,
        }
    }
}

impl<'a> FollowUpMessage<'a> {
    pub(crate) fn of(request: &FollowUpRequest<'a>) -> Result<FollowUpMessage<'a>, ExchangeError> {
        Ok(FollowUpMessage {
            reference: request.reference,
            authorization: request.authorization,
            target: request.target,
            terminal_id: request.terminal_id,
            operation: request.operation.operation_type().code(),
            sum: SumMessage::of(request.amount, request.currency)?,
            conversion: request.conversion.map(ConversionMessage::of).transpose()?,
        })
    }
}

impl<'a> InquireMessage<'a> {
    pub(crate) fn of(request: &InquiryRequest<'a>) -> InquireMessage<'a> {
        InquireMessage {
            reference: request.reference,
            terminal_id: request.terminal_id,
        }
    }
}

impl OutcomeMessage {
    /// The response, if it is about what was asked.
    pub(crate) fn checked(
        self,
        expected: Expected<'_>,
        now_ms: i64,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        let refused = |what| Err(ExchangeError::Contradiction(what));
        if self.reference != expected.reference {
            return refused("is about another reference");
        }
        if self.amount_minor != expected.amount.minor() || self.currency != expected.currency {
            return refused("is about another amount or currency");
        }
        let is_code = |text: &str, most: usize| {
            text.len() <= most && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if self.response_code.len() != 3 || !self.response_code.bytes().all(|b| b.is_ascii_digit())
        {
            return refused("has a responseCode that is not three digits");
        }
        if !is_code(&self.authorization_code, 6) || !is_code(&self.retrieval_reference, 12) {
            return refused(
                "has an authorizationCode or a retrievalReference that is too long, or not digits and letters",
            );
        }
        let is_graphic = self.scheme_id.bytes().all(|byte| byte.is_ascii_graphic());
        if self.scheme_id.len() > LONGEST_SCHEME_ID || !is_graphic {
            return refused("has a schemeId that is too long, or not printable ASCII");
        }
        let (result, approval) = match self.result {
            ResultMessage::Approved => (
                AuthorizationResult::Approved,
                Some(Approval {
                    authorization_code: self.authorization_code,
                    retrieval_reference: self.retrieval_reference,
                    scheme_id: self.scheme_id,
                }),
            ),
            _ if !self.authorization_code.is_empty() => {
                return refused("has an authorizationCode, and no approval");
            }
            ResultMessage::Declined => (AuthorizationResult::Declined, None),
            ResultMessage::Failed => (AuthorizationResult::Failed, None),
            ResultMessage::Pending => (AuthorizationResult::Pending, None),
        };
        // An adapter that has not read the member has moved another sum.
        if let (Some(offer), AuthorizationResult::Approved) = (expected.conversion, result) {
            let charged = self.conversion.as_ref();
            let is_offer = charged.is_some_and(|charged| {
                charged.amount_minor == offer.amount.minor() && charged.currency == offer.currency
            });
            if !is_offer {
                return refused("approves without the conversion that was asked for");
            }
        }
        let taking = match (self.not_taken, result) {
            (false, _) => Taking::Taken,
            (true, AuthorizationResult::Failed) => Taking::NotTaken,
            (true, _) => return refused("says notTaken, and has a result other than FAILED"),
        };
        let decline_reason = match (self.decline_reason, result) {
            (None, _) => None,
            (Some(reason), AuthorizationResult::Declined) => match reason {
                DeclineReasonMessage::AuthenticationRequired => {
                    Some(DeclineReason::AuthenticationRequired)
                }
                DeclineReasonMessage::Other => None,
            },
            (Some(_), _) => {
                return refused("has a declineReason, and a result other than DECLINED");
            }
        };
        // A pending operation is always asked about again, whatever the adapter says about when.
        let ask_again_ms = (result == AuthorizationResult::Pending).then(|| {
            let seconds = self.ask_again_after_seconds.unwrap_or(ASK_AGAIN_SECONDS);
            let seconds = seconds.clamp(1, LATEST_SECONDS);
            now_ms.saturating_add(
                i64::try_from(seconds)
                    .unwrap_or(i64::MAX)
                    .saturating_mul(1000),
            )
        });
        Ok(AuthorizationResponse {
            response_code: self.response_code,
            result,
            approval,
            decline_reason,
            ask_again_ms,
            taking,
        })
    }
}

impl InquiryMessage {
    /// The response, if it is about what was asked. `None`: the adapter does not know the reference.
    pub(crate) fn checked(
        self,
        expected: Expected<'_>,
        now_ms: i64,
    ) -> Result<Option<AuthorizationResponse>, ExchangeError> {
        if self.reference != expected.reference {
            return Err(ExchangeError::Contradiction("is about another reference"));
        }
        match (self.known, self.outcome) {
            (true, Some(outcome)) => outcome.checked(expected, now_ms).map(Some),
            (false, None) => Ok(None),
            (true, None) => Err(ExchangeError::Contradiction(
                "knows the reference, and has no outcome",
            )),
            (false, Some(_)) => Err(ExchangeError::Contradiction(
                "has an outcome, and does not know the reference",
            )),
        }
    }
}

const LONGEST_SCHEME_ID: usize = 36;

/// When a pending operation is asked about again if the adapter does not say it.
const ASK_AGAIN_SECONDS: u64 = 30;

/// The latest time that an adapter can set.
const LATEST_SECONDS: u64 = 86_400;
