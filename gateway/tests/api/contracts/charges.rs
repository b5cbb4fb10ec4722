//! Charges of a contract without the buyer.

use super::*;

#[tokio::test]
async fn the_merchant_charges_a_contract_alone() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "K1", "MIT_UNSCHEDULED"), CHALLENGED).await;
    assert_eq!(
        charge(&app, "B0", "K1").await.refusal(),
        "400 PS0017",
        "not good yet"
    );
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "K1", "MIT_UNSCHEDULED"), APPROVED).await;
    let answer = charge(&app, "B1", "K1").await.ok();
    assert_eq!(result(&answer), "AUTHORIZATION/EXECUTED");
    let operation = &answer["operation"];
    assert_eq!(
        (&operation["channel"], &operation["channelDetail"]),
        (&json!("ECOMMERCE"), &json!("MIT"))
    );
    assert_eq!(operation["additionalData"]["contractId"], "K1");
    assert_eq!(operation["additionalData"].get("threeDS"), None);
    assert_eq!(operation["warnings"], json!([]));
    let order = app.order("B1").await;
    assert_eq!(order["operations"], json!([operation]));
    assert_eq!(order["orderStatus"]["capturedAmount"], "1000");
    // An order is paid once.
    assert_eq!(charge(&app, "B1", "K1").await.refusal(), "400 GW9006");
    let id = operation["operationId"].as_str().unwrap();
    let refund = json!({ "amount": "400", "currency": "EUR" });
    app.merchant()
        .post(&format!("/operations/{id}/refunds"), &refund)
        .await
        .ok();
    assert_eq!(
        app.order("B1").await["orderStatus"]["refundedAmount"],
        "400"
    );
}

#[tokio::test]
async fn explicit_charges_of_a_contract_are_captured_or_released() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "K1", "MIT_UNSCHEDULED"), APPROVED).await;
    let merchant = app.key("sandbox-explicit");
    let mut ids = Vec::new();
    for order in ["B1", "B2"] {
        let answer = merchant.post("/orders/mit", &mit(order, "K1")).await.ok();
        assert_eq!(result(&answer), "AUTHORIZATION/AUTHORIZED");
        ids.push(
            answer["operation"]["operationId"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    let all = json!({ "amount": "1000", "currency": "EUR" });
    merchant
        .post(&format!("/operations/{}/captures", ids[0]), &all)
        .await
        .ok();
    merchant
        .post(&format!("/operations/{}/refunds", ids[1]), &all)
        .await
        .ok();
    assert_eq!(
        app.order("B1").await["orderStatus"]["capturedAmount"],
        "1000"
    );
    assert_eq!(
        app.order("B2").await["orderStatus"]["authorizedAmount"],
        "0"
    );
    let mut implicit = mit("B3", "K1");
    implicit["captureType"] = json!("IMPLICIT");
    let answer = merchant.post("/orders/mit", &implicit).await.ok();
    assert_eq!(result(&answer), "AUTHORIZATION/EXECUTED");
}

#[tokio::test]
async fn scheduled_charges_keep_their_distance_and_end_in_time() {
    let app = TestApp::new().await;
    let mut request = creation("A1", "K1", "MIT_SCHEDULED");
    let recurrence = &mut request["paymentSession"]["recurrence"];
    recurrence["contractFrequency"] = json!("30");
    recurrence["contractExpiryDate"] = json!("2027-01-31");
    pay(&app, &request, APPROVED).await;
    assert_eq!(
        charge(&app, "B1", "K1").await.refusal(),
        "400 PS0043",
        "the creation was a charge"
    );
    let day = 86_400;
    app.pass(29 * day).await;
    assert_eq!(charge(&app, "B1", "K1").await.refusal(), "400 PS0043");
    app.pass(day).await;
    charge(&app, "B1", "K1").await.ok();
    assert_eq!(charge(&app, "B2", "K1").await.refusal(), "400 PS0043");
    app.pass(30 * day).await;
    charge(&app, "B2", "K1").await.ok();
    app.pass(31 * day).await;
    let late = charge(&app, "B3", "K1").await;
    assert_eq!(late.refusal(), "400 PS0043");
    assert!(late.why().contains("contractExpiryDate"), "{}", late.why());
}

#[tokio::test]
async fn a_refused_charge_does_not_put_the_next_one_off() {
    let app = TestApp::new().await;
    let mut request = creation("A1", "K1", "MIT_SCHEDULED");
    request["paymentSession"]["recurrence"]["contractFrequency"] = json!("1");
    request["paymentSession"]["actionType"] = json!("VERIFY");
    pay(&app, &request, "4761730000007164").await;
    for order in ["B1", "B2"] {
        let refused = charge(&app, order, "K1").await.ok();
        assert_eq!(result(&refused), "AUTHORIZATION/DECLINED");
    }
}

#[tokio::test]
async fn a_charge_is_repeated_with_its_key_only() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "K1", "MIT_UNSCHEDULED"), APPROVED).await;
    let merchant = app.merchant();
    let key = [("idempotency-key", "charge-1")];
    let first = merchant
        .post_with("/orders/mit", &mit("B1", "K1"), &key)
        .await
        .ok();
    let again = merchant
        .post_with("/orders/mit", &mit("B1", "K1"), &key)
        .await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.ok(), first);
    let other = merchant
        .post_with("/orders/mit", &mit("B2", "K1"), &key)
        .await;
    assert_eq!(other.refusal(), "400 PS0025");
    // As after a crash between the booking and storing the answer.
    app.lose_answers().await;
    assert_eq!(
        merchant
            .post_with("/orders/mit", &mit("B1", "K1"), &key)
            .await
            .ok(),
        first
    );
    app.lose_answers().await;
    let other = merchant
        .post_with("/orders/mit", &mit("B2", "K1"), &key)
        .await;
    assert_eq!(other.refusal(), "400 PS0025");
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 2);
}

