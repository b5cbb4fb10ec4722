//! Payments between the web and a shop (contract 8.0): an operation with the key of a terminal at a point
//! of sale says so, and is linked to the rest of its order.

use crate::harness::{APPROVED, TestApp, build};
use serde_json::{Value, json};

const SHOP: &str = "sandbox-point-of-sale";

/// Channel of each operation of an order, and whether it is linked to a point of sale.
async fn channels(app: &TestApp, order_id: &str) -> Vec<String> {
    let operations = app.operations(order_id).await;
    let line = |operation: &Value| {
        let text = |name: &str| operation[name].as_str().unwrap_or("-").to_owned();
        let tied = operation.get("omnichannelId").is_some();
        format!(
            "{} {} {}",
            text("operationType"),
            text("channel"),
            if tied { "tied" } else { "-" }
        )
    };
    operations.as_array().unwrap().iter().map(line).collect()
}

fn moto(order_id: &str) -> Value {
    json!({
        "order": {
            "orderId": order_id, "amount": "3545", "currency": "EUR",
            "customerInfo": { "cardHolderName": "Anna Rossi" }
        },
        "card": { "pan": APPROVED, "expiryDate": "1230" }
    })
}

#[tokio::test]
async fn what_is_ordered_on_the_web_is_captured_at_pick_up() {
    let app = TestApp::new().await;
    let session = app.open_by("sandbox-explicit", &build("A1")).await;
    app.enter(&session, APPROVED).await;
    let held = app
        .key("sandbox-explicit")
        .post("/build/finalize_payment", &json!({ "sessionId": session }))
        .await
        .ok();
    assert_eq!(held["operation"]["operationResult"], "AUTHORIZED");
    assert_eq!(held["operation"]["channel"], "ECOMMERCE");
    assert!(held["operation"].get("omnichannelId").is_none());
    let id = held["operation"]["operationId"].as_str().unwrap();
    let part = |amount: &str| json!({ "amount": amount, "currency": "EUR" });
    let shop = app.key(SHOP);
    for amount in ["3000", "545"] {
        let path = format!("/operations/{id}/captures");
        shop.post(&path, &part(amount)).await.ok();
    }
    // Returned by mail.
    let path = format!("/operations/{id}/refunds");
    app.merchant().post(&path, &part("100")).await.ok();
    assert_eq!(
        channels(&app, "A1").await,
        [
            "AUTHORIZATION ECOMMERCE -",
            "CAPTURE POS tied",
            "CAPTURE POS tied",
            "REFUND BACKOFFICE -"
        ]
    );
    let operations = app.operations("A1").await;
    assert_eq!(
        operations[1]["omnichannelId"],
        operations[2]["omnichannelId"]
    );
    assert_eq!(operations[1]["terminalId"], "91000009");
    let listed = app.merchant().get("/operations?channel=POS").await.ok();
    assert_eq!(listed["operations"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_is_paid_in_the_shop_is_tied_to_what_follows() {
    let app = TestApp::new().await;
    let shop = app.key(SHOP);
    for order_id in ["A1", "A2"] {
        shop.post("/orders/moto", &moto(order_id)).await.ok();
    }
    let paid = app.order("A1").await["operations"][0].clone();
    let path = format!(
        "/operations/{}/refunds",
        paid["operationId"].as_str().unwrap()
    );
    let refund = json!({ "amount": "100", "currency": "EUR" });
    app.merchant().post(&path, &refund).await.ok();
    assert_eq!(
        channels(&app, "A1").await,
        ["AUTHORIZATION POS tied", "REFUND BACKOFFICE tied"]
    );
    let other = app.order("A2").await["operations"][0].clone();
    assert_ne!(paid["omnichannelId"], other["omnichannelId"]);
}

#[tokio::test]
async fn a_card_that_is_kept_in_the_shop_pays_on_the_web() {
    let app = TestApp::new().await;
    let mut kept = moto("A1");
    kept["actionType"] = json!("VERIFY");
    kept["recurrence"] = json!({
        "action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_UNSCHEDULED"
    });
    let shop = app.key(SHOP);
    let begun = shop.post("/orders/3steps/init", &kept).await.ok();
    kept["operationId"] = begun["operation"]["operationId"].clone();
    shop.post("/orders/3steps/payment", &kept).await.ok();
    assert_eq!(channels(&app, "A1").await, ["CARD_VERIFICATION POS tied"]);
    let charge = json!({
        "order": { "orderId": "A2", "amount": "100", "currency": "EUR" }, "contractId": "K1"
    });
    app.merchant().post("/orders/mit", &charge).await.ok();
    assert_eq!(channels(&app, "A2").await, ["AUTHORIZATION ECOMMERCE -"]);
}

#[tokio::test]
async fn what_is_released_by_itself_comes_from_no_shop() {
    let app = TestApp::new().await;
    let mut held = moto("A1");
    held["actionType"] = json!("PREAUTH");
    let shop = app.key(SHOP);
    let begun = shop.post("/orders/3steps/init", &held).await.ok();
    held["operationId"] = begun["operation"]["operationId"].clone();
    shop.post("/orders/3steps/payment", &held).await.ok();
    app.pass(27 * 86_400).await;
    assert_eq!(
        channels(&app, "A1").await,
        ["AUTHORIZATION POS tied", "VOID BACKOFFICE tied"]
    );
}
