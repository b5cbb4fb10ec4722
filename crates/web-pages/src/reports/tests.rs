//! Tests of what is read from reports, and of what never is.

use super::*;
use serde_json::{Value, json};

fn read(body: &Value) -> Vec<Stopped> {
    super::read(body.to_string().as_bytes()).unwrap()
}

fn found(page: &'static str, directive: &'static str, source: &'static str, host: &str) -> Stopped {
    Stopped {
        page,
        directive,
        source,
        host: host.to_owned(),
    }
}

#[test]
fn every_form_of_reports_is_read() {
    let several = json!([
        {"type": "csp-violation", "age": 3, "user_agent": "x", "url": "https://pay.example/form/", "body": {
            "documentURL": "https://pay.example/form/?session=abc", "effectiveDirective": "script-src-elem",
            "blockedURL": "https://evil.example/a.js", "disposition": "enforce", "statusCode": 200, "sample": ""}},
        {"type": "integrity-violation", "body": {
            "documentURL": "https://pay.example/office", "blockedURL": "https://pay.example/office/office.js", "destination": "script"}},
        {"type": "deprecation", "body": {"id": "x"}},
        {"type": "focus-taken", "body": {"documentURL": "https://pay.example/form/"}},
    ]);
    assert_eq!(
        read(&several),
        [
            found("form", "script-src-elem", "foreign", "evil.example"),
            found("office", "integrity", "own", "pay.example"),
            found("form", "focus", "embedder", ""),
        ]
    );
    let alone = json!({"type": "csp-violation", "url": "https://pay.example/docs/", "body": {
        "documentURL": "https://pay.example/docs/", "effectiveDirective": "img-src", "blockedURL": "https://evil.example:443/a"}});
    assert_eq!(
        read(&alone),
        [found("docs", "img-src", "foreign", "evil.example")]
    );
    let one = json!({"csp-report": {
        "document-uri": "https://pay.example/pay/t0ken", "violated-directive": "script-src 'self'", "blocked-uri": "inline"}});
    assert_eq!(read(&one), [found("hosted", "script-src", "inline", "")]);
}

#[test]
fn every_source_has_a_word() {
    for (blocked, expected) in [
        ("inline", "inline"),
        ("eval", "eval"),
        ("wasm-eval", "eval"),
        ("trusted-types-sink", "trusted-types"),
        ("https://pay.example/x.js", "own"),
        ("https://pay.example:8443/x.js", "foreign"),
        ("wss://evil.example", "foreign"),
        ("moz-extension://1234/x.js", "extension"),
        ("data", "other"),
        ("", "other"),
    ] {
        let report = Violation {
            document: String::from("https://pay.example/form/"),
            blocked: blocked.to_owned(),
            ..Violation::default()
        };
        assert_eq!(report.stopped().source, expected, "{blocked}");
    }
}

/// Whoever gets code into a page may write a card number into the address that is stopped.
#[test]
fn no_digit_and_no_word_of_a_sender_is_kept() {
    let report = json!({"csp-report": {
        "document-uri": "https://pay.example/form/?session=4111111111111111", "effective-directive": "connect-4111111111111111",
        "blocked-uri": "https://n4111111111111111.evil.example/4111111111111111", "script-sample": "4111111111111111"}});
    let [found] = read(&report).try_into().unwrap();
    assert_eq!(found.directive, "other");
    assert_eq!(found.host, "n################.evil.example");
    assert!(!format!("{found:?}").contains('4'), "{found:?}");
}

#[test]
fn one_body_is_not_endless() {
    let one = json!({"type": "csp-violation", "body": {}});
    let many = Value::Array(vec![one; MOST_REPORTS + 1]);
    assert_eq!(read(&many).len(), MOST_REPORTS);
}
