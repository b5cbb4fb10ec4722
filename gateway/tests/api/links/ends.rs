//! How a link ends: by time, by a call, by its payment, by another link of its order.

use super::*;

#[tokio::test]
async fn a_link_is_good_to_the_end_of_its_last_day_in_the_terminals_zone() {
    let app = TestApp::new().await;
    let link = made(&app, &link_until("A1", "2026-11-20")).await;
    // Midnight in Rome is at 23:00 UTC, 13 hours after the start.
    app.pass(13 * 3600 - 1).await;
    let session = session_of(&app, address_of(&link)).await;
    assert_eq!(read(&app, &link).await["status"], "ACTIVE");
    app.pass(1).await;
    assert_eq!(read(&app, &link).await["status"], "EXPIRED");
    assert_eq!(
        app.frame(&session).get("/build/state").await.refusal(),
        "400 PS0061"
    );
    assert_eq!(open_session(&app, address_of(&link)).await.status, 409);
    let text = text_of(&app, address_of(&link)).await;
    assert!(
        text.contains("Questo link di pagamento non è più valido"),
        "{text}"
    );
    assert_eq!(app.order("A1").await["operations"], json!([]));

    let renewed = renew(&app, &link).await.ok()["paymentLink"].clone();
    assert_eq!(renewed["expirationDate"], "2026-11-22");
    assert_eq!(
        (&renewed["status"], &renewed["renewals"]),
        (&json!("ACTIVE"), &json!(1))
    );
    assert_eq!(
        (&renewed["linkId"], &renewed["link"]),
        (&link["linkId"], &link["link"])
    );
    let session = session_of(&app, address_of(&link)).await;
    let paid = pay(&app, &session, APPROVED).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}

#[tokio::test]
async fn a_payment_that_began_in_time_may_end_later() {
    let app = TestApp::new().await;
    let link = made(&app, &link_until("A1", "2026-11-20")).await;
    app.pass(13 * 3600 - 10).await;
    let session = session_of(&app, address_of(&link)).await;
    let challenged = pay(&app, &session, CHALLENGED).await;
    app.pass(30).await;
    assert_eq!(read(&app, &link).await["status"], "EXPIRED");
    assert!(
        text_of(&app, address_of(&link))
            .await
            .contains(r#"id="form""#)
    );
    assert_eq!(cancel(&app, &link).await.refusal(), "400 PS0044");
    let answered = press(&app, challenged["url"].as_str().unwrap(), "approve").await;
    followed(&app, answered.header("location").unwrap()).await;
    assert_eq!(read(&app, &link).await["status"], "PAID");
}

#[tokio::test]
async fn an_unpaid_link_is_cancelled_for_good() {
    let app = TestApp::new().await;
    let link = link_for(&app, "A1").await;
    let session = session_of(&app, address_of(&link)).await;
    app.enter(&session, APPROVED).await;
    for _ in 0..2 {
        assert_eq!(
            cancel(&app, &link).await.ok()["paymentLink"]["status"],
            "CANCELED"
        );
    }
    // The entered card is not charged any more, and leaves no trace in the order.
    let body = json!({ "sessionId": session });
    let late = app
        .frame(&session)
        .post("/build/finalize_payment", &body)
        .await;
    assert_eq!(late.refusal(), "400 PS0061");
    assert_eq!(app.order("A1").await["operations"], json!([]));
    assert_eq!(open_session(&app, address_of(&link)).await.status, 409);
    assert_eq!(renew(&app, &link).await.refusal(), "400 GW9003");
    assert!(
        text_of(&app, address_of(&link))
            .await
            .contains("non è più valido")
    );
}

#[tokio::test]
async fn a_link_with_a_payment_under_way_is_not_cancelled() {
    let app = TestApp::new().await;
    let link = link_for(&app, "A1").await;
    let session = session_of(&app, address_of(&link)).await;
    let challenged = pay(&app, &session, CHALLENGED).await;
    assert_eq!(cancel(&app, &link).await.refusal(), "400 PS0044");
    press(&app, challenged["url"].as_str().unwrap(), "reject").await;
    assert_eq!(
        cancel(&app, &link).await.ok()["paymentLink"]["status"],
        "CANCELED"
    );
}

#[tokio::test]
async fn a_pending_payment_decides_when_it_is_final() {
    let app = TestApp::new().await;
    let mut request = link_until("A1", "2026-11-25");
    request["paymentSession"]["paymentService"] = json!("PAYPAL");
    let link = made(&app, &request).await;
    let chosen = form(&app, address_of(&link), "method", "method=PAYPAL").await;
    let there = chosen
        .header("location")
        .unwrap()
        .strip_prefix("https://gateway.example")
        .unwrap()
        .to_owned();
    let pressed = Request::post(there)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from("answer=pending"))
        .unwrap();
    app.send(pressed).await;
    assert_eq!(read(&app, &link).await["status"], "ACTIVE");
    assert_eq!(cancel(&app, &link).await.refusal(), "400 PS0044");
    assert_eq!(open_session(&app, address_of(&link)).await.status, 409);
    let app = app.restarted().await;
    app.pass(31).await;
    let paid = read(&app, &link).await;
    assert_eq!(paid["status"], "PAID");
    assert_eq!(
        paid["paidByOperationId"],
        app.order("A1").await["operations"][0]["operationId"]
    );
}

