//! Notifications to merchants' servers, with every attempt, and sending them again.

use super::{Person, field};
use crate::harness::{APPROVED, Answer, START_MS, TestApp};
use crate::lists::{order, paid};

/// Two paid orders; the merchant's server answered the second attempt for the first order.
async fn told() -> (TestApp, String) {
    let app = TestApp::new().await;
    for id in ["A1", "A2"] {
        paid(
            &app,
            "sandbox-implicit",
            &order(id, "1000", "red"),
            APPROVED,
        )
        .await;
    }
    app.change(
        "INSERT INTO notification_attempt (event_id, attempt, at_ms, status, cause) \
         SELECT event_id, 1, 1795168801000, NULL, 'timeout' FROM notification WHERE order_id = 'A1'",
    )
    .await;
    app.change(
        "INSERT INTO notification_attempt (event_id, attempt, at_ms, status, cause) \
         SELECT event_id, 2, 1795168861000, 204, NULL FROM notification WHERE order_id = 'A1'",
    )
    .await;
    app.change("UPDATE notification SET state = 'DELIVERED', attempts = 2 WHERE order_id = 'A1'")
        .await;
    let id = app
        .texts("SELECT event_id FROM notification WHERE order_id = 'A1'")
        .await;
    (app, id[0].clone())
}

async fn again(person: &Person<'_>, page: &Answer, event_id: &str) -> Answer {
    let path = format!("/office/notifications/{event_id}/again");
    person.post(&path, &[("key", &field(page, "key"))]).await
}

#[tokio::test]
async fn each_attempt_is_told_with_its_answer_and_what_comes_next() {
    let (app, event_id) = told().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let text = person.get("/office/notifications?order=A1").await.text();
    for expected in [
        "Payment €10.00",
        "<span class=\"badge good\">Delivered</span>",
        "https://shop.example/hook",
        event_id.as_str(),
        "2 attempts",
        "no answer within 10 seconds",
        "answered 204",
        "20 Nov 2026, 10:01 UTC",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("Send again"), "a viewer");
    assert!(!text.contains("order A2"));
    let text = person
        .get("/office/notifications?status=WAITING")
        .await
        .text();
    assert!(
        text.contains("order A2") && text.contains("No attempt yet."),
        "{text}"
    );
    assert!(text.contains("Next attempt: <time") && !text.contains("order A1"));
    let all = person.get("/office/notifications").await.text();
    assert!(
        all.find("order A2").unwrap() < all.find("order A1").unwrap(),
        "newest first"
    );
    let none = person.get("/office/notifications?status=LOST").await;
    assert_eq!(none.status, 400);
    let other = Person::of_merchant(&app, "other", "otto", "operator").await;
    let theirs = other.get("/office/notifications").await.text();
    assert!(
        theirs.contains("What your server is told stands here"),
        "{theirs}"
    );
}

#[tokio::test]
async fn a_notification_is_sent_again_once_for_each_form() {
    let (app, event_id) = told().await;
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let page = person.get("/office/notifications?order=A1").await;
    let answer = again(&person, &page, &event_id).await;
    let went = format!("/office/notifications?event={event_id}&done=again");
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some(went.as_str()))
    );
    let due = app
        .texts("SELECT state || ' ' || next_attempt_ms FROM notification WHERE order_id = 'A1'")
        .await;
    let now_ms = START_MS + 2000;
    assert_eq!(due, [format!("WAITING {now_ms}")]);
    // It is being delivered: the page offers no more, and sending the form again does nothing.
    let after = person.get("/office/notifications?order=A1").await.text();
    assert!(!after.contains("Send again"), "{after}");
    let twice = again(&person, &page, &event_id).await;
    let before = format!("/office/notifications?event={event_id}&done=before");
    assert_eq!(twice.header("location"), Some(before.as_str()));
    let fields = [("key", "0b0e7c2e-91d5-4d3c-8a9e-2b1c3d4e5f60")];
    let path = format!("/office/notifications/{event_id}/again");
    let hurried = person.post(&path, &fields).await;
    assert_eq!(hurried.status, 400);
    assert!(hurried.text().contains("on its way already"));
    let audited = app.texts("SELECT detail FROM audit_entry WHERE act = 'SEND_AGAIN' ORDER BY seq");
    let audited = audited.await;
    assert_eq!(audited[1], format!("notification {event_id}: due now"));
}

#[tokio::test]
async fn nobody_else_sends_it_again() {
    let (app, event_id) = told().await;
    let path = format!("/office/notifications/{event_id}/again");
    let fields = [("key", "0b0e7c2e-91d5-4d3c-8a9e-2b1c3d4e5f60")];
    let viewer = Person::logged_in(&app, "vera", "viewer").await;
    assert_eq!(viewer.post(&path, &fields).await.status, 403);
    let other = Person::of_merchant(&app, "other", "otto", "operator").await;
    assert_eq!(other.post(&path, &fields).await.status, 404);
    let state = app
        .texts("SELECT state FROM notification WHERE order_id = 'A1'")
        .await;
    assert_eq!(state, ["DELIVERED"]);
}
