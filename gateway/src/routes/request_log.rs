//! One line in the log for each request, and the gateway's own correlation id in each answer.
//!
//! The line names the route by its pattern. Addresses are not logged: queries contain session ids, and paths
//! contain page tokens.

use super::pipeline::{CorrelationId, RoutePattern};
use crate::monitoring;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// Logs a request and marks its answer.
pub(crate) async fn log(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let matched = request
        .extensions()
        .get::<MatchedPath>()
        .map(|path| path.as_str().to_owned());
    let cid = uuid::Uuid::new_v4().to_string();
    let mut response = next.run(request).await;
    if let Ok(value) = HeaderValue::from_str(&cid) {
        response.headers_mut().insert("cid", value);
    }
    let route = match response.extensions().get::<RoutePattern>() {
        Some(RoutePattern(pattern)) => pattern,
        None => matched.as_deref().unwrap_or("none"),
    };
    let correlation_id = response
        .extensions()
        .get::<CorrelationId>()
        .map_or("", |CorrelationId(id)| id.as_str());
    let status = response.status().as_u16();
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    monitoring::answered(known(&method), route, status, started);
    tracing::info!(cid, correlation_id, %method, route, status, ms, "request");
    response
}

/// The name of a known method. Callers may make up other names.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
