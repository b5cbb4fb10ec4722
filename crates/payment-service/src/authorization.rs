//! Checks and authorization of a card: risk rules, 3-D Secure, and the authorization request.
//!
//! Everything here calls a port. Risk rules and card ranges answer from memory. The 3-D Secure server and the acquirer are called over a
//! network, so a caller must not hold a transaction during these calls.

use super::PaymentContext;
use super::addresses::is_step;
use super::cardholder_data::CardholderData;
use super::device_check::device_check_reference;
use super::error::PaymentError;
use super::{booked_money, contracts, security_codes};
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::card_testing::Decision;
use payframe_payment_domain::exemption::{NoChallengeRequest, RequestedExemption};
use payframe_payment_domain::session::{
    Authentication, DeviceCheck, PendingCompletion, Redirect, State, StateBeforeAuthorization,
    Verdict,
};
use payframe_payment_domain::terms::{Channel, Terms, Version};
use payframe_payment_ports::acquirer::{
    AuthorizationRequest, AuthorizationResponse, Capture, CardAuthorization, CardOrigin, Exemption,
    Initiator, Instrument,
};
use payframe_payment_ports::risk_rules::{RiskDecision, RiskQuestion};
use payframe_payment_ports::three_ds_server::{
    AuthenticationEvidence, AuthenticationRequest, AuthenticationResponse, ChallengePreference,
    DataShare, EvidenceRequest,
};
use payframe_storage::merchants;
use payframe_storage::sessions::SessionRow;

/// An authentication that a request waits for.
pub(super) struct Authenticating<'a> {
    /// The operation that it is for.
    pub(super) operation_id: &'a str,
    pub(super) terminal_id: &'a str,
    pub(super) card: &'a CardholderData,
    pub(super) network: Network,
    pub(super) expiry: Expiry,
    /// What the cardholder is charged, and its currency.
    pub(super) sum: (payframe_money::Amount, &'a str),
    /// Whether a challenge is wished or demanded.
    pub(super) challenge_preference: ChallengePreference,
    /// The session that a browser pays in. `None`: the merchant's server has begun a payment in three steps, and no browser has come.
    pub(super) session: Option<&'a SessionRow>,
}

/// What a request for an authentication is made of, besides the payment.
pub(super) struct RequestAddresses {
    device_check: Option<String>,
    notification_url: String,
    results_url: String,
}

impl RequestAddresses {
    pub(super) fn of(context: &PaymentContext, asked: &Authenticating<'_>) -> RequestAddresses {
        let session_hash = asked.session.map_or("", |row| row.hash.as_str());
        RequestAddresses {
            device_check: asked.session.map(device_check_reference),
            notification_url: asked.session.map_or_else(String::new, |row| {
                context.challenge_notification_url(row, asked.operation_id)
            }),
            results_url: context.results_url(session_hash, asked.operation_id),
        }
    }
}

impl<'p> Authenticating<'p> {
    /// For the card of a session.
    pub(super) fn of_session(
        row: &'p SessionRow,
        (shown, card): (&'p EnteredCard, &'p CardholderData),
        operation_id: &'p str,
        challenge_preference: ChallengePreference,
    ) -> Authenticating<'p> {
        Authenticating {
            operation_id,
            terminal_id: &row.terms.terminal_id,
            card,
            network: shown.network,
            expiry: shown.expiry,
            sum: shown.due(row.amount, &row.terms.currency),
            challenge_preference,
            session: Some(row),
        }
    }

    pub(super) fn request<'a>(
        &'a self,
        addresses: &'a RequestAddresses,
    ) -> AuthenticationRequest<'a> {
        AuthenticationRequest {
            reference: self.operation_id,
            terminal_id: self.terminal_id,
            number: &self.card.number,
            network: self.network,
            expiry: self.expiry,
            holder_name: self.card.holder.name.as_ref(),
            holder_email: self.card.holder.email.as_ref(),
            billing_address: self.card.holder.billing.as_ref(),
            amount: self.sum.0,
            currency: self.sum.1,
            challenge_preference: self.challenge_preference,
            browser: self.card.browser.as_ref(),
            has_waiting_page: self
                .session
                .is_some_and(|row| !is_step(row, self.operation_id)),
            device_check: addresses.device_check.as_deref(),
            notification_url: &addresses.notification_url,
            results_url: &addresses.results_url,
        }
    }
}

