//! Charges of a reservation after its first payment: no-shows, delayed charges, installments, penalties (contract 8.3).
//!
//! Each charge is a session of its own, with an id that is not given to anyone. It is completed in the transaction that creates it, with
//! the card that the first payment stored. The same transaction checks the charge against the agreement and counts it. So two charges
//! cannot use the same remaining amount, and a requested charge is made exactly once: see [`crate::transition`].

use crate::Reservations;
use crate::audit_notes::Noted;
use crate::contracts::{StoredCard, kept_card};
use crate::error::{PaymentError, report};
use crate::idempotency::Slot;
use crate::reservations::{Reservation, load};
use crate::server_to_server::{DirectOrder, Instrument, made_before};
use crate::transition::EventContext;
use payframe_money::Amount;
use payframe_money::currency_format::format_amount;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::contract::hidden_id;
use payframe_payment_domain::operation::{ActionType, Capture, OperationResult, OperationType};
use payframe_payment_domain::reservation::charges::{
    Charge, ReservationChargeError, can_be_followed,
};
use payframe_payment_domain::session::{CompletionCall, DeviceCheck, Event, PendingCompletion};
use payframe_payment_domain::terms::{Channel, Terminal};
use payframe_protocol::operation::Operation;
use payframe_storage::audit::Author;
use payframe_storage::reservations::{self, NewCharge};
use payframe_storage::{Connection, Subject, cards, contracts, merchants, sessions};
use serde_json::Map;

/// A call for a charge.
pub struct ReservationChargeRequest<'a> {
    /// The merchant of the reservation.
    pub merchant_id: &'a str,
    /// The reservation's id.
    pub reservation_id: &'a str,
    /// The operation that the call names.
    pub original: Option<&'a Operation>,
    /// The reason for the charge.
    pub charge: Charge,
    /// The amount.
    pub amount: Amount,
    /// The merchant's description.
    pub description: Option<&'a str>,
    /// The terminal of the caller.
    pub terminal: &'a Terminal,
    /// The call's `Correlation-Id`.
    pub trace_id: &'a str,
    /// Where the response is stored, if the call has an idempotency key.
    pub slot: Option<&'a Slot>,
    /// Who asks, if the audit log gets an entry together with the charge.
    pub author: Option<Author<'a>>,
}

/// A charge that the agreement allows.
pub(crate) struct AllowedCharge<'a> {
    pub(crate) charge: Charge,
    pub(crate) amount: Amount,
    /// The number of the installment, if the gateway starts the charge itself.
    pub(crate) part: Option<usize>,
    pub(crate) description: Option<&'a str>,
    pub(crate) terminal: &'a Terminal,
    pub(crate) channel: Channel,
    pub(crate) trace_id: String,
    pub(crate) slot: Option<&'a Slot>,
}

