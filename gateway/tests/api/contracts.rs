//! Contracts: made by a payment, used by later ones, ended by the merchant (contract 2.5, 8.1.8, 8.2.9, 8.2.10).

mod charges;

use crate::harness::{
    APPROVED, Answer, CHALLENGED, DECLINED, TestApp, build, build_form, build_two, short, token_of,
};
use payframe_payment_service::ChallengeAnswer;
use serde_json::{Value, json};

/// A build request that makes a contract.
pub(crate) fn creation(order_id: &str, contract_id: &str, kind: &str) -> Value {
    let mut request = build(order_id);
    request["paymentSession"]["recurrence"] = json!({
        "action": "CONTRACT_CREATION", "contractId": contract_id, "contractType": kind
    });
    request
}

/// A build request that pays in one click.
pub(crate) fn one_click(order_id: &str, contract_id: &str) -> Value {
    let mut request = build(order_id);
    request["paymentSession"]["recurrence"] =
        json!({ "action": "SUBSEQUENT_PAYMENT", "contractId": contract_id, "contractType": "CIT" });
    request
}

fn mit(order_id: &str, contract_id: &str) -> Value {
    json!({
        "order": { "orderId": order_id, "amount": "1000", "currency": "EUR" }, "contractId": contract_id
    })
}

pub(crate) async fn pay(app: &TestApp, request: &Value, number: &str) -> Value {
    let session = app.open(request).await;
    app.enter(&session, number).await;
    app.finalize(&session).await
}

pub(crate) async fn charge(app: &TestApp, order_id: &str, contract_id: &str) -> Answer {
    app.merchant()
        .post("/orders/mit", &mit(order_id, contract_id))
        .await
}

async fn contracts(app: &TestApp, customer: &str) -> Value {
    let path = format!("/contracts/customers/{customer}");
    app.merchant().get(&path).await.ok()["contracts"].clone()
}

/// Types and results of the operations in an answer, such as `AUTHORIZATION/EXECUTED`.
pub(crate) fn result(answer: &Value) -> String {
    let text = |name: &str| answer["operation"][name].as_str().unwrap_or("?").to_owned();
    format!("{}/{}", text("operationType"), text("operationResult"))
}

#[tokio::test]
async fn a_good_payment_makes_a_contract_with_its_card() {
    let app = TestApp::new().await;
    let path = "/contracts/customers/cust-7";
    assert_eq!(app.merchant().get(path).await.status, 404);
    let state = pay(&app, &creation("A1", "K1", "MIT_UNSCHEDULED"), APPROVED).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(state["operation"]["additionalData"]["contractId"], "K1");
    let mut request = creation("A2", "K2", "MIT_SCHEDULED");
    request["paymentSession"]["recurrence"]["contractExpiryDate"] = json!("2027-12-31");
    request["paymentSession"]["recurrence"]["contractFrequency"] = json!("030");
    pay(&app, &request, "5413330000000001").await;
    assert_eq!(
        app.merchant().get(path).await.ok(),
        json!({ "customerId": "cust-7", "contracts": [
            {
                "contractId": "K2", "contractType": "MIT_SCHEDULED", "recurringContractType": "MIT_SCHEDULED", "contractExpiryDate": "2027-12-31",
                "contractFrequency": "30", "paymentMethod": "CARD", "paymentCircuit": "MC",
                "paymentInstrumentInfo": "***0001"
            },
            {
                "contractId": "K1", "contractType": "MIT_UNSCHEDULED", "recurringContractType": "MIT_UNSCHEDULED", "paymentMethod": "CARD",
                "paymentCircuit": "VISA", "paymentInstrumentInfo": "***0003"
            },
        ]})
    );
    let other = app.key("sandbox-other-merchant");
    assert_eq!(other.get(path).await.status, 404);
    // The sessions store no card; the contracts do, and only encrypted.
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
    assert!(!app.keeps("4761730000000003").await);
}

#[tokio::test]
async fn a_card_is_kept_without_a_charge() {
    let app = TestApp::new().await;
    let mut request = creation("A1", "K1", "CIT");
    request["paymentSession"]["actionType"] = json!("VERIFY");
    request["paymentSession"]["amount"] = json!("0");
    request["order"]["amount"] = json!("0");
    let answer = app.merchant().post("/orders/build", &request).await.ok();
    assert_eq!(answer["state"], "CARD_DATA_COLLECTION");
    let state = pay(&app, &request, APPROVED).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE CARD_VERIFICATION/EXECUTED");
    assert_eq!(contracts(&app, "cust-7").await[0]["contractId"], "K1");
}

#[tokio::test]
async fn a_payment_that_is_not_good_makes_no_contract() {
    let app = TestApp::new().await;
    let state = pay(&app, &creation("A1", "K1", "CIT"), DECLINED).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/DECLINED");
    assert_eq!(state["operation"]["additionalData"].get("contractId"), None);
    assert_eq!(
        app.merchant()
            .get("/contracts/customers/cust-7")
            .await
            .status,
        404
    );
    assert_eq!(app.count("SELECT count(*) FROM contract_change").await, 0);
    // The id is still free.
    pay(&app, &creation("A2", "K1", "CIT"), APPROVED).await;
    assert_eq!(
        contracts(&app, "cust-7").await[0]["paymentInstrumentInfo"],
        "***0003"
    );
}

