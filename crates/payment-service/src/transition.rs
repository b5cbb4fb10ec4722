//! Transitions of a session: one event at a time, each in one transaction.
//!
//! Money moves in three steps. The first transaction records the intent ([`Effect::AskIssuer`]: the session is `Authorizing`, the order is
//! reserved for the operation's id). Then the acquirer is called, outside of any transaction, with that id as reference. The second
//! transaction records the response: operation, totals, session and notification together. After a crash in between,
//! [`Transitions::resume`] calls the acquirer again with the same reference, so nothing is charged twice.
//!
//! Where the issuer declined because the buyer was not authenticated, the second transaction leads to a question to the 3-D Secure server,
//! and a third one to the challenge ([`super::step_up`]).
//!
//! Events of one session wait for each other ([`PaymentContext::lock_session`]). If the session is authorizing, the next event is applied
//! after the outcome is recorded.

use super::error::PaymentError;
use super::external_3ds_events;
use super::sum_change::SumChange;
use super::{Authorizations, Contracts, Ledger, PaymentContext};
use crate::idempotency::StoredResponse;
use crate::locks::Held;
use payframe_payment_domain::exemption::RequestedExemption;
use payframe_payment_domain::session::{self, Effect, Event, State, TransitionError};
use payframe_payment_ports::acquirer::AuthorizationResponse;
use payframe_protocol::operation::Operation;
use payframe_storage::sessions::{self, SessionRow};
use payframe_storage::{Connection, Write};

/// The data of an event.
#[derive(Default)]
pub(crate) struct EventContext<'a> {
    /// The submitted card, encrypted.
    pub encrypted_card: Option<&'a [u8]>,
    /// The currency offer that came with the card, if there was one.
    pub(crate) taken_offer: Option<&'a str>,
    /// The merchant's change of the sum.
    pub change: Option<&'a SumChange>,
    /// The terminal of the caller, if it is not the session's terminal.
    pub terminal_id: Option<&'a str>,
    /// Whether the buyer caused the event, which counts as activity.
    pub by_buyer: bool,
    /// The response that is stored together with the change.
    pub answer: Option<StoredResponse<'a>>,
    /// The acquirer's response.
    pub reply: Option<&'a AuthorizationResponse>,
    /// The exemption that the request to the acquirer claimed.
    pub exemption: Option<RequestedExemption>,
}

/// A session that was read in the transaction that applies its next event.
pub(super) struct LockedSession {
    pub(super) transaction: Write,
    pub(super) row: SessionRow,
}

/// What an event did.
pub(crate) struct Applied {
    /// The effects, which have been performed.
    pub(crate) effects: Vec<Effect>,
    /// The operation that was recorded, if one was.
    pub(crate) operation: Option<Operation>,
}

/// Applies events to sessions, one at a time.
#[derive(Clone, Copy)]
pub(crate) struct Transitions<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) ledger: Ledger<'a>,
    pub(super) authorizations: Authorizations<'a>,
    pub(super) contracts: Contracts<'a>,
}

impl<'a> Transitions<'a> {
    pub(crate) fn new(context: &'a PaymentContext) -> Transitions<'a> {
        Transitions {
            context,
            ledger: Ledger::new(context),
            authorizations: Authorizations::new(context),
            contracts: Contracts::new(context),
        }
    }
}

impl Transitions<'_> {
    /// The present session. Expired limits have been applied.
    pub(crate) async fn find(&self, hash: &str) -> Result<Option<SessionRow>, PaymentError> {
        let Some(row) = sessions::find(&mut *self.context.store().read().await?, hash).await?
        else {
            return Ok(None);
        };
        self.up_to_date(row).await.map(Some)
    }

    /// The same for a session that has just been read.
    pub(crate) async fn up_to_date(&self, row: SessionRow) -> Result<SessionRow, PaymentError> {
        if self.limit_of(&row).is_none() {
            return Ok(row);
        }
        let _held = self.context.lock_session(&row.hash).await;
        self.current_row(&row.hash).await
    }

    /// Applies an event to a session. `held` is the session's lock.
    pub(crate) async fn advance(
        &self,
        held: &Held,
        hash: &str,
        event: Event,
        context: EventContext<'_>,
    ) -> Result<SessionRow, PaymentError> {
        let due = self.due(held, hash).await?;
        self.apply_event(held, due, event, context).await
    }

