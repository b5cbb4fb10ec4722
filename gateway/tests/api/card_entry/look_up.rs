//! What the first digits of a card tell: its networks, and an offer in its own currency.

use super::*;

/// B13: the look-up tells the merchant's preference if there are two networks to choose from.
#[tokio::test]
async fn the_look_up_tells_the_merchants_preference() {
    let app = TestApp::new().await;
    for (order, key, bin, networks, preferred) in [
        (
            "A1",
            "sandbox-local-first",
            "47617325",
            json!(["VISA", "CARTES_BANCAIRES"]),
            json!("CARTES_BANCAIRES"),
        ),
        (
            "A2",
            "sandbox-local-first",
            "67030000",
            json!(["MAESTRO", "BANCONTACT"]),
            json!("BANCONTACT"),
        ),
        (
            "A3",
            "sandbox-local-first",
            "47617300",
            json!(["VISA"]),
            Value::Null,
        ),
        (
            "A4",
            "sandbox-implicit",
            "47617325",
            json!(["VISA", "CARTES_BANCAIRES"]),
            Value::Null,
        ),
        (
            "A5",
            "sandbox-cards-only",
            "47617325",
            json!(["VISA"]),
            Value::Null,
        ),
    ] {
        let session = app.open_by(key, &build(order)).await;
        let frame = app.frame(&session);
        let answer = frame
            .post("/fe/build/bin", &json!({ "bin": bin }))
            .await
            .ok();
        assert_eq!(
            (&answer["networks"], &answer["preferredNetwork"]),
            (&networks, &preferred),
            "{order}"
        );
    }
}

#[tokio::test]
async fn a_card_that_another_network_processes_is_looked_up_as_that_ones() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    for bin in ["65215000", "65003100"] {
        let answer = frame
            .post("/fe/build/bin", &json!({ "bin": bin }))
            .await
            .ok();
        assert_eq!(answer["networks"], json!(["DISCOVER"]), "{bin}");
    }
}

#[tokio::test]
async fn first_digits_tell_networks_and_an_offer() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    let look_up = async |bin: &str| frame.post("/fe/build/bin", &json!({ "bin": bin })).await;
    let mut usd = look_up("47617384").await.ok();
    let offer_id = usd["currencyOffer"]["offerId"].take();
    assert!(offer_id.as_str().unwrap().starts_with("of_"));
    let expected = json!({
        "networks": ["VISA"], "panLengths": [13, 16, 19], "securityCodeLength": 3, "securityCodePolicy": "REQUIRED",
        "issuerCountry": "USA", "funding": "CREDIT",
        "currencyOffer": {
            "offerId": null, "amount": "3952", "currency": "USD", "exchangeRate": "0.897085020",
            "markUpPercent": "3.00", "expiresAt": "2026-11-20T10:05:00.000Z",
            "expiresInSeconds": 300, "minorDigits": 2
        }
    });
    assert_eq!(usd, expected);
    let co_badged = look_up("47617325").await.ok();
    assert_eq!(
        (&co_badged["networks"], &co_badged["panLengths"]),
        (&json!(["VISA", "CARTES_BANCAIRES"]), &json!([16]))
    );
    assert_eq!(
        look_up("67030000").await.ok()["securityCodePolicy"],
        "OPTIONAL"
    );
    assert_eq!(look_up("37424500").await.ok()["securityCodeLength"], 4);
    assert_eq!(
        look_up("62000000").await.ok().get("currencyOffer"),
        None,
        "not on this network"
    );
    assert_eq!(
        look_up("47617300").await.ok().get("currencyOffer"),
        None,
        "the same currency"
    );
    assert_eq!(
        look_up("476173").await.ok()["issuerCountry"],
        Value::Null,
        "from eight digits on"
    );
    assert_eq!(look_up("90000000").await.ok()["networks"], json!([]));
    for bad in [
        json!({ "bin": "47617" }),
        json!({ "bin": "476173840" }),
        json!({ "bin": 476173 }),
        json!({ "bin": "4761a3" }),
        json!({}),
    ] {
        assert_eq!(
            frame.post("/fe/build/bin", &bad).await.refusal(),
            "400 PS0026",
            "{bad}"
        );
    }
}

#[tokio::test]
async fn an_accepted_offer_is_charged_and_shown() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    let offer = frame
        .post("/fe/build/bin", &json!({ "bin": "47617384" }))
        .await
        .ok()["currencyOffer"]["offerId"]
        .clone();
    let entry = |number: &str| {
        let mut entry = card(number);
        entry
            .as_array_mut()
            .unwrap()
            .push(json!({ "id": "CURRENCY_OFFER", "value": offer }));
        entry
    };
    let other_card = frame.post("/fe/build/text", &entry(APPROVED)).await.ok();
    assert_eq!(errors(&other_card), "CURRENCY_OFFER HF9001");
    let answer = frame
        .post("/fe/build/text", &entry("4761738400000002"))
        .await
        .ok();
    app.app
        .buyer_pages()
        .device_check_done(token_of(answer["gdiStatus"]["gdiUrl"].as_str().unwrap()))
        .await
        .unwrap();
    let operation = &app.finalize(&session).await["operation"];
    let conversion = &operation["additionalData"]["multiCurrencyConversion"];
    assert_eq!(
        *conversion,
        json!({ "amount": "3952", "currency": "USD", "exchangeRate": "0.897085020" })
    );
    assert_eq!(
        (
            &operation["operationAmount"],
            &operation["operationCurrency"]
        ),
        (&json!("3545"), &json!("EUR"))
    );
}

#[tokio::test]
async fn an_offer_expires() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    let offer = frame
        .post("/fe/build/bin", &json!({ "bin": "47617384" }))
        .await
        .ok()["currencyOffer"]["offerId"]
        .clone();
    for _ in 0..3 {
        app.clock.advance(Duration::from_secs(100));
        frame.get("/build/state").await.ok();
    }
    let mut entry = card("4761738400000002");
    entry
        .as_array_mut()
        .unwrap()
        .push(json!({ "id": "CURRENCY_OFFER", "value": offer }));
    assert_eq!(
        errors(&frame.post("/fe/build/text", &entry).await.ok()),
        "CURRENCY_OFFER HF9001"
    );
}

#[tokio::test]
async fn first_digits_can_be_looked_up_thirty_times() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    for number in 1..=31 {
        app.clock.advance(Duration::from_secs(1));
        let answer = app
            .frame(&session)
            .post("/fe/build/bin", &json!({ "bin": "476173" }))
            .await;
        assert_eq!(
            answer.status,
            if number <= 30 { 200 } else { 429 },
            "{number}"
        );
    }
}
