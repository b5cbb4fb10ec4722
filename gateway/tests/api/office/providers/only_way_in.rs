//! Members who log in at a provider alone, and the way in that the operator opens for them.

use super::super::second_factor::set_up;
use super::super::{Person, command};
use super::company::Company;
use super::{OTTO, gateway, log_in, person, with_company};
use crate::harness::{START_MS, TestApp};
use payframe_gateway::config::Config;
use payframe_gateway::operator;
use serde_json::json;
use std::time::Duration;

const ONLY: &str = "only_way_in = true";
const SENTENCE: &str = "your company logs in at its provider only";

/// A gateway whose members of the demo merchant log in at a provider alone, and Otto.
async fn with_only_way_in() -> (TestApp, Company) {
    let company = Company::start(START_MS).await;
    let app = gateway(&company.in_file("acme", "demo", ONLY)).await;
    let told = command(
        &app,
        &["members", "add", "demo", OTTO, "administrator", "otto"],
    )
    .await;
    assert_eq!(
        told.unwrap(),
        "otto@shop.example was added, and logs in at the log-in provider\n"
    );
    (app, company)
}

/// The secret of an emergency access.
async fn opened(app: &TestApp) -> String {
    let told = command(app, &["members", "emergency-access", OTTO]).await;
    told.unwrap().lines().nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn passwords_open_nothing_and_are_not_made() {
    let (app, company) = with_only_way_in().await;
    let words = ["members", "password", OTTO];
    let refused = command(&app, &words).await.unwrap_err().to_string();
    assert!(refused.contains("have no password here"), "{refused}");
    // One that was made before the provider became the only way in.
    let before = Config {
        login_providers: None,
        ..app.config().clone()
    };
    let told = operator::command(&before, &app.clock, &words)
        .await
        .unwrap();
    let password = told.lines().nth(1).unwrap();
    let right = Person::new(&app).log_in(OTTO, password).await;
    let unknown = Person::new(&app).log_in("eve@shop.example", password).await;
    for answer in [&right, &unknown] {
        assert_eq!(answer.status, 403);
        assert!(answer.text().contains(SENTENCE), "{}", answer.text());
    }
    assert_eq!(
        right.text().replace(OTTO, ""),
        unknown.text().replace("eve@shop.example", "")
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM login_session").await, 0);
    let log = app.texts("SELECT detail FROM audit_entry WHERE act = 'LOG_IN_REFUSED'");
    assert_eq!(log.await, ["with a password, and not at a provider"]);
    let otto = person(&app, &log_in(&app, &company, "acme", &[]).await);
    let page = otto.get("/office").await;
    assert!(page.status == 200 && !page.text().contains("Your password"));
    // A log-in of before is over.
    app.change("UPDATE login_session SET provider_factors = 0")
        .await;
    assert_eq!(otto.get("/office").await.status, 303);
    app.change("UPDATE login_session SET provider_factors = 1")
        .await;
    otto.take_token().await;
    assert_eq!(otto.get("/office/password").await.status, 400);
    let changed = [
        ("current", password),
        ("new", "lamp orbit quince"),
        ("again", "lamp orbit quince"),
    ];
    assert_eq!(otto.post("/office/password", &changed).await.status, 400);
    let confirm = otto.get("/office/confirm").await.text();
    assert!(confirm.contains("Log in again with") && !confirm.contains("Present password"));
    let confirmed = otto.post("/office/confirm", &[("proof", password)]).await;
    assert_eq!(confirmed.status, 403);
    // Members are added without one.
    let newcomer = [
        ("name", "Ada"),
        ("email", "ada@shop.example"),
        ("role", "VIEWER"),
    ];
    let added = otto.post("/office/members", &newcomer).await;
    let at = added.header("location").unwrap().to_owned();
    assert!(added.status == 303 && at.ends_with("?done=added"), "{at}");
    let page = otto.get(&at).await.text();
    assert!(
        page.contains("logs in at your log-in provider") && !page.contains("Make a new password")
    );
    let reset = at.replace("?done=added", "/password");
    assert_eq!(otto.post(&reset, &[]).await.status, 400);
}

#[tokio::test]
async fn the_operator_lets_a_member_in_once_while_nobody_can_log_in_there() {
    let (app, company) = with_only_way_in().await;
    let (former, secret) = (opened(&app).await, opened(&app).await);
    assert!(!app.keeps(&secret).await);
    assert_eq!(Person::new(&app).log_in(OTTO, &former).await.status, 403);
    let otto = Person::new(&app);
    let answer = otto.log_in(OTTO, &secret).await;
    assert_eq!(answer.status, 303);
    assert_eq!(
        otto.get("/office").await.status,
        200,
        "without choosing a password"
    );
    assert_eq!(
        Person::new(&app).log_in(OTTO, &secret).await.status,
        403,
        "once"
    );
    otto.take_token().await;
    let (phone, _) = set_up(&app, &otto).await;
    app.change("DELETE FROM login_attempt").await;
    // With the second factor, as ever.
    let secret = opened(&app).await;
    app.clock.advance(Duration::from_secs(3599));
    let half = Person::new(&app);
    let answer = half.log_in(OTTO, &secret).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/login/code?next=%2Foffice")
    );
    half.take_token().await;
    let code = phone.code(&app);
    assert_eq!(
        half.post("/office/login/code", &[("code", &code)])
            .await
            .status,
        303
    );
    assert_eq!(half.get("/office").await.status, 200);
    // The provider does not end what did not begin there.
    company.answers(|manner| manner.now_s = app.clock.now_ms() / 1000);
    let path = "/office/login/provider/acme/back-channel-logout";
    let token = company.logout_token(&json!({}));
    let told = Person::new(&app)
        .send(path, &[("logout_token", &token)], &[])
        .await;
    assert_eq!(told.status, 200);
    assert_eq!(half.get("/office").await.status, 200);
    for ends in ["an hour", "disabled"] {
        let secret = opened(&app).await;
        if ends == "an hour" {
            app.clock.advance(Duration::from_secs(3600));
        } else {
            command(&app, &["members", "disable", OTTO]).await.unwrap();
            command(&app, &["members", "enable", OTTO]).await.unwrap();
        }
        assert_eq!(
            Person::new(&app).log_in(OTTO, &secret).await.status,
            403,
            "{ends}"
        );
    }
    let log = app
        .texts("SELECT act || ' ' || detail FROM audit_entry WHERE act = 'LOG_IN' OR os_user IS NOT NULL ORDER BY seq")
        .await;
    let opened = "OPEN_EMERGENCY_ACCESS for one log-in, for an hour";
    assert_eq!(
        log,
        [
            "ADD_MEMBER Administrator",
            opened,
            opened,
            "LOG_IN by emergency access",
            opened,
            "LOG_IN by emergency access, with a code",
            opened,
            opened,
            "DISABLE_MEMBER ",
            "ENABLE_MEMBER ",
        ]
    );
}

#[tokio::test]
async fn there_is_no_emergency_access_where_members_have_passwords() {
    let (app, _) = with_company("").await;
    let refused = command(&app, &["members", "emergency-access", OTTO]).await;
    assert_eq!(
        refused.unwrap_err().to_string(),
        "Members of this merchant have a password: make a new one."
    );
}
