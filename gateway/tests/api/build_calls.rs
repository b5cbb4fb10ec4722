//! `/build/*` and reading orders: who may, in which state, and what comes back.

use crate::harness::{
    APPROVED, CHALLENGED, DECLINED, TestApp, build, build_form, build_two, card, short, token_of,
};
use payframe_gateway::payments::ChallengeAnswer;
use serde_json::{Value, json};

/// A session of version 3 in each state that callers can tell apart.
async fn session_in(app: &TestApp, state: &str) -> String {
    let order = uuid::Uuid::new_v4().simple().to_string()[..20].to_owned();
    let mut request = build(&order);
    if state == "PAYMENT_METHOD_SELECTION" {
        request["paymentSession"]["paymentService"] = Value::Null;
    }
    let session = app.open(&request).await;
    match state {
        "READY_FOR_PAYMENT" => app.enter(&session, APPROVED).await,
        "REDIRECTED_TO_EXTERNAL_DOMAIN" => {
            app.enter(&session, CHALLENGED).await;
            app.finalize(&session).await;
        }
        "PAYMENT_COMPLETE" => {
            app.enter(&session, APPROVED).await;
            app.finalize(&session).await;
        }
        "cancelled" => {
            app.merchant()
                .post("/build/cancel", &json!({ "sessionId": session }))
                .await
                .ok();
        }
        "dead" => app.pass(301).await,
        _ => {}
    }
    session
}

#[tokio::test]
async fn calls_against_states_are_those_of_the_contract() {
    const ACTS: &str = "200 PAYMENT_COMPLETE";
    for (state, on_state, on_card_data, on_finalize, on_cancel) in [
        (
            "PAYMENT_METHOD_SELECTION",
            "200 PAYMENT_METHOD_SELECTION",
            "400 GW9003",
            "400 GW9003",
            ACTS,
        ),
        (
            "CARD_DATA_COLLECTION",
            "200 CARD_DATA_COLLECTION",
            "400 GW9003",
            "400 GW9003",
            ACTS,
        ),
        (
            "READY_FOR_PAYMENT",
            "200 READY_FOR_PAYMENT",
            "200 476173",
            ACTS,
            ACTS,
        ),
        (
            "REDIRECTED_TO_EXTERNAL_DOMAIN",
            "200 REDIRECTED_TO_EXTERNAL_DOMAIN",
            "200 476173",
            "200 REDIRECTED_TO_EXTERNAL_DOMAIN",
            ACTS,
        ),
        ("PAYMENT_COMPLETE", ACTS, "200 476173", ACTS, ACTS),
        ("cancelled", ACTS, "400 GW9003", ACTS, ACTS),
        (
            "dead",
            "400 PS0061",
            "400 PS0061",
            "400 PS0061",
            "400 PS0061",
        ),
    ] {
        for (call, expected) in [
            ("state", on_state),
            ("cardData", on_card_data),
            ("finalize_payment", on_finalize),
            ("cancel", on_cancel),
        ] {
            let app = TestApp::new().await;
            let session = session_in(&app, state).await;
            let answer = if matches!(call, "state" | "cardData") {
                app.merchant()
                    .get(&format!("/build/{call}?sessionId={session}"))
                    .await
            } else {
                app.merchant()
                    .post(&format!("/build/{call}"), &json!({ "sessionId": session }))
                    .await
            };
            let found = match (answer.body["state"].as_str(), answer.body["bin"].as_str()) {
                (Some(text), _) | (_, Some(text)) => format!("{} {text}", answer.status),
                _ => answer.refusal(),
            };
            assert_eq!(found, expected, "{call} in {state}");
        }
    }
}

#[tokio::test]
async fn the_closing_call_of_the_other_version_names_the_right_one() {
    let app = TestApp::new().await;
    let three = app.open(&build("A3")).await;
    app.enter(&three, APPROVED).await;
    let body = json!({ "sessionId": three, "amount": "1" });
    let answer = app.merchant().post("/build/confirm_payment", &body).await;
    assert_eq!(
        (answer.refusal().as_str(), answer.why()),
        (
            "400 GW9003",
            "a session of version 3 is closed by finalize_payment"
        )
    );
    let two = app.open(&build_two("A2")).await;
    app.enter(&two, APPROVED).await;
    let answer = app
        .merchant()
        .post("/build/finalize_payment", &json!({ "sessionId": two }))
        .await;
    assert_eq!(answer.refusal(), "400 GW9003");
    assert_eq!(
        app.order("A3").await["orderStatus"]["order"]["amount"],
        "3545",
        "nothing was changed"
    );
}

