//! Disputes: opened by the operator or a test, read, answered with texts and files, accepted, decided; and what they do to the money.

use crate::actions::{done, paid};
use crate::harness::{Answer, TestApp};
use crate::keys::command;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;

const IMPLICIT: &str = "sandbox-implicit";
const OTHER: &str = "sandbox-other-merchant";
const PDF: &[u8] = b"%PDF-1.7\nthe secret of the parcel\n%%EOF\n";

/// A gateway with a payment of 100.00 EUR; also gives its operation.
async fn with_payment() -> (TestApp, String) {
    let app = TestApp::new().await;
    let operation = paid(&app, IMPLICIT, "A1", "EUR").await;
    (app, operation)
}

async fn open(app: &TestApp, body: Value) -> Answer {
    app.merchant().post("/test/disputes", &body).await
}

/// Opens a chargeback of the whole payment; gives its id.
async fn opened(app: &TestApp, operation: &str) -> String {
    let dispute = open(app, json!({ "operationId": operation })).await.ok();
    dispute["disputeId"].as_str().unwrap().to_owned()
}

async fn call(app: &TestApp, id: &str, what: &str, body: &Value) -> Answer {
    let path = format!("/disputes/{id}/{what}");
    app.merchant().post(&path, body).await
}

async fn add_file(app: &TestApp, id: &str, name: &str, content: &[u8]) -> Answer {
    let body = json!({ "name": name, "content": STANDARD.encode(content) });
    call(app, id, "files", &body).await
}

async fn decide(app: &TestApp, id: &str, result: &str) -> Answer {
    let path = format!("/test/disputes/{id}/result");
    let body = json!({ "result": result });
    app.merchant().post(&path, &body).await
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.merchant().get(&format!("/disputes/{id}")).await.ok()
}

async fn refund(app: &TestApp, operation: &str, amount: u64) -> Answer {
    let body = json!({ "amount": amount.to_string(), "currency": "EUR" });
    let path = format!("/operations/{operation}/refunds");
    app.merchant().post(&path, &body).await
}

