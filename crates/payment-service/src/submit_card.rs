//! The buyer's calls before the completion of the payment: choosing the card, sending it, showing activity.

use super::Sessions;
use super::card_entry::{
    self, CURRENCY_OFFER, CardEntry, FieldResult, Rules, SAVED_CARD, SHOWN_SUM, ValidatedCard,
};
use super::card_testing::CardSender;
use super::error::PaymentError;
use super::session_status::wire_state;
use super::transition::EventContext;
use crate::idempotency::{Slot, StoredResponse};
use payframe_error_codes::ErrorCode::{self, HF0004, HF0005, HF0006, HF0007, HF9001};
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::session::{Event, State, TransitionError};
use payframe_payment_domain::sum::Sum;
use payframe_payment_domain::terms::Terminal;
use payframe_protocol::api::{FieldStatus, GdiStatus, TextAnswer};
use payframe_storage::cards::OfferRow;
use payframe_storage::sessions::{self, SessionRow};
use payframe_storage::{Subject, cards};

impl Sessions<'_> {
    /// The buyer pressed the button of an alternative method.
    pub async fn choose_method(
        &self,
        hash: &str,
        method: &'static Method,
    ) -> Result<SessionRow, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let event = Event::MethodChosen {
            method,
            operation_id: payframe_vault::random_operation_id()?,
        };
        let context = EventContext {
            by_buyer: true,
            ..EventContext::default()
        };
        self.transitions.advance(&held, hash, event, context).await
    }

    /// Records activity of the buyer.
    pub async fn buyer_seen(&self, row: &SessionRow) -> Result<(), PaymentError> {
        let now_ms = self.context.clock().now_ms();
        // Once per second is enough for a limit of minutes.
        if now_ms < row.last_seen_ms + 1_000 {
            return Ok(());
        }
        let seen = SessionRow {
            last_seen_ms: now_ms,
            ..row.clone()
        };
        let wake_ms = self.transitions.wake_ms(&seen, now_ms);
        let mut transaction = self.context.store().write(Subject::Statement).await?;
        sessions::touch(&mut transaction, &row.hash, now_ms, wake_ms).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The buyer pressed the card button.
    pub async fn choose_card(&self, hash: &str) -> Result<SessionRow, PaymentError> {
        let held = self.context.lock_session(hash).await;
        self.transitions
            .advance(
                &held,
                hash,
                Event::CardMethodChosen,
                EventContext {
                    by_buyer: true,
                    ..EventContext::default()
                },
            )
            .await
    }

    /// Processes card data and returns the body of the response.
    pub async fn submit_card(
        &self,
        hash: &str,
        terminal: &Terminal,
        entry: CardEntry,
        slot: &Slot,
        sender: CardSender,
    ) -> Result<Vec<u8>, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let mut due = self.transitions.due(&held, hash).await?;
        // Before anything else is looked up or computed.
        let proven = self.context.check_proof(
            &mut due.transaction,
            &due.row,
            terminal,
            &entry.proof,
            sender.address,
        );
        let proven = proven.await?;
        let offer = match entry.value(CURRENCY_OFFER) {
            Some(offer_id) => cards::find_offer(&mut due.transaction, hash, offer_id).await?,
            None => None,
        };
        let before = &due.row;
        let shown = read_shown(&entry, before, offer.as_ref())?;
        let now_ms = self.context.clock().now_ms();
        let rules = Rules {
            terminal,
            bins: self.context.bin_lookup(),
            today: self.context.today(),
            now_ms,
            amount: before.amount,
            offer,
            installments: &before.terms.installments,
            consent: before.terms.card_on_file.consent,
            billing_address: before.terms.billing_address,
        };
        let (findings, good) = match entry.value(SAVED_CARD) {
            None | Some("") => card_entry::check(&entry, &rules),
            Some(handle) => {
                let kept = self.contracts.saved_card(before, terminal, handle).await?;
                card_entry::check_saved(&entry, &rules, kept)
            }
        };
        let taken = entry.value(CURRENCY_OFFER).map(str::to_owned);
        drop(entry);
        let operation_id = payframe_vault::random_operation_id()?;
        let answer = |row: &SessionRow| {
            // A TextAnswer contains only values that JSON can represent.
            serde_json::to_vec(&self.text_answer(&findings, row)).unwrap_or_default()
        };
        let row = match good {
            None => {
                let context = EventContext {
                    by_buyer: true,
                    answer: Some(StoredResponse {
                        slot,
                        write: &|row, _| Some(answer(row)),
                    }),
                    ..EventContext::default()
                };
                self.transitions
                    .apply_event(&held, due, Event::CardRefused { operation_id }, context)
                    .await?
            }
            Some(ValidatedCard {
                card,
                cardholder_data,
                security_code,
            }) => {
                let card = EnteredCard { shown, ..card };
                let check = self.authorizations.device_check_of(&card, &cardholder_data);
                let encrypted_card = cardholder_data.encrypt(self.context.vault(), hash)?;
                self.context.keep_card_source(
                    &mut due.transaction,
                    hash,
                    terminal,
                    &sender,
                    proven,
                );
                let context = EventContext {
                    encrypted_card: Some(&encrypted_card),
                    taken_offer: taken.as_deref(),
                    by_buyer: true,
                    answer: Some(StoredResponse {
                        slot,
                        write: &|row, _| Some(answer(row)),
                    }),
                    ..EventContext::default()
                };
                let row = self
                    .transitions
                    .apply_event(
                        &held,
                        due,
                        Event::CardAccepted {
                            card,
                            check,
                            operation_id,
                        },
                        context,
                    )
                    .await?;
                if matches!(
                    row.session.state,
                    State::CheckingDevice { .. } | State::Ready { .. }
                ) {
                    self.context.security_codes().keep(hash, security_code);
                }
                row
            }
        };
        Ok(answer(&row))
    }

    fn text_answer(&self, findings: &[FieldResult], row: &SessionRow) -> TextAnswer {
        let gdi_status = match row.session.state {
            State::CheckingDevice { .. } => {
                let gdi_url = self
                    .context
                    .device_check_url(&row.hash, row.session.counters.submissions);
                Some(GdiStatus { gdi_url })
            }
            _ => None,
        };
        TextAnswer {
            field_status: findings.iter().map(field_status).collect(),
            workflow_state: wire_state(&row.session.state),
            gdi_status,
        }
    }
}

