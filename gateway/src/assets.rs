//! How browsers get the files of the built widget ([`crate::dist::Dist`]).
//!
//! The files are served from memory, compressed at build time: `/sdk/*` is for
//! merchants' pages, `/assets/*` for our own frames. Other files of the dist are not served, and
//! no folder is listed.

use crate::App;
use crate::dist::addresses::HOSTED_FILES;
use axum::Json;
use axum::Router;
use axum::extract::{Path as UrlPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;

/// Routes of the built files.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/sdk/release.json", get(release))
        .route("/sdk/{file}", get(current_sdk))
        .route("/sdk/{release}/{file}", get(released_file))
        .route("/assets/{file}", get(released_file))
        .route("/assets/methods/{file}", get(picture))
        .route("/assets/hosted/{file}", get(hosted_file))
}

/// Which release this gateway serves.
async fn release(State(app): State<App>) -> Response {
    let Some(dist) = app.dist() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut answer = Json(json!({ "release": dist.release() })).into_response();
    add_headers(&mut answer, "no-cache");
    answer
}

/// `/sdk/payframe.js` and the other scripts of the current release. Browsers ask again after five minutes.
async fn current_sdk(State(app): State<App>, request: Request) -> Response {
    serve_path(&app, &request, "public, max-age=300")
}

/// A path that contains its release or its hash: its bytes never change.
async fn released_file(State(app): State<App>, request: Request) -> Response {
    serve_path(&app, &request, "public, max-age=31536000, immutable")
}

/// A picture of a network or method, under its plain name.
async fn picture(State(app): State<App>, request: Request) -> Response {
    serve_path(&app, &request, "public, max-age=86400")
}

async fn hosted_file(
    State(app): State<App>,
    UrlPath(file): UrlPath<String>,
    headers: HeaderMap,
) -> Response {
    if !HOSTED_FILES.contains(&file.as_str()) {
        return StatusCode::NOT_FOUND.into_response();
    }
    serve(
        &app,
        &format!("hosted/{file}"),
        &headers,
        "public, max-age=300",
    )
}

/// Serves the file whose path in the dist is the request's own path.
fn serve_path(app: &App, request: &Request, caching: &'static str) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    serve(app, path, request.headers(), caching)
}

fn serve(app: &App, path: &str, request: &HeaderMap, caching: &'static str) -> Response {
    let Some(dist) = app.dist() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut answer = dist.answer(path, request);
    if answer.status() != StatusCode::NOT_FOUND {
        add_headers(&mut answer, caching);
    }
    answer
}

/// For pages of every origin.
fn add_headers(answer: &mut Response, caching: &'static str) {
    for (name, value) in [
        (header::CACHE_CONTROL, caching),
        (header::VARY, "accept-encoding"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ] {
        answer
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests;