    /// Applies an event in the transaction in which the session was read.
    pub(super) async fn apply_event(
        &self,
        held: &Held,
        LockedSession {
            mut transaction,
            mut row,
        }: LockedSession,
        event: Event,
        context: EventContext<'_>,
    ) -> Result<SessionRow, PaymentError> {
        let applied = self
            .apply(&mut transaction, &mut row, event, &context)
            .await?;
        if !row.session.state.waits_for_answer() {
            self.keep_answer(&mut transaction, &row, &applied, context.answer.as_ref())?;
        }
        transaction.commit().await?;
        self.after_commit(&row, &applied);
        self.resume_row(held, row, context.answer).await
    }

    pub(super) fn keep_answer(
        &self,
        connection: &mut Connection,
        row: &SessionRow,
        applied: &Applied,
        answer: Option<&StoredResponse<'_>>,
    ) -> Result<(), PaymentError> {
        let Some(StoredResponse { slot, write }) = answer else {
            return Ok(());
        };
        if let Some(body) = write(row, applied.operation.as_ref()) {
            let now_ms = self.context.clock().now_ms();
            slot.keep(connection, self.context.vault(), 200, &body, now_ms)?;
        }
        Ok(())
    }

    /// Starts a change of a session. Expired limits are applied first, and a request to the issuer in progress is completed first. `held`
    /// is the session's lock.
    pub(super) async fn due(&self, held: &Held, hash: &str) -> Result<LockedSession, PaymentError> {
        loop {
            let due = self.begin(hash).await?;
            if self.limit_of(&due.row).is_none() && !due.row.session.state.waits_for_answer() {
                return Ok(due);
            }
            drop(due);
            self.current_row(hash).await?;
            self.resume(held, hash).await?;
        }
    }

    /// Starts a transaction and reads the session in it.
    pub(super) async fn begin(&self, hash: &str) -> Result<LockedSession, PaymentError> {
        let (transaction, row) = sessions::begin_change(self.context.store(), hash).await?;
        let row = row.ok_or(TransitionError::Dead)?;
        Ok(LockedSession { transaction, row })
    }

    /// The present session, with expired limits applied. The caller holds its lock.
    pub(crate) async fn current_row(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        loop {
            let row = sessions::find(&mut *self.context.store().read().await?, hash)
                .await?
                .ok_or(TransitionError::Dead)?;
            if self.limit_of(&row).is_none() {
                return Ok(row);
            }
            let LockedSession {
                mut transaction,
                mut row,
            } = self.begin(hash).await?;
            // Checked again: the buyer may have been active in between.
            let Some(limit) = self.limit_of(&row) else {
                return Ok(row);
            };
            let event = external_3ds_events::on_limit(&mut transaction, &row, limit).await?;
            let applied = self
                .apply(&mut transaction, &mut row, event, &EventContext::default())
                .await?;
            transaction.commit().await?;
            self.after_commit(&row, &applied);
        }
    }

    /// Requests the response that a session waits for, from the acquirer or the 3-D Secure server, and records it. Does nothing for other sessions. `held` is the
    /// session's lock.
    pub(crate) async fn resume(&self, held: &Held, hash: &str) -> Result<SessionRow, PaymentError> {
        let row = sessions::find(&mut *self.context.store().read().await?, hash).await?;
        self.resume_row(held, row.ok_or(TransitionError::Dead)?, None)
            .await
    }

    /// The same for a session that has just been read or written. `answer` is stored with the acquirer's response.
    async fn resume_row(
        &self,
        _held: &Held,
        row: SessionRow,
        answer: Option<StoredResponse<'_>>,
    ) -> Result<SessionRow, PaymentError> {
        let (reply, exemption) = match &row.session.state {
            State::AuthorizingMethod {
                redirect,
                return_data,
            } => {
                let reply = self.authorizations.ask_method(&row, redirect, return_data);
                (reply.await?, None)
            }
            State::Authorizing {
                card,
                authentication,
                completion,
                ..
            } => {
                // Decided once: what is recorded is what the request claims.
                let exemption = self.authorizations.claimed_exemption(&row).await?;
                let reply = self.authorizations.ask_issuer(
                    &row,
                    card,
                    (*authentication, exemption),
                    completion,
                );
                (reply.await?, exemption)
            }
            _ => return self.step_up(row, answer.as_ref()).await,
        };
        let booked = self.book(&row, (&reply, exemption), answer.as_ref());
        let row = booked.await?;
        self.step_up(row, answer.as_ref()).await
    }

