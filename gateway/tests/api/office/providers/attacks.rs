//! Providers, browsers and ways back that log nobody in, each with its permitted twin.

use super::super::{Person, first_password};
use super::company::{Company, Manner, Signs};
use super::{OTTO, ask, asked, back, gateway, leads_to, log_in, person, refused, with_company};
use crate::harness::{Answer, START_MS, TestApp};
use axum::http::StatusCode;
use serde_json::json;
use std::time::Duration;
use url::Url;

#[tokio::test]
async fn what_a_provider_must_not_say_logs_nobody_in() {
    let (app, company) = with_company("").await;
    let now_s = START_MS / 1000;
    type Change = Box<dyn FnOnce(&mut Manner)>;
    let claims = |claims| -> Change { Box::new(move |manner| manner.claims = claims) };
    let discovery = |members| -> Change { Box::new(move |manner| manner.discovery = members) };
    let signs = |signs, header| -> Change {
        Box::new(move |manner| (manner.signs, manner.header) = (signs, header))
    };
    let unproven = "could not be checked";
    let unusable = "gives no usable answer";
    let cases: Vec<(&str, Change, &str)> = vec![
        ("wrong nonce", claims(json!({ "nonce": "n" })), unproven),
        ("no nonce", claims(json!({ "nonce": null })), unproven),
        ("expired", claims(json!({ "exp": now_s - 61 })), unproven),
        ("old", claims(json!({ "iat": now_s - 3600 })), unproven),
        (
            "other audience",
            claims(json!({ "aud": "other" })),
            unproven,
        ),
        ("other party", claims(json!({ "azp": "other" })), unproven),
        (
            "other issuer",
            claims(json!({ "iss": "https://evil.example" })),
            unproven,
        ),
        (
            "no signature",
            signs(Signs::Not, json!({ "alg": "none" })),
            unproven,
        ),
        ("an empty signature", signs(Signs::Not, json!({})), unproven),
        (
            "the public key as a secret",
            signs(Signs::WithThePublicKey, json!({ "alg": "HS256" })),
            unproven,
        ),
        (
            "another key",
            signs(Signs::WithAnotherKey, json!({})),
            unproven,
        ),
        (
            "an unknown key",
            signs(Signs::WithItsKey, json!({ "kid": "two" })),
            unproven,
        ),
        (
            "address not verified",
            claims(json!({ "email_verified": false })),
            "has not verified your e-mail address",
        ),
        (
            "no address",
            claims(json!({ "email": null })),
            "has not verified your e-mail address",
        ),
        (
            "nobody's address",
            claims(json!({ "email": "eve@shop.example" })),
            "Nobody works here",
        ),
        (
            "refuses the code",
            Box::new(|manner| manner.status = StatusCode::BAD_REQUEST),
            unusable,
        ),
        (
            "fails",
            Box::new(|manner| manner.status = StatusCode::INTERNAL_SERVER_ERROR),
            unusable,
        ),
        (
            "leads elsewhere",
            Box::new(|manner| manner.status = StatusCode::TEMPORARY_REDIRECT),
            unusable,
        ),
        (
            "promises to name itself",
            discovery(json!({ "authorization_response_iss_parameter_supported": true })),
            unproven,
        ),
    ];
    for (name, change, said) in cases {
        company.behaves();
        let way = ask(&app, "acme", &[]).await;
        company.answers(change);
        let (address, _) = company.logs_in(&way.page);
        let answer = back(&app, &address, &way.cookie).await;
        let text = refused(&app, &answer, name).await;
        assert!(text.contains(said), "{name}: {text}");
        app.change("DELETE FROM login_attempt").await;
    }
    // The parts of another provider, or no document at all.
    for members in [
        json!({ "issuer": "https://evil.example" }),
        json!({ "token_endpoint": null }),
        json!({ "jwks_uri": "file:///etc/passwd" }),
    ] {
        company.answers(|manner| manner.discovery = members);
        let answer = asked(&app, "acme", &[], "192.0.2.1").await;
        let text = answer.text();
        assert!(answer.status == 502 && text.contains(unusable), "{text}");
    }
    company.behaves();
    let answer = log_in(&app, &company, "acme", &[]).await;
    assert_eq!(
        person(&app, &answer).get("/office").await.status,
        200,
        "the permitted twin"
    );
}

