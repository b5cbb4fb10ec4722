//! Answers of an acquirer's adapter. Nothing counts that it did not sign, and what counts does not contradict itself.

use payframe_acquirer_http::checks::{REFERENCE, assert_outcomes, assert_signed, signed_answers};

/// The bytes as a body, and as an answer with its time and its signature.
pub(crate) fn check(bytes: &[u8]) {
    assert_outcomes(bytes);
    assert_signed(bytes);
}

pub(crate) fn samples() -> Vec<Vec<u8>> {
    let outcome = |rest: &str| {
        format!(r#"{{"reference":"{REFERENCE}","amountMinor":3545,"currency":"EUR",{rest}}}"#)
    };
    let approved = outcome(
        r#""result":"APPROVED","responseCode":"000","authorizationCode":"A1B2C3","retrievalReference":"633412345678","schemeId":"MCC1234567890""#,
    );
    let declined = outcome(
        r#""result":"DECLINED","responseCode":"165","declineReason":"AUTHENTICATION_REQUIRED""#,
    );
    let failed = outcome(r#""result":"FAILED","responseCode":"909","notTaken":true"#);
    let pending = outcome(r#""result":"PENDING","responseCode":"000","askAgainAfterSeconds":5"#);
    let known = format!(r#"{{"reference":"{REFERENCE}","known":true,"outcome":{approved}}}"#);
    let unknown = format!(r#"{{"reference":"{REFERENCE}","known":false}}"#);
    let description = r#"{"name":"Adapter","protocols":[1],"operations":["CAPTURE","REFUND"]}"#;
    let bodies = [
        &approved,
        &declined,
        &failed,
        &pending,
        &known,
        &unknown,
        description,
    ];
    let mut samples = signed_answers(&bodies);
    samples.extend(bodies.iter().map(|body| body.as_bytes().to_vec()));
    samples
}
