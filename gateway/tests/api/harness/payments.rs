//! Payments of the tests: their requests, their cards, and the calls that carry them out.

use super::TestApp;
use serde_json::{Value, json};

/// A build request for an order, as in the contract's example.
pub(crate) fn build(order_id: &str) -> Value {
    json!({
        "version": "3",
        "merchantUrl": "https://shop.example",
        "order": { "orderId": order_id, "amount": "3545", "currency": "EUR", "customerId": "cust-7", "description": "Order 42" },
        "paymentSession": {
            "actionType": "PAY", "amount": "3545", "language": "ita",
            "recurrence": { "action": "NO_RECURRING" }, "exemptions": "NO_PREFERENCE",
            "paymentService": "CARDS",
            "resultUrl": "https://shop.example/ok", "cancelUrl": "https://shop.example/ko",
            "notificationUrl": "https://shop.example/hook"
        }
    })
}

/// The same with the one-frame form.
pub(crate) fn build_form(order_id: &str, attempts: u8) -> Value {
    let mut request = build(order_id);
    request["form"] = json!({ "closing": "FRAME", "attempts": attempts });
    request
}

/// The same for version 2.
pub(crate) fn build_two(order_id: &str) -> Value {
    let mut request = build(order_id);
    request["version"] = json!("2");
    request
}

/// Card data as the form sends it.
pub(crate) fn card(number: &str) -> Value {
    json!([
        { "id": "CARD_NUMBER", "value": number },
        { "id": "EXPIRATION_DATE", "value": "1230" },
        { "id": "SECURITY_CODE", "value": if number.starts_with('3') && number.len() == 15 { "1234" } else { "123" } },
        { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" },
    ])
}

pub(crate) const APPROVED: &str = "4761730000000003";
pub(crate) const CHALLENGED: &str = "4761730000003007";
pub(crate) const DECLINED: &str = "4761730000001167";

impl TestApp {
    /// A session with its card inputs open.
    pub(crate) async fn open(&self, request: &Value) -> String {
        self.open_by("sandbox-implicit", request).await
    }

    pub(crate) async fn open_by(&self, api_key: &str, request: &Value) -> String {
        let answer = self.key(api_key).post("/orders/build", request).await.ok();
        answer["sessionId"].as_str().unwrap().to_owned()
    }

    /// Submits a card and lets its device check run.
    pub(crate) async fn enter(&self, session: &str, number: &str) {
        let answer = self
            .frame(session)
            .post("/fe/build/text", &card(number))
            .await
            .ok();
        if let Some(url) = answer["gdiStatus"]["gdiUrl"].as_str() {
            self.app
                .buyer_pages()
                .device_check_done(token_of(url))
                .await
                .unwrap();
        }
    }

    pub(crate) async fn state(&self, session: &str) -> Value {
        self.merchant()
            .get(&format!("/build/state?sessionId={session}"))
            .await
            .ok()
    }

    pub(crate) async fn finalize(&self, session: &str) -> Value {
        self.merchant()
            .post("/build/finalize_payment", &json!({ "sessionId": session }))
            .await
            .ok()
    }

    pub(crate) async fn order(&self, order_id: &str) -> Value {
        self.merchant()
            .get(&format!("/orders/{order_id}"))
            .await
            .ok()
    }

    /// The operations of an order, oldest first; the API lists the newest first.
    pub(crate) async fn operations(&self, order_id: &str) -> Value {
        let mut order = self.order(order_id).await;
        let mut operations = order["operations"].take();
        operations.as_array_mut().unwrap().reverse();
        operations
    }
}

/// The token at the end of a page's address.
pub(crate) fn token_of(url: &str) -> &str {
    url.rsplit('/').next().unwrap()
}

/// State and operation in short, such as `PAYMENT_COMPLETE AUTHORIZATION/EXECUTED`.
pub(crate) fn short(state: &Value) -> String {
    let mut text = state["state"].as_str().unwrap_or("?").to_owned();
    if let Some(operation) = state["operation"].as_object() {
        let (kind, result) = (&operation["operationType"], &operation["operationResult"]);
        text.push_str(&format!(
            " {}/{}",
            kind.as_str().unwrap_or("?"),
            result.as_str().unwrap_or("?")
        ));
    }
    text
}
