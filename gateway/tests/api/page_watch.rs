//! Watched pages: what browsers report of merchants' pages, what is found in it, and who hears of it.

use crate::harness::{Answer, TestApp, build, build_form};
use crate::office::{Person, command};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

const ORIGIN: &str = "https://shop.example";
pub(crate) const PAGE: &str = "https://shop.example/checkout";
pub(crate) const TERMINAL: &str = "91000001";
const KEY: &str = "sandbox-implicit";

/// A part of a page: its name is its place and a number that stands for its content.
type Part<'a> = (&'a str, &'a str);

/// A page as most shops have it.
pub(crate) const PARTS: [Part<'_>; 4] = [
    ("SCRIPT", "gateway1"),
    ("SCRIPT", "metrics1"),
    ("INLINE", "start1"),
    ("HEADER", "policy1"),
];

/// Exact fingerprint and shape, as long as those of the SDK.
fn name((kind, name): Part<'_>) -> String {
    let place = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    format!(
        "{:_<11.11}{:_<8.8}",
        format!("{name}{kind}"),
        format!("{place}{kind}")
    )
}

fn told(part: Part<'_>) -> Value {
    let (kind, name_of) = part;
    let place = name_of.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let source = match kind {
        "SCRIPT" => format!("https://cdn.example/{place}.js"),
        "HEADER" => place.to_owned(),
        _ => String::new(),
    };
    let hash = format!("{name_of:a<43}");
    json!([name(part), kind, source, hash, false])
}

pub(crate) async fn watched(app: &TestApp) {
    command(app, &["terminal", "set", TERMINAL, "page_watch=1"])
        .await
        .unwrap();
}

pub(crate) async fn session(app: &TestApp, order_id: &str) -> String {
    app.open_by(KEY, &build(order_id)).await
}

async fn send(app: &TestApp, origin: Option<&str>, body: String) -> Answer {
    let mut request = Request::post("/page-reports").header("content-type", "text/plain");
    if let Some(origin) = origin {
        request = request.header("origin", origin);
    }
    app.send(request.body(Body::from(body)).unwrap()).await
}

async fn report(app: &TestApp, body: &Value) -> Answer {
    send(app, Some(ORIGIN), body.to_string()).await
}

/// A load of a page, reported as the SDK does it.
pub(crate) async fn load(app: &TestApp, session: &str, page: &str, parts: &[Part<'_>]) {
    let entries: String = parts.iter().map(|part| name(*part)).collect();
    let seen = json!({ "session": session, "page": page, "entries": entries, "headers": true });
    let answer = report(app, &seen).await;
    if answer.status == 204 {
        return;
    }
    let unknown = answer.ok()["unknown"].clone();
    let is_unknown = |part: &&Part<'_>| {
        let unknown = unknown.as_array().unwrap();
        unknown
            .iter()
            .any(|name_of| name(**part).starts_with(name_of.as_str().unwrap()))
    };
    for part in parts.iter().filter(is_unknown) {
        let body = json!({ "session": session, "page": page, "told": [told(*part)] });
        assert!(body.to_string().len() <= 1000);
        assert_eq!(report(app, &body).await.status, 204);
    }
    assert_eq!(report(app, &seen).await.status, 204);
}

/// Whether the form asks its page to report.
async fn asks(app: &TestApp, session: &str) -> bool {
    let form = app.page(&format!("/form/?sessionid={session}"), &[]).await;
    form.boot().get("watch") == Some(&json!(true))
}

/// What the merchant heard of its pages.
pub(crate) async fn changes(app: &TestApp) -> Vec<Value> {
    let feed = app.key(KEY).get("/events?limit=500").await.ok();
    let events = feed["events"].as_array().unwrap().iter();
    let changes = events.filter(|event| event["eventType"] == "PAGE_CHANGE");
    changes.map(|event| event["pageChange"].clone()).collect()
}

/// How many are new, changed and gone in each.
async fn counts(app: &TestApp) -> Vec<[u64; 3]> {
    let count =
        |change: &Value| ["added", "changed", "removed"].map(|name| change[name].as_u64().unwrap());
    changes(app).await.iter().map(count).collect()
}

