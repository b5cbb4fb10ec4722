//! `POST /orders/build`: an order, or a new attempt of one, and a session to pay it with.
//!
//! An order has at most one open session, and no open hosted page beside it. An earlier one is given up first, as by a cancel; if that finds
//! its money on the way, the outcome decides whether there is anything left to pay.

use super::contracts::KeptCard;
use super::error::PaymentError;
use crate::App;
use crate::clock::instant;
use crate::error_code::ErrorCode::GW9103;
use crate::idempotency::Slot;
use crate::payments::session_status::wire_state;
use crate::payments::transition::EventContext;
use crate::store::sessions::SessionRow;
use crate::store::{Connection, Subject, cards, hosted_pages, orders, sessions};
use crate::vault;
use payframe_money::Amount;
use payframe_payment_domain::card_on_file::CardOnFileTerms;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::hosted::{HostedPageState, Kind, Status};
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::{ActionType, Capture, Totals};
use payframe_payment_domain::session::{
    AfterRefusal, Counters, Event, Limit, Session, State, TransitionError,
};
use payframe_payment_domain::terms::{
    CaptureInitiator, Channel, RedirectHandler, Terminal, Terms, Version,
};
use payframe_payment_domain::wallet::Wallet;
use payframe_protocol::build::{BuildAnswer, FormAddress};
use payframe_protocol::operation::Warning;
use serde_json::{Map, Value};
use std::time::Duration;

/// A payment to be opened: a request that was read and found good.
pub(crate) struct Opening {
    pub(crate) version: Version,
    pub(crate) merchant_origin: String,
    pub(crate) order_id: String,
    pub(crate) order_amount: Amount,
    pub(crate) currency: String,
    /// The order as it was sent, checked.
    pub(crate) document: Map<String, Value>,
    /// Whether the order is that of a reservation.
    pub(crate) is_reservation: bool,
    pub(crate) plugin_name: Option<String>,
    /// The first payment.
    pub(crate) amount: Amount,
    pub(crate) action: ActionType,
    pub(crate) capture: Capture,
    /// Three letters, lower case.
    pub(crate) language: &'static str,
    pub(crate) challenge_wish: String,
    /// A payment link may do without these two.
    pub(crate) result_url: Option<String>,
    pub(crate) cancel_url: Option<String>,
    pub(crate) notification_url: Option<String>,
    /// What the buyer sees first.
    pub(crate) start: Start,
    /// What it does with a contract.
    pub(crate) recurrence: Option<Recurrence>,
    /// The wallet that pays it.
    pub(crate) wallet: Option<Wallet>,
    /// The alternative methods that are offered.
    pub(crate) methods: Vec<&'static Method>,
    pub(crate) form: Option<FormWishes>,
    /// What was found on the way.
    pub(crate) warnings: Vec<Warning>,
    /// The call's `Correlation-Id`.
    pub(crate) trace_id: String,
}

/// What the buyer sees first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// The choice of methods.
    Methods,
    /// The card's inputs.
    Card,
    /// The page of this alternative method.
    Redirect(&'static Method),
    /// Nothing: the card is one that was kept.
    KeptCard,
}

/// The member `form` (contract 3.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormWishes {
    pub(crate) closer: CaptureInitiator,
    pub(crate) attempts: u8,
    pub(crate) card_summary: String,
    pub(crate) life: Option<Duration>,
    pub(crate) leader: RedirectHandler,
    /// Rising.
    pub(crate) installments: Vec<u8>,
    pub(crate) keeping: CardOnFileTerms,
}

/// What a new attempt of an order finds.
struct Found {
    /// Sessions that have to be given up before the order can be paid anew.
    open: Vec<String>,
    /// The order had another amount or currency.
    changed: bool,
}

