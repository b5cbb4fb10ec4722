//! The client against a fake adapter: what is an outcome, and what is none. Each fault has a twin, the answer without it.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod fake;
#[path = "client/requests.rs"]
mod requests;

use fake::{Adapter, Fault, Say, TestCard, authorization, inquiry};
use payframe_payment_domain::method::Method;
use payframe_payment_ports::acquirer::{
    Acquirer, AcquirerError, AuthorizationResult, DeclineReason, Instrument, Taking,
};
use serde_json::json;
use std::time::Duration;

/// What an outcome is about in these tests: 35.45 EUR.
fn approved() -> Say {
    Say::Outcome(json!({
        "result": "APPROVED", "responseCode": "000", "authorizationCode": "123456", "retrievalReference": "000000000017",
        "schemeId": "SBX00001U",
    }))
}

/// How an authorization ends after this answer.
async fn outcome(say: Say, fault: Fault) -> Result<AuthorizationResult, AcquirerError> {
    let adapter = Adapter::start(say, fault).await;
    let card = TestCard::approved();
    let response = adapter.acquirer.authorize(&authorization("1", &card)).await;
    response.map(|response| response.result)
}

#[tokio::test]
async fn a_signed_answer_about_the_request_is_an_outcome() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let card = TestCard::approved();
    let response = adapter.acquirer.authorize(&authorization("1", &card)).await;
    let response = response.unwrap();
    assert_eq!(response.result, AuthorizationResult::Approved);
    assert_eq!(
        (response.response_code.as_str(), response.ask_again_ms),
        ("000", None)
    );
    let approval = response.approval.unwrap();
    assert_eq!(approval.authorization_code, "123456");
    assert_eq!(approval.retrieval_reference, "000000000017");
    assert_eq!(approval.scheme_id, "SBX00001U");
    for (result, expected) in [
        ("DECLINED", AuthorizationResult::Declined),
        ("FAILED", AuthorizationResult::Failed),
    ] {
        let say = Say::Outcome(json!({ "result": result, "responseCode": "116" }));
        assert_eq!(outcome(say, Fault::None).await.unwrap(), expected);
    }
}

