//! Which notifications are verified, and why others are not.

use crate::stage::NOW;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use payframe_server::types::NotificationType;
use payframe_server::{
    ErrorKind, NotificationVerifier, PayframeError, Received, Runtime, verify_notification,
};
use serde_json::{Value, json};
use sha2::Sha256;
use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER_SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const ID: &str = "554ccc00-28fb-4344-a3fa-4bb8d1999bd5";

fn body_with(event_id: &str) -> String {
    event(event_id).to_string()
}

fn event(event_id: &str) -> Value {
    json!({
        "eventId": event_id, "eventTime": "2030-01-31T09:59:59.000Z", "eventType": "PAYMENT", "securityToken": "2f0e",
        "operation": {
            "operationId": "347074400000000001", "orderId": "Fünf", "operationType": "AUTHORIZATION", "operationResult": "EXECUTED",
            "operationAmount": "3545", "operationCurrency": "EUR", "operationTime": "2030-01-31T09:59:59.000Z", "terminalId": "91000001",
            "channel": "ECOMMERCE", "channelDetail": "SERVER_TO_SERVER", "additionalData": {}, "customerInfo": {}, "warnings": [],
        },
    })
}

fn mac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().to_vec()
}

type Headers = Vec<(&'static str, String)>;

/// The headers of Standard Webhooks for a body that was sent now.
fn signed_by(secrets: &[&str], id: &str, body: &[u8]) -> Headers {
    let seconds = NOW.as_secs().to_string();
    let signatures: Vec<_> = secrets
        .iter()
        .map(|secret| {
            let key = STANDARD.decode(&secret[6..]).unwrap();
            let signed = mac(&key, &[id.as_bytes(), b".", seconds.as_bytes(), b".", body]);
            format!("v1,{}", STANDARD.encode(signed))
        })
        .collect();
    vec![
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", seconds),
        ("webhook-signature", signatures.join(" ")),
    ]
}

fn signed(body: &str) -> Headers {
    signed_by(&[SECRET], ID, body.as_bytes())
}

/// The time of sending, and so many seconds.
struct At(i64);

impl Runtime for At {
    fn now(&self) -> SystemTime {
        let now = UNIX_EPOCH + NOW;
        let distance = Duration::from_secs(self.0.unsigned_abs());
        if self.0 < 0 {
            now - distance
        } else {
            now + distance
        }
    }
}

fn verifier(secrets: &[&str]) -> NotificationVerifier {
    NotificationVerifier::new(secrets).unwrap().runtime(At(0))
}

fn verify(headers: Headers, body: &[u8]) -> Result<Received, PayframeError> {
    verifier(&[SECRET]).verify(headers, body)
}

fn refuses(outcome: Result<Received, PayframeError>, code: &str) {
    let error = outcome.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Notification, code)
    );
    let shown = format!("{error:?} {error}");
    for secret in [
        &SECRET[6..],
        &signed(&body_with(ID))[2].1[3..],
        &body_with(ID),
    ] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

/// A change of one header.
fn with(name: &str, value: &str) -> Headers {
    let mut headers = signed(&body_with(ID));
    for header in &mut headers {
        if header.0 == name {
            header.1 = value.to_owned();
        }
    }
    headers
}

#[test]
fn what_is_signed_is_verified() {
    let body = body_with(ID);
    let event = verify(signed(&body), body.as_bytes()).unwrap();
    assert_eq!(event.event_id(), ID);
    assert_eq!(event.operation().unwrap().order_id, "Fünf");
    let Received::Money(notification) = event else {
        panic!("{event:?}")
    };
    assert_eq!(notification.event_type, NotificationType::Payment);
}

#[test]
fn what_is_not_about_money_has_no_operation_and_a_kind_that_is_not_known_is_verified_too() {
    let attack = json!({ "terminalId": "91000001", "state": "BEGUN", "sinceTime": "2030-01-31T09:59:59.000Z" });
    for (kind, more) in [("TERMINAL_ATTACK", Some(attack)), ("NEW", None)] {
        let mut body =
            json!({ "eventId": ID, "eventTime": "2030-01-31T09:59:59.000Z", "eventType": kind });
        if let Some(attack) = &more {
            body["attack"] = attack.clone();
        }
        let body = body.to_string();
        let event = verify(signed(&body), body.as_bytes()).unwrap();
        assert!(event.operation().is_none());
        let Received::Notice(notice) = event else {
            panic!("{event:?}")
        };
        assert_eq!(serde_json::to_value(&notice.event_type).unwrap(), kind);
        assert_eq!(notice.attack.is_some(), more.is_some());
    }
}