#[tokio::test]
async fn card_data_shows_what_the_terminal_allows() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, "4761735000000002").await;
    let data = app
        .merchant()
        .get(&format!("/build/cardData?sessionId={session}"))
        .await
        .ok();
    let expected = json!({
        "bin": "476173", "lastFourDigits": "0002", "expiringDate": "1230", "circuit": "VISA",
        "funding": "PREPAID", "issuerCountry": "ITA"
    });
    assert_eq!(data, expected);
    let session = app.open_by("sandbox-bin8", &build("A2")).await;
    app.enter(&session, "4349940199004549").await;
    let data = app.frame(&session).get("/build/cardData").await.ok();
    assert_eq!(
        (&data["bin"], data.get("funding")),
        (&json!("43499401"), None)
    );
}

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
        app.clock.advance(std::time::Duration::from_secs(1));
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
        "paymentEndToEndId": data["schemaTID"], "cancelledOperationId": null, "operationAmount": "3545",
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
async fn an_order_is_read_with_its_operations_oldest_first() {
    let app = TestApp::new().await;
    app.open(&build("A#1?;")).await;
    let empty = app.order("A%231%3F%3B").await;
    let expected = json!({
        "orderStatus": {
            "order": { "orderId": "A#1?;", "amount": "3545", "currency": "EUR", "customerId": "cust-7", "description": "Order 42" },
            "authorizedAmount": "0", "capturedAmount": "0", "refundedAmount": "0"
        },
        "operations": [], "paymentLinks": []
    });
    assert_eq!(empty, expected);
    let session = app.open_by("sandbox-explicit", &build("A2")).await;
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    let order = app.order("A2").await;
    // Any key of the merchant may close: the operation is booked on the terminal of the calling key, but the
    // capture is what was agreed when the session was made.
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
async fn a_closed_payment_is_told_again_and_never_charged_again() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    let first = app.finalize(&session).await;
    let body = json!({ "sessionId": session });
    assert_eq!(app.finalize(&session).await, first);
    assert_eq!(
        app.merchant().post("/build/cancel", &body).await.ok(),
        first
    );
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn parallel_closing_calls_get_one_answer() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    let body = json!({ "sessionId": session });
    let merchant = app.merchant();
    let close = || merchant.post("/build/finalize_payment", &body);
    let (one, two, three, cancel) = tokio::join!(
        close(),
        close(),
        close(),
        merchant.post("/build/cancel", &body)
    );
    let one = one.ok();
    assert_eq!(
        (two.ok(), three.ok(), cancel.ok()),
        (one.clone(), one.clone(), one)
    );
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn cancel_is_recorded_told_and_ends_the_session() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let state = app
        .merchant()
        .post("/build/cancel", &json!({ "sessionId": session }))
        .await
        .ok();
    assert_eq!(short(&state), "PAYMENT_COMPLETE CANCEL/CANCELED");
    assert_eq!(
        app.order("A1").await["operations"][0]["operationType"],
        "CANCEL"
    );
    assert_eq!(app.count("SELECT count(*) FROM notification").await, 1);
    let answer = app
        .frame(&session)
        .post("/fe/build/text", &card(APPROVED))
        .await;
    assert_eq!(answer.refusal(), "400 GW9003");
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
        .challenge_answer(token, ChallengeAnswer::Approve)
        .await;
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE CANCEL/CANCELED"
    );
    assert!(app.app.challenge(token).await.unwrap().finished);
    assert_eq!(
        app.app.challenge_session(token).await.unwrap().return_url,
        "https://shop.example/ko"
    );
    assert_eq!(
        app.order("A1").await["orderStatus"]["authorizedAmount"],
        "0"
    );
}

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
        app.clock.advance(std::time::Duration::from_secs(1));
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
            app.app.challenge_answer(token_of(&url), answer).await;
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

#[tokio::test]
async fn frames_close_only_sessions_that_allow_it() {
    let app = TestApp::new().await;
    let by_server = app.open(&build("A1")).await;
    app.enter(&by_server, APPROVED).await;
    let answer = app
        .frame(&by_server)
        .post("/build/finalize_payment", &json!({}))
        .await;
    assert_eq!(answer.refusal(), "400 GW9003");
    let by_frame = app.open(&build_form("A2", 1)).await;
    app.enter(&by_frame, APPROVED).await;
    let state = app
        .frame(&by_frame)
        .post("/build/finalize_payment", &json!({ "sessionId": by_frame }))
        .await
        .ok();
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let members: Vec<&String> = state["operation"].as_object().unwrap().keys().collect();
    assert_eq!(
        members,
        [
            "additionalData",
            "operationId",
            "operationResult",
            "operationTime",
            "operationType",
            "orderId"
        ]
    );
}

