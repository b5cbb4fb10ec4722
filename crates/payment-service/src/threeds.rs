//! The 3-D Secure pages that the gateway shows itself: the device check reports, and the buyer answers a challenge. The port of simulated
//! pages decides the results.

use super::cardholder_data::CardholderData;
use super::challenge_means::challenge_means;
use super::device_check::is_device_check_due;
use super::error::{PaymentError, report};
use super::page_views::{ChallengeStep, ChallengeView, DeviceCheckView, ReturnView};
use super::transition::EventContext;
use super::{External3ds, PaymentContext, Transitions};
use payframe_payment_domain::session::{CODES, ChallengeReply, Event, State};
use payframe_payment_ports::simulator_pages::{ChallengeAnswer, ChallengePage, DeviceCheckPage};
use payframe_storage::merchants;
use payframe_storage::session_pages::{self, Page};
use payframe_storage::sessions::SessionRow;

/// Pages that the gateway shows instead of an issuer's or a method's own pages.
#[derive(Clone, Copy)]
pub struct BuyerPages<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) transitions: Transitions<'a>,
    pub(super) external_3ds: External3ds<'a>,
}

impl<'a> BuyerPages<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> BuyerPages<'a> {
        BuyerPages {
            context,
            transitions: Transitions::new(context),
            external_3ds: External3ds::new(context),
        }
    }
}