/// What the specification's reference libraries sign (their own test has this message).
#[test]
fn the_signature_of_the_reference_libraries_fits() {
    let headers = || {
        [
            ("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
            ("webhook-timestamp", "1614265330"),
            (
                "webhook-signature",
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ),
        ]
    };
    let sent = UNIX_EPOCH + Duration::from_secs(1_614_265_330);
    let ago = i64::try_from((UNIX_EPOCH + NOW).duration_since(sent).unwrap().as_secs()).unwrap();
    let verifier = NotificationVerifier::new(&[SECRET])
        .unwrap()
        .runtime(At(-ago));
    // It is signed, and is no notification of the gateway.
    refuses(
        verifier.verify(headers(), br#"{"test": 2432232314}"#),
        "body_malformed",
    );
    refuses(
        verifier.verify(headers(), br#"{"test": 2432232315}"#),
        "signature_mismatch",
    );
}

#[test]
fn headers_are_accepted_in_any_letter_case_and_collection() {
    let body = body_with(ID);
    let capitals = signed(&body)
        .into_iter()
        .map(|(name, value)| (name.to_uppercase(), value));
    assert!(
        verifier(&[SECRET])
            .verify(capitals, body.as_bytes())
            .is_ok()
    );
    let map: HashMap<_, _> = signed(&body).into_iter().collect();
    assert!(verifier(&[SECRET]).verify(&map, body.as_bytes()).is_ok());
    let mut headers = payframe_server::reqwest::header::HeaderMap::new();
    for (name, value) in signed(&body) {
        headers.insert(name, value.parse().unwrap());
    }
    assert!(
        verifier(&[SECRET])
            .verify(&headers, body.as_bytes())
            .is_ok()
    );
    // By the machine's clock it is from another time.
    let error = verify_notification(&headers, body.as_bytes(), &[SECRET]).unwrap_err();
    assert!(error.code().starts_with("timestamp_too_"), "{error}");
}

#[test]
fn during_a_rotation_either_secret_is_enough_on_both_sides() {
    let body = body_with(ID);
    let body = body.as_bytes();
    let one = || signed_by(&[SECRET], ID, body);
    assert!(
        verifier(&[OTHER_SECRET, SECRET])
            .verify(one(), body)
            .is_ok()
    );
    assert!(verify(signed_by(&[OTHER_SECRET, SECRET], ID, body), body).is_ok());
    assert!(verifier(&[&SECRET[6..]]).verify(one(), body).is_ok());
    refuses(
        verifier(&[OTHER_SECRET]).verify(one(), body),
        "signature_mismatch",
    );
    refuses(
        verify(signed_by(&[OTHER_SECRET], ID, body), body),
        "signature_mismatch",
    );
}

#[test]
fn whatever_the_gateway_did_not_sign_is_refused() {
    let body = body_with(ID);
    for other in [
        body.replace("347", "348"),
        format!(" {body}"),
        String::new(),
    ] {
        refuses(
            verify(signed(&body), other.as_bytes()),
            "signature_mismatch",
        );
    }
    for (name, value) in [
        ("webhook-id", "another"),
        ("webhook-timestamp", "1896084001"),
    ] {
        refuses(
            verify(with(name, value), body.as_bytes()),
            "signature_mismatch",
        );
    }
}

#[test]
fn signatures_of_other_versions_and_malformed_ones_do_not_count() {
    let body = body_with(ID);
    let good = signed(&body)[2].1.clone();
    let cut = &good[..good.len() - 1];
    for signature in [
        &good.replace("v1,", "v1a,"),
        &good.replace("v1,", "v2,"),
        cut,
        &good[3..],
        "v1,",
        "v1",
        ",",
        " ",
    ] {
        refuses(
            verify(with("webhook-signature", signature), body.as_bytes()),
            "signature_malformed",
        );
    }
    let first = if good.as_bytes()[3] == b'A' { "B" } else { "A" };
    let flipped = format!("v1,{first}{}", &good[4..]);
    refuses(
        verify(with("webhook-signature", &flipped), body.as_bytes()),
        "signature_mismatch",
    );
    let among = format!("v2,x {flipped} {good}");
    assert!(verify(with("webhook-signature", &among), body.as_bytes()).is_ok());
}

#[test]
fn a_notification_from_another_time_is_refused_on_either_side() {
    let body = body_with(ID);
    let at = |seconds, tolerance| {
        let verifier = verifier(&[SECRET])
            .tolerance(Duration::from_secs(tolerance))
            .unwrap();
        verifier
            .runtime(At(seconds))
            .verify(signed(&body), body.as_bytes())
    };
    for seconds in [-300, 0, 300] {
        assert!(at(seconds, 300).is_ok());
    }
    refuses(at(301, 300), "timestamp_too_old");
    refuses(at(-301, 300), "timestamp_too_new");
    assert!(at(3600, 3600).is_ok());
    refuses(at(1, 0), "timestamp_too_old");
    for timestamp in [
        "-1",
        "+1",
        "1.5",
        "2030-01-31",
        "1e9",
        "0x10",
        " 1",
        "1000000000000",
    ] {
        refuses(
            verify(with("webhook-timestamp", timestamp), body.as_bytes()),
            "timestamp_malformed",
        );
    }
}

#[test]
fn a_missing_header_is_named() {
    let body = body_with(ID);
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        refuses(verify(with(name, ""), body.as_bytes()), "header_missing");
        let others = signed(&body).into_iter().filter(|(one, _)| *one != name);
        let error = verifier(&[SECRET])
            .verify(others, body.as_bytes())
            .unwrap_err();
        assert!(
            error
                .message()
                .contains(&format!("The header {name} is missing"))
        );
    }
}

#[test]
fn a_body_that_is_signed_but_is_no_notification_is_refused() {
    let mut without = event(ID);
    without["operation"] = Value::Null;
    for body in [
        "",
        "[]",
        "null",
        "{",
        "{\"eventId\":\"x\"}",
        &body_with("another"),
        &without.to_string(),
    ] {
        refuses(verify(signed(body), body.as_bytes()), "body_malformed");
    }
    // "ü" as one byte.
    let latin: Vec<u8> = body_with(ID).chars().map(|letter| letter as u8).collect();
    refuses(
        verify(signed_by(&[SECRET], ID, &latin), &latin),
        "body_malformed",
    );
}

#[test]
fn the_header_of_the_gateway_itself_is_verified_with_the_same_secrets() {
    let body = body_with(ID);
    let verifier = |secret| verifier(&[secret]);
    let hex = |secret: &str, text: &str| -> String {
        let signed = mac(
            secret.as_bytes(),
            &[NOW.as_secs().to_string().as_bytes(), b".", text.as_bytes()],
        );
        signed.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let now = NOW.as_secs();
    let good = format!("t={now},v1={}", hex(SECRET, &body));
    assert_eq!(
        verifier(SECRET)
            .verify_x_signature(&good, body.as_bytes())
            .unwrap()
            .event_id(),
        ID
    );
    assert!(
        verifier(&SECRET[6..])
            .verify_x_signature(&good, body.as_bytes())
            .is_ok()
    );
    let two = format!(
        "t={now},v1={},v1={},v2=x",
        hex(OTHER_SECRET, &body),
        hex(SECRET, &body)
    );
    assert!(
        verifier(SECRET)
            .verify_x_signature(&two, body.as_bytes())
            .is_ok()
    );
    let late = format!("t={},v1={}", now - 301, hex(SECRET, &body));
    for (header, text, code) in [
        (
            good.as_str(),
            body.replace("347", "348"),
            "signature_mismatch",
        ),
        (
            &good.replace("t=18", "t=19"),
            body.clone(),
            "timestamp_too_new",
        ),
        (&late, body.clone(), "timestamp_too_old"),
        (
            &good.replace("t=", "s="),
            body.clone(),
            "timestamp_malformed",
        ),
        (
            &good.replace("v1=", "v2="),
            body.clone(),
            "signature_malformed",
        ),
        (&good[..good.len() - 1], body.clone(), "signature_malformed"),
        ("", body.clone(), "header_missing"),
    ] {
        refuses(
            verifier(SECRET).verify_x_signature(header, text.as_bytes()),
            code,
        );
    }
    refuses(
        verifier(OTHER_SECRET).verify_x_signature(&good, body.as_bytes()),
        "signature_mismatch",
    );
}

#[test]
fn wrong_arguments_are_the_fault_of_the_caller() {
    for secrets in [
        &[][..],
        &[""],
        &["whsec_"],
        &["whsec_%"],
        &["short"],
        &[SECRET, "short"],
    ] {
        let error = NotificationVerifier::new(secrets).unwrap_err();
        assert_eq!(
            (error.kind(), error.code(), error.member()),
            (ErrorKind::Caller, "bad_value", Some("secrets"))
        );
    }
    let long = verifier(&[SECRET]).tolerance(Duration::from_secs(86_401));
    assert_eq!(long.unwrap_err().member(), Some("tolerance"));
    assert!(!format!("{:?}", verifier(&[SECRET])).contains(&SECRET[6..]));
}
