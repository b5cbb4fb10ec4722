//! The HTTP API below `/api`: [`operation`] says what a call is, [`table`] which calls there are, [`pipeline`] what each
//! goes through. The module that answers a call declares it. Rules of payments are not here but in `payments` and `domain`.

mod actions;
mod back_office;
mod build;
mod caller;
mod card_part;
mod codes;
mod contracts;
mod customer;
mod direct;
mod encrypted_card;
mod fault;
mod field_settings;
mod fields;
mod frame;
mod hosted;
mod hosted_request;
mod legal_texts;
mod lists;
mod meaning;
mod openapi;
mod operation;
mod order_part;
mod order_request;
mod pipeline;
mod problem;
mod query;
mod rate;
mod recurrence;
mod request_log;
mod reservation_charges;
mod reservation_request;
mod reservations;
mod scripts;
mod session_call;
mod shape;
mod sketch;
mod structures;
mod table;
mod three_steps;
mod unread;
mod urls;
mod wallets;

pub(crate) use openapi::document as openapi_document;
pub(crate) use rate::Rates;
pub(crate) use request_log::log;
pub(crate) use urls::public_url;

use crate::App;
use axum::Router;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::routing::{any, get};
use bytes::Bytes;
use problem::Refusal;
use serde::Serialize;
use std::sync::LazyLock;

/// The API's routes.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/api/openapi.json", get(openapi_json))
        .route("/api", any(pipeline::serve))
        .route("/api/", any(pipeline::serve))
        .route("/api/{*path}", any(pipeline::serve))
}

/// The OpenAPI document. It is the same for everybody, and says nothing of anybody.
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

/// The answer where a handler panicked. The panic's own words are in the log.
pub(crate) fn panicked(_: Box<dyn std::any::Any + Send>) -> Response<Body> {
    Refusal::Ours.into_response()
}

/// A good answer.
#[derive(Debug)]
pub(crate) struct Reply {
    status: u16,
    body: Vec<u8>,
    replayed: bool,
    cache: Option<&'static str>,
}

impl Reply {
    /// 200 with a value as JSON.
    fn json(value: &impl Serialize) -> Result<Reply, Refusal> {
        serde_json::to_vec(value)
            .map(Reply::bytes)
            .map_err(|_| Refusal::Ours)
    }

    /// 200 with JSON that is written already.
    fn bytes(body: Vec<u8>) -> Reply {
        Reply {
            status: 200,
            body,
            replayed: false,
            cache: None,
        }
    }

    /// 200 without a body.
    fn empty() -> Reply {
        Reply::bytes(Vec::new())
    }

    /// An answer that was given before.
    fn replayed(status: u16, body: Vec<u8>) -> Reply {
        Reply {
            status,
            body,
            replayed: true,
            cache: None,
        }
    }

    fn into_response(self) -> Response<Body> {
        let has_body = !self.body.is_empty();
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK);
        let headers = response.headers_mut();
        if has_body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        if let Some(cache) = self.cache {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
        }
        if self.replayed {
            headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
        }
        response
    }
}
