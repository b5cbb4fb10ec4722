//! What administrators change for members, what members change themselves, and what the audit log says about it.

use super::{Person, added, command};
use crate::harness::{Answer, TestApp};
use std::time::Duration;

const OTTO: &str = "otto@shop.example";

/// The secret on a page that shows it once.
fn shown_once(page: &Answer) -> String {
    let text = page.text();
    let (_, rest) = text
        .split_once(r#"<output class="secret">"#)
        .unwrap_or_else(|| panic!("{text}"));
    rest.split_once("</output>").unwrap().0.to_owned()
}

/// Whether somebody can log in.
async fn gets_in(app: &TestApp, email: &str, password: &str) -> bool {
    Person::new(app).log_in(email, password).await.status == 303
}

async fn id_of(app: &TestApp, name: &'static str) -> String {
    let question = match name {
        "otto" => "SELECT member_id FROM member WHERE name = 'otto'",
        _ => "SELECT member_id FROM member WHERE name = 'ada'",
    };
    app.texts(question).await.remove(0)
}

/// Who did what to whom, oldest first.
async fn log(app: &TestApp) -> Vec<String> {
    app.texts(
        "SELECT COALESCE(m.name, 'nobody') || ' ' || a.act || ' ' || a.subject || ' ' || a.detail FROM audit_entry a \
         LEFT JOIN member m ON m.member_id = a.member_id ORDER BY a.seq",
    )
    .await
}

#[tokio::test]
async fn an_administrator_adds_a_member_whose_password_is_shown_once() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let fields = [
        ("name", "Otto"),
        ("email", "Otto@Shop.example"),
        ("role", "OPERATOR"),
    ];
    let answer = ada.post("/office/members", &fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let password = shown_once(&answer);
    assert!(gets_in(&app, OTTO, &password).await);
    assert!(!app.keeps(&password).await);
    let list = ada.get("/office/members").await.text();
    assert!(list.contains("Otto") && list.contains(OTTO) && list.contains("Operator"));
    assert!(!list.contains(&password));
    let answer = ada.post("/office/members", &fields).await;
    assert_eq!(answer.status, 409);
    assert!(answer.text().contains("This e-mail address is taken"));
    assert!(
        answer.text().contains(r#"value="Otto@Shop.example""#),
        "what was typed stays"
    );
    let log = log(&app).await;
    assert!(
        log.contains(&String::from("ada ADD_MEMBER otto@shop.example Operator")),
        "{log:?}"
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_new_member_is_said_at_its_field() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let fields = [("name", " "), ("email", "<b>otto"), ("role", "VIEWER")];
    let answer = ada.post("/office/members", &fields).await;
    assert_eq!(answer.status, 400);
    let text = answer.text();
    for sentence in [
        "A name has 1 to 80 characters.",
        "Type an e-mail address, as in anna@shop.example.",
        r#"value="&#60;b&#62;otto""#,
    ] {
        assert!(text.contains(sentence), "{sentence}: {text}");
    }
    assert_eq!(text.matches(r#"aria-invalid="true""#).count(), 2);
    let fields = [("name", "Otto"), ("email", OTTO), ("role", "OWNER")];
    assert_eq!(ada.post("/office/members", &fields).await.status, 400);
    assert_eq!(ada.post("/office/members", &[]).await.status, 400);
    assert_eq!(app.count("SELECT COUNT(*) FROM member").await, 1);
}

#[tokio::test]
async fn nobody_but_an_administrator_sees_or_changes_members_keys_and_the_log() {
    let app = TestApp::new().await;
    for role in ["viewer", "operator"] {
        let person = Person::logged_in(&app, role, role).await;
        let start = person.get("/office").await.text();
        for path in ["/office/members", "/office/keys", "/office/audit"] {
            assert!(
                !start.contains(&format!("href=\"{path}\"")),
                "{role} {path}"
            );
        }
        for path in [
            "/office/members",
            "/office/members/new",
            "/office/members/1",
            "/office/keys",
            "/office/keys/1/revoke",
            "/office/audit",
        ] {
            let answer = person.get(path).await;
            assert_eq!(answer.status, 403, "{role} {path}");
            assert!(answer.text().contains("Administrator"));
        }
        for path in [
            "/office/members",
            "/office/members/1/role",
            "/office/members/1/disable",
            "/office/members/1/enable",
            "/office/members/1/password",
            "/office/keys",
            "/office/keys/1/rotate",
            "/office/keys/1/revoke",
        ] {
            let all = [
                ("name", "Eve"),
                ("email", "eve@shop.example"),
                ("role", "ADMINISTRATOR"),
                ("terminal", "91000001"),
            ];
            assert_eq!(person.post(path, &all).await.status, 403, "{role} {path}");
        }
    }
    // The permitted twin.
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let start = ada.get("/office").await.text();
    for path in ["/office/members", "/office/keys", "/office/audit"] {
        assert!(start.contains(&format!("href=\"{path}\"")), "{path}");
        assert_eq!(ada.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn what_changes_a_members_rights_logs_them_out() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let password = added(&app, &["members", "add", "demo", OTTO, "viewer", "otto"]).await;
    let otto = Person::new(&app);
    let at = |what: &str, id: &str| format!("/office/members/{id}/{what}");
    let id = id_of(&app, "otto").await;

    otto.log_in(OTTO, &password).await;
    let answer = ada.post(&at("role", &id), &[("role", "OPERATOR")]).await;
    assert_eq!(answer.status, 303);
    assert_eq!(otto.get("/office").await.status, 303, "another role");
    let page = ada.get(answer.header("location").unwrap()).await.text();
    assert!(
        page.contains("The role was changed") && page.contains("Operator"),
        "{page}"
    );

    otto.log_in(OTTO, &password).await;
    assert_eq!(ada.post(&at("disable", &id), &[]).await.status, 303);
    assert_eq!(otto.get("/office").await.status, 303, "disabled");
    assert!(!gets_in(&app, OTTO, &password).await);
    assert_eq!(ada.post(&at("enable", &id), &[]).await.status, 303);

    otto.log_in(OTTO, &password).await;
    let new = shown_once(&ada.post(&at("password", &id), &[]).await);
    assert_eq!(otto.get("/office").await.status, 303, "a new password");
    assert!(!gets_in(&app, OTTO, &password).await);
    assert!(gets_in(&app, OTTO, &new).await);
    assert_eq!(ada.get("/office").await.status, 200, "nobody else's");
}

#[tokio::test]
async fn a_merchant_keeps_an_administrator_and_nobody_changes_themselves() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let own = id_of(&app, "ada").await;
    for (what, fields) in [
        ("role", &[("role", "VIEWER")][..]),
        ("disable", &[]),
        ("password", &[]),
    ] {
        let answer = ada
            .post(&format!("/office/members/{own}/{what}"), fields)
            .await;
        assert_eq!(answer.status, 400, "{what}");
        assert!(answer.text().contains("You cannot do this to yourself"));
    }
    let page = ada.get(&format!("/office/members/{own}")).await.text();
    assert!(!page.contains("/disable\"") && page.contains("This is you."));
    // Two administrators disable each other at the same time: one stays.
    let otto = Person::logged_in(&app, "otto", "administrator").await;
    let other = id_of(&app, "otto").await;
    let (theirs, hers) = (
        format!("/office/members/{other}/disable"),
        format!("/office/members/{own}/disable"),
    );
    let (one, two) = tokio::join!(ada.post(&theirs, &[]), otto.post(&hers, &[]));
    assert!(one.status == 303 || two.status == 303);
    assert_eq!(
        app.count("SELECT COUNT(*) FROM member WHERE role = 'ADMINISTRATOR' AND disabled = 0")
            .await,
        1
    );
}

#[tokio::test]
async fn members_of_another_merchant_are_not_there() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let merchants = app
        .texts("SELECT merchant_id FROM merchant WHERE merchant_id <> 'demo' ORDER BY merchant_id")
        .await;
    let other = merchants.first().unwrap();
    added(
        &app,
        &["members", "add", other, OTTO, "administrator", "otto"],
    )
    .await;
    let id = id_of(&app, "otto").await;
    assert!(!ada.get("/office/members").await.text().contains(OTTO));
    assert_eq!(ada.get(&format!("/office/members/{id}")).await.status, 404);
    for what in ["role", "disable", "enable", "password"] {
        let path = format!("/office/members/{id}/{what}");
        let answer = ada.post(&path, &[("role", "VIEWER")]).await;
        assert_eq!(answer.status, 404, "{what}");
    }
}

#[tokio::test]
async fn a_member_changes_their_own_password() {
    let app = TestApp::new().await;
    let password = added(&app, &["members", "add", "demo", OTTO, "viewer", "otto"]).await;
    let (here, elsewhere) = (Person::new(&app), Person::new(&app));
    here.log_in(OTTO, &password).await;
    elsewhere.log_in(OTTO, &password).await;
    let change = async |current: &str, new: &str, again: &str| {
        let fields = [("current", current), ("new", new), ("again", again)];
        here.post("/office/password", &fields).await
    };
    let good = "correct horse battery";
    for (current, new, again, sentence) in [
        ("wrong-password", good, good, "This is not your password."),
        (
            &password,
            good,
            "correct horse",
            "The two are not the same.",
        ),
        (
            &password,
            "short",
            "short",
            "A password has at least 12 characters.",
        ),
        (
            &password,
            "OTTO@shop.example",
            "OTTO@shop.example",
            "A password is not your e-mail address",
        ),
    ] {
        let answer = change(current, new, again).await;
        assert_eq!(answer.status, 400, "{sentence}");
        let text = answer.text();
        assert!(text.contains(sentence), "{sentence}: {text}");
        assert!(
            !text.contains(good) && !text.contains(&password),
            "what was typed is not shown again"
        );
    }
    let answer = change(&password, good, good).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/password?done=changed")
    );
    assert!(
        here.get("/office/password?done=changed")
            .await
            .text()
            .contains("Your password was changed.")
    );
    assert_eq!(elsewhere.get("/office").await.status, 303);
    assert!(!gets_in(&app, OTTO, &password).await);
    assert!(gets_in(&app, OTTO, good).await);
    assert!(!app.keeps(good).await);
    let log = log(&app).await;
    assert!(
        log.contains(&String::from("otto CHANGE_PASSWORD  ")),
        "{log:?}"
    );
}

#[tokio::test]
async fn an_open_browser_does_not_let_anybody_guess_its_members_password() {
    let app = TestApp::new().await;
    let otto = Person::logged_in(&app, "otto", "viewer").await;
    let fields = [
        ("current", "a-guess"),
        ("new", "correct horse battery"),
        ("again", "correct horse battery"),
    ];
    for _ in 0..5 {
        assert_eq!(otto.post("/office/password", &fields).await.status, 400);
    }
    let answer = otto.post("/office/password", &fields).await;
    assert_eq!(answer.status, 429);
    assert!(answer.text().contains("Try again in 30 minutes."));
}

#[tokio::test]
async fn the_log_is_read_newest_first_by_who_what_and_day_and_page_by_page() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    Person::logged_in(&app, "otto", "viewer").await;
    let page = async |query: &str| ada.get(&format!("/office/audit{query}")).await.text();
    let rows = |text: &str| text.matches("<td data-label=\"When\">").count();
    let all = page("").await;
    // Two commands, two log-ins, and that it is read.
    assert_eq!(rows(&all), 5, "{all}");
    assert!(all.contains("Command on the gateway"));
    assert!(all.find("otto@shop.example").unwrap() < all.find("ada@shop.example").unwrap());
    let otto = id_of(&app, "otto").await;
    for (query, expected) in [
        (format!("?member={otto}"), 1),
        (String::from("?act=LOG_IN"), 2),
        (format!("?member={otto}&act=ADD_MEMBER"), 0),
        (String::from("?from=2026-11-20&to=2026-11-20"), 5),
        (String::from("?from=2026-11-21"), 0),
        (String::from("?to=2026-11-19"), 0),
        (String::from("?member=&act=&from=&to="), 5),
        (String::from("?act=NOTHING&from=yesterday&before=x"), 5),
    ] {
        let text = page(&query).await;
        assert_eq!(rows(&text), expected, "{query}");
        assert_eq!(text.contains("No entry fits."), expected == 0, "{query}");
    }
    for _ in 0..60 {
        command(&app, &["members", "enable", OTTO]).await.unwrap();
    }
    let first = page("?act=ENABLE_MEMBER").await;
    assert_eq!(rows(&first), 50);
    let (_, rest) = first.split_once(r#"<nav class="pager""#).unwrap();
    let (_, rest) = rest.split_once(r#"href="/office/audit"#).unwrap();
    let older = rest.split_once('"').unwrap().0.replace("&#38;", "&");
    assert!(older.contains("act=ENABLE_MEMBER"), "{older}");
    let second = page(&older).await;
    assert_eq!(
        (rows(&second), second.contains("Older entries")),
        (10, false)
    );
}

#[tokio::test]
async fn another_merchants_log_is_not_read() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let merchants = app
        .texts("SELECT merchant_id FROM merchant WHERE merchant_id <> 'demo' ORDER BY merchant_id")
        .await;
    let other = merchants.first().unwrap();
    Person::of_merchant(&app, other, "otto", "viewer").await;
    let text = ada.get("/office/audit").await.text();
    assert!(!text.contains("otto"), "{text}");
}

#[tokio::test]
async fn commands_let_the_first_member_in_and_say_what_is_wrong() {
    let app = TestApp::new().await;
    let password = added(
        &app,
        &[
            "members",
            "add",
            "demo",
            OTTO,
            "Administrator",
            "Otto Rossi",
        ],
    )
    .await;
    assert!(gets_in(&app, OTTO, &password).await);
    let list = command(&app, &["members", "list"]).await.unwrap();
    let line = list.lines().nth(1).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words, [OTTO, "demo", "administrator", "Otto", "Rossi"]);
    assert!(!list.contains(&password));
    let new = added(&app, &["members", "password", "Otto@shop.example"]).await;
    assert!(!gets_in(&app, OTTO, &password).await && gets_in(&app, OTTO, &new).await);
    // A command may disable the last administrator, because another command can add one.
    command(&app, &["members", "disable", OTTO]).await.unwrap();
    assert!(!gets_in(&app, OTTO, &new).await);
    assert!(
        command(&app, &["members", "list"])
            .await
            .unwrap()
            .contains("(disabled)")
    );
    command(&app, &["members", "enable", OTTO]).await.unwrap();
    app.clock.advance(Duration::from_secs(1800));
    assert!(gets_in(&app, OTTO, &new).await);
    for (words, expected) in [
        (
            &["members", "add", "nobodys", "a@b", "viewer", "A"][..],
            "There is no such merchant.",
        ),
        (
            &["members", "add", "demo", "ab", "viewer", "A"],
            "this is not an e-mail address; write one as in anna@shop.example",
        ),
        (
            &["members", "add", "demo", "a@b", "owner", "A"],
            "the role is viewer, operator or administrator",
        ),
        (
            &["members", "add", "demo", "a@b", "viewer", ""],
            "the name has 1 to 80 characters",
        ),
        (
            &["members", "add", "demo", OTTO, "viewer", "A"],
            "This e-mail address is taken by another member of the merchant.",
        ),
        (
            &["members", "disable", "a@b"],
            "there is no member a@b; `list` names them",
        ),
        (
            &["members", "password", "x"],
            "there is no member x; `list` names them",
        ),
    ] {
        let problem = command(&app, words).await.unwrap_err();
        assert_eq!(problem.to_string(), expected);
    }
}
