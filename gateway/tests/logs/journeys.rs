//! The calls during which the log is recorded: payments of every kind, the back office, and mistakes.

use super::{
    AMEX, API_KEY, CHALLENGED, CHALLENGED_AMEX, Client, DECLINED, MEMBER, SECURITY_CODE, http,
};
use serde_json::{Value, json};
use std::net::SocketAddr;

/// An approved payment, and one that is declined, tried again, and challenged. Returns what must not be logged.
pub(super) fn drive_payments(client: &Client, hook: SocketAddr) -> Vec<Vec<String>> {
    let approved = client.open("A1", hook);
    let frame = ("session", approved.as_str());
    client.call(
        "GET",
        &format!("/form/?lang=ita&sessionid={approved}"),
        ("accept", "text/html"),
        "",
    );
    client.call("POST", "/api/fe/build/bin", frame, r#"{"bin":"37424500"}"#);
    let device = client.check_device(&client.enter(&approved, AMEX, SECURITY_CODE));
    client.call("GET", "/api/build/cardData", frame, "");
    let state = client.call("POST", "/api/build/finalize_payment", frame, "{}");
    assert_eq!(state["operation"]["operationResult"], "EXECUTED", "{state}");
    client.call(
        "GET",
        &format!("/api/build/state?sessionId={approved}"),
        ("x-api-key", API_KEY),
        "",
    );
    client.call("GET", "/api/orders/A1", ("authorization", API_KEY), "");

    let challenged = client.open("A2", hook);
    let frame = ("session", challenged.as_str());
    client.check_device(&client.enter(&challenged, DECLINED, "123"));
    let state = client.call("POST", "/api/build/finalize_payment", frame, "{}");
    assert_eq!(state["operation"]["operationResult"], "DECLINED", "{state}");
    client.check_device(&client.enter(&challenged, CHALLENGED, "123"));
    let state = client.call("POST", "/api/build/finalize_payment", frame, "{}");
    let token = state["url"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap()
        .to_owned();
    client.call(
        "GET",
        &format!("/threeds/challenge/{token}"),
        ("accept", "text/html"),
        "",
    );
    let form = [("content-type", "application/x-www-form-urlencoded")];
    for code in ["99887766554", "123456"] {
        let body = format!("answer=approve&code={code}");
        http::send(
            client.server,
            "POST",
            &format!("/threeds/result/{token}"),
            &form,
            &body,
        )
        .unwrap();
    }
    client.call(
        "GET",
        &format!("/threeds/return/{token}"),
        ("accept", "text/html"),
        "",
    );
    let state = client.call("GET", "/api/build/state", frame, "");
    assert_eq!(state["operation"]["operationResult"], "EXECUTED", "{state}");
    vec![vec![approved, device], vec![challenged, token]]
}

/// A member who mistypes the password, logs in, changes it and makes a key. What must not be logged is added to `secrets`.
pub(super) fn drive_back_office(client: &Client, password: &str, secrets: &mut Vec<String>) {
    let send = |path: &str, cookie: &str, fields: &[(&str, &str)]| {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("cookie", cookie),
        ];
        http::send(client.server, "POST", path, &headers, &body).unwrap()
    };
    let between = |text: &str, before: &str, after: &str| {
        let (_, rest) = text.split_once(before).unwrap();
        rest.split_once(after).unwrap().0.to_owned()
    };
    let (mistyped, chosen) = ("a-mistyped-password", "a-password-that-was-chosen");
    let log_in = |password: &str| {
        send(
            "/office/login",
            "",
            &[("email", MEMBER), ("password", password)],
        )
    };
    assert_eq!(log_in(mistyped).status, Some(403));
    let token_of = |cookie: &str| {
        let headers = [("cookie", cookie)];
        let page = http::send(client.server, "GET", "/office/password", &headers, "");
        between(&page.unwrap().text, r#"name="token" value=""#, "\"")
    };
    let cookie = log_in(password).cookie.unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let token = token_of(cookie);
    let fields = [
        ("token", token.as_str()),
        ("current", password),
        ("new", chosen),
        ("again", chosen),
    ];
    let renewed = send("/office/password", cookie, &fields).cookie.unwrap();
    let renewed = renewed.split(';').next().unwrap();
    let new_token = token_of(renewed);
    let fields = [("token", new_token.as_str()), ("terminal", "91000001")];
    let page = send("/office/keys", renewed, &fields).text;
    let key = between(&page, r#"<output class="secret">"#, "</output>");
    let session = |cookie: &str| between(&format!("{cookie};"), "=", ";");
    secrets.extend([mistyped, chosen, password].map(str::to_owned));
    secrets.extend([session(cookie), session(renewed), token, new_token, key]);
}

/// Cards from the merchant's server: valid ones, a stored one, and possible mistakes.
pub(super) fn drive_direct_payments(client: &Client) {
    let merchant = ("x-api-key", API_KEY);
    let order = |id: &str| {
        json!({
            "orderId": id, "amount": "3545", "currency": "EUR", "customerInfo": { "cardHolderName": "Anna Rossi" }
        })
    };
    let card = |pan: &str| json!({ "pan": pan, "expiryDate": "1230", "cvv": SECURITY_CODE });
    let pay = |path: &str, body: &Value| client.call("POST", path, merchant, &body.to_string());
    let paid = pay(
        "/api/orders/moto",
        &json!({ "order": order("D1"), "card": card(AMEX) }),
    );
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED", "{paid}");
    let verified = json!({ "order": order("D2"), "card": card(AMEX) });
    let verified = pay("/api/orders/card_verification", &verified);
    assert_eq!(
        verified["operation"]["operationResult"], "EXECUTED",
        "{verified}"
    );
    let build = json!({
        "merchantUrl": "https://shop.example", "order": order("D3"),
        "paymentSession": {
            "amount": "3545", "paymentService": "CARDS", "resultUrl": "https://shop.example/ok",
            "cancelUrl": "https://shop.example/ko",
            "recurrence": { "action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_UNSCHEDULED" }
        }
    });
    let session = pay("/api/orders/build", &build)["sessionId"]
        .as_str()
        .unwrap()
        .to_owned();
    client.check_device(&client.enter(&session, AMEX, SECURITY_CODE));
    pay(
        "/api/build/finalize_payment",
        &json!({ "sessionId": session }),
    );
    let charged = pay(
        "/api/orders/mit",
        &json!({ "order": order("D4"), "contractId": "K1" }),
    );
    assert_eq!(
        charged["operation"]["operationResult"], "EXECUTED",
        "{charged}"
    );
    for path in [
        "/api/orders/moto",
        "/api/orders/card_verification",
        "/api/orders/mit",
    ] {
        for body in [
            json!({ "order": order("D5"), "card": card(&format!("{AMEX}1")), "contractId": AMEX }),
            json!({ "order": order("D5"), "card": { "pan": AMEX, "expiryDate": DECLINED, "cvv": CHALLENGED } }),
            json!({ "order": order("D5"), "card": AMEX, "contractId": { "pan": AMEX } }),
            json!({ "order": AMEX, "card": { AMEX: SECURITY_CODE } }),
        ] {
            let refused = pay(path, &body);
            assert!(
                refused["errors"][0]["code"].is_string(),
                "{path}: {refused}"
            );
        }
    }
}

/// A 3-step payment with its challenge, and possible failures. What must not be logged is added to `secrets`.
pub(super) fn drive_three_steps(client: &Client, secrets: &mut Vec<String>) {
    let merchant = ("x-api-key", API_KEY);
    let pay = |path: &str, body: &Value| client.call("POST", path, merchant, &body.to_string());
    let mut body = json!({
        "order": { "orderId": "T1", "amount": "3545", "currency": "EUR" },
        "card": { "pan": CHALLENGED_AMEX, "expiryDate": "1230", "cvv": SECURITY_CODE }
    });
    let begun = pay("/api/orders/3steps/init", &body);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let id = text(&begun["operation"]["operationId"]);
    let request = text(&begun["threeDSAuthRequest"]);
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let post =
        |path: &str, body: &str| http::send(client.server, "POST", path, &form, body).unwrap();
    let fields = format!(
        "ThreeDsRequest={request}&ReturnUrl=https%3A%2F%2Fshop.example%2F&transactionId={id}"
    );
    let challenge = post("/threeds/start", &fields).location.unwrap();
    client.call("GET", &challenge, ("accept", "text/html"), "");
    let result = challenge.replace("/challenge/", "/result/");
    let back = post(&result, "answer=approve&code=123456")
        .location
        .unwrap();
    let page = http::send(client.server, "GET", &back, &[], "").unwrap();
    let (_, rest) = page.text.split_once(r#"name="PaRes" value=""#).unwrap();
    let response = rest.split_once('"').unwrap().0.to_owned();
    let validation = json!({ "operationId": id, "threeDSAuthResponse": response });
    let validated = pay("/api/orders/3steps/validation", &validation);
    let proof = &validated["threeDSAuthResult"];
    body["operationId"] = json!(id);
    body["threeDSAuthData"] = proof.clone();
    // Another card, and cards that the call may not have.
    for (path, value) in [
        ("/card/pan", AMEX),
        ("/card/cvv", CHALLENGED),
        ("/operationId", AMEX),
        ("/threeDSAuthData/xid", DECLINED),
    ] {
        let mut wrong = body.clone();
        *wrong.pointer_mut(path).unwrap() = json!(value);
        let refused = pay("/api/orders/3steps/payment", &wrong);
        assert!(
            refused["errors"][0]["code"].is_string(),
            "{path}: {refused}"
        );
    }
    let paid = pay("/api/orders/3steps/payment", &body);
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED", "{paid}");
    post(
        "/threeds/start",
        &format!("ThreeDsRequest={AMEX}&ReturnUrl=x&transactionId={DECLINED}"),
    );
    let token = challenge.rsplit('/').next().unwrap().to_owned();
    secrets.extend([
        request,
        response,
        token,
        text(&proof["authenticationValue"]),
    ]);
}

/// Payments with wallets, valid and invalid ones.
pub(super) fn drive_wallets(client: &Client, secrets: &mut Vec<String>) {
    let merchant = ("x-api-key", API_KEY);
    let pay = |order: &str, number: &str, method: &str| {
        let message = json!({ "paymentMethodDetails": {
            "pan": number, "expirationMonth": 12, "expirationYear": 2030, "authMethod": method,
            "cryptogram": "Q3J5cHRvZ3JhbU9mQVRlc3Q="
        } });
        let token = json!({ "signedMessage": message.to_string() }).to_string();
        let body = json!({
            "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
            "paymentSession": { "amount": "3545", "resultUrl": "https://shop.example/ok" },
            "walletPaymentData": { "paymentMethodData": { "tokenizationData": { "token": token } } }
        });
        client.call("POST", "/api/orders/walletpay", merchant, &body.to_string())
    };
    let paid = pay("W1", AMEX, "CRYPTOGRAM_3DS");
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED", "{paid}");
    let opened = pay("W2", CHALLENGED, "PAN_ONLY");
    let session = opened["iframe"]["sessionId"].as_str().unwrap().to_owned();
    let frame = ("session", session.as_str());
    let path = "/api/fe/build/gdi_and_finalize?attemptNumber=1";
    let checking = client.call("GET", path, frame, "");
    let device = checking["url"].as_str().unwrap();
    let device = device.strip_prefix("https://gateway.example").unwrap();
    client.call("POST", device, ("accept", "*/*"), "");
    let state = client.call("GET", path, frame, "");
    assert_eq!(state["state"], "REDIRECTED_TO_EXTERNAL_DOMAIN", "{state}");
    for (number, method) in [(&AMEX[1..], "PAN_ONLY"), (DECLINED, AMEX)] {
        let refused = pay("W3", number, method);
        assert!(refused["errors"][0]["code"].is_string(), "{refused}");
    }
    let token = device.rsplit('/').next().unwrap().to_owned();
    secrets.extend([session, token, String::from("Q3J5cHRvZ3JhbU9mQVRlc3Q=")]);
}

/// Payments on a hosted page and with a link: their addresses are secrets too.
pub(super) fn drive_hosted_pages(client: &Client, hook: SocketAddr, secrets: &mut Vec<String>) {
    let merchant = ("x-api-key", API_KEY);
    let last_day = payframe_payment_domain::calendar::instant(now_ms() + 2 * 86_400_000);
    for (order, path) in [
        ("H1", "/api/orders/hpp"),
        ("H2", "/api/v2/orders/paybylink"),
    ] {
        let body = json!({
            "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
            "paymentSession": {
                "amount": "3545", "paymentService": "CARDS", "resultUrl": "https://shop.example/ok",
                "cancelUrl": "https://shop.example/ko", "notificationUrl": format!("http://{hook}/hook")
            },
            "expirationDate": &last_day[..10]
        });
        let made = client.call("POST", path, merchant, &body.to_string());
        let address = made["hostedPage"]
            .as_str()
            .or(made["paymentLink"]["link"].as_str());
        let page = address
            .unwrap()
            .strip_prefix("https://gateway.example")
            .unwrap();
        pay_at(client, page, secrets);
    }
}

/// Opens a page, pays there, and leaves it.
fn pay_at(client: &Client, page: &str, secrets: &mut Vec<String>) {
    client.call("GET", page, ("accept", "text/html"), "");
    let seated = client.call(
        "POST",
        &format!("{page}/session"),
        ("sec-fetch-site", "same-origin"),
        "",
    );
    let session = seated["session"].as_str().unwrap().to_owned();
    client.check_device(&client.enter(&session, AMEX, SECURITY_CODE));
    let frame = ("session", session.as_str());
    let state = client.call("POST", "/api/build/finalize_payment", frame, "{}");
    assert_eq!(state["operation"]["operationResult"], "EXECUTED", "{state}");
    client.call(
        "GET",
        &format!("{page}/return"),
        ("accept", "text/html"),
        "",
    );
    let token = page.rsplit('/').next().unwrap().to_owned();
    secrets.extend([session, token]);
}

/// A reservation that is paid with its link and charged with the stored card, also in ways that are refused.
pub(super) fn drive_reservations(client: &Client, secrets: &mut Vec<String>) {
    let merchant = ("x-api-key", API_KEY);
    let post = |path: &str, body: &Value| client.call("POST", path, merchant, &body.to_string());
    post("/api/structures", &json!({ "structureId": "S1" }));
    let today = payframe_payment_domain::calendar::instant(now_ms() - 86_400_000);
    let reservation = json!({
        "reservationId": "R1", "structureId": "S1", "reservationType": "BUNDLE", "amount": "3545", "deposit": "1000",
        "currency": "EUR", "checkInDate": &today[..10], "checkOutDate": &today[..10]
    });
    post("/api/reservations", &reservation);
    let link = post("/api/reservations/R1/paybylink", &json!({}));
    let address = link["paymentLink"]["link"].as_str().unwrap();
    pay_at(
        client,
        address.strip_prefix("https://gateway.example").unwrap(),
        secrets,
    );
    let read = client.call("GET", "/api/reservations/R1", merchant, "");
    let original = &read["operations"][0]["operationId"];
    let charge = json!({ "originalOperationId": original, "amount": "100", "currency": "EUR" });
    let made = post("/api/delay_charges", &charge);
    assert_eq!(made["operation"]["operationResult"], "EXECUTED", "{made}");
    let made = post("/api/reservation/R1/mit", &json!({ "amount": "100" }));
    assert_eq!(made["operation"]["operationResult"], "EXECUTED", "{made}");
    for path in [
        "/api/no_shows",
        "/api/incrementals",
        "/api/reservation/R1/mit",
    ] {
        let refused =
            json!({ "originalOperationId": original, "amount": "9999", "currency": "EUR" });
        assert!(post(path, &refused)["errors"].is_array(), "{path}");
    }
}

fn now_ms() -> i64 {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    i64::try_from(since_epoch.unwrap().as_millis()).unwrap()
}

/// All mistakes that a caller with card data can make.
pub(super) fn drive_mistakes(client: &Client, hook: SocketAddr, secrets: &mut Vec<String>) {
    let session = client.open("A3", hook);
    let frame = ("session", session.as_str());
    let merchant = ("x-api-key", API_KEY);
    // The card number in the wrong field, a code of the wrong length, numbers with gaps.
    let wrong_field = json!([
        { "id": "CARDHOLDER_NAME", "value": CHALLENGED }, { "id": "EXPIRATION_DATE", "value": DECLINED },
        { "id": "SECURITY_CODE", "value": "48484848484848484848" }, { "id": "CARD_NUMBER", "value": "4761 7300 0000 1167" },
    ]);
    client.call(
        "POST",
        "/api/fe/build/text",
        frame,
        &wrong_field.to_string(),
    );
    client.call(
        "POST",
        "/api/fe/build/text/CARD_NUMBER",
        frame,
        &json!({ "value": AMEX }).to_string(),
    );
    client.call(
        "POST",
        &format!("/api/fe/build/text/{CHALLENGED}"),
        frame,
        &json!({ "value": AMEX }).to_string(),
    );
    // JSON that is broken right after the number, JSON with other members, another media type, too large a body.
    client.call(
        "POST",
        "/api/fe/build/text",
        frame,
        &format!(r#"[{{"id":"CARD_NUMBER","value":"{CHALLENGED}"#),
    );
    client.call(
        "POST",
        "/api/fe/build/text",
        frame,
        &json!({ CHALLENGED: SECURITY_CODE }).to_string(),
    );
    client.call(
        "POST",
        "/api/fe/build/text",
        frame,
        &format!("{CHALLENGED} {}", "x".repeat(300_000)),
    );
    http::send(
        client.server,
        "POST",
        "/api/fe/build/text",
        &[frame, ("content-type", "text/plain")],
        CHALLENGED,
    )
    .unwrap();
    // The number in other members of an order.
    let order =
        json!({ "order": { "orderId": CHALLENGED, "amount": CHALLENGED, "currency": CHALLENGED } });
    client.call("POST", "/api/orders/build", merchant, &order.to_string());
    client.call("GET", &format!("/api/orders/{CHALLENGED}"), merchant, "");
    client.call(
        "GET",
        &format!("/api/operations/{CHALLENGED}?pan={CHALLENGED}"),
        merchant,
        "",
    );
    client.call("GET", &format!("/nothing/{CHALLENGED}"), merchant, "");
    client.call(
        "GET",
        "/api/orders/A1",
        ("x-api-key", "a-key-that-is-wrong"),
        "",
    );
    // Faults, and a request that is not HTTP.
    for fault in ["timeout", "drop", "500", "slow:5", CHALLENGED] {
        let correlation_id = uuid::Uuid::new_v4().to_string();
        let headers = [
            frame,
            ("correlation-id", &correlation_id),
            ("x-sandbox-fault", fault),
        ];
        let answered = http::send(client.server, "GET", "/api/build/state", &headers, "").unwrap();
        assert_eq!(
            answered.status.is_none(),
            matches!(fault, "timeout" | "drop"),
            "{fault}: closed without a byte"
        );
    }
    let _ = http::send(
        client.server,
        "BAD VERB",
        &format!("/{CHALLENGED} {CHALLENGED}"),
        &[],
        CHALLENGED,
    );
    client.call("POST", "/api/build/cancel", frame, "{}");
    secrets.push(session);
    secrets.push(String::from("a-key-that-is-wrong"));
}
