//! The merchant's server changes the sum of an open session (`PATCH /build/session`); nobody is charged a sum that differs from the one that the form
//! showed when the buyer pressed Pay.

use crate::harness::{
    APPROVED, Answer, CHALLENGED, Caller, TestApp, build_form, card, short, token_of,
};
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};

const DOLLAR_CARD: &str = "4761738400000002";

/// A session that the form or the merchant's server closes.
async fn open(app: &TestApp, closing: &str) -> String {
    let mut request = build_form("A1", 3);
    request["form"]["closing"] = json!(closing);
    app.open(&request).await
}

async fn patch(app: &TestApp, caller: &Caller<'_>, body: &Value, key: Option<&str>) -> Answer {
    let mut headers = vec![("content-type", "application/json")];
    headers.extend(key.map(|key| ("idempotency-key", key)));
    let body = Body::from(body.to_string());
    app.send(caller.request(Method::PATCH, "/build/session", &headers, body))
        .await
}

async fn change(app: &TestApp, session: &str, change: Value) -> Answer {
    let mut body = change;
    body["sessionId"] = json!(session);
    patch(app, &app.merchant(), &body, None).await
}

/// The card of a form that shows this sum.
fn card_for(number: &str, sum: &str) -> Value {
    let mut items = card(number);
    let shown = json!({ "id": "SHOWN_SUM", "value": sum });
    items.as_array_mut().unwrap().push(shown);
    items
}

/// Sends a card, and runs its device check.
async fn send(app: &TestApp, session: &str, items: &Value) -> Answer {
    let answer = app.frame(session).post("/fe/build/text", items).await;
    if let Some(url) = answer.body["gdiStatus"]["gdiUrl"].as_str() {
        app.app
            .buyer_pages()
            .device_check_done(token_of(url))
            .await
            .unwrap();
    }
    answer
}

async fn close(app: &TestApp, session: &str, sum: &str) -> Answer {
    let body = json!({ "sessionId": session, "shownSum": sum });
    let frame = app.frame(session);
    frame.post("/build/finalize_payment", &body).await
}

async fn sum(app: &TestApp, session: &str) -> Value {
    let path = format!("/build/state?sessionId={session}");
    app.frame(session).get(&path).await.ok()["sum"].clone()
}

async fn amounts(app: &TestApp) -> Value {
    let order = app.merchant().get("/orders/A1").await.ok();
    json!([
        order["orderStatus"]["order"]["amount"],
        order["orderStatus"]["order"]["currency"],
        order["orderStatus"]["authorizedAmount"],
    ])
}

#[tokio::test]
async fn a_form_is_told_the_new_sum_and_pays_no_other() {
    let app = TestApp::new().await;
    let session = open(&app, "FRAME").await;
    let changed = change(&app, &session, json!({ "amount": "4000" }))
        .await
        .ok();
    assert_eq!(
        changed,
        json!({ "state": "CARD_DATA_COLLECTION", "amount": "4000", "currency": "EUR", "orderAmount": "4000", "warnings": [] })
    );
    let told = json!({ "amount": "4000", "currency": "EUR", "minorDigits": 2 });
    assert_eq!(sum(&app, &session).await, told);
    // A card from a form that shows another sum is refused.
    assert_eq!(
        send(&app, &session, &card_for(APPROVED, "3545 EUR"))
            .await
            .refusal(),
        "400 PS0026"
    );
    send(&app, &session, &card_for(APPROVED, "4000 EUR"))
        .await
        .ok();
    assert_eq!(
        close(&app, &session, "3545 EUR").await.refusal(),
        "400 PS0026"
    );
    let paid = close(&app, &session, "4000 EUR").await.ok();
    assert_eq!(paid["state"], "PAYMENT_COMPLETE");
    assert_eq!(amounts(&app).await, json!(["4000", "EUR", "4000"]));
}

