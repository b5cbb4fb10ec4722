//! Passkeys: adding them, logging in with them alone and after the password, losing them. Each attack has its permitted twin.

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
async fn an_answer_is_accepted_once_from_the_page_and_the_browser_that_was_asked() {
    let app = TestApp::new().await;
    let (_, person) = otto(&app).await;
    let device = Device::new(7);
    add(&person, &device, "telephone").await;
    let browser = Person::new(&app);
    // From a page that only looks like ours.
    let page = asked(&browser).await;
    for origin in [
        "https://gateway.example.evil.example",
        "http://gateway.example",
        "https://gateway.example:8443",
    ] {
        let page = asked(&browser).await;
        let manner = Manner { origin, ..HONEST };
        let refused = answered(&browser, &device.answer(&page, manner)).await;
        assert_eq!(refused.status, 403, "{origin}");
    }
    // To a question that was asked before this one.
    let refused = answered(&browser, &device.answer(&page, HONEST)).await;
    assert_eq!(refused.status, 403);
    // Without verification of the owner.
    let page = asked(&browser).await;
    let manner = Manner {
        verifies: false,
        ..HONEST
    };
    assert_eq!(
        answered(&browser, &device.answer(&page, manner))
            .await
            .status,
        403
    );
    // From another browser, when the wrong answers above do not count any more.
    app.clock.advance(Duration::from_secs(1800));
    let (page, other) = (asked(&browser).await, Person::new(&app));
    asked(&other).await;
    let right = device.answer(&page, HONEST);
    assert_eq!(answered(&other, &right).await.status, 403);
    assert_eq!(answered(&Person::new(&app), &right).await.status, 403);
    assert_eq!(other.get("/office").await.status, 303);
    // The permitted twin, once.
    let asking = browser.cookie();
    let done = answered(&browser, &right).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(browser.get("/office").await.status, 200);
    assert_ne!(
        browser.cookie(),
        asking,
        "the cookie of the question opens nothing"
    );
    let again = app.page("/office", &[("cookie", &asking)]).await;
    assert_eq!(again.status, 303);
    let replayed = Person::new(&app);
    asked(&replayed).await;
    assert_eq!(answered(&replayed, &right).await.status, 403);
    // Five minutes later.
    for (seconds, status) in [(299, 303), (300, 403)] {
        let late = Person::new(&app);
        let page = asked(&late).await;
        app.clock.advance(Duration::from_secs(seconds));
        let answer = answered(&late, &device.answer(&page, HONEST)).await;
        assert_eq!(answer.status, status, "{seconds}");
    }
}

#[tokio::test]
async fn a_form_from_elsewhere_asks_and_answers_nothing() {
    let app = TestApp::new().await;
    let (_, person) = otto(&app).await;
    let device = Device::new(7);
    add(&person, &device, "telephone").await;
    let elsewhere = [
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ];
    let browser = Person::new(&app);
    let refused = browser
        .send(ALONE, &[("next", "/office")], &elsewhere)
        .await;
    assert_eq!(refused.status, 403);
    assert_eq!(browser.cookie(), "");
    let right = device.answer(&asked(&browser).await, HONEST);
    let refused = browser
        .send(ANSWER, &[("answer", &right)], &elsewhere)
        .await;
    assert_eq!(refused.status, 403);
    assert_eq!(
        answered(&browser, &right).await.status,
        303,
        "the permitted twin"
    );
    // Somebody who is logged in is not logged in as somebody else.
    let kept = browser.cookie();
    assert_eq!(
        browser
            .send(ALONE, &[("next", "/office")], &[])
            .await
            .status,
        303
    );
    assert_eq!(browser.cookie(), kept);
}

