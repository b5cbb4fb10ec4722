//! `/build/*` and reading orders: who may call, in which state, and what is answered.

use crate::dist::{RELEASE, integrity};
use crate::harness::{
    APPROVED, CHALLENGED, DECLINED, TestApp, build, build_form, build_two, card, short,
};
use serde_json::{Value, json};

/// A session of version 3 in each state that callers can distinguish.
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
    let path = format!("/build/cardData?sessionId={session}");
    let data = app.key("sandbox-bin8").get(&path).await.ok();
    assert_eq!(
        (&data["bin"], data.get("funding")),
        (&json!("43499401"), None)
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

/// M7: one request, one charge.
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

/// K4: submit runs data, device check, READY_FOR_PAYMENT and finalize to one outcome.
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

/// N6: cannot read, fill, submit or pose as the form.
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
        "401 GW9020"
    );
    assert_eq!(
        frame
            .post("/build/cancel", &json!({ "sessionId": other }))
            .await
            .refusal(),
        "401 GW9020"
    );
    assert_eq!(
        frame.get("/build/state").await.ok()["state"],
        "CARD_DATA_COLLECTION"
    );
    for path in ["/orders/A1", "/operations/1", "/build/integrity"] {
        assert_eq!(frame.get(path).await.refusal(), "401 GW9020", "{path}");
    }
    assert_eq!(
        frame.post("/orders/build", &build("A3")).await.refusal(),
        "401 GW9020"
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
            .post("/build/cancel", &json!({ "sessionId": true }))
            .await
            .refusal(),
        "400 PS0026"
    );
    assert_eq!(
        app.frame("nothing").get("/build/state").await.refusal(),
        "401 GW9020"
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
    // The stored answer of the key is lost, as after a crash between the outcome and the answer.
    app.lose_answers().await;
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
    assert_eq!(
        app.nobody().get("/build/integrity").await.refusal(),
        "401 GW9020"
    );
}

/// O4: equals the hash of the script it serves.
#[tokio::test]
async fn integrity_is_that_of_the_sdk_that_is_served() {
    let app = TestApp::with_dist().await;
    let answer = app.merchant().get("/build/integrity").await;
    assert_eq!(answer.header("cache-control"), Some("max-age=300"));
    let answer = answer.ok();
    assert_eq!(answer["crossOrigin"], "anonymous");
    let scripts: Vec<&str> = answer["scripts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|script| script["src"].as_str().unwrap())
        .collect();
    let released = |name| format!("https://gateway.example/sdk/{RELEASE}/{name}");
    assert_eq!(
        scripts,
        [
            "https://gateway.example/sdk/build.js",
            &released("build.js"),
            "https://gateway.example/sdk/fields.js",
            &released("fields.js"),
            "https://gateway.example/sdk/payframe.js",
            &released("payframe.js"),
        ]
    );
    // The browser SDK's own value, and each script's.
    assert_eq!(answer["integrity"], answer["scripts"][0]["integrity"]);
    for (script, src) in answer["scripts"].as_array().unwrap().iter().zip(scripts) {
        let path = src.strip_prefix("https://gateway.example").unwrap();
        let served = axum::http::Request::get(path)
            .body(axum::body::Body::empty())
            .unwrap();
        let bytes = app.send(served).await.bytes;
        assert_eq!(script["integrity"], integrity(&bytes), "{path}");
    }
}