/// The sum that the form showed when the buyer pressed Pay, if it sent one. A card for another sum than the session's is refused.
fn read_shown(
    entry: &CardEntry,
    row: &SessionRow,
    offer: Option<&OfferRow>,
) -> Result<Option<Sum>, TransitionError> {
    let Some(text) = entry.value(SHOWN_SUM) else {
        return Ok(None);
    };
    let shown = Sum::parse(text).ok_or(TransitionError::OtherSum)?;
    let asked = entry.value(CURRENCY_OFFER).is_some_and(|id| !id.is_empty());
    let due = match offer {
        Some(offer) => Sum::from(&offer.offer),
        // A missing offer is reported with the fields, so that the buyer can choose again.
        None if asked => return Ok(Some(shown)),
        None => row.sum(),
    };
    if shown == due {
        Ok(Some(shown))
    } else {
        Err(TransitionError::OtherSum)
    }
}

/// The result of one field's check, in the terms of the API.
pub fn field_status((id, code): &FieldResult) -> FieldStatus {
    FieldStatus {
        event: String::from(if code.is_some() {
            "BUILD_ERROR"
        } else {
            "BUILD_SUCCESS"
        }),
        id: id.clone(),
        error_code: code.map(|code| code.to_string()),
        error_message: code.map(|code| message(code).to_owned()),
    }
}

/// English, for developers. Buyers see the form's own texts.
fn message(code: ErrorCode) -> &'static str {
    match code {
        HF0004 => {
            "the card number fails its check digit, or has a length that its network does not have"
        }
        HF0005 => "the card's network is not accepted",
        HF0006 => "the card has expired, or the expiry is malformed",
        HF0007 => "the name is malformed",
        HF9001 => "the currency offer has expired or was made for something else",
        _ => "the value is missing or malformed",
    }
}
