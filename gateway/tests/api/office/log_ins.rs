//! Where members are logged in, and who ends that.

use super::{Person, added};
use crate::harness::TestApp;
use std::time::Duration;

const OTTO: &str = "otto@shop.example";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async fn log_in(person: &Person<'_>, password: &str, from: &str) {
    let fields = [("email", OTTO), ("password", password)];
    let headers = [("x-forwarded-for", from), ("user-agent", FIREFOX)];
    let answer = person.send("/office/login", &fields, &headers).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    person.take_token().await;
}

#[tokio::test]
async fn a_member_sees_where_they_are_logged_in_and_ends_it() {
    let app = TestApp::with(|config| config.proxies = 1).await;
    let password = added(&app, &["members", "add", "demo", OTTO, "viewer", "otto"]).await;
    let [here, home, train] = [(); 3].map(|()| Person::new(&app));
    log_in(&here, &password, "198.51.100.7").await;
    log_in(&home, &password, "198.51.100.8").await;
    log_in(&train, &password, "2001:db8::1").await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let page = here.get("/office/log-ins").await.text();
    for words in ["198.51.100.7", "198.51.100.8", "2001:db8::1"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert_eq!(page.matches("Firefox").count(), 3, "{page}");
    assert_eq!(page.matches("This browser").count(), 1);
    assert!(page.contains("End all others"));
    let ids = app
        .texts("SELECT session_id FROM login_session WHERE address = '198.51.100.8'")
        .await;
    let path = format!("/office/log-ins/{}/end", ids[0]);
    assert_eq!(ada.post(&path, &[]).await.status, 404, "nobody else's");
    assert_eq!(home.get("/office").await.status, 200);
    let answer = here.post(&path, &[]).await;
    assert_eq!(answer.header("location"), Some("/office/log-ins?done=one"));
    assert_eq!(home.get("/office").await.status, 303);
    assert_eq!(here.post(&path, &[]).await.status, 404, "it is over");
    assert_eq!(train.get("/office").await.status, 200);
    assert_eq!(
        here.post("/office/log-ins/end-others", &[]).await.status,
        303
    );
    assert_eq!(train.get("/office").await.status, 303);
    assert_eq!(here.get("/office").await.status, 200);
    assert_eq!(ada.get("/office").await.status, 200, "nobody else's");
    let log = app.texts("SELECT detail FROM audit_entry WHERE act = 'END_LOG_INS' ORDER BY seq");
    assert_eq!(log.await, ["one of their own", "all others of their own"]);
    // What is over is not listed.
    let page = here.get("/office/log-ins").await.text();
    assert!(
        !page.contains("198.51.100.8") && !page.contains("End all others"),
        "{page}"
    );
    log_in(&home, &password, "198.51.100.8").await;
    for _ in 0..2 {
        app.clock.advance(Duration::from_secs(500));
        here.get("/office").await;
    }
    let page = here.get("/office/log-ins").await.text();
    assert!(!page.contains("198.51.100.8"), "{page}");
}

#[tokio::test]
async fn an_administrator_ends_a_members_log_ins() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let otto = Person::logged_in(&app, "otto", "viewer").await;
    let question = "SELECT member_id FROM member ORDER BY name";
    let ids = app.texts(question).await;
    let (own, other) = (&ids[0], &ids[1]);
    let page = ada.get(&format!("/office/members/{other}")).await.text();
    assert!(
        page.contains("Another browser") && page.contains("End all log-ins"),
        "{page}"
    );
    let path = format!("/office/members/{other}/log-out");
    assert_eq!(otto.post(&path, &[]).await.status, 403);
    assert_eq!(ada.post(&path, &[]).await.status, 303);
    assert_eq!(otto.get("/office").await.status, 303);
    let page = ada.get(&format!("/office/members/{other}")).await.text();
    assert!(page.contains("Logged in nowhere."), "{page}");
    let path = format!("/office/members/{own}/log-out");
    assert_eq!(
        ada.post(&path, &[]).await.status,
        400,
        "that is what Your log-ins is for"
    );
    let log =
        app.texts("SELECT subject || ' ' || detail FROM audit_entry WHERE act = 'END_LOG_INS'");
    assert_eq!(log.await, ["otto@shop.example all"]);
}
