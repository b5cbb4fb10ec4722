//! A buyer's data: what is stored of it can be exported, and after its erasure nothing of the gateway holds it, but the money is unchanged.

use crate::contracts::{charge, creation, pay};
use crate::harness::{APPROVED, TestApp, build, card};
use crate::keys::command;
use crate::links::{id_of, link_for};
use crate::office::Person;
use payframe_gateway::operator::CommandError;
use serde_json::{Value, json};

/// What nobody but this buyer has.
const MARKS: [&str; 7] = [
    "Quibble",
    "quibble@umbrella.example",
    "cust-quibble",
    "Umbrella Row 77",
    "0611223344",
    "TAXQUIBBLE7",
    "deliver@umbrella.example",
];

/// A request for an order of the buyer, which names them in every way.
fn of_buyer(mut request: Value) -> Value {
    let order = &mut request["order"];
    order["customerId"] = json!("cust-quibble");
    order["description"] = json!("A hat for Ernestine Quibble");
    order["customField"] = json!("Quibble-17");
    order["transactionSummary"] =
        json!([{ "language": "eng", "summaryList": [{ "label": "For", "value": "E. Quibble" }] }]);
    order["customerInfo"] = json!({
        "cardHolderName": "Ernestine Quibble", "cardHolderEmail": "Quibble@umbrella.example",
        "billingAddress": { "name": "Ernestine Quibble", "street": "Umbrella Row 77", "city": "Roma", "country": "ITA" },
        "mobilePhone": "0611223344", "taxCode": "TAXQUIBBLE7",
        "merchantRiskIndicator": { "deliveryEmail": "deliver@umbrella.example" },
    });
    if request["paymentSession"].get("resultUrl").is_some() {
        request["paymentSession"]["resultUrl"] = json!("https://shop.example/ok?name=Quibble");
        request["paymentSession"]["cancelUrl"] = json!("https://shop.example/Quibble");
    }
    request
}

/// A shop with three orders of the buyer, a stored card, and an order of somebody else.
async fn shop() -> TestApp {
    let app = TestApp::new().await;
    pay(&app, &of_buyer(creation("A1", "K1", "CIT")), APPROVED).await;
    let stored = app.merchant().post("/orders/moto", &telephone("A2")).await;
    let operation = stored.ok()["operation"]["operationId"].clone();
    let path = format!("/operations/{}/refunds", operation.as_str().unwrap());
    let refund =
        json!({ "amount": "1000", "currency": "EUR", "description": "Quibble did not like it" });
    app.merchant().post(&path, &refund).await.ok();
    let told = json!({ "state": "FULFILLED", "note": "left with Quibble's neighbour" });
    let told = app.merchant().put("/orders/A2/fulfilment", &told).await;
    told.ok();
    // A form that its buyer left.
    let left = app.open(&of_buyer(build("A3"))).await;
    app.frame(&left)
        .post("/fe/build/text", &card(APPROVED))
        .await
        .ok();
    app.pass(3600).await;
    pay(&app, &build("B1"), APPROVED).await;
    app
}

fn telephone(order_id: &str) -> Value {
    let request = json!({
        "order": { "orderId": order_id, "amount": "3545", "currency": "EUR" },
        "paymentSession": {},
        "card": { "pan": APPROVED, "expiryDate": "1230", "cvv": "123" }
    });
    let mut request = of_buyer(request);
    request.as_object_mut().unwrap().remove("paymentSession");
    request
}

impl TestApp {
    async fn privacy(&self, words: &[&str]) -> Result<String, CommandError> {
        let mut line = vec!["privacy"];
        line.extend(words);
        line.extend(["--merchant", "demo"]);
        Box::pin(command(self, &line)).await
    }

    /// Erases the buyer, with everything that the database allows.
    async fn erase(&self, by: [&str; 2]) -> Result<String, CommandError> {
        let mut words = vec!["erase", by[0], by[1], "--confirm"];
        if self.config().database_url.is_none() {
            words.push("--vacuum");
        }
        self.privacy(&words).await
    }

    async fn marks_that_are_kept(&self) -> Vec<&'static str> {
        let mut kept = Vec::new();
        for mark in MARKS {
            if self.keeps(mark).await {
                kept.push(mark);
            }
        }
        kept
    }

    /// What must not change: sums, results and times.
    async fn money(&self) -> Vec<String> {
        self.texts(
            "SELECT m.order_id || ' ' || CAST(m.captured_minor AS TEXT) || ' ' || CAST(m.refunded_minor AS TEXT) || ' ' || \
             o.operation_id || ' ' || o.result || ' ' || CAST(o.amount_minor AS TEXT) || ' ' || CAST(o.time_ms AS TEXT) || ' ' || \
             COALESCE(o.instrument, '-') FROM merchant_order m JOIN operation o ON o.merchant_id = m.merchant_id \
             AND o.order_id = m.order_id ORDER BY o.operation_id",
        )
        .await
    }
}