#[tokio::test]
async fn a_passkey_logs_its_own_member_in_and_nobody_else() {
    let app = TestApp::new().await;
    let (password, otto) = otto(&app).await;
    let eve = Person::logged_in(&app, "eve", "viewer").await;
    let (ottos, eves) = (Device::new(7), Device::new(8));
    add(&otto, &ottos, "telephone").await;
    add(&eve, &eves, "telephone").await;
    // Eve's passkey after Otto's password.
    let thief = Person::new(&app);
    thief.log_in(OTTO, &password).await;
    let answer = eves.answer(&thief.get(CODE).await, HONEST);
    assert_eq!(
        thief.post(BY_PASSKEY, &[("answer", &answer)]).await.status,
        403
    );
    assert_eq!(thief.get("/office").await.status, 303);
    // The permitted twin.
    let answer = ottos.answer(&thief.get(CODE).await, HONEST);
    assert_eq!(
        thief.post(BY_PASSKEY, &[("answer", &answer)]).await.status,
        303
    );
    // Eve's device says that it made its passkey for Otto, or for nobody.
    eves.claims_to_be_of(&ottos);
    let browser = Person::new(&app);
    let answer = eves.answer(&asked(&browser).await, HONEST);
    assert_eq!(answered(&browser, &answer).await.status, 403);
    eves.claims_to_be_of(&Device::new(9));
    let answer = eves.answer(&asked(&browser).await, HONEST);
    assert_eq!(answered(&browser, &answer).await.status, 403);
    // A passkey that nobody added.
    let answer = Device::new(9).answer(&asked(&browser).await, HONEST);
    assert_eq!(answered(&browser, &answer).await.status, 403);
    for answer in ["", "{}", "no passkey"] {
        asked(&browser).await;
        assert_eq!(answered(&browser, answer).await.status, 403, "{answer}");
    }
    assert_eq!(browser.get("/office").await.status, 303);
    // An answer for another purpose.
    let answer = ottos.answer(&asked(&browser).await, HONEST);
    let thief = Person::new(&app);
    thief.log_in(OTTO, &password).await;
    assert_eq!(
        thief.post(BY_PASSKEY, &[("answer", &answer)]).await.status,
        403
    );
    // Whoever is disabled does not get in.
    command(&app, &["members", "disable", OTTO]).await.unwrap();
    let answer = ottos.answer(&asked(&browser).await, HONEST);
    assert_eq!(answered(&browser, &answer).await.status, 403);
    command(&app, &["members", "enable", OTTO]).await.unwrap();
    let answer = ottos.answer(&asked(&browser).await, HONEST);
    assert_eq!(answered(&browser, &answer).await.status, 303);
}

#[tokio::test]
async fn a_device_that_counts_does_not_go_back() {
    let app = TestApp::new().await;
    let (password, person) = otto(&app).await;
    let device = Device::new(7);
    add(&person, &device, "key").await;
    let browser = Person::new(&app);
    device.counter.set(41);
    let answer = device.answer(&asked(&browser).await, HONEST);
    assert_eq!(answered(&browser, &answer).await.status, 303);
    let copied = Person::new(&app);
    // It counts before it answers.
    for counter in [41, 40, 0] {
        device.counter.set(counter);
        let answer = device.answer(&asked(&copied).await, HONEST);
        let refused = answered(&copied, &answer).await;
        assert_eq!(refused.status, 403, "{counter}");
        assert!(
            refused.text().contains("may be a copy"),
            "{}",
            refused.text()
        );
    }
    // The copy and the device were asked at the same time, and the copy answers later.
    let (first, second) = (Person::new(&app), Person::new(&app));
    for half_open in [&first, &second] {
        half_open.log_in(OTTO, &password).await;
    }
    let pages = [first.get(CODE).await, second.get(CODE).await];
    device.counter.set(60);
    let answer = device.answer(&pages[0], HONEST);
    assert_eq!(
        first.post(BY_PASSKEY, &[("answer", &answer)]).await.status,
        303
    );
    device.counter.set(50);
    let answer = device.answer(&pages[1], HONEST);
    assert_eq!(
        second.post(BY_PASSKEY, &[("answer", &answer)]).await.status,
        403
    );
    device.counter.set(61);
    let answer = device.answer(&second.get(CODE).await, HONEST);
    assert_eq!(
        second.post(BY_PASSKEY, &[("answer", &answer)]).await.status,
        303
    );
    let refused = log(&app)
        .await
        .iter()
        .filter(|entry| entry.contains("its counter went back"))
        .count();
    assert_eq!(refused, 4);
}

