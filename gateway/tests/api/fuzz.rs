//! Many strange requests: to each, the gateway gives an answer that is in its document, never an internal error,
//! and continues to work. The harness compares each answer with the document.
//!
//! Each run is the same. `PAYFRAME_FUZZ_SEED` selects another one, `PAYFRAME_FUZZ_CASES` a longer one; a failure prints both.

use crate::encrypted_card::encrypted;
use crate::encryption::key_of;
use crate::harness::{APPROVED, Answer, TestApp, build, build_form, card, sandbox};
use crate::office::Person;
use crate::strange::Random;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request};
use payframe_gateway::listener::{self, Limits};
use payframe_gateway::router;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

fn setting(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(default, |text| text.parse().unwrap())
}

/// One run of cases.
struct Run {
    app: TestApp,
    random: Random,
    seed: u64,
    case: u64,
    /// The current request, for the message of a failure.
    sent: String,
}

impl Drop for Run {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let (seed, case) = (self.seed, self.case);
            eprintln!("PAYFRAME_FUZZ_SEED={seed}, case {case}: {}", self.sent);
        }
    }
}

impl Run {
    async fn new() -> Run {
        let app = TestApp::with(|config| {
            let dist = config.data.join("dist");
            crate::dist::write(&dist);
            config.assets = Some(dist);
            config.merchant_calls_per_second = 1_000_000;
            config.mode = sandbox(|sandbox| sandbox.faults = false);
        })
        .await;
        let seed = setting("PAYFRAME_FUZZ_SEED", 1);
        Run {
            app,
            random: Random::new(seed),
            seed,
            case: 0,
            sent: String::new(),
        }
    }

    fn cases(&self) -> u64 {
        setting("PAYFRAME_FUZZ_CASES", 400)
    }

    /// The next case. Time passes, so that no session exceeds its rate.
    async fn begin(&mut self, sent: impl std::fmt::Display) {
        self.case += 1;
        self.sent = sent.to_string();
        self.app.advance(Duration::from_millis(200)).await;
    }

    async fn send(&mut self, request: Request<Body>) -> Answer {
        let answer = self.app.send(request).await;
        self.is_fine(&answer);
        answer
    }

    #[track_caller]
    fn is_fine(&self, answer: &Answer) {
        assert!(!answer.closed, "no answer");
        assert!(answer.status < 500, "{}: {}", answer.status, answer.text());
        for error in answer.body["errors"].as_array().into_iter().flatten() {
            let description = error["description"].as_str().unwrap();
            assert!(description.chars().count() <= 255, "{description}");
        }
    }

    /// Whether ordinary payments still work.
    async fn still_works(&mut self) {
        self.sent = String::from("an ordinary payment");
        // The pause keeps the calls below the rate limit.
        self.app.advance(Duration::from_secs(60)).await;
        let session = self.app.open(&build("still-works")).await;
        self.app.enter(&session, APPROVED).await;
        let state = self.app.finalize(&session).await;
        assert_eq!(state["operation"]["operationResult"], "EXECUTED");
    }
}

/// A request for a form with all possible members.
fn rich_build(order_id: &str) -> Value {
    let mut request = build_form(order_id, 3);
    request["form"] = json!({ "closing": "FRAME", "attempts": 3, "cardSummary": "LAST4", "methods": "CARDS", "expiresInSeconds": 600 });
    request["order"]["customField"] = json!("c");
    request["order"]["invoiceId"] = json!("i");
    request["order"]["transactionSummary"] =
        json!([{ "language": "ita", "summaryList": [{ "label": "Notti", "value": "2" }] }]);
    request["order"]["customerInfo"] = json!({
        "cardHolderName": "Anna Rossi", "cardHolderEmail": "anna@shop.example", "mobilePhoneCountryCode": "39", "mobilePhone": "3330000000",
        "billingAddress": { "name": "Anna", "street": "Via Roma 1", "city": "Roma", "postCode": "00100", "country": "ITA" },
        "cardHolderAcctInfo": { "chAccDate": "2020-01-01", "chAccAgeIndicator": "01" },
        "merchantRiskIndicator": { "deliveryEmail": "anna@shop.example", "deliveryTimeframe": "01" },
    });
    request["paymentSession"]["recurrence"] = json!({ "action": "CONTRACT_CREATION", "contractId": format!("c{order_id}"), "contractType": "MIT_UNSCHEDULED" });
    request
}

