//! Asks the buyer for an authentication that an issuer demands after all ("soft decline"), and leads to a second request for the money.
//!
//! The decline is recorded as any other, with the id of a second operation. Then the 3-D Secure server is asked for a challenge, outside of
//! any transaction, with that id as reference. After a crash in between, the same question is asked again. Only after the challenge the
//! acquirer is asked again, by the steps of every payment ([`super::transition`]) and with the second id. A session has one second
//! request for each attempt of the buyer.

use super::cardholder_data::CardholderData;
use super::error::PaymentError;
use super::transition::{Applied, EventContext, LockedSession, Transitions};
use super::{Authorizations, meter};
use crate::authorization::{Authenticating, is_authenticated_by_wallet};
use crate::idempotency::StoredResponse;
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::operation::AuthorizationResult;
use payframe_payment_domain::session::{Authentication, Event, State, StepUp, Verdict};
use payframe_payment_ports::acquirer::{AuthorizationResponse, DeclineReason};
use payframe_payment_ports::three_ds_server::ChallengePreference;
use payframe_storage::operations;
use payframe_storage::sessions::SessionRow;

impl Transitions<'_> {
    /// Asks for the challenge that a session waits for. Does nothing for other sessions. `answer` is stored with the result.
    pub(super) async fn step_up(
        &self,
        asked: SessionRow,
        answer: Option<&StoredResponse<'_>>,
    ) -> Result<SessionRow, PaymentError> {
        let State::SteppingUp {
            card,
            declined,
            operation_id,
            ..
        } = &asked.session.state
        else {
            return Ok(asked);
        };
        // On the heap: the stack of a thread is too small for it in a build without optimization.
        let demanded = Box::pin(
            self.authorizations
                .demand_challenge(&asked, card, operation_id),
        );
        let step_up = demanded.await?;
        let LockedSession {
            mut transaction,
            mut row,
        } = self.begin(&asked.hash).await?;
        if row.session.state != asked.session.state {
            // Another process has asked, and recorded the answer in the meantime.
            return Ok(row);
        }
        // The outcome of the attempt, if nobody can ask the buyer.
        let decline = operations::find(&mut transaction, &declined.operation_id).await?;
        let event = Event::StepUpAnswered { answer: step_up };
        let Applied { effects, operation } = self
            .apply(&mut transaction, &mut row, event, &EventContext::default())
            .await?;
        let applied = Applied {
            effects,
            operation: operation.or(decline),
        };
        self.keep_answer(&mut transaction, &row, &applied, answer)?;
        transaction.commit().await?;
        self.after_commit(&row, &applied);
        meter::stepped_up(step_up);
        Ok(row)
    }
}

impl Authorizations<'_> {
    /// The event of an acquirer's answer to the request of a session.
    pub(super) fn event_of(
        &self,
        row: &SessionRow,
        reply: &AuthorizationResponse,
    ) -> Result<Event, PaymentError> {
        let is_demanded = reply.result == AuthorizationResult::Declined
            && reply.decline_reason == Some(DeclineReason::AuthenticationRequired);
        if is_demanded && self.can_challenge(row) {
            let operation_id = payframe_vault::random_operation_id()?;
            return Ok(Event::AuthenticationDemanded { operation_id });
        }
        Ok(Event::IssuerAnswered {
            result: reply.result,
        })
    }

    /// Whether there is a buyer whom the gateway can ask: not where the merchant charges alone or leads the authentication itself, nor where
    /// a wallet has authenticated the buyer. Merchants who know the operation before its outcome get one operation.
    fn can_challenge(&self, row: &SessionRow) -> bool {
        let terms = &row.terms;
        let has_buyer = matches!(
            &row.session.state,
            State::Authorizing { authentication, .. } if *authentication != Authentication::NotDue
        );
        has_buyer
            && terms.preassigned_operation_id.is_none()
            && !is_authenticated_by_wallet(terms)
            && self.context.three_ds_server().serves(&terms.terminal_id)
    }

    /// Asks for a challenge that an issuer demands. Without an answer the buyer is not asked: the decline stays.
    async fn demand_challenge(
        &self,
        row: &SessionRow,
        shown: &EnteredCard,
        operation_id: &str,
    ) -> Result<StepUp, PaymentError> {
        let Some(card) = CardholderData::of(self.context.vault(), row)? else {
            return Ok(StepUp::NotPossible);
        };
        let preference = ChallengePreference::ChallengeMandated;
        let asked = Authenticating::of_session(row, (shown, &card), operation_id, preference);
        match self.authenticate(&asked).await {
            Ok(Verdict::Challenge) => Ok(StepUp::Challenge),
            Ok(Verdict::Confirmation) => Ok(StepUp::Confirmation),
            Ok(Verdict::Decoupled { until_ms }) => Ok(StepUp::Decoupled { until_ms }),
            Ok(Verdict::Refused) => Ok(StepUp::Refused),
            Ok(Verdict::Pass(_) | Verdict::Risk | Verdict::Stopped) => Ok(StepUp::NotPossible),
            Err(problem @ (PaymentError::ThreeDsServer(_) | PaymentError::NoAuthentication)) => {
                tracing::warn!(operation_id, %problem, "an issuer demands a challenge, and nobody can be asked for it");
                Ok(StepUp::NotPossible)
            }
            Err(problem) => Err(problem),
        }
    }
}