#[tokio::test]
async fn charges_at_the_same_time_are_one_where_the_contract_wants_it() {
    let app = TestApp::new().await;
    let mut request = creation("A1", "K1", "MIT_SCHEDULED");
    request["paymentSession"]["recurrence"]["contractFrequency"] = json!("7");
    request["paymentSession"]["actionType"] = json!("VERIFY");
    pay(&app, &request, APPROVED).await;
    let requests: Vec<(Value, String)> = (0..8)
        .map(|number| (mit(&format!("B{number}"), "K1"), format!("key-{number}")))
        .collect();
    let answers = app
        .all_at_once("sandbox-implicit", "/orders/mit", &requests)
        .await;
    let good = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(good, 1);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(answer.refusal(), "400 PS0043");
    }
    // The same call, sent many times, is one charge too.
    app.pass(7 * 86_400).await;
    let same = vec![(mit("C1", "K1"), String::from("one")); 8];
    let answers = app
        .all_at_once("sandbox-implicit", "/orders/mit", &same)
        .await;
    for answer in answers {
        assert_eq!(result(&answer.ok()), "AUTHORIZATION/EXECUTED");
    }
    let charges = "SELECT count(*) FROM operation WHERE operation_type = 'AUTHORIZATION'";
    assert_eq!(app.count(charges).await, 2);
}

#[tokio::test]
async fn what_is_wrong_with_a_charge_is_said_in_the_documented_order() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "K1", "CIT"), APPROVED).await;
    let with = |path: &str, value: Value| {
        let mut request = mit("B1", "K1");
        *request.pointer_mut(path).unwrap() = value;
        request
    };
    let cases = [
        (json!([]), "400 PS0026 PS0026 PS0026"),
        (
            with("/order", Value::Null),
            "400 PS0026 PS0026 PS0026 PS0026",
        ),
        (with("/order/amount", json!("0")), "400 PS0026"),
        (with("/order/amount", json!("1,00")), "400 PS0036"),
        (with("/order/currency", json!("XXX")), "400 PS0009"),
        (with("/contractId", json!("a b")), "400 PS0026"),
        (with("/contractId", Value::Null), "400 PS0026"),
        (with("/contractId", json!("K9")), "400 PS0017"),
        // The order is paid: that check comes before the check of the contract.
        (with("/order/orderId", json!("A1")), "400 GW9006"),
        (mit("B1", "K1"), "400 PS0043"),
        (
            {
                let mut request = mit("B1", "K1");
                request["captureType"] = json!("EXPLICIT");
                request
            },
            "400 PS0026",
        ),
        (with("/contractId", json!("<script>")), "400 PS0041"),
    ];
    for (request, expected) in cases {
        let answer = app.merchant().post("/orders/mit", &request).await;
        let found = answer.refusal();
        // Every error of the group is reported. The count does not matter if everything is missing.
        assert!(found.starts_with(expected), "{request}: {found}");
    }
    let no_token = app.key("sandbox-no-token");
    assert_eq!(
        no_token
            .post("/orders/mit", &mit("B1", "K1"))
            .await
            .refusal(),
        "400 PS0026"
    );
    let other = app.key("sandbox-other-merchant");
    assert_eq!(
        other.post("/orders/mit", &mit("B1", "K1")).await.refusal(),
        "400 PS0017"
    );
    assert_eq!(
        app.nobody()
            .post("/orders/mit", &mit("B1", "K1"))
            .await
            .status,
        401
    );
    let session = app.open(&build_two("C1")).await;
    assert_eq!(
        app.frame(&session)
            .post("/orders/mit", &mit("B1", "K1"))
            .await
            .status,
        401
    );
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 1);
}
