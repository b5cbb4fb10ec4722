//! The hosted payment page: what is refused, how it is paid, how the buyer leaves it, and when it ends.

mod ends;
mod methods;

use crate::harness::{
    APPROVED, Answer, CHALLENGED, DECLINED, TestApp, build, build_form, short, token_of,
};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

/// A request for a hosted page.
pub(crate) fn hpp(order_id: &str) -> Value {
    let mut request = build(order_id);
    let members = request.as_object_mut().unwrap();
    members.remove("version");
    members.remove("merchantUrl");
    request
}

/// Makes a page and returns its address.
pub(crate) async fn page_for(app: &TestApp, order_id: &str) -> String {
    page_of(app, &hpp(order_id)).await
}

async fn page_of(app: &TestApp, request: &Value) -> String {
    let answer = app.merchant().post("/orders/hpp", request).await.ok();
    answer["hostedPage"].as_str().unwrap().to_owned()
}

/// The first request of the page's script.
pub(crate) async fn open_session(app: &TestApp, address: &str) -> Answer {
    form(app, address, "session", "").await
}

pub(crate) async fn session_of(app: &TestApp, address: &str) -> String {
    let answer = open_session(app, address).await.ok();
    answer["session"].as_str().unwrap().to_owned()
}

/// Sends a form of the page, as a browser does.
pub(crate) async fn form(app: &TestApp, address: &str, part: &str, body: &str) -> Answer {
    let path = address.strip_prefix("https://gateway.example").unwrap();
    let request = Request::post(format!("{path}/{part}"))
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", "null")
        .header("sec-fetch-site", "same-origin")
        .body(Body::from(body.to_owned()))
        .unwrap();
    app.send(request).await
}

/// Submits a card in the page's form and presses Pay.
pub(crate) async fn pay(app: &TestApp, session: &str, number: &str) -> Value {
    app.enter(session, number).await;
    let body = json!({ "sessionId": session });
    let frame = app.frame(session);
    frame.post("/build/finalize_payment", &body).await.ok()
}

/// Where a browser arrives if it opens `address`, which is one of ours.
pub(crate) async fn followed(app: &TestApp, address: &str) -> String {
    let mut address = address.to_owned();
    for _ in 0..4 {
        let answer = app.page(&address, &[("sec-fetch-dest", "document")]).await;
        if answer.status != 303 {
            return address;
        }
        address = answer.header("location").unwrap().to_owned();
        if address.starts_with("https://shop.example") {
            break;
        }
    }
    address
}

pub(crate) async fn back_from(app: &TestApp, address: &str) -> String {
    followed(app, &format!("{address}/return")).await
}

pub(crate) async fn text_of(app: &TestApp, address: &str) -> String {
    let page = app.page(address, &[]).await;
    assert_eq!(page.status, 200);
    page.text()
}

#[tokio::test]
async fn a_page_is_paid_once_and_takes_the_browser_back() {
    let app = TestApp::new().await;
    let mut request = hpp("A1");
    request["paymentSession"]["resultUrl"] = json!("https://shop.example/ok?a=1&b=%20#c");
    let answer = app.merchant().post("/orders/hpp", &request).await.ok();
    let address = answer["hostedPage"].as_str().unwrap();
    assert!(
        address.starts_with("https://gateway.example/pay/"),
        "{answer}"
    );
    assert_eq!(answer["securityToken"].as_str().unwrap().len(), 32);
    assert_eq!(answer["warnings"], json!([]));
    assert_eq!(answer.as_object().unwrap().len(), 3);

    let session = session_of(&app, address).await;
    let paid = pay(&app, &session, APPROVED).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(
        back_from(&app, address).await,
        "https://shop.example/ok?a=1&b=%20#c"
    );
    assert_eq!(open_session(&app, address).await.status, 409);
    assert!(
        text_of(&app, address)
            .await
            .contains("Pagamento completato")
    );

    let order = app.order("A1").await;
    let operations = order["operations"].as_array().unwrap();
    assert_eq!(operations.len(), 1);
    assert_eq!(operations[0]["channelDetail"], "HOSTED_PAGE");
    assert_eq!(operations[0].get("paymentLinkId"), None);
    assert_eq!(order["paymentLinks"], json!([]));
    let told = &app.told().await[0];
    assert_eq!(told["eventType"], "PAYMENT");
    assert_eq!(told["securityToken"], answer["securityToken"]);
}

