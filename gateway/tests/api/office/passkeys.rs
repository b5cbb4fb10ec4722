//! Passkeys: adding them, logging in with them alone and after the password, losing them.

mod attacks;
mod device;

use super::second_factor::set_up;
use super::{Person, added, command};
use crate::harness::{Answer, OWN_MERCHANT, TestApp};
use device::{Device, HONEST, Manner, question};
use std::time::Duration;

const OTTO: &str = "otto@shop.example";
const FACTORS: &str = "/office/second-factor";
const NEW: &str = "/office/second-factor/passkeys/new";
const CODE: &str = "/office/login/code";
const BY_PASSKEY: &str = "/office/login/code/passkey";
const ALONE: &str = "/office/login/passkey";
const ANSWER: &str = "/office/login/passkey/answer";

/// Adds a passkey of this device.
async fn add(person: &Person<'_>, device: &Device, name: &str) -> Answer {
    let made = device.create(&person.get(NEW).await, HONEST);
    let fields = [("name", name), ("answer", made.as_str())];
    let answer = person.post(NEW, &fields).await;
    assert!(matches!(answer.status, 200 | 303), "{}", answer.text());
    person.take_token().await;
    answer
}

/// Otto's password, and his browser, in which he is logged in.
async fn otto(app: &TestApp) -> (String, Person<'_>) {
    let password = added(app, &["members", "add", "demo", OTTO, "operator", "otto"]).await;
    let person = Person::new(app);
    person.log_in(OTTO, &password).await;
    (password, person)
}

