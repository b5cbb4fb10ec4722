//! How a session moves on: one event at a time, each in one transaction.
//!
//! Money moves in three steps. The first transaction says what is about to happen ([`Effect::AskIssuer`]: the
//! session is `Authorizing`, the order is reserved for the operation's id). Then the acquirer is asked,
//! outside of any transaction, with that id as reference. The second transaction books the answer: operation,
//! totals, session and notification together. Whatever dies in between, [`App::settle`] asks the acquirer
//! again with the same reference, which charges nothing twice.
//!
//! Events of one session wait for each other ([`App::lock_session`]). Who finds the session authorizing books
//! the outcome first and comes after it.

use super::booking::Booking;
use super::card_seal::SealedCard;
use super::error::PaymentError;
use crate::App;
use crate::idempotency::Slot;
use crate::locks::Held;
use crate::store::sessions::{self, Page, SessionRow};
use crate::store::{Connection, Subject, Write, cards, orders};
use payframe_money::Amount;
use payframe_payment_domain::session::{
    self, BookedOn, Effect, Event, Limits, Recorded, State, TransitionError,
};
use payframe_payment_ports::acquirer::AuthorizationResponse;

/// What comes along with an event.
#[derive(Default)]
pub(crate) struct EventContext<'a> {
    /// The submitted card, sealed.
    pub(crate) sealed_card: Option<&'a [u8]>,
    /// The currency offer that came with the card, if there was one.
    pub(crate) taken_offer: Option<&'a str>,
    /// The amount that the merchant fixed.
    pub(crate) amount: Option<Amount>,
    /// The terminal of the caller, where that is not the session's.
    pub(crate) terminal_id: Option<&'a str>,
    /// The buyer did it: a sign of life.
    pub(crate) by_buyer: bool,
    /// An answer that must be kept together with what it tells of.
    pub(crate) answer: Option<KeptAnswer<'a>>,
    /// What the acquirer answered.
    pub(crate) reply: Option<&'a AuthorizationResponse>,
}

/// A session whose next event is due, read in the change that writes what comes of it.
pub(super) struct LockedSession {
    pub(super) transaction: Write,
    pub(super) row: SessionRow,
}

/// An answer that is kept in the transaction of what it tells of.
pub(crate) struct KeptAnswer<'a> {
    /// The call's place.
    pub(crate) slot: &'a Slot,
    /// Writes the answer for the session as it is after the event.
    pub(crate) write: &'a (dyn Fn(&SessionRow) -> Vec<u8> + Sync),
}

impl App {
    /// Waits for the right to move a session on.
    pub(crate) async fn lock_session(&self, hash: &str) -> Held {
        self.parts().sessions.lock(hash).await
    }

