//! Exemptions from authentication: who may ask for which, what the issuer makes of it, and who is liable.

use crate::acquirer_desk::Desk;
use crate::contracts::{creation, pay};
use crate::external_3ds::{begin, challenged, init, validate};
use crate::harness::{APPROVED, CHALLENGED, TestApp, build, short, token_of};
use crate::keys::command;
use crate::office::Person;
use crate::version_two::{confirm, verify};
use payframe_payment_domain::exemption::NoChallengeRequest;
use payframe_payment_ports::acquirer::AuthorizationResult;
use payframe_payment_service::ChallengeAnswer;
use serde_json::{Value, json};

/// The issuer of this card insists on a challenge.
const INSISTING: &str = "4761730000003106";

/// The issuer of this card asks devices for a confirmation, which only the newer version of the protocol has.
const CONFIRMING: &str = "4761730000003148";

/// A build request over 25.00 EUR that asks for an exemption.
fn exempt(order_id: &str, exemption: &str) -> Value {
    let mut request = build(order_id);
    request["order"]["amount"] = json!("2500");
    request["paymentSession"]["amount"] = json!("2500");
    request["paymentSession"]["exemptions"] = json!(exemption);
    request
}

/// `threeDS`, `exemption` and `liability` of an operation.
fn told(answer: &Value) -> String {
    let data = &answer["operation"]["additionalData"];
    let [secure, exemption, liability] =
        ["threeDS", "exemption", "liability"].map(|name| data[name].as_str().unwrap_or("-"));
    format!("{secure} {exemption} {liability}")
}

/// The buyer passes the challenge of a session.
async fn passes(app: &TestApp, session: &str, state: &Value) -> Value {
    let url = state["url"].as_str().expect("a challenge");
    app.app
        .buyer_pages()
        .challenge_answer(token_of(url), ChallengeAnswer::Approve)
        .await;
    app.state(session).await
}

#[tokio::test]
async fn a_granted_exemption_spares_the_challenge_and_makes_the_merchant_liable() {
    let app = TestApp::new().await;
    for (number, secure) in [
        (CHALLENGED, "NOT_SECURE"),
        (APPROVED, "NOT_SECURE"),
        // Its issuer does not take part, and vouches for the attempt.
        ("4761730000003072", "ATTEMPTED"),
    ] {
        for exemption in [
            "LOW_VALUE",
            "TRANSACTION_RISK_ANALYSIS",
            "TRUSTED_BENEFICIARY",
            "DELEGATED_AUTHENTICATION",
        ] {
            let order = format!("{}{}", &number[12..], &exemption[..5]);
            let state = pay(&app, &exempt(&order, exemption), number).await;
            assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
            assert_eq!(told(&state), format!("{secure} {exemption} MERCHANT"));
        }
    }
    // The same without an exemption.
    let state = pay(&app, &build("B1"), APPROVED).await;
    assert_eq!(told(&state), "FULL_SECURE - ISSUER");
    let state = pay(&app, &build("B2"), "4761730000003056").await;
    assert_eq!(told(&state), "NOT_SECURE - MERCHANT");
    // Where no money is, nobody bears a loss.
    let state = pay(&app, &exempt("B3", "LOW_VALUE"), "4761730000001167").await;
    assert_eq!(told(&state), "NOT_SECURE LOW_VALUE -");
}

#[tokio::test]
async fn data_that_is_only_shared_spares_the_challenge_and_claims_nothing() {
    let app = TestApp::new().await;
    for number in [CHALLENGED, APPROVED, INSISTING] {
        let order = format!("S{}", &number[12..]);
        let state = pay(&app, &exempt(&order, "DATA_SHARE_ONLY"), number).await;
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        assert_eq!(told(&state), "NOT_SECURE - MERCHANT");
        assert_eq!(state["operation"]["additionalData"]["dataShareOnly"], "YES");
    }
    for (number, expected) in [
        // The issuer does not take part, and vouches for the attempt.
        ("4761730000003072", "ATTEMPTED - ISSUER"),
        // There is no 3-D Secure, so nothing is shared.
        ("4761730000003056", "NOT_SECURE - MERCHANT"),
    ] {
        let order = format!("N{}", &number[12..]);
        let state = pay(&app, &exempt(&order, "DATA_SHARE_ONLY"), number).await;
        assert_eq!(told(&state), expected);
        let data = &state["operation"]["additionalData"];
        assert_eq!(data.get("dataShareOnly"), None);
    }
    let refused = pay(&app, &exempt("R1", "DATA_SHARE_ONLY"), "4761730000003064").await;
    assert!(short(&refused).ends_with("AUTHORIZATION/THREEDS_FAILED"));
}

