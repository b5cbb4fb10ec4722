//! Calls of a 3-step payment that are refused, and pages that are not shown.

use super::*;

#[tokio::test]
async fn the_payment_must_be_that_of_the_first_step() {
    let app = TestApp::new().await;
    let request = init("A1", APPROVED);
    let begun = begin(&app, &request).await;
    let good = payment(&request, id_of(&begun));
    for (path, value, name) in [
        ("/order/orderId", json!("A2"), "order.orderId"),
        ("/order/amount", json!("3546"), "order.amount"),
        ("/order/currency", json!("USD"), "order.currency"),
        ("/card/pan", json!(DECLINED), "card"),
        ("/card/expiryDate", json!("1130"), "card"),
    ] {
        let mut other = good.clone();
        *other.pointer_mut(path).unwrap() = value;
        let answer = pay(&app, &other).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{path}");
        assert!(
            answer.why().starts_with(&format!("{name} ")),
            "{}",
            answer.why()
        );
        assert!(!answer.text().contains("476134"), "{}", answer.text());
    }
    let mut other = good.clone();
    other["order"]["orderId"] = json!("A2");
    other["order"]["amount"] = json!("1");
    assert_eq!(pay(&app, &other).await.refusal(), "400 PS0026 PS0026");
    let mut without = good.clone();
    without.as_object_mut().unwrap().remove("card");
    assert_eq!(pay(&app, &without).await.why(), "card is missing");
    // The rest of the card may change, because it is asked for again.
    let mut other_code = good.clone();
    other_code["card"].as_object_mut().unwrap().remove("cvv");
    assert_eq!(result_of(&pay(&app, &other_code).await.ok()), "EXECUTED");
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 1);
}

#[tokio::test]
async fn a_validated_challenge_has_to_be_proved() {
    let app = TestApp::new().await;
    let request = init("A1", CHALLENGED);
    let begun = begin(&app, &request).await;
    let response = challenged(&app, &begun, "approve").await;
    let validated = validate(&app, id_of(&begun), &response).await.ok();
    let mut last = payment(&request, id_of(&begun));
    let missing = pay(&app, &last).await;
    assert!(missing.why().starts_with("threeDSAuthData is missing"));
    for member in ["authenticationValue", "eci", "xid"] {
        last["threeDSAuthData"] = proof_of(&validated);
        last["threeDSAuthData"][member] = json!("7");
        let other = pay(&app, &last).await;
        assert_eq!(other.refusal(), "400 PS0026", "{member}");
    }
    last["threeDSAuthData"]["authenticationValue"] = Value::Null;
    let absent = pay(&app, &last).await;
    assert!(
        absent.why().contains("authenticationValue"),
        "{}",
        absent.why()
    );
    // Contract 13, D128: the other members, if they are sent, are compared with the authentication.
    last["threeDSAuthData"] = json!({
        "authenticationValue": proof_of(&validated)["authenticationValue"], "threeDSAuthResponse": response
    });
    assert_eq!(result_of(&pay(&app, &last).await.ok()), "EXECUTED");
}

#[tokio::test]
async fn a_result_of_another_operation_validates_nothing() {
    let app = TestApp::new().await;
    let first = begin(&app, &init("A1", CHALLENGED)).await;
    let second = begin(&app, &init("A2", CHALLENGED)).await;
    let response = challenged(&app, &first, "approve").await;
    for (id, response) in [
        (id_of(&second), response.as_str()),
        (id_of(&first), "x"),
        (id_of(&first), first["threeDSAuthRequest"].as_str().unwrap()),
    ] {
        assert_eq!(validate(&app, id, response).await.refusal(), "400 GW9003");
    }
    let frictionless = begin(&app, &init("A3", APPROVED)).await;
    let answer = validate(&app, id_of(&frictionless), &response).await;
    assert_eq!(answer.refusal(), "400 GW9003");
    assert_eq!(
        result_of(&validate(&app, id_of(&first), &response).await.ok()),
        "THREEDS_VALIDATED"
    );
}