#[tokio::test]
async fn the_wrong_page_adds_no_passkey() {
    let app = TestApp::new().await;
    let (_, otto) = otto(&app).await;
    let eve = Person::logged_in(&app, "eve", "viewer").await;
    let device = Device::new(7);
    let post = async |person: &Person<'_>, name: &str, answer: &str| {
        person
            .post(NEW, &[("name", name), ("answer", answer)])
            .await
            .status
    };
    let manners = [
        Manner {
            origin: "https://evil.example",
            ..HONEST
        },
        Manner {
            verifies: false,
            ..HONEST
        },
    ];
    for manner in manners {
        let made = device.create(&otto.get(NEW).await, manner);
        assert_eq!(post(&otto, "key", &made).await, 400);
    }
    // Made for the page of another member.
    let made = device.create(&eve.get(NEW).await, HONEST);
    otto.get(NEW).await;
    assert_eq!(post(&otto, "key", &made).await, 400);
    for (name, answer) in [("key", ""), ("key", "{}"), ("", &made), (" \n", &made)] {
        assert_eq!(post(&otto, name, answer).await, 400, "{name}: {answer}");
    }
    app.clock.advance(Duration::from_secs(240));
    let late = device.create(&otto.get(NEW).await, HONEST);
    assert_eq!(app.count("SELECT COUNT(*) FROM passkey").await, 0);
    assert_eq!(post(&otto, "key", &late).await, 200, "the permitted twin");
    otto.take_token().await;
    // The same device for somebody else.
    let made = device.create(&eve.get(NEW).await, HONEST);
    assert_eq!(post(&eve, "key", &made).await, 400);
    assert_eq!(app.count("SELECT COUNT(*) FROM passkey").await, 1);
    // Ten at most.
    for number in 10..19 {
        add(&otto, &Device::new(number), "key").await;
    }
    let refused = otto.get(NEW).await;
    assert!(
        refused.status == 400 && refused.text().contains("You have 10 passkeys."),
        "{}",
        refused.text()
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
async fn questions_and_answers_are_limited() {
    let app = TestApp::with(|config| config.proxies = 1).await;
    let (password, person) = otto(&app).await;
    let device = Device::new(7);
    add(&person, &device, "telephone").await;
    let from = [("x-forwarded-for", "198.51.100.7")];
    let ask = async |person: &Person<'_>| person.send(ALONE, &[("next", "/office")], &from).await;
    let answer = async |person: &Person<'_>, answer: &str| {
        person
            .send(ANSWER, &[("answer", answer)], &from)
            .await
            .status
    };
    let browser = Person::new(&app);
    // Questions that are answered do not count.
    for _ in 0..25 {
        let browser = Person::new(&app);
        let right = device.answer(&ask(&browser).await, HONEST);
        assert_eq!(answer(&browser, &right).await, 303);
    }
    for _ in 0..20 {
        assert_eq!(ask(&browser).await.status, 200);
    }
    let refused = ask(&browser).await;
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").is_some());
    app.clock.advance(Duration::from_secs(1800));
    // Wrong answers lock the member's address at this network, as wrong passwords do.
    let manner = Manner {
        verifies: false,
        ..HONEST
    };
    for _ in 0..5 {
        let wrong = device.answer(&ask(&browser).await, manner);
        assert_eq!(answer(&browser, &wrong).await, 403);
    }
    let right = device.answer(&ask(&browser).await, HONEST);
    assert_eq!(answer(&browser, &right).await, 429);
    let fields = [("email", OTTO), ("password", password.as_str())];
    let refused = browser.send("/office/login", &fields, &from).await;
    assert_eq!(refused.status, 429);
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