#[tokio::test]
async fn acquirers_are_told_the_version_that_was_agreed_with_the_issuer() {
    let desk = Desk::with(AuthorizationResult::Approved);
    let app = desk.app().await;
    for (order, number) in [("A1", INSISTING), ("A2", CONFIRMING)] {
        let session = app.open(&build(order)).await;
        app.enter(&session, number).await;
        let state = app.finalize(&session).await;
        let paid = passes(&app, &session, &state).await;
        assert_eq!(told(&paid), "FULL_SECURE - ISSUER");
        let shared = exempt(&format!("{order}S"), "DATA_SHARE_ONLY");
        let shared = pay(&app, &shared, number).await;
        assert_eq!(told(&shared), "NOT_SECURE - MERCHANT");
    }
    assert_eq!(desk.versions(), ["2.2.0", "2.2.0", "2.3.1", "2.3.1"]);
}

#[tokio::test]
async fn data_that_is_only_shared_claims_nothing_in_three_steps() {
    let app = TestApp::new().await;
    let mut request = init("A1", CHALLENGED);
    request["exemptions"] = json!("DATA_SHARE_ONLY");
    let begun = begin(&app, &request).await;
    assert_eq!(begun["threeDSAuthRequest"], "notneeded");
    let mut payment = request.clone();
    payment["operationId"] = begun["operation"]["operationId"].clone();
    let paid = app
        .merchant()
        .post("/orders/3steps/payment", &payment)
        .await
        .ok();
    assert_eq!(told(&paid), "NOT_SECURE - MERCHANT");
    assert_eq!(paid["operation"]["additionalData"]["dataShareOnly"], "YES");
}

#[tokio::test]
async fn an_issuer_that_insists_gets_its_challenge_and_nothing_is_claimed() {
    let app = TestApp::new().await;
    let session = app.open(&exempt("A1", "LOW_VALUE")).await;
    app.enter(&session, INSISTING).await;
    let state = app.finalize(&session).await;
    let paid = passes(&app, &session, &state).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(told(&paid), "FULL_SECURE - ISSUER");
}

