//! What asks for the password or a code again, and when.

use super::{Person, added, command, second_factor};
use crate::harness::{APPROVED, TestApp, build};
use crate::lists::paid;
use std::time::Duration;

const ADA: &str = "ada@shop.example";
const CONFIRM: &str = "/office/confirm";

async fn ada(app: &TestApp) -> String {
    added(
        app,
        &["members", "add", "demo", ADA, "administrator", "ada"],
    )
    .await
}

#[tokio::test]
async fn what_can_do_the_most_harm_asks_again_after_five_minutes() {
    let app = TestApp::new().await;
    let password = ada(&app).await;
    let person = Person::new(&app);
    person.log_in(ADA, &password).await;
    app.clock.advance(Duration::from_secs(299));
    let key = [("terminal", "91000001")];
    assert_eq!(person.post("/office/keys", &key).await.status, 200);
    app.clock.advance(Duration::from_secs(1));
    let keys = app
        .texts("SELECT subject FROM audit_entry WHERE act = 'MAKE_KEY'")
        .await;
    let member = app.texts("SELECT member_id FROM member").await.remove(0);
    let at = |what: &str| format!("/office/members/{member}/{what}");
    for (path, next) in [
        (String::from("/office/keys"), "%2Foffice%2Fkeys"),
        (
            format!("/office/keys/{}/rotate", keys[0]),
            "%2Foffice%2Fkeys",
        ),
        (String::from("/office/members"), "%2Foffice%2Fmembers%2Fnew"),
        (at("role"), "%2Foffice%2Fmembers%2F"),
        (at("password"), "%2Foffice%2Fmembers%2F"),
        (at("factor"), "%2Foffice%2Fmembers%2F"),
        (
            String::from("/office/second-factor/new"),
            "%2Foffice%2Fsecond-factor%2Fnew",
        ),
    ] {
        let fields = [
            ("terminal", "91000001"),
            ("name", "Eve"),
            ("email", "eve@shop.example"),
            ("role", "VIEWER"),
            ("secret", ""),
            ("code", ""),
        ];
        let answer = person.post(&path, &fields).await;
        let location = answer.header("location").unwrap();
        assert!(
            location.starts_with(&format!("{CONFIRM}?next={next}")),
            "{path}: {location}"
        );
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM member").await, 1);
    // What protects is not held up.
    let revoke = format!("/office/keys/{}/revoke", keys[0]);
    assert_eq!(person.post(&revoke, &[]).await.status, 303);
    let page = person
        .get("/office/confirm?next=%2Foffice%2Fkeys")
        .await
        .text();
    assert!(page.contains("autocomplete=\"current-password\""), "{page}");
    let wrong = person.post(CONFIRM, &[("proof", "wrong-password")]).await;
    assert_eq!(wrong.status, 403);
    assert_eq!(
        person.post("/office/keys", &key).await.status,
        303,
        "still not"
    );
    let fields = [("proof", password.as_str()), ("next", "/office/keys")];
    let answer = person.post(CONFIRM, &fields).await;
    assert_eq!(answer.header("location"), Some("/office/keys"));
    assert_eq!(person.post("/office/keys", &key).await.status, 200);
    let log = app.texts("SELECT act FROM audit_entry WHERE member_id IS NOT NULL ORDER BY seq");
    assert_eq!(
        log.await,
        [
            "LOG_IN",
            "MAKE_KEY",
            "REVOKE_KEY",
            "CONFIRMATION_REFUSED",
            "MAKE_KEY"
        ]
    );
}

#[tokio::test]
async fn a_member_with_a_second_factor_confirms_with_a_code() {
    let app = TestApp::new().await;
    let password = ada(&app).await;
    let person = Person::new(&app);
    person.log_in(ADA, &password).await;
    let (phone, _) = second_factor::set_up(&app, &person).await;
    app.clock.advance(Duration::from_secs(300));
    let wrong = person.post(CONFIRM, &[("proof", &password)]).await;
    assert_eq!(wrong.status, 403, "the password alone is not enough");
    let code = phone.code(&app);
    assert_eq!(person.post(CONFIRM, &[("proof", &code)]).await.status, 303);
    assert_eq!(
        person.post(CONFIRM, &[("proof", &code)]).await.status,
        403,
        "once"
    );
    for _ in 0..4 {
        assert_eq!(
            person.post(CONFIRM, &[("proof", "000000")]).await.status,
            403
        );
    }
    app.clock.advance(Duration::from_secs(60));
    let code = phone.code(&app);
    assert_eq!(person.post(CONFIRM, &[("proof", &code)]).await.status, 429);
}

#[tokio::test]
async fn large_refunds_are_confirmed() {
    let app = TestApp::new().await;
    paid(&app, "sandbox-implicit", &build("A1"), APPROVED).await;
    let order = app.order("A1").await;
    let id = order["operations"][0]["operationId"].as_str().unwrap();
    let path = format!("/office/orders/A1/{id}/refund");
    command(&app, &["merchant", "confirm-refunds", "demo", "1000"])
        .await
        .unwrap();
    let password = added(&app, &["members", "add", "demo", ADA, "operator", "ada"]).await;
    let person = Person::new(&app);
    person.log_in(ADA, &password).await;
    app.clock.advance(Duration::from_secs(300));
    let page = person.get(&path).await;
    let (key, most) = (super::field(&page, "key"), super::field(&page, "most"));
    let send = async |amount: &str| {
        let fields = [("key", key.as_str()), ("most", &most), ("amount", amount)];
        person.post(&path, &fields).await
    };
    assert_eq!(send("10.00").await.status, 200, "the question");
    let asked = send("10.01").await;
    let location = asked.header("location").unwrap().to_owned();
    assert!(
        location.starts_with("/office/confirm?next=%2Foffice%2Forders%2FA1%2F"),
        "{location}"
    );
    assert_eq!(app.count("SELECT COUNT(*) FROM operation").await, 1);
    let answer = person
        .post(CONFIRM, &[("proof", &password), ("next", &path)])
        .await;
    assert_eq!(answer.header("location"), Some(path.as_str()));
    assert_eq!(send("10.01").await.status, 200);
    let log = "SELECT COUNT(*) FROM audit_entry WHERE act = 'CHANGE_MERCHANT' AND detail = 'refunds above 1000 are confirmed'";
    assert_eq!(app.count(log).await, 1);
    let unknown = command(&app, &["merchant", "confirm-refunds", "nobodys", "1"]).await;
    assert!(unknown.is_err());
}
