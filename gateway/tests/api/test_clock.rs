//! The clock of a sandbox: what happens when a test advances it, how far it goes, what keeps the real time, and that production has none.

use crate::contracts::{charge, pay};
use crate::harness::{APPROVED, Answer, START_MS, TestApp, build, short};
use crate::keys::{command, made, status};
use crate::links::{link_for, read as read_link};
use crate::lists::paid;
use crate::office::Person;
use crate::reservations::{self, operations, reservation, with};
use crate::server_to_server::moto;
use payframe_gateway::config::Mode;
use payframe_gateway::{App, maintenance};
use payframe_payment_ports::Clock;
use serde_json::{Value, json};

const DAY: i64 = 86_400;

async fn advance(app: &TestApp, body: &Value) -> Answer {
    app.merchant().post("/test/clock/advance", body).await
}

/// Lets days pass since the start of the test.
async fn until_day(app: &TestApp, days: i64) {
    let body = json!({ "secondsAhead": days * DAY });
    advance(app, &body).await.ok();
}

#[tokio::test]
async fn the_clock_is_real_until_it_is_advanced_and_then_goes_on() {
    let app = TestApp::new().await;
    let real = json!({
        "time": "2026-11-20T10:00:00.000Z", "realTime": "2026-11-20T10:00:00.000Z", "secondsAhead": 0,
        "latestTime": "2028-11-20T10:00:00.000Z",
    });
    assert_eq!(app.merchant().get("/test/clock").await.ok(), real);
    let expected = json!({
        "time": "2026-12-01T10:00:00.000Z", "realTime": "2026-11-20T10:00:00.000Z", "secondsAhead": 11 * DAY,
        "latestTime": "2028-11-20T10:00:00.000Z",
    });
    let to = json!({ "to": "2026-12-01T10:00:00.000Z" });
    assert_eq!(advance(&app, &to).await.ok(), expected);
    app.pass(60).await;
    let later = app.merchant().get("/test/clock").await.ok();
    assert_eq!(later["time"], "2026-12-01T10:01:00.000Z");
    // The same call again, and a time that has passed, change nothing.
    for body in [
        to,
        json!({ "to": "2026-01-01T00:00:00Z" }),
        json!({ "secondsAhead": 11 * DAY }),
        json!({ "secondsAhead": 0 }),
    ] {
        assert_eq!(advance(&app, &body).await.ok(), later);
    }
    // Every key of the sandbox may do it, and all merchants have the same clock.
    let other = app.key("sandbox-other-merchant");
    assert_eq!(other.get("/test/clock").await.ok(), later);
}

#[tokio::test]
async fn an_instant_between_two_seconds_is_reached() {
    let app = TestApp::new().await;
    let to = json!({ "to": "2026-11-20T10:00:07.001+00:00" });
    let reached = advance(&app, &to).await.ok();
    assert_eq!(reached["time"], "2026-11-20T10:00:08.000Z");
}

#[tokio::test]
async fn what_is_no_time_or_too_far_is_refused_and_changes_nothing() {
    let app = TestApp::new().await;
    for (body, why) in [
        (json!({}), "one of to, secondsAhead must be there"),
        (
            json!({ "to": "2026-12-01T10:00:00Z", "secondsAhead": 1 }),
            "one of to, secondsAhead must be there",
        ),
        (
            json!({ "to": "tomorrow" }),
            "to must be an ISO 8601 instant",
        ),
        (json!({ "to": 7 }), "to must be an ISO 8601 instant"),
        (
            json!({ "to": "2028-11-20T10:00:00.001Z" }),
            "to must be at most two years after the real time, which is 2028-11-20T10:00:00.000Z",
        ),
        (
            json!({ "secondsAhead": -1 }),
            "secondsAhead must be a whole number from 0 to 63158400",
        ),
        (
            json!({ "secondsAhead": 63_158_401 }),
            "secondsAhead must be a whole number",
        ),
        (
            json!({ "secondsAhead": 0.5 }),
            "secondsAhead must be a whole number",
        ),
    ] {
        let answer = advance(&app, &body).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{body}");
        assert!(answer.why().contains(why), "{}", answer.why());
    }
    let script = json!({ "to": "<script>" });
    assert_eq!(advance(&app, &script).await.refusal(), "400 PS0041");
    assert_eq!(
        app.nobody()
            .post("/test/clock/advance", &json!({}))
            .await
            .status,
        401
    );
    assert_eq!(app.app.clock().now_ms(), START_MS);
    let latest = json!({ "secondsAhead": 731 * DAY });
    let reached = advance(&app, &latest).await.ok();
    assert_eq!(reached["time"], reached["latestTime"]);
}