#[tokio::test]
async fn no_order_is_too_strange() {
    let mut run = Run::new().await;
    let mut taken = 0;
    for case in 0..run.cases() {
        let path = *["/orders/build", "/orders/hpp", "/v2/orders/paybylink"]
            .get(run.random.below(5))
            .unwrap_or(&"/orders/build");
        let mut body = rich_build(&format!("A{case}"));
        // An unchanged request is accepted: it is the permitted twin of the strange ones.
        if run.random.one_in(2) {
            body = build(&format!("A{case}"));
        }
        for _ in 0..run.random.below(3) {
            run.random.change(&mut body);
        }
        run.begin(format!("{path} {body}")).await;
        let headers = [("content-type", "application/json")];
        let body = Body::from(body.to_string());
        let request = run
            .app
            .merchant()
            .request(Method::POST, path, &headers, body);
        if run.send(request).await.status == 200 {
            taken += 1;
        }
    }
    assert!(taken > run.cases() / 10, "{taken} were taken");
    run.still_works().await;
}

#[tokio::test]
async fn no_card_data_is_too_strange() {
    let mut run = Run::new().await;
    let mut session = run.app.open(&build_form("A", 5)).await;
    let mut key = key_of(&run.app, &session).await;
    for case in 0..run.cases() {
        let (path, body) = strange_entry(&mut run.random, &key, &session);
        run.begin(format!("{path} {body}")).await;
        let mut headers = vec![("content-type", "application/json")];
        // Sometimes the same key, with the same or with other content.
        let idempotency_key = format!("k{}", run.random.below(20));
        headers.push(("idempotency-key", &idempotency_key));
        let body = Body::from(body.to_string());
        let request = run
            .app
            .frame(&session)
            .request(Method::POST, &path, &headers, body);
        let answer = run.send(request).await;
        let over = matches!(answer.refusal().as_str(), "400 PS0061" | "400 GW9003");
        if over || run.random.one_in(20) {
            session = run.app.open(&build_form(&format!("A{case}"), 5)).await;
            key = key_of(&run.app, &session).await;
        }
    }
    run.still_works().await;
}

/// A call of a frame, with its body.
fn strange_entry(random: &mut Random, key: &str, session: &str) -> (String, Value) {
    let mut path = String::from("/fe/build/text");
    let mut body = card(APPROVED);
    match random.below(8) {
        0 => {
            path = format!("/fe/build/text/{}", random.one_of(IDS));
            body = json!({ "value": random.text() });
        }
        1 => {
            path = String::from("/fe/build/bin");
            body =
                json!({ "bin": if random.one_in(2) { json!("47617300") } else { random.value() } });
        }
        2 => path = format!("/fe/build/action/{}", random.one_of(IDS)),
        3 => path = String::from(random.one_of(CLOSING)),
        4 | 5 => {
            let mut inside = card(APPROVED);
            for _ in 0..random.below(3) {
                random.change(&mut inside);
            }
            let message = encrypted(&inside, key, session, 1 + random.below(200) as u8);
            body = json!([{ "id": "ENCRYPTED_CARD", "value": message }, { "id": "EXPIRATION_DATE", "value": "1230" }]);
        }
        _ => {
            let items = body.as_array_mut().unwrap();
            let (id, value) = (random.one_of(IDS), random.value());
            items.push(json!({ "id": id, "value": value, "chosenBy": "BUYER" }));
        }
    }
    if random.one_in(2) {
        random.change(&mut body);
    }
    (path, body)
}

