//! What an error says, and what it never shows.

use crate::stage::{API_KEY, CID, Stage, Step, foreign, refusal, text, with};
use payframe_server::{ErrorKind, PayframeError};
use serde_json::{Value, json};

async fn error_with(step: Step) -> PayframeError {
    let stage = Stage::with(&[step], 0.0, |options| options.max_retries(0)).await;
    let call = stage.payframe.sessions.finalize("a-secret-session");
    call.await.unwrap_err()
}

#[tokio::test]
async fn a_refusal_keeps_code_status_sentence_member_and_the_ids_for_the_operator() {
    let error = error_with(refusal(400, "PS0026", "order.amount is missing")).await;
    assert_eq!(
        serde_json::to_value(&error).unwrap(),
        json!({
            "message": "PS0026: order.amount is missing", "kind": "caller", "code": "PS0026", "status": 400, "member": "order.amount",
            "request_id": CID, "correlation_id": "id-1", "idempotency_key": "id-2", "is_retryable": false, "outcome_unknown": false,
        })
    );
    assert_eq!(error.to_string(), "PS0026: order.amount is missing");
    assert_eq!(
        (error.status(), error.member()),
        (Some(400), Some("order.amount"))
    );
    assert_eq!(
        (error.request_id(), error.correlation_id()),
        (Some(CID), Some("id-1"))
    );
    assert!(std::error::Error::source(&error).is_none());
}

#[tokio::test]
async fn the_member_is_read_from_the_sentence() {
    for (code, description, member) in [
        (
            "PS0026",
            "order.installments[0].date is missing",
            Some("order.installments[0].date"),
        ),
        (
            "PS0036",
            "order.amount must be 1 to 12 digits, in the minor unit",
            Some("order.amount"),
        ),
        (
            "PS0007",
            "paymentSession.amount is above order.amount",
            Some("paymentSession.amount"),
        ),
        (
            "PS0026",
            "delivery holds a card number: card data is taken by the form only",
            Some("delivery"),
        ),
        (
            "PS0041",
            "script in order.description",
            Some("order.description"),
        ),
        (
            "PS0025",
            "header Idempotency-Key was used for another request",
            Some("Idempotency-Key"),
        ),
        ("PS0035", "the body must be JSON", None),
        ("PS0026", "the body must be an object", None),
        (
            "GW9003",
            "the session is in READY_FOR_PAYMENT, which does not allow this call",
            None,
        ),
        ("PS0061", "build session expired", None),
    ] {
        let error = error_with(refusal(400, code, description)).await;
        assert_eq!(error.member(), member, "{description}");
    }
}

#[tokio::test]
async fn a_long_sentence_is_cut() {
    let error = error_with(refusal(400, "PS0026", &"é".repeat(9000))).await;
    assert!(error.message().chars().count() < 600);
}

#[tokio::test]
async fn the_kind_says_whose_fault_it_is() {
    for (step, kind, code) in [
        (
            refusal(400, "PS0026", "x is missing"),
            ErrorKind::Caller,
            "PS0026",
        ),
        (
            refusal(400, "PS0061", "build session expired"),
            ErrorKind::Buyer,
            "PS0061",
        ),
        (
            refusal(400, "PS0004", "the card could not be verified"),
            ErrorKind::Issuer,
            "PS0004",
        ),
        (
            refusal(400, "GW9009", "the terminal has no acquirer"),
            ErrorKind::Operator,
            "GW9009",
        ),
        (
            refusal(
                400,
                "GW9010",
                "buyers of the terminal can not be authenticated",
            ),
            ErrorKind::Operator,
            "GW9010",
        ),
        (
            refusal(500, "PS0000", "a failure of ours"),
            ErrorKind::Gateway,
            "PS0000",
        ),
        (
            refusal(503, "GW9013", "the gateway has no access to its data now"),
            ErrorKind::Gateway,
            "GW9013",
        ),
        (foreign(503, ""), ErrorKind::Gateway, "http_503"),
        (text(404, ""), ErrorKind::Caller, "not_found"),
        (foreign(404, ""), ErrorKind::Caller, "http_404"),
        (text(200, "["), ErrorKind::Gateway, "unreadable_answer"),
        (text(200, "null"), ErrorKind::Gateway, "unreadable_answer"),
        (Step::Lost, ErrorKind::Network, "unreachable"),
        (Step::Silent, ErrorKind::Network, "timeout"),
    ] {
        let error = error_with(step).await;
        assert_eq!((error.kind(), error.code()), (kind, code));
    }
}

#[tokio::test]
async fn the_kind_of_every_code_is_what_the_reference_says() {
    let reference = include_str!("../../../../docs/api.md");
    let mut count = 0;
    for line in reference.lines() {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, code, status, _, fault, ..] = cells.as_slice() else {
            continue;
        };
        let code = code.trim_matches('`');
        let Some(Ok(status)) = status.get(..3).map(str::parse) else {
            continue;
        };
        let kind = match *fault {
            "who calls" => ErrorKind::Caller,
            "the buyer" => ErrorKind::Buyer,
            "issuer, network or method" => ErrorKind::Issuer,
            "the gateway" => ErrorKind::Gateway,
            "the gateway's operator" => ErrorKind::Operator,
            _ => continue,
        };
        let error = error_with(refusal(status, code, "a sentence")).await;
        assert_eq!((error.kind(), error.code()), (kind, code));
        count += 1;
    }
    assert!(count > 40, "{count}");
}

#[tokio::test]
async fn no_error_shows_the_api_key_the_session_the_body_or_what_a_proxy_wrote() {
    let page = format!("<html>{API_KEY} a-secret-session");
    let listed = json!({ "errors": [{ "code": page, "description": page }] });
    let location = format!("https://x.example/{API_KEY}");
    let steps = [
        Step::Lost,
        Step::Silent,
        text(200, &page),
        foreign(502, &page),
        with(302, &page, &[("location", &location)]),
        text(400, &json!({ "errors": page }).to_string()),
        text(400, &listed.to_string()),
        refusal(401, "GW9020", &format!("no such key: {API_KEY}")),
    ];
    for step in steps {
        let error = error_with(step).await;
        let json: Value = serde_json::to_value(&error).unwrap();
        for shown in [
            format!("{error:?}"),
            format!("{error:#?}"),
            error.to_string(),
            json.to_string(),
        ] {
            for secret in [API_KEY, "a-secret-session", "<html>"] {
                assert!(!shown.contains(secret), "{shown}");
            }
        }
    }
}
