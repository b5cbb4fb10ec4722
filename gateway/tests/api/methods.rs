//! Alternative methods: who is offered which, the redirect there and back, and the booking.

mod ends;

use crate::harness::{APPROVED, Answer, TestApp, build, build_two, card, short, token_of};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

/// A build request without a method, for a buyer with a billing address in this country.
fn choice(order_id: &str, country: &str) -> Value {
    let mut request = build(order_id);
    request["paymentSession"]["paymentService"] = Value::Null;
    request["order"]["customerInfo"] = json!({ "billingAddress": { "country": country } });
    request
}

/// A build request for a method.
fn build_with(order_id: &str, service: &str, country: &str) -> Value {
    let mut request = choice(order_id, country);
    request["paymentSession"]["paymentService"] = json!(service);
    request
}

async fn fields(app: &TestApp, api_key: &str, request: &Value) -> Vec<Value> {
    let answer = app.key(api_key).post("/orders/build", request).await.ok();
    assert_eq!(answer["state"], "PAYMENT_METHOD_SELECTION");
    answer["fields"].as_array().unwrap().clone()
}

fn ids(fields: &[Value]) -> Vec<&str> {
    fields
        .iter()
        .map(|field| field["id"].as_str().unwrap())
        .collect()
}

/// Opens a session for a method; returns it with the address of the method's page.
async fn redirected(app: &TestApp, request: &Value) -> (String, String) {
    let answer = app.merchant().post("/orders/build", request).await.ok();
    assert_eq!(answer["state"], "REDIRECTED_TO_EXTERNAL_DOMAIN", "{answer}");
    let text = |member: &str| answer[member].as_str().unwrap().to_owned();
    (text("sessionId"), text("url"))
}

/// Presses a button of the method's page, as its form does.
async fn press(app: &TestApp, url: &str, answer: &str) -> Answer {
    let path = url.strip_prefix("https://gateway.example").unwrap();
    let request = Request::post(path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(format!("answer={answer}")))
        .unwrap();
    app.send(request).await
}

/// Where the window arrives after a button was pressed.
async fn pressed_in_window(app: &TestApp, url: &str, answer: &str) -> String {
    let there = press(app, url, answer).await;
    assert_eq!(there.status, 303, "{}", there.text());
    let way_back = there.header("location").unwrap().to_owned();
    let back = app.page(&way_back, &[("sec-fetch-dest", "document")]).await;
    assert_eq!(back.status, 303);
    back.header("location").unwrap().to_owned()
}

#[tokio::test]
async fn the_card_comes_first_and_then_what_the_buyer_can_use() {
    let app = TestApp::new().await;
    let italian = fields(&app, "sandbox-implicit", &choice("A1", "ITA")).await;
    assert_eq!(italian.len(), 26);
    assert_eq!(
        ids(&italian)[..3],
        ["PAY_WITH_CARD", "BANCOMATPAY", "IDEAL"]
    );
    for (place, field) in italian.iter().enumerate() {
        let class = if place == 0 { "CARD" } else { "APM" };
        assert_eq!(
            (&field["type"], &field["class"]),
            (&json!("ACTION"), &json!(class))
        );
    }
    let src = italian[1]["src"].as_str().unwrap();
    assert!(src.starts_with("https://gateway.example/fields/?id=BANCOMATPAY&lang=ITA&"));
    for (country, method) in [
        ("BEL", "BANCONTACT"),
        ("deu", "GIROPAY"),
        ("PRT", "MULTIBANCO"),
    ] {
        let there = fields(
            &app,
            "sandbox-explicit",
            &choice(&format!("B{country}"), country),
        )
        .await;
        assert_eq!(there.len(), 27, "{country}");
        assert!(ids(&there).contains(&method), "{country}");
        assert!(!ids(&italian).contains(&method), "{country}");
    }
    let mut nowhere = choice("A2", "ITA");
    nowhere["order"]["customerInfo"] = Value::Null;
    assert_eq!(fields(&app, "sandbox-bin8", &nowhere).await.len(), 26);
}

