//! The hosted payment page: what is refused, how it is paid, how the buyer leaves it, and when it ends.

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
         require-trusted-types-for 'script'; trusted-types 'none'"
    );
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
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
async fn a_refused_payment_may_be_tried_again_five_times_in_all() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let session = session_of(&app, &address).await;
    for _ in 0..2 {
        let refused = pay(&app, &session, DECLINED).await;
        assert_eq!(
            short(&refused),
            "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED"
        );
    }
    // The session ends because nothing happens in it; the next one has the remaining attempts.
    app.pass(301).await;
    let session = session_of(&app, &address).await;
    for _ in 0..2 {
        pay(&app, &session, DECLINED).await;
    }
    assert_eq!(
        back_from(&app, &address).await,
        address.strip_prefix("https://gateway.example").unwrap()
    );
    let last = pay(&app, &session, DECLINED).await;
    assert_eq!(short(&last), "PAYMENT_COMPLETE AUTHORIZATION/DECLINED");
    assert_eq!(open_session(&app, &address).await.status, 409);
    assert_eq!(back_from(&app, &address).await, "https://shop.example/ok");
    assert!(
        text_of(&app, &address)
            .await
            .contains("Pagamento rifiutato")
    );
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        5
    );
}

#[tokio::test]
async fn all_windows_of_a_page_share_one_session_until_it_dies() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let first = session_of(&app, &address).await;
    assert_eq!(session_of(&app, &address).await, first);
    // Each request shows that the buyer is active.
    for _ in 0..3 {
        app.pass(200).await;
        assert_eq!(session_of(&app, &address).await, first);
    }
    app.pass(301).await;
    let second = session_of(&app, &address).await;
    assert_ne!(second, first);
    let gone = app.frame(&first).get("/build/state").await;
    assert_eq!(gone.refusal(), "400 PS0061");
    let paid = pay(&app, &second, APPROVED).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}

#[tokio::test]
async fn a_page_is_over_after_an_hour_and_leaves_nothing() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    for _ in 0..17 {
        app.pass(200).await;
        session_of(&app, &address).await;
    }
    app.pass(199).await;
    let session = session_of(&app, &address).await;
    app.pass(1).await;
    assert_eq!(open_session(&app, &address).await.status, 409);
    assert_eq!(
        app.frame(&session).get("/build/state").await.refusal(),
        "400 PS0061"
    );
    let text = text_of(&app, &address).await;
    assert!(
        text.contains("https://shop.example/ko") && text.contains("scadut"),
        "{text}"
    );
    assert_eq!(app.order("A1").await["operations"], json!([]));
    assert_eq!(app.count("SELECT count(*) FROM notification").await, 0);
}

#[tokio::test]
async fn who_gives_up_goes_to_the_cancel_url() {
    let app = TestApp::new().await;
    // Cancel in the form.
    let address = page_for(&app, "A1").await;
    let session = session_of(&app, &address).await;
    let body = json!({ "sessionId": session });
    app.frame(&session).post("/build/cancel", &body).await.ok();
    assert_eq!(back_from(&app, &address).await, "https://shop.example/ko");
    assert_eq!(open_session(&app, &address).await.status, 409);
    assert!(
        text_of(&app, &address)
            .await
            .contains("Pagamento annullato")
    );
    // Cancel on the page, with and without a session.
    for (order_id, opened) in [("A2", true), ("A3", false)] {
        let address = page_for(&app, order_id).await;
        if opened {
            session_of(&app, &address).await;
        }
        let left = form(&app, &address, "cancel", "").await;
        assert_eq!(
            (left.status, left.header("location")),
            (303, Some("https://shop.example/ko"))
        );
        assert_eq!(open_session(&app, &address).await.status, 409);
        let operations = app.order(order_id).await["operations"]
            .as_array()
            .unwrap()
            .len();
        assert_eq!(operations, usize::from(opened));
    }
}

