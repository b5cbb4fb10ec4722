//! `POST /orders/build`: what it accepts, what it refuses, what it answers.

mod refusals;
mod same_order;

use crate::harness::{APPROVED, DECLINED, TestApp, build, build_form, short};
use serde_json::{Value, json};

/// The request with one member changed. `path` is dotted; `null` removes the member.
fn with(path: &str, value: Value) -> Value {
    let mut request = build("A1");
    let mut place = &mut request;
    for step in path.split('.') {
        place = &mut place[step];
    }
    *place = value;
    request
}

async fn refusal(app: &TestApp, request: &Value) -> String {
    let answer = app.merchant().post("/orders/build", request).await;
    format!("{} {}", answer.refusal(), answer.why())
}

#[tokio::test]
async fn the_answer_holds_what_the_page_needs() {
    let app = TestApp::new().await;
    let answer = app
        .merchant()
        .post("/orders/build", &build("A1"))
        .await
        .ok();
    let session = answer["sessionId"].as_str().unwrap();
    assert_eq!(session.len(), 43);
    let token = answer["securityToken"].as_str().unwrap();
    assert!(
        token.len() == 32
            && token
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
    );
    assert_eq!(answer["state"], "CARD_DATA_COLLECTION");
    assert_eq!(answer["warnings"], json!([]));
    assert!(answer.get("form").is_none() && answer.get("url").is_none());
    let ids: Vec<&str> = answer["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids,
        [
            "CARD_NUMBER",
            "EXPIRATION_DATE",
            "SECURITY_CODE",
            "CARDHOLDER_NAME"
        ]
    );
    let first = &answer["fields"][0];
    assert_eq!(
        (&first["type"], &first["class"]),
        (&json!("TEXT"), &json!("CARD_FIELD"))
    );
    let src = first["src"].as_str().unwrap();
    assert!(
        src.starts_with("https://gateway.example/fields/?id=CARD_NUMBER&lang=ITA&correlationid="),
        "{src}"
    );
    assert!(
        src.ends_with(&format!("&sessionid={session}&placeholder=Y")),
        "{src}"
    );
}

#[tokio::test]
async fn without_a_service_the_buyer_chooses_the_method() {
    let app = TestApp::new().await;
    let answer = app
        .merchant()
        .post(
            "/orders/build",
            &with("paymentSession.paymentService", Value::Null),
        )
        .await
        .ok();
    assert_eq!(answer["state"], "PAYMENT_METHOD_SELECTION");
    let button = &answer["fields"][0];
    assert_eq!(
        (&button["type"], &button["class"], &button["id"]),
        (&json!("ACTION"), &json!("CARD"), &json!("PAY_WITH_CARD"))
    );
    assert_eq!(answer["fields"][1]["class"], "APM");
}

#[tokio::test]
async fn the_form_has_an_address_and_an_end() {
    let app = TestApp::new().await;
    let mut request = build_form("A1", 3);
    request["form"]["expiresInSeconds"] = json!(60);
    let answer = app.merchant().post("/orders/build", &request).await.ok();
    let session = answer["sessionId"].as_str().unwrap();
    assert_eq!(
        answer["form"]["src"],
        format!("https://gateway.example/form/?lang=ITA&sessionid={session}")
    );
    assert_eq!(answer["form"]["expiresAt"], "2026-11-20T10:01:00.000Z");
}

#[tokio::test]
async fn requests_that_are_good_in_unusual_ways_are_taken() {
    let app = TestApp::new().await;
    for (path, value) in [
        ("version", Value::Null),
        ("version", json!(3)),
        ("version", json!(2)),
        ("version", json!("2")),
        ("merchantUrl", json!("https://shop.example/basket?x=1")),
        ("merchantUrl", json!("http://127.0.0.1:8788")),
        ("order.amount", json!(3545)),
        ("order.amount", json!("000000003545")),
        ("order.currency", json!("eur")),
        ("order.unknownMember", json!({"anything": 1})),
        (
            "order.customerInfo",
            json!({"billingAddress": {"country": "ita"}, "unknown": 1}),
        ),
        (
            "order.installments",
            json!([{"date": "2026-11-20", "amount": "45"}, {"date": "2027-01-01", "amount": 3500}]),
        ),
        (
            "order.plan",
            json!({"planType": "ACQUIRER_AGREEMENT", "installmentQty": 3}),
        ),
        (
            "order.transactionSummary",
            json!([{"language": "ENG", "summaryList": [{"label": "a", "value": "b"}]}]),
        ),
        ("paymentSession.recurrence", Value::Null),
        ("paymentSession.amount", json!("1")),
        ("paymentSession.language", Value::Null),
        ("paymentSession.notificationUrl", Value::Null),
        ("paymentSession.captureType", json!("IMPLICIT")),
        ("paymentSession.actionType", json!("PREAUTH")),
        ("paymentSession.exemptions", json!("CHALLENGE_REQUESTED")),
        ("form", json!({})),
        (
            "form",
            json!({"closing": "FRAME", "attempts": 5, "cardSummary": "BIN_LAST4", "methods": "CARDS", "expiresInSeconds": 1800}),
        ),
    ] {
        let mut request = with(path, value.clone());
        // Each case has its own order.
        request["order"]["orderId"] = json!(uuid::Uuid::new_v4().simple().to_string()[..20]);
        let answer = app.merchant().post("/orders/build", &request).await;
        assert_eq!(answer.status, 200, "{path} {value}: {}", answer.body);
    }
}

#[tokio::test]
async fn languages_and_currencies_give_warnings() {
    let app = TestApp::new().await;
    let mut request = with("paymentSession.language", json!("nld"));
    request["order"]["currency"] = json!("HRK");
    let answer = app.merchant().post("/orders/build", &request).await.ok();
    let codes: Vec<&Value> = answer["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| &warning["code"])
        .collect();
    assert_eq!(codes, ["GW9101", "GW9104"]);
    assert!(
        answer["fields"][0]["src"]
            .as_str()
            .unwrap()
            .contains("lang=ENG")
    );
}

#[tokio::test]
async fn a_verification_may_be_for_nothing() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["order"]["amount"] = json!("0");
    request["paymentSession"]["amount"] = json!("0");
    request["paymentSession"]["actionType"] = json!("VERIFY");
    let session = app.open(&request).await;
    app.enter(&session, APPROVED).await;
    let state = app.finalize(&session).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE CARD_VERIFICATION/EXECUTED");
    assert_eq!(state["operation"]["operationAmount"], "0");
    assert_eq!(
        app.order("A1").await["orderStatus"]["authorizedAmount"],
        "0"
    );
}
