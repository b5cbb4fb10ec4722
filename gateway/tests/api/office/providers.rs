//! Logging in at a company's own log-in provider.

mod attacks;
mod back_channel;
mod company;
mod only_way_in;
mod over_tls;

use super::second_factor::set_up;
use super::{Person, command, first_password};
use crate::harness::{Answer, OWN_MERCHANT, START_MS, TestApp};
use company::Company;
use serde_json::json;
use std::collections::HashMap;
use std::time::Duration;
use url::Url;

const OTTO: &str = "otto@shop.example";

/// A gateway with this file of providers.
async fn gateway(file: &str) -> TestApp {
    TestApp::with(|config| {
        let path = config.data.join("providers.toml");
        std::fs::write(&path, file).unwrap();
        std::fs::write(config.data.join("client-secret"), "hush/hush\n").unwrap();
        config.login_providers = Some(path);
        config.proxies = 1;
    })
    .await
}

/// A gateway with one provider, and Otto, who has not chosen a password.
async fn with_company(more: &str) -> (TestApp, Company) {
    let company = Company::start(START_MS).await;
    let app = gateway(&company.in_file("acme", "demo", more)).await;
    first_password(&app, &["members", "add", "demo", OTTO, "operator", "otto"]).await;
    (app, company)
}

/// A browser on its way to a provider.
struct Way {
    /// The provider's page.
    page: Url,
    /// The cookie of the way.
    cookie: String,
}

/// Asks for the provider's page.
async fn ask(app: &TestApp, id: &str, fields: &[(&str, &str)]) -> Way {
    let answer = asked(app, id, fields, "192.0.2.1").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.contains("SameSite=Lax") && cookie.contains("HttpOnly; "),
        "{cookie}"
    );
    assert!(cookie.contains("; Path=/office/login/provider;") && cookie.contains("; Secure"));
    Way {
        page: leads_to(&answer),
        cookie: cookie.split_once(';').unwrap().0.to_owned(),
    }
}

async fn asked(app: &TestApp, id: &str, fields: &[(&str, &str)], from: &str) -> Answer {
    let path = format!("/office/login/provider/{id}");
    Person::new(app)
        .send(&path, fields, &[("x-forwarded-for", from)])
        .await
}

/// Where a page leads on to.
fn leads_to(answer: &Answer) -> Url {
    let text = answer.text();
    let (_, rest) = text
        .split_once("content=\"0;url=")
        .unwrap_or_else(|| panic!("{text}"));
    let address = rest.split_once('"').unwrap().0.replace("&#38;", "&");
    Url::parse("https://gateway.example")
        .unwrap()
        .join(&address)
        .unwrap()
}

/// Comes back by this address, with this cookie.
async fn back(app: &TestApp, address: &Url, cookie: &str) -> Answer {
    app.page(address.as_str(), &[("cookie", cookie)]).await
}

/// The whole way for a person at the provider.
async fn log_in(app: &TestApp, company: &Company, id: &str, fields: &[(&str, &str)]) -> Answer {
    company.answers(|manner| manner.now_s = app.clock.now_ms() / 1000);
    let way = ask(app, id, fields).await;
    back(app, &company.logs_in(&way.page).0, &way.cookie).await
}

/// The person whose browser got this answer.
fn person<'a>(app: &'a TestApp, answer: &Answer) -> Person<'a> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let person = Person::new(app);
    let cookies = answer.headers.get_all("set-cookie").iter();
    let cookies: HashMap<String, String> = cookies
        .filter_map(|cookie| cookie.to_str().unwrap().split_once(';')?.0.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    assert_eq!(cookies["__Secure-payframe-provider"], "", "the way is over");
    let cookie = format!(
        "__Secure-payframe-office={}",
        cookies["__Secure-payframe-office"]
    );
    *person.cookie.borrow_mut() = Some(cookie);
    person
}

async fn refused(app: &TestApp, answer: &Answer, name: &str) -> String {
    assert!(
        matches!(answer.status, 403 | 502),
        "{name}: {}",
        answer.text()
    );
    assert_eq!(
        answer.headers.get_all("set-cookie").iter().count(),
        0,
        "{name}"
    );
    assert_eq!(
        app.count("SELECT COUNT(*) FROM login_session").await,
        0,
        "{name}"
    );
    answer.text()
}

async fn log(app: &TestApp) -> Vec<String> {
    app.texts(
        "SELECT act || ' ' || detail FROM audit_entry WHERE member_id IS NOT NULL ORDER BY seq",
    )
    .await
}

