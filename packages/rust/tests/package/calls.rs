//! Which call each method makes, and what every call carries.

use crate::call_rows::{Row, rows, sum};
use crate::stage::{API_KEY, Received, Stage, answer, taken};
use payframe_server::{PayframeError, Verb};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

async fn made(row: &Row) -> Received {
    let stage = Stage::new(&[answer(&json!({}))]).await;
    (row.call)(&stage.payframe).await;
    let received = stage.received();
    assert_eq!(received.len(), 1, "{}", row.path);
    received[0].clone()
}

#[tokio::test]
async fn each_method_makes_the_call_that_the_document_has() {
    let document = include_str!("../../../server/types/openapi.json");
    let document: Value = serde_json::from_str(document).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let mut covered = BTreeSet::new();
    for row in rows() {
        let call = made(&row).await;
        assert_eq!(
            (call.verb.as_str(), call.path.as_str(), &call.body),
            (row.verb, row.path, &row.body)
        );
        let path = row.path.split('?').next().unwrap();
        match paths
            .keys()
            .filter(|template| fits(template, path))
            .find(|template| paths[*template].get(row.verb.to_lowercase()).is_some())
        {
            Some(template) => {
                covered.insert(format!("{} {template}", row.verb));
            }
            None => assert_eq!(path, "/orders/mit"),
        }
    }
    let documented = paths.iter().flat_map(|(path, verbs)| {
        let verbs = verbs.as_object().unwrap().keys();
        verbs.map(move |verb| format!("{} {path}", verb.to_uppercase()))
    });
    assert_eq!(covered, documented.collect());
}

/// Whether a path is one of a template such as `/orders/{orderId}`.
fn fits(template: &str, path: &str) -> bool {
    let (wanted, given): (Vec<_>, Vec<_>) =
        (template.split('/').collect(), path.split('/').collect());
    let pairs = || wanted.iter().zip(&given);
    wanted.len() == given.len() && pairs().all(|(one, other)| one.starts_with('{') || one == other)
}

#[tokio::test]
async fn every_call_carries_the_key_an_id_and_the_version_and_only_writes_carry_an_idempotency_key()
{
    for row in rows() {
        let call = made(&row).await;
        assert_eq!(call.header("x-api-key"), Some(API_KEY));
        assert!(call.header("correlation-id").unwrap().starts_with("id-"));
        assert_eq!(call.header("payframe-version"), Some("2026-11-27"));
        assert_eq!(
            call.header("idempotency-key").is_some(),
            row.verb != "GET",
            "{}",
            row.path
        );
        assert_eq!(call.header("accept"), Some("application/json"));
    }
}

#[tokio::test]
async fn a_span_of_time_is_added_to_what_the_clock_is_ahead_already() {
    let reading = json!({
        "time": "2026-11-20T10:01:00.000Z", "realTime": "2026-11-20T10:00:00.000Z", "secondsAhead": 60,
        "latestTime": "2028-11-20T10:00:00.000Z",
    });
    let stage = Stage::new(&[answer(&reading)]).await;
    let by = Duration::from_millis(86_400_001);
    let advanced = stage.payframe.test_clock.advance(by).await.unwrap();
    assert_eq!(advanced.time, "2026-11-20T10:01:00.000Z");
    let received = stage.received();
    assert_eq!(received[1].body, json!({ "secondsAhead": 60 + 86_401 }));
}

fn bad_value<T: std::fmt::Debug>(outcome: Result<T, PayframeError>, member: &str) {
    let error = outcome.unwrap_err();
    assert_eq!((error.code(), error.member()), ("bad_value", Some(member)));
}

#[tokio::test]
async fn a_given_idempotency_key_is_sent_as_it_is_and_without_one_each_call_has_its_own() {
    let stage = Stage::new(&[taken()]).await;
    let operations = &stage.payframe.operations;
    operations
        .refund("1", sum())
        .idempotency_key("refund of 1")
        .await
        .unwrap();
    operations.refund("1", sum()).await.unwrap();
    operations.refund("1", sum()).await.unwrap();
    let received = stage.received();
    let keys: Vec<_> = received
        .iter()
        .map(|call| call.header("idempotency-key").unwrap())
        .collect();
    assert_eq!(keys[0], "refund of 1");
    assert_eq!(BTreeSet::from_iter(&keys).len(), 3);
}

#[tokio::test]
async fn an_idempotency_key_that_the_gateway_would_refuse_is_refused_here() {
    let stage = Stage::new(&[answer(&json!({}))]).await;
    for key in [String::new(), "x".repeat(64), "é".into(), "a\nb".into()] {
        bad_value(
            stage
                .payframe
                .sessions
                .cancel("s")
                .idempotency_key(key)
                .await,
            "idempotency_key",
        );
    }
    assert_eq!(stage.received(), []);
}

#[tokio::test]
async fn a_refund_of_an_order_that_was_seen_carries_its_version() {
    let stage = Stage::new(&[taken()]).await;
    let operations = &stage.payframe.operations;
    operations
        .refund("1", sum())
        .order_version("5f2b8c1e")
        .await
        .unwrap();
    operations.capture("1", sum()).await.unwrap();
    for version in ["", "a\"b", "a b", "a\nb"] {
        bad_value(
            operations.refund("1", sum()).order_version(version).await,
            "order_version",
        );
    }
    let received = stage.received();
    let versions: Vec<_> = received
        .iter()
        .map(|call| call.header("if-match"))
        .collect();
    assert_eq!(versions, [Some("\"5f2b8c1e\""), None]);
}

#[tokio::test]
async fn the_default_idempotency_key_is_a_random_uuid() {
    let stage = Stage::with(&[taken()], 0.0, |options| {
        options.runtime(payframe_server::System)
    })
    .await;
    stage.payframe.operations.refund("1", sum()).await.unwrap();
    let received = stage.received();
    let key = received[0].header("idempotency-key").unwrap();
    assert_eq!((key.len(), key.as_bytes()[14]), (36, b'4'));
}

#[tokio::test]
async fn an_id_can_not_change_the_path_of_a_call() {
    let stage = Stage::new(&[answer(&json!({}))]).await;
    let payframe = &stage.payframe;
    for id in ["", ".", ".."] {
        bad_value(payframe.orders.read(id).await, "order_id");
        bad_value(payframe.sessions.read(id).await, "session_id");
        bad_value(payframe.operations.void(id).await, "operation_id");
    }
    for path in [
        "orders",
        "/orders?x=1",
        "/orders/../..",
        "/%2e%2E/office",
        "/a\\b",
        "//../x",
        "/x#y",
        "/é",
    ] {
        bad_value(payframe.call(Verb::Get, path, &[], None).await, "path");
    }
    payframe.orders.read("a/../b").await.unwrap_err();
    let received = stage.received();
    let paths: Vec<_> = received.iter().map(|call| call.path.as_str()).collect();
    assert_eq!(paths, ["/orders/a%2F..%2Fb"]);
}
