//! The shop's server against a gateway that is played by the test.

#![allow(clippy::expect_used)]

use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::{Path, Query, State},
    http::{HeaderMap, Request, Response, StatusCode, header},
    routing::{get, post},
};
use payframe_shop::{Shop, config::Config, router};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    path::Path as FilePath,
    sync::{Arc, Mutex},
};
use tempfile::TempDir;
use tower::ServiceExt;

const ORIGIN: &str = "http://127.0.0.1:8788";

/// What the played gateway was asked, and what it answers.
#[derive(Clone, Default)]
struct FakeGateway(Arc<Mutex<Played>>);

#[derive(Default)]
struct Played {
    builds: Vec<Value>,
    finalized: Vec<String>,
    confirmed: Vec<Value>,
    cancelled: Vec<String>,
    challenge: bool,
    card: Option<Value>,
    refuse_build: Option<Value>,
    orders: HashMap<String, Value>,
}

impl FakeGateway {
    fn played(&self) -> std::sync::MutexGuard<'_, Played> {
        self.0.lock().expect("no test panicked while holding it")
    }

    async fn start(&self) -> String {
        let api = Router::new()
            .route("/api/orders/build", post(build))
            .route("/api/orders/hpp", post(host))
            .route("/api/v2/orders/paybylink", post(host))
            .route(
                "/api/build/integrity",
                get(|headers: HeaderMap| async move {
                    let script = |path: String| {
                        json!({ "src": format!("https://gateway.example{path}"), "integrity": "sha384-abc+/=" })
                    };
                    let scripts: Vec<Value> = ["build.js", "fields.js", "payframe.js"]
                        .into_iter()
                        .flat_map(|name| [format!("/sdk/{name}"), format!("/sdk/0.1.0-1a2b3c4d/{name}")])
                        .map(script)
                        .collect();
                    authorized(&headers)
                        .map(|()| Json(json!({ "integrity": "sha384-abc+/=", "scripts": scripts })))
                }),
            )
            .route("/api/build/finalize_payment", post(finalize))
            .route("/api/build/cardData", get(card_data))
            .route("/api/build/confirm_payment", post(confirm))
            .route("/api/build/cancel", post(cancel))
            .route("/api/orders/{id}", get(order))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port");
        let address = listener.local_addr().expect("bound");
        tokio::spawn(async move { axum::serve(listener, api).await });
        format!("http://{address}")
    }
}

fn authorized(headers: &HeaderMap) -> Result<(), StatusCode> {
    let key = headers
        .get("x-api-key")
        .is_some_and(|key| key == "key-of-the-shop");
    let traced = headers
        .get("correlation-id")
        .is_some_and(|id| id.len() == 36);
    if key && traced {
        Ok(())
    } else {
        Err(StatusCode::UNAUTHORIZED)
    }
}