#[tokio::test]
async fn a_press_that_is_on_its_way_is_asked_for_again() {
    let app = TestApp::new().await;
    let session = open(&app, "FRAME").await;
    send(&app, &session, &card_for(APPROVED, "3545 EUR"))
        .await
        .ok();
    let changed = change(
        &app,
        &session,
        json!({ "amount": "500", "currency": "jpy" }),
    );
    assert_eq!(changed.await.ok()["state"], "READY_FOR_PAYMENT");
    for shown in ["3545 EUR", "500 EUR", "3545 JPY"] {
        let refused = close(&app, &session, shown).await;
        assert_eq!(refused.refusal(), "400 PS0026", "{shown}");
    }
    // A form of an older release sends no sum with this call. The sum that it sent with the card counts.
    let body = json!({ "sessionId": session });
    let unnamed = app.frame(&session);
    let unnamed = unnamed.post("/build/finalize_payment", &body).await;
    assert_eq!(unnamed.refusal(), "400 PS0026");
    assert_eq!(
        sum(&app, &session).await,
        json!({ "amount": "500", "currency": "JPY", "minorDigits": 0 })
    );
    close(&app, &session, "500 JPY").await.ok();
    assert_eq!(amounts(&app).await, json!(["500", "JPY", "500"]));
}

#[tokio::test]
async fn the_merchants_server_closes_only_what_the_buyer_pressed_pay_for() {
    let app = TestApp::new().await;
    let session = open(&app, "SERVER").await;
    send(&app, &session, &card_for(APPROVED, "3545 EUR"))
        .await
        .ok();
    change(&app, &session, json!({ "amount": "4000" }))
        .await
        .ok();
    let body = json!({ "sessionId": session });
    let merchant = app.merchant();
    let early = merchant.post("/build/finalize_payment", &body).await;
    assert_eq!(early.refusal(), "400 PS0026");
    let frame = app.frame(&session);
    let agree = async |sum: &str| {
        let body = json!({ "shownSum": sum });
        frame.post("/fe/build/sum", &body).await
    };
    assert_eq!(agree("3545 EUR").await.refusal(), "400 PS0026");
    assert_eq!(agree("4000").await.refusal(), "400 PS0026");
    assert_eq!(agree("4000 EUR").await.ok()["state"], "READY_FOR_PAYMENT");
    let paid = merchant.post("/build/finalize_payment", &body).await.ok();
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(amounts(&app).await, json!(["4000", "EUR", "4000"]));
}

#[tokio::test]
async fn a_payment_on_its_way_or_over_keeps_its_sum() {
    let app = TestApp::new().await;
    let session = open(&app, "FRAME").await;
    app.enter(&session, CHALLENGED).await;
    app.finalize(&session).await;
    let refused = change(&app, &session, json!({ "amount": "4000" })).await;
    assert_eq!(refused.refusal(), "400 GW9003");
    assert!(refused.why().contains("on its way"), "{}", refused.why());
    let body = json!({ "sessionId": session });
    app.merchant().post("/build/cancel", &body).await.ok();
    let refused = change(&app, &session, json!({ "amount": "4000" })).await;
    assert_eq!(refused.refusal(), "400 GW9003");
    assert_eq!(amounts(&app).await[0], "3545");
}

#[tokio::test]
async fn an_offer_for_the_former_sum_is_withdrawn() {
    let app = TestApp::new().await;
    let session = open(&app, "FRAME").await;
    let frame = app.frame(&session);
    let answer = frame
        .post("/fe/build/bin", &json!({ "bin": "47617384" }))
        .await
        .ok();
    let offer = &answer["currencyOffer"];
    let shown = format!(
        "{} {}",
        offer["amount"].as_str().unwrap(),
        offer["currency"].as_str().unwrap()
    );
    let mut items = card_for(DOLLAR_CARD, &shown);
    let taken = json!({ "id": "CURRENCY_OFFER", "value": offer["offerId"] });
    items.as_array_mut().unwrap().push(taken);
    send(&app, &session, &items).await.ok();
    let path = format!("/build/state?sessionId={session}");
    assert_eq!(
        frame.get(&path).await.ok()["offer"]["currency"],
        offer["currency"]
    );
    let changed = change(&app, &session, json!({ "amount": "4000" }))
        .await
        .ok();
    assert_eq!(changed["warnings"][0]["code"], "GW9102");
    // The offer stays withdrawn after a return to the former sum. A buyer who saw the offer is not charged.
    change(&app, &session, json!({ "amount": "3545" }))
        .await
        .ok();
    assert_eq!(close(&app, &session, &shown).await.refusal(), "400 PS0026");
    assert_eq!(frame.get(&path).await.ok().get("offer"), None);
    close(&app, &session, "3545 EUR").await.ok();
    assert_eq!(amounts(&app).await, json!(["3545", "EUR", "3545"]));
}

