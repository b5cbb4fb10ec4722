//! Tests of the shop's server with a fake gateway.

#![allow(clippy::expect_used)]

mod build_pages;
mod fake_gateway;
mod stage;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use fake_gateway::FakeGateway;
use payframe_shop::{Shop, router};
use serde_json::json;
use stage::{Stage, notification};

const ORIGIN: &str = "http://127.0.0.1:8788";

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
async fn another_name_of_this_machine_leads_to_the_shops_origin() {
    let stage = Stage::new().await;
    for (host, leads_to) in [
        (
            "localhost:8788",
            Some("http://127.0.0.1:8788/fields?locale=it"),
        ),
        ("[::1]:8788", Some("http://127.0.0.1:8788/fields?locale=it")),
        ("127.0.0.1:8788", None),
        // The name that a proxy may give.
        ("shop.internal", None),
        ("localhost.example", None),
    ] {
        let asked = Request::get("/fields?locale=it").header(header::HOST, host);
        let answer = stage
            .send(asked.body(Body::empty()).expect("a request"))
            .await;
        let led = answer.headers.get(header::LOCATION);
        let expected = leads_to.map_or(StatusCode::OK, |_| StatusCode::TEMPORARY_REDIRECT);
        assert_eq!(answer.status, expected, "{host}");
        assert_eq!(led.and_then(|led| led.to_str().ok()), leads_to, "{host}");
    }
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
                 img-src 'self' data:; connect-src 'self' {gateway}; base-uri 'none'; form-action 'self'; \
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
    // The page to which the browser returns asks the gateway for the state.
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
