//! `POST /orders/build`: what it accepts, what it refuses, what it answers.

use crate::harness::{APPROVED, DECLINED, TestApp, build, build_form, short};
use serde_json::{Value, json};

/// The request with one member changed. `path` is dotted; `null` removes the member.
fn with(path: &str, value: Value) -> Value {
    let mut request = build("A1");
    let mut place = &mut request;
    for step in path.split('.') {
        place = &mut place[step];
    }
    *place = value;
    request
}

async fn refusal(app: &TestApp, request: &Value) -> String {
    let answer = app.merchant().post("/orders/build", request).await;
    format!("{} {}", answer.refusal(), answer.why())
}

#[tokio::test]
async fn the_answer_holds_what_the_page_needs() {
    let app = TestApp::new().await;
    let answer = app
        .merchant()
        .post("/orders/build", &build("A1"))
        .await
        .ok();
    let session = answer["sessionId"].as_str().unwrap();
    assert_eq!(session.len(), 43);
    let token = answer["securityToken"].as_str().unwrap();
    assert!(
        token.len() == 32
            && token
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
    );
    assert_eq!(answer["state"], "CARD_DATA_COLLECTION");
    assert_eq!(answer["warnings"], json!([]));
    assert!(answer.get("form").is_none() && answer.get("url").is_none());
    let ids: Vec<&str> = answer["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids,
        [
            "CARD_NUMBER",
            "EXPIRATION_DATE",
            "SECURITY_CODE",
            "CARDHOLDER_NAME"
        ]
    );
    let first = &answer["fields"][0];
    assert_eq!(
        (&first["type"], &first["class"]),
        (&json!("TEXT"), &json!("CARD_FIELD"))
    );
    let src = first["src"].as_str().unwrap();
    assert!(
        src.starts_with("https://gateway.example/fields/?id=CARD_NUMBER&lang=ITA&correlationid="),
        "{src}"
    );
    assert!(
        src.ends_with(&format!("&sessionid={session}&placeholder=Y")),
        "{src}"
    );
}

#[tokio::test]
async fn without_a_service_the_buyer_chooses_the_method() {
    let app = TestApp::new().await;
    let answer = app
        .merchant()
        .post(
            "/orders/build",
            &with("paymentSession.paymentService", Value::Null),
        )
        .await
        .ok();
    assert_eq!(answer["state"], "PAYMENT_METHOD_SELECTION");
    let button = &answer["fields"][0];
    assert_eq!(
        (&button["type"], &button["class"], &button["id"]),
        (&json!("ACTION"), &json!("CARD"), &json!("PAY_WITH_CARD"))
    );
    assert_eq!(answer["fields"][1]["class"], "APM");
}

#[tokio::test]
async fn the_form_has_an_address_and_an_end() {
    let app = TestApp::new().await;
    let mut request = build_form("A1", 3);
    request["form"]["expiresInSeconds"] = json!(60);
    let answer = app.merchant().post("/orders/build", &request).await.ok();
    let session = answer["sessionId"].as_str().unwrap();
    assert_eq!(
        answer["form"]["src"],
        format!("https://gateway.example/form/?lang=ITA&sessionid={session}")
    );
    assert_eq!(answer["form"]["expiresAt"], "2026-11-20T10:01:00.000Z");
}

