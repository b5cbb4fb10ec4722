//! Actions on an operation after the payment: captures, refunds, cancels (contract 8.2.0, 8.2.5 to 8.2.8).

use crate::harness::{ABSENT, APPROVED, Answer, DECLINED, TestApp, build};
use crate::strange::Random;
use axum::body::Body;
use axum::http::Method;
use payframe_storage::{Store, query};
use serde_json::{Value, json};
use std::time::Duration;

const IMPLICIT: &str = "sandbox-implicit";
const EXPLICIT: &str = "sandbox-explicit";

/// Pays an order of 10000 minor units of a currency; returns the operation's id.
pub(crate) async fn paid(app: &TestApp, api_key: &str, order_id: &str, currency: &str) -> String {
    paid_by(app, api_key, order_id, currency, "PAY", APPROVED).await
}

pub(crate) async fn paid_by(
    app: &TestApp,
    api_key: &str,
    order_id: &str,
    currency: &str,
    action: &str,
    number: &str,
) -> String {
    let mut request = build(order_id);
    request["order"]["amount"] = json!("10000");
    request["order"]["currency"] = json!(currency);
    request["paymentSession"]["amount"] = json!("10000");
    request["paymentSession"]["actionType"] = json!(action);
    let session = app.open_by(api_key, &request).await;
    app.enter(&session, number).await;
    let body = json!({ "sessionId": session });
    let caller = app.key(api_key);
    let closed = caller.post("/build/finalize_payment", &body).await.ok();
    closed["operation"]["operationId"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Calls one of the three actions with an amount in euro cents.
async fn act(app: &TestApp, operation: &str, action: &str, amount: u64) -> Answer {
    let body = json!({ "amount": amount.to_string(), "currency": "EUR" });
    let path = format!("/operations/{operation}/{action}");
    app.merchant().post(&path, &body).await
}

/// The id of the operation that an action made.
async fn done(app: &TestApp, operation: &str, action: &str, amount: u64) -> String {
    let answer = act(app, operation, action, amount).await.ok();
    answer["operationId"].as_str().unwrap().to_owned()
}

async fn operation(app: &TestApp, id: &str) -> Value {
    app.merchant().get(&format!("/operations/{id}")).await.ok()
}

/// Type and result, such as `REFUND/EXECUTED`.
async fn stands(app: &TestApp, id: &str) -> String {
    let operation = operation(app, id).await;
    let text = |name: &str| operation[name].as_str().unwrap().to_owned();
    format!("{}/{}", text("operationType"), text("operationResult"))
}

/// Allowed actions, such as `REFUND 1..10000`.
async fn allowed(app: &TestApp, id: &str) -> String {
    let answer = app
        .merchant()
        .get(&format!("/operations/{id}/actions"))
        .await
        .ok();
    let line = |action: &Value| {
        let text = |name: &str| action[name].as_str().unwrap().to_owned();
        let call = match text("actionType").as_str() {
            "CAPTURE" => "captures",
            "CANCEL" => "cancels",
            _ => "refunds",
        };
        assert_eq!(text("path"), format!("/operations/{id}/{call}"));
        format!(
            "{} {}..{}",
            text("actionType"),
            text("minAmount"),
            text("maxAmount")
        )
    };
    let actions = answer["actions"].as_array().unwrap();
    actions.iter().map(line).collect::<Vec<_>>().join(", ")
}

/// Authorized, captured, refunded.
async fn totals(app: &TestApp, order_id: &str) -> String {
    let order = app.order(order_id).await;
    let text = |name: &str| order["orderStatus"][name].as_str().unwrap().to_owned();
    let names = ["authorizedAmount", "capturedAmount", "refundedAmount"];
    names.map(text).join(" ")
}

#[tokio::test]
async fn a_sale_is_refunded_in_parts() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    assert_eq!(allowed(&app, &sale).await, "REFUND 1..10000");
    app.clock.advance(Duration::from_secs(5));
    let first = act(&app, &sale, "refunds", 3000).await.ok();
    assert_eq!(first.as_object().unwrap().len(), 2);
    assert_eq!(first["operationTime"], "2026-11-20T10:00:05.000Z");
    let first = first["operationId"].as_str().unwrap().to_owned();
    assert_eq!(stands(&app, &first).await, "REFUND/EXECUTED");
    assert_eq!(stands(&app, &sale).await, "AUTHORIZATION/EXECUTED");
    assert_eq!(totals(&app, "A1").await, "10000 10000 3000");
    assert_eq!(allowed(&app, &sale).await, "REFUND 1..7000");
    assert_eq!(allowed(&app, &first).await, "");
    assert_eq!(
        act(&app, &sale, "refunds", 7001).await.refusal(),
        "400 PS0029"
    );
    let second = done(&app, &sale, "refunds", 7000).await;
    assert_eq!(stands(&app, &second).await, "REFUND/EXECUTED");
    assert_eq!(stands(&app, &sale).await, "AUTHORIZATION/REFUNDED");
    assert_eq!(act(&app, &sale, "refunds", 1).await.refusal(), "400 PS0027");
    assert_eq!(totals(&app, "A1").await, "10000 10000 10000");
    let order = app.order("A1").await;
    let ids: Vec<_> = order["operations"].as_array().unwrap().iter().collect();
    assert_eq!(ids.len(), 3);
    assert_eq!(order["orderStatus"]["lastOperationType"], "REFUND");
    let list = app
        .merchant()
        .get("/operations?operationType=REFUND&channel=BACKOFFICE")
        .await
        .ok();
    assert_eq!(list["operations"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_refund_reads_like_its_sale_and_is_told_to_the_merchant() {
    let app = TestApp::new().await;
    let sale = operation(&app, &paid(&app, IMPLICIT, "A1", "EUR").await).await;
    let id = sale["operationId"].as_str().unwrap();
    let refund = done(&app, id, "refunds", 1).await;
    let refund = operation(&app, &refund).await;
    for name in [
        "orderId",
        "paymentMethod",
        "paymentCircuit",
        "paymentInstrumentInfo",
        "operationCurrency",
        "customerInfo",
        "terminalId",
    ] {
        assert_eq!(refund[name], sale[name], "{name}");
    }
    for name in [
        "maskedPan",
        "cardExpiryDate",
        "cardId",
        "authorizationCode",
        "schemaTID",
    ] {
        assert!(refund["additionalData"][name].is_string(), "{name}");
        assert_eq!(
            refund["additionalData"][name], sale["additionalData"][name],
            "{name}"
        );
    }
    assert_eq!(refund["additionalData"]["authorizationStatus"], "000");
    assert_ne!(
        refund["additionalData"]["rrn"],
        sale["additionalData"]["rrn"]
    );
    assert_eq!(
        (&refund["channel"], &refund["channelDetail"]),
        (&json!("BACKOFFICE"), &json!("SERVER_TO_SERVER"))
    );
    assert_eq!(refund["cancelledOperationId"], Value::Null);
    let told = app.told().await;
    assert_eq!(told.len(), 2);
    assert_eq!(
        (&told[0]["eventType"], &told[1]["eventType"]),
        (&json!("PAYMENT"), &json!("OPERATION"))
    );
    assert_eq!(told[1]["operation"], refund);
    assert_eq!(told[1]["eventTime"], refund["operationTime"]);
    assert_eq!(told[1]["securityToken"], told[0]["securityToken"]);
}

#[tokio::test]
async fn the_whole_of_a_sale_is_undone_on_its_day_and_refunded_later() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let refund = done(&app, &sale, "refunds", 10000).await;
    assert_eq!(stands(&app, &refund).await, "REFUND/VOIDED");
    assert_eq!(stands(&app, &sale).await, "AUTHORIZATION/VOIDED");
    assert_eq!(act(&app, &sale, "refunds", 1).await.refusal(), "400 PS0028");
    assert_eq!(
        act(&app, &sale, "captures", 1).await.refusal(),
        "400 PS0022"
    );
    let sale = paid(&app, IMPLICIT, "A2", "EUR").await;
    // Midnight at the terminal is at 23:00 UTC.
    app.pass(13 * 3600).await;
    let refund = done(&app, &sale, "refunds", 10000).await;
    assert_eq!(stands(&app, &refund).await, "REFUND/EXECUTED");
    assert_eq!(stands(&app, &sale).await, "AUTHORIZATION/REFUNDED");
    assert_eq!(
        act(&app, &sale, "captures", 1).await.refusal(),
        "400 PS0024"
    );
    assert_eq!(totals(&app, "A1").await, "10000 10000 10000");
    // A refunded order stays paid: its id is used.
    let again = app.merchant().post("/orders/build", &build("A2")).await;
    assert_eq!(again.refusal(), "400 GW9006");
}

#[tokio::test]
async fn an_authorization_is_captured_in_parts_and_its_rest_released() {
    let app = TestApp::new().await;
    let held = paid(&app, EXPLICIT, "A1", "EUR").await;
    assert_eq!(
        allowed(&app, &held).await,
        "CAPTURE 1..10000, VOID 10000..10000"
    );
    let above = act(&app, &held, "captures", 10001).await;
    assert_eq!(
        (above.refusal(), above.why()),
        (String::from("400 PS0026"), "amount is above what is open")
    );
    let first = done(&app, &held, "captures", 4000).await;
    let second = done(&app, &held, "captures", 1000).await;
    assert_eq!(stands(&app, &first).await, "CAPTURE/EXECUTED");
    assert_eq!(stands(&app, &held).await, "AUTHORIZATION/AUTHORIZED");
    assert_eq!(totals(&app, "A1").await, "10000 5000 0");
    assert_eq!(
        allowed(&app, &held).await,
        "CAPTURE 1..5000, REFUND 1..5000, VOID 5000..5000"
    );
    assert_eq!(
        act(&app, &held, "refunds", 5001).await.refusal(),
        "400 PS0029"
    );
    assert_eq!(
        allowed(&app, &first).await,
        "REFUND 1..4000, CANCEL 4000..4000"
    );
    let undone = done(&app, &first, "cancels", 0).await;
    assert_eq!(stands(&app, &undone).await, "CANCEL/EXECUTED");
    assert_eq!(
        operation(&app, &undone).await["cancelledOperationId"],
        json!(first)
    );
    assert_eq!(operation(&app, &undone).await["operationAmount"], "4000");
    assert_eq!(stands(&app, &first).await, "CAPTURE/VOIDED");
    assert_eq!(totals(&app, "A1").await, "10000 1000 0");
    let released = done(&app, &held, "refunds", 9000).await;
    assert_eq!(stands(&app, &released).await, "VOID/VOIDED");
    assert_eq!(stands(&app, &held).await, "AUTHORIZATION/EXECUTED");
    assert_eq!(totals(&app, "A1").await, "1000 1000 0");
    assert_eq!(
        act(&app, &held, "captures", 1).await.refusal(),
        "400 PS0023"
    );
    done(&app, &second, "refunds", 999).await;
    assert_eq!(
        act(&app, &second, "cancels", 0).await.refusal(),
        "400 PS0027"
    );
    app.pass(86_400).await;
    assert_eq!(
        act(&app, &second, "cancels", 0).await.refusal(),
        "400 PS0027 PS0002"
    );
    let third = paid(&app, EXPLICIT, "A2", "EUR").await;
    let capture = done(&app, &third, "captures", 10000).await;
    assert_eq!(stands(&app, &third).await, "AUTHORIZATION/EXECUTED");
    app.pass(86_400).await;
    assert_eq!(
        act(&app, &capture, "cancels", 0).await.refusal(),
        "400 PS0002"
    );
    done(&app, &third, "refunds", 10000).await;
    assert_eq!(stands(&app, &capture).await, "CAPTURE/REFUNDED");
    assert_eq!(stands(&app, &third).await, "AUTHORIZATION/REFUNDED");
}

#[tokio::test]
async fn what_is_not_captured_in_time_is_released() {
    let app = TestApp::new().await;
    let preauth = paid_by(&app, IMPLICIT, "A1", "EUR", "PREAUTH", APPROVED).await;
    app.pass(1).await;
    let sale = paid(&app, EXPLICIT, "A2", "EUR").await;
    app.pass(1).await;
    let partly = paid(&app, EXPLICIT, "A3", "EUR").await;
    done(&app, &partly, "captures", 2500).await;
    let expires = async |id: &str| {
        let path = format!("/operations/{id}/actions");
        let actions = app.merchant().get(&path).await.ok();
        actions["actions"][0]["expirationTime"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(expires(&preauth).await, "2026-12-17T09:59:59.999Z");
    assert_eq!(expires(&sale).await, "2026-11-25T10:00:00.999Z");
    app.pass(5 * 86_400 - 2).await;
    assert_eq!(stands(&app, &sale).await, "AUTHORIZATION/AUTHORIZED");
    // What is due has not been done yet, and the action is refused anyway.
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(allowed(&app, &sale).await, "");
    assert_eq!(
        act(&app, &sale, "captures", 1).await.refusal(),
        "400 PS0022"
    );
    assert_eq!(totals(&app, "A2").await, "0 0 0");
    app.pass(1).await;
    assert_eq!(stands(&app, &partly).await, "AUTHORIZATION/EXECUTED");
    assert_eq!(totals(&app, "A3").await, "2500 2500 0");
    let release = app.order("A3").await["orderStatus"]["lastOperation"].clone();
    assert_eq!(
        (
            &release["operationType"],
            &release["operationResult"],
            &release["channelDetail"]
        ),
        (&json!("VOID"), &json!("VOIDED"), &json!("AUTOMATIC"))
    );
    assert_eq!(app.told().await.last().unwrap()["operation"], release);
    assert_eq!(stands(&app, &preauth).await, "AUTHORIZATION/AUTHORIZED");
    app.pass(22 * 86_400).await;
    assert_eq!(stands(&app, &preauth).await, "AUTHORIZATION/VOIDED");
    app.pass(86_400).await;
    assert_eq!(
        app.count("SELECT count(*) FROM operation WHERE operation_type = 'VOID'")
            .await,
        3
    );
}

#[tokio::test]
async fn a_refund_ends_thirteen_months_after_the_capture() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    app.pass(395 * 86_400).await;
    assert_eq!(
        allowed(&app, &sale).await,
        "REFUND 1..10000",
        "2027-12-20, the same time of day"
    );
    app.pass(1).await;
    assert_eq!(allowed(&app, &sale).await, "");
    let late = act(&app, &sale, "refunds", 1).await;
    assert_eq!(late.refusal(), "400 GW9003");
    assert_eq!(
        late.why(),
        "the operation is AUTHORIZATION EXECUTED, which does not allow this call now; allowed: none"
    );
}

#[tokio::test]
async fn a_refund_that_fails_in_the_end_gives_its_amount_back() {
    let app = TestApp::new().await;
    let sale = paid_by(&app, IMPLICIT, "A1", "EUR", "PAY", "4761730000007305").await;
    let refund = done(&app, &sale, "refunds", 6000).await;
    assert_eq!(stands(&app, &refund).await, "REFUND/PENDING");
    assert_eq!(totals(&app, "A1").await, "10000 10000 0");
    assert_eq!(
        allowed(&app, &sale).await,
        "REFUND 1..4000",
        "it is held meanwhile"
    );
    assert_eq!(allowed(&app, &refund).await, "");
    app.pass(29).await;
    assert_eq!(stands(&app, &refund).await, "REFUND/PENDING");
    app.pass(1).await;
    assert_eq!(stands(&app, &refund).await, "REFUND/FAILED");
    assert_eq!(totals(&app, "A1").await, "10000 10000 0");
    assert_eq!(allowed(&app, &sale).await, "REFUND 1..10000");
    let results: Vec<_> = app
        .told()
        .await
        .iter()
        .map(|told| {
            told["operation"]["operationResult"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(results, ["EXECUTED", "PENDING", "FAILED"]);
}

#[tokio::test]
async fn only_good_payments_can_be_acted_on() {
    let app = TestApp::new().await;
    let declined = paid_by(&app, IMPLICIT, "A1", "EUR", "PAY", DECLINED).await;
    let pending = paid_by(&app, IMPLICIT, "A2", "EUR", "PAY", "4761730000008881").await;
    let check = paid_by(&app, IMPLICIT, "A3", "EUR", "VERIFY", APPROVED).await;
    let sale = paid(&app, IMPLICIT, "A4", "EUR").await;
    let refund = done(&app, &sale, "refunds", 1).await;
    for id in [&declined, &pending, &check, &refund] {
        assert_eq!(allowed(&app, id).await, "");
        for action in ["captures", "refunds", "cancels"] {
            let answer = act(&app, id, action, 1).await;
            assert_eq!(answer.refusal(), "400 GW9003", "{action}: {}", answer.why());
        }
    }
    assert_eq!(act(&app, &sale, "cancels", 1).await.refusal(), "400 GW9003");
    app.pass(30).await;
    assert_eq!(allowed(&app, &pending).await, "REFUND 1..10000");
}

#[tokio::test]
async fn a_refund_in_the_cards_currency_has_the_first_rate() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let number = "4761738400000002";
    let offer = app
        .frame(&session)
        .post("/fe/build/bin", &json!({ "bin": "47617384" }))
        .await
        .ok();
    let mut card = crate::harness::card(number);
    let offer_id = offer["currencyOffer"]["offerId"].clone();
    card.as_array_mut()
        .unwrap()
        .push(json!({ "id": "CURRENCY_OFFER", "value": offer_id }));
    let entered = app.frame(&session).post("/fe/build/text", &card).await.ok();
    let url = entered["gdiStatus"]["gdiUrl"].as_str().unwrap();
    app.app
        .buyer_pages()
        .device_check_done(crate::harness::token_of(url))
        .await;
    let closed = app.finalize(&session).await;
    let id = closed["operation"]["operationId"]
        .as_str()
        .unwrap()
        .to_owned();
    let sale = operation(&app, &id).await["additionalData"]["multiCurrencyConversion"].clone();
    assert_eq!(
        (&sale["amount"], &sale["currency"]),
        (&json!("3952"), &json!("USD"))
    );
    let part = done(&app, &id, "refunds", 1000).await;
    let part = operation(&app, &part).await;
    assert_eq!(
        (&part["operationAmount"], &part["operationCurrency"]),
        (&json!("1000"), &json!("EUR"))
    );
    let part = &part["additionalData"]["multiCurrencyConversion"];
    assert_eq!(
        (&part["amount"], &part["exchangeRate"]),
        (&json!("1115"), &sale["exchangeRate"])
    );
}

#[tokio::test]
async fn an_action_is_booked_on_the_terminal_of_the_calling_key() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let body = json!({ "amount": 500, "currency": "eur", "description": "Returned", "unknown": 1 });
    let path = format!("/operations/{sale}/refunds");
    let answer = app.key(EXPLICIT).post(&path, &body).await.ok();
    let refund = operation(&app, answer["operationId"].as_str().unwrap()).await;
    assert_eq!(refund["terminalId"], "91000002");
    assert_eq!(refund["operationAmount"], "500");
}

#[tokio::test]
async fn every_mistake_is_told_in_the_order_of_the_contract() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let held = paid(&app, EXPLICIT, "A2", "EUR").await;
    let good = json!({ "amount": "100", "currency": "EUR" });
    let long = "x".repeat(256);
    let bodies = [
        (json!({}), "400 PS0026"),
        (json!([]), "400 PS0026 PS0026"),
        (json!({ "currency": "EUR" }), "400 PS0026"),
        (json!({ "amount": null, "currency": null }), "400 PS0026"),
        (json!({ "amount": "0", "currency": "EUR" }), "400 PS0026"),
        (json!({ "amount": -1, "currency": "EUR" }), "400 PS0036"),
        (json!({ "amount": "1.5", "currency": "EUR" }), "400 PS0036"),
        (json!({ "amount": true, "currency": "EUR" }), "400 PS0036"),
        (
            json!({ "amount": ["1"], "currency": true }),
            "400 PS0026 PS0036",
        ),
        (
            json!({ "amount": "1000000000000", "currency": "EUR" }),
            "400 PS0036",
        ),
        (
            json!({ "amount": 1_000_000_000_000_u64, "currency": "EUR" }),
            "400 PS0036",
        ),
        (json!({ "amount": "1", "currency": "978" }), "400 PS0009"),
        (json!({ "amount": "1", "currency": 978 }), "400 PS0009"),
        (json!({ "amount": "1", "currency": "XXX" }), "400 PS0009"),
        (json!({ "amount": "1", "currency": "USD" }), "400 PS0009"),
        (json!({ "amount": "x", "currency": "USD" }), "400 PS0036"),
        (
            json!({ "amount": "1", "currency": "EUR", "description": true }),
            "400 PS0026",
        ),
        (
            json!({ "amount": "1", "currency": "EUR", "description": long }),
            "400 PS0026",
        ),
        (
            json!({ "amount": "x", "currency": "EUR", "description": "<script>" }),
            "400 PS0041",
        ),
    ];
    for (id, action) in [(&sale, "refunds"), (&held, "captures")] {
        let path = format!("/operations/{id}/{action}");
        let before = app.count("SELECT count(*) FROM operation").await;
        for (body, expected) in &bodies {
            app.clock.advance(Duration::from_millis(100));
            let answer = app.merchant().post(&path, body).await;
            assert_eq!(answer.refusal(), *expected, "{action} {body}");
            assert!(!answer.why().contains(&long), "values are not repeated");
        }
        // These checks come before all checks of the body: whose operation it is, and the key of the call.
        let other = app.key("sandbox-other-merchant");
        assert_eq!(other.post(&path, &json!({})).await.refusal(), "404");
        assert_eq!(other.post(&path, &good).await.bytes.len(), 0);
        for key in ["", &"k".repeat(64), "k\u{e9}"] {
            let headers = [("idempotency-key", key)];
            let answer = app.merchant().post_with(&path, &json!({}), &headers).await;
            assert_eq!(answer.refusal(), "400 PS0025", "{key}");
        }
        let missing = format!("/operations/100000000000000000/{action}");
        assert_eq!(
            app.merchant().post(&missing, &json!({})).await.refusal(),
            "404"
        );
        assert_eq!(app.count("SELECT count(*) FROM operation").await, before);
        common_refusals(&app, &path).await;
    }
}

/// The refusals that all three calls give before they look at the operation.
async fn common_refusals(app: &TestApp, path: &str) {
    let good = json!({ "amount": "100", "currency": "EUR" });
    assert_eq!(app.nobody().post(path, &good).await.refusal(), "401 GW9020");
    assert_eq!(
        app.key("wrong").post(path, &good).await.refusal(),
        "401 GW9020"
    );
    let session = app.open(&build(&format!("S{}", path.len()))).await;
    assert_eq!(
        app.frame(&session).post(path, &good).await.refusal(),
        "401 GW9020"
    );
    let get = app.merchant().get(path).await;
    assert_eq!((get.status, get.header("allow")), (405, Some("POST")));
    let huge = format!("{{\"x\":\"{}\"}}", "x".repeat(256 * 1024));
    let json_type = ("content-type", "application/json");
    for (content_type, body, expected) in [
        (json_type, String::from("{"), "400 PS0035"),
        (json_type, String::from("{\"amount\":1}}"), "400 PS0035"),
        (json_type, huge, "413 GW9004"),
        (
            ("content-type", "text/plain"),
            String::from("{}"),
            "415 PS0035",
        ),
    ] {
        // This is checked before the missing key is reported.
        let request = app
            .merchant()
            .request(Method::POST, path, &[content_type], Body::from(body));
        assert_eq!(app.send(request).await.refusal(), expected, "{path}");
    }
    let headers = [("correlation-id", ABSENT), ("idempotency-key", "")];
    let answer = app.merchant().post_with(path, &good, &headers).await;
    assert_eq!(answer.refusal(), "400 PS0025", "{path}");
}

#[tokio::test]
async fn a_cancel_takes_a_description_or_nothing_and_needs_no_key() {
    let app = TestApp::new().await;
    let held = paid(&app, EXPLICIT, "A1", "EUR").await;
    let capture = done(&app, &held, "captures", 100).await;
    let path = format!("/operations/{capture}/cancels");
    for (body, expected) in [
        (json!([]), "400 PS0026"),
        (json!("x"), "400 PS0026"),
        (json!({ "description": ["x"] }), "400 PS0026"),
        (json!({ "description": "x".repeat(256) }), "400 PS0026"),
        (json!({ "description": "<img src=x>" }), "400 PS0041"),
    ] {
        let answer = app.merchant().post(&path, &body).await;
        assert_eq!(answer.refusal(), expected, "{body}");
    }
    let other = app.key("sandbox-other-merchant");
    assert_eq!(other.post(&path, &json!({})).await.refusal(), "404");
    let key = [("idempotency-key", "")];
    assert_eq!(
        app.merchant()
            .post_with(&path, &json!({}), &key)
            .await
            .refusal(),
        "400 PS0025"
    );
    common_refusals(&app, &path).await;
    let bare = app
        .merchant()
        .request(Method::POST, &path, &[], Body::empty());
    assert_eq!(app.send(bare).await.status, 200);
    let bare = app
        .merchant()
        .request(Method::POST, &path, &[], Body::empty());
    assert_eq!(
        app.send(bare).await.refusal(),
        "400 PS0028",
        "without a key it is a second call"
    );
    let capture = done(&app, &held, "captures", 100).await;
    let path = format!("/operations/{capture}/cancels");
    let key = [("idempotency-key", "cancel")];
    let first = app.merchant().post_with(&path, &json!({}), &key).await;
    let again = app.merchant().post_with(&path, &json!({}), &key).await;
    assert_eq!((first.status, &first.bytes), (200, &again.bytes));
}

#[tokio::test]
async fn the_actions_of_an_operation_are_for_its_merchant() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let path = format!("/operations/{sale}/actions");
    assert_eq!(app.nobody().get(&path).await.refusal(), "401 GW9020");
    assert_eq!(
        app.key("sandbox-other-merchant").get(&path).await.refusal(),
        "404"
    );
    assert_eq!(
        app.merchant().get("/operations/1/actions").await.refusal(),
        "404"
    );
    assert_eq!(
        app.merchant().post(&path, &json!({})).await.refusal(),
        "405"
    );
    assert_eq!(
        app.merchant().get(&path).await.ok(),
        json!({ "actions": [{
            "actionType": "REFUND", "minAmount": "1", "maxAmount": "10000", "currency": "EUR",
            "expirationTime": "2027-12-20T10:00:00.000Z", "path": format!("/operations/{sale}/refunds"),
        }]})
    );
}

#[tokio::test]
async fn the_same_key_moves_money_once() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let path = format!("/operations/{sale}/refunds");
    let body = json!({ "amount": "100", "currency": "EUR" });
    let key = [("idempotency-key", "refund-1")];
    let first = app.merchant().post_with(&path, &body, &key).await;
    let again = app.merchant().post_with(&path, &body, &key).await;
    assert_eq!(
        (again.status, again.header("idempotency-replayed")),
        (200, Some("true"))
    );
    assert_eq!(first.bytes, again.bytes);
    let other = json!({ "amount": "101", "currency": "EUR" });
    assert_eq!(
        app.merchant()
            .post_with(&path, &other, &key)
            .await
            .refusal(),
        "400 PS0025"
    );
    let elsewhere = format!("/operations/{sale}/captures");
    assert_eq!(
        app.merchant()
            .post_with(&elsewhere, &body, &key)
            .await
            .refusal(),
        "400 PS0025"
    );
    // A refusal leaves its key free.
    let late = [("idempotency-key", "refund-2")];
    let above = json!({ "amount": "10000", "currency": "EUR" });
    assert_eq!(
        app.merchant()
            .post_with(&path, &above, &late)
            .await
            .refusal(),
        "400 PS0029"
    );
    assert_eq!(
        app.merchant().post_with(&path, &body, &late).await.status,
        200
    );
    let lost = [
        ("idempotency-key", "refund-3"),
        ("x-sandbox-fault", "timeout"),
    ];
    assert!(app.merchant().post_with(&path, &body, &lost).await.closed);
    let found = app.merchant().post_with(&path, &body, &lost[..1]).await;
    assert_eq!(found.header("idempotency-replayed"), Some("true"));
    let app = app.restarted().await;
    let kept = app.merchant().post_with(&path, &body, &key).await;
    assert_eq!(kept.bytes, first.bytes);
    assert_eq!(totals(&app, "A1").await, "10000 10000 300");
}

#[tokio::test]
async fn many_callers_at_once_never_get_more_than_there_is() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let held = paid(&app, EXPLICIT, "A2", "EUR").await;
    let burst = async |id: &str, action: &str, amount: u64, callers: u64| {
        let mut calls = tokio::task::JoinSet::new();
        for caller in 0..callers {
            let body = json!({ "amount": amount.to_string(), "currency": "EUR" }).to_string();
            let key = format!("{id}-{action}-{amount}-{caller}");
            let headers = [
                ("content-type", "application/json"),
                ("idempotency-key", &key),
            ];
            // Not all callers have the same key.
            let caller = app.key([IMPLICIT, EXPLICIT, "sandbox-no-token"][caller as usize % 3]);
            let path = format!("/operations/{id}/{action}");
            let request = caller.request(Method::POST, &path, &headers, Body::from(body));
            let router = app.router.clone();
            calls.spawn(async move {
                let response = tower::ServiceExt::oneshot(router, request).await.unwrap();
                response.status().as_u16()
            });
        }
        let statuses = calls.join_all().await;
        app.clock.advance(Duration::from_secs(10));
        assert!(
            statuses.iter().all(|status| matches!(status, 200 | 400)),
            "{statuses:?}"
        );
        statuses.iter().filter(|status| **status == 200).count()
    };
    let first = sale.clone();
    assert_eq!(burst(&sale, "refunds", 700, 40).await, 14);
    assert_eq!(totals(&app, "A1").await, "10000 10000 9800");
    assert_eq!(burst(&held, "captures", 900, 40).await, 11);
    assert_eq!(totals(&app, "A2").await, "10000 9900 0");
    let rest = paid(&app, EXPLICIT, "A3", "EUR").await;
    assert_eq!(burst(&rest, "refunds", 10000, 10).await, 1, "released once");
    assert_eq!(totals(&app, "A3").await, "0 0 0");
    let sale = paid(&app, IMPLICIT, "A4", "EUR").await;
    assert_eq!(burst(&sale, "refunds", 10000, 10).await, 1, "undone once");
    assert_eq!(totals(&app, "A4").await, "10000 10000 10000");
    let capture = done(&app, &held, "captures", 100).await;
    assert_eq!(burst(&capture, "cancels", 100, 10).await, 1);
    assert_eq!(totals(&app, "A2").await, "10000 9900 0");
    let books = app.acquirer().await;
    let refunded = query("SELECT amount_minor FROM movement WHERE kind = 'REFUND' AND charge = ?");
    let refunded = books.ask(refunded.bind(&first)).await.unwrap();
    let refunded: i64 = refunded.iter().map(|row| row.first::<i64>().unwrap()).sum();
    assert_eq!(refunded, 9800);
    let refused = query("SELECT reference FROM movement WHERE settlement <> 'APPROVED'");
    assert!(
        books.ask(refused).await.unwrap().is_empty(),
        "the acquirer was asked for nothing that is not there"
    );
}

/// The seed of a test's random numbers. A failed run prints how to repeat it.
struct Seed(u64);

impl Seed {
    fn given() -> Seed {
        let given = std::env::var("PAYFRAME_FUZZ_SEED");
        Seed(given.map_or(1, |seed| seed.parse().unwrap()))
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("PAYFRAME_FUZZ_SEED={} repeats it", self.0);
        }
    }
}

