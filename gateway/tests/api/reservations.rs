//! Reservations (contract 8.3.7 to 8.3.10): making, paying or guaranteeing them with a link after the terms were accepted, listing,
//! reading and cancelling them. Later charges are in `reservation_charges`.

mod links;
mod terms;

use crate::catalogue::{HTML, condition, with_structure};
use crate::harness::{APPROVED, Answer, DECLINED, TestApp, build, short};
use crate::hosted::{form, open_session, pay, session_of, text_of};
use serde_json::{Value, json};

/// A stay of three nights, from the 25th on.
pub(crate) fn reservation(id: &str, kind: &str) -> Value {
    json!({
        "reservationId": id, "amount": "30001", "currency": "EUR", "reservationType": kind, "structureId": "S1",
        "checkInDate": "2026-11-25", "checkOutDate": "2026-11-28", "checkInToTime": "20:00",
    })
}

/// The same, with more members.
pub(crate) fn with(mut reservation: Value, more: Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        reservation[name] = value.clone();
    }
    reservation
}

pub(crate) async fn make(app: &TestApp, reservation: &Value) -> Answer {
    let body = json!({ "reservation": reservation });
    app.merchant().post("/reservations", &body).await
}

/// Makes the link of a reservation.
pub(crate) async fn link(app: &TestApp, id: &str) -> Answer {
    let path = format!("/reservations/{id}/paybylink");
    app.merchant().post(&path, &json!({})).await
}

pub(crate) async fn link_address(app: &TestApp, id: &str) -> String {
    let made = link(app, id).await.ok();
    made["paymentLink"]["link"].as_str().unwrap().to_owned()
}

/// A structure, a reservation of a type, and its first payment with a card; returns the operation's id.
pub(crate) async fn paid(app: &TestApp, reservation: &Value, card: &str) -> String {
    with_structure(app).await;
    let made = make(app, reservation).await.ok();
    let id = made["reservationId"].as_str().unwrap();
    let address = link_address(app, id).await;
    let session = session_of(app, &address).await;
    let answer = pay(app, &session, card).await;
    let operation = answer["operation"]["operationId"].as_str();
    operation.unwrap_or_else(|| panic!("{answer}")).to_owned()
}

pub(crate) async fn read(app: &TestApp, id: &str) -> Value {
    app.merchant()
        .get(&format!("/reservations/{id}"))
        .await
        .ok()
}

pub(crate) async fn cancel(app: &TestApp, id: &str) -> Answer {
    let path = format!("/reservations/{id}/cancels");
    app.merchant().post(&path, &json!({})).await
}

/// Type and result of each operation of a reservation.
pub(crate) async fn operations(app: &TestApp, id: &str) -> Vec<String> {
    let read = read(app, id).await;
    let operations = read["operations"].as_array().unwrap();
    let text = |operation: &Value, name: &str| operation[name].as_str().unwrap().to_owned();
    operations
        .iter()
        .map(|operation| {
            format!(
                "{} {} {}",
                text(operation, "operationType"),
                text(operation, "operationResult"),
                text(operation, "operationAmount")
            )
        })
        .collect()
}

#[tokio::test]
async fn a_reservation_is_read_as_it_was_made() {
    let app = TestApp::new().await;
    let terms = with_structure(&app).await;
    let sent = with(
        reservation("R1", "PREPAID_REFUNDABLE"),
        json!({
            "deposit": "5000", "description": "Room with a view", "termsAndConditionsIds": [terms], "customerNumber": "2",
            "reservationPeriod": "3", "customerName": "Anna", "customerSurname": "Rossi", "customField": "A-7",
            "customerId": "cust-7", "collectionType": "INSTANT", "linkExpirationDate": "2026-11-24",
            "CancelationDetails": { "dataType": "DAY_FROM_CHECKIN", "cancellationCondition": [{ "dataTypeValue": "2", "value": "5000" }] },
        }),
    );
    assert_eq!(
        make(&app, &sent).await.ok(),
        json!({ "reservationId": "R1" })
    );
    let answer = read(&app, "R1").await;
    let expected = with(
        sent,
        json!({ "status": "ACTIVE", "creationDate": "2026-11-20" }),
    );
    assert_eq!(
        answer,
        json!({
            "reservationStatus": { "reservation": expected, "authorizedAmount": "0", "capturedAmount": "0" },
            "operations": [], "paymentLinks": [], "acceptances": [],
        })
    );
    // Its order exists too, and only the reservation's links and charges can pay it.
    assert_eq!(
        app.order("R1").await["orderStatus"]["order"]["description"],
        "Room with a view"
    );
    let mut other = build("R1");
    other["order"]["amount"] = json!("30001");
    let refused = app.merchant().post("/orders/build", &other).await;
    assert_eq!(refused.refusal(), "400 GW9006");
}

