//! Card data from the buyer: what is accepted, what the errors say, and the offers for its first digits.

mod look_up;

use crate::harness::{APPROVED, TestApp, build, build_form, card, short, token_of};
use serde_json::{Value, json};
use std::time::Duration;

/// Error codes of a submission by field, as `CARD_NUMBER HF0004, …`.
fn errors(answer: &Value) -> String {
    let statuses = answer["fieldStatus"].as_array().unwrap().iter();
    let bad = statuses.filter(|status| status["event"] == "BUILD_ERROR");
    let texts: Vec<String> = bad
        .map(|status| {
            format!(
                "{} {}",
                status["id"].as_str().unwrap(),
                status["errorCode"].as_str().unwrap()
            )
        })
        .collect();
    texts.join(", ")
}

fn with(id: &str, value: &str) -> Value {
    let mut entry = card(APPROVED);
    let items = entry.as_array_mut().unwrap();
    items.retain(|item| item["id"] != id);
    items.push(json!({ "id": id, "value": value }));
    entry
}

#[tokio::test]
async fn bad_card_data_is_named_field_by_field_and_nothing_is_kept() {
    let app = TestApp::new().await;
    let mut orders = 0;
    for (entry, expected) in [
        (
            with("CARD_NUMBER", "4761730000000004"),
            "CARD_NUMBER HF0004",
        ),
        (with("CARD_NUMBER", "374245000000000"), "CARD_NUMBER HF0004"),
        (with("CARD_NUMBER", "476173000000000"), "CARD_NUMBER HF0004"),
        (
            with("CARD_NUMBER", "9000000000000001"),
            "CARD_NUMBER HF0005",
        ),
        (with("CARD_NUMBER", ""), "CARD_NUMBER HF0004"),
        (with("EXPIRATION_DATE", "1326"), "EXPIRATION_DATE HF0006"),
        (with("EXPIRATION_DATE", "1026"), "EXPIRATION_DATE HF0006"),
        (with("EXPIRATION_DATE", "1247"), "EXPIRATION_DATE HF0006"),
        (with("SECURITY_CODE", "1234"), "SECURITY_CODE HF0001"),
        (with("SECURITY_CODE", ""), "SECURITY_CODE HF0001"),
        (
            with("CARDHOLDER_NAME", "4761730000000003"),
            "CARDHOLDER_NAME HF0007",
        ),
        (with("CARDHOLDER_NAME", "A"), "CARDHOLDER_NAME HF0007"),
        (with("PREFERRED_NETWORK", "MC"), "PREFERRED_NETWORK HF0005"),
        (
            with("PREFERRED_NETWORK", "nothing"),
            "PREFERRED_NETWORK HF0005",
        ),
        (
            with("CURRENCY_OFFER", "of_nothing"),
            "CURRENCY_OFFER HF9001",
        ),
        (
            json!([]),
            "CARD_NUMBER HF0004, EXPIRATION_DATE HF0006, SECURITY_CODE HF0001, CARDHOLDER_NAME HF0007",
        ),
    ] {
        app.clock.advance(Duration::from_secs(1));
        orders += 1;
        let session = app.open(&build(&format!("A{orders}"))).await;
        let answer = app
            .frame(&session)
            .post("/fe/build/text", &entry)
            .await
            .ok();
        assert_eq!(errors(&answer), expected, "{entry}");
        assert_eq!(answer["workflowState"], "CARD_DATA_COLLECTION");
    }
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

#[tokio::test]
async fn card_data_that_is_good_in_unusual_ways_is_taken() {
    let app = TestApp::new().await;
    let mut orders = 0;
    let entry = |number: &str, expiry: &str, code: &str| {
        json!([
            { "id": "CARDHOLDER_NAME", "value": "Łódź O'Neill-D." },
            { "id": "SECURITY_CODE", "value": code },
            { "id": "EXPIRATION_DATE", "value": expiry },
            { "id": "CARD_NUMBER", "value": number },
        ])
    };
    for (entry, what) in [
        (entry("4761 7300 0000 0003", "12/30", "123"), "gaps"),
        (
            entry("4349940199004549", "0526", "396"),
            "a documented expiry that is past",
        ),
        (entry(APPROVED, "1126", "000"), "this month"),
        (entry(APPROVED, "1146", "123"), "20 years ahead"),
        (entry("374245000000009", "1230", "1234"), "four digits"),
        (
            entry("6799990000000000003", "1230", ""),
            "no code where it is optional",
        ),
        (
            entry("6703000000000007", "1230", ""),
            "co-badged, the stricter of optional and none",
        ),
    ] {
        orders += 1;
        let session = app.open(&build(&format!("A{orders}"))).await;
        let answer = app
            .frame(&session)
            .post("/fe/build/text", &entry)
            .await
            .ok();
        assert_eq!(errors(&answer), "", "{what}");
        assert!(answer.get("gdiStatus").is_some(), "{what}");
    }
}

#[tokio::test]
async fn networks_that_the_terminal_does_not_take_are_refused() {
    let app = TestApp::new().await;
    let session = app.open_by("sandbox-cards-only", &build("A1")).await;
    let answer = app
        .frame(&session)
        .post("/fe/build/text", &card("374245000000009"))
        .await
        .ok();
    assert_eq!(errors(&answer), "CARD_NUMBER HF0005");
}

#[tokio::test]
async fn the_buyer_chooses_the_network_of_a_co_badged_card() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let mut entry = card("4761732500000004");
    entry
        .as_array_mut()
        .unwrap()
        .push(json!({ "id": "PREFERRED_NETWORK", "value": "CARTES_BANCAIRES" }));
    let answer = app
        .frame(&session)
        .post("/fe/build/text", &entry)
        .await
        .ok();
    app.app
        .buyer_pages()
        .device_check_done(token_of(answer["gdiStatus"]["gdiUrl"].as_str().unwrap()))
        .await
        .unwrap();
    let data = app.frame(&session).get("/build/cardData").await.ok();
    assert_eq!(data["circuit"], "CARTES_BANCAIRES");
    assert_eq!(
        app.finalize(&session).await["operation"]["paymentCircuit"],
        "CARTES_BANCAIRES"
    );
}

