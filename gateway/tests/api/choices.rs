//! What a buyer chooses in the form besides the card: currency, installments, a method; and what the form's page is told about it.

use crate::harness::{APPROVED, TestApp, build, build_form, card, short, token_of};
use serde_json::{Value, json};
use std::time::Duration;

const DOLLAR_CARD: &str = "4761738400000002";
/// The same range, refused for lack of funds.
const DOLLAR_DECLINED: &str = "4761738400001166";

/// The gateway's offer for a card.
async fn offer(app: &TestApp, session: &str) -> Value {
    let answer = app
        .frame(session)
        .post("/fe/build/bin", &json!({ "bin": "47617384" }))
        .await
        .ok();
    answer["currencyOffer"]["offerId"].clone()
}

fn card_with(number: &str, id: &str, value: &Value) -> Value {
    let mut items = card(number);
    let item = json!({ "id": id, "value": value });
    items.as_array_mut().unwrap().push(item);
    items
}

/// Sends a card and runs its device check; returns the refusal.
async fn enter(app: &TestApp, session: &str, items: &Value) -> Vec<Value> {
    let answer = app.frame(session).post("/fe/build/text", items).await.ok();
    if let Some(url) = answer["gdiStatus"]["gdiUrl"].as_str() {
        app.app
            .buyer_pages()
            .device_check_done(token_of(url))
            .await
            .unwrap();
    }
    let statuses = answer["fieldStatus"].as_array().unwrap();
    let refused = statuses
        .iter()
        .filter(|status| status["event"] == "BUILD_ERROR");
    refused
        .map(|status| json!([status["id"], status["errorCode"]]))
        .collect()
}

async fn boot(app: &TestApp, session: &str) -> Value {
    app.page(&format!("/form/?sessionid={session}"), &[])
        .await
        .boot()
}

/// K24: an offer expires, but not if it was accepted: the same card may be sent again after a refusal.
#[tokio::test]
async fn an_offer_that_was_taken_does_not_run_out() {
    let app = TestApp::with(|config| config.offer = Duration::from_secs(60)).await;
    let session = app.open(&build_form("A1", 3)).await;
    let (taken, idle) = (offer(&app, &session).await, offer(&app, &session).await);
    let declined = card_with(DOLLAR_DECLINED, "CURRENCY_OFFER", &taken);
    assert!(enter(&app, &session, &declined).await.is_empty());
    assert_eq!(
        short(&app.finalize(&session).await),
        "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED"
    );
    app.clock.advance(Duration::from_secs(61));
    let late = card_with(DOLLAR_CARD, "CURRENCY_OFFER", &idle);
    assert_eq!(
        enter(&app, &session, &late).await,
        [json!(["CURRENCY_OFFER", "HF9001"])]
    );
    let again = card_with(DOLLAR_CARD, "CURRENCY_OFFER", &taken);
    assert!(enter(&app, &session, &again).await.is_empty());
    let operation = &app.finalize(&session).await["operation"];
    assert_eq!(
        operation["additionalData"]["multiCurrencyConversion"]["amount"],
        "3952"
    );
}

/// K24: the setting decides how long an offer is valid.
#[tokio::test]
async fn an_offer_says_how_long_it_is_good() {
    let app = TestApp::with(|config| config.offer = Duration::from_secs(90)).await;
    let session = app.open(&build("A1")).await;
    let answer = app
        .frame(&session)
        .post("/fe/build/bin", &json!({ "bin": "47617300" }))
        .await
        .ok();
    assert_eq!(answer.get("currencyOffer"), None);
    for (bin, digits, amount) in [("47617384", 2, "3952"), ("47617341", 3, "12147")] {
        let answer = app
            .frame(&session)
            .post("/fe/build/bin", &json!({ "bin": bin }))
            .await
            .ok();
        let offer = &answer["currencyOffer"];
        assert_eq!(
            (
                &offer["expiresInSeconds"],
                &offer["minorDigits"],
                &offer["amount"]
            ),
            (&json!(90), &json!(digits), &json!(amount)),
            "{bin}"
        );
    }
}

