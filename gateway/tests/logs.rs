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

use database::TestDatabase;
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
    let database = TestDatabase::make();
    let config = Config {
        database_url: database.url(),
        origin: String::from("https://gateway.example"),
        data: folder.path().to_owned(),
        assets: folder.path().join("no-dist"),
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

/// An approved payment, and one that is declined, tried again, and challenged. Returns what must not be logged.
fn drive_payments(client: &Client, hook: SocketAddr) -> Vec<Vec<String>> {
    let approved = client.open("A1", hook);
    let frame = ("session", approved.as_str());
    client.call(
        "GET",
        &format!("/form/?lang=ita&sessionid={approved}"),
        ("accept", "text/html"),
        "",
    );
    client.call("POST", "/api/fe/build/bin", frame, r#"{"bin":"37424500"}"#);
    let device = client.check_device(&client.enter(&approved, AMEX, SECURITY_CODE));
    client.call("GET", "/api/build/cardData", frame, "");
    let state = client.call("POST", "/api/build/finalize_payment", frame, "{}");
    assert_eq!(state["operation"]["operationResult"], "EXECUTED", "{state}");
    client.call(
        "GET",
        &format!("/api/build/state?sessionId={approved}"),
        ("x-api-key", API_KEY),
        "",
    );
    client.call("GET", "/api/orders/A1", ("authorization", API_KEY), "");

    let challenged = client.open("A2", hook);
    let frame = ("session", challenged.as_str());
    client.check_device(&client.enter(&challenged, DECLINED, "123"));
    let state = client.call("POST", "/api/build/finalize_payment", frame, "{}");
    assert_eq!(state["operation"]["operationResult"], "DECLINED", "{state}");
    client.check_device(&client.enter(&challenged, CHALLENGED, "123"));
    let state = client.call("POST", "/api/build/finalize_payment", frame, "{}");
    let token = state["url"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap()
        .to_owned();
    client.call(
        "GET",
        &format!("/threeds/challenge/{token}"),
        ("accept", "text/html"),
        "",
    );
    let form = [("content-type", "application/x-www-form-urlencoded")];
    for code in ["99887766554", "123456"] {
        let body = format!("answer=approve&code={code}");
        http::send(
            client.server,
            "POST",
            &format!("/threeds/result/{token}"),
            &form,
            &body,
        )
        .unwrap();
    }
    client.call(
        "GET",
        &format!("/threeds/return/{token}"),
        ("accept", "text/html"),
        "",
    );
    let state = client.call("GET", "/api/build/state", frame, "");
    assert_eq!(state["operation"]["operationResult"], "EXECUTED", "{state}");
    vec![vec![approved, device], vec![challenged, token]]
}

/// A member who mistypes the password, logs in, changes it and makes a key. What must not be logged is added to `secrets`.
fn drive_back_office(client: &Client, password: &str, secrets: &mut Vec<String>) {
    let send = |path: &str, cookie: &str, fields: &[(&str, &str)]| {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("cookie", cookie),
        ];
        http::send(client.server, "POST", path, &headers, &body).unwrap()
    };
    let between = |text: &str, before: &str, after: &str| {
        let (_, rest) = text.split_once(before).unwrap();
        rest.split_once(after).unwrap().0.to_owned()
    };
    let (mistyped, chosen) = ("a-mistyped-password", "a-password-that-was-chosen");
    let log_in = |password: &str| {
        send(
            "/office/login",
            "",
            &[("email", MEMBER), ("password", password)],
        )
    };
    assert_eq!(log_in(mistyped).status, Some(403));
    let cookie = log_in(password).cookie.unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let page = http::send(
        client.server,
        "GET",
        "/office/password",
        &[("cookie", cookie)],
        "",
    );
    let token = between(&page.unwrap().text, r#"name="token" value=""#, "\"");
    let fields = [("token", token.as_str()), ("terminal", "91000001")];
    let page = send("/office/keys", cookie, &fields).text;
    let key = between(&page, r#"<output class="secret">"#, "</output>");
    let fields = [
        ("token", token.as_str()),
        ("current", password),
        ("new", chosen),
        ("again", chosen),
    ];
    let renewed = send("/office/password", cookie, &fields).cookie.unwrap();
    let session = |cookie: &str| between(&format!("{cookie};"), "=", ";");
    secrets.extend([mistyped, chosen, password].map(str::to_owned));
    secrets.extend([session(cookie), session(&renewed), token, key]);
}

/// Cards from the merchant's server: valid ones, a stored one, and possible mistakes.
fn drive_direct_payments(client: &Client) {
    let merchant = ("x-api-key", API_KEY);
    let order = |id: &str| {
        json!({
            "orderId": id, "amount": "3545", "currency": "EUR", "customerInfo": { "cardHolderName": "Anna Rossi" }
        })
    };
    let card = |pan: &str| json!({ "pan": pan, "expiryDate": "1230", "cvv": SECURITY_CODE });
    let pay = |path: &str, body: &Value| client.call("POST", path, merchant, &body.to_string());
    let paid = pay(
        "/api/orders/moto",
        &json!({ "order": order("D1"), "card": card(AMEX) }),
    );
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED", "{paid}");
    let verified = json!({ "order": order("D2"), "card": card(AMEX) });
    let verified = pay("/api/orders/card_verification", &verified);
    assert_eq!(
        verified["operation"]["operationResult"], "EXECUTED",
        "{verified}"
    );
    let build = json!({
        "merchantUrl": "https://shop.example", "order": order("D3"),
        "paymentSession": {
            "amount": "3545", "paymentService": "CARDS", "resultUrl": "https://shop.example/ok",
            "cancelUrl": "https://shop.example/ko",
            "recurrence": { "action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_UNSCHEDULED" }
        }
    });
    let session = pay("/api/orders/build", &build)["sessionId"]
        .as_str()
        .unwrap()
        .to_owned();
    client.check_device(&client.enter(&session, AMEX, SECURITY_CODE));
    pay(
        "/api/build/finalize_payment",
        &json!({ "sessionId": session }),
    );
    let charged = pay(
        "/api/orders/mit",
        &json!({ "order": order("D4"), "contractId": "K1" }),
    );
    assert_eq!(
        charged["operation"]["operationResult"], "EXECUTED",
        "{charged}"
    );
    for path in [
        "/api/orders/moto",
        "/api/orders/card_verification",
        "/api/orders/mit",
    ] {
        for body in [
            json!({ "order": order("D5"), "card": card(&format!("{AMEX}1")), "contractId": AMEX }),
            json!({ "order": order("D5"), "card": { "pan": AMEX, "expiryDate": DECLINED, "cvv": CHALLENGED } }),
            json!({ "order": order("D5"), "card": AMEX, "contractId": { "pan": AMEX } }),
            json!({ "order": AMEX, "card": { AMEX: SECURITY_CODE } }),
        ] {
            let refused = pay(path, &body);
            assert!(
                refused["errors"][0]["code"].is_string(),
                "{path}: {refused}"
            );
        }
    }
}

/// A 3-step payment with its challenge, and possible failures. What must not be logged is added to `secrets`.
fn drive_three_steps(client: &Client, secrets: &mut Vec<String>) {
    let merchant = ("x-api-key", API_KEY);
    let pay = |path: &str, body: &Value| client.call("POST", path, merchant, &body.to_string());
    let mut body = json!({
        "order": { "orderId": "T1", "amount": "3545", "currency": "EUR" },
        "card": { "pan": CHALLENGED_AMEX, "expiryDate": "1230", "cvv": SECURITY_CODE }
    });
    let begun = pay("/api/orders/3steps/init", &body);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let id = text(&begun["operation"]["operationId"]);
    let request = text(&begun["threeDSAuthRequest"]);
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let post =
        |path: &str, body: &str| http::send(client.server, "POST", path, &form, body).unwrap();
    let fields = format!(
        "ThreeDsRequest={request}&ReturnUrl=https%3A%2F%2Fshop.example%2F&transactionId={id}"
    );
    let challenge = post("/threeds/start", &fields).location.unwrap();
    client.call("GET", &challenge, ("accept", "text/html"), "");
    let result = challenge.replace("/challenge/", "/result/");
    let back = post(&result, "answer=approve&code=123456")
        .location
        .unwrap();
    let page = http::send(client.server, "GET", &back, &[], "").unwrap();
    let (_, rest) = page.text.split_once(r#"name="PaRes" value=""#).unwrap();
    let response = rest.split_once('"').unwrap().0.to_owned();
    let validation = json!({ "operationId": id, "threeDSAuthResponse": response });
    let validated = pay("/api/orders/3steps/validation", &validation);
    let proof = &validated["threeDSAuthResult"];
    body["operationId"] = json!(id);
    body["threeDSAuthData"] = proof.clone();
    // Another card, and cards that the call may not have.
    for (path, value) in [
        ("/card/pan", AMEX),
        ("/card/cvv", CHALLENGED),
        ("/operationId", AMEX),
        ("/threeDSAuthData/xid", DECLINED),
    ] {
        let mut wrong = body.clone();
        *wrong.pointer_mut(path).unwrap() = json!(value);
        let refused = pay("/api/orders/3steps/payment", &wrong);
        assert!(
            refused["errors"][0]["code"].is_string(),
            "{path}: {refused}"
        );
    }
    let paid = pay("/api/orders/3steps/payment", &body);
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED", "{paid}");
    post(
        "/threeds/start",
        &format!("ThreeDsRequest={AMEX}&ReturnUrl=x&transactionId={DECLINED}"),
    );
    let token = challenge.rsplit('/').next().unwrap().to_owned();
    secrets.extend([
        request,
        response,
        token,
        text(&proof["authenticationValue"]),
    ]);
}

/// Payments with wallets, valid and invalid ones.
fn drive_wallets(client: &Client, secrets: &mut Vec<String>) {
    let merchant = ("x-api-key", API_KEY);
    let pay = |order: &str, number: &str, method: &str| {
        let message = json!({ "paymentMethodDetails": {
            "pan": number, "expirationMonth": 12, "expirationYear": 2030, "authMethod": method,
            "cryptogram": "Q3J5cHRvZ3JhbU9mQVRlc3Q="
        } });
        let token = json!({ "signedMessage": message.to_string() }).to_string();
        let body = json!({
            "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
            "paymentSession": { "amount": "3545", "resultUrl": "https://shop.example/ok" },
            "walletPaymentData": { "paymentMethodData": { "tokenizationData": { "token": token } } }
        });
        client.call("POST", "/api/orders/walletpay", merchant, &body.to_string())
    };
    let paid = pay("W1", AMEX, "CRYPTOGRAM_3DS");
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED", "{paid}");
    let opened = pay("W2", CHALLENGED, "PAN_ONLY");
    let session = opened["iframe"]["sessionId"].as_str().unwrap().to_owned();
    let frame = ("session", session.as_str());
    let path = "/api/fe/build/gdi_and_finalize?attemptNumber=1";
    let checking = client.call("GET", path, frame, "");
    let device = checking["url"].as_str().unwrap();
    let device = device.strip_prefix("https://gateway.example").unwrap();
    client.call("POST", device, ("accept", "*/*"), "");
    let state = client.call("GET", path, frame, "");
    assert_eq!(state["state"], "REDIRECTED_TO_EXTERNAL_DOMAIN", "{state}");
    for (number, method) in [(&AMEX[1..], "PAN_ONLY"), (DECLINED, AMEX)] {
        let refused = pay("W3", number, method);
        assert!(refused["errors"][0]["code"].is_string(), "{refused}");
    }
    let token = device.rsplit('/').next().unwrap().to_owned();
    secrets.extend([session, token, String::from("Q3J5cHRvZ3JhbU9mQVRlc3Q=")]);
}

/// Payments on a hosted page and with a link: their addresses are secrets too.
fn drive_hosted_pages(client: &Client, hook: SocketAddr, secrets: &mut Vec<String>) {
    let merchant = ("x-api-key", API_KEY);
    let last_day = payframe_payment_domain::calendar::instant(now_ms() + 2 * 86_400_000);
    for (order, path) in [
        ("H1", "/api/orders/hpp"),
        ("H2", "/api/v2/orders/paybylink"),
    ] {
        let body = json!({
            "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
            "paymentSession": {
                "amount": "3545", "paymentService": "CARDS", "resultUrl": "https://shop.example/ok",
                "cancelUrl": "https://shop.example/ko", "notificationUrl": format!("http://{hook}/hook")
            },
            "expirationDate": &last_day[..10]
        });
        let made = client.call("POST", path, merchant, &body.to_string());
        let address = made["hostedPage"]
            .as_str()
            .or(made["paymentLink"]["link"].as_str());
        let page = address
            .unwrap()
            .strip_prefix("https://gateway.example")
            .unwrap();
        pay_at(client, page, secrets);
    }
}

/// Opens a page, pays there, and leaves it.
fn pay_at(client: &Client, page: &str, secrets: &mut Vec<String>) {
    client.call("GET", page, ("accept", "text/html"), "");
    let seated = client.call(
        "POST",
        &format!("{page}/session"),
        ("sec-fetch-site", "same-origin"),
        "",
    );
    let session = seated["session"].as_str().unwrap().to_owned();
    client.check_device(&client.enter(&session, AMEX, SECURITY_CODE));
    let frame = ("session", session.as_str());
    let state = client.call("POST", "/api/build/finalize_payment", frame, "{}");
    assert_eq!(state["operation"]["operationResult"], "EXECUTED", "{state}");
    client.call(
        "GET",
        &format!("{page}/return"),
        ("accept", "text/html"),
        "",
    );
    let token = page.rsplit('/').next().unwrap().to_owned();
    secrets.extend([session, token]);
}

/// A reservation that is paid with its link and charged with the stored card, also in ways that are refused.
fn drive_reservations(client: &Client, secrets: &mut Vec<String>) {
    let merchant = ("x-api-key", API_KEY);
    let post = |path: &str, body: &Value| client.call("POST", path, merchant, &body.to_string());
    post("/api/structures", &json!({ "structureId": "S1" }));
    let today = payframe_payment_domain::calendar::instant(now_ms() - 86_400_000);
    let reservation = json!({
        "reservationId": "R1", "structureId": "S1", "reservationType": "BUNDLE", "amount": "3545", "deposit": "1000",
        "currency": "EUR", "checkInDate": &today[..10], "checkOutDate": &today[..10]
    });
    post("/api/reservations", &reservation);
    let link = post("/api/reservations/R1/paybylink", &json!({}));
    let address = link["paymentLink"]["link"].as_str().unwrap();
    pay_at(
        client,
        address.strip_prefix("https://gateway.example").unwrap(),
        secrets,
    );
    let read = client.call("GET", "/api/reservations/R1", merchant, "");
    let original = &read["operations"][0]["operationId"];
    let charge = json!({ "originalOperationId": original, "amount": "100", "currency": "EUR" });
    let made = post("/api/delay_charges", &charge);
    assert_eq!(made["operation"]["operationResult"], "EXECUTED", "{made}");
    let made = post("/api/reservation/R1/mit", &json!({ "amount": "100" }));
    assert_eq!(made["operation"]["operationResult"], "EXECUTED", "{made}");
    for path in [
        "/api/no_shows",
        "/api/incrementals",
        "/api/reservation/R1/mit",
    ] {
        let refused =
            json!({ "originalOperationId": original, "amount": "9999", "currency": "EUR" });
        assert!(post(path, &refused)["errors"].is_array(), "{path}");
    }
}

fn now_ms() -> i64 {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    i64::try_from(since_epoch.unwrap().as_millis()).unwrap()
}

/// All mistakes that a caller with card data can make.
fn drive_mistakes(client: &Client, hook: SocketAddr, secrets: &mut Vec<String>) {
    let session = client.open("A3", hook);
    let frame = ("session", session.as_str());
    let merchant = ("x-api-key", API_KEY);
    // The card number in the wrong field, a code of the wrong length, numbers with gaps.
    let wrong_field = json!([
        { "id": "CARDHOLDER_NAME", "value": CHALLENGED }, { "id": "EXPIRATION_DATE", "value": DECLINED },
        { "id": "SECURITY_CODE", "value": "48484848484848484848" }, { "id": "CARD_NUMBER", "value": "4761 7300 0000 1167" },
    ]);
    client.call(
        "POST",
        "/api/fe/build/text",
        frame,
        &wrong_field.to_string(),
    );
    client.call(
        "POST",
        "/api/fe/build/text/CARD_NUMBER",
        frame,
        &json!({ "value": AMEX }).to_string(),
    );
    client.call(
        "POST",
        &format!("/api/fe/build/text/{CHALLENGED}"),
        frame,
        &json!({ "value": AMEX }).to_string(),
    );
    // JSON that is broken right after the number, JSON of another form, another media type, too large a body.
    client.call(
        "POST",
        "/api/fe/build/text",
        frame,
        &format!(r#"[{{"id":"CARD_NUMBER","value":"{CHALLENGED}"#),
    );
    client.call(
        "POST",
        "/api/fe/build/text",
        frame,
        &json!({ CHALLENGED: SECURITY_CODE }).to_string(),
    );
    client.call(
        "POST",
        "/api/fe/build/text",
        frame,
        &format!("{CHALLENGED} {}", "x".repeat(300_000)),
    );
    http::send(
        client.server,
        "POST",
        "/api/fe/build/text",
        &[frame, ("content-type", "text/plain")],
        CHALLENGED,
    )
    .unwrap();
    // The number in other members of an order.
    let order =
        json!({ "order": { "orderId": CHALLENGED, "amount": CHALLENGED, "currency": CHALLENGED } });
    client.call("POST", "/api/orders/build", merchant, &order.to_string());
    client.call("GET", &format!("/api/orders/{CHALLENGED}"), merchant, "");
    client.call(
        "GET",
        &format!("/api/operations/{CHALLENGED}?pan={CHALLENGED}"),
        merchant,
        "",
    );
    client.call("GET", &format!("/nothing/{CHALLENGED}"), merchant, "");
    client.call(
        "GET",
        "/api/orders/A1",
        ("x-api-key", "a-key-that-is-wrong"),
        "",
    );
    // Faults, and a request that is not HTTP.
    for fault in ["timeout", "drop", "500", "slow:5", CHALLENGED] {
        let correlation_id = uuid::Uuid::new_v4().to_string();
        let headers = [
            frame,
            ("correlation-id", &correlation_id),
            ("x-sandbox-fault", fault),
        ];
        let answered = http::send(client.server, "GET", "/api/build/state", &headers, "").unwrap();
        assert_eq!(
            answered.status.is_none(),
            matches!(fault, "timeout" | "drop"),
            "{fault}: closed without a byte"
        );
    }
    let _ = http::send(
        client.server,
        "BAD VERB",
        &format!("/{CHALLENGED} {CHALLENGED}"),
        &[],
        CHALLENGED,
    );
    client.call("POST", "/api/build/cancel", frame, "{}");
    secrets.push(session);
    secrets.push(String::from("a-key-that-is-wrong"));
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
                !is_luhn(digits),
                "the log holds what may be a card number: {line}"
            );
        }
    }
}

fn is_luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, byte)| {
            let digit = u32::from(byte - b'0') << (place % 2);
            if digit > 9 { digit - 9 } else { digit }
        })
        .sum();
    sum.is_multiple_of(10)
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