#[tokio::test]
async fn what_was_paid_is_not_given_up() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let session = session_of(&app, &address).await;
    pay(&app, &session, APPROVED).await;
    let left = form(&app, &address, "cancel", "").await;
    assert_eq!(left.header("location"), Some("https://shop.example/ok"));
    assert_eq!(
        app.order("A1").await["orderStatus"]["capturedAmount"],
        "3545"
    );
}

#[tokio::test]
async fn another_attempt_of_the_order_closes_the_page() {
    let app = TestApp::new().await;
    for opened in [false, true] {
        let order_id = if opened { "A1" } else { "A2" };
        let first = page_for(&app, order_id).await;
        if opened {
            session_of(&app, &first).await;
        }
        let again = app
            .merchant()
            .post("/orders/hpp", &hpp(order_id))
            .await
            .ok();
        assert_eq!(again["warnings"][0]["code"], "GW9103", "{again}");
        assert_eq!(again["warnings"].as_array().unwrap().len(), 1);
        assert_eq!(open_session(&app, &first).await.status, 409);
        let built = app
            .merchant()
            .post("/orders/build", &build_form(order_id, 1))
            .await
            .ok();
        assert_eq!(built["warnings"][0]["code"], "GW9103", "{built}");
        assert_eq!(
            open_session(&app, again["hostedPage"].as_str().unwrap())
                .await
                .status,
            409
        );
        let paid = pay(&app, built["sessionId"].as_str().unwrap(), APPROVED).await;
        assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        let paid_order = app.merchant().post("/orders/hpp", &hpp(order_id)).await;
        assert_eq!(paid_order.refusal(), "400 GW9006");
    }
    // After the payment, another amount is refused too.
    let mut other_amount = hpp("A1");
    other_amount["order"]["amount"] = json!("4000");
    let other_amount = app.merchant().post("/orders/hpp", &other_amount).await;
    assert_eq!(other_amount.refusal(), "400 GW9006");
}

/// A page that offers methods besides the card.
async fn page_with_methods(app: &TestApp, order_id: &str) -> String {
    let mut request = hpp(order_id);
    request["paymentSession"]["paymentService"] = Value::Null;
    page_of(app, &request).await
}

/// Chooses a method and presses a button on its page.
async fn by_method(app: &TestApp, address: &str, button: &str) -> String {
    let chosen = form(app, address, "method", "method=PAYPAL").await;
    assert_eq!(chosen.status, 303, "{}", chosen.text());
    let there = chosen.header("location").unwrap().to_owned();
    let path = there.strip_prefix("https://gateway.example").unwrap();
    let press = Request::post(path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(format!("answer={button}")))
        .unwrap();
    let pressed = app.send(press).await;
    followed(app, pressed.header("location").unwrap()).await
}

