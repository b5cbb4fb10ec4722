//! What happens when time passes: limits of sessions and challenges, late answers, and recovery after a restart.

use crate::harness::{APPROVED, CHALLENGED, TestApp, build, build_form, card, short, token_of};
use payframe_payment_service::{Asker, ChallengeAnswer, ChallengeStep, FormError, FormRequest};
use payframe_storage::query;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_session_dies_without_a_sign_of_the_buyer_and_leaves_nothing() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    app.clock.advance(Duration::from_secs(299));
    assert_eq!(
        short(&app.state(&session).await),
        "READY_FOR_PAYMENT",
        "the server's calls are no sign of the buyer"
    );
    app.clock.advance(Duration::from_secs(1));
    let path = format!("/build/state?sessionId={session}");
    assert_eq!(app.merchant().get(&path).await.refusal(), "400 PS0061");
    assert_eq!(
        app.frame(&session).get("/build/state").await.refusal(),
        "400 PS0061"
    );
    assert_eq!(
        app.app.forms().form(of(&session)).await.unwrap_err(),
        FormError::Dead
    );
    assert_eq!(
        app.app.forms().form(of("unknown")).await.unwrap_err(),
        FormError::Unknown
    );
    assert_eq!(app.order("A1").await["operations"], json!([]));
    assert_eq!(app.count("SELECT count(*) FROM notification").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

#[tokio::test]
async fn the_frames_calls_keep_a_session_alive_up_to_the_hard_limit() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    for _ in 0..8 {
        app.pass(200).await;
        assert_eq!(frame.get("/build/state").await.status, 200);
    }
    app.app.forms().form(of(&session)).await.unwrap();
    app.pass(199).await;
    assert_eq!(frame.get("/build/state").await.status, 200);
    app.pass(1).await;
    assert_eq!(frame.get("/build/state").await.refusal(), "400 PS0061");
}

#[tokio::test]
async fn a_session_may_be_given_a_shorter_life() {
    let app = TestApp::new().await;
    let mut request = build_form("A1", 1);
    request["form"]["expiresInSeconds"] = json!(60);
    let session = app.open(&request).await;
    app.pass(59).await;
    assert_eq!(app.frame(&session).get("/build/state").await.status, 200);
    app.pass(1).await;
    assert_eq!(
        app.frame(&session).get("/build/state").await.refusal(),
        "400 PS0061"
    );
}

#[tokio::test]
async fn due_work_forgets_cards_of_dead_sessions_without_being_asked() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 1);
    app.pass(300).await;
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
    assert_eq!(
        app.count("SELECT count(*) FROM build_session WHERE state = 'DEAD'")
            .await,
        1
    );
}

#[tokio::test]
async fn a_challenge_without_a_result_fails_in_time() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, "4761730000003023").await;
    let url = app.finalize(&session).await["url"]
        .as_str()
        .unwrap()
        .to_owned();
    let token = token_of(&url);
    assert!(
        app.app
            .buyer_pages()
            .challenge(token)
            .await
            .unwrap()
            .unwrap()
            .never_ends
    );
    for answer in [
        ChallengeAnswer::Approve,
        ChallengeAnswer::Cancel,
        ChallengeAnswer::Code(String::from("123456")),
    ] {
        assert_eq!(
            app.app.buyer_pages().challenge_answer(token, answer).await,
            ChallengeStep::AskAgain { left: 3 }
        );
    }
    app.pass(59).await;
    assert_eq!(
        short(&app.state(&session).await),
        "REDIRECTED_TO_EXTERNAL_DOMAIN"
    );
    app.pass(1).await;
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/THREEDS_FAILED"
    );
    assert_eq!(app.count("SELECT count(*) FROM notification").await, 1);
}

