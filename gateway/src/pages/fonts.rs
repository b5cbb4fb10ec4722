//! `/fonts/`: the font of a terminal's forms, and the style sheet that names it.
//!
//! The address contains the hash of the font, so its content never changes. A removed font and an unknown one have the same answer.
//! The store has only fonts that were rebuilt without rules (`payframe_merchant_font`).

use crate::App;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use payframe_storage::fonts;
use payframe_web_pages::compression;

/// Serves `/fonts/{hash}.css` and `/fonts/{hash}.ttf`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/fonts/{file}", get(font))
        .layer(compression())
}

/// The element that makes a page use the font.
pub(super) fn link(hash: &str) -> String {
    format!("<link rel=\"stylesheet\" href=\"/fonts/{hash}.css\">")
}

async fn font(State(app): State<App>, Path(name): Path<String>) -> Response {
    let (hash, kind) = name.split_once('.').unwrap_or_default();
    let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    match kind {
        "css" if is_hash => immutable("text/css; charset=utf-8", sheet(hash)),
        "ttf" if is_hash => file(&app, hash).await,
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn file(app: &App, hash: &str) -> Response {
    let read = async { fonts::file(&mut *app.store().read().await?, hash).await };
    match read.await {
        Ok(Some(file)) => immutable("font/ttf", file),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(problem) => {
            tracing::error!(%problem, "a terminal's font could not be read");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

/// Text is drawn in the system's font until the file is loaded.
fn sheet(hash: &str) -> String {
    format!(
        "@font-face{{font-family:\"Merchant\";font-display:swap;src:url(/fonts/{hash}.ttf) format(\"truetype\")}}\n\
         :root{{--merchant-font:\"Merchant\"}}\n"
    )
}

fn immutable(media_type: &'static str, body: impl IntoResponse) -> Response {
    let mut answer = body.into_response();
    for (name, value) in [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
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
