//! The docs site at `/docs`: the static files that `cargo xtask docs` wrote into the dist.
//!
//! Its pages have the origin of the form's frames, so a script in one of them could open a form and read it. They therefore run only files
//! of the gateway, take nothing from their address, cannot be framed, and turn no text into markup. They are the same in a sandbox
//! and in production, except for the playground: it opens sessions with a key that everybody knows, so only a sandbox has it.

use crate::App;
use crate::dist::addresses::is_hidden_doc;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use payframe_web_pages::{allow_scripts_without_hash, protect};

/// Routes of the docs, except for the playground.
pub(super) fn router() -> Router<App> {
    Router::new()
        // The links of the pages are relative to the folder.
        .route("/docs", get(|| async { Redirect::permanent("/docs/") }))
        .route("/docs/", get(start))
        .route("/docs/{*path}", get(file))
}

/// Whether this gateway has a playground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Playground {
    /// It shows a live form.
    Open,
    /// A page says how to start a gateway that has one.
    Closed,
}

/// The route of the playground.
pub(crate) fn playground_router(playground: Playground) -> Router<App> {
    let (file, policy) = match playground {
        Playground::Open => ("docs/playground.html", WITH_FORM),
        Playground::Closed => ("docs/playground-closed.html", POLICY),
    };
    let page = move |State(app): State<App>, headers: HeaderMap| async move {
        let mut page = answer(&app, file, policy, &headers);
        // It loads the shim of whatever release the gateway serves, as shops do that name no release.
        allow_scripts_without_hash(&mut page);
        page
    };
    Router::new().route("/docs/playground", get(page))
}

async fn start(State(app): State<App>, headers: HeaderMap) -> Response {
    answer(&app, "docs/index.html", POLICY, &headers)
}

/// A file of the site, or the page whose address has no ending.
async fn file(State(app): State<App>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    let page = format!("docs/{path}.html");
    let has_page = app.dist().is_some_and(|dist| dist.files().has(&page));
    let path = if has_page {
        page
    } else {
        format!("docs/{path}")
    };
    if is_hidden_doc(&path) {
        return StatusCode::NOT_FOUND.into_response();
    }
    answer(&app, &path, POLICY, &headers)
}

fn answer(app: &App, path: &str, policy: &str, request: &HeaderMap) -> Response {
    let Some(dist) = app.dist() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut answer = dist.files().answer(path, request);
    if answer.status() == StatusCode::NOT_FOUND {
        return answer;
    }
    protect(&mut answer, policy);
    let headers = answer.headers_mut();
    let text = path.rsplit_once('.').and_then(|(_, ending)| match ending {
        "md" => Some("text/markdown; charset=utf-8"),
        "txt" => Some("text/plain; charset=utf-8"),
        _ => None,
    });
    if let Some(kind) = text {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    for (name, value) in [
        // Browsers ask each time, and get 304 if nothing changed.
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, "accept-encoding"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
/// Of the playground: it shows a form of this gateway.
const WITH_FORM: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

#[cfg(test)]
mod tests;
