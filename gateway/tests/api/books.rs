//! The comparison of money and goods: by command, on the page of the back office, in the running gateway.

use crate::actions::{done, paid};
use crate::harness::{OWN_MERCHANT, TestApp};
use crate::keys::command;
use crate::office::Person;
use payframe_gateway::operator::CommandError;
use serde_json::{Value, json};

const IMPLICIT: &str = "sandbox-implicit";
const EXPLICIT: &str = "sandbox-explicit";
const HOUR: u64 = 3600;

async fn tell(app: &TestApp, order_id: &str, state: &str) {
    let path = format!("/orders/{order_id}/fulfilment");
    let told = app.merchant().put(&path, &json!({ "state": state })).await;
    told.ok();
}

/// The differences that the command writes as JSON.
async fn differences(app: &TestApp, words: &[&str]) -> Vec<Value> {
    let words = [&["reconcile", "--json"], words].concat();
    let text = match command(app, &words).await {
        Ok(text) => text,
        Err(CommandError::Differences { report, count }) => {
            assert!(count > 0);
            report
        }
        Err(problem) => panic!("{problem}"),
    };
    serde_json::from_str(&text).unwrap()
}

/// In short: order and difference.
async fn short(app: &TestApp) -> Vec<String> {
    let found = differences(app, &[]).await;
    let line = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        format!("{} {}", text("orderId"), text("difference"))
    };
    found.iter().map(line).collect()
}

#[tokio::test]
async fn orders_that_are_paid_and_fulfilled_agree() {
    let app = TestApp::new().await;
    assert_eq!(
        command(&app, &["reconcile"]).await.unwrap(),
        "the books agree\n"
    );
    paid(&app, IMPLICIT, "A1", "EUR").await;
    tell(&app, "A1", "FULFILLED").await;
    let sale = paid(&app, IMPLICIT, "A2", "EUR").await;
    tell(&app, "A2", "CANCELED").await;
    done(&app, &sale, "refunds", 10000).await;
    app.pass(100 * HOUR).await;
    assert_eq!(short(&app).await, [""; 0]);
}

#[tokio::test]
async fn a_shop_that_tells_of_no_goods_misses_none() {
    let app = TestApp::new().await;
    paid(&app, IMPLICIT, "A1", "EUR").await;
    app.pass(100 * HOUR).await;
    assert_eq!(short(&app).await, [""; 0]);
    // It begins to tell: orders from before are not missed, later ones are.
    paid(&app, IMPLICIT, "A2", "EUR").await;
    app.pass(1).await;
    tell(&app, "A2", "FULFILLED").await;
    app.pass(1).await;
    paid(&app, IMPLICIT, "A3", "EUR").await;
    app.pass(72 * HOUR - 1).await;
    assert_eq!(short(&app).await, [""; 0]);
    app.pass(1).await;
    assert_eq!(short(&app).await, ["A3 PAID_NOT_FULFILLED"]);
    tell(&app, "A3", "FULFILLED").await;
    assert_eq!(short(&app).await, [""; 0]);
}

/// A shop with an order for each difference, a quarter of an hour later.
async fn shop_in_disorder() -> TestApp {
    let app = TestApp::new().await;
    app.open(&crate::harness::build("B1")).await;
    tell(&app, "B1", "FULFILLED").await;
    let pending = "4761730000008881";
    crate::actions::paid_by(&app, IMPLICIT, "B2", "EUR", "PAY", pending).await;
    tell(&app, "B2", "FULFILLED").await;
    let sale = paid(&app, IMPLICIT, "B3", "EUR").await;
    tell(&app, "B3", "FULFILLED").await;
    done(&app, &sale, "refunds", 10000).await;
    paid(&app, EXPLICIT, "B4", "EUR").await;
    tell(&app, "B4", "FULFILLED").await;
    paid(&app, IMPLICIT, "B5", "EUR").await;
    tell(&app, "B5", "RETURNED").await;
    // The gateway refuses a second charge of an order, so a part of another order is made one.
    paid(&app, IMPLICIT, "B6", "EUR").await;
    tell(&app, "B6", "FULFILLED").await;
    paid(&app, IMPLICIT, "B7", "EUR").await;
    tell(&app, "B7", "FULFILLED").await;
    app.change("UPDATE operation SET order_id = 'B6' WHERE order_id = 'B7'")
        .await;
    // Operations of one moment get later times, so this is somewhat longer.
    app.clock
        .advance(std::time::Duration::from_secs(15 * 60 + 1));
    app
}

