//! Payments that one call of the merchant's server makes completely, without the buyer.
//!
//! Such a payment is a session that has its card from the start and is completed in the transaction that creates it. So it has the same
//! steps as every payment (see [`super::transition`]): intent, acquirer, recording. The id of its session is not given to anyone.
//!
//! A repeated call with the same key finds the payment that it has made, even if the process ended before the response was stored: the key
//! is written with the intent.

use super::card_entry::ValidatedCard;
use super::cardholder_data::{CardholderData, Holder};
use super::contracts::StoredCard;
use super::create_session::order_availability::{AmountChange, OpenSessions, OrderAvailability};
use super::error::PaymentError;
use super::transition::EventContext;
use super::{Authorizations, Contracts, Ledger, PaymentContext, Sessions, Transitions};
use crate::idempotency::Slot;
use payframe_card_rules::network::Network;
use payframe_money::Amount;
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::card::EnteredCard;
use payframe_payment_domain::card_on_file::CardOnFileTerms;
use payframe_payment_domain::hosted::Kind as HostedKind;
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_domain::session::{
    Authentication, CompletionCall, Counters, DeviceCheck, Event, PendingCompletion, Session,
    State, Verdict,
};
use payframe_payment_domain::terms::{
    CaptureInitiator, Channel, FramingPages, RedirectHandler, Terminal, Terms, Version,
};
use payframe_protocol::operation::Operation;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, StoreError, cards, operations, orders, sessions};
use serde_json::{Map, Value};

/// A validated request for a payment.
pub struct DirectPayment {
    /// The order to pay.
    pub order: DirectOrder,
    /// The card to charge.
    pub card: DirectCard,
}

/// The order, and how it is paid.
pub struct DirectOrder {
    /// The merchant's id of the order.
    pub order_id: String,
    /// The amount.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
    /// The validated order, as it was sent.
    pub document: Map<String, Value>,
    /// The name of the merchant's software.
    pub plugin_name: Option<String>,
    /// What the payment is to do.
    pub action: ActionType,
    /// When the money is captured.
    pub capture: Capture,
    /// The channel of the order.
    pub channel: Channel,
    /// The call's `Correlation-Id`.
    pub trace_id: String,
}

/// The card of a payment.
pub enum DirectCard {
    /// A card that came with the call.
    Entered(Box<ValidatedCard>),
    /// The card of this contract.
    Kept {
        /// The contract's id.
        contract_id: String,
    },
}

enum Attempt {
    /// The payment of this session is in progress, or has its outcome.
    Made(String),
    /// These sessions of the order are open.
    OpenSessions(OpenSessions),
}

/// The card data for the acquirer, and the part that may be shown.
pub(super) struct Instrument {
    pub(super) shown: EnteredCard,
    /// Encrypted for the session.
    pub(super) encrypted_card: Vec<u8>,
    pub(super) verdict: Verdict,
}

impl Instrument {
    pub(super) fn of(
        authorizations: Authorizations<'_>,
        shown: EnteredCard,
        card: &CardholderData,
        session_hash: &str,
    ) -> Result<Instrument, PaymentError> {
        // The buyer is not present, so there is no authentication.
        let authentication = Authentication::NotDue;
        let verdict = authorizations.verdict_unless_risky(card, shown.expiry, authentication);
        Ok(Instrument {
            shown,
            encrypted_card: card.encrypt(authorizations.context.vault(), session_hash)?,
            verdict,
        })
    }
}

/// Payments that one call of the merchant's server makes, by card or by wallet.
#[derive(Clone, Copy)]
pub struct ServerPayments<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) ledger: Ledger<'a>,
    pub(super) authorizations: Authorizations<'a>,
    pub(super) contracts: Contracts<'a>,
    pub(super) transitions: Transitions<'a>,
    pub(super) sessions: Sessions<'a>,
}

impl<'a> ServerPayments<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> ServerPayments<'a> {
        ServerPayments {
            context,
            ledger: Ledger::new(context),
            authorizations: Authorizations::new(context),
            contracts: Contracts::new(context),
            transitions: Transitions::new(context),
            sessions: Sessions::new(context),
        }
    }
}