#[tokio::test]
async fn a_reservation_may_be_the_body_itself_and_have_no_id() {
    let app = TestApp::new().await;
    with_structure(&app).await;
    let mut bare = reservation("", "BUNDLE");
    bare.as_object_mut().unwrap().remove("reservationId");
    let made = app.merchant().post("/reservations", &bare).await.ok();
    let id = made["reservationId"].as_str().unwrap();
    assert!((1..=27).contains(&id.len()), "{id}");
    assert_eq!(
        read(&app, id).await["reservationStatus"]["reservation"]["reservationId"],
        id
    );
}

#[tokio::test]
async fn what_does_not_fit_together_is_refused_by_name() {
    let app = TestApp::new().await;
    with_structure(&app).await;
    let check = async |more: Value, expected: &str, why: &str| {
        let answer = make(&app, &with(reservation("R1", "BUNDLE"), more.clone())).await;
        assert_eq!(answer.refusal(), expected, "{more}");
        assert!(answer.why().starts_with(why), "{more}: {}", answer.why());
    };
    let part =
        |date: &str, amount: &str| json!({ "date": date, "amount": amount, "type": "MANUAL" });
    for (more, expected, why) in [
        (
            json!({ "amount": "0" }),
            "400 PS0026",
            "reservation.amount must be above 0",
        ),
        (
            json!({ "amount": "1.5" }),
            "400 PS0036",
            "reservation.amount",
        ),
        (
            json!({ "currency": "XXX" }),
            "400 PS0009",
            "reservation.currency",
        ),
        (
            json!({ "deposit": "30002" }),
            "400 PS0026",
            "reservation.deposit must not be above",
        ),
        (
            json!({ "reservationType": null }),
            "400 PS0026",
            "reservation.reservationType is missing",
        ),
        (
            json!({ "reservationType": "OTHER" }),
            "400 PS0026",
            "reservation.reservationType must be one of",
        ),
        (json!({ "structureId": "S9" }), "400 PS0026", "structureId"),
        (
            json!({ "termsAndConditionsIds": ["none"] }),
            "400 PS0026",
            "termsAndConditionsIds",
        ),
        (
            json!({ "checkInDate": null }),
            "400 PS0026",
            "reservation.checkInDate is missing",
        ),
        (
            json!({ "checkInDate": "25.11.2026" }),
            "400 PS0008",
            "reservation.checkInDate",
        ),
        (
            json!({ "checkOutDate": "2026-11-24" }),
            "400 PS0013",
            "reservation.checkOutDate",
        ),
        (
            json!({ "checkInFromTime": "25:00" }),
            "400 PS0011",
            "reservation.checkInFromTime",
        ),
        (
            json!({ "reservationPeriod": "0" }),
            "400 PS0026",
            "reservation.reservationPeriod",
        ),
        (
            json!({ "collectionType": "INSTALLMENT" }),
            "400 PS0026",
            "reservation.installments is missing",
        ),
        (
            json!({ "installments": [part("", "1"), part("2026-12-01", "1")] }),
            "400 PS0026",
            "reservation.installments is for",
        ),
        (
            json!({ "collectionType": "INSTALLMENT", "installments": [part("", "30000"), part("2026-12-01", "2")] }),
            "400 PS0005",
            "reservation.installments exceed reservation.amount",
        ),
        (
            json!({ "collectionType": "INSTALLMENT", "installments": [part("", "1"), part("2026-11-19", "2")] }),
            "400 PS0006",
            "reservation.installments[1].date",
        ),
        (
            json!({ "collectionType": "DELAYED", "reservationType": "GUARANTEED_NOSHOW" }),
            "400 PS0026",
            "reservation.collectionType must be INSTANT",
        ),
        (
            json!({ "CancelationDetails": { "dataType": "DATE", "cancellationCondition": [{ "dataTypeValue": "7", "value": "1" }] } }),
            "400 PS0008",
            "reservation.CancelationDetails.cancellationCondition[0].dataTypeValue",
        ),
    ] {
        check(more, expected, why).await;
    }
    // None of these was stored.
    make(&app, &reservation("R1", "BUNDLE")).await.ok();
    check(json!({}), "400 GW9006", "reservationId").await;
    let other = app.key("sandbox-other-merchant");
    let foreign = other
        .post("/reservations", &reservation("R1", "BUNDLE"))
        .await;
    assert_eq!(foreign.refusal(), "400 PS0026");
}

