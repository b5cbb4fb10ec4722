//! Confirmations by the buyer's device that an issuer asks for before its page: what the browser is asked, and what the issuer says to its
//! outcome.
//!
//! The issuer is asked outside of any transaction and of the session's lock; the 3-D Secure server keeps its first answer. No money moves
//! before that answer is booked. After a crash in between, whoever opens the page again books the kept answer; if nobody does, the limit of
//! the challenge ends it.

use super::authorization::{Authenticating, RequestAddresses};
use super::cardholder_data::CardholderData;
use super::challenge_means::is_confirmation;
use super::error::{PaymentError, report};
use super::page_views::{ConfirmationStep, ConfirmationView};
use super::transition::{EventContext, Transitions};
use super::{Authorizations, BuyerPages, PaymentContext};
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::session::{
    Authentication, ConfirmationReply, Event, PendingCompletion, State,
};
use payframe_payment_ports::simulator_pages::{Enrolment, Registration};
use payframe_payment_ports::three_ds_server::{
    AuthenticationResponse, Confirmation, ConfirmationOutcome, ConfirmationRequest,
    ConfirmationStatus, ThreeDsServerError,
};
use payframe_storage::session_pages::Page;
use payframe_storage::sessions::SessionRow;

impl BuyerPages<'_> {
    /// The confirmation of the challenge with this token. If the issuer has answered already, the answer is booked before this returns.
    pub async fn confirmation(
        &self,
        token: &str,
    ) -> Result<Option<ConfirmationView>, PaymentError> {
        let Some((row, Page::Challenge(operation_id))) = self.page(token).await? else {
            return Ok(None);
        };
        let framing = row.terms.framing.clone();
        let language = row.terms.language.clone();
        let asked = match is_confirmation(&row.session.state, &operation_id) {
            true => self.asked(row, operation_id).await?,
            false => None,
        };
        Ok(Some(ConfirmationView {
            framing,
            language,
            asked,
        }))
    }

    /// Tells the issuer what came of the confirmation with this token. If that ends the challenge, the payment has its outcome before this
    /// returns, even if the caller does not wait.
    pub async fn confirm(&self, token: &str, outcome: ConfirmationOutcome) -> ConfirmationStep {
        let found = match self.page(token).await {
            Ok(Some((row, Page::Challenge(operation_id)))) => (row, operation_id),
            Ok(_) => return ConfirmationStep::Gone,
            Err(problem) => return failed(&problem),
        };
        let (row, operation_id) = found;
        if !is_confirmation(&row.session.state, &operation_id) {
            return ConfirmationStep::Over;
        }
        let payments = self.context.clone();
        // In a separate task: a browser that disconnects must not interrupt the payment.
        let answered = tokio::spawn(async move {
            let pages = BuyerPages::new(&payments);
            let asked = Asked::Confirm(&outcome);
            match pages.ask(&row, &operation_id, asked).await? {
                ConfirmationStatus::Asked(_) => Ok(()),
                ConfirmationStatus::Answered(response) => {
                    pages.book(&row, operation_id, response).await
                }
            }
        });
        match answered.await {
            Ok(Ok(())) => ConfirmationStep::Over,
            // A session that is over needs no answer.
            Ok(Err(PaymentError::Refused(_))) => ConfirmationStep::Over,
            Ok(Err(problem)) => failed(&problem),
            Err(_) => ConfirmationStep::Failed,
        }
    }

    async fn asked(
        &self,
        row: SessionRow,
        operation_id: String,
    ) -> Result<Option<Confirmation>, PaymentError> {
        match self.ask(&row, &operation_id, Asked::Read).await? {
            ConfirmationStatus::Asked(confirmation) => Ok(Some(*confirmation)),
            ConfirmationStatus::Answered(response) => {
                let payments = self.context.clone();
                let booked = tokio::spawn(async move {
                    let pages = BuyerPages::new(&payments);
                    pages.book(&row, operation_id, response).await
                });
                match booked.await {
                    Ok(Err(problem)) if !matches!(problem, PaymentError::Refused(_)) => {
                        Err(problem)
                    }
                    _ => Ok(None),
                }
            }
        }
    }

    /// Asks the 3-D Secure server about a session's confirmation. Without the card there is none any more.
    async fn ask(
        &self,
        row: &SessionRow,
        operation_id: &str,
        asked: Asked<'_>,
    ) -> Result<ConfirmationStatus, PaymentError> {
        let gone = ConfirmationStatus::Answered(AuthenticationResponse::Refused);
        let State::Challenged {
            card: shown,
            completion,
            ..
        } = &row.session.state
        else {
            return Ok(gone);
        };
        let Some(card) = CardholderData::of(self.context.vault(), row)? else {
            return Ok(gone);
        };
        let authenticating = self.authenticating(row, (shown, completion), &card).await?;
        let addresses = RequestAddresses::of(self.context, &authenticating);
        let merchant_name = self.merchant_name(row).await?;
        let mut origins = row.terms.framing.origins();
        let merchant_origin = origins.find(|origin| origin.starts_with("https://"));
        let request = ConfirmationRequest {
            authentication: authenticating.request(&addresses),
            merchant_name: &merchant_name,
            merchant_origin,
        };
        let server = self.context.three_ds_server();
        debug_assert_eq!(completion.operation_id, operation_id);
        Ok(match asked {
            Asked::Read => server.confirmation(&request).await?,
            Asked::Confirm(outcome) => {
                ConfirmationStatus::Answered(server.confirm(&request, outcome).await?)
            }
        })
    }

    /// The authentication that led to the confirmation, with the same values.
    async fn authenticating<'a>(
        &self,
        row: &'a SessionRow,
        (shown, completion): (&'a EnteredCard, &'a PendingCompletion),
        card: &'a CardholderData,
    ) -> Result<Authenticating<'a>, PaymentError> {
        // A challenge after a soft decline was demanded by the acquirer.
        let is_demanded = completion.repeats.is_some()
            || self
                .context
                .demands_challenge(&completion.operation_id)
                .await?;
        let authorizations = Authorizations::new(self.context);
        let preference = authorizations.challenge_preference(row, shown, is_demanded);
        Ok(Authenticating::of_session(
            row,
            (shown, card),
            &completion.operation_id,
            preference.await?,
        ))
    }

    /// Books the issuer's answer to the outcome of a confirmation. The payment goes on by it.
    async fn book(
        &self,
        row: &SessionRow,
        operation_id: String,
        response: AuthenticationResponse,
    ) -> Result<(), PaymentError> {
        let reply = reply(self.context, &operation_id, response).await?;
        let held = self.context.lock_session(&row.hash).await;
        let event = Event::ConfirmationAnswered {
            operation_id: operation_id.clone(),
            reply,
        };
        let context = EventContext {
            by_buyer: true,
            ..EventContext::default()
        };
        let transitions = Transitions::new(self.context);
        transitions
            .advance(&held, &row.hash, event, context)
            .await?;
        drop(held);
        if reply == ConfirmationReply::Challenge {
            // A challenge whose answer was not booked at once may have its result already.
            self.continue_with_result(row.clone(), operation_id).await;
        }
        Ok(())
    }

    /// What a device is asked that is to confirm payments. `None`: no issuer enrols devices here.
    pub fn enrolment(&self) -> Option<Enrolment> {
        self.context.simulator_pages().enrolment()
    }

    /// Keeps a device that may confirm payments from now on. Returns whether its registration is right.
    pub async fn enrol(&self, registration: &Registration) -> Result<bool, PaymentError> {
        let kept = self.context.simulator_pages().enrol(registration).await;
        kept.map_err(|problem| ThreeDsServerError::NoAnswer(Box::new(problem)).into())
    }
}

