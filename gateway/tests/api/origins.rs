//! Which pages may contain a terminal's forms: origins that are registered, and proven by a file that the gateway requests.

use crate::harness::{TestApp, build};
use crate::keys::{command, made};
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// The terminal of the key `sandbox-implicit`.
const TERMINAL: &str = "91000001";

const FILE: &str = "/.well-known/payframe-origins.txt";

async fn tell(app: &TestApp, words: &str) -> Result<String, String> {
    let words: Vec<&str> = words.split(' ').collect();
    let said = command(app, &words).await;
    said.map_err(|problem| problem.to_string())
}

fn build_for(order_id: &str, merchant_url: &str) -> Value {
    let mut request = build(order_id);
    request["merchantUrl"] = json!(merchant_url);
    request
}

/// A gateway with the rules of production, and with the sandbox's terminals.
async fn strict() -> TestApp {
    TestApp::in_sandbox(|sandbox| sandbox.allow_insecure_urls = false).await
}

#[tokio::test]
async fn a_form_is_opened_only_for_an_origin_that_is_proven_for_its_terminal() {
    let app = strict().await;
    let shop = "https://shop.example/pay";
    let refused = app
        .merchant()
        .post("/orders/build", &build_for("A1", shop))
        .await;
    assert_eq!(refused.refusal(), "400 GW0002");
    assert!(
        refused.why().contains("merchantUrl") && refused.why().contains("terminal origin add"),
        "{}",
        refused.why()
    );
    assert_eq!(app.count("SELECT count(*) FROM build_session").await, 0);
    // A registered origin is not yet proven.
    tell(&app, "terminal origin add 91000001 https://shop.example")
        .await
        .unwrap();
    let refused = app
        .merchant()
        .post("/orders/build", &build_for("A1", shop))
        .await;
    assert_eq!(refused.refusal(), "400 GW0002");
    app.change("UPDATE terminal_origin SET proven_ms = 1").await;
    app.merchant()
        .post("/orders/build", &build_for("A1", shop))
        .await
        .ok();
    // Proven for this terminal, this host, this port, and no other.
    for (key, url) in [
        ("sandbox-explicit", "https://shop.example"),
        ("sandbox-other-merchant", "https://shop.example"),
        ("sandbox-implicit", "https://shop.example:8443"),
        ("sandbox-implicit", "https://www.shop.example"),
        ("sandbox-implicit", "https://shop.example.evil.example"),
    ] {
        let request = build_for("A2", url);
        let refused = app.key(key).post("/orders/build", &request).await;
        assert_eq!(refused.refusal(), "400 GW0002", "{key} {url}");
    }
    tell(&app, "terminal origin remove 91000001 https://shop.example")
        .await
        .unwrap();
    let refused = app
        .merchant()
        .post("/orders/build", &build_for("A3", shop))
        .await;
    assert_eq!(refused.refusal(), "400 GW0002");
}

#[tokio::test]
async fn a_developers_gateway_asks_no_proof_of_what_no_shop_can_be() {
    let app = TestApp::new().await;
    for (number, url) in [
        "http://localhost:8788",
        "http://127.0.0.1:8788",
        "https://shop.example",
    ]
    .into_iter()
    .enumerate()
    {
        let request = build_for(&format!("A{number}"), url);
        app.merchant().post("/orders/build", &request).await.ok();
    }
    let foreign = build_for("B1", "https://a-real-shop.com");
    let refused = app.merchant().post("/orders/build", &foreign).await;
    assert_eq!(refused.refusal(), "400 GW0002");
}

/// A shop's server. The test can change the content of its file.
pub(crate) struct Shop {
    pub(crate) origin: String,
    file: Arc<Mutex<(StatusCode, String)>>,
}

impl Shop {
    pub(crate) async fn start() -> Shop {
        let file = Arc::new(Mutex::new((StatusCode::NOT_FOUND, String::new())));
        let served = file.clone();
        let answer = move || async move {
            let (status, text) = served.lock().unwrap().clone();
            (status, [(header::LOCATION, "/elsewhere")], text).into_response()
        };
        let shop = Router::new().route(FILE, get(answer));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, shop).await });
        Shop { origin, file }
    }

    pub(crate) fn serves(&self, status: StatusCode, text: &str) {
        *self.file.lock().unwrap() = (status, text.to_owned());
    }
}

