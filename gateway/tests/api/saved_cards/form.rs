//! Forms with saved cards, as buyers use them.

use crate::harness::{Answer, TestApp, build_form, card, short, token_of};
use serde_json::{Value, json};

/// A request whose form shows the customer's saved cards.
pub(crate) fn with_saved(order_id: &str, saved: &str) -> Value {
    let mut request = build_form(order_id, 2);
    request["form"]["savedCards"] = json!(saved);
    request
}

/// A request that stores the card of its payment for later ones.
pub(crate) fn keeping(order_id: &str, contract_id: &str, kind: &str) -> Value {
    let mut request = build_form(order_id, 2);
    request["paymentSession"]["recurrence"] = json!({
        "action": "CONTRACT_CREATION", "contractId": contract_id, "contractType": kind
    });
    request
}

/// Pays with a card and stores it.
pub(crate) async fn keep(app: &TestApp, contract_id: &str, number: &str) {
    let order_id = format!("of-{contract_id}-{number}");
    let session = app.open(&keeping(&order_id, contract_id, "CIT")).await;
    let refused = enter(app, &session, &card(number)).await;
    assert!(refused.is_empty(), "{refused:?}");
    let state = app.finalize(&session).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}

/// A buyer's tab with the form of a session. It keeps the pass of the last document for the next one.
pub(crate) struct Tab<'a> {
    app: &'a TestApp,
    session: &'a str,
    pub(crate) pass: Option<String>,
}

impl<'a> Tab<'a> {
    pub(crate) fn of(app: &'a TestApp, session: &'a str) -> Tab<'a> {
        Tab {
            app,
            session,
            pass: None,
        }
    }

    /// Loads the form, or loads it again.
    pub(crate) async fn load(&mut self) -> Answer {
        let pass = self.pass.take();
        let pass = pass.map_or_else(String::new, |pass| format!("&pass={pass}"));
        let address = format!("/form/?sessionid={}{pass}", self.session);
        let page = self.app.page(&address, &[]).await;
        let text = page.text();
        let rest = text.split_once("data-pass=\"").map(|(_, rest)| rest);
        self.pass = rest.map(|rest| rest.split_once('"').unwrap().0.to_owned());
        page
    }

    pub(crate) async fn shown(&mut self) -> Vec<Value> {
        shown_by(&self.load().await)
    }
}

/// The cards that a document of the form shows.
pub(crate) fn shown_by(page: &Answer) -> Vec<Value> {
    let saved = &page.boot()["saved"]["cards"];
    saved.as_array().cloned().unwrap_or_default()
}

pub(crate) async fn boot(app: &TestApp, session: &str) -> Value {
    Tab::of(app, session).load().await.boot()
}

/// The cards that the first document of the session shows.
pub(crate) async fn shown(app: &TestApp, session: &str) -> Vec<Value> {
    Tab::of(app, session).shown().await
}

pub(crate) fn items(id: &Value, code: &str) -> Value {
    json!([{ "id": "SAVED_CARD", "value": id }, { "id": "SECURITY_CODE", "value": code }])
}

/// Sends items; returns the refusal.
pub(crate) async fn enter(app: &TestApp, session: &str, items: &Value) -> Vec<Value> {
    let answer = app.frame(session).post("/fe/build/text", items).await.ok();
    if let Some(url) = answer["gdiStatus"]["gdiUrl"].as_str() {
        app.app
            .buyer_pages()
            .device_check_done(token_of(url))
            .await
            .unwrap();
    }
    let statuses = answer["fieldStatus"].as_array().unwrap();
    statuses
        .iter()
        .filter(|status| status["event"] == "BUILD_ERROR")
        .map(|status| json!([status["id"], status["errorCode"]]))
        .collect()
}

pub(crate) async fn remove(app: &TestApp, session: &str, id: &Value) -> Answer {
    let path = format!("/fe/build/remove_saved_card/{}", id.as_str().unwrap());
    app.frame(session).post(&path, &Value::Null).await
}