impl BuyerPages<'_> {
    /// The device check with this token.
    pub async fn device_check(&self, token: &str) -> Result<Option<DeviceCheckView>, PaymentError> {
        let Some((row, Page::DeviceCheck(submission))) = self.page(token).await? else {
            return Ok(None);
        };
        let is_due = is_device_check_due(&row, submission);
        let goes = if is_due {
            self.device_check_page(&row)
        } else {
            DeviceCheckPage::Reports { after_ms: 0 }
        };
        Ok(Some(DeviceCheckView {
            framing: row.terms.framing,
            delay_ms: match goes {
                DeviceCheckPage::Reports { after_ms } if after_ms > 0 => Some(after_ms),
                DeviceCheckPage::Reports { .. } | DeviceCheckPage::NeverReports => None,
            },
            never: goes == DeviceCheckPage::NeverReports,
            already_done: !is_due,
        }))
    }

    /// Records that the device check with this token has run.
    pub async fn device_check_done(&self, token: &str) -> Result<(), PaymentError> {
        let Some((row, Page::DeviceCheck(submission))) = self.page(token).await? else {
            return Ok(());
        };
        // A report is not valid for a page that never reports.
        let is_simulated = !self.context.three_ds_server().needs_browser();
        if is_simulated && self.device_check_page(&row) == DeviceCheckPage::NeverReports {
            return Ok(());
        }
        let held = self.context.lock_session(&row.hash).await;
        let context = EventContext {
            by_buyer: true,
            ..EventContext::default()
        };
        self.transitions
            .advance(
                &held,
                &row.hash,
                Event::DeviceChecked { submission },
                context,
            )
            .await?;
        Ok(())
    }

    /// The challenge with this token.
    pub async fn challenge(&self, token: &str) -> Result<Option<ChallengeView>, PaymentError> {
        let Some((row, page)) = self.page(token).await? else {
            return Ok(None);
        };
        let operation_id = match page {
            Page::Challenge(operation_id) => operation_id,
            Page::Step(operation_id) => return self.step_challenge(row, &operation_id).await,
            Page::DeviceCheck(_) | Page::Method(_) | Page::Results(_) => return Ok(None),
        };
        let open = match &row.session.state {
            State::Challenged {
                card, completion, ..
            } if completion.operation_id == operation_id => Some(card),
            _ => None,
        };
        let never_ends = open.is_some() && self.challenge_never_ends(&row);
        let of_order = (row.amount, row.terms.currency.as_str());
        let (amount, currency) = open.map_or(of_order, |card| card.due(of_order.0, of_order.1));
        Ok(Some(ChallengeView {
            merchant: self.merchant_name(&row).await?,
            amount,
            currency: currency.to_owned(),
            never_ends,
            means: challenge_means(&row.session.state, &operation_id),
            framed_by_us: true,
            last4: open.map(|card| card.last4.clone()).unwrap_or_default(),
            language: row.terms.language,
            framing: row.terms.framing,
        }))
    }

    /// Processes the buyer's answer. If it ends the challenge, the payment has its outcome before this returns, even if the caller does
    /// not wait.
    pub async fn challenge_answer(&self, token: &str, answer: ChallengeAnswer) -> ChallengeStep {
        match self.try_challenge_answer(token, answer).await {
            Ok(step) => step,
            Err(PaymentError::Refused(_)) => ChallengeStep::Gone,
            Err(problem) => {
                report("a challenge", &problem);
                ChallengeStep::Failed
            }
        }
    }

    async fn try_challenge_answer(
        &self,
        token: &str,
        answer: ChallengeAnswer,
    ) -> Result<ChallengeStep, PaymentError> {
        let (row, operation_id) = match self.page(token).await? {
            Some((row, Page::Challenge(operation_id))) => (row, operation_id),
            Some((row, Page::Step(operation_id))) => {
                return self.step_answered(&row, &operation_id, answer).await;
            }
            _ => return Ok(ChallengeStep::Gone),
        };
        let reply = self.reply_to(&row, &answer);
        let event = Event::ChallengeAnswered {
            operation_id: operation_id.clone(),
            reply,
        };
        let payments = self.context.clone();
        // In a separate task: a browser that disconnects must not interrupt the payment.
        let answered = tokio::spawn(async move {
            let held = payments.lock_session(&row.hash).await;
            Transitions::new(&payments)
                .advance(
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
        let Ok(advanced) = answered.await else {
            return Ok(ChallengeStep::Failed);
        };
        Ok(match &advanced?.session.state {
            State::Challenged {
                challenge,
                completion,
                ..
            } if completion.operation_id == operation_id => ChallengeStep::AskAgain {
                left: CODES - challenge.wrong_codes.min(CODES - 1),
            },
            _ => ChallengeStep::Return,
        })
    }

    /// Where the browser goes after the challenge with this token.
    pub async fn challenge_return(&self, token: &str) -> Result<Option<ReturnView>, PaymentError> {
        Ok(match self.page(token).await? {
            Some((row, Page::Challenge(_))) => Some(self.context.return_view(row)),
            _ => None,
        })
    }

    /// The session and the kind of the page with this token. `None`: no page has it. An error is not that: the page may be there.
    pub(super) async fn page(
        &self,
        token: &str,
    ) -> Result<Option<(SessionRow, Page)>, PaymentError> {
        let found = session_pages::find(
            &mut *self.context.store().read().await?,
            &payframe_vault::hash(token),
        )
        .await?;
        let Some((row, page)) = found else {
            return Ok(None);
        };
        Ok(Some((self.transitions.up_to_date(row).await?, page)))
    }

    /// The behaviour of the device check of a session's card. Without a card there is nothing to wait for.
    fn device_check_page(&self, row: &SessionRow) -> DeviceCheckPage {
        match CardholderData::of(self.context.vault(), row) {
            Ok(Some(card)) => self.context.simulator_pages().device_check(&card.number),
            Ok(None) | Err(_) => DeviceCheckPage::Reports { after_ms: 0 },
        }
    }

    /// Whether the challenge of a session's card never ends.
    pub(super) fn challenge_never_ends(&self, row: &SessionRow) -> bool {
        let card = CardholderData::of(self.context.vault(), row);
        matches!(card, Ok(Some(card))
            if self.context.simulator_pages().challenge(&card.number) == ChallengePage::NeverEnds)
    }

    /// The issuer's verdict on a buyer's answer. Without a card there is no authentication.
    pub(super) fn reply_to(&self, row: &SessionRow, answer: &ChallengeAnswer) -> ChallengeReply {
        match CardholderData::of(self.context.vault(), row) {
            Ok(Some(card)) => self
                .context
                .simulator_pages()
                .reply_to(&card.number, answer),
            Ok(None) | Err(_) => ChallengeReply::No,
        }
    }

    pub(super) async fn merchant_name(&self, row: &SessionRow) -> Result<String, PaymentError> {
        Ok(merchants::name(
            &mut *self.context.store().read().await?,
            &row.terms.merchant_id,
        )
        .await?)
    }
}