/// B14: the network that was used is stored with the operation, and whether the buyer or a default chose it.
#[tokio::test]
async fn who_chose_the_network_is_kept_with_the_operation() {
    let app = TestApp::new().await;
    let preference = |value: &str, chooser: Value| json!({ "id": "PREFERRED_NETWORK", "value": value, "chosenBy": chooser });
    let unsaid = json!({ "id": "PREFERRED_NETWORK", "value": "CARTES_BANCAIRES" });
    for (order, key, number, item, circuit, chooser) in [
        (
            "A1",
            "sandbox-implicit",
            "4761732500000004",
            Some(unsaid),
            "CARTES_BANCAIRES",
            json!("BUYER"),
        ),
        (
            "A2",
            "sandbox-implicit",
            "4761732500000004",
            Some(preference("VISA", json!("BUYER"))),
            "VISA",
            json!("BUYER"),
        ),
        (
            "A3",
            "sandbox-implicit",
            "4761732500000004",
            Some(preference("VISA", json!("DEFAULT"))),
            "VISA",
            json!("DEFAULT"),
        ),
        (
            "A4",
            "sandbox-implicit",
            "4761732500000004",
            None,
            "VISA",
            json!("DEFAULT"),
        ),
        (
            "A5",
            "sandbox-local-first",
            "4761732500000004",
            None,
            "CARTES_BANCAIRES",
            json!("DEFAULT"),
        ),
        (
            "A6",
            "sandbox-cards-only",
            "4761732500000004",
            None,
            "VISA",
            Value::Null,
        ),
        (
            "A7",
            "sandbox-implicit",
            APPROVED,
            None,
            "VISA",
            Value::Null,
        ),
    ] {
        let session = app.open_by(key, &build(order)).await;
        let mut entry = card(number);
        entry.as_array_mut().unwrap().extend(item);
        let answer = app
            .frame(&session)
            .post("/fe/build/text", &entry)
            .await
            .ok();
        app.app
            .buyer_pages()
            .device_check_done(token_of(answer["gdiStatus"]["gdiUrl"].as_str().unwrap()))
            .await
            .unwrap();
        let operation = &app.finalize(&session).await["operation"];
        assert_eq!(operation["paymentCircuit"], circuit, "{order}");
        assert_eq!(
            operation["additionalData"]["networkChosenBy"], chooser,
            "{order}"
        );
    }
    let session = app.open(&build("A8")).await;
    let mut entry = card("4761732500000004");
    entry
        .as_array_mut()
        .unwrap()
        .push(preference("VISA", json!("SHOP")));
    let answer = app.frame(&session).post("/fe/build/text", &entry).await;
    assert_eq!(answer.refusal(), "400 PS0026");
}

