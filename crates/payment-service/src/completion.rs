//! The calls that complete a payment (confirm, finalize, cancel), and their device check.

use super::Sessions;
use super::cardholder_data::CardholderData;
use super::error::PaymentError;
use super::sum_change::SumChange;
use super::transition::EventContext;
use crate::idempotency::{Slot, StoredResponse};
use crate::locks::Held;
use payframe_money::Amount;
use payframe_payment_domain::session::may_charge;
use payframe_payment_domain::session::{
    Authentication, CheckProgress, CompletionCall, DeviceCheck, Event, PendingCompletion, State,
    TransitionError, Verdict,
};
use payframe_payment_domain::sum::Sum;
use payframe_storage::sessions::SessionRow;

/// A call that completes a payment.
pub struct CompletionRequest<'a> {
    /// Confirm or finalize.
    pub completion_call: CompletionCall,
    /// The amount that the merchant's server fixes with `confirm_payment`.
    pub amount: Option<Amount>,
    /// The sum in the call. No other sum is charged.
    pub shown: Option<Sum>,
    /// The terminal that sends the call.
    pub terminal_id: String,
    /// Whether the buyer's frame sends the call.
    pub by_buyer: bool,
    /// The response, if the call has an idempotency key.
    pub answer: Option<StoredResponse<'a>>,
}

/// Why a completion was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CompletionError {
    /// The state of the payment does not allow it.
    #[error(transparent)]
    Payment(#[from] PaymentError),
    /// The same call is in progress with another amount.
    #[error("the call is under way with another amount")]
    OtherAmount,
}

/// A session after its completion.
pub struct CompletedSession {
    /// The session after the call.
    pub row: SessionRow,
    /// Whether an accepted currency offer was removed, because the amount changed.
    pub offer_dropped: bool,
}

/// The status of a device check, for its pages.
pub enum DeviceCheckStatus {
    /// Completed, or no longer necessary.
    Over(SessionRow),
    /// The device check has not reported yet.
    Running(SessionRow),
}