#[tokio::test]
async fn the_tenth_refusal_ends_a_link_until_it_is_renewed() {
    let app = TestApp::new().await;
    let link = link_for(&app, "A1").await;
    for round in 0..2 {
        let session = session_of(&app, address_of(&link)).await;
        for _ in 0..10 {
            assert_eq!(read(&app, &link).await["status"], "ACTIVE");
            pay(&app, &session, DECLINED).await;
            app.pass(1).await;
        }
        assert_eq!(read(&app, &link).await["status"], "FAILED", "{round}");
        assert_eq!(open_session(&app, address_of(&link)).await.status, 409);
        renew(&app, &link).await.ok();
    }
    let session = session_of(&app, address_of(&link)).await;
    pay(&app, &session, APPROVED).await;
    assert_eq!(read(&app, &link).await["status"], "PAID");
}

#[tokio::test]
async fn a_buyer_who_leaves_a_link_may_come_again() {
    let app = TestApp::new().await;
    let link = link_for(&app, "A1").await;
    let here = address_of(&link)
        .strip_prefix("https://gateway.example")
        .unwrap();
    let session = session_of(&app, address_of(&link)).await;
    let body = json!({ "sessionId": session });
    app.frame(&session).post("/build/cancel", &body).await.ok();
    assert_eq!(
        back_from(&app, address_of(&link)).await,
        format!("{here}?left=1")
    );
    let left = text_of(&app, &format!("{here}?left=1")).await;
    assert!(
        left.contains("Pagamento annullato") && !left.contains(r#"id="form""#),
        "{left}"
    );
    assert_eq!(read(&app, &link).await["status"], "ACTIVE");
    let session = session_of(&app, address_of(&link)).await;
    let paid = pay(&app, &session, APPROVED).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}

async fn state_refusal(app: &TestApp, session: &str) -> String {
    let path = format!("/build/state?sessionId={session}");
    app.merchant().get(&path).await.refusal()
}

#[tokio::test]
async fn a_new_link_takes_the_place_of_an_unpaid_one_and_other_ways_do_not() {
    let app = TestApp::new().await;
    let first = link_for(&app, "A1").await;
    let answer = app
        .merchant()
        .post("/v2/orders/paybylink", &link_until("A1", "2026-11-25"))
        .await
        .ok();
    assert_eq!(answer["warnings"][0]["code"], "GW9103");
    assert_eq!(read(&app, &first).await["status"], "CANCELED");
    let second = answer["paymentLink"].clone();
    // The session that was opened last pays.
    let by_link = session_of(&app, address_of(&second)).await;
    let built = app
        .merchant()
        .post("/orders/build", &build_form("A1", 1))
        .await
        .ok();
    assert_eq!(read(&app, &second).await["status"], "ACTIVE");
    // Nothing was submitted in it, so it ends without a trace.
    assert_eq!(state_refusal(&app, &by_link).await, "400 PS0061");
    pay(&app, built["sessionId"].as_str().unwrap(), APPROVED).await;
    // The order cannot be paid again, and the link says so.
    assert_eq!(open_session(&app, address_of(&second)).await.status, 409);
    assert!(
        text_of(&app, address_of(&second))
            .await
            .contains("Questo ordine è stato pagato")
    );
    assert_eq!(renew(&app, &second).await.refusal(), "400 GW9006");
    assert_eq!(
        cancel(&app, &second).await.ok()["paymentLink"]["status"],
        "CANCELED"
    );
    let links = app.order("A1").await["paymentLinks"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(links, 2);
}
