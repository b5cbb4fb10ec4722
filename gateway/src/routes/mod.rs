//! The HTTP API below `/api`: [`router`] says which endpoints there are, [`endpoint`] what an endpoint is, [`pipeline`] which
//! checks each call passes. The handlers are in the modules of their subjects. The rules of payments are in `payframe_payment_domain` and
//! `payframe_payment_service`.

mod about;
mod actions;
mod addresses;
mod answers;
mod api_version;
mod back_office;
mod browser_kind;
mod build;
mod call;
mod caller;
mod card_part;
mod code_list;
mod contracts;
mod creation_rules;
mod customer;
mod disputes;
mod encrypted_card;
mod endpoint;
mod error;
mod events;
mod exemptions;
mod external_3ds;
mod fault;
mod field_settings;
mod fields;
mod form_request;
mod frame;
mod fulfilment;
mod hosted;
mod hosted_request;
pub(crate) mod inner_api;
mod legal_texts;
mod lists;
mod money;
mod nulls;
mod number_texts;
mod openapi;
mod order_of_checks;
mod order_part;
mod order_request;
mod order_version;
mod payment_part;
mod pipeline;
mod query;
mod rate;
mod recurrence;
mod request_examples;
mod request_log;
mod requests;
mod reservation_charges;
mod reservation_request;
mod reservations;
mod route;
mod router;
mod script_injection;
mod server_to_server;
mod session_call;
mod session_sum;
mod settlements;
mod structures;
mod submitted_card;
mod test_clock;
mod test_disputes;
mod unknown_members;
mod wallets;
mod webhooks;

pub(crate) use openapi::document as openapi_document;
pub(crate) use rate::{LIMITED, LIMITS, Rates};
pub(crate) use request_log::log;

use crate::App;
use axum::Router;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use bytes::Bytes;
use error::ApiError;
use http_body_util::BodyExt;
use payframe_protocol::warning::Warning;
use serde::Serialize;
use serde_json::Value;
use std::sync::LazyLock;

/// The API's routes.
pub(crate) fn router(app: &App) -> Router<App> {
    let api = router::service(app);
    Router::new()
        .route("/api/openapi.json", get(openapi_json))
        .route_service("/api", api.clone())
        .route_service("/api/", api.clone())
        .route_service("/api/{*path}", api.clone())
        .route_service("/psp/api/v1/{*path}", api)
}

/// The OpenAPI document. It is the same for everybody, and contains no data of merchants.
async fn openapi_json() -> Response<Body> {
    static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| openapi::document().to_string().into());
    let mut response = Response::new(Body::from(DOCUMENT.clone()));
    for (name, value) in [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "max-age=300"),
    ] {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The answer after a handler panicked. The panic's message is in the log.
pub(crate) fn panicked(_: Box<dyn std::any::Any + Send>) -> Response<Body> {
    ApiError::Ours.into_response()
}

/// A successful answer.
#[derive(Debug)]
pub(crate) struct Reply {
    status: u16,
    body: Vec<u8>,
    replayed: bool,
    cache: Option<HeaderValue>,
    /// The version of what was read.
    version: Option<HeaderValue>,
    /// The idempotency key, if the gateway made it.
    made_key: Option<String>,
}

impl Reply {
    /// 200 with a value as JSON.
    fn json(value: &impl Serialize) -> Result<Reply, ApiError> {
        serde_json::to_vec(value)
            .map(Reply::bytes)
            .map_err(|_| ApiError::Ours)
    }

    /// 200 with JSON that is already serialized.
    fn bytes(body: Vec<u8>) -> Reply {
        Reply {
            status: 200,
            body,
            replayed: false,
            cache: None,
            version: None,
            made_key: None,
        }
    }

    /// An answer that was sent before.
    fn replayed(status: u16, body: Vec<u8>) -> Reply {
        Reply {
            status,
            body,
            replayed: true,
            cache: None,
            version: None,
            made_key: None,
        }
    }

    /// The same answer with a warning: in its operation if it has one, else beside its members.
    fn with_warning(mut self, warning: &Warning) -> Result<Reply, ApiError> {
        let mut answer: Value = serde_json::from_slice(&self.body).map_err(|_| ApiError::Ours)?;
        let about = match answer.get_mut("operation") {
            Some(operation) => operation,
            None => &mut answer,
        };
        let warning = serde_json::to_value(warning).map_err(|_| ApiError::Ours)?;
        match about.get_mut("warnings").and_then(Value::as_array_mut) {
            Some(warnings) => warnings.push(warning),
            None => about["warnings"] = Value::Array(vec![warning]),
        }
        self.body = serde_json::to_vec(&answer).map_err(|_| ApiError::Ours)?;
        Ok(self)
    }

    /// The answer of a handler. The refusal of a handler is an error.
    async fn of_handler(response: Response<Body>) -> Result<Reply, ApiError> {
        if !response.status().is_success() {
            return Err(ApiError::Answered(Box::new(response)));
        }
        let (mut parts, body) = response.into_parts();
        let body = body.collect().await.map_err(|_| ApiError::Ours)?;
        Ok(Reply {
            status: parts.status.as_u16(),
            body: body.to_bytes().into(),
            replayed: false,
            cache: parts.headers.remove(CACHE_CONTROL),
            version: parts.headers.remove(ETAG),
            made_key: None,
        })
    }

    /// The response to the caller.
    fn send(mut self) -> Response<Body> {
        // Done here, so that it also applies to answers that were stored earlier.
        self.body = nulls::left_out(self.body);
        self.into_response()
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response<Body> {
        let has_body = !self.body.is_empty();
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK);
        let headers = response.headers_mut();
        if has_body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        if let Some(cache) = self.cache {
            headers.insert(CACHE_CONTROL, cache);
        }
        if let Some(version) = self.version {
            headers.insert(ETAG, version);
        }
        if let Some(key) = self
            .made_key
            .and_then(|key| HeaderValue::from_str(&key).ok())
        {
            headers.insert("idempotency-key", key);
        }
        if self.replayed {
            headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
        }
        response
    }
}