#[tokio::test]
async fn requests_that_are_good_in_unusual_ways_are_taken() {
    let app = TestApp::new().await;
    for (path, value) in [
        ("version", Value::Null),
        ("version", json!(3)),
        ("version", json!(2)),
        ("version", json!("2")),
        ("merchantUrl", json!("https://shop.example/basket?x=1")),
        ("merchantUrl", json!("http://127.0.0.1:8788")),
        ("order.amount", json!(3545)),
        ("order.amount", json!("000000003545")),
        ("order.currency", json!("eur")),
        ("order.unknownMember", json!({"anything": 1})),
        (
            "order.customerInfo",
            json!({"billingAddress": {"country": "ita"}, "unknown": 1}),
        ),
        (
            "order.installments",
            json!([{"date": "2026-11-20", "amount": "45"}, {"date": "2027-01-01", "amount": 3500}]),
        ),
        (
            "order.plan",
            json!({"planType": "ACQUIRER_AGREEMENT", "installmentQty": 3}),
        ),
        (
            "order.transactionSummary",
            json!([{"language": "ENG", "summaryList": [{"label": "a", "value": "b"}]}]),
        ),
        ("paymentSession.recurrence", Value::Null),
        ("paymentSession.amount", json!("1")),
        ("paymentSession.language", Value::Null),
        ("paymentSession.notificationUrl", Value::Null),
        ("paymentSession.captureType", json!("IMPLICIT")),
        ("paymentSession.actionType", json!("PREAUTH")),
        ("paymentSession.exemptions", json!("CHALLENGE_REQUESTED")),
        ("form", json!({})),
        (
            "form",
            json!({"closing": "FRAME", "attempts": 5, "cardSummary": "BIN_LAST4", "methods": "CARDS", "expiresInSeconds": 1800}),
        ),
    ] {
        let mut request = with(path, value.clone());
        // Each case has its own order.
        request["order"]["orderId"] = json!(uuid::Uuid::new_v4().simple().to_string()[..20]);
        let answer = app.merchant().post("/orders/build", &request).await;
        assert_eq!(answer.status, 200, "{path} {value}: {}", answer.body);
    }
}

