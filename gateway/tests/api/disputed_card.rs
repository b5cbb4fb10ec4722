//! The test card whose bank disputes what is captured.

use crate::actions::{paid, paid_by};
use crate::harness::TestApp;
use serde_json::{Value, json};

const IMPLICIT: &str = "sandbox-implicit";
const EXPLICIT: &str = "sandbox-explicit";
const DISPUTED: &str = "4761730000007503";

/// The disputes of the merchant, newest first.
async fn disputes(app: &TestApp) -> Vec<Value> {
    let listed = app.merchant().get("/disputes").await.ok();
    listed["disputes"].as_array().unwrap().clone()
}

/// Captures or gives back a part of an operation; gives the new operation.
async fn act(app: &TestApp, operation: &str, action: &str, minor: u64) -> String {
    let path = format!("/operations/{operation}/{action}");
    let body = json!({ "amount": minor.to_string(), "currency": "EUR" });
    let done = app.key(EXPLICIT).post(&path, &body).await.ok();
    done["operationId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_payment_is_disputed_a_minute_after_its_capture_and_once() {
    let app = TestApp::new().await;
    let operation = paid_by(&app, IMPLICIT, "A1", "EUR", "PAY", DISPUTED).await;
    paid(&app, IMPLICIT, "A2", "EUR").await;
    app.pass(59).await;
    assert!(disputes(&app).await.is_empty());
    app.pass(1).await;
    let opened = disputes(&app).await;
    assert_eq!(opened.len(), 1);
    for (name, value) in [
        ("operationId", operation.as_str()),
        ("orderId", "A1"),
        ("kind", "CHARGEBACK"),
        ("category", "NOT_RECEIVED"),
        ("reasonCode", "TEST"),
        ("amount", "10000"),
        ("state", "NEEDS_RESPONSE"),
    ] {
        assert_eq!(opened[0][name], value, "{name}");
    }
    let events = app.key(IMPLICIT).get("/events?limit=500").await.ok();
    let events = events["events"].as_array().unwrap();
    let told = events.iter().filter(|event| event["dispute"].is_object());
    assert_eq!(told.count(), 1);
    app.pass(3600).await;
    assert_eq!(disputes(&app).await.len(), 1);
    assert_eq!(app.count("SELECT count(*) FROM planned_dispute").await, 0);
}

#[tokio::test]
async fn the_clock_of_a_test_stops_where_a_dispute_is_opened() {
    let app = TestApp::new().await;
    paid_by(&app, IMPLICIT, "A1", "EUR", "PAY", DISPUTED).await;
    let before = app.merchant().get("/test/clock").await.ok();
    let ahead = before["secondsAhead"].as_u64().unwrap() + 600;
    let advance = json!({ "secondsAhead": ahead });
    let clock = app.merchant();
    clock.post("/test/clock/advance", &advance).await.ok();
    assert_eq!(disputes(&app).await.len(), 1);
    let opened_at_its_time = "SELECT count(*) FROM dispute d JOIN operation o ON o.operation_id = d.operation_id \
         WHERE d.opened_ms - o.time_ms BETWEEN 60000 AND 62999";
    assert_eq!(app.count(opened_at_its_time).await, 1);
}

#[tokio::test]
async fn each_capture_has_a_dispute_of_what_it_has_left() {
    let app = TestApp::new().await;
    let held = paid_by(&app, EXPLICIT, "A1", "EUR", "PAY", DISPUTED).await;
    app.pass(120).await;
    assert!(disputes(&app).await.is_empty(), "nothing is captured");
    let first = act(&app, &held, "captures", 4_000).await;
    let second = act(&app, &held, "captures", 1_000).await;
    let third = act(&app, &held, "captures", 500).await;
    act(&app, &first, "refunds", 1_500).await;
    act(&app, &third, "refunds", 500).await;
    app.pass(60).await;
    let mut found: Vec<_> = disputes(&app)
        .await
        .iter()
        .map(|one| {
            let text = |name: &str| one[name].as_str().unwrap().to_owned();
            (text("operationId"), text("amount"))
        })
        .collect();
    found.sort();
    let mut expected = vec![
        (first, String::from("2500")),
        (second, String::from("1000")),
    ];
    expected.sort();
    assert_eq!(found, expected);
    // What has nothing left is done, too.
    assert_eq!(app.count("SELECT count(*) FROM planned_dispute").await, 0);
}

#[tokio::test]
async fn one_that_cannot_be_opened_does_not_hold_up_those_behind_it() {
    let app = TestApp::new().await;
    paid_by(&app, IMPLICIT, "A1", "EUR", "PAY", DISPUTED).await;
    app.pass(1).await;
    let behind = paid_by(&app, IMPLICIT, "A2", "EUR", "PAY", DISPUTED).await;
    app.change("UPDATE operation SET document = '{}' WHERE order_id = 'A1'")
        .await;
    app.pass(60).await;
    let opened = disputes(&app).await;
    assert_eq!(opened.len(), 1);
    assert_eq!(opened[0]["operationId"], behind.as_str());
    // It stays planned.
    assert_eq!(app.count("SELECT count(*) FROM planned_dispute").await, 1);
}