#[tokio::test]
async fn sessions_and_links_end_and_pending_payments_get_their_result() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let link = link_for(&app, "A2").await;
    let pending = pay(&app, &build("A3"), "4761730000008881").await;
    assert_eq!(short(&pending), "PAYMENT_COMPLETE AUTHORIZATION/PENDING");
    advance(&app, &json!({ "to": "2026-11-25T22:59:59Z" }))
        .await
        .ok();
    assert_eq!(
        app.frame(&session).get("/build/state").await.refusal(),
        "400 PS0061"
    );
    assert_eq!(
        app.order("A3").await["orderStatus"]["status"],
        "PAID",
        "before the call answers"
    );
    assert_eq!(read_link(&app, &link).await["status"], "ACTIVE");
    advance(&app, &json!({ "to": "2026-11-25T23:00:00Z" }))
        .await
        .ok();
    assert_eq!(read_link(&app, &link).await["status"], "EXPIRED");
    assert_eq!(app.told().await.len(), 2);
}

#[tokio::test]
async fn money_that_nobody_captured_is_released_on_its_day() {
    let app = TestApp::new().await;
    let held = app.key("sandbox-explicit");
    held.post("/orders/moto", &moto("A1", APPROVED)).await.ok();
    let status = async || app.order("A1").await["orderStatus"]["status"].clone();
    until_day(&app, 4).await;
    assert_eq!(status().await, "TO_CAPTURE");
    until_day(&app, 30).await;
    assert_eq!(status().await, "RELEASED");
    let operations = app.operations("A1").await;
    assert_eq!(
        operations[1]["operationTime"], "2026-11-25T10:00:00.000Z",
        "on the day on which it was due, not when the clock arrived"
    );
}

#[tokio::test]
async fn what_is_due_on_the_way_happens_in_its_order() {
    let app = TestApp::new().await;
    let parts = json!([
        { "amount": "10000" },
        { "date": "2026-12-01", "amount": "8000", "type": "AUTOMATIC" },
        { "date": "2026-12-03", "amount": "12001" },
    ]);
    let sent = with(
        reservation("R1", "PREPAID_REFUNDABLE"),
        json!({ "collectionType": "INSTALLMENT", "installments": parts }),
    );
    reservations::paid(&app, &sent, APPROVED).await;
    until_day(&app, 60).await;
    assert_eq!(
        operations(&app, "R1").await,
        ["10000", "8000", "12001"].map(|amount| format!("AUTHORIZATION EXECUTED {amount}"))
    );
    let read = reservations::read(&app, "R1").await;
    let day = |operation: usize| {
        let time = read["operations"][operation]["operationTime"].as_str();
        time.unwrap()[..10].to_owned()
    };
    // Days begin in Rome.
    assert_eq!((day(1), day(2)), ("2026-11-30".into(), "2026-12-02".into()));
}

#[tokio::test]
async fn a_subscription_is_charged_a_month_later() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["order"]["customerId"] = json!("cust-7");
    request["paymentSession"]["recurrence"] = json!({
        "action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_SCHEDULED",
        "contractFrequency": "30", "contractExpiryDate": "2027-01-31",
    });
    pay(&app, &request, APPROVED).await;
    assert_eq!(charge(&app, "B1", "K1").await.refusal(), "400 PS0043");
    until_day(&app, 30).await;
    charge(&app, "B1", "K1").await.ok();
    until_day(&app, 80).await;
    let late = charge(&app, "B2", "K1").await;
    assert!(late.why().contains("contractExpiryDate"), "{}", late.why());
}

