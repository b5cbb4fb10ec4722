//! Payments with a wallet (contract 8.1.11): the merchant's server forwards the data of the buyer's wallet.
//!
//! If the wallet has authenticated the buyer, the call makes the payment, with the same steps as every payment (see [`super::transition`] and
//! [`super::server_to_server`]). If not, the call creates a session of version 2 that is already confirmed: the device check is its only
//! field, and its outcome is written into the operation that the call returns.

use super::ServerPayments;
use super::card_entry::ValidatedCard;
use super::cardholder_data::CardholderData;
use super::create_session::order_availability::{AmountChange, OpenSessions, OrderAvailability};
use super::create_session::{NewSession, order_of};
use super::error::PaymentError;
use super::operation_document::Booking;
use super::server_to_server::made_before;
use super::session_status::wire_state;
use super::transition::EventContext;
use crate::idempotency::Slot;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::hosted::Kind as HostedKind;
use payframe_payment_domain::network_token::NetworkToken;
use payframe_payment_domain::operation::OperationResult;
use payframe_payment_domain::session::{
    Authentication, CompletionCall, DeviceCheck, Event, PendingCompletion, Recorded, State, Verdict,
};
use payframe_payment_domain::terms::{Terminal, Version};
use payframe_payment_domain::wallet::WalletFlow;
use payframe_payment_ports::wallet_tokens::TokenMark;
use payframe_protocol::wallet::{WalletAnswer, WalletFrame};
use payframe_storage::sessions::{self, SessionRow};
use payframe_storage::wallet_tokens::{self, SpentToken};
use payframe_storage::{Connection, StoreError, cards, operations, orders};

/// A validated request for a payment with a wallet.
pub struct WalletPayment {
    /// The members that are common to all payments.
    pub session: NewSession,
    card: ValidatedCard,
    token: Option<TokenMark>,
}

impl WalletPayment {
    /// A payment with the card that the wallet returned. `network_token`: the number is one, and its cryptogram authenticates the buyer.
    /// `token`: how the wallet's token is recognised if it comes again.
    pub fn new(
        session: NewSession,
        card: ValidatedCard,
        network_token: Option<NetworkToken>,
        token: Option<TokenMark>,
    ) -> WalletPayment {
        WalletPayment {
            session,
            token,
            card: ValidatedCard {
                cardholder_data: CardholderData {
                    network_token,
                    ..card.cardholder_data
                },
                ..card
            },
        }
    }

    fn flow(&self) -> WalletFlow {
        match self.card.cardholder_data.network_token {
            Some(_) => WalletFlow::Cryptogram,
            None => WalletFlow::NumberOnly,
        }
    }
}

enum Attempt {
    /// The payment of this session is in progress, or has its outcome.
    Made(String),
    /// The response body.
    Answered(Vec<u8>),
    /// These sessions of the order are open.
    OpenSessions(OpenSessions),
}