/// The states that events about disputes told, oldest first.
async fn told(app: &TestApp, key: &str) -> Vec<String> {
    let feed = app.key(key).get("/events?limit=500").await.ok();
    let events = feed["events"].as_array().unwrap();
    let of_disputes = events
        .iter()
        .filter(|event| event["eventType"] == "DISPUTE");
    of_disputes
        .map(|event| event["dispute"]["state"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_dispute_is_answered_and_won_and_every_step_is_told() {
    let (app, operation) = with_payment().await;
    let notify = ["notify", "91000001", "https://shop.example/hook"];
    command(&app, &notify).await.unwrap();
    let asked = json!({ "operationId": operation, "category": "NOT_RECEIVED", "reasonCode": "13.1", "amount": "6000" });
    let dispute = open(&app, asked).await.ok();
    let id = dispute["disputeId"].as_str().unwrap();
    let opened = dispute["openedTime"].as_str().unwrap();
    let expected = json!({
        "disputeId": id, "orderId": "A1", "operationId": operation, "terminalId": "91000001",
        "kind": "CHARGEBACK", "category": "NOT_RECEIVED", "reasonCode": "13.1", "amount": "6000", "currency": "EUR",
        "state": "NEEDS_RESPONSE", "openedTime": opened, "deadline": opened.replace("-20T", "-30T"), "changedTime": opened,
    });
    assert_eq!(dispute, expected);
    let file = add_file(&app, id, "delivery note.pdf", PDF).await.ok();
    assert_eq!(file["mediaType"], "application/pdf");
    assert_eq!(file["size"], PDF.len());
    let texts =
        json!({ "explanation": "It arrived.", "delivery": "parcel PX-77-secret", "goods": "" });
    let answered = call(&app, id, "evidence", &texts).await.ok();
    assert_eq!(answered["state"], "UNDER_REVIEW");
    assert_eq!(answered["evidence"]["delivery"], "parcel PX-77-secret");
    assert_eq!(answered["evidence"].get("goods"), None);
    assert_eq!(read(&app, id).await, answered);
    // Nothing of it is readable in the database.
    assert!(!app.keeps("PX-77-secret").await);
    assert!(!app.keeps("the secret of the parcel").await);
    let file_id = file["fileId"].as_str().unwrap();
    let path = format!("/disputes/files/{file_id}");
    let content = app.merchant().get(&path).await.ok();
    assert_eq!(content["file"], file);
    assert_eq!(content["content"], STANDARD.encode(PDF));
    assert_eq!(decide(&app, id, "WON").await.ok()["state"], "WON");
    let steps = ["NEEDS_RESPONSE", "UNDER_REVIEW", "WON"];
    assert_eq!(told(&app, IMPLICIT).await, steps);
    assert_eq!(told(&app, OTHER).await, [""; 0]);
    let posted = app.told().await;
    let posted: Vec<_> = posted
        .iter()
        .filter(|told| told["eventType"] == "DISPUTE")
        .collect();
    assert_eq!(posted.len(), 3);
    // An event has no evidence.
    assert_eq!(posted[1]["dispute"].get("evidence"), None);
    assert_eq!(posted[1]["dispute"].get("files"), None);
}

#[tokio::test]
async fn disputed_money_cannot_be_refunded_and_the_rest_can() {
    let (app, operation) = with_payment().await;
    let asked = json!({ "operationId": operation, "amount": "6000" });
    let dispute = open(&app, asked).await.ok();
    let id = dispute["disputeId"].as_str().unwrap();
    assert_eq!(refund(&app, &operation, 4001).await.refusal(), "400 GW9014");
    assert_eq!(
        refund(&app, &operation, 10_001).await.refusal(),
        "400 PS0029"
    );
    done(&app, &operation, "refunds", 4000).await;
    let order = app.merchant().get("/orders/A1").await.ok();
    assert_eq!(order["disputedAmount"], "6000");
    assert_eq!(order.get("chargedBackAmount"), None);
    assert_eq!(order["disputes"][0]["disputeId"], id);
    decide(&app, id, "LOST").await.ok();
    let lost = app.merchant().get("/orders/A1").await.ok();
    assert_eq!(lost["chargedBackAmount"], "6000");
    assert_eq!(lost.get("disputedAmount"), None);
    assert_ne!(lost["orderVersion"], order["orderVersion"]);
    assert_eq!(refund(&app, &operation, 1).await.refusal(), "400 GW9014");
    // The bank changed its mind: the merchant has the money again.
    decide(&app, id, "WON").await.ok();
    done(&app, &operation, "refunds", 6000).await;
    // And now nothing is left for a later stage.
    assert_eq!(
        decide(&app, id, "ARBITRATION").await.refusal(),
        "400 PS0029"
    );
}

#[tokio::test]
async fn no_more_is_disputed_than_is_captured_and_not_refunded() {
    let (app, operation) = with_payment().await;
    let refund = done(&app, &operation, "refunds", 3000).await;
    for (body, expected) in [
        (
            json!({ "operationId": operation, "amount": "7001" }),
            "400 PS0029",
        ),
        (
            json!({ "operationId": operation, "amount": "0" }),
            "400 PS0029",
        ),
        (json!({}), "400 PS0026"),
        (json!({ "operationId": "347074400000000001" }), "404"),
        (
            json!({ "operationId": operation, "kind": "COMPLAINT" }),
            "400 PS0026",
        ),
        (
            json!({ "operationId": operation, "reasonCode": "a b" }),
            "400 PS0026",
        ),
    ] {
        assert_eq!(open(&app, body.clone()).await.refusal(), expected, "{body}");
    }
    let first = open(&app, json!({ "operationId": operation, "amount": "5000" }));
    first.await.ok();
    let rest = open(&app, json!({ "operationId": operation })).await.ok();
    assert_eq!(rest["amount"], "2000");
    let none = open(&app, json!({ "operationId": operation })).await;
    assert_eq!(none.refusal(), "400 PS0029");
    // A refund took no money that could be disputed.
    let of_refund = open(&app, json!({ "operationId": refund })).await;
    assert_eq!(of_refund.refusal(), "400 GW9003");
}

#[tokio::test]
async fn an_inquiry_holds_no_money_and_becomes_a_chargeback() {
    let (app, operation) = with_payment().await;
    let asked = json!({ "operationId": operation, "kind": "INQUIRY" });
    let dispute = open(&app, asked).await.ok();
    let id = dispute["disputeId"].as_str().unwrap();
    assert_eq!(dispute["amount"], "10000");
    let accepted = call(&app, id, "acceptance", &Value::Null).await;
    assert_eq!(accepted.refusal(), "400 GW9003");
    let later = decide(&app, id, "CHARGEBACK").await.ok();
    assert_eq!(
        [&later["kind"], &later["state"]],
        ["CHARGEBACK", "NEEDS_RESPONSE"]
    );
    assert_eq!(refund(&app, &operation, 1).await.refusal(), "400 GW9014");
    let accepted = call(&app, id, "acceptance", &Value::Null).await.ok();
    assert_eq!(accepted["state"], "ACCEPTED");
    let again = call(&app, id, "acceptance", &Value::Null).await;
    assert_eq!(again.refusal(), "400 GW9003");

    let asked = paid(&app, IMPLICIT, "A2", "EUR").await;
    open(&app, json!({ "operationId": asked, "kind": "INQUIRY" }))
        .await
        .ok();
    done(&app, &asked, "refunds", 10_000).await;
}

#[tokio::test]
async fn a_deadline_passes_with_the_clock_and_is_told() {
    let (app, operation) = with_payment().await;
    let asked = json!({ "operationId": operation, "secondsToRespond": 3600 });
    let dispute = open(&app, asked).await.ok();
    let id = dispute["disputeId"].as_str().unwrap();
    app.pass(3599).await;
    assert_eq!(read(&app, id).await["state"], "NEEDS_RESPONSE");
    app.pass(1).await;
    assert_eq!(read(&app, id).await["state"], "EXPIRED");
    assert_eq!(told(&app, IMPLICIT).await, ["NEEDS_RESPONSE", "EXPIRED"]);
    let late = call(&app, id, "evidence", &json!({ "goods": "tickets" })).await;
    assert_eq!(late.refusal(), "400 GW9003");
    assert_eq!(
        add_file(&app, id, "a.pdf", PDF).await.refusal(),
        "400 GW9003"
    );
    assert_eq!(refund(&app, &operation, 1).await.refusal(), "400 GW9014");
    // The clock of a test stops at the deadline too.
    let operation = paid(&app, IMPLICIT, "A2", "EUR").await;
    let id = opened(&app, &operation).await;
    let clock = app.merchant().get("/test/clock").await.ok();
    let ahead = clock["secondsAhead"].as_u64().unwrap() + 864_000;
    let advance = json!({ "secondsAhead": ahead });
    app.merchant()
        .post("/test/clock/advance", &advance)
        .await
        .ok();
    let expired = read(&app, &id).await;
    assert_eq!(expired["state"], "EXPIRED");
    assert_eq!(expired["changedTime"], expired["deadline"]);
}

#[tokio::test]
async fn files_are_what_their_content_says_and_have_limits() {
    let (app, operation) = with_payment().await;
    let id = opened(&app, &operation).await;
    for (name, content, member) in [
        ("a.pdf", &b"<html>"[..], "content"),
        ("a.png", b"MZ\x90\x00", "content"),
        ("a/b.pdf", PDF, "name"),
        ("4761730000000003.pdf", PDF, "name"),
        ("", PDF, "name"),
        ("a.pdf", b"", "content"),
    ] {
        let answer = add_file(&app, &id, name, content).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{name}");
        let why = answer.why();
        assert!(why.starts_with(&format!("{member} ")), "{name}: {why}");
    }
    let no_base64 = json!({ "name": "a.pdf", "content": "%PDF-1.7" });
    let refused = call(&app, &id, "files", &no_base64).await;
    assert_eq!(refused.refusal(), "400 PS0026");
    let picture = add_file(&app, &id, "a.pdf", b"\x89PNG\r\n\x1a\n..").await;
    let picture = picture.ok();
    assert_eq!(picture["mediaType"], "image/png");
    let mut large = PDF.to_vec();
    large.resize(4_500_000, b' ');
    for _ in 0..2 {
        add_file(&app, &id, "large.pdf", &large).await.ok();
    }
    let third = add_file(&app, &id, "large.pdf", &large).await;
    assert_eq!(third.refusal(), "400 PS0026");
    assert!(third.why().contains("together"), "{}", third.why());
    // A file that was not submitted can be removed; then there is room.
    let file_id = picture["fileId"].as_str().unwrap();
    let removal = format!("/disputes/files/{file_id}/removal");
    app.merchant().post(&removal, &Value::Null).await.ok();
    let gone = app.merchant().post(&removal, &Value::Null).await;
    assert_eq!(gone.refusal(), "404");
    let third = add_file(&app, &id, "large.pdf", &large).await.ok();
    call(&app, &id, "evidence", &json!({})).await.ok();
    decide(&app, &id, "PRE_ARBITRATION").await.ok();
    let file_id = third["fileId"].as_str().unwrap();
    let removal = format!("/disputes/files/{file_id}/removal");
    let kept = app.merchant().post(&removal, &Value::Null).await;
    assert_eq!(kept.refusal(), "400 GW9003");
}

#[tokio::test]
async fn evidence_is_something_and_no_card_data() {
    let (app, operation) = with_payment().await;
    let id = opened(&app, &operation).await;
    for (body, expected) in [
        (json!({}), "400 PS0026"),
        (json!({ "goods": " " }), "400 PS0026"),
        (
            json!({ "explanation": "card 4761 7300 0000 0003" }),
            "400 PS0026",
        ),
        (json!({ "delivery": "x".repeat(4001) }), "400 PS0026"),
        (json!({ "goods": "<script>" }), "400 PS0041"),
        (json!([]), "400 PS0026"),
    ] {
        let answer = call(&app, &id, "evidence", &body).await;
        assert_eq!(answer.refusal(), expected, "{body}");
    }
    assert_eq!(read(&app, &id).await["state"], "NEEDS_RESPONSE");
    let whole = json!({ "delivery": "x".repeat(4000) });
    call(&app, &id, "evidence", &whole).await.ok();
}

#[tokio::test]
async fn nobody_else_finds_a_dispute() {
    let (app, operation) = with_payment().await;
    let id = opened(&app, &operation).await;
    let file = add_file(&app, &id, "a.pdf", PDF).await.ok();
    let file_id = file["fileId"].as_str().unwrap();
    let other = app.key(OTHER);
    let file = format!("/disputes/files/{file_id}");
    for path in [format!("/disputes/{id}"), file.clone()] {
        assert_eq!(other.get(&path).await.refusal(), "404", "{path}");
        app.merchant().get(&path).await.ok();
    }
    let content = json!({ "name": "a.pdf", "content": STANDARD.encode(PDF) });
    for (path, body) in [
        (format!("/disputes/{id}/files"), content),
        (format!("/disputes/{id}/evidence"), json!({ "goods": "g" })),
        (format!("/disputes/{id}/acceptance"), Value::Null),
        (format!("{file}/removal"), Value::Null),
        (
            format!("/test/disputes/{id}/result"),
            json!({ "result": "WON" }),
        ),
        (
            String::from("/test/disputes"),
            json!({ "operationId": operation }),
        ),
    ] {
        assert_eq!(other.post(&path, &body).await.refusal(), "404", "{path}");
    }
    let none = other.get("/disputes").await.ok();
    assert_eq!(none, json!({ "disputes": [], "hasMore": false }));
    let after = other.get(&format!("/disputes?after={id}")).await;
    assert_eq!(after.refusal(), "400 PS0026");
}

#[tokio::test]
async fn the_list_is_read_page_by_page_and_by_state() {
    let (app, operation) = with_payment().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        let asked = json!({ "operationId": operation, "amount": "10" });
        let dispute = open(&app, asked).await.ok();
        ids.push(dispute["disputeId"].as_str().unwrap().to_owned());
        app.pass(1).await;
    }
    call(&app, &ids[0], "acceptance", &Value::Null).await.ok();
    let mut seen = Vec::new();
    let mut after = String::new();
    loop {
        let path = format!("/disputes?limit=2{after}");
        let page = app.merchant().get(&path).await.ok();
        let rows = page["disputes"].as_array().unwrap();
        let found = rows.iter().map(|row| row["disputeId"].as_str().unwrap());
        seen.extend(found.map(str::to_owned));
        if page["hasMore"] == false {
            break;
        }
        after = format!("&after={}", seen.last().unwrap());
    }
    ids.reverse();
    assert_eq!(seen, ids);
    for (query, expected) in [
        ("state=ACCEPTED", 1),
        ("state=NEEDS_RESPONSE", 4),
        ("state=WON", 0),
        ("orderId=A1", 5),
        ("orderId=A2", 0),
    ] {
        let page = app.merchant().get(&format!("/disputes?{query}")).await.ok();
        let rows = page["disputes"].as_array().unwrap().len();
        assert_eq!(rows, expected, "{query}");
    }
    for query in ["state=OPEN", "limit=0", "after=7"] {
        let refused = app.merchant().get(&format!("/disputes?{query}")).await;
        assert_eq!(refused.refusal(), "400 PS0026", "{query}");
    }
}

#[tokio::test]
async fn the_same_call_with_the_same_key_acts_once() {
    let (app, operation) = with_payment().await;
    let id = opened(&app, &operation).await;
    let key = [("idempotency-key", "dispute-1")];
    let path = format!("/disputes/{id}/evidence");
    let body = json!({ "goods": "two tickets" });
    let first = app.merchant().post_with(&path, &body, &key).await.ok();
    let second = app.merchant().post_with(&path, &body, &key).await.ok();
    assert_eq!(first, second);
    let other = json!({ "goods": "three tickets" });
    let refused = app.merchant().post_with(&path, &other, &key).await;
    assert_eq!(refused.refusal(), "400 PS0025");
    assert_eq!(
        told(&app, IMPLICIT).await,
        ["NEEDS_RESPONSE", "UNDER_REVIEW"]
    );
}

#[tokio::test]
async fn the_operator_records_what_the_acquirer_tells() {
    let (app, operation) = with_payment().await;
    let words = [
        "dispute",
        "open",
        operation.as_str(),
        "--category",
        "fraud",
        "--reason",
        "10.4",
        "--deadline",
        "2026-12-05T00:00:00Z",
        "--amount",
        "2500",
        "--reference",
        "case-7",
    ];
    let said = command(&app, &words).await.unwrap();
    let id = said.split(' ').next().unwrap().to_owned();
    let dispute = read(&app, &id).await;
    assert_eq!(dispute["category"], "FRAUD");
    assert_eq!(dispute["reference"], "case-7");
    assert_eq!(dispute["deadline"], "2026-12-05T00:00:00.000Z");
    let twice = command(&app, &words).await.unwrap_err().to_string();
    assert!(twice.contains("reference"), "{twice}");
    add_file(&app, &id, "a.pdf", PDF).await.ok();
    let texts = json!({ "explanation": "It was she." });
    call(&app, &id, "evidence", &texts).await.ok();
    let listed = command(&app, &["dispute", "list", "--state", "under_review"]);
    assert!(listed.await.unwrap().starts_with(&id));
    let folder = app.data().join("evidence");
    let folder = folder.to_str().unwrap();
    command(&app, &["dispute", "evidence", &id, folder])
        .await
        .unwrap();
    let mode = std::fs::metadata(folder).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "evidence names buyers");
    let json = std::fs::read_to_string(format!("{folder}/dispute.json")).unwrap();
    assert!(json.contains("It was she."), "{json}");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    let pdf = files.map(|file| file.path());
    let pdf = pdf.filter(|path| path.extension().is_some_and(|ending| ending == "pdf"));
    let pdf: Vec<_> = pdf.collect();
    assert_eq!(std::fs::read(&pdf[0]).unwrap(), PDF);
    let advance = [
        "dispute",
        "advance",
        &id,
        "pre_arbitration",
        "--deadline",
        "2026-12-20T00:00:00Z",
    ];
    command(&app, &advance).await.unwrap();
    command(&app, &["dispute", "result", &id, "lost"])
        .await
        .unwrap();
    assert_eq!(read(&app, &id).await["state"], "LOST");
    let states = ["NEEDS_RESPONSE", "UNDER_REVIEW", "NEEDS_RESPONSE", "LOST"];
    assert_eq!(told(&app, IMPLICIT).await, states);
    let acts = app.texts("SELECT act FROM audit_entry ORDER BY seq").await;
    let expected = [
        "OPEN_DISPUTE",
        "ADD_EVIDENCE_FILE",
        "SUBMIT_EVIDENCE",
        "EXPORT_EVIDENCE",
        "DECIDE_DISPUTE",
        "DECIDE_DISPUTE",
    ];
    assert_eq!(acts, expected);
    for (words, why) in [
        (vec!["dispute", "result", "none", "won"], "no such dispute"),
        (vec!["dispute", "result", &id, "lost"], "LOST"),
        (vec!["dispute", "result", &id, "maybe"], "maybe"),
    ] {
        let refused = command(&app, &words).await.unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
}
