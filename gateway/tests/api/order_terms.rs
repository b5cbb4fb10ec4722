//! Terms and conditions of orders (contract 2.1): accepted on the hosted page or the page of a link before anything can be paid there.

use crate::catalogue::{HTML, condition, terms, with_structure};
use crate::harness::{APPROVED, Answer, TestApp, build, short};
use crate::hosted::{form, hpp, open_session, pay, session_of, text_of};
use crate::links::link_until;
use crate::server_to_server::moto;
use serde_json::{Value, json};

/// The same request for an order with these terms.
fn asking(mut request: Value, terms: &[&str]) -> Value {
    request["order"]["termsAndConditionsIds"] = json!(terms);
    request
}

async fn more_terms(app: &TestApp) -> String {
    let made = app
        .merchant()
        .post("/terms_and_conditions", &terms())
        .await
        .ok();
    made["termsAndConditionsId"].as_str().unwrap().to_owned()
}

async fn cancelled(app: &TestApp, terms: &str) -> Answer {
    let path = format!("/terms_and_conditions/{terms}/cancels");
    app.merchant().post(&path, &json!({})).await
}

#[tokio::test]
async fn the_terms_of_an_order_are_accepted_before_it_is_paid_and_the_evidence_is_read_with_it() {
    for (path, request, address) in [
        ("/orders/hpp", hpp("A1"), "/hostedPage"),
        (
            "/v2/orders/paybylink",
            link_until("A1", "2026-11-25"),
            "/paymentLink/link",
        ),
    ] {
        let app = TestApp::with_dist().await;
        let terms = with_structure(&app).await;
        // The same terms twice count once.
        let request = asking(request, &[&terms, &terms]);
        let made = app.merchant().post(path, &request).await.ok();
        let address = made.pointer(address).unwrap().as_str().unwrap();
        let page = text_of(&app, address).await;
        assert!(page.contains("Accetto il regolamento"), "{page}");
        assert!(!page.contains(r#"id="form""#));
        assert_eq!(open_session(&app, address).await.status, 409);
        let text = app.page(&format!("{address}/terms/0"), &[]).await;
        assert!(text.text().contains("<p>The terms.</p>"));
        assert_eq!(
            app.merchant().get("/orders/A1").await.ok()["acceptances"],
            Value::Null
        );
        form(&app, address, "accept", "accepted=0").await;
        let session = session_of(&app, address).await;
        let answer = pay(&app, &session, APPROVED).await;
        assert_eq!(short(&answer), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        let order = app.merchant().get("/orders/A1").await.ok();
        let evidence = order["acceptances"].as_array().unwrap();
        assert_eq!(evidence.len(), 1);
        let seen = |name: &str| &evidence[0][name];
        assert_eq!(
            [seen("textId"), seen("part"), seen("language"), seen("text")],
            [&json!(terms), &json!("TERMS"), &json!("ITA"), &json!(HTML)]
        );
        assert_eq!(seen("acceptedTime"), "2026-11-20T10:00:00.000Z");
        if let Some(link) = made["paymentLink"]["linkId"].as_str() {
            assert_eq!(seen("linkId"), link);
        }
        assert_eq!(
            order["orderStatus"]["order"]["termsAndConditionsIds"],
            json!([terms, terms])
        );
        // Terms that an order asks for cannot be cancelled any more.
        assert_eq!(cancelled(&app, &terms).await.refusal(), "400 GW9007");
    }
}

#[tokio::test]
async fn each_page_of_an_order_asks_for_what_it_was_made_with() {
    let app = TestApp::with_dist().await;
    let terms = with_structure(&app).await;
    let merchant = app.merchant();
    let path = "/v2/orders/paybylink";
    let link = link_until("A1", "2026-11-25");
    let first = merchant.post(path, &asking(link, &[&terms])).await.ok();
    let first = first["paymentLink"]["link"].as_str().unwrap();
    // Another page of the same order, without terms.
    let second = merchant.post("/orders/hpp", &hpp("A1")).await.ok();
    let second = second["hostedPage"].as_str().unwrap();
    assert!(
        text_of(&app, first)
            .await
            .contains("Accetto il regolamento")
    );
    assert!(text_of(&app, second).await.contains(r#"id="form""#));
}

#[tokio::test]
async fn terms_that_cannot_be_asked_for_are_refused_and_nothing_is_made() {
    let app = TestApp::new().await;
    let good = with_structure(&app).await;
    let over = more_terms(&app).await;
    cancelled(&app, &over).await.ok();
    let stay = condition("S1", "BUNDLE");
    let stay = app
        .merchant()
        .post("/structure_conditions", &stay)
        .await
        .ok();
    let stay = stay["structureConditionId"].as_str().unwrap();
    let named =
        "order.termsAndConditionsIds names terms and conditions that are not there or not active";
    for ids in [["none", &good], [&good, &over], [&good, stay]] {
        let request = asking(hpp("A1"), &ids);
        let answer = app.merchant().post("/orders/hpp", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{ids:?}");
        assert_eq!(answer.why(), named);
    }
    // The terms of another merchant.
    let answer = app
        .key("sandbox-other-merchant")
        .post("/orders/hpp", &asking(hpp("A1"), &[&good]))
        .await;
    assert_eq!(answer.why(), named);
    // Calls that show no page of ours.
    for (path, request) in [
        ("/orders/build", build("A1")),
        ("/orders/moto", moto("A1", APPROVED)),
    ] {
        let answer = app.merchant().post(path, &asking(request, &[&good])).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{path}");
        assert!(answer.why().contains("hosted pages and links"), "{path}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM merchant_order").await, 0);
}
