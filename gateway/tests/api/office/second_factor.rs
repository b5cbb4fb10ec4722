//! The second factor: setting it up, logging in with it, losing it.

use super::{Person, added, command, field};
use crate::harness::{Answer, OWN_MERCHANT, TestApp};
use std::time::Duration;
use totp_rs::{Algorithm, Secret, TOTP};

const OTTO: &str = "otto@shop.example";
const NEW: &str = "/office/second-factor/new";
const CODE: &str = "/office/login/code";

/// An authenticator app on somebody's telephone.
pub(super) struct App(TOTP);

impl App {
    /// Reads the secret that the page shows for typing.
    fn of(page: &Answer) -> App {
        let text = page.text();
        let (_, rest) = text
            .split_once("<code class=\"secret\">")
            .unwrap_or_else(|| panic!("{text}"));
        let typed = rest.split_once("</code>").unwrap().0.replace(' ', "");
        let secret = Secret::Encoded(typed).to_bytes().unwrap();
        App(TOTP::new(Algorithm::SHA1, 6, 1, 30, secret, None, String::new()).unwrap())
    }

    pub(super) fn code(&self, app: &TestApp) -> String {
        let second = app.clock.now_ms() / 1000;
        self.0.generate(u64::try_from(second).unwrap())
    }
}

/// Sets an app up. Returns it with the recovery codes.
pub(super) async fn set_up(app: &TestApp, person: &Person<'_>) -> (App, Vec<String>) {
    let page = person.get(NEW).await;
    let phone = App::of(&page);
    let fields = [
        ("secret", field(&page, "secret")),
        ("code", phone.code(app)),
    ];
    let fields = fields
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    let answer = person.post(NEW, &fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    person.take_token().await;
    let text = answer.text();
    let codes = text
        .split("<li>")
        .filter_map(|part| part.split_once("</li>"));
    let is_code = |code: &&str| code.len() == 14 && !code.contains('<');
    let codes: Vec<&str> = codes.map(|(code, _)| code).filter(is_code).collect();
    assert_eq!(codes.len(), 10, "{text}");
    (phone, codes.into_iter().map(str::to_owned).collect())
}

async fn otto(app: &TestApp) -> String {
    added(app, &["members", "add", "demo", OTTO, "operator", "otto"]).await
}

#[tokio::test]
async fn a_member_sets_an_app_up_and_logs_in_with_its_codes() {
    let app = TestApp::new().await;
    let password = otto(&app).await;
    let (person, elsewhere) = (Person::new(&app), Person::new(&app));
    person.log_in(OTTO, &password).await;
    elsewhere.log_in(OTTO, &password).await;
    let (phone, codes) = set_up(&app, &person).await;
    assert_eq!(person.get("/office").await.status, 200);
    assert_eq!(
        elsewhere.get("/office").await.status,
        303,
        "other log-ins end"
    );
    let page = person.get("/office/second-factor").await.text();
    assert!(page.contains("<dd>10</dd>"), "{page}");
    assert!(!app.keeps(&codes[0]).await && !app.keeps(codes[0].replace('-', "")).await);

    let used = phone.code(&app);
    let again = Person::new(&app);
    let answer = again.log_in(OTTO, &password).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/login/code?next=%2Foffice")
    );
    for path in ["/office", "/office/password", "/office/second-factor", NEW] {
        let answer = again.get(path).await;
        assert_eq!(answer.status, 303, "{path}");
        assert!(
            answer.header("location").unwrap().starts_with(CODE),
            "{path}"
        );
    }
    assert_eq!(
        again.post("/office/password", &[]).await.status,
        303,
        "nor any form"
    );
    let page = again.get(CODE).await.text();
    for words in [r#"autocomplete="one-time-code""#, r#"inputmode="numeric""#] {
        assert!(page.contains(words), "{page}");
    }
    let half = again.cookie();
    let answer = again
        .post(CODE, &[("code", &used), ("next", "/office")])
        .await;
    assert_eq!(answer.status, 403, "a code is good once");
    assert!(answer.text().contains("it was used before"));
    app.clock.advance(Duration::from_secs(30));
    let code = format!(" {} {} ", &phone.code(&app)[..3], &phone.code(&app)[3..]);
    let fields = [("code", code.as_str()), ("next", "/office/orders")];
    let answer = again.post(CODE, &fields).await;
    assert_eq!(answer.header("location"), Some("/office/orders"));
    assert_eq!(again.get("/office").await.status, 200);
    assert_ne!(again.cookie(), half);
    let former = app.page("/office", &[("cookie", &half)]).await;
    assert_eq!(
        former.header("location"),
        Some("/office/login?next=%2Foffice")
    );
    let log = app.texts(
        "SELECT act || ' ' || detail FROM audit_entry WHERE member_id IS NOT NULL ORDER BY seq",
    );
    assert_eq!(
        log.await,
        [
            "LOG_IN ",
            "LOG_IN ",
            "SET_UP_SECOND_FACTOR ",
            "LOG_IN_REFUSED wrong code",
            "LOG_IN with a code",
        ]
    );
}