impl ServerPayments<'_> {
    /// Makes a payment with a wallet, or creates the session for its 3-D Secure, and returns the body of the response.
    pub async fn pay_with_wallet(
        &self,
        terminal: &Terminal,
        payment: &WalletPayment,
        slot: Option<&Slot>,
    ) -> Result<Vec<u8>, PaymentError> {
        let _held = self
            .context
            .lock_order(&terminal.merchant_id, &payment.session.order_id)
            .await;
        let made = loop {
            match self.try_to_pay_with_wallet(terminal, payment, slot).await? {
                Attempt::Made(hash) => break hash,
                Attempt::Answered(body) => return Ok(body),
                Attempt::OpenSessions(earlier) => {
                    // The response has no member for warnings.
                    self.sessions
                        .give_up_earlier(&earlier, Some(terminal), &mut Vec::new())
                        .await?;
                }
            }
        };
        self.outcome_of_wallet(&made).await
    }

    /// The body of the response of a call that has made its payment before, whose own response may be lost.
    pub async fn paid_with_wallet(&self, slot: &Slot) -> Result<Option<Vec<u8>>, PaymentError> {
        let made = {
            let mut connection = self.context.store().read().await?;
            made_before(&mut connection, Some(slot)).await?
        };
        match made {
            Some(made) => Ok(Some(self.outcome_of_wallet(&made).await?)),
            None => Ok(None),
        }
    }

    /// The body of the response for the payment of this session, which the wallet has authenticated.
    async fn outcome_of_wallet(&self, session_hash: &str) -> Result<Vec<u8>, PaymentError> {
        let held = self.context.lock_session(session_hash).await;
        let row = self.transitions.resume(&held, session_hash).await?;
        let operation = self.outcome(&row).await?;
        written(&WalletAnswer {
            payment_flow: WalletFlow::Cryptogram.code().to_owned(),
            operation,
            iframe: None,
        })
    }

    async fn try_to_pay_with_wallet(
        &self,
        terminal: &Terminal,
        payment: &WalletPayment,
        slot: Option<&Slot>,
    ) -> Result<Attempt, PaymentError> {
        let merchant_id = &terminal.merchant_id;
        let request = &payment.session;
        let now_ms = self.context.clock().now_ms();
        let (mut transaction, known) =
            orders::begin_change(self.context.store(), merchant_id, &request.order_id).await?;
        if let Some(earlier) = made_before(&mut transaction, slot).await? {
            return Ok(Attempt::Made(earlier));
        }
        if let Some(token) = &payment.token {
            let spent = SpentToken {
                token_hash: &payframe_vault::hash_of_bytes(&token.hash),
                merchant_id,
                order_id: &request.order_id,
                until_ms: token.until_ms,
            };
            if !wallet_tokens::take(&mut transaction, &spent).await? {
                return Err(PaymentError::WalletTokenUsed);
            }
        }
        self.contracts
            .agree(&mut transaction, merchant_id, request.recurrence.as_ref())
            .await?;
        let order = order_of(merchant_id, request, now_ms);
        if let OrderAvailability::Open(earlier) = self
            .sessions
            .order_availability(
                &mut transaction,
                (known, &order),
                &[HostedKind::Page],
                AmountChange::Refused,
            )
            .await?
        {
            return Ok(Attempt::OpenSessions(earlier));
        }
        orders::put(&mut transaction, &order);
        let session_id = payframe_vault::random_secret()?;
        let operation_id = payframe_vault::random_operation_id()?;
        let mut row = self.wallet_session(terminal, payment, &session_id, &operation_id, now_ms)?;
        sessions::add(&mut transaction, &row, now_ms)?;
        let encrypted = payment
            .card
            .cardholder_data
            .encrypt(self.context.vault(), &row.hash)?;
        cards::keep(&mut transaction, &mut row, encrypted);
        let call = PendingCompletion {
            operation_id,
            terminal_id: terminal.terminal_id.clone(),
            idempotency_key: slot.map(Slot::name),
            repeats: None,
        };
        let attempt = match payment.flow() {
            WalletFlow::Cryptogram => {
                self.charge(&mut transaction, payment, row, call, slot)
                    .await?
            }
            WalletFlow::NumberOnly => {
                let body = self
                    .confirm(&mut transaction, payment, row, call, session_id)
                    .await?;
                if let Some(slot) = slot {
                    slot.keep(&mut transaction, self.context.vault(), 200, &body, now_ms)?;
                }
                Attempt::Answered(body)
            }
        };
        transaction.commit().await?;
        self.context.wake_notifier();
        Ok(attempt)
    }

    fn wallet_session(
        &self,
        terminal: &Terminal,
        payment: &WalletPayment,
        session_id: &str,
        operation_id: &str,
        now_ms: i64,
    ) -> Result<SessionRow, PaymentError> {
        let mut row = self
            .sessions
            .new_session(terminal, &payment.session, session_id, now_ms)?;
        row.session.state = State::Ready {
            card: payment.card.card.clone(),
        };
        match payment.flow() {
            WalletFlow::Cryptogram => row.terms.version = Version::Three,
            WalletFlow::NumberOnly => {
                row.terms.preassigned_operation_id = Some(operation_id.to_owned())
            }
        }
        row.wake_ms = self.transitions.wake_ms(&row, now_ms);
        Ok(row)
    }

    /// The intent of a payment that the wallet has authenticated.
    async fn charge(
        &self,
        connection: &mut Connection,
        payment: &WalletPayment,
        mut row: SessionRow,
        call: PendingCompletion,
        slot: Option<&Slot>,
    ) -> Result<Attempt, PaymentError> {
        if let Some(slot) = slot {
            let (name, fingerprint) = (slot.name(), slot.fingerprint());
            sessions::put_asked(connection, &row.hash, &name, fingerprint).await?;
        }
        let event = Event::CompletionRequested {
            completion_call: CompletionCall::Finalize,
            check: DeviceCheck::NotDue,
            verdict: self.verdict_on_wallet(payment, Authentication::Full),
            call,
        };
        self.transitions
            .apply(connection, &mut row, event, &EventContext::default())
            .await?;
        Ok(Attempt::Made(row.hash))
    }

    fn verdict_on_wallet(
        &self,
        payment: &WalletPayment,
        authentication: Authentication,
    ) -> Verdict {
        let ValidatedCard {
            card,
            cardholder_data,
            ..
        } = &payment.card;
        self.authorizations
            .verdict_unless_risky(cardholder_data, card.expiry, authentication)
    }

    /// Confirms the session of a payment that needs 3-D Secure. Returns the body of the response.
    async fn confirm(
        &self,
        connection: &mut Connection,
        payment: &WalletPayment,
        mut row: SessionRow,
        call: PendingCompletion,
        session_id: String,
    ) -> Result<Vec<u8>, PaymentError> {
        let operation_id = call.operation_id.clone();
        let number: &Secret = &payment.card.cardholder_data.number;
        let booking = Booking {
            operation_id: &operation_id,
            terminal_id: &call.terminal_id,
            card: Some(&payment.card.card),
            method: None,
            number: Some(number),
            authentication: None,
            exemption: None,
            result: Recorded::Own(OperationResult::Pending),
            repeats: None,
            reply: None,
        };
        self.ledger
            .record(connection, &row, &booking, self.context.clock().now_ms())
            .await?;
        let event = Event::CompletionRequested {
            completion_call: CompletionCall::Confirm,
            check: self
                .authorizations
                .device_check_of(&payment.card.card, &payment.card.cardholder_data),
            // The device check comes first. The issuer is called after it.
            verdict: self.verdict_on_wallet(payment, Authentication::None),
            call,
        };
        self.transitions
            .apply(connection, &mut row, event, &EventContext::default())
            .await?;
        let operation = operations::find(connection, &operation_id).await?;
        let is_due = matches!(row.session.state, State::VerifyingDevice { .. });
        written(&WalletAnswer {
            payment_flow: payment.flow().code().to_owned(),
            operation: operation.ok_or(StoreError::Unreadable("operation"))?,
            iframe: is_due.then(|| WalletFrame {
                state: wire_state(&row.session.state),
                fields: vec![self.sessions.device_check_field(&row.terms, &session_id)],
                security_token: row.terms.security_token.clone(),
                session_id,
            }),
        })
    }
}

fn written(answer: &WalletAnswer) -> Result<Vec<u8>, PaymentError> {
    serde_json::to_vec(answer).map_err(|_| PaymentError::Broken("an answer does not serialize"))
}