#[tokio::test]
async fn a_frame_reaches_no_other_session() {
    let app = TestApp::new().await;
    let mine = app.open(&build_form("A1", 1)).await;
    let other = app.open(&build_form("A2", 1)).await;
    let frame = app.frame(&mine);
    assert_eq!(
        frame
            .get(&format!("/build/state?sessionId={other}"))
            .await
            .refusal(),
        "401"
    );
    assert_eq!(
        frame
            .post("/build/cancel", &json!({ "sessionId": other }))
            .await
            .refusal(),
        "401"
    );
    assert_eq!(
        frame.get("/build/state").await.ok()["state"],
        "CARD_DATA_COLLECTION"
    );
    for path in ["/orders/A1", "/operations/1", "/build/integrity"] {
        assert_eq!(frame.get(path).await.refusal(), "401", "{path}");
    }
    assert_eq!(
        frame.post("/orders/build", &build("A3")).await.refusal(),
        "401"
    );
}

#[tokio::test]
async fn another_merchants_session_is_dead_and_an_unknown_one_too() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let other = app.key("sandbox-other-merchant");
    assert_eq!(
        other
            .get(&format!("/build/state?sessionId={session}"))
            .await
            .refusal(),
        "400 PS0061"
    );
    let answer = other
        .post("/build/cancel", &json!({ "sessionId": session }))
        .await;
    assert_eq!(
        (answer.refusal().as_str(), answer.why()),
        ("400 PS0061", "build session expired")
    );
    assert_eq!(
        app.merchant()
            .get("/build/state?sessionId=nothing")
            .await
            .refusal(),
        "400 PS0061"
    );
    assert_eq!(
        app.merchant().get("/build/state").await.refusal(),
        "400 PS0026"
    );
    assert_eq!(
        app.merchant()
            .post("/build/cancel", &json!({ "sessionId": 5 }))
            .await
            .refusal(),
        "400 PS0026"
    );
    assert_eq!(
        app.frame("nothing").get("/build/state").await.refusal(),
        "401"
    );
    assert_eq!(short(&app.state(&session).await), "CARD_DATA_COLLECTION");
}

#[tokio::test]
async fn a_refusal_with_attempts_left_is_told_again_to_the_same_call() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 2)).await;
    app.enter(&session, DECLINED).await;
    let frame = app.frame(&session);
    let nothing = json!({});
    let close = || {
        frame.post_with(
            "/build/finalize_payment",
            &nothing,
            &[("idempotency-key", "close-1")],
        )
    };
    let first = close().await.ok();
    // The answer of the key is lost, as by a crash between the outcome and the answer.
    sqlx::query("DELETE FROM stored_answer")
        .execute(app.app.store().pool())
        .await
        .unwrap();
    assert_eq!(close().await.ok(), first);
    let other = frame
        .post_with(
            "/build/finalize_payment",
            &json!({}),
            &[("idempotency-key", "close-2")],
        )
        .await;
    assert_eq!(other.refusal(), "400 GW9003");
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn integrity_is_for_merchants_and_needs_the_sdk() {
    let app = TestApp::new().await;
    assert_eq!(
        app.merchant().get("/build/integrity").await.refusal(),
        "500 PS0000"
    );
    assert_eq!(app.nobody().get("/build/integrity").await.refusal(), "401");
}

mod version_two {
    use super::*;

    async fn confirm(app: &TestApp, session: &str, amount: &str) -> crate::harness::Answer {
        app.merchant()
            .post(
                "/build/confirm_payment",
                &json!({ "sessionId": session, "amount": amount }),
            )
            .await
    }

    /// Runs the device check as the hidden frame does, and answers what it hears.
    async fn verify(app: &TestApp, session: &str) -> Value {
        let frame = app.frame(session);
        let state = frame
            .get("/fe/build/gdi_and_finalize?attemptNumber=1")
            .await
            .ok();
        match state["url"]
            .as_str()
            .filter(|url| url.contains("/threeds/device/"))
        {
            Some(url) => {
                assert_eq!(state["state"], "GDI_VERIFICATION");
                app.app.device_check_done(token_of(url)).await;
                frame
                    .get("/fe/build/gdi_and_finalize?attemptNumber=2")
                    .await
                    .ok()
            }
            None => state,
        }
    }

