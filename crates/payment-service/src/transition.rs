//! Transitions of a session: one event at a time, each in one transaction.
//!
//! Money moves in three steps. The first transaction records the intent ([`Effect::AskIssuer`]: the session is `Authorizing`, the order is
//! reserved for the operation's id). Then the acquirer is called, outside of any transaction, with that id as reference. The second
//! transaction records the response: operation, totals, session and notification together. After a crash in between,
//! [`Transitions::resume`] calls the acquirer again with the same reference, so nothing is charged twice.
//!
//! Events of one session wait for each other ([`PaymentContext::lock_session`]). If the session is authorizing, the next event is applied
//! after the outcome is recorded.

use super::acquirer_choice::PaymentToSend;
use super::cardholder_data::CardholderData;
use super::error::{NoAcquirerError, PaymentError};
use super::external_3ds_events;
use super::operation_document::Booking;
use super::sum_change::SumChange;
use super::{Authorizations, Contracts, Ledger, PaymentContext};
use crate::idempotency::Slot;
use crate::locks::Held;
use payframe_payment_domain::exemption::RequestedExemption;
use payframe_payment_domain::session::{
    self, Authentication, BookedOn, Effect, Event, Recorded, State, TransitionError,
};
use payframe_payment_ports::acquirer::AuthorizationResponse;
use payframe_payment_ports::acquirers::Instruments;
use payframe_storage::sessions::{self, Page, SessionRow};
use payframe_storage::{Connection, Subject, Write, cards, orders};

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
    /// A response that must be stored together with the change that it describes.
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

