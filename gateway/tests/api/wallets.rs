//! Payments with a wallet (contract 8.1.11).

mod confirmed_sums;
mod encrypted_tokens;
mod network_tokens;

use crate::harness::{APPROVED, Answer, CHALLENGED, DECLINED, TestApp, build, token_of};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use payframe_payment_service::ChallengeAnswer;
use serde_json::{Value, json};

/// The data from the wallet's browser interface.
pub(crate) fn google(number: &str, method: &str) -> Value {
    let message = json!({ "paymentMethodDetails": {
        "pan": number, "expirationMonth": 12, "expirationYear": 2030, "authMethod": method,
        "cryptogram": "AAAA", "eciIndicator": "05"
    } });
    let token = json!({ "protocolVersion": "ECv2", "signature": "x", "signedMessage": message.to_string() });
    json!({
        "apiVersion": 2,
        "paymentMethodData": {
            "type": "CARD", "info": { "cardNetwork": "VISA", "cardDetails": "0003" },
            "tokenizationData": { "type": "PAYMENT_GATEWAY", "token": token.to_string() }
        }
    })
}

fn apple(number: &str) -> Value {
    apple_for(number, &json!({}))
}

/// With these members in what real wallets encrypt.
fn apple_for(number: &str, members: &Value) -> Value {
    let mut content = json!({
        "applicationPrimaryAccountNumber": number, "applicationExpirationDate": "301231",
        "paymentDataType": "3DSecure", "paymentData": { "onlinePaymentCryptogram": "AAAA", "eciIndicator": "07" }
    });
    let members = members.as_object().unwrap().clone();
    content.as_object_mut().unwrap().extend(members);
    json!({ "token": { "paymentData": { "version": "EC_v1", "data": STANDARD.encode(content.to_string()) } } })
}

pub(crate) fn request(order_id: &str, data: Value) -> Value {
    json!({
        "order": { "orderId": order_id, "amount": "3545", "currency": "EUR", "customerId": "cust-7" },
        "paymentSession": {
            "amount": "3545", "language": "eng",
            "resultUrl": "https://shop.example/ok", "cancelUrl": "https://shop.example/ko",
            "notificationUrl": "https://shop.example/hook"
        },
        "walletPaymentData": data
    })
}

async fn pay(app: &TestApp, request: &Value) -> Answer {
    app.merchant().post("/orders/walletpay", request).await
}

fn short(answer: &Value) -> String {
    let operation = &answer["operation"];
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    format!(
        "{} {} {}/{} {}",
        text(&answer["paymentFlow"]),
        text(&operation["paymentCircuit"]),
        text(&operation["channelDetail"]),
        text(&operation["operationResult"]),
        text(&operation["additionalData"]["threeDS"]),
    )
}

/// Runs the device check as the hidden frame does; returns the answer.
async fn device_checked(app: &TestApp, session: &str) -> Value {
    let frame = app.frame(session);
    let state = frame
        .get("/fe/build/gdi_and_finalize?attemptNumber=1")
        .await
        .ok();
    match state["url"].as_str() {
        Some(url) if url.contains("/threeds/device/") => {
            app.app
                .buyer_pages()
                .device_check_done(token_of(url))
                .await
                .unwrap();
            frame
                .get("/fe/build/gdi_and_finalize?attemptNumber=2")
                .await
                .ok()
        }
        _ => state,
    }
}