#[tokio::test]
async fn the_page_says_who_asks_for_what_and_nobody_may_frame_it() {
    let app = TestApp::with_dist().await;
    let mut request = hpp("A1");
    request["paymentSession"]["language"] = json!("ara");
    request["order"]["description"] = json!("Two <b>bold</b> shirts");
    request["order"]["transactionSummary"] = json!([
        { "language": "eng", "summaryList": [{ "label": "Size", "value": "L & XL" }] },
        { "language": "ara", "summaryList": [{ "label": "المقاس", "value": "كبير" }] },
    ]);
    let address = page_of(&app, &request).await;
    let page = app.page(&address, &[]).await;
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-security-policy").unwrap(),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         frame-src 'self'; base-uri 'none'; form-action 'self' https: http:; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types payframe-lazy; report-uri /reports; report-to reports"
    );
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(
        page.header("cross-origin-opener-policy"),
        Some("same-origin-allow-popups")
    );
    assert_eq!(page.header("cache-control"), Some("no-store"));
    let text = page.text();
    for part in [
        r#"<html lang="ar" dir="rtl">"#,
        "<p class=\"sum\">\u{200f}35.45\u{a0}€</p>",
        "Two &#60;b&#62;bold&#60;/b&#62; shirts",
        "المقاس",
        "A1",
        "الدفع إلى",
        crate::dist::RELEASE,
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    assert!(
        !text.contains("L & XL") && !text.contains("L &#38; XL"),
        "{text}"
    );
    // Loading the page started nothing.
    assert_eq!(app.count("SELECT count(*) FROM build_session").await, 0);
}

#[tokio::test]
async fn what_a_page_cannot_be_made_of_is_refused_by_name() {
    let app = TestApp::new().await;
    for (pointer, value, expected, named) in [
        (
            "/paymentSession/resultUrl",
            Value::Null,
            "400 PS0026",
            "paymentSession.resultUrl",
        ),
        (
            "/paymentSession/cancelUrl",
            json!("shop"),
            "400 PS0026",
            "paymentSession.cancelUrl",
        ),
        (
            "/paymentSession/amount",
            json!("3546"),
            "400 PS0007",
            "paymentSession.amount",
        ),
        (
            "/paymentSession/amount",
            json!("35.45"),
            "400 PS0036",
            "paymentSession.amount",
        ),
        (
            "/paymentSession",
            Value::Null,
            "400 PS0026 PS0026 PS0026 PS0026",
            "paymentSession",
        ),
        (
            "/order/orderId",
            json!("paybylink"),
            "400 PS0026",
            "order.orderId",
        ),
        (
            "/order/currency",
            json!("EURO"),
            "400 PS0009",
            "order.currency",
        ),
        (
            "/order/description",
            json!("<script>"),
            "400 PS0041",
            "order.description",
        ),
        (
            "/paymentSession/captureType",
            json!("EXPLICIT"),
            "400 PS0026",
            "paymentSession.captureType",
        ),
        (
            "/paymentSession/paymentService",
            json!("SHELLS"),
            "400 PS0026",
            "paymentSession.paymentService",
        ),
    ] {
        let mut request = hpp("A1");
        *request.pointer_mut(pointer).unwrap_or(&mut Value::Null) = value.clone();
        if request.pointer(pointer).is_none() {
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            request.pointer_mut(parent).unwrap()[name] = value;
        }
        let answer = app.merchant().post("/orders/hpp", &request).await;
        assert_eq!(answer.refusal(), expected, "{pointer} {}", answer.why());
        assert!(answer.why().contains(named), "{pointer} {}", answer.why());
    }
    let without_key = app.nobody().post("/orders/hpp", &hpp("A1")).await;
    assert_eq!(without_key.refusal(), "401 GW9020");
    let without_body = app.merchant().post("/orders/hpp", &json!([])).await;
    assert_eq!(without_body.status, 400);
    assert_eq!(app.count("SELECT count(*) FROM hosted_page").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
}

#[tokio::test]
async fn the_same_key_makes_one_page() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    let key = [("idempotency-key", "k1")];
    let first = merchant.post_with("/orders/hpp", &hpp("A1"), &key).await;
    let second = merchant.post_with("/v1/orders/hpp", &hpp("A1"), &key).await;
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_eq!(first.ok(), second.ok());
    let other = merchant.post_with("/orders/hpp", &hpp("A2"), &key).await;
    assert_eq!(other.refusal(), "400 PS0025");
    assert_eq!(app.count("SELECT count(*) FROM hosted_page").await, 1);
}