#[tokio::test]
async fn only_the_card_is_offered_where_nothing_else_will_do() {
    let app = TestApp::new().await;
    let mut verify = choice("A1", "ITA");
    verify["paymentSession"]["actionType"] = json!("VERIFY");
    let mut hold = choice("A2", "ITA");
    hold["paymentSession"]["actionType"] = json!("PREAUTH");
    let mut form = choice("A3", "ITA");
    form["form"] = json!({ "methods": "CARDS" });
    for (api_key, request) in [
        ("sandbox-cards-only", choice("A4", "ITA")),
        ("sandbox-implicit", verify),
        ("sandbox-implicit", hold),
        ("sandbox-implicit", form),
    ] {
        let fields = fields(&app, api_key, &request).await;
        assert_eq!(ids(&fields), ["PAY_WITH_CARD"], "{request}");
    }
}

#[tokio::test]
async fn a_named_method_is_a_redirect_and_no_fields() {
    let app = TestApp::new().await;
    let request = build_with("A1", "PAYPAL", "ITA");
    let answer = app.merchant().post("/orders/build", &request).await.ok();
    assert_eq!(answer["state"], "REDIRECTED_TO_EXTERNAL_DOMAIN");
    assert_eq!(answer.get("fields"), None);
    let url = answer["url"].as_str().unwrap();
    assert!(url.starts_with("https://gateway.example/methods/pay/"));
    let session = answer["sessionId"].as_str().unwrap();
    let token = token_of(url);
    assert!(token.len() >= 43 && !session.contains(token), "{token}");
    let state = app.state(session).await;
    assert_eq!(
        (&state["state"], &state["url"]),
        (&answer["state"], &answer["url"])
    );
    assert_eq!(app.finalize(session).await, state, "repeats");
    let path = format!("/build/cardData?sessionId={session}");
    assert_eq!(app.merchant().get(&path).await.refusal(), "400 GW9003");
    let frame = app.frame(session);
    assert_eq!(
        frame
            .post("/fe/build/text", &card(APPROVED))
            .await
            .refusal(),
        "400 GW9003"
    );
    assert_eq!(
        frame.get("/fe/build/validateAndPay").await.refusal(),
        "400 GW9003"
    );
    // The usual rule applies: a frame may not close the payment if the merchant's server does.
    assert_eq!(
        frame
            .post("/build/finalize_payment", &json!({}))
            .await
            .refusal(),
        "400 GW9003"
    );
}