/// K23: after a reload the form shows what the buyer agreed to pay.
#[tokio::test]
async fn the_form_knows_the_sum_that_was_agreed_to() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build_form("A1", 1)).await;
    let before = boot(&app, &session).await;
    assert_eq!(
        (before.get("offer"), &before["lookUp"]),
        (None, &json!(true))
    );
    let taken = offer(&app, &session).await;
    enter(
        &app,
        &session,
        &card_with(DOLLAR_CARD, "CURRENCY_OFFER", &taken),
    )
    .await;
    let sum = json!({ "amount": "3952", "currency": "USD", "minorDigits": 2 });
    assert_eq!(boot(&app, &session).await["offer"], sum);
    app.finalize(&session).await;
    assert_eq!(boot(&app, &session).await["offer"], sum);
}

#[tokio::test]
async fn first_digits_are_looked_up_only_where_that_can_lead_to_an_offer() {
    let app = TestApp::with_dist().await;
    let mut verify = build_form("A1", 1);
    verify["paymentSession"]["actionType"] = json!("VERIFY");
    for (key, request) in [
        ("sandbox-implicit", verify),
        ("sandbox-bin8", build_form("A2", 1)),
    ] {
        let session = app.open_by(key, &request).await;
        assert_eq!(boot(&app, &session).await.get("lookUp"), None, "{request}");
    }
}

/// K22: the choice is stored with the card and shown with the operation.
#[tokio::test]
async fn instalments_that_are_offered_can_be_chosen() {
    let app = TestApp::with_dist().await;
    let mut request = build_form("A1", 1);
    request["form"]["installments"] = json!([6, 2, 3]);
    let session = app.open(&request).await;
    assert_eq!(boot(&app, &session).await["installments"], json!([2, 3, 6]));
    for wrong in ["4", "0", "-2", "two"] {
        assert_eq!(
            enter(
                &app,
                &session,
                &card_with(APPROVED, "INSTALLMENTS", &json!(wrong))
            )
            .await,
            [json!(["INSTALLMENTS", "HF0001"])],
            "{wrong}"
        );
    }
    let chosen = card_with(APPROVED, "INSTALLMENTS", &json!("3"));
    assert!(enter(&app, &session, &chosen).await.is_empty());
    let operation = &app.finalize(&session).await["operation"];
    assert_eq!(operation["additionalData"]["installmentQty"], 3);
    assert_eq!(operation["operationAmount"], "3545");
}

/// K22: paying at once means no installments, however the request says it.
#[tokio::test]
async fn paying_at_once_is_no_instalments() {
    let app = TestApp::new().await;
    for (number, value) in ["", "1"].into_iter().enumerate() {
        let mut request = build_form(&format!("A{number}"), 1);
        request["form"]["installments"] = json!([2]);
        let session = app.open(&request).await;
        let chosen = card_with(APPROVED, "INSTALLMENTS", &json!(value));
        assert!(enter(&app, &session, &chosen).await.is_empty());
        let operation = &app.finalize(&session).await["operation"];
        assert_eq!(operation["additionalData"].get("installmentQty"), None);
    }
}