async fn build(
    State(gateway): State<FakeGateway>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<(StatusCode, Json<Value>), StatusCode> {
    authorized(&headers)?;
    let mut played = gateway.played();
    if let Some(refusal) = &played.refuse_build {
        return Ok((StatusCode::BAD_REQUEST, Json(refusal.clone())));
    }
    let with_buttons = body["paymentSession"]["paymentService"].is_null();
    played.builds.push(body);
    let number = played.builds.len();
    let field = |id: &str| json!({ "type": "TEXT", "class": "CARD_FIELD", "id": id, "src": format!("https://gateway.example/fields/?id={id}&lang=ENG") });
    let fields: Vec<Value> = if with_buttons {
        vec![field("PAY_WITH_CARD")]
    } else {
        [
            "CARD_NUMBER",
            "EXPIRATION_DATE",
            "SECURITY_CODE",
            "CARDHOLDER_NAME",
        ]
        .map(field)
        .into()
    };
    Ok((
        StatusCode::OK,
        Json(json!({
            "sessionId": format!("session-{number}"), "securityToken": format!("token-{number}"),
            "state": "CARD_DATA_COLLECTION", "fields": fields, "warnings": [],
        })),
    ))
}

async fn host(
    State(gateway): State<FakeGateway>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<(StatusCode, Json<Value>), StatusCode> {
    authorized(&headers)?;
    let mut played = gateway.played();
    if let Some(refusal) = &played.refuse_build {
        return Ok((StatusCode::BAD_REQUEST, Json(refusal.clone())));
    }
    let number = played.builds.len() + 1;
    let token = format!("token-{number}");
    let answer = match body["expirationDate"].as_str() {
        None => json!({
            "hostedPage": format!("https://gateway.example/pay/page-{number}"), "securityToken": token, "warnings": [],
        }),
        Some(day) => json!({
            "paymentLink": {
                "linkId": "1", "link": format!("https://gateway.example/link/link-{number}"), "expirationDate": day,
            },
            "securityToken": token, "warnings": [],
        }),
    };
    played.builds.push(body);
    Ok((StatusCode::OK, Json(answer)))
}

async fn card_data(
    State(gateway): State<FakeGateway>,
    headers: HeaderMap,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Json<Value>, (StatusCode, Json<Value>)> {
    authorized(&headers).map_err(|status| (status, Json(Value::Null)))?;
    assert!(query.contains_key("sessionId"));
    gateway.played().card.clone().map(Json).ok_or_else(|| {
        let over =
            json!({ "errors": [{ "code": "PS0061", "description": "build session expired" }] });
        (StatusCode::BAD_REQUEST, Json(over))
    })
}

async fn confirm(
    State(gateway): State<FakeGateway>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    authorized(&headers)?;
    gateway.played().confirmed.push(body);
    Ok(Json(json!({
        "state": "GDI_VERIFICATION",
        "fieldSet": { "sessionId": "session-1", "fields": [
            { "type": "GDI", "class": "GDI", "id": "GDI", "src": "https://gateway.example/fields/?id=GDI" },
        ] },
    })))
}

async fn cancel(
    State(gateway): State<FakeGateway>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    authorized(&headers)?;
    gateway
        .played()
        .cancelled
        .push(body["sessionId"].as_str().unwrap_or_default().to_owned());
    Ok(Json(
        json!({ "state": "PAYMENT_COMPLETE", "operation": { "operationType": "CANCEL" } }),
    ))
}

async fn finalize(
    State(gateway): State<FakeGateway>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    authorized(&headers)?;
    gateway
        .played()
        .finalized
        .push(body["sessionId"].as_str().unwrap_or_default().to_owned());
    if gateway.played().challenge {
        let url = "https://gateway.example/challenge";
        return Ok(Json(
            json!({ "state": "REDIRECTED_TO_EXTERNAL_DOMAIN", "url": url }),
        ));
    }
    Ok(Json(
        json!({ "state": "PAYMENT_COMPLETE", "operation": { "operationId": "347074400000000001" } }),
    ))
}

async fn order(
    State(gateway): State<FakeGateway>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<Value>, StatusCode> {
    authorized(&headers)?;
    gateway
        .played()
        .orders
        .get(&id)
        .cloned()
        .map(Json)
        .ok_or(StatusCode::NOT_FOUND)
}

struct Stage {
    gateway: FakeGateway,
    config: Config,
    shop: Router,
    _folder: TempDir,
}

impl Stage {
    async fn new() -> Self {
        let gateway = FakeGateway::default();
        let address = gateway.start().await;
        Self::with_gateway(gateway, &address).await
    }

    async fn with_gateway(gateway: FakeGateway, address: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let www = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../www/shop");
        let config = Config::from_lookup(|name| match name {
            "SHOP_GATEWAY" => Some(address.to_owned()),
            "SHOP_API_KEY" => Some("key-of-the-shop".to_owned()),
            "SHOP_DATA" => Some(folder.path().display().to_string()),
            "SHOP_WWW" => Some(www.display().to_string()),
            _ => None,
        })
        .expect("valid settings");
        let shop = router(Shop::open(config.clone()).await.expect("the shop opens"));
        Self {
            gateway,
            config,
            shop,
            _folder: folder,
        }
    }

    async fn get(&self, address: &str) -> Answer {
        self.send(
            Request::get(address)
                .body(Body::empty())
                .expect("a request"),
        )
        .await
    }

    async fn post(&self, address: &str, body: &Value) -> Answer {
        self.post_from(address, body, ORIGIN).await
    }

    async fn post_from(&self, address: &str, body: &Value, origin: &str) -> Answer {
        let request = Request::post(address)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ORIGIN, origin)
            .body(Body::from(body.to_string()))
            .expect("a request");
        self.send(request).await
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        Answer::read(
            self.shop
                .clone()
                .oneshot(request)
                .await
                .expect("infallible"),
        )
        .await
    }

    /// Opens the checkout page and answers the id of its first order.
    async fn open_order(&self) -> String {
        assert_eq!(self.get("/").await.status, StatusCode::OK);
        let played = self.gateway.played();
        played.builds.last().expect("one build")["order"]["orderId"]
            .as_str()
            .expect("an id")
            .to_owned()
    }

    fn set_order(&self, order_id: &str, captured: &str, operations: Value) {
        let view = json!({
            "orderStatus": {
                "order": { "orderId": order_id, "amount": "3545", "currency": "EUR" },
                "authorizedAmount": captured, "capturedAmount": captured, "refundedAmount": "0",
            },
            "operations": operations, "paymentLinks": [],
        });
        self.gateway
            .played()
            .orders
            .insert(order_id.to_owned(), view);
    }
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    async fn read(response: Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 1 << 20).await.expect("a body");
        Self {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).expect("text"),
        }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("JSON")
    }

    fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().expect("ASCII"))
    }
}

