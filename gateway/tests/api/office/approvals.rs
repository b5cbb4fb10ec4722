//! Refunds that wait for a second member: who may approve, that it happens once, and that nobody stays below the sum in steps.

use super::{Person, command, field};
use crate::harness::{APPROVED, Answer, OWN_MERCHANT, TestApp, build};
use crate::lists::paid;
use serde_json::json;
use std::time::Duration;

const APPROVALS: &str = "/office/approvals";

/// A gateway with a paid order of €35.45, and a rule for refunds above a sum.
async fn shop(above: &str) -> (TestApp, String) {
    let app = Box::pin(TestApp::new()).await;
    Box::pin(paid(&app, "sandbox-implicit", &build("A1"), APPROVED)).await;
    let order = app.order("A1").await;
    let id = order["operations"][0]["operationId"].as_str().unwrap();
    let path = format!("/office/orders/A1/{id}/refund");
    let ada = Box::pin(Person::logged_in(&app, "ada", "administrator")).await;
    put_rule(&ada, above).await;
    (app, path)
}

async fn put_rule(person: &Person<'_>, above: &str) {
    let fields = [("currency", "EUR"), ("above", above)];
    let answer = person.post("/office/approvals/rules", &fields).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/approvals?done=rule"),
        "{}",
        answer.text()
    );
}

/// Sends the form of a refund, confirmed. Returns the question before it, and the answer.
async fn refund(person: &Person<'_>, path: &str, amount: &str) -> (String, Answer) {
    let page = person.get(path).await;
    let (key, most) = (field(&page, "key"), field(&page, "most"));
    let mut fields = vec![
        ("key", key.as_str()),
        ("most", &most),
        ("amount", amount),
        ("description", "as agreed"),
    ];
    let asked = person.post(path, &fields).await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    fields.push(("confirmed", "yes"));
    (asked.text(), person.post(path, &fields).await)
}

/// A member asks for a refund that waits. Returns the address of the request.
async fn asked(app: &TestApp, person: &Person<'_>, path: &str, amount: &str) -> String {
    let (_, answer) = refund(person, path, amount).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/orders/A1?done=asked"),
        "{}",
        answer.text()
    );
    let newest = "SELECT request_id FROM refund_request ORDER BY asked_ms DESC LIMIT 1";
    format!("{APPROVALS}/{}", app.texts(newest).await[0])
}

async fn approve(person: &Person<'_>, request: &str) -> Answer {
    let key = uuid::Uuid::new_v4().to_string();
    let path = format!("{request}/approve");
    person.post(&path, &[("key", &key)]).await
}

/// What the merchant was told of refunds that wait, in the order of the feed.
async fn states(app: &TestApp) -> Vec<String> {
    let feed = app.merchant().get("/events").await.ok();
    let events = feed["events"].as_array().unwrap().clone();
    let told = events
        .iter()
        .filter(|event| event["eventType"] == "REFUND_APPROVAL");
    told.map(|event| {
        event["refundApproval"]["state"]
            .as_str()
            .unwrap()
            .to_owned()
    })
    .collect()
}

async fn refunds(app: &TestApp) -> i64 {
    let refunds = "SELECT COUNT(*) FROM operation WHERE operation_type = 'REFUND'";
    app.count(refunds).await
}

