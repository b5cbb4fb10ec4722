//! Unknown members of a request: where the gateway reports them (`GW9106`).

use crate::harness::{TestApp, build};
use crate::log::Log;
use crate::office::Person;
use serde_json::{Value, json};

/// An order from a client that misspells a name.
fn misspelt(order_id: &str) -> Value {
    let mut request = build(order_id);
    request["order"]["custmerId"] = json!("not-to-be-told");
    request["paymentSession"]["4349940199004549"] = json!("x");
    request["shopVersion"] = json!("9.1");
    request
}

#[tokio::test]
async fn members_that_nobody_reads_are_warned_of() {
    let app = TestApp::new().await;
    let key = [("idempotency-key", "K1")];
    let request = misspelt("A1");
    let mut told = Vec::new();
    for _ in 0..2 {
        let answer = app
            .merchant()
            .post_with("/orders/build", &request, &key)
            .await
            .ok();
        told.push(answer["warnings"].clone());
    }
    assert_eq!(told[0], told[1], "a repetition is told it again");
    assert_eq!(
        told[0],
        json!([
            { "code": "GW9106", "description": "order.custmerId is not read; the nearest known name is customerId" },
            { "code": "GW9106", "description": "paymentSession.? is not read; no known name is near" },
            { "code": "GW9106", "description": "shopVersion is not read; the nearest known name is version" },
        ])
    );
    assert_eq!(app.count("SELECT count(*) FROM order_warning").await, 3);
    let clean = app
        .merchant()
        .post("/orders/build", &build("A2"))
        .await
        .ok();
    assert_eq!(clean["warnings"], json!([]));
}

/// The answer, the log and the order's page of the back office agree. They contain only names, and none that may be a card number.
#[tokio::test]
async fn the_answer_the_log_and_the_orders_page_say_the_same() {
    let app = TestApp::new().await;
    let log = Log::of_this_thread();
    let correlation_id = "6f1c4a0e-8d7e-4b59-9d3f-111111111111";
    let answer = app
        .merchant()
        .post_with(
            "/orders/build",
            &misspelt("A1"),
            &[("correlation-id", correlation_id)],
        )
        .await;
    let warnings = answer.ok()["warnings"].as_array().unwrap().clone();
    assert_eq!(warnings.len(), 3);
    let text = log.text();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("GW9106"))
        .collect();
    let [line] = lines.as_slice() else {
        panic!("one line for one call: {lines:?}");
    };
    assert!(
        line.contains("WARN") && line.contains(correlation_id),
        "{line}"
    );
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let page = person.get("/office/orders/A1").await.text();
    for warning in &warnings {
        let description = warning["description"].as_str().unwrap();
        assert!(line.contains(description), "{description}: {line}");
        let written = format!("GW9106: {description}");
        assert!(page.contains(&written), "{written}: {page}");
    }
    for secret in ["4349940199004549", "not-to-be-told"] {
        assert!(!text.contains(secret), "{secret}: {text}");
        assert!(!page.contains(secret), "{secret}: {page}");
    }
}

#[tokio::test]
async fn a_call_of_which_all_is_read_logs_no_warning() {
    let app = TestApp::new().await;
    let log = Log::of_this_thread();
    app.open(&build("A1")).await;
    let text = log.text();
    assert!(text.contains("/orders/build"), "the call is logged: {text}");
    assert!(!text.contains("GW9106"), "{text}");
}

#[tokio::test]
async fn a_strict_caller_is_refused_for_members_that_nobody_reads() {
    let app = TestApp::new().await;
    let strict = [("prefer", "handling=strict"), ("idempotency-key", "K1")];
    let answer = app
        .merchant()
        .post_with("/orders/build", &misspelt("A1"), &strict)
        .await;
    assert_eq!(answer.refusal(), "400 GW9106 GW9106 GW9106");
    assert_eq!(answer.header("preference-applied"), Some("handling=strict"));
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
    let good = app
        .merchant()
        .post_with("/orders/build", &build("A1"), &strict)
        .await;
    assert_eq!(
        (good.status, good.header("preference-applied")),
        (200, Some("handling=strict"))
    );
    let other = app.merchant().post("/orders/build", &build("A2")).await;
    assert_eq!(other.header("preference-applied"), None);
}
