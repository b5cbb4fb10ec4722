//! The sandbox's pages of issuers and methods, for addresses without a payment.

use crate::harness::TestApp;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use tower::ServiceExt;

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn pages_of_unknown_tokens_are_readable() {
    let app = TestApp::new().await;
    for (path, form, expected) in [
        ("/threeds/device/none", None, 404),
        ("/threeds/device/none", Some((FORM, "")), 204),
        ("/threeds/challenge/none?left=9999", None, 404),
        ("/threeds/return/none", None, 404),
        ("/threeds/result/none", Some((FORM, "code=1")), 404),
        ("/threeds/result/none", Some(("text/plain", "code=1")), 400),
        ("/threeds/result/none", None, 405),
        ("/methods/pay/none", None, 404),
        ("/methods/return/none?theme=light", None, 404),
        ("/methods/pay/none", Some((FORM, "answer=approve")), 404),
        ("/methods/pay/none", Some((FORM, "answer=steal")), 400),
        (
            "/methods/pay/none",
            Some(("text/plain", "answer=approve")),
            400,
        ),
    ] {
        let request = match form {
            None => Request::get(path).body(Body::empty()),
            Some((kind, body)) => Request::post(path)
                .header("content-type", kind)
                .body(Body::from(body)),
        };
        let router = payframe_gateway::router(app.app.clone());
        let answer = router.oneshot(request.unwrap()).await.unwrap();
        assert_eq!(answer.status(), expected, "{path}");
        if expected == 404 {
            let body = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
            let text = String::from_utf8(body.to_vec()).unwrap();
            assert!(text.contains("This page is over"), "{path}");
        }
    }
}

/// A script of the shop's page must not answer in the buyer's place. The twin with the same site is a form of our own page.
#[tokio::test]
async fn answers_come_from_the_pages_own_forms() {
    let app = TestApp::new().await;
    for (path, body, expected) in [
        ("/threeds/result/none", "answer=approve", 404),
        ("/methods/pay/none", "answer=approve", 404),
        ("/threeds/device/none", "", 204),
    ] {
        for (name, value, expected) in [
            ("sec-fetch-site", "same-origin", expected),
            ("origin", "https://gateway.example", expected),
            ("sec-fetch-site", "cross-site", 403),
            ("sec-fetch-site", "same-site", 403),
            ("origin", "https://shop.example", 403),
        ] {
            let request = Request::post(path)
                .header("content-type", FORM)
                .header(name, value)
                .body(Body::from(body));
            let router = payframe_gateway::router(app.app.clone());
            let answer = router.oneshot(request.unwrap()).await.unwrap();
            assert_eq!(answer.status(), expected, "{path} {name}: {value}");
        }
    }
}

#[tokio::test]
async fn scripts_and_style_are_served_to_frames_in_an_origin_of_their_own() {
    let app = TestApp::new().await;
    let script = |name: &str, text: &str| {
        let hash = payframe_vault::hash(text);
        format!("/assets/threeds/{name}.{}.js", &hash[..16])
    };
    let device = script("device", include_str!("../../../www/threeds/device.js"));
    let challenge = script(
        "challenge",
        include_str!("../../../www/threeds/challenge.js"),
    );
    let end = script("return", include_str!("../../../www/threeds/return.js"));
    let step = include_str!("../../../www/pages/post-back.js");
    let step = format!(
        "/assets/pages/post-back.{}.js",
        &payframe_vault::hash(step)[..16]
    );
    let style = "/assets/pages/page.css".to_owned();
    for path in [style, device, challenge, end, step] {
        let router = payframe_gateway::router(app.app.clone());
        let request = Request::get(&path).body(Body::empty()).unwrap();
        let answer = router.oneshot(request).await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        let (kind, caching) = match path.ends_with(".css") {
            true => ("text/css; charset=utf-8", "public, max-age=300"),
            false => (
                "text/javascript; charset=utf-8",
                "public, max-age=31536000, immutable",
            ),
        };
        assert_eq!(answer.headers()["content-type"], kind, "{path}");
        assert_eq!(answer.headers()["access-control-allow-origin"], "*");
        assert_eq!(answer.headers()["cache-control"], caching, "{path}");
    }
}