#[tokio::test]
async fn what_is_no_answer_leaves_the_outcome_unknown() {
    for (fault, expected) in [
        (Fault::Lost, "no answer: main: the connection ended"),
        (Fault::Status(500), "the status is 500"),
        (Fault::Status(503), "the status is 503"),
        (Fault::Status(400), "the status is 400"),
        (Fault::Status(401), "the status is 401"),
        (Fault::Status(408), "the status is 408"),
        (Fault::Status(429), "the status is 429"),
        (Fault::Status(201), "the status is 201"),
        (Fault::Redirect, "the status is 307"),
        (Fault::Slow, "no answer within the time limit"),
        (Fault::TooLong, "more than 65536 bytes"),
        (Fault::Unsigned, "the answer is not signed"),
        (
            Fault::OtherSecret,
            "signature is not made with a known secret",
        ),
        (
            Fault::OtherRequest,
            "signature is not made with a known secret",
        ),
        (
            Fault::ChangedBody,
            "signature is not made with a known secret",
        ),
        (
            Fault::Reflected,
            "signature is not made with a known secret",
        ),
        (Fault::Clock(-301), "differs from the gateway's by -301 s"),
        (Fault::Clock(301), "differs from the gateway's by 301 s"),
        (Fault::Unreadable, "not the JSON of the protocol"),
        (Fault::OtherReference, "is about another reference"),
        (Fault::OtherAmount, "is about another amount or currency"),
        (Fault::OtherCurrency, "is about another amount or currency"),
    ] {
        let problem = outcome(approved(), fault).await.unwrap_err();
        let may_be_sent = !matches!(problem, AcquirerError::NotSent(_));
        assert!(may_be_sent, "{fault:?}: the adapter has the request");
        let said = problem.to_string();
        assert!(said.contains(expected), "{fault:?}: {said}");
        assert!(!said.contains("4761730000000003"), "{said}");
    }
    for fault in [
        Fault::None,
        Fault::Clock(-299),
        Fault::Clock(299),
        Fault::UnknownMember,
    ] {
        let result = outcome(approved(), fault).await;
        assert_eq!(result.unwrap(), AuthorizationResult::Approved, "{fault:?}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let adapter = Adapter::start(approved(), Fault::Redirect).await;
    let card = TestCard::approved();
    adapter
        .acquirer
        .authorize(&authorization("1", &card))
        .await
        .unwrap_err();
    let paths: Vec<_> = adapter
        .requests()
        .into_iter()
        .map(|request| request.path)
        .collect();
    assert_eq!(paths, ["/payframe/authorize"]);
}

#[tokio::test]
async fn answers_that_contradict_themselves_are_no_outcome() {
    for (said, expected) in [
        (
            json!({ "result": "APPROVED" }),
            "not the JSON of the protocol",
        ),
        (
            json!({ "result": "PARTIAL", "responseCode": "000" }),
            "not the JSON of the protocol",
        ),
        (
            json!({ "result": "APPROVED", "responseCode": "00" }),
            "responseCode",
        ),
        (
            json!({ "result": "APPROVED", "responseCode": "00a" }),
            "responseCode",
        ),
        (
            json!({ "result": "APPROVED", "responseCode": "000", "authorizationCode": "1234567" }),
            "authorizationCode",
        ),
        (
            json!({ "result": "APPROVED", "responseCode": "000", "retrievalReference": "12-4" }),
            "retrievalReference",
        ),
        (
            json!({ "result": "APPROVED", "responseCode": "000", "schemeId": "a b" }),
            "schemeId",
        ),
        (
            json!({ "result": "DECLINED", "responseCode": "116", "authorizationCode": "123456" }),
            "and no approval",
        ),
        (
            json!({ "result": "APPROVED", "responseCode": "000", "notTaken": true }),
            "says notTaken, and has a result other than FAILED",
        ),
        (
            json!({ "result": "DECLINED", "responseCode": "116", "notTaken": true }),
            "says notTaken, and has a result other than FAILED",
        ),
        (
            json!({ "result": "PENDING", "responseCode": "911", "notTaken": true }),
            "says notTaken, and has a result other than FAILED",
        ),
        (
            json!({ "result": "FAILED", "responseCode": "909", "declineReason": "AUTHENTICATION_REQUIRED" }),
            "has a declineReason, and a result other than DECLINED",
        ),
    ] {
        let problem = outcome(Say::Outcome(said.clone()), Fault::None).await;
        let problem = problem.unwrap_err().to_string();
        assert!(problem.contains(expected), "{said}: {problem}");
    }
}

#[tokio::test]
async fn an_adapter_says_whether_it_took_a_request_that_failed() {
    for (said, expected) in [
        (json!({}), Taking::Taken),
        (json!({ "notTaken": false }), Taking::Taken),
        (json!({ "notTaken": true }), Taking::NotTaken),
    ] {
        let mut outcome = json!({ "result": "FAILED", "responseCode": "909" });
        let members = said.as_object().unwrap().clone();
        outcome.as_object_mut().unwrap().extend(members);
        let adapter = Adapter::start(Say::Outcome(outcome), Fault::None).await;
        let card = TestCard::approved();
        let response = adapter.acquirer.authorize(&authorization("1", &card)).await;
        let response = response.unwrap();
        assert_eq!(response.result, AuthorizationResult::Failed);
        assert_eq!(response.taking, expected, "{said}");
    }
}

#[tokio::test]
async fn an_adapter_says_why_the_issuer_declined() {
    let demanded = Some(DeclineReason::AuthenticationRequired);
    for (said, expected) in [
        (json!({}), None),
        (json!({ "declineReason": null }), None),
        (
            json!({ "declineReason": "AUTHENTICATION_REQUIRED" }),
            demanded,
        ),
        // A later version of the protocol may have more reasons.
        (json!({ "declineReason": "STOLEN_CARD" }), None),
    ] {
        let mut outcome = json!({ "result": "DECLINED", "responseCode": "100" });
        let members = said.as_object().unwrap().clone();
        outcome.as_object_mut().unwrap().extend(members);
        let adapter = Adapter::start(Say::Outcome(outcome), Fault::None).await;
        let card = TestCard::approved();
        let response = adapter.acquirer.authorize(&authorization("1", &card)).await;
        let response = response.unwrap();
        assert_eq!(response.result, AuthorizationResult::Declined);
        assert_eq!(response.decline_reason, expected, "{said}");
    }
}

#[tokio::test]
async fn an_unknown_reference_moved_no_money_and_a_contradiction_says_nothing() {
    for (say, expected) in [
        (Say::Inquiry(json!({ "known": false })), Ok(())),
        (
            Say::Inquiry(json!({ "known": true })),
            Err("knows the reference, and has no outcome"),
        ),
        (
            Say::Inquiry(json!({ "known": false, "outcome": {
                "reference": "1", "result": "APPROVED", "responseCode": "000", "amountMinor": 3545, "currency": "EUR",
            } })),
            Err("has an outcome, and does not know the reference"),
        ),
        (
            Say::Inquiry(json!({ "known": true, "outcome": {
                "reference": "1", "result": "APPROVED", "responseCode": "000", "amountMinor": 1, "currency": "EUR",
            } })),
            Err("is about another amount or currency"),
        ),
    ] {
        let adapter = Adapter::start(say, Fault::None).await;
        match (adapter.acquirer.inquire(&inquiry("1")).await, expected) {
            (Ok(found), Ok(())) => assert_eq!(found, None),
            (Err(problem), Err(expected)) => {
                assert!(problem.to_string().contains(expected), "{problem}");
            }
            (other, expected) => panic!("{other:?}, not {expected:?}"),
        }
    }
}

#[tokio::test]
async fn a_pending_operation_is_always_asked_about_again() {
    for (said, expected_seconds) in [
        (json!({}), 30),
        (json!({ "askAgainAfterSeconds": 5 }), 5),
        (json!({ "askAgainAfterSeconds": 0 }), 1),
        (json!({ "askAgainAfterSeconds": 100_000 }), 86_400),
        (json!({ "askAgainAfterSeconds": u64::MAX }), 86_400),
    ] {
        let mut outcome = json!({ "result": "PENDING", "responseCode": "911" });
        outcome
            .as_object_mut()
            .unwrap()
            .extend(said.as_object().unwrap().clone());
        let adapter = Adapter::start(Say::Outcome(outcome), Fault::None).await;
        let card = TestCard::approved();
        let response = adapter.acquirer.authorize(&authorization("1", &card)).await;
        let ask_again_ms = response.unwrap().ask_again_ms.unwrap();
        assert_eq!(
            ask_again_ms - fake::NOW_MS,
            expected_seconds * 1000,
            "{said}"
        );
    }
}

#[tokio::test]
async fn the_security_code_is_sent_once() {
    let adapter = Adapter::start(approved(), Fault::Lost).await;
    let card = TestCard::approved();
    let sent = |adapter: &Adapter| {
        let requests = adapter.requests().into_iter();
        let codes = requests.map(|request| {
            let card = &request.body["card"];
            (
                card["securityCodeStatus"].clone(),
                card.get("securityCode").cloned(),
            )
        });
        codes.collect::<Vec<_>>()
    };
    for _ in 0..2 {
        adapter
            .acquirer
            .authorize(&authorization("1", &card))
            .await
            .unwrap_err();
    }
    adapter
        .acquirer
        .authorize(&authorization("2", &card))
        .await
        .unwrap_err();
    let (given, lost) = ((json!("GIVEN"), Some(json!("123"))), (json!("LOST"), None));
    assert_eq!(sent(&adapter), [given.clone(), lost, given]);
}

#[tokio::test]
async fn a_request_that_was_not_sent_has_not_sent_the_security_code() {
    let (unreachable, port) = Adapter::unreachable().await;
    let card = TestCard::approved();
    let problem = unreachable
        .authorize(&authorization("1", &card))
        .await
        .unwrap_err();
    assert!(problem.to_string().contains("no connection: "), "{problem}");
    assert!(matches!(problem, AcquirerError::NotSent(_)), "{problem}");
    let adapter = Adapter::start_at(port, unreachable, approved()).await;
    adapter
        .acquirer
        .authorize(&authorization("1", &card))
        .await
        .unwrap();
    assert_eq!(adapter.requests()[0].body["card"]["securityCode"], "123");
}

/// Whether a request about this reference is sent, although no answer comes that counts.
async fn is_sent(adapter: &Adapter, reference: &str) -> bool {
    let before = adapter.requests().len();
    let card = TestCard::approved();
    let request = authorization(reference, &card);
    let problem = adapter.acquirer.authorize(&request).await.unwrap_err();
    let is_sent = adapter.requests().len() > before;
    let is_certain = matches!(problem, AcquirerError::NotSent(_));
    assert_eq!(is_certain, !is_sent, "{problem}");
    assert_eq!(
        problem
            .to_string()
            .contains("nothing is sent for some seconds"),
        !is_sent,
        "{problem}"
    );
    is_sent
}

#[tokio::test]
async fn a_silent_adapter_is_left_alone_for_five_seconds() {
    let adapter = Adapter::start(approved(), Fault::Lost).await;
    for reference in ["1", "2", "3"] {
        assert!(is_sent(&adapter, reference).await, "{reference}");
    }
    assert!(!is_sent(&adapter, "4").await);
    adapter.clock.advance(Duration::from_millis(4_999));
    assert!(!is_sent(&adapter, "4").await);
    adapter.clock.advance(Duration::from_millis(1));
    assert!(is_sent(&adapter, "4").await);
    // It was not sent before, so this is the first request with the code.
    let request = adapter.requests().pop().unwrap();
    assert_eq!(request.body["card"]["securityCodeStatus"], "GIVEN");
    assert!(!is_sent(&adapter, "5").await);
    // A clock that was set back does not keep it silent.
    adapter.clock.set(0);
    assert!(is_sent(&adapter, "5").await);
}

#[tokio::test]
async fn an_adapter_that_answers_wrongly_is_asked_again_at_once() {
    let adapter = Adapter::start(approved(), Fault::Status(500)).await;
    for reference in ["1", "2", "3", "4", "5"] {
        assert!(is_sent(&adapter, reference).await, "{reference}");
    }
}

#[tokio::test]
async fn a_method_is_not_sent_and_charges_nothing() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let card = TestCard::approved();
    let mut request = authorization("1", &card);
    request.instrument = Instrument::Method {
        method: Method::from_code("PAYPAL").unwrap(),
        return_data: "anything",
    };
    let response = adapter.acquirer.authorize(&request).await.unwrap();
    assert_eq!(response.result, AuthorizationResult::Failed);
    assert!(adapter.requests().is_empty());
}

#[tokio::test]
async fn nothing_that_is_printed_contains_card_data_or_secrets() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let card = TestCard::approved();
    let printed = format!("{:?} {:?}", adapter.acquirer, authorization("1", &card));
    for secret in ["4761730000000003", "whsec_", "Anna"] {
        assert!(!printed.contains(secret), "{printed}");
    }
}