#[tokio::test]
async fn a_refund_above_the_sum_waits_for_a_second_member_and_happens_once() {
    let (app, path) = shop("20").await;
    let olaf = Box::pin(Person::logged_in(&app, "olaf", "operator")).await;
    let page = olaf.get(&path).await;
    let (key, most) = (field(&page, "key"), field(&page, "most"));
    let fields = [
        ("key", key.as_str()),
        ("most", &most),
        ("amount", "20.01"),
        ("description", "as agreed"),
        ("confirmed", "yes"),
    ];
    let question = olaf.post(&path, &fields[..4]).await.text();
    assert!(question.contains("Ask for approval: €20.01"), "{question}");
    for _ in 0..2 {
        let answer = olaf.post(&path, &fields).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM refund_request").await, 1);
    assert_eq!(refunds(&app).await, 0);
    let request = format!("{APPROVALS}/{key}");
    let list = olaf.get(APPROVALS).await.text();
    for words in ["€20.01", "olaf", "Waiting", "2026-11-23"] {
        assert!(list.contains(words), "{words}: {list}");
    }
    let anna = Box::pin(Person::logged_in(&app, "anna", "operator")).await;
    let page = anna.get(&request).await;
    assert!(
        page.text().contains("Approve and refund €20.01"),
        "{}",
        page.text()
    );
    let form_key = field(&page, "key");
    for expected in ["approved", "before"] {
        let answer = anna
            .post(&format!("{request}/approve"), &[("key", &form_key)])
            .await;
        let location = format!("{APPROVALS}?done={expected}");
        assert_eq!(
            answer.header("location"),
            Some(location.as_str()),
            "{}",
            answer.text()
        );
    }
    let again = approve(&anna, &request).await;
    assert_eq!(again.status, 400);
    assert!(
        again.text().contains("was decided before"),
        "{}",
        again.text()
    );
    assert_eq!(refunds(&app).await, 1);
    let order = app.order("A1").await;
    assert_eq!(order["orderStatus"]["refundedAmount"], "2001");
    assert_eq!(order["operations"][0]["operationAmount"], "2001");
    let log = app.texts(
        "SELECT m.name || ' ' || a.act FROM audit_entry a JOIN member m ON m.member_id = a.member_id \
         WHERE a.act NOT LIKE 'LOG%' ORDER BY a.seq",
    );
    assert_eq!(
        log.await,
        [
            "ada CHANGE_MERCHANT",
            "olaf ASK_FOR_REFUND",
            "olaf ASK_FOR_REFUND",
            "anna APPROVE_REFUND",
            "anna APPROVE_REFUND",
            "anna APPROVE_REFUND",
            "anna APPROVE_REFUND",
        ]
    );
    command(&app, &["audit", "verify"]).await.unwrap();
}

#[tokio::test]
async fn nobody_approves_the_own_request_nor_one_of_another_merchant() {
    let (app, path) = shop("20").await;
    let olaf = Box::pin(Person::logged_in(&app, "olaf", "operator")).await;
    let request = asked(&app, &olaf, &path, "20.01").await;
    // Whoever asked sees it, and cannot approve it.
    let own = olaf.get(&request).await.text();
    assert!(!own.contains("Approve and refund"), "{own}");
    let refused = approve(&olaf, &request).await;
    assert_eq!(refused.status, 400);
    assert!(
        refused
            .text()
            .contains("Whoever asked for a refund cannot approve it")
    );
    // Nor can a viewer, or somebody of another merchant.
    let vera = Box::pin(Person::logged_in(&app, "vera", "viewer")).await;
    assert_eq!(approve(&vera, &request).await.status, 403);
    assert_eq!(vera.get(APPROVALS).await.status, 403);
    Box::pin(command(
        &app,
        &["merchant", "add", OWN_MERCHANT, "Blumenladen"],
    ))
    .await
    .unwrap();
    let other = Box::pin(Person::of_merchant(
        &app,
        OWN_MERCHANT,
        "otto",
        "administrator",
    ))
    .await;
    assert_eq!(approve(&other, &request).await.status, 404);
    assert_eq!(other.get(&request).await.status, 404);
    assert_eq!(refunds(&app).await, 0);
}

#[tokio::test]
async fn refunds_up_to_the_sum_do_not_wait_and_those_of_an_order_count_together() {
    let (app, path) = shop("20.00").await;
    let olaf = Box::pin(Person::logged_in(&app, "olaf", "operator")).await;
    for (amount, expected) in [("15", "refund"), ("5", "refund"), ("0.01", "asked")] {
        let (_, answer) = refund(&olaf, &path, amount).await;
        let location = format!("/office/orders/A1?done={expected}");
        assert_eq!(
            answer.header("location"),
            Some(location.as_str()),
            "{amount}"
        );
    }
    assert_eq!(refunds(&app).await, 2);
    // Without a rule for the currency none waits.
    let eva = Box::pin(Person::logged_in(&app, "eva", "administrator")).await;
    let fields = [("currency", "EUR"), ("remove", "yes")];
    let ended = eva.post("/office/approvals/rules", &fields).await;
    assert_eq!(ended.status, 303);
    let (_, answer) = refund(&olaf, &path, "1").await;
    assert_eq!(
        answer.header("location"),
        Some("/office/orders/A1?done=refund")
    );
    // Calls of the API do not wait.
    put_rule(&eva, "0").await;
    let id = path.split('/').nth(4).unwrap();
    let part = serde_json::json!({ "amount": "100", "currency": "EUR" });
    app.merchant()
        .post(&format!("/operations/{id}/refunds"), &part)
        .await
        .ok();
    assert_eq!(refunds(&app).await, 4);
}

#[tokio::test]
async fn two_members_who_approve_at_once_refund_once() {
    let (app, path) = shop("0").await;
    let olaf = Box::pin(Person::logged_in(&app, "olaf", "operator")).await;
    let request = asked(&app, &olaf, &path, "30").await;
    let anna = Box::pin(Person::logged_in(&app, "anna", "operator")).await;
    let eva = Box::pin(Person::logged_in(&app, "eva", "administrator")).await;
    let (one, other) = tokio::join!(approve(&anna, &request), approve(&eva, &request));
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [303, 400]);
    assert_eq!(refunds(&app).await, 1);
    assert_eq!(states(&app).await, ["ASKED", "APPROVED"]);
}