#[tokio::test]
async fn random_actions_keep_the_books_of_merchant_and_acquirer_equal() {
    let mut happened = 0;
    let seed = Seed::given();
    for (run, api_key, currency) in [
        (0, IMPLICIT, "EUR"),
        (1, EXPLICIT, "EUR"),
        (2, EXPLICIT, "JPY"),
        (3, EXPLICIT, "KWD"),
        (4, IMPLICIT, "JPY"),
        (5, EXPLICIT, "USD"),
    ] {
        let app = TestApp::new().await;
        let books = app.acquirer().await;
        let mut random = Random::new(seed.0 + run);
        let mut ids = vec![paid(&app, api_key, "A1", currency).await];
        for _ in 0..70 {
            app.pass(if random.below(8) == 0 { 6 * 3600 } else { 1 })
                .await;
            // In half of the cases the authorization.
            let place = random.below(2) * random.below(ids.len());
            let id = ids[place].clone();
            let action = ["captures", "refunds", "refunds", "cancels"][random.below(4)];
            let path = format!("/operations/{id}/actions");
            let offered = app.merchant().get(&path).await.ok();
            let offers: Vec<&Value> = offered["actions"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|offer| offer["path"].as_str().unwrap().ends_with(action))
                .collect();
            let bounds = |offer: &Value| {
                let bound = |name: &str| offer[name].as_str().unwrap().parse::<u64>().unwrap();
                bound("minAmount")..=bound("maxAmount")
            };
            // Chooses at random between a refund and a release.
            let offer = offers.get(random.below(offers.len().max(1)));
            if offer.is_some_and(|offer| offer["actionType"] == "VOID") && random.below(8) > 0 {
                // Rarely chosen, because a release ends everything else.
                continue;
            }
            let (min, max) = offer.map_or((0, 0), |offer| bounds(offer).into_inner());
            let amount = match random.below(16) {
                0 => max + 1,
                1 => min.max(1),
                2 => max.max(1),
                _ => 1 + random.number() % 1000,
            };
            let body = json!({ "amount": amount, "currency": currency });
            let answer = app
                .merchant()
                .post(&format!("/operations/{id}/{action}"), &body)
                .await;
            let fits = offers
                .iter()
                .any(|offer| action == "cancels" || bounds(offer).contains(&amount));
            assert_eq!(
                answer.status == 200,
                fits,
                "run {run}: {action} {amount} of {offered}: {}",
                answer.body
            );
            if answer.status == 200 {
                ids.push(answer.body["operationId"].as_str().unwrap().to_owned());
            }
            add_up(&app, &books, currency).await;
        }
        happened += ids.len() - 1;
    }
    assert!(happened > 40, "next to nothing happened: {happened}");
}