#[tokio::test]
async fn the_first_log_in_binds_a_member_to_the_account_which_alone_counts_from_then_on() {
    let (app, company) = with_company("").await;
    let page = app.page("/office/login", &[]).await.text();
    assert!(page.contains("Go on with Acme acme"), "{page}");
    let way = ask(&app, "acme", &[("next", "/office/orders?q=a")]).await;
    let (address, asked) = company.logs_in(&way.page);
    assert_eq!(way.page.path(), "/log-in");
    for (name, value) in [
        ("tenant", "1"),
        ("response_type", "code"),
        ("client_id", "pay frame"),
        ("scope", "openid email"),
        (
            "redirect_uri",
            "https://gateway.example/office/login/provider/acme/callback",
        ),
    ] {
        assert_eq!(asked[name], value);
    }
    assert!(!asked.contains_key("prompt") && asked["state"] != asked["nonce"]);
    assert!(!app.keeps(&asked["state"]).await && !app.keeps(&asked["nonce"]).await);
    let answer = back(&app, &address, &way.cookie).await;
    assert_eq!(
        leads_to(&answer).as_str(),
        "https://gateway.example/office/orders?q=a"
    );
    let otto = person(&app, &answer);
    assert_eq!(
        otto.get("/office").await.status,
        200,
        "without choosing a password"
    );
    // The address may change then, and need not be told.
    for claims in [
        json!({ "email": "o.neri@shop.example" }),
        json!({ "email": null }),
    ] {
        company.answers(|manner| manner.claims = claims);
        let answer = log_in(&app, &company, "acme", &[]).await;
        assert_eq!(person(&app, &answer).get("/office").await.status, 200);
    }
    company.answers(|manner| {
        manner.claims = json!({});
        manner.discovery =
            json!({ "token_endpoint_auth_methods_supported": ["client_secret_post"] });
    });
    let answer = log_in(&app, &company, "acme", &[]).await;
    assert_eq!(person(&app, &answer).get("/office").await.status, 200);
    let at = &company.issuer;
    let mut expected = vec![format!("LOG_IN at {at}"); 4];
    expected.insert(0, format!("BIND_ACCOUNT {at}"));
    assert_eq!(log(&app).await, expected);
    // Another account with the same address.
    company.answers(|manner| manner.claims = json!({ "sub": "43" }));
    app.change("DELETE FROM login_session").await;
    let answer = log_in(&app, &company, "acme", &[]).await;
    let said = refused(&app, &answer, "another account").await;
    assert!(said.contains("belongs to another account"), "{said}");
    command(&app, &["members", "account-reset", OTTO])
        .await
        .unwrap();
    let again = command(&app, &["members", "account-reset", OTTO]).await;
    assert_eq!(
        again.unwrap_err().to_string(),
        "This member has no account at a log-in provider."
    );
    let answer = log_in(&app, &company, "acme", &[]).await;
    assert_eq!(person(&app, &answer).get("/office").await.status, 200);
    // An administrator does the same on the member's page.
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let id = app
        .texts("SELECT member_id FROM member WHERE name = 'otto'")
        .await
        .remove(0);
    let path = format!("/office/members/{id}/account");
    let page = ada.get(&format!("/office/members/{id}")).await.text();
    assert!(page.contains(&path) && page.contains(at.as_str()), "{page}");
    assert_eq!(ada.post(&path, &[]).await.status, 303);
    assert_eq!(app.count("SELECT COUNT(*) FROM provider_account").await, 0);
    assert_eq!(ada.post(&path, &[]).await.status, 400);
    let forgot = "SELECT COUNT(*) FROM audit_entry WHERE act = 'FORGET_ACCOUNT' AND subject = 'otto@shop.example'";
    assert_eq!(app.count(forgot).await, 2);
}

#[tokio::test]
async fn a_provider_opens_the_back_office_of_its_own_merchant_for_members_alone() {
    let company = Company::start(START_MS).await;
    let app = gateway(&company.in_file("acme", OWN_MERCHANT, "")).await;
    first_password(&app, &["members", "add", "demo", OTTO, "operator", "otto"]).await;
    app.own_shop().await;
    let answer = log_in(&app, &company, "acme", &[]).await;
    assert!(
        refused(&app, &answer, "another merchant's")
            .await
            .contains("Nobody works here")
    );
    let add = ["members", "add", OWN_MERCHANT, OTTO, "viewer", "otto"];
    let made = first_password(&app, &add).await;
    let disable = ["members", "disable", OTTO, "--merchant", OWN_MERCHANT];
    command(&app, &disable).await.unwrap();
    let answer = log_in(&app, &company, "acme", &[]).await;
    refused(&app, &answer, "disabled").await;
    let enable = ["members", "enable", OTTO, "--merchant", OWN_MERCHANT];
    command(&app, &enable).await.unwrap();
    let answer = log_in(&app, &company, "acme", &[]).await;
    let page = person(&app, &answer).get("/office").await.text();
    assert!(page.contains("Blumenladen"), "{page}");
    // Whoever handed the first password over knows it, and it opens nothing any more.
    let refused_password = Person::new(&app).log_in(OTTO, &made).await;
    assert_eq!(refused_password.status, 403);
    app.change("DELETE FROM login_session").await;
    command(&app, &disable).await.unwrap();
    let answer = log_in(&app, &company, "acme", &[]).await;
    refused(&app, &answer, "disabled after it was bound").await;
    assert_eq!(asked(&app, "other", &[], "192.0.2.1").await.status, 404);
}