#[tokio::test]
async fn an_exemption_that_a_payment_can_not_have_is_refused_by_its_name() {
    let app = TestApp::new().await;
    let contract =
        |action: &str| json!({ "action": action, "contractId": "K1", "contractType": "CIT" });
    for (exemption, path, value, why) in [
        (
            "LOW_VALUE",
            "/paymentSession/amount",
            json!("3001"),
            "LOW_VALUE is only for amounts up to 30.00 EUR",
        ),
        (
            "LOW_VALUE",
            "/order/currency",
            json!("USD"),
            "LOW_VALUE is only for amounts up to 30.00 EUR",
        ),
        (
            "TRUSTED_BENEFICIARY",
            "/paymentSession/actionType",
            json!("VERIFY"),
            "TRUSTED_BENEFICIARY is not possible with VERIFY",
        ),
        (
            "LOW_VALUE",
            "/paymentSession/recurrence",
            contract("CONTRACT_CREATION"),
            "LOW_VALUE is not possible where a card is stored",
        ),
        (
            "DELEGATED_AUTHENTICATION",
            "/paymentSession/recurrence",
            contract("CARD_SUBSTITUTION"),
            "DELEGATED_AUTHENTICATION is not possible where",
        ),
        (
            "RECURRING_SAME_AMOUNT",
            "/paymentSession/amount",
            json!("2500"),
            "RECURRING_SAME_AMOUNT is only for recurrence.action SUBSEQUENT_PAYMENT",
        ),
        (
            "LOW_VALUE",
            "/paymentSession/paymentService",
            json!("SATISPAY"),
            "LOW_VALUE is only for paymentSession.paymentService CARDS",
        ),
        (
            "DATA_SHARE_ONLY",
            "/paymentSession/actionType",
            json!("VERIFY"),
            "DATA_SHARE_ONLY is not possible with VERIFY",
        ),
        (
            "DATA_SHARE_ONLY",
            "/paymentSession/recurrence",
            contract("CONTRACT_CREATION"),
            "DATA_SHARE_ONLY is not possible where a card is stored",
        ),
        (
            "DATA_SHARE_ONLY",
            "/paymentSession/paymentService",
            json!("SATISPAY"),
            "DATA_SHARE_ONLY is only for paymentSession.paymentService CARDS",
        ),
        (
            "SECURE_CORPORATE",
            "/paymentSession/amount",
            json!("2500"),
            "exemptions must be one of NO_PREFERENCE, CHALLENGE_REQUESTED, DATA_SHARE_ONLY, LOW_VALUE, ",
        ),
    ] {
        let mut request = exempt("A1", exemption);
        request["order"]["amount"] = json!("9900");
        *request.pointer_mut(path).unwrap() = value.clone();
        let answer = app.merchant().post("/orders/build", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{exemption} {value}");
        assert!(answer.why().contains(why), "{}", answer.why());
    }
    let mut step = init("A1", APPROVED);
    step["exemptions"] = json!("LOW_VALUE");
    let answer = app.merchant().post("/orders/3steps/init", &step).await;
    assert_eq!(answer.refusal(), "400 PS0026");
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
}

#[tokio::test]
async fn a_terminal_asks_for_what_its_operator_allows() {
    let app = TestApp::new().await;
    let request = exempt("A1", "LOW_VALUE");
    let other = app
        .key("sandbox-bin8")
        .post("/orders/build", &request)
        .await;
    assert_eq!(other.refusal(), "400 PS0026");
    let why = "LOW_VALUE is not enabled on this terminal, which takes NO_PREFERENCE, CHALLENGE_REQUESTED: ";
    assert!(other.why().contains(why), "{}", other.why());
    let set = |setting: &'static str| command_of(&app, setting);
    let shown = set("exemptions=LOW_VALUE,TRUSTED_BENEFICIARY").await;
    assert!(
        shown
            .unwrap()
            .contains("  exemptions=LOW_VALUE,TRUSTED_BENEFICIARY\n")
    );
    app.key("sandbox-bin8")
        .post("/orders/build", &request)
        .await
        .ok();
    let refused = set("exemptions=EVERYTHING").await.unwrap_err();
    let codes = NoChallengeRequest::ALL
        .map(NoChallengeRequest::code)
        .join(", ");
    assert!(refused.contains(&codes), "{refused}");
    // A session that was made before loses it, too.
    let session = app.open(&exempt("A2", "LOW_VALUE")).await;
    let none = ["terminal", "set", "91000001", "exemptions=none"];
    command(&app, &none).await.unwrap();
    app.enter(&session, CHALLENGED).await;
    let state = app.finalize(&session).await;
    let paid = passes(&app, &session, &state).await;
    assert_eq!(told(&paid), "FULL_SECURE - ISSUER");
}

async fn command_of(app: &TestApp, setting: &str) -> Result<String, String> {
    let done = command(app, &["terminal", "set", "91000005", setting]).await;
    done.map_err(|refusal| refusal.to_string())
}

#[tokio::test]
async fn a_sum_that_is_changed_beyond_the_exemption_loses_it() {
    let app = TestApp::new().await;
    let mut request = exempt("A1", "LOW_VALUE");
    request["order"]["amount"] = json!("9900");
    request["version"] = json!("2");
    let session = app.open(&request).await;
    app.enter(&session, CHALLENGED).await;
    confirm(&app, &session, "9900").await.ok();
    let state = verify(&app, &session).await;
    assert!(state["url"].is_string(), "{state}");
}

#[tokio::test]
async fn a_recurring_payment_is_exempt_with_the_sum_that_stored_the_card() {
    let app = TestApp::new().await;
    let state = pay(&app, &creation("A1", "K1", "CIT"), APPROVED).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let again = |order: &str, minor: &str| {
        let mut request = exempt(order, "RECURRING_SAME_AMOUNT");
        request["order"]["amount"] = json!("3545");
        request["paymentSession"]["amount"] = json!(minor);
        request["paymentSession"]["recurrence"] =
            json!({ "action": "SUBSEQUENT_PAYMENT", "contractId": "K1" });
        request
    };
    let other = app
        .merchant()
        .post("/orders/build", &again("A2", "3544"))
        .await;
    assert_eq!(other.refusal(), "400 PS0026");
    assert!(
        other
            .why()
            .contains("RECURRING_SAME_AMOUNT is only for the amount"),
        "{}",
        other.why()
    );
    let session = app.open(&again("A2", "3545")).await;
    let paid = app.finalize(&session).await;
    assert_eq!(told(&paid), "NOT_SECURE RECURRING_SAME_AMOUNT MERCHANT");
    assert_eq!(paid["operation"]["additionalData"]["contractId"], "K1");
}

#[tokio::test]
async fn a_payment_in_three_steps_claims_what_no_challenge_has_replaced() {
    let app = TestApp::new().await;
    for (order, number, expected) in [
        (
            "A1",
            CHALLENGED,
            "NOT_SECURE TRANSACTION_RISK_ANALYSIS MERCHANT",
        ),
        ("A2", INSISTING, "FULL_SECURE - ISSUER"),
    ] {
        let mut request = init(order, number);
        request["exemptions"] = json!("TRANSACTION_RISK_ANALYSIS");
        let begun = begin(&app, &request).await;
        let id = begun["operation"]["operationId"].as_str().unwrap();
        let response = match begun["threeDSAuthRequest"].as_str() {
            Some("notneeded") => String::from("notneeded"),
            _ => challenged(&app, &begun, "approve").await,
        };
        let validated = validate(&app, id, &response).await.ok();
        let mut payment = request.clone();
        payment["operationId"] = json!(id);
        payment["threeDSAuthData"] = json!({
            "authenticationValue": validated["threeDSAuthResult"]["authenticationValue"]
        });
        let paid = app
            .merchant()
            .post("/orders/3steps/payment", &payment)
            .await;
        assert_eq!(told(&paid.ok()), expected, "{order}");
    }
}

#[tokio::test]
async fn a_payment_without_its_buyer_is_the_merchants_risk() {
    let app = TestApp::new().await;
    let moto = json!({
        "order": { "orderId": "A1", "amount": "2500", "currency": "EUR", "customerInfo": { "cardHolderName": "Anna Rossi" } },
        "card": { "pan": APPROVED, "expiryDate": "1230", "cvv": "123" }
    });
    let paid = app.merchant().post("/orders/moto", &moto).await.ok();
    assert_eq!(told(&paid), "- - MERCHANT");
}

#[tokio::test]
async fn a_pending_payment_that_is_declined_later_has_no_liability() {
    let app = TestApp::new().await;
    let state = pay(&app, &build("A1"), "4761730000009079").await;
    assert_eq!(told(&state), "FULL_SECURE - ISSUER");
    app.pass(31).await;
    let operations = app.operations("A1").await;
    let operation = json!({ "operation": operations[0] });
    assert_eq!(operations[0]["operationResult"], "DECLINED");
    assert_eq!(told(&operation), "FULL_SECURE - -");
}

#[tokio::test]
async fn the_office_says_what_was_claimed_and_who_bears_a_fraud() {
    let app = TestApp::new().await;
    pay(&app, &exempt("A1", "TRUSTED_BENEFICIARY"), CHALLENGED).await;
    pay(&app, &exempt("A2", "DATA_SHARE_ONLY"), CHALLENGED).await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    for (order, label, value) in [
        ("A1", "Exemption", "TRUSTED_BENEFICIARY"),
        ("A1", "Bears a fraud", "MERCHANT"),
        ("A2", "Data share only", "YES"),
        ("A2", "Bears a fraud", "MERCHANT"),
    ] {
        let page = person.get(&format!("/office/orders/{order}")).await.text();
        let row = format!("<dt>{label}</dt><dd>{value}</dd>");
        assert!(
            page.replace(['\n', ' '], "")
                .contains(&row.replace(' ', "")),
            "{label}: {page}"
        );
    }
}