    #[tokio::test]
    async fn the_server_fixes_the_amount_and_the_device_check_follows() {
        let app = TestApp::new().await;
        let session = app.open(&build_two("A1")).await;
        app.enter(&session, APPROVED).await;
        assert_eq!(short(&app.state(&session).await), "READY_FOR_PAYMENT");
        let state = confirm(&app, &session, "4000").await.ok();
        assert_eq!(state["state"], "GDI_VERIFICATION");
        let field = &state["fieldSet"]["fields"][0];
        assert_eq!(
            (&field["type"], &field["class"], &field["id"]),
            (&json!("GDI"), &json!("GDI"), &json!("GDI"))
        );
        assert!(field["src"].as_str().unwrap().contains("/fields/?id=GDI&"));
        assert_eq!(confirm(&app, &session, "4000").await.ok(), state);
        assert_eq!(
            confirm(&app, &session, "4001").await.refusal(),
            "400 PS0026"
        );
        assert_eq!(
            short(&verify(&app, &session).await),
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
        );
        assert_eq!(
            app.state(&session).await["operation"]["operationAmount"],
            "4000"
        );
        let order = app.order("A1").await;
        assert_eq!(
            (
                &order["orderStatus"]["order"]["amount"],
                &order["orderStatus"]["capturedAmount"]
            ),
            (&json!("4000"), &json!("4000"))
        );
    }

    #[tokio::test]
    async fn a_challenge_follows_the_device_check() {
        let app = TestApp::new().await;
        let session = app.open(&build_two("A1")).await;
        app.enter(&session, CHALLENGED).await;
        confirm(&app, &session, "3545").await.ok();
        let state = verify(&app, &session).await;
        assert_eq!(state["state"], "REDIRECTED_TO_EXTERNAL_DOMAIN");
        app.app
            .challenge_answer(
                token_of(state["url"].as_str().unwrap()),
                ChallengeAnswer::Approve,
            )
            .await;
        assert_eq!(
            short(&app.state(&session).await),
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
        );
    }

    #[tokio::test]
    async fn a_card_without_a_device_check_takes_the_same_path() {
        let app = TestApp::new().await;
        let session = app.open(&build_two("A1")).await;
        app.enter(&session, "4761730000003049").await;
        assert_eq!(
            confirm(&app, &session, "3545").await.ok()["state"],
            "GDI_VERIFICATION"
        );
        let state = app
            .frame(&session)
            .get("/fe/build/gdi_and_finalize?attemptNumber=1")
            .await
            .ok();
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    }

    #[tokio::test]
    async fn risk_rules_refuse_before_the_device_check() {
        let app = TestApp::new().await;
        let session = app.open(&build_two("A1")).await;
        app.enter(&session, "4761730000006000").await;
        assert_eq!(
            short(&confirm(&app, &session, "3545").await.ok()),
            "PAYMENT_COMPLETE AUTHORIZATION/DENIED_BY_RISK"
        );
    }

    #[tokio::test]
    async fn a_device_check_that_never_reports_fails_the_payment() {
        let app = TestApp::new().await;
        let session = app.open(&build_two("A1")).await;
        app.enter(&session, "4761730000003031").await;
        confirm(&app, &session, "3545").await.ok();
        let frame = app.frame(&session);
        for attempt in 1..10 {
            let state = frame
                .get(&format!(
                    "/fe/build/gdi_and_finalize?attemptNumber={attempt}"
                ))
                .await
                .ok();
            assert_eq!(state["state"], "GDI_VERIFICATION");
            app.clock.advance(std::time::Duration::from_secs(1));
        }
        let state = frame
            .get("/fe/build/gdi_and_finalize?attemptNumber=10")
            .await
            .ok();
        assert_eq!(
            short(&state),
            "PAYMENT_COMPLETE AUTHORIZATION/THREEDS_FAILED"
        );
    }

    #[tokio::test]
    async fn a_device_check_that_never_loads_fails_at_the_idle_limit() {
        let app = TestApp::new().await;
        let session = app.open(&build_two("A1")).await;
        app.enter(&session, APPROVED).await;
        confirm(&app, &session, "3545").await.ok();
        app.pass(301).await;
        assert_eq!(
            short(&app.state(&session).await),
            "PAYMENT_COMPLETE AUTHORIZATION/THREEDS_FAILED"
        );
        assert_eq!(app.count("SELECT count(*) FROM notification").await, 1);
    }

