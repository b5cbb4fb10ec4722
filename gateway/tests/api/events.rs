//! The feed of events: what is in it, in which order, page by page, and for how long.

use crate::harness::{APPROVED, DECLINED, TestApp, build};
use crate::keys::command;
use crate::lists::{order, paid};
use payframe_protocol::operation::Notification;
use payframe_storage::events::{self, About, Cursor, Start};
use payframe_storage::{Store, StoreError, Subject, Write, query};
use serde_json::{Value, json};
use std::time::Duration;

/// The events that a query gives.
async fn listed(app: &TestApp, query: &str) -> Vec<Value> {
    let answer = app.merchant().get(&format!("/events{query}")).await.ok();
    answer["events"].as_array().unwrap().clone()
}

/// The feed in short: type, order and result of each event.
fn short(events: &[Value]) -> Vec<String> {
    let line = |event: &Value| {
        let operation = &event["notification"]["operation"];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let words = [
            &event["eventType"],
            &operation["orderId"],
            &operation["operationResult"],
        ];
        words.map(text).join(" ")
    };
    events.iter().map(line).collect()
}

fn cursors(events: &[Value]) -> Vec<&str> {
    let cursor = |event| -> &str { Value::as_str(event).unwrap() };
    events
        .iter()
        .map(|event| cursor(&event["cursor"]))
        .collect()
}

/// Two payments, the second without a notification, and a refund of the first. And a payment of another merchant.
pub(crate) async fn shop() -> TestApp {
    let app = TestApp::new().await;
    paid(&app, "sandbox-implicit", &build("A1"), APPROVED).await;
    let mut quiet = build("A2");
    quiet["paymentSession"]
        .as_object_mut()
        .unwrap()
        .remove("notificationUrl");
    paid(&app, "sandbox-implicit", &quiet, DECLINED).await;
    paid(&app, "sandbox-other-merchant", &build("B1"), APPROVED).await;
    let id = app.order("A1").await["operations"][0]["operationId"].clone();
    let path = format!("/operations/{}/refunds", id.as_str().unwrap());
    let part = json!({ "amount": "1000", "currency": "EUR" });
    app.merchant().post(&path, &part).await.ok();
    app
}

#[tokio::test]
async fn the_feed_has_every_event_of_the_merchant_and_no_other() {
    let app = shop().await;
    let events = listed(&app, "").await;
    let expected = [
        "PAYMENT A1 EXECUTED",
        "PAYMENT A2 DECLINED",
        "OPERATION A1 EXECUTED",
    ];
    assert_eq!(short(&events), expected);
    // The same body as in the notification; A2 has none, and B1 is the other merchant's.
    let told = app.told().await;
    assert_eq!(told.len(), 3);
    assert_eq!(events[0]["notification"], told[0]);
    assert_eq!(events[2]["notification"], told[2]);
    for event in &events {
        assert_eq!(event["eventId"], event["notification"]["eventId"]);
    }
    assert_eq!(events[0]["recordedTime"], "2026-11-20T10:00:00.000Z");
    let other = app.key("sandbox-other-merchant").get("/events").await.ok();
    let other = other["events"].as_array().unwrap();
    assert_eq!(short(other), ["PAYMENT B1 EXECUTED"]);
    assert_eq!(app.nobody().get("/events").await.status, 401);
}

#[tokio::test]
async fn a_feed_is_read_page_by_page_and_again() {
    let app = shop().await;
    let all = listed(&app, "").await;
    let all = cursors(&all);
    let first = app.merchant().get("/events?limit=2").await.ok();
    assert_eq!(cursors(first["events"].as_array().unwrap()), all[..2]);
    assert_eq!(
        (&first["nextCursor"], &first["hasMore"]),
        (&json!(all[1]), &json!(true))
    );
    let path = format!("/events?after={}&limit=2", all[1]);
    let second = app.merchant().get(&path).await.ok();
    assert_eq!(cursors(second["events"].as_array().unwrap()), all[2..]);
    assert_eq!(second["hasMore"], false);
    // At the end there is nothing, and the cursor stays.
    let path = format!("/events?after={}", all[2]);
    for query in [path.as_str(), "/events?after=latest"] {
        let end = app.merchant().get(query).await.ok();
        let expected = json!({ "events": [], "nextCursor": all[2], "hasMore": false });
        assert_eq!(end, expected, "{query}");
    }
    // What was read can be read again.
    let again = listed(&app, &format!("?after={}", all[0])).await;
    assert_eq!(cursors(&again), all[1..]);
}

