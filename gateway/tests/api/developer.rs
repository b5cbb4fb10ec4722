//! The commands `listen` and `trigger`, against a gateway that listens on this machine.

use crate::harness::{APPROVED, DECLINED, TestApp, build};
use crate::keys::command;
use crate::lists::paid;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use clap::ValueEnum;
use payframe_gateway::developer::{Forwarder, Listening, RunningGateway, Trigger, TriggeredEvent};
use payframe_notifier::signature::sign;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Serves on this machine and returns the address.
async fn served(routes: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, routes).await });
    address
}

type Received = mpsc::UnboundedReceiver<(HeaderMap, String)>;

/// A developer's program, which answers 202.
async fn receiver() -> (String, Received) {
    let (hand_over, received) = mpsc::unbounded_channel();
    let take = |State(hand_over): State<mpsc::UnboundedSender<(HeaderMap, String)>>,
                headers: HeaderMap,
                body: Bytes| async move {
        let body = String::from_utf8(body.to_vec()).unwrap();
        hand_over.send((headers, body)).unwrap();
        StatusCode::ACCEPTED
    };
    let address = served(Router::new().fallback(take).with_state(hand_over)).await;
    (format!("{address}/hook"), received)
}

fn at(gateway: &str, key: &str) -> RunningGateway {
    RunningGateway {
        gateway: gateway.to_owned(),
        key: Some(key.to_owned()),
    }
}

fn listening(gateway: &str, key: &str, forward_to: &str, after: &str) -> Listening {
    Listening {
        forward_to: forward_to.to_owned(),
        at: at(gateway, key),
        secret: Some(SECRET.to_owned()),
        after: after.to_owned(),
    }
}

/// What one reading of the feed prints, and whether there is more.
async fn forward(forwarder: &mut Forwarder) -> (Vec<String>, bool) {
    let mut lines = Vec::new();
    let has_more = forwarder.forward(|line| lines.push(line.to_owned())).await;
    (lines, has_more.unwrap())
}

#[tokio::test]
async fn new_events_are_posted_as_the_notifier_posts_them() {
    let app = TestApp::new().await;
    paid(&app, "sandbox-implicit", &build("A1"), APPROVED).await;
    let gateway = served(app.router.clone()).await;
    let (hook, mut received) = receiver().await;
    let listening = listening(&gateway, "sandbox-implicit", &hook, "latest");
    let mut forwarder = Forwarder::new(&listening, app.clock.clone()).unwrap();
    let greeting = forwarder.greeting();
    assert!(
        greeting.contains(&hook) && greeting.contains(SECRET),
        "{greeting}"
    );
    // What was before is not posted.
    assert_eq!(forward(&mut forwarder).await, (vec![], false));
    paid(&app, "sandbox-implicit", &build("A2"), APPROVED).await;
    paid(&app, "sandbox-other-merchant", &build("B1"), APPROVED).await;
    let (lines, has_more) = forward(&mut forwarder).await;
    assert_eq!((lines.len(), has_more), (1, false));
    assert!(
        lines[0].ends_with(" PAYMENT order A2 AUTHORIZATION/EXECUTED -> 202"),
        "{lines:?}"
    );
    let (headers, body) = received.recv().await.unwrap();
    let told = &app.told().await[1];
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), *told);
    let id = told["eventId"].as_str().unwrap();
    let mut expected = sign(&[SECRET], app.clock.now_ms(), id, &body);
    expected.push(("X-Event-Id", id.to_owned()));
    expected.push(("X-Event-Attempt", String::from("1")));
    expected.push(("Payframe-Version", String::from("2026-11-27")));
    expected.push(("Content-Type", String::from("application/json")));
    for (name, value) in expected {
        assert_eq!(headers[name], value, "{name}");
    }
    // Nothing comes twice.
    assert_eq!(forward(&mut forwarder).await, (vec![], false));
    assert!(received.try_recv().is_err());
}