/// The order's totals are the sums of its operations, within their bounds, and agree with the acquirer.
async fn add_up(app: &TestApp, books: &Store, currency: &str) {
    let order = app.order("A1").await;
    let mut sums = std::collections::BTreeMap::new();
    for operation in order["operations"].as_array().unwrap() {
        assert_eq!(operation["operationCurrency"], currency);
        assert_ne!(operation["operationResult"], "PENDING");
        let kind = operation["operationType"].as_str().unwrap();
        let amount: i64 = operation["operationAmount"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        *sums.entry(kind.to_owned()).or_insert(0) += amount;
    }
    let sum = |kind: &str| sums.get(kind).copied().unwrap_or(0);
    let total = |name: &str| {
        order["orderStatus"][name]
            .as_str()
            .unwrap()
            .parse::<i64>()
            .unwrap()
    };
    let (authorized, captured, refunded) = (
        total("authorizedAmount"),
        total("capturedAmount"),
        total("refundedAmount"),
    );
    assert!(0 <= refunded && refunded <= captured && captured <= authorized && authorized <= 10000);
    assert_eq!(authorized, 10000 - sum("VOID"));
    let is_sale = app.operations("A1").await[0]["terminalId"] == "91000001";
    let taken = if is_sale {
        10000
    } else {
        sum("CAPTURE") - sum("CANCEL")
    };
    assert_eq!((captured, refunded), (taken, sum("REFUND")));
    let moved = query(
        "SELECT kind, CAST(sum(amount_minor) AS BIGINT) AS amount FROM movement WHERE settlement = 'APPROVED' GROUP BY kind",
    );
    for row in books.ask(moved).await.unwrap() {
        let (kind, amount): (String, i64) = (row.first().unwrap(), row.try_get("amount").unwrap());
        assert_eq!(amount, sum(&kind), "{kind}");
    }
}

#[tokio::test]
async fn a_crash_before_the_acquirer_is_asked_loses_nothing() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let books = app.acquirer().await;
    // The acquirer can not be reached: the gateway only writes down the intent.
    books
        .change(query("ALTER TABLE movement RENAME TO gone"))
        .await
        .unwrap();
    let path = format!("/operations/{sale}/refunds");
    let body = json!({ "amount": "6000", "currency": "EUR" });
    let key = [("idempotency-key", "refund-1")];
    let taken = app.merchant().post_with(&path, &body, &key).await;
    assert_eq!(taken.status, 200, "{}", taken.body);
    let id = taken.body["operationId"].as_str().unwrap().to_owned();
    assert_eq!(stands(&app, &id).await, "REFUND/PENDING");
    assert_eq!(
        app.told().await.len(),
        1,
        "nobody is told of what has not happened"
    );
    let second = act(&app, &sale, "refunds", 1).await;
    assert_eq!(
        second.refusal(),
        "500 PS0000",
        "the first one has to end before"
    );
    app.pass(60).await;
    books
        .change(query("ALTER TABLE gone RENAME TO movement"))
        .await
        .unwrap();
    let app = app.restarted().await;
    assert_eq!(stands(&app, &id).await, "REFUND/EXECUTED");
    assert_eq!(totals(&app, "A1").await, "10000 10000 6000");
    let again = app.merchant().post_with(&path, &body, &key).await;
    assert_eq!(again.bytes, taken.bytes);
    assert_eq!(
        act(&app, &sale, "refunds", 4001).await.refusal(),
        "400 PS0029"
    );
    assert_eq!(app.told().await.len(), 2);
}

#[tokio::test]
async fn a_crash_before_the_answer_is_booked_moves_nothing_twice() {
    let app = TestApp::new().await;
    let held = paid(&app, EXPLICIT, "A1", "EUR").await;
    // The acquirer answers, and the answer can not be written.
    app.break_table(app.app.store(), "notification").await;
    let id = done(&app, &held, "captures", 4000).await;
    assert_eq!(stands(&app, &id).await, "CAPTURE/PENDING");
    assert_eq!(stands(&app, &held).await, "AUTHORIZATION/AUTHORIZED");
    assert_eq!(totals(&app, "A1").await, "10000 0 0", "all or nothing");
    assert_eq!(
        allowed(&app, &held).await,
        "CAPTURE 1..6000",
        "it is held, and may yet fail"
    );
    app.mend_table(app.app.store(), "notification").await;
    let app = app.restarted().await;
    assert_eq!(stands(&app, &id).await, "CAPTURE/EXECUTED");
    assert_eq!(totals(&app, "A1").await, "10000 4000 0");
    assert_eq!(app.told().await.len(), 2);
    let books = app.acquirer().await;
    let moved = books
        .ask(query("SELECT reference FROM movement"))
        .await
        .unwrap();
    assert_eq!(moved.len(), 1);
}
