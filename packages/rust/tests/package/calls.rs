//! Which call each method makes, and what every call carries.

use crate::stage::{API_KEY, Received, Stage, answer, taken};
use payframe_server::types::{
    AmountType, Confirmation, EventQuery, FulfilmentRequest, FulfilmentState, HostedPageRequest,
    LinkQuery, LinkRequest, LinkStatus, OperationQuery, OrderQuery, OrderState, SessionChange,
    SessionRequest,
};
use payframe_server::{Call, Money, Payframe, PayframeError, Verb, money};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::pin::Pin;
use std::time::Duration;

type Made = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A method, and the call that it makes.
struct Row {
    call: Box<dyn Fn(&Payframe) -> Made>,
    verb: &'static str,
    path: &'static str,
    body: Value,
}

fn row<T: DeserializeOwned + 'static>(
    call: impl Fn(&Payframe) -> Call<T> + 'static,
    verb: &'static str,
    path: &'static str,
    body: Value,
) -> Row {
    let made = move |payframe: &Payframe| -> Made {
        let call = call(payframe);
        Box::pin(async move {
            // What is answered does not matter here.
            let _ = call.await;
        })
    };
    Row {
        call: Box::new(made),
        verb,
        path,
        body,
    }
}

fn sum() -> Money {
    money(3545, "EUR").unwrap()
}

fn rows() -> Vec<Row> {
    let sum_sent = || json!({ "amount": "3545", "currency": "EUR" });
    let session = || json!({ "sessionId": "s" });
    let payment = json!({ "amount": "", "cancelUrl": "", "resultUrl": "" });
    let order = json!({ "amount": "", "currency": "", "orderId": "" });
    let both = json!({ "order": order, "paymentSession": payment });
    let opened =
        json!({ "merchantUrl": "https://shop.example", "order": order, "paymentSession": payment });
    let linked = json!({ "expirationDate": "2030-01-31", "order": order, "paymentSession": { "amount": "" } });
    vec![
        row(
            |p| {
                p.sessions.create(&SessionRequest {
                    merchant_url: "https://shop.example".into(),
                    ..Default::default()
                })
            },
            "POST",
            "/orders/build",
            opened,
        ),
        row(
            |p| {
                p.sessions.change(&SessionChange {
                    session_id: "s".into(),
                    amount: Some("1".into()),
                    ..Default::default()
                })
            },
            "PATCH",
            "/build/session",
            json!({ "sessionId": "s", "amount": "1" }),
        ),
        row(
            |p| p.sessions.read("s+1"),
            "GET",
            "/build/state?sessionId=s%2B1",
            Value::Null,
        ),
        row(
            |p| p.sessions.read_card("s"),
            "GET",
            "/build/cardData?sessionId=s",
            Value::Null,
        ),
        row(
            |p| p.sessions.finalize("s"),
            "POST",
            "/build/finalize_payment",
            session(),
        ),
        row(
            |p| {
                p.sessions.confirm(&Confirmation {
                    session_id: Some("s".into()),
                    amount: "1".into(),
                    confirm: Some(false),
                    ..Default::default()
                })
            },
            "POST",
            "/build/confirm_payment",
            json!({ "sessionId": "s", "amount": "1", "confirm": false }),
        ),
        row(
            |p| p.sessions.cancel("s"),
            "POST",
            "/build/cancel",
            session(),
        ),
        row(
            |p| p.orders.read("A#1?"),
            "GET",
            "/orders/A%231%3F",
            Value::Null,
        ),
        row(
            |p| {
                p.orders.list(&OrderQuery {
                    amount_type: Some(AmountType::CapturedAmount),
                    max_records: Some(10),
                    order_state: Some(OrderState::Captured),
                    ..Default::default()
                })
            },
            "GET",
            "/orders?amountType=CAPTURED_AMOUNT&maxRecords=10&orderState=CAPTURED",
            Value::Null,
        ),
        row(
            |p| {
                let request = FulfilmentRequest {
                    state: FulfilmentState::Fulfilled,
                    note: Some("by hand".into()),
                };
                p.orders.tell_fulfilment("A#1", &request)
            },
            "PUT",
            "/orders/A%231/fulfilment",
            json!({ "state": "FULFILLED", "note": "by hand" }),
        ),
        row(
            |p| p.operations.read("1"),
            "GET",
            "/operations/1",
            Value::Null,
        ),
        row(
            |p| p.operations.list(&OperationQuery::default()),
            "GET",
            "/operations",
            Value::Null,
        ),
        row(
            |p| p.operations.actions("1"),
            "GET",
            "/operations/1/actions",
            Value::Null,
        ),
        row(
            |p| p.operations.capture("1", sum()),
            "POST",
            "/operations/1/captures",
            sum_sent(),
        ),
        row(
            |p| p.operations.refund("1", sum()),
            "POST",
            "/operations/1/refunds",
            sum_sent(),
        ),
        row(
            |p| p.operations.cancel("1", None),
            "POST",
            "/operations/1/cancels",
            json!({}),
        ),
        row(
            |p| {
                p.links.create(&LinkRequest {
                    expiration_date: Some("2030-01-31".into()),
                    ..Default::default()
                })
            },
            "POST",
            "/v2/orders/paybylink",
            linked,
        ),
        row(
            |p| p.links.read("l"),
            "GET",
            "/orders/paybylink/l",
            Value::Null,
        ),
        row(
            |p| {
                p.links.list(&LinkQuery {
                    status: Some(LinkStatus::Active),
                    ..Default::default()
                })
            },
            "GET",
            "/orders/paybylink?status=ACTIVE",
            Value::Null,
        ),
        row(
            |p| p.links.renew("l"),
            "POST",
            "/orders/paybylink/l/renewals",
            Value::Null,
        ),
        row(
            |p| p.links.cancel("l"),
            "POST",
            "/paybylink/l/cancels",
            Value::Null,
        ),
        row(
            |p| p.hosted_pages.create(&HostedPageRequest::default()),
            "POST",
            "/orders/hpp",
            both,
        ),
        row(
            |p| {
                p.events.list(&EventQuery {
                    after: Some("42-554ccc00".into()),
                    limit: Some(10),
                })
            },
            "GET",
            "/events?after=42-554ccc00&limit=10",
            Value::Null,
        ),
        row(|p| p.test_clock.read(), "GET", "/test/clock", Value::Null),
        row(
            |p| p.test_clock.advance_to("2027-01-01T00:00:00Z"),
            "POST",
            "/test/clock/advance",
            json!({ "to": "2027-01-01T00:00:00Z" }),
        ),
        row(
            |p| {
                p.call(
                    Verb::Post,
                    "/orders/mit",
                    &[("a b", "é")],
                    Some(&json!({ "order": 1 })),
                )
            },
            "POST",
            "/orders/mit?a+b=%C3%A9",
            json!({ "order": 1 }),
        ),
    ]
}

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
