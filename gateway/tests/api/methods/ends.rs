//! How a redirect ends that is not paid at once: later, too late, cancelled, after a crash.

use super::*;

#[tokio::test]
async fn what_is_pending_becomes_paid() {
    let app = TestApp::new().await;
    for (button, service, country) in [
        ("pending", "MYBANK", "ITA"),
        ("approve", "MULTIBANCO", "PRT"),
    ] {
        let told = app.told().await.len();
        let (session, url) = redirected(&app, &build_with(service, service, country)).await;
        pressed_in_window(&app, &url, button).await;
        let state = app.state(&session).await;
        assert_eq!(state["operation"]["operationResult"], "PENDING");
        let again = app
            .merchant()
            .post("/orders/build", &build(service))
            .await
            .refusal();
        assert_eq!(again, "400 GW9006", "it may still turn out to be paid");
        app.pass(30).await;
        let state = app.state(&session).await;
        let operation = &state["operation"];
        assert_eq!(operation["operationResult"], "EXECUTED", "{service}");
        let expected = match service {
            "MYBANK" => json!({ "myBankEndToEndId": operation["paymentEndToEndId"] }),
            _ => json!({}),
        };
        assert_eq!(operation["additionalData"], expected);
        let order = app.order(service).await;
        assert_eq!(order["orderStatus"]["capturedAmount"], "3545");
        let results: Vec<Value> = app.told().await[told..]
            .iter()
            .map(|event| event["operation"]["operationResult"].clone())
            .collect();
        assert_eq!(results, ["PENDING", "EXECUTED"]);
    }
}

#[tokio::test]
async fn a_method_that_takes_too_long_is_cancelled() {
    let app = TestApp::with(|config| {
        // Its time ends after all other limits that could end the session.
        config.hard = std::time::Duration::from_secs(600);
    })
    .await;
    let (session, url) = redirected(&app, &build_with("A1", "PAYPAL", "ITA")).await;
    app.pass(899).await;
    assert_eq!(
        app.state(&session).await["state"],
        "REDIRECTED_TO_EXTERNAL_DOMAIN"
    );
    app.pass(1).await;
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE CANCEL/CANCELED"
    );
    assert_eq!(
        pressed_in_window(&app, &url, "approve").await,
        "https://shop.example/ko"
    );
    let events = app.told().await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["operation"]["paymentCircuit"], "PAYPAL");
    assert_eq!(app.order("A1").await["orderStatus"]["capturedAmount"], "0");
}

#[tokio::test]
async fn a_payment_that_was_cancelled_meanwhile_takes_no_money() {
    let app = TestApp::new().await;
    let (session, url) = redirected(&app, &build_with("A1", "PAYPAL", "ITA")).await;
    let cancelled = app
        .frame(&session)
        .post("/build/cancel", &json!({}))
        .await
        .ok();
    assert_eq!(short(&cancelled), "PAYMENT_COMPLETE CANCEL/CANCELED");
    assert_eq!(
        pressed_in_window(&app, &url, "approve").await,
        "https://shop.example/ko"
    );
    let order = app.order("A1").await;
    assert_eq!(order["operations"].as_array().unwrap().len(), 1);
    assert_eq!(order["orderStatus"]["capturedAmount"], "0");
    // Another attempt closes the previous one; after a refused one the buyer can pay by card.
    let (_, first) = redirected(&app, &build_with("A1", "PAYPAL", "ITA")).await;
    let second = app
        .merchant()
        .post("/orders/build", &build_with("A1", "IDEAL", "ITA"))
        .await
        .ok();
    assert_eq!(second["warnings"][0]["code"], "GW9103");
    press(&app, &first, "approve").await;
    press(&app, second["url"].as_str().unwrap(), "refuse").await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    let order = app.order("A1").await;
    let operations = app.operations("A1").await;
    let results: Vec<&Value> = operations
        .as_array()
        .unwrap()
        .iter()
        .map(|operation| &operation["operationResult"])
        .collect();
    assert_eq!(results, ["CANCELED", "CANCELED", "DECLINED", "EXECUTED"]);
    assert_eq!(order["orderStatus"]["capturedAmount"], "3545");
}

#[tokio::test]
async fn a_crash_on_either_side_of_the_operator_books_what_it_decided() {
    // Either the operator cannot be reached and only the intent is stored, or it has decided and nothing can be booked.
    for table in ["charge", "operation"] {
        let app = TestApp::new().await;
        let database = match table {
            "charge" => app.acquirer().await,
            _ => app.app.store().clone(),
        };
        let (session, url) = redirected(&app, &build_with("A1", "PAYPAL", "ITA")).await;
        app.break_table(&database, table).await;
        let failed = press(&app, &url, "approve").await;
        assert_eq!(failed.status, 503, "{}", failed.text());
        assert_eq!(
            app.state(&session).await["state"],
            "REDIRECTED_TO_EXTERNAL_DOMAIN"
        );
        let on_its_way = "SELECT count(*) FROM build_session WHERE state = 'AUTHORIZING'";
        assert_eq!(app.count(on_its_way).await, 1);
        app.mend_table(&database, table).await;
        let app = app.restarted().await;
        let state = app.state(&session).await;
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        // A second press gets the same answer, and nothing is paid twice.
        assert_eq!(
            pressed_in_window(&app, &url, "refuse").await,
            "https://shop.example/ok"
        );
        assert_eq!(app.state(&session).await, state);
        let order = app.order("A1").await;
        assert_eq!(order["orderStatus"]["capturedAmount"], "3545");
        assert_eq!(app.told().await.len(), 1);
    }
}