#[tokio::test]
async fn each_recovery_code_lets_the_member_in_once() {
    let app = TestApp::new().await;
    let password = otto(&app).await;
    let person = Person::new(&app);
    person.log_in(OTTO, &password).await;
    let (_, codes) = set_up(&app, &person).await;
    for (code, status) in [
        (codes[0].to_uppercase(), 303),
        (codes[0].clone(), 403),
        (codes[1].replace('-', ""), 303),
        (String::from("aaaa-aaaa-aaaa"), 403),
        (String::new(), 403),
    ] {
        person.log_in(OTTO, &password).await;
        assert_eq!(
            person.post(CODE, &[("code", &code)]).await.status,
            status,
            "{code}"
        );
    }
    person.log_in(OTTO, &password).await;
    person.post(CODE, &[("code", &codes[2])]).await;
    person.take_token().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM recovery_code").await, 7);
    // New ones replace the others.
    let path = "/office/second-factor/recovery-codes";
    assert_eq!(person.post(path, &[]).await.status, 200);
    assert_eq!(app.count("SELECT COUNT(*) FROM recovery_code").await, 10);
    person.log_in(OTTO, &password).await;
    assert_eq!(person.post(CODE, &[("code", &codes[3])]).await.status, 403);
}

#[tokio::test]
async fn codes_are_limited_as_passwords_are() {
    let app = TestApp::new().await;
    let password = otto(&app).await;
    let person = Person::new(&app);
    person.log_in(OTTO, &password).await;
    let (phone, _) = set_up(&app, &person).await;
    app.clock.advance(Duration::from_secs(60));
    for _ in 0..5 {
        // To log in again does not help.
        person.log_in(OTTO, &password).await;
        assert_eq!(person.post(CODE, &[("code", "000000")]).await.status, 403);
    }
    let answer = person.post(CODE, &[("code", &phone.code(&app))]).await;
    assert_eq!(answer.status, 429);
    assert!(answer.header("retry-after").is_some());
    assert_eq!(person.log_in(OTTO, &password).await.status, 429);
}

#[tokio::test]
async fn a_log_in_waits_ten_minutes_for_its_code() {
    let app = TestApp::new().await;
    let password = otto(&app).await;
    let person = Person::new(&app);
    person.log_in(OTTO, &password).await;
    let (phone, _) = set_up(&app, &person).await;
    for (seconds, location) in [(599, "/office"), (600, "/office/login")] {
        person.log_in(OTTO, &password).await;
        app.clock.advance(Duration::from_secs(seconds));
        let answer = person.post(CODE, &[("code", &phone.code(&app))]).await;
        assert_eq!(answer.header("location"), Some(location), "{seconds}");
    }
}