#[tokio::test]
async fn a_thousand_unchanged_loads_raise_no_alarm_and_the_first_changed_one_raises_one() {
    let app = TestApp::new().await;
    watched(&app).await;
    let mut session_id = String::new();
    for count in 0..1000 {
        // A buyer who looks at the page again and again has one session.
        if count % 20 == 0 {
            session_id = session(&app, &format!("W1-{count}")).await;
        }
        load(&app, &session_id, PAGE, &PARTS).await;
    }
    assert_eq!(changes(&app).await, [] as [Value; 0]);
    assert_eq!(app.count("SELECT loads FROM watched_page").await, 1000);
    let skimmer = [&PARTS[..], &[("SCRIPT", "skimmer1")]].concat();
    for _ in 0..3 {
        load(&app, &session_id, PAGE, &skimmer).await;
    }
    let found = changes(&app).await;
    assert_eq!(found.len(), 1, "{found:?}");
    let time = &found[0]["foundTime"];
    let expected = json!({
        "terminalId": TERMINAL, "page": PAGE, "added": 1, "changed": 0, "removed": 0, "foundTime": time,
    });
    assert_eq!(found[0], expected);
}

#[tokio::test]
async fn each_kind_of_change_is_told_once() {
    let app = TestApp::new().await;
    watched(&app).await;
    let session_id = session(&app, "W2").await;
    load(&app, &session_id, PAGE, &PARTS).await;
    let changed = [PARTS[0], ("SCRIPT", "metrics2"), PARTS[2], PARTS[3]];
    load(&app, &session_id, PAGE, &changed).await;
    load(&app, &session_id, PAGE, &changed).await;
    let without_header = &changed[..3];
    load(&app, &session_id, PAGE, without_header).await;
    load(&app, &session_id, PAGE, without_header).await;
    // What is back as it was is no news, and neither is that it is gone again.
    load(&app, &session_id, PAGE, &changed).await;
    load(&app, &session_id, PAGE, without_header).await;
    let reordered = [changed[2], changed[0], changed[1]];
    load(&app, &session_id, PAGE, &reordered).await;
    assert_eq!(counts(&app).await, [[0, 1, 0], [0, 0, 1]]);
    let replaced = app.texts("SELECT replaces FROM page_entry WHERE replaces IS NOT NULL");
    assert!(replaced.await[0].starts_with("metrics1"));
}

#[tokio::test]
async fn a_header_that_could_not_be_read_is_not_gone_and_one_that_is_gone_behind_it_is_found() {
    let app = TestApp::new().await;
    watched(&app).await;
    let session_id = session(&app, "W3").await;
    load(&app, &session_id, PAGE, &PARTS).await;
    let entries: String = PARTS[..3].iter().map(|part| name(*part)).collect();
    let mut unread =
        json!({ "session": session_id, "page": PAGE, "entries": entries, "headers": false });
    assert_eq!(report(&app, &unread).await.status, 204);
    assert_eq!(counts(&app).await, [] as [[u64; 3]; 0]);
    unread["headers"] = json!(true);
    assert_eq!(report(&app, &unread).await.status, 204);
    assert_eq!(counts(&app).await, [[0, 0, 1]]);
}

#[tokio::test]
async fn another_page_with_known_parts_is_no_alarm_and_one_with_an_unknown_part_is() {
    let app = TestApp::new().await;
    watched(&app).await;
    let session_id = session(&app, "W4").await;
    load(&app, &session_id, PAGE, &PARTS).await;
    load(&app, &session_id, "https://shop.example/other", &PARTS[..3]).await;
    assert_eq!(counts(&app).await, [] as [[u64; 3]; 0]);
    let skimmer = [PARTS[0], ("SCRIPT", "skimmer1")];
    load(&app, &session_id, "https://shop.example/third", &skimmer).await;
    assert_eq!(counts(&app).await, [[1, 0, 0]]);
}

