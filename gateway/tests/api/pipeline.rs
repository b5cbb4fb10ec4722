//! The checks of every call: credentials, headers, bodies, idempotency keys, rates, faults, and which of
//! several errors is reported (contract 1, 10.8, 11.9).

mod limits;

use crate::harness::{ABSENT, Answer, TestApp, build};
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};
use std::time::Duration;

const UUID: &str = "6f1c4a0e-8d7e-4b59-9d3f-111111111111";

async fn post_raw(app: &TestApp, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
    app.send(
        app.merchant()
            .request(Method::POST, "/orders/build", headers, body.into()),
    )
    .await
}

#[tokio::test]
async fn every_answer_carries_a_cid_and_is_not_cached() {
    let app = TestApp::new().await;
    let good = app.merchant().post("/orders/build", &build("A1")).await;
    let bad = app.merchant().post("/orders/build", &json!({})).await;
    let unauthorized = app.nobody().post("/orders/build", &json!({})).await;
    let unknown = app.merchant().get("/nothing").await;
    let mut seen = Vec::new();
    for answer in [&good, &bad, &unauthorized, &unknown] {
        assert_eq!(
            answer.header("cache-control"),
            Some("no-store"),
            "{}",
            answer.status
        );
        seen.push(answer.header("cid").unwrap().to_owned());
    }
    seen.dedup();
    assert_eq!(seen.len(), 4);
    assert_eq!(good.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn a_call_names_the_version_of_the_api_and_every_answer_says_it() {
    let app = TestApp::new().await;
    let asked = |version: &'static str| {
        let headers = [
            ("content-type", "application/json"),
            ("payframe-version", version),
        ];
        let body = Body::from(build("A1").to_string());
        let request = app
            .merchant()
            .request(Method::POST, "/orders/build", &headers, body);
        app.send(request)
    };
    for unknown in ["", "2", "2026-11-26", "2026-11-27 ,2026-11-27", "latest"] {
        let answer = asked(unknown).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{unknown:?}");
        assert_eq!(
            answer.why(),
            "header Payframe-Version must be one of: 2026-11-27"
        );
        assert_eq!(answer.header("payframe-version"), Some("2026-11-27"));
    }
    let named = asked("2026-11-27").await;
    let unnamed = app.merchant().get("/payment_methods").await;
    let unknown = app.merchant().get("/nothing").await;
    assert_eq!(
        (named.status, unnamed.status, unknown.status),
        (200, 200, 404)
    );
    for answer in [named, unnamed, unknown] {
        assert_eq!(answer.header("payframe-version"), Some("2026-11-27"));
    }
}

#[tokio::test]
async fn refusals_without_reasons_have_no_body() {
    let app = TestApp::new().await;
    for (answer, status) in [
        (app.merchant().get("/orders/A1").await, 404),
        (app.merchant().get("/nothing").await, 404),
        (app.merchant().post("/orders/A1", &json!({})).await, 405),
    ] {
        assert_eq!((answer.status, answer.bytes.len()), (status, 0));
    }
}

#[tokio::test]
async fn a_refused_credential_is_told_which_header_and_never_whether_a_key_exists() {
    let app = TestApp::new().await;
    let mut told = Vec::new();
    for caller in [
        app.nobody(),
        app.key("wrong"),
        app.key(""),
        app.key("sandbox-implicit2"),
    ] {
        let answer = caller.get("/orders/A1").await;
        assert_eq!(answer.refusal(), "401 GW9020");
        told.push(answer.why().to_owned());
    }
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].contains("X-API-KEY") && told[0].contains("as it was shown"),
        "{told:?}"
    );
}

#[tokio::test]
async fn the_key_may_come_as_authorization_and_x_api_key_counts_first() {
    let app = TestApp::new().await;
    app.open(&build("A1")).await;
    for (headers, expected) in [
        (vec![("authorization", "sandbox-implicit")], 200),
        (vec![("authorization", "Bearer sandbox-implicit")], 200),
        (vec![("authorization", "bearer  sandbox-implicit")], 200),
        (vec![("authorization", "Basic sandbox-implicit")], 401),
        (
            vec![
                ("X-Api-Key", "sandbox-implicit"),
                ("authorization", "wrong"),
            ],
            200,
        ),
        (
            vec![
                ("x-api-key", "wrong"),
                ("authorization", "sandbox-implicit"),
            ],
            401,
        ),
    ] {
        let request = app
            .nobody()
            .request(Method::GET, "/orders/A1", &headers, Body::empty());
        assert_eq!(app.send(request).await.status, expected, "{headers:?}");
    }
}

#[tokio::test]
async fn with_both_credentials_the_api_key_counts() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let path = format!("/build/state?sessionId={session}");
    for (key, expected) in [
        ("sandbox-implicit", "200"),
        ("sandbox-other-merchant", "400 PS0061"),
        ("wrong", "401 GW9020"),
    ] {
        let headers = [("x-api-key", key), ("session", session.as_str())];
        let answer = app
            .send(
                app.nobody()
                    .request(Method::GET, &path, &headers, Body::empty()),
            )
            .await;
        assert_eq!(answer.refusal(), expected, "{key}");
    }
}