#[tokio::test]
async fn the_own_second_factor_is_asked_for_unless_the_providers_counts() {
    let more = "two_factors_amr = [\"mfa\"]\ntwo_factors_acr = [\"gold\"]";
    let (app, company) = with_company(more).await;
    let answer = log_in(&app, &company, "acme", &[]).await;
    let otto = person(&app, &answer);
    otto.take_token().await;
    let (phone, _) = set_up(&app, &otto).await;
    assert_eq!(otto.get("/office").await.status, 200);
    app.clock.advance(Duration::from_secs(60));
    let answer = log_in(&app, &company, "acme", &[("next", "/office/orders")]).await;
    assert_eq!(
        leads_to(&answer).as_str(),
        "https://gateway.example/office/login/code?next=%2Foffice%2Forders"
    );
    let half = person(&app, &answer);
    assert_eq!(half.get("/office").await.status, 303);
    half.take_token().await;
    let fields = [("code", phone.code(&app))];
    let fields = fields
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    assert_eq!(half.post("/office/login/code", &fields).await.status, 303);
    assert_eq!(
        half.get("/office").await.status,
        200,
        "without choosing a password"
    );
    for (claims, is_asked) in [
        (json!({ "amr": ["pwd"] }), true),
        (json!({ "acr": "silver" }), true),
        (json!({ "amr": ["pwd", "mfa"] }), false),
        (json!({ "acr": "gold" }), false),
    ] {
        company.answers(|manner| manner.claims = claims.clone());
        let answer = log_in(&app, &company, "acme", &[]).await;
        let status = person(&app, &answer).get("/office").await.status;
        assert_eq!(status, if is_asked { 303 } else { 200 }, "{claims}");
    }
}

#[tokio::test]
async fn production_opens_by_a_provider_that_counts_as_two_factors_alone() {
    let (app, _) = TestApp::in_production().await;
    let person = Person::of_merchant(&app, OWN_MERCHANT, "otto", "administrator").await;
    for (factors, status) in [(0, 303), (1, 303), (2, 200)] {
        let changed = match factors {
            0 => "UPDATE login_session SET provider_factors = 0",
            1 => "UPDATE login_session SET provider_factors = 1",
            _ => "UPDATE login_session SET provider_factors = 2",
        };
        app.change(changed).await;
        let answer = person.get("/office/keys").await;
        assert_eq!(answer.status, status, "{factors}");
        if status == 303 {
            assert!(
                answer
                    .header("location")
                    .unwrap()
                    .starts_with("/office/second-factor/new")
            );
        }
    }
}

#[tokio::test]
async fn whoever_logs_in_again_at_the_provider_has_confirmed_that_it_is_them() {
    let (app, company) = with_company("").await;
    // The provider knew them since yesterday.
    let was_s = START_MS / 1000 - 86_400;
    company.answers(|manner| manner.claims = json!({ "auth_time": was_s }));
    let answer = log_in(&app, &company, "acme", &[]).await;
    let otto = person(&app, &answer);
    let new = "/office/second-factor/new";
    let asks = otto.get(new).await;
    assert!(
        asks.header("location")
            .unwrap()
            .starts_with("/office/confirm"),
        "{}",
        asks.text()
    );
    let page = otto.get("/office/confirm").await.text();
    assert!(page.contains("Log in again with Acme acme"), "{page}");
    let again = [("fresh", "1"), ("next", new)];
    let way = ask(&app, "acme", &again).await;
    let (address, asked) = company.logs_in(&way.page);
    assert_eq!(
        (asked["prompt"].as_str(), asked["max_age"].as_str()),
        ("login", "0")
    );
    let answer = back(&app, &address, &way.cookie).await;
    assert_eq!(answer.status, 403, "it did not ask again");
    company.behaves();
    let answer = log_in(&app, &company, "acme", &again).await;
    let otto = person(&app, &answer);
    assert_eq!(otto.get(new).await.status, 200);
    app.clock.advance(Duration::from_secs(300));
    assert_eq!(otto.get(new).await.status, 303);
    // Whoever has a password is not led to a provider.
    let ada = Person::logged_in(&app, "ada", "viewer").await;
    assert!(
        !ada.get("/office/confirm")
            .await
            .text()
            .contains("Log in again")
    );
}