fn notification(order_id: &str, token: &str, event_id: &str) -> Value {
    json!({
        "eventId": event_id, "eventTime": "2022-09-01T01:20:00.001Z", "securityToken": token, "eventType": "PAYMENT",
        "operation": { "orderId": order_id, "operationId": "347074400000000001",
                       "operationType": "AUTHORIZATION", "operationResult": "EXECUTED" },
    })
}

#[tokio::test]
async fn the_checkout_page_opens_a_payment_and_shows_the_form() {
    let stage = Stage::new().await;
    let page = stage
        .get("/?amount=1999&currency=usd&locale=it&attempts=2&theme=dark")
        .await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let gateway = &stage.config.gateway;
    for part in [
        format!(
            r#"<payment-form gateway="{gateway}" session="session-1" locale="it" theme="dark"></payment-form>"#
        ),
        r#"src="https://gateway.example/sdk/0.1.0-1a2b3c4d/payframe.js" integrity="sha384-abc+/=" crossorigin="anonymous""#.to_owned(),
        r#"<html lang="en" data-theme="dark">"#.to_owned(),
        r#"role="status""#.to_owned(),
        "19,99\u{a0}$".to_owned(),
    ] {
        assert!(
            page.text.contains(&part),
            "{part} is missing in {}",
            page.text
        );
    }
    let build = stage.gateway.played().builds[0].clone();
    let order_id = build["order"]["orderId"]
        .as_str()
        .expect("an id")
        .to_owned();
    assert_eq!(build["merchantUrl"], ORIGIN);
    assert_eq!(build["order"]["amount"], "1999");
    assert_eq!(build["order"]["currency"], "USD");
    assert_eq!(build["paymentSession"]["amount"], "1999");
    assert_eq!(build["paymentSession"]["language"], "ita");
    assert_eq!(
        build["paymentSession"]["notificationUrl"],
        format!("{ORIGIN}/hook")
    );
    assert_eq!(
        build["paymentSession"]["resultUrl"],
        format!("{ORIGIN}/result?order={order_id}")
    );
    assert_eq!(
        build["paymentSession"]["cancelUrl"],
        format!("{ORIGIN}/cancelled?order={order_id}")
    );
    assert_eq!(
        build["form"],
        json!({ "closing": "FRAME", "attempts": 2, "cardSummary": "LAST4" })
    );
    assert!(!page.text.contains("key-of-the-shop"));
    assert!(!page.text.contains("token-1"));
}

