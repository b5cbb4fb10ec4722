//! An acquirer behind an adapter: the port, over the protocol.

use crate::error::{ExchangeError, Proof};
use crate::message::{
    AuthorizeMessage, DescribeMessage, DescriptionMessage, Expected, FollowUpMessage,
    InquireMessage, InquiryMessage, OutcomeMessage, SecurityCodeUse,
};
use crate::pause::Pause;
use crate::settings::AcquirerSettings;
use crate::transport::{Endpoint, Transport};
use async_trait::async_trait;
use payframe_payment_ports::Clock;
use payframe_payment_ports::acquirer::{
    Acquirer, AcquirerError, AuthorizationRequest, AuthorizationResponse, AuthorizationResult,
    FollowUpRequest, InquiryRequest, Instrument, SecurityCodeData, Taking,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// An acquirer behind an adapter.
#[derive(Debug)]
pub struct HttpAcquirer {
    name: String,
    pub(crate) transport: Transport,
    clock: Clock,
    sent_codes: SentCodes,
    converts: bool,
    /// `None`: every request is sent, as for an examination.
    pause: Option<Pause>,
}

impl HttpAcquirer {
    /// The acquirer with these settings.
    ///
    /// # Errors
    /// The client cannot be made, for example because a certificate cannot be read.
    pub fn new(settings: &AcquirerSettings, clock: Clock) -> Result<HttpAcquirer, ExchangeError> {
        let transport = Transport::new(settings, clock.clone());
        Ok(HttpAcquirer {
            name: settings.name.clone(),
            transport: transport?,
            pause: Some(Pause::new(clock.clone())),
            clock,
            sent_codes: SentCodes::default(),
            converts: settings.converts,
        })
    }

    /// The same for an examination, which does not pause.
    pub(crate) fn for_examination(
        settings: &AcquirerSettings,
        clock: Clock,
    ) -> Result<HttpAcquirer, ExchangeError> {
        let acquirer = HttpAcquirer::new(settings, clock)?;
        Ok(HttpAcquirer {
            pause: None,
            ..acquirer
        })
    }

    async fn ask<A: DeserializeOwned>(
        &self,
        endpoint: Endpoint,
        message: &impl Serialize,
    ) -> Result<A, ExchangeError> {
        let Some(pause) = &self.pause else {
            return self.transport.ask(endpoint, message).await;
        };
        pause.admit()?;
        let answer = self.transport.ask(endpoint, message).await;
        pause.count(&answer);
        answer
    }

    /// What the adapter says about itself.
    pub(crate) async fn describe(&self) -> Result<DescriptionMessage, ExchangeError> {
        self.ask(Endpoint::Describe, &DescribeMessage {}).await
    }

    async fn authorize_card(
        &self,
        request: &AuthorizationRequest<'_>,
        instrument: &Instrument<'_>,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        let card = match instrument {
            Instrument::Card(card) => card,
            // Nothing was sent, so this is certain.
            Instrument::Method { .. } => return Ok(not_possible()),
        };
        let is_given = matches!(card.security_code, SecurityCodeData::Given(_));
        let code_use = match is_given {
            true => self.sent_codes.take(request.reference),
            false => SecurityCodeUse::First,
        };
        let message = AuthorizeMessage::of(request, card, code_use)?;
        let answer: Result<OutcomeMessage, _> = self.ask(Endpoint::Authorize, &message).await;
        let is_unsent = |problem: &ExchangeError| problem.proof() == Proof::NotSent;
        if answer.as_ref().is_err_and(is_unsent) && code_use == SecurityCodeUse::First {
            self.sent_codes.forget(request.reference);
        }
        let expected = Expected {
            reference: request.reference,
            amount: request.amount,
            currency: request.currency,
            conversion: request.conversion,
        };
        let response = answer?.checked(expected, self.clock.now_ms())?;
        if response.result != AuthorizationResult::Pending {
            self.sent_codes.forget(request.reference);
        }
        Ok(response)
    }

    async fn move_money(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, ExchangeError> {
        let message = FollowUpMessage::of(request)?;
        let answer: OutcomeMessage = self.ask(Endpoint::FollowUp, &message).await?;
        let expected = Expected {
            reference: request.reference,
            amount: request.amount,
            currency: request.currency,
            conversion: request.conversion,
        };
        answer.checked(expected, self.clock.now_ms())
    }

    /// The present outcome of any reference, also of a follow-up operation.
    pub(crate) async fn look_up(
        &self,
        request: &InquiryRequest<'_>,
    ) -> Result<Option<AuthorizationResponse>, ExchangeError> {
        let message = InquireMessage::of(request);
        let answer: InquiryMessage = self.ask(Endpoint::Inquire, &message).await?;
        let expected = Expected {
            reference: request.reference,
            amount: request.amount,
            currency: request.currency,
            conversion: None,
        };
        let found = answer.checked(expected, self.clock.now_ms())?;
        if found
            .as_ref()
            .is_some_and(|response| response.result != AuthorizationResult::Pending)
        {
            self.sent_codes.forget(request.reference);
        }
        Ok(found)
    }

    fn no_outcome(&self, problem: ExchangeError) -> AcquirerError {
        let named = Box::new(NamedError {
            name: self.name.clone(),
            problem,
        });
        match named.problem.proof() {
            Proof::NotSent => AcquirerError::NotSent(named),
            Proof::NoAnswer => AcquirerError::NoAnswer(named),
            Proof::Unreadable => AcquirerError::Unreadable(named),
        }
    }
}

#[async_trait]
impl Acquirer for HttpAcquirer {
    async fn authorize(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let asked = self.authorize_card(request, &request.instrument);
        asked.await.map_err(|problem| self.no_outcome(problem))
    }

    async fn follow_up(
        &self,
        request: &FollowUpRequest<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let asked = self.move_money(request);
        asked.await.map_err(|problem| self.no_outcome(problem))
    }

    async fn inquire(
        &self,
        request: &InquiryRequest<'_>,
    ) -> Result<Option<AuthorizationResponse>, AcquirerError> {
        let asked = self.look_up(request);
        asked.await.map_err(|problem| self.no_outcome(problem))
    }

    /// What the operator says: an adapter that does not know the member would charge another sum.
    fn converts(&self) -> bool {
        self.converts
    }
}

/// Which acquirer has the problem.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {problem}")]
struct NamedError {
    name: String,
    #[source]
    problem: ExchangeError,
}

/// The references whose security code has been sent, until they have an outcome. A code is sent once.
#[derive(Debug, Default)]
struct SentCodes(Mutex<HashSet<String>>);

impl SentCodes {
    /// Records that the code of this reference is sent now.
    fn take(&self, reference: &str) -> SecurityCodeUse {
        match self.references().insert(reference.to_owned()) {
            true => SecurityCodeUse::First,
            false => SecurityCodeUse::Repeated,
        }
    }

    fn forget(&self, reference: &str) {
        self.references().remove(reference);
    }

    fn references(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        // A panic during the lock cannot leave the set inconsistent: each change is one call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to what the protocol has no message for.
fn not_possible() -> AuthorizationResponse {
    AuthorizationResponse {
        response_code: String::from("904"),
        result: AuthorizationResult::Failed,
        approval: None,
        decline_reason: None,
        ask_again_ms: None,
        taking: Taking::Taken,
    }
}