impl ServerPayments<'_> {
    /// Makes a payment and returns its outcome.
    pub async fn pay(
        &self,
        terminal: &Terminal,
        mut payment: DirectPayment,
        slot: Option<&Slot>,
    ) -> Result<Operation, PaymentError> {
        let session_hash = payframe_vault::hash(&payframe_vault::random_secret()?);
        let _held = self
            .context
            .lock_order(&terminal.merchant_id, &payment.order.order_id)
            .await;
        if let DirectCard::Entered(card) = &mut payment.card {
            card.cardholder_data.holder = Holder::of_order(&payment.order.document);
            // Stored before any process can call the acquirer, and removed together with the card.
            let code = card.security_code.take();
            self.context.security_codes().keep(&session_hash, code);
        }
        let made = self
            .try_until_made(terminal, &payment, slot, &session_hash)
            .await;
        if made.as_ref().ok() != Some(&session_hash) {
            self.context.security_codes().forget(&session_hash);
        }
        let made = made?;
        let held = self.context.lock_session(&made).await;
        let row = self.transitions.resume(&held, &made).await?;
        self.outcome(&row).await
    }

    async fn try_until_made(
        &self,
        terminal: &Terminal,
        payment: &DirectPayment,
        slot: Option<&Slot>,
        session_hash: &str,
    ) -> Result<String, PaymentError> {
        loop {
            match self
                .try_to_make(terminal, payment, slot, session_hash)
                .await?
            {
                Attempt::Made(hash) => return Ok(hash),
                Attempt::OpenSessions(earlier) => {
                    // The response of these calls has no member for warnings.
                    self.sessions
                        .give_up_earlier(&earlier, Some(terminal), &mut Vec::new())
                        .await?;
                }
            }
        }
    }

    async fn try_to_make(
        &self,
        terminal: &Terminal,
        payment: &DirectPayment,
        slot: Option<&Slot>,
        session_hash: &str,
    ) -> Result<Attempt, PaymentError> {
        let merchant_id = &terminal.merchant_id;
        let now_ms = self.context.clock().now_ms();
        let (mut transaction, known) =
            orders::begin_change(self.context.store(), merchant_id, &payment.order.order_id)
                .await?;
        if let Some(earlier) = made_before(&mut transaction, slot).await? {
            return Ok(Attempt::Made(earlier));
        }
        let (instrument, permitted) = self
            .instrument(&mut transaction, terminal, payment, session_hash, now_ms)
            .await?;
        let order = payment.order.to_write(merchant_id, now_ms);
        let way = self
            .sessions
            .order_availability(
                &mut transaction,
                (known, &order),
                &[HostedKind::Page],
                AmountChange::Refused,
            )
            .await?;
        permitted?;
        if let OrderAvailability::Open(earlier) = way {
            return Ok(Attempt::OpenSessions(earlier));
        }
        orders::put(&mut transaction, &order);
        let mut row = self.new_session(terminal, &payment.order, session_hash, instrument.shown)?;
        sessions::add(&mut transaction, &row, now_ms)?;
        cards::keep(&mut transaction, &mut row, instrument.encrypted_card);
        if let Some(slot) = slot {
            let (name, fingerprint) = (slot.name(), slot.fingerprint());
            sessions::put_asked(&mut transaction, &row.hash, &name, fingerprint).await?;
        }
        let event = Event::CompletionRequested {
            completion_call: CompletionCall::Finalize,
            check: DeviceCheck::NotDue,
            verdict: instrument.verdict,
            call: PendingCompletion {
                operation_id: payframe_vault::random_operation_id()?,
                terminal_id: terminal.terminal_id.clone(),
                idempotency_key: slot.map(Slot::name),
                repeats: None,
            },
        };
        self.transitions
            .apply(&mut transaction, &mut row, event, &EventContext::default())
            .await?;
        transaction.commit().await?;
        self.context.wake_notifier();
        Ok(Attempt::Made(row.hash))
    }

    /// The card of a payment. Checks whether its contract or its network permits the request.
    async fn instrument(
        &self,
        connection: &mut Connection,
        terminal: &Terminal,
        payment: &DirectPayment,
        session_hash: &str,
        now_ms: i64,
    ) -> Result<(Instrument, Result<(), PaymentError>), PaymentError> {
        match &payment.card {
            DirectCard::Entered(entered) => {
                let ValidatedCard {
                    card,
                    cardholder_data,
                    ..
                } = entered.as_ref();
                if payment.order.action == ActionType::Verify && !can_be_verified(card.network) {
                    let refused = Err(PaymentError::NoVerification);
                    let instrument = Instrument::of(
                        self.authorizations,
                        card.clone(),
                        cardholder_data,
                        session_hash,
                    )?;
                    return Ok((instrument, refused));
                }
                let instrument = Instrument::of(
                    self.authorizations,
                    card.clone(),
                    cardholder_data,
                    session_hash,
                )?;
                Ok((instrument, Ok(())))
            }
            DirectCard::Kept { contract_id } => {
                let (
                    StoredCard {
                        shown,
                        cardholder_data,
                    },
                    permitted,
                ) = self
                    .contracts
                    .card_to_charge(connection, &terminal.merchant_id, contract_id, now_ms)
                    .await?;
                let instrument =
                    Instrument::of(self.authorizations, shown, &cardholder_data, session_hash)?;
                Ok((instrument, permitted.map_err(PaymentError::Charge)))
            }
        }
    }

    /// The session of a payment without a form, ready to be completed.
    pub(super) fn new_session(
        &self,
        terminal: &Terminal,
        order: &DirectOrder,
        session_hash: &str,
        card: EnteredCard,
    ) -> Result<SessionRow, PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let terms = Terms {
            merchant_id: terminal.merchant_id.clone(),
            terminal_id: terminal.terminal_id.clone(),
            order_id: order.order_id.clone(),
            version: Version::Three,
            framing: FramingPages::default(),
            action: order.action,
            capture: order.capture,
            language: String::from("ita"),
            challenge_preference: String::from("NO_PREFERENCE"),
            result_url: String::new(),
            cancel_url: String::new(),
            notification_url: None,
            security_token: payframe_vault::random_token()?,
            trace_id: order.trace_id.clone(),
            capture_initiator: CaptureInitiator::Server,
            card_summary: String::from("NONE"),
            currency: order.currency.clone(),
            redirect_handler: RedirectHandler::Page,
            installments: Vec::new(),
            card_on_file: CardOnFileTerms::default(),
            billing_address: BillingAddressFields::None,
            methods: Vec::new(),
            channel: order.channel,
            contract: None,
            hosted_page: None,
            preassigned_operation_id: None,
            wallet: None,
            charge: None,
        };
        Ok(SessionRow {
            hash: session_hash.to_owned(),
            terms,
            amount: order.amount,
            session: Session {
                counters: Counters {
                    attempts_left: 1,
                    submissions: 0,
                },
                state: State::Ready { card },
            },
            last_seen_ms: now_ms,
            ends_ms: now_ms + payframe_payment_ports::clock::millis(self.context.settings().hard),
            wake_ms: now_ms,
            encrypted_card: None,
        })
    }

    /// The operation of a session.
    pub(super) async fn outcome(&self, row: &SessionRow) -> Result<Operation, PaymentError> {
        let (State::Complete { operation_id, .. } | State::Cancelled { operation_id, .. }) =
            &row.session.state
        else {
            return Err(StoreError::Unreadable("outcome of a direct payment").into());
        };
        let found =
            operations::find(&mut *self.context.store().read().await?, operation_id).await?;
        found.ok_or_else(|| StoreError::Unreadable("operation").into())
    }
}

impl DirectOrder {
    /// The order of the payment, for the store.
    pub(super) fn to_write<'a>(
        &'a self,
        merchant_id: &'a str,
        now_ms: i64,
    ) -> orders::NewOrder<'a> {
        orders::NewOrder {
            merchant_id,
            order_id: &self.order_id,
            currency: &self.currency,
            amount: self.amount,
            document: &self.document,
            plugin_name: self.plugin_name.as_deref(),
            created_ms: now_ms,
            is_reservation: false,
        }
    }
}

/// Whether issuers of a network support verification without a charge (contract 8.1.9).
fn can_be_verified(network: Network) -> bool {
    !matches!(network, Network::UnionPay | Network::Bancontact)
}

/// The session with which the same call has made a payment before.
pub(super) async fn made_before(
    connection: &mut Connection,
    slot: Option<&Slot>,
) -> Result<Option<String>, PaymentError> {
    let Some(slot) = slot else { return Ok(None) };
    match sessions::find_asked(connection, &slot.name()).await? {
        None => Ok(None),
        Some((hash, fingerprint)) if fingerprint == slot.fingerprint() => Ok(Some(hash)),
        Some(_) => Err(PaymentError::KeyReused),
    }
}
