//! Old records are deleted after the time that the policy says, and money never.

use crate::harness::{APPROVED, DECLINED, TestApp, build};
use payframe_storage::Subject;
use payframe_storage::retention::OldRecords;
use std::time::Duration;

const DAY: u64 = 86_400;

/// A gateway with a paid order, a declined try of it, and a session that its buyer left.
async fn shop() -> TestApp {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, DECLINED).await;
    app.finalize(&session).await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    let left = app.open(&build("A2")).await;
    app.enter(&left, APPROVED).await;
    // The session that its buyer left ends at its limit, and a notification counts as delivered.
    app.pass(3600).await;
    app.change("UPDATE notification SET state = 'DELIVERED'")
        .await;
    app.change("INSERT INTO notification_attempt (event_id, attempt, at_ms, status) SELECT event_id, 1, 0, 200 FROM notification")
        .await;
    app
}

impl TestApp {
    async fn tidy_after(&self, days: u64) {
        self.clock.advance(Duration::from_secs(days * DAY));
        self.app.due_work().tidy_up().await;
    }
}

#[tokio::test]
async fn what_sessions_leave_is_deleted_and_what_they_paid_stays() {
    let app = shop().await;
    let order = app.order("A1").await;
    assert!(app.count("SELECT count(*) FROM threeds_page").await > 0);
    assert_eq!(app.count("SELECT count(*) FROM build_session").await, 3);
    app.tidy_after(29).await;
    assert_eq!(app.count("SELECT count(*) FROM build_session").await, 3);
    app.tidy_after(2).await;
    let left = app.texts("SELECT order_id FROM build_session").await;
    assert_eq!(left, ["A1", "A1"], "sessions with an operation stay");
    for question in [
        "SELECT count(*) FROM threeds_page",
        "SELECT count(*) FROM sealed_card",
        "SELECT count(*) FROM currency_offer",
    ] {
        assert_eq!(app.count(question).await, 0, "{question}");
    }
    assert_eq!(app.order("A1").await, order);
    // A refund needs nothing of what is gone.
    let operation = &order["operations"][0];
    let path = format!(
        "/operations/{}/refunds",
        operation["operationId"].as_str().unwrap()
    );
    let sum = serde_json::json!({ "amount": "3545", "currency": "EUR" });
    app.merchant().post(&path, &sum).await.ok();
    // It is not looked at again.
    app.tidy_after(400).await;
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 3);
    assert_eq!(
        app.count("SELECT count(*) FROM build_session WHERE tidied = 1")
            .await,
        2
    );
}

#[tokio::test]
async fn answers_events_and_notifications_are_kept_as_long_as_the_policy_says() {
    let app = shop().await;
    let rows = [
        (2, "SELECT count(*) FROM stored_answer"),
        (90, "SELECT count(*) FROM notification"),
        (90, "SELECT count(*) FROM notification_attempt"),
    ];
    for (_, question) in rows {
        assert!(app.count(question).await > 0, "{question}");
    }
    for (days, gone) in [(1, 0), (1, 1), (87, 1), (2, 3)] {
        app.tidy_after(days).await;
        for (place, (_, question)) in rows.iter().enumerate() {
            let is_there = app.count(question).await > 0;
            assert_eq!(is_there, place >= gone, "{question} after {days} more days");
        }
    }
    assert_eq!(app.count("SELECT count(*) FROM event").await, 1);
    assert_eq!(
        app.count("SELECT count(*) FROM merchant_order").await,
        2,
        "an order is never deleted by its age"
    );
}

#[tokio::test]
async fn what_waits_is_never_old() {
    let app = shop().await;
    app.change("UPDATE notification SET state = 'WAITING'")
        .await;
    let waiting = app.count("SELECT count(*) FROM notification").await;
    let open = app.open(&build("A3")).await;
    app.change("UPDATE build_session SET state = 'AUTHORIZING' WHERE order_id = 'A3'")
        .await;
    app.tidy_after(1000).await;
    assert_eq!(
        app.count("SELECT count(*) FROM notification").await,
        waiting
    );
    assert!(!open.is_empty());
    assert_eq!(
        app.count("SELECT count(*) FROM build_session WHERE order_id = 'A3'")
            .await,
        1
    );
}

#[tokio::test]
async fn a_change_deletes_a_few_records_and_the_work_all_of_them() {
    let app = TestApp::new().await;
    app.change(
        "WITH RECURSIVE many (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM many WHERE number < 450) \
         INSERT INTO card_refusal (card_id, at_ms) SELECT 'c' || CAST(number AS TEXT), number FROM many",
    )
    .await;
    let mut change = app.app.store().write(Subject::Retention).await.unwrap();
    let deleted = OldRecords::CardRefusals.delete(&mut change, 1000, 200);
    assert_eq!(deleted.await.unwrap(), 200);
    change.commit().await.unwrap();
    assert_eq!(app.count("SELECT count(*) FROM card_refusal").await, 250);
    app.app.due_work().tidy_up().await;
    assert_eq!(app.count("SELECT count(*) FROM card_refusal").await, 0);
}

/// One entry for a run in the log of each merchant. Answers to repeated calls, and counts that limits need for some hours, are no records, and
/// a run without work leaves nothing.
#[tokio::test]
async fn what_is_deleted_is_in_the_audit_log() {
    let app = shop().await;
    let noted = async || {
        app.texts("SELECT merchant_id || ' ' || detail FROM audit_entry WHERE act = 'DELETE_OLD_RECORDS' ORDER BY seq")
            .await
    };
    app.change("INSERT INTO card_refusal (card_id, at_ms) VALUES ('c', 1)")
        .await;
    app.app.due_work().tidy_up().await;
    assert_eq!(app.count("SELECT count(*) FROM card_refusal").await, 0);
    assert_eq!(noted().await, [""; 0]);
    app.tidy_after(3).await;
    assert_eq!(noted().await, [""; 0], "answers to repeated calls");
    app.tidy_after(100).await;
    let merchants = app
        .texts("SELECT merchant_id FROM merchant ORDER BY merchant_id")
        .await;
    let entries = noted().await;
    assert_eq!(entries.len(), merchants.len(), "{entries:?}");
    for (entry, merchant) in entries.iter().zip(merchants) {
        let (of, detail) = entry.split_once(' ').unwrap();
        assert_eq!(of, merchant);
        // No number: it would tell how much other merchants have.
        assert!(detail.split(", ").any(|kind| kind == "events"), "{entry}");
        assert!(!detail.contains(|c: char| c.is_ascii_digit()), "{entry}");
    }
    app.tidy_after(0).await;
    assert_eq!(noted().await.len(), entries.len());
}
