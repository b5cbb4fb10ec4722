//! The OpenAPI document's example for each body is accepted, its limits are the real ones, and notifications match
//! its webhooks.

use crate::conformity::{DOCUMENT, problems};
use crate::harness::{APPROVED, Answer, TestApp, build, build_two};
use crate::reservations::{paid, reservation, with};
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const DAY: u64 = 86_400;

/// The operations that have a body, without their other names: id, path, and the description of the body.
fn bodies() -> Vec<(&'static str, &'static str, &'static Value)> {
    let mut found = Vec::new();
    for (path, verbs) in DOCUMENT["paths"].as_object().unwrap() {
        for operation in [&verbs["post"], &verbs["put"], &verbs["patch"]] {
            let body = &operation["requestBody"]["content"]["application/json"];
            let id = operation["operationId"].as_str().unwrap_or_default();
            if body.is_object() && !id.contains('_') {
                found.push((id, path.as_str(), body));
            }
        }
    }
    found
}

fn path_of(id: &str) -> &'static str {
    let found = bodies().into_iter().find(|(known, _, _)| *known == id);
    found.unwrap_or_else(|| panic!("{id} takes no body")).1
}

/// The example of an operation, with ids that come from earlier answers.
fn example(id: &str, ids: Value) -> Value {
    let found = bodies().into_iter().find(|(known, _, _)| *known == id);
    let mut example = found.unwrap().2["example"].clone();
    for (name, value) in ids.as_object().unwrap() {
        assert!(example[name].is_string(), "{id} has an example of {name}");
        example[name] = value.clone();
    }
    example
}

#[test]
fn every_example_is_of_its_schema() {
    let bodies = bodies();
    assert!(bodies.len() > 30, "{} bodies", bodies.len());
    for (id, _, body) in bodies {
        let problems = problems(&body["schema"], &body["example"]);
        assert!(
            problems.is_empty(),
            "{id}: {problems:?} in request_examples.rs"
        );
    }
}