    /// Records the response to the request of a session, and the exemption that the request claimed.
    async fn book(
        &self,
        asked: &SessionRow,
        (reply, exemption): (&AuthorizationResponse, Option<RequestedExemption>),
        answer: Option<&StoredResponse<'_>>,
    ) -> Result<SessionRow, PaymentError> {
        let LockedSession {
            mut transaction,
            mut row,
        } = self.begin(&asked.hash).await?;
        if row.session.state != asked.session.state {
            // Another process has received and recorded it in the meantime.
            return Ok(row);
        }
        let event = self.authorizations.event_of(&row, reply)?;
        let context = EventContext {
            reply: Some(reply),
            exemption,
            ..EventContext::default()
        };
        let applied = self
            .apply(&mut transaction, &mut row, event, &context)
            .await?;
        if !row.session.state.waits_for_answer() {
            self.keep_answer(&mut transaction, &row, &applied, answer)?;
        }
        transaction.commit().await?;
        self.after_commit(&row, &applied);
        Ok(row)
    }

    fn limit_of(&self, row: &SessionRow) -> Option<session::Limit> {
        let now_ms = self.context.clock().now_ms();
        session::passed_limit(
            &row.session.state,
            row.last_seen_ms,
            row.ends_ms,
            self.context.limits(),
            now_ms,
        )
    }

    /// One step of the state machine with all its effects, in the caller's transaction.
    pub(super) async fn apply(
        &self,
        connection: &mut Connection,
        row: &mut SessionRow,
        event: Event,
        context: &EventContext<'_>,
    ) -> Result<Applied, PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let event = led_to(event, row.terms.preassigned_operation_id.as_deref());
        let step = session::step(row.terms.version, row.session.clone(), event, now_ms)?;
        row.session = step.session;
        if context.by_buyer || step.effects.contains(&Effect::RestartIdle) {
            row.last_seen_ms = now_ms;
        }
        if let Some(change) = context.change {
            change.carry_out(connection, row).await?;
        }
        row.wake_ms = self.wake_ms(row, now_ms);
        // Queued before the effects, so that it travels with the first of their questions.
        sessions::put(connection, row)?;
        let mut operation = None;
        for effect in &step.effects {
            let recorded = self
                .perform(connection, row, effect, context, now_ms)
                .await?;
            operation = recorded.or(operation);
        }
        Ok(Applied {
            effects: step.effects,
            operation,
        })
    }

    pub(super) fn after_commit(&self, row: &SessionRow, Applied { effects, .. }: &Applied) {
        if effects.contains(&Effect::ForgetCard) {
            self.context.security_codes().forget(&row.hash);
        }
        let is_recorded =
            |effect: &Effect| matches!(effect, Effect::Record { .. } | Effect::RecordMethod { .. });
        // There is a new notification only if the session has an address for notifications.
        if row.terms.notification_url.is_some() && effects.iter().any(is_recorded) {
            self.context.wake_notifier();
        }
    }

    /// When the periodic job must check a session next.
    pub(crate) fn wake_ms(&self, row: &SessionRow, now_ms: i64) -> i64 {
        if row.session.state.waits_for_answer() {
            return now_ms + ASK_AGAIN_MS;
        }
        session::next_limit(
            &row.session.state,
            row.last_seen_ms,
            row.ends_ms,
            self.context.limits(),
        )
        .map_or(i64::MAX, |(_, at_ms)| at_ms)
    }
}

/// The event with the preassigned operation id, if the event would create another operation.
fn led_to(event: Event, preassigned_operation_id: Option<&str>) -> Event {
    match (event, preassigned_operation_id) {
        (Event::CancelAsked { .. }, Some(preassigned_operation_id)) => Event::CancelAsked {
            operation_id: preassigned_operation_id.to_owned(),
        },
        (event, _) => event,
    }
}

/// The time until the acquirer is called again if it did not respond.
pub(super) const ASK_AGAIN_MS: i64 = 5_000;