#[tokio::test]
async fn what_is_wrong_is_named_and_never_repeated() {
    let app = TestApp::new().await;
    let long = |length: usize| json!("x".repeat(length));
    for (path, value, expected) in [
        (
            "version",
            json!("1"),
            "400 PS0026 version must be one of 2, 3",
        ),
        ("version", json!(4), "400 PS0026 version"),
        ("merchantUrl", Value::Null, "400 GW0001 merchantUrl"),
        (
            "merchantUrl",
            json!("http://shop.example"),
            "400 GW0001 merchantUrl",
        ),
        ("merchantUrl", json!(7), "400 GW0001 merchantUrl"),
        (
            "order",
            Value::Null,
            "400 PS0026 PS0026 PS0026 PS0026 order is missing",
        ),
        (
            "order.orderId",
            Value::Null,
            "400 PS0026 order.orderId is missing",
        ),
        (
            "order.orderId",
            json!("with blank"),
            "400 PS0026 order.orderId",
        ),
        (
            "order.orderId",
            json!("a".repeat(28)),
            "400 PS0026 order.orderId",
        ),
        (
            "order.orderId",
            json!("paybylink"),
            "400 PS0026 order.orderId",
        ),
        ("order.orderId", json!(true), "400 PS0026 order.orderId"),
        (
            "order.amount",
            Value::Null,
            "400 PS0026 order.amount is missing",
        ),
        ("order.amount", json!("35.45"), "400 PS0036 order.amount"),
        ("order.amount", json!("-1"), "400 PS0036 order.amount"),
        ("order.amount", json!("+1"), "400 PS0036 order.amount"),
        ("order.amount", json!("1e3"), "400 PS0036 order.amount"),
        ("order.amount", json!(""), "400 PS0036 order.amount"),
        ("order.amount", json!(35.45), "400 PS0036 order.amount"),
        ("order.amount", json!(-1), "400 PS0036 order.amount"),
        (
            "order.amount",
            json!("1234567890123"),
            "400 PS0036 order.amount",
        ),
        ("order.amount", json!(true), "400 PS0036 order.amount"),
        (
            "order.amount",
            json!("0"),
            "400 PS0026 order.amount must be above 0",
        ),
        (
            "order.currency",
            Value::Null,
            "400 PS0026 order.currency is missing",
        ),
        ("order.currency", json!("978"), "400 PS0009 order.currency"),
        ("order.currency", json!("XXX"), "400 PS0009 order.currency"),
        ("order.customerId", long(28), "400 PS0026 order.customerId"),
        (
            "order.description",
            long(256),
            "400 PS0026 order.description",
        ),
        (
            "order.description",
            json!(true),
            "400 PS0026 order.description",
        ),
        (
            "order.customField",
            long(256),
            "400 PS0026 order.customField",
        ),
        ("order.invoiceId", long(31), "400 PS0026 order.invoiceId"),
        (
            "order.customerInfo",
            json!("x"),
            "400 PS0026 order.customerInfo must be an object",
        ),
        (
            "order.customerInfo",
            json!({"cardHolderName": "x".repeat(256)}),
            "400 PS0026 order.customerInfo.cardHolderName",
        ),
        (
            "order.customerInfo",
            json!({"billingAddress": {"street": ""}}),
            "400 PS0026 order.customerInfo.billingAddress.street",
        ),
        (
            "order.customerInfo",
            json!({"cardHolderAcctInfo": {"chAccDate": "20-11-2026"}}),
            "400 PS0008 order.customerInfo.cardHolderAcctInfo.chAccDate",
        ),
        (
            "order.customerInfo",
            json!({"cardHolderAcctInfo": {"chAccAgeIndicator": "06"}}),
            "400 PS0026 order.customerInfo.cardHolderAcctInfo.chAccAgeIndicator must be one of 01, 02, 03, 04, 05",
        ),
        (
            "order.customerInfo",
            json!({"cardHolderAcctInfo": {"txnActivityDay": -1}}),
            "400 PS0026 order.customerInfo.cardHolderAcctInfo.txnActivityDay",
        ),
        (
            "order.customerInfo",
            json!({"merchantRiskIndicator": {"giftCardAmount": {"value": "1,5", "currency": "EUR"}}}),
            "400 PS0036 order.customerInfo.merchantRiskIndicator.giftCardAmount.value",
        ),
        (
            "order.customerInfo",
            json!({"merchantRiskIndicator": {"shipIndicator": "8"}}),
            "400 PS0026 order.customerInfo.merchantRiskIndicator.shipIndicator",
        ),
        (
            "order.transactionSummary",
            json!({}),
            "400 PS0026 order.transactionSummary must be an array",
        ),
        (
            "order.transactionSummary",
            json!([{"language": "it", "summaryList": []}]),
            "400 PS0026 order.transactionSummary[0].language",
        ),
        (
            "order.transactionSummary",
            json!([{"language": "ita", "summaryList": [{"label": "x".repeat(51), "value": ""}]}]),
            "400 PS0026 order.transactionSummary[0].summaryList[0].label",
        ),
        (
            "order.installments",
            json!([{"date": "2027-01-01", "amount": "1"}]),
            "400 PS0026 order.installments must be an array of 2 to 12",
        ),
        (
            "order.installments",
            json!([{"date": "2027-01-01", "amount": "3000"}, {"date": "2027-02-01", "amount": "546"}]),
            "400 PS0005 order.installments",
        ),
        (
            "order.installments",
            json!([{"date": "2026-11-19", "amount": "1"}, {"date": "2027-02-30", "amount": "1"}]),
            "400 PS0006 PS0006 order.installments[0].date",
        ),
        (
            "order.installmentQty",
            json!(1),
            "400 PS0026 order.installmentQty",
        ),
        (
            "order.plan",
            json!({"planType": "OTHER", "installmentQty": 2}),
            "400 PS0026 order.plan.planType",
        ),
        (
            "order.termsAndConditionsIds",
            json!(["t1"]),
            "400 PS0026 order.termsAndConditionsIds",
        ),
        (
            "paymentSession",
            Value::Null,
            "400 PS0026 PS0026 PS0026 PS0026 paymentSession is missing",
        ),
        (
            "paymentSession.actionType",
            json!("pay"),
            "400 PS0026 paymentSession.actionType must be one of PAY, VERIFY, PREAUTH",
        ),
        (
            "paymentSession.amount",
            Value::Null,
            "400 PS0026 paymentSession.amount is missing",
        ),
        (
            "paymentSession.amount",
            json!("3546"),
            "400 PS0007 paymentSession.amount",
        ),
        (
            "paymentSession.amount",
            json!("0"),
            "400 PS0026 paymentSession.amount",
        ),
        (
            "paymentSession.captureType",
            json!("LATER"),
            "400 PS0026 paymentSession.captureType",
        ),
        (
            "paymentSession.captureType",
            json!("EXPLICIT"),
            "400 PS0026 paymentSession.captureType",
        ),
        (
            "paymentSession.exemptions",
            json!("LOW_VALUE"),
            "400 PS0026 paymentSession.exemptions",
        ),
        (
            "paymentSession.language",
            json!("it"),
            "400 PS0026 paymentSession.language",
        ),
        (
            "paymentSession.language",
            json!(3),
            "400 PS0026 paymentSession.language",
        ),
        (
            "paymentSession.paymentService",
            json!("NOSUCH"),
            "400 PS0026 paymentSession.paymentService",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "USE_CONTRACT"}),
            "400 PS0026 paymentSession.recurrence.action",
        ),
        (
            "paymentSession.recurrence",
            json!({}),
            "400 PS0026 paymentSession.recurrence.action is missing",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION"}),
            "400 PS0026 PS0026 paymentSession.recurrence.contractId is missing",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1"}),
            "400 PS0026 paymentSession.recurrence.contractType is missing",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K 1", "contractType": "CIT"}),
            "400 PS0026 paymentSession.recurrence.contractId must be",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT"}),
            "400 PS0026 paymentSession.recurrence.contractType must be one of",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "CIT", "contractFrequency": "30"}),
            "400 PS0026 paymentSession.recurrence.contractFrequency is only for MIT_SCHEDULED",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_SCHEDULED", "contractFrequency": "30 days"}),
            "400 PS0026 paymentSession.recurrence.contractFrequency must be",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_SCHEDULED", "contractExpiryDate": "2026-11-19"}),
            "400 PS0026 paymentSession.recurrence.contractExpiryDate must not be past",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_SCHEDULED", "contractExpiryDate": "31.12.2027"}),
            "400 PS0008 paymentSession.recurrence.contractExpiryDate",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "SUBSEQUENT_PAYMENT", "contractId": "K1"}),
            "400 PS0017",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CARD_SUBSTITUTION", "contractId": "K1", "contractType": "CIT"}),
            "400 PS0017",
        ),
        (
            "paymentSession.resultUrl",
            Value::Null,
            "400 PS0026 paymentSession.resultUrl is missing",
        ),
        (
            "paymentSession.cancelUrl",
            json!("ftp://shop.example"),
            "400 PS0026 paymentSession.cancelUrl",
        ),
        (
            "paymentSession.notificationUrl",
            json!("hook"),
            "400 PS0026 paymentSession.notificationUrl",
        ),
        ("form", json!("yes"), "400 PS0026 form must be an object"),
        (
            "form",
            json!({"closing": "BUYER"}),
            "400 PS0026 form.closing",
        ),
        ("form", json!({"attempts": 0}), "400 PS0026 form.attempts"),
        ("form", json!({"attempts": 6}), "400 PS0026 form.attempts"),
        (
            "form",
            json!({"cardSummary": "ALL"}),
            "400 PS0026 form.cardSummary",
        ),
        (
            "form",
            json!({"methods": "WALLETS"}),
            "400 PS0026 form.methods",
        ),
        (
            "form",
            json!({"expiresInSeconds": 59}),
            "400 PS0026 form.expiresInSeconds",
        ),
    ] {
        // Never more calls at once than a burst allows.
        app.clock.advance(std::time::Duration::from_secs(1));
        let found = refusal(&app, &with(path, value.clone())).await;
        assert!(found.starts_with(expected), "{path} {value}: {found}");
        assert!(found.len() < 300, "{path}: {found}");
    }
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
}

