//! Version 2 of the build protocol: the server confirms the amount, then the device check runs.

use crate::harness::{APPROVED, Answer, CHALLENGED, TestApp, build_two, card, short, token_of};
use payframe_payment_service::ChallengeAnswer;
use serde_json::{Value, json};
use std::time::Duration;

pub(crate) async fn confirm(app: &TestApp, session: &str, amount: &str) -> Answer {
    app.merchant()
        .post(
            "/build/confirm_payment",
            &json!({ "sessionId": session, "amount": amount }),
        )
        .await
}

/// Runs the device check as the hidden frame does; returns the answer.
pub(crate) async fn verify(app: &TestApp, session: &str) -> Value {
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
            app.app
                .buyer_pages()
                .device_check_done(token_of(url))
                .await
                .unwrap();
            frame
                .get("/fe/build/gdi_and_finalize?attemptNumber=2")
                .await
                .ok()
        }
        None => state,
    }
}

/// K7, K8: the new amount is shown and accepted before the charge; the check runs unseen and ends in PAYMENT_COMPLETE or a redirect.
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
async fn good_card_data_makes_it_ready_without_a_device_check() {
    let app = TestApp::new().await;
    let mut request = build_two("A1");
    request["paymentSession"]["paymentService"] = Value::Null;
    let session = app.open(&request).await;
    let frame = app.frame(&session);
    let click = "/fe/build/action/PAY_WITH_CARD";
    let chosen = frame.post(click, &json!({})).await.ok();
    assert_eq!(chosen["state"], "CARD_DATA_COLLECTION");
    assert_eq!(chosen["fieldSet"]["fields"].as_array().unwrap().len(), 4);
    assert_eq!(frame.post(click, &json!({})).await.ok(), chosen);
    let answer = frame.post("/fe/build/text", &card(APPROVED)).await.ok();
    assert_eq!(answer["workflowState"], "READY_FOR_PAYMENT");
    assert!(answer.get("gdiStatus").is_none(), "{answer}");
    // A late click changes nothing.
    let late = frame.post(click, &json!({})).await.ok();
    assert_eq!(
        (&late["state"], &late["fieldSet"]["fields"]),
        (&json!("READY_FOR_PAYMENT"), &json!([]))
    );
    let card_data = app
        .merchant()
        .get(&format!("/build/cardData?sessionId={session}"))
        .await
        .ok();
    assert_eq!(card_data["lastFourDigits"], "0003");
    let state = confirm(&app, &session, "3545").await.ok();
    let src = state["fieldSet"]["fields"][0]["src"].as_str().unwrap();
    assert!(
        src.starts_with("https://gateway.example/fields/?id=GDI&lang=ITA&correlationid="),
        "{src}"
    );
    assert!(
        src.ends_with(&format!("&sessionid={session}&placeholder=Y")),
        "{src}"
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
        .buyer_pages()
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
        app.clock.advance(Duration::from_secs(1));
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
    let store = |amount: &str| json!({ "sessionId": session, "amount": amount, "confirm": false });
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
