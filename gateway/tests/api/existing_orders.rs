//! More calls of servers that were written for another gateway with this API (contract 13): methods, addresses
//! and money in their requests, and how they read orders. Bodies are written as such clients write them.

mod carts;

use crate::actions::{paid, paid_by};
use crate::contracts::{creation, pay as pay_with};
use crate::harness::{APPROVED, Answer, DECLINED, TestApp, short};
use crate::hosted::{form, open_session, page_for, pay as pay_on_page, session_of};
use crate::office::Person;
use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};

/// An order as a shop's plugin sends it for a hosted page.
fn hosted_order(order_id: &str, service: &str) -> Value {
    json!({
        "order": {
            "orderId": order_id, "amount": "3545", "currency": "EUR", "customerId": 7,
            "customerInfo": {
                "cardHolderName": "Anna Rossi", "cardHolderEmail": "anna@example.com",
                "billingAddress": { "name": "Anna Rossi", "street": "Via Roma 1", "city": "Roma", "postCode": "00100", "province": "RM", "country": "IT" },
                "shippingAddress": { "name": "Anna Rossi", "street": "Via Roma 1", "city": "Roma", "postCode": "00100", "province": "RM", "country": "Italia" }
            }
        },
        "paymentSession": {
            "actionType": "PAY", "amount": "3545", "language": "ITA", "paymentService": service,
            "resultUrl": "https://shop.example/ok", "cancelUrl": "https://shop.example/ko", "notificationUrl": "https://shop.example/hook"
        }
    })
}

fn codes(answer: &Value) -> Vec<&str> {
    let warnings = answer["warnings"].as_array().unwrap();
    warnings
        .iter()
        .map(|warning| warning["code"].as_str().unwrap())
        .collect()
}

/// The order's page of the back office.
async fn office_page(app: &TestApp, path: &str) -> String {
    let person = Person::logged_in(app, "vera", "viewer").await;
    person.get(path).await.text()
}

/// A call with a path below `/api`, without the harness's own headers.
async fn raw(app: &TestApp, verb: Method, path: &str, body: Option<&Value>) -> Answer {
    let request = Request::builder()
        .method(verb)
        .uri(format!("/api{path}"))
        .header("X-Api-Key", "sandbox-implicit")
        .header("Content-Type", "application/json");
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    app.send(request.body(body).unwrap()).await
}

#[tokio::test]
async fn d131_an_address_of_an_unknown_country_is_left_out_with_a_warning() {
    let app = TestApp::new().await;
    let request = hosted_order("A1", "CARDS");
    let answer = raw(&app, Method::POST, "/orders/hpp", Some(&request))
        .await
        .ok();
    assert_eq!(
        answer["warnings"],
        json!([{ "code": "GW9107",
            "description": "order.customerInfo.shippingAddress.country is no country (ISO 3166-1, three letters or two), so the address is left out" }])
    );
    let order = app.order("A1").await;
    let info = &order["orderStatus"]["order"]["customerInfo"];
    assert_eq!(info["billingAddress"]["country"], "ITA");
    assert_eq!(info.get("shippingAddress"), None);
    assert_eq!(info["cardHolderName"], "Anna Rossi");
    let page = office_page(&app, "/office/orders/A1").await;
    assert!(page.contains("GW9107"), "{page}");
    // A key covers what was sent, so also what was left out.
    let key = [("idempotency-key", "page-1")];
    let mut other = hosted_order("A3", "CARDS");
    let first = app.merchant().post_with("/orders/hpp", &other, &key).await;
    let again = app.merchant().post_with("/orders/hpp", &other, &key).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(codes(&again.ok()), codes(&first.ok()));
    other["order"]["customerInfo"]["shippingAddress"]["city"] = json!("Milano");
    let changed = app.merchant().post_with("/orders/hpp", &other, &key).await;
    assert_eq!(changed.refusal(), "400 PS0025");
    // A caller who asks for it gets a refusal instead.
    let strict = [("prefer", "handling=strict")];
    let refused = app
        .merchant()
        .post_with("/orders/hpp", &hosted_order("A2", "CARDS"), &strict)
        .await;
    assert_eq!(refused.refusal(), "400 GW9107");
}

