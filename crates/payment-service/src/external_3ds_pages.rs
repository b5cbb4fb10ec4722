//! The steps of the buyer's browser in a 3-step payment: it sends the request, shows the challenge, and brings the response back.

use super::BuyerPages;
use super::error::{PaymentError, report};
use super::external_3ds::{NOT_NEEDED, external_3ds_row, same};
use super::merchant_urls::public_url;
use super::page_views::{ChallengeStep, ChallengeView, StepRequest, StepReturnView, StepStart};
use payframe_payment_domain::external_3ds::AuthenticationStatus;
use payframe_payment_domain::session::{CODES, Challenge, ChallengeMeans, State};
use payframe_payment_domain::terms::FramingPages;
use payframe_payment_ports::simulator_pages::ChallengeAnswer;
use payframe_storage::Subject;
use payframe_storage::external_3ds::{self, External3dsRow};
use payframe_storage::session_pages::Page;
use payframe_storage::sessions::{self, SessionRow};

impl BuyerPages<'_> {
    /// The buyer arrives with a request. `insecure`: whether merchants' addresses may be plain http.
    pub async fn start_step(&self, sent: &StepRequest, insecure: bool) -> StepStart {
        let StepRequest {
            request,
            return_url,
            operation_id,
        } = sent;
        if !public_url(return_url, insecure) {
            return StepStart::Wrong;
        }
        let is_asked = same(request, &self.external_3ds.step_request(operation_id));
        if !is_asked && request != NOT_NEEDED {
            return StepStart::Gone;
        }
        match self.try_to_start(operation_id, is_asked, return_url).await {
            Ok(Some(token)) => StepStart::Started(token),
            Ok(None) => StepStart::Gone,
            Err(problem) => {
                report("a 3-step challenge", &problem);
                StepStart::Failed
            }
        }
    }

    async fn try_to_start(
        &self,
        operation_id: &str,
        is_asked: bool,
        return_url: &str,
    ) -> Result<Option<String>, PaymentError> {
        let found =
            external_3ds::find(&mut *self.context.store().read().await?, operation_id).await?;
        let Some(External3dsRow {
            session_hash,
            status,
            ..
        }) = found
        else {
            return Ok(None);
        };
        // The fixed word is only valid for buyers without a challenge.
        if is_asked == matches!(status, AuthenticationStatus::Frictionless(_)) {
            return Ok(None);
        }
        let _held = self.context.lock_session(&session_hash).await;
        let row = self.transitions.current_row(&session_hash).await?;
        let mut transaction = self
            .context
            .store()
            .write(Subject::Session(&session_hash))
            .await?;
        let mut step = external_3ds_row(&mut transaction, operation_id).await?;
        let is_first = step.return_url.is_none();
        step.return_url = Some(return_url.to_owned());
        external_3ds::put(&mut transaction, &step).await?;
        let is_open = matches!(row.session.state, State::Ready { .. });
        if let (true, true, AuthenticationStatus::Due(_)) = (is_first, is_open, step.status) {
            self.limit_challenge(&mut transaction, &step).await?;
        }
        transaction.commit().await?;
        let page = Page::Step(operation_id.to_owned());
        Ok(Some(self.context.page_token(&session_hash, &page)))
    }

    /// The challenge of a 3-step payment. `None`: the buyer has not arrived with the request.
    pub(super) async fn step_challenge(
        &self,
        row: SessionRow,
        operation_id: &str,
    ) -> Result<Option<ChallengeView>, PaymentError> {
        let step = external_3ds_row(&mut *self.context.store().read().await?, operation_id).await?;
        let Some(return_url) = &step.return_url else {
            return Ok(None);
        };
        let open = match (&row.session.state, step.status) {
            (State::Ready { card }, AuthenticationStatus::Due(_)) => Some(card.last4.clone()),
            _ => None,
        };
        Ok(Some(ChallengeView {
            merchant: self.merchant_name(&row).await?,
            amount: row.amount,
            // The calls of such a payment have no language.
            language: String::new(),
            framing: FramingPages::only(origin_of(return_url)),
            never_ends: open.is_some() && self.challenge_never_ends(&row),
            means: open.as_ref().map(|_| ChallengeMeans::Page),
            framed_by_us: false,
            last4: open.unwrap_or_default(),
            currency: row.terms.currency,
        }))
    }

    /// Processes the buyer's answer.
    pub(super) async fn step_answered(
        &self,
        row: &SessionRow,
        operation_id: &str,
        answer: ChallengeAnswer,
    ) -> Result<ChallengeStep, PaymentError> {
        let _held = self.context.lock_session(&row.hash).await;
        let row = self.transitions.current_row(&row.hash).await?;
        let mut transaction = self
            .context
            .store()
            .write(Subject::Session(&row.hash))
            .await?;
        let mut step = external_3ds_row(&mut transaction, operation_id).await?;
        if step.return_url.is_none() {
            return Ok(ChallengeStep::Gone);
        }
        if !matches!(row.session.state, State::Ready { .. }) {
            return Ok(ChallengeStep::Return);
        }
        step.status = step.status.after(self.reply_to(&row, &answer));
        external_3ds::put(&mut transaction, &step).await?;
        let next = match step.status {
            AuthenticationStatus::Due(Challenge { wrong_codes, .. }) => ChallengeStep::AskAgain {
                left: CODES - wrong_codes.min(CODES - 1),
            },
            AuthenticationStatus::BrowserDue
            | AuthenticationStatus::Passed(_)
            | AuthenticationStatus::Failed
            | AuthenticationStatus::Frictionless(_)
            | AuthenticationStatus::Authenticated(_) => {
                // The challenge is complete. The payment has its own limit.
                sessions::put_end(&mut transaction, &row.hash, step.ends_ms).await?;
                ChallengeStep::Return
            }
        };
        transaction.commit().await?;
        Ok(next)
    }

    /// The return to the merchant, once there is a response.
    pub async fn step_return(&self, token: &str) -> Result<Option<StepReturnView>, PaymentError> {
        let Some((row, Page::Step(operation_id))) = self.page(token).await? else {
            return Ok(None);
        };
        let step = self.step_row(&operation_id).await?;
        let is_open = matches!(row.session.state, State::Ready { .. });
        if is_open && matches!(step.status, AuthenticationStatus::Due(_)) {
            return Ok(None);
        }
        Ok(self.step_return_of(step))
    }

    /// The return to the merchant, if the browser has come from it.
    pub(super) fn step_return_of(&self, step: External3dsRow) -> Option<StepReturnView> {
        let response = self.external_3ds.response_of(&step);
        let return_url = step.return_url?;
        Some(StepReturnView {
            framing: FramingPages::only(origin_of(&return_url)),
            return_url,
            response,
            operation_id: step.operation_id,
        })
    }
}

/// The origin of a validated address.
pub(super) fn origin_of(return_url: &str) -> String {
    url::Url::parse(return_url)
        .map(|url| url.origin().ascii_serialization())
        .unwrap_or_default()
}