/// What the 3-D Secure server is asked.
enum Asked<'a> {
    /// How far the confirmation is.
    Read,
    /// To tell the issuer this outcome.
    Confirm(&'a ConfirmationOutcome),
}

/// What an issuer's answer means. It wanted to ask the buyer, so an answer without an authentication is a refusal; and a rule that demands a
/// challenge wants to know who pays, which an attempt does not say.
async fn reply(
    payments: &PaymentContext,
    operation_id: &str,
    response: AuthenticationResponse,
) -> Result<ConfirmationReply, PaymentError> {
    Ok(match response {
        AuthenticationResponse::Completed(Authentication::Full) => {
            ConfirmationReply::Passed(Authentication::Full)
        }
        AuthenticationResponse::Completed(Authentication::Attempted)
            if !payments.demands_challenge(operation_id).await? =>
        {
            ConfirmationReply::Passed(Authentication::Attempted)
        }
        AuthenticationResponse::Challenge => ConfirmationReply::Challenge,
        AuthenticationResponse::Completed(_)
        | AuthenticationResponse::Confirmation
        | AuthenticationResponse::Decoupled { .. }
        | AuthenticationResponse::Refused => ConfirmationReply::Refused,
    })
}

fn failed(problem: &PaymentError) -> ConfirmationStep {
    report("a confirmation", problem);
    ConfirmationStep::Failed
}
