//! What the payment of the third step asks for: when it is captured, and contracts.

use super::*;

#[tokio::test]
async fn what_is_captured_when_is_said_with_the_payment() {
    let app = TestApp::new().await;
    for (key, action, capture, expected) in [
        ("sandbox-implicit", "PAY", Value::Null, "EXECUTED 3545 3545"),
        ("sandbox-implicit", "PAY", json!("EXPLICIT"), "400 PS0026"),
        (
            "sandbox-implicit",
            "PREAUTH",
            Value::Null,
            "AUTHORIZED 3545 0",
        ),
        (
            "sandbox-implicit",
            "PREAUTH",
            json!("EXPLICIT"),
            "AUTHORIZED 3545 0",
        ),
        (
            "sandbox-implicit",
            "PREAUTH",
            json!("IMPLICIT"),
            "400 PS0026",
        ),
        ("sandbox-explicit", "PAY", Value::Null, "AUTHORIZED 3545 0"),
        (
            "sandbox-explicit",
            "PAY",
            json!("IMPLICIT"),
            "EXECUTED 3545 3545",
        ),
        ("sandbox-implicit", "VERIFY", Value::Null, "EXECUTED 0 0"),
    ] {
        let order_id = format!("{}-{action}-{}", &key[8..], capture.as_str().unwrap_or(""));
        let mut request = init(&order_id, APPROVED);
        request["actionType"] = json!(action);
        let merchant = app.key(key);
        let begun = merchant.post("/orders/3steps/init", &request).await.ok();
        let mut last = payment(&request, id_of(&begun));
        last["captureType"] = capture;
        let paid = merchant.post("/orders/3steps/payment", &last).await;
        let found = if paid.status == 200 {
            let status = app.order(&order_id).await["orderStatus"].clone();
            let text = |name: &str| status[name].as_str().unwrap().to_owned();
            format!(
                "{} {} {}",
                result_of(&paid.body),
                text("authorizedAmount"),
                text("capturedAmount")
            )
        } else {
            paid.refusal()
        };
        assert_eq!(found, expected, "{order_id}");
    }
}

#[tokio::test]
async fn a_held_amount_is_released_so_long_after_the_payment() {
    let app = TestApp::new().await;
    let request = init("A1", APPROVED);
    let merchant = app.key("sandbox-explicit");
    let begun = merchant.post("/orders/3steps/init", &request).await.ok();
    app.pass(1700).await;
    let last = payment(&request, id_of(&begun));
    merchant.post("/orders/3steps/payment", &last).await.ok();
    app.pass(5 * 86_400 - 1).await;
    assert_eq!(
        app.order("A1").await["orderStatus"]["authorizedAmount"],
        "3545"
    );
    app.pass(1).await;
    assert_eq!(
        app.order("A1").await["orderStatus"]["authorizedAmount"],
        "0"
    );
}

#[tokio::test]
async fn contracts_are_made_and_used_in_three_steps() {
    let app = TestApp::new().await;
    let mut request = init("A1", CHALLENGED);
    request["order"]["amount"] = json!("0");
    request["actionType"] = json!("VERIFY");
    request["recurrence"] = json!({
        "action": "CONTRACT_CREATION", "contractId": "c-1", "contractType": "CIT"
    });
    let begun = begin(&app, &request).await;
    let response = challenged(&app, &begun, "approve").await;
    let validated = validate(&app, id_of(&begun), &response).await.ok();
    let mut last = payment(&request, id_of(&begun));
    last["threeDSAuthData"] = proof_of(&validated);
    let made = pay(&app, &last).await.ok();
    assert_eq!(made["operation"]["operationType"], "CARD_VERIFICATION");
    assert_eq!(made["operation"]["additionalData"]["contractId"], "c-1");
    // The stored card pays: no card is sent, and another one is refused.
    let mut one_click = init("A2", DECLINED);
    one_click["recurrence"] = json!({ "action": "SUBSEQUENT_PAYMENT", "contractId": "c-1" });
    let other = app.merchant().post("/orders/3steps/init", &one_click).await;
    assert_eq!(other.why(), "card is not that of the contract");
    one_click.as_object_mut().unwrap().remove("card");
    let begun = begin(&app, &one_click).await;
    assert_eq!(result_of(&begun), "PENDING");
    let response = challenged(&app, &begun, "approve").await;
    let validated = validate(&app, id_of(&begun), &response).await.ok();
    let mut last = payment(&one_click, id_of(&begun));
    last["threeDSAuthData"] = proof_of(&validated);
    let paid = pay(&app, &last).await.ok();
    assert_eq!(result_of(&paid), "EXECUTED");
    assert_eq!(paid["operation"]["additionalData"]["contractId"], "c-1");
    // The last call may add what the first one left out, except that a stored card pays.
    let request = init("A3", APPROVED);
    let begun = begin(&app, &request).await;
    let mut last = payment(&request, id_of(&begun));
    last["recurrence"] = json!({ "action": "SUBSEQUENT_PAYMENT", "contractId": "c-1" });
    assert_eq!(pay(&app, &last).await.refusal(), "400 PS0026");
    last["recurrence"] = json!({
        "action": "CONTRACT_CREATION", "contractId": "c-1", "contractType": "CIT"
    });
    assert_eq!(pay(&app, &last).await.refusal(), "400 PS0017");
    last["recurrence"]["contractId"] = json!("c-2");
    let paid = pay(&app, &last).await.ok();
    assert_eq!(paid["operation"]["additionalData"]["contractId"], "c-2");
    let unknown = json!({
        "order": request["order"], "recurrence": { "action": "SUBSEQUENT_PAYMENT", "contractId": "c-9" }
    });
    let refused = app.merchant().post("/orders/3steps/init", &unknown).await;
    assert_eq!(refused.refusal(), "400 PS0017");
}
