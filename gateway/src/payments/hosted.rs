//! Hosted payment pages and links: making one, and the form sessions in which it is paid.
//!
//! A page has no session until its script asks for one ([`App::hosted_session`]): so a program that only looks at an
//! address, as mail and chat programs do, starts nothing. All windows of a page share one session at a time. When that has
//! died, or ended in a refusal, the next question gets another one, as long as the page lasts.
//!
//! What becomes of a payment is written down with the page in one transaction ([`heard`]). Who needs the order's lock and a
//! session's takes the order's first.

use super::acceptance::{active_terms, clauses_due};
use super::contracts::KeptCard;
use super::create_session::{
    Attempt, Changes, Earlier, Opening, OrderAvailability, Start, order_of, warn_of_cleared,
};
use super::error::PaymentError;
use super::reservations;
use super::transition::EventContext;
use crate::App;
use crate::idempotency::Slot;
use crate::store::hosted_pages::{self, HostedPageRow, LinkTerm, PageOffer, PageTerms};
use crate::store::legal_texts::{self, TextUser};
use crate::store::sessions::{self, SessionRow};
use crate::store::{Connection, StoreError, Subject, cards, merchants, operations, orders};
use crate::vault;
use payframe_payment_domain::card_on_file::CardOnFileTerms;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::hosted::{HostedPageError, HostedPageState, Kind, Life, Status, Term};
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::OperationResult;
use payframe_payment_domain::session::{AfterRefusal, Counters, Event, Limit, Session, State};
use payframe_payment_domain::terms::{
    CaptureInitiator, Channel, RedirectHandler, Terminal, Terms, Version,
};
use payframe_protocol::operation::Warning;
use serde::Serialize;

/// A page or a link to be made: a request that was read and found good.
pub(crate) struct HostedOpening {
    pub(crate) opening: Opening,
    /// The terms and conditions that the order asks the buyer to accept.
    pub(crate) terms_ids: Vec<String>,
    /// Of a link.
    pub(crate) term: Option<Term>,
}

/// What stands at a page when somebody wants to pay there.
pub(crate) enum PageSession {
    /// This session. Its id is a credential.
    Open {
        session_id: String,
        row: Box<SessionRow>,
    },
    /// Nothing can be paid now: the page says why.
    Shut,
    /// There is no such page.
    Unknown,
}

impl App {
    /// Makes a page or a link and answers the body of the response, which `write` writes.
    pub(crate) async fn open_hosted<T: Serialize>(
        &self,
        terminal: &Terminal,
        mut hosted: HostedOpening,
        slot: Option<&Slot>,
        write: impl Fn(&App, &HostedPageRow, Vec<Warning>) -> T,
    ) -> Result<Vec<u8>, PaymentError> {
        self.acquirer()?;
        let _held = self
            .lock_order(&terminal.merchant_id, &hosted.opening.order_id)
            .await;
        loop {
            match self.try_to_host(terminal, &hosted, slot, &write).await? {
                Attempt::Opened(body) => return Ok(body),
                Attempt::Earlier(earlier) => {
                    let warnings = &mut hosted.opening.warnings;
                    self.give_up_earlier(&earlier, Some(terminal), warnings)
                        .await?;
                }
            }
        }
    }

    /// Waits for the right to make an attempt of an order.
    pub(super) async fn lock_order(&self, merchant_id: &str, order_id: &str) -> crate::locks::Held {
        self.parts()
            .orders
            .lock(&format!("{merchant_id} {order_id}"))
            .await
    }