/// Runs the checks before money moves (risk rules, 3-D Secure server), and calls the acquirer.
#[derive(Clone, Copy)]
pub(crate) struct Authorizations<'a> {
    pub(super) context: &'a PaymentContext,
}

impl<'a> Authorizations<'a> {
    pub(crate) fn new(context: &'a PaymentContext) -> Authorizations<'a> {
        Authorizations { context }
    }
}

impl Authorizations<'_> {
    /// Whether a card needs a device check. A stored card is authenticated without one (contract 4.6), unless the 3-D Secure server needs the
    /// data of the browser.
    pub(super) fn device_check_of(
        &self,
        shown: &EnteredCard,
        card: &CardholderData,
    ) -> DeviceCheck {
        let server = self.context.three_ds_server();
        match shown.contract_id {
            Some(_) if !server.needs_browser() => DeviceCheck::NotDue,
            Some(_) | None => server.card_range(&card.number).device_check,
        }
    }

    /// Whether risk rules refuse a card.
    pub(super) fn is_too_risky(&self, card: &CardholderData, expiry: Expiry) -> bool {
        let question = RiskQuestion {
            number: &card.number,
            expiry,
        };
        self.context.risk_rules().decide(&question) == RiskDecision::Deny
    }

    /// The verdict for a known authentication: refused if the risk rules refuse the card.
    pub(super) fn verdict_unless_risky(
        &self,
        card: &CardholderData,
        expiry: Expiry,
        authentication: Authentication,
    ) -> Verdict {
        if self.is_too_risky(card, expiry) {
            Verdict::Risk
        } else {
            Verdict::Pass(authentication)
        }
    }

    /// The verdict of risk rules and the issuer's access control on a session's card.
    pub(super) async fn verdict_on(
        &self,
        row: &SessionRow,
        shown: &EnteredCard,
        card: &CardholderData,
        operation_id: &str,
    ) -> Result<Verdict, PaymentError> {
        if self.is_too_risky(card, shown.expiry) {
            return Ok(Verdict::Risk);
        }
        // On the heap: the stack of a thread is too small for it in a build without optimization.
        let admitted = Box::pin(self.context.admit_try(row, &card.number, operation_id));
        let decision = admitted.await?;
        let is_challenge_demanded = match decision {
            Decision::Admit => false,
            Decision::Challenge(_) => true,
            Decision::Refuse(_) => return Ok(Verdict::Stopped),
        };
        let preference = self
            .challenge_preference(row, shown, is_challenge_demanded)
            .await?;
        let asked = Authenticating::of_session(row, (shown, card), operation_id, preference);
        let verdict = self.authenticate(&asked).await?;
        if is_challenge_demanded && matches!(verdict, Verdict::Pass(_)) {
            self.context.refuse_try(operation_id).await?;
            return Ok(Verdict::Stopped);
        }
        Ok(verdict)
    }

    /// The response of the issuer's access control.
    pub(super) async fn authenticate(
        &self,
        asked: &Authenticating<'_>,
    ) -> Result<Verdict, PaymentError> {
        let server = self.context.three_ds_server();
        if !server.serves(asked.terminal_id) {
            return Err(PaymentError::NoAuthentication);
        }
        let addresses = RequestAddresses::of(self.context, asked);
        let request = asked.request(&addresses);
        Ok(match server.authenticate(&request).await? {
            AuthenticationResponse::Completed(authentication) => Verdict::Pass(authentication),
            AuthenticationResponse::Challenge => Verdict::Challenge,
            AuthenticationResponse::Confirmation => Verdict::Confirmation,
            AuthenticationResponse::Decoupled { until_ms } => Verdict::Decoupled { until_ms },
            AuthenticationResponse::Refused => Verdict::Refused,
        })
    }

    /// The evidence of a completed authentication.
    pub(super) async fn evidence(
        &self,
        asked: &EvidenceRequest<'_>,
    ) -> Result<AuthenticationEvidence, PaymentError> {
        Ok(self.context.three_ds_server().evidence(asked).await?)
    }

