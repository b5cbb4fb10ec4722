//! Payments in three steps that no issuer authenticates, and browsers that come in a wrong way.

use super::*;
use axum::body::Body;
use axum::http::Request;

/// No directory server knows it.
const OUTSIDE: &str = "4111111111111111";

#[tokio::test]
async fn who_is_not_authenticated_is_not_charged() {
    for status in ["N", "R", "U", "I", "S"] {
        let bench = Bench::start().await;
        bench.directory.behave(Conduct::Status(status));
        let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
        let page = steps.described().await;
        let sent = bench.post(&page, FORM, "").await;
        if status == "S" {
            // A confirmation was not offered: the answer can not be read, and the same may be asked again.
            assert_eq!(sent.status, 503);
            continue;
        }
        let validated = steps.validated(&page).await;
        assert_eq!(said(&validated), "THREEDS_FAILED FAILED 07 -", "{status}");
        assert_eq!(steps.pay(&validated).await.refusal(), "400 GW9003");
        assert!(bench.charges().is_empty());
    }
}

#[tokio::test]
async fn an_issuer_that_stands_aside_leaves_nothing_to_prove() {
    let bench = Bench::paid_without_authentication().await;
    bench.directory.behave(Conduct::Status("U"));
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    let page = steps.asked().await;
    let validated = steps.validated(&page).await;
    assert_eq!(said(&validated), "THREEDS_VALIDATED FAILED 07 -");
    let paid_for = steps.pay(&validated).await.ok();
    assert_eq!(paid(&paid_for), "EXECUTED NOT_SECURE");
    assert_eq!(bench.charges(), [""]);
}

#[tokio::test]
async fn a_card_outside_of_all_ranges_is_decided_at_once() {
    let refusing = Bench::start().await;
    let steps = Steps::begin(&refusing, init("A1", OUTSIDE)).await;
    assert_eq!(steps.begun["threeDSEnrollmentStatus"], "NOT_ENROLLED");
    assert_eq!(steps.result().await, "THREEDS_FAILED");
    let paying = Bench::paid_without_authentication().await;
    let steps = Steps::begin(&paying, init("A1", OUTSIDE)).await;
    assert_eq!(steps.begun["threeDSEnrollmentStatus"], "NOT_ENROLLED");
    assert_eq!(steps.begun["threeDSAuthRequest"], "notneeded");
    assert!(steps.begun.get("threeDSAuthUrl").is_none());
    assert_eq!(steps.result().await, "THREEDS_VALIDATED");
    let answer = steps.pay(&json!({})).await.ok();
    assert_eq!(paid(&answer), "EXECUTED NOT_SECURE");
    assert!(paying.directory.heard("AReq").is_empty());
}

#[tokio::test]
async fn a_payment_waits_for_its_browser() {
    let bench = Bench::start().await;
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    assert_eq!(steps.pay(&json!({})).await.refusal(), "400 GW9003");
    for response in ["notneeded", "x"] {
        assert_eq!(steps.validate(response).await.refusal(), "400 GW9003");
    }
    let page = steps.come().await;
    // There is no challenge yet, and nothing to bring back.
    for kind in ["challenge", "back", "return"] {
        let text = bench.get(&page.replace("step", kind)).await.text();
        assert!(!text.contains("PaRes") && !text.contains("creq"), "{text}");
    }
    let early = bench.get(&page.replace("step", "return")).await;
    assert_eq!(early.header("location"), Some(&*page));
    assert!(bench.directory.heard("AReq").is_empty());
}

#[tokio::test]
async fn the_browsers_form_must_be_the_gateways_own() {
    let bench = Bench::start().await;
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    let other = Steps::begin(&bench, init("A2", NUMBER)).await;
    let asked = steps.begun["threeDSAuthRequest"].as_str().unwrap();
    let back = "https://shop.example/";
    for (request, url, id, expected) in [
        (asked, "javascript:alert(1)", steps.id(), 400),
        (asked, "http://shop.example/", steps.id(), 400),
        (asked, "", steps.id(), 400),
        ("x", back, steps.id(), 404),
        (asked, back, other.id(), 404),
        (asked, back, "347074400000000001", 404),
        ("notneeded", back, steps.id(), 404),
    ] {
        let fields = [
            ("ThreeDsRequest", request),
            ("ReturnUrl", url),
            ("transactionId", id),
        ];
        let answer = post_form(&bench, "/threeds/start", &fields).await;
        assert_eq!(answer.status, expected, "{url} {id}");
        assert!(!answer.text().contains("javascript:"));
    }
    let nothing = post_form(&bench, "/threeds/start", &[("ReturnUrl", back)]).await;
    assert_eq!(nothing.status, 400);
}

#[tokio::test]
async fn pages_of_other_origins_ask_no_issuer() {
    let bench = Bench::start().await;
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    let page = steps.described().await;
    for site in ["cross-site", "same-site"] {
        let forged = Request::post(&page)
            .header("content-type", FORM)
            .header("sec-fetch-site", site)
            .body(Body::empty());
        assert_eq!(bench.app.send(forged.unwrap()).await.status, 403);
    }
    assert!(bench.directory.heard("AReq").is_empty());
    // Who sends results has another token than the browser.
    let message = json!({}).to_string();
    let results = page.replace("/step/", "/results/");
    let sent = bench.post(&results, "application/json", &message).await;
    assert_eq!(sent.status, 404);
    for path in ["/threeds/step/none", "/threeds/return/none"] {
        assert_eq!(bench.get(path).await.status, 404, "{path}");
    }
    assert_eq!(bench.post("/threeds/step/none", FORM, "").await.status, 404);
}