#[tokio::test]
async fn a_declined_a_late_and_an_outdated_request_refund_nothing() {
    let (app, path) = shop("0").await;
    let olaf = Box::pin(Person::logged_in(&app, "olaf", "operator")).await;
    let anna = Box::pin(Person::logged_in(&app, "anna", "operator")).await;
    let declined = asked(&app, &olaf, &path, "30").await;
    let answer = anna.post(&format!("{declined}/decline"), &[]).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/approvals?done=declined")
    );
    assert_eq!(approve(&anna, &declined).await.status, 400);
    assert_eq!(
        anna.post(&format!("{declined}/decline"), &[]).await.status,
        400
    );
    // Whoever asked may withdraw.
    app.clock.advance(Duration::from_secs(1));
    let withdrawn = asked(&app, &olaf, &path, "30").await;
    assert_eq!(
        olaf.post(&format!("{withdrawn}/decline"), &[]).await.status,
        303
    );
    assert_eq!(approve(&anna, &withdrawn).await.status, 400);
    // The order changed: another request was approved first.
    app.clock.advance(Duration::from_secs(1));
    let first = asked(&app, &olaf, &path, "10").await;
    app.clock.advance(Duration::from_secs(1));
    let second = asked(&app, &olaf, &path, "11").await;
    assert_eq!(approve(&anna, &first).await.status, 303);
    let outdated = approve(&anna, &second).await;
    assert_eq!(outdated.status, 400);
    assert!(
        outdated.text().contains("The order has changed"),
        "{}",
        outdated.text()
    );
    assert!(anna.get(&second).await.text().contains("Not possible"));
    assert_eq!(refunds(&app).await, 1);
    // After 72 hours nobody can approve it.
    let late = asked(&app, &olaf, &path, "12").await;
    app.clock.advance(Duration::from_secs(72 * 3600));
    let eva = Box::pin(Person::logged_in(&app, "eva", "operator")).await;
    let answer = approve(&eva, &late).await;
    assert_eq!(answer.status, 400);
    assert!(
        answer.text().contains("its time is over"),
        "{}",
        answer.text()
    );
    assert!(
        eva.get(APPROVALS)
            .await
            .text()
            .contains("Not approved in time")
    );
    assert_eq!(refunds(&app).await, 1);
    let told = [
        "ASKED",
        "DECLINED",
        "ASKED",
        "DECLINED",
        "ASKED",
        "ASKED",
        "APPROVED",
        "APPROVED",
        "NOT_POSSIBLE",
        "ASKED",
    ];
    assert_eq!(states(&app).await, told);
}