/// What was sent, and whether it was accepted.
#[derive(Default)]
struct Sent(BTreeSet<&'static str>);

impl Sent {
    async fn send(&mut self, app: &TestApp, id: &'static str, ids: Value) -> Value {
        self.send_to(app, id, path_of(id), ids).await
    }

    async fn send_to(&mut self, app: &TestApp, id: &'static str, path: &str, ids: Value) -> Value {
        let answer = app.merchant().post(path, &example(id, ids)).await;
        self.note(id, answer)
    }

    async fn send_by_frame(
        &mut self,
        app: &TestApp,
        session: &str,
        id: &'static str,
        path: &str,
    ) -> Value {
        let answer = app.frame(session).post(path, &example(id, json!({}))).await;
        self.note(id, answer)
    }

    fn note(&mut self, id: &'static str, answer: Answer) -> Value {
        assert_eq!(answer.status, 200, "{id}: {}", answer.text());
        self.0.insert(id);
        answer.body
    }
}

#[tokio::test]
async fn every_example_is_accepted() {
    let mut sent = Sent::default();
    send_payments(&mut sent).await;
    send_three_steps(&mut sent).await;
    send_session_calls(&mut sent).await;
    send_actions(&mut sent).await;
    send_structures(&mut sent).await;
    send_charges(&mut sent).await;
    let all: BTreeSet<&str> = bodies().into_iter().map(|(id, _, _)| id).collect();
    let unsent: Vec<&&str> = all.difference(&sent.0).collect();
    assert!(
        unsent.is_empty(),
        "not sent: {unsent:?}; send them in tests/api/documented_examples.rs"
    );
}

/// Each pays or opens the same order, so each has its own gateway.
async fn send_payments(sent: &mut Sent) {
    for id in [
        "openPayment",
        "openHostedPage",
        "createPaymentLink",
        "createPaymentLinkV1",
        "payWithWallet",
        "payWithGooglePay",
        "takeMailOrder",
        "verifyCard",
    ] {
        sent.send(&TestApp::new().await, id, json!({})).await;
    }
}

async fn send_three_steps(sent: &mut Sent) {
    let app = TestApp::new().await;
    let begun = sent.send(&app, "beginThreeStepPayment", json!({})).await;
    let operation = json!({ "operationId": begun["operation"]["operationId"] });
    sent.send(&app, "validateThreeStepPayment", operation.clone())
        .await;
    // After a validation the payment carries its proof; without one the example is complete.
    let app = TestApp::new().await;
    let begun = sent.send(&app, "beginThreeStepPayment", json!({})).await;
    let operation = json!({ "operationId": begun["operation"]["operationId"] });
    let paid = sent.send(&app, "makeThreeStepPayment", operation).await;
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED");

    let mut contract = build("K1");
    contract["paymentSession"]["recurrence"] = json!({
        "action": "CONTRACT_CREATION", "contractId": "contract-7", "contractType": "MIT_UNSCHEDULED",
    });
    let session = app.open(&contract).await;
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    let charged = sent.send(&app, "chargeContract", json!({})).await;
    assert_eq!(charged["operation"]["operationResult"], "EXECUTED");
}

async fn send_session_calls(sent: &mut Sent) {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    sent.send_by_frame(
        &app,
        &session,
        "checkField",
        "/fe/build/text/CARDHOLDER_NAME",
    )
    .await;
    sent.send_by_frame(&app, &session, "lookUpBin", path_of("lookUpBin"))
        .await;
    let answer = sent
        .send_by_frame(&app, &session, "submitCard", path_of("submitCard"))
        .await;
    for field in answer["fieldStatus"].as_array().unwrap() {
        assert_eq!(field["event"], "BUILD_SUCCESS", "{answer}");
    }
    let session = app.open(&build("A2")).await;
    app.enter(&session, APPROVED).await;
    let paid = sent
        .send(&app, "finalizePayment", json!({ "sessionId": session }))
        .await;
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED");
    let session = app.open(&build_two("A3")).await;
    app.enter(&session, APPROVED).await;
    sent.send(&app, "confirmPayment", json!({ "sessionId": session }))
        .await;
    let session = app.open(&build("A5")).await;
    app.enter(&session, APPROVED).await;
    let body = example("changeSession", json!({ "sessionId": session }));
    let headers = [("content-type", "application/json")];
    let merchant = app.merchant();
    let body = Body::from(body.to_string());
    let request = merchant.request(Method::PATCH, path_of("changeSession"), &headers, body);
    sent.note("changeSession", app.send(request).await);
    sent.send_by_frame(&app, &session, "agreeToSum", path_of("agreeToSum"))
        .await;
    let session = app.open(&build("A4")).await;
    sent.send(&app, "cancelSession", json!({ "sessionId": session }))
        .await;
}

async fn send_actions(sent: &mut Sent) {
    let app = TestApp::new().await;
    let pay = async |order_id: &str| {
        let mut request = build(order_id);
        request["paymentSession"]["actionType"] = json!("PREAUTH");
        let session = app.open(&request).await;
        app.enter(&session, APPROVED).await;
        let paid = app.finalize(&session).await;
        paid["operation"]["operationId"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let act = |id: &str, operation: &str| path_of(id).replace("{operationId}", operation);
    let held = pay("A1").await;
    let captured = sent
        .send_to(&app, "capture", &act("capture", &held), json!({}))
        .await;
    let capture = captured["operationId"].as_str().unwrap().to_owned();
    sent.send_to(&app, "refund", &act("refund", &capture), json!({}))
        .await;
    let path = path_of("tellFulfilment").replace("{orderId}", "A1");
    let body = example("tellFulfilment", json!({}));
    let answer = app.merchant().put(&path, &body).await;
    sent.note("tellFulfilment", answer);
    let held = pay("A2").await;
    let captured = sent
        .send_to(&app, "capture", &act("capture", &held), json!({}))
        .await;
    let capture = captured["operationId"].as_str().unwrap().to_owned();
    sent.send_to(&app, "cancel", &act("cancel", &capture), json!({}))
        .await;
    send_disputes(sent, &app, &pay("A3").await).await;
    sent.send(&app, "advanceTestClock", json!({})).await;
}

/// A dispute of held money, once it is captured.
async fn send_disputes(sent: &mut Sent, app: &TestApp, held: &str) {
    let path = path_of("capture").replace("{operationId}", held);
    let body = example("capture", json!({}));
    let captured = app.merchant().post(&path, &body).await.ok();
    let operation = json!({ "operationId": captured["operationId"] });
    let opened = sent.send(app, "openTestDispute", operation).await;
    let dispute = opened["disputeId"].as_str().unwrap();
    for id in ["addDisputeFile", "submitEvidence", "decideTestDispute"] {
        let path = path_of(id).replace("{disputeId}", dispute);
        sent.send_to(app, id, &path, json!({})).await;
    }
}

async fn send_structures(sent: &mut Sent) {
    let app = TestApp::new().await;
    for id in [
        "putStructure",
        "createTerms",
        "createStructureCondition",
        "createCustomField",
        "createReservation",
    ] {
        sent.send(&app, id, json!({})).await;
    }
    let path = path_of("linkReservation").replace("{reservationId}", "STAY-1");
    sent.send_to(&app, "linkReservation", &path, json!({}))
        .await;
}

async fn send_charges(sent: &mut Sent) {
    let app = TestApp::new().await;
    let no_show = reservation("STAY-1", "GUARANTEED_NOSHOW");
    let original = json!({ "originalOperationId": paid(&app, &no_show, APPROVED).await });
    app.pass(5 * DAY + 9 * 3600).await;
    sent.send(&app, "validateNoShow", json!({})).await;
    sent.send(&app, "chargeNoShow", original.clone()).await;
    app.pass(5 * DAY).await;
    sent.send(&app, "validateDelayedCharge", json!({})).await;
    sent.send(&app, "chargeDelayed", original).await;

    let app = TestApp::new().await;
    let delayed = with(
        reservation("STAY-1", "PREPAID_REFUNDABLE"),
        json!({ "collectionType": "DELAYED" }),
    );
    let original = json!({ "originalOperationId": paid(&app, &delayed, APPROVED).await });
    sent.send(&app, "validateIncrement", json!({})).await;
    sent.send(&app, "increment", original).await;

    let app = TestApp::new().await;
    let deposit = with(
        reservation("STAY-1", "BUNDLE"),
        json!({ "deposit": "20001" }),
    );
    paid(&app, &deposit, APPROVED).await;
    let path = path_of("chargePart").replace("{reservationId}", "STAY-1");
    sent.send_to(&app, "chargePart", &path, json!({})).await;
}

#[tokio::test]
async fn notifications_are_those_of_the_webhooks() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    let paid = app.finalize(&session).await;
    let operation = paid["operation"]["operationId"].as_str().unwrap();
    let path = format!("/operations/{operation}/refunds");
    let refund = json!({ "amount": "1000", "currency": "EUR" });
    app.merchant().post(&path, &refund).await.ok();
    let told = app.told().await;
    let types: Vec<&str> = told
        .iter()
        .map(|event| event["eventType"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["PAYMENT", "OPERATION"]);
    let webhooks = DOCUMENT["webhooks"].as_object().unwrap();
    let schemas: Vec<&Value> = webhooks
        .values()
        .map(
            |verbs| &verbs["post"]["requestBody"]["content"]["application/json"]["schema"]["allOf"],
        )
        .collect();
    for event in &told {
        let fitting = schemas.iter().filter(|parts| {
            let parts = parts.as_array().unwrap();
            parts.iter().all(|part| problems(part, event).is_empty())
        });
        assert_eq!(fitting.count(), 1, "{event}");
    }
}

/// Every member that a schema describes, with its path, except those of elements of arrays.
fn members(path: &str, schema: &Value, found: &mut Vec<(String, Value)>) {
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let path = match path {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        members(&path, member, found);
        found.push((path, member.clone()));
    }
}

/// Puts a value at a path, with the objects around it.
fn put(body: &mut Value, path: &str, value: Value) {
    let mut place = body;
    for name in path.split('.') {
        // Without an action the member is not read.
        if name == "recurrence" && place[name].is_null() {
            place[name] = json!({ "action": "CONTRACT_CREATION" });
        }
        place = &mut place[name];
    }
    *place = value;
}

/// The struct of a body declares the name and the length of a member. The rule that checks the member has to agree.
#[tokio::test]
async fn members_are_judged_by_the_names_and_limits_of_the_document() {
    let mut judged = 0;
    for (id, path, body) in bodies() {
        // The object of these calls is looked up before their members are checked.
        if path.contains('{') || path.starts_with("/build") || path.starts_with("/fe") {
            continue;
        }
        let app = TestApp::new().await;
        let mut found = Vec::new();
        members("", &body["schema"], &mut found);
        for (member, schema) in found {
            // No value is refused here: the address is left out.
            if member.ends_with(".country") || schema.get("properties").is_some() {
                continue;
            }
            let told = async |value: Value| {
                let mut sent = body["example"].clone();
                put(&mut sent, &member, value);
                let answer = app.merchant().post(path, &sent).await;
                let sentence = format!("{member} must ");
                let errors = answer.body["errors"].as_array().cloned();
                errors.into_iter().flatten().any(|error| {
                    let told = error["description"].as_str().unwrap();
                    told.starts_with(&sentence)
                })
            };
            assert!(
                told(json!({ "no": "such" })).await,
                "{id}: {member} is not judged"
            );
            judged += 1;
            let is_free = schema["maxLength"].is_u64() && schema.get("pattern").is_none();
            if let Some(most) = schema["maxLength"].as_u64().filter(|_| is_free) {
                let text = |length: u64| json!("a".repeat(length.try_into().unwrap()));
                assert!(!told(text(most)).await, "{id}: {member}, {most} characters");
                assert!(told(text(most + 1)).await, "{id}: {member}, above {most}");
                let least = schema["minLength"].as_u64().unwrap_or(0);
                assert_eq!(told(text(0)).await, least > 0, "{id}: {member}, empty");
            }
            // Keeps the calls below the rate limit.
            app.pass(1).await;
        }
    }
    assert!(judged > 500, "{judged} members");
}
