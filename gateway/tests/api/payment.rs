//! Payments from the build call to the outcome.

use crate::harness::{APPROVED, CHALLENGED, DECLINED, TestApp, build, build_form, short, token_of};
use payframe_payment_service::{ChallengeAnswer, ChallengeStep};
use serde_json::json;

#[tokio::test]
async fn an_approved_card_pays_the_order() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    assert_eq!(short(&app.state(&session).await), "CARD_DATA_COLLECTION");
    app.enter(&session, APPROVED).await;
    assert_eq!(short(&app.state(&session).await), "READY_FOR_PAYMENT");
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    let order = app.order("A1").await;
    assert_eq!(order["orderStatus"]["authorizedAmount"], "3545");
    assert_eq!(order["orderStatus"]["capturedAmount"], "3545");
    assert_eq!(order["operations"].as_array().unwrap().len(), 1);
    assert_eq!(app.count("SELECT count(*) FROM notification").await, 1);
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

#[tokio::test]
async fn a_challenge_that_is_passed_pays_the_order() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, CHALLENGED).await;
    let state = app.finalize(&session).await;
    assert_eq!(short(&state), "REDIRECTED_TO_EXTERNAL_DOMAIN");
    let token = token_of(state["url"].as_str().unwrap());
    let view = app
        .app
        .buyer_pages()
        .challenge(token)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (
            view.last4.as_str(),
            view.merchant.as_str(),
            view.means.is_none()
        ),
        ("3007", "Demo shop", false)
    );
    let wrong = app
        .app
        .buyer_pages()
        .challenge_answer(token, ChallengeAnswer::Code(String::from("111111")))
        .await;
    assert_eq!(wrong, ChallengeStep::AskAgain { left: 2 });
    let right = app
        .app
        .buyer_pages()
        .challenge_answer(token, ChallengeAnswer::Code(String::from("123456")))
        .await;
    assert_eq!(right, ChallengeStep::Return);
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    let back = app
        .frame(&session)
        .get("/fe/build/validateAndPay")
        .await
        .ok();
    assert_eq!(back["url"], "https://shop.example/ok");
    assert_eq!(
        app.app
            .buyer_pages()
            .challenge_return(token)
            .await
            .unwrap()
            .unwrap()
            .return_url,
        "https://shop.example/ok"
    );
}

/// A script of the merchant's page can navigate the form's inner frames to addresses that it knows.
#[tokio::test]
async fn a_challenge_is_shown_in_frames_of_ours_and_in_whole_windows() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, CHALLENGED).await;
    let state = app.finalize(&session).await;
    let url = state["url"].as_str().unwrap();
    for (site, destination, expected) in [
        ("same-origin", "iframe", 200),
        ("cross-site", "iframe", 404),
        ("same-site", "iframe", 404),
        // The merchant's page navigates the whole window here.
        ("cross-site", "document", 200),
        ("none", "document", 200),
    ] {
        let headers = [("sec-fetch-site", site), ("sec-fetch-dest", destination)];
        let page = app.page(url, &headers).await;
        assert_eq!(page.status, expected, "{site} {destination}");
        assert_eq!(page.text().contains("3007"), expected == 200);
    }
    // Browsers that do not send these headers.
    assert_eq!(app.page(url, &[]).await.status, 200);
}

#[tokio::test]
async fn a_declined_card_can_be_replaced_while_attempts_remain() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 2)).await;
    app.enter(&session, DECLINED).await;
    let frame = app.frame(&session);
    let state = frame.post("/build/finalize_payment", &json!({})).await.ok();
    assert_eq!(short(&state), "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED");
    assert_eq!(
        state["operation"]["additionalData"]["authorizationStatus"],
        "116"
    );
    assert_eq!(state["fieldSet"]["fields"].as_array().unwrap().len(), 4);
    app.enter(&session, APPROVED).await;
    let state = frame.post("/build/finalize_payment", &json!({})).await.ok();
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}