#[tokio::test]
async fn reservations_are_listed_by_what_they_are() {
    let app = TestApp::new().await;
    with_structure(&app).await;
    let named = |id: &str, name: &str, kind: &str, from: &str| {
        with(
            reservation(id, kind),
            json!({ "customerName": name, "customerSurname": "Rossi", "customField": id, "checkInDate": from }),
        )
    };
    for sent in [
        named("R1", "Anna", "BUNDLE", "2026-11-27"),
        named("R2", "Annalisa", "GUARANTEED_NOSHOW", "2026-11-25"),
        named("R3", "Émile", "BUNDLE", "2026-11-26"),
    ] {
        make(&app, &sent).await.ok();
        app.clock.advance(std::time::Duration::from_secs(60));
    }
    let ids = async |query: &str| {
        let answer = app.merchant().get(&format!("/reservations?{query}")).await;
        if answer.status != 200 {
            return answer.refusal();
        }
        let rows = answer.body["reservation"].as_array().unwrap();
        let ids = rows
            .iter()
            .map(|row| row["reservationId"].as_str().unwrap());
        ids.collect::<Vec<_>>().join(" ")
    };
    for (query, expected) in [
        ("", "R3 R2 R1"),
        ("maxRecords=1", "R3"),
        ("reservationId=R2", "R2"),
        ("reservationType=BUNDLE", "R3 R1"),
        ("customField=R1", "R1"),
        ("customerNameReservation=aNN", "R2 R1"),
        ("customerNameReservation=%C3%A9mi", "R3"),
        ("customerNameReservation=nna", ""),
        ("customerSurnameReservation=ross", "R3 R2 R1"),
        ("structureName=hotel%20m", "R3 R2 R1"),
        ("structureName=Motel", ""),
        ("toTime=2026-11-20T10:00:30Z", "R1"),
        ("fromTime=2026-11-20T10:02:00Z", "R3"),
        (
            "dateType=CHECK_IN&fromTime=2026-11-20T00:00:00Z&toTime=2026-11-26T12:00:00Z",
            "R3 R2",
        ),
        (
            "dateType=CHECK_OUT&fromTime=2026-11-20T00:00:00Z&toTime=2026-12-20T00:00:00Z",
            "R3 R2 R1",
        ),
        ("dateType=OTHER", "400 PS0026"),
        ("reservationId=%20", "400 PS0026"),
        ("reservationType=OTHER", "400 PS0026"),
        ("maxRecords=0", "400 PS0026"),
        ("fromTime=soon", "400 PS0010"),
        (
            "fromTime=2026-11-20T10:00:00Z&toTime=2026-11-19T10:00:00Z",
            "400 PS0012",
        ),
    ] {
        assert_eq!(ids(query).await, expected, "{query}");
    }
    let other = app
        .key("sandbox-other-merchant")
        .get("/reservations")
        .await
        .ok();
    assert_eq!(other, json!({ "reservation": [] }));
}

#[tokio::test]
async fn a_cancelled_reservation_allows_nothing_more() {
    let app = TestApp::new().await;
    let terms = with_structure(&app).await;
    let sent = with(
        reservation("R1", "GUARANTEED_NOSHOW"),
        json!({ "termsAndConditionsIds": [terms] }),
    );
    make(&app, &sent).await.ok();
    let address = link_address(&app, "R1").await;
    assert_eq!(cancel(&app, "R1").await.ok(), json!({}));
    assert_eq!(cancel(&app, "R1").await.ok(), json!({}));
    let answer = read(&app, "R1").await;
    assert_eq!(
        answer["reservationStatus"]["reservation"]["status"],
        "CANCELED"
    );
    assert_eq!(answer["paymentLinks"][0]["status"], "CANCELED");
    assert_eq!(
        form(&app, &address, "accept", "accepted=0").await.status,
        303
    );
    assert_eq!(open_session(&app, &address).await.status, 409);
    assert_eq!(app.count("SELECT COUNT(*) FROM acceptance").await, 0);
    assert_eq!(link(&app, "R1").await.refusal(), "400 GW9003");
    let link_id = answer["paymentLinks"][0]["linkId"].as_str().unwrap();
    let renewal = format!("/orders/paybylink/{link_id}/renewals");
    assert_eq!(
        app.merchant().post(&renewal, &json!({})).await.refusal(),
        "400 GW9003"
    );
    assert_eq!(cancel(&app, "R9").await.refusal(), "404");
}

#[tokio::test]
async fn who_listens_for_reservations_is_told_of_their_payments() {
    let app = TestApp::new().await;
    let told = async || -> i64 { app.count("SELECT COUNT(*) FROM notification").await };
    paid(&app, &reservation("R1", "BUNDLE"), APPROVED).await;
    assert_eq!(told().await, 0);
    let notify = async |terminal: &str, url: &str| {
        payframe_gateway::operator::command(app.config(), &app.clock, &["notify", terminal, url])
            .await
    };
    let operation = &read(&app, "R1").await["operations"][0];
    let terminal = operation["terminalId"].as_str().unwrap();
    notify(terminal, "https://shop.example/hook").await.unwrap();
    paid(&app, &reservation("R2", "BUNDLE"), APPROVED).await;
    assert_eq!(told().await, 1);
    notify(terminal, "none").await.unwrap();
    paid(&app, &reservation("R3", "BUNDLE"), APPROVED).await;
    assert_eq!(told().await, 1);
    let unknown = notify("none", "https://shop.example/hook")
        .await
        .unwrap_err();
    assert_eq!(unknown.to_string(), "there is no terminal none");
    assert!(notify(terminal, "ftp://shop.example").await.is_err());
}
