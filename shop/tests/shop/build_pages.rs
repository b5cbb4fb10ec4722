//! Pages with separate fields, in both versions of the Build protocol: buttons, fees, challenges.

use super::stage::Stage;
use axum::http::StatusCode;
use serde_json::{Value, json};

#[tokio::test]
async fn separate_fields_belong_to_their_form() {
    let stage = Stage::new().await;
    let page = stage
        .get("/fields?mode=merchant&locale=it&theme=dark")
        .await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let gateway = &stage.config.gateway;
    for part in [
        format!(
            r#"<payment-form id="pay" layout="fields" button="hidden" gateway="{gateway}" session="session-1" locale="it" theme="dark"></payment-form>"#
        ),
        r#"src="https://gateway.example/sdk/0.1.0-1a2b3c4d/payframe.js""#.to_owned(),
        r#"src="https://gateway.example/sdk/0.1.0-1a2b3c4d/fields.js""#.to_owned(),
        r#"data-mode="merchant""#.to_owned(),
    ] {
        assert!(
            page.text.contains(&part),
            "{part} is missing in {}",
            page.text
        );
    }
    for (id, name) in [
        ("number", "CARD_NUMBER"),
        ("expiry", "EXPIRATION_DATE"),
        ("code", "SECURITY_CODE"),
        ("holder", "CARDHOLDER_NAME"),
    ] {
        let field = format!(r#"<payment-field id="{id}" name="{name}" for="pay">"#);
        assert!(page.text.contains(&field), "{field}");
        assert!(
            page.text.contains(&format!(r#"<label for="{id}">"#)),
            "{id}"
        );
    }
    assert_eq!(
        stage.gateway.played().builds[0]["form"]["closing"],
        "SERVER"
    );
}

#[tokio::test]
async fn build_with_buttons_names_no_service_and_shows_each_button() {
    let stage = Stage::new().await;
    let page = stage.get("/build3").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let build = stage.gateway.played().builds[0].clone();
    assert_eq!(build["version"], "3");
    assert_eq!(build["paymentSession"]["paymentService"], Value::Null);
    assert_eq!(build["form"], Value::Null);
    for part in [
        r#"src="https://gateway.example/sdk/0.1.0-1a2b3c4d/build.js" integrity="sha384-abc+/=""#,
        r#"data-session="session-1""#,
        r#"<div id="CARD_NUMBER" class="slot"></div>"#,
    ] {
        assert!(
            page.text.contains(part),
            "{part} is missing in {}",
            page.text
        );
    }
    assert_eq!(page.text.matches("<iframe ").count(), 1);
    assert!(page.text.contains(r#"<iframe title="Pay by card""#));
}

#[tokio::test]
async fn build_with_fees_shows_each_input_with_its_label() {
    let stage = Stage::new().await;
    let page = stage.get("/build2").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let build = stage.gateway.played().builds[0].clone();
    assert_eq!(build["version"], "2");
    assert_eq!(build["paymentSession"]["paymentService"], "CARDS");
    assert_eq!(page.text.matches("<iframe ").count(), 4);
    assert!(page.text.contains(r#"<div id="EXPIRATION_DATE" class="slot"><iframe title="Expiry date" src="https://gateway.example/fields/?id=EXPIRATION_DATE"#));
}

#[tokio::test]
async fn a_challenge_is_passed_on_to_the_page() {
    let stage = Stage::new().await;
    stage.open_order().await;
    stage.gateway.played().challenge = true;
    let answer = stage
        .post("/finalize", &json!({ "sessionId": "session-1" }))
        .await;
    assert_eq!(
        answer.json(),
        json!({ "state": "REDIRECTED_TO_EXTERNAL_DOMAIN", "url": "https://gateway.example/challenge" })
    );
}

#[tokio::test]
async fn the_fee_is_counted_by_the_server_and_agreed_to_by_the_buyer() {
    let stage = Stage::new().await;
    let order_id = stage.open_order().await;
    let of_session = json!({ "sessionId": "session-1" });
    stage.gateway.played().card = Some(json!({
        "bin": "476173", "lastFourDigits": "0003", "expiringDate": "1230", "circuit": "VISA", "funding": "CREDIT",
    }));
    let quote = stage.post("/quote", &of_session).await;
    assert_eq!(
        quote.json(),
        json!({ "card": "VISA •••• 0003", "reason": "1 % for cards", "fee": "€0.35", "total": "€35.80", "totalMinor": "3580" })
    );
    let agree = |total: &str| json!({ "sessionId": "session-1", "totalMinor": total });
    let without = stage.post("/confirm", &agree("3545")).await;
    assert_eq!(without.status, StatusCode::CONFLICT);
    assert!(stage.gateway.played().confirmed.is_empty());
    let confirmed = stage.post("/confirm", &agree("3580")).await;
    assert_eq!(
        confirmed.json(),
        json!({ "state": "GDI_VERIFICATION", "deviceCheck": "https://gateway.example/fields/?id=GDI" })
    );
    assert_eq!(
        stage.gateway.played().confirmed,
        [json!({ "sessionId": "session-1", "amount": "3580" })]
    );
    stage.set_order(&order_id, "3580", json!([{
        "operationId": "1", "operationType": "AUTHORIZATION", "operationResult": "EXECUTED", "operationTime": "",
    }]));
    let outcome = stage.get(&format!("/orders/{order_id}.json")).await;
    assert_eq!(outcome.json()["status"], "paid");
}

#[tokio::test]
async fn calls_of_pages_are_for_own_pages_and_sessions() {
    let stage = Stage::new().await;
    stage.open_order().await;
    for address in ["/quote", "/confirm", "/cancel"] {
        let body = |session: &str| json!({ "sessionId": session, "totalMinor": "3545" });
        let unknown = stage.post(address, &body("session-of-another-shop")).await;
        assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{address}");
        let foreign = stage
            .post_from(address, &body("session-1"), "https://attacker.example")
            .await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN, "{address}");
    }
    assert!(stage.gateway.played().cancelled.is_empty());
    let over = stage
        .post("/quote", &json!({ "sessionId": "session-1" }))
        .await;
    assert_eq!(over.status, StatusCode::BAD_REQUEST);
    assert_eq!(over.json(), json!({ "error": "session_over" }));
    let done = stage
        .post("/cancel", &json!({ "sessionId": "session-1" }))
        .await;
    assert_eq!(done.json(), json!({ "state": "PAYMENT_COMPLETE" }));
    assert_eq!(stage.gateway.played().cancelled, ["session-1"]);
}