/// Asks for a log-in with a passkey alone.
async fn asked(person: &Person<'_>) -> Answer {
    let page = person.send(ALONE, &[("next", "/office/orders")], &[]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    page
}

/// Sends an answer of a device to it.
async fn answered(person: &Person<'_>, answer: &str) -> Answer {
    let fields = [("next", "/office/orders"), ("answer", answer)];
    person.send(ANSWER, &fields, &[]).await
}

async fn log(app: &TestApp) -> Vec<String> {
    app.texts(
        "SELECT act || ' ' || detail FROM audit_entry WHERE member_id IS NOT NULL ORDER BY seq",
    )
    .await
}

#[tokio::test]
async fn a_member_adds_a_passkey_and_logs_in_with_it_after_the_password_and_alone() {
    let app = TestApp::new().await;
    let (password, person) = otto(&app).await;
    let elsewhere = Person::new(&app);
    elsewhere.log_in(OTTO, &password).await;
    let page = person.get(NEW).await;
    let asked_for = question(&page);
    assert_eq!(asked_for["rp"]["id"], "gateway.example");
    assert_eq!(asked_for["attestation"], "none");
    let selection = &asked_for["authenticatorSelection"];
    assert_eq!(selection["userVerification"], "required");
    assert_eq!(selection["residentKey"], "required");
    let device = Device::new(7);
    let codes = add(&person, &device, "Otto's telephone").await;
    assert_eq!(
        codes.text().matches("<li>").count(),
        10 + page.text().matches("<li>").count()
    );
    assert_eq!(
        elsewhere.get("/office").await.status,
        303,
        "other log-ins end"
    );
    assert_eq!(person.get("/office").await.status, 200);
    let page = person.get(FACTORS).await.text();
    assert!(
        page.contains("Otto&#39;s telephone") && page.contains("Never"),
        "{page}"
    );

    // After the password.
    let again = Person::new(&app);
    let answer = again.log_in(OTTO, &password).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/login/code?next=%2Foffice")
    );
    assert_eq!(again.get("/office").await.status, 303);
    let page = again.get(CODE).await;
    assert_eq!(
        question(&page)["allowCredentials"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let answer = device.answer(&page, HONEST);
    let fields = [("answer", answer.as_str()), ("next", "/office/orders")];
    let done = again.post(BY_PASSKEY, &fields).await;
    assert_eq!(done.header("location"), Some("/office/orders"));
    assert_eq!(again.get("/office").await.status, 200);

    // Alone.
    let alone = Person::new(&app);
    let page = asked(&alone).await;
    assert!(
        question(&page)["allowCredentials"]
            .as_array()
            .is_none_or(Vec::is_empty)
    );
    assert_eq!(question(&page)["userVerification"], "required");
    let done = answered(&alone, &device.answer(&page, HONEST)).await;
    assert_eq!(done.header("location"), Some("/office/orders"));
    assert_eq!(alone.get("/office").await.status, 200);
    let page = alone.get(FACTORS).await.text();
    assert!(!page.contains("Never"), "{page}");
    assert_eq!(
        log(&app).await,
        [
            "LOG_IN ",
            "LOG_IN ",
            "ADD_PASSKEY Otto's telephone",
            "LOG_IN with the passkey \"Otto's telephone\"",
            "LOG_IN with the passkey \"Otto's telephone\" alone",
        ]
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM passkey_question").await, 0);
}

#[tokio::test]
async fn a_passkey_alone_opens_nothing_where_a_log_in_provider_is_the_only_way_in() {
    let app = TestApp::with(|config| {
        let path = config.data.join("providers.toml");
        let text = "[[provider]]\nid = \"acme\"\nname = \"Acme\"\nmerchant = \"demo\"\nissuer = \"https://login.example\"\n\
                    client_id = \"payframe\"\nclient_secret_file = \"client-secret\"\nonly_way_in = true\n";
        std::fs::write(&path, text).unwrap();
        std::fs::write(config.data.join("client-secret"), "hush").unwrap();
        config.login_providers = Some(path);
    })
    .await;
    let words = ["members", "add", "demo", OTTO, "operator", "otto"];
    command(&app, &words).await.unwrap();
    let told = command(&app, &["members", "emergency-access", OTTO]).await;
    let person = Person::new(&app);
    let secret = told.unwrap().lines().nth(1).unwrap().to_owned();
    assert_eq!(person.log_in(OTTO, &secret).await.status, 303);
    let device = Device::new(7);
    add(&person, &device, "telephone").await;
    let alone = Person::new(&app);
    let page = asked(&alone).await;
    let refused = answered(&alone, &device.answer(&page, HONEST)).await;
    let text = refused.text();
    assert!(
        refused.status == 403 && text.contains("at its provider only"),
        "{text}"
    );
    assert_eq!(alone.get("/office").await.status, 303);
    let last = log(&app).await.pop().unwrap();
    assert_eq!(
        last,
        "LOG_IN_REFUSED with a passkey alone, and not at a provider"
    );
}

#[tokio::test]
async fn production_opens_with_a_passkey_and_keeps_the_last_second_factor() {
    let (app, _) = TestApp::in_production().await;
    let person = Person::of_merchant(&app, OWN_MERCHANT, "otto", "administrator").await;
    assert_eq!(person.get("/office/keys").await.status, 303);
    let page = person.get("/office/second-factor/new").await.text();
    assert!(page.contains(NEW), "{page}");
    let device = Device::new(7);
    add(&person, &device, "telephone").await;
    assert_eq!(person.get("/office/keys").await.status, 200);
    let path = |id: &str| format!("{FACTORS}/passkeys/{id}/remove");
    let ids = app.texts("SELECT passkey_id FROM passkey").await;
    let page = person.get(FACTORS).await.text();
    assert!(
        !page.contains("/remove") && page.contains("your last one stays"),
        "{page}"
    );
    let refused = person.post(&path(&ids[0]), &[]).await;
    assert!(refused.status == 400 && refused.text().contains("your last second factor"));
    // With an app beside it, either may go, and then the other one stays.
    set_up(&app, &person).await;
    let page = person.get(FACTORS).await.text();
    assert_eq!(page.matches("/remove\"").count(), 2, "{page}");
    assert_eq!(person.post(&path(&ids[0]), &[]).await.status, 303);
    assert_eq!(
        person.post(&format!("{FACTORS}/remove"), &[]).await.status,
        404
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM recovery_code").await, 10);
    add(&person, &device, "telephone").await;
    assert_eq!(
        person.post(&format!("{FACTORS}/remove"), &[]).await.status,
        303
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM second_factor").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM recovery_code").await, 10);
    assert_eq!(person.get("/office/keys").await.status, 200);
}

#[tokio::test]
async fn in_a_sandbox_the_last_passkey_may_go_with_its_recovery_codes() {
    let app = TestApp::new().await;
    let (password, otto) = otto(&app).await;
    let eve = Person::logged_in(&app, "eve", "viewer").await;
    let device = Device::new(7);
    add(&otto, &device, "telephone").await;
    let elsewhere = Person::new(&app);
    let answer = device.answer(&asked(&elsewhere).await, HONEST);
    answered(&elsewhere, &answer).await;
    let id = app.texts("SELECT passkey_id FROM passkey").await.remove(0);
    let path = format!("{FACTORS}/passkeys/{id}/remove");
    assert_eq!(eve.post(&path, &[]).await.status, 404, "it is not hers");
    app.clock.advance(Duration::from_secs(300));
    let asks = otto.post(&path, &[]).await;
    assert!(
        asks.header("location")
            .unwrap()
            .starts_with("/office/confirm")
    );
    let page = otto.get("/office/confirm").await;
    assert!(page.text().contains("Recovery code") && !page.text().contains("Present password"));
    // A wrong one first.
    let manner = Manner {
        verifies: false,
        ..HONEST
    };
    let answer = device.answer(&page, manner);
    let fields = [("answer", answer.as_str()), ("next", FACTORS)];
    assert_eq!(
        otto.post("/office/confirm/passkey", &fields).await.status,
        403
    );
    assert_eq!(otto.post(&path, &[]).await.status, 303);
    assert_eq!(app.count("SELECT COUNT(*) FROM passkey").await, 1);
    let answer = device.answer(&otto.get("/office/confirm").await, HONEST);
    let fields = [("answer", answer.as_str()), ("next", FACTORS)];
    let confirmed = otto.post("/office/confirm/passkey", &fields).await;
    assert_eq!(confirmed.header("location"), Some(FACTORS));
    assert_eq!(elsewhere.get("/office").await.status, 200);
    let removed = otto.post(&path, &[]).await;
    assert_eq!(
        removed.header("location"),
        Some("/office/second-factor?done=passkey-removed")
    );
    assert_eq!(
        elsewhere.get("/office").await.status,
        303,
        "other log-ins end"
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM recovery_code").await, 0);
    let browser = Person::new(&app);
    let answer = device.answer(&asked(&browser).await, HONEST);
    assert_eq!(answered(&browser, &answer).await.status, 403);
    let answer = browser.log_in(OTTO, &password).await;
    assert_eq!(answer.header("location"), Some("/office"));
    let entries = log(&app).await;
    for expected in [
        "CONFIRMATION_REFUSED wrong passkey",
        "REMOVE_PASSKEY telephone",
    ] {
        assert!(entries.iter().any(|entry| entry == expected), "{entries:?}");
    }
}

#[tokio::test]
async fn a_lost_passkey_is_reset_and_a_recovery_code_stands_in_for_it() {
    let app = TestApp::new().await;
    let (password, otto) = otto(&app).await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let device = Device::new(7);
    for by_command in [true, false] {
        otto.log_in(OTTO, &password).await;
        let codes = add(&otto, &device, "telephone").await.text();
        let is_code = |code: &&str| code.len() == 14 && !code.contains('<');
        let code = codes
            .split("<li>")
            .filter_map(|part| part.split_once("</li>"));
        let code = code.map(|(code, _)| code).find(is_code).unwrap().to_owned();
        let browser = Person::new(&app);
        browser.log_in(OTTO, &password).await;
        assert_eq!(browser.post(CODE, &[("code", &code)]).await.status, 303);
        if by_command {
            command(&app, &["members", "factor-reset", OTTO])
                .await
                .unwrap();
        } else {
            let id = app
                .texts("SELECT member_id FROM member WHERE name = 'otto'")
                .await
                .remove(0);
            let page = ada.get(&format!("/office/members/{id}")).await.text();
            let path = format!("/office/members/{id}/factor");
            assert!(page.contains(&path), "{page}");
            assert_eq!(ada.post(&path, &[]).await.status, 303);
        }
        assert_eq!(otto.get("/office").await.status, 303, "logged out");
        assert_eq!(app.count("SELECT COUNT(*) FROM passkey").await, 0);
        assert_eq!(app.count("SELECT COUNT(*) FROM recovery_code").await, 0);
        let browser = Person::new(&app);
        let answer = device.answer(&asked(&browser).await, HONEST);
        assert_eq!(answered(&browser, &answer).await.status, 403);
    }
}

#[tokio::test]
async fn a_gateway_without_a_host_of_its_own_has_no_passkeys() {
    let app = TestApp::with(|config| config.origin = String::from("https://192.0.2.1")).await;
    let person = Person::logged_in(&app, "otto", "viewer").await;
    let page = person.get(FACTORS).await.text();
    assert!(!page.contains(NEW), "{page}");
    assert_eq!(person.get(NEW).await.status, 404);
    assert!(
        !app.page("/office/login", &[])
            .await
            .text()
            .contains("passkey")
    );
    assert_eq!(
        Person::new(&app)
            .send(ALONE, &[("next", "/office")], &[])
            .await
            .status,
        404
    );
    let app = TestApp::new().await;
    assert!(app.page("/office/login", &[]).await.text().contains(ALONE));
}

#[tokio::test]
async fn another_process_takes_the_answer() {
    let app = TestApp::new().await;
    let (_, person) = otto(&app).await;
    let device = Device::new(7);
    add(&person, &device, "telephone").await;
    let browser = Person::new(&app);
    let right = device.answer(&asked(&browser).await, HONEST);
    let cookie = browser.cookie();
    drop((browser, person));
    let app = app.restarted().await;
    let fields = [("answer", right.as_str())];
    let answer = Person::new(&app)
        .send(ANSWER, &fields, &[("cookie", &cookie)])
        .await;
    assert_eq!(answer.status, 303, "{}", answer.text());
}