#[tokio::test]
async fn correlation_ids_refuse_nothing_and_are_answered() {
    let app = TestApp::new().await;
    app.open(&build("A1")).await;
    for (value, expected) in [
        (UUID, UUID),
        (
            "6F1C4A0E-8D7E-4B59-9D3F-111111111111",
            "6F1C4A0E-8D7E-4B59-9D3F-111111111111",
        ),
        (
            "00000000-0000-0000-0000-000000000000",
            "00000000-0000-0000-0000-000000000000",
        ),
        (ABSENT, ""),
        ("", ""),
        ("6f1c4a0e8d7e4b599d3f111111111111", ""),
        ("not-a-uuid", ""),
    ] {
        let request = app.merchant().request(
            Method::GET,
            "/orders/A1",
            &[("correlation-id", value)],
            Body::empty(),
        );
        let answer = app.send(request).await;
        assert_eq!(answer.status, 200, "{value}");
        let answered = answer.header("correlation-id").unwrap();
        if expected.is_empty() {
            assert!(uuid::Uuid::try_parse(answered).is_ok(), "{answered}");
            assert_ne!(answered, value);
        } else {
            assert_eq!(answered, expected);
        }
    }
    let without = app.merchant().request(
        Method::GET,
        "/build/integrity",
        &[("correlation-id", ABSENT)],
        Body::empty(),
    );
    assert_eq!(
        app.send(without).await.refusal(),
        "500 PS0000",
        "it gets as far as the missing SDK"
    );
}

#[tokio::test]
async fn bodies_are_json_of_a_bounded_size() {
    let app = TestApp::new().await;
    let good = build("A1").to_string();
    let huge = format!("{{\"x\":\"{}\"}}", "x".repeat(256 * 1024));
    let json_type = ("content-type", "application/json");
    for (headers, body, expected) in [
        (
            vec![("content-type", "application/json; charset=utf-8")],
            good.clone(),
            "200",
        ),
        (
            vec![("content-type", "Application/JSON")],
            good.clone(),
            "200",
        ),
        (
            vec![("content-type", "text/plain")],
            good.clone(),
            "415 PS0035",
        ),
        (vec![], good.clone(), "415 PS0035"),
        (vec![json_type], String::from("{"), "400 PS0035"),
        (
            vec![json_type],
            String::from("{\"order\": {\"orderId\": \"4761730000000003\"}"),
            "400 PS0035",
        ),
        (vec![json_type], String::new(), "400 PS0035"),
        (
            vec![json_type],
            String::from("[]"),
            "400 GW0001 PS0026 PS0026 PS0026 PS0026 PS0026 PS0026 PS0026 PS0026 PS0026",
        ),
        (vec![json_type], huge, "413 GW9004"),
    ] {
        let answer = post_raw(&app, &headers, body.clone()).await;
        assert_eq!(
            answer.refusal(),
            expected,
            "{headers:?} {}",
            &body[..body.len().min(60)]
        );
        assert!(!answer.why().contains("476134"), "{}", answer.why());
    }
    let not_utf8 = post_raw(&app, &[json_type], vec![b'"', 0xff, b'"']).await;
    assert_eq!(not_utf8.refusal(), "400 PS0035");
}