    /// The limits of every session's life.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            idle_ms: crate::clock::millis(self.config().idle),
            challenge_ms: crate::clock::millis(self.config().challenge),
            redirect_ms: crate::clock::millis(self.config().redirect),
            retention_ms: RETENTION_MS,
        }
    }

    /// A session as it is now: a limit that has passed has had its effect.
    pub(crate) async fn session(&self, hash: &str) -> Result<Option<SessionRow>, PaymentError> {
        let Some(row) = sessions::find(&mut *self.store().read().await?, hash).await? else {
            return Ok(None);
        };
        self.session_of(row).await.map(Some)
    }

    /// The same for a session that was just read.
    pub(crate) async fn session_of(&self, row: SessionRow) -> Result<SessionRow, PaymentError> {
        if self.limit_of(&row).is_none() {
            return Ok(row);
        }
        let _held = self.lock_session(&row.hash).await;
        self.lapsed(&row.hash).await
    }

    /// Moves a session on. `held` is the session's lock.
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

    /// Moves a session on in the change that it was read in.
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
        let effects = self
            .apply(&mut transaction, &mut row, event, &context)
            .await?;
        if let Some(KeptAnswer { slot, write }) = context.answer {
            slot.keep(
                &mut transaction,
                self.vault(),
                200,
                &write(&row),
                self.clock().now_ms(),
            )?;
        }
        transaction.commit().await?;
        self.after_commit(&row, &effects);
        self.settled(held, row).await
    }

    /// Begins a change of a session. Limits that have passed have had their effect by then, and who comes while the
    /// issuer is being asked comes after its answer. `held` is the session's lock.
    pub(super) async fn due(&self, held: &Held, hash: &str) -> Result<LockedSession, PaymentError> {
        loop {
            let due = self.begin(hash).await?;
            if self.limit_of(&due.row).is_none() && !due.row.session.state.has_money_on_its_way() {
                return Ok(due);
            }
            drop(due);
            self.lapsed(hash).await?;
            self.settle(held, hash).await?;
        }
    }

    /// A change of a session, and the session as it stands in it.
    async fn begin(&self, hash: &str) -> Result<LockedSession, PaymentError> {
        let mut transaction = self.store().write(Subject::Session(hash)).await?;
        let row = sessions::find(&mut transaction, hash).await?;
        let row = row.ok_or(TransitionError::Dead)?;
        Ok(LockedSession { transaction, row })
    }

    /// A session as it is now, with the effect of limits that have passed. Only for one who holds its lock.
    pub(crate) async fn lapsed(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        loop {
            let row = sessions::find(&mut *self.store().read().await?, hash)
                .await?
                .ok_or(TransitionError::Dead)?;
            if self.limit_of(&row).is_none() {
                return Ok(row);
            }
            let mut transaction = self.store().write(Subject::Session(hash)).await?;
            let mut row = sessions::find(&mut transaction, hash)
                .await?
                .ok_or(TransitionError::Dead)?;
            // Asked again: the buyer may have given a sign in between.
            let Some(limit) = self.limit_of(&row) else {
                return Ok(row);
            };
            let event = self.lapse(&mut transaction, &row, limit).await?;
            let effects = self
                .apply(&mut transaction, &mut row, event, &EventContext::default())
                .await?;
            transaction.commit().await?;
            self.after_commit(&row, &effects);
        }
    }

    /// Asks the acquirer for the answer that a session waits for, and books it. Does nothing for others.
    /// `held` is the session's lock.
    pub(crate) async fn settle(&self, held: &Held, hash: &str) -> Result<SessionRow, PaymentError> {
        let row = sessions::find(&mut *self.store().read().await?, hash).await?;
        self.settled(held, row.ok_or(TransitionError::Dead)?).await
    }

    /// The same for a session that was just read or written.
    async fn settled(&self, _held: &Held, row: SessionRow) -> Result<SessionRow, PaymentError> {
        let reply = match &row.session.state {
            State::Settling {
                redirect,
                return_data,
            } => self.ask_method(&row, redirect, return_data).await?,
            State::Authorizing {
                card,
                authentication,
                closing,
                ..
            } => {
                self.ask_issuer(&row, card, *authentication, closing)
                    .await?
            }
            _ => return Ok(row),
        };
        self.book(&row, &reply).await
    }

    /// Books the answer to what was asked for a session as it was read.
    async fn book(
        &self,
        asked: &SessionRow,
        reply: &AuthorizationResponse,
    ) -> Result<SessionRow, PaymentError> {
        let LockedSession {
            mut transaction,
            mut row,
        } = self.begin(&asked.hash).await?;
        if row.session.state != asked.session.state {
            // Another process has heard and booked it meanwhile.
            return Ok(row);
        }
        let event = Event::IssuerAnswered {
            settlement: reply.result,
        };
        let context = EventContext {
            reply: Some(reply),
            ..EventContext::default()
        };
        let effects = self
            .apply(&mut transaction, &mut row, event, &context)
            .await?;
        transaction.commit().await?;
        self.after_commit(&row, &effects);
        Ok(row)
    }

    fn limit_of(&self, row: &SessionRow) -> Option<session::Limit> {
        let now_ms = self.clock().now_ms();
        session::passed_limit(
            &row.session.state,
            row.last_seen_ms,
            row.ends_ms,
            self.limits(),
            now_ms,
        )
    }

    /// One step of the state machine with all its effects, inside the caller's transaction.
    pub(super) async fn apply(
        &self,
        connection: &mut Connection,
        row: &mut SessionRow,
        event: Event,
        context: &EventContext<'_>,
    ) -> Result<Vec<Effect>, PaymentError> {
        let now_ms = self.clock().now_ms();
        let event = led_to(event, row.terms.preassigned_operation_id.as_deref());
        let step = session::step(row.terms.version, row.session.clone(), event, now_ms)?;
        row.session = step.session;
        if context.by_buyer {
            row.last_seen_ms = now_ms;
        }
        if let Some(amount) = context.amount {
            row.amount = amount;
            orders::change_amount(
                connection,
                &row.terms.merchant_id,
                &row.terms.order_id,
                amount,
            )
            .await?;
        }
        for effect in &step.effects {
            self.perform(connection, row, effect, context, now_ms)
                .await?;
        }
        row.wake_ms = self.wake_ms(row, now_ms);
        sessions::put(connection, row)?;
        Ok(step.effects)
    }

    async fn perform(
        &self,
        connection: &mut Connection,
        row: &mut SessionRow,
        effect: &Effect,
        context: &EventContext<'_>,
        now_ms: i64,
    ) -> Result<(), PaymentError> {
        match effect {
            Effect::KeepCard => {
                let sealed = context
                    .sealed_card
                    .ok_or(PaymentError::Vault("no card to keep"))?;
                cards::keep(connection, row, sealed.to_vec());
                if let Some(offer_id) = context.taken_offer {
                    cards::accept_offer(connection, &row.hash, offer_id);
                }
            }
            Effect::ForgetCard => cards::forget(connection, row),
            Effect::OpenDeviceCheck { submission } => {
                let page = Page::DeviceCheck(*submission);
                sessions::open_page(
                    connection,
                    &crate::vault::hash(&self.page_token(&row.hash, &page)),
                    &row.hash,
                    &page,
                );
            }
            Effect::OpenChallenge { operation_id } => {
                let page = Page::Challenge(operation_id.clone());
                sessions::open_page(
                    connection,
                    &crate::vault::hash(&self.page_token(&row.hash, &page)),
                    &row.hash,
                    &page,
                );
            }
            Effect::OpenRedirect { operation_id } => {
                self.acquirer()?;
                let page = Page::Method(operation_id.clone());
                sessions::open_page(
                    connection,
                    &crate::vault::hash(&self.page_token(&row.hash, &page)),
                    &row.hash,
                    &page,
                );
            }
            Effect::AskIssuer { operation_id } => {
                self.acquirer()?;
                let terms = &row.terms;
                // A charge comes beside what paid the order.
                let is_free = terms.charge.is_some()
                    || orders::reserve(
                        connection,
                        &terms.merchant_id,
                        &terms.order_id,
                        operation_id,
                    )
                    .await?;
                if !is_free {
                    return Err(PaymentError::OrderPaid);
                }
                self.promise_contract(connection, row, operation_id).await?;
            }
            Effect::Record {
                operation_id,
                terminal,
                card,
                authentication,
                result,
            } => {
                let terminal_id = match terminal {
                    BookedOn::Terminal(terminal_id) => terminal_id,
                    BookedOn::Caller => context.terminal_id.unwrap_or(&row.terms.terminal_id),
                };
                let number = SealedCard::of(self.vault(), row)?;
                let booking = Booking {
                    operation_id,
                    terminal_id,
                    card: card.as_ref(),
                    method: None,
                    number: number.as_ref().map(|card| &card.number),
                    authentication: *authentication,
                    result: *result,
                    reply: context
                        .reply
                        .filter(|_| matches!(result, Recorded::Issuer(_))),
                };
                self.record(connection, row, &booking, now_ms).await?;
            }
            Effect::RecordMethod {
                operation_id,
                method,
                result,
            } => {
                let booking = Booking {
                    operation_id,
                    terminal_id: context.terminal_id.unwrap_or(&row.terms.terminal_id),
                    card: None,
                    method: Some(method),
                    number: None,
                    authentication: None,
                    result: *result,
                    reply: context
                        .reply
                        .filter(|_| matches!(result, Recorded::Issuer(_))),
                };
                self.record(connection, row, &booking, now_ms).await?;
            }
            Effect::RestartIdle => row.last_seen_ms = now_ms,
        }
        Ok(())
    }

    pub(super) fn after_commit(&self, row: &SessionRow, effects: &[Effect]) {
        if effects.contains(&Effect::ForgetCard) {
            self.parts().security_codes.forget(&row.hash);
        }
        let is_recorded =
            |effect: &Effect| matches!(effect, Effect::Record { .. } | Effect::RecordMethod { .. });
        // The outbox holds something new only where somebody wants to hear.
        if row.terms.notification_url.is_some() && effects.iter().any(is_recorded) {
            self.wake_notifier();
        }
    }

    /// When the sweep has to look at a session next.
    pub(crate) fn wake_ms(&self, row: &SessionRow, now_ms: i64) -> i64 {
        if row.session.state.has_money_on_its_way() {
            return now_ms + ASK_AGAIN_MS;
        }
        session::next_limit(
            &row.session.state,
            row.last_seen_ms,
            row.ends_ms,
            self.limits(),
        )
        .map_or(i64::MAX, |(_, at_ms)| at_ms)
    }

    /// The token in the address of a session's page.
    pub(crate) fn page_token(&self, session_hash: &str, page: &Page) -> String {
        self.vault().page_token(&match page {
            Page::DeviceCheck(submission) => format!("device check {submission} of {session_hash}"),
            Page::Challenge(operation_id) => format!("challenge {operation_id} of {session_hash}"),
            Page::Method(operation_id) => format!("method {operation_id} of {session_hash}"),
            Page::Step(operation_id) => format!("3-step {operation_id} of {session_hash}"),
        })
    }
}

/// The event with the operation that was preassigned, where it would make another one.
fn led_to(event: Event, preassigned_operation_id: Option<&str>) -> Event {
    match (event, preassigned_operation_id) {
        (Event::CancelAsked { .. }, Some(preassigned_operation_id)) => Event::CancelAsked {
            operation_id: preassigned_operation_id.to_owned(),
        },
        (event, _) => event,
    }
}

/// How long an outcome is told (contract 4.1).
const RETENTION_MS: i64 = 86_400_000;

/// How soon the acquirer is asked again when it gave no answer.
pub(super) const ASK_AGAIN_MS: i64 = 5_000;
