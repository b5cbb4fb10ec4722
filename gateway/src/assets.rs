//! How browsers get the files of the built widget ([`crate::dist::Dist`]).
//!
//! The files are served from disk, compressed at build time: `/sdk/*` is for
//! merchants' pages, `/assets/*` for our own frames. Other files of the dist are not served, and
//! no folder is listed.

use crate::App;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path as UrlPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::convert::Infallible;
use tower::ServiceExt as _;
use tower_http::services::fs::ServeFileSystemResponseBody;
use tower_http::services::{ServeDir, ServeFile};

/// Routes of the built files.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/sdk/{file}", get(current_sdk))
        .route("/sdk/{release}/{file}", get(released_file))
        .route("/assets/{file}", get(released_file))
        .route("/assets/methods/{file}", get(picture))
        .route("/assets/hosted/{file}", get(hosted_file))
}

/// `/sdk/payframe.js` and the other scripts of the current release. Browsers ask again after five minutes.
async fn current_sdk(State(app): State<App>, request: Request) -> Response {
    from_disk(&app, request, "public, max-age=300").await
}

/// A path that contains its release or its hash: its bytes never change.
async fn released_file(State(app): State<App>, request: Request) -> Response {
    from_disk(&app, request, "public, max-age=31536000, immutable").await
}

/// A picture of a network or method, under its plain name.
async fn picture(State(app): State<App>, request: Request) -> Response {
    from_disk(&app, request, "public, max-age=86400").await
}

/// Styles and script of the hosted payment page.
async fn hosted_file(
    State(app): State<App>,
    UrlPath(file): UrlPath<String>,
    request: Request,
) -> Response {
    one_of(&app, "hosted", &HOSTED_FILES, &file, request).await
}

/// Serves a file of a folder of the dist if its name is in `names`. The list is explicit because the markup of the
/// pages is in the same folder.
async fn one_of(app: &App, folder: &str, names: &[&str], file: &str, request: Request) -> Response {
    let (Some(dist), Some(name)) = (app.dist(), names.iter().find(|name| **name == file)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let service = ServeFile::new(dist.root().join(folder).join(name))
        .precompressed_br()
        .precompressed_gzip();
    finish(service.oneshot(request).await, "public, max-age=300")
}

/// Serves the file whose path in the dist is the request's own path. `ServeDir` refuses paths that leave the dist.
async fn from_disk(app: &App, request: Request, caching: &'static str) -> Response {
    let path = request.uri().path();
    // A path that the file system cannot look up (with a zero byte, or too long) would otherwise be answered as our failure.
    let may_be_there = path.len() <= LONGEST_PATH
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    let Some(dist) = app.dist().filter(|_| may_be_there) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let service = ServeDir::new(dist.root())
        .append_index_html_on_directories(false)
        .precompressed_br()
        .precompressed_gzip();
    finish(service.oneshot(request).await, caching)
}

/// In characters: longer than the path of any file in a dist.
const LONGEST_PATH: usize = 200;

type FileAnswer = axum::http::Response<ServeFileSystemResponseBody>;

fn finish(answer: Result<FileAnswer, Infallible>, caching: &'static str) -> Response {
    let Ok(answer) = answer;
    // `ServeDir` answers a folder with a redirect to the same path with a slash. The dist serves no folders.
    if answer.status() == StatusCode::NOT_FOUND || answer.headers().contains_key(header::LOCATION) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let mut answer = answer.map(Body::new);
    let keeps = answer.status().is_success() || answer.status() == StatusCode::NOT_MODIFIED;
    let caching = if keeps { caching } else { "no-store" };
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
    answer
}

const HOSTED_FILES: [&str; 3] = ["hosted.css", "hosted.js", "terms.css"];

#[cfg(test)]
mod tests;
