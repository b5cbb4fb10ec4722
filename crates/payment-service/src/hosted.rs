//! Hosted payment pages and links: creating one, and the form sessions in which it is paid.
//!
//! A page has no session until its script requests one ([`HostedPages::session`]). So programs that only preview an address, such as mail
//! and chat clients, start nothing. All windows of a page share one session at a time. If that session has expired or ended with a
//! refusal, the next request gets a new one, as long as the page is open.
//!
//! The result of a payment is written together with the page in one transaction ([`heard`]). A caller that needs the lock of the order and
//! the lock of a session takes the order's lock first.

pub mod acceptance;

use super::create_session::order_availability::{
    AmountChange, Attempt, OpenSessions, OrderAvailability, warn_of_cleared,
};
use super::create_session::{NewSession, Start, order_of};
use super::error::PaymentError;
use super::reservations;
use super::{Contracts, PaymentContext, Sessions, Transitions};
use crate::idempotency::Slot;
use acceptance::active_terms;
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::hosted::{HostedPageLifecycle, Kind, LinkValidity};
use payframe_payment_domain::operation::OperationResult;
use payframe_payment_domain::session::State;
use payframe_payment_domain::terms::Terminal;
use payframe_protocol::warning::Warning;
use payframe_storage::hosted_pages::{self, HostedPageRow, LinkTerm, PageOffer, PageTerms};
use payframe_storage::legal_texts::{self, TextUser};
use payframe_storage::sessions::SessionRow;
use payframe_storage::{events, operations, orders};
use serde::Serialize;

/// A validated request for a page or a link.
pub struct NewHostedPage {
    /// The members that are common to all payments.
    pub session: NewSession,
    /// The terms and conditions that the order asks the buyer to accept.
    pub terms_ids: Vec<String>,
    /// The validity period of a link.
    pub validity: Option<LinkValidity>,
}

/// The session of a page, for a buyer who wants to pay there.
pub enum PageSession {
    /// This session. Its id is a credential.
    Open {
        /// The session's id, for the page's script.
        session_id: String,
        /// The session.
        row: Box<SessionRow>,
    },
    /// Nothing can be paid now. The page shows the reason.
    Shut,
    /// The page does not exist.
    Unknown,
}

/// Hosted pages and payment links, and the terms that a buyer accepts there.
#[derive(Clone, Copy)]
pub struct HostedPages<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) contracts: Contracts<'a>,
    pub(super) transitions: Transitions<'a>,
    pub(super) sessions: Sessions<'a>,
}

impl<'a> HostedPages<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> HostedPages<'a> {
        HostedPages {
            context,
            contracts: Contracts::new(context),
            transitions: Transitions::new(context),
            sessions: Sessions::new(context),
        }
    }
}

