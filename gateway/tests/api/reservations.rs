//! Reservations (contract 8.3.7 to 8.3.10): making, paying or guaranteeing them with a link after the terms were accepted, listing,
//! reading and cancelling them. Later charges are in `reservation_charges`.

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

/// Contract 8.3.0: what the link of each type does.
#[tokio::test]
async fn the_link_of_each_type_does_what_the_contract_says() {
    let parts = json!([{ "amount": "10000" }, { "date": "2026-12-01", "amount": "8000", "type": "MANUAL" }]);
    for (kind, more, expected) in [
        (
            "PREPAID_REFUNDABLE",
            json!({}),
            "AUTHORIZATION EXECUTED 30001",
        ),
        (
            "PREPAID_REFUNDABLE",
            json!({ "deposit": "5000" }),
            "AUTHORIZATION EXECUTED 5000",
        ),
        (
            "PREPAID_NOT_REFUNDABLE",
            json!({ "collectionType": "DELAYED" }),
            "AUTHORIZATION AUTHORIZED 30001",
        ),
        (
            "BUNDLE",
            json!({ "collectionType": "INSTALLMENT", "installments": parts }),
            "AUTHORIZATION EXECUTED 10000",
        ),
        (
            "GUARANTEED_NOSHOW",
            json!({}),
            "CARD_VERIFICATION EXECUTED 0",
        ),
        (
            "GUARANTEED_PENALTY",
            json!({ "deposit": "5000" }),
            "CARD_VERIFICATION EXECUTED 0",
        ),
    ] {
        let app = TestApp::new().await;
        let of_customer = with(reservation("R1", kind), json!({ "customerId": "cust-7" }));
        paid(&app, &with(of_customer, more.clone()), APPROVED).await;
        assert_eq!(operations(&app, "R1").await, [expected], "{kind} {more}");
        let read = read(&app, "R1").await;
        assert_eq!(read["paymentLinks"][0]["status"], "PAID", "{kind}");
        assert_eq!(
            read["operations"][0]["channelDetail"], "PAY_BY_LINK",
            "{kind}"
        );
        // The stored card has no id for merchants.
        assert!(!read.to_string().contains("contractId"), "{kind}");
        let kept = app.merchant().get("/contracts/customers/cust-7").await;
        assert_eq!(kept.refusal(), "404", "{kind}");
        assert_eq!(link(&app, "R1").await.refusal(), "400 GW9003", "{kind}");
    }
}

#[tokio::test]
async fn a_delayed_hold_is_released_after_28_days() {
    let app = TestApp::new().await;
    let delayed = with(
        reservation("R1", "BUNDLE"),
        json!({ "collectionType": "DELAYED" }),
    );
    paid(&app, &delayed, APPROVED).await;
    app.pass(28 * 86_400 - 60).await;
    assert_eq!(
        operations(&app, "R1").await,
        ["AUTHORIZATION AUTHORIZED 30001"]
    );
    app.pass(120).await;
    assert_eq!(
        operations(&app, "R1").await,
        ["AUTHORIZATION VOIDED 30001", "VOID VOIDED 30001"]
    );
}

#[tokio::test]
async fn a_refused_card_pays_nothing_and_may_be_followed_by_another() {
    let app = TestApp::new().await;
    paid(&app, &reservation("R1", "GUARANTEED_NOSHOW"), DECLINED).await;
    assert_eq!(
        operations(&app, "R1").await,
        ["CARD_VERIFICATION DECLINED 0"]
    );
    let address = link_address(&app, "R1").await;
    let session = session_of(&app, &address).await;
    let answer = pay(&app, &session, APPROVED).await;
    assert_eq!(
        short(&answer),
        "PAYMENT_COMPLETE CARD_VERIFICATION/EXECUTED"
    );
    let links = read(&app, "R1").await["paymentLinks"].clone();
    let states: Vec<&Value> = links
        .as_array()
        .unwrap()
        .iter()
        .map(|link| &link["status"])
        .collect();
    assert_eq!(states, ["CANCELED", "PAID"]);
}

#[tokio::test]
async fn a_links_last_day_is_the_calls_or_the_reservations() {
    let app = TestApp::new().await;
    with_structure(&app).await;
    let merchant = app.merchant();
    let day = async |id: &str, body: Value| {
        let path = format!("/reservations/{id}/paybylink");
        let answer = merchant.post(&path, &body).await;
        match answer.status {
            200 => answer.body["paymentLink"]["expirationDate"]
                .as_str()
                .unwrap()
                .to_owned(),
            _ => answer.refusal(),
        }
    };
    make(&app, &reservation("R1", "BUNDLE")).await.ok();
    let dated = with(
        reservation("R2", "BUNDLE"),
        json!({ "linkExpirationDate": "2026-11-24" }),
    );
    make(&app, &dated).await.ok();
    assert_eq!(day("R1", json!({})).await, "2026-12-20");
    assert_eq!(day("R2", json!({})).await, "2026-11-24");
    assert_eq!(
        day("R2", json!({ "linkExpirationDate": "2026-11-22" })).await,
        "2026-11-22"
    );
    assert_eq!(
        day("R2", json!({ "linkExpirationDate": "2026-11-19" })).await,
        "400 PS0042"
    );
    assert_eq!(
        day("R2", json!({ "linkExpirationDate": "2027-02-19" })).await,
        "400 PS0042"
    );
    assert_eq!(
        day("R2", json!({ "linkExpirationDate": "soon" })).await,
        "400 PS0008"
    );
    assert_eq!(
        day("R2", json!({ "captureType": "EXPLICIT" })).await,
        "400 PS0026"
    );
    assert_eq!(day("R9", json!({})).await, "404");
    // Each new link replaced the one before.
    let links = read(&app, "R2").await["paymentLinks"].clone();
    let active = links
        .as_array()
        .unwrap()
        .iter()
        .filter(|link| link["status"] == "ACTIVE");
    assert_eq!(active.count(), 1);
}