#[tokio::test]
async fn events_that_are_not_about_money_are_posted_too() {
    let app = TestApp::new().await;
    let notify = ["notify", "91000001", "https://shop.example/hook"];
    command(&app, &notify).await.unwrap();
    let strict = [
        "terminal",
        "set",
        "91000001",
        "card_testing=on",
        "card_testing_limits=terminal:1",
    ];
    command(&app, &strict).await.unwrap();
    let gateway = served(app.router.clone()).await;
    let (hook, mut received) = receiver().await;
    for order in ["A1", "A2"] {
        paid(&app, "sandbox-implicit", &build(order), DECLINED).await;
    }
    let listening = listening(&gateway, "sandbox-implicit", &hook, "oldest");
    let mut forwarder = Forwarder::new(&listening, app.clock.clone()).unwrap();
    let (lines, _) = forward(&mut forwarder).await;
    assert!(
        lines[1].ends_with(" TERMINAL_ATTACK terminal 91000001 BEGUN -> 202"),
        "{lines:?}"
    );
    received.recv().await.unwrap();
    let (_, body) = received.recv().await.unwrap();
    let told = app.told().await;
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), told[1]);
}

#[tokio::test]
async fn the_feed_is_posted_from_its_beginning_if_that_is_wanted() {
    let app = TestApp::new().await;
    paid(&app, "sandbox-implicit", &build("A1"), APPROVED).await;
    let gateway = served(app.router.clone()).await;
    let nobody = "http://127.0.0.1:1/hook";
    let listening = listening(&gateway, "sandbox-implicit", nobody, "oldest");
    let mut forwarder = Forwarder::new(&listening, app.clock.clone()).unwrap();
    let (lines, _) = forward(&mut forwarder).await;
    // An event that nobody takes is not posted again.
    assert!(lines[0].ends_with("-> nobody answers"), "{lines:?}");
    assert_eq!(forward(&mut forwarder).await, (vec![], false));
}

#[tokio::test]
async fn a_gateway_that_refuses_ends_the_command_with_its_reason() {
    let app = TestApp::new().await;
    let gateway = served(app.router.clone()).await;
    for (key, after, why) in [
        ("sandbox-unknown", "latest", "401: GW9020"),
        ("sandbox-implicit", "1-554ccc00", "410: GW9011"),
        ("sandbox-implicit", "first", "400: PS0026"),
    ] {
        let listening = listening(&gateway, key, "http://127.0.0.1:1", after);
        let refused = listening.run(|_| {}).await.unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
}

#[tokio::test]
async fn every_event_of_a_payment_can_be_triggered_also_far_ahead_of_this_machines_time() {
    let app = TestApp::new().await;
    let advance = json!({ "secondsAhead": 60 * 86_400 });
    app.merchant()
        .post("/test/clock/advance", &advance)
        .await
        .ok();
    let gateway = served(app.router.clone()).await;
    for event in TriggeredEvent::value_variants() {
        let code = event.event_type().code();
        let trigger = Trigger {
            event: *event,
            at: at(&gateway, "sandbox-implicit"),
        };
        let said = trigger.run().await.unwrap();
        let events = app.merchant().get("/events").await.ok();
        let last = events["events"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["eventType"], code);
        if *event == TriggeredEvent::Dispute {
            let text = |name: &str| last["dispute"][name].as_str().unwrap();
            let (order_id, id) = (text("orderId"), text("disputeId"));
            let expected = format!("DISPUTE order {order_id} NEEDS_RESPONSE dispute {id}\n");
            assert_eq!(said, expected);
            continue;
        }
        let operation = &last["notification"]["operation"];
        let text = |name: &str| operation[name].as_str().unwrap();
        let expected = format!(
            "{code} order {} {}/EXECUTED\n",
            text("orderId"),
            text("operationType")
        );
        assert_eq!(said, expected);
    }
}

#[tokio::test]
async fn nothing_is_triggered_in_production() {
    let (app, key) = TestApp::in_production().await;
    let gateway = served(app.router.clone()).await;
    for (key, why) in [
        (key.as_str(), "no gateway in production accepts one"),
        ("sandbox-implicit", "401: GW9020"),
    ] {
        let trigger = Trigger {
            event: TriggeredEvent::Payment,
            at: at(&gateway, key),
        };
        let refused = trigger.run().await.unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
}