    async fn try_to_host<T: Serialize>(
        &self,
        terminal: &Terminal,
        hosted: &HostedOpening,
        slot: Option<&Slot>,
        write: &impl Fn(&App, &HostedPageRow, Vec<Warning>) -> T,
    ) -> Result<Attempt, PaymentError> {
        let opening = &hosted.opening;
        let merchant_id = &terminal.merchant_id;
        let now_ms = self.clock().now_ms();
        let mut transaction = self.store().write(Subject::Merchant(merchant_id)).await?;
        let mut warnings = opening.warnings.clone();
        // A link stays good beside a page for the same order, which cannot be paid twice; beside another link it does not.
        let replaces: &[Kind] = match hosted.term {
            None => &[Kind::Page],
            Some(_) => &[Kind::Page, Kind::Link],
        };
        self.agree(&mut transaction, merchant_id, opening.recurrence.as_ref())
            .await?;
        let order = order_of(merchant_id, opening, now_ms);
        let changes = match opening.is_reservation {
            true => Changes::Refused,
            false => Changes::Taken,
        };
        match self
            .way(&mut transaction, &order, replaces, changes)
            .await?
        {
            OrderAvailability::Open(earlier) => return Ok(Attempt::Earlier(earlier)),
            OrderAvailability::Clear(cleared) => warn_of_cleared(cleared, &mut warnings),
        }
        if opening.is_reservation {
            reservations::must_be_active(&mut transaction, merchant_id, &opening.order_id).await?;
        }
        let text_ids = active_terms(&mut transaction, merchant_id, &hosted.terms_ids)
            .await?
            .ok_or(PaymentError::NoTerms)?;
        orders::put(&mut transaction, &order);
        let created_ms = merchants::next_time(&mut transaction, merchant_id, now_ms).await?;
        let row = self.new_page(terminal, hosted, text_ids, created_ms)?;
        hosted_pages::add(&mut transaction, &row).await?;
        let user = TextUser::Page(&row.page_id);
        legal_texts::put_uses(&mut transaction, merchant_id, user, &row.terms.text_ids).await?;
        let body = serde_json::to_vec(&write(self, &row, warnings))
            .map_err(|_| PaymentError::Vault("an answer does not serialize"))?;
        if let Some(slot) = slot {
            slot.keep(&mut transaction, self.vault(), 200, &body, now_ms)?;
        }
        transaction.commit().await?;
        Ok(Attempt::Opened(body))
    }

    fn new_page(
        &self,
        terminal: &Terminal,
        hosted: &HostedOpening,
        text_ids: Vec<String>,
        created_ms: i64,
    ) -> Result<HostedPageRow, PaymentError> {
        let opening = &hosted.opening;
        let (kind, ends_ms) = match &hosted.term {
            None => (Kind::Page, created_ms + PAGE_MS),
            Some(term) => (Kind::Link, term.ends_ms()),
        };
        let page_id = uuid::Uuid::new_v4().to_string();
        let today = crate::clock::terminal_day(created_ms);
        Ok(HostedPageRow {
            token_hash: vault::hash(&self.hosted_token(kind, &page_id)),
            page_id,
            terms: PageTerms {
                merchant_id: terminal.merchant_id.clone(),
                terminal_id: terminal.terminal_id.clone(),
                order_id: opening.order_id.clone(),
                action: opening.action,
                capture: opening.capture,
                language: opening.language.to_owned(),
                challenge_wish: opening.challenge_wish.clone(),
                offer: match opening.start {
                    Start::Methods => PageOffer::All,
                    Start::Card | Start::KeptCard => PageOffer::Cards,
                    Start::Redirect(_) => PageOffer::Method,
                },
                methods: opening.methods.clone(),
                result_url: opening.result_url.clone(),
                cancel_url: opening.cancel_url.clone(),
                notification_url: opening.notification_url.clone(),
                security_token: vault::random_token()?,
                trace_id: opening.trace_id.clone(),
                currency: opening.currency.clone(),
                amount: opening.amount,
                contract: opening.recurrence.as_ref().and_then(Recurrence::wish),
                kept_card_of: match &opening.recurrence {
                    Some(Recurrence::Pay { contract_id, .. }) => Some(contract_id.clone()),
                    _ => None,
                },
                text_ids,
            },
            life: Life::new(kind, ends_ms),
            sessions: 0,
            created_ms,
            term: hosted.term.clone().map(|term| LinkTerm {
                life_days: term.life_days(today),
                term,
                renewals: 0,
            }),
        })
    }

    /// The address of a page or a link.
    pub(crate) fn hosted_address(&self, page: &HostedPageRow) -> String {
        self.address_of(page.life.kind, &page.page_id)
    }

    /// Where the browser goes from a page of this session: to the merchant, or back to the hosted page.
    pub(crate) fn return_url(&self, row: &SessionRow) -> String {
        let Some(page_id) = &row.terms.hosted_page else {
            return super::threeds::merchants_url(row).to_owned();
        };
        let kind = match row.terms.channel {
            Channel::Link => Kind::Link,
            _ => Kind::Page,
        };
        self.address_of(kind, page_id) + "/return"
    }

    fn address_of(&self, kind: Kind, page_id: &str) -> String {
        let token = self.hosted_token(kind, page_id);
        let folder = match kind {
            Kind::Page => "pay",
            Kind::Link => "link",
        };
        format!("{}/{folder}/{token}", self.config().origin)
    }

