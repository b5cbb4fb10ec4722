//! Passkeys and answers that open nothing, each with its permitted twin.

use super::super::{Person, command};
use super::device::{Device, HONEST, Manner};
use super::{ALONE, ANSWER, BY_PASSKEY, CODE, NEW, OTTO, add, answered, asked, log, otto};
use crate::harness::TestApp;
use std::time::Duration;

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