const IDS: &[&str] = &[
    "CARD_NUMBER",
    "EXPIRATION_DATE",
    "SECURITY_CODE",
    "CARDHOLDER_NAME",
    "PRIVACY_CONDITIONS",
    "PREFERRED_NETWORK",
    "CURRENCY_OFFER",
    "INSTALLMENTS",
    "BILLING_COUNTRY",
    "BILLING_LINE1",
    "BILLING_STATE",
    "BILLING_POSTAL_CODE",
    "ENCRYPTED_CARD",
    "PAY_WITH_CARD",
    "GDI",
    "toString",
    "%2e%2e",
    "%00",
];

const CLOSING: &[&str] = &[
    "/build/finalize_payment",
    "/build/confirm_payment",
    "/build/cancel",
    "/fe/build/skip_gdi",
    "/fe/build/leave_challenge",
];

#[tokio::test]
async fn no_address_and_no_header_is_too_strange() {
    let mut run = Run::new().await;
    let session = run.app.open(&build_form("A", 5)).await;
    let member = Person::logged_in(&run.app, "ada", "administrator").await;
    let cookie = member.cookie();
    let mut asked = 0;
    while asked < run.cases() {
        let mut address = run.random.one_of(ADDRESSES).replace("SESSION", &session);
        for _ in 0..run.random.below(3) {
            address = run.random.changed(&address);
        }
        let method = run
            .random
            .one_of(&["GET", "GET", "POST", "HEAD", "DELETE", "PATCH", "PUT"]);
        // A request that HTTP cannot express does not reach the gateway.
        let mut request = match Request::builder()
            .method(method)
            .uri(&address)
            .body(Body::empty())
        {
            Ok(request) if address.starts_with('/') => request,
            _ => continue,
        };
        let names = [
            ("x-api-key", "sandbox-implicit"),
            ("session", session.as_str()),
            ("correlation-id", "0d5ae5fb-8ad2-4f83-97f0-3cf2aa6fd4dc"),
            ("idempotency-key", "k"),
            ("content-type", "application/json"),
            ("accept-language", "it-IT,en;q=0.5"),
            ("accept-encoding", "br"),
            ("origin", "https://gateway.example"),
            ("referer", "https://shop.example/"),
            ("authorization", "Bearer sandbox-implicit"),
            ("x-plugin-name", "p"),
            ("x-sandbox-fault", "none"),
            ("range", "bytes=0-"),
            ("if-none-match", "\"x\""),
            ("cookie", cookie.as_str()),
        ];
        for (name, usual) in names {
            let value = match run.random.below(6) {
                0 | 1 => usual.to_owned().into_bytes(),
                2 => run.random.changed(usual).into_bytes(),
                3 => run.random.mangled(usual.as_bytes()),
                _ => continue,
            };
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                let name = HeaderName::from_static(name);
                request.headers_mut().append(name, value);
            }
        }
        asked += 1;
        run.begin(format!("{method} {address} {:?}", request.headers()))
            .await;
        run.send(request).await;
    }
    run.still_works().await;
}

const ADDRESSES: &[&str] = &[
    "/api/build/state?sessionId=SESSION",
    "/api/v1/build/cardData?sessionId=SESSION",
    "/api/fe/build/field_settings/CARD_NUMBER?lang=eng",
    "/api/fe/build/check_gdi_result?attemptNumber=1",
    "/api/fe/build/gdi_and_finalize?attemptNumber=10",
    "/api/fe/build/validateAndPay",
    "/api/orders?fromTime=2026-11-01T00:00:00Z&toTime=2026-11-20T00:00:00Z&maxRecords=20",
    "/api/orders/A%23%3F%3B",
    "/api/operations?operationType=REFUND&channel=ECOMMERCE",
    "/api/operations/123456789012345678/actions",
    "/api/v2/orders/paybylink?maxRecords=1",
    "/api/contracts/customers/cust-7",
    "/api/payment_methods",
    "/api/orders/build",
    "/form/?lang=it&sessionid=SESSION&layout=fields&theme=dark&button=hidden&cancellation=hidden",
    "/fields/?id=CARD_NUMBER&lang=ITA&correlationid=x&sessionid=SESSION&placeholder=Y&label=a&errors=inside&driver=form",
    "/fields/style?sessionid=SESSION&url=https%3A%2F%2Fshop.example%2Fa.css",
    "/privacy/?lang=it",
    "/office",
    "/office/login?next=%2Foffice%2Faudit%3Fact%3DLOG_IN",
    "/office/audit?member=0a&act=LOG_IN&from=2026-11-19&to=2026-11-20&before=7",
    "/office/members/0a1b?done=role",
    "/office/keys/0a1b2c3d4e5f/revoke",
    "/pay/abc",
    "/link/abc",
    "/threeds/start",
    "/assets/none.js",
    "/sdk/payframe.js",
    "/health",
    "/ready",
    "/",
];