#[tokio::test]
async fn d131_no_country_is_a_reason_to_refuse_a_payment() {
    let app = TestApp::new().await;
    for (number, country) in ["", "ZZ", "UK", "ZZZ", "380", "Deutschland"]
        .into_iter()
        .enumerate()
    {
        for address in ["billingAddress", "shippingAddress"] {
            let mut request = hosted_order(&format!("{address}{number}"), "CARDS");
            request["order"]["customerInfo"]["shippingAddress"] = Value::Null;
            request["order"]["customerInfo"][address]["country"] = json!(country);
            let answer = raw(&app, Method::POST, "/orders/hpp", Some(&request)).await;
            let answer = answer.ok();
            assert_eq!(codes(&answer), ["GW9107"], "{address} {country}");
            let why = answer["warnings"][0]["description"].as_str().unwrap();
            assert!(
                why.starts_with(&format!(
                    "order.customerInfo.{address}.country is no country"
                )),
                "{why}"
            );
        }
    }
}

#[tokio::test]
async fn d131_a_method_of_one_country_is_offered_by_its_two_letters() {
    let app = TestApp::new().await;
    let mut request = hosted_order("A1", "BANCONTACT");
    request["order"]["customerInfo"] = json!({ "billingAddress": { "country": "BE" } });
    raw(&app, Method::POST, "/orders/hpp", Some(&request))
        .await
        .ok();
}

#[tokio::test]
async fn d132_a_wallet_is_named_as_the_service_of_any_payment() {
    let app = TestApp::new().await;
    for (number, wallet) in ["GOOGLEPAY", "APPLEPAY"].into_iter().enumerate() {
        for (name, path) in [("H", "/orders/hpp"), ("B", "/orders/build")] {
            let mut request = hosted_order(&format!("{name}{number}"), wallet);
            request["order"]["customerInfo"] = json!({});
            if name == "B" {
                request["version"] = json!("3");
                request["merchantUrl"] = json!("https://shop.example");
            }
            let answer = raw(&app, Method::POST, path, Some(&request)).await.ok();
            assert_eq!(answer["warnings"], json!([]), "{wallet} {path}");
        }
        let refused = app
            .key("sandbox-cards-only")
            .post("/orders/hpp", &hosted_order("A9", wallet))
            .await;
        assert_eq!(refused.refusal(), "400 PS0026");
    }
}

#[tokio::test]
async fn d133_methods_are_listed_by_the_codes_that_a_payment_takes() {
    let app = TestApp::new().await;
    let answer = raw(&app, Method::GET, "/payment_methods", None).await.ok();
    let methods = answer["paymentMethods"].as_array().unwrap();
    let circuits = |kind: &str| -> Vec<&str> {
        methods
            .iter()
            .filter(|method| method["paymentMethodType"] == kind)
            .map(|method| method["circuit"].as_str().unwrap())
            .collect()
    };
    let cards = circuits("CARD");
    for code in ["VISA", "MC", "MAE", "UPI", "GOOGLEPAY", "APPLEPAY"] {
        assert!(cards.contains(&code), "{code}");
    }
    let others = circuits("APM");
    for code in [
        "BANCOMATPAY",
        "AMAZONPAY",
        "PAYBYBANK",
        "SKRILL1TAP",
        "WECHAT",
    ] {
        assert!(others.contains(&code), "{code}");
    }
    // The listed spellings are accepted, and so are the others.
    let further = [
        "CARD",
        "CARDS",
        "BANCOMAT_PAY",
        "AMAZON_PAY",
        "PAY_BY_BANK",
        "WECHATPAY",
    ];
    let wallets = ["GOOGLEPAY", "APPLEPAY"];
    for (number, service) in others.into_iter().chain(further).chain(wallets).enumerate() {
        let mut request = hosted_order(&format!("A{number}"), service);
        let country = match service {
            "BANCONTACT" => "BEL",
            "GIROPAY" => "DEU",
            "MULTIBANCO" => "PRT",
            _ => "ITA",
        };
        request["order"]["customerInfo"] = json!({ "billingAddress": { "country": country } });
        let answer = raw(&app, Method::POST, "/orders/hpp", Some(&request)).await;
        assert_eq!(answer.status, 200, "{service}: {}", answer.body);
        app.clock.advance(std::time::Duration::from_secs(1));
    }
}

