//! The way to an issuer's own pages: the device check that runs its 3DS method, the challenge in a frame, the way back, and the result that
//! the issuer sends.
//!
//! A browser that comes back decides nothing: the result is what the issuer sent. If that comes later than the browser, it continues the
//! payment itself.

use super::BuyerPages;
use super::addresses::is_step;
use super::cardholder_data::CardholderData;
use super::challenge_means::challenge_means;
use super::device_check::{device_check_reference, is_device_check_due};
use super::error::{PaymentError, report};
use super::page_views::{IssuerDeviceCheck, IssuerForm};
use super::transition::{EventContext, LockedSession, Transitions};
use payframe_payment_domain::session::{ChallengeReply, Event, State};
use payframe_payment_domain::terms::FramingPages;
use payframe_payment_ports::three_ds_server::{BrowserData, BrowserForm};
use payframe_storage::cards;
use payframe_storage::session_pages::Page;
use payframe_storage::sessions::SessionRow;

impl BuyerPages<'_> {
    /// The device check with this token, and the form that it posts in a hidden frame.
    pub async fn issuer_device_check(
        &self,
        token: &str,
    ) -> Result<Option<IssuerDeviceCheck>, PaymentError> {
        let (row, submission) = match self.page(token).await? {
            Some((row, Page::DeviceCheck(submission))) => (row, submission),
            Some((row, Page::Step(operation_id))) => {
                return self.step_device_check(token, &row, &operation_id).await;
            }
            _ => return Ok(None),
        };
        let is_due = is_device_check_due(&row, submission);
        Ok(Some(IssuerDeviceCheck {
            form: is_due.then(|| self.method_form(token, &row)).flatten(),
            framing: row.terms.framing,
            is_due,
        }))
    }

    /// What the device check of a session posts in a hidden frame: the issuer's 3DS method. `None`: the issuer has none.
    pub(super) fn method_form(&self, token: &str, row: &SessionRow) -> Option<BrowserForm> {
        let card = CardholderData::of(self.context.vault(), row).ok()??;
        self.context.three_ds_server().device_check_form(
            &card.number,
            &device_check_reference(row),
            &self.context.method_notification_url(token),
        )
    }

    /// The page that the issuer's 3DS method leads to, for the device check with this token. Only the pages above it learn of it.
    pub async fn method_framing(&self, token: &str) -> Result<Option<FramingPages>, PaymentError> {
        Ok(match self.page(token).await? {
            Some((row, Page::DeviceCheck(_))) => Some(row.terms.framing),
            Some((_, Page::Step(operation_id))) => self.step_framing(&operation_id).await?,
            _ => None,
        })
    }

    /// Keeps what the page of the device check found out about the browser.
    pub async fn keep_browser(
        &self,
        token: &str,
        browser: &BrowserData,
    ) -> Result<(), PaymentError> {
        let (found, submission) = match self.page(token).await? {
            Some((row, Page::DeviceCheck(submission))) => (row, submission),
            Some((row, Page::Step(operation_id))) => {
                return self
                    .keep_step_browser(&row.hash, &operation_id, browser)
                    .await;
            }
            _ => return Ok(()),
        };
        let hash = &found.hash;
        let held = self.context.lock_session(hash).await;
        let locked = self.transitions.due(&held, hash).await?;
        let session = &locked.row.session;
        let is_before = matches!(
            session.state,
            State::CheckingDevice { .. } | State::Ready { .. } | State::VerifyingDevice { .. }
        );
        if !is_before || session.counters.submissions != submission {
            return Ok(());
        }
        self.write_browser(locked, browser.clone()).await
    }

    /// Keeps the description of a browser with the card of its session.
    pub(super) async fn write_browser(
        &self,
        LockedSession {
            mut transaction,
            mut row,
        }: LockedSession,
        browser: BrowserData,
    ) -> Result<(), PaymentError> {
        let Some(mut card) = CardholderData::of(self.context.vault(), &row)? else {
            return Ok(());
        };
        card.browser = Some(browser);
        let encrypted = card.encrypt(self.context.vault(), &row.hash)?;
        cards::keep(&mut transaction, &mut row, encrypted);
        transaction.commit().await?;
        Ok(())
    }

    /// The way to the issuer's page, for the challenge with this token.
    pub async fn issuer_challenge(&self, token: &str) -> Result<Option<IssuerForm>, PaymentError> {
        let (row, operation_id) = match self.page(token).await? {
            Some((row, Page::Challenge(operation_id))) => (row, operation_id),
            Some((row, Page::Step(operation_id))) => {
                return self.step_issuer_form(&row, &operation_id).await;
            }
            _ => return Ok(None),
        };
        let server = self.context.three_ds_server();
        let form = match is_open(&row, &operation_id) {
            false => None,
            true => server.challenge_form(&operation_id).await?,
        };
        Ok(Some(IssuerForm {
            means: challenge_means(&row.session.state, &operation_id),
            framing: row.terms.framing,
            framed_by_us: true,
            language: row.terms.language,
            form,
        }))
    }

    /// The browser came back from the challenge with this token. If the issuer has sent the result, the payment continues before this
    /// returns. `None`: there is no such challenge.
    pub async fn back_from_challenge(
        &self,
        token: &str,
    ) -> Result<Option<FramingPages>, PaymentError> {
        let (row, operation_id, framing) = match self.page(token).await? {
            Some((row, Page::Challenge(operation_id))) => {
                let framing = row.terms.framing.clone();
                (row, operation_id, Some(framing))
            }
            Some((row, Page::Step(operation_id))) => {
                let framing = self.step_framing(&operation_id).await?;
                (row, operation_id, framing)
            }
            _ => return Ok(None),
        };
        self.continue_with_result(row, operation_id).await;
        Ok(framing)
    }

    /// Takes a message of the issuer about the challenge with this token, and returns the answer. The payment continues by it. `None`: there
    /// is no such challenge.
    ///
    /// # Errors
    /// It was not kept: the issuer sends it again.
    pub async fn issuer_result(
        &self,
        token: &str,
        message: &[u8],
    ) -> Result<Option<Vec<u8>>, PaymentError> {
        let Some((row, Page::Results(operation_id))) = self.page(token).await? else {
            return Ok(None);
        };
        let server = self.context.three_ds_server();
        let answer = server.receive_result(&operation_id, message).await?;
        let payments = self.context.clone();
        // The issuer waits for the answer, not for the acquirer.
        tokio::spawn(async move {
            BuyerPages::new(&payments)
                .continue_with_result(row, operation_id)
                .await;
        });
        Ok(Some(answer))
    }

    /// Continues a payment by the result that the issuer has sent, if there is one.
    pub(super) async fn continue_with_result(&self, row: SessionRow, operation_id: String) {
        let payments = self.context.clone();
        // In a separate task: a browser that disconnects must not interrupt the payment.
        let continued = tokio::spawn(async move {
            let reply = match BuyerPages::new(&payments)
                .result(&row, &operation_id)
                .await?
            {
                ChallengeReply::Undecided => return Ok(()),
                // A rule that demands a challenge wants to know who pays, and the attempt does not say it.
                ChallengeReply::Attempted if payments.demands_challenge(&operation_id).await? => {
                    ChallengeReply::No
                }
                reply => reply,
            };
            if is_step(&row, &operation_id) {
                return BuyerPages::new(&payments)
                    .book_step_result(&row.hash, &operation_id, reply)
                    .await;
            }
            let held = payments.lock_session(&row.hash).await;
            let event = Event::ChallengeAnswered {
                operation_id,
                reply,
            };
            let context = EventContext {
                by_buyer: true,
                ..EventContext::default()
            };
            let transitions = Transitions::new(&payments);
            transitions
                .advance(&held, &row.hash, event, context)
                .await?;
            Ok::<(), PaymentError>(())
        });
        match continued.await {
            // A session that is over needs no result.
            Ok(Ok(()) | Err(PaymentError::Refused(_))) | Err(_) => {}
            Ok(Err(problem)) => report("the result of a challenge", &problem),
        }
    }
}

fn is_open(row: &SessionRow, operation_id: &str) -> bool {
    matches!(&row.session.state, State::Challenged { completion, .. } if completion.operation_id == operation_id)
}
