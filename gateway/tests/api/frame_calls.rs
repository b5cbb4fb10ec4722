//! `/fe/build/*`: what the gateway's own frames call.

use crate::harness::{ABSENT, APPROVED, TestApp, build, build_form, card, short, token_of};
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn good_card_data_starts_the_device_check() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    let answer = frame.post("/fe/build/text", &card(APPROVED)).await.ok();
    assert_eq!(answer["workflowState"], "CARD_DATA_COLLECTION");
    assert_eq!(
        answer["fieldStatus"][0],
        json!({ "event": "BUILD_SUCCESS", "id": "CARD_NUMBER" })
    );
    let url = answer["gdiStatus"]["gdiUrl"].as_str().unwrap().to_owned();
    assert!(
        url.starts_with("https://gateway.example/threeds/device/"),
        "{url}"
    );
    let running = frame
        .get("/fe/build/check_gdi_result?attemptNumber=1")
        .await
        .ok();
    assert_eq!(running, json!({ "result": "KO" }));
    app.app
        .buyer_pages()
        .device_check_done(token_of(&url))
        .await
        .unwrap();
    assert!(
        app.app
            .buyer_pages()
            .device_check(token_of(&url))
            .await
            .unwrap()
            .unwrap()
            .already_done
    );
    let done = frame
        .get("/fe/build/check_gdi_result?attemptNumber=2")
        .await
        .ok();
    assert_eq!(done, json!({ "result": "OK" }));
    assert_eq!(short(&app.state(&session).await), "READY_FOR_PAYMENT");
}

#[tokio::test]
async fn a_card_without_a_device_check_is_ready_at_once() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let answer = app
        .frame(&session)
        .post("/fe/build/text", &card("4761730000003049"))
        .await
        .ok();
    assert_eq!(
        (&answer["workflowState"], answer.get("gdiStatus")),
        (&json!("READY_FOR_PAYMENT"), None)
    );
}

#[tokio::test]
async fn a_device_check_that_never_reports_fails_the_payment() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 3)).await;
    let frame = app.frame(&session);
    let answer = frame
        .post("/fe/build/text", &card("4761730000003031"))
        .await
        .ok();
    let token = token_of(answer["gdiStatus"]["gdiUrl"].as_str().unwrap()).to_owned();
    assert!(
        app.app
            .buyer_pages()
            .device_check(&token)
            .await
            .unwrap()
            .unwrap()
            .never
    );
    app.app
        .buyer_pages()
        .device_check_done(&token)
        .await
        .unwrap();
    for attempt in 1..10 {
        let answer = frame
            .get(&format!(
                "/fe/build/check_gdi_result?attemptNumber={attempt}"
            ))
            .await
            .ok();
        assert_eq!(answer, json!({ "result": "KO" }));
        app.clock.advance(Duration::from_secs(1));
    }
    let last = frame
        .get("/fe/build/check_gdi_result?attemptNumber=10")
        .await
        .ok();
    assert_eq!(
        (&last["result"], &last["operation"]["operationResult"]),
        (&json!("KO"), &json!("THREEDS_FAILED"))
    );
    assert_eq!(
        frame
            .get("/fe/build/check_gdi_result?attemptNumber=10")
            .await
            .ok(),
        last,
        "told again"
    );
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/THREEDS_FAILED"
    );
}

#[tokio::test]
async fn a_slow_device_check_says_how_long_it_takes() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let answer = app
        .frame(&session)
        .post("/fe/build/text", &card("4761730000003098"))
        .await
        .ok();
    let view = app
        .app
        .buyer_pages()
        .device_check(token_of(answer["gdiStatus"]["gdiUrl"].as_str().unwrap()))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (view.delay_ms, view.never, view.already_done),
        (Some(5_000), false, false)
    );
    assert_eq!(view.framing.merchant, "https://shop.example");
    assert!(
        app.app
            .buyer_pages()
            .device_check("nothing")
            .await
            .unwrap()
            .is_none()
    );
}

#[tokio::test]
async fn attempt_numbers_are_1_to_10_and_each_version_has_its_call() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    for query in [
        "",
        "?attemptNumber=0",
        "?attemptNumber=11",
        "?attemptNumber=x",
        "?attemptNumber=-1",
    ] {
        assert_eq!(
            frame
                .get(&format!("/fe/build/check_gdi_result{query}"))
                .await
                .refusal(),
            "400 PS0026",
            "{query}"
        );
    }
    assert_eq!(
        frame
            .get("/fe/build/check_gdi_result?attemptNumber=1")
            .await
            .refusal(),
        "400 GW9003"
    );
    assert_eq!(
        frame
            .get("/fe/build/gdi_and_finalize?attemptNumber=1")
            .await
            .refusal(),
        "400 GW9003"
    );
    assert_eq!(
        frame.get("/fe/build/validateAndPay").await.refusal(),
        "400 GW9003"
    );
}