#[tokio::test]
async fn operations_of_others_are_not_known_and_other_operations_are_of_no_use() {
    let app = TestApp::new().await;
    let request = init("A1", APPROVED);
    let begun = begin(&app, &request).await;
    let other = app.key("sandbox-other-merchant");
    let last = payment(&request, id_of(&begun));
    let validation = json!({ "operationId": id_of(&begun), "threeDSAuthResponse": "x" });
    for (path, request) in [
        ("/orders/3steps/payment", &last),
        ("/orders/3steps/validation", &validation),
    ] {
        let foreign = other.post(path, request).await;
        assert_eq!(foreign.refusal(), "400 PS0026", "{path}");
        assert_eq!(foreign.why(), "operationId is not that of an operation");
        let mut unknown = request.clone();
        unknown["operationId"] = json!("347074400000000001");
        let unknown = app.merchant().post(path, &unknown).await;
        assert_eq!(
            (unknown.refusal(), unknown.text()),
            (foreign.refusal(), foreign.text())
        );
    }
    let session = app.open(&build("A2")).await;
    app.enter(&session, APPROVED).await;
    let built = app.finalize(&session).await;
    let answer = pay(&app, &payment(&init("A2", APPROVED), id_of(&built))).await;
    assert_eq!(answer.refusal(), "400 GW9003");
    assert_eq!(
        app.nobody()
            .post("/orders/3steps/init", &request)
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn what_is_wrong_with_the_first_step_is_said() {
    let app = TestApp::new().await;
    for (path, value, expected) in [
        ("/order/amount", json!("0"), "400 PS0026"),
        ("/order/amount", json!("1.5"), "400 PS0036"),
        ("/order/currency", json!("XXX"), "400 PS0009"),
        ("/card", Value::Null, "400 PS0026"),
        ("/card/pan", json!("4761730000000004"), "400 PS0026"),
        ("/card/pan", json!("<script>"), "400 PS0041"),
        ("/actionType", json!("REFUND"), "400 PS0026"),
        ("/exemptions", json!("LOW_VALUE"), "400 PS0026"),
        (
            "/recurrence",
            json!({ "action": "USE_CONTRACT" }),
            "400 PS0026",
        ),
    ] {
        let mut request = init("A1", APPROVED);
        request["actionType"] = json!("PAY");
        request["exemptions"] = json!("NO_PREFERENCE");
        request["recurrence"] = json!({ "action": "NO_RECURRING" });
        *request.pointer_mut(path).unwrap() = value;
        let answer = app.merchant().post("/orders/3steps/init", &request).await;
        assert_eq!(answer.refusal(), expected, "{path}");
        assert!(!answer.text().contains("476134"), "{}", answer.text());
    }
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
}

#[tokio::test]
async fn the_browsers_form_must_be_the_gateways_own() {
    let app = TestApp::new().await;
    let begun = begin(&app, &init("A1", CHALLENGED)).await;
    let request = begun["threeDSAuthRequest"].as_str().unwrap().to_owned();
    let id = id_of(&begun).to_owned();
    let other = begin(&app, &init("A2", CHALLENGED)).await;
    for (request, url, id, expected) in [
        (request.as_str(), "javascript:alert(1)", id.as_str(), 400),
        (&request, "data:text/html,x", &id, 400),
        (&request, "", &id, 400),
        (&request, "ftp://shop.example/", &id, 400),
        ("x", "https://shop.example/", &id, 404),
        (&request, "https://shop.example/", id_of(&other), 404),
        (&request, "https://shop.example/", "347074400000000001", 404),
    ] {
        let fields = [
            ("ThreeDsRequest", request),
            ("ReturnUrl", url),
            ("transactionId", id),
        ];
        let answer = post_form(&app, "/threeds/start", &fields).await;
        assert_eq!(answer.status, expected, "{url} {id}");
        assert!(!answer.text().contains("javascript:"));
    }
    let nothing = post_form(
        &app,
        "/threeds/start",
        &[("ReturnUrl", "https://shop.example/")],
    )
    .await;
    assert_eq!(nothing.status, 400);
    let challenge = come(&app, &begun).await;
    let page = app.page(&challenge, &[]).await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.contains("frame-ancestors 'self' https://shop.example;"),
        "{policy}"
    );
    assert!(page.text().contains("•••• 3007"), "{}", page.text());
    // No call names a language, so the browser's counts.
    for (accepted, word) in [
        ("it-CH, en;q=0.5", "Conferma"),
        ("fr", "Confirm"),
        ("", "Confirm"),
    ] {
        let page = app.page(&challenge, &[("accept-language", accepted)]).await;
        assert!(page.text().contains(word), "{accepted}: {}", page.text());
    }
    // The page without its request, and the end of the page before its start, show nothing.
    let early = app
        .page(&challenge.replace("/challenge/", "/return/"), &[])
        .await;
    assert!(!early.text().contains("PaRes"), "{}", early.text());
}
