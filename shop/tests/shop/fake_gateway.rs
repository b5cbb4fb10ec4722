//! A fake gateway: it gives the answers that the test sets, and stores the requests that it gets.

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The requests that the fake gateway got, and the answers that it gives.
#[derive(Clone, Default)]
pub(super) struct FakeGateway(Arc<Mutex<Played>>);

#[derive(Default)]
pub(super) struct Played {
    pub(super) builds: Vec<Value>,
    pub(super) finalized: Vec<String>,
    pub(super) confirmed: Vec<Value>,
    pub(super) cancelled: Vec<String>,
    pub(super) challenge: bool,
    pub(super) card: Option<Value>,
    pub(super) refuse_build: Option<Value>,
    pub(super) orders: HashMap<String, Value>,
}

impl FakeGateway {
    pub(super) fn played(&self) -> std::sync::MutexGuard<'_, Played> {
        self.0.lock().expect("no test panicked while holding it")
    }

    pub(super) async fn start(&self) -> String {
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
