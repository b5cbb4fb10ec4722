//! The data that reaches a card's issuer besides its number: expiry, security code and name. The test card compares them.

use crate::harness::{TestApp, build, card, token_of};
use crate::server_to_server::moto;
use serde_json::{Value, json};

/// The card whose issuer compares the typed data.
const COMPARED: &str = "4761730000004005";

/// The data that the form sends: the card, with these values replaced.
fn typed(changes: &[(&str, &str)]) -> Value {
    let mut items = card(COMPARED);
    for item in items.as_array_mut().unwrap() {
        if let Some((_, value)) = changes.iter().find(|(id, _)| item["id"] == *id) {
            item["value"] = json!(value);
        }
    }
    items
}

/// Sends a card and lets its device check run.
async fn enter(app: &TestApp, session: &str, items: &Value) {
    let answer = app.frame(session).post("/fe/build/text", items).await.ok();
    let url = answer["gdiStatus"]["gdiUrl"].as_str().unwrap();
    app.app
        .buyer_pages()
        .device_check_done(token_of(url))
        .await
        .unwrap();
}

async fn response_code(app: &TestApp, session: &str) -> String {
    let state = app.finalize(session).await;
    let code = &state["operation"]["additionalData"]["authorizationStatus"];
    code.as_str().unwrap_or("?").to_owned()
}

#[tokio::test]
async fn the_issuer_gets_what_the_buyer_typed() {
    let app = TestApp::new().await;
    let check = async |order: &str, changes: &[(&str, &str)], expected: &str| {
        let session = app.open(&build(order)).await;
        enter(&app, &session, &typed(changes)).await;
        assert_eq!(response_code(&app, &session).await, expected, "{changes:?}");
    };
    check("A1", &[], "000").await;
    check("A2", &[("SECURITY_CODE", "999")], "129").await;
    check("A3", &[("EXPIRATION_DATE", "1240")], "101").await;
    check("A4", &[("CARDHOLDER_NAME", "No Match")], "119").await;
    check("A5", &[("CARDHOLDER_NAME", "No Matches")], "000").await;
}

#[tokio::test]
async fn name_and_surname_are_one_name() {
    let app = TestApp::new().await;
    let session = app.open_by("sandbox-six-fields", &build("A1")).await;
    let mut items = typed(&[("CARDHOLDER_NAME", "No")]);
    let more = items.as_array_mut().unwrap();
    more.push(json!({ "id": "CARDHOLDER_SURNAME", "value": "Match" }));
    more.push(json!({ "id": "CARDHOLDER_EMAIL", "value": "anna@shop.example" }));
    enter(&app, &session, &items).await;
    let state = app
        .key("sandbox-six-fields")
        .post("/build/finalize_payment", &json!({ "sessionId": session }))
        .await
        .ok();
    assert_eq!(
        state["operation"]["additionalData"]["authorizationStatus"],
        "119"
    );
}

/// The name is encrypted with the card, the expiry is stored, and the security code is only in memory.
#[tokio::test]
async fn a_restart_loses_the_security_code_and_nothing_else() {
    let app = TestApp::new().await;
    let mut sessions = Vec::new();
    for (order, change) in [
        ("A1", ("SECURITY_CODE", "999")),
        ("A2", ("EXPIRATION_DATE", "1240")),
        ("A3", ("CARDHOLDER_NAME", "No Match")),
    ] {
        let session = app.open(&build(order)).await;
        enter(&app, &session, &typed(&[change])).await;
        sessions.push(session);
    }
    assert!(!app.keeps("No Match").await, "the name lies in clear");
    let app = app.restarted().await;
    let mut codes = Vec::new();
    for session in &sessions {
        codes.push(response_code(&app, session).await);
    }
    assert_eq!(codes, ["000", "101", "119"]);
}

#[tokio::test]
async fn the_issuer_gets_what_was_told_by_telephone() {
    let app = TestApp::new().await;
    let check = async |order: &str, change: &dyn Fn(&mut Value), expected: &str| {
        let mut request = moto(order, COMPARED);
        change(&mut request);
        let answer = app.merchant().post("/orders/moto", &request).await.ok();
        let code = &answer["operation"]["additionalData"]["authorizationStatus"];
        assert_eq!(code, expected, "{order}");
    };
    check("A1", &|_| {}, "000").await;
    let code = |request: &mut Value| request["card"]["cvv"] = json!("999");
    check("A2", &code, "129").await;
    let expiry = |request: &mut Value| request["card"]["expiryDate"] = json!("1240");
    check("A3", &expiry, "101").await;
    let name = |request: &mut Value| {
        request["order"]["customerInfo"]["cardHolderName"] = json!("No Match");
    };
    check("A4", &name, "119").await;
}