    /// What the acquirer is told of data that was only shared.
    async fn data_share(
        &self,
        asked: &EvidenceRequest<'_>,
    ) -> Result<Option<DataShare>, PaymentError> {
        if asked.authentication != Authentication::DataShared {
            return Ok(None);
        }
        Ok(self.context.three_ds_server().data_share(asked).await?)
    }

    /// What the issuer is told about challenges for a session's payment.
    pub(super) async fn challenge_preference(
        &self,
        row: &SessionRow,
        shown: &EnteredCard,
        is_challenge_demanded: bool,
    ) -> Result<ChallengePreference, PaymentError> {
        if is_challenge_demanded {
            return Ok(ChallengePreference::ChallengeMandated);
        }
        let asked = self.no_challenge_request(row, shown).await?;
        Ok(preference(&row.terms.challenge_preference, asked))
    }

    /// The request for no challenge that a session's payment makes to the issuer. `None`: it makes none, or it can not make it any more,
    /// because its amount has changed, another card pays, or the terminal is not allowed it any more.
    async fn no_challenge_request(
        &self,
        row: &SessionRow,
        shown: &EnteredCard,
    ) -> Result<Option<NoChallengeRequest>, PaymentError> {
        let terms = &row.terms;
        let Some(asked) = NoChallengeRequest::from_code(&terms.challenge_preference) else {
            return Ok(None);
        };
        if !asked.allows(row.amount, &terms.currency) || terms.contract.is_some() {
            return Ok(None);
        }
        let mut connection = self.context.store().read().await?;
        let terminal = merchants::terminal(&mut connection, &terms.terminal_id).await?;
        if !terminal.exemptions.contains(&asked) {
            return Ok(None);
        }
        let is_agreed = match (asked.exemption(), &shown.contract_id) {
            (Some(RequestedExemption::RecurringSameAmount), None) => false,
            (Some(RequestedExemption::RecurringSameAmount), Some(contract_id)) => {
                let sum = (row.amount, terms.currency.as_str());
                contracts::has_sum(&mut connection, &terms.merchant_id, contract_id, sum).await?
            }
            _ => true,
        };
        Ok(is_agreed.then_some(asked))
    }

    /// The exemption that the authorization of a session claims: the one that was asked for, unless the issuer demanded a challenge.
    pub(super) async fn claimed_exemption(
        &self,
        row: &SessionRow,
    ) -> Result<Option<RequestedExemption>, PaymentError> {
        match &row.session.state {
            State::Authorizing {
                card,
                authentication,
                from: StateBeforeAuthorization::Ready | StateBeforeAuthorization::VerifyingDevice,
                ..
            } if *authentication != Authentication::NotDue
                && !is_authenticated_by_wallet(&row.terms) =>
            {
                let request = self.no_challenge_request(row, card).await?;
                Ok(request.and_then(NoChallengeRequest::exemption))
            }
            _ => Ok(None),
        }
    }

