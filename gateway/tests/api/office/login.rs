//! Who can log in, for how long, and what other sites cannot do.

use super::{Person, added, command};
use crate::harness::TestApp;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use std::net::SocketAddr;
use std::time::Duration;

const ANNA: &str = "anna@shop.example";
const WRONG: &str = "E-mail address and password do not match.";

async fn anna(app: &TestApp) -> String {
    added(
        app,
        &[
            "members",
            "add",
            "demo",
            "Anna@Shop.example",
            "viewer",
            "Anna",
        ],
    )
    .await
}

#[tokio::test]
async fn a_member_gets_in_by_e_mail_address_and_password() {
    let app = TestApp::new().await;
    let password = anna(&app).await;
    let person = Person::new(&app);
    let asked = person.get("/office").await;
    assert_eq!(
        (asked.status, asked.header("location")),
        (303, Some("/office/login?next=%2Foffice"))
    );
    let answer = person.log_in(" ANNA@shop.example ", &password).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/office"))
    );
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.starts_with("__Secure-payframe-office=")
            && cookie.ends_with("; Path=/office; HttpOnly; SameSite=Strict; Secure"),
        "{cookie}"
    );
    let page = person.get("/office").await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("Anna") && page.text().contains("Demo shop"));
    // Neither is stored on disk.
    let token = person.cookie();
    let (_, token) = token.split_once('=').unwrap();
    assert!(!app.keeps(&password).await && !app.keeps(token).await);
}

