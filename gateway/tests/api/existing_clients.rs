//! Calls as sent by servers that were written for another gateway with this API and change only its address.

use crate::actions::paid;
use crate::contracts::{creation, pay};
use crate::harness::{ABSENT, APPROVED, Answer, TestApp, build};
use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};

/// The paths of members that are `null`.
fn nulls(path: &str, value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| match member {
                Value::Null => vec![format!("{path}.{name}")],
                member => nulls(&format!("{path}.{name}"), member),
            })
            .collect(),
        Value::Array(elements) => elements
            .iter()
            .flat_map(|element| nulls(path, element))
            .collect(),
        _ => Vec::new(),
    }
}

/// A call that moves money, without an idempotency key.
async fn without_key(app: &TestApp, path: &str, body: &Value) -> Answer {
    app.merchant().post_with(path, body, &[]).await
}

#[tokio::test]
async fn orders_operations_and_notifications_have_no_null() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["paymentSession"]["resultUrl"] = json!("https://shop.example/result");
    let id = paid(&app, "sandbox-implicit", "A2", "EUR").await;
    app.merchant().post("/orders/build", &request).await.ok();
    for path in [
        "/orders/A2",
        "/orders",
        "/operations",
        &format!("/operations/{id}"),
    ] {
        let answer = app.merchant().get(path).await.ok();
        assert_eq!(nulls("", &answer), [""; 0], "{path}");
    }
    for told in app.told().await {
        assert_eq!(nulls("", &told), [""; 0]);
    }
}

#[tokio::test]
async fn answers_that_are_given_again_have_no_null() {
    let app = TestApp::new().await;
    let key = [("idempotency-key", "build-1")];
    let first = app
        .merchant()
        .post_with("/orders/build", &build("A1"), &key)
        .await;
    let again = app
        .merchant()
        .post_with("/orders/build", &build("A1"), &key)
        .await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(first.bytes, again.bytes);
    assert_eq!(nulls("", &again.body), [""; 0]);
}

#[tokio::test]
async fn a_refund_without_a_key_is_made_with_one_and_warned_of() {
    let app = TestApp::new().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    let path = format!("/operations/{sale}/refunds");
    let body = json!({ "amount": "100", "currency": "EUR" });
    let first = without_key(&app, &path, &body).await;
    assert_eq!(first.status, 200, "{}", first.body);
    assert_eq!(first.body["warnings"][0]["code"], "GW9105");
    let made = first.header("idempotency-key").unwrap().to_owned();
    // With the key from the answer it is the same call, and the answer says so.
    let again = app
        .merchant()
        .post_with(&path, &body, &[("idempotency-key", &made)])
        .await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.body["operationId"], first.body["operationId"]);
    // Without the key it is another call, as the warning says.
    let other = without_key(&app, &path, &body).await;
    assert_eq!(other.status, 200, "{}", other.body);
    assert_ne!(other.body["operationId"], first.body["operationId"]);
}

#[tokio::test]
async fn captures_and_cancels_need_no_key() {
    let app = TestApp::new().await;
    let held = paid(&app, "sandbox-explicit", "A1", "EUR").await;
    let body = json!({ "amount": "100", "currency": "EUR" });
    let capture = without_key(&app, &format!("/operations/{held}/captures"), &body).await;
    assert_eq!(capture.body["warnings"][0]["code"], "GW9105");
    let id = capture.body["operationId"].as_str().unwrap();
    let path = format!("/operations/{id}/cancels");
    let cancel = without_key(&app, &path, &json!({})).await;
    assert_eq!(cancel.body["warnings"][0]["code"], "GW9105");
}

#[tokio::test]
async fn a_charge_without_the_buyer_needs_no_key() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "K1", "MIT_UNSCHEDULED"), APPROVED).await;
    let body = json!({
        "order": { "orderId": "B1", "amount": "1000", "currency": "EUR" }, "contractId": "K1"
    });
    let charge = without_key(&app, "/orders/mit", &body).await;
    assert_eq!(charge.status, 200, "{}", charge.body);
    assert!(charge.header("idempotency-key").is_some());
    let warnings = charge.body["operation"]["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["code"] == "GW9105"));
    // The order is paid: it is charged once, even without a key.
    let again = without_key(&app, "/orders/mit", &body).await;
    assert_eq!(again.refusal(), "400 GW9006");
}

#[tokio::test]
async fn a_key_that_is_sent_brings_no_warning() {
    let app = TestApp::new().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    let path = format!("/operations/{sale}/refunds");
    let body = json!({ "amount": "100", "currency": "EUR" });
    let answer = app.merchant().post(&path, &body).await;
    assert_eq!(answer.header("idempotency-key"), None);
    assert!(answer.ok().get("warnings").is_none());
}