#[tokio::test]
async fn methods_that_can_not_be_had_are_refused_by_name() {
    let app = TestApp::new().await;
    let country = "order.customerInfo.billingAddress.country";
    let service = "paymentSession.paymentService";
    let mut held = build_with("A1", "PAYPAL", "ITA");
    held["paymentSession"]["actionType"] = json!("PREAUTH");
    let mut nowhere = build_with("A1", "GIROPAY", "DEU");
    nowhere["order"]["customerInfo"] = json!({});
    for (api_key, request, named) in [
        (
            "sandbox-implicit",
            build_with("A1", "BANCONTACT", "ITA"),
            country,
        ),
        (
            "sandbox-implicit",
            build_with("A1", "MULTIBANCO", "ESP"),
            country,
        ),
        ("sandbox-implicit", nowhere, country),
        (
            "sandbox-cards-only",
            build_with("A1", "APPLEPAY", "ITA"),
            service,
        ),
        (
            "sandbox-implicit",
            build_with("A1", "paypal", "ITA"),
            service,
        ),
        ("sandbox-implicit", held, service),
        (
            "sandbox-cards-only",
            build_with("A1", "PAYPAL", "ITA"),
            service,
        ),
    ] {
        let answer = app.key(api_key).post("/orders/build", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{request}");
        assert!(answer.why().contains(named), "{}", answer.why());
    }
    let good = build_with("A1", "BANCONTACT", "BEL");
    app.merchant().post("/orders/build", &good).await.ok();
}

#[tokio::test]
async fn the_first_button_decides_and_a_second_click_is_told_where_it_stands() {
    let app = TestApp::new().await;
    let session = app.open(&choice("A1", "ITA")).await;
    let frame = app.frame(&session);
    let click = async |id: &str| {
        frame
            .post(&format!("/fe/build/action/{id}"), &json!({}))
            .await
    };
    assert_eq!(click("BANCONTACT").await.refusal(), "404", "not offered");
    assert_eq!(click("NOSUCH").await.refusal(), "404");
    let chosen = click("PAYPAL").await.ok();
    assert_eq!(chosen["state"], "REDIRECTED_TO_EXTERNAL_DOMAIN");
    assert_eq!(
        chosen["fieldSet"],
        json!({ "sessionId": session, "fields": [] })
    );
    assert_eq!(app.state(&session).await["url"], chosen["url"]);
    for id in ["PAYPAL", "IDEAL", "PAY_WITH_CARD"] {
        assert_eq!(click(id).await.ok(), chosen, "{id}");
    }
    let session = app.open(&choice("A2", "ITA")).await;
    let frame = app.frame(&session);
    let card = frame
        .post("/fe/build/action/PAY_WITH_CARD", &json!({}))
        .await
        .ok();
    let late = frame.post("/fe/build/action/PAYPAL", &json!({})).await.ok();
    assert_eq!(late, card);
    assert_eq!(late["state"], "CARD_DATA_COLLECTION");
}

#[tokio::test]
async fn a_button_has_a_page_and_settings_with_a_readable_name() {
    let app = TestApp::with_dist().await;
    let answer = app
        .merchant()
        .post("/orders/build", &choice("A1", "ITA"))
        .await
        .ok();
    let session = answer["sessionId"].as_str().unwrap();
    let field = answer["fields"]
        .as_array()
        .unwrap()
        .iter()
        .find(|field| field["id"] == "PAYBYBANK")
        .unwrap();
    let src = field["src"].as_str().unwrap();
    let page = app.page(src, &[]).await;
    assert!(page.text().contains(r#"data-page="button""#));
    assert_eq!(page.boot()["field"]["id"], "PAYBYBANK");
    assert_eq!(page.boot()["field"]["label"], "Pay by Bank");
    let own = app.page(&format!("{src}&label=Bank"), &[]).await;
    assert_eq!(own.boot()["field"]["label"], "Bank");
    let unoffered = src.replace("PAYBYBANK", "BANCONTACT");
    assert_eq!(app.page(&unoffered, &[]).await.status, 404);
    let settings = app
        .frame(session)
        .get("/fe/build/field_settings/PAYBYBANK?lang=eng")
        .await
        .ok();
    assert_eq!(
        (&settings["type"], &settings["label"], &settings["title"]),
        (
            &json!("button"),
            &json!("Pay by Bank"),
            &json!("Pay with Pay by Bank")
        )
    );
}

#[tokio::test]
async fn outcomes_are_those_of_the_buttons() {
    let app = TestApp::new().await;
    for (button, expected, back, captured) in [
        ("approve", "AUTHORIZATION/EXECUTED", "ok", "3545"),
        ("refuse", "AUTHORIZATION/DECLINED", "ok", "0"),
        ("pending", "AUTHORIZATION/PENDING", "ok", "0"),
        ("cancel", "CANCEL/CANCELED", "ko", "0"),
    ] {
        let told = app.told().await.len();
        let (session, url) = redirected(&app, &build_with(button, "PAYPAL", "ITA")).await;
        let shown = app.page(&url, &[]).await;
        assert_eq!(shown.status, 200);
        assert!(shown.text().contains("Paga con PayPal"), "{}", shown.text());
        assert_eq!(
            pressed_in_window(&app, &url, button).await,
            format!("https://shop.example/{back}")
        );
        let state = app.state(&session).await;
        assert_eq!(short(&state), format!("PAYMENT_COMPLETE {expected}"));
        let operation = &state["operation"];
        assert_eq!(
            (&operation["paymentMethod"], &operation["paymentCircuit"]),
            (&json!("APM"), &json!("PAYPAL"))
        );
        assert_eq!(operation.get("paymentInstrumentInfo"), None);
        assert_eq!(
            (&operation["additionalData"], &operation["warnings"]),
            (&json!({}), &json!([]))
        );
        assert_eq!(
            operation.get("paymentEndToEndId").is_some(),
            button == "approve"
        );
        let order = app.order(button).await;
        assert_eq!(order["operations"], json!([operation]));
        assert_eq!(order["orderStatus"]["capturedAmount"], captured, "{button}");
        assert_eq!(order["orderStatus"]["authorizedAmount"], captured);
        let events = app.told().await;
        assert_eq!(events.len(), told + 1, "{button}");
        assert_eq!(events[told]["operation"], *operation);
        // The page has ended: it redirects to the way back, and accepts no other answer.
        let again = app.page(&url, &[]).await;
        assert_eq!(again.status, 303);
        press(&app, &url, "approve").await;
        assert_eq!(app.state(&session).await, state);
        assert_eq!(app.told().await.len(), told + 1);
        let path = format!("/build/cardData?sessionId={session}");
        assert_eq!(app.merchant().get(&path).await.refusal(), "400 GW9003");
        let way_back = app.frame(&session).get("/fe/build/validateAndPay").await;
        assert_eq!(way_back.ok()["url"], format!("https://shop.example/{back}"));
    }
}

#[tokio::test]
async fn methods_are_booked_at_once_whatever_the_terminal_does_with_cards() {
    let app = TestApp::new().await;
    let request = build_with("A1", "BANCOMATPAY", "ITA");
    for (button, state) in [("approve", "EXECUTED"), ("pending", "PENDING")] {
        let mut request = request.clone();
        request["order"]["orderId"] = json!(button);
        let answer = app
            .key("sandbox-explicit")
            .post("/orders/build", &request)
            .await
            .ok();
        press(&app, answer["url"].as_str().unwrap(), button).await;
        let operation = app.order(button).await["operations"][0].clone();
        assert_eq!(operation["operationResult"], state);
        assert_eq!(operation["paymentCircuit"], "BANCOMAT_PAY");
        assert_eq!(operation["terminalId"], "91000002");
    }
    app.pass(30).await;
    for order in ["approve", "pending"] {
        let order = app.order(order).await;
        assert_eq!(order["orderStatus"]["capturedAmount"], "3545");
        let operation = &order["operations"][0];
        assert_eq!(operation["operationResult"], "EXECUTED");
        assert_eq!(
            operation["additionalData"],
            json!({ "bpayEndToEndId": operation["paymentEndToEndId"] })
        );
    }
}

#[tokio::test]
async fn version_two_has_the_same_way_and_a_fixed_amount() {
    let app = TestApp::new().await;
    let mut request = build_two("A1");
    request["paymentSession"]["paymentService"] = Value::Null;
    let session = app.open(&request).await;
    let amount = async |amount: &str, confirm: bool| {
        let body = json!({ "sessionId": session, "amount": amount, "confirm": confirm });
        app.merchant().post("/build/confirm_payment", &body).await
    };
    amount("4000", false).await.ok();
    let chosen = app
        .frame(&session)
        .post("/fe/build/action/IDEAL", &json!({}))
        .await
        .ok();
    assert_eq!(amount("4000", true).await.ok()["url"], chosen["url"]);
    assert_eq!(amount("4001", true).await.refusal(), "400 PS0026");
    assert_eq!(amount("4001", false).await.refusal(), "400 GW9003");
    press(&app, chosen["url"].as_str().unwrap(), "approve").await;
    let state = app.state(&session).await;
    assert_eq!(state["operation"]["operationAmount"], "4000");
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}
