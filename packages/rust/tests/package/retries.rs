//! Which attempts are repeated, how long the client waits, and what an error says of the outcome.

use crate::stage::{CID, Stage, Step, answer, foreign, refusal, taken, text, with};
use payframe_server::ErrorKind;
use payframe_server::types::OrderQuery;
use serde_json::json;
use std::time::Duration;

fn busy() -> Step {
    let body = json!({ "errors": [{ "code": "GW9002", "description": "too many requests" }] });
    with(
        429,
        &body.to_string(),
        &[("cid", CID), ("retry-after", "3")],
    )
}

fn away() -> Step {
    let body = json!({ "errors": [{ "code": "GW9013", "description": "the gateway has no access to its data now" }] });
    with(
        503,
        &body.to_string(),
        &[("cid", CID), ("retry-after", "5")],
    )
}

fn running() -> Step {
    refusal(
        409,
        "GW9001",
        "a request with this idempotency key is still running",
    )
}

fn denied() -> Step {
    refusal(401, "GW9020", "header X-API-KEY must hold a valid API key")
}

fn too_much() -> Step {
    refusal(400, "PS0029", "amount is above what is captured")
}

fn failure() -> Step {
    refusal(500, "PS0000", "a failure of ours")
}

fn no_orders() -> Step {
    answer(&json!({ "orders": [] }))
}

#[tokio::test]
async fn a_call_that_failed_on_the_way_is_repeated_with_the_same_key_and_the_same_id() {
    let steps = [
        Step::Lost,
        Step::Silent,
        foreign(502, "<html>"),
        foreign(503, ""),
        text(504, "{}"),
        busy(),
        away(),
        running(),
        failure(),
    ];
    for step in steps {
        let stage = Stage::new(&[step.clone(), taken()]).await;
        assert_eq!(stage.refund().await.unwrap().operation_id, "2", "{step:?}");
        let received = stage.received();
        assert_eq!(received.len(), 2);
        assert_eq!(received[0], received[1]);
        assert_eq!(received[0].header("idempotency-key"), Some("k"));
        assert!(received[0].header("correlation-id").is_some());
    }
}

#[tokio::test]
async fn a_read_is_repeated_too() {
    let stage = Stage::new(&[Step::Lost, Step::Silent, no_orders()]).await;
    assert_eq!(
        stage.payframe.orders.list(&OrderQuery::default()).await,
        Ok(Vec::new())
    );
    assert_eq!(stage.received().len(), 3);
}

#[tokio::test]
async fn a_refusal_is_not_repeated_and_a_redirect_is_not_followed() {
    let steps = [
        too_much(),
        denied(),
        refusal(409, "GW9999", "another conflict"),
        text(404, ""),
        foreign(413, ""),
        with(302, "", &[("location", "/api/elsewhere")]),
        text(200, "no JSON"),
    ];
    for step in steps {
        let stage = Stage::new(std::slice::from_ref(&step)).await;
        let error = stage.refund().await.unwrap_err();
        assert!(!error.is_retryable(), "{step:?}");
        assert_eq!(stage.received().len(), 1, "{step:?}");
    }
}

#[tokio::test]
async fn the_pauses_grow_up_to_a_limit_and_half_of_each_is_random() {
    let stage = Stage::with(&[foreign(503, "")], 0.0, |options| options.max_retries(7)).await;
    stage.payframe.orders.read("A1").await.unwrap_err();
    assert_eq!(stage.waits(), [250, 500, 1000, 2000, 4000, 4000, 4000]);
    let late = Stage::with(&[foreign(503, "")], 0.999_999, |options| {
        options.max_retries(1)
    })
    .await;
    late.payframe.orders.read("A1").await.unwrap_err();
    assert_eq!(late.waits(), [499]);
}

#[tokio::test]
async fn retry_after_is_heeded_as_seconds_and_as_a_date() {
    for (retry_after, expected) in [
        ("3", 3250),
        ("Thu, 31 Jan 2030 10:00:20 GMT", 20_250),
        ("Thu, 31 Jan 2030 09:00:00 GMT", 250),
        ("soon", 250),
        ("60", 60_250),
    ] {
        let step = with(503, "", &[("retry-after", retry_after)]);
        let stage = Stage::new(&[step, no_orders()]).await;
        stage
            .payframe
            .orders
            .list(&OrderQuery::default())
            .await
            .unwrap();
        assert_eq!(stage.waits(), [expected], "{retry_after}");
    }
}