/// Looks what there is of an order. Refuses one that is paid or pending, or is a reservation's while the payment is not.
/// Another amount or currency is refused where `changes` says so, and once any money has moved.
async fn find_order(
    connection: &mut Connection,
    order: &orders::NewOrder<'_>,
    changes: Changes,
) -> Result<Found, PaymentError> {
    let Some(known) = orders::find(connection, order.merchant_id, order.order_id).await? else {
        return Ok(Found {
            open: Vec::new(),
            changed: false,
        });
    };
    let changed = known.amount != order.amount || known.currency != order.currency;
    let may_change = changes == Changes::Taken && known.totals == Totals::default();
    if (changed && !may_change) || known.is_reservation != order.is_reservation {
        return Err(PaymentError::OrderPaid);
    }
    let open = sessions::open_of_order(connection, order.merchant_id, order.order_id).await?;
    if open.is_empty() && known.payment_operation_id.is_some() {
        return Err(PaymentError::OrderPaid);
    }
    Ok(Found { open, changed })
}

/// Whether a new attempt may bring another amount or currency for its order: a shop keeps one id for a cart whose total
/// changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changes {
    /// The order takes them, unless it is a reservation's.
    Taken,
    /// The call is refused.
    Refused,
}

pub(super) enum Attempt {
    Opened(Vec<u8>),
    /// These sessions of the order are open.
    Earlier(Earlier),
}

/// Open sessions of an order, which are in the way of a new attempt.
pub(super) struct Earlier {
    pub(super) hashes: Vec<String>,
    /// The new attempt is of another amount or currency.
    pub(super) changed: bool,
}

/// Whether an order can have a new attempt.
pub(super) enum OrderAvailability {
    /// Nothing is in the way.
    Clear(Cleared),
    /// These sessions of the order are open.
    Open(Earlier),
}

/// What was done to make the way clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cleared {
    /// How many hosted pages or links were given up.
    pub(super) given_up: usize,
    /// Whether the order had another amount or currency.
    pub(super) changed: bool,
}

impl App {
    /// Opens a payment and answers the body of the response.
    pub(crate) async fn open_payment(
        &self,
        terminal: &Terminal,
        mut opening: Opening,
        slot: Option<&Slot>,
    ) -> Result<Vec<u8>, PaymentError> {
        let _held = self
            .lock_order(&terminal.merchant_id, &opening.order_id)
            .await;
        loop {
            match self.try_to_open(terminal, &opening, slot).await? {
                Attempt::Opened(body) => return Ok(body),
                Attempt::Earlier(earlier) => {
                    self.give_up_earlier(&earlier, Some(terminal), &mut opening.warnings)
                        .await?;
                }
            }
        }
    }