    /// Requests the authorization of a session from the acquirer, or repeats the request to get the same response.
    pub(super) async fn ask_issuer(
        &self,
        row: &SessionRow,
        shown: &EnteredCard,
        (authentication, claimed): (Authentication, Option<RequestedExemption>),
        completion: &PendingCompletion,
    ) -> Result<AuthorizationResponse, PaymentError> {
        let terms = &row.terms;
        let card = CardholderData::of(self.context.vault(), row)?;
        let card = card.ok_or(PaymentError::Broken("no encrypted card"))?;
        let code = if card.security_code_given {
            self.context.security_code(&row.hash).await
        } else {
            None
        };
        let asked = EvidenceRequest {
            reference: &completion.operation_id,
            terminal_id: &terms.terminal_id,
            number: (terms.channel != Channel::Server).then_some(&card.number),
            network: Some(shown.network),
            authentication,
        };
        let evidence = if has_evidence(terms, authentication) {
            Some(self.evidence(&asked).await?)
        } else {
            None
        };
        let data_share = self.data_share(&asked).await?;
        let first_scheme_id = match &shown.contract_id {
            Some(contract_id) => {
                let mut connection = self.context.store().read().await?;
                contracts::first_scheme_id(&mut connection, &terms.merchant_id, contract_id).await?
            }
            None => None,
        };
        let request = AuthorizationRequest {
            reference: &completion.operation_id,
            terminal_id: &completion.terminal_id,
            action: terms.action,
            capture: booked_money::booked_capture(terms.action, terms.capture),
            amount: booked_money::booked_amount(terms.action, row.amount),
            currency: &terms.currency,
            conversion: shown.offer.as_ref(),
            instrument: Instrument::Card(CardAuthorization {
                number: &card.number,
                network_token: card.network_token.as_ref(),
                expiry: shown.expiry,
                network: shown.network,
                security_code: security_codes::data(card.security_code_given, code.as_deref()),
                holder_name: card.holder.name.as_ref(),
                holder_email: card.holder.email.as_ref(),
                billing_address: card.holder.billing.as_ref(),
                origin: match shown.contract_id {
                    Some(_) => CardOrigin::Stored,
                    None => CardOrigin::Entered,
                },
                initiator: initiator(terms),
                first_scheme_id,
                authentication: evidence,
                data_share: data_share.as_ref(),
                exemption: claimed
                    .map_or_else(|| exemption(terms, authentication), Exemption::Requested),
            }),
        };
        Box::pin(self.context.authorize(&request)).await
    }

    /// Requests the outcome from the method's operator, or repeats the request to get the same response.
    pub(super) async fn ask_method(
        &self,
        row: &SessionRow,
        redirect: &Redirect,
        return_data: &str,
    ) -> Result<AuthorizationResponse, PaymentError> {
        let request = AuthorizationRequest {
            reference: &redirect.operation_id,
            terminal_id: &row.terms.terminal_id,
            action: row.terms.action,
            capture: Capture::Implicit,
            amount: row.amount,
            currency: &row.terms.currency,
            conversion: None,
            instrument: Instrument::Method {
                method: redirect.method,
                return_data,
            },
        };
        Box::pin(self.context.authorize(&request)).await
    }
}

/// The preference of an order's `exemptions`. `asked`: the request for no challenge that its payment can make.
pub(super) fn preference(
    exemptions: &str,
    asked: Option<NoChallengeRequest>,
) -> ChallengePreference {
    match (asked, exemptions) {
        (Some(NoChallengeRequest::DataShareOnly), _) => ChallengePreference::DataShareOnly,
        (Some(NoChallengeRequest::Exemption(asked)), _) => ChallengePreference::Exemption(asked),
        (None, "CHALLENGE_REQUESTED") => ChallengePreference::ChallengeRequested,
        (None, _) => ChallengePreference::None,
    }
}

/// Whether the 3-D Secure server has evidence of the authentication. A wallet's cryptogram authenticates the buyer without it.
fn has_evidence(terms: &Terms, authentication: Authentication) -> bool {
    match authentication {
        Authentication::Full | Authentication::Attempted => !is_authenticated_by_wallet(terms),
        Authentication::DataShared | Authentication::None | Authentication::NotDue => false,
    }
}

pub(super) fn is_authenticated_by_wallet(terms: &Terms) -> bool {
    terms.wallet.is_some() && terms.version == Version::Three
}

fn initiator(terms: &Terms) -> Initiator {
    match terms.channel {
        Channel::MerchantInitiated | Channel::Automatic => Initiator::Merchant,
        _ if terms.charge.is_some() => Initiator::Merchant,
        Channel::Build
        | Channel::HostedPage
        | Channel::Link
        | Channel::Server
        | Channel::MailOrTelephone
        | Channel::Wallet => Initiator::Cardholder,
    }
}

fn exemption(terms: &Terms, authentication: Authentication) -> Exemption {
    match (authentication, initiator(terms), terms.channel) {
        (Authentication::NotDue, Initiator::Merchant, _) => Exemption::MerchantInitiated,
        (Authentication::NotDue, _, Channel::MailOrTelephone) => Exemption::MailOrTelephone,
        _ => Exemption::None,
    }
}