#[tokio::test]
async fn d133_networks_are_told_by_the_circuits_that_clients_know() {
    let app = TestApp::new().await;
    for (order_id, number, circuit) in [
        ("A1", "6759649826438453", "MAE"),
        ("A2", "6205500000000000004", "UPI"),
    ] {
        let session = app.open(&crate::harness::build(order_id)).await;
        app.enter(&session, number).await;
        let card = app
            .merchant()
            .get(&format!("/build/cardData?sessionId={session}"))
            .await
            .ok();
        assert_eq!(card["circuit"], circuit);
        let state = app.finalize(&session).await;
        assert_eq!(
            state["operation"]["paymentCircuit"],
            circuit,
            "{}",
            short(&state)
        );
    }
}

#[tokio::test]
async fn d134_who_cancels_on_the_hosted_page_leaves_an_authorization() {
    let app = TestApp::new().await;
    // Cancelled in the form of the page.
    let address = page_for(&app, "A1").await;
    let session = session_of(&app, &address).await;
    let body = json!({ "sessionId": session });
    app.frame(&session).post("/build/cancel", &body).await.ok();
    // Cancelled by the page's own link, after the form was opened.
    let address = page_for(&app, "A2").await;
    session_of(&app, &address).await;
    form(&app, &address, "cancel", "").await;
    for order_id in ["A1", "A2"] {
        let order = app.order(order_id).await;
        let last = &order["operations"][0];
        assert_eq!(last["operationType"], "AUTHORIZATION", "{order_id}");
        assert_eq!(last["operationResult"], "CANCELED", "{order_id}");
        assert_eq!(order["orderStatus"]["authorizedAmount"], "0");
    }
    // A form in the shop's own page still ends with a cancel.
    let session = app.open(&crate::harness::build("A3")).await;
    let body = json!({ "sessionId": session });
    app.merchant().post("/build/cancel", &body).await.ok();
    assert_eq!(
        app.order("A3").await["operations"][0]["operationType"],
        "CANCEL"
    );
}

