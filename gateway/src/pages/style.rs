//! `/fields/style`: the merchant's own sheet for a field's page (contract 7.6), filtered.
//!
//! The page loads it from us, so the merchant's server learns nothing about the buyer. A filtered sheet can neither leak data nor deceive.

use crate::App;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use payframe_payment_service::report;
use payframe_web_pages::compression;
use serde::Deserialize;

/// `/fields/style`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/fields/style", get(style))
        .layer(compression())
}

#[derive(Deserialize)]
struct StyleQuery {
    sessionid: String,
    href: String,
}

async fn style(
    State(app): State<App>,
    query: Result<Query<StyleQuery>, QueryRejection>,
) -> Response {
    let Ok(Query(query)) = query else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let hash = match app.forms().live_session(&query.sessionid).await {
        Ok(Some(hash)) => hash,
        Ok(None) => return StatusCode::NOT_FOUND.into_response(),
        Err(problem) => {
            report("a merchant's sheet", &problem);
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    };
    if let Err(seconds) = app.rates().admit_frame(&hash).await {
        let wait = [(header::RETRY_AFTER, seconds.to_string())];
        return (StatusCode::TOO_MANY_REQUESTS, wait).into_response();
    }
    let css = app.style_sheets().find(&query.href, app.clock()).await;
    let mut answer = css.to_string().into_response();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        answer
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    answer
}