#[tokio::test]
async fn a_pending_payment_makes_its_contract_when_it_turns_out_good() {
    for (number, expected) in [
        ("4761730000008881", Some("***8881")),
        ("4761730000009079", None),
    ] {
        let app = TestApp::new().await;
        let state = pay(&app, &creation("A1", "K1", "MIT_UNSCHEDULED"), number).await;
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/PENDING");
        assert_eq!(
            app.merchant()
                .get("/contracts/customers/cust-7")
                .await
                .status,
            404
        );
        // Meanwhile no other payment can make this contract or use it.
        let taken = app
            .merchant()
            .post("/orders/build", &creation("A2", "K1", "CIT"))
            .await;
        assert_eq!(taken.refusal(), "400 PS0017");
        assert_eq!(charge(&app, "A3", "K1").await.refusal(), "400 PS0017");
        // The card is still there after the process and the session ended.
        let app = app.restarted().await;
        app.pass(31).await;
        let operation = &app.order("A1").await["operations"][0];
        match expected {
            Some(card) => {
                assert_eq!(operation["additionalData"]["contractId"], "K1");
                assert_eq!(
                    contracts(&app, "cust-7").await[0]["paymentInstrumentInfo"],
                    card
                );
            }
            None => {
                assert_eq!(operation["operationResult"], "DECLINED");
                assert_eq!(
                    app.merchant()
                        .get("/contracts/customers/cust-7")
                        .await
                        .status,
                    404
                );
            }
        }
        assert_eq!(app.count("SELECT count(*) FROM contract_change").await, 0);
    }
}

#[tokio::test]
async fn an_active_contract_is_not_made_again_until_it_is_deactivated() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "K#1", "CIT"), APPROVED).await;
    let again = app
        .merchant()
        .post("/orders/build", &creation("A2", "K#1", "CIT"))
        .await;
    assert_eq!(again.refusal(), "400 PS0017");
    // Another merchant has its own ids.
    let other = app.key("sandbox-other-merchant");
    other
        .post("/orders/build", &creation("A2", "K#1", "CIT"))
        .await
        .ok();
    let end = "/contracts/K%231/deactivation";
    assert_eq!(other.post(end, &json!({})).await.refusal(), "400 PS0017");
    for _ in 0..2 {
        let ended = app.merchant().post(end, &json!({})).await;
        assert_eq!((ended.status, ended.text().as_str()), (200, "{}"));
    }
    let unknown = app
        .merchant()
        .post("/contracts/K2/deactivation", &json!({}))
        .await;
    assert_eq!(unknown.refusal(), "400 PS0017");
    assert_eq!(contracts(&app, "cust-7").await, json!([]));
    assert_eq!(
        app.count("SELECT count(*) FROM contract WHERE sealed_card IS NOT NULL")
            .await,
        0,
        "the card of an ended contract is forgotten"
    );
    let used = app
        .merchant()
        .post("/orders/build", &one_click("A3", "K#1"))
        .await;
    assert_eq!(used.refusal(), "400 PS0017");
    pay(&app, &creation("A2", "K#1", "CIT"), APPROVED).await;
    assert_eq!(contracts(&app, "cust-7").await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn of_two_payments_that_make_the_same_contract_one_goes_on() {
    let app = TestApp::new().await;
    let first = app.open(&creation("A1", "K1", "CIT")).await;
    let second = app.open(&creation("A2", "K1", "CIT")).await;
    app.enter(&first, APPROVED).await;
    app.enter(&second, "5413330000000001").await;
    assert_eq!(
        short(&app.finalize(&first).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    let late = app
        .merchant()
        .post("/build/finalize_payment", &json!({ "sessionId": second }))
        .await;
    assert_eq!(late.refusal(), "400 PS0017");
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 1);
    assert_eq!(contracts(&app, "cust-7").await[0]["paymentCircuit"], "VISA");
}

#[tokio::test]
async fn one_click_payments_skip_the_form() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "K1", "CIT"), APPROVED).await;
    for (version, order_id) in [("3", "A2"), ("2", "A3")] {
        let mut request = one_click(order_id, "K1");
        request["version"] = json!(version);
        let answer = app.merchant().post("/orders/build", &request).await.ok();
        assert_eq!(answer["state"], "READY_FOR_PAYMENT");
        assert_eq!((answer.get("fields"), answer.get("url")), (None, None));
        let session = answer["sessionId"].as_str().unwrap();
        let path = format!("/build/cardData?sessionId={session}");
        assert_eq!(
            app.merchant().get(&path).await.ok()["lastFourDigits"],
            "0003"
        );
        let state = if version == "3" {
            app.finalize(session).await
        } else {
            let body = json!({ "sessionId": session, "amount": "3545" });
            let state = app
                .merchant()
                .post("/build/confirm_payment", &body)
                .await
                .ok();
            assert_eq!(state["state"], "GDI_VERIFICATION");
            let frame = app.frame(session);
            frame
                .get("/fe/build/gdi_and_finalize?attemptNumber=1")
                .await
                .ok();
            app.state(session).await
        };
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        let data = &state["operation"]["additionalData"];
        assert_eq!(
            (&data["contractId"], &data["threeDS"]),
            (&json!("K1"), &json!("FULL_SECURE"))
        );
    }
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