/// A response that is stored in the transaction of the change that it describes.
pub(crate) struct StoredResponse<'a> {
    /// The slot of the call.
    pub slot: &'a Slot,
    /// Writes the response for the session after the event.
    pub write: &'a (dyn Fn(&SessionRow) -> Vec<u8> + Sync),
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
        let effects = self
            .apply(&mut transaction, &mut row, event, &context)
            .await?;
        if let Some(StoredResponse { slot, write }) = context.answer {
            slot.keep(
                &mut transaction,
                self.context.vault(),
                200,
                &write(&row),
                self.context.clock().now_ms(),
            )?;
        }
        transaction.commit().await?;
        self.after_commit(&row, &effects);
        self.resume_row(held, row).await
    }

    /// Starts a change of a session. Expired limits are applied first, and a request to the issuer in progress is completed first. `held`
    /// is the session's lock.
    pub(super) async fn due(&self, held: &Held, hash: &str) -> Result<LockedSession, PaymentError> {
        loop {
            let due = self.begin(hash).await?;
            if self.limit_of(&due.row).is_none() && !due.row.session.state.has_money_on_its_way() {
                return Ok(due);
            }
            drop(due);
            self.current_row(hash).await?;
            self.resume(held, hash).await?;
        }
    }

    /// Starts a transaction and reads the session in it.
    async fn begin(&self, hash: &str) -> Result<LockedSession, PaymentError> {
        let mut transaction = self.context.store().write(Subject::Session(hash)).await?;
        let row = sessions::find(&mut transaction, hash).await?;
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
            let mut transaction = self.context.store().write(Subject::Session(hash)).await?;
            let mut row = sessions::find(&mut transaction, hash)
                .await?
                .ok_or(TransitionError::Dead)?;
            // Checked again: the buyer may have been active in between.
            let Some(limit) = self.limit_of(&row) else {
                return Ok(row);
            };
            let event = external_3ds_events::on_limit(&mut transaction, &row, limit).await?;
            let effects = self
                .apply(&mut transaction, &mut row, event, &EventContext::default())
                .await?;
            transaction.commit().await?;
            self.after_commit(&row, &effects);
        }
    }

    /// Requests the response that a session waits for from the acquirer, and records it. Does nothing for other sessions. `held` is the
    /// session's lock.
    pub(crate) async fn resume(&self, held: &Held, hash: &str) -> Result<SessionRow, PaymentError> {
        let row = sessions::find(&mut *self.context.store().read().await?, hash).await?;
        self.resume_row(held, row.ok_or(TransitionError::Dead)?)
            .await
    }

    /// The same for a session that has just been read or written.
    async fn resume_row(&self, _held: &Held, row: SessionRow) -> Result<SessionRow, PaymentError> {
        let reply = match &row.session.state {
            State::AuthorizingMethod {
                redirect,
                return_data,
            } => {
                self.authorizations
                    .ask_method(&row, redirect, return_data)
                    .await?
            }
            State::Authorizing {
                card,
                authentication,
                completion,
                ..
            } => {
                self.authorizations
                    .ask_issuer(&row, card, *authentication, completion)
                    .await?
            }
            _ => return Ok(row),
        };
        self.book(&row, &reply).await
    }

    /// Records the response to the request of a session.
    async fn book(
        &self,
        asked: &SessionRow,
        reply: &AuthorizationResponse,
    ) -> Result<SessionRow, PaymentError> {
        let exemption = self.authorizations.claimed_exemption(asked).await?;
        let LockedSession {
            mut transaction,
            mut row,
        } = self.begin(&asked.hash).await?;
        if row.session.state != asked.session.state {
            // Another process has received and recorded it in the meantime.
            return Ok(row);
        }
        let event = Event::IssuerAnswered {
            result: reply.result,
        };
        let context = EventContext {
            reply: Some(reply),
            exemption,
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
    ) -> Result<Vec<Effect>, PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let event = led_to(event, row.terms.preassigned_operation_id.as_deref());
        let step = session::step(row.terms.version, row.session.clone(), event, now_ms)?;
        row.session = step.session;
        if context.by_buyer {
            row.last_seen_ms = now_ms;
        }
        if let Some(change) = context.change {
            change.carry_out(connection, row).await?;
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
                let encrypted = context
                    .encrypted_card
                    .ok_or(PaymentError::Broken("no card to keep"))?;
                cards::keep(connection, row, encrypted.to_vec());
                if let Some(offer_id) = context.taken_offer {
                    cards::accept_offer(connection, &row.hash, offer_id);
                }
            }
            Effect::ForgetCard => cards::forget(connection, row),
            Effect::OpenDeviceCheck { submission } => {
                let page = Page::DeviceCheck(*submission);
                sessions::open_page(
                    connection,
                    &payframe_vault::hash(&self.context.page_token(&row.hash, &page)),
                    &row.hash,
                    &page,
                );
            }
            Effect::OpenChallenge { operation_id } => {
                let pages = [
                    Page::Challenge(operation_id.clone()),
                    Page::Results(operation_id.clone()),
                ];
                for page in pages {
                    let token = self.context.page_token(&row.hash, &page);
                    let token_hash = payframe_vault::hash(&token);
                    sessions::open_page(connection, &token_hash, &row.hash, &page);
                }
            }
            Effect::OpenRedirect { operation_id } => {
                let terminal_id = &row.terms.terminal_id;
                let instruments = self.context.instruments_of_terminal(terminal_id)?;
                if instruments == Instruments::Cards {
                    return Err(NoAcquirerError::OfMethod.into());
                }
                let page = Page::Method(operation_id.clone());
                sessions::open_page(
                    connection,
                    &payframe_vault::hash(&self.context.page_token(&row.hash, &page)),
                    &row.hash,
                    &page,
                );
            }
            Effect::AskIssuer { operation_id } => {
                let terms = &row.terms;
                let terminal_id = match &row.session.state {
                    State::Authorizing { completion, .. } => &completion.terminal_id,
                    _ => &terms.terminal_id,
                };
                let is_unauthenticated = matches!(
                    row.session.state,
                    State::Authorizing {
                        authentication: Authentication::None,
                        ..
                    }
                );
                if is_unauthenticated && !self.context.three_ds_server().serves(terminal_id) {
                    return Err(PaymentError::NoAuthentication);
                }
                let number = CardholderData::of(self.context.vault(), row)?;
                let number = number.as_ref().map(|card| &card.number);
                let network = match &row.session.state {
                    State::Authorizing { card, .. } => Some(card.network),
                    _ => None,
                };
                let payment = PaymentToSend {
                    operation_id,
                    terminal_id,
                    terms,
                    card: network.zip(number),
                };
                self.context.choose_acquirer(connection, &payment)?;
                // A charge is an additional payment beside the one that paid the order.
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
                self.contracts
                    .preassign_contract_id(connection, row, operation_id)
                    .await?;
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
                let number = CardholderData::of(self.context.vault(), row)?;
                let booking = Booking {
                    operation_id,
                    terminal_id,
                    card: card.as_ref(),
                    method: None,
                    number: number.as_ref().map(|card| &card.number),
                    authentication: *authentication,
                    exemption: context.exemption,
                    result: *result,
                    reply: context
                        .reply
                        .filter(|_| matches!(result, Recorded::Issuer(_))),
                };
                self.ledger
                    .record(connection, row, &booking, now_ms)
                    .await?;
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
                    exemption: None,
                    result: *result,
                    reply: context
                        .reply
                        .filter(|_| matches!(result, Recorded::Issuer(_))),
                };
                self.ledger
                    .record(connection, row, &booking, now_ms)
                    .await?;
            }
            Effect::RestartIdle => row.last_seen_ms = now_ms,
        }
        Ok(())
    }

    pub(super) fn after_commit(&self, row: &SessionRow, effects: &[Effect]) {
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
        if row.session.state.has_money_on_its_way() {
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