#[tokio::test]
async fn a_part_of_an_order_changes_apart_from_it() {
    let app = TestApp::new().await;
    let mut request = build_form("A1", 1);
    request["order"]["amount"] = json!("9000");
    request["paymentSession"]["amount"] = json!("3000");
    let session = app.open(&request).await;
    let part = change(&app, &session, json!({ "amount": "3500" }))
        .await
        .ok();
    assert_eq!(part["orderAmount"], "9000");
    let above = change(&app, &session, json!({ "amount": "9001" })).await;
    assert_eq!(above.refusal(), "400 PS0007");
    let both = json!({ "amount": "9500", "orderAmount": "9500", "description": "One more" });
    assert_eq!(
        change(&app, &session, both).await.ok()["orderAmount"],
        "9500"
    );
    let order = app.merchant().get("/orders/A1").await.ok();
    assert_eq!(order["orderStatus"]["order"]["description"], "One more");
}

#[tokio::test]
async fn what_is_wrong_with_a_change_is_named() {
    let app = TestApp::new().await;
    let session = open(&app, "FRAME").await;
    for (body, expected) in [
        (json!({}), "400 PS0026"),
        (json!({ "amount": "0" }), "400 PS0026"),
        (json!({ "amount": "12.5" }), "400 PS0036"),
        (json!({ "currency": "XYZ" }), "400 PS0009"),
        (json!({ "orderAmount": "0" }), "400 PS0026"),
        (json!({ "description": [] }), "400 PS0026"),
        (json!({ "description": "<script>" }), "400 PS0041"),
    ] {
        let answer = change(&app, &session, body.clone()).await;
        assert_eq!(answer.refusal(), expected, "{body}");
    }
    let good = json!({ "sessionId": session, "amount": "4000" });
    let unknown = json!({ "sessionId": "unknown", "amount": "4000" });
    let merchant = app.merchant();
    assert_eq!(
        patch(&app, &merchant, &unknown, None).await.refusal(),
        "400 PS0061"
    );
    let other = app.key("sandbox-other-merchant");
    assert_eq!(
        patch(&app, &other, &good, None).await.refusal(),
        "400 PS0061"
    );
    let frame = app.frame(&session);
    assert_eq!(patch(&app, &frame, &good, None).await.status, 401);
    assert_eq!(amounts(&app).await[0], "3545");
}

/// A repetition that comes late does not set an older sum.
#[tokio::test]
async fn a_change_is_carried_out_once_for_each_key() {
    let app = TestApp::new().await;
    let session = open(&app, "FRAME").await;
    let merchant = app.merchant();
    let body = |amount: &str| json!({ "sessionId": session, "amount": amount });
    let first = patch(&app, &merchant, &body("4000"), Some("one"))
        .await
        .ok();
    patch(&app, &merchant, &body("4500"), Some("two"))
        .await
        .ok();
    let again = patch(&app, &merchant, &body("4000"), Some("one")).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.ok(), first);
    assert_eq!(sum(&app, &session).await["amount"], "4500");
    let other = patch(&app, &merchant, &body("5000"), Some("one")).await;
    assert_eq!(other.refusal(), "400 PS0025");
}