/// B10: a card without a security code is accepted without one, once its buyer has chosen that network.
#[tokio::test]
async fn a_default_network_does_not_do_away_with_the_security_code() {
    let app = TestApp::new().await;
    let entry = |chooser: &str| {
        json!([
            { "id": "CARD_NUMBER", "value": "6703000000000007" },
            { "id": "EXPIRATION_DATE", "value": "1230" },
            { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" },
            { "id": "SECURITY_CODE", "value": "12" },
            { "id": "PREFERRED_NETWORK", "value": "BANCONTACT", "chosenBy": chooser },
        ])
    };
    for (order, chooser, expected) in [
        ("A1", "DEFAULT", "SECURITY_CODE HF0001"),
        ("A2", "BUYER", ""),
    ] {
        let session = app.open(&build(order)).await;
        let answer = app
            .frame(&session)
            .post("/fe/build/text", &entry(chooser))
            .await
            .ok();
        assert_eq!(errors(&answer), expected, "{chooser}");
    }
}

#[tokio::test]
async fn malformed_submissions_are_refused_as_such() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    for body in [
        json!({}),
        json!([5]),
        json!([{ "id": "CARD_NUMBER" }]),
        json!([{ "id": "CARD_NUMBER", "value": 5 }]),
        json!([{ "id": "NOSUCH", "value": "" }]),
        json!([{ "id": "CARDHOLDER_EMAIL", "value": "" }]),
        json!([{ "id": "CARD_NUMBER", "value": "" }, { "id": "CARD_NUMBER", "value": "" }]),
        json!([{ "id": "CARD_NUMBER", "value": "4".repeat(2000) }]),
    ] {
        assert_eq!(
            app.frame(&session)
                .post("/fe/build/text", &body)
                .await
                .refusal(),
            "400 PS0026",
            "{body}"
        );
    }
    let script = with("CARDHOLDER_NAME", "<script>");
    assert_eq!(
        app.frame(&session)
            .post("/fe/build/text", &script)
            .await
            .refusal(),
        "400 PS0041"
    );
}

#[tokio::test]
async fn card_data_may_be_sent_again_while_its_device_check_runs_but_not_later() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    let first = frame.post("/fe/build/text", &card(APPROVED)).await.ok();
    let second = frame
        .post("/fe/build/text", &card("5413330000000001"))
        .await
        .ok();
    let (first, second) = (
        first["gdiStatus"]["gdiUrl"].as_str().unwrap(),
        second["gdiStatus"]["gdiUrl"].as_str().unwrap(),
    );
    assert_ne!(first, second);
    app.app
        .buyer_pages()
        .device_check_done(token_of(first))
        .await
        .unwrap();
    assert_eq!(
        short(&app.state(&session).await),
        "CARD_DATA_COLLECTION",
        "the first card's check says nothing of the second"
    );
    app.app
        .buyer_pages()
        .device_check_done(token_of(second))
        .await
        .unwrap();
    assert_eq!(frame.get("/build/cardData").await.ok()["circuit"], "MC");
    assert_eq!(
        frame
            .post("/fe/build/text", &card(APPROVED))
            .await
            .refusal(),
        "400 GW9003"
    );
}

#[tokio::test]
async fn the_tenth_bad_submission_ends_the_payment() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 5)).await;
    for number in 1..=10 {
        let answer = app
            .frame(&session)
            .post("/fe/build/text", &with("SECURITY_CODE", "1"))
            .await
            .ok();
        let expected = if number < 10 {
            "CARD_DATA_COLLECTION"
        } else {
            "PAYMENT_COMPLETE"
        };
        assert_eq!(answer["workflowState"], expected, "{number}");
    }
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/FAILED"
    );
    assert_eq!(app.count("SELECT count(*) FROM notification").await, 1);
}

#[tokio::test]
async fn one_value_is_checked_and_not_kept() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    for (id, value, expected) in [
        ("CARD_NUMBER", APPROVED, Value::Null),
        ("CARD_NUMBER", "4761730000000004", json!("HF0004")),
        ("EXPIRATION_DATE", "1230", Value::Null),
        ("EXPIRATION_DATE", "0020", json!("HF0006")),
        ("SECURITY_CODE", "", Value::Null),
        ("SECURITY_CODE", "12", json!("HF0001")),
        ("CARDHOLDER_NAME", "Anna", Value::Null),
        ("CARDHOLDER_NAME", "1234", json!("HF0007")),
    ] {
        let answer = frame
            .post(&format!("/fe/build/text/{id}"), &json!({ "value": value }))
            .await
            .ok();
        assert_eq!(
            (&answer["id"], &answer["errorCode"]),
            (&json!(id), &expected),
            "{id} {value}"
        );
        assert!(answer.get("gdiUrl").is_none());
    }
    assert_eq!(
        frame
            .post("/fe/build/text/CARDHOLDER_EMAIL", &json!({ "value": "" }))
            .await
            .refusal(),
        "404"
    );
    assert_eq!(
        frame
            .post("/fe/build/text/CARD_NUMBER", &json!({}))
            .await
            .refusal(),
        "400 PS0026"
    );
    assert_eq!(
        app.count("SELECT CAST(sum(submissions) AS BIGINT) FROM build_session")
            .await,
        0
    );
}
