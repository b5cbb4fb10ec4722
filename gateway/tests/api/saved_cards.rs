//! Saved cards in the form: shown to their customer, used with only the security code, removed, and stored by consent.

pub(crate) mod form;

use crate::harness::{APPROVED, DECLINED, TestApp, build_form, build_two, card, short};
use form::{Tab, boot, enter, items, keep, keeping, remove, shown, with_saved};
use serde_json::{Value, json};

const AMEX: &str = "374245000000009";

/// K17: the form gets what the buyer recognises the cards by, and no more digits.
#[tokio::test]
async fn a_customers_kept_cards_are_shown_newest_first() {
    let app = TestApp::with_dist().await;
    keep(&app, "K1", APPROVED).await;
    keep(&app, "K2", AMEX).await;
    // Agreed only for charges by the merchant: the buyer cannot choose it.
    let session = app.open(&keeping("A0", "K3", "MIT_UNSCHEDULED")).await;
    enter(&app, &session, &card(APPROVED)).await;
    app.finalize(&session).await;
    let session = app.open(&with_saved("A1", "USE_AND_REMOVE")).await;
    let page = boot(&app, &session).await;
    assert_eq!(page["saved"]["removable"], true);
    let cards = page["saved"]["cards"].as_array().unwrap();
    let told: Vec<Value> = cards
        .iter()
        .map(|card| {
            json!([
                card["network"],
                card["brand"],
                card["last4"],
                card["expires"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!(["AMEX", "American Express", "0009", "2030-12"]),
            json!(["VISA", "Visa", "0003", "2030-12"]),
        ]
    );
    let text = page["saved"].to_string();
    for digits in ["476173", "374245", "\"K1\"", "\"K2\""] {
        assert!(!text.contains(digits), "{text}");
    }
    // The same in every session of the order, and absent if the request does not ask for it.
    let again = app.open(&with_saved("A1", "USE")).await;
    let page = boot(&app, &again).await;
    assert_eq!(page["saved"]["cards"][0]["id"], cards[0]["id"]);
    assert_eq!(page["saved"]["removable"], false);
    // A page around it could have a button pressed that needs no typing.
    let plain_form = format!("/form/plain?sessionid={again}&lang=en");
    let text = app.page(&plain_form, &[]).await.text();
    assert!(
        text.contains("name=\"cardnumber\"") && !text.contains("0009"),
        "{text}"
    );
    let plain = app.open(&build_form("A3", 1)).await;
    assert_eq!(boot(&app, &plain).await.get("saved"), None);
    let apart = app.open(&with_saved("A1", "USE")).await;
    let apart = app
        .page(&format!("/form/?sessionid={apart}&layout=fields"), &[])
        .await;
    assert_eq!(apart.boot()["saved"]["cards"][0]["id"], cards[0]["id"]);
}

/// K17: only the security code is asked for, in the length of the card's network, and no device check is due.
#[tokio::test]
async fn a_kept_card_pays_with_its_security_code_alone() {
    let app = TestApp::with_dist().await;
    keep(&app, "K1", AMEX).await;
    let session = app.open(&with_saved("A1", "USE")).await;
    let id = shown(&app, &session).await[0]["id"].clone();
    let wrong = [
        (items(&id, ""), json!(["SECURITY_CODE", "HF0001"])),
        (items(&id, "123"), json!(["SECURITY_CODE", "HF0001"])),
        (
            json!([{ "id": "SAVED_CARD", "value": id }]),
            json!(["SECURITY_CODE", "HF0001"]),
        ),
        (
            json!([
                { "id": "SAVED_CARD", "value": id }, { "id": "SECURITY_CODE", "value": "1234" },
                { "id": "CARD_NUMBER", "value": APPROVED }
            ]),
            json!(["CARD_NUMBER", "HF0001"]),
        ),
    ];
    for (sent, refused) in wrong {
        assert_eq!(enter(&app, &session, &sent).await, [refused], "{sent}");
    }
    let answer = app
        .frame(&session)
        .post("/fe/build/text", &items(&id, "1234"))
        .await
        .ok();
    assert_eq!(answer["workflowState"], "READY_FOR_PAYMENT");
    assert_eq!(answer.get("gdiStatus"), None);
    let state = app.finalize(&session).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let data = &state["operation"]["additionalData"];
    assert_eq!(data["contractId"], "K1");
    // The session keeps no card after its end.
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

/// K17: the shop's server may close it too, in either version.
#[tokio::test]
async fn a_kept_card_pays_in_version_two() {
    let app = TestApp::with_dist().await;
    keep(&app, "K1", APPROVED).await;
    let mut request = build_two("A1");
    request["form"] = json!({ "savedCards": "USE" });
    let session = app.open(&request).await;
    let id = shown(&app, &session).await[0]["id"].clone();
    assert!(enter(&app, &session, &items(&id, "123")).await.is_empty());
    let confirm = json!({ "sessionId": session, "amount": "3545" });
    let state = app
        .merchant()
        .post("/build/confirm_payment", &confirm)
        .await
        .ok();
    assert_eq!(state["state"], "GDI_VERIFICATION");
    let state = app
        .frame(&session)
        .get("/fe/build/gdi_and_finalize?attemptNumber=1")
        .await
        .ok();
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}

/// K17: a handle is valid for its customer at its merchant, and does not exist for anybody else.
#[tokio::test]
async fn a_kept_card_of_somebody_else_does_not_exist() {
    let app = TestApp::with_dist().await;
    keep(&app, "K1", APPROVED).await;
    let own = app.open(&with_saved("A1", "USE_AND_REMOVE")).await;
    let mut tab = Tab::of(&app, &own);
    let id = tab.shown().await[0]["id"].clone();
    let mut request = with_saved("A2", "USE_AND_REMOVE");
    request["order"]["customerId"] = json!("cust-8");
    let customer = app.open(&request).await;
    let merchant = app
        .open_by(
            "sandbox-other-merchant",
            &with_saved("A3", "USE_AND_REMOVE"),
        )
        .await;
    let not_asked = app.open(&build_form("A4", 1)).await;
    for session in [&customer, &merchant, &not_asked] {
        assert_eq!(shown(&app, session).await, Vec::<Value>::new());
        assert_eq!(
            enter(&app, session, &items(&id, "123")).await,
            [json!(["SAVED_CARD", "HF0001"])]
        );
    }
    for session in [&customer, &merchant] {
        assert_eq!(remove(&app, session, &id).await.refusal(), "400 PS0017");
    }
    assert_eq!(remove(&app, &not_asked, &id).await.refusal(), "400 GW9003");
    for unknown in ["", "x", "K1", "%2e%2e"] {
        assert!(
            enter(&app, &own, &items(&json!(unknown), "123"))
                .await
                .iter()
                .any(|refused| refused[1] != Value::Null),
            "{unknown}"
        );
    }
    assert_eq!(tab.shown().await.len(), 1);
}

/// K18: an expired card is shown as expired, and cannot pay.
#[tokio::test]
async fn an_expired_kept_card_is_shown_and_not_taken() {
    let app = TestApp::with_dist().await;
    keep(&app, "K1", APPROVED).await;
    // 2031-01-02: December 2030 has ended everywhere.
    app.clock
        .advance(std::time::Duration::from_secs(1504 * 86_400));
    let session = app.open(&with_saved("A1", "USE")).await;
    let cards = shown(&app, &session).await;
    assert_eq!(
        (&cards[0]["expires"], &cards[0]["expired"]),
        (&json!("2030-12"), &json!(true))
    );
    assert_eq!(
        enter(&app, &session, &items(&cards[0]["id"], "123")).await,
        [json!(["SAVED_CARD", "HF0006"])]
    );
}

/// K18: after a refusal the buyer can choose another card.
#[tokio::test]
async fn a_kept_card_that_was_refused_can_be_followed_by_another_one() {
    let app = TestApp::with_dist().await;
    // Approved now, and declined for lack of funds later.
    keep(&app, "K1", "4761730000007164").await;
    let session = app.open(&with_saved("A1", "USE")).await;
    let mut tab = Tab::of(&app, &session);
    let id = tab.shown().await[0]["id"].clone();
    assert!(enter(&app, &session, &items(&id, "123")).await.is_empty());
    assert_eq!(
        short(&app.finalize(&session).await),
        "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED"
    );
    assert_eq!(tab.shown().await.len(), 1);
    assert!(enter(&app, &session, &card(APPROVED)).await.is_empty());
    let state = app.finalize(&session).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(state["operation"]["additionalData"].get("contractId"), None);
}

/// K17: a removed card is gone for every session that has not sent it yet.
#[tokio::test]
async fn a_removed_card_is_gone_in_every_tab() {
    let app = TestApp::with_dist().await;
    keep(&app, "K1", APPROVED).await;
    keep(&app, "K2", AMEX).await;
    let [one, two, begun] = [
        app.open(&with_saved("A1", "USE_AND_REMOVE")).await,
        app.open(&with_saved("A2", "USE_AND_REMOVE")).await,
        app.open(&with_saved("A3", "USE")).await,
    ];
    let mut tab = Tab::of(&app, &two);
    let (cards, other) = (shown(&app, &one).await, tab.shown().await);
    let of_begun = shown(&app, &begun).await;
    let visa = |cards: &[Value]| cards[1]["id"].clone();
    let sent = items(&visa(&of_begun), "123");
    assert!(enter(&app, &begun, &sent).await.is_empty());
    // Not in this session, which may only use cards.
    assert_eq!(
        remove(&app, &begun, &of_begun[0]["id"]).await.refusal(),
        "400 GW9003"
    );
    let left = remove(&app, &one, &visa(&cards)).await.ok();
    assert_eq!(left["cards"], json!([cards[0]]));
    assert_eq!(
        remove(&app, &two, &visa(&other)).await.refusal(),
        "400 PS0017"
    );
    assert_eq!(
        enter(&app, &two, &items(&visa(&other), "123")).await,
        [json!(["SAVED_CARD", "HF0001"])]
    );
    assert_eq!(tab.shown().await, [other[0].clone()]);
    // The merchant no longer sees it either, and the id is free.
    let contracts = app.merchant().get("/contracts/customers/cust-7").await.ok();
    assert_eq!(contracts["contracts"].as_array().unwrap().len(), 1);
    // A payment that was sent before is finished.
    let state = app.finalize(&begun).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    keep(&app, "K1", "4761730000003049").await;
    let anew = tab.shown().await;
    assert_ne!(anew[0]["id"], visa(&other), "another card, another handle");
}

#[tokio::test]
async fn nothing_is_removed_once_a_card_is_sent() {
    let app = TestApp::with_dist().await;
    keep(&app, "K1", APPROVED).await;
    let session = app.open(&with_saved("A1", "USE_AND_REMOVE")).await;
    let id = shown(&app, &session).await[0]["id"].clone();
    assert!(enter(&app, &session, &items(&id, "123")).await.is_empty());
    assert_eq!(remove(&app, &session, &id).await.refusal(), "400 GW9003");
    assert_eq!(boot(&app, &session).await.get("saved"), None);
}

/// K19: the form is told the agreement: what for, how often, until when, and how to stop it.
#[tokio::test]
async fn the_form_is_told_what_the_buyer_agrees_to() {
    let app = TestApp::with_dist().await;
    let mut request = keeping("A1", "K1", "MIT_SCHEDULED");
    let recurrence = &mut request["paymentSession"]["recurrence"];
    recurrence["contractExpiryDate"] = json!("2027-12-31");
    recurrence["contractFrequency"] = json!("30");
    request["form"]["consent"] = json!("REQUIRED");
    request["form"]["consentText"] = json!("Write to stop@shop.example.");
    let session = app.open(&request).await;
    assert_eq!(
        boot(&app, &session).await["consent"],
        json!({
            "required": true, "kind": "MIT_SCHEDULED", "gapDays": 30, "lastDay": "2027-12-31",
            "text": "Write to stop@shop.example."
        })
    );
    let mut request = keeping("A2", "K2", "CIT");
    request["form"]["consent"] = json!("OPTIONAL");
    let session = app.open(&request).await;
    assert_eq!(
        boot(&app, &session).await["consent"],
        json!({ "required": false, "kind": "CIT" })
    );
    let session = app.open(&keeping("A3", "K3", "CIT")).await;
    assert_eq!(boot(&app, &session).await.get("consent"), None);
}

/// K20: without consent the payment goes on without storing the card if that is allowed, and is refused by name if not.
#[tokio::test]
async fn a_card_is_kept_only_with_consent_where_that_is_asked_for() {
    let app = TestApp::with_dist().await;
    let with = |answer: Option<&str>| {
        let mut items = card(APPROVED);
        if let Some(answer) = answer {
            let item = json!({ "id": "CONTRACT_CONSENT", "value": answer });
            items.as_array_mut().unwrap().push(item);
        }
        items
    };
    let mut request = keeping("A1", "K1", "CIT");
    request["form"]["consent"] = json!("REQUIRED");
    let session = app.open(&request).await;
    for no in [None, Some(""), Some("false"), Some("yes")] {
        assert_eq!(
            enter(&app, &session, &with(no)).await,
            [json!(["CONTRACT_CONSENT", "HF0001"])],
            "{no:?}"
        );
    }
    assert!(enter(&app, &session, &with(Some("true"))).await.is_empty());
    let state = app.finalize(&session).await;
    assert_eq!(state["operation"]["additionalData"]["contractId"], "K1");
    for (place, answer, kept) in [
        (2, None, false),
        (3, Some("false"), false),
        (4, Some("true"), true),
    ] {
        let mut request = keeping(&format!("A{place}"), &format!("K{place}"), "CIT");
        request["form"]["consent"] = json!("OPTIONAL");
        let session = app.open(&request).await;
        assert!(enter(&app, &session, &with(answer)).await.is_empty());
        let state = app.finalize(&session).await;
        assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        let contract = state["operation"]["additionalData"].get("contractId");
        assert_eq!(contract.is_some(), kept, "{answer:?}");
    }
    assert_eq!(app.count("SELECT count(*) FROM contract").await, 2);
}

/// K20: the consent for one card does not count for the next.
#[tokio::test]
async fn consent_is_asked_again_after_a_refusal() {
    let app = TestApp::with_dist().await;
    let mut request = keeping("A1", "K1", "CIT");
    request["form"]["consent"] = json!("OPTIONAL");
    let session = app.open(&request).await;
    assert!(enter(&app, &session, &card(DECLINED)).await.is_empty());
    app.finalize(&session).await;
    let mut agreed = card(APPROVED);
    let item = json!({ "id": "CONTRACT_CONSENT", "value": "true" });
    agreed.as_array_mut().unwrap().push(item);
    assert!(enter(&app, &session, &agreed).await.is_empty());
    let state = app.finalize(&session).await;
    assert_eq!(state["operation"]["additionalData"]["contractId"], "K1");
}

/// K17: paying with a saved card stores no second one.
#[tokio::test]
async fn a_kept_card_is_not_kept_again() {
    let app = TestApp::with_dist().await;
    keep(&app, "K1", APPROVED).await;
    let mut request = keeping("A1", "K2", "CIT");
    request["form"]["savedCards"] = json!("USE");
    request["form"]["consent"] = json!("REQUIRED");
    let session = app.open(&request).await;
    let id = shown(&app, &session).await[0]["id"].clone();
    assert!(enter(&app, &session, &items(&id, "123")).await.is_empty());
    let state = app.finalize(&session).await;
    assert_eq!(state["operation"]["additionalData"]["contractId"], "K1");
    assert_eq!(app.count("SELECT count(*) FROM contract").await, 1);
}

#[tokio::test]
async fn what_can_not_be_asked_of_a_form_about_kept_cards_is_refused_by_name() {
    let app = TestApp::new().await;
    let changed = |mut request: Value, change: &dyn Fn(&mut Value)| {
        change(&mut request);
        request
    };
    let saved = || with_saved("A1", "USE");
    let creation = || keeping("A1", "K1", "CIT");
    let verify = |request: &mut Value| {
        request["paymentSession"]["actionType"] = json!("VERIFY");
        request["form"]["consent"] = json!("OPTIONAL");
    };
    let pays = |request: &mut Value| {
        request["paymentSession"]["recurrence"] =
            json!({ "action": "CARD_SUBSTITUTION", "contractId": "K1" });
    };
    for (request, named) in [
        (with_saved("A1", "ALL"), "form.savedCards"),
        (
            changed(saved(), &|it| it["order"]["customerId"] = Value::Null),
            "order.customerId",
        ),
        (
            changed(saved(), &|it| it["order"]["customerId"] = json!("")),
            "order.customerId",
        ),
        (
            changed(saved(), &|it| {
                it["paymentSession"]["actionType"] = json!("VERIFY")
            }),
            "form.savedCards",
        ),
        (changed(saved(), &pays), "form.savedCards"),
        (
            changed(saved(), &|it| it["form"]["consent"] = json!("REQUIRED")),
            "form.consent",
        ),
        (
            changed(saved(), &|it| it["form"]["consentText"] = json!("x")),
            "form.consent",
        ),
        (
            changed(creation(), &|it| it["form"]["consent"] = json!(true)),
            "form.consent",
        ),
        (
            changed(creation(), &|it| {
                it["form"]["consentText"] = json!("x".repeat(501))
            }),
            "form.consentText",
        ),
        (changed(creation(), &verify), "OPTIONAL"),
    ] {
        let answer = app.merchant().post("/orders/build", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{request}");
        assert!(answer.why().contains(named), "{named}: {}", answer.why());
    }
}
