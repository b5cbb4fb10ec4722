//! What an event of a session does besides changing its state: each [`Effect`] of [`super::transition`] is performed in the event's transaction.

use super::acquirer_choice::{ChargeCurrency, PaymentToSend};
use super::cardholder_data::CardholderData;
use super::error::{NoAcquirerError, PaymentError};
use super::operation_document::Booking;
use super::transition::{EventContext, Transitions};
use payframe_payment_domain::session::{Authentication, BookedOn, Effect, Recorded, State};
use payframe_payment_ports::acquirers::Instruments;
use payframe_protocol::operation::Operation;
use payframe_storage::session_pages::{self, Page};
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, cards, orders};

impl Transitions<'_> {
    /// Performs one effect. Returns the operation that it recorded, if it recorded one.
    pub(super) async fn perform(
        &self,
        connection: &mut Connection,
        row: &mut SessionRow,
        effect: &Effect,
        context: &EventContext<'_>,
        now_ms: i64,
    ) -> Result<Option<Operation>, PaymentError> {
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
                self.open_page(connection, row, &Page::DeviceCheck(*submission));
            }
            Effect::OpenChallenge { operation_id } => {
                self.open_page(connection, row, &Page::Challenge(operation_id.clone()));
                self.open_page(connection, row, &Page::Results(operation_id.clone()));
            }
            Effect::OpenRedirect { operation_id } => {
                let terminal_id = &row.terms.terminal_id;
                let instruments = self.context.instruments_of_terminal(terminal_id)?;
                if instruments == Instruments::Cards {
                    return Err(NoAcquirerError::OfMethod.into());
                }
                self.open_page(connection, row, &Page::Method(operation_id.clone()));
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
                let shown = match &row.session.state {
                    State::Authorizing { card, .. } => Some(card),
                    _ => None,
                };
                let payment = PaymentToSend {
                    operation_id,
                    terminal_id,
                    terms,
                    card: shown.map(|card| card.network).zip(number),
                    charge_currency: match shown.and_then(|card| card.offer.as_ref()) {
                        Some(_) => ChargeCurrency::OfCard,
                        None => ChargeCurrency::OfOrder,
                    },
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
                repeats,
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
                    repeats: repeats.as_deref(),
                    reply: context
                        .reply
                        .filter(|_| matches!(result, Recorded::Issuer(_))),
                };
                let recorded = self.ledger.record(connection, row, &booking, now_ms);
                return recorded.await.map(Some);
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
                    repeats: None,
                    reply: context
                        .reply
                        .filter(|_| matches!(result, Recorded::Issuer(_))),
                };
                let recorded = self.ledger.record(connection, row, &booking, now_ms);
                return recorded.await.map(Some);
            }
            Effect::FinishDecline { operation_id } => {
                let card = CardholderData::of(self.context.vault(), row)?;
                let number = card.as_ref().map(|card| &card.number);
                self.ledger
                    .finish_decline(connection, row, operation_id, number, now_ms)
                    .await?;
            }
            // Before the session is written.
            Effect::RestartIdle => {}
        }
        Ok(None)
    }

    /// Opens a page of a session for the buyer's browser or a 3-D Secure server. Its address has a token, of which the hash is stored.
    fn open_page(&self, connection: &mut Connection, row: &SessionRow, page: &Page) {
        let token_hash = payframe_vault::hash(&self.context.page_token(&row.hash, page));
        session_pages::open(connection, &token_hash, &row.hash, page);
    }
}
