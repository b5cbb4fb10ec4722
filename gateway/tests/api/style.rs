//! `/fields/style`: merchants' sheets, fetched from a real server on this machine.

use crate::harness::{TestApp, build};
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A merchant's server, and how often it was asked for its sheet.
struct Shop {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
}

impl Shop {
    async fn start() -> Shop {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        let css = |text: &'static str| ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], text);
        let to = |place: &'static str| (StatusCode::FOUND, [(header::LOCATION, place)]);
        let shop = Router::new()
            .route(
                "/a.css",
                get(move || async move {
                    counter.fetch_add(1, Ordering::SeqCst);
                    css("input { color: red; position: fixed } input[value] { color: blue } @import 'b.css';")
                }),
            )
            .route("/three", get(move || async move { to("two") }))
            .route("/two", get(move || async move { to("/one") }))
            .route("/one", get(move || async move { to("/a.css") }))
            .route("/four", get(move || async move { to("/three") }))
            .route("/inside", get(move || async move { to("https://10.0.0.1/a.css") }))
            .route("/file", get(move || async move { to("file:///etc/passwd") }))
            .route("/page", get(|| async { ([(header::CONTENT_TYPE, "text/html")], "input { color: red }") }))
            .route("/bytes", get(|| async { ([(header::CONTENT_TYPE, "text/css")], vec![0xff, 0xfe]) }))
            .route("/large", get(move || async move { ([(header::CONTENT_TYPE, "text/css")], " ".repeat((64 << 10) + 1)) }))
            .route("/full", get(move || async move { ([(header::CONTENT_TYPE, "text/css")], format!("{}input{{color:red}}", " ".repeat((64 << 10) - 16))) }))
            .route("/broken", get(|| async { StatusCode::INTERNAL_SERVER_ERROR.into_response() }));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, shop).await });
        Shop { address, asked }
    }

    fn href(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

async fn style(app: &TestApp, session: &str, href: &str) -> crate::harness::Answer {
    let query: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("sessionid", session)
        .append_pair("href", href)
        .finish();
    app.page(&format!("/fields/style?{query}"), &[]).await
}

const FILTERED: &str =
    "/* dropped: 2 rules, 1 declarations of other rules */\ninput { color: red }\n";

/// N21: it is never loaded into the card frame.
#[tokio::test]
async fn a_sheet_comes_from_our_origin_and_filtered() {
    let app = TestApp::new().await;
    let shop = Shop::start().await;
    let session = app.open(&build("A1")).await;
    for path in ["/a.css", "/a.css?x=1#y", "/one", "/three"] {
        let answer = style(&app, &session, &shop.href(path)).await;
        assert_eq!(
            (answer.status, answer.text().as_str()),
            (200, FILTERED),
            "{path}"
        );
        assert_eq!(
            answer.header("content-type"),
            Some("text/css; charset=utf-8")
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            Some("same-origin")
        );
    }
    let full = style(&app, &session, &shop.href("/full")).await;
    assert!(
        full.text().ends_with("input { color: red }\n"),
        "{}",
        full.text()
    );
}

#[tokio::test]
async fn what_cannot_be_had_is_an_empty_sheet_that_says_why() {
    let app = TestApp::new().await;
    let shop = Shop::start().await;
    let session = app.open(&build("A1")).await;
    for (href, why) in [
        (shop.href("/four"), "there are too many redirects"),
        (
            shop.href("/inside"),
            "the sheet's server cannot be reached on the public internet",
        ),
        (
            shop.href("/file"),
            "cssLink must be an absolute https address",
        ),
        (shop.href("/none"), "the sheet's server has no sheet there"),
        (
            shop.href("/broken"),
            "the sheet's server has no sheet there",
        ),
        (shop.href("/page"), "it is not plain text/css"),
        (shop.href("/bytes"), "it is not plain text/css"),
        (shop.href("/large"), "the sheet is too large"),
        (
            "http://127.0.0.1:1/a.css".into(),
            "the sheet's server cannot be reached on the public internet",
        ),
        (
            "http://10.0.0.1/a.css".into(),
            "cssLink must be an absolute https address",
        ),
        (
            "https://192.168.0.1/a.css".into(),
            "the sheet's server cannot be reached on the public internet",
        ),
        (
            "https://169.254.169.254/a.css".into(),
            "the sheet's server cannot be reached on the public internet",
        ),
        // The same answer as for names with an address inside: whether a name is known here is nobody's business.
        (
            "https://unknown.invalid/a.css".into(),
            "the sheet's server cannot be reached on the public internet",
        ),
        (
            "http://unknown.invalid/a.css".into(),
            "cssLink must be an absolute https address",
        ),
        // Plain http is only for a developer's own machine.
        (
            "http://1.1.1.1/a.css".into(),
            "cssLink must be an absolute https address",
        ),
        ("/a.css".into(), "cssLink must be an absolute https address"),
        (
            "data:text/css,input{}".into(),
            "cssLink must be an absolute https address",
        ),
        (
            "https://user:secret@shop.example/a.css".into(),
            "cssLink must be an absolute https address",
        ),
        (String::new(), "cssLink must be an absolute https address"),
    ] {
        let answer = style(&app, &session, &href).await;
        let expected = format!("/* not used: {why} */\n");
        assert_eq!((answer.status, answer.text()), (200, expected), "{href}");
        assert_eq!(
            answer.header("content-type"),
            Some("text/css; charset=utf-8")
        );
    }
}

#[tokio::test]
async fn a_server_that_keeps_silent_holds_no_field_up() {
    let app = TestApp::with(|config| config.sheet_timeout = Duration::from_millis(100)).await;
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let href = format!("http://{}/a.css", silent.local_addr().unwrap());
    let session = app.open(&build("A1")).await;
    let answer = style(&app, &session, &href).await;
    assert_eq!(
        answer.text(),
        "/* not used: the sheet's server took too long */\n"
    );
}

#[tokio::test]
async fn a_gateway_of_the_public_internet_asks_nobody_else() {
    let app = TestApp::in_sandbox(|sandbox| sandbox.allow_insecure_urls = false).await;
    app.has_proven("91000001", "https://shop.example").await;
    let shop = Shop::start().await;
    let session = app.open(&build("A1")).await;
    for (href, why) in [
        (
            shop.href("/a.css"),
            "cssLink must be an absolute https address",
        ),
        (
            String::from("https://127.0.0.1/a.css"),
            "the sheet's server cannot be reached on the public internet",
        ),
        (
            String::from("https://localhost/a.css"),
            "the sheet's server cannot be reached on the public internet",
        ),
        (
            String::from("https://[::1]/a.css"),
            "the sheet's server cannot be reached on the public internet",
        ),
        (
            String::from("https://shop.example:8443/a.css"),
            "cssLink must be an absolute https address",
        ),
    ] {
        let answer = style(&app, &session, &href).await;
        assert_eq!(answer.text(), format!("/* not used: {why} */\n"), "{href}");
    }
    assert_eq!(shop.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_sheet_is_fetched_once_in_five_minutes() {
    let app = TestApp::new().await;
    let shop = Shop::start().await;
    let href = shop.href("/a.css");
    let session = app.open(&build("A1")).await;
    let asked = || shop.asked.load(Ordering::SeqCst);
    // The fields of a page ask at the same time.
    let (one, two, three) = tokio::join!(
        style(&app, &session, &href),
        style(&app, &session, &href),
        style(&app, &session, &href)
    );
    for answer in [one, two, three] {
        assert_eq!(answer.text(), FILTERED);
    }
    assert_eq!(asked(), 1);
    app.clock.advance(Duration::from_secs(200));
    style(&app, &session, &href).await;
    assert_eq!(asked(), 1);
    app.clock.advance(Duration::from_secs(101));
    style(&app, &session, &href).await;
    assert_eq!(asked(), 2);
}

#[tokio::test]
async fn only_a_live_sessions_frames_may_ask_and_not_too_often() {
    let app = TestApp::new().await;
    let shop = Shop::start().await;
    let href = shop.href("/a.css");
    let session = app.open(&build("A1")).await;
    assert_eq!(style(&app, "none", &href).await.status, 404);
    assert_eq!(app.page("/fields/style", &[]).await.status, 404);
    assert_eq!(
        app.page(&format!("/fields/style?sessionid={session}"), &[])
            .await
            .status,
        404
    );
    // Every call of a frame shows that the buyer is active.
    for _ in 0..3 {
        app.pass(200).await;
        assert_eq!(style(&app, &session, &href).await.status, 200);
    }
    let mut passed = 0;
    while style(&app, &session, &href).await.status == 200 {
        passed += 1;
        assert!(passed < 100);
    }
    let answer = style(&app, &session, &href).await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (429, Some("1"))
    );
    app.pass(301).await;
    assert_eq!(style(&app, &session, &href).await.status, 404);
}
