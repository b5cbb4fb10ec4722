//! The buyer's browser in a 3-step payment whose issuer speaks the real protocol: it is described, then the issuer is asked, and the
//! issuer's result of a challenge decides.
//!
//! The first call can not ask the issuer, because no browser is known ([`AuthenticationStatus::BrowserDue`]). The page of the step asks it,
//! once, outside of any transaction, with the operation id as reference.

use super::BuyerPages;
use super::authorization::Authenticating;
use super::cardholder_data::CardholderData;
use super::error::PaymentError;
use super::external_3ds::external_3ds_row;
use super::external_3ds_pages::origin_of;
use super::page_views::{IssuerDeviceCheck, IssuerForm, StepView};
use super::transition::{LockedSession, Transitions};
use super::{Authorizations, PaymentContext};
use payframe_payment_domain::external_3ds::AuthenticationStatus;
use payframe_payment_domain::session::{ChallengeMeans, ChallengeReply, State, Verdict};
use payframe_payment_domain::terms::FramingPages;
use payframe_payment_ports::three_ds_server::BrowserData;
use payframe_storage::Connection;
use payframe_storage::external_3ds::{self, External3dsRow};
use payframe_storage::session_pages::{self, Page};
use payframe_storage::sessions::{self, SessionRow};

impl BuyerPages<'_> {
    /// What the page of a 3-step payment shows. `None`: there is no such payment, or the browser has not come by its start.
    pub async fn step(&self, token: &str) -> Result<Option<StepView>, PaymentError> {
        let Some((row, Page::Step(operation_id))) = self.page(token).await? else {
            return Ok(None);
        };
        let step = self.step_row(&operation_id).await?;
        let Some(framing) = framing_of(&step) else {
            return Ok(None);
        };
        if is_browser_due(&row, &step) {
            return Ok(Some(StepView::BrowserDue { framing }));
        }
        if is_challenge_due(&row, &step) {
            return Ok(Some(StepView::Challenge { framing }));
        }
        Ok(self.step_return_of(step).map(StepView::Return))
    }

    /// Asks the issuer, unless it has been asked. `described`: the browser, if its device check has not described it. Returns whether there
    /// is such a payment.
    ///
    /// # Errors
    /// There is no answer. The same can be tried again.
    pub async fn ask_issuer_of_step(
        &self,
        token: &str,
        described: BrowserData,
    ) -> Result<bool, PaymentError> {
        let Some((row, Page::Step(operation_id))) = self.page(token).await? else {
            return Ok(false);
        };
        if self.step_row(&operation_id).await?.return_url.is_none() {
            return Ok(false);
        }
        let payments = self.context.clone();
        // In a separate task: a browser that disconnects must not interrupt the question.
        let asked = tokio::spawn(async move {
            let held = payments.lock_session(&row.hash).await;
            let transitions = Transitions::new(&payments);
            let row = transitions.current_row(&row.hash).await?;
            let pages = BuyerPages::new(&payments);
            let step = pages.step_row(&operation_id).await?;
            if !is_browser_due(&row, &step) {
                return Ok(());
            }
            let verdict = verdict_on(&payments, &row, &operation_id, described).await?;
            let due = transitions.due(&held, &row.hash).await?;
            pages.book_verdict(due, &operation_id, verdict).await
        });
        match asked.await {
            Ok(asked) => asked.map(|()| true),
            Err(_) => Err(PaymentError::Broken("the question to an issuer broke off")),
        }
    }

    /// Books the issuer's verdict. Another process may have done it.
    async fn book_verdict(
        &self,
        LockedSession {
            mut transaction,
            row,
        }: LockedSession,
        operation_id: &str,
        verdict: Verdict,
    ) -> Result<(), PaymentError> {
        let mut step = external_3ds_row(&mut transaction, operation_id).await?;
        if !is_browser_due(&row, &step) {
            return Ok(());
        }
        step.status = step.status.after_verdict(verdict);
        external_3ds::put(&mut transaction, &step).await?;
        if let AuthenticationStatus::Due(_) = step.status {
            // The issuer demands a challenge, so no exemption is claimed.
            external_3ds::put_no_preference(&mut transaction, &row.hash).await?;
            let page = Page::Results(operation_id.to_owned());
            let token_hash = payframe_vault::hash(&self.context.page_token(&row.hash, &page));
            session_pages::open(&mut transaction, &token_hash, &row.hash, &page);
            self.limit_challenge(&mut transaction, &step).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// The limit of a challenge starts now (contract 4.1).
    pub(super) async fn limit_challenge(
        &self,
        connection: &mut Connection,
        step: &External3dsRow,
    ) -> Result<(), PaymentError> {
        let until_ms = self.context.clock().now_ms() + self.context.limits().challenge_ms;
        let ends_ms = step.ends_ms.min(until_ms);
        sessions::put_end(connection, &step.session_hash, ends_ms).await?;
        Ok(())
    }

    /// The device check of a 3-step payment.
    pub(super) async fn step_device_check(
        &self,
        token: &str,
        row: &SessionRow,
        operation_id: &str,
    ) -> Result<Option<IssuerDeviceCheck>, PaymentError> {
        let step = self.step_row(operation_id).await?;
        let Some(framing) = framing_of(&step) else {
            return Ok(None);
        };
        let is_due = is_browser_due(row, &step);
        Ok(Some(IssuerDeviceCheck {
            framing,
            is_due,
            form: is_due.then(|| self.method_form(token, row)).flatten(),
        }))
    }

    /// Keeps what the device check of a 3-step payment found out about the browser.
    pub(super) async fn keep_step_browser(
        &self,
        hash: &str,
        operation_id: &str,
        browser: &BrowserData,
    ) -> Result<(), PaymentError> {
        let held = self.context.lock_session(hash).await;
        let mut locked = self.transitions.due(&held, hash).await?;
        let step = external_3ds_row(&mut locked.transaction, operation_id).await?;
        if !is_browser_due(&locked.row, &step) {
            return Ok(());
        }
        let browser = BrowserData {
            // No page of a 3-step payment asks the buyer's device.
            can_confirm: false,
            ..browser.clone()
        };
        self.write_browser(locked, browser).await
    }

    /// The way to the issuer's page of a 3-step payment.
    pub(super) async fn step_issuer_form(
        &self,
        row: &SessionRow,
        operation_id: &str,
    ) -> Result<Option<IssuerForm>, PaymentError> {
        let step = self.step_row(operation_id).await?;
        let Some(framing) = framing_of(&step) else {
            return Ok(None);
        };
        let is_due = is_challenge_due(row, &step);
        let form = match is_due {
            false => None,
            true => {
                let server = self.context.three_ds_server();
                server.challenge_form(operation_id).await?
            }
        };
        Ok(Some(IssuerForm {
            means: is_due.then_some(ChallengeMeans::Page),
            framing,
            framed_by_us: false,
            // The calls of such a payment have no language.
            language: String::new(),
            form,
        }))
    }

    /// The pages that may frame those of a 3-step payment.
    pub(super) async fn step_framing(
        &self,
        operation_id: &str,
    ) -> Result<Option<FramingPages>, PaymentError> {
        Ok(framing_of(&self.step_row(operation_id).await?))
    }

    /// Books the issuer's result of the challenge of a 3-step payment. A result after the end changes nothing.
    pub(super) async fn book_step_result(
        &self,
        hash: &str,
        operation_id: &str,
        reply: ChallengeReply,
    ) -> Result<(), PaymentError> {
        let held = self.context.lock_session(hash).await;
        let LockedSession {
            mut transaction,
            row,
        } = self.transitions.due(&held, hash).await?;
        let mut step = external_3ds_row(&mut transaction, operation_id).await?;
        if !is_challenge_due(&row, &step) {
            return Ok(());
        }
        step.status = step.status.after(reply);
        external_3ds::put(&mut transaction, &step).await?;
        if !is_challenge_due(&row, &step) {
            // The payment has its own limit.
            sessions::put_end(&mut transaction, hash, step.ends_ms).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    pub(super) async fn step_row(
        &self,
        operation_id: &str,
    ) -> Result<External3dsRow, PaymentError> {
        external_3ds_row(&mut *self.context.store().read().await?, operation_id).await
    }
}

/// What the issuer says of the buyer of a 3-step payment.
async fn verdict_on(
    payments: &PaymentContext,
    row: &SessionRow,
    operation_id: &str,
    described: BrowserData,
) -> Result<Verdict, PaymentError> {
    let State::Ready { card: shown } = &row.session.state else {
        return Err(PaymentError::Broken("no card to authenticate"));
    };
    let card = CardholderData::of(payments.vault(), row)?;
    let mut card = card.ok_or(PaymentError::Broken("no encrypted card"))?;
    card.browser.get_or_insert(described);
    let authorizations = Authorizations::new(payments);
    let preference = authorizations.challenge_preference(row, shown, false);
    let preference = preference.await?;
    let asked = Authenticating::of_session(row, (shown, &card), operation_id, preference);
    authorizations.authenticate(&asked).await
}

fn is_browser_due(row: &SessionRow, step: &External3dsRow) -> bool {
    is_open(row) && step.status == AuthenticationStatus::BrowserDue
}

fn is_challenge_due(row: &SessionRow, step: &External3dsRow) -> bool {
    is_open(row) && matches!(step.status, AuthenticationStatus::Due(_))
}

fn is_open(row: &SessionRow) -> bool {
    matches!(row.session.state, State::Ready { .. })
}

/// The merchant's pages, once the browser has come from them.
fn framing_of(step: &External3dsRow) -> Option<FramingPages> {
    let return_url = step.return_url.as_deref()?;
    Some(FramingPages::only(origin_of(return_url)))
}