#[tokio::test]
async fn a_feed_can_be_followed_before_its_first_event() {
    let app = TestApp::new().await;
    for query in ["", "?after=latest"] {
        let empty = app.merchant().get(&format!("/events{query}")).await.ok();
        let expected = json!({ "events": [], "nextCursor": "0-", "hasMore": false });
        assert_eq!(empty, expected, "{query}");
    }
    paid(&app, "sandbox-implicit", &build("A1"), APPROVED).await;
    let events = listed(&app, "?after=0-").await;
    assert_eq!(short(&events), ["PAYMENT A1 EXECUTED"]);
}

#[tokio::test]
async fn what_is_no_cursor_and_no_limit_is_refused() {
    let app = TestApp::new().await;
    for (query, expected) in [
        ("after=7", "400 PS0026"),
        ("after=", "400 PS0026"),
        ("after=LATEST", "400 PS0026"),
        ("limit=0", "400 PS0026"),
        ("limit=501", "400 PS0026"),
        ("limit=x", "400 PS0026"),
        // Well formed, and not of this feed.
        ("after=1-554ccc00", "410 GW9011"),
    ] {
        let answer = app.merchant().get(&format!("/events?{query}")).await;
        assert_eq!(answer.refusal(), expected, "{query}");
    }
}

#[tokio::test]
async fn a_cursor_of_another_feed_is_refused() {
    let app = shop().await;
    let others = app.key("sandbox-other-merchant").get("/events").await.ok();
    let other = others["nextCursor"].as_str().unwrap();
    let answer = app.merchant().get(&format!("/events?after={other}")).await;
    assert_eq!(answer.refusal(), "410 GW9011");
    // A database that is restored gives the same positions to other events.
    let events = listed(&app, "").await;
    let lost = cursors(&events)[2].to_owned();
    app.change("DELETE FROM event WHERE position = 3").await;
    app.change("UPDATE event_feed SET last_position = 2 WHERE last_position = 3")
        .await;
    paid(
        &app,
        "sandbox-implicit",
        &order("A3", "3545", "red"),
        APPROVED,
    )
    .await;
    let answer = app.merchant().get(&format!("/events?after={lost}")).await;
    assert_eq!(answer.refusal(), "410 GW9011");
}