#[tokio::test]
async fn what_a_terminal_does_not_have_is_refused() {
    let app = TestApp::new().await;
    let creation = with(
        "paymentSession.recurrence",
        json!({"action": "CONTRACT_CREATION"}),
    );
    let answer = app
        .key("sandbox-no-token")
        .post("/orders/build", &creation)
        .await;
    assert_eq!(
        (answer.refusal().as_str(), answer.why()),
        (
            "400 PS0026",
            "paymentSession.recurrence is not enabled on this terminal"
        )
    );
    let implicit = with("paymentSession.captureType", json!("IMPLICIT"));
    app.key("sandbox-explicit")
        .post("/orders/build", &implicit)
        .await
        .ok();
    let mut preauth = with("paymentSession.captureType", json!("IMPLICIT"));
    preauth["paymentSession"]["actionType"] = json!("PREAUTH");
    assert_eq!(
        app.merchant()
            .post("/orders/build", &preauth)
            .await
            .refusal(),
        "400 PS0026"
    );
}

#[tokio::test]
async fn languages_and_currencies_give_warnings() {
    let app = TestApp::new().await;
    let mut request = with("paymentSession.language", json!("nld"));
    request["order"]["currency"] = json!("HRK");
    let answer = app.merchant().post("/orders/build", &request).await.ok();
    let codes: Vec<&Value> = answer["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| &warning["code"])
        .collect();
    assert_eq!(codes, ["GW9101", "GW9104"]);
    assert!(
        answer["fields"][0]["src"]
            .as_str()
            .unwrap()
            .contains("lang=ENG")
    );
}

#[tokio::test]
async fn a_verification_may_be_for_nothing() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["order"]["amount"] = json!("0");
    request["paymentSession"]["amount"] = json!("0");
    request["paymentSession"]["actionType"] = json!("VERIFY");
    let session = app.open(&request).await;
    app.enter(&session, APPROVED).await;
    let state = app.finalize(&session).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE CARD_VERIFICATION/EXECUTED");
    assert_eq!(state["operation"]["operationAmount"], "0");
    assert_eq!(
        app.order("A1").await["orderStatus"]["authorizedAmount"],
        "0"
    );
}

