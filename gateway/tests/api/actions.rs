//! Actions on an operation after the payment: captures, refunds, cancels (contract 8.2.0, 8.2.5 to 8.2.8).

mod acquirer_ledger;
mod refusals;

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

/// Carries out an action; returns the id of the operation that it made.
pub(crate) async fn done(app: &TestApp, operation: &str, action: &str, amount: u64) -> String {
    let answer = act(app, operation, action, amount).await.ok();
    answer["operationId"].as_str().unwrap().to_owned()
}

async fn operation(app: &TestApp, id: &str) -> Value {
    app.merchant().get(&format!("/operations/{id}")).await.ok()
}

/// Type and result, such as `REFUND/EXECUTED`.
pub(crate) async fn stands(app: &TestApp, id: &str) -> String {
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
    // Midnight in the terminal's time zone is at 23:00 UTC.
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
    assert_eq!(
        allowed(&app, &held).await,
        "CAPTURE 1..6000, REFUND 1..4000, VOID 6000..6000"
    );
    let second = done(&app, &held, "captures", 1000).await;
    assert_eq!(stands(&app, &first).await, "CAPTURE/EXECUTED");
    assert_eq!(stands(&app, &held).await, "AUTHORIZATION/AUTHORIZED");
    assert_eq!(totals(&app, "A1").await, "10000 5000 0");
    // A refund of 5000 would give captured money back, so no release is offered.
    assert_eq!(
        allowed(&app, &held).await,
        "CAPTURE 1..5000, REFUND 1..5000"
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
    // The work that is due is not done yet, and the action is refused anyway.
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
        .await
        .unwrap();
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