impl Sessions<'_> {
    /// Completes a payment, or returns its outcome again.
    pub async fn close(
        &self,
        hash: &str,
        call: CompletionRequest<'_>,
    ) -> Result<CompletedSession, CompletionError> {
        let held = self.context.lock_session(hash).await;
        let offer_dropped = match call.amount {
            // A form sends the sum that it showed, and changes nothing.
            Some(amount) if call.by_buyer => {
                if amount != self.session_held(hash).await?.amount {
                    return Err(CompletionError::OtherAmount);
                }
                false
            }
            Some(amount) => self.change_amount(&held, hash, amount).await?,
            None => false,
        };
        let operation_id = payframe_vault::random_operation_id().map_err(PaymentError::from)?;
        let (due, (check, verdict)) = loop {
            let asked = self.transitions.current_row(hash).await?;
            let assessed = self
                .assess(&asked, call.completion_call, &operation_id)
                .await?;
            let due = self.transitions.due(&held, hash).await?;
            // Another process may have changed the session during the request to the card's issuer.
            if due.row.session == asked.session
                && due.row.encrypted_card == asked.encrypted_card
                && due.row.sum() == asked.sum()
            {
                break (due, assessed);
            }
        };
        if call.completion_call == CompletionCall::Finalize || call.by_buyer {
            let sum = due.row.sum();
            may_charge(&due.row.session.state, &sum, call.shown.as_ref())
                .map_err(PaymentError::from)?;
        }
        let event = Event::CompletionRequested {
            completion_call: call.completion_call,
            check,
            verdict,
            call: PendingCompletion {
                operation_id,
                terminal_id: call.terminal_id.clone(),
                idempotency_key: call.answer.as_ref().map(|answer| Slot::name(answer.slot)),
                repeats: None,
            },
        };
        let context = EventContext {
            by_buyer: call.by_buyer,
            // The response has a warning if an offer was removed: the caller adds it.
            answer: call.answer.filter(|_| !offer_dropped),
            ..EventContext::default()
        };
        let row = self
            .transitions
            .apply_event(&held, due, event, context)
            .await?;
        Ok(CompletedSession { row, offer_dropped })
    }

    /// Sets the amount with which a session is completed. Returns whether this removed a currency offer.
    async fn change_amount(
        &self,
        held: &Held,
        hash: &str,
        amount: Amount,
    ) -> Result<bool, CompletionError> {
        let before = self.session_held(hash).await?;
        if amount == before.amount {
            return Ok(false);
        }
        if has_begun(&before.session.state) {
            return Err(CompletionError::OtherAmount);
        }
        if !matches!(before.session.state, State::Ready { .. }) {
            return Ok(false);
        }
        let change = SumChange::of_amount(&before, amount);
        let context = EventContext {
            change: Some(&change),
            ..EventContext::default()
        };
        self.transitions
            .advance(held, hash, Event::AmountChanged, context)
            .await?;
        Ok(has_offer(&before))
    }

    /// Sets another amount without completing the payment (contract 4.5, `confirm: false`).
    pub async fn fix_amount(
        &self,
        hash: &str,
        amount: Amount,
    ) -> Result<CompletedSession, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let before = self.session_held(hash).await?;
        let is_over = matches!(
            before.session.state,
            State::Complete { .. } | State::Cancelled { .. }
        );
        if amount == before.amount || is_over {
            if has_begun(&before.session.state) {
                return Err(TransitionError::WrongState.into());
            }
            return Ok(CompletedSession {
                row: before,
                offer_dropped: false,
            });
        }
        let offer_dropped = has_offer(&before);
        let change = SumChange::of_amount(&before, amount);
        let context = EventContext {
            change: Some(&change),
            ..EventContext::default()
        };
        let row = self
            .transitions
            .advance(&held, hash, Event::AmountChanged, context)
            .await?;
        Ok(CompletedSession { row, offer_dropped })
    }

    /// Cancels a payment, unless it has an outcome.
    pub async fn cancel(
        &self,
        hash: &str,
        terminal_id: Option<&str>,
        by_buyer: bool,
    ) -> Result<SessionRow, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let event = Event::CancelAsked {
            operation_id: payframe_vault::random_operation_id()?,
        };
        self.transitions
            .advance(
                &held,
                hash,
                event,
                EventContext {
                    terminal_id,
                    by_buyer,
                    ..EventContext::default()
                },
            )
            .await
    }

    /// Version 3: the status of the device check. `last`: there will be no further request for it.
    pub async fn check_device(
        &self,
        hash: &str,
        last: bool,
    ) -> Result<DeviceCheckStatus, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let row = self.session_held(hash).await?;
        match &row.session.state {
            State::CheckingDevice { .. } if !last => Ok(DeviceCheckStatus::Running(row)),
            State::ChoosingMethod | State::CollectingCard(_) | State::VerifyingDevice { .. } => {
                Err(TransitionError::WrongState.into())
            }
            State::CheckingDevice { .. } => {
                let event = Event::DeviceCheckGivenUp {
                    operation_id: payframe_vault::random_operation_id()?,
                };
                self.transitions
                    .advance(&held, hash, event, EventContext::default())
                    .await
                    .map(DeviceCheckStatus::Over)
            }
            _ => Ok(DeviceCheckStatus::Over(row)),
        }
    }

    /// Version 3: continues without the device check, because it did not report.
    pub async fn skip_device_check(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        self.advance_by_buyer(hash, Event::DeviceCheckSkipped).await
    }

    /// The buyer leaves the challenge: the attempt ends. The payment ends only if this was the last attempt.
    pub async fn leave_challenge(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        self.advance_by_buyer(hash, Event::ChallengeLeft).await
    }

    async fn advance_by_buyer(&self, hash: &str, event: Event) -> Result<SessionRow, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let context = EventContext {
            by_buyer: true,
            ..EventContext::default()
        };
        self.transitions.advance(&held, hash, event, context).await
    }

    /// Version 2: continues a confirmed payment once its device check is complete. `last`: there will be no further request for it.
    pub async fn verify_device(
        &self,
        hash: &str,
        last: bool,
    ) -> Result<DeviceCheckStatus, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let row = self.session_held(hash).await?;
        let event = match &row.session.state {
            State::VerifyingDevice {
                progress: CheckProgress::Running,
                ..
            } if !last => {
                return Ok(DeviceCheckStatus::Running(row));
            }
            State::VerifyingDevice {
                progress: CheckProgress::Running,
                ..
            } => Event::DeviceCheckGivenUp {
                operation_id: payframe_vault::random_operation_id()?,
            },
            State::VerifyingDevice {
                card, completion, ..
            } => Event::DeviceVerified {
                verdict: match CardholderData::of(self.context.vault(), &row)? {
                    Some(cardholder_data) => {
                        self.authorizations
                            .verdict_on(&row, card, &cardholder_data, &completion.operation_id)
                            .await?
                    }
                    None => Verdict::Refused,
                },
            },
            // There is nothing to verify, so the content of the event has no effect.
            _ => Event::DeviceVerified {
                verdict: Verdict::Refused,
            },
        };
        self.transitions
            .advance(
                &held,
                hash,
                event,
                EventContext {
                    by_buyer: true,
                    ..EventContext::default()
                },
            )
            .await
            .map(DeviceCheckStatus::Over)
    }

    /// Processes the stored result of a challenge (contract 5.5, `validateAndPay`): the session gets an outcome, or waits for another
    /// card.
    pub async fn challenge_result(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let row = self.transitions.resume(&held, hash).await?;
        match &row.session.state {
            State::Complete { .. } | State::Cancelled { .. } => Ok(row),
            State::CollectingCard(payframe_payment_domain::session::PreviousAttempt::Refused {
                ..
            }) => Ok(row),
            State::Dead => Err(TransitionError::Dead.into()),
            _ => Err(TransitionError::WrongState.into()),
        }
    }

    /// The present session, for a caller that holds its lock.
    pub(crate) async fn session_held(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        let row = self.transitions.current_row(hash).await?;
        if row.session.state == State::Dead {
            Err(TransitionError::Dead.into())
        } else {
            Ok(row)
        }
    }

    /// The event for the completion of a session that is ready: whether the card's device check is due, and the verdict of risk rules and
    /// access control. Without a card there is no authentication. For sessions in other states, the content of the event has no effect.
    async fn assess(
        &self,
        row: &SessionRow,
        completion_call: CompletionCall,
        operation_id: &str,
    ) -> Result<(DeviceCheck, Verdict), PaymentError> {
        let cardholder_data = CardholderData::of(self.context.vault(), row)?;
        let (State::Ready { card }, Some(cardholder_data)) = (&row.session.state, cardholder_data)
        else {
            return Ok((DeviceCheck::NotDue, Verdict::Refused));
        };
        let verdict = match completion_call {
            CompletionCall::Finalize => {
                self.authorizations
                    .verdict_on(row, card, &cardholder_data, operation_id)
                    .await?
            }
            // The device check comes first. The issuer is called after it.
            CompletionCall::Confirm => self.authorizations.verdict_unless_risky(
                &cardholder_data,
                card.expiry,
                Authentication::None,
            ),
        };
        Ok((
            self.authorizations.device_check_of(card, &cardholder_data),
            verdict,
        ))
    }
}

/// Whether the payment is in progress with its amount.
pub(crate) fn has_begun(state: &State) -> bool {
    matches!(
        state,
        State::VerifyingDevice { .. }
            | State::Challenged { .. }
            | State::Authorizing { .. }
            | State::SteppingUp { .. }
            | State::Redirected { .. }
            | State::AuthorizingMethod { .. }
    )
}

pub(crate) fn has_offer(row: &SessionRow) -> bool {
    matches!(&row.session.state, State::Ready { card } | State::CheckingDevice { card, .. } if card.offer.is_some())
}