#[tokio::test]
async fn other_methods_start_from_the_page_and_come_back_to_it() {
    let app = TestApp::new().await;
    let here = |address: &str| {
        address
            .strip_prefix("https://gateway.example")
            .unwrap()
            .to_owned()
    };

    let address = page_with_methods(&app, "A1").await;
    assert!(
        text_of(&app, &address)
            .await
            .contains(r#"name="method" value="PAYPAL""#)
    );
    // The payment by card was started first.
    session_of(&app, &address).await;
    assert_eq!(
        by_method(&app, &address, "approve").await,
        "https://shop.example/ok"
    );
    let operations = app.order("A1").await["operations"].clone();
    assert_eq!(operations.as_array().unwrap().len(), 1);
    assert_eq!(operations[0]["paymentCircuit"], "PAYPAL");
    assert_eq!(operations[0]["channelDetail"], "HOSTED_PAGE");

    let address = page_with_methods(&app, "A2").await;
    assert_eq!(by_method(&app, &address, "refuse").await, here(&address));
    assert!(text_of(&app, &address).await.contains("class=\"notice\""));
    let session = session_of(&app, &address).await;
    let paid = pay(&app, &session, APPROVED).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");

    let address = page_with_methods(&app, "A3").await;
    assert_eq!(
        by_method(&app, &address, "cancel").await,
        "https://shop.example/ko"
    );
    assert_eq!(open_session(&app, &address).await.status, 409);

    let address = page_with_methods(&app, "A4").await;
    assert_eq!(
        by_method(&app, &address, "pending").await,
        "https://shop.example/ok"
    );
    assert!(text_of(&app, &address).await.contains("Pagamento in corso"));
    assert_eq!(open_session(&app, &address).await.status, 409);
    app.pass(31).await;
    assert!(
        text_of(&app, &address)
            .await
            .contains("Pagamento completato")
    );
}

#[tokio::test]
async fn only_what_is_offered_is_chosen_and_only_on_the_page_itself() {
    let app = TestApp::new().await;
    let address = page_with_methods(&app, "A1").await;
    for method in ["method=SHELLS", "method=", "method=MYBANK%00", ""] {
        let refused = form(&app, &address, "method", method).await;
        assert_eq!(refused.status, 400, "{method}");
    }
    let cards_only = page_for(&app, "A2").await;
    assert_eq!(
        form(&app, &cards_only, "method", "method=PAYPAL")
            .await
            .status,
        400
    );
    let path = address.strip_prefix("https://gateway.example").unwrap();
    for part in ["session", "method", "cancel"] {
        for (header, value) in [
            ("origin", "https://evil.example"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let foreign = Request::post(format!("{path}/{part}"))
                .header("content-type", "application/x-www-form-urlencoded")
                .header(header, value)
                .body(Body::from("method=PAYPAL"))
                .unwrap();
            assert_eq!(app.send(foreign).await.status, 403, "{part} {value}");
        }
    }
    assert_eq!(app.count("SELECT count(*) FROM build_session").await, 0);
    // Too many requests are refused.
    let mut slowed = false;
    for _ in 0..40 {
        slowed |= open_session(&app, &address).await.status == 429;
    }
    assert!(slowed);
}

#[tokio::test]
async fn a_page_for_one_method_has_no_form() {
    let app = TestApp::new().await;
    let mut request = hpp("A1");
    request["paymentSession"]["paymentService"] = json!("PAYPAL");
    let address = page_of(&app, &request).await;
    let text = text_of(&app, &address).await;
    assert!(
        text.contains(r#"value="PAYPAL""#) && !text.contains(r#"id="form""#),
        "{text}"
    );
    // Opening the page, or leaving the method's page with the back button, starts and ends nothing.
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 0);
    let chosen = form(&app, &address, "method", "method=PAYPAL").await;
    let text = text_of(&app, &address).await;
    assert!(text.contains(r#"value="PAYPAL""#), "{text}");
    let again = form(&app, &address, "method", "method=PAYPAL").await;
    assert_eq!(again.header("location"), chosen.header("location"));
    assert_eq!(open_session(&app, &address).await.status, 409);
    assert_eq!(
        by_method(&app, &address, "approve").await,
        "https://shop.example/ok"
    );
}

#[tokio::test]
async fn a_restart_in_mid_payment_keeps_the_page_and_its_payment() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let session = session_of(&app, &address).await;
    let challenged = pay(&app, &session, CHALLENGED).await;
    let url = challenged["url"].as_str().unwrap().to_owned();
    let app = app.restarted().await;
    // A reload of the page finds the same session, in which the form shows the challenge.
    assert_eq!(session_of(&app, &address).await, session);
    let path = format!("/threeds/result/{}", token_of(&url));
    let answer = Request::post(path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from("answer=code&code=123456"))
        .unwrap();
    let answered = app.send(answer).await;
    // In its own window, the challenge ends at the address to which the page sends the browser.
    let end = followed(&app, answered.header("location").unwrap()).await;
    assert_eq!(end, "https://shop.example/ok");
    let app = app.restarted().await;
    assert!(
        text_of(&app, &address)
            .await
            .contains("Pagamento completato")
    );
    assert_eq!(
        app.order("A1").await["operations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
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