#[tokio::test]
async fn what_a_form_can_not_offer_is_refused_by_name() {
    let app = TestApp::new().await;
    let with = |member: &str, value: Value| {
        let mut request = build_form("A1", 1);
        request["form"][member] = value;
        request
    };
    let mut held = with("installments", json!([2]));
    held["paymentSession"]["actionType"] = json!("PREAUTH");
    for (request, named) in [
        (with("installments", json!([1, 2])), "form.installments"),
        (with("installments", json!(3)), "form.installments"),
        (
            with("installments", json!([2, 3, 4, 5, 6, 7, 8])),
            "form.installments",
        ),
        (with("installments", json!([2, 2])), "form.installments"),
        (with("installments", json!(["2"])), "form.installments"),
        (with("installments", json!([])), "form.installments"),
        (with("installments", json!([25])), "form.installments"),
        (with("redirect", json!("TOP")), "form.redirect"),
        (held, "form.installments"),
    ] {
        let answer = app.merchant().post("/orders/build", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{request}");
        assert!(answer.why().contains(named), "{}", answer.why());
    }
}

/// K2: the form is told what it may offer. K3: the answer of a redirect says whose page it is.
#[tokio::test]
async fn the_form_is_told_of_methods_and_whose_page_a_redirect_leads_to() {
    let app = TestApp::with_dist().await;
    let mut request = build_form("A1", 1);
    request["paymentSession"]["paymentService"] = Value::Null;
    request["form"]["redirect"] = json!("PAGE");
    let session = app.open(&request).await;
    let page = boot(&app, &session).await;
    assert_eq!(page["redirect"], "PAGE");
    let ids: Vec<&str> = page["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|method| method["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids[..2], ["BANCOMATPAY", "IDEAL"]);
    assert_eq!(page["methods"][1]["label"], "iDEAL");
    // On a device that is set to Poland, the methods at home there come first.
    let polish = [("accept-language", "pl-PL,pl;q=0.9,en;q=0.8")];
    let form = format!("/form/?sessionid={session}");
    let polish = app.page(&form, &polish).await.boot();
    let ids: Vec<_> = (0..3)
        .map(|place| &polish["methods"][place]["id"])
        .collect();
    assert_eq!(ids, ["BLIK", "PRZELEWY24", "BANCOMATPAY"]);
    let frame = app.frame(&session);
    let chosen = frame.post("/fe/build/action/IDEAL", &json!({})).await.ok();
    assert_eq!(
        (&chosen["state"], &chosen["method"]),
        (&json!("REDIRECTED_TO_EXTERNAL_DOMAIN"), &json!("IDEAL"))
    );
    let state = frame
        .get(&format!("/build/state?sessionId={session}"))
        .await
        .ok();
    assert_eq!(
        (&state["method"], &state["url"]),
        (&json!("IDEAL"), &chosen["url"])
    );
    let page = boot(&app, &session).await;
    assert_eq!(page.get("methods"), None, "the choice is made");
    assert_eq!(page["state"]["method"], "IDEAL");
}

/// K3: the issuer's page is not the page of a method.
#[tokio::test]
async fn a_challenge_names_no_method() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 1)).await;
    app.enter(&session, crate::harness::CHALLENGED).await;
    app.finalize(&session).await;
    let state = app
        .frame(&session)
        .get(&format!("/build/state?sessionId={session}"))
        .await
        .ok();
    assert_eq!(state["state"], "REDIRECTED_TO_EXTERNAL_DOMAIN");
    assert_eq!(state.get("method"), None);
}

/// K7: a frame is told the amount that the server fixed, and may confirm only that one.
#[tokio::test]
async fn the_form_is_told_of_another_amount_before_the_charge() {
    let app = TestApp::with_dist().await;
    let mut request = build_form("A1", 1);
    request["version"] = json!("2");
    let session = app.open(&request).await;
    app.enter(&session, APPROVED).await;
    let frame = app.frame(&session);
    let path = format!("/build/state?sessionId={session}");
    assert_eq!(frame.get(&path).await.ok()["sum"]["amount"], "3545");
    let fixed = json!({ "sessionId": session, "amount": "4000", "confirm": false });
    app.merchant()
        .post("/build/confirm_payment", &fixed)
        .await
        .ok();
    let state = frame.get(&path).await.ok();
    assert_eq!(
        (&state["state"], &state["sum"]["amount"]),
        (&json!("READY_FOR_PAYMENT"), &json!("4000"))
    );
    assert_eq!(boot(&app, &session).await["amount"], "4000");
    let confirm = async |amount: &str| {
        let body = json!({ "sessionId": session, "amount": amount });
        frame.post("/build/confirm_payment", &body).await
    };
    assert_eq!(confirm("3545").await.refusal(), "400 PS0026");
    let state = confirm("4000").await.ok();
    assert_eq!(
        (&state["state"], &state["sum"]["amount"]),
        (&json!("GDI_VERIFICATION"), &json!("4000"))
    );
    let of_merchant = app.state(&session).await;
    assert_eq!(of_merchant.get("sum"), None, "as the contract has it");
}