    /// The token in the address of a page.
    pub(super) fn token_of(&self, page: &HostedPageRow) -> String {
        self.hosted_token(page.life.kind, &page.page_id)
    }

    fn hosted_token(&self, kind: Kind, page_id: &str) -> String {
        self.vault()
            .page_token(&format!("hosted {} {page_id}", kind.code()))
    }

    /// The page or link of a token.
    pub(super) async fn hosted_page(
        &self,
        kind: Kind,
        token: &str,
    ) -> Result<Option<HostedPageRow>, PaymentError> {
        let mut connection = self.store().read().await?;
        let found = hosted_pages::find_by_token(&mut connection, &vault::hash(token)).await?;
        Ok(found.filter(|page| page.life.kind == kind))
    }

    /// The present session of a page, with its id.
    pub(super) async fn present_session(
        &self,
        page: &HostedPageRow,
    ) -> Result<Option<(String, SessionRow)>, PaymentError> {
        if page.sessions == 0 {
            return Ok(None);
        }
        let session_id = self.session_id_of(page, page.sessions);
        let row = self.session(&vault::hash(&session_id)).await?;
        Ok(row.map(|row| (session_id, row)))
    }

    /// The id of a page's session with this number: not kept, and not to be guessed.
    fn session_id_of(&self, page: &HostedPageRow, number: u32) -> String {
        self.vault()
            .page_token(&format!("session {number} of hosted {}", page.page_id))
    }

    /// The session in which the page is paid by card: the present one, or another one where that is over. A sign of the buyer.
    pub(crate) async fn hosted_session(
        &self,
        kind: Kind,
        token: &str,
    ) -> Result<PageSession, PaymentError> {
        self.pay_at_page(kind, token, None).await
    }

    /// The session in which the page is paid by this method: the buyer is sent there at once.
    pub(crate) async fn hosted_method(
        &self,
        kind: Kind,
        token: &str,
        method: &'static Method,
    ) -> Result<PageSession, PaymentError> {
        self.pay_at_page(kind, token, Some(method)).await
    }

    async fn pay_at_page(
        &self,
        kind: Kind,
        token: &str,
        method: Option<&'static Method>,
    ) -> Result<PageSession, PaymentError> {
        let Some(page) = self.hosted_page(kind, token).await? else {
            return Ok(PageSession::Unknown);
        };
        let _held = self
            .lock_order(&page.terms.merchant_id, &page.terms.order_id)
            .await;
        let Some(page) = self.hosted_page(kind, token).await? else {
            return Ok(PageSession::Unknown);
        };
        let is_over = page.life.status(self.clock().now_ms()) != Status::Active;
        if is_over
            || !clauses_due(&mut *self.store().read().await?, &page)
                .await?
                .is_empty()
        {
            return Ok(PageSession::Shut);
        }
        if let Some((session_id, row)) = self.present_session(&page).await? {
            match (&row.session.state, method) {
                (State::Dead | State::Complete { .. } | State::Cancelled { .. }, _) => {}
                (State::Redirected { redirect }, Some(method)) if redirect.method == method => {
                    return Ok(open(session_id, row));
                }
                (state, Some(_)) if is_only_begun(state) => self.retire(&row.hash).await?,
                (state, None) if is_card(state) => {
                    self.buyer_seen(&row).await?;
                    return Ok(open(session_id, row));
                }
                _ => return Ok(PageSession::Shut),
            }
        }
        let mut unheard = Vec::new();
        loop {
            match self.try_page_session(&page, method).await? {
                SessionAttempt::Answered(session) => return Ok(session),
                // Of another page of the same order, or of the merchant's own.
                SessionAttempt::EarlierOpen(earlier) => {
                    self.give_up_earlier(&earlier, None, &mut unheard).await?
                }
            }
        }
    }

