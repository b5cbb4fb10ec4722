//! The version of an order: told by `ETag`, compared by `If-Match`.

use crate::actions::paid;
use crate::harness::{Answer, TestApp};
use serde_json::json;

async fn version(app: &TestApp) -> String {
    let answer = app.merchant().get("/orders/A1").await;
    let header = answer.header("etag").unwrap().to_owned();
    let version = answer.ok()["orderVersion"].as_str().unwrap().to_owned();
    assert_eq!(header, format!("\"{version}\""));
    header
}

async fn refund(app: &TestApp, operation: &str, key: &str, if_match: &str) -> Answer {
    let headers = [("idempotency-key", key), ("if-match", if_match)];
    let body = json!({ "amount": "1000", "currency": "EUR" });
    let path = format!("/operations/{operation}/refunds");
    app.merchant().post_with(&path, &body, &headers).await
}

#[tokio::test]
async fn a_refund_of_another_version_than_the_caller_saw_is_refused() {
    let app = TestApp::new().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    let seen = version(&app).await;
    assert_eq!(version(&app).await, seen, "reading changes nothing");
    let first = refund(&app, &sale, "k1", &seen).await.ok();
    // A second colleague saw the same order.
    let late = refund(&app, &sale, "k2", &seen).await;
    assert_eq!(late.refusal(), "412 GW9012");
    assert!(late.why().contains("If-Match"), "{}", late.why());
    assert_eq!(
        app.order("A1").await["orderStatus"]["refundedAmount"],
        "1000"
    );
    // The same call again is answered as before, whatever has changed.
    assert_eq!(refund(&app, &sale, "k1", &seen).await.ok(), first);
    // After another look, the refused call is sent again with its key.
    let seen = version(&app).await;
    refund(&app, &sale, "k2", &seen).await.ok();
    assert_eq!(
        app.order("A1").await["orderStatus"]["refundedAmount"],
        "2000"
    );
}

#[tokio::test]
async fn what_the_shop_tells_is_a_change_too() {
    let app = TestApp::new().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    let seen = version(&app).await;
    let told = json!({ "state": "FULFILLED" });
    let put = app.merchant().put("/orders/A1/fulfilment", &told).await;
    put.ok();
    let late = refund(&app, &sale, "k1", &seen).await;
    assert_eq!(late.refusal(), "412 GW9012");
}

#[tokio::test]
async fn headers_that_are_no_version() {
    let app = TestApp::new().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    let seen = version(&app).await;
    let weak = format!("W/{seen}");
    let both = format!("\"former\", {seen}");
    for (key, if_match, expected) in [
        ("k1", "former", "400 PS0026"),
        ("k2", "\"former\"", "412 GW9012"),
        ("k3", weak.as_str(), "412 GW9012"),
        ("k4", both.as_str(), "200"),
        ("k5", "*", "200"),
    ] {
        let answer = refund(&app, &sale, key, if_match).await;
        assert_eq!(answer.refusal(), expected, "{if_match}");
    }
}

#[tokio::test]
async fn captures_and_cancels_compare_the_version_too() {
    let app = TestApp::new().await;
    let held = paid(&app, "sandbox-explicit", "A1", "EUR").await;
    let seen = version(&app).await;
    let body = json!({ "amount": "4000", "currency": "EUR" });
    let headers = |key| [("idempotency-key", key), ("if-match", seen.as_str())];
    let path = format!("/operations/{held}/captures");
    let merchant = app.merchant();
    let capture = merchant.post_with(&path, &body, &headers("k1")).await.ok();
    let late = merchant.post_with(&path, &body, &headers("k2")).await;
    assert_eq!(late.refusal(), "412 GW9012");
    let captured = capture["operationId"].as_str().unwrap();
    let path = format!("/operations/{captured}/cancels");
    let late = merchant.post_with(&path, &json!({}), &headers("k3")).await;
    assert_eq!(late.refusal(), "412 GW9012");
}
