//! A shop with its gateway, and the calls of a browser.

use super::ORIGIN;
use super::fake_gateway::FakeGateway;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, Response, StatusCode, header};
use payframe_shop::{Shop, config::Config, router};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

pub(super) struct Stage {
    pub(super) gateway: FakeGateway,
    pub(super) config: Config,
    pub(super) shop: Router,
    pub(super) _folder: TempDir,
}

impl Stage {
    pub(super) async fn new() -> Self {
        let gateway = FakeGateway::default();
        let address = gateway.start().await;
        Self::with_gateway(gateway, &address).await
    }

    pub(super) async fn with_gateway(gateway: FakeGateway, address: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = Config::from_lookup(|name| match name {
            "SHOP_GATEWAY" => Some(address.to_owned()),
            "SHOP_API_KEY" => Some("key-of-the-shop".to_owned()),
            "SHOP_DATA" => Some(folder.path().display().to_string()),
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

    pub(super) async fn get(&self, address: &str) -> Answer {
        self.send(
            Request::get(address)
                .body(Body::empty())
                .expect("a request"),
        )
        .await
    }

    pub(super) async fn post(&self, address: &str, body: &Value) -> Answer {
        self.post_from(address, body, ORIGIN).await
    }

    pub(super) async fn post_from(&self, address: &str, body: &Value, origin: &str) -> Answer {
        let request = Request::post(address)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ORIGIN, origin)
            .body(Body::from(body.to_string()))
            .expect("a request");
        self.send(request).await
    }

    pub(super) async fn send(&self, request: Request<Body>) -> Answer {
        Answer::read(
            self.shop
                .clone()
                .oneshot(request)
                .await
                .expect("infallible"),
        )
        .await
    }

    /// Opens the checkout page and returns the id of its first order.
    pub(super) async fn open_order(&self) -> String {
        assert_eq!(self.get("/").await.status, StatusCode::OK);
        let played = self.gateway.played();
        played.builds.last().expect("one build")["order"]["orderId"]
            .as_str()
            .expect("an id")
            .to_owned()
    }

    pub(super) fn set_order(&self, order_id: &str, captured: &str, operations: Value) {
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

pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

impl Answer {
    pub(super) async fn read(response: Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 1 << 20).await.expect("a body");
        Self {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).expect("text"),
        }
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("JSON")
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().expect("ASCII"))
    }
}

pub(super) fn notification(order_id: &str, token: &str, event_id: &str) -> Value {
    json!({
        "eventId": event_id, "eventTime": "2022-09-01T01:20:00.001Z", "securityToken": token, "eventType": "PAYMENT",
        "operation": { "orderId": order_id, "operationId": "347074400000000001",
                       "operationType": "AUTHORIZATION", "operationResult": "EXECUTED" },
    })
}
