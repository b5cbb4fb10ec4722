//! How a page ends: by refusals, by time, by the buyer, by another attempt.

use super::*;

#[tokio::test]
async fn a_refused_payment_may_be_tried_again_five_times_in_all() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let session = session_of(&app, &address).await;
    for _ in 0..2 {
        let refused = pay(&app, &session, DECLINED).await;
        assert_eq!(
            short(&refused),
            "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED"
        );
    }
    // The session ends because nothing happens in it; the next one has the remaining attempts.
    app.pass(301).await;
    let session = session_of(&app, &address).await;
    for _ in 0..2 {
        pay(&app, &session, DECLINED).await;
    }
    assert_eq!(
        back_from(&app, &address).await,
        address.strip_prefix("https://gateway.example").unwrap()
    );
    let last = pay(&app, &session, DECLINED).await;
    assert_eq!(short(&last), "PAYMENT_COMPLETE AUTHORIZATION/DECLINED");
    assert_eq!(open_session(&app, &address).await.status, 409);
    assert_eq!(back_from(&app, &address).await, "https://shop.example/ok");
    assert!(
        text_of(&app, &address)
            .await
            .contains("Pagamento rifiutato")
    );
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        5
    );
}

#[tokio::test]
async fn all_windows_of_a_page_share_one_session_until_it_dies() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let first = session_of(&app, &address).await;
    assert_eq!(session_of(&app, &address).await, first);
    // Each request shows that the buyer is active.
    for _ in 0..3 {
        app.pass(200).await;
        assert_eq!(session_of(&app, &address).await, first);
    }
    app.pass(301).await;
    let second = session_of(&app, &address).await;
    assert_ne!(second, first);
    let gone = app.frame(&first).get("/build/state").await;
    assert_eq!(gone.refusal(), "400 PS0061");
    let paid = pay(&app, &second, APPROVED).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}

#[tokio::test]
async fn a_page_is_over_after_an_hour_and_leaves_nothing() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    for _ in 0..17 {
        app.pass(200).await;
        session_of(&app, &address).await;
    }
    app.pass(199).await;
    let session = session_of(&app, &address).await;
    app.pass(1).await;
    assert_eq!(open_session(&app, &address).await.status, 409);
    assert_eq!(
        app.frame(&session).get("/build/state").await.refusal(),
        "400 PS0061"
    );
    let text = text_of(&app, &address).await;
    assert!(
        text.contains("https://shop.example/ko") && text.contains("scadut"),
        "{text}"
    );
    assert_eq!(app.order("A1").await["operations"], json!([]));
    assert_eq!(app.count("SELECT count(*) FROM notification").await, 0);
}

#[tokio::test]
async fn who_gives_up_goes_to_the_cancel_url() {
    let app = TestApp::new().await;
    // Cancel in the form.
    let address = page_for(&app, "A1").await;
    let session = session_of(&app, &address).await;
    let body = json!({ "sessionId": session });
    app.frame(&session).post("/build/cancel", &body).await.ok();
    assert_eq!(back_from(&app, &address).await, "https://shop.example/ko");
    assert_eq!(open_session(&app, &address).await.status, 409);
    assert!(
        text_of(&app, &address)
            .await
            .contains("Pagamento annullato")
    );
    // Cancel on the page, with and without a session.
    for (order_id, opened) in [("A2", true), ("A3", false)] {
        let address = page_for(&app, order_id).await;
        if opened {
            session_of(&app, &address).await;
        }
        let left = form(&app, &address, "cancel", "").await;
        assert_eq!(
            (left.status, left.header("location")),
            (303, Some("https://shop.example/ko"))
        );
        assert_eq!(open_session(&app, &address).await.status, 409);
        let operations = app.order(order_id).await["operations"]
            .as_array()
            .unwrap()
            .len();
        assert_eq!(operations, usize::from(opened));
    }
}

#[tokio::test]
async fn what_was_paid_is_not_given_up() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let session = session_of(&app, &address).await;
    pay(&app, &session, APPROVED).await;
    let left = form(&app, &address, "cancel", "").await;
    assert_eq!(left.header("location"), Some("https://shop.example/ok"));
    assert_eq!(
        app.order("A1").await["orderStatus"]["capturedAmount"],
        "3545"
    );
}

#[tokio::test]
async fn another_attempt_of_the_order_closes_the_page() {
    let app = TestApp::new().await;
    for opened in [false, true] {
        let order_id = if opened { "A1" } else { "A2" };
        let first = page_for(&app, order_id).await;
        if opened {
            session_of(&app, &first).await;
        }
        let again = app
            .merchant()
            .post("/orders/hpp", &hpp(order_id))
            .await
            .ok();
        assert_eq!(again["warnings"][0]["code"], "GW9103", "{again}");
        assert_eq!(again["warnings"].as_array().unwrap().len(), 1);
        assert_eq!(open_session(&app, &first).await.status, 409);
        let built = app
            .merchant()
            .post("/orders/build", &build_form(order_id, 1))
            .await
            .ok();
        assert_eq!(built["warnings"][0]["code"], "GW9103", "{built}");
        assert_eq!(
            open_session(&app, again["hostedPage"].as_str().unwrap())
                .await
                .status,
            409
        );
        let paid = pay(&app, built["sessionId"].as_str().unwrap(), APPROVED).await;
        assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        let paid_order = app.merchant().post("/orders/hpp", &hpp(order_id)).await;
        assert_eq!(paid_order.refusal(), "400 GW9006");
    }
    // After the payment, another amount is refused too.
    let mut other_amount = hpp("A1");
    other_amount["order"]["amount"] = json!("4000");
    let other_amount = app.merchant().post("/orders/hpp", &other_amount).await;
    assert_eq!(other_amount.refusal(), "400 GW9006");
}

#[tokio::test]
async fn a_restart_in_mid_payment_keeps_the_page_and_its_payment() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let session = session_of(&app, &address).await;
    let challenged = pay(&app, &session, CHALLENGED).await;
    let url = challenged["url"].as_str().unwrap().to_owned();
    let app = app.restarted().await;
    // A reload of the page finds the same session, in which the form shows the challenge.
    assert_eq!(session_of(&app, &address).await, session);
    let path = format!("/threeds/result/{}", token_of(&url));
    let answer = Request::post(path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from("answer=code&code=123456"))
        .unwrap();
    let answered = app.send(answer).await;
    // In its own window, the challenge ends at the address to which the page sends the browser.
    let end = followed(&app, answered.header("location").unwrap()).await;
    assert_eq!(end, "https://shop.example/ok");
    let app = app.restarted().await;
    assert!(
        text_of(&app, &address)
            .await
            .contains("Pagamento completato")
    );
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}
