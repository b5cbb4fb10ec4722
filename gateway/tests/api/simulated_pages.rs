//! The sandbox's pages of issuers and methods, for addresses without a payment.

use crate::external_3ds::{begin, init};
use crate::harness::{TestApp, build, short};
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

/// The issuer of this card asks in its app, which confirms after three seconds.
const IN_APP: &str = "4761730000003155";

#[tokio::test]
async fn the_page_waits_for_the_app_and_leads_on() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, IN_APP).await;
    let state = app.finalize(&session).await;
    assert_eq!(short(&state), "REDIRECTED_TO_EXTERNAL_DOMAIN");
    let challenge = state["url"].as_str().unwrap();
    let led = app.page(challenge, &[]).await;
    let waiting = led.header("location").unwrap().to_owned();
    assert!(waiting.starts_with("/threeds/waiting/"), "{waiting}");
    for _ in 0..2 {
        let page = app.page(&waiting, &[]).await;
        assert_eq!(page.status, 200);
        assert!(page.text().contains("Sandbox bank: our app confirms"));
        app.pass(1).await;
    }
    let still = app.state(&session).await;
    assert_eq!(short(&still), "REDIRECTED_TO_EXTERNAL_DOMAIN");
    app.pass(1).await;
    let led = app.page(&waiting, &[]).await;
    assert_eq!(
        (led.status, led.header("location")),
        (303, Some(&*path_of(challenge)))
    );
    let paid = app.state(&session).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let over = app.page(challenge, &[]).await;
    assert!(
        over.header("location")
            .unwrap()
            .starts_with("/threeds/return/")
    );
}

#[tokio::test]
async fn a_payment_in_three_steps_has_a_page_of_the_bank_instead_of_the_app() {
    let app = TestApp::new().await;
    let begun = begin(&app, &init("A1", IN_APP)).await;
    let request = begun["threeDSAuthRequest"].as_str().unwrap();
    assert!(
        request != "notneeded" && begun["threeDSAuthUrl"].is_string(),
        "{begun}"
    );
}

fn path_of(address: &str) -> String {
    address.replace("https://gateway.example", "")
}