#[tokio::test]
async fn the_bases_of_existing_clients_are_served() {
    let app = TestApp::new().await;
    app.open(&build("A1")).await;
    for base in [
        "/api/phoenix-0.0/psp/api/v1",
        "/psp/api/v1",
        "/api/api/phoenix-0.0/psp/api/v1",
        "/api/psp/api/v1",
    ] {
        let request = Request::get(format!("{base}/orders/A1"))
            .header("x-api-key", "sandbox-implicit")
            .body(Body::empty())
            .unwrap();
        // Not checked against the document, which names only the main base.
        let response = tower::ServiceExt::oneshot(app.router.clone(), request)
            .await
            .unwrap();
        assert_eq!(response.status(), 200, "{base}");
    }
}

#[tokio::test]
async fn a_malformed_correlation_id_refuses_no_payment() {
    let app = TestApp::new().await;
    for (order_id, value) in [("A1", ABSENT), ("A2", "12345")] {
        let headers = [
            ("correlation-id", value),
            ("content-type", "application/json"),
        ];
        let body = Body::from(build(order_id).to_string());
        let request = app
            .merchant()
            .request(Method::POST, "/orders/build", &headers, body);
        let answer = app.send(request).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let answered = answer.header("correlation-id").unwrap();
        assert!(uuid::Uuid::try_parse(answered).is_ok());
    }
}

#[tokio::test]
async fn countries_of_two_letters_are_taken() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["order"]["customerInfo"] = json!({ "billingAddress": { "country": "it" } });
    app.merchant().post("/orders/build", &request).await.ok();
    let order = app.merchant().get("/orders/A1").await.ok();
    assert_eq!(
        order["orderStatus"]["order"]["customerInfo"]["billingAddress"]["country"],
        "ITA"
    );
}

#[tokio::test]
async fn a_text_may_come_as_a_number_and_keeps_its_writing() {
    let app = TestApp::new().await;
    for (order_id, sent, echoed) in [
        ("A1", json!(0), "0"),
        ("A2", json!(7), "7"),
        ("A3", json!(12.5), "12.5"),
    ] {
        let mut request = build(order_id);
        request["order"]["customerId"] = sent;
        app.merchant().post("/orders/build", &request).await.ok();
        let order = app.merchant().get(&format!("/orders/{order_id}")).await;
        assert_eq!(
            order.ok()["orderStatus"]["order"]["customerId"],
            json!(echoed)
        );
    }
    // The length of a number is that of its digits.
    let mut request = build("A4");
    request["order"]["customField"] = json!(u64::MAX);
    request["order"]["orderId"] = json!(20260001);
    app.merchant().post("/orders/build", &request).await.ok();
    let order = app.merchant().get("/orders/20260001").await.ok();
    assert_eq!(
        order["orderStatus"]["order"]["customField"],
        "18446744073709551615"
    );
    // The same call with a text is the same call.
    let key = [("idempotency-key", "build-5")];
    let mut request = build("A5");
    request["order"]["customerId"] = json!(7);
    app.merchant()
        .post_with("/orders/build", &request, &key)
        .await
        .ok();
    request["order"]["customerId"] = json!("7");
    let again = app
        .merchant()
        .post_with("/orders/build", &request, &key)
        .await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}

#[tokio::test]
async fn what_is_no_number_and_no_text_is_still_refused() {
    let app = TestApp::new().await;
    for value in [json!(true), json!({}), json!([7]), json!(1e30)] {
        let mut request = build("A1");
        request["order"]["customerId"] = value;
        let answer = app.merchant().post("/orders/build", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026");
    }
}

#[tokio::test]
async fn a_number_is_echoed_as_a_number() {
    let app = TestApp::new().await;
    for (order_id, value) in [("A1", json!(100)), ("A2", json!("100"))] {
        let mut request = build(order_id);
        request["order"]["customerInfo"] = json!({ "merchantRiskIndicator": {
            "giftCardAmount": { "value": value, "currency": "EUR" }, "giftCardCount": 2
        } });
        app.merchant().post("/orders/build", &request).await.ok();
        let order = app.order(order_id).await;
        let risk = &order["orderStatus"]["order"]["customerInfo"]["merchantRiskIndicator"];
        assert_eq!(risk["giftCardAmount"]["value"], value);
        assert_eq!(risk["giftCardCount"], 2);
    }
}
