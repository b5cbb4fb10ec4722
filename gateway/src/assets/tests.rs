//! Tests of what browsers get, and what they do not.

use super::*;
use crate::dist::tests::{Answer, MadeUpDist, SHIM};
use axum::body::Body;
use axum::http::Method;
use tower::ServiceExt as _;

async fn ask(app: &App, method: Method, path: &str, encodings: &str) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("accept-encoding", encodings)
        .body(Body::empty())
        .unwrap();
    let answer = crate::router(app.clone()).oneshot(request).await.unwrap();
    Answer::read(answer).await
}

#[tokio::test]
async fn the_sdk_is_for_everybody_and_fresh_within_five_minutes() {
    let made = MadeUpDist::new();
    let app = made.app().await;
    let plain = ask(&app, Method::GET, "/sdk/payframe.js", "identity").await;
    assert_eq!(plain.status, StatusCode::OK);
    assert_eq!(plain.text, SHIM);
    assert_eq!(plain.header("content-type"), "text/javascript");
    assert_eq!(plain.header("cache-control"), "public, max-age=300");
    assert_eq!(plain.header("access-control-allow-origin"), "*");
    assert_eq!(plain.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(plain.header("x-content-type-options"), "nosniff");
    let released = ask(
        &app,
        Method::GET,
        "/sdk/0.1.0-1a2b3c4d/payframe.js",
        "identity",
    )
    .await;
    assert_eq!(released.text, SHIM);
    assert_eq!(
        released.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
}

#[tokio::test]
async fn everybody_may_read_which_release_is_served() {
    let made = MadeUpDist::new();
    let app = made.app().await;
    let answer = ask(&app, Method::GET, "/sdk/release.json", "identity").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.text, r#"{"release":"0.1.0-1a2b3c4d"}"#);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-cache");
    assert_eq!(answer.header("access-control-allow-origin"), "*");
}

#[tokio::test]
async fn existing_pages_have_the_class_build_from_its_former_address() {
    let made = MadeUpDist::new();
    let app = made.app().await;
    let present = ask(&app, Method::GET, "/sdk/build.js", "identity").await;
    let former = "/monetaweb/resources/hfsdk.js";
    let answer = ask(&app, Method::GET, former, "identity").await;
    assert_eq!(
        (answer.status, &answer.text),
        (StatusCode::OK, &present.text)
    );
    assert_eq!(answer.header("content-type"), "text/javascript");
    assert_eq!(answer.header("cache-control"), "public, max-age=300");
    let other = ask(
        &app,
        Method::GET,
        "/monetaweb/resources/other.js",
        "identity",
    )
    .await;
    assert_eq!(other.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_was_compressed_at_build_time_is_sent_to_whoever_takes_it() {
    let made = MadeUpDist::new();
    let app = made.app().await;
    for (encodings, sent, text) in [
        ("gzip, deflate, br, zstd", "br", "brotli of the shim"),
        ("gzip", "gzip", "gzip of the shim"),
        ("br;q=0, gzip", "gzip", "gzip of the shim"),
        ("identity", "", SHIM),
        ("", "", SHIM),
    ] {
        let answer = ask(&app, Method::GET, "/sdk/payframe.js", encodings).await;
        assert_eq!(answer.header("content-encoding"), sent, "{encodings}");
        assert_eq!(answer.text, text, "{encodings}");
        assert_eq!(answer.header("content-type"), "text/javascript");
        assert_eq!(answer.header("vary"), "accept-encoding");
    }
}

#[tokio::test]
async fn hashed_assets_never_change() {
    let made = MadeUpDist::new();
    let app = made.app().await;
    let wasm = ask(
        &app,
        Method::GET,
        "/assets/payframe_bg.8899aabbccddeeff.wasm",
        "br",
    )
    .await;
    assert_eq!(wasm.header("content-type"), "application/wasm");
    assert_eq!(
        wasm.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(wasm.header("access-control-allow-origin"), "*");
    let head = ask(
        &app,
        Method::HEAD,
        "/assets/payframe.0011223344556677.js",
        "br",
    )
    .await;
    assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""));
}

#[tokio::test]
async fn nothing_else_of_the_dist_is_served() {
    let made = MadeUpDist::new();
    let app = made.app().await;
    for path in [
        "/sdk/",
        "/sdk/0.1.0-1a2b3c4d",
        "/sdk/0.1.0-1a2b3c4d/",
        "/assets/",
        "/assets/none.js",
        "/assets/hosted",
        "/assets/hosted/hosted.html",
        "/assets/hosted/..%2fmanifest.json",
        "/sdk/..%2fsecret.txt",
        "/sdk/%2e%2e/secret.txt",
        "/sdk/../secret.txt",
        "/assets/..%2f..%2fetc%2fpasswd",
        "/sdk/%00",
        "/manifest.json",
        "/frame/form.eng.html",
    ] {
        let answer = ask(&app, Method::GET, path, "identity").await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!answer.text.contains("not for anybody"), "{path}");
        assert_eq!(answer.header("cache-control"), "", "{path}");
    }
    assert_eq!(
        ask(&app, Method::GET, "/assets/hosted/hosted.css", "identity")
            .await
            .status,
        StatusCode::OK
    );
    assert_eq!(
        ask(&app, Method::POST, "/sdk/payframe.js", "identity")
            .await
            .status,
        StatusCode::METHOD_NOT_ALLOWED
    );
}

#[tokio::test]
async fn what_the_browser_has_is_not_sent_again() {
    let made = MadeUpDist::new();
    let app = made.app().await;
    let first = ask(&app, Method::GET, "/sdk/payframe.js", "br").await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"'), "{tag}");
    for (encodings, known, status) in [
        ("br", tag.as_str(), StatusCode::NOT_MODIFIED),
        (
            "br",
            &format!("\"other\", W/{tag}"),
            StatusCode::NOT_MODIFIED,
        ),
        ("br", "\"other\"", StatusCode::OK),
        // Another encoding has other bytes.
        ("gzip", &tag, StatusCode::OK),
    ] {
        let request = Request::builder()
            .uri("/sdk/payframe.js")
            .header("accept-encoding", encodings)
            .header("if-none-match", known)
            .body(Body::empty())
            .unwrap();
        let answer = crate::router(app.clone()).oneshot(request).await.unwrap();
        assert_eq!(answer.status(), status, "{encodings} {known}");
        assert_eq!(answer.headers()["cache-control"], "public, max-age=300");
    }
}