#[tokio::test]
async fn a_log_in_comes_back_once_to_the_browser_and_from_the_provider_that_it_began_with() {
    let (first, second) = (
        Company::start(START_MS).await,
        Company::start(START_MS).await,
    );
    let file = [
        first.in_file("first", "demo", ""),
        second.in_file("second", "demo", ""),
    ];
    let app = gateway(&file.concat()).await;
    first_password(&app, &["members", "add", "demo", OTTO, "operator", "otto"]).await;
    let changed = |address: &Url, name: &str, value: &str| {
        let mut changed = address.clone();
        changed.query_pairs_mut().clear();
        for (other, kept) in address.query_pairs().filter(|(other, _)| other != name) {
            changed.query_pairs_mut().append_pair(&other, &kept);
        }
        changed.query_pairs_mut().append_pair(name, value);
        changed
    };
    let way = ask(&app, "first", &[]).await;
    let (address, asked_for) = first.logs_in(&way.page);
    // Other browsers, with no cookie or one of their own.
    let theirs = ask(&app, "first", &[]).await;
    for cookie in ["", "__Secure-payframe-provider=x", &theirs.cookie] {
        let answer = back(&app, &address, cookie).await;
        refused(&app, &answer, cookie).await;
    }
    // A state that somebody else made.
    for state in ["", "x", &asked_for["nonce"]] {
        let way = ask(&app, "first", &[]).await;
        let (address, _) = first.logs_in(&way.page);
        let answer = back(&app, &changed(&address, "state", state), &way.cookie).await;
        refused(&app, &answer, state).await;
        // It is used up.
        let answer = back(&app, &address, &way.cookie).await;
        refused(&app, &answer, "used up").await;
    }
    // From another provider than the one that was asked, as its address or as its name.
    let mixed = ask(&app, "first", &[]).await;
    let (right, _) = first.logs_in(&mixed.page);
    let wrong = right.as_str().replace("/first/", "/second/");
    let answer = back(&app, &Url::parse(&wrong).unwrap(), &mixed.cookie).await;
    refused(&app, &answer, "another provider's address").await;
    let named = ask(&app, "first", &[]).await;
    let (right, _) = first.logs_in(&named.page);
    let answer = back(&app, &changed(&right, "iss", &second.issuer), &named.cookie).await;
    refused(&app, &answer, "another provider's name").await;
    // What the provider refuses.
    let declined = ask(&app, "first", &[]).await;
    let (right, _) = first.logs_in(&declined.page);
    let answer = back(
        &app,
        &changed(&right, "error", "access_denied"),
        &declined.cookie,
    )
    .await;
    assert!(
        refused(&app, &answer, "declined")
            .await
            .contains("did not log you in")
    );
    // Ten minutes later.
    app.change("DELETE FROM login_attempt").await;
    for (seconds, status) in [(600, 403), (599, 200)] {
        let late = ask(&app, "first", &[]).await;
        app.clock.advance(Duration::from_secs(seconds));
        first.answers(|manner| manner.now_s = app.clock.now_ms() / 1000);
        let (address, _) = first.logs_in(&late.page);
        let address = changed(&address, "iss", &first.issuer);
        let answer = back(&app, &address, &late.cookie).await;
        assert_eq!(answer.status, status, "{seconds}: {}", answer.text());
        if status == 200 {
            // Once.
            let again = back(&app, &address, &late.cookie).await;
            assert_eq!(again.status, 403);
        }
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM login_session").await, 1);
}

#[tokio::test]
async fn ways_to_a_provider_are_limited_and_begin_on_our_pages() {
    let (app, company) = with_company("").await;
    let elsewhere = [
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ];
    let path = "/office/login/provider/acme";
    let refused = Person::new(&app).send(path, &[], &elsewhere).await;
    assert_eq!(refused.status, 403);
    for _ in 0..25 {
        let answer = whole_way(&app, &company).await;
        assert_eq!(answer.status, 200, "those that come back do not count");
    }
    for _ in 0..20 {
        assert_eq!(asked(&app, "acme", &[], "198.51.100.7").await.status, 200);
    }
    let answer = asked(&app, "acme", &[], "198.51.100.7").await;
    assert_eq!(answer.status, 429);
    assert!(answer.header("retry-after").is_some());
    assert_eq!(asked(&app, "acme", &[], "198.51.100.8").await.status, 200);
}

/// The whole way from one address.
async fn whole_way(app: &TestApp, company: &Company) -> Answer {
    let answer = asked(app, "acme", &[], "198.51.100.7").await;
    let cookie = answer.header("set-cookie").unwrap();
    let cookie = cookie.split_once(';').unwrap().0;
    let (address, _) = company.logs_in(&leads_to(&answer));
    let headers = [("cookie", cookie), ("x-forwarded-for", "198.51.100.7")];
    app.page(address.as_str(), &headers).await
}
