//! Alternative methods: the buyer is sent to a page of the method, which in a sandbox is ours, and comes back.
//!
//! What the buyer presses there is one event more in [`super::transition`]: noted, decided by the method's operator
//! outside, booked. So a crash at any point books what the operator decided.

use super::error::PaymentError;
use super::page_views::{MethodStep, MethodView, ReturnView};
use super::transition::EventContext;
use crate::App;
use payframe_money::minor_digits;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::session::{Event, MethodReply, State};
use payframe_payment_ports::simulator_pages::MethodAnswer;
use payframe_storage::sessions::{Page, SessionRow};

impl App {
    /// The buyer pressed the button of an alternative method.
    pub(crate) async fn choose_method(
        &self,
        hash: &str,
        method: &'static Method,
    ) -> Result<SessionRow, PaymentError> {
        let held = self.lock_session(hash).await;
        let event = Event::MethodChosen {
            method,
            operation_id: payframe_vault::random_operation_id()?,
        };
        let context = EventContext {
            by_buyer: true,
            ..EventContext::default()
        };
        self.advance(&held, hash, event, context).await
    }

    /// The address of the method's page, while the buyer is there.
    pub(crate) fn method_url(&self, row: &SessionRow) -> Option<String> {
        let (State::Redirected { redirect } | State::Settling { redirect, .. }) =
            &row.session.state
        else {
            return None;
        };
        let token = self.page_token(&row.hash, &Page::Method(redirect.operation_id.clone()));
        Some(format!("{}/methods/pay/{token}", self.config().origin))
    }

    /// The page of an alternative method with this token.
    pub async fn method_page(&self, token: &str) -> Option<MethodView> {
        let (row, page) = self.page(token).await?;
        let Page::Method(operation_id) = page else {
            return None;
        };
        let open = match &row.session.state {
            State::Redirected { redirect } if redirect.operation_id == operation_id => {
                Some(redirect.method.label())
            }
            _ => None,
        };
        let merchant = match self.merchant_name(&row).await {
            Ok(name) => name,
            Err(problem) => {
                self.report("the page of a method", &problem);
                return None;
            }
        };
        Some(MethodView {
            merchant,
            amount_minor: row.amount.to_string(),
            minor_digits: minor_digits(&row.terms.currency).unwrap_or(2),
            currency: row.terms.currency,
            language: row.terms.language,
            merchant_origin: row.terms.merchant_origin,
            finished: open.is_none(),
            method: open.unwrap_or_default(),
        })
    }

    /// Takes what the buyer pressed; the payment has its outcome before this returns, whether or not the caller
    /// waits for it.
    pub async fn method_answer(&self, token: &str, answer: MethodAnswer) -> MethodStep {
        let Some((row, Page::Method(operation_id))) = self.page(token).await else {
            return MethodStep::Gone;
        };
        let reply = match self.simulator_pages().return_data(answer) {
            Some(return_data) => MethodReply::Returned(return_data),
            None => MethodReply::Cancel,
        };
        let event = Event::MethodAnswered {
            operation_id,
            reply,
        };
        let app = self.clone();
        // A task of its own: a browser that goes away must not leave the money half-way.
        let answered = tokio::spawn(async move {
            let held = app.lock_session(&row.hash).await;
            let context = EventContext {
                by_buyer: true,
                ..EventContext::default()
            };
            app.advance(&held, &row.hash, event, context).await
        });
        match answered.await {
            Ok(Ok(_)) => MethodStep::Return,
            Ok(Err(PaymentError::Refused(_))) => MethodStep::Gone,
            Ok(Err(problem)) => {
                self.report("an alternative method", &problem);
                MethodStep::Failed
            }
            Err(_) => MethodStep::Failed,
        }
    }

    /// Where the browser goes from the page with this token.
    pub async fn method_return(&self, token: &str) -> Option<ReturnView> {
        let (row, page) = self.page(token).await?;
        matches!(page, Page::Method(_)).then(|| self.way_back(row))
    }
}