#[tokio::test]
async fn an_address_without_a_page_is_readable() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let as_link = address.replace("/pay/", "/link/");
    for (address, language, expected) in [
        (
            "https://gateway.example/pay/none",
            "it-IT",
            "A questo indirizzo non c’è nessun pagamento",
        ),
        (
            "https://gateway.example/pay/none",
            "tlh",
            "There is no payment at this address",
        ),
        (
            "https://gateway.example/link/%2e%2e%2f",
            "de",
            "Unter dieser Adresse gibt es keine Zahlung",
        ),
        (
            "https://gateway.example/pay/none/return",
            "en",
            "There is no payment at this address",
        ),
        (
            as_link.as_str(),
            "en",
            "There is no payment at this address",
        ),
    ] {
        let page = app.page(address, &[("accept-language", language)]).await;
        assert_eq!(page.status, 404, "{address}");
        assert!(page.text().contains(expected), "{address}: {}", page.text());
    }
    assert_eq!(
        open_session(&app, "https://gateway.example/pay/none")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn a_check_of_the_card_and_a_hold_say_what_they_are() {
    let app = TestApp::new().await;
    for (order_id, action, outcome, said) in [
        (
            "A1",
            "VERIFY",
            "CARD_VERIFICATION/EXECUTED",
            "Carta salvata",
        ),
        (
            "A2",
            "PREAUTH",
            "AUTHORIZATION/AUTHORIZED",
            "Importo bloccato",
        ),
    ] {
        let mut request = hpp(order_id);
        request["paymentSession"]["actionType"] = json!(action);
        let address = page_of(&app, &request).await;
        let priced = text_of(&app, &address).await.contains("class=\"sum\"");
        assert_eq!(priced, action != "VERIFY");
        let session = session_of(&app, &address).await;
        let paid = pay(&app, &session, APPROVED).await;
        assert_eq!(short(&paid), format!("PAYMENT_COMPLETE {outcome}"));
        let text = text_of(&app, &address).await;
        assert!(text.contains(said), "{text}");
    }
}

#[tokio::test]
async fn a_page_makes_a_contract_and_another_page_is_paid_with_its_card() {
    let app = TestApp::new().await;
    let contract = |order_id: &str, recurrence: Value| {
        let mut request = hpp(order_id);
        request["order"]["customerId"] = json!("cust-7");
        request["paymentSession"]["recurrence"] = recurrence;
        request
    };
    let created =
        json!({ "action": "CONTRACT_CREATION", "contractId": "C1", "contractType": "CIT" });
    let address = page_of(&app, &contract("A1", created.clone())).await;
    let session = session_of(&app, &address).await;
    // A refused payment makes no contract, and the next session of the page still asks for one.
    pay(&app, &session, DECLINED).await;
    app.pass(301).await;
    let session = session_of(&app, &address).await;
    pay(&app, &session, APPROVED).await;
    let contracts = app.merchant().get("/contracts/customers/cust-7").await.ok();
    assert_eq!(contracts["contracts"][0]["contractId"], "C1");
    let taken = app
        .merchant()
        .post("/orders/hpp", &contract("A2", created))
        .await;
    assert_eq!(taken.refusal(), "400 PS0017");

    let used = json!({ "action": "SUBSEQUENT_PAYMENT", "contractId": "C1" });
    let address = page_of(&app, &contract("A3", used)).await;
    let session = session_of(&app, &address).await;
    assert_eq!(app.state(&session).await["state"], "READY_FOR_PAYMENT");
    let body = json!({ "sessionId": session });
    let paid = app
        .frame(&session)
        .post("/build/finalize_payment", &body)
        .await
        .ok();
    assert_eq!(paid["state"], "PAYMENT_COMPLETE", "{paid}");
    let operations = app.order("A3").await["operations"].clone();
    assert_eq!(operations[0]["operationResult"], "EXECUTED");
    assert_eq!(operations[0]["channelDetail"], "HOSTED_PAGE");
    assert_eq!(back_from(&app, &address).await, "https://shop.example/ok");
}