    #[tokio::test]
    async fn the_amount_can_be_fixed_without_confirming() {
        let app = TestApp::new().await;
        let session = app.open(&build_two("A1")).await;
        let store =
            |amount: &str| json!({ "sessionId": session, "amount": amount, "confirm": false });
        let merchant = app.merchant();
        assert_eq!(
            merchant
                .post("/build/confirm_payment", &store("4000"))
                .await
                .ok()["state"],
            "CARD_DATA_COLLECTION"
        );
        app.enter(&session, APPROVED).await;
        assert_eq!(
            merchant
                .post("/build/confirm_payment", &store("5000"))
                .await
                .ok()["state"],
            "READY_FOR_PAYMENT"
        );
        assert_eq!(
            app.order("A1").await["orderStatus"]["order"]["amount"],
            "5000"
        );
        confirm(&app, &session, "5000").await.ok();
        assert_eq!(
            merchant
                .post("/build/confirm_payment", &store("5000"))
                .await
                .refusal(),
            "400 GW9003"
        );
        assert_eq!(
            merchant
                .post("/build/confirm_payment", &store("6000"))
                .await
                .refusal(),
            "400 GW9003"
        );
        assert_eq!(
            short(&verify(&app, &session).await),
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
        );
        assert_eq!(
            short(
                &merchant
                    .post("/build/confirm_payment", &store("6000"))
                    .await
                    .ok()
            ),
            "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
        );
        assert_eq!(
            app.order("A1").await["orderStatus"]["order"]["amount"],
            "5000"
        );
    }

    #[tokio::test]
    async fn a_frame_may_confirm_the_sessions_amount_and_no_other() {
        let app = TestApp::new().await;
        let mut request = build_two("A1");
        request["form"] = json!({ "closing": "FRAME" });
        let session = app.open(&request).await;
        app.enter(&session, APPROVED).await;
        let frame = app.frame(&session);
        let of = |amount: &str| json!({ "amount": amount });
        assert_eq!(
            frame
                .post("/build/confirm_payment", &of("1"))
                .await
                .refusal(),
            "400 PS0026"
        );
        let quiet = json!({ "amount": "3545", "confirm": false });
        assert_eq!(
            frame.post("/build/confirm_payment", &quiet).await.refusal(),
            "400 PS0026"
        );
        assert_eq!(
            frame.post("/build/confirm_payment", &of("3545")).await.ok()["state"],
            "GDI_VERIFICATION"
        );
    }

    #[tokio::test]
    async fn malformed_confirmations_are_refused() {
        let app = TestApp::new().await;
        let session = app.open(&build_two("A1")).await;
        for (body, expected) in [
            (json!({ "sessionId": session }), "400 PS0026"),
            (
                json!({ "sessionId": session, "amount": "1.5" }),
                "400 PS0036",
            ),
            (json!({ "sessionId": session, "amount": "0" }), "400 PS0026"),
            (
                json!({ "sessionId": session, "amount": "1", "confirm": "no" }),
                "400 PS0026",
            ),
            (
                json!({ "sessionId": session, "amount": "3545" }),
                "400 GW9003",
            ),
        ] {
            assert_eq!(
                app.merchant()
                    .post("/build/confirm_payment", &body)
                    .await
                    .refusal(),
                expected,
                "{body}"
            );
        }
    }

    #[tokio::test]
    async fn a_changed_amount_drops_the_accepted_currency_offer() {
        let app = TestApp::new().await;
        let session = app.open(&build_two("A1")).await;
        let frame = app.frame(&session);
        let offer = frame
            .post("/fe/build/bin", &json!({ "bin": "47617384" }))
            .await
            .ok();
        let mut entry = card("4761738400000002");
        entry
            .as_array_mut()
            .unwrap()
            .push(json!({ "id": "CURRENCY_OFFER", "value": offer["currencyOffer"]["offerId"] }));
        frame.post("/fe/build/text", &entry).await.ok();
        let state = confirm(&app, &session, "4000").await.ok();
        assert_eq!(state["warnings"][0]["code"], "GW9102");
        let state = verify(&app, &session).await;
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        let operation = &app.state(&session).await["operation"];
        assert!(
            operation["additionalData"]
                .get("multiCurrencyConversion")
                .is_none()
        );
    }
}
