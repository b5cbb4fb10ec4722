//! Calls that are repeated, overlap, or whose caller disconnects (contract 1.7).

use crate::harness::{APPROVED, CHALLENGED, DECLINED, TestApp, build, build_form, card, short};
use crate::log::Log;
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn an_answer_is_told_again_to_the_same_key_and_body() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    let key = [("idempotency-key", "build-1")];
    let first = merchant
        .post_with("/orders/build", &build("A1"), &key)
        .await;
    assert_eq!(first.header("idempotency-replayed"), None);
    let mut reordered = serde_json::Map::new();
    for (name, value) in build("A1").as_object().unwrap().iter().rev() {
        reordered.insert(name.clone(), value.clone());
    }
    let again = merchant
        .post_with("/v1/orders/build/", &Value::Object(reordered), &key)
        .await;
    assert_eq!(
        (again.status, again.header("idempotency-replayed")),
        (200, Some("true"))
    );
    assert_eq!(again.bytes, first.bytes);
    assert_eq!(app.count("SELECT count(*) FROM build_session").await, 1);
    let other_body = merchant
        .post_with("/orders/build", &build("A2"), &key)
        .await;
    assert_eq!(other_body.refusal(), "400 PS0025");
    let other_path = merchant
        .post_with("/build/cancel", &build("A1"), &key)
        .await;
    assert_eq!(other_path.refusal(), "400 PS0025");
    let same_merchant = app
        .key("sandbox-explicit")
        .post_with("/orders/build", &build("A1"), &key)
        .await;
    assert_eq!(
        same_merchant.refusal(),
        "400 PS0025",
        "a key is the merchant's, and its answer is the terminal's"
    );
    let other_merchant = app
        .key("sandbox-other-merchant")
        .post_with("/orders/build", &build("A1"), &key)
        .await;
    assert_ne!(other_merchant.bytes, first.bytes);
    let app = app.restarted().await;
    assert_eq!(
        app.merchant()
            .post_with("/orders/build", &build("A1"), &key)
            .await
            .bytes,
        first.bytes
    );
}

#[tokio::test]
async fn the_answer_of_a_completion_is_the_state_and_is_told_again() {
    for (number, outcome) in [
        (APPROVED, "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"),
        (DECLINED, "PAYMENT_COMPLETE AUTHORIZATION/DECLINED"),
        (CHALLENGED, "REDIRECTED_TO_EXTERNAL_DOMAIN"),
    ] {
        let app = TestApp::new().await;
        let session = app.open(&build("A1")).await;
        app.enter(&session, number).await;
        let body = json!({ "sessionId": session });
        let key = [("idempotency-key", "finalize-1")];
        let merchant = app.merchant();
        let finalize = || merchant.post_with("/build/finalize_payment", &body, &key);
        let first = finalize().await;
        assert_eq!(short(&first.body), outcome);
        assert_eq!(first.body, app.state(&session).await, "{outcome}");
        let again = finalize().await;
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.bytes, first.bytes, "{outcome}");
    }
}

#[tokio::test]
async fn a_refusal_leaves_its_key_free() {
    let app = TestApp::new().await;
    let key = [("idempotency-key", "k")];
    let merchant = app.merchant();
    assert_eq!(
        merchant
            .post_with("/orders/build", &json!({}), &key)
            .await
            .status,
        400
    );
    assert_eq!(
        merchant
            .post_with("/orders/build", &build("A1"), &key)
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn card_data_is_recognised_when_it_is_sent_again() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    let key = [("idempotency-key", "card-1")];
    let first = frame
        .post_with("/fe/build/text", &card(APPROVED), &key)
        .await;
    let again = frame
        .post_with("/fe/build/text", &card(APPROVED), &key)
        .await;
    assert_eq!(
        (again.header("idempotency-replayed"), &again.bytes),
        (Some("true"), &first.bytes)
    );
    assert_eq!(app.count("SELECT submissions FROM build_session").await, 1);
    let other = frame
        .post_with("/fe/build/text", &card("5413330000000001"), &key)
        .await;
    assert_eq!(other.refusal(), "400 PS0025");
    let other_session = app.open(&build("A2")).await;
    assert_eq!(
        app.frame(&other_session)
            .post_with("/fe/build/text", &card(APPROVED), &key)
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_call_waits_for_the_running_one_with_its_key() {
    let app = TestApp::new().await;
    let log = Log::of_this_thread();
    let (request, merchant) = (build("A1"), app.merchant());
    let headers = [("idempotency-key", "k"), ("x-sandbox-fault", "slow:500")];
    // Both run before either is done.
    let (one, other) = tokio::join!(
        merchant.post_with("/orders/build", &request, &headers),
        merchant.post_with("/orders/build", &request, &headers)
    );
    assert_eq!((one.status, &one.body), (200, &other.body));
    let replayed = [&one, &other].map(|answer| answer.header("idempotency-replayed").is_some());
    assert!(
        replayed[0] != replayed[1],
        "one acts, the other one is told its answer: {replayed:?}"
    );
    // A call that comes after the other one ended gets its answer without waiting.
    let waits = "waits for the running call with the same idempotency key";
    assert_eq!(log.text().matches(waits).count(), 1, "{}", log.text());
    assert_eq!(app.count("SELECT count(*) FROM build_session").await, 1);
}

#[tokio::test]
async fn a_call_that_runs_for_too_long_is_a_conflict_for_the_next() {
    let app = TestApp::with(|config| config.in_flight_wait = Duration::from_millis(300)).await;
    let (request, merchant) = (build("A1"), app.merchant());
    // Longer than any machine needs for the next call.
    let slow = merchant.post_with(
        "/orders/build",
        &request,
        &[("idempotency-key", "k"), ("x-sandbox-fault", "slow:60000")],
    );
    let next = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        merchant
            .post_with("/orders/build", &request, &[("idempotency-key", "k")])
            .await
    };
    tokio::select! {
        _ = slow => panic!("it was to take longer"),
        second = next => assert_eq!(second.refusal(), "409 GW9001"),
    }
}

/// M4, M5: same attempt, same idempotency key made in the frame; a changed card gets a new key; outcome "unknown", buyer told not to pay again, then polled to the true result.
#[tokio::test]
async fn a_lost_answer_of_a_payment_is_found_again_and_charges_once() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 1)).await;
    app.enter(&session, APPROVED).await;
    let frame = app.frame(&session);
    let headers = [("idempotency-key", "pay"), ("x-sandbox-fault", "timeout")];
    assert!(
        frame
            .post_with("/build/finalize_payment", &json!({}), &headers)
            .await
            .closed
    );
    let again = frame
        .post_with("/build/finalize_payment", &json!({}), &headers[..1])
        .await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(
        short(&again.body),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
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
async fn a_caller_that_goes_away_does_not_stop_a_payment() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    let body = json!({ "sessionId": session });
    let merchant = app.merchant();
    let call = merchant.post_with(
        "/build/finalize_payment",
        &body,
        &[("x-sandbox-fault", "slow:1000")],
    );
    // Long enough for a busy machine to receive the call, and shorter than the gateway takes.
    let gone = tokio::time::timeout(Duration::from_millis(500), call).await;
    assert!(gone.is_err());
    for _ in 0..200 {
        if short(&app.state(&session).await).starts_with("PAYMENT_COMPLETE") {
            return;
        }
        app.clock.advance(Duration::from_secs(1));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the payment stopped with its caller");
}
