//! What Prometheus reads from a gateway.

use crate::http;
use crate::process::Process;
use crate::shop::{APPROVED, DECLINED, WITHOUT_CHECKS, call, merchant, pay, socket};
use serde_json::json;
use std::collections::BTreeSet;
use std::net::SocketAddr;

/// The names in the example dashboard and in the example alerts.
fn documented() -> BTreeSet<String> {
    let dashboard = include_str!("../../../docs/dashboard.json");
    serde_json::from_str::<serde_json::Value>(dashboard).unwrap();
    let operations = include_str!("../../../docs/operations.md");
    let (_, alerts) = operations.split_once("```yaml\n").unwrap();
    let (alerts, _) = alerts.split_once("```").unwrap();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    [dashboard, alerts]
        .iter()
        .flat_map(|text| text.split(|c| !is_name(c)))
        .filter(|word| word.starts_with("payframe_") || word.starts_with("process_"))
        .map(str::to_owned)
        .collect()
}

fn scraped(metrics: SocketAddr) -> String {
    let answer = http::send(metrics, "GET", "/metrics", &[], "").unwrap();
    assert_eq!(answer.status, Some(200));
    answer.text
}

/// The value of one series; `None` if it is not there.
fn value(text: &str, series: &str) -> Option<f64> {
    text.lines().find_map(|line| {
        let value = line.strip_prefix(series)?.strip_prefix(' ')?;
        value.parse().ok()
    })
}

/// A line without its number: a comment, or a series' name and labels.
fn without_value(line: &str) -> &str {
    match line.rsplit_once(' ') {
        Some((series, _)) if !line.starts_with('#') => series,
        _ => line,
    }
}

#[test]
fn what_happens_is_measured_under_the_names_of_the_documentation() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Process::start(folder.path(), &[("PAYFRAME_METRICS_LISTEN", "127.0.0.1:0")]);
    let public = socket(&gateway.address);
    let metrics = socket(gateway.said[0].strip_prefix("metrics at ").unwrap());
    assert_eq!(pay(public, "order-77001", APPROVED), "EXECUTED");
    assert_eq!(pay(public, "order-77002", APPROVED), "EXECUTED");
    assert_eq!(pay(public, "order-77003", DECLINED), "DECLINED");
    // Nobody listens there, so the notification waits.
    let build = json!({
        "merchantUrl": "https://shop.example",
        "order": { "orderId": "order-77004", "amount": "3545", "currency": "EUR" },
        "paymentSession": {
            "actionType": "PAY", "amount": "3545", "paymentService": "CARDS", "resultUrl": "https://shop.example/ok",
            "cancelUrl": "https://shop.example/ko", "notificationUrl": "http://127.0.0.1:9/hook"
        }
    });
    let built = merchant(public, "/orders/build", &build);
    let session = built["sessionId"].as_str().unwrap();
    let text = scraped(metrics);
    assert_eq!(value(&text, "payframe_sessions_open"), Some(1.0));
    assert_eq!(value(&text, "payframe_notifications_waiting"), Some(0.0));
    let card = json!([
        { "id": "CARD_NUMBER", "value": WITHOUT_CHECKS }, { "id": "EXPIRATION_DATE", "value": "1230" },
        { "id": "SECURITY_CODE", "value": "123" }, { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" }
    ]);
    assert_eq!(
        call(public, "/fe/build/text", &[("session", session)], &card).0,
        200
    );
    let finalize = json!({ "sessionId": session });
    merchant(public, "/build/finalize_payment", &finalize);
    let report = r#"{"csp-report": {"document-uri": "http://localhost/form/", "effective-directive": "script-src-elem", "blocked-uri": "inline"}}"#;
    let kind = [("content-type", "application/csp-report")];
    let reported = http::send(public, "POST", "/reports", &kind, report).unwrap();
    assert_eq!(reported.status, Some(204));
    let text = loop {
        let text = scraped(metrics);
        let failed = value(
            &text,
            "payframe_notification_attempts_total{outcome=\"failed\"}",
        );
        let due_work_done = value(&text, "payframe_due_work_duration_seconds_count");
        let are_books_compared = text.contains("\npayframe_book_differences{");
        if failed == Some(1.0) && due_work_done >= Some(1.0) && are_books_compared {
            break text;
        }
    };
    for (series, expected) in [
        (
            "payframe_operations_total{type=\"AUTHORIZATION\",result=\"EXECUTED\"}",
            3.0,
        ),
        (
            "payframe_operations_total{type=\"AUTHORIZATION\",result=\"DECLINED\"}",
            1.0,
        ),
        (
            "payframe_requests_total{method=\"POST\",route=\"/orders/moto\",status=\"200\"}",
            3.0,
        ),
        (
            "payframe_request_duration_seconds_count{route=\"/orders/moto\"}",
            3.0,
        ),
        (
            "payframe_acquirer_call_duration_seconds_count{acquirer=\"own\",call=\"authorize\",outcome=\"answered\"}",
            4.0,
        ),
        (
            "payframe_browser_reports_total{page=\"form\",directive=\"script-src-elem\",source=\"inline\"}",
            1.0,
        ),
        ("payframe_sessions_open", 0.0),
        ("payframe_notifications_waiting", 1.0),
        ("payframe_database_up", 1.0),
        ("payframe_task_failures_total", 0.0),
    ] {
        assert_eq!(value(&text, series), Some(expected), "{series} in\n{text}");
    }
    let commits = "payframe_database_commit_duration_seconds_count{schema=\"payframe\"}";
    assert!(value(&text, commits).unwrap() >= 4.0, "{text}");
    for name in documented() {
        let is_it = |line: &str| {
            let rest = line.strip_prefix(&name);
            rest.is_some_and(|rest| rest.starts_with([' ', '{']))
        };
        assert!(text.lines().any(is_it), "{name} is not in\n{text}");
    }
    // Ids and cards would make too many series, and must not be public. A measured time may have any digits.
    let told: String = text.lines().map(without_value).collect();
    for secret in ["order-77", session, "4761", "91000001"] {
        assert!(!told.contains(secret), "{secret} is in\n{text}");
    }
    // A browser of the operator keeps, embeds and guesses nothing of it.
    for (path, status) in [("/metrics", 200), ("/", 404)] {
        let answer = http::send(metrics, "GET", path, &[], "").unwrap();
        assert_eq!(answer.status, Some(status), "{path}");
        for line in [
            "x-content-type-options: nosniff",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-store",
            "content-security-policy: default-src 'none'; frame-ancestors 'none'",
        ] {
            assert!(
                answer.head.lines().any(|said| said == line),
                "{path}: {}",
                answer.head
            );
        }
    }
    // The public address does not show it.
    let answer = http::send(public, "GET", "/metrics", &[], "").unwrap();
    assert_eq!(answer.status, Some(404));
}