#[tokio::test]
async fn the_secret_is_stored_once_the_app_proves_that_it_has_it() {
    let app = TestApp::new().await;
    let (ada, otto) = (
        Person::logged_in(&app, "ada", "viewer").await,
        Person::logged_in(&app, "otto", "viewer").await,
    );
    let page = ada.get(NEW).await;
    let (phone, secret) = (App::of(&page), field(&page, "secret"));
    assert!(page.text().contains("<svg class=\"qr\" role=\"img\""));
    let wrong = ada
        .post(NEW, &[("secret", &secret), ("code", "000000")])
        .await;
    assert_eq!(wrong.status, 400);
    assert!(wrong.text().contains(r#"aria-invalid="true""#));
    assert_eq!(
        App::of(&wrong).code(&app),
        phone.code(&app),
        "the same secret again"
    );
    let code = phone.code(&app);
    for (person, secret) in [(&otto, secret.as_str()), (&ada, "AAAA"), (&ada, "")] {
        let answer = person
            .post(NEW, &[("secret", secret), ("code", &code)])
            .await;
        assert_eq!(answer.status, 400, "{secret}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM second_factor").await, 0);
    let answer = ada.post(NEW, &[("secret", &secret), ("code", &code)]).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn production_opens_with_a_second_factor_only() {
    let (app, _) = TestApp::in_production().await;
    let person = Person::of_merchant(&app, OWN_MERCHANT, "otto", "administrator").await;
    for path in [
        "/office",
        "/office/keys",
        "/office/members/new",
        "/office/second-factor",
    ] {
        let answer = person.get(path).await;
        assert_eq!(answer.status, 303, "{path}");
        assert!(
            answer.header("location").unwrap().starts_with(NEW),
            "{path}"
        );
    }
    let answer = person
        .post("/office/keys", &[("terminal", "55000001")])
        .await;
    assert_eq!(answer.status, 303);
    assert_eq!(app.count("SELECT COUNT(*) FROM api_key").await, 1);
    let page = person.get(NEW).await.text();
    assert!(!page.contains("href=\"/office/keys\""), "{page}");
    set_up(&app, &person).await;
    assert_eq!(person.get("/office/keys").await.status, 200);
    let page = person.get("/office/second-factor").await.text();
    assert!(!page.contains("/office/second-factor/remove"), "{page}");
    let path = "/office/second-factor/remove";
    assert_eq!(person.post(path, &[]).await.status, 404);
    // The permitted twin: in a sandbox it is the member's choice.
    let app = TestApp::new().await;
    let person = Person::logged_in(&app, "otto", "viewer").await;
    assert_eq!(
        person.post(path, &[]).await.status,
        404,
        "there is none yet"
    );
    set_up(&app, &person).await;
    assert_eq!(person.post(path, &[]).await.status, 303);
    assert_eq!(app.count("SELECT COUNT(*) FROM second_factor").await, 0);
    assert_eq!(person.get("/office").await.status, 200);
}

#[tokio::test]
async fn a_lost_factor_is_reset_by_a_command_or_an_administrator() {
    let app = TestApp::new().await;
    let password = otto(&app).await;
    let person = Person::new(&app);
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let id = app
        .texts("SELECT member_id FROM member WHERE name = 'otto'")
        .await
        .remove(0);
    let path = format!("/office/members/{id}/factor");
    let reset = ["members", "factor-reset", OTTO];
    let problem = command(&app, &reset).await.unwrap_err().to_string();
    assert_eq!(problem, "This member has no second factor.");
    assert_eq!(ada.post(&path, &[]).await.status, 400);
    for by_command in [true, false] {
        person.log_in(OTTO, &password).await;
        set_up(&app, &person).await;
        if by_command {
            command(&app, &reset).await.unwrap();
        } else {
            let page = ada.get(&format!("/office/members/{id}")).await.text();
            assert!(page.contains(&path), "{page}");
            assert_eq!(ada.post(&path, &[]).await.status, 303);
        }
        assert_eq!(person.get("/office").await.status, 303, "logged out");
        let answer = person.log_in(OTTO, &password).await;
        assert_eq!(answer.header("location"), Some("/office"));
        assert_eq!(app.count("SELECT COUNT(*) FROM recovery_code").await, 0);
    }
    let log = "SELECT COUNT(*) FROM audit_entry WHERE act = 'RESET_SECOND_FACTOR' AND subject = 'otto@shop.example'";
    assert_eq!(app.count(log).await, 2);
}

#[tokio::test]
async fn the_secret_follows_the_vaults_keys() {
    let app = TestApp::new().await;
    let password = otto(&app).await;
    let person = Person::new(&app);
    person.log_in(OTTO, &password).await;
    let (phone, _) = set_up(&app, &person).await;
    command(&app, &["vault", "rotate"]).await.unwrap();
    payframe_gateway::maintenance::run_due_work(&app.app).await;
    command(&app, &["vault", "reencrypt"]).await.unwrap();
    let list = command(&app, &["vault", "list"]).await.unwrap();
    let values = list.lines().map(|line| line.split_whitespace().nth(2));
    assert!(
        values.into_iter().any(|number| number == Some("0")),
        "{list}"
    );
    app.clock.advance(Duration::from_secs(60));
    person.log_in(OTTO, &password).await;
    let answer = person.post(CODE, &[("code", &phone.code(&app))]).await;
    assert_eq!(answer.status, 303);
}
