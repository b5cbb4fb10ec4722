//! Charges for a reservation after its first payment: increments, no-shows, delayed charges, parts, penalties
//! (contract 8.3.4 to 8.3.6, 8.3.11, 8.3.15 to 8.3.17).

use crate::catalogue::with_structure;
use crate::harness::{APPROVED, Answer, TestApp, build};
use crate::reservations::{cancel, make, operations, paid, read, reservation, with};
use serde_json::{Value, json};

/// Approved while the buyer is present; declined for lack of funds when the stored card is charged.
const EMPTIED: &str = "4761730000007164";

const DAY: u64 = 86_400;

/// The request of a charge that follows an operation.
fn following(original: &str, amount: &str) -> Value {
    json!({ "originalOperationId": original, "amount": amount, "currency": "EUR", "description": "Minibar" })
}

async fn charge(app: &TestApp, path: &str, original: &str, amount: &str) -> Answer {
    app.merchant()
        .post(path, &following(original, amount))
        .await
}

/// Type, result and amount of an answer's operation, or the refusal.
fn told(answer: &Answer) -> String {
    let operation = &answer.body["operation"];
    match operation.is_object() {
        true => ["operationType", "operationResult", "operationAmount"]
            .map(|name| operation[name].as_str().unwrap())
            .join(" "),
        false => answer.refusal(),
    }
}

