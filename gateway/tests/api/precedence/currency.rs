//! An unknown currency, in every call that takes an order.

use super::*;

/// Every order of every body, in a currency that does not exist.
#[tokio::test]
async fn an_unknown_currency_is_refused_by_every_call_that_takes_an_order() {
    let stage = Stage::new().await;
    let mine = Mine::of(&stage).await;
    let mut tried = 0;
    for operation in Operation::all() {
        let properties = &operation.schema()["properties"];
        if properties["order"]["properties"]["currency"].is_null() {
            continue;
        }
        let body = order_in(properties, &mine, "XXX");
        let answer = stage
            .call(&operation, &[], Body::from(body.to_string()))
            .await;
        assert_eq!(
            answer.refusal(),
            "400 PS0009",
            "{}: {}",
            operation.path,
            answer.text()
        );
        tried += 1;
    }
    assert!(tried >= 10);
}

/// A body for a call with these members, in which only the currency is wrong.
fn order_in(properties: &Value, mine: &Mine, currency: &str) -> Value {
    let token = json!({ "paymentMethodDetails": {
        "pan": crate::harness::APPROVED, "expirationMonth": 12, "expirationYear": 2030, "authMethod": "CRYPTOGRAM_3DS",
        "cryptogram": "AAAA"
    } });
    let token = json!({ "signedMessage": token.to_string() }).to_string();
    let wallet = json!({ "paymentMethodData": { "tokenizationData": { "token": token } } });
    let all = json!({
        "merchantUrl": "https://shop.example",
        "order": {
            "orderId": "Z1", "amount": "3545", "currency": currency,
            "customerInfo": { "cardHolderName": "Anna Rossi" }
        },
        "paymentSession": {
            "amount": "3545", "resultUrl": "https://shop.example/ok", "cancelUrl": "https://shop.example/ko"
        },
        "expirationDate": "2026-11-30", "contractId": "K1", "operationId": mine.operation,
        "card": { "pan": crate::harness::APPROVED, "expiryDate": "1230" },
        "walletPaymentData": wallet, "googlePayPaymentData": wallet
    });
    let taken = all.as_object().unwrap().iter();
    let taken = taken.filter(|(name, _)| !properties[name.as_str()].is_null());
    Value::Object(
        taken
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}

#[tokio::test]
async fn an_unknown_currency_is_refused_after_the_fields_and_before_the_state() {
    let stage = Stage::new().await;
    let mut request = build("A2");
    request["order"]["currency"] = json!("XXX");
    let answer = stage.app.merchant().post("/orders/build", &request).await;
    assert_eq!(answer.refusal(), "400 PS0009");
    request["paymentSession"]["amount"] = json!(true);
    let answer = stage.app.merchant().post("/orders/build", &request).await;
    assert_eq!(answer.refusal(), "400 PS0036");
    stage
        .app
        .enter(&stage.session, crate::harness::APPROVED)
        .await;
    let operation_id = stage.app.finalize(&stage.session).await["operation"]["operationId"].clone();
    for call in ["captures", "refunds"] {
        let path = format!("/operations/{}/{call}", operation_id.as_str().unwrap());
        // The sale is captured, so no capture is allowed. The currency is checked first.
        let body = json!({ "amount": "1", "currency": "XXX" });
        assert_eq!(
            stage.app.merchant().post(&path, &body).await.refusal(),
            "400 PS0009"
        );
        let body = json!({ "amount": "1.5", "currency": "XXX" });
        assert_eq!(
            stage.app.merchant().post(&path, &body).await.refusal(),
            "400 PS0036"
        );
    }
}