#[tokio::test]
async fn d135_a_deactivation_answers_an_object() {
    let app = TestApp::new().await;
    pay_with(&app, &creation("A1", "K1", "CIT"), APPROVED).await;
    let answer = raw(&app, Method::POST, "/contracts/K1/deactivation", None).await;
    assert_eq!((answer.status, answer.text().as_str()), (200, "{}"));
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn d136_a_contract_for_charges_without_the_buyer_pays_with_the_buyer_too() {
    let app = TestApp::new().await;
    let mut agreed = creation("A1", "K1", "MIT_SCHEDULED");
    agreed["paymentSession"]["recurrence"]["contractFrequency"] = json!("30");
    pay_with(&app, &agreed, APPROVED).await;
    let contracts = raw(&app, Method::GET, "/contracts/customers/cust-7", None)
        .await
        .ok();
    let contract = &contracts["contracts"][0];
    assert_eq!(contract["contractType"], "MIT_SCHEDULED");
    assert_eq!(contract["recurringContractType"], "MIT_SCHEDULED");
    app.pass(30 * 86_400).await;
    let mut request = crate::harness::build("A2");
    request["paymentSession"]["recurrence"] =
        json!({ "action": "SUBSEQUENT_PAYMENT", "contractId": "K1" });
    let session = app.open(&request).await;
    let state = app.finalize(&session).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(state["operation"]["additionalData"]["contractId"], "K1");
    // A separate payment by the buyer does not delay the agreed charge.
    let charge = crate::contracts::charge(&app, "A3", "K1").await.ok();
    assert_eq!(crate::contracts::result(&charge), "AUTHORIZATION/EXECUTED");
    // A type in the request must be the contract's.
    let mut other = crate::harness::build("A4");
    other["paymentSession"]["recurrence"] =
        json!({ "action": "SUBSEQUENT_PAYMENT", "contractId": "K1", "contractType": "CIT" });
    let refused = app.merchant().post("/orders/build", &other).await;
    assert_eq!(refused.refusal(), "400 PS0017");
}

/// Moves money as clients do that send no key and `null` for the currency; returns the operation.
async fn moved(app: &TestApp, operation_id: &str, action: &str, amount: &str) -> Value {
    let body = json!({ "amount": amount, "currency": null, "description": "Order 42" });
    let path = format!("/operations/{operation_id}/{action}");
    let answer = raw(app, Method::POST, &path, Some(&body)).await;
    assert_eq!(answer.status, 200, "{action} {amount}: {}", answer.body);
    let id = answer.body["operationId"].as_str().unwrap();
    app.merchant().get(&format!("/operations/{id}")).await.ok()
}

#[tokio::test]
async fn d137_a_refund_of_an_authorization_reaches_its_captured_money() {
    let app = TestApp::new().await;
    let held = paid_by(&app, "sandbox-implicit", "A1", "EUR", "PREAUTH", APPROVED).await;
    let first = moved(&app, &held, "captures", "3000").await;
    let second = moved(&app, &held, "captures", "2000").await;
    let refund = moved(&app, &held, "refunds", "4000").await;
    assert_eq!(refund["operationType"], "REFUND");
    assert_eq!(refund["operationAmount"], "4000");
    let captured = async |id: &Value| {
        let path = format!("/operations/{}", id["operationId"].as_str().unwrap());
        app.merchant().get(&path).await.ok()["operationResult"].clone()
    };
    assert_eq!(
        captured(&first).await,
        "REFUNDED",
        "the oldest capture first"
    );
    assert_eq!(captured(&second).await, "EXECUTED");
    let order = app.order("A1").await;
    assert_eq!(order["orderStatus"]["refundedAmount"], "4000");
    assert_eq!(order["orderStatus"]["authorizedAmount"], "10000");
    // More than is captured, and less than all that is open.
    let path = format!("/operations/{held}/refunds");
    let above = app
        .merchant()
        .post(&path, &json!({ "amount": "4999", "currency": "EUR" }))
        .await;
    assert_eq!(above.refusal(), "400 PS0029");
    // The whole open amount is released.
    let released = moved(&app, &held, "refunds", "5000").await;
    assert_eq!(released["operationType"], "VOID");
    assert_eq!(
        app.order("A1").await["orderStatus"]["authorizedAmount"],
        "5000"
    );
}

#[tokio::test]
async fn d140_who_polls_an_order_reads_the_last_attempt_first() {
    let app = TestApp::new().await;
    let mut request = crate::harness::build("A1");
    let session = app.open(&request).await;
    app.enter(&session, DECLINED).await;
    app.finalize(&session).await;
    request["paymentSession"]["amount"] = json!("3545");
    let session = app.open(&request).await;
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    let order = raw(&app, Method::GET, "/orders/A1", None).await.ok();
    let operations = order["operations"].as_array().unwrap();
    let first = operations
        .iter()
        .find(|operation| operation["operationType"] == "AUTHORIZATION");
    assert_eq!(first.unwrap()["operationResult"], "EXECUTED");
    assert_eq!(operations.last().unwrap()["operationResult"], "DECLINED");
    assert_eq!(order["orderStatus"]["lastOperation"], operations[0]);
    assert_eq!(
        order["orderStatus"]["lastOperationTime"],
        operations[0]["operationTime"]
    );
}

#[tokio::test]
async fn d140_a_release_is_told_as_voided_and_nobody_takes_it_for_paid() {
    let app = TestApp::new().await;
    let held = paid_by(&app, "sandbox-implicit", "A1", "EUR", "PREAUTH", APPROVED).await;
    let released = moved(&app, &held, "refunds", "10000").await;
    assert_eq!(released["operationType"], "VOID");
    assert_eq!(released["operationResult"], "VOIDED");
    let order = app.order("A1").await;
    for operation in order["operations"].as_array().unwrap() {
        assert_eq!(operation["operationResult"], "VOIDED");
    }
    // The release that the gateway makes itself, too.
    paid_by(&app, "sandbox-implicit", "A2", "EUR", "PREAUTH", APPROVED).await;
    app.pass(60 * 86_400).await;
    let order = app.order("A2").await;
    assert_eq!(order["operations"][0]["operationType"], "VOID");
    assert_eq!(order["operations"][0]["operationResult"], "VOIDED");
}

/// Migration 81.
#[tokio::test]
async fn what_was_told_before_is_told_as_clients_know_it() {
    let app = TestApp::new().await;
    let session = app.open(&crate::harness::build("A1")).await;
    app.enter(&session, "6759649826438453").await;
    app.finalize(&session).await;
    let held = paid_by(&app, "sandbox-implicit", "A2", "EUR", "PREAUTH", APPROVED).await;
    moved(&app, &held, "refunds", "10000").await;
    let (paid, released) = (app.order("A1").await, app.order("A2").await);
    for statement in [
        "UPDATE operation SET document = replace(document, '\"MAE\"', '\"MAESTRO\"')",
        "UPDATE operation SET result = 'EXECUTED', document = replace(document, '\"VOIDED\"', '\"EXECUTED\"') WHERE operation_type = 'VOID'",
        "UPDATE terminal SET methods = replace(methods, ',SKRILL1TAP', '')",
        "DELETE FROM _sqlx_migrations WHERE version = 81",
    ] {
        app.change(statement).await;
    }
    assert_ne!(app.order("A1").await, paid);
    assert_ne!(app.order("A2").await, released);
    let app = app.restarted().await;
    assert_eq!(app.order("A1").await, paid);
    assert_eq!(app.order("A2").await, released);
    let methods = app.texts("SELECT methods FROM terminal WHERE terminal_id = '91000001'");
    assert!(methods.await[0].contains("SKRILL,SKRILL1TAP,HEYLIGHT"));
    let of_maestro = "SELECT count(*) FROM operation WHERE circuit = 'MAE'";
    assert_eq!(app.count(of_maestro).await, 1);
}

#[tokio::test]
async fn d140_a_currency_without_a_value_is_the_orders() {
    let app = TestApp::new().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "JPY").await;
    let refund = moved(&app, &sale, "refunds", "50").await;
    assert_eq!(refund["operationCurrency"], "JPY");
    let path = format!("/operations/{sale}/refunds");
    let without = json!({ "amount": "50" });
    app.merchant().post(&path, &without).await.ok();
    let other = json!({ "amount": "50", "currency": "EUR" });
    assert_eq!(
        app.merchant().post(&path, &other).await.refusal(),
        "400 PS0009"
    );
}

