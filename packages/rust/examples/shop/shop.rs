//! The pages of the shop.

use super::order_book::OrderBook;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use payframe_server::order_keeper::Input;
use payframe_server::types::{
    Closing, FormOptions, OrderRequest, PaymentService, PaymentSession, SessionRequest,
};
use payframe_server::{ErrorKind, NotificationVerifier, Payframe, PayframeError, money};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Shop {
    pub(crate) payframe: Payframe,
    pub(crate) orders: Arc<OrderBook>,
    pub(crate) notifications: NotificationVerifier,
    /// The origin of the gateway.
    pub(crate) gateway: String,
    /// The shop's own.
    pub(crate) origin: String,
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    order: String,
}

type Answer = Result<Response, PayframeError>;

pub(crate) fn router(shop: Arc<Shop>) -> Router {
    Router::new()
        .route("/", get(checkout))
        .route("/checkout.js", get(script))
        .route("/pay", get(payment))
        .route("/result", get(result))
        .route("/notifications", post(notified))
        .with_state(shop)
}

async fn checkout(State(shop): State<Arc<Shop>>) -> Response {
    let outcome = shop.checkout().await;
    shop.answered(outcome)
}

async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript")], SCRIPT)
}

/// The first attempt of an order, and every other.
async fn payment(State(shop): State<Arc<Shop>>, Query(named): Query<Named>) -> Response {
    let outcome = shop.payment(&named.order).await;
    shop.answered(outcome)
}

async fn result(State(shop): State<Arc<Shop>>, Query(named): Query<Named>) -> Response {
    let order_id = &named.order;
    shop.orders.happens(order_id, Input::ReturnPage).await;
    match shop.orders.status(order_id) {
        Some(status) => status.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn notified(State(shop): State<Arc<Shop>>, headers: HeaderMap, body: Bytes) -> Response {
    let outcome = shop.notified(&headers, &body).await;
    shop.answered(outcome)
}

impl Shop {
    async fn checkout(&self) -> Answer {
        let order_id = uuid::Uuid::new_v4().simple().to_string()[..18].to_owned();
        self.orders
            .place(&order_id, money(PRICE, "EUR")?, PAY_WITHIN)?;
        self.payment(&order_id).await
    }

    async fn payment(&self, order_id: &str) -> Answer {
        if !self.orders.has(order_id) {
            return Ok(StatusCode::NOT_FOUND.into_response());
        }
        let session = self.orders.pay(order_id, || {
            self.payframe.sessions.create(&self.request(order_id))
        });
        let session = match session.await? {
            Ok(session) => session,
            Err(why) => return Ok((StatusCode::CONFLICT, why).into_response()),
        };
        let (gateway, form) = (&self.gateway, session.form.map(|form| form.html));
        let form = form.unwrap_or_default();
        let page = format!(
            r#"<!doctype html><html lang="en"><meta charset="utf-8"><title>Pay</title>
<script type="module" src="{gateway}/sdk/payframe.js"></script><script type="module" src="/checkout.js"></script>
<main data-order="{order_id}">{form}</main></html>"#
        );
        Ok(Html(page).into_response())
    }

    fn request(&self, order_id: &str) -> SessionRequest {
        let origin = &self.origin;
        SessionRequest {
            merchant_url: origin.clone(),
            order: OrderRequest {
                order_id: order_id.to_owned(),
                amount: PRICE.to_string(),
                currency: "EUR".into(),
                description: Some("Two shirts".into()),
                ..OrderRequest::default()
            },
            payment_session: PaymentSession {
                amount: PRICE.to_string(),
                payment_service: Some(PaymentService::Cards),
                result_url: format!("{origin}/result?order={order_id}"),
                cancel_url: format!("{origin}/"),
                notification_url: Some(format!("{origin}/notifications")),
                ..PaymentSession::default()
            },
            form: Some(FormOptions {
                closing: Some(Closing::Frame),
                attempts: Some(3),
                ..FormOptions::default()
            }),
            ..SessionRequest::default()
        }
    }

    /// A notification is only a reason to read the order.
    async fn notified(&self, headers: &HeaderMap, body: &[u8]) -> Answer {
        let event = self.notifications.verify(headers, body)?;
        // Not about money: this shop asks for no such events.
        let Some(order_id) = event
            .operation()
            .map(|operation| operation.order_id.clone())
        else {
            return Ok(StatusCode::NO_CONTENT.into_response());
        };
        // The gateway sends it again: the order may be on its way into the database.
        if !self.orders.has(&order_id) {
            return Ok(StatusCode::NOT_FOUND.into_response());
        }
        self.orders.happens(&order_id, Input::Notification).await;
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    fn answered(&self, outcome: Answer) -> Response {
        outcome.unwrap_or_else(|error| {
            self.orders.report(&error);
            match error.kind() {
                ErrorKind::Notification => StatusCode::BAD_REQUEST.into_response(),
                _ => StatusCode::BAD_GATEWAY.into_response(),
            }
        })
    }
}

const SCRIPT: &str = "const main = document.querySelector('main');
main.firstElementChild.addEventListener('result', ({ detail }) => {
  if (detail.final) location.assign('/result?order=' + main.dataset.order);
});";
/// In cents.
const PRICE: u64 = 3545;
const PAY_WITHIN: Duration = Duration::from_secs(30 * 60);
