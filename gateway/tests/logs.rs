//! What is logged at the most verbose level during payments that succeed and fail: no card digit, no
//! security code, no credential.
//!
//! The test has its own process, because it reads everything that the process logs.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/database.rs"]
mod database;
#[path = "support/http.rs"]
mod http;
#[path = "logs/journeys.rs"]
mod journeys;

use database::TestDatabase;
use journeys::{
    drive_back_office, drive_direct_payments, drive_hosted_pages, drive_mistakes, drive_payments,
    drive_reservations, drive_three_steps, drive_wallets,
};
use payframe_card_rules::card_number::passes_luhn;
use payframe_gateway::config::Config;
use payframe_gateway::{App, operator, router};
use payframe_payment_ports::Clock;
use payframe_storage::query;
use regex::Regex;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tracing_subscriber::fmt::MakeWriter;

#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Captured {
    type Writer = Captured;

    fn make_writer(&self) -> Captured {
        self.clone()
    }
}

/// Four digits that do not occur elsewhere in a log, once UUIDs are removed.
const SECURITY_CODE: &str = "7391";
const AMEX: &str = "374245000000009";
const CHALLENGED: &str = "4761730000003007";
const CHALLENGED_AMEX: &str = "374245000003003";
const DECLINED: &str = "4761730000001167";
const API_KEY: &str = "sandbox-implicit";
const MEMBER: &str = "anna@shop.example";

struct Client {
    server: SocketAddr,
}

impl Client {
    fn call(&self, method: &str, path: &str, credential: (&str, &str), body: &str) -> Value {
        let correlation_id = uuid::Uuid::new_v4().to_string();
        let key = uuid::Uuid::new_v4().to_string();
        let headers = [
            credential,
            ("content-type", "application/json"),
            ("correlation-id", correlation_id.as_str()),
            ("idempotency-key", key.as_str()),
        ];
        let response = http::send(self.server, method, path, &headers, body).unwrap();
        serde_json::from_str(&response.text).unwrap_or(Value::Null)
    }

    fn open(&self, order: &str, hook: SocketAddr) -> String {
        let request = json!({
            "merchantUrl": "https://shop.example",
            "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
            "paymentSession": {
                "amount": "3545", "paymentService": "CARDS", "resultUrl": "https://shop.example/ok",
                "cancelUrl": "https://shop.example/ko", "notificationUrl": format!("http://{hook}/hook")
            },
            "form": { "closing": "FRAME", "attempts": 3 }
        });
        let answer = self.call(
            "POST",
            "/api/orders/build",
            ("x-api-key", API_KEY),
            &request.to_string(),
        );
        answer["sessionId"].as_str().unwrap().to_owned()
    }