#[tokio::test]
async fn only_a_page_of_the_sessions_origin_at_a_watched_terminal_is_heard() {
    let app = TestApp::with_dist().await;
    let session_id = app.open_by(KEY, &build_form("W5", 3)).await;
    let entries: String = PARTS.iter().map(|part| name(*part)).collect();
    let seen = |session: &str, page: &str| json!({ "session": session, "page": page, "entries": entries, "headers": true });
    let good = seen(&session_id, PAGE).to_string();
    // Off by default: the form does not ask the page to report.
    assert!(!asks(&app, &session_id).await);
    assert_eq!(send(&app, Some(ORIGIN), good.clone()).await.status, 403);
    watched(&app).await;
    assert!(asks(&app, &session_id).await);
    let elsewhere = seen(&session_id, "https://evil.example/checkout").to_string();
    let with_query = seen(&session_id, "https://shop.example/checkout?name=Ada").to_string();
    for (origin, body, status) in [
        (Some("https://evil.example"), good.clone(), 403),
        (Some(ORIGIN), elsewhere.clone(), 403),
        (Some("https://evil.example"), elsewhere, 403),
        (Some(ORIGIN), with_query, 403),
        (Some(ORIGIN), seen("unknown", PAGE).to_string(), 403),
        (None, good.clone(), 400),
        (Some(ORIGIN), String::from("{}"), 400),
        (
            Some(ORIGIN),
            good.replace("entries\":\"", "entries\":\"<"),
            400,
        ),
        (Some(ORIGIN), format!("{good}{}", " ".repeat(1000)), 413),
    ] {
        let answer = send(&app, origin, body.clone()).await;
        assert_eq!(answer.status, status, "{origin:?} {body}");
    }
    let told = json!({ "session": session_id, "page": PAGE, "told": [
        [name(PARTS[0]), "SCRIPT", "https://cdn.example/a.js?name=Ada", "", false],
    ] });
    assert_eq!(report(&app, &told).await.status, 400);
    assert_eq!(app.count("SELECT count(*) FROM page_entry").await, 0);
    // The permitted twin.
    let answer = send(&app, Some(ORIGIN), good).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some(ORIGIN));
    assert_eq!(answer.ok()["unknown"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn forged_reports_fill_nothing_without_bound() {
    let app = TestApp::new().await;
    watched(&app).await;
    let session_id = session(&app, "W6").await;
    load(&app, &session_id, PAGE, &PARTS).await;
    let mut statuses = Vec::new();
    for count in 0..400 {
        let forged = ("SCRIPT", format!("forged{count}"));
        let told = told((forged.0, &forged.1));
        let body = json!({ "session": session_id, "page": PAGE, "told": [told] });
        statuses.push(report(&app, &body).await.status);
    }
    let limited = statuses.iter().filter(|status| **status == 429).count();
    assert!(app.count("SELECT count(*) FROM page_entry").await <= 300);
    // What loads had stays.
    let counted = "SELECT count(*) FROM page_entry WHERE first_ms IS NOT NULL";
    assert_eq!(app.count(counted).await, 4);
    for count in 0..60 {
        let page = format!(
            "https://shop.example/{}",
            char::from(b'a' + count % 26)
                .to_string()
                .repeat(1 + usize::from(count / 26))
        );
        let other = session(&app, &format!("W6-{count}")).await;
        let entries: String = PARTS.iter().map(|part| name(*part)).collect();
        let seen = json!({ "session": other, "page": page, "entries": entries, "headers": true });
        report(&app, &seen).await;
    }
    assert_eq!(app.count("SELECT count(*) FROM watched_page").await, 50);
    assert!(
        limited > 0,
        "the number of reports of a session has a limit"
    );
}

#[tokio::test]
async fn a_merchant_hears_of_a_change_by_a_notification_too() {
    let app = TestApp::new().await;
    watched(&app).await;
    let notify = ["notify", TERMINAL, "https://shop.example/hook"];
    command(&app, &notify).await.unwrap();
    let session_id = session(&app, "W7").await;
    load(&app, &session_id, PAGE, &PARTS).await;
    load(&app, &session_id, PAGE, &PARTS[..3]).await;
    let told = app.told().await;
    let told: Vec<&Value> = told
        .iter()
        .filter(|told| told["eventType"] == "PAGE_CHANGE")
        .collect();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["pageChange"], changes(&app).await[0]);
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let page = ada.get("/office/notifications").await.text();
    for words in [
        "Page changed",
        "terminal 91000001",
        "0 new, 0 changed, 1 gone",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}