#[tokio::test]
async fn pages_say_what_they_may_do_and_are_not_kept() {
    let app = TestApp::new().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    for page in [
        person.get("/office").await,
        person.get("/office/members").await,
        person.get("/office/nowhere").await,
        Person::new(&app).get("/office/login").await,
    ] {
        assert_eq!(
            page.header("content-security-policy"),
            Some(
                "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; \
                 frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; \
                 report-uri /reports; report-to reports"
            )
        );
        assert_eq!(page.header("cache-control"), Some("no-store"));
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        let text = page.text();
        assert!(
            !text.contains("style=") && !text.contains("<script>"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn style_and_script_are_there_and_never_change() {
    let app = TestApp::new().await;
    let page = Person::new(&app).get("/office/login").await.text();
    for (kind, mark) in [
        ("text/css; charset=utf-8", "rel=\"stylesheet\" href=\""),
        ("text/javascript; charset=utf-8", "type=\"module\" src=\""),
        ("image/svg+xml", "rel=\"icon\" href=\""),
    ] {
        let (_, rest) = page.split_once(mark).unwrap();
        let path = rest.split_once('"').unwrap().0;
        let file = app.page(path, &[]).await;
        assert_eq!(
            (file.status, file.header("content-type")),
            (200, Some(kind))
        );
        assert_eq!(
            file.header("cache-control"),
            Some("public, max-age=31536000, immutable")
        );
    }
}

#[tokio::test]
async fn nobody_is_told_why_they_do_not_get_in() {
    let app = TestApp::new().await;
    let password = anna(&app).await;
    let person = Person::new(&app);
    let mut told = Vec::new();
    for (email, typed) in [
        (ANNA, "wrong-password"),
        ("nobody@shop.example", password.as_str()),
        ("", ""),
    ] {
        let answer = person.log_in(email, typed).await;
        assert_eq!(answer.status, 403, "{email}");
        assert!(answer.text().contains(WRONG));
        // A failed log-in shows the address again, but no password.
        told.push(
            answer
                .text()
                .replace(&format!("value=\"{email}\""), "value=\"\""),
        );
        assert!(!answer.text().contains(&password));
    }
    command(&app, &["members", "disable", ANNA]).await.unwrap();
    let answer = person.log_in(ANNA, &password).await;
    told.push(
        answer
            .text()
            .replace(&format!("value=\"{ANNA}\""), "value=\"\""),
    );
    assert!(told.iter().all(|page| page == &told[0]), "{told:#?}");
    assert!(person.cookie().is_empty());
}

#[tokio::test]
async fn attempts_are_limited_by_account_whoever_tries() {
    let app = TestApp::new().await;
    let password = anna(&app).await;
    let person = Person::new(&app);
    for email in [ANNA, "nobody@shop.example"] {
        for _ in 0..5 {
            assert_eq!(person.log_in(email, "wrong-password").await.status, 403);
        }
        let answer = person.log_in(email, &password).await;
        assert_eq!(
            (answer.status, answer.header("retry-after")),
            (429, Some("1800"))
        );
        let sentence = "Too many attempts. Try again in 30 minutes.";
        assert!(answer.text().contains(sentence), "{}", answer.text());
    }
    app.clock.advance(Duration::from_secs(1740));
    let answer = person.log_in(ANNA, &password).await;
    assert!(answer.text().contains("Try again in 1 minute."));
    // The limit also applies in other processes, and after a restart.
    let app = app.restarted().await;
    let person = Person::new(&app);
    assert_eq!(person.log_in(ANNA, &password).await.status, 429);
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(person.log_in(ANNA, &password).await.status, 303);
}

#[tokio::test]
async fn whoever_guesses_elsewhere_does_not_lock_the_member_out() {
    let app = TestApp::with(|config| config.proxies = 1).await;
    let password = anna(&app).await;
    let attempt = async |email: &str, password: &str, from: &str| {
        let fields = [("email", email), ("password", password)];
        let headers = [("x-forwarded-for", from)];
        let answer = Person::new(&app)
            .send("/office/login", &fields, &headers)
            .await;
        (answer.status, answer.text())
    };
    let (work, train) = ("198.51.100.7", "198.51.100.8");
    assert_eq!(attempt(ANNA, &password, work).await.0, 303);
    // Ten attempts from ten networks lock the address for all networks but the known one, and so they do for an address of nobody.
    let mut told = Vec::new();
    for email in [ANNA, "nobody@shop.example"] {
        for place in 1..=10 {
            let from = format!("192.0.2.{place}");
            assert_eq!(
                attempt(email, "wrong-password", &from).await.0,
                403,
                "{email}"
            );
        }
        let (status, text) = attempt(email, &password, train).await;
        assert_eq!(status, 429, "{email}");
        told.push(text.replace(email, ""));
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(attempt(ANNA, &password, work).await.0, 303);
    assert_eq!(
        attempt(ANNA, &password, train).await.0,
        429,
        "the others' tries still count"
    );
    // At the known network there are as few tries as elsewhere.
    for _ in 0..5 {
        assert_eq!(attempt(ANNA, "wrong-password", work).await.0, 403);
    }
    assert_eq!(attempt(ANNA, &password, work).await.0, 429);
    app.clock.advance(Duration::from_secs(1800));
    assert_eq!(attempt(ANNA, &password, train).await.0, 303);
    // After 90 days without a log-in a network is not known any more.
    app.clock.advance(Duration::from_secs(90 * 86_400));
    for place in 1..=10 {
        let from = format!("192.0.2.{place}");
        assert_eq!(attempt(ANNA, "wrong-password", &from).await.0, 403);
    }
    assert_eq!(attempt(ANNA, &password, work).await.0, 429);
}

#[tokio::test]
async fn a_good_log_in_forgets_the_bad_ones() {
    let app = TestApp::new().await;
    let password = anna(&app).await;
    let person = Person::new(&app);
    for _ in 0..3 {
        for _ in 0..4 {
            assert_eq!(person.log_in(ANNA, "wrong-password").await.status, 403);
        }
        assert_eq!(person.log_in(ANNA, &password).await.status, 303);
    }
}

#[tokio::test]
async fn attempts_are_limited_by_network_whomever_they_are_for() {
    let app = TestApp::with(|config| config.proxies = 1).await;
    let password = anna(&app).await;
    let person = Person::new(&app);
    let attempt = async |email: &str, password: &str, from: &str| {
        let fields = [("email", email), ("password", password)];
        person
            .send("/office/login", &fields, &[("x-forwarded-for", from)])
            .await
    };
    for place in 0..20 {
        let email = format!("{place}@shop.example");
        // Entries that a caller writes are further to the left and do not count.
        let from = format!("192.0.2.{place}, 198.51.100.7");
        assert_eq!(attempt(&email, "wrong-password", &from).await.status, 403);
    }
    let answer = attempt(ANNA, &password, "198.51.100.7").await;
    assert_eq!(answer.status, 429);
    assert!(answer.text().contains("Too many attempts."));
    assert_eq!(attempt(ANNA, &password, "198.51.100.8").await.status, 303);
}

#[tokio::test]
async fn a_login_ends_after_a_quarter_of_an_hour_without_a_call_and_after_twelve_hours() {
    let app = TestApp::new().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    for _ in 0..48 {
        assert_eq!(person.get("/office").await.status, 200);
        app.clock.advance(Duration::from_secs(15 * 60 - 1));
    }
    assert_eq!(person.get("/office").await.status, 200);
    app.clock.advance(Duration::from_secs(48));
    assert_eq!(person.get("/office").await.status, 303, "twelve hours");
    let person = Person::logged_in(&app, "otto", "operator").await;
    app.clock.advance(Duration::from_secs(15 * 60));
    assert_eq!(
        person.get("/office").await.status,
        303,
        "a quarter of an hour"
    );
}

#[tokio::test]
async fn the_log_out_ends_the_seat_in_the_store() {
    let app = TestApp::new().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let kept = person.cookie();
    let answer = person.post("/office/logout", &[]).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/office/login"))
    );
    assert!(
        answer
            .header("set-cookie")
            .unwrap()
            .ends_with("; Max-Age=0")
    );
    let again = app.page("/office", &[("cookie", &kept)]).await;
    assert_eq!(again.status, 303);
    assert_eq!(app.count("SELECT COUNT(*) FROM login_session").await, 0);
}

#[tokio::test]
async fn each_log_in_has_a_seat_of_its_own_and_ends_the_browsers_former_one() {
    let app = TestApp::new().await;
    let password = anna(&app).await;
    let person = Person::new(&app);
    person.log_in(ANNA, &password).await;
    let former = person.cookie();
    person.log_in(ANNA, &password).await;
    assert_ne!(person.cookie(), former);
    assert_eq!(
        app.page("/office", &[("cookie", &former)]).await.status,
        303
    );
    // The log-in of another browser stays.
    let elsewhere = Person::new(&app);
    elsewhere.log_in(ANNA, &password).await;
    assert_eq!(person.get("/office").await.status, 200);
    assert_eq!(elsewhere.get("/office").await.status, 200);
}

#[tokio::test]
async fn a_form_of_another_site_is_refused_on_three_grounds() {
    let app = TestApp::new().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let token = super::form_token(&person.get("/office/password").await);
    let good = [("token", token.as_str())];
    let other = Person::logged_in(&app, "otto", "viewer").await;
    let foreign = super::form_token(&other.get("/office/password").await);
    let without_cookie = Person::new(&app).send("/office/logout", &good, &[]).await;
    assert_eq!(without_cookie.header("location"), Some("/office/login"));
    for (fields, headers) in [
        (&[][..], &[][..]),
        (&[("token", "")], &[]),
        (&[("token", foreign.as_str())], &[]),
        (&good, &[("sec-fetch-site", "cross-site")]),
        (&good, &[("sec-fetch-site", "same-site")]),
        (&good, &[("origin", "https://evil.example")]),
    ] {
        let answer = person.send("/office/logout", fields, headers).await;
        assert_eq!(answer.status, 403, "{fields:?} {headers:?}");
        assert_eq!(person.get("/office").await.status, 200);
    }
    // The permitted twin.
    let headers = [
        ("sec-fetch-site", "same-origin"),
        ("origin", "https://gateway.example"),
    ];
    assert_eq!(
        person.send("/office/logout", &good, &headers).await.status,
        303
    );
    assert_eq!(person.get("/office").await.status, 303);
}

#[tokio::test]
async fn another_site_can_not_log_a_browser_in() {
    let app = TestApp::new().await;
    let password = anna(&app).await;
    let fields = [("email", ANNA), ("password", password.as_str())];
    let headers = [("sec-fetch-site", "cross-site")];
    let answer = Person::new(&app)
        .send("/office/login", &fields, &headers)
        .await;
    assert_eq!((answer.status, answer.header("set-cookie")), (403, None));
}

#[tokio::test]
async fn the_log_in_goes_on_to_a_page_of_the_office_alone() {
    let app = TestApp::new().await;
    let password = anna(&app).await;
    for (next, expected) in [
        (
            "/office/audit?act=LOG_IN&from=",
            "/office/audit?act=LOG_IN&from=",
        ),
        ("/office", "/office"),
        ("https://evil.example/office/", "/office"),
        ("//evil.example/office/", "/office"),
        ("/officer", "/office"),
        ("", "/office"),
    ] {
        let person = Person::new(&app);
        let fields = [("email", ANNA), ("password", &password), ("next", next)];
        let answer = person.send("/office/login", &fields, &[]).await;
        assert_eq!(answer.header("location"), Some(expected), "{next}");
    }
}

#[tokio::test]
async fn without_the_setting_there_is_no_back_office() {
    let app = TestApp::with(|config| config.office = false).await;
    for path in ["/office", "/office/login"] {
        assert_eq!(app.page(path, &[]).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn without_proxies_the_network_is_the_other_end_of_the_connection() {
    let app = TestApp::new().await;
    let attempt = async |place: u8, peer: [u8; 4]| {
        let body = format!("email={place}%40shop.example&password=x");
        let mut request = Request::post("/office/login")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("x-forwarded-for", format!("192.0.2.{place}"))
            .body(Body::from(body))
            .unwrap();
        let peer = SocketAddr::from((peer, 443));
        request.extensions_mut().insert(ConnectInfo(peer));
        app.send(request).await.status
    };
    for place in 0..20 {
        assert_eq!(attempt(place, [198, 51, 100, 7]).await, 403);
    }
    assert_eq!(attempt(20, [198, 51, 100, 7]).await, 429);
    assert_eq!(attempt(20, [198, 51, 100, 8]).await, 403);
}

/// The first attempt during a wait is written down, and none after it: whoever goes on does not fill the log.
#[tokio::test]
async fn a_wait_is_written_down_once() {
    let app = TestApp::new().await;
    let password = anna(&app).await;
    let person = Person::new(&app);
    let noted = async || {
        app.count(
            "SELECT COUNT(*) FROM audit_entry WHERE act = 'LOG_IN_REFUSED' AND detail LIKE 'too many attempts%'",
        )
        .await
    };
    for window in 1..=2 {
        for email in [ANNA, "nobody@shop.example"] {
            for _ in 0..5 {
                assert_eq!(person.log_in(email, "wrong-password").await.status, 403);
            }
            for _ in 0..3 {
                assert_eq!(person.log_in(email, &password).await.status, 429);
            }
        }
        assert_eq!(noted().await, window);
        app.clock.advance(Duration::from_secs(1800));
    }
    assert_eq!(person.log_in(ANNA, &password).await.status, 303);
    let who = "SELECT m.email FROM audit_entry a JOIN member m ON m.member_id = a.member_id WHERE a.detail LIKE 'too many attempts%'";
    assert_eq!(app.texts(who).await, [ANNA, ANNA]);
}

#[tokio::test]
async fn whoever_is_turned_away_costs_the_same_and_members_are_written_down() {
    let app = TestApp::new().await;
    anna(&app).await;
    let person = Person::new(&app);
    person.log_in(ANNA, "wrong-password").await;
    person.log_in("nobody@shop.example", "wrong-password").await;
    let refused = "SELECT COUNT(*) FROM audit_entry WHERE act = 'LOG_IN_REFUSED'";
    assert_eq!(app.count(refused).await, 1);
    let nobodys = "SELECT COUNT(*) FROM login_attempt WHERE subject = 'nobody'";
    assert_eq!(app.count(nobodys).await, 1);
}