#[tokio::test]
async fn an_export_has_all_of_the_buyer_and_nothing_of_others() {
    let app = shop().await;
    let by_customer = app
        .privacy(&["export", "--customer", "cust-quibble"])
        .await
        .unwrap();
    let exported: Value = serde_json::from_str(&by_customer).unwrap();
    let ids: Vec<&str> = exported["orders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|order| order["orderId"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["A1", "A2", "A3"]);
    for mark in MARKS
        .iter()
        .filter(|mark| **mark != "quibble@umbrella.example")
    {
        assert!(by_customer.contains(mark), "{mark}");
    }
    assert!(!by_customer.contains(APPROVED) && !by_customer.contains("B1"));
    assert_eq!(
        exported["storedCards"],
        json!([{
            "contractId": "K1", "contractType": "CIT", "isActive": true, "createdTime": exported["storedCards"][0]["createdTime"],
            "network": "VISA", "lastFour": "0003", "expiry": "203012",
        }])
    );
    // By an address, in any letter case and wherever it is named.
    for address in ["QUIBBLE@umbrella.example", "deliver@umbrella.example"] {
        let by_email = app.privacy(&["export", "--email", address]).await.unwrap();
        let by_email: Value = serde_json::from_str(&by_email).unwrap();
        assert_eq!(by_email["orders"], exported["orders"], "{address}");
    }
    let one = app.privacy(&["export", "--order", "A2"]).await.unwrap();
    assert!(one.contains("left with Quibble's neighbour") && !one.contains("\"A1\""));
    let entries = app
        .texts("SELECT subject || detail FROM audit_entry WHERE act = 'EXPORT_BUYER' ORDER BY seq")
        .await;
    assert_eq!(entries, ["3 orders", "3 orders", "3 orders", "1 order"]);
}

#[tokio::test]
async fn nothing_is_erased_without_a_confirmation() {
    let app = shop().await;
    let told = app.privacy(&["erase", "--customer", "cust-quibble"]).await;
    let told = told.unwrap();
    for said in [
        "nothing is erased yet",
        "3 orders",
        "A3",
        "K1 VISA ***0003 (active",
    ] {
        assert!(told.contains(said), "{told}");
    }
    assert!(!told.contains("Quibble"), "{told}");
    assert_eq!(app.count("SELECT count(*) FROM contract").await, 1);
    assert!(app.keeps("Umbrella Row 77").await);
}

#[tokio::test]
async fn no_file_and_no_table_holds_an_erased_buyer_and_the_money_is_unchanged() {
    let app = shop().await;
    let before = app.money().await;
    let other = app.order("B1").await;
    let told = app.erase(["--customer", "cust-quibble"]).await.unwrap();
    assert!(told.contains("3 orders and 1 stored card"), "{told}");
    assert_eq!(app.marks_that_are_kept().await, [""; 0]);
    assert_eq!(app.money().await, before);
    assert_eq!(app.order("B1").await, other);
    assert_eq!(
        app.texts("SELECT subject FROM audit_entry WHERE act = 'ERASE_BUYER' ORDER BY seq")
            .await,
        ["order A1", "order A2", "order A3", "1 stored card"]
    );
    command(&app, &["audit", "verify"]).await.unwrap();
    let vera = Person::logged_in(&app, "vera", "viewer").await;
    let page = vera.get("/office/orders/A1").await;
    assert!(page.text().contains("The buyer's data was erased on <time"));
    // Everything can still be read, and the money moved.
    let order = app.order("A1").await;
    assert_eq!(
        order["orderStatus"]["order"],
        json!({ "orderId": "A1", "amount": "3545", "currency": "EUR" })
    );
    assert_eq!(order["operations"][0]["customerInfo"], json!({}));
    assert_eq!(order["operations"][0]["paymentInstrumentInfo"], "***0003");
    for path in ["/orders", "/operations", "/events"] {
        app.merchant().get(path).await.ok();
    }
    let operation = order["operations"][0]["operationId"].as_str().unwrap();
    let path = format!("/operations/{operation}/refunds");
    let refund = json!({ "amount": "3545", "currency": "EUR" });
    app.merchant().post(&path, &refund).await.ok();
    assert_eq!(charge(&app, "A4", "K1").await.status, 400);
    // The buyer cannot be found any more, and an erasure can be given again.
    let gone = app.privacy(&["export", "--customer", "cust-quibble"]).await;
    let gone = gone.unwrap_err().to_string();
    assert_eq!(gone, "nothing is stored of such a buyer");
    let again = app.privacy(&["erase", "--order", "A1"]).await.unwrap();
    assert!(again.contains("1 of them were erased before"), "{again}");
    app.erase(["--order", "A1"]).await.unwrap();
    // A later attempt to pay the order is not marked as erased.
    app.open(&of_buyer(build("A3"))).await;
    let marked =
        "SELECT order_id FROM merchant_order WHERE erased_ms IS NOT NULL ORDER BY order_id";
    assert_eq!(app.texts(marked).await, ["A1", "A2"]);
}

#[tokio::test]
async fn the_answer_of_a_repeated_call_has_the_buyer_no_more() {
    let app = TestApp::new().await;
    let key = [("idempotency-key", "5d0bd1b0-2f0c-4a5e-9c1d-2b8f0d6a7e11")];
    let request = telephone("A2");
    let call = async || {
        let merchant = app.merchant();
        merchant
            .post_with("/orders/moto", &request, &key)
            .await
            .ok()
    };
    let first = call().await;
    assert!(first.to_string().contains("Quibble"));
    app.erase(["--order", "A2"]).await.unwrap();
    let again = call().await;
    assert!(!again.to_string().contains("Quibble"), "{again}");
    assert_eq!(
        again["operation"]["operationId"],
        first["operation"]["operationId"]
    );
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 1);
}

