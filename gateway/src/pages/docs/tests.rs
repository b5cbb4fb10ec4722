//! Tests of what the docs answer, and what they do not.

use super::*;
use crate::dist::tests::{Answer, MadeUpDist};
use axum::body::Body;
use axum::http::Request;
use tower::ServiceExt as _;

async fn ask(router: Router, path: &str) -> Answer {
    let request = Request::builder().uri(path).body(Body::empty()).unwrap();
    Answer::read(router.oneshot(request).await.unwrap()).await
}

fn with_docs() -> MadeUpDist {
    let made = MadeUpDist::new();
    for (path, text) in [
        ("index.html", "start"),
        ("element.html", "the element"),
        ("element.html.br", "brotli"),
        ("element.md", "# The element – as text"),
        ("adr/0001.html", "a decision"),
        ("files/www/sdk/payframe.d.ts.html", "a copy"),
        ("playground.html", "live"),
        ("playground-closed.html", "closed"),
        ("stamp", "a hash"),
    ] {
        made.write(&format!("docs/{path}"), text);
    }
    made
}

#[tokio::test]
async fn pages_are_found_without_an_ending() {
    let made = with_docs();
    let router = crate::router(made.app().await);
    for (path, expected) in [
        ("/docs/", "start"),
        ("/docs/element", "the element"),
        ("/docs/element.html", "the element"),
        ("/docs/adr/0001", "a decision"),
        ("/docs/files/www/sdk/payframe.d.ts", "a copy"),
        ("/docs/element.md", "# The element – as text"),
        ("/docs/playground", "live"),
    ] {
        let answer = ask(router.clone(), path).await;
        assert_eq!(
            (answer.status, &*answer.text),
            (StatusCode::OK, expected),
            "{path}"
        );
    }
    for path in [
        "/docs/nothing",
        "/docs/adr",
        "/docs/stamp",
        "/docs/element.html.br",
        "/docs/playground.html",
        "/docs/playground-closed",
        "/docs/../secret.txt",
        "/docs/%2e%2e/secret.txt",
    ] {
        let answer = ask(router.clone(), path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    let folder = ask(router, "/docs").await;
    assert_eq!(folder.header("location"), "/docs/");
}

#[tokio::test]
async fn only_the_playground_may_show_frames() {
    let made = with_docs();
    let router = crate::router(made.app().await);
    let page = ask(router.clone(), "/docs/element").await;
    assert_eq!(page.header("content-type"), "text/html");
    assert_eq!(page.header("cache-control"), "no-cache");
    assert_eq!(page.header("cross-origin-opener-policy"), "same-origin");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(
        policy.contains("require-trusted-types-for 'script'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(!policy.contains("frame-src"), "{policy}");
    let text = ask(router.clone(), "/docs/element.md").await;
    assert_eq!(text.header("content-type"), "text/markdown; charset=utf-8");
    assert_eq!(text.header("content-security-policy"), policy);
    let playground = ask(router, "/docs/playground").await;
    let with_form = playground.header("content-security-policy");
    assert!(with_form.contains("frame-src 'self'"), "{with_form}");
    assert_eq!(with_form.replace(" frame-src 'self';", ""), policy);
}

#[tokio::test]
async fn production_has_no_playground() {
    let made = with_docs();
    let router: Router<App> = playground_router(Playground::Closed);
    let answer = ask(router.with_state(made.app().await), "/docs/playground").await;
    assert_eq!(answer.text, "closed");
    assert!(
        !answer
            .header("content-security-policy")
            .contains("frame-src")
    );
}

#[tokio::test]
async fn without_built_docs_there_are_none() {
    let made = MadeUpDist::new();
    let router = crate::router(made.app().await);
    for path in ["/docs/", "/docs/element", "/docs/playground"] {
        let answer = ask(router.clone(), path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
}