    /// Gives up sessions that are in the way of a new attempt: as by a cancel (contract 2.1), or without a trace where
    /// nothing was submitted yet, or nothing but a card for another sum: then the order has no operation of it, and the
    /// shop is told nothing.
    pub(super) async fn give_up_earlier(
        &self,
        earlier: &Earlier,
        terminal: Option<&Terminal>,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), PaymentError> {
        for hash in &earlier.hashes {
            let held = self.lock_session(hash).await;
            let due = match self.due(&held, hash).await {
                Ok(due) => due,
                Err(PaymentError::Refused(TransitionError::Dead)) => continue,
                Err(problem) => return Err(problem),
            };
            let leaves_no_trace = leaves_no_trace(&due.row, earlier.changed);
            let event = if leaves_no_trace {
                Event::LimitPassed(Limit::Hard)
            } else {
                Event::CancelAsked {
                    operation_id: vault::random_operation_id()?,
                }
            };
            let context = EventContext {
                terminal_id: terminal.map(|terminal| terminal.terminal_id.as_str()),
                ..EventContext::default()
            };
            match self.apply_event(&held, due, event, context).await {
                Ok(row)
                    if leaves_no_trace || matches!(row.session.state, State::Cancelled { .. }) =>
                {
                    warn_of_closed(warnings);
                }
                // Dead by a limit, or it got its outcome: nothing was closed.
                Ok(_) | Err(PaymentError::Refused(TransitionError::Dead)) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(())
    }

    /// Looks whether a new attempt of the order is possible, and gives up hosted pages that are in its way: the caller's
    /// transaction writes it. `replaces`: which kinds are; where the order's sum changes, all are, because they say the old one.
    pub(super) async fn way(
        &self,
        connection: &mut Connection,
        order: &orders::NewOrder<'_>,
        replaces: &[Kind],
        changes: Changes,
    ) -> Result<OrderAvailability, PaymentError> {
        let Found { open, changed } = find_order(connection, order, changes).await?;
        if !open.is_empty() {
            let hashes = open;
            return Ok(OrderAvailability::Open(Earlier { hashes, changed }));
        }
        let pages =
            hosted_pages::active_of_order(connection, order.merchant_id, order.order_id).await?;
        let mut given_up = 0;
        for mut page in pages {
            let is_active = page.life.status(self.clock().now_ms()) == Status::Active;
            if !is_active || !(changed || replaces.contains(&page.life.kind)) {
                continue;
            }
            page.life.status = HostedPageState::Canceled;
            hosted_pages::put(connection, &page).await?;
            given_up += 1;
        }
        Ok(OrderAvailability::Clear(Cleared { given_up, changed }))
    }

    async fn try_to_open(
        &self,
        terminal: &Terminal,
        opening: &Opening,
        slot: Option<&Slot>,
    ) -> Result<Attempt, PaymentError> {
        let merchant_id = &terminal.merchant_id;
        let now_ms = self.clock().now_ms();
        let mut transaction = self.store().write(Subject::Merchant(merchant_id)).await?;
        let kept = self
            .agree(&mut transaction, merchant_id, opening.recurrence.as_ref())
            .await?;
        let order = order_of(merchant_id, opening, now_ms);
        let mut warnings = opening.warnings.clone();
        match self
            .way(&mut transaction, &order, &[Kind::Page], Changes::Taken)
            .await?
        {
            OrderAvailability::Open(earlier) => return Ok(Attempt::Earlier(earlier)),
            OrderAvailability::Clear(cleared) => warn_of_cleared(cleared, &mut warnings),
        }
        orders::put(&mut transaction, &order);
        let session_id = vault::random_secret()?;
        let mut row = self.new_session(terminal, opening, &session_id, now_ms)?;
        if let Some(KeptCard { shown, .. }) = &kept {
            let card = shown.clone();
            row.session.state = State::Ready { card };
        }
        sessions::add(&mut transaction, &row, now_ms)?;
        if let Some(KeptCard { sealed, .. }) = &kept {
            let sealed = sealed.seal(self.vault(), &row.hash)?;
            cards::keep(&mut transaction, &mut row, sealed);
        }
        if let Start::Redirect(method) = opening.start {
            let event = Event::MethodChosen {
                method,
                operation_id: vault::random_operation_id()?,
            };
            self.apply(&mut transaction, &mut row, event, &EventContext::default())
                .await?;
        }
        let answer = self.build_answer(terminal, opening, &row, session_id, warnings);
        let body = serde_json::to_vec(&answer)
            .map_err(|_| PaymentError::Vault("an answer does not serialize"))?;
        if let Some(slot) = slot {
            slot.keep(&mut transaction, self.vault(), 200, &body, now_ms)?;
        }
        transaction.commit().await?;
        Ok(Attempt::Opened(body))
    }

    pub(super) fn new_session(
        &self,
        terminal: &Terminal,
        opening: &Opening,
        session_id: &str,
        now_ms: i64,
    ) -> Result<SessionRow, PaymentError> {
        let form = opening.form.as_ref();
        let life = form
            .and_then(|form| form.life)
            .map_or(self.config().hard, |life| life.min(self.config().hard));
        let terms = Terms {
            hosted_page: None,
            preassigned_operation_id: None,
            wallet: opening.wallet,
            charge: None,
            merchant_id: terminal.merchant_id.clone(),
            terminal_id: terminal.terminal_id.clone(),
            order_id: opening.order_id.clone(),
            version: opening.version,
            merchant_origin: opening.merchant_origin.clone(),
            action: opening.action,
            capture: opening.capture,
            language: opening.language.to_owned(),
            challenge_wish: opening.challenge_wish.clone(),
            result_url: opening.result_url.clone().unwrap_or_default(),
            cancel_url: opening.cancel_url.clone().unwrap_or_default(),
            notification_url: opening.notification_url.clone(),
            security_token: vault::random_token()?,
            trace_id: opening.trace_id.clone(),
            closer: form.map_or(CaptureInitiator::Server, |form| form.closer),
            card_summary: form
                .map_or_else(|| String::from("NONE"), |form| form.card_summary.clone()),
            currency: opening.currency.clone(),
            leader: form.map_or(RedirectHandler::Frame, |form| form.leader),
            installments: form.map_or_else(Vec::new, |form| form.installments.clone()),
            keeping: form.map_or_else(CardOnFileTerms::default, |form| form.keeping.clone()),
            methods: opening.methods.clone(),
            channel: match opening.wallet {
                Some(_) => Channel::Wallet,
                None => Channel::Build,
            },
            contract: opening.recurrence.as_ref().and_then(Recurrence::wish),
        };
        let mut row = SessionRow {
            hash: vault::hash(session_id),
            terms,
            amount: opening.amount,
            session: Session {
                counters: Counters {
                    attempts_left: form.map_or(1, |form| form.attempts),
                    submissions: 0,
                },
                state: match opening.start {
                    // A method that is asked for is chosen by an event, as by the buyer.
                    Start::Methods | Start::Redirect(_) | Start::KeptCard => State::ChoosingMethod,
                    Start::Card => State::CollectingCard(AfterRefusal::No),
                },
            },
            last_seen_ms: now_ms,
            ends_ms: now_ms + crate::clock::millis(life),
            wake_ms: 0,
            sealed_card: None,
        };
        row.wake_ms = self.wake_ms(&row, now_ms);
        Ok(row)
    }

    fn build_answer(
        &self,
        terminal: &Terminal,
        opening: &Opening,
        row: &SessionRow,
        session_id: String,
        warnings: Vec<Warning>,
    ) -> BuildAnswer {
        let fields = match opening.start {
            Start::Methods => Some(self.method_fields(&row.terms, &session_id)),
            Start::Card => Some(self.card_fields(&row.terms, &terminal.card_fields, &session_id)),
            Start::Redirect(_) | Start::KeptCard => None,
        };
        let language = row.terms.language.to_ascii_uppercase();
        let form = opening.form.as_ref().map(|_| FormAddress {
            src: format!(
                "{}/form/?lang={language}&sessionid={session_id}",
                self.config().origin
            ),
            expires_at: instant(row.ends_ms),
        });
        BuildAnswer {
            security_token: row.terms.security_token.clone(),
            state: wire_state(&row.session.state),
            fields,
            url: self.method_url(row),
            warnings,
            form,
            session_id,
        }
    }
}

/// The order of an attempt.
pub(super) fn order_of<'a>(
    merchant_id: &'a str,
    opening: &'a Opening,
    now_ms: i64,
) -> orders::NewOrder<'a> {
    orders::NewOrder {
        merchant_id,
        order_id: &opening.order_id,
        currency: &opening.currency,
        amount: opening.order_amount,
        document: &opening.document,
        plugin_name: opening.plugin_name.as_deref(),
        created_ms: now_ms,
        is_reservation: opening.is_reservation,
    }
}