impl Reservations<'_> {
    /// Charges the card of a reservation, if the agreement allows it, and returns the outcome. `None`: the reservation does not exist.
    pub async fn charge(
        &self,
        ask: &ReservationChargeRequest<'_>,
    ) -> Result<Option<Operation>, PaymentError> {
        let _held = self
            .context
            .lock_order(ask.merchant_id, ask.reservation_id)
            .await;
        let now_ms = self.context.clock().now_ms();
        let mut transaction = self
            .context
            .store()
            .write(Subject::Merchant(ask.merchant_id))
            .await?;
        if let Some(earlier) = made_before(&mut transaction, ask.slot).await? {
            drop(transaction);
            return self.conclude_charge(&earlier).await.map(Some);
        }
        let found = load(&mut transaction, ask.merchant_id, ask.reservation_id).await?;
        let Some(reservation) = found else {
            return Ok(None);
        };
        if !ask.original.is_none_or(is_followed) {
            return Err(PaymentError::Reservation(ReservationChargeError::Original));
        }
        reservation
            .permitted_amount(ask.charge, Some(ask.amount), now_ms)
            .map_err(PaymentError::Reservation)?;
        let allowed = AllowedCharge {
            charge: ask.charge,
            amount: ask.amount,
            part: None,
            description: ask.description,
            terminal: ask.terminal,
            channel: Channel::MerchantInitiated,
            trace_id: ask.trace_id.to_owned(),
            slot: ask.slot,
        };
        let session_hash = self
            .intend_charge(&mut transaction, &reservation, &allowed, now_ms)
            .await?;
        if let Some(author) = ask.author {
            let sum = format_amount(ask.amount, &reservation.order.currency, "eng");
            let noted = Noted {
                merchant_id: ask.merchant_id,
                act: Act::ChargeReservation,
                subject: format!("reservation {}", ask.reservation_id),
                detail: format!("Charge {sum}"),
            };
            self.context.note(&mut transaction, author, noted).await?;
        }
        transaction.commit().await?;
        self.conclude_charge(&session_hash).await.map(Some)
    }

    /// Writes a charge before it is requested, and counts it. Returns its session.
    pub(crate) async fn intend_charge(
        &self,
        connection: &mut Connection,
        reservation: &Reservation,
        allowed: &AllowedCharge<'_>,
        now_ms: i64,
    ) -> Result<String, PaymentError> {
        let row = &reservation.row;
        let contract_id = hidden_id(&row.reservation_id);
        let contract = contracts::find_active(connection, &row.merchant_id, &contract_id).await?;
        let contract = contract.ok_or(PaymentError::Reservation(ReservationChargeError::NoCard))?;
        let StoredCard {
            shown,
            cardholder_data,
        } = kept_card(self.context.vault(), contract)?;
        let session_hash = payframe_vault::hash(&payframe_vault::random_secret()?);
        let instrument = Instrument::of(
            self.server_payments.authorizations,
            shown,
            &cardholder_data,
            &session_hash,
        )?;
        let order = DirectOrder {
            order_id: row.reservation_id.clone(),
            amount: allowed.amount,
            currency: reservation.order.currency.clone(),
            // The order exists already.
            document: Map::new(),
            plugin_name: None,
            action: ActionType::Pay,
            capture: Capture::Implicit,
            channel: allowed.channel,
            trace_id: allowed.trace_id.clone(),
        };
        let mut session = self.server_payments.new_session(
            allowed.terminal,
            &order,
            &session_hash,
            instrument.shown,
        )?;
        session.terms.charge = Some(allowed.charge);
        session.terms.notification_url =
            merchants::notification_url(connection, &allowed.terminal.terminal_id).await?;
        sessions::add(connection, &session, now_ms)?;
        cards::keep(connection, &mut session, instrument.encrypted_card);
        if let Some(slot) = allowed.slot {
            let (name, fingerprint) = (slot.name(), slot.fingerprint());
            sessions::put_asked(connection, &session_hash, &name, fingerprint).await?;
        }
        let operation_id = payframe_vault::random_operation_id()?;
        let new = NewCharge {
            operation_id: &operation_id,
            merchant_id: &row.merchant_id,
            reservation_id: &row.reservation_id,
            charge: allowed.charge,
            amount: allowed.amount,
            part: allowed.part,
            description: allowed.description,
        };
        reservations::add_charge(connection, &new).await?;
        if let Some(part) = allowed.part {
            reservations::drop_part(connection, &row.merchant_id, &row.reservation_id, part)
                .await?;
        }
        let event = Event::CompletionRequested {
            completion_call: CompletionCall::Finalize,
            check: DeviceCheck::NotDue,
            verdict: instrument.verdict,
            call: PendingCompletion {
                operation_id,
                terminal_id: allowed.terminal.terminal_id.clone(),
                idempotency_key: allowed.slot.map(Slot::name),
                repeats: None,
            },
        };
        self.transitions
            .apply(connection, &mut session, event, &EventContext::default())
            .await?;
        Ok(session_hash)
    }

    /// Requests a written charge from the acquirer, and returns its outcome.
    pub(crate) async fn conclude_charge(
        &self,
        session_hash: &str,
    ) -> Result<Operation, PaymentError> {
        self.context.wake_notifier();
        let held = self.context.lock_session(session_hash).await;
        let row = self.transitions.resume(&held, session_hash).await?;
        self.server_payments.outcome(&row).await
    }

    /// Charges the installments of reservations that are due.
    pub(crate) async fn charge_due_parts_of_all(&self) -> Result<(), PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let due =
            reservations::with_due_parts(&mut *self.context.store().read().await?, now_ms).await?;
        for (merchant_id, reservation_id) in due {
            if let Err(problem) = self.charge_due_parts(&merchant_id, &reservation_id).await {
                report("a part of a reservation", &problem);
            }
        }
        Ok(())
    }

    async fn charge_due_parts(
        &self,
        merchant_id: &str,
        reservation_id: &str,
    ) -> Result<(), PaymentError> {
        let _held = self.context.lock_order(merchant_id, reservation_id).await;
        loop {
            let now_ms = self.context.clock().now_ms();
            let mut transaction = self
                .context
                .store()
                .write(Subject::Merchant(merchant_id))
                .await?;
            let found = load(&mut transaction, merchant_id, reservation_id).await?;
            let due = found.and_then(|reservation| {
                let due = reservation
                    .agreement
                    .due_part(&reservation.history, now_ms)?;
                Some((reservation, due))
            });
            let Some((reservation, (part, amount))) = due else {
                return Ok(());
            };
            let terminal =
                merchants::terminal(&mut transaction, &reservation.row.terminal_id).await?;
            let allowed = AllowedCharge {
                charge: Charge::Part,
                amount,
                part: Some(part),
                description: None,
                terminal: &terminal,
                channel: Channel::Automatic,
                trace_id: uuid::Uuid::new_v4().to_string(),
                slot: None,
            };
            let session_hash = self
                .intend_charge(&mut transaction, &reservation, &allowed, now_ms)
                .await?;
            transaction.commit().await?;
            self.conclude_charge(&session_hash).await?;
        }
    }
}

fn is_followed(original: &Operation) -> bool {
    let kind = OperationType::from_code(&original.operation_type);
    let result = OperationResult::from_code(&original.operation_result);
    kind.zip(result)
        .is_some_and(|(kind, result)| can_be_followed(kind, result))
}