#[tokio::test]
async fn what_is_kept_for_a_time_is_deleted_after_it() {
    let app = TestApp::new().await;
    for order in ["A1", "A2"] {
        paid(&app, "sandbox-implicit", &build(order), APPROVED).await;
    }
    let first = app.merchant().get("/events?limit=1").await.ok();
    let path = format!("/events?after={}", first["nextCursor"].as_str().unwrap());
    until_day(&app, 89).await;
    assert_eq!(app.merchant().get(&path).await.status, 200);
    until_day(&app, 91).await;
    assert_eq!(app.merchant().get(&path).await.refusal(), "410 GW9011");
}

#[tokio::test]
async fn log_ins_and_api_keys_keep_the_real_time() {
    let app = TestApp::new().await;
    let admin = Person::logged_in(&app, "anna", "administrator").await;
    let (id, key) = made(&command(&app, &["keys", "new", "91000001"]).await.unwrap());
    command(&app, &["keys", "rotate", &id]).await.unwrap();
    let page = admin.get("/office").await;
    assert!(!page.text().contains("test clock"), "{}", page.text());
    until_day(&app, 400).await;
    let page = admin.get("/office").await;
    assert_eq!(page.status, 200, "still logged in");
    assert!(
        page.text()
            .contains("The test clock of this sandbox is ahead: for payments it is"),
        "{}",
        page.text()
    );
    assert!(page.text().contains("25 Dec 2027, 10:00 UTC"));
    // A member is disabled after 90 days without a log-in.
    maintenance::tidy_up(&app.app).await;
    assert_eq!(admin.get("/office").await.status, 200);
    // The key that another one follows has a day left.
    assert_eq!(status(&app, &key).await, 200);
    app.pass(86_401).await;
    assert_eq!(status(&app, &key).await, 401);
}

#[tokio::test]
async fn all_processes_on_a_database_have_the_clock_also_after_a_restart() {
    let app = TestApp::new().await;
    let open = async || {
        let clock = Clock::manual(START_MS);
        App::open(app.config().clone(), clock).await.unwrap()
    };
    let beside = open().await;
    until_day(&app, 10).await;
    assert_eq!(beside.clock().now_ms(), START_MS);
    maintenance::run_due_work(&beside).await;
    let day_10 = START_MS + 10 * DAY * 1000;
    assert_eq!(beside.clock().now_ms(), day_10);
    assert_eq!(open().await.clock().now_ms(), day_10);
    // A gateway that is behind cannot put it back.
    let store = app.app.store();
    let mut change = store
        .write(payframe_storage::Subject::Statement)
        .await
        .unwrap();
    payframe_storage::test_clock::put_ahead(&mut change, 1000)
        .await
        .unwrap();
    change.commit().await.unwrap();
    assert_eq!(open().await.clock().now_ms(), day_10);
}

#[tokio::test]
async fn production_has_no_such_clock_whatever_its_tables_say() {
    let (app, key) = TestApp::in_production().await;
    app.change("INSERT INTO test_clock (one, ahead_ms) VALUES (1, 86400000)")
        .await;
    let clock = Clock::manual(START_MS);
    let config = app.config().clone();
    assert_eq!(config.mode, Mode::Production);
    let again = App::open(config, clock).await.unwrap();
    maintenance::run_due_work(&again).await;
    assert_eq!(again.clock().now_ms(), START_MS);
    let merchant = app.key(&key);
    assert_eq!(merchant.get("/test/clock").await.status, 404);
    let body = json!({ "secondsAhead": DAY });
    let answer = merchant.post("/test/clock/advance", &body).await;
    assert_eq!((answer.status, answer.text().as_str()), (404, ""));
    assert_eq!(app.app.clock().now_ms(), START_MS);
}
