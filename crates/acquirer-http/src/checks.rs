//! What holds for every answer of an adapter, as assertions: for `crates/fuzz`.

use crate::message::{DescriptionMessage, Expected, InquiryMessage, OutcomeMessage};
use crate::secrets::Secrets;
use crate::signature::{SIGNATURE_HEADER, TIMESTAMP_HEADER, check_answer};
use payframe_money::Amount;
use payframe_payment_ports::Clock;
use payframe_payment_ports::acquirer::{AuthorizationResponse, AuthorizationResult};
use reqwest::header::{HeaderMap, HeaderValue};

/// The body of an answer to each request. Panics if an outcome is read that contradicts itself.
#[track_caller]
pub fn assert_outcomes(body: &[u8]) {
    let Some(amount) = Amount::from_minor(3_545) else {
        panic!("the amount is none");
    };
    let expected = Expected {
        reference: REFERENCE,
        amount,
        currency: "EUR",
        conversion: None,
    };
    // That there is an answer to every text is all that is asked of a description.
    drop(serde_json::from_slice::<DescriptionMessage>(body));
    if let Ok(answer) = serde_json::from_slice::<OutcomeMessage>(body)
        && let Ok(response) = answer.checked(expected, NOW_MS)
    {
        assert_outcome(&response);
    }
    if let Ok(answer) = serde_json::from_slice::<InquiryMessage>(body)
        && let Ok(Some(response)) = answer.checked(expected, NOW_MS)
    {
        assert_outcome(&response);
    }
}

#[track_caller]
fn assert_outcome(response: &AuthorizationResponse) {
    let code = &response.response_code;
    assert!(code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit()));
    let is_approved = response.result == AuthorizationResult::Approved;
    assert_eq!(response.approval.is_some(), is_approved);
    if let Some(approval) = &response.approval {
        assert!(approval.authorization_code.len() <= 6 && approval.retrieval_reference.len() <= 12);
    }
    let is_pending = response.result == AuthorizationResult::Pending;
    assert_eq!(response.ask_again_ms.is_some(), is_pending);
    if let Some(at_ms) = response.ask_again_ms {
        assert!((1..=86_400_000).contains(&(at_ms - NOW_MS)), "{at_ms}");
    }
}

/// An answer: its time, its signature and its body, each after a line break. Panics if it counts and no holder of the secret has signed it.
#[track_caller]
pub fn assert_signed(answer: &[u8]) {
    let mut parts = answer.splitn(3, |byte| *byte == b'\n');
    let mut part = || parts.next().unwrap_or_default();
    let (timestamp, signature, body) = (part(), part(), part());
    let headers = [(TIMESTAMP_HEADER, timestamp), (SIGNATURE_HEADER, signature)];
    let headers = headers.into_iter().filter_map(|(name, value)| {
        let value = HeaderValue::from_bytes(value).ok()?;
        Some((reqwest::header::HeaderName::from_static(name), value))
    });
    let headers: HeaderMap = headers.collect();
    let Some(secrets) = Secrets::parse(SECRET) else {
        panic!("the secret is none");
    };
    let clock = Clock::manual(NOW_MS);
    if check_answer(&secrets, &clock, ID, &headers, body).is_ok() {
        let made = sign(&secrets, &String::from_utf8_lossy(timestamp), body);
        let signature = String::from_utf8_lossy(signature);
        assert!(signature.split(' ').any(|one| one == made), "not signed");
    }
}

/// Answers that [`assert_signed`] takes.
pub fn signed_answers(bodies: &[&str]) -> Vec<Vec<u8>> {
    let Some(secrets) = Secrets::parse(SECRET) else {
        return Vec::new();
    };
    let timestamp = (NOW_MS / 1000).to_string();
    let answer = |body: &&str| {
        let signature = sign(&secrets, &timestamp, body.as_bytes());
        format!("{timestamp}\n{signature}\n{body}").into_bytes()
    };
    bodies.iter().map(answer).collect()
}

fn sign(secrets: &Secrets, timestamp: &str, body: &[u8]) -> String {
    let head = format!("answer\n{ID}\n{timestamp}\n200\n");
    secrets.sign(&[head.as_bytes(), body])
}

/// The reference that answers have to be about.
pub const REFERENCE: &str = "reference-1";
const ID: &str = "id-1";
/// Used nowhere else.
const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const NOW_MS: i64 = 1_800_000_000_000;
