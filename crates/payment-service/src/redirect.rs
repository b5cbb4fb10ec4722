//! Alternative methods: the buyer is redirected to a page of the method, which in a sandbox is ours, and returns.
//!
//! The buyer's answer is an event in [`super::transition`]: it is stored, decided by the method's operator, and the decision is recorded.
//! So a crash at any point does not lose the operator's decision.

use super::error::{PaymentError, report};
use super::page_views::{MethodStep, MethodView, ReturnView};
use super::transition::EventContext;
use super::{BuyerPages, Transitions};
use payframe_payment_domain::session::{Event, MethodReply, State};
use payframe_payment_ports::simulator_pages::MethodAnswer;
use payframe_storage::session_pages::Page;

impl BuyerPages<'_> {
    /// The page of an alternative method with this token.
    pub async fn method_page(&self, token: &str) -> Result<Option<MethodView>, PaymentError> {
        let Some((row, Page::Method(operation_id))) = self.page(token).await? else {
            return Ok(None);
        };
        let open = match &row.session.state {
            State::Redirected { redirect } if redirect.operation_id == operation_id => {
                Some(redirect.method.name().to_owned())
            }
            _ => None,
        };
        Ok(Some(MethodView {
            merchant: self.merchant_name(&row).await?,
            amount: row.amount,
            currency: row.terms.currency,
            language: row.terms.language,
            framing: row.terms.framing,
            finished: open.is_none(),
            method: open.unwrap_or_default(),
        }))
    }

    /// Processes the buyer's answer. The payment has its outcome before this returns, even if the caller does not wait.
    pub async fn method_answer(&self, token: &str, answer: MethodAnswer) -> MethodStep {
        match self.try_method_answer(token, answer).await {
            Ok(step) => step,
            Err(PaymentError::Refused(_)) => MethodStep::Gone,
            Err(problem) => {
                report("an alternative method", &problem);
                MethodStep::Failed
            }
        }
    }

    async fn try_method_answer(
        &self,
        token: &str,
        answer: MethodAnswer,
    ) -> Result<MethodStep, PaymentError> {
        let Some((row, Page::Method(operation_id))) = self.page(token).await? else {
            return Ok(MethodStep::Gone);
        };
        let reply = match self.context.simulator_pages().return_data(answer) {
            Some(return_data) => MethodReply::Returned(return_data),
            None => MethodReply::Cancel,
        };
        let event = Event::MethodAnswered {
            operation_id,
            reply,
        };
        let payments = self.context.clone();
        // In a separate task: a browser that disconnects must not interrupt the payment.
        let answered = tokio::spawn(async move {
            let held = payments.lock_session(&row.hash).await;
            let context = EventContext {
                by_buyer: true,
                ..EventContext::default()
            };
            Transitions::new(&payments)
                .advance(&held, &row.hash, event, context)
                .await
        });
        match answered.await {
            Ok(advanced) => advanced.map(|_| MethodStep::Return),
            Err(_) => Ok(MethodStep::Failed),
        }
    }

    /// Where the browser goes from the page with this token.
    pub async fn method_return(&self, token: &str) -> Result<Option<ReturnView>, PaymentError> {
        Ok(match self.page(token).await? {
            Some((row, Page::Method(_))) => Some(self.context.return_view(row)),
            _ => None,
        })
    }
}
