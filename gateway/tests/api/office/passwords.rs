//! Which passwords members may have, and for how long a member who is not there stays one.

use super::{Person, added, command, first_password};
use crate::harness::{Answer, OWN_MERCHANT, TestApp};
use std::time::Duration;

const OTTO: &str = "otto@shop.example";
const PAGE: &str = "/office/password";
const DAY_S: u64 = 86_400;

async fn change(person: &Person<'_>, current: &str, new: &str) -> Answer {
    let fields = [("current", current), ("new", new), ("again", new)];
    let answer = person.post(PAGE, &fields).await;
    if answer.status == 303 {
        person.take_token().await;
    }
    answer
}

#[tokio::test]
async fn a_password_that_somebody_else_has_seen_is_changed_at_the_first_log_in() {
    let app = TestApp::new().await;
    let add = ["members", "add", "demo", OTTO, "administrator", "otto"];
    let reset = ["members", "password", OTTO];
    let chosen = ["lamp orbit quince ladder", "ladder quince orbit lamp"];
    for (words, chosen) in [(&add[..], chosen[0]), (&reset[..], chosen[1])] {
        let given = first_password(&app, words).await;
        let person = Person::new(&app);
        assert_eq!(person.log_in(OTTO, &given).await.status, 303);
        for path in ["/office", "/office/keys", "/office/second-factor/new"] {
            let answer = person.get(path).await;
            assert_eq!(answer.status, 303, "{path}");
            assert!(
                answer.header("location").unwrap().starts_with(PAGE),
                "{path}"
            );
        }
        let page = person.get(PAGE).await.text();
        assert!(
            page.contains("Somebody else has seen this password."),
            "{page}"
        );
        assert!(!page.contains("href=\"/office/keys\""), "{page}");
        let key = [("terminal", "91000001")];
        assert_eq!(person.post("/office/keys", &key).await.status, 303);
        assert_eq!(
            change(&person, &given, &given).await.status,
            400,
            "the same one"
        );
        assert_eq!(change(&person, &given, chosen).await.status, 303);
        assert_eq!(person.get("/office/keys").await.status, 200);
        let page = person.get(PAGE).await.text();
        assert!(!page.contains("Somebody else has seen"), "{page}");
    }
    assert_eq!(
        app.count("SELECT COUNT(*) FROM api_key WHERE created_ms > 0")
            .await,
        0
    );
}

/// Somebody who finds an open browser and guesses: each guess is written down, and of the wait the first one.
#[tokio::test]
async fn a_wrong_current_password_is_written_down() {
    let app = TestApp::new().await;
    let person = Person::logged_in(&app, "otto", "administrator").await;
    let refused = async || {
        app.count("SELECT COUNT(*) FROM audit_entry WHERE act = 'CONFIRMATION_REFUSED'")
            .await
    };
    for guess in 1..=5 {
        let answer = change(&person, "wrong-password", "lamp orbit quince ladder").await;
        assert_eq!((answer.status, refused().await), (400, guess));
    }
    for _ in 0..3 {
        let answer = change(&person, "wrong-password", "lamp orbit quince ladder").await;
        assert_eq!((answer.status, refused().await), (429, 6));
    }
}

#[tokio::test]
async fn in_production_the_password_comes_before_the_second_factor() {
    let (app, _) = TestApp::in_production().await;
    let words = ["members", "add", OWN_MERCHANT, OTTO, "viewer", "otto"];
    let given = first_password(&app, &words).await;
    let person = Person::new(&app);
    person.log_in(OTTO, &given).await;
    let answer = change(&person, &given, "lamp orbit quince ladder").await;
    assert_eq!(answer.status, 303);
    let answer = person.get("/office").await;
    let location = answer.header("location").unwrap();
    assert!(
        location.starts_with("/office/second-factor/new"),
        "{location}"
    );
}

#[tokio::test]
async fn a_password_that_was_in_a_leak_is_not_taken_however_good_it_looks() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("leaked");
    // The SHA-1 hash of "marble tunnel quince orbit", in the lists' own format.
    std::fs::write(&list, "F243B20D9BCF50350A88B6670F883424D3B5F326:12\r\n").unwrap();
    let app = TestApp::with(|config| config.leaked_passwords = Some(list)).await;
    let words = ["members", "add", "demo", OTTO, "viewer", "otto"];
    let first = added(&app, &words).await;
    let person = Person::new(&app);
    person.log_in(OTTO, &first).await;
    for leaked in ["correct horse battery staple", "marble tunnel quince orbit"] {
        let answer = change(&person, &first, leaked).await;
        assert_eq!(answer.status, 400, "{leaked}");
        assert!(answer.text().contains("This password was in a leak"));
    }
    let free = "marble tunnel quince ladder";
    assert_eq!(change(&person, &first, free).await.status, 303);
}

#[tokio::test]
async fn the_last_four_passwords_are_not_taken_again() {
    let app = TestApp::new().await;
    let words = ["members", "add", "demo", OTTO, "viewer", "otto"];
    let first = added(&app, &words).await;
    let person = Person::new(&app);
    person.log_in(OTTO, &first).await;
    let mut used = vec![first];
    for word in ["lamp", "quince", "ladder", "saddle"] {
        for former in used.iter().rev().take(4) {
            let answer = change(&person, used.last().unwrap(), former).await;
            assert_eq!(answer.status, 400);
            assert!(answer.text().contains("one of your last four passwords"));
        }
        app.clock.advance(Duration::from_secs(1));
        let new = format!("{word} orbit marble tunnel");
        assert_eq!(
            change(&person, used.last().unwrap(), &new).await.status,
            303
        );
        used.push(new);
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM former_password").await, 3);
    // The fifth is free again.
    assert_eq!(change(&person, &used[4], &used[0]).await.status, 303);
}

#[tokio::test]
async fn members_who_do_not_log_in_for_90_days_are_disabled() {
    let app = TestApp::new().await;
    let password = added(
        &app,
        &["members", "add", "demo", OTTO, "administrator", "otto"],
    )
    .await;
    let tidied = async |seconds: u64| {
        app.clock.advance(Duration::from_secs(seconds));
        payframe_gateway::maintenance::tidy_up(&app.app).await;
        app.count("SELECT disabled FROM member").await == 1
    };
    assert!(!tidied(90 * DAY_S - 1).await);
    assert_eq!(Person::new(&app).log_in(OTTO, &password).await.status, 303);
    assert!(!tidied(90 * DAY_S - 1).await, "a log-in counts");
    assert!(tidied(1).await);
    assert_eq!(Person::new(&app).log_in(OTTO, &password).await.status, 403);
    command(&app, &["members", "enable", OTTO]).await.unwrap();
    assert!(!tidied(90 * DAY_S - 1).await, "90 days from then on");
    assert_eq!(Person::new(&app).log_in(OTTO, &password).await.status, 303);
    let log =
        app.texts("SELECT subject || ' ' || detail FROM audit_entry WHERE act = 'DISABLE_MEMBER'");
    assert_eq!(log.await, ["otto@shop.example no log-in for 90 days"]);
}