#[tokio::test]
async fn an_unpaid_order_can_be_tried_again_and_its_open_session_is_closed() {
    let app = TestApp::new().await;
    let first = app.open(&build("A1")).await;
    let answer = app
        .merchant()
        .post("/orders/build", &build("A1"))
        .await
        .ok();
    assert_eq!(answer["warnings"][0]["code"], "GW9103");
    assert_eq!(state_refusal(&app, &first).await, "400 PS0061");
    let order = app.order("A1").await;
    assert_eq!(order["operations"], json!([]), "nothing was submitted");
    assert!(app.told().await.is_empty());
    let second = answer["sessionId"].as_str().unwrap();
    app.enter(second, "4761730000001001").await;
    assert_eq!(
        short(&app.finalize(second).await),
        "PAYMENT_COMPLETE AUTHORIZATION/DECLINED"
    );
    let third = app
        .merchant()
        .post("/orders/build", &build("A1"))
        .await
        .ok();
    assert_eq!(third["warnings"], json!([]));
    let third = third["sessionId"].as_str().unwrap();
    app.enter(third, APPROVED).await;
    assert_eq!(
        short(&app.finalize(third).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    assert_eq!(
        app.merchant()
            .post("/orders/build", &build("A1"))
            .await
            .refusal(),
        "400 GW9006"
    );
    let order = app.order("A1").await;
    assert_eq!(order["operations"].as_array().unwrap().len(), 2);
    assert_eq!(order["orderStatus"]["capturedAmount"], "3545");
}

async fn state_refusal(app: &TestApp, session: &str) -> String {
    let path = format!("/build/state?sessionId={session}");
    app.merchant().get(&path).await.refusal()
}

/// An order as sent by shops that keep one id for a cart.
fn cart(amount: &str, currency: &str) -> Value {
    let mut request = build("CART-1");
    request["order"]["amount"] = json!(amount);
    request["order"]["currency"] = json!(currency);
    request["paymentSession"]["amount"] = json!(amount);
    request
}

#[tokio::test]
async fn a_cart_whose_total_changes_keeps_its_order_id() {
    let app = TestApp::new().await;
    let empty = app.open(&cart("3545", "EUR")).await;
    let typed = app
        .merchant()
        .post("/orders/build", &cart("4000", "EUR"))
        .await
        .ok();
    let warnings = typed["warnings"].as_array().unwrap();
    assert!(!warnings.is_empty() && warnings.iter().all(|warning| warning["code"] == "GW9103"));
    assert_eq!(state_refusal(&app, &empty).await, "400 PS0061");
    // A card that was entered for the former amount is discarded, and the shop gets no notification.
    let typed = typed["sessionId"].as_str().unwrap();
    app.enter(typed, APPROVED).await;
    let last = app.open(&cart("2500", "USD")).await;
    assert_eq!(state_refusal(&app, typed).await, "400 PS0061");
    assert!(app.told().await.is_empty());
    let order = app.order("CART-1").await;
    assert_eq!(order["operations"], json!([]));
    // After a declined payment the order can still be paid; its amount is that of the last call.
    app.enter(&last, DECLINED).await;
    app.finalize(&last).await;
    let paid = app.open(&cart("2600", "USD")).await;
    app.enter(&paid, APPROVED).await;
    assert_eq!(
        short(&app.finalize(&paid).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    let order = app.order("CART-1").await;
    assert_eq!(order["orderStatus"]["order"]["amount"], "2600");
    assert_eq!(order["orderStatus"]["capturedAmount"], "2600");
    assert_eq!(
        refusal(&app, &cart("2700", "USD")).await[..10],
        *"400 GW9006"
    );
    assert_eq!(
        refusal(&app, &cart("2600", "EUR")).await[..10],
        *"400 GW9006"
    );
}

#[tokio::test]
async fn a_cart_whose_payment_is_pending_keeps_its_total() {
    let app = TestApp::new().await;
    let session = app.open(&cart("3545", "EUR")).await;
    app.enter(&session, "4761730000009079").await;
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/PENDING"
    );
    assert_eq!(
        refusal(&app, &cart("4000", "EUR")).await[..10],
        *"400 GW9006"
    );
}

#[tokio::test]
async fn an_order_whose_payment_is_pending_can_not_be_paid_again() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, "4761730000009079").await;
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/PENDING"
    );
    assert_eq!(
        app.merchant()
            .post("/orders/build", &build("A1"))
            .await
            .refusal(),
        "400 GW9006"
    );
    app.pass(31).await;
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/DECLINED"
    );
    app.open(&build("A1")).await;
}

#[tokio::test]
async fn two_builds_of_an_order_at_once_leave_one_session_open() {
    let app = TestApp::new().await;
    let (request, merchant) = (build("A1"), app.merchant());
    let (first, second) = tokio::join!(
        merchant.post("/orders/build", &request),
        merchant.post("/orders/build", &request)
    );
    first.ok();
    second.ok();
    let open = app
        .count("SELECT count(*) FROM build_session WHERE state NOT IN ('CANCELLED', 'DEAD')")
        .await;
    assert_eq!(open, 1);
}

#[tokio::test]
async fn other_merchants_have_their_own_order_ids() {
    let app = TestApp::new().await;
    app.open(&build("A1")).await;
    let other = app.key("sandbox-other-merchant");
    assert_eq!(other.get("/orders/A1").await.refusal(), "404");
    assert_eq!(
        other.post("/orders/build", &build("A1")).await.ok()["warnings"],
        json!([])
    );
}