#[tokio::test]
async fn a_call_does_not_wait_for_more_than_a_minute_because_it_is_asked_to() {
    for retry_after in ["61", "99999999999999999999999"] {
        let stage = Stage::new(&[with(503, "", &[("retry-after", retry_after)])]).await;
        let error = stage.payframe.orders.read("A1").await.unwrap_err();
        assert_eq!(
            (stage.received().len(), error.code(), error.is_retryable()),
            (1, "http_503", true)
        );
    }
}

#[tokio::test]
async fn max_retries_is_the_number_of_repetitions() {
    for max_retries in [0, 1, 5] {
        let stage = Stage::with(&[Step::Lost], 0.0, |options| {
            options.max_retries(max_retries)
        })
        .await;
        stage.payframe.orders.read("A1").await.unwrap_err();
        assert_eq!(stage.received().len(), max_retries as usize + 1);
    }
}

/// The error of a refund whose attempts go like this.
async fn refund_error(steps: &[Step]) -> payframe_server::PayframeError {
    let retries = u32::try_from(steps.len()).unwrap() - 1;
    let stage = Stage::with(steps, 0.0, |options| options.max_retries(retries)).await;
    stage.refund().await.unwrap_err()
}

#[tokio::test]
async fn a_write_without_an_answer_says_that_its_outcome_is_not_known_and_with_which_key_to_repeat_it()
 {
    let rows: [(&[Step], &str); 12] = [
        (&[Step::Lost], "unreachable"),
        (&[Step::Silent], "timeout"),
        (&[foreign(502, "")], "http_502"),
        (&[running()], "GW9001"),
        (&[failure()], "PS0000"),
        (&[away()], "GW9013"),
        (&[text(200, "<html>")], "unreadable_answer"),
        // It is JSON, and not what the call answers.
        (&[answer(&json!({ "operationId": 2 }))], "unreadable_answer"),
        (&[foreign(307, "")], "unreadable_answer"),
        // What came first may have been carried out, and what came last says nothing of it.
        (&[Step::Lost, busy()], "GW9002"),
        (&[Step::Silent, denied()], "GW9020"),
        (&[Step::Lost, foreign(403, "")], "http_403"),
    ];
    for (steps, code) in rows {
        let error = refund_error(steps).await;
        assert_eq!(
            (
                error.code(),
                error.outcome_unknown(),
                error.idempotency_key()
            ),
            (code, true, Some("k")),
            "{steps:?}"
        );
        assert!(
            error
                .message()
                .contains("not known: repeat it with the same idempotency key")
        );
    }
}

#[tokio::test]
async fn a_write_that_was_refused_has_an_outcome_nothing_happened() {
    let rows: [&[Step]; 6] = [
        &[too_much()],
        &[busy()],
        &[denied()],
        &[refusal(500, "GW9005", "a fault")],
        // The gateway looks the key up first, so this refusal is of the first attempt too.
        &[Step::Lost, too_much()],
        &[Step::Silent, text(404, "")],
    ];
    for steps in rows {
        assert!(!refund_error(steps).await.outcome_unknown(), "{steps:?}");
    }
}

#[tokio::test]
async fn a_write_that_found_no_connection_was_not_carried_out() {
    // Nobody listens at the port of a listener that is closed.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let gateway = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let options = payframe_server::Options::new(gateway, "key").max_retries(0);
    let payframe = payframe_server::Payframe::with(options).unwrap();
    let error = payframe.sessions.cancel("s").await.unwrap_err();
    assert_eq!(
        (error.code(), error.is_retryable(), error.outcome_unknown()),
        ("unreachable", true, false)
    );
}

#[tokio::test]
async fn a_read_never_has_an_unknown_outcome() {
    let stage = Stage::new(&[Step::Lost]).await;
    let error = stage.payframe.orders.read("A1").await.unwrap_err();
    assert_eq!(
        (
            error.kind(),
            error.outcome_unknown(),
            error.is_retryable(),
            error.idempotency_key()
        ),
        (ErrorKind::Network, false, true, None)
    );
}

#[tokio::test]
async fn a_future_that_is_dropped_makes_no_further_attempt() {
    let stage = Stage::new(&[Step::Silent]).await;
    let call = tokio::time::timeout(Duration::from_millis(200), stage.refund()).await;
    assert!(call.is_err());
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(stage.received().len(), 1);
    assert_eq!(stage.waits(), [0_u128; 0]);
}
