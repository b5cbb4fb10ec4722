//! The sessions of a hosted page. The first one is created when a buyer comes to pay. A new one follows if the last one ended without a
//! payment. A page that cannot be paid any more gets no new session.

use super::HostedPages;
use super::acceptance::clauses_due;
use super::contracts::StoredCard;
use super::create_session::order_availability::OpenSessions;
use super::error::PaymentError;
use super::hosted::{PAGE_MS, PageSession, SessionAttempt, is_over};
use super::transition::EventContext;
use payframe_payment_domain::card_on_file::CardOnFileTerms;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::hosted::{HostedPageError, HostedPageState, Kind, Status};
use payframe_payment_domain::method::Method;
use payframe_payment_domain::session::{Counters, Event, Limit, PreviousAttempt, Session, State};
use payframe_payment_domain::terms::{
    CaptureInitiator, Channel, FramingPages, RedirectHandler, Terms, Version,
};
use payframe_storage::hosted_pages::{self, HostedPageRow};
use payframe_storage::sessions::{self, SessionRow};
use payframe_storage::{StoreError, cards, orders};

impl HostedPages<'_> {
    /// The present session of a page, with its id.
    pub(super) async fn present_session(
        &self,
        page: &HostedPageRow,
    ) -> Result<Option<(String, SessionRow)>, PaymentError> {
        if page.sessions == 0 {
            return Ok(None);
        }
        let session_id = self.session_id_of(page, page.sessions);
        let row = self
            .transitions
            .find(&payframe_vault::hash(&session_id))
            .await?;
        Ok(row.map(|row| (session_id, row)))
    }

    /// The id of a page's session with this number. It is not stored, and cannot be guessed.
    fn session_id_of(&self, page: &HostedPageRow, number: u32) -> String {
        self.context
            .vault()
            .page_token(&format!("session {number} of hosted {}", page.page_id))
    }

    /// The session in which the page is paid by card: the present one, or a new one if that has ended. Counts as activity of the buyer.
    pub async fn session(&self, kind: Kind, token: &str) -> Result<PageSession, PaymentError> {
        self.pay_at_page(kind, token, None).await
    }

    /// The session in which the page is paid with this method. The buyer is redirected at once.
    pub async fn choose_method(
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
        let Some(page) = self.find(kind, token).await? else {
            return Ok(PageSession::Unknown);
        };
        let _held = self
            .context
            .lock_order(&page.terms.merchant_id, &page.terms.order_id)
            .await;
        let Some(page) = self.find(kind, token).await? else {
            return Ok(PageSession::Unknown);
        };
        let is_over = page.life.status(self.context.clock().now_ms()) != Status::Active;
        if is_over
            || !clauses_due(&mut *self.context.store().read().await?, &page)
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
                    self.sessions.buyer_seen(&row).await?;
                    return Ok(open(session_id, row));
                }
                _ => return Ok(PageSession::Shut),
            }
        }
        let mut unheard = Vec::new();
        loop {
            match self.try_page_session(&page, method).await? {
                SessionAttempt::Answered(session) => return Ok(session),
                // The session belongs to another page of the same order, or to the merchant's own page.
                SessionAttempt::EarlierOpen(earlier) => {
                    self.sessions
                        .give_up_earlier(&earlier, None, &mut unheard)
                        .await?
                }
            }
        }
    }

    async fn try_page_session(
        &self,
        page: &HostedPageRow,
        method: Option<&'static Method>,
    ) -> Result<SessionAttempt, PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let (merchant_id, order_id) = (&page.terms.merchant_id, &page.terms.order_id);
        let (mut transaction, order) =
            orders::begin_change(self.context.store(), merchant_id, order_id).await?;
        let page = hosted_pages::find(&mut transaction, &page.page_id).await?;
        let mut page = page.ok_or(StoreError::Unreadable("hosted page"))?;
        let order = order.ok_or(StoreError::Unreadable("order"))?;
        if page.life.status(now_ms) != Status::Active || order.payment_operation_id.is_some() {
            return Ok(SessionAttempt::Answered(PageSession::Shut));
        }
        let open_sessions =
            sessions::open_of_order(&mut transaction, merchant_id, order_id).await?;
        if !open_sessions.is_empty() {
            let hashes = open_sessions;
            let changed = false;
            return Ok(SessionAttempt::EarlierOpen(OpenSessions {
                hashes,
                changed,
            }));
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
            .contracts
            .agree(&mut transaction, &page.terms.merchant_id, kept.as_ref())
            .await?;
        if let Some(StoredCard { shown, .. }) = &kept {
            row.session.state = State::Ready {
                card: shown.clone(),
            };
        }
        sessions::add(&mut transaction, &row, now_ms)?;
        if let Some(StoredCard {
            cardholder_data, ..
        }) = &kept
        {
            let encrypted = cardholder_data.encrypt(self.context.vault(), &row.hash)?;
            cards::keep(&mut transaction, &mut row, encrypted);
        }
        if let Some(method) = method {
            let event = Event::MethodChosen {
                method,
                operation_id: payframe_vault::random_operation_id()?,
            };
            self.transitions
                .apply(&mut transaction, &mut row, event, &EventContext::default())
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
            framing: FramingPages::only(self.context.settings().origin.clone()),
            action: terms.action,
            capture: terms.capture,
            language: terms.language.clone(),
            challenge_preference: terms.challenge_preference.clone(),
            result_url: String::new(),
            cancel_url: String::new(),
            notification_url: terms.notification_url.clone(),
            security_token: terms.security_token.clone(),
            trace_id: terms.trace_id.clone(),
            capture_initiator: CaptureInitiator::Frame,
            card_summary: String::from("NONE"),
            currency: terms.currency.clone(),
            redirect_handler: RedirectHandler::Frame,
            installments: Vec::new(),
            card_on_file: CardOnFileTerms::default(),
            billing_address: terms.billing_address,
            methods: method.into_iter().collect(),
        };
        let mut row = SessionRow {
            hash: payframe_vault::hash(session_id),
            terms,
            amount: page.terms.amount,
            session: Session {
                counters: Counters {
                    attempts_left: page.life.tries_left(),
                    submissions: 0,
                },
                state: match method {
                    Some(_) => State::ChoosingMethod,
                    None => State::CollectingCard(PreviousAttempt::None),
                },
            },
            last_seen_ms: now_ms,
            ends_ms: page.life.ends_ms.min(now_ms + PAGE_MS),
            wake_ms: 0,
            encrypted_card: None,
        };
        row.wake_ms = self.transitions.wake_ms(&row, now_ms);
        row
    }

    /// Ends a session without an operation in the order, if nothing was paid in it. `Running`: a payment may be in progress.
    async fn retire(&self, hash: &str) -> Result<(), PaymentError> {
        let held = self.context.lock_session(hash).await;
        let over = Event::LimitPassed(Limit::Hard);
        match self
            .transitions
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

    /// Ends the open session of a page, unless a payment is in progress. The caller holds the lock of the order.
    pub(super) async fn clear_page(&self, page: &HostedPageRow) -> Result<(), PaymentError> {
        match self.present_session(page).await? {
            Some((_, row)) if !is_over(&row.session.state) => self.retire(&row.hash).await,
            _ => Ok(()),
        }
    }

    /// The buyer cancels the payment on the page itself. A payment in progress is completed first.
    pub async fn leave(&self, kind: Kind, token: &str) -> Result<(), PaymentError> {
        let Some(page) = self.find(kind, token).await? else {
            return Ok(());
        };
        let _held = self
            .context
            .lock_order(&page.terms.merchant_id, &page.terms.order_id)
            .await;
        if let Some((_, row)) = self.present_session(&page).await?
            && !is_over(&row.session.state)
        {
            match self.sessions.cancel(&row.hash, None, true).await {
                Ok(_) | Err(PaymentError::Refused(_)) => {}
                Err(problem) => return Err(problem),
            }
        }
        let (merchant_id, order_id) = (&page.terms.merchant_id, &page.terms.order_id);
        let (mut transaction, order) =
            orders::begin_change(self.context.store(), merchant_id, order_id).await?;
        let page = hosted_pages::find(&mut transaction, &page.page_id).await?;
        let mut page = page.ok_or(StoreError::Unreadable("hosted page"))?;
        let is_idle = order.is_some_and(|order| order.payment_operation_id.is_none());
        if kind == Kind::Page && page.life.status == HostedPageState::Active && is_idle {
            page.life.status = HostedPageState::Canceled;
            hosted_pages::put(&mut transaction, &page).await?;
            transaction.commit().await?;
        }
        Ok(())
    }
}

pub(super) fn open(session_id: String, row: SessionRow) -> PageSession {
    PageSession::Open {
        session_id,
        row: Box::new(row),
    }
}

/// Whether no external system has been called yet.
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
    !matches!(
        state,
        State::Redirected { .. } | State::AuthorizingMethod { .. }
    )
}