async fn notified(app: &TestApp) -> Vec<String> {
    let result = |body: &Value| {
        body["operation"]["operationResult"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    app.told().await.iter().map(result).collect()
}

#[tokio::test]
async fn a_wallet_that_vouches_for_its_card_pays_at_once() {
    let app = TestApp::new().await;
    let vouched = |number| google(number, "CRYPTOGRAM_3DS");
    for (order_id, service, data, expected) in [
        (
            "A1",
            Value::Null,
            vouched(APPROVED),
            "CRYPTOGRAM GOOGLE_PAY WALLET/EXECUTED FULL_SECURE",
        ),
        (
            "A2",
            json!("GOOGLEPAY"),
            vouched(DECLINED),
            "CRYPTOGRAM GOOGLE_PAY WALLET/DECLINED FULL_SECURE",
        ),
        (
            "A3",
            json!("GOOGLEPAY"),
            vouched(CHALLENGED),
            "CRYPTOGRAM GOOGLE_PAY WALLET/EXECUTED FULL_SECURE",
        ),
        (
            "A4",
            json!("GOOGLEPAY"),
            vouched("4761730000006000"),
            "CRYPTOGRAM GOOGLE_PAY WALLET/DENIED_BY_RISK -",
        ),
        (
            "A5",
            json!("APPLEPAY"),
            apple(APPROVED),
            "CRYPTOGRAM APPLE_PAY WALLET/EXECUTED FULL_SECURE",
        ),
        (
            "A6",
            json!("APPLEPAY"),
            apple("4761730000008881"),
            "CRYPTOGRAM APPLE_PAY WALLET/PENDING FULL_SECURE",
        ),
    ] {
        let mut request = request(order_id, data);
        request["paymentSession"]["paymentService"] = service;
        let answer = pay(&app, &request).await.ok();
        assert_eq!(short(&answer), expected, "{order_id}");
        assert!(answer.get("iframe").is_none(), "{answer}");
        assert_eq!(answer["operation"]["paymentMethod"], "CARD");
    }
    assert_eq!(notified(&app).await.len(), 6);
    app.pass(31).await;
    assert_eq!(
        app.order("A6").await["orderStatus"]["capturedAmount"],
        "3545"
    );
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
    // Card rules apply: partial refunds are possible.
    let id = app.order("A5").await["operations"][0]["operationId"].clone();
    for _ in 0..2 {
        let refund = json!({ "amount": "100", "currency": "EUR" });
        let path = format!("/operations/{}/refunds", id.as_str().unwrap());
        app.merchant().post(&path, &refund).await.ok();
    }
    assert_eq!(
        app.order("A5").await["orderStatus"]["refundedAmount"],
        "200"
    );
    assert_eq!(app.operations("A5").await[1]["paymentCircuit"], "APPLE_PAY");
}

#[tokio::test]
async fn a_wallet_with_a_number_alone_goes_through_three_d_secure() {
    let app = TestApp::new().await;
    for (order_id, number, expected) in [
        ("A1", APPROVED, "EXECUTED"),
        ("A2", "4761730000003049", "EXECUTED"),
        ("A3", "4761730000003064", "THREEDS_FAILED"),
        ("A4", DECLINED, "DECLINED"),
        ("A5", CHALLENGED, "EXECUTED"),
    ] {
        let answer = pay(&app, &request(order_id, google(number, "PAN_ONLY")))
            .await
            .ok();
        assert_eq!(
            short(&answer),
            "PAN_ONLY GOOGLE_PAY WALLET/PENDING -",
            "{order_id}"
        );
        let frame = &answer["iframe"];
        assert_eq!(frame["state"], "GDI_VERIFICATION");
        assert_eq!(frame["fields"].as_array().unwrap().len(), 1);
        assert_eq!(frame["fields"][0]["id"], "GDI");
        let session = frame["sessionId"].as_str().unwrap();
        assert_eq!(app.state(session).await["state"], "GDI_VERIFICATION");
        let mut state = device_checked(&app, session).await;
        if state["state"] == "REDIRECTED_TO_EXTERNAL_DOMAIN" {
            let url = state["url"].as_str().unwrap().to_owned();
            app.app
                .buyer_pages()
                .challenge_answer(token_of(&url), ChallengeAnswer::Approve)
                .await;
            state = app.state(session).await;
        }
        assert_eq!(state["state"], "PAYMENT_COMPLETE", "{order_id}");
        // The pending operation has its final result.
        let order = app.order(order_id).await;
        assert_eq!(order["operations"].as_array().unwrap().len(), 1);
        assert_eq!(
            order["operations"][0]["operationResult"], expected,
            "{order_id}"
        );
        assert_eq!(
            order["operations"][0]["operationId"],
            answer["operation"]["operationId"]
        );
    }
    let results = notified(&app).await;
    assert_eq!(results[..2], ["PENDING", "EXECUTED"]);
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

#[tokio::test]
async fn risk_rules_come_before_three_d_secure() {
    let app = TestApp::new().await;
    let risky = request("A1", google("4761730000006000", "PAN_ONLY"));
    let answer = pay(&app, &risky).await.ok();
    assert_eq!(
        short(&answer),
        "PAN_ONLY GOOGLE_PAY WALLET/DENIED_BY_RISK -"
    );
    assert!(answer.get("iframe").is_none());
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_device_check_that_never_comes_and_a_cancel_end_the_pending_operation() {
    let app = TestApp::new().await;
    let opened = async |order_id: &str| {
        let answer = pay(&app, &request(order_id, google(APPROVED, "PAN_ONLY")))
            .await
            .ok();
        answer["iframe"]["sessionId"].as_str().unwrap().to_owned()
    };
    let result = async |order_id: &str| {
        let operations = app.operations(order_id).await;
        let operations = operations.as_array().unwrap();
        let result = |operation: &Value| operation["operationResult"].as_str().unwrap().to_owned();
        operations.iter().map(result).collect::<Vec<_>>()
    };
    opened("A1").await;
    let second = opened("A2").await;
    opened("A3").await;
    let cancel = json!({ "sessionId": second });
    let cancelled = app.merchant().post("/build/cancel", &cancel).await.ok();
    assert_eq!(cancelled["operation"]["operationType"], "CANCEL");
    assert_eq!(result("A2").await, ["CANCELED"]);
    // Another attempt for the order also ends it.
    app.open(&build("A3")).await;
    assert_eq!(result("A3").await, ["CANCELED"]);
    app.pass(299).await;
    assert_eq!(result("A1").await, ["PENDING"]);
    app.pass(1).await;
    assert_eq!(result("A1").await, ["THREEDS_FAILED"]);
}

#[tokio::test]
async fn the_other_name_reads_the_other_member() {
    let app = TestApp::new().await;
    let mut other = request("A1", Value::Null);
    other["googlePayPaymentData"] = google(APPROVED, "CRYPTOGRAM_3DS");
    assert_eq!(pay(&app, &other).await.refusal(), "400 PS0026");
    for path in ["/orders/googlepay", "/v1/orders/googlepay"] {
        let answer = app.merchant().post(path, &other).await.ok();
        assert_eq!(
            short(&answer),
            "CRYPTOGRAM GOOGLE_PAY WALLET/EXECUTED FULL_SECURE"
        );
        other["order"]["orderId"] = json!("A2");
    }
    let wallet = request("A3", google(APPROVED, "CRYPTOGRAM_3DS"));
    let answer = app.merchant().post("/orders/googlepay", &wallet).await;
    assert!(
        answer.why().starts_with("googlePayPaymentData"),
        "{}",
        answer.why()
    );
    // Not served: the older names (contract 8.4).
    for path in ["/orders/2steps/init", "/orders/2steps/payment"] {
        assert_eq!(
            app.merchant().post(path, &wallet).await.status,
            404,
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_page_that_shows_the_device_check_must_be_known() {
    let app = TestApp::in_sandbox(|sandbox| sandbox.allow_insecure_urls = false).await;
    let change = |merchant_url: Value, result_url: Value, method: &str| {
        let mut request = request("A1", google(APPROVED, method));
        request["merchantUrl"] = merchant_url;
        request["paymentSession"]["resultUrl"] = result_url;
        request
    };
    let good = json!("https://shop.example/ok");
    for (merchant_url, result_url, method, expected) in [
        (Value::Null, Value::Null, "PAN_ONLY", "400 GW0001"),
        (
            Value::Null,
            json!("http://shop.example/"),
            "PAN_ONLY",
            // The address itself is refused, too.
            "400 GW0001 PS0026",
        ),
        (
            json!("http://shop.example"),
            good.clone(),
            "PAN_ONLY",
            "400 GW0001",
        ),
        (
            json!("http://shop.example"),
            good.clone(),
            "CRYPTOGRAM_3DS",
            "400 GW0001",
        ),
        (json!(7), good.clone(), "CRYPTOGRAM_3DS", "400 GW0001"),
    ] {
        let answer = pay(&app, &change(merchant_url, result_url, method)).await;
        assert_eq!(answer.refusal(), expected, "{method}");
    }
    let named = change(json!("https://other.example/pay"), good.clone(), "PAN_ONLY");
    let from_result = change(Value::Null, good, "PAN_ONLY");
    for (request, origin) in [
        (named, "https://other.example"),
        (from_result, "https://shop.example"),
    ] {
        assert_eq!(pay(&app, &request).await.refusal(), "400 GW0002");
        app.has_proven("91000001", origin).await;
        pay(&app, &request).await.ok();
    }
    let nothing = change(Value::Null, Value::Null, "CRYPTOGRAM_3DS");
    pay(&app, &nothing).await.ok();
    let origins = app
        .texts("SELECT merchant_origin FROM build_session ORDER BY merchant_origin DESC")
        .await;
    assert_eq!(
        origins,
        ["https://shop.example", "https://other.example", ""]
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_wallet_is_said_and_never_repeated() {
    let app = TestApp::new().await;
    let good = || google(APPROVED, "CRYPTOGRAM_3DS");
    for (data, service, expected) in [
        (Value::Null, Value::Null, "walletPaymentData is missing"),
        (json!("x"), Value::Null, "walletPaymentData must be"),
        (json!({}), Value::Null, "walletPaymentData must be"),
        (
            google("4761730000000004", "PAN_ONLY"),
            Value::Null,
            "walletPaymentData must be",
        ),
        (
            google("9000000000000001", "PAN_ONLY"),
            Value::Null,
            "walletPaymentData must be",
        ),
        (
            google(APPROVED, "OTHER"),
            Value::Null,
            "walletPaymentData must be",
        ),
        (good(), json!("APPLEPAY"), "walletPaymentData must be"),
        (
            good(),
            json!("PAYPAL"),
            "paymentSession.paymentService must be",
        ),
        (good(), json!(7), "paymentSession.paymentService must be"),
    ] {
        let mut request = request("A1", data);
        request["paymentSession"]["paymentService"] = service;
        let answer = pay(&app, &request).await;
        assert_eq!(answer.refusal(), "400 PS0026");
        assert!(answer.why().starts_with(expected), "{}", answer.why());
        assert!(!answer.text().contains("476134"), "{}", answer.text());
    }
    for (path, value, expected) in [
        ("/order/amount", json!("x"), "400 PS0036"),
        ("/order/currency", json!("XXX"), "400 PS0009"),
        ("/paymentSession/amount", json!("4000"), "400 PS0007"),
        ("/paymentSession/amount", json!("0"), "400 PS0026"),
    ] {
        let mut request = request("A1", good());
        *request.pointer_mut(path).unwrap() = value;
        assert_eq!(pay(&app, &request).await.refusal(), expected, "{path}");
    }
    let mut expired = request("A1", good());
    let token = expired["walletPaymentData"]["paymentMethodData"]["tokenizationData"]["token"]
        .as_str()
        .unwrap()
        .replace("2030", "2025");
    expired["walletPaymentData"]["paymentMethodData"]["tokenizationData"]["token"] = json!(token);
    assert_eq!(pay(&app, &expired).await.refusal(), "400 PS0026");
    let cards_only = app.key("sandbox-cards-only");
    let answer = cards_only
        .post("/orders/walletpay", &request("A1", good()))
        .await;
    assert_eq!(answer.refusal(), "400 PS0026");
    assert_eq!(
        app.nobody()
            .post("/orders/walletpay", &request("A1", good()))
            .await
            .status,
        401
    );
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
}

#[tokio::test]
async fn the_same_key_is_one_payment_even_if_its_answer_was_lost() {
    let app = TestApp::new().await;
    for (order_id, method) in [("A1", "CRYPTOGRAM_3DS"), ("A2", "PAN_ONLY")] {
        let key = format!("wallet-{order_id}");
        let request = request(order_id, google(APPROVED, method));
        let same = vec![(request.clone(), key.clone()); 6];
        let answers = app
            .all_at_once("sandbox-implicit", "/orders/walletpay", &same)
            .await;
        let first = answers[0].body.clone();
        for answer in answers {
            assert_eq!(answer.ok(), first);
        }
        if method == "CRYPTOGRAM_3DS" {
            app.lose_answers().await;
        }
        let again = app
            .merchant()
            .post_with("/orders/walletpay", &request, &[("idempotency-key", &key)])
            .await;
        assert_eq!(again.ok(), first);
    }
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 2);
    let paid = request("A1", google(APPROVED, "CRYPTOGRAM_3DS"));
    assert_eq!(pay(&app, &paid).await.refusal(), "400 GW9006");
}

#[tokio::test]
async fn wallets_keep_cards_and_hold_amounts() {
    let app = TestApp::new().await;
    let mut keeping = request("A1", google(APPROVED, "CRYPTOGRAM_3DS"));
    keeping["paymentSession"]["recurrence"] = json!({
        "action": "CONTRACT_CREATION", "contractId": "w-1", "contractType": "MIT_UNSCHEDULED"
    });
    let kept = pay(&app, &keeping).await.ok();
    assert_eq!(kept["operation"]["additionalData"]["contractId"], "w-1");
    let charge = json!({
        "order": { "orderId": "A2", "amount": "100", "currency": "EUR" }, "contractId": "w-1"
    });
    let charged = app.merchant().post("/orders/mit", &charge).await.ok();
    assert_eq!(charged["operation"]["operationResult"], "EXECUTED");
    keeping["order"]["orderId"] = json!("A3");
    assert_eq!(pay(&app, &keeping).await.refusal(), "400 PS0017");
    keeping["paymentSession"]["recurrence"] =
        json!({ "action": "SUBSEQUENT_PAYMENT", "contractId": "w-1" });
    assert_eq!(pay(&app, &keeping).await.refusal(), "400 PS0026");
    let mut held = request("A4", google(APPROVED, "CRYPTOGRAM_3DS"));
    held["paymentSession"]["actionType"] = json!("PREAUTH");
    held["paymentSession"]["amount"] = json!("1000");
    let held = pay(&app, &held).await.ok();
    assert_eq!(held["operation"]["operationResult"], "AUTHORIZED");
    assert_eq!(held["operation"]["operationAmount"], "1000");
}