#[tokio::test]
async fn a_one_click_payment_asks_the_buyer_where_the_issuer_wants_it() {
    let app = TestApp::new().await;
    let state = pay(&app, &creation("A1", "K1", "CIT"), CHALLENGED).await;
    let approve = async |state: &Value| {
        let token = token_of(state["url"].as_str().unwrap()).to_owned();
        app.app
            .buyer_pages()
            .challenge_answer(&token, ChallengeAnswer::Approve)
            .await;
    };
    approve(&state).await;
    let session = app.open(&one_click("A2", "K1")).await;
    let state = app.finalize(&session).await;
    assert_eq!(short(&state), "REDIRECTED_TO_EXTERNAL_DOMAIN");
    approve(&state).await;
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
}

#[tokio::test]
async fn a_kept_card_that_is_refused_can_be_replaced_by_another() {
    let app = TestApp::new().await;
    for (contract, number, iso) in [
        ("K1", "4761730000007016", "101"),
        ("K2", "4761730000007164", "116"),
    ] {
        pay(
            &app,
            &creation(&format!("A-{contract}"), contract, "CIT"),
            number,
        )
        .await;
        let mut request = build_form(&format!("B-{contract}"), 2);
        request["paymentSession"]["recurrence"] =
            one_click("", contract)["paymentSession"]["recurrence"].clone();
        let session = app.open(&request).await;
        let state = app.finalize(&session).await;
        assert_eq!(short(&state), "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED");
        assert_eq!(
            state["operation"]["additionalData"]["authorizationStatus"],
            iso
        );
        app.enter(&session, APPROVED).await;
        let state = app.finalize(&session).await;
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        // The contract's card did not pay.
        assert_eq!(state["operation"]["additionalData"].get("contractId"), None);
    }
}

#[tokio::test]
async fn a_good_payment_with_another_card_gives_that_to_the_contract() {
    let app = TestApp::new().await;
    pay(
        &app,
        &creation("A1", "K1", "MIT_UNSCHEDULED"),
        "4761730000007164",
    )
    .await;
    let mut request = build("A2");
    request["paymentSession"]["recurrence"] =
        json!({ "action": "CARD_SUBSTITUTION", "contractId": "K1" });
    let answer = app.merchant().post("/orders/build", &request).await.ok();
    assert_eq!(answer["state"], "CARD_DATA_COLLECTION");
    pay(&app, &request, DECLINED).await;
    assert_eq!(
        contracts(&app, "cust-7").await[0]["paymentInstrumentInfo"],
        "***7164"
    );
    let refused = charge(&app, "B1", "K1").await.ok();
    assert_eq!(
        refused["operation"]["additionalData"]["authorizationStatus"],
        "116"
    );
    let state = pay(&app, &request, "5413330000000001").await;
    assert_eq!(state["operation"]["additionalData"]["contractId"], "K1");
    let changed = &contracts(&app, "cust-7").await[0];
    assert_eq!(
        (
            &changed["paymentInstrumentInfo"],
            &changed["paymentCircuit"]
        ),
        (&json!("***0001"), &json!("MC"))
    );
    let charged = charge(&app, "B2", "K1").await.ok();
    assert_eq!(charged["operation"]["paymentInstrumentInfo"], "***0001");
    let mut unknown = request.clone();
    unknown["order"]["orderId"] = json!("A3");
    unknown["paymentSession"]["recurrence"]["contractId"] = json!("K9");
    let answer = app.merchant().post("/orders/build", &unknown).await;
    assert_eq!(answer.refusal(), "400 PS0017");
}

#[tokio::test]
async fn a_contract_is_used_as_it_was_agreed() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "CIT-1", "CIT"), APPROVED).await;
    pay(&app, &creation("A2", "MIT-1", "MIT_UNSCHEDULED"), APPROVED).await;
    let other_type = app
        .merchant()
        .post("/orders/build", &one_click("B1", "MIT-1"))
        .await;
    assert!(
        other_type.why().contains("contractType"),
        "{}",
        other_type.why()
    );
    let alone = charge(&app, "B2", "CIT-1").await;
    assert_eq!(alone.refusal(), "400 PS0043");
    assert_eq!(
        app.count("SELECT count(*) FROM merchant_order WHERE order_id LIKE 'B%'")
            .await,
        0
    );
}
