//! The word for what became of an order's money, in `GET /orders/{orderId}` and in the list.

use crate::actions::{done, paid_by};
use crate::harness::{APPROVED, DECLINED, TestApp, build};
use crate::server_to_server::moto;
use serde_json::{Value, json};

/// The word of an order, which is the same in the order and in the list. Orders without an operation are not in the list.
async fn check(app: &TestApp, order_id: &str, expected: &str) {
    let read = app.order(order_id).await["orderStatus"]["status"].clone();
    assert_eq!(read, expected, "{order_id}");
    let path = format!("/orders?orderId={order_id}");
    let listed = app.merchant().get(&path).await.ok();
    let listed = listed["orders"].as_array().unwrap();
    let words: Vec<&Value> = listed.iter().map(|order| &order["status"]).collect();
    match expected {
        "UNPAID" => assert_eq!(words, [&Value::Null; 0], "{order_id}"),
        expected => assert_eq!(words, [expected], "{order_id}"),
    }
}

async fn pay(app: &TestApp, key: &str, order_id: &str, number: &str) -> String {
    paid_by(app, key, order_id, "EUR", "PAY", number).await
}

const IMPLICIT: &str = "sandbox-implicit";
const EXPLICIT: &str = "sandbox-explicit";

#[tokio::test]
async fn a_first_payment_decides() {
    let app = TestApp::new().await;
    app.open(&build("A0")).await;
    check(&app, "A0", "UNPAID").await;
    for (order_id, key, number, expected) in [
        ("A1", IMPLICIT, APPROVED, "PAID"),
        ("A2", EXPLICIT, APPROVED, "TO_CAPTURE"),
        ("A3", IMPLICIT, DECLINED, "REFUSED"),
        ("A4", IMPLICIT, "4761730000006000", "REFUSED"),
        ("A5", IMPLICIT, "4761730000009095", "FAILED"),
        ("A6", IMPLICIT, "4761730000008881", "PENDING"),
    ] {
        pay(&app, key, order_id, number).await;
        check(&app, order_id, expected).await;
    }
    app.pass(31).await;
    check(&app, "A6", "PAID").await;
    // Another attempt of the same order.
    pay(&app, IMPLICIT, "A3", APPROVED).await;
    check(&app, "A3", "PAID").await;
    let verification = moto("A7", APPROVED);
    app.merchant()
        .post("/orders/card_verification", &verification)
        .await
        .ok();
    check(&app, "A7", "VERIFIED").await;
}

#[tokio::test]
async fn what_is_done_afterwards_moves_on() {
    let app = TestApp::new().await;
    let sale = pay(&app, IMPLICIT, "A1", APPROVED).await;
    done(&app, &sale, "refunds", 4000).await;
    check(&app, "A1", "PARTLY_REFUNDED").await;
    done(&app, &sale, "refunds", 6000).await;
    check(&app, "A1", "REFUNDED").await;
    let held = pay(&app, EXPLICIT, "A2", APPROVED).await;
    let capture = done(&app, &held, "captures", 4000).await;
    check(&app, "A2", "TO_CAPTURE").await;
    done(&app, &held, "captures", 6000).await;
    check(&app, "A2", "PAID").await;
    app.merchant()
        .post(&format!("/operations/{capture}/cancels"), &json!({}))
        .await
        .ok();
    check(&app, "A2", "TO_CAPTURE").await;
    let held = pay(&app, EXPLICIT, "A3", APPROVED).await;
    done(&app, &held, "refunds", 10000).await;
    check(&app, "A3", "RELEASED").await;
}

#[tokio::test]
async fn a_paid_order_stays_paid_while_a_refund_has_no_result() {
    let app = TestApp::new().await;
    let sale = pay(&app, IMPLICIT, "A1", "4761730000007305").await;
    let refund = done(&app, &sale, "refunds", 6000).await;
    let read = app
        .merchant()
        .get(&format!("/operations/{refund}"))
        .await
        .ok();
    assert_eq!(read["operationResult"], "PENDING");
    check(&app, "A1", "PAID").await;
    // The refund fails in the end.
    app.pass(30).await;
    check(&app, "A1", "PAID").await;
}

#[tokio::test]
async fn a_buyer_who_gives_up_leaves_the_order_cancelled() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.merchant()
        .post("/build/cancel", &json!({ "sessionId": session }))
        .await
        .ok();
    check(&app, "A1", "CANCELED").await;
}

/// Migration 213.
#[tokio::test]
async fn orders_of_an_earlier_version_get_their_status() {
    let app = TestApp::new().await;
    app.open(&build("A0")).await;
    pay(&app, IMPLICIT, "A1", APPROVED).await;
    let held = pay(&app, EXPLICIT, "A2", APPROVED).await;
    done(&app, &held, "refunds", 10000).await;
    pay(&app, IMPLICIT, "A3", DECLINED).await;
    app.change("UPDATE merchant_order SET order_status = NULL")
        .await;
    app.change("DELETE FROM _sqlx_migrations WHERE version = 213")
        .await;
    let app = app.restarted().await;
    for (order_id, expected) in [
        ("A0", "UNPAID"),
        ("A1", "PAID"),
        ("A2", "RELEASED"),
        ("A3", "REFUSED"),
    ] {
        check(&app, order_id, expected).await;
    }
}