#[tokio::test]
async fn no_bytes_are_too_strange_as_a_body() {
    let mut run = Run::new().await;
    let session = run.app.open(&build_form("A", 5)).await;
    for case in 0..run.cases() {
        let (path, whole) = match run.random.below(4) {
            0 => ("/orders/build", rich_build(&format!("A{case}"))),
            1 => ("/fe/build/bin", json!({ "bin": "47617300" })),
            2 => ("/build/cancel", json!({ "sessionId": "x" })),
            _ => ("/fe/build/text", card("4761730000000004")),
        };
        let mut bytes = whole.to_string().into_bytes();
        match run.random.below(6) {
            0 => bytes = "[".repeat(run.random.below(100_000)).into_bytes(),
            1 => bytes = format!("{}{}", r#"{"a":"#.repeat(200), "1").into_bytes(),
            _ => bytes = run.random.mangled(&bytes),
        }
        run.begin(format!("{path} {}", String::from_utf8_lossy(&bytes)))
            .await;
        let key = format!("k{case}");
        let headers = [
            ("content-type", "application/json"),
            ("idempotency-key", key.as_str()),
        ];
        let caller = if path.starts_with("/fe") {
            run.app.frame(&session)
        } else {
            run.app.merchant()
        };
        let request = caller.request(Method::POST, path, &headers, Body::from(bytes));
        let answer = run.send(request).await;
        // The session is still alive, unless the requests used up its attempts.
        assert!(
            [200, 400, 401, 413].contains(&answer.status),
            "{}",
            answer.status
        );
    }
    run.still_works().await;
}

#[tokio::test]
async fn no_bytes_are_too_strange_on_a_connection() {
    let mut run = Run::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (routes, no_end) = (router(run.app.app.clone()), std::future::pending());
    let server = tokio::spawn(async move {
        listener::serve(
            listener,
            None,
            routes,
            Limits::default(),
            no_end,
            Duration::ZERO,
        )
        .await
    });
    let usual = format!(
        "POST /api/fe/build/text HTTP/1.1\r\nhost: {address}\r\nsession: x\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n5\r\n[1,2]\r\n0\r\n\r\nGET /form/?sessionid=x HTTP/1.1\r\nhost: {address}\r\n\
         accept-language: it\r\n\r\n"
    );
    for _ in 0..run.cases() / 4 {
        let bytes = match run.random.below(5) {
            0 => (0..run.random.below(400))
                .map(|_| run.random.number() as u8)
                .collect(),
            _ => run.random.mangled(usual.as_bytes()),
        };
        run.begin(String::from_utf8_lossy(&bytes)).await;
        let mut connection = TcpStream::connect(address).await.unwrap();
        // A server may close the connection before it has read everything.
        let written = connection.write_all(&bytes).await;
        if written.is_ok() && connection.shutdown().await.is_ok() {
            let mut answers = Vec::new();
            let _ = connection.read_to_end(&mut answers).await;
            let text = String::from_utf8_lossy(&answers);
            assert!(!text.contains("HTTP/1.1 5"), "{text}");
        }
    }
    assert!(!server.is_finished());
    let mut connection = TcpStream::connect(address).await.unwrap();
    let health = format!("GET /health HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    connection.write_all(health.as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    server.abort();
    run.still_works().await;
}