    fn enter(&self, session: &str, number: &str, code: &str) -> Value {
        let entry = json!([
            { "id": "CARD_NUMBER", "value": number }, { "id": "EXPIRATION_DATE", "value": "12/30" },
            { "id": "SECURITY_CODE", "value": code }, { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" },
        ]);
        self.call(
            "POST",
            "/api/fe/build/text",
            ("session", session),
            &entry.to_string(),
        )
    }

    /// Sends the report of the device check's page; returns the token in its address.
    fn check_device(&self, answer: &Value) -> String {
        let url = answer["gdiStatus"]["gdiUrl"].as_str().unwrap();
        let path = url.strip_prefix("https://gateway.example").unwrap();
        self.call("GET", path, ("accept", "text/html"), "");
        self.call("POST", path, ("accept", "*/*"), "");
        path.rsplit('/').next().unwrap().to_owned()
    }
}

/// N14, N20: no card digit in attributes, addresses, console, storage, history, titles, reports or events; found in neither page, frame nor browser traffic.
#[test]
fn a_whole_payment_logs_no_card_data_and_no_credential() {
    let captured = Captured::default();
    tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(captured.clone())
        .without_time()
        .init();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(None);
    let config = Config {
        database_url: database.url(),
        origin: String::from("https://gateway.example"),
        data: folder.path().to_owned(),
        assets: Some(folder.path().join("no-dist")),
        fault_timeout: Duration::from_millis(50),
        ..Config::sandbox()
    };
    let hook = receive_notifications();
    let (server, app) = runtime.block_on(async {
        let app = App::open(config, Clock::system()).await.unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = listener.local_addr().unwrap();
        tokio::spawn(axum::serve(listener, router(app.clone())).into_future());
        tokio::spawn(app.notifier().run(std::future::pending()));
        (server, app)
    });
    let client = Client { server };
    let mut secrets = vec![
        API_KEY.to_owned(),
        AMEX.to_owned(),
        CHALLENGED.to_owned(),
        CHALLENGED_AMEX.to_owned(),
        DECLINED.to_owned(),
        String::from("4761 7300 0000 1167"),
        String::from("48484848484848484848"),
        String::from("99887766554"),
    ];
    for session in drive_payments(&client, hook) {
        secrets.extend(session);
    }
    drive_direct_payments(&client);
    drive_three_steps(&client, &mut secrets);
    drive_wallets(&client, &mut secrets);
    drive_hosted_pages(&client, hook, &mut secrets);
    drive_reservations(&client, &mut secrets);
    drive_mistakes(&client, hook, &mut secrets);
    let words = ["members", "add", "demo", MEMBER, "administrator", "Anna"];
    let told = operator::command(app.config(), app.clock(), &words);
    let told = runtime.block_on(told).unwrap();
    drive_back_office(&client, told.lines().nth(1).unwrap(), &mut secrets);
    runtime.block_on(async {
        payframe_gateway::maintenance::run_due_work(&app).await;
        all_are_delivered(&app).await;
    });
    search(
        &String::from_utf8(captured.0.lock().unwrap().clone()).unwrap(),
        &secrets,
    );
}

/// Waits until every notification was answered, so that what is logged about it is searched too.
async fn all_are_delivered(app: &App) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let states = query("SELECT state, count(*) AS times FROM notification GROUP BY state");
        let states: Vec<(String, i64)> = app
            .store()
            .ask(states)
            .await
            .unwrap()
            .iter()
            .map(|row| (row.try_get("state").unwrap(), row.try_get("times").unwrap()))
            .collect();
        match states.as_slice() {
            [(state, times)] if state == "DELIVERED" => {
                assert!(*times > 3, "only {times} notifications");
                return;
            }
            _ => assert!(Instant::now() < deadline, "not delivered: {states:?}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn search(log: &str, secrets: &[String]) {
    let lines = log.lines().count();
    let targets = Regex::new(r#""target":"([a-z_]+)"#).unwrap();
    let mut heard: Vec<&str> = targets
        .captures_iter(log)
        .map(|found| found.extract::<1>().1[0])
        .collect();
    heard.sort_unstable();
    heard.dedup();
    assert!(lines > 30, "only {lines} lines were captured");
    assert!(
        heard.len() > 1,
        "nothing but our own lines was captured: {heard:?}"
    );
    for expected in [
        r#""route":"/fe/build/text""#,
        r#""route":"/threeds/challenge/{token}""#,
        r#""status":413"#,
    ] {
        assert!(log.contains(expected), "{expected} is missing");
    }
    let without_ids = Regex::new("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
        .unwrap()
        .replace_all(log, "UUID");
    for secret in secrets {
        let line = without_ids
            .lines()
            .find(|line| line.contains(secret.as_str()));
        assert!(line.is_none(), "the log holds {secret}: {line:?}");
    }
    let code = Regex::new(&format!(r"\b{SECURITY_CODE}\b")).unwrap();
    let line = without_ids.lines().find(|line| code.is_match(line));
    assert!(line.is_none(), "the log holds the security code: {line:?}");
    let thirteen_digits = Regex::new(r"\d{13,19}").unwrap();
    for line in without_ids.lines() {
        for found in thirteen_digits.find_iter(line) {
            let digits = found.as_str();
            assert!(
                !passes_luhn(digits),
                "the log holds what may be a card number: {line}"
            );
        }
    }
}

/// A merchant's server that accepts every notification.
fn receive_notifications() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            std::thread::spawn(move || {
                let mut buffer = [0; 16 * 1024];
                while connection.read(&mut buffer).is_ok_and(|read| read > 0) {
                    if connection
                        .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
                        .is_err()
                    {
                        return;
                    }
                }
            });
        }
    });
    address
}