/// Says, once, that something of the order was closed for the new attempt.
pub(super) fn warn_of_closed(warnings: &mut Vec<Warning>) {
    let code = GW9103.to_string();
    if warnings.iter().any(|warning| warning.code == code) {
        return;
    }
    warnings.push(Warning {
        code,
        description: String::from("an earlier open session of the same order was closed"),
    });
}

/// Says what was done to make the way clear.
pub(super) fn warn_of_cleared(cleared: Cleared, warnings: &mut Vec<Warning>) {
    if cleared.given_up > 0 {
        warn_of_closed(warnings);
    }
    if cleared.changed {
        warnings.push(Warning {
            code: GW9103.to_string(),
            description: String::from(
                "the order had another amount or currency, and takes those of this call",
            ),
        });
    }
}

/// Whether a session is given up without an operation: the buyer has sent nothing yet, or, where the sum changes,
/// nothing but a card that nobody asked the issuer about. Payments without a form have an operation from the beginning.
fn leaves_no_trace(row: &SessionRow, changed: bool) -> bool {
    let has_form = matches!(
        row.terms.channel,
        Channel::Build | Channel::HostedPage | Channel::Link
    );
    let session = &row.session;
    match session.state {
        _ if !has_form => false,
        State::ChoosingMethod | State::CollectingCard(AfterRefusal::No) | State::Ready { .. } => {
            changed || session.counters.submissions == 0
        }
        State::CollectingCard(AfterRefusal::Yes { .. }) | State::CheckingDevice { .. } => changed,
        _ => false,
    }
}