impl HostedPages<'_> {
    /// Creates a page or a link and returns the body of the response. `write` serializes it.
    pub async fn open<T: Serialize>(
        &self,
        terminal: &Terminal,
        mut hosted: NewHostedPage,
        slot: Option<&Slot>,
        write: impl Fn(&HostedPages<'_>, &HostedPageRow, Vec<Warning>) -> T,
    ) -> Result<Vec<u8>, PaymentError> {
        self.context.admit_buyers(&terminal.terminal_id)?;
        let _held = self
            .context
            .lock_order(&terminal.merchant_id, &hosted.session.order_id)
            .await;
        loop {
            match self.try_to_host(terminal, &hosted, slot, &write).await? {
                Attempt::Opened(body) => return Ok(body),
                Attempt::OpenSessions(earlier) => {
                    let warnings = &mut hosted.session.warnings;
                    self.sessions
                        .give_up_earlier(&earlier, Some(terminal), warnings)
                        .await?;
                }
            }
        }
    }

    async fn try_to_host<T: Serialize>(
        &self,
        terminal: &Terminal,
        hosted: &NewHostedPage,
        slot: Option<&Slot>,
        write: &impl Fn(&HostedPages<'_>, &HostedPageRow, Vec<Warning>) -> T,
    ) -> Result<Attempt, PaymentError> {
        let request = &hosted.session;
        let merchant_id = &terminal.merchant_id;
        let now_ms = self.context.clock().now_ms();
        let (mut transaction, known) =
            orders::begin_change(self.context.store(), merchant_id, &request.order_id).await?;
        let mut warnings = request.warnings.clone();
        // A link stays valid beside a page for the same order, because the order cannot be paid twice. A new link replaces an older link.
        let replaces: &[Kind] = match hosted.validity {
            None => &[Kind::Page],
            Some(_) => &[Kind::Page, Kind::Link],
        };
        self.sessions
            .agree(&mut transaction, merchant_id, request)
            .await?;
        let order = order_of(merchant_id, request, now_ms);
        let changes = match request.is_reservation {
            true => AmountChange::Refused,
            false => AmountChange::Taken,
        };
        match self
            .sessions
            .order_availability(&mut transaction, (known, &order), replaces, changes)
            .await?
        {
            OrderAvailability::Open(earlier) => return Ok(Attempt::OpenSessions(earlier)),
            OrderAvailability::Clear(cleared) => warn_of_cleared(cleared, &mut warnings),
        }
        if request.is_reservation {
            reservations::must_be_active(&mut transaction, merchant_id, &request.order_id).await?;
        }
        let text_ids = active_terms(&mut transaction, merchant_id, &hosted.terms_ids)
            .await?
            .ok_or(PaymentError::NoTerms)?;
        orders::put(&mut transaction, &order);
        let created_ms = events::next_time(&mut transaction, merchant_id, now_ms).await?;
        let row = self.new_page(terminal, hosted, text_ids, created_ms)?;
        hosted_pages::add(&mut transaction, &row).await?;
        let user = TextUser::Page(&row.page_id);
        legal_texts::put_uses(&mut transaction, merchant_id, user, &row.terms.text_ids).await?;
        let body = serde_json::to_vec(&write(self, &row, warnings))
            .map_err(|_| PaymentError::Broken("an answer does not serialize"))?;
        if let Some(slot) = slot {
            slot.keep(&mut transaction, self.context.vault(), 200, &body, now_ms)?;
        }
        transaction.commit().await?;
        Ok(Attempt::Opened(body))
    }

    fn new_page(
        &self,
        terminal: &Terminal,
        hosted: &NewHostedPage,
        text_ids: Vec<String>,
        created_ms: i64,
    ) -> Result<HostedPageRow, PaymentError> {
        let request = &hosted.session;
        let (kind, ends_ms) = match &hosted.validity {
            None => (Kind::Page, created_ms + PAGE_MS),
            Some(validity) => (Kind::Link, validity.ends_ms()),
        };
        let page_id = uuid::Uuid::new_v4().to_string();
        let today = payframe_payment_domain::calendar::terminal_day(created_ms);
        Ok(HostedPageRow {
            token_hash: payframe_vault::hash(&self.context.hosted_token(kind, &page_id)),
            page_id,
            terms: PageTerms {
                merchant_id: terminal.merchant_id.clone(),
                terminal_id: terminal.terminal_id.clone(),
                order_id: request.order_id.clone(),
                action: request.action,
                capture: request.capture,
                language: request.language.to_owned(),
                challenge_preference: request.challenge_preference.clone(),
                offer: match request.start {
                    Start::Methods => PageOffer::All,
                    Start::Card | Start::StoredCard => PageOffer::Cards,
                    Start::Redirect(_) => PageOffer::Method,
                },
                methods: request.methods.clone(),
                result_url: request.result_url.clone(),
                cancel_url: request.cancel_url.clone(),
                notification_url: request.notification_url.clone(),
                security_token: payframe_vault::random_token()?,
                trace_id: request.trace_id.clone(),
                currency: request.currency.clone(),
                amount: request.amount,
                contract: request
                    .recurrence
                    .as_ref()
                    .and_then(Recurrence::requested_contract),
                kept_card_of: match &request.recurrence {
                    Some(Recurrence::Pay { contract_id, .. }) => Some(contract_id.clone()),
                    _ => None,
                },
                text_ids,
                billing_address: request
                    .form
                    .as_ref()
                    .map_or(BillingAddressFields::None, |form| form.billing_address),
            },
            life: HostedPageLifecycle::new(kind, ends_ms),
            sessions: 0,
            created_ms,
            term: hosted.validity.clone().map(|validity| LinkTerm {
                life_days: validity.life_days(today),
                validity,
                renewals: 0,
            }),
        })
    }

    /// The page or link of a token.
    pub(super) async fn find(
        &self,
        kind: Kind,
        token: &str,
    ) -> Result<Option<HostedPageRow>, PaymentError> {
        let mut connection = self.context.store().read().await?;
        let found =
            hosted_pages::find_by_token(&mut connection, &payframe_vault::hash(token)).await?;
        Ok(found.filter(|page| page.life.kind == kind))
    }

    /// The pending or successful operation of the page's order, if there is one.
    pub(super) async fn paying_operation(
        &self,
        page: &HostedPageRow,
    ) -> Result<Option<OrderPayment>, PaymentError> {
        let mut connection = self.context.store().read().await?;
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
                None => OrderPayment::Asking,
                Some(operation)
                    if operation.operation_result == OperationResult::Pending.code() =>
                {
                    OrderPayment::Pending
                }
                Some(_) => OrderPayment::Paid,
            },
        ))
    }
}

/// The status of an order's payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderPayment {
    /// The issuer has not responded yet.
    Asking,
    /// The issuer responds later.
    Pending,
    /// It is paid, or was paid.
    Paid,
}

pub(super) enum SessionAttempt {
    Answered(PageSession),
    /// These sessions of the order are open.
    EarlierOpen(OpenSessions),
}

/// Whether the session is closed.
pub(super) fn is_over(state: &State) -> bool {
    matches!(
        state,
        State::Dead | State::Complete { .. } | State::Cancelled { .. }
    )
}

/// How long a hosted page is valid, and how long each session of a link is (contract 8.1.1).
pub(super) const PAGE_MS: i64 = 3_600_000;
