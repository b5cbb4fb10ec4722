//! Payments that one call of the merchant's server makes with a card: mail and telephone orders, verifications
//! (contract 8.1.9, 8.1.10).

use crate::harness::{APPROVED, DECLINED, TestApp, build};
use serde_json::{Value, json};

pub(crate) fn moto(order_id: &str, number: &str) -> Value {
    json!({
        "order": {
            "orderId": order_id, "amount": "3545", "currency": "EUR",
            "customerInfo": { "cardHolderName": "Anna Rossi" }
        },
        "card": { "pan": number, "expiryDate": "1230", "cvv": "123" }
    })
}

async fn result(app: &TestApp, path: &str, request: &Value) -> String {
    let answer = app.merchant().post(path, request).await.ok();
    let text = |name: &str| answer["operation"][name].as_str().unwrap_or("?").to_owned();
    format!(
        "{} {}/{}",
        text("channelDetail"),
        text("operationType"),
        text("operationResult")
    )
}

#[tokio::test]
async fn an_order_by_telephone_is_paid_at_once() {
    let app = TestApp::new().await;
    for (order, number, expected) in [
        ("A1", APPROVED, "MOTO AUTHORIZATION/EXECUTED"),
        ("A2", DECLINED, "MOTO AUTHORIZATION/DECLINED"),
        // There is no buyer: scenarios of 3-D Secure count as approved (contract 11.8).
        ("A3", "4761730000003007", "MOTO AUTHORIZATION/EXECUTED"),
        ("A4", "4761730000003064", "MOTO AUTHORIZATION/EXECUTED"),
        (
            "A5",
            "4761730000006000",
            "MOTO AUTHORIZATION/DENIED_BY_RISK",
        ),
        ("A6", "4761730000008881", "MOTO AUTHORIZATION/PENDING"),
        ("A7", "4761 7300 0000 0003", "MOTO AUTHORIZATION/EXECUTED"),
    ] {
        assert_eq!(
            result(&app, "/orders/moto", &moto(order, number)).await,
            expected,
            "{number}"
        );
    }
    let operation = &app.order("A1").await["operations"][0];
    assert_eq!(operation["paymentInstrumentInfo"], "***0003");
    assert_eq!(operation["customerInfo"]["cardHolderName"], "Anna Rossi");
    assert_eq!(operation["additionalData"].get("threeDS"), None);
    assert_eq!(operation["warnings"], json!([]));
    app.pass(31).await;
    assert_eq!(
        app.order("A6").await["orderStatus"]["capturedAmount"],
        "3545"
    );
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

#[tokio::test]
async fn the_security_code_may_be_missing() {
    let app = TestApp::new().await;
    let mut request = moto("A1", APPROVED);
    request["card"].as_object_mut().unwrap().remove("cvv");
    assert_eq!(
        result(&app, "/orders/moto", &request).await,
        "MOTO AUTHORIZATION/EXECUTED"
    );
}

#[tokio::test]
async fn a_refused_order_by_telephone_can_be_tried_again() {
    let app = TestApp::new().await;
    result(&app, "/orders/moto", &moto("A1", DECLINED)).await;
    let good = result(&app, "/orders/moto", &moto("A1", APPROVED)).await;
    assert_eq!(good, "MOTO AUTHORIZATION/EXECUTED");
    let again = app
        .merchant()
        .post("/orders/moto", &moto("A1", APPROVED))
        .await;
    assert_eq!(again.refusal(), "400 GW9006");
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn an_order_by_telephone_closes_the_form_of_the_same_order() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    assert_eq!(
        result(&app, "/orders/moto", &moto("A1", APPROVED)).await,
        "MOTO AUTHORIZATION/EXECUTED"
    );
    let path = format!("/build/state?sessionId={session}");
    assert_eq!(app.merchant().get(&path).await.refusal(), "400 PS0061");
    let order = app.order("A1").await;
    assert_eq!(order["operations"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn explicit_orders_by_telephone_are_captured_later() {
    let app = TestApp::new().await;
    let merchant = app.key("sandbox-explicit");
    let answer = merchant
        .post("/orders/moto", &moto("A1", APPROVED))
        .await
        .ok();
    assert_eq!(answer["operation"]["operationResult"], "AUTHORIZED");
    let id = answer["operation"]["operationId"].as_str().unwrap();
    let part = json!({ "amount": "1000", "currency": "EUR" });
    let taken = merchant
        .post(&format!("/operations/{id}/captures"), &part)
        .await
        .ok();
    let capture = taken["operationId"].as_str().unwrap();
    merchant
        .post(&format!("/operations/{capture}/cancels"), &json!({}))
        .await
        .ok();
    let status = app.order("A1").await["orderStatus"].clone();
    assert_eq!(
        (&status["authorizedAmount"], &status["capturedAmount"]),
        (&json!("3545"), &json!("0"))
    );
}

#[tokio::test]
async fn a_card_is_verified_without_a_charge() {
    let app = TestApp::new().await;
    let path = "/orders/card_verification";
    let verification = |order: &str, number: &str, amount: &str| {
        let mut request = moto(order, number);
        request["order"]["amount"] = json!(amount);
        request["order"]
            .as_object_mut()
            .unwrap()
            .remove("customerInfo");
        request
    };
    for (order, number, amount, expected) in [
        (
            "A1",
            APPROVED,
            "0",
            "SERVER_TO_SERVER CARD_VERIFICATION/EXECUTED",
        ),
        (
            "A2",
            APPROVED,
            "3545",
            "SERVER_TO_SERVER CARD_VERIFICATION/EXECUTED",
        ),
        (
            "A3",
            DECLINED,
            "0",
            "SERVER_TO_SERVER CARD_VERIFICATION/DECLINED",
        ),
    ] {
        let found = result(&app, path, &verification(order, number, amount)).await;
        assert_eq!(found, expected, "{order}");
    }
    let order = app.order("A2").await;
    assert_eq!(order["operations"][0]["operationAmount"], "0");
    assert_eq!(order["orderStatus"]["authorizedAmount"], "0");
    let id = order["operations"][0]["operationId"].as_str().unwrap();
    let refund = json!({ "amount": "1", "currency": "EUR" });
    let answer = app
        .merchant()
        .post(&format!("/operations/{id}/refunds"), &refund)
        .await;
    assert_eq!(answer.refusal(), "400 GW9003");
    // On this network, issuers cannot be asked without a charge.
    let union_pay = verification("A4", "6200000000000000000", "0");
    assert_eq!(
        app.merchant().post(path, &union_pay).await.refusal(),
        "400 PS0004"
    );
    let paid = verification("A2", "6200000000000000000", "3545");
    assert_eq!(
        app.merchant().post(path, &paid).await.refusal(),
        "400 GW9006"
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_card_is_named_and_never_repeated() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    for (member, value, expected) in [
        (
            "pan",
            json!("4761730000000004"),
            "card.pan must be 13 to 19 digits",
        ),
        (
            "pan",
            json!("9000000000000001"),
            "card.pan must be 13 to 19 digits",
        ),
        (
            "pan",
            json!(4_761_730_000_000_004_u64),
            "card.pan must be 13 to 19 digits",
        ),
        (
            "pan",
            json!("4761-7300-0000-0003"),
            "card.pan must be 13 to 19 digits",
        ),
        ("pan", Value::Null, "card.pan is missing"),
        ("expiryDate", json!("1225"), "card.expiryDate must be MMYY"),
        ("expiryDate", json!("1330"), "card.expiryDate must be MMYY"),
        ("expiryDate", json!("12/30"), "card.expiryDate must be MMYY"),
        ("expiryDate", Value::Null, "card.expiryDate is missing"),
        ("cvv", json!("12"), "card.cvv must be the 3 or 4 digits"),
        ("cvv", json!("1234"), "card.cvv must be the 3 or 4 digits"),
        ("cvv", json!("12a"), "card.cvv must be the 3 or 4 digits"),
        ("cvv", json!(12), "card.cvv must be the 3 or 4 digits"),
    ] {
        for path in ["/orders/moto", "/orders/card_verification"] {
            let mut request = moto("A1", APPROVED);
            request["card"][member] = value.clone();
            let answer = merchant.post(path, &request).await;
            assert_eq!(answer.refusal(), "400 PS0026", "{path} {member} {value}");
            assert!(answer.why().starts_with(expected), "{}", answer.why());
            assert!(!answer.text().contains("476134"), "{}", answer.text());
        }
    }
    let mut request = moto("A1", APPROVED);
    for card in [Value::Null, json!("4761730000000003"), json!([])] {
        request["card"] = card;
        let answer = merchant.post("/orders/moto", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026");
        assert!(answer.why().starts_with("card "), "{}", answer.why());
    }
    // A terminal accepts only its own networks.
    let amex = moto("A1", "374245000000009");
    let answer = app
        .key("sandbox-cards-only")
        .post("/orders/moto", &amex)
        .await;
    assert_eq!(answer.refusal(), "400 PS0026");
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
}

#[tokio::test]
async fn what_is_wrong_with_an_order_by_telephone_is_said_in_the_documented_order() {
    let app = TestApp::new().await;
    let change = |path: &str, value: Value| {
        let mut request = moto("A1", APPROVED);
        *request.pointer_mut(path).unwrap() = value;
        request
    };
    for (request, expected) in [
        (change("/order/customerInfo", Value::Null), "400 PS0026"),
        (
            change("/order/customerInfo/cardHolderName", json!(" ")),
            "400 PS0026",
        ),
        (change("/order/amount", json!("0")), "400 PS0026"),
        (change("/order/amount", json!("x")), "400 PS0036"),
        (change("/order/currency", json!("XXX")), "400 PS0009"),
        (change("/order/orderId", json!("a b")), "400 PS0026"),
        (change("/card/pan", json!("<script>")), "400 PS0041"),
    ] {
        let answer = app.merchant().post("/orders/moto", &request).await;
        assert_eq!(answer.refusal(), expected, "{request}");
    }
    let missing = change("/order/customerInfo", Value::Null);
    let answer = app.merchant().post("/orders/moto", &missing).await;
    assert!(
        answer.why().contains("order.customerInfo.cardHolderName"),
        "{}",
        answer.why()
    );
    for path in ["/orders/moto", "/orders/card_verification"] {
        assert_eq!(
            app.nobody().post(path, &moto("A1", APPROVED)).await.status,
            401
        );
    }
}

#[tokio::test]
async fn the_same_key_is_one_payment_even_if_its_answer_was_lost() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    let key = [("idempotency-key", "moto-1")];
    let request = moto("A1", APPROVED);
    let same = vec![(request.clone(), String::from("moto-1")); 6];
    let answers = app
        .all_at_once("sandbox-implicit", "/orders/moto", &same)
        .await;
    let first = answers[0].body.clone();
    for answer in answers {
        assert_eq!(answer.ok(), first);
    }
    app.lose_answers().await;
    assert_eq!(
        merchant
            .post_with("/orders/moto", &request, &key)
            .await
            .ok(),
        first
    );
    let other_card = moto("A1", DECLINED);
    let other = merchant.post_with("/orders/moto", &other_card, &key).await;
    assert_eq!(other.refusal(), "400 PS0025");
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 1);
}

#[tokio::test]
async fn another_merchants_operation_is_missing() {
    let app = TestApp::new().await;
    let answer = app
        .merchant()
        .post("/orders/moto", &moto("A1", APPROVED))
        .await
        .ok();
    let id = answer["operation"]["operationId"].as_str().unwrap();
    let other = app.key("sandbox-other-merchant");
    assert_eq!(other.get(&format!("/operations/{id}")).await.status, 404);
    assert_eq!(other.get("/orders/A1").await.status, 404);
    // The same id is free there.
    other.post("/orders/moto", &moto("A1", APPROVED)).await.ok();
}