#[tokio::test]
async fn each_difference_is_found_with_its_cause_and_what_ends_it() {
    let app = shop_in_disorder().await;
    let expected = [
        "B1 FULFILLED_UNPAID",
        "B2 FULFILLED_UNDECIDED",
        "B3 FULFILLED_REFUNDED",
        "B4 FULFILLED_UNCAPTURED",
        "B5 CANCELED_BUT_HELD",
        "B6 SEVERAL_CHARGES",
    ];
    assert_eq!(short(&app).await, expected);
    let mut found = differences(&app, &[]).await;
    let since = found[4].as_object_mut().unwrap().remove("since").unwrap();
    assert!(since.as_str().unwrap().starts_with("2026-11-20T10:00:00."));
    let expected = json!({
        "merchantId": "demo", "orderId": "B5", "difference": "CANCELED_BUT_HELD",
        "heldAmount": "10000", "currency": "EUR",
        "cause": "The shop told that the goods will not be sent or came back, and money is still held.",
        "action": "Refund or release the money. If the goods were sent after all, tell FULFILLED.",
    });
    assert_eq!(found[4], expected);
    let Err(CommandError::Differences { report, count }) = command(&app, &["reconcile"]).await
    else {
        panic!("the books agree");
    };
    assert_eq!(count, 6);
    assert!(
        report.contains("demo B4 FULFILLED_UNCAPTURED since 2026-11-20T10:00:00."),
        "{report}"
    );
    assert!(report.contains("Z, 10000 EUR held\n  The shop told"));
    assert!(report.contains("\n  Capture the authorization.\n"));
}

#[tokio::test]
async fn what_ends_a_difference_ends_it() {
    let app = shop_in_disorder().await;
    tell(&app, "B1", "RETURNED").await;
    tell(&app, "B3", "RETURNED").await;
    for (order_id, action) in [("B4", "captures"), ("B5", "refunds")] {
        let id = app.order(order_id).await["operations"][0]["operationId"].clone();
        done(&app, id.as_str().unwrap(), action, 10000).await;
    }
    // The refund of one of the two charges of B6: in truth it is that of B7.
    tell(&app, "B7", "RETURNED").await;
    let id = app.order("B6").await["operations"][0]["operationId"].clone();
    done(&app, id.as_str().unwrap(), "refunds", 10000).await;
    // The issuer of B2 decides.
    app.pass(HOUR).await;
    assert_eq!(short(&app).await, [""; 0]);
}

#[tokio::test]
async fn a_comparison_is_of_one_merchant_or_of_all() {
    let app = shop_in_disorder().await;
    command(&app, &["merchant", "add", OWN_MERCHANT, "Blumenladen"])
        .await
        .unwrap();
    assert_eq!(differences(&app, &["--merchant", "demo"]).await.len(), 6);
    let own = differences(&app, &["--merchant", OWN_MERCHANT]).await;
    assert_eq!(own, [Value::Null; 0]);
    let nobody = command(&app, &["reconcile", "--merchant", "nobody"]).await;
    assert_eq!(
        nobody.unwrap_err().to_string(),
        "there is no merchant nobody"
    );
}

#[tokio::test]
async fn the_back_office_shows_the_differences_of_its_merchant() {
    let app = shop_in_disorder().await;
    let ada = Person::logged_in(&app, "ada", "viewer").await;
    let page = ada.get("/office/books").await.text();
    assert!(
        page.contains("No difference is found so far.")
            && page.contains("The first comparison is not complete yet."),
        "{page}"
    );
    // The running gateway compares on its own; it changes no payment.
    let before = app.count("SELECT count(*) FROM operation").await;
    payframe_gateway::maintenance::compare_books(&app.app).await;
    assert_eq!(app.count("SELECT count(*) FROM operation").await, before);
    let page = ada.get("/office/books").await.text();
    assert!(page.contains(r#"<a href="/office/orders/B3">B3</a>"#));
    assert!(page.contains("all money of the order was given back"));
    assert!(page.contains("Capture the authorization."));
    assert!(page.contains("may wait 72 hours"));
    command(&app, &["merchant", "add", OWN_MERCHANT, "Blumenladen"])
        .await
        .unwrap();
    payframe_gateway::maintenance::compare_books(&app.app).await;
    let eve = Person::of_merchant(&app, OWN_MERCHANT, "eve", "viewer").await;
    let page = eve.get("/office/books").await.text();
    assert!(page.contains("agree."), "{page}");
    assert!(!page.contains("B3"));
}