/// Asks whether a charge is possible: the largest amount, or the refusal.
async fn ask(app: &TestApp, path: &str, id: &str, amount: &str) -> String {
    let body = json!({ "reservationId": id, "amount": amount, "currency": "EUR" });
    let answer = app.merchant().post(path, &body).await;
    if answer.status != 200 {
        return answer.refusal();
    }
    assert_eq!(answer.body["valid"], true);
    assert_eq!(answer.body["currency"], "EUR");
    answer.body["maxAmount"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_no_show_costs_one_night_once_from_the_check_in_on() {
    let app = TestApp::new().await;
    let original = paid(&app, &reservation("R1", "GUARANTEED_NOSHOW"), APPROVED).await;
    let both = async |amount: &str| {
        let asked = ask(&app, "/noshow_validation", "R1", amount).await;
        let answer = charge(&app, "/no_shows", &original, amount).await;
        (asked, told(&answer))
    };
    let refused = |text: &str| (text.to_owned(), text.to_owned());
    assert_eq!(both("10001").await, refused("400 GW9003"));
    // 20:00 in Rome.
    app.pass(5 * DAY + 9 * 3600 - 1).await;
    assert_eq!(both("10001").await, refused("400 GW9003"));
    app.pass(1).await;
    assert_eq!(both("10002").await, refused("400 PS0026"));
    let good = (String::from("10001"), String::from("NOSHOW EXECUTED 10001"));
    assert_eq!(both("10001").await, good);
    assert_eq!(both("1").await, refused("400 GW9003"));
    let answer = read(&app, "R1").await;
    assert_eq!(answer["reservationStatus"]["capturedAmount"], "10001");
    assert_eq!(answer["reservationStatus"]["lastOperationType"], "NOSHOW");
    assert_eq!(answer["operations"][1]["channelDetail"], "MIT");
    // It can be refunded.
    let no_show = answer["operations"][1]["operationId"].as_str().unwrap();
    let refund = json!({ "amount": "10001", "currency": "EUR" });
    let path = format!("/operations/{no_show}/refunds");
    app.merchant().post(&path, &refund).await.ok();
    assert_eq!(
        operations(&app, "R1").await,
        [
            "CARD_VERIFICATION EXECUTED 0",
            "NOSHOW VOIDED 10001",
            "REFUND VOIDED 10001"
        ]
    );
}

#[tokio::test]
async fn a_no_show_is_for_guaranteed_reservations() {
    let app = TestApp::new().await;
    let bundle = paid(&app, &reservation("R1", "BUNDLE"), APPROVED).await;
    let penalty = with(
        reservation("R2", "GUARANTEED_PENALTY"),
        json!({ "deposit": "5000" }),
    );
    let penalty = paid(&app, &penalty, APPROVED).await;
    app.pass(6 * DAY).await;
    assert_eq!(
        told(&charge(&app, "/no_shows", &bundle, "1").await),
        "400 GW9003"
    );
    assert_eq!(
        told(&charge(&app, "/no_shows", &penalty, "5001").await),
        "400 PS0026"
    );
    assert_eq!(
        told(&charge(&app, "/no_shows", &penalty, "5000").await),
        "NOSHOW EXECUTED 5000"
    );
    // There is no penalty besides it.
    assert_eq!(cancel(&app, "R2").await.ok(), json!({}));
    assert_eq!(operations(&app, "R2").await.len(), 2);
}

#[tokio::test]
async fn delayed_charges_come_to_the_amount_within_90_days() {
    let app = TestApp::new().await;
    let original = paid(&app, &reservation("R1", "PREPAID_NOT_REFUNDABLE"), APPROVED).await;
    let both = async |amount: &str| {
        let asked = ask(&app, "/delaycharge_validation", "R1", amount).await;
        let answer = charge(&app, "/delay_charges", &original, amount).await;
        (asked, told(&answer))
    };
    let refused = |text: &str| (text.to_owned(), text.to_owned());
    app.pass(7 * DAY).await;
    assert_eq!(both("1").await, refused("400 GW9003"));
    app.pass(13 * 3600).await;
    let good = (
        String::from("30001"),
        String::from("DELAY_CHARGE EXECUTED 20000"),
    );
    assert_eq!(both("20000").await, good);
    assert_eq!(both("10002").await, refused("400 PS0026"));
    let good = (
        String::from("10001"),
        String::from("DELAY_CHARGE EXECUTED 10001"),
    );
    assert_eq!(both("10001").await, good);
    assert_eq!(both("1").await, refused("400 PS0026"));
    let other = TestApp::new().await;
    let original = paid(&other, &reservation("R1", "BUNDLE"), APPROVED).await;
    other.pass(7 * DAY + 13 * 3600 + 91 * DAY + 1).await;
    assert_eq!(
        told(&charge(&other, "/delay_charges", &original, "1").await),
        "400 GW9003"
    );
}

#[tokio::test]
async fn more_is_held_up_to_as_much_again() {
    let app = TestApp::new().await;
    let delayed = with(
        reservation("R1", "BUNDLE"),
        json!({ "collectionType": "DELAYED" }),
    );
    let original = paid(&app, &delayed, APPROVED).await;
    let both = async |amount: &str| {
        let asked = ask(&app, "/incremental_validation", "R1", amount).await;
        let answer = charge(&app, "/incrementals", &original, amount).await;
        (asked, told(&answer))
    };
    let refused = |text: &str| (text.to_owned(), text.to_owned());
    assert_eq!(both("30002").await, refused("400 PS0026"));
    let good = (
        String::from("30001"),
        String::from("INCREMENTAL AUTHORIZED 30000"),
    );
    assert_eq!(both("30000").await, good);
    assert_eq!(both("2").await, refused("400 PS0026"));
    let good = (String::from("1"), String::from("INCREMENTAL AUTHORIZED 1"));
    assert_eq!(both("1").await, good);
    assert_eq!(both("1").await, refused("400 PS0026"));
    assert_eq!(
        read(&app, "R1").await["reservationStatus"]["authorizedAmount"],
        "60002"
    );
    let capture = json!({ "amount": "60002", "currency": "EUR" });
    let path = format!("/operations/{original}/captures");
    app.merchant().post(&path, &capture).await.ok();
    assert_eq!(both("1").await, refused("400 GW9003"));
    assert_eq!(
        read(&app, "R1").await["reservationStatus"]["capturedAmount"],
        "60002"
    );
}

#[tokio::test]
async fn a_pre_authorization_without_a_reservation_is_increased_too() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["paymentSession"]["actionType"] = json!("PREAUTH");
    let session = app.open(&request).await;
    app.enter(&session, APPROVED).await;
    let held = app.finalize(&session).await;
    let held = held["operation"]["operationId"].as_str().unwrap();
    let answer = charge(&app, "/incrementals", held, "1000").await;
    assert_eq!(told(&answer), "INCREMENTAL AUTHORIZED 1000");
    let increment = answer.body["operation"]["operationId"].as_str().unwrap();
    let on_itself = charge(&app, "/incrementals", increment, "1").await;
    assert_eq!(told(&on_itself), "400 GW9003");
    // Only the whole amount can be released.
    let actions = app
        .merchant()
        .get(&format!("/operations/{held}/actions"))
        .await
        .ok();
    let release = actions["actions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["actionType"] == "VOID");
    assert_eq!(release.unwrap()["maxAmount"], "4545");
    // A sale cannot be increased, and without a reservation there is no no-show.
    let session = app.open(&build("A2")).await;
    app.enter(&session, APPROVED).await;
    let sale = app.finalize(&session).await;
    let sale = sale["operation"]["operationId"].as_str().unwrap();
    for path in ["/incrementals", "/no_shows", "/delay_charges"] {
        assert_eq!(
            told(&charge(&app, path, sale, "1").await),
            "400 GW9003",
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_refused_increment_holds_nothing_and_may_be_tried_again() {
    let app = TestApp::new().await;
    let delayed = with(
        reservation("R1", "BUNDLE"),
        json!({ "collectionType": "DELAYED" }),
    );
    let original = paid(&app, &delayed, EMPTIED).await;
    for _ in 0..2 {
        let answer = charge(&app, "/incrementals", &original, "30001").await;
        assert_eq!(told(&answer), "INCREMENTAL DECLINED 30001");
    }
    assert_eq!(
        read(&app, "R1").await["reservationStatus"]["authorizedAmount"],
        "30001"
    );
}

#[tokio::test]
async fn a_refused_charge_is_told_and_does_not_count() {
    let app = TestApp::new().await;
    let original = paid(&app, &reservation("R1", "GUARANTEED_NOSHOW"), EMPTIED).await;
    app.pass(6 * DAY).await;
    for _ in 0..2 {
        let answer = charge(&app, "/no_shows", &original, "10001").await;
        assert_eq!(told(&answer), "NOSHOW DECLINED 10001");
    }
    assert_eq!(
        read(&app, "R1").await["reservationStatus"]["capturedAmount"],
        "0"
    );
}

#[tokio::test]
async fn the_rest_of_the_amount_is_charged_in_parts() {
    let app = TestApp::new().await;
    with_structure(&app).await;
    let part = async |path: &str, amount: &str| {
        let answer = app
            .merchant()
            .post(path, &json!({ "amount": amount }))
            .await;
        told(&answer)
    };
    let sent = with(
        reservation("R1", "PREPAID_REFUNDABLE"),
        json!({ "deposit": "5000" }),
    );
    make(&app, &sent).await.ok();
    // Nothing was paid, so no card was stored.
    assert_eq!(part("/reservation/R1/mit", "30001").await, "400 PS0043");
    assert_eq!(part("/reservation/R9/mit", "1").await, "404");
    let sent = with(
        reservation("R2", "PREPAID_REFUNDABLE"),
        json!({ "deposit": "5000" }),
    );
    paid(&app, &sent, APPROVED).await;
    assert_eq!(part("/reservation/R2/mit", "25002").await, "400 PS0026");
    assert_eq!(part("/reservation/R2/mit", "0").await, "400 PS0026");
    assert_eq!(
        part("/reservation/R2/mit", "20000").await,
        "AUTHORIZATION EXECUTED 20000"
    );
    assert_eq!(
        part("/reservations/R2/mit", "5001").await,
        "AUTHORIZATION EXECUTED 5001"
    );
    assert_eq!(part("/reservation/R2/mit", "1").await, "400 PS0026");
    let answer = read(&app, "R2").await;
    assert_eq!(answer["reservationStatus"]["capturedAmount"], "30001");
    // A guarantee has no open amount.
    paid(&app, &reservation("R3", "GUARANTEED_NOSHOW"), APPROVED).await;
    assert_eq!(part("/reservation/R3/mit", "1").await, "400 GW9003");
}

#[tokio::test]
async fn the_gateway_charges_automatic_parts_on_their_day() {
    let app = TestApp::new().await;
    let parts = json!([
        { "amount": "10000" },
        { "date": "2026-12-01", "amount": "8000", "type": "AUTOMATIC" },
        { "date": "2026-12-02", "amount": "7000", "type": "MANUAL" },
        { "date": "2026-12-03", "amount": "5001" },
    ]);
    let sent = with(
        reservation("R1", "PREPAID_REFUNDABLE"),
        json!({ "collectionType": "INSTALLMENT", "installments": parts }),
    );
    paid(&app, &sent, APPROVED).await;
    // A part that the gateway charges itself is not due here.
    let body = json!({ "amount": "7001" });
    let above = app.merchant().post("/reservation/R1/mit", &body).await;
    assert_eq!(above.refusal(), "400 PS0026");
    app.pass(10 * DAY).await;
    assert_eq!(operations(&app, "R1").await.len(), 1);
    // In Rome the day begins 13 hours later.
    app.pass(13 * 3600).await;
    app.pass(1).await;
    app.pass(3 * DAY).await;
    let expected =
        ["10000", "8000", "5001"].map(|amount| format!("AUTHORIZATION EXECUTED {amount}"));
    assert_eq!(operations(&app, "R1").await, expected);
    let answer = read(&app, "R1").await;
    assert_eq!(answer["operations"][1]["channelDetail"], "AUTOMATIC");
    let body = json!({ "amount": "7000" });
    let manual = app.merchant().post("/reservation/R1/mit", &body).await;
    assert_eq!(told(&manual), "AUTHORIZATION EXECUTED 7000");
}

#[tokio::test]
async fn a_part_that_the_issuer_refused_is_the_merchants_to_charge() {
    let app = TestApp::new().await;
    let parts = json!([{ "amount": "10000" }, { "date": "2026-11-22", "amount": "20001", "type": "AUTOMATIC" }]);
    let sent = with(
        reservation("R1", "BUNDLE"),
        json!({ "collectionType": "INSTALLMENT", "installments": parts }),
    );
    paid(&app, &sent, EMPTIED).await;
    app.pass(3 * DAY).await;
    app.pass(3 * DAY).await;
    assert_eq!(
        operations(&app, "R1").await,
        [
            "AUTHORIZATION EXECUTED 10000",
            "AUTHORIZATION DECLINED 20001"
        ]
    );
    let body = json!({ "amount": "20001" });
    let again = app.merchant().post("/reservation/R1/mit", &body).await;
    assert_eq!(told(&again), "AUTHORIZATION DECLINED 20001");
}

#[tokio::test]
async fn who_cancels_late_is_charged_the_penalty_once() {
    let app = TestApp::new().await;
    let terms = json!({ "dataType": "DAY_FROM_CHECKIN", "cancellationCondition": [{ "dataTypeValue": "2", "value": "4000" }] });
    let sent = |id: &str| {
        with(
            reservation(id, "GUARANTEED_PENALTY"),
            json!({ "deposit": "5000", "CancelationDetails": terms }),
        )
    };
    for id in ["R1", "R2"] {
        paid(&app, &sent(id), APPROVED).await;
    }
    // In time.
    app.pass(2 * DAY).await;
    assert_eq!(cancel(&app, "R1").await.ok(), json!({}));
    app.pass(DAY).await;
    let answer = cancel(&app, "R2").await;
    assert_eq!(told(&answer), "NOSHOW EXECUTED 4000");
    assert_eq!(answer.body["operation"]["channelDetail"], "AUTOMATIC");
    for id in ["R1", "R2"] {
        assert_eq!(cancel(&app, id).await.ok(), json!({}));
    }
    assert_eq!(
        operations(&app, "R1").await,
        ["CARD_VERIFICATION EXECUTED 0"]
    );
    assert_eq!(operations(&app, "R2").await.len(), 2);
    // A cancelled reservation has no further charges.
    app.pass(10 * DAY).await;
    let original = read(&app, "R2").await["operations"][0]["operationId"].clone();
    for path in ["/no_shows", "/delay_charges"] {
        let answer = charge(&app, path, original.as_str().unwrap(), "1").await;
        assert_eq!(told(&answer), "400 GW9003", "{path}");
    }
    let body = json!({ "amount": "1" });
    let part = app.merchant().post("/reservation/R2/mit", &body).await;
    assert_eq!(told(&part), "400 GW9003");
}

#[tokio::test]
async fn a_penalty_that_was_refused_is_tried_again_by_another_call() {
    let app = TestApp::new().await;
    paid(&app, &reservation("R1", "GUARANTEED_PENALTY"), EMPTIED).await;
    for _ in 0..2 {
        assert_eq!(told(&cancel(&app, "R1").await), "NOSHOW DECLINED 30001");
    }
}

#[tokio::test]
async fn a_repeated_call_charges_once_and_a_key_is_for_one_call() {
    let app = TestApp::new().await;
    let delayed = with(
        reservation("R1", "BUNDLE"),
        json!({ "collectionType": "DELAYED", "deposit": "5000" }),
    );
    let held = paid(&app, &delayed, APPROVED).await;
    app.pass(9 * DAY).await;
    for (path, body) in [
        ("/incrementals", following(&held, "100")),
        ("/delay_charges", following(&held, "100")),
        ("/reservation/R1/mit", json!({ "amount": "100" })),
    ] {
        let key = [("idempotency-key", path)];
        let first = app.merchant().post_with(path, &body, &key).await;
        let again = app.merchant().post_with(path, &body, &key).await;
        assert_eq!(again.header("idempotency-replayed"), Some("true"), "{path}");
        assert_eq!(first.ok(), again.ok(), "{path}");
        let mut other = body.clone();
        other["amount"] = json!("101");
        let refused = app.merchant().post_with(path, &other, &key).await;
        assert_eq!(refused.refusal(), "400 PS0025", "{path}");
    }
    assert_eq!(
        operations(&app, "R1").await,
        [
            "AUTHORIZATION AUTHORIZED 5000",
            "INCREMENTAL AUTHORIZED 100",
            "DELAY_CHARGE EXECUTED 100",
            "AUTHORIZATION EXECUTED 100",
        ]
    );
}

#[tokio::test]
async fn many_charges_at_once_find_no_more_than_was_agreed() {
    let app = TestApp::new().await;
    let original = paid(&app, &reservation("R1", "GUARANTEED_NOSHOW"), APPROVED).await;
    app.pass(9 * DAY).await;
    for (path, amount, expected) in [("/no_shows", "10001", 1), ("/delay_charges", "10000", 3)] {
        let requests: Vec<(Value, String)> = (0..8)
            .map(|number| (following(&original, amount), format!("{path} {number}")))
            .collect();
        let answers = app.all_at_once("sandbox-implicit", path, &requests).await;
        let good = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(good, expected, "{path}");
    }
    assert_eq!(
        read(&app, "R1").await["reservationStatus"]["capturedAmount"],
        "40001"
    );
}

#[tokio::test]
async fn what_is_not_there_or_in_another_currency_is_not_charged() {
    let app = TestApp::new().await;
    let original = paid(&app, &reservation("R1", "GUARANTEED_NOSHOW"), APPROVED).await;
    app.pass(9 * DAY).await;
    let other = app.key("sandbox-other-merchant");
    for path in ["/incrementals", "/delay_charges", "/no_shows"] {
        assert_eq!(told(&charge(&app, path, "1", "1").await), "404", "{path}");
        let foreign = other.post(path, &following(&original, "1")).await;
        assert_eq!(foreign.refusal(), "404", "{path}");
        let mut dollars = following(&original, "1");
        dollars["currency"] = json!("USD");
        let refused = app.merchant().post(path, &dollars).await;
        assert_eq!(refused.refusal(), "400 PS0009", "{path}");
    }
    for path in [
        "/incremental_validation",
        "/delaycharge_validation",
        "/noshow_validation",
    ] {
        assert_eq!(ask(&app, path, "R9", "1").await, "404", "{path}");
        let body = json!({ "reservationId": "R1", "amount": "1", "currency": "EUR" });
        assert_eq!(other.post(path, &body).await.refusal(), "404", "{path}");
        let body = json!({ "reservationId": "R1", "amount": "1", "currency": "USD" });
        let refused = app.merchant().post(path, &body).await;
        assert_eq!(refused.refusal(), "400 PS0009", "{path}");
    }
    assert_eq!(operations(&app, "R1").await.len(), 1);
}