#[tokio::test]
async fn an_origin_is_proven_by_a_file_with_the_terminals_own_line() {
    let app = TestApp::new().await;
    let shop = Shop::start().await;
    let origin = &shop.origin;
    let verify = format!("terminal origin verify {TERMINAL} {origin}");
    assert!(
        tell(&app, &verify)
            .await
            .unwrap_err()
            .contains("is not registered for terminal 91000001")
    );
    let said = tell(&app, &format!("terminal origin add {TERMINAL} {origin}"))
        .await
        .unwrap();
    assert!(said.contains(&format!("{origin}{FILE}\n")), "{said}");
    let token = said.lines().nth(1).unwrap().to_owned();
    assert_eq!(token.len(), 32);
    // Repeated, the command prints the same line; another terminal has another line.
    let again = tell(&app, &format!("terminal origin add {TERMINAL} {origin}")).await;
    assert_eq!(again.unwrap(), said);
    let other = tell(&app, &format!("terminal origin add 92000001 {origin}"))
        .await
        .unwrap();
    let other = other.lines().nth(1).unwrap().to_owned();
    assert_ne!(other, token);
    for (status, text, expected) in [
        (StatusCode::NOT_FOUND, token.clone(), "is answered with 404"),
        (
            StatusCode::FOUND,
            token.clone(),
            "a redirect is not followed",
        ),
        (StatusCode::OK, String::new(), "does not have the line"),
        (StatusCode::OK, other.clone(), "does not have the line"),
        (
            StatusCode::OK,
            format!("<p>no file {token}</p>"),
            "does not have the line",
        ),
        (
            StatusCode::OK,
            format!("{}{token}\n", " \n".repeat(8192)),
            "is larger than 16 KiB",
        ),
    ] {
        shop.serves(status, &text);
        let refused = tell(&app, &verify).await.unwrap_err();
        assert!(refused.contains(expected), "{refused}");
        let proven = "SELECT count(*) FROM terminal_origin WHERE proven_ms IS NOT NULL";
        assert_eq!(app.count(proven).await, 0, "{expected}");
    }
    shop.serves(StatusCode::OK, &format!("{other}\r\n{token}\r\n"));
    assert_eq!(
        tell(&app, &verify).await.unwrap(),
        format!("{origin} is proven: its pages may hold forms of terminal 91000001 from now on\n")
    );
    let list = tell(&app, &format!("terminal origin list {TERMINAL}")).await;
    let list = list.unwrap();
    let line = list.lines().nth(1).unwrap();
    assert!(
        line.starts_with(origin.as_str()) && line.ends_with("2026-11-20T10:00:00.000Z"),
        "{list}"
    );
    let others = tell(&app, "terminal origin list 92000001").await.unwrap();
    assert!(
        others.lines().nth(1).unwrap().ends_with("not yet"),
        "{others}"
    );
    // After a new registration the line is another one, which is not in the file.
    for words in ["remove", "add"] {
        let words = format!("terminal origin {words} {TERMINAL} {origin}");
        tell(&app, &words).await.unwrap();
    }
    assert!(
        tell(&app, &verify)
            .await
            .unwrap_err()
            .contains("does not have the line")
    );
}

#[tokio::test]
async fn proofs_are_not_looked_for_inside_the_gateways_network() {
    let app = strict().await;
    for origin in ["https://127.0.0.1", "https://10.0.0.1", "https://[fd00::1]"] {
        tell(&app, &format!("terminal origin add {TERMINAL} {origin}"))
            .await
            .unwrap();
        let verify = format!("terminal origin verify {TERMINAL} {origin}");
        let refused = tell(&app, &verify).await.unwrap_err();
        assert!(
            refused.contains("is not on the public internet"),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn slips_of_the_pen_register_nothing() {
    let app = strict().await;
    for (words, expected) in [
        (
            "terminal origin add 91000001 shop.example",
            "an origin is https",
        ),
        (
            "terminal origin add 91000001 http://shop.example",
            "an origin is https",
        ),
        (
            "terminal origin add 1 https://shop.example",
            "there is no terminal 1",
        ),
        ("terminal origin list 1", "there is no terminal 1"),
        (
            "terminal origin verify 1 https://shop.example",
            "there is no terminal 1",
        ),
        (
            "terminal origin remove 91000001 https://shop.example",
            "is not registered",
        ),
        ("terminal origin", "terminal origin <COMMAND>"),
        ("terminal origin add 91000001", "<ORIGIN>"),
    ] {
        let refused = tell(&app, words).await.unwrap_err();
        assert!(refused.contains(expected), "{words}: {refused}");
    }
    assert_eq!(app.count("SELECT count(*) FROM terminal_origin").await, 0);
}

#[tokio::test]
async fn a_shop_that_commands_set_up_opens_forms_once_its_origin_is_proven() {
    let app = TestApp::in_sandbox(|sandbox| {
        sandbox.merchants = false;
        sandbox.allow_insecure_urls = false;
    })
    .await;
    for words in [
        "merchant add blumen Blumen",
        "terminal add 55000001 blumen",
        "terminal origin add 55000001 https://blumen.example",
    ] {
        tell(&app, words).await.unwrap();
    }
    let (_, key) = made(&tell(&app, "keys new 55000001").await.unwrap());
    let request = build_for("A1", "https://blumen.example");
    let refused = app.key(&key).post("/orders/build", &request).await;
    assert_eq!(refused.refusal(), "400 GW0002");
    app.change("UPDATE terminal_origin SET proven_ms = 1").await;
    app.key(&key).post("/orders/build", &request).await.ok();
}