#[tokio::test]
async fn events_are_kept_for_90_days_and_the_newest_for_longer() {
    let app = shop().await;
    let events = listed(&app, "").await;
    let cursors = cursors(&events);
    app.clock.advance(Duration::from_secs(89 * 86_400));
    app.app.due_work().tidy_up().await;
    assert_eq!(listed(&app, "").await, events);
    app.clock.advance(Duration::from_secs(86_400));
    app.app.due_work().tidy_up().await;
    assert_eq!(short(&listed(&app, "").await), ["OPERATION A1 EXECUTED"]);
    for old in ["0-", cursors[0], cursors[1]] {
        let answer = app.merchant().get(&format!("/events?after={old}")).await;
        assert_eq!(answer.refusal(), "410 GW9011", "{old}");
        assert!(answer.why().contains("90 days"), "{}", answer.why());
    }
    // A reader at the end has missed nothing.
    let path = format!("?after={}", cursors[2]);
    assert_eq!(listed(&app, &path).await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_clock_that_goes_back_keeps_the_order_of_what_is_deleted() {
    let app = shop().await;
    let told = told(&app).await;
    let store = app.app.store();
    for (id, now_ms) in [("late", 2_000_000_000_000), ("early", 1_000_000_000_000)] {
        let mut change = store.write(Subject::Statement).await.unwrap();
        add(&mut change, &told, id, now_ms).await.unwrap();
        change.commit().await.unwrap();
    }
    let events = listed(&app, "").await;
    assert_eq!(events[3]["eventId"], "late");
    assert_eq!(events[4]["eventId"], "early");
    assert_eq!(events[4]["recordedTime"], events[3]["recordedTime"]);
}

#[tokio::test]
async fn a_change_that_is_not_committed_leaves_no_event_and_no_gap() {
    let app = shop().await;
    let before = app.merchant().get("/events").await.ok();
    let told = told(&app).await;
    let store = app.app.store();
    let mut dropped = store.write(Subject::Statement).await.unwrap();
    add(&mut dropped, &told, "dropped", 0).await.unwrap();
    dropped.send().await.unwrap();
    drop(dropped);
    let mut change = store.write(Subject::Statement).await.unwrap();
    add(&mut change, &told, "kept", 0).await.unwrap();
    change.commit().await.unwrap();
    let after = before["nextCursor"].as_str().unwrap();
    let events = listed(&app, &format!("?after={after}")).await;
    assert_eq!(cursors(&events), ["4-kept"]);
}

/// On a server changes run side by side. One that began later can not get ahead of one that still runs.
#[tokio::test]
async fn an_event_that_commits_late_is_not_overtaken() {
    let app = shop().await;
    let told = told(&app).await;
    let store = app.app.store();
    let after = app.merchant().get("/events").await.ok()["nextCursor"].clone();
    let path = format!("?after={}", after.as_str().unwrap());
    let mut slow = store.write(Subject::Statement).await.unwrap();
    add(&mut slow, &told, "slow", 0).await.unwrap();
    slow.send().await.unwrap();
    if store.is_shared() {
        let mut fast = store.write(Subject::Statement).await.unwrap();
        let limit = query("SET LOCAL lock_timeout = '20ms'");
        limit.execute(&mut fast).await.unwrap();
        let refused = add(&mut fast, &told, "fast", 0).await.unwrap_err();
        let refused = refused.to_string();
        assert!(refused.contains("lock timeout"), "{refused}");
    }
    let waiting = tokio::spawn(write(store.clone(), told.clone(), String::from("fast"), 0));
    assert_eq!(listed(&app, &path).await, [Value::Null; 0]);
    slow.commit().await.unwrap();
    waiting.await.unwrap();
    assert_eq!(cursors(&listed(&app, &path).await), ["4-slow", "5-fast"]);
}

#[tokio::test]
async fn a_reader_who_follows_many_writers_misses_nothing() {
    const WRITERS: usize = 6;
    const EACH: usize = 15;
    let app = shop().await;
    let told = told(&app).await;
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (store, told) = (app.app.store().clone(), told.clone());
            tokio::spawn(async move {
                for turn in 0..EACH {
                    // Transactions of different length commit in another order than they begin.
                    let pauses = (writer * 7 + turn * 3) % 11;
                    let id = format!("{writer:02}{turn:02}");
                    write(store.clone(), told.clone(), id, pauses).await;
                }
            })
        })
        .collect();
    let mut connection = app.app.store().read().await.unwrap();
    let mut after: Option<Cursor> = None;
    let mut read = Vec::new();
    loop {
        let is_over = writers.iter().all(|writer| writer.is_finished());
        let start = after.as_ref().map_or(Start::Oldest, Start::Behind);
        let page = events::page(&mut connection, "demo", start, 3).await;
        let page = page.unwrap().unwrap();
        if is_over && page.events.is_empty() {
            break;
        }
        read.extend(page.events.iter().map(|event| event.cursor.to_string()));
        after = Some(page.end);
        tokio::task::yield_now().await;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let places: Vec<i64> = read
        .iter()
        .map(|cursor| cursor.split('-').next().unwrap().parse().unwrap())
        .collect();
    let all: Vec<i64> = (1..).take(3 + WRITERS * EACH).collect();
    assert_eq!(places, all);
}

/// One of the merchant's notifications, as a pattern for others.
async fn told(app: &TestApp) -> Notification {
    let first = app.told().await.swap_remove(0);
    serde_json::from_value(first).unwrap()
}

async fn add(
    change: &mut Write,
    told: &Notification,
    event_id: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    let notification = Notification {
        event_id: event_id.to_owned(),
        ..told.clone()
    };
    let place = events::next_place(change, "demo", About::Other, now_ms).await?;
    events::add(change, "demo", place, &notification)
}

/// Writes an event in a change that takes some time.
async fn write(store: Store, told: Notification, event_id: String, pauses: usize) {
    let mut change = store.write(Subject::Statement).await.unwrap();
    add(&mut change, &told, &event_id, 0).await.unwrap();
    change.send().await.unwrap();
    for _ in 0..pauses {
        tokio::task::yield_now().await;
    }
    change.commit().await.unwrap();
}

#[tokio::test]
async fn an_operator_sends_the_notification_of_an_event_again() {
    let app = shop().await;
    let events = listed(&app, "").await;
    let id = |number: usize| events[number]["eventId"].as_str().unwrap();
    let resend = async |id: &str| command(&app, &["events", "resend", id]).await;
    app.change("UPDATE notification SET state = 'DELIVERED', attempts = 1")
        .await;
    assert_eq!(
        resend(id(0)).await.unwrap(),
        format!("{} is sent again\n", id(0))
    );
    let waiting = app.texts("SELECT event_id FROM notification WHERE state = 'WAITING'");
    assert_eq!(waiting.await, [id(0)]);
    let logged = app.texts("SELECT subject FROM audit_entry WHERE act = 'SEND_AGAIN'");
    assert_eq!(logged.await, [id(0)]);
    for (id, why) in [
        (id(0), "on its way already"),
        (id(1), "only in the feed"),
        ("unknown", "no notification with the event id"),
    ] {
        let refused = resend(id).await.unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
}