    async fn try_page_session(
        &self,
        page: &HostedPageRow,
        method: Option<&'static Method>,
    ) -> Result<SessionAttempt, PaymentError> {
        let now_ms = self.clock().now_ms();
        let mut transaction = self
            .store()
            .write(Subject::Merchant(&page.terms.merchant_id))
            .await?;
        let page = hosted_pages::find(&mut transaction, &page.page_id).await?;
        let mut page = page.ok_or(StoreError::Unreadable("hosted page"))?;
        let (merchant_id, order_id) = (&page.terms.merchant_id, &page.terms.order_id);
        let order = orders::find(&mut transaction, merchant_id, order_id).await?;
        let order = order.ok_or(StoreError::Unreadable("order"))?;
        if page.life.status(now_ms) != Status::Active || order.payment_operation_id.is_some() {
            return Ok(SessionAttempt::Answered(PageSession::Shut));
        }
        let open_sessions =
            sessions::open_of_order(&mut transaction, merchant_id, order_id).await?;
        if !open_sessions.is_empty() {
            let hashes = open_sessions;
            let changed = false;
            return Ok(SessionAttempt::EarlierOpen(Earlier { hashes, changed }));
        }
        page.sessions += 1;
        let session_id = self.session_id_of(&page, page.sessions);
        let mut row = self.new_page_session(&page, &session_id, method, now_ms);
        let kept = page.terms.kept_card_of.clone().filter(|_| method.is_none());
        let kept = kept.map(|contract_id| Recurrence::Pay {
            contract_id,
            kind: None,
        });
        let kept = self
            .agree(&mut transaction, &page.terms.merchant_id, kept.as_ref())
            .await?;
        if let Some(KeptCard { shown, .. }) = &kept {
            row.session.state = State::Ready {
                card: shown.clone(),
            };
        }
        sessions::add(&mut transaction, &row, now_ms)?;
        if let Some(KeptCard { sealed, .. }) = &kept {
            let sealed = sealed.seal(self.vault(), &row.hash)?;
            cards::keep(&mut transaction, &mut row, sealed);
        }
        if let Some(method) = method {
            let event = Event::MethodChosen {
                method,
                operation_id: vault::random_operation_id()?,
            };
            self.apply(&mut transaction, &mut row, event, &EventContext::default())
                .await?;
        }
        hosted_pages::put(&mut transaction, &page).await?;
        transaction.commit().await?;
        Ok(SessionAttempt::Answered(open(session_id, row)))
    }

    /// A new session of a page.
    fn new_page_session(
        &self,
        page: &HostedPageRow,
        session_id: &str,
        method: Option<&'static Method>,
        now_ms: i64,
    ) -> SessionRow {
        let terms = &page.terms;
        let terms = Terms {
            hosted_page: Some(page.page_id.clone()),
            preassigned_operation_id: None,
            wallet: None,
            charge: None,
            channel: match page.life.kind {
                Kind::Page => Channel::HostedPage,
                Kind::Link => Channel::Link,
            },
            contract: terms.contract.clone(),
            merchant_id: terms.merchant_id.clone(),
            terminal_id: terms.terminal_id.clone(),
            order_id: terms.order_id.clone(),
            version: Version::Three,
            merchant_origin: self.config().origin.clone(),
            action: terms.action,
            capture: terms.capture,
            language: terms.language.clone(),
            challenge_wish: terms.challenge_wish.clone(),
            result_url: String::new(),
            cancel_url: String::new(),
            notification_url: terms.notification_url.clone(),
            security_token: terms.security_token.clone(),
            trace_id: terms.trace_id.clone(),
            closer: CaptureInitiator::Frame,
            card_summary: String::from("NONE"),
            currency: terms.currency.clone(),
            leader: RedirectHandler::Frame,
            installments: Vec::new(),
            keeping: CardOnFileTerms::default(),
            methods: method.into_iter().collect(),
        };
        let mut row = SessionRow {
            hash: vault::hash(session_id),
            terms,
            amount: page.terms.amount,
            session: Session {
                counters: Counters {
                    attempts_left: page.life.tries_left(),
                    submissions: 0,
                },
                state: match method {
                    Some(_) => State::ChoosingMethod,
                    None => State::CollectingCard(AfterRefusal::No),
                },
            },
            last_seen_ms: now_ms,
            ends_ms: page.life.ends_ms.min(now_ms + PAGE_MS),
            wake_ms: 0,
            sealed_card: None,
        };
        row.wake_ms = self.wake_ms(&row, now_ms);
        row
    }

    /// Ends a session in which nothing was paid yet, without a trace in the order. `Running`: something may be by now.
    async fn retire(&self, hash: &str) -> Result<(), PaymentError> {
        let held = self.lock_session(hash).await;
        let over = Event::LimitPassed(Limit::Hard);
        match self
            .advance(&held, hash, over, EventContext::default())
            .await
        {
            Ok(row) if is_over(&row.session.state) => Ok(()),
            Ok(_) => Err(PaymentError::Hosted(HostedPageError::Running)),
            Err(PaymentError::Refused(payframe_payment_domain::session::TransitionError::Dead)) => {
                Ok(())
            }
            Err(problem) => Err(problem),
        }
    }

