//! What the sandbox's 3-D Secure pages do: the device check reports, the buyer answers a challenge.

use super::error::PaymentError;
use super::page_views::{
    ChallengeAnswer, ChallengeStep, ChallengeView, DeviceCheckView, ReturnView,
};
use super::transition::EventContext;
use crate::App;
use crate::domain::session::{
    CODES, ChallengeReply, ChallengeScript, CheckProgress, DeviceCheck, Event, State,
};
use crate::store::merchants;
use crate::store::sessions::{self, Page, SessionRow};
use crate::vault;
use payframe_money::minor_digits;

impl App {
    /// The device check with this token.
    pub async fn device_check(&self, token: &str) -> Option<DeviceCheckView> {
        let (row, page) = self.page(token).await?;
        let Page::DeviceCheck(submission) = page else {
            return None;
        };
        let check = match &row.session.state {
            _ if row.session.counters.submissions != submission => None,
            State::CheckingDevice { check, .. }
            | State::VerifyingDevice {
                check,
                progress: CheckProgress::Running,
                ..
            } => Some(*check),
            _ => None,
        };
        Some(DeviceCheckView {
            merchant_origin: row.terms.merchant_origin,
            delay_ms: (check == Some(DeviceCheck::Slow)).then_some(SLOW_CHECK_MS),
            never: check == Some(DeviceCheck::Silent),
            already_done: check.is_none(),
        })
    }

    /// The device check with this token has run.
    pub async fn device_check_done(&self, token: &str) {
        let Some((row, Page::DeviceCheck(submission))) = self.page(token).await else {
            return;
        };
        let held = self.lock_session(&row.hash).await;
        let context = EventContext {
            by_buyer: true,
            ..EventContext::default()
        };
        let done = self
            .advance(
                &held,
                &row.hash,
                Event::DeviceChecked { submission },
                context,
            )
            .await;
        if let Err(problem) = done {
            self.report("a device check", &problem);
        }
    }

    /// The challenge with this token.
    pub async fn challenge(&self, token: &str) -> Option<ChallengeView> {
        let (row, page) = self.page(token).await?;
        let operation_id = match page {
            Page::Challenge(operation_id) => operation_id,
            Page::Step(operation_id) => {
                return match self.step_challenge(row, &operation_id).await {
                    Ok(view) => view,
                    Err(problem) => {
                        self.report("a 3-step challenge", &problem);
                        None
                    }
                };
            }
            Page::DeviceCheck(_) | Page::Method(_) => return None,
        };
        let open = match &row.session.state {
            State::Challenged {
                card,
                challenge,
                closing,
            } if closing.operation_id == operation_id => {
                Some((card.last4.clone(), challenge.script))
            }
            _ => None,
        };
        let merchant = match self.merchant_name(&row).await {
            Ok(name) => name,
            Err(problem) => {
                self.report("a challenge", &problem);
                return None;
            }
        };
        Some(ChallengeView {
            merchant,
            amount_minor: row.amount.to_string(),
            minor_digits: minor_digits(&row.terms.currency).unwrap_or(2),
            currency: row.terms.currency,
            language: row.terms.language,
            merchant_origin: row.terms.merchant_origin,
            never_ends: open
                .as_ref()
                .is_some_and(|(_, script)| *script == ChallengeScript::Endless),
            finished: open.is_none(),
            last4: open.map(|(last4, _)| last4).unwrap_or_default(),
        })
    }

    /// Takes the buyer's answer; when that ends the challenge, the payment has its outcome before this returns,
    /// whether or not the caller waits for it.
    pub async fn challenge_answer(&self, token: &str, answer: ChallengeAnswer) -> ChallengeStep {
        let (row, operation_id) = match self.page(token).await {
            Some((row, Page::Challenge(operation_id))) => (row, operation_id),
            Some((row, Page::Step(operation_id))) => {
                return match self.step_answered(&row, &operation_id, answer).await {
                    Ok(step) => step,
                    Err(problem) => {
                        self.report("a 3-step challenge", &problem);
                        ChallengeStep::Failed
                    }
                };
            }
            _ => return ChallengeStep::Gone,
        };
        let reply = reply_of(answer);
        let event = Event::ChallengeAnswered {
            operation_id: operation_id.clone(),
            reply,
        };
        let app = self.clone();
        // A task of its own: a browser that goes away must not leave the money half-way.
        let answered = tokio::spawn(async move {
            let held = app.lock_session(&row.hash).await;
            app.advance(
                &held,
                &row.hash,
                event,
                EventContext {
                    by_buyer: true,
                    ..EventContext::default()
                },
            )
            .await
        });
        match answered.await {
            Ok(Ok(row)) => match &row.session.state {
                State::Challenged {
                    challenge, closing, ..
                } if closing.operation_id == operation_id => ChallengeStep::AskAgain {
                    left: CODES - challenge.wrong_codes.min(CODES - 1),
                },
                _ => ChallengeStep::Return,
            },
            Ok(Err(PaymentError::Refused(_))) => ChallengeStep::Gone,
            Ok(Err(problem)) => {
                self.report("a challenge", &problem);
                ChallengeStep::Failed
            }
            Err(_) => ChallengeStep::Failed,
        }
    }

    /// Where the browser goes after the challenge with this token.
    pub async fn challenge_session(&self, token: &str) -> Option<ReturnView> {
        let (row, page) = self.page(token).await?;
        matches!(page, Page::Challenge(_)).then(|| self.way_back(row))
    }

    pub(super) async fn page(&self, token: &str) -> Option<(SessionRow, Page)> {
        match self.find_page(token).await {
            Ok(found) => found,
            Err(problem) => {
                self.report("a page of the sandbox", &problem);
                None
            }
        }
    }

    async fn find_page(&self, token: &str) -> Result<Option<(SessionRow, Page)>, PaymentError> {
        let found =
            sessions::find_page(&mut *self.store().read().await?, &vault::hash(token)).await?;
        let Some((row, page)) = found else {
            return Ok(None);
        };
        Ok(Some((self.session_of(row).await?, page)))
    }

    /// The way back from a page of this session.
    pub(super) fn way_back(&self, row: SessionRow) -> ReturnView {
        ReturnView {
            return_url: self.return_url(&row),
            merchant_origin: row.terms.merchant_origin,
        }
    }

    pub(super) async fn merchant_name(&self, row: &SessionRow) -> Result<String, PaymentError> {
        Ok(merchants::name(&mut *self.store().read().await?, &row.terms.merchant_id).await?)
    }
}

/// Where the merchant wants the browser with the outcome of a session: `cancelUrl` only where it was given up (contract 2.4).
pub(super) fn merchants_url(row: &SessionRow) -> &str {
    match row.session.state {
        State::Cancelled { .. } => &row.terms.cancel_url,
        _ => &row.terms.result_url,
    }
}

/// What a buyer's answer is to the issuer.
pub(super) fn reply_of(answer: ChallengeAnswer) -> ChallengeReply {
    match answer {
        ChallengeAnswer::Code(code) if code.trim() == RIGHT_CODE => ChallengeReply::Right,
        ChallengeAnswer::Code(_) => ChallengeReply::Wrong,
        ChallengeAnswer::Approve => ChallengeReply::Right,
        ChallengeAnswer::Reject | ChallengeAnswer::Cancel => ChallengeReply::No,
    }
}

/// How long a slow device check takes (scenario 309).
const SLOW_CHECK_MS: u64 = 5_000;

/// The code that passes every challenge (contract 11.8).
const RIGHT_CODE: &str = "123456";