#[tokio::test]
async fn paths_have_an_alias_and_may_end_in_a_slash() {
    let app = TestApp::new().await;
    app.open(&build("A1")).await;
    for path in [
        "/orders/A1",
        "/v1/orders/A1",
        "/orders/A1/",
        "/v1/orders/A1/",
    ] {
        assert_eq!(app.merchant().get(path).await.status, 200, "{path}");
    }
    for path in [
        "/v1/v1/orders/A1",
        "/v2/orders/A1",
        "/Orders/A1",
        "/orders/A1//",
        "/orders/a1",
    ] {
        assert_eq!(app.merchant().get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn verbs_that_are_not_served_name_those_that_are() {
    let app = TestApp::new().await;
    app.open(&build("A1")).await;
    let put = app
        .send(
            app.merchant()
                .request(Method::PUT, "/orders/A1", &[], Body::empty()),
        )
        .await;
    assert_eq!((put.status, put.header("allow")), (405, Some("GET, HEAD")));
    let delete = app
        .send(
            app.merchant()
                .request(Method::DELETE, "/build/cancel", &[], Body::empty()),
        )
        .await;
    assert_eq!((delete.status, delete.header("allow")), (405, Some("POST")));
    let head = app
        .send(
            app.merchant()
                .request(Method::HEAD, "/orders/A1", &[], Body::empty()),
        )
        .await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert!(
        head.header("content-length")
            .unwrap()
            .parse::<usize>()
            .unwrap()
            > 100
    );
}

#[tokio::test]
async fn the_earliest_mistake_is_the_one_that_is_told() {
    let app = TestApp::new().await;
    let mut everything = json!({ "order": { "description": "<script>" }, "sessionId": "unknown" });
    let key = ("idempotency-key", "key");
    let json_type = ("content-type", "application/json");
    let bad_id = ("correlation-id", "no");
    let bad_fault = ("x-sandbox-fault", "no");
    let text_type = ("content-type", "text/plain");
    let post = async |path: &str, key: &str, headers: &[(&str, &str)], body: &Value| {
        let request =
            app.key(key)
                .request(Method::POST, path, headers, Body::from(body.to_string()));
        app.send(request).await.refusal()
    };
    let good = "sandbox-implicit";
    assert_eq!(
        post(
            "/nothing",
            "wrong",
            &[bad_fault, text_type, bad_id],
            &everything
        )
        .await,
        "404"
    );
    assert_eq!(
        post(
            "/orders/build",
            "wrong",
            &[bad_fault, text_type, bad_id],
            &everything
        )
        .await,
        "401 GW9020"
    );
    assert_eq!(
        post(
            "/orders/build",
            good,
            &[bad_fault, text_type, bad_id],
            &everything
        )
        .await,
        "400 PS0026"
    );
    assert_eq!(
        post("/orders/build", good, &[text_type, bad_id], &everything).await,
        "415 PS0035"
    );
    assert_eq!(
        post(
            "/orders/build",
            good,
            &[json_type, bad_id, ("idempotency-key", "")],
            &everything
        )
        .await,
        "400 PS0025"
    );
    assert_eq!(
        post(
            "/orders/build",
            good,
            &[json_type, ("idempotency-key", "")],
            &everything
        )
        .await,
        "400 PS0025"
    );
    assert_eq!(
        post("/build/cancel", good, &[json_type, key], &everything).await,
        "400 PS0061"
    );
    assert_eq!(
        post("/orders/build", good, &[json_type, key], &everything).await,
        "400 PS0041"
    );
    everything["order"]["description"] = json!("fine");
    everything["order"]["amount"] = json!("x");
    everything["order"]["currency"] = json!("XXX");
    let found = post("/orders/build", good, &[json_type, key], &everything).await;
    assert_eq!(
        found, "400 GW0001 PS0026 PS0026 PS0026 PS0026 PS0026 PS0036",
        "fields before fields against each other"
    );
    let mut both = build("A1");
    both["order"]["currency"] = json!("XXX");
    both["paymentSession"]["amount"] = json!("9999");
    assert_eq!(
        post("/orders/build", good, &[json_type, key], &both).await,
        "400 PS0009 PS0007"
    );
}

#[tokio::test]
async fn keys_are_1_to_63_printable_characters() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let long = "k".repeat(64);
    let longest = "k".repeat(63);
    let frame = app.frame(&session);
    for (key, expected) in [
        (ABSENT, "400 PS0025"),
        ("", "400 PS0025"),
        (long.as_str(), "400 PS0025"),
        ("caf\u{e9}", "400 PS0025"),
        ("a b", "200"),
        (longest.as_str(), "200"),
    ] {
        let answer = frame
            .post_with("/fe/build/text", &json!([]), &[("idempotency-key", key)])
            .await;
        assert_eq!(answer.refusal(), expected, "{key}");
    }
    assert_eq!(
        frame
            .post_with("/fe/build/bin", &json!({ "bin": "476173" }), &[])
            .await
            .status,
        200,
        "optional there"
    );
}

#[tokio::test]
async fn health_is_open_and_other_paths_are_not_found() {
    let app = TestApp::new().await;
    let get = |path: &'static str| axum::http::Request::get(path).body(Body::empty()).unwrap();
    let health = app.send(get("/health")).await;
    assert_eq!(
        (health.status, health.bytes.as_slice()),
        (200, b"ok".as_slice())
    );
    let ready = app.send(get("/ready")).await;
    assert_eq!((ready.status, ready.text().as_str()), (200, "ready"));
    assert_eq!(app.send(get("/nothing")).await.status, 404);
}

#[tokio::test]
async fn plugin_names_are_kept_with_the_order() {
    let app = TestApp::new().await;
    let headers = [("x-plugin-name", "shop 1.2")];
    assert_eq!(
        app.merchant()
            .post_with("/orders/build", &build("A1"), &headers)
            .await
            .status,
        200
    );
    assert_eq!(
        app.count("SELECT count(*) FROM merchant_order WHERE plugin_name = 'shop 1.2'")
            .await,
        1
    );
    let long = "x".repeat(256);
    let answer = app
        .merchant()
        .post_with("/orders/build", &build("A2"), &[("x-plugin-name", &long)])
        .await;
    assert_eq!(answer.refusal(), "400 PS0026");
}