#[tokio::test]
async fn what_is_being_paid_held_or_linked_is_refused_and_nothing_is_erased() {
    let app = TestApp::new().await;
    pay(&app, &of_buyer(build("A1")), APPROVED).await;
    let refused = async |said: &str| {
        let problem = app.erase(["--customer", "cust-quibble"]).await.unwrap_err();
        let problem = problem.to_string();
        assert!(problem.contains(said), "{problem}");
        assert!(!problem.contains("quibble"), "{problem}");
        assert!(app.order("A1").await.to_string().contains("Quibble"));
    };
    let session = app.open(&of_buyer(build("A2"))).await;
    refused("order A2: a form of it is open").await;
    let cancelled = json!({ "sessionId": session });
    app.merchant().post("/build/cancel", &cancelled).await.ok();
    let shop = "sandbox-explicit";
    let session = app.open_by(shop, &of_buyer(build("A3"))).await;
    app.enter(&session, APPROVED).await;
    let closed = json!({ "sessionId": session });
    let path = "/build/finalize_payment";
    app.key(shop).post(path, &closed).await.ok();
    refused("order A3: an operation has no final result, or money is held").await;
    let operation = app.order("A3").await["operations"][0].clone();
    let path = format!(
        "/operations/{}/captures",
        operation["operationId"].as_str().unwrap()
    );
    let sum = json!({ "amount": "3545", "currency": "EUR" });
    app.key(shop).post(&path, &sum).await.ok();
    // The link's order names no customer: it is asked for by its id.
    let link = link_for(&app, "L1").await;
    let problem = app.erase(["--order", "L1"]).await.unwrap_err().to_string();
    assert!(problem.contains("revoke the link"), "{problem}");
    let path = format!("/paybylink/{}/cancels", id_of(&link));
    app.merchant().post(&path, &json!({})).await.ok();
    app.erase(["--order", "L1"]).await.unwrap();
    app.erase(["--customer", "cust-quibble"]).await.unwrap();
    assert_eq!(app.marks_that_are_kept().await, [""; 0]);
}

#[tokio::test]
async fn a_disputed_order_keeps_its_evidence_until_the_decision() {
    let app = TestApp::new().await;
    pay(&app, &of_buyer(build("A1")), APPROVED).await;
    let operation = app
        .texts("SELECT operation_id FROM operation")
        .await
        .remove(0);
    let words = [
        "dispute",
        "open",
        &operation,
        "--category",
        "GENERAL",
        "--reason",
        "13.1",
        "--deadline",
        "2027-01-01T00:00:00Z",
    ];
    let opened = command(&app, &words).await.unwrap();
    let dispute = opened.split(' ').next().unwrap();
    let problem = app.erase(["--order", "A1"]).await.unwrap_err().to_string();
    assert!(problem.contains("a dispute is not decided"), "{problem}");
    command(&app, &["dispute", "result", dispute, "WON"])
        .await
        .unwrap();
    app.erase(["--order", "A1"]).await.unwrap();
    assert_eq!(app.marks_that_are_kept().await, [""; 0]);
    let read = app.order("A1").await;
    assert_eq!(read["disputes"][0]["state"], "WON");
}

#[tokio::test]
async fn another_merchant_has_no_part_in_it() {
    let app = shop().await;
    let problem = command(
        &app,
        &["privacy", "erase", "--merchant", "nobody", "--order", "A1"],
    );
    let problem = problem.await.unwrap_err().to_string();
    assert_eq!(problem, "there is no merchant nobody");
    let merchants = app
        .texts("SELECT merchant_id FROM merchant WHERE merchant_id <> 'demo' ORDER BY merchant_id")
        .await;
    let words = [
        "privacy",
        "export",
        "--merchant",
        &merchants[0],
        "--customer",
        "cust-quibble",
    ];
    let other = command(&app, &words).await.unwrap_err().to_string();
    assert_eq!(other, "nothing is stored of such a buyer");
}