#[tokio::test]
async fn two_forms_are_two_orders() {
    let stage = Stage::new().await;
    let page = stage.get("/?forms=2&mode=merchant&button=hidden").await;
    assert_eq!(page.text.matches("<payment-form ").count(), 2);
    assert_eq!(page.text.matches(r#"role="status""#).count(), 2);
    assert_eq!(page.text.matches(r#"data-mode="merchant""#).count(), 2);
    assert_eq!(page.text.matches(r#"button="hidden""#).count(), 2);
    let played = stage.gateway.played();
    assert_ne!(
        played.builds[0]["order"]["orderId"],
        played.builds[1]["order"]["orderId"]
    );
    assert_eq!(played.builds[0]["form"]["closing"], "SERVER");
}

#[tokio::test]
async fn the_policy_is_strict_and_pages_hold_nothing_inline() {
    let stage = Stage::new().await;
    let order_id = stage.open_order().await;
    stage.set_order(&order_id, "0", json!([]));
    let gateway = &stage.config.gateway;
    for address in [
        "/",
        "/?amount=x",
        "/notifications",
        "/nowhere",
        &format!("/orders/{order_id}"),
        "/fields",
        "/build3",
        "/build2",
        "/checkout.js",
        "/shop.css",
    ] {
        let page = stage.get(address).await;
        assert_eq!(
            page.header("content-security-policy"),
            format!(
                "default-src 'none'; script-src 'self' {gateway}; frame-src {gateway}; style-src 'self'; \
                 img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; \
                 frame-ancestors 'none'; require-trusted-types-for 'script'"
            ),
            "{address}"
        );
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        if page.header("content-type").starts_with("text/html") {
            assert_eq!(page.header("cache-control"), "no-store");
            assert!(
                !page.text.contains("<style") && !page.text.contains(" style="),
                "{address}"
            );
            assert!(
                !page.text.contains("<script>") && !page.text.contains(" onclick="),
                "{address}"
            );
        }
    }
}

#[tokio::test]
async fn page_files_have_their_types_and_templates_are_not_served() {
    let stage = Stage::new().await;
    for (address, kind) in [
        ("/checkout.js", "text/javascript"),
        ("/fields.js", "text/javascript"),
        ("/build3.js", "text/javascript"),
        ("/build2.js", "text/javascript"),
        ("/server.js", "text/javascript"),
        ("/shop.css", "text/css"),
        ("/card-light.css", "text/css"),
        ("/card-dark.css", "text/css"),
    ] {
        let file = stage.get(address).await;
        assert_eq!(file.status, StatusCode::OK, "{address}");
        assert!(file.header("content-type").starts_with(kind), "{address}");
        assert_eq!(file.header("cache-control"), "no-cache", "{address}");
    }
    for address in [
        "/checkout.html",
        "/layout.html",
        "/build2.html",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
    ] {
        assert_eq!(
            stage.get(address).await.status,
            StatusCode::NOT_FOUND,
            "{address}"
        );
    }
}

#[tokio::test]
async fn wrong_parameters_are_named_and_open_no_payment() {
    let stage = Stage::new().await;
    for (query, name, accepted) in [
        ("amount=12.50", "amount", "minor units"),
        ("currency=EURO", "currency", "three letters"),
        ("mode=both", "mode", "managed or merchant"),
        ("attempts=9", "attempts", "1 to 5"),
        ("theme=blue", "theme", "auto, light or dark"),
        ("forms=3", "forms", "1 or 2"),
        ("locale=%3Cscript%3E", "locale", "language tag"),
        ("ammount=1", "ammount", "no such parameter"),
    ] {
        let page = stage.get(&format!("/?{query}")).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{query}");
        assert!(
            page.text.contains(&format!("<code>{name}</code>")),
            "{query}: {}",
            page.text
        );
        assert!(page.text.contains(accepted), "{query}: {}", page.text);
        assert!(!page.text.contains("<script>"));
    }
    assert!(stage.gateway.played().builds.is_empty());
}

#[tokio::test]
async fn what_the_gateway_refuses_is_shown() {
    let stage = Stage::new().await;
    stage.gateway.played().refuse_build = Some(
        json!({ "errors": [{ "code": "PS0009", "description": "order.currency <b>is not accepted" }] }),
    );
    let page = stage.get("/?currency=XXX").await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert!(page.text.contains("PS0009"));
    assert!(page.text.contains("order.currency"));
    assert!(!page.text.contains("<b>"));
}

#[tokio::test]
async fn a_dead_gateway_is_a_readable_page() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.local_addr().expect("bound")
    };
    let stage = Stage::with_gateway(FakeGateway::default(), &format!("http://{closed}")).await;
    let page = stage.get("/").await;
    assert_eq!(page.status, StatusCode::BAD_GATEWAY);
    assert!(page.text.contains("Payments are not available right now"));
    assert!(page.text.contains("Nothing was charged"));
}

#[tokio::test]
async fn an_order_page_shows_the_servers_view() {
    let stage = Stage::new().await;
    let order_id = stage.open_order().await;
    stage.set_order(&order_id, "0", json!([]));
    let open = stage.get(&format!("/orders/{order_id}")).await;
    assert!(open.text.contains("Not paid yet"), "{}", open.text);
    stage.set_order(&order_id, "3545", json!([{
        "operationId": "347074400000000001", "operationType": "AUTHORIZATION", "operationResult": "EXECUTED",
        "operationTime": "2022-09-01T01:20:00.001Z", "operationAmount": "3545",
        "paymentCircuit": "VISA", "paymentInstrumentInfo": "***0003",
    }]));
    for address in [
        format!("/orders/{order_id}"),
        format!("/result?order={order_id}"),
        format!("/cancelled?order={order_id}"),
    ] {
        let page = stage.get(&address).await;
        assert_eq!(page.status, StatusCode::OK, "{address}");
        for part in [
            "VISA ***0003",
            "€35.45",
            "347074400000000001",
            "the shop&#39;s server confirms",
        ] {
            assert!(
                page.text.contains(part),
                "{address}: {part} is missing in {}",
                page.text
            );
        }
    }
}

#[tokio::test]
async fn the_outcome_for_the_page_is_the_servers() {
    let stage = Stage::new().await;
    let order_id = stage.open_order().await;
    stage.set_order(&order_id, "3545", json!([{
        "operationId": "1", "operationType": "AUTHORIZATION", "operationResult": "EXECUTED", "operationTime": "",
    }]));
    let answer = stage.get(&format!("/orders/{order_id}.json")).await;
    assert_eq!(answer.json()["status"], "paid");
    assert_eq!(
        answer.json()["message"],
        format!("Paid. Order {order_id}: the shop's server confirms.")
    );
    assert_eq!(
        stage.get("/orders/NOBODYS.json").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        stage.get("/orders/NOBODYS").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn finalize_serves_only_sessions_of_this_shop_and_tells_only_the_state() {
    let stage = Stage::new().await;
    stage.open_order().await;
    let done = stage
        .post("/finalize", &json!({ "sessionId": "session-1" }))
        .await;
    assert_eq!(done.status, StatusCode::OK);
    assert_eq!(done.json(), json!({ "state": "PAYMENT_COMPLETE" }));
    let foreign = stage
        .post(
            "/finalize",
            &json!({ "sessionId": "session-of-another-shop" }),
        )
        .await;
    assert_eq!(foreign.status, StatusCode::NOT_FOUND);
    let other_site = stage
        .post_from(
            "/finalize",
            &json!({ "sessionId": "session-1" }),
            "https://attacker.example",
        )
        .await;
    assert_eq!(other_site.status, StatusCode::FORBIDDEN);
    assert_eq!(stage.gateway.played().finalized, ["session-1"]);
}

#[tokio::test]
async fn separate_fields_belong_to_their_form() {
    let stage = Stage::new().await;
    let page = stage
        .get("/fields?mode=merchant&locale=it&theme=dark")
        .await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let gateway = &stage.config.gateway;
    for part in [
        format!(
            r#"<payment-form id="pay" layout="fields" button="hidden" gateway="{gateway}" session="session-1" locale="it" theme="dark"></payment-form>"#
        ),
        r#"src="https://gateway.example/sdk/0.1.0-1a2b3c4d/payframe.js""#.to_owned(),
        r#"src="https://gateway.example/sdk/0.1.0-1a2b3c4d/fields.js""#.to_owned(),
        r#"data-mode="merchant""#.to_owned(),
    ] {
        assert!(
            page.text.contains(&part),
            "{part} is missing in {}",
            page.text
        );
    }
    for (id, name) in [
        ("number", "CARD_NUMBER"),
        ("expiry", "EXPIRATION_DATE"),
        ("code", "SECURITY_CODE"),
        ("holder", "CARDHOLDER_NAME"),
    ] {
        let field = format!(r#"<payment-field id="{id}" name="{name}" for="pay">"#);
        assert!(page.text.contains(&field), "{field}");
        assert!(
            page.text.contains(&format!(r#"<label for="{id}">"#)),
            "{id}"
        );
    }
    assert_eq!(
        stage.gateway.played().builds[0]["form"]["closing"],
        "SERVER"
    );
}

#[tokio::test]
async fn build_with_buttons_names_no_service_and_shows_each_button() {
    let stage = Stage::new().await;
    let page = stage.get("/build3").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let build = stage.gateway.played().builds[0].clone();
    assert_eq!(build["version"], "3");
    assert_eq!(build["paymentSession"]["paymentService"], Value::Null);
    assert_eq!(build["form"], Value::Null);
    for part in [
        r#"src="https://gateway.example/sdk/0.1.0-1a2b3c4d/build.js" integrity="sha384-abc+/=""#,
        r#"data-session="session-1""#,
        r#"<div id="CARD_NUMBER" class="slot"></div>"#,
    ] {
        assert!(
            page.text.contains(part),
            "{part} is missing in {}",
            page.text
        );
    }
    assert_eq!(page.text.matches("<iframe ").count(), 1);
    assert!(page.text.contains(r#"<iframe title="Pay by card""#));
}

#[tokio::test]
async fn build_with_fees_shows_each_input_with_its_label() {
    let stage = Stage::new().await;
    let page = stage.get("/build2").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let build = stage.gateway.played().builds[0].clone();
    assert_eq!(build["version"], "2");
    assert_eq!(build["paymentSession"]["paymentService"], "CARDS");
    assert_eq!(page.text.matches("<iframe ").count(), 4);
    assert!(page.text.contains(r#"<div id="EXPIRATION_DATE" class="slot"><iframe title="Expiry date" src="https://gateway.example/fields/?id=EXPIRATION_DATE"#));
}

#[tokio::test]
async fn parameters_of_other_pages_are_refused() {
    let stage = Stage::new().await;
    for address in [
        "/fields?forms=2",
        "/fields?button=hidden",
        "/build3?mode=managed",
        "/build2?attempts=2",
    ] {
        let page = stage.get(address).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{address}");
    }
    assert!(stage.gateway.played().builds.is_empty());
}

#[tokio::test]
async fn a_challenge_is_passed_on_to_the_page() {
    let stage = Stage::new().await;
    stage.open_order().await;
    stage.gateway.played().challenge = true;
    let answer = stage
        .post("/finalize", &json!({ "sessionId": "session-1" }))
        .await;
    assert_eq!(
        answer.json(),
        json!({ "state": "REDIRECTED_TO_EXTERNAL_DOMAIN", "url": "https://gateway.example/challenge" })
    );
}

#[tokio::test]
async fn the_fee_is_counted_by_the_server_and_agreed_to_by_the_buyer() {
    let stage = Stage::new().await;
    let order_id = stage.open_order().await;
    let of_session = json!({ "sessionId": "session-1" });
    stage.gateway.played().card = Some(json!({
        "bin": "476173", "lastFourDigits": "0003", "expiringDate": "1230", "circuit": "VISA", "funding": "CREDIT",
    }));
    let quote = stage.post("/quote", &of_session).await;
    assert_eq!(
        quote.json(),
        json!({ "card": "VISA •••• 0003", "reason": "1 % for cards", "fee": "€0.35", "total": "€35.80", "totalMinor": "3580" })
    );
    let agree = |total: &str| json!({ "sessionId": "session-1", "totalMinor": total });
    let without = stage.post("/confirm", &agree("3545")).await;
    assert_eq!(without.status, StatusCode::CONFLICT);
    assert!(stage.gateway.played().confirmed.is_empty());
    let confirmed = stage.post("/confirm", &agree("3580")).await;
    assert_eq!(
        confirmed.json(),
        json!({ "state": "GDI_VERIFICATION", "deviceCheck": "https://gateway.example/fields/?id=GDI" })
    );
    assert_eq!(
        stage.gateway.played().confirmed,
        [json!({ "sessionId": "session-1", "amount": "3580" })]
    );
    stage.set_order(&order_id, "3580", json!([{
        "operationId": "1", "operationType": "AUTHORIZATION", "operationResult": "EXECUTED", "operationTime": "",
    }]));
    let outcome = stage.get(&format!("/orders/{order_id}.json")).await;
    assert_eq!(outcome.json()["status"], "paid");
}

#[tokio::test]
async fn calls_of_pages_are_for_own_pages_and_sessions() {
    let stage = Stage::new().await;
    stage.open_order().await;
    for address in ["/quote", "/confirm", "/cancel"] {
        let body = |session: &str| json!({ "sessionId": session, "totalMinor": "3545" });
        let unknown = stage.post(address, &body("session-of-another-shop")).await;
        assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{address}");
        let foreign = stage
            .post_from(address, &body("session-1"), "https://attacker.example")
            .await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN, "{address}");
    }
    assert!(stage.gateway.played().cancelled.is_empty());
    let over = stage
        .post("/quote", &json!({ "sessionId": "session-1" }))
        .await;
    assert_eq!(over.status, StatusCode::BAD_REQUEST);
    assert_eq!(over.json(), json!({ "error": "session_over" }));
    let done = stage
        .post("/cancel", &json!({ "sessionId": "session-1" }))
        .await;
    assert_eq!(done.json(), json!({ "state": "PAYMENT_COMPLETE" }));
    assert_eq!(stage.gateway.played().cancelled, ["session-1"]);
}

#[tokio::test]
async fn a_notification_counts_once_and_only_with_its_token() {
    let stage = Stage::new().await;
    let order_id = stage.open_order().await;
    let right = notification(&order_id, "token-1", "554ccc00-28fb-4344-a3fa-4bb8d1999bd5");
    assert_eq!(
        stage.post("/hook", &right).await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        stage.post("/hook", &right).await.status,
        StatusCode::NO_CONTENT
    );
    let wrong = notification(&order_id, "token-2", "00000000-28fb-4344-a3fa-4bb8d1999bd5");
    assert_eq!(
        stage.post("/hook", &wrong).await.status,
        StatusCode::FORBIDDEN
    );
    let unknown = notification("NOBODYS", "token-1", "11111111-28fb-4344-a3fa-4bb8d1999bd5");
    assert_eq!(
        stage.post("/hook", &unknown).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        stage.post("/hook", &json!({ "eventId": 7 })).await.status,
        StatusCode::BAD_REQUEST
    );
    let page = stage.get("/notifications").await;
    assert_eq!(
        page.text
            .matches("554ccc00-28fb-4344-a3fa-4bb8d1999bd5")
            .count(),
        1
    );
    assert!(!page.text.contains("00000000-28fb") && !page.text.contains("11111111-28fb"));
    assert!(!page.text.contains("token-1"));
}

#[tokio::test]
async fn records_survive_a_restart() {
    let stage = Stage::new().await;
    let order_id = stage.open_order().await;
    stage
        .post(
            "/hook",
            &notification(&order_id, "token-1", "554ccc00-28fb-4344-a3fa-4bb8d1999bd5"),
        )
        .await;
    let again = Stage {
        shop: router(
            Shop::open(stage.config.clone())
                .await
                .expect("the shop opens again"),
        ),
        ..stage
    };
    assert!(again.get("/notifications").await.text.contains(&order_id));
    assert_eq!(
        again
            .post("/finalize", &json!({ "sessionId": "session-1" }))
            .await
            .status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn buyers_are_sent_to_a_page_of_the_gateway() {
    let stage = Stage::new().await;
    let answer = stage
        .get("/hosted?amount=1999&currency=USD&locale=it")
        .await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(
        answer
            .text
            .contains(r#"<a id="address" class="pay" href="https://gateway.example/pay/page-1">"#),
        "{}",
        answer.text
    );
    let asked = stage.gateway.played().builds[0].clone();
    assert_eq!(asked["paymentSession"]["amount"], "1999");
    assert_eq!(asked["paymentSession"]["language"], "ita");
    assert!(asked.get("merchantUrl").is_none(), "{asked}");
    let order_id = asked["order"]["orderId"]
        .as_str()
        .expect("an id")
        .to_owned();
    let back = format!("{ORIGIN}/result?order={order_id}");
    assert_eq!(asked["paymentSession"]["resultUrl"], back);
    // Where the browser comes back to, the gateway is asked what is true.
    stage.set_order(&order_id, "0", json!([]));
    let order = stage.get(&format!("/result?order={order_id}")).await;
    assert!(order.text.contains("Not paid yet"), "{}", order.text);
    let told = notification(&order_id, "token-1", "554ccc00-28fb-4344-a3fa-4bb8d1999bd5");
    let heard = stage.post("/hook", &told).await;
    assert_eq!(heard.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn customers_are_sent_an_address() {
    let stage = Stage::new().await;
    let answer = stage.get("/link").await;
    assert_eq!(answer.status, StatusCode::OK);
    let asked = stage.gateway.played().builds[0].clone();
    let last_day = asked["expirationDate"].as_str().expect("a day");
    assert_eq!(last_day.len(), 10);
    for part in ["https://gateway.example/link/link-1", last_day] {
        assert!(answer.text.contains(part), "{part}: {}", answer.text);
    }
    assert!(!answer.text.contains("<script"), "{}", answer.text);
}

#[tokio::test]
async fn pages_of_the_gateway_are_refused_as_forms_are() {
    let stage = Stage::new().await;
    for path in ["/hosted?forms=2", "/link?mode=merchant", "/link?amount=0"] {
        assert_eq!(
            stage.get(path).await.status,
            StatusCode::BAD_REQUEST,
            "{path}"
        );
    }
    stage.gateway.played().refuse_build =
        Some(json!({ "errors": [{ "code": "PS0009", "description": "order.currency" }] }));
    for path in ["/hosted", "/link"] {
        let answer = stage.get(path).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
        assert!(answer.text.contains("PS0009"), "{}", answer.text);
    }
}
