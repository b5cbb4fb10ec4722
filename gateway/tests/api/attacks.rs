//! A terminal under attack: the merchant hears of it when it begins and when it ends, once each, by the feed and by a notification.

use crate::card_testing::{Try, any_address, any_number, guarded};
use crate::harness::{TestApp, build};
use crate::keys::command;
use crate::office::Person;
use serde_json::{Value, json};

/// A bot whose tries have nothing in common but the terminal.
pub(crate) fn any(count: u32) -> Try {
    Try {
        number: any_number(count),
        address: any_address(count),
    }
}

pub(crate) async fn attack(app: &TestApp, tries: std::ops::Range<u32>) {
    for count in tries {
        Box::pin(app.try_card(&format!("B{count}"), &any(count))).await;
    }
}

/// The events about attacks in the feed of this key's merchant.
async fn events(app: &TestApp, key: &str) -> Vec<Value> {
    let feed = app.key(key).get("/events?limit=500").await.ok();
    let mut events = feed["events"].as_array().unwrap().clone();
    events.retain(|event| event["eventType"] == "TERMINAL_ATTACK");
    events
}

async fn states(app: &TestApp) -> Vec<String> {
    let events = events(app, "sandbox-implicit").await;
    let state = |event: &Value| event["attack"]["state"].as_str().unwrap().to_owned();
    events.iter().map(state).collect()
}

/// Lets minutes pass, and looks at each of them at what is due.
async fn minutes(app: &TestApp, minutes: u64) {
    for _ in 0..minutes {
        app.pass(60).await;
    }
}

#[tokio::test]
async fn the_merchant_hears_once_that_an_attack_begins_and_once_that_it_ends() {
    let app = guarded().await;
    let notify = ["notify", "91000001", "https://shop.example/hook"];
    command(&app, &notify).await.unwrap();
    attack(&app, 0..16).await;
    assert_eq!(states(&app).await, [""; 0]);
    attack(&app, 16..20).await;
    let begun = events(&app, "sandbox-implicit").await;
    let since = begun[0]["attack"]["sinceTime"].as_str().unwrap();
    // Nothing of cards, and no count that tells a bot's owner how far they may go.
    let mut expected = json!({ "terminalId": "91000001", "state": "BEGUN", "sinceTime": since });
    assert_eq!(begun.len(), 1);
    assert_eq!(begun[0]["attack"], expected);
    assert_eq!(begun[0].get("notification"), None);
    assert_eq!(app.count("SELECT count(*) FROM terminal_attack").await, 1);
    assert!(events(&app, "sandbox-other-merchant").await.is_empty());
    let ada = Box::pin(Person::logged_in(&app, "ada", "administrator")).await;
    let page = ada.get("/office/card-testing").await.text();
    let words = format!("since <time datetime=\"{since}\">20 Nov 2026, 10:00 UTC</time>");
    assert!(
        page.contains("Under attack") && page.contains(&words),
        "{page}"
    );

    // The last tries count for an hour, and then it is quiet for ten minutes.
    minutes(&app, 65).await;
    assert_eq!(states(&app).await, ["BEGUN"]);
    minutes(&app, 10).await;
    assert_eq!(states(&app).await, ["BEGUN", "ENDED"]);
    minutes(&app, 10).await;
    expected["state"] = json!("ENDED");
    let both = events(&app, "sandbox-implicit").await;
    assert_eq!(both[1]["attack"], expected);
    assert_eq!(both.len(), 2);
    assert_eq!(app.count("SELECT count(*) FROM terminal_attack").await, 0);

    let told: Vec<Value> = app.told().await;
    let told: Vec<&Value> = told
        .iter()
        .filter(|told| told["eventType"] == "TERMINAL_ATTACK")
        .collect();
    assert_eq!(told.len(), 2);
    for (told, event) in told.into_iter().zip(&both) {
        let expected = json!({
            "eventId": event["eventId"], "eventTime": event["recordedTime"], "eventType": "TERMINAL_ATTACK",
            "attack": event["attack"],
        });
        assert_eq!(*told, expected);
    }
    // The log-in from before has ended meanwhile.
    let ada = Box::pin(Person::logged_in(&app, "eva", "administrator")).await;
    let page = ada.get("/office/notifications").await.text();
    for words in [
        "Attack",
        "terminal 91000001",
        "begun",
        "https://shop.example/hook",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // The next one is told again.
    attack(&app, 20..38).await;
    assert_eq!(states(&app).await, ["BEGUN", "ENDED", "BEGUN"]);
}

#[tokio::test]
async fn a_bot_around_the_limit_is_one_attack() {
    let app = guarded().await;
    attack(&app, 0..17).await;
    for round in 0..3 {
        // Nothing counts any more, for some minutes.
        minutes(&app, 64).await;
        let first = 20 + 20 * round;
        attack(&app, first..first + 17).await;
        minutes(&app, 1).await;
    }
    assert_eq!(states(&app).await, ["BEGUN"]);
}

#[tokio::test]
async fn processes_that_see_it_at_the_same_time_tell_it_once() {
    let app = guarded().await;
    attack(&app, 0..16).await;
    let mut requests = Vec::new();
    for count in 16..24 {
        let session = app.open(&build(&format!("B{count}"))).await;
        let this = any(count);
        app.enter_from(&session, &this.number, &this.address).await;
        let key = uuid::Uuid::new_v4().to_string();
        requests.push((json!({ "sessionId": session }), key));
    }
    let path = "/build/finalize_payment";
    for answer in app.all_at_once("sandbox-implicit", path, &requests).await {
        answer.ok();
    }
    assert_eq!(states(&app).await, ["BEGUN"]);
    app.clock.advance(std::time::Duration::from_secs(2 * 3600));
    let (one, other) = (app.app.due_work(), app.app.due_work());
    Box::pin(async { tokio::join!(one.run(), other.run()) }).await;
    assert_eq!(states(&app).await, ["BEGUN", "ENDED"]);
}

#[tokio::test]
async fn an_attack_ends_with_the_rules_and_nothing_is_posted_without_an_address() {
    let app = guarded().await;
    attack(&app, 0..17).await;
    let off = ["terminal", "set", "91000001", "card_testing=off"];
    command(&app, &off).await.unwrap();
    minutes(&app, 1).await;
    assert_eq!(states(&app).await, ["BEGUN", "ENDED"]);
    let told = app.told().await;
    assert!(told.iter().all(|told| told["eventType"] == "PAYMENT"));
}

/// Without any further work of the test: the clock looks at what is due on its way.
#[tokio::test]
async fn a_clock_that_is_put_ahead_ends_the_attack() {
    let app = guarded().await;
    attack(&app, 0..17).await;
    let advance = json!({ "secondsAhead": 2 * 3600 });
    let answer = app.merchant().post("/test/clock/advance", &advance).await;
    answer.ok();
    let both = events(&app, "sandbox-implicit").await;
    assert_eq!(both.len(), 2);
    assert_eq!(both[1]["attack"]["state"], "ENDED");
    let ended = both[1]["recordedTime"].as_str().unwrap();
    assert!(ended.starts_with("2026-11-20T11:09"), "{ended}");
}
