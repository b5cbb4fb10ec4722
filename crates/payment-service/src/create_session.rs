//! `POST /orders/build`: creates an order, or a new attempt for one, and a session to pay it.
//!
//! An order has at most one open session, and no open hosted page beside it. An earlier session is cancelled first. If its money is
//! already in progress, the outcome decides whether anything remains to be paid.

pub(crate) mod order_availability;
pub mod session_status;

use super::contracts::StoredCard;
use super::error::PaymentError;
use super::{Authorizations, Contracts, PaymentContext, Transitions};
use crate::idempotency::Slot;
use crate::transition::EventContext;
use order_availability::{AmountChange, Attempt, OrderAvailability, warn_of_cleared};
use payframe_money::Amount;
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::card_on_file::CardOnFileTerms;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::hosted::Kind;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_domain::session::{Counters, Event, PreviousAttempt, Session, State};
use payframe_payment_domain::terms::{
    CaptureInitiator, Channel, FramingPages, RedirectHandler, Terminal, Terms, Version,
};
use payframe_payment_domain::wallet::Wallet;
use payframe_protocol::build::{BuildAnswer, FormAddress};
use payframe_protocol::warning::Warning;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, cards, orders, sessions};
use serde_json::{Map, Value};
use session_status::wire_state;
use std::time::Duration;

/// A validated request for a new payment.
pub struct NewSession {
    /// The version of the build protocol.
    pub version: Version,
    /// The pages that contain the form.
    pub framing: FramingPages,
    /// The merchant's id of the order.
    pub order_id: String,
    /// The total amount of the order.
    pub order_amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
    /// The validated order, as it was sent.
    pub document: Map<String, Value>,
    /// Whether the order belongs to a reservation.
    pub is_reservation: bool,
    /// The name of the merchant's software.
    pub plugin_name: Option<String>,
    /// The amount of the first payment.
    pub amount: Amount,
    /// What the payment is to do.
    pub action: ActionType,
    /// When the money is captured.
    pub capture: Capture,
    /// Three letters, lower case.
    pub language: &'static str,
    /// `exemptions`
    pub challenge_preference: String,
    /// May be missing for a payment link, as may `cancel_url`.
    pub result_url: Option<String>,
    /// Where the browser goes after a cancellation by the buyer.
    pub cancel_url: Option<String>,
    /// The address for notifications of outcomes.
    pub notification_url: Option<String>,
    /// What the buyer sees first.
    pub start: Start,
    /// What the payment does with a contract.
    pub recurrence: Option<Recurrence>,
    /// The wallet that the payment is made with.
    pub wallet: Option<Wallet>,
    /// The alternative methods that are offered.
    pub methods: Vec<&'static Method>,
    /// `form`, if the order has it.
    pub form: Option<FormOptions>,
    /// Warnings so far.
    pub warnings: Vec<Warning>,
    /// The call's `Correlation-Id`.
    pub trace_id: String,
}

/// What the buyer sees first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The choice of methods.
    Methods,
    /// The card's inputs.
    Card,
    /// The page of this alternative method.
    Redirect(&'static Method),
    /// Nothing: the payment uses a stored card.
    StoredCard,
}

/// The member `form` (contract 3.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormOptions {
    /// Who sends the call that completes the payment.
    pub capture_initiator: CaptureInitiator,
    /// The maximum number of attempts.
    pub attempts: u8,
    /// What the page is notified of about the card.
    pub card_summary: String,
    /// The maximum lifetime of the session, if it is shorter than the general limit.
    pub life: Option<Duration>,
    /// Who redirects the browser to the page of a method.
    pub redirect_handler: RedirectHandler,
    /// In ascending order.
    pub installments: Vec<u8>,
    /// Which cards are shown and stored.
    pub card_on_file: CardOnFileTerms,
    /// What it asks of the billing address.
    pub billing_address: BillingAddressFields,
}

impl FormOptions {
    /// The form of a hosted page or of a link, whose merchant chooses only what it asks of the billing address.
    pub fn hosted(kind: Kind, billing_address: BillingAddressFields) -> FormOptions {
        FormOptions {
            capture_initiator: CaptureInitiator::Frame,
            attempts: kind.tries(),
            card_summary: String::from("NONE"),
            life: None,
            redirect_handler: RedirectHandler::Frame,
            installments: Vec::new(),
            card_on_file: CardOnFileTerms::default(),
            billing_address,
        }
    }
}

/// The calls on a build session: create, submit a card, complete, cancel, read.
#[derive(Clone, Copy)]
pub struct Sessions<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) authorizations: Authorizations<'a>,
    pub(super) contracts: Contracts<'a>,
    pub(super) transitions: Transitions<'a>,
}

