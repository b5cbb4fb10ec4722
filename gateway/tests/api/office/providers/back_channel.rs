//! Log-outs that a provider tells without a browser.

use super::super::second_factor::set_up;
use super::super::{Person, added, command, first_password};
use super::company::{Company, Signs};
use super::{OTTO, ask, back, gateway, log_in, person, refused, with_company};
use crate::harness::{Answer, OWN_MERCHANT, START_MS, TestApp};
use serde_json::{Value, json};
use std::time::Duration;

const NAMES: &str = "SELECT subject || ' ' || detail FROM audit_entry WHERE act = 'END_LOG_INS' AND member_id IS NULL";

/// A provider tells the gateway of a log-out.
async fn told(app: &TestApp, id: &str, token: &str) -> Answer {
    let path = format!("/office/login/provider/{id}/back-channel-logout");
    let answer = Person::new(app)
        .send(&path, &[("logout_token", token)], &[])
        .await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    answer
}

/// Somebody who logged in at the provider, which names the log-in so.
async fn logged_in<'a>(app: &'a TestApp, company: &Company, session: &str) -> Person<'a> {
    company.answers(|manner| manner.claims = json!({ "sid": session }));
    person(app, &log_in(app, company, "acme", &[]).await)
}

async fn is_in(person: &Person<'_>) -> bool {
    person.get("/office").await.status == 200
}

#[tokio::test]
async fn what_began_at_the_provider_ends_at_once_and_nothing_else_does() {
    let (app, company) = with_company("").await;
    logged_in(&app, &company, "none").await;
    let password = added(&app, &["members", "password", OTTO]).await;
    let by_password = Person::new(&app);
    by_password.log_in(OTTO, &password).await;
    let (first, second) = (
        logged_in(&app, &company, "first").await,
        logged_in(&app, &company, "second").await,
    );
    // Both say the same person, and only one the log-in.
    let of_first = company.logout_token(&json!({ "sid": "first" }));
    let answer = told(&app, "acme", &of_first).await;
    assert_eq!((answer.status, answer.text().as_str()), (200, ""));
    assert!(!is_in(&first).await && is_in(&second).await && is_in(&by_password).await);
    let again = told(&app, "acme", &of_first).await;
    assert_eq!(again.status, 400);
    assert_eq!(
        again.body,
        json!({ "error": "invalid_request", "error_description": "the token was sent before" })
    );
    let entry = format!("{OTTO} logged out at {}", company.issuer);
    assert_eq!(app.texts(NAMES).await, [entry.as_str()]);
    // Nobody is logged in by that name, or by that person.
    for changes in [
        json!({ "sid": "first" }),
        json!({ "sub": "43", "sid": "second" }),
        json!({ "sub": "43" }),
    ] {
        let answer = told(&app, "acme", &company.logout_token(&changes)).await;
        assert_eq!(answer.status, 200);
    }
    assert!(is_in(&second).await && app.texts(NAMES).await.len() == 1);
    let third = logged_in(&app, &company, "third").await;
    let of_person = company.logout_token(&json!({}));
    assert_eq!(told(&app, "acme", &of_person).await.status, 200);
    assert!(!is_in(&second).await && !is_in(&third).await && is_in(&by_password).await);
    assert_eq!(
        app.texts(NAMES).await,
        [entry.as_str(), entry.as_str()],
        "one for each member"
    );
    company.answers(|manner| assert!(manner.keys_asked < 8, "log-ins, and a few more"));
    assert!(!app.keeps("third").await);
}

#[tokio::test]
async fn a_log_in_that_is_on_its_way_does_not_begin_after_its_log_out() {
    let (app, company) = with_company("").await;
    for (changes, is_refused) in [
        (json!({ "sid": "first" }), true),
        (json!({ "sub": null, "sid": "first" }), true),
        (json!({}), true),
        (json!({ "sid": "second" }), false),
        (json!({ "sub": "43" }), false),
    ] {
        company.answers(|manner| {
            manner.claims = json!({ "sid": "first" });
            manner.now_s = app.clock.now_ms() / 1000;
        });
        let way = ask(&app, "acme", &[]).await;
        let (address, _) = company.logs_in(&way.page);
        app.clock.advance(Duration::from_secs(1));
        assert_eq!(
            told(&app, "acme", &company.logout_token(&changes))
                .await
                .status,
            200
        );
        let answer = back(&app, &address, &way.cookie).await;
        match is_refused {
            true => {
                let said = refused(&app, &answer, "on its way").await;
                assert!(said.contains("did not log you in"), "{said}");
                // The next log-in is one from after the log-out.
                assert!(is_in(&logged_in(&app, &company, "first").await).await);
                told(
                    &app,
                    "acme",
                    &company.logout_token(&json!({ "sid": "first" })),
                )
                .await;
            }
            false => assert!(is_in(&person(&app, &answer)).await),
        }
    }
}