#[tokio::test]
async fn d130_the_back_office_says_which_calls_can_not_be_repeated() {
    let app = TestApp::new().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    moved(&app, &sale, "refunds", "100").await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let page = person.get("/office/orders/A1").await.text();
    assert!(
        page.contains("calls without a key cannot be repeated safely"),
        "{page}"
    );
    pay_with(&app, &creation("A2", "K1", "MIT_UNSCHEDULED"), APPROVED).await;
    let charge = json!({ "order": { "orderId": "B1", "amount": 1000, "currency": "EUR" }, "contractId": "K1" });
    raw(&app, Method::POST, "/orders/mit", Some(&charge))
        .await
        .ok();
    let page = person.get("/office/orders/B1").await.text();
    assert!(page.contains("GW9105"), "{page}");
}

#[tokio::test]
async fn d142_the_script_has_its_old_address() {
    let app = TestApp::with_dist().await;
    let ours = app.page("/sdk/build.js", &[]).await;
    let old = app.page("/monetaweb/resources/hfsdk.js", &[]).await;
    assert_eq!((old.status, &old.bytes), (200, &ours.bytes));
    assert!(!old.bytes.is_empty());
    for name in ["content-type", "access-control-allow-origin", "etag"] {
        assert_eq!(old.header(name), ours.header(name), "{name}");
    }
    assert_eq!(
        app.page("/monetaweb/resources/other.js", &[]).await.status,
        404
    );
}

#[tokio::test]
async fn d142_further_addresses_are_the_operators() {
    let app = TestApp::with(|config| {
        config.aliases = "/shop/api=/api".parse().unwrap();
    })
    .await;
    app.open(&crate::harness::build("A1")).await;
    for (path, status) in [
        ("/shop/api/orders/A1", 200),
        ("/shop/apis/orders/A1", 404),
        ("/shop/orders/A1", 404),
    ] {
        let request = Request::get(path)
            .header("X-Api-Key", "sandbox-implicit")
            .body(Body::empty())
            .unwrap();
        assert_eq!(app.send(request).await.status, status, "{path}");
    }
}
