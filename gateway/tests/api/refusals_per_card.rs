//! How often issuers may refuse one card: somebody who tries out security codes of a number is stopped.

use crate::harness::{APPROVED, DECLINED, TestApp, build, build_form, build_two, short};
use crate::server_to_server::moto;
use serde_json::{Value, json};

const DECLINE: &str = "AUTHORIZATION/DECLINED";
const STOPPED: &str = "AUTHORIZATION/DENIED_BY_RISK";

async fn limited(most: u32) -> TestApp {
    TestApp::with(|config| config.refusals_per_card = Some(most)).await
}

/// A buyer pays with a card in a session of this terminal's key.
async fn pay(app: &TestApp, key: &str, order: &str, number: &str) -> Value {
    let session = app.open_by(key, &build(order)).await;
    app.enter(&session, number).await;
    let body = json!({ "sessionId": session });
    let paid = app.key(key).post("/build/finalize_payment", &body).await;
    paid.ok()
}

async fn result(app: &TestApp, order: &str, number: &str) -> String {
    let state = pay(app, "sandbox-implicit", order, number).await;
    short(&state).replace("PAYMENT_COMPLETE ", "")
}

#[tokio::test]
async fn a_card_that_issuers_refused_too_often_is_not_charged_for_an_hour() {
    let app = limited(3).await;
    for order in ["A1", "A2", "A3"] {
        assert_eq!(result(&app, order, DECLINED).await, DECLINE, "{order}");
    }
    let stopped = pay(&app, "sandbox-implicit", "A4", DECLINED).await;
    assert_eq!(short(&stopped), format!("PAYMENT_COMPLETE {STOPPED}"));
    let data = &stopped["operation"]["additionalData"];
    assert_eq!(data.get("authorizationStatus"), None, "no issuer was asked");
    // Others are not concerned: another card, and the same card at another merchant.
    assert!(result(&app, "A5", APPROVED).await.ends_with("/EXECUTED"));
    let elsewhere = pay(&app, "sandbox-other-merchant", "A6", DECLINED).await;
    assert_eq!(short(&elsewhere), format!("PAYMENT_COMPLETE {DECLINE}"));
    // Refusals by the limit do not count, so it ends.
    app.pass(3601).await;
    assert_eq!(result(&app, "A7", DECLINED).await, DECLINE);
}

#[tokio::test]
async fn processes_and_sessions_share_the_count_and_version_two_has_it_too() {
    let app = limited(2).await;
    let session = app.open(&build_form("A1", 3)).await;
    for expected in ["CARD_DATA_COLLECTION", "CARD_DATA_COLLECTION"] {
        app.enter(&session, DECLINED).await;
        let state = app.finalize(&session).await;
        assert_eq!(short(&state), format!("{expected} {DECLINE}"));
    }
    let app = app.restarted().await;
    assert_eq!(result(&app, "A2", DECLINED).await, STOPPED);
    let session = app.open(&build_two("A3")).await;
    app.enter(&session, DECLINED).await;
    let body = json!({ "sessionId": session, "amount": "3545" });
    let confirmed = app.merchant().post("/build/confirm_payment", &body).await;
    let url = confirmed.ok()["fieldSet"]["fields"][0]["src"].clone();
    assert!(url.is_string());
    let frame = app.frame(&session);
    let verified = frame
        .get("/fe/build/gdi_and_finalize?attemptNumber=1")
        .await;
    let url = verified.ok()["url"].as_str().unwrap().to_owned();
    let token = crate::harness::token_of(&url);
    app.app
        .buyer_pages()
        .device_check_done(token)
        .await
        .unwrap();
    let verified = frame
        .get("/fe/build/gdi_and_finalize?attemptNumber=2")
        .await;
    // The form reads an ordinary decline, the merchant's server the reason.
    assert_eq!(short(&verified.ok()), format!("PAYMENT_COMPLETE {DECLINE}"));
    let whole = app.state(&session).await;
    assert_eq!(short(&whole), format!("PAYMENT_COMPLETE {STOPPED}"));
    let data = &whole["operation"]["additionalData"];
    assert_eq!(data["cardTestingRule"], "CARD");
}

/// A merchant's own server is trusted: it is no form that a bot can fill in. Its refusals count.
#[tokio::test]
async fn calls_of_a_merchants_server_are_counted_and_not_stopped() {
    let app = limited(1).await;
    for order in ["A1", "A2"] {
        let paid = app
            .merchant()
            .post("/orders/moto", &moto(order, DECLINED))
            .await;
        assert_eq!(
            paid.ok()["operation"]["operationResult"],
            "DECLINED",
            "{order}"
        );
    }
    assert_eq!(result(&app, "A3", DECLINED).await, STOPPED);
}

#[tokio::test]
async fn a_sandbox_has_no_limit_and_zero_is_none() {
    let app = TestApp::new().await;
    for order in 0..12 {
        app.clock.advance(std::time::Duration::from_secs(1));
        assert_eq!(result(&app, &format!("A{order}"), DECLINED).await, DECLINE);
    }
    assert_eq!(app.count("SELECT count(*) FROM card_refusal").await, 0);
}

#[tokio::test]
async fn refusals_that_no_longer_count_are_deleted() {
    let app = limited(3).await;
    result(&app, "A1", DECLINED).await;
    assert_eq!(app.count("SELECT count(*) FROM card_refusal").await, 1);
    assert!(!app.keeps(DECLINED).await, "no number");
    app.pass(3601).await;
    app.app.due_work().tidy_up().await;
    assert_eq!(app.count("SELECT count(*) FROM card_refusal").await, 0);
}
