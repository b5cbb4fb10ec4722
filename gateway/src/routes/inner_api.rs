//! Calls of the API that a page of the gateway makes in place of a browser whose frame runs no script.
//!
//! They go through the same pipeline as the calls of frames: credential, rate, idempotency key, state, sum. Nothing is left out, and no
//! rule exists twice. A call from outside cannot be one of them: the card of [`TypedCard`] is an extension of the request, which no
//! HTTP message contains.

use super::browser_kind::NAMES_OF_KIND;
use super::encrypted_card::TypedCard;
use super::router;
use crate::App;
use crate::admission::WithinPage;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method, Response, StatusCode};
use http_body_util::BodyExt;
use payframe_error_codes::ErrorCode;
use payframe_payment_service::card_keys::OpenedItems;
use serde_json::Value;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use tower::ServiceExt;
use tower::util::BoxCloneSyncService;

/// The API, as pages of the gateway call it. Clones share everything.
#[derive(Clone)]
pub(crate) struct InnerApi(BoxCloneSyncService<Request, Response<Body>, Infallible>);

/// The browser for which a page calls, so that its address and its kind count as those of the caller.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) headers: HeaderMap,
    pub(crate) peer: Option<SocketAddr>,
}

/// A call of the session's frame.
pub(crate) struct InnerCall<'a> {
    pub(crate) session_id: &'a str,
    /// Idempotency key.
    pub(crate) key: String,
    /// Below the API's base.
    pub(crate) path: &'a str,
    pub(crate) body: Value,
    /// Card number and security code, if the call has them.
    pub(crate) card: Option<OpenedItems>,
}

/// The answer of a call.
pub(crate) struct InnerAnswer {
    pub(crate) status: StatusCode,
    /// `null` if it is empty.
    pub(crate) body: Value,
    /// Whether the same call was answered before.
    pub(crate) is_replayed: bool,
}

impl InnerApi {
    /// The API of this gateway.
    pub(crate) fn new(app: &App) -> InnerApi {
        InnerApi(BoxCloneSyncService::new(router::service(app)))
    }

    /// Sends a call and waits for its answer.
    pub(crate) async fn post(&self, browser: &Browser, call: InnerCall<'_>) -> InnerAnswer {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(format!("/api/v1{}", call.path))
            .header(CONTENT_TYPE, "application/json")
            .header("session", call.session_id)
            .header("idempotency-key", call.key);
        for name in [FORWARDED].into_iter().chain(NAMES_OF_KIND) {
            for value in browser.headers.get_all(name) {
                request = request.header(name, value);
            }
        }
        // What is not valid in a header is no session's id.
        let Ok(mut request) = request.body(Body::from(call.body.to_string())) else {
            return InnerAnswer::of_nobody(StatusCode::UNAUTHORIZED);
        };
        let extensions = request.extensions_mut();
        extensions.insert(WithinPage);
        if let Some(peer) = browser.peer {
            extensions.insert(ConnectInfo(peer));
        }
        if let Some(card) = call.card {
            extensions.insert(TypedCard(Arc::new(card)));
        }
        let response = match self.0.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let (parts, body) = response.into_parts();
        let Ok(body) = body.collect().await else {
            return InnerAnswer::of_nobody(StatusCode::INTERNAL_SERVER_ERROR);
        };
        InnerAnswer {
            status: parts.status,
            body: serde_json::from_slice(&body.to_bytes()).unwrap_or_default(),
            is_replayed: parts.headers.contains_key("idempotency-replayed"),
        }
    }
}

impl InnerAnswer {
    /// Whether it is a refusal with this code.
    pub(crate) fn is_refusal(&self, code: ErrorCode) -> bool {
        let errors = self.body.get("errors").and_then(Value::as_array);
        errors.is_some_and(|errors| {
            let code = code.to_string();
            errors
                .iter()
                .any(|error| error.get("code").and_then(Value::as_str) == Some(code.as_str()))
        })
    }

    fn of_nobody(status: StatusCode) -> InnerAnswer {
        InnerAnswer {
            status,
            body: Value::Null,
            is_replayed: false,
        }
    }
}

/// The header in which proxies say who calls.
const FORWARDED: &str = "x-forwarded-for";
