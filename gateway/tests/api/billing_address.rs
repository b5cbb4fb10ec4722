//! The billing address that a form asks for: what its page is told, and what the gateway accepts.

use crate::harness::{APPROVED, TestApp, build, build_form, card, short, token_of};
use serde_json::{Value, json};

fn asking(order: &str) -> Value {
    let mut request = build_form(order, 1);
    request["form"]["billingAddress"] = json!("POSTAL_CODE");
    request
}

fn with_address(country: &str, postal_code: &str) -> Value {
    let mut items = card(APPROVED);
    let sent = items.as_array_mut().unwrap();
    for (id, value) in [
        ("BILLING_COUNTRY", country),
        ("BILLING_POSTAL_CODE", postal_code),
    ] {
        sent.push(json!({ "id": id, "value": value }));
    }
    items
}

/// Sends a card; returns what was refused.
async fn refused(app: &TestApp, session: &str, items: &Value) -> Vec<Value> {
    let answer = app.frame(session).post("/fe/build/text", items).await.ok();
    let statuses = answer["fieldStatus"].as_array().unwrap();
    let refused = statuses
        .iter()
        .filter(|status| status["event"] == "BUILD_ERROR");
    refused
        .map(|status| json!([status["id"], status["errorCode"]]))
        .collect()
}

async fn boot(app: &TestApp, session: &str, language: &str) -> Value {
    let address = format!("/form/?sessionid={session}");
    let page = app.page(&address, &[("accept-language", language)]).await;
    page.boot()
}

#[tokio::test]
async fn the_form_is_told_the_address_of_the_order_and_the_rules_of_countries() {
    let app = TestApp::with_dist().await;
    let mut request = asking("A1");
    request["order"]["customerInfo"] =
        json!({ "billingAddress": { "country": "USA", "postCode": "95014", "street": "1 Loop" } });
    let session = app.open(&request).await;
    let billing = &boot(&app, &session, "it-IT").await["billing"];
    assert_eq!(
        (&billing["country"], &billing["postalCode"]),
        (&json!("US"), &json!("95014"))
    );
    assert_eq!(billing["countries"]["US"], "zip required #####|#####-####");
    assert_eq!(billing["countries"]["AE"], "");
    assert!(!billing.to_string().contains("Loop"), "{billing}");
}

#[tokio::test]
async fn without_an_address_the_country_is_that_of_the_browser() {
    let app = TestApp::with_dist().await;
    let session = app.open(&asking("A1")).await;
    for (language, country) in [
        ("en-gb,en", json!("GB")),
        ("it", Value::Null),
        ("en-ZZ", Value::Null),
    ] {
        let billing = &boot(&app, &session, language).await["billing"];
        assert_eq!(billing["country"], country, "{language}");
        assert_eq!(billing.get("postalCode"), None);
    }
}

#[tokio::test]
async fn a_form_that_asks_nothing_is_told_nothing() {
    let app = TestApp::with_dist().await;
    let mut none = build_form("A2", 1);
    none["form"]["billingAddress"] = json!("NONE");
    for request in [build_form("A1", 1), none, build("A3")] {
        let session = app.open(&request).await;
        assert_eq!(boot(&app, &session, "en-GB").await.get("billing"), None);
    }
}

/// K31: the gateway has the last word.
#[tokio::test]
async fn an_address_is_checked_by_the_rule_of_its_country() {
    let app = TestApp::new().await;
    for (place, (country, postal_code, wrong)) in [
        ("US", "", "BILLING_POSTAL_CODE"),
        ("US", "SW1A 1AA", "BILLING_POSTAL_CODE"),
        ("AE", "12345", "BILLING_POSTAL_CODE"),
        ("", "95014", "BILLING_COUNTRY"),
        ("USA", "95014", "BILLING_COUNTRY"),
        ("ZZ", "", "BILLING_COUNTRY"),
    ]
    .into_iter()
    .enumerate()
    {
        let session = app.open(&asking(&format!("A{place}"))).await;
        assert_eq!(
            refused(&app, &session, &with_address(country, postal_code)).await,
            [json!([wrong, "HF0001"])],
            "{country} {postal_code}"
        );
    }
    for (place, (country, postal_code)) in [("US", "95014"), ("GB", "sw1a1aa"), ("AE", "")]
        .into_iter()
        .enumerate()
    {
        let session = app.open(&asking(&format!("B{place}"))).await;
        let items = with_address(country, postal_code);
        assert_eq!(refused(&app, &session, &items).await, [] as [Value; 0]);
    }
}

#[tokio::test]
async fn an_address_that_is_missing_is_named_and_one_that_nobody_asked_for_is_refused() {
    let app = TestApp::new().await;
    let session = app.open(&asking("A1")).await;
    assert_eq!(
        refused(&app, &session, &card(APPROVED)).await,
        [json!(["BILLING_COUNTRY", "HF0001"])]
    );
    let session = app.open(&build_form("A2", 1)).await;
    assert_eq!(
        refused(&app, &session, &with_address("US", "95014")).await,
        [json!(["BILLING_COUNTRY", "HF0001"])]
    );
    // Empty values are no address.
    let empty = with_address("", "");
    assert_eq!(refused(&app, &session, &empty).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_payment_with_an_address_leaves_the_order_as_it_is() {
    let app = TestApp::new().await;
    let session = app.open(&asking("A1")).await;
    let taken = app
        .frame(&session)
        .post("/fe/build/text", &with_address("US", "95014"))
        .await
        .ok();
    let check = taken["gdiStatus"]["gdiUrl"].as_str().unwrap();
    app.app
        .buyer_pages()
        .device_check_done(token_of(check))
        .await
        .unwrap();
    let closed = app.finalize(&session).await;
    assert_eq!(short(&closed), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let order = app.key("sandbox-implicit").get("/orders/A1").await;
    let text = order.text();
    assert!(!text.contains("95014"), "{text}");
}

#[tokio::test]
async fn what_a_form_can_not_ask_is_refused_by_name() {
    let app = TestApp::new().await;
    for wrong in [json!("FULL"), json!("postal_code"), json!(true)] {
        let mut request = build_form("A1", 1);
        request["form"]["billingAddress"] = wrong.clone();
        let answer = app
            .key("sandbox-implicit")
            .post("/orders/build", &request)
            .await;
        assert_eq!(answer.refusal(), "400 PS0026", "{wrong}");
        assert!(
            answer.why().contains("form.billingAddress"),
            "{}",
            answer.why()
        );
    }
}