#[tokio::test]
async fn a_log_in_keeps_its_name_at_the_provider_through_the_second_factor() {
    let (app, company) = with_company("").await;
    let otto = logged_in(&app, &company, "first").await;
    otto.take_token().await;
    let (phone, _) = set_up(&app, &otto).await;
    assert!(is_in(&otto).await);
    app.clock.advance(Duration::from_secs(60));
    let (half, whole) = (
        logged_in(&app, &company, "second").await,
        logged_in(&app, &company, "third").await,
    );
    whole.take_token().await;
    let code = phone.code(&app);
    let entered = whole.post("/office/login/code", &[("code", &code)]).await;
    assert_eq!(entered.status, 303);
    assert!(is_in(&otto).await && is_in(&whole).await);
    for session in ["first", "second", "third"] {
        let token = company.logout_token(&json!({ "sub": null, "sid": session }));
        assert_eq!(told(&app, "acme", &token).await.status, 200);
    }
    assert!(!is_in(&otto).await && !is_in(&whole).await);
    let at = half.get("/office").await;
    assert_eq!(at.header("location"), Some("/office/login?next=%2Foffice"));
    assert_eq!(app.count("SELECT COUNT(*) FROM login_session").await, 0);
}

#[tokio::test]
async fn what_is_no_log_out_of_this_provider_ends_nothing() {
    let company = Company::start(START_MS).await;
    let other = Company::start(START_MS).await;
    let file = [
        company.in_file("acme", "demo", ""),
        company.in_file("same-issuer", OWN_MERCHANT, ""),
        other.in_file("other", "demo", ""),
    ];
    let app = gateway(&file.concat()).await;
    app.own_shop().await;
    first_password(&app, &["members", "add", "demo", OTTO, "operator", "otto"]).await;
    let otto = logged_in(&app, &company, "first").await;
    let now_s = START_MS / 1000;
    let refused: [(&str, Value, Signs, Value); 11] = [
        (
            "no signature",
            json!({}),
            Signs::Not,
            json!({ "alg": "none" }),
        ),
        ("another key", json!({}), Signs::WithAnotherKey, json!({})),
        (
            "the public key as a secret",
            json!({}),
            Signs::WithThePublicKey,
            json!({ "alg": "HS256" }),
        ),
        (
            "another type",
            json!({}),
            Signs::WithItsKey,
            json!({ "typ": "at+jwt" }),
        ),
        (
            "issuer",
            json!({ "iss": other.issuer }),
            Signs::WithItsKey,
            json!({}),
        ),
        (
            "client",
            json!({ "aud": "other" }),
            Signs::WithItsKey,
            json!({}),
        ),
        (
            "expired",
            json!({ "exp": now_s - 61 }),
            Signs::WithItsKey,
            json!({}),
        ),
        (
            "old",
            json!({ "iat": now_s - 3600 }),
            Signs::WithItsKey,
            json!({}),
        ),
        (
            "no event",
            json!({ "events": {} }),
            Signs::WithItsKey,
            json!({}),
        ),
        (
            "an ID token",
            json!({ "nonce": "n" }),
            Signs::WithItsKey,
            json!({}),
        ),
        (
            "nobody",
            json!({ "sub": null }),
            Signs::WithItsKey,
            json!({}),
        ),
    ];
    for (name, changes, signs, header) in refused {
        company.answers(|manner| (manner.signs, manner.header) = (signs, header));
        let answer = told(&app, "acme", &company.logout_token(&changes)).await;
        assert_eq!(answer.status, 400, "{name}");
        assert_eq!(answer.body["error"], "invalid_request", "{name}");
        assert!(is_in(&otto).await, "{name}");
    }
    company.answers(|manner| (manner.signs, manner.header) = (Signs::WithItsKey, json!({})));
    let good = company.logout_token(&json!({}));
    assert_eq!(told(&app, "other", &good).await.status, 400);
    assert_eq!(told(&app, "unknown", &good).await.status, 404);
    // The same person at the same issuer, of another merchant.
    assert_eq!(told(&app, "same-issuer", &good).await.status, 200);
    let path = "/office/login/provider/acme/back-channel-logout";
    let empty = Person::new(&app).send(path, &[], &[]).await;
    assert_eq!(empty.status, 400);
    assert!(is_in(&otto).await && app.texts(NAMES).await.is_empty());
    assert_eq!(
        told(&app, "acme", &good).await.status,
        200,
        "the permitted twin"
    );
    assert!(!is_in(&otto).await);
    command(&app, &["audit", "verify"]).await.unwrap();
}

#[tokio::test]
async fn a_provider_without_keys_ends_nothing_and_is_told_so() {
    let (app, company) = with_company("").await;
    company.answers(|manner| manner.discovery = json!({ "jwks_uri": null }));
    let answer = told(&app, "acme", &company.logout_token(&json!({}))).await;
    assert_eq!(
        (answer.status, &answer.body["error"]),
        (400, &json!("server_error"))
    );
}