/// K2: buyer picks among the offered methods; card opens in place, and a second press does nothing.
#[tokio::test]
async fn the_card_button_opens_the_card_and_a_second_click_does_no_harm() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["paymentSession"]["paymentService"] = Value::Null;
    let session = app.open(&request).await;
    let frame = app.frame(&session);
    assert_eq!(
        frame
            .post("/fe/build/text", &card(APPROVED))
            .await
            .refusal(),
        "400 GW9003"
    );
    assert_eq!(
        frame
            .post("/fe/build/action/NOSUCH", &json!({}))
            .await
            .refusal(),
        "404"
    );
    let first = frame
        .post("/fe/build/action/PAY_WITH_CARD", &json!({}))
        .await
        .ok();
    assert_eq!(
        (&first["event"], &first["state"]),
        (
            &json!("BUILD_FLOW_STATE_CHANGE"),
            &json!("CARD_DATA_COLLECTION")
        )
    );
    assert_eq!(first["fieldSet"]["fields"].as_array().unwrap().len(), 4);
    let without_body = frame.request(
        Method::POST,
        "/fe/build/action/PAY_WITH_CARD",
        &[("idempotency-key", "k")],
        Body::empty(),
    );
    assert_eq!(app.send(without_body).await.ok(), first);
    app.enter(&session, APPROVED).await;
    let later = frame
        .post("/fe/build/action/PAY_WITH_CARD", &json!({}))
        .await
        .ok();
    assert_eq!(
        (&later["state"], &later["fieldSet"]["fields"]),
        (&json!("READY_FOR_PAYMENT"), &json!([]))
    );
}

#[tokio::test]
async fn field_settings_describe_each_field() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["order"]["customerInfo"] = json!({ "cardHolderName": "Anna Rossi" });
    let session = app.open(&request).await;
    let frame = app.frame(&session);
    let number = frame
        .get("/fe/build/field_settings/CARD_NUMBER?lang=eng")
        .await
        .ok();
    assert_eq!(
        (&number["label"], &number["filterType"]),
        (&json!("Card number"), &json!("NUMERIC"))
    );
    assert_eq!(number["ecommPlatformDomain"], "https://shop.example");
    assert_eq!(number["defaultValue"], Value::Null);
    let intervals = number["brandIntervalList"].as_array().unwrap();
    assert!(intervals.contains(
        &json!({ "brandName": "VISA", "bottomLimit": "40000000", "upperLimit": "49999999" })
    ));
    let name = frame
        .get("/fe/build/field_settings/CARDHOLDER_NAME")
        .await
        .ok();
    assert_eq!(
        (&name["label"], &name["defaultValue"]),
        (&json!("Nome sulla carta"), &json!("Anna Rossi"))
    );
    assert!(name.get("brandIntervalList").is_none());
    assert_eq!(
        frame
            .get("/fe/build/field_settings/CARD_NUMBER?lang=xyz")
            .await
            .ok()["label"],
        "Card number"
    );
    assert_eq!(
        frame
            .get("/fe/build/field_settings/CARD_NUMBER?lang=e")
            .await
            .refusal(),
        "400 PS0026"
    );
    assert_eq!(
        frame
            .get("/fe/build/field_settings/PAY_WITH_CARD")
            .await
            .refusal(),
        "404"
    );
    assert_eq!(
        frame
            .get("/fe/build/field_settings/CARDHOLDER_EMAIL")
            .await
            .refusal(),
        "404"
    );
}

/// N8: the frame refuses to be embedded, by a header made per session.
#[tokio::test]
async fn pages_of_other_origins_are_refused() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    for (origin, expected) in [
        ("https://gateway.example", 200),
        ("https://shop.example", 401),
        ("null", 401),
        ("https://gateway.example.evil", 401),
        (ABSENT, 200),
    ] {
        for path in ["/fe/build/field_settings/CARD_NUMBER", "/build/state"] {
            let request = frame.request(Method::GET, path, &[("origin", origin)], Body::empty());
            assert_eq!(app.send(request).await.status, expected, "{origin} {path}");
        }
    }
}

#[tokio::test]
async fn frame_endpoints_are_for_frames_alone() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    assert_eq!(
        app.merchant()
            .get("/fe/build/field_settings/CARD_NUMBER")
            .await
            .refusal(),
        "401 GW9020"
    );
    assert_eq!(
        app.frame("unknown")
            .get("/fe/build/field_settings/CARD_NUMBER")
            .await
            .refusal(),
        "401 GW9020"
    );
    app.pass(301).await;
    assert_eq!(
        app.frame(&session)
            .get("/fe/build/field_settings/CARD_NUMBER")
            .await
            .refusal(),
        "400 PS0061"
    );
}
