//! The calls that close a payment: confirm, finalize, cancel, and the device check's part in it.

use super::Sessions;
use super::card_seal::SealedCard;
use super::error::PaymentError;
use super::transition::EventContext;
use crate::idempotency::Slot;
use crate::locks::Held;
use payframe_money::Amount;
use payframe_payment_domain::session::{
    Authentication, CheckProgress, Closing, ClosingCall, DeviceCheck, Event, State,
    TransitionError, Verdict,
};
use payframe_storage::sessions::SessionRow;

/// A closing call.
pub struct CloseCall<'a> {
    /// Confirm or finalize.
    pub closing: Closing,
    /// With `confirm_payment`.
    pub amount: Option<Amount>,
    /// The terminal of the caller.
    pub terminal_id: String,
    /// The buyer's frame calls.
    pub by_buyer: bool,
    /// Where the answer is kept, if the call has a key.
    pub slot: Option<&'a Slot>,
}

/// Why a closing call was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CompletionError {
    /// The payment does not move on.
    #[error(transparent)]
    Payment(#[from] PaymentError),
    /// The call is under way with another amount.
    #[error("the call is under way with another amount")]
    OtherAmount,
}

/// A session after a closing call.
pub struct Closed {
    /// The session as the call left it.
    pub row: SessionRow,
    /// An accepted currency offer was dropped, because the amount changed.
    pub offer_dropped: bool,
}

/// How a device check goes, as its pages are told.
pub enum DeviceCheckStatus {
    /// Done, or nothing is due any more.
    Over(SessionRow),
    /// It has not reported yet.
    Running(SessionRow),
}

impl Sessions<'_> {
    /// Closes a payment, or tells again what became of it.
    pub async fn close(&self, hash: &str, call: CloseCall<'_>) -> Result<Closed, CompletionError> {
        let held = self.context.lock_session(hash).await;
        let offer_dropped = match call.amount {
            Some(amount) => self.change_amount(&held, hash, amount).await?,
            None => false,
        };
        let operation_id = payframe_vault::random_operation_id().map_err(PaymentError::from)?;
        let (due, (check, verdict)) = loop {
            let asked = self.transitions.lapsed(hash).await?;
            let assessed = self.assess(&asked, call.closing, &operation_id).await?;
            let due = self.transitions.due(&held, hash).await?;
            // Another process may have moved the session on while the issuer was asked about its card.
            if due.row.session == asked.session && due.row.sealed_card == asked.sealed_card {
                break (due, assessed);
            }
        };
        let event = Event::ClosingAsked {
            closing: call.closing,
            check,
            verdict,
            call: ClosingCall {
                operation_id,
                terminal_id: call.terminal_id.clone(),
                asked_by: call.slot.map(Slot::name),
            },
        };
        let context = EventContext {
            by_buyer: call.by_buyer,
            ..EventContext::default()
        };
        let row = self
            .transitions
            .apply_event(&held, due, event, context)
            .await?;
        Ok(Closed { row, offer_dropped })
    }

    /// Gives a session that is about to be closed the amount that it is to be closed with. Whether that dropped a currency offer.
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
        let context = EventContext {
            amount: Some(amount),
            ..EventContext::default()
        };
        self.transitions
            .advance(held, hash, Event::AmountChanged, context)
            .await?;
        Ok(has_offer(&before))
    }

    /// Fixes another amount without closing anything (contract 4.5, `confirm: false`).
    pub async fn fix_amount(&self, hash: &str, amount: Amount) -> Result<Closed, PaymentError> {
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
            return Ok(Closed {
                row: before,
                offer_dropped: false,
            });
        }
        let offer_dropped = has_offer(&before);
        let context = EventContext {
            amount: Some(amount),
            ..EventContext::default()
        };
        let row = self
            .transitions
            .advance(&held, hash, Event::AmountChanged, context)
            .await?;
        Ok(Closed { row, offer_dropped })
    }

    /// Gives a payment up, unless it has its outcome.
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

    /// Version 3: how the device check goes. `last`: nobody will ask again.
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

    /// Version 3: goes on without the device check, which stayed silent.
    pub async fn skip_device_check(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        self.advance_by_buyer(hash, Event::DeviceCheckSkipped).await
    }

    /// The buyer leaves the challenge: the attempt ends, and the payment only where it was the last.
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

    /// Version 2: goes on with a confirmed payment once its device check is done. `last`: nobody will ask again.
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
            State::VerifyingDevice { card, closing, .. } => Event::DeviceVerified {
                verdict: match SealedCard::of(self.context.vault(), &row)? {
                    Some(sealed) => {
                        self.authorizations
                            .verdict_on(&row, card, &sealed, &closing.operation_id)
                            .await?
                    }
                    None => Verdict::Refused,
                },
            },
            // Nothing is verified: whatever is said here decides nothing.
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

    /// Takes the recorded result of a challenge (contract 5.5, `validateAndPay`): the session has an outcome, or
    /// waits for another card.
    pub async fn challenge_result(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let row = self.transitions.settle(&held, hash).await?;
        match &row.session.state {
            State::Complete { .. } | State::Cancelled { .. } => Ok(row),
            State::CollectingCard(payframe_payment_domain::session::AfterRefusal::Yes {
                ..
            }) => Ok(row),
            State::Dead => Err(TransitionError::Dead.into()),
            _ => Err(TransitionError::WrongState.into()),
        }
    }

    /// A session as it is now, for one who holds its lock.
    async fn session_held(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        let row = self.transitions.lapsed(hash).await?;
        if row.session.state == State::Dead {
            Err(TransitionError::Dead.into())
        } else {
            Ok(row)
        }
    }

    /// What a closing call of a session that is ready comes to: whether the card's device check is due, and what risk rules and
    /// access control say. Without a card nobody is authenticated; of other sessions whatever is said here decides nothing.
    async fn assess(
        &self,
        row: &SessionRow,
        closing: Closing,
        operation_id: &str,
    ) -> Result<(DeviceCheck, Verdict), PaymentError> {
        let sealed = SealedCard::of(self.context.vault(), row)?;
        let (State::Ready { card }, Some(sealed)) = (&row.session.state, sealed) else {
            return Ok((DeviceCheck::NotDue, Verdict::Refused));
        };
        let verdict = match closing {
            Closing::Finalize => {
                self.authorizations
                    .verdict_on(row, card, &sealed, operation_id)
                    .await?
            }
            // The device check comes first, and the issuer is asked after it.
            Closing::Confirm => {
                self.authorizations
                    .verdict_unless_risky(&sealed, card.expiry, Authentication::None)
            }
        };
        Ok((self.authorizations.device_check_of(card, &sealed), verdict))
    }
}

/// Whether the payment is under way with its amount.
fn has_begun(state: &State) -> bool {
    matches!(
        state,
        State::VerifyingDevice { .. }
            | State::Challenged { .. }
            | State::Authorizing { .. }
            | State::Redirected { .. }
            | State::Settling { .. }
    )
}

fn has_offer(row: &SessionRow) -> bool {
    matches!(&row.session.state, State::Ready { card } | State::CheckingDevice { card, .. } if card.offer.is_some())
}
