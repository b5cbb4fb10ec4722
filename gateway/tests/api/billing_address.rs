//! The billing address that a form asks for: what its page is told, and what the gateway accepts.

use crate::harness::{APPROVED, TestApp, build, build_form, card, short, token_of};
use crate::hosted::{hpp, session_of};
use crate::links::link_until;
use serde_json::{Value, json};

fn asking(order: &str) -> Value {
    asking_for(order, "POSTAL_CODE")
}

fn asking_for(order: &str, parts: &str) -> Value {
    let mut request = build_form(order, 1);
    request["form"]["billingAddress"] = json!(parts);
    request
}

fn with_address(country: &str, postal_code: &str) -> Value {
    with_items(&[
        ("BILLING_COUNTRY", country),
        ("BILLING_POSTAL_CODE", postal_code),
    ])
}

/// A card, and these items beside it.
fn with_items(beside: &[(&str, &str)]) -> Value {
    let mut items = card(APPROVED);
    let sent = items.as_array_mut().unwrap();
    let beside = beside.iter();
    sent.extend(beside.map(|(id, value)| json!({ "id": id, "value": value })));
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
async fn a_form_that_asks_for_all_is_told_what_the_addresses_of_countries_have() {
    let app = TestApp::with_dist().await;
    let mut request = asking_for("A1", "FULL");
    request["order"]["customerInfo"] = json!({ "billingAddress": {
        "country": "USA", "postCode": "95014", "street": "1 Loop", "city": "Cupertino", "province": "CA", "name": "Lovelace",
    } });
    let session = app.open(&request).await;
    let address = &boot(&app, &session, "it-IT").await["billing"]["address"];
    let known = ["line1", "line2", "city", "state"].map(|part| &address[part]);
    assert_eq!(
        known,
        [
            &json!("1 Loop"),
            &Value::Null,
            &json!("Cupertino"),
            &json!("CA")
        ]
    );
    assert_eq!(address["formats"]["US"], "ACSZ ACSZ state");
    assert_eq!(address["formats"]["DE"], "AZC AZC");
    let states = address["states"]["US"].as_str().unwrap();
    assert!(states.starts_with("AL Alabama|AK Alaska|"), "{states}");
    assert_eq!(address["states"].get("DE"), None);
    assert!(!address.to_string().contains("Lovelace"));
    // A street without its country is nowhere.
    request["order"]["customerInfo"] = json!({ "billingAddress": { "street": "1 Loop" } });
    request["order"]["orderId"] = json!("A2");
    let session = app.open(&request).await;
    let address = &boot(&app, &session, "it-IT").await["billing"]["address"];
    assert_eq!(address.get("line1"), None);
}

/// K31: the gateway has the last word.
#[tokio::test]
async fn a_whole_address_is_checked_by_the_rules_of_its_country() {
    let app = TestApp::new().await;
    let us = [
        ("BILLING_COUNTRY", "US"),
        ("BILLING_LINE1", "1 Loop"),
        ("BILLING_CITY", "Cupertino"),
        ("BILLING_STATE", "CA"),
        ("BILLING_POSTAL_CODE", "95014"),
    ];
    let session = app.open(&asking_for("A0", "FULL")).await;
    assert_eq!(
        refused(&app, &session, &with_items(&us)).await,
        [] as [Value; 0]
    );
    for (place, (id, value)) in [
        ("BILLING_LINE1", ""),
        (
            "BILLING_LINE1",
            "1 Infinite Loop, at the end of a road that is too long",
        ),
        ("BILLING_CITY", " "),
        ("BILLING_STATE", "California"),
        ("BILLING_COUNTRY", "ZZ"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut sent = us;
        for item in &mut sent {
            if item.0 == id {
                item.1 = value;
            }
        }
        let session = app.open(&asking_for(&format!("B{place}"), "FULL")).await;
        assert_eq!(
            refused(&app, &session, &with_items(&sent)).await,
            [json!([id, "HF0001"])],
            "{id} {value}"
        );
    }
    // What is missing is named as what is wrong is; more than was asked for is refused.
    let session = app.open(&asking_for("C1", "FULL")).await;
    assert_eq!(
        refused(&app, &session, &with_items(&us[..3])).await,
        [json!(["BILLING_STATE", "HF0001"])]
    );
    let session = app.open(&asking("C2")).await;
    assert_eq!(
        refused(&app, &session, &with_items(&us)).await,
        [json!(["BILLING_LINE1", "HF0001"])]
    );
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
    for wrong in [json!("ALL"), json!("postal_code"), json!(true)] {
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

/// K31: on the pages of the gateway, too.
#[tokio::test]
async fn hosted_pages_and_links_ask_for_an_address() {
    let app = TestApp::with_dist().await;
    let asks = json!({ "billingAddress": "FULL" });
    let mut page = hpp("A1");
    page["form"] = asks.clone();
    let made = app.merchant().post("/orders/hpp", &page).await.ok();
    let session = session_of(&app, made["hostedPage"].as_str().unwrap()).await;
    let known = boot(&app, &session, "en-GB").await["billing"].clone();
    assert_eq!(known["country"], "GB");
    assert_eq!(known["address"]["formats"]["GB"], "ACZ ACZ");
    let missing = refused(&app, &session, &card(APPROVED)).await;
    assert_eq!(missing, [json!(["BILLING_COUNTRY", "HF0001"])]);
    for (place, (path, order)) in [
        ("/v1/orders/paybylink", "B1"),
        ("/v2/orders/paybylink", "B2"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut link = link_until(order, "2026-11-25");
        link["form"] = match place {
            0 => json!({ "billingAddress": "POSTAL_CODE" }),
            _ => asks.clone(),
        };
        let made = app.merchant().post(path, &link).await.ok();
        let session = session_of(&app, made["paymentLink"]["link"].as_str().unwrap()).await;
        let billing = boot(&app, &session, "en-GB").await["billing"].clone();
        assert_eq!(billing["country"], "GB", "{path}");
        assert_eq!(billing.get("address").is_some(), place == 1, "{path}");
        link["form"] = json!({ "billingAddress": "ALL" });
        let answer = app.merchant().post(path, &link).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{path}");
        assert!(
            answer.why().contains("form.billingAddress"),
            "{}",
            answer.why()
        );
    }
}