#[tokio::test]
async fn during_a_challenge_the_other_limits_rest() {
    let app = TestApp::with(|config| config.challenge = Duration::from_secs(600)).await;
    let mut request = build_form("A1", 2);
    request["form"]["expiresInSeconds"] = json!(60);
    let session = app.open(&request).await;
    app.enter(&session, CHALLENGED).await;
    let url = app.finalize(&session).await["url"]
        .as_str()
        .unwrap()
        .to_owned();
    app.pass(500).await;
    assert_eq!(
        short(&app.state(&session).await),
        "REDIRECTED_TO_EXTERNAL_DOMAIN"
    );
    app.app
        .buyer_pages()
        .challenge_answer(token_of(&url), ChallengeAnswer::Approve)
        .await;
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
}

#[tokio::test]
async fn a_buyer_who_comes_back_from_a_failed_challenge_has_time_to_try_again() {
    let app = TestApp::with(|config| config.challenge = Duration::from_secs(600)).await;
    let session = app.open(&build_form("A1", 2)).await;
    app.enter(&session, CHALLENGED).await;
    let url = app.finalize(&session).await["url"]
        .as_str()
        .unwrap()
        .to_owned();
    app.pass(400).await;
    app.app
        .buyer_pages()
        .challenge_answer(token_of(&url), ChallengeAnswer::Reject)
        .await;
    assert!(
        app.app
            .buyer_pages()
            .challenge(token_of(&url))
            .await
            .unwrap()
            .unwrap()
            .means
            .is_none()
    );
    assert_eq!(
        short(&app.state(&session).await),
        "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED"
    );
    let back = app
        .frame(&session)
        .get("/fe/build/validateAndPay")
        .await
        .ok();
    assert_eq!(back["url"], "https://shop.example/ok");
    app.pass(200).await;
    app.enter(&session, APPROVED).await;
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
}

#[tokio::test]
async fn a_pending_payment_gets_its_result_and_both_are_told() {
    let app = TestApp::new().await;
    for (order, number, expected, iso) in [
        ("A1", "4761730000008881", "EXECUTED", "000"),
        ("A2", "4761730000009079", "DECLINED", "907"),
        ("A3", "4761730000009111", "EXECUTED", "000"),
    ] {
        let session = app.open(&build(order)).await;
        app.enter(&session, number).await;
        let pending = app.finalize(&session).await;
        assert_eq!(pending["operation"]["operationResult"], "PENDING");
        assert_eq!(
            app.order(order).await["orderStatus"]["authorizedAmount"],
            "0"
        );
        app.pass(29).await;
        assert_eq!(
            app.state(&session).await["operation"]["operationResult"],
            "PENDING"
        );
        app.pass(1).await;
        let state = app.state(&session).await;
        assert_eq!(state["operation"]["operationResult"], expected, "{number}");
        assert_eq!(
            state["operation"]["additionalData"]["authorizationStatus"],
            iso
        );
        assert_eq!(
            state["operation"]["operationId"],
            pending["operation"]["operationId"]
        );
        assert_eq!(app.finalize(&session).await, state);
        let amount = if expected == "EXECUTED" { "3545" } else { "0" };
        assert_eq!(
            app.order(order).await["orderStatus"]["capturedAmount"],
            amount
        );
        app.pass(100).await;
    }
    assert_eq!(app.count("SELECT count(*) FROM notification").await, 6);
    let results: Vec<serde_json::Value> = app
        .told()
        .await
        .into_iter()
        .filter(|told| told["operation"]["orderId"] == "A1")
        .collect();
    assert_eq!(results[0]["operation"]["operationResult"], "PENDING");
    assert_eq!(results[1]["operation"]["operationResult"], "EXECUTED");
    assert_eq!(
        (&results[1]["eventType"], &results[1]["eventTime"]),
        (&json!("PAYMENT"), &json!("2026-11-20T10:00:30.000Z"))
    );
    assert_eq!(results[0]["securityToken"], results[1]["securityToken"]);
    assert_ne!(results[0]["eventId"], results[1]["eventId"]);
}

#[tokio::test]
async fn an_outcome_is_told_for_a_day() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    app.pass(86_399).await;
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    app.pass(1).await;
    let path = format!("/build/state?sessionId={session}");
    assert_eq!(app.merchant().get(&path).await.refusal(), "400 PS0061");
    assert_eq!(
        app.order("A1").await["orderStatus"]["capturedAmount"],
        "3545"
    );
}