    /// Ends what is open on a page, unless a payment is under way there. For one who holds the order's lock.
    pub(super) async fn clear_page(&self, page: &HostedPageRow) -> Result<(), PaymentError> {
        match self.present_session(page).await? {
            Some((_, row)) if !is_over(&row.session.state) => self.retire(&row.hash).await,
            _ => Ok(()),
        }
    }

    /// The buyer gives the payment up, on the page itself. What is under way is decided first.
    pub(crate) async fn leave_hosted(&self, kind: Kind, token: &str) -> Result<(), PaymentError> {
        let Some(page) = self.hosted_page(kind, token).await? else {
            return Ok(());
        };
        let _held = self
            .lock_order(&page.terms.merchant_id, &page.terms.order_id)
            .await;
        if let Some((_, row)) = self.present_session(&page).await?
            && !is_over(&row.session.state)
        {
            match self.cancel(&row.hash, None, true).await {
                Ok(_) | Err(PaymentError::Refused(_)) => {}
                Err(problem) => return Err(problem),
            }
        }
        let mut transaction = self
            .store()
            .write(Subject::Merchant(&page.terms.merchant_id))
            .await?;
        let page = hosted_pages::find(&mut transaction, &page.page_id).await?;
        let mut page = page.ok_or(StoreError::Unreadable("hosted page"))?;
        let order = orders::find(
            &mut transaction,
            &page.terms.merchant_id,
            &page.terms.order_id,
        )
        .await?;
        let is_idle = order.is_some_and(|order| order.payment_operation_id.is_none());
        if kind == Kind::Page && page.life.status == HostedPageState::Active && is_idle {
            page.life.status = HostedPageState::Canceled;
            hosted_pages::put(&mut transaction, &page).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// The operation that the page's order waits for or was paid with, if any.
    pub(super) async fn paying_operation(
        &self,
        page: &HostedPageRow,
    ) -> Result<Option<Paying>, PaymentError> {
        let mut connection = self.store().read().await?;
        let order = orders::find(
            &mut connection,
            &page.terms.merchant_id,
            &page.terms.order_id,
        )
        .await?;
        let Some(operation_id) = order.and_then(|order| order.payment_operation_id) else {
            return Ok(None);
        };
        Ok(Some(
            match operations::find(&mut connection, &operation_id).await? {
                None => Paying::Asking,
                Some(operation)
                    if operation.operation_result == OperationResult::Pending.code() =>
                {
                    Paying::Pending
                }
                Some(_) => Paying::Paid,
            },
        ))
    }
}

/// How the payment of an order stands that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paying {
    /// The issuer has not answered yet.
    Asking,
    /// The issuer will say later.
    Pending,
    /// It is paid, or was.
    Paid,
}

/// Tells a page of a result in one of its sessions, in the transaction that writes the operation.
pub(super) async fn heard(
    connection: &mut Connection,
    page_id: Option<&str>,
    operation_id: &str,
    result: OperationResult,
) -> Result<(), PaymentError> {
    let Some(page_id) = page_id else {
        return Ok(());
    };
    let page = hosted_pages::find(connection, page_id).await?;
    let mut page = page.ok_or(StoreError::Unreadable("hosted page"))?;
    page.life = page.life.after(operation_id, result);
    hosted_pages::put(connection, &page).await?;
    Ok(())
}

enum SessionAttempt {
    Answered(PageSession),
    /// These sessions of the order are open.
    EarlierOpen(Earlier),
}

fn open(session_id: String, row: SessionRow) -> PageSession {
    PageSession::Open {
        session_id,
        row: Box::new(row),
    }
}

/// Whether nothing can happen in the session any more.
pub(super) fn is_over(state: &State) -> bool {
    matches!(
        state,
        State::Dead | State::Complete { .. } | State::Cancelled { .. }
    )
}

/// Whether nobody outside has been asked for anything.
fn is_only_begun(state: &State) -> bool {
    matches!(
        state,
        State::ChoosingMethod
            | State::CollectingCard(_)
            | State::CheckingDevice { .. }
            | State::Ready { .. }
    )
}

/// Whether the form shows the session.
fn is_card(state: &State) -> bool {
    !matches!(state, State::Redirected { .. } | State::Settling { .. })
}

/// How long a hosted page can be used, and a session of a link at a time (contract 8.1.1).
const PAGE_MS: i64 = 3_600_000;
