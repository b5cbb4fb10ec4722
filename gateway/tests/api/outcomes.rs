//! The outcome of each test card, and how merchants read it.

use crate::harness::{APPROVED, CHALLENGED, TestApp, build, short, token_of};
use payframe_payment_service::ChallengeAnswer;
use serde_json::{Value, json};
use std::time::Duration;

/// O9: success, failure, cancel, silence and a lost answer can be chosen by the test.
#[tokio::test]
async fn outcomes_are_those_of_the_cards() {
    let app = TestApp::new().await;
    for (number, expected, iso, threeds) in [
        (
            APPROVED,
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED",
            json!("000"),
            json!("FULL_SECURE"),
        ),
        (
            "4349940199004549",
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED",
            json!("000"),
            json!("FULL_SECURE"),
        ),
        (
            "4761730000003049",
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED",
            json!("000"),
            json!("NOT_SECURE"),
        ),
        (
            "4761730000003056",
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED",
            json!("000"),
            json!("NOT_SECURE"),
        ),
        (
            "4761730000003064",
            "PAYMENT_COMPLETE AUTHORIZATION/THREEDS_FAILED",
            Value::Null,
            Value::Null,
        ),
        (
            "4761730000003072",
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED",
            json!("000"),
            json!("ATTEMPTED"),
        ),
        (
            "4761730000006000",
            "PAYMENT_COMPLETE AUTHORIZATION/DENIED_BY_RISK",
            Value::Null,
            Value::Null,
        ),
        (
            "4761730000001167",
            "PAYMENT_COMPLETE AUTHORIZATION/DECLINED",
            json!("116"),
            json!("FULL_SECURE"),
        ),
        (
            "4761730000008881",
            "PAYMENT_COMPLETE AUTHORIZATION/PENDING",
            json!("888"),
            json!("FULL_SECURE"),
        ),
        (
            "4761730000009095",
            "PAYMENT_COMPLETE AUTHORIZATION/FAILED",
            json!("909"),
            json!("FULL_SECURE"),
        ),
        (
            "4012888888881881",
            "PAYMENT_COMPLETE AUTHORIZATION/DECLINED",
            json!("111"),
            json!("FULL_SECURE"),
        ),
        (
            "374245000000009",
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED",
            json!("000"),
            json!("FULL_SECURE"),
        ),
    ] {
        app.clock.advance(Duration::from_secs(1));
        let session = app.open(&build(&format!("A{number}"))).await;
        app.enter(&session, number).await;
        let state = app.finalize(&session).await;
        assert_eq!(short(&state), expected, "{number}");
        let data = &state["operation"]["additionalData"];
        assert_eq!(
            (&data["authorizationStatus"], &data["threeDS"]),
            (&iso, &threeds),
            "{number}"
        );
        let warned = state["operation"]["warnings"][0]["code"] == "TRA001";
        assert_eq!(warned, threeds == "NOT_SECURE", "{number}");
    }
}

#[tokio::test]
async fn an_operation_tells_the_merchant_everything_and_no_digit_too_many() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["order"]["customerInfo"] = json!({ "cardHolderName": "Anna Rossi", "unknown": true });
    let session = app.open(&request).await;
    app.enter(&session, "4761732500000004").await;
    let state = app.finalize(&session).await;
    let mut operation = state["operation"].clone();
    let id = operation["operationId"].as_str().unwrap().to_owned();
    assert!(id.len() == 18 && id.bytes().all(|byte| byte.is_ascii_digit()));
    let data = operation["additionalData"].take();
    for (key, length) in [
        ("authorizationCode", 6),
        ("rrn", 12),
        ("schemaTID", 9),
        ("cardId", 64),
        ("cardId4", 64),
    ] {
        assert_eq!(data[key].as_str().unwrap().len(), length, "{key}");
    }
    assert_eq!(data["maskedPan"], "476173******0004");
    assert_eq!(
        (
            &data["cardType"],
            &data["cardCountry"],
            &data["cardExpiryDate"]
        ),
        (&json!("DEBIT"), &json!("FRA"), &json!("203012"))
    );
    let expected = json!({
        "orderId": "A1", "operationId": id, "channel": "ECOMMERCE", "channelDetail": "BUILD",
        "operationType": "AUTHORIZATION", "operationResult": "EXECUTED", "operationTime": "2026-11-20T10:00:00.000Z",
        "paymentMethod": "CARD", "paymentCircuit": "VISA", "paymentInstrumentInfo": "***0004",
        "paymentEndToEndId": data["schemaTID"], "operationAmount": "3545",
        "operationCurrency": "EUR", "customerInfo": { "cardHolderName": "Anna Rossi" }, "warnings": [],
        "terminalId": "91000001", "additionalData": null
    });
    assert_eq!(operation, expected);
    let read = app.merchant().get(&format!("/operations/{id}")).await.ok();
    assert_eq!(read, state["operation"]);
    assert_eq!(
        app.key("sandbox-explicit")
            .get(&format!("/operations/{id}"))
            .await
            .status,
        200,
        "same merchant"
    );
    assert_eq!(
        app.key("sandbox-other-merchant")
            .get(&format!("/operations/{id}"))
            .await
            .refusal(),
        "404"
    );
    assert_eq!(
        app.merchant()
            .get("/operations/100000000000000000")
            .await
            .refusal(),
        "404"
    );
}

