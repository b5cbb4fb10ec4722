//! What a shop tells of the goods of an order: kept, read, in the feed, in the back office.

use crate::harness::{APPROVED, Answer, TestApp, build};
use crate::lists::paid;
use crate::office::Person;
use serde_json::{Value, json};

async fn tell(app: &TestApp, order_id: &str, body: &Value) -> Answer {
    let path = format!("/orders/{order_id}/fulfilment");
    app.merchant().put(&path, body).await
}

async fn shop() -> TestApp {
    let app = TestApp::new().await;
    paid(&app, "sandbox-implicit", &build("A1"), APPROVED).await;
    app
}

/// The events about goods.
async fn events(app: &TestApp) -> Vec<Value> {
    let answer = app.merchant().get("/events").await.ok();
    let mut events = answer["events"].as_array().unwrap().clone();
    events.retain(|event| event["eventType"] == "ORDER_FULFILMENT");
    events
}

#[tokio::test]
async fn what_the_shop_tells_is_read_with_the_order_and_in_the_feed() {
    let app = shop().await;
    assert_eq!(app.order("A1").await["fulfilment"], Value::Null);
    app.pass(60).await;
    let told = json!({ "state": "PARTIAL", "note": "parcel 1 of 2" });
    let answer = tell(&app, "A1", &told).await.ok();
    let expected = json!({
        "orderId": "A1", "state": "PARTIAL", "changedTime": "2026-11-20T10:01:01.000Z", "note": "parcel 1 of 2",
    });
    assert_eq!(answer, expected);
    assert_eq!(app.order("A1").await["fulfilment"], expected);
    let events = events(&app).await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["fulfilment"], expected);
    assert_eq!(events[0]["notification"], Value::Null);
    assert_eq!(events[0]["recordedTime"], "2026-11-20T10:01:01.000Z");
    // It is no notification, and moves no money.
    assert_eq!(app.told().await.len(), 1);
    assert_eq!(app.operations("A1").await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_same_again_changes_nothing() {
    let app = shop().await;
    let told = json!({ "state": "FULFILLED" });
    let first = tell(&app, "A1", &told).await.ok();
    app.pass(60).await;
    assert_eq!(tell(&app, "A1", &told).await.ok(), first);
    let empty = json!({ "state": "FULFILLED", "note": "" });
    assert_eq!(tell(&app, "A1", &empty).await.ok(), first);
    assert_eq!(events(&app).await.len(), 1);
    // Another note, and any other state, is something new.
    for body in [
        json!({ "state": "FULFILLED", "note": "by hand" }),
        json!({ "state": "RETURNED" }),
        json!({ "state": "NONE" }),
        json!({ "state": "CANCELED" }),
    ] {
        let answer = tell(&app, "A1", &body).await.ok();
        assert_eq!(answer["changedTime"], "2026-11-20T10:01:01.000Z");
        assert_eq!(answer["note"], body["note"]);
    }
    assert_eq!(events(&app).await.len(), 5);
}

#[tokio::test]
async fn what_is_no_state_is_refused() {
    let app = shop().await;
    for (body, expected) in [
        (json!({}), "400 PS0026"),
        (json!({ "state": "SHIPPED" }), "400 PS0026"),
        (json!({ "state": 7 }), "400 PS0026"),
        (json!([]), "400 PS0026 PS0026"),
        (
            json!({ "state": "NONE", "note": "n".repeat(256) }),
            "400 PS0026",
        ),
        (
            json!({ "state": "NONE", "note": "4761 7300 0000 0003" }),
            "400 PS0026",
        ),
        (json!({ "state": "NONE", "note": "<script>" }), "400 PS0041"),
    ] {
        let answer = tell(&app, "A1", &body).await;
        assert_eq!(answer.refusal(), expected, "{body}");
    }
    assert_eq!(events(&app).await, [Value::Null; 0]);
    let longest = json!({ "state": "NONE", "note": "n".repeat(255) });
    tell(&app, "A1", &longest).await.ok();
}

#[tokio::test]
async fn an_order_of_nobody_or_of_another_merchant_is_not_there() {
    let app = shop().await;
    let told = json!({ "state": "FULFILLED" });
    assert_eq!(tell(&app, "A9", &told).await.status, 404);
    let path = "/orders/A1/fulfilment";
    let other = app.key("sandbox-other-merchant").put(path, &told).await;
    assert_eq!(other.status, 404);
    assert_eq!(app.nobody().put(path, &told).await.status, 401);
    assert_eq!(app.order("A1").await["fulfilment"], Value::Null);
}

#[tokio::test]
async fn an_unknown_member_is_warned_of_at_the_order() {
    let app = shop().await;
    let told = json!({ "state": "FULFILLED", "carrier": "bike" });
    let answer = tell(&app, "A1", &told).await.ok();
    assert_eq!(answer["warnings"][0]["code"], "GW9106");
    assert_eq!(
        app.count("SELECT count(*) FROM order_warning WHERE order_id = 'A1'")
            .await,
        1
    );
}

#[tokio::test]
async fn the_page_of_an_order_shows_it() {
    let app = shop().await;
    let ada = Person::logged_in(&app, "ada", "viewer").await;
    let page = ada.get("/office/orders/A1").await.text();
    assert!(!page.contains("Goods, as the shop told"));
    let told = json!({ "state": "PARTIAL", "note": "5 < 6 parcels" });
    tell(&app, "A1", &told).await.ok();
    let page = ada.get("/office/orders/A1").await.text();
    assert!(page.contains("Goods, as the shop told"));
    assert!(page.contains("Partly sent"));
    assert!(page.contains("5 &#60; 6 parcels"), "{page}");
}