#[tokio::test]
async fn the_merchants_systems_hear_of_a_refund_that_waits_and_of_its_approval() {
    let (app, path) = shop("20").await;
    let notify = ["notify", "91000001", "https://shop.example/hook"];
    command(&app, &notify).await.unwrap();
    let olaf = Box::pin(Person::logged_in(&app, "olaf", "operator")).await;
    let request = asked(&app, &olaf, &path, "20.01").await;
    let anna = Box::pin(Person::logged_in(&app, "anna", "operator")).await;
    assert_eq!(approve(&anna, &request).await.status, 303);
    let feed = app.merchant().get("/events").await.ok();
    let events = feed["events"].as_array().unwrap().clone();
    let kinds: Vec<_> = events.iter().map(|event| &event["eventType"]).collect();
    assert_eq!(
        kinds,
        ["PAYMENT", "REFUND_APPROVAL", "REFUND_APPROVAL", "OPERATION"]
    );
    let refunded = app.order("A1").await["operations"][1].clone();
    let expected = json!({
        "requestId": request.rsplit('/').next().unwrap(), "orderId": "A1", "operationId": refunded["operationId"],
        "terminalId": "91000001", "amount": "2001", "currency": "EUR", "state": "ASKED",
        "askedTime": "2026-11-20T10:00:01.000Z", "endTime": "2026-11-23T10:00:01.000Z",
    });
    assert_eq!(events[1]["refundApproval"], expected);
    assert_eq!(events[1].get("notification"), None);
    assert_eq!(events[2]["refundApproval"]["state"], "APPROVED");
    // The notifications to the terminal's address say the same, and do not hold up those of the order.
    let told = app.told().await;
    let of_refunds: Vec<_> = told
        .iter()
        .filter(|told| told["eventType"] == "REFUND_APPROVAL")
        .collect();
    assert_eq!(of_refunds.len(), 2);
    assert_eq!(of_refunds[0]["refundApproval"], expected);
    assert_eq!(of_refunds[0]["eventId"], events[1]["eventId"]);
    let queue = "SELECT COUNT(*) FROM notification WHERE order_id = 'A1'";
    assert_eq!(app.count(queue).await, 2);
    // The office shows them, with the order.
    let page = anna.get("/office/notifications").await.text();
    for words in ["Refund €20.01", "waiting for a second member", "order A1"] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

/// The process ended between the decision and the refund, or behind the refund.
#[tokio::test]
async fn an_interrupted_approval_is_carried_out_later_and_once() {
    let (app, path) = shop("0").await;
    let olaf = Box::pin(Person::logged_in(&app, "olaf", "operator")).await;
    let anna = Box::pin(Person::logged_in(&app, "anna", "operator")).await;
    let request = asked(&app, &olaf, &path, "30").await;
    app.change(
        "UPDATE refund_request SET state = 'APPROVED', decided_by = asked_by, decided_ms = 1",
    )
    .await;
    let list = anna.get(APPROVALS).await.text();
    assert!(list.contains("Approved, not carried out"), "{list}");
    assert_eq!(
        anna.post(&format!("{request}/decline"), &[]).await.status,
        400
    );
    assert_eq!(approve(&olaf, &request).await.status, 400);
    assert_eq!(approve(&anna, &request).await.status, 303);
    assert_eq!(refunds(&app).await, 1);
    app.change("UPDATE refund_request SET state = 'APPROVED', outcome = NULL")
        .await;
    assert_eq!(approve(&anna, &request).await.status, 303);
    assert_eq!(refunds(&app).await, 1);
    let states = app
        .texts("SELECT state || ' ' || outcome FROM refund_request")
        .await;
    assert!(states[0].starts_with("REFUNDED operation "), "{states:?}");
}

#[tokio::test]
async fn approving_and_the_rules_ask_for_the_password_again() {
    let (app, path) = shop("0").await;
    let olaf = Box::pin(Person::logged_in(&app, "olaf", "operator")).await;
    let eva = Box::pin(Person::logged_in(&app, "eva", "administrator")).await;
    let request = asked(&app, &olaf, &path, "30").await;
    app.clock.advance(Duration::from_secs(300));
    let answer = approve(&eva, &request).await;
    let confirm = answer.header("location").unwrap();
    assert!(
        confirm.starts_with("/office/confirm?next=%2Foffice%2Fapprovals%2F"),
        "{confirm}"
    );
    let fields = [("currency", "EUR"), ("remove", "yes")];
    let answer = eva.post("/office/approvals/rules", &fields).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/confirm?next=%2Foffice%2Fapprovals")
    );
    assert_eq!(refunds(&app).await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM refund_rule").await, 1);
}

#[tokio::test]
async fn only_administrators_put_rules_and_only_sums_of_a_currency() {
    let (app, _) = shop("20").await;
    let olaf = Box::pin(Person::logged_in(&app, "olaf", "operator")).await;
    let fields = [("currency", "EUR"), ("above", "1")];
    assert_eq!(
        olaf.post("/office/approvals/rules", &fields).await.status,
        403
    );
    assert!(!olaf.get(APPROVALS).await.text().contains("Set the rule"));
    let eva = Box::pin(Person::logged_in(&app, "eva", "administrator")).await;
    for (currency, above, why) in [
        ("EUR", "", "Write an amount."),
        ("EUR", "ten", "Write a number of EUR"),
        ("XXX", "1", "Choose a currency from the list."),
        ("", "1", "Choose a currency."),
    ] {
        let fields = [("currency", currency), ("above", above)];
        let answer = eva.post("/office/approvals/rules", &fields).await;
        assert_eq!(answer.status, 400, "{currency} {above}");
        assert!(answer.text().contains(why), "{}", answer.text());
    }
    let page = eva.get(APPROVALS).await.text();
    assert!(page.contains("Above €20.00"), "{page}");
}