#[tokio::test]
async fn an_order_is_read_with_its_operations() {
    let app = TestApp::new().await;
    app.open(&build("A#1?;")).await;
    let mut empty = app.order("A%231%3F%3B").await;
    let version = empty.as_object_mut().unwrap().remove("orderVersion");
    assert!(version.is_some_and(|version| version.is_string()));
    let expected = json!({
        "orderStatus": {
            "order": { "orderId": "A#1?;", "amount": "3545", "currency": "EUR", "customerId": "cust-7", "description": "Order 42" },
            "status": "UNPAID", "authorizedAmount": "0", "capturedAmount": "0", "refundedAmount": "0"
        },
        "operations": [], "paymentLinks": []
    });
    assert_eq!(empty, expected);
    let session = app.open_by("sandbox-explicit", &build("A2")).await;
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    let order = app.order("A2").await;
    // Any key of the merchant may close: the operation is booked on the terminal of the calling key, but the
    // capture was agreed when the session was made.
    assert_eq!(order["operations"][0]["terminalId"], "91000001");
    assert_eq!(order["operations"][0]["operationResult"], "AUTHORIZED");
    assert_eq!(
        (
            &order["orderStatus"]["authorizedAmount"],
            &order["orderStatus"]["capturedAmount"]
        ),
        (&json!("3545"), &json!("0"))
    );
    assert_eq!(
        order["orderStatus"]["lastOperation"],
        order["operations"][0]
    );
    assert_eq!(app.merchant().get("/orders/NONE").await.refusal(), "404");
}

#[tokio::test]
async fn operation_times_of_a_merchant_never_tie() {
    let app = TestApp::new().await;
    let mut times = Vec::new();
    for order in ["A1", "A2", "A3"] {
        let session = app.open(&build(order)).await;
        app.enter(&session, APPROVED).await;
        times.push(
            app.finalize(&session).await["operation"]["operationTime"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    assert_eq!(
        times,
        [
            "2026-11-20T10:00:00.000Z",
            "2026-11-20T10:00:00.001Z",
            "2026-11-20T10:00:00.002Z"
        ]
    );
}

#[tokio::test]
async fn a_challenge_can_be_cancelled_and_its_answer_comes_too_late() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, CHALLENGED).await;
    let url = app.finalize(&session).await["url"]
        .as_str()
        .unwrap()
        .to_owned();
    app.frame(&session)
        .post("/build/cancel", &json!({}))
        .await
        .ok();
    let token = token_of(&url);
    app.app
        .buyer_pages()
        .challenge_answer(token, ChallengeAnswer::Approve)
        .await;
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE CANCEL/CANCELED"
    );
    assert!(
        app.app
            .buyer_pages()
            .challenge(token)
            .await
            .unwrap()
            .unwrap()
            .means
            .is_none()
    );
    assert_eq!(
        app.app
            .buyer_pages()
            .challenge_return(token)
            .await
            .unwrap()
            .unwrap()
            .return_url,
        "https://shop.example/ko"
    );
    assert_eq!(
        app.order("A1").await["orderStatus"]["authorizedAmount"],
        "0"
    );
}

/// O9: success, failure, cancel, silence and a lost answer can be chosen by the test.
#[tokio::test]
async fn challenges_fail_in_every_way_that_the_contract_lists() {
    let app = TestApp::new().await;
    let code = |text: &str| ChallengeAnswer::Code(text.to_owned());
    let wrong = || code("000000");
    for (number, answers, expected) in [
        (CHALLENGED, vec![ChallengeAnswer::Reject], "THREEDS_FAILED"),
        (CHALLENGED, vec![ChallengeAnswer::Cancel], "THREEDS_FAILED"),
        (
            CHALLENGED,
            vec![wrong(), wrong(), wrong()],
            "THREEDS_FAILED",
        ),
        (
            CHALLENGED,
            vec![wrong(), wrong(), code("123456")],
            "EXECUTED",
        ),
        (CHALLENGED, vec![ChallengeAnswer::Approve], "EXECUTED"),
        ("4761730000003015", vec![code("123456")], "THREEDS_FAILED"),
        (
            "4761730000003015",
            vec![ChallengeAnswer::Approve],
            "THREEDS_FAILED",
        ),
        ("4761730000003080", vec![code("123456")], "DECLINED"),
    ] {
        app.clock.advance(Duration::from_secs(1));
        let order = uuid::Uuid::new_v4().simple().to_string()[..20].to_owned();
        let session = app.open(&build(&order)).await;
        app.enter(&session, number).await;
        let url = app.finalize(&session).await["url"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(
            app.frame(&session)
                .get("/fe/build/validateAndPay")
                .await
                .refusal(),
            "400 GW9003"
        );
        for answer in answers {
            app.app
                .buyer_pages()
                .challenge_answer(token_of(&url), answer)
                .await;
        }
        let state = app.state(&session).await;
        assert_eq!(state["operation"]["operationResult"], expected, "{number}");
        let back = app
            .frame(&session)
            .get("/fe/build/validateAndPay")
            .await
            .ok();
        assert_eq!(back["url"], "https://shop.example/ok");
    }
}