impl<'a> Sessions<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> Sessions<'a> {
        Sessions {
            context,
            authorizations: Authorizations::new(context),
            contracts: Contracts::new(context),
            transitions: Transitions::new(context),
        }
    }
}

impl Sessions<'_> {
    /// Creates a payment and returns the body of the response.
    pub async fn open(
        &self,
        terminal: &Terminal,
        mut request: NewSession,
        slot: Option<&Slot>,
    ) -> Result<Vec<u8>, PaymentError> {
        self.context.admit_buyers(&terminal.terminal_id)?;
        let _held = self
            .context
            .lock_order(&terminal.merchant_id, &request.order_id)
            .await;
        loop {
            match self.try_to_open(terminal, &request, slot).await? {
                Attempt::Opened(body) => return Ok(body),
                Attempt::OpenSessions(earlier) => {
                    self.give_up_earlier(&earlier, Some(terminal), &mut request.warnings)
                        .await?;
                }
            }
        }
    }

    /// Checks whether a session may have the contract and the exemption that it asks for. Returns the card that pays, if that is a stored card.
    pub(super) async fn agree(
        &self,
        connection: &mut Connection,
        merchant_id: &str,
        request: &NewSession,
    ) -> Result<Option<StoredCard>, PaymentError> {
        let recurrence = request.recurrence.as_ref();
        let kept = self
            .contracts
            .agree(connection, merchant_id, recurrence)
            .await?;
        let asked = (request.challenge_preference.as_str(), recurrence);
        let sum = (request.amount, request.currency.as_str());
        self.contracts
            .agree_to_exemption(connection, merchant_id, asked, sum)
            .await?;
        Ok(kept)
    }

    async fn try_to_open(
        &self,
        terminal: &Terminal,
        request: &NewSession,
        slot: Option<&Slot>,
    ) -> Result<Attempt, PaymentError> {
        let merchant_id = &terminal.merchant_id;
        let now_ms = self.context.clock().now_ms();
        let (mut transaction, known) =
            orders::begin_change(self.context.store(), merchant_id, &request.order_id).await?;
        let kept = self.agree(&mut transaction, merchant_id, request).await?;
        let order = order_of(merchant_id, request, now_ms);
        let mut warnings = request.warnings.clone();
        match self
            .order_availability(
                &mut transaction,
                (known, &order),
                &[Kind::Page],
                AmountChange::Taken,
            )
            .await?
        {
            OrderAvailability::Open(earlier) => return Ok(Attempt::OpenSessions(earlier)),
            OrderAvailability::Clear(cleared) => warn_of_cleared(cleared, &mut warnings),
        }
        orders::put(&mut transaction, &order);
        let session_id = payframe_vault::random_secret()?;
        let mut row = self.new_session(terminal, request, &session_id, now_ms)?;
        if let Some(StoredCard { shown, .. }) = &kept {
            let card = shown.clone();
            row.session.state = State::Ready { card };
        }
        sessions::add(&mut transaction, &row, now_ms)?;
        if let Some(StoredCard {
            cardholder_data, ..
        }) = &kept
        {
            let encrypted = cardholder_data.encrypt(self.context.vault(), &row.hash)?;
            cards::keep(&mut transaction, &mut row, encrypted);
        }
        if let Start::Redirect(method) = request.start {
            let event = Event::MethodChosen {
                method,
                operation_id: payframe_vault::random_operation_id()?,
            };
            self.transitions
                .apply(&mut transaction, &mut row, event, &EventContext::default())
                .await?;
        }
        let answer = self.build_answer(terminal, request, &row, session_id, warnings);
        let body = serde_json::to_vec(&answer)
            .map_err(|_| PaymentError::Broken("an answer does not serialize"))?;
        if let Some(slot) = slot {
            slot.keep(&mut transaction, self.context.vault(), 200, &body, now_ms)?;
        }
        transaction.commit().await?;
        Ok(Attempt::Opened(body))
    }

    pub(super) fn new_session(
        &self,
        terminal: &Terminal,
        request: &NewSession,
        session_id: &str,
        now_ms: i64,
    ) -> Result<SessionRow, PaymentError> {
        let form = request.form.as_ref();
        let life = form
            .and_then(|form| form.life)
            .map_or(self.context.settings().hard, |life| {
                life.min(self.context.settings().hard)
            });
        let terms = Terms {
            hosted_page: None,
            preassigned_operation_id: None,
            wallet: request.wallet,
            charge: None,
            merchant_id: terminal.merchant_id.clone(),
            terminal_id: terminal.terminal_id.clone(),
            order_id: request.order_id.clone(),
            version: request.version,
            framing: request.framing.clone(),
            action: request.action,
            capture: request.capture,
            language: request.language.to_owned(),
            challenge_preference: request.challenge_preference.clone(),
            result_url: request.result_url.clone().unwrap_or_default(),
            cancel_url: request.cancel_url.clone().unwrap_or_default(),
            notification_url: request.notification_url.clone(),
            security_token: payframe_vault::random_token()?,
            trace_id: request.trace_id.clone(),
            capture_initiator: form.map_or(CaptureInitiator::Server, |form| form.capture_initiator),
            card_summary: form
                .map_or_else(|| String::from("NONE"), |form| form.card_summary.clone()),
            currency: request.currency.clone(),
            redirect_handler: form.map_or(RedirectHandler::Frame, |form| form.redirect_handler),
            installments: form.map_or_else(Vec::new, |form| form.installments.clone()),
            card_on_file: form
                .map_or_else(CardOnFileTerms::default, |form| form.card_on_file.clone()),
            billing_address: form.map_or(BillingAddressFields::None, |form| form.billing_address),
            methods: request.methods.clone(),
            channel: match request.wallet {
                Some(_) => Channel::Wallet,
                None => Channel::Build,
            },
            contract: request
                .recurrence
                .as_ref()
                .and_then(Recurrence::requested_contract),
        };
        let mut row = SessionRow {
            hash: payframe_vault::hash(session_id),
            terms,
            amount: request.amount,
            session: Session {
                counters: Counters {
                    attempts_left: form.map_or(1, |form| form.attempts),
                    submissions: 0,
                },
                state: match request.start {
                    // A requested method is chosen by an event, in the same way as by the buyer.
                    Start::Methods | Start::Redirect(_) | Start::StoredCard => {
                        State::ChoosingMethod
                    }
                    Start::Card => State::CollectingCard(PreviousAttempt::None),
                },
            },
            last_seen_ms: now_ms,
            ends_ms: now_ms + payframe_payment_ports::clock::millis(life),
            wake_ms: 0,
            encrypted_card: None,
        };
        row.wake_ms = self.transitions.wake_ms(&row, now_ms);
        Ok(row)
    }

    fn build_answer(
        &self,
        terminal: &Terminal,
        request: &NewSession,
        row: &SessionRow,
        session_id: String,
        warnings: Vec<Warning>,
    ) -> BuildAnswer {
        let fields = match request.start {
            Start::Methods => Some(self.method_fields(&row.terms, &session_id)),
            Start::Card => Some(self.card_fields(&row.terms, &terminal.card_fields, &session_id)),
            Start::Redirect(_) | Start::StoredCard => None,
        };
        let language = row.terms.language.to_ascii_uppercase();
        let origin = &self.context.settings().origin;
        let form = request.form.as_ref().map(|_| {
            let src = format!("{origin}/form/?lang={language}&sessionid={session_id}");
            FormAddress {
                html: form_html(origin, &session_id, &src),
                src,
                expires_at: instant(row.ends_ms),
            }
        });
        BuildAnswer {
            security_token: row.terms.security_token.clone(),
            state: wire_state(&row.session.state),
            fields,
            url: self.context.method_url(row),
            warnings,
            form,
            session_id,
        }
    }
}