#[tokio::test]
async fn nothing_is_paid_before_the_terms_are_accepted_and_the_evidence_is_kept() {
    let app = TestApp::with_dist().await;
    let terms = with_structure(&app).await;
    let stay = condition("S1", "GUARANTEED_NOSHOW");
    let stay = app
        .merchant()
        .post("/structure_conditions", &stay)
        .await
        .ok();
    let stay = stay["structureConditionId"].as_str().unwrap();
    let sent = with(
        reservation("R1", "GUARANTEED_NOSHOW"),
        json!({ "termsAndConditionsIds": [terms] }),
    );
    make(&app, &sent).await.ok();
    let address = link_address(&app, "R1").await;
    let page = text_of(&app, &address).await;
    // In the page's language if available, else in English.
    for label in [
        "Accetto il regolamento",
        "I accept the conditions of the stay",
        "I accept the conditions of cancellation",
    ] {
        assert!(page.contains(label), "{label}");
    }
    assert!(!page.contains(r#"id="form""#));
    assert_eq!(open_session(&app, &address).await.status, 409);
    // All boxes are necessary.
    for ticked in ["", "accepted=0", "accepted=0&accepted=2&accepted=7&other=1"] {
        let answer = form(&app, &address, "accept", ticked).await;
        assert_eq!(answer.status, 303);
        assert!(
            answer.header("location").unwrap().ends_with("?missing=1"),
            "{ticked}"
        );
        assert_eq!(app.count("SELECT COUNT(*) FROM acceptance").await, 0);
    }
    assert_eq!(open_session(&app, &address).await.status, 409);
    let all = "accepted=0&accepted=1&accepted=2";
    let answer = form(&app, &address, "accept", all).await;
    assert!(address.ends_with(answer.header("location").unwrap()));
    // A repetition changes nothing.
    app.clock.advance(std::time::Duration::from_secs(60));
    form(&app, &address, "accept", all).await;
    let page = text_of(&app, &address).await;
    assert!(page.contains(r#"id="form""#) && !page.contains("Accetto il regolamento"));
    let session = session_of(&app, &address).await;
    let answer = pay(&app, &session, APPROVED).await;
    assert_eq!(
        short(&answer),
        "PAYMENT_COMPLETE CARD_VERIFICATION/EXECUTED"
    );
    let answer = read(&app, "R1").await;
    let link = &answer["paymentLinks"][0]["linkId"];
    let expected = |text_id: &str, part: &str, language: &str, label: &str| {
        json!({
            "linkId": link, "textId": text_id, "part": part, "language": language, "checkMarkLabel": label, "text": HTML,
            // The hash of `<p>The terms.</p>`.
            "textHash": "2d4ccd75a510d246dbfc8c3268499d05a3f622f5245b17559135192fc92a37c6",
            "acceptedTime": "2026-11-20T10:00:00.000Z",
        })
    };
    assert_eq!(
        answer["acceptances"],
        json!([
            expected(&terms, "TERMS", "ITA", "Accetto il regolamento"),
            expected(stay, "STAY", "eng", "I accept the conditions of the stay"),
            expected(
                stay,
                "CANCELLATION",
                "eng",
                "I accept the conditions of cancellation"
            ),
        ])
    );
    // Accepted terms can not be cancelled any more.
    let path = format!("/terms_and_conditions/{terms}/cancels");
    let refused = app.merchant().post(&path, &json!({})).await;
    assert_eq!(refused.refusal(), "400 GW9007");
}

#[tokio::test]
async fn a_text_of_terms_is_shown_where_nothing_of_it_can_run() {
    let app = TestApp::with_dist().await;
    let terms = with_structure(&app).await;
    let sent = with(
        reservation("R1", "BUNDLE"),
        json!({ "termsAndConditionsIds": [terms] }),
    );
    make(&app, &sent).await.ok();
    let address = link_address(&app, "R1").await;
    let text = app.page(&format!("{address}/terms/0"), &[]).await;
    assert_eq!(text.status, 200);
    assert!(text.text().contains("<p>The terms.</p>"));
    assert!(text.text().contains(r#"<html lang="it">"#));
    let policy = text.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; style-src https://gateway.example;"),
        "{policy}"
    );
    assert!(
        policy.contains("frame-ancestors https://gateway.example; sandbox allow-popups"),
        "{policy}"
    );
    for missing in ["terms/1", "terms/x"] {
        let answer = app.page(&format!("{address}/{missing}"), &[]).await;
        assert!(
            matches!(answer.status, 400 | 404),
            "{missing}: {}",
            answer.status
        );
    }
    let other = app.page("/link/unknown/terms/0", &[]).await;
    assert_eq!(other.status, 404);
    assert_eq!(
        form(
            &app,
            "https://gateway.example/link/unknown",
            "accept",
            "accepted=0"
        )
        .await
        .status,
        404
    );
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