/// N15: it is gone from field and memory, and never stored or prefilled.
#[tokio::test]
async fn a_restart_in_mid_payment_loses_the_security_code_and_not_the_payment() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    let before = app.open(&build("A2")).await;
    app.enter(&before, APPROVED).await;
    app.finalize(&before).await;
    let app = app.restarted().await;
    assert_eq!(short(&app.state(&session).await), "READY_FOR_PAYMENT");
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    let charges = app.acquirer().await;
    let codes = charges
        .ask(query(
            "SELECT security_code FROM charge ORDER BY security_code",
        ))
        .await
        .unwrap();
    let codes: Vec<String> = codes.iter().map(|row| row.first().unwrap()).collect();
    assert_eq!(codes, ["GIVEN", "LOST"]);
}

#[tokio::test]
async fn a_restart_keeps_challenges_device_checks_and_pending_payments() {
    let app = TestApp::new().await;
    let challenged = app.open(&build("A1")).await;
    app.enter(&challenged, CHALLENGED).await;
    let url = app.finalize(&challenged).await["url"]
        .as_str()
        .unwrap()
        .to_owned();
    let checking = app.open(&build("A2")).await;
    let answer = app
        .frame(&checking)
        .post("/fe/build/text", &card(APPROVED))
        .await
        .ok();
    let pending = app.open(&build("A3")).await;
    app.enter(&pending, "4761730000008881").await;
    app.finalize(&pending).await;
    app.clock.advance(Duration::from_secs(40));
    let app = app.restarted().await;
    assert_eq!(
        app.state(&pending).await["operation"]["operationResult"],
        "EXECUTED",
        "booked by the start"
    );
    app.app
        .buyer_pages()
        .device_check_done(token_of(answer["gdiStatus"]["gdiUrl"].as_str().unwrap()))
        .await
        .unwrap();
    assert_eq!(short(&app.state(&checking).await), "READY_FOR_PAYMENT");
    assert_eq!(app.state(&challenged).await["url"], url);
    app.app
        .buyer_pages()
        .challenge_answer(token_of(&url), ChallengeAnswer::Approve)
        .await;
    assert_eq!(
        short(&app.state(&challenged).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
}

#[tokio::test]
async fn the_form_starts_with_everything_it_needs() {
    let app = TestApp::new().await;
    let mut request = build_form("A1", 3);
    request["form"]["cardSummary"] = json!("LAST4");
    let session = app.open(&request).await;
    let view = app.app.forms().form(of(&session)).await.unwrap();
    let boot = serde_json::to_value(&view.boot).unwrap();
    assert_eq!(view.language, "ita");
    assert_eq!(boot["state"]["state"], "CARD_DATA_COLLECTION");
    let mut rest = boot;
    rest["state"].take();
    let key = rest["cardKey"].take();
    assert_eq!(key.as_str().unwrap().len(), 87);
    let expected = json!({
        "session": session, "orderId": "A1", "merchantOrigin": "https://shop.example", "version": 3, "state": null, "cardKey": null,
        "amount": "3545", "currency": "EUR", "minorDigits": 2, "merchant": "Demo shop", "actionType": "PAY",
        "closing": "FRAME", "cardSummary": "LAST4",
        "networks": ["VISA", "MC", "AMEX", "DINERS", "DISCOVER", "JCB", "UNIONPAY", "MAESTRO", "CARTES_BANCAIRES", "BANCONTACT"],
        "fields": ["CARD_NUMBER", "EXPIRATION_DATE", "SECURITY_CODE", "CARDHOLDER_NAME"],
        "today": "2026-11-19", "expiresAt": "2026-11-20T10:30:00.000Z", "diagnostics": true, "lookUp": true
    });
    assert_eq!(rest, expected);
}

/// A browser loads the form of this session.
fn of(session_id: &str) -> FormRequest<'_> {
    FormRequest {
        session_id,
        former: None,
        asker: Asker::Frame(None),
    }
}