/// The form as a fragment of HTML. The shadow root is declared, so that the frame exists without a script; `/sdk/payframe.js` makes
/// the same frame if a page has only the element. Its size is in attributes, because a page's policy may forbid styles.
fn form_html(origin: &str, session_id: &str, src: &str) -> String {
    // Origin, id and language contain no character with a meaning in HTML. Only the `&` between the parts of the query must be escaped.
    let src = src.replace('&', "&amp;");
    format!(
        "<payment-form gateway=\"{origin}\" session=\"{session_id}\">\
         <template shadowrootmode=\"open\" shadowrootdelegatesfocus>\
         <iframe src=\"{src}\" title=\"Card payment\" allow=\"{FRAME_FEATURES}\" referrerpolicy=\"strict-origin\" \
         width=\"100%\" height=\"{FORM_HEIGHT_PX}\" frameborder=\"0\"></iframe></template></payment-form>"
    )
}

/// What the form's frame may use of the browser.
const FRAME_FEATURES: &str = "payment; publickey-credentials-get; autofill; shared-autofill";

/// The height of the form with the fields that most terminals have.
const FORM_HEIGHT_PX: u32 = 404;

/// The order of an attempt.
pub(super) fn order_of<'a>(
    merchant_id: &'a str,
    request: &'a NewSession,
    now_ms: i64,
) -> orders::NewOrder<'a> {
    orders::NewOrder {
        merchant_id,
        order_id: &request.order_id,
        currency: &request.currency,
        amount: request.order_amount,
        document: &request.document,
        plugin_name: request.plugin_name.as_deref(),
        created_ms: now_ms,
        is_reservation: request.is_reservation,
    }
}
