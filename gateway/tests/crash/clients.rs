//! The clients of a run: each pays one order after the other and repeats a call until it has an answer.

use super::{KEYS, Paid, Run, http, path_of};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// Pays one order after the other, each to its end, until the last call. Pays each case at least once, because a slow machine
/// may not reach all of them before that.
pub(super) fn pay_until_last_call(run: &Run, client: usize) -> Vec<Paid> {
    let mut payments = Vec::new();
    let mut number = 0;
    while !run.last_call.load(Ordering::SeqCst) || number < CASES.len() {
        let order = format!("C{client}-{number}");
        let case = CASES[(number + client) % CASES.len()];
        match case {
            ["MOTO"] => payments.push(pay_by_telephone(run, KEYS[client], &order)),
            ["MIT"] => payments.extend(pay_on_contract(run, KEYS[client], &order)),
            ["3STEPS", card] => payments.push(pay_in_three_steps(run, KEYS[client], &order, card)),
            ["WALLET", flow] => payments.push(pay_with_wallet(run, KEYS[client], &order, flow)),
            ["STAY"] => payments.extend(stay(run, KEYS[client], &order)),
            ["PENALTY"] => payments.push(cancel_late(run, KEYS[client], &order)),
            ["HOSTED", path] => payments.push(pay_on_page(run, KEYS[client], &order, path)),
            _ => {
                let action = if number % 2 == 0 { "PAY" } else { "PREAUTH" };
                payments.push(pay(run, KEYS[client], &order, action, case, None));
            }
        }
        number += 1;
    }
    payments
}

/// An order by telephone: one call for the whole payment.
fn pay_by_telephone(run: &Run, api_key: &str, order: &str) -> Paid {
    let body = json!({
        "order": {
            "orderId": order, "amount": "3545", "currency": "EUR",
            "customerInfo": { "cardHolderName": "Anna Rossi" }
        },
        "card": { "pan": "4761730000000003", "expiryDate": "1230", "cvv": "123" }
    });
    pay_in_one_call(run, api_key, order, "/api/orders/moto", &body)
}

/// A payment that makes a contract, and a charge of that contract.
fn pay_on_contract(run: &Run, api_key: &str, order: &str) -> Vec<Paid> {
    if api_key == "sandbox-no-token" {
        return vec![pay_by_telephone(run, api_key, order)];
    }
    let contract = format!("{order}-contract");
    let first = pay(
        run,
        api_key,
        order,
        "PAY",
        &["4761730000000003"],
        Some(&contract),
    );
    let charge = format!("{order}-later");
    let body = json!({
        "order": { "orderId": charge, "amount": "3545", "currency": "EUR" }, "contractId": contract
    });
    vec![
        first,
        pay_in_one_call(run, api_key, &charge, "/api/orders/mit", &body),
    ]
}

fn pay_in_one_call(run: &Run, api_key: &str, order: &str, path: &str, body: &Value) -> Paid {
    let merchant = ("x-api-key", api_key);
    let answer = run.call("POST", path, merchant, &format!("{order}-pay"), body);
    let mut paid = sale(order, result_of(order, &answer));
    if paid.told != ["PENDING"] {
        move_money(run, api_key, "PAY", &mut paid);
    }
    paid
}

/// Cards that are used one after the other in one session, or the alternative method of the session.
/// `MOTO` and `MIT` are payments that one call makes; the others name what else they need.
const CASES: [&[&str]; 18] = [
    &["4761730000000003"],
    &["3STEPS", "4761730000003007"],
    &["4761730000001167", "5413330000000001"],
    &["HOSTED", "/api/orders/hpp"],
    &["4761730000003007"],
    &[DEMANDING],
    &["WALLET", "PAN_ONLY"],
    &["4761730000008881"],
    &["HOSTED", "/api/v2/orders/paybylink"],
    &["4761730000003049"],
    &["3STEPS", "4761730000008881"],
    &["PAYPAL"],
    &["WALLET", "CRYPTOGRAM_3DS"],
    &["MULTIBANCO"],
    &["MOTO"],
    &["MIT"],
    &["STAY"],
    &["PENALTY"],
];

/// A card whose issuer declines without an authentication, and approves after a challenge.
const DEMANDING: &str = "4761730000003114";

/// A payment whose authentication the merchant's server leads.
fn pay_in_three_steps(run: &Run, api_key: &str, order: &str, number: &str) -> Paid {
    let merchant = ("x-api-key", api_key);
    let mut body = json!({
        "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
        "card": { "pan": number, "expiryDate": "1230", "cvv": "123" }
    });
    let post = |path: &str, name: &str, body: &Value| {
        run.call("POST", path, merchant, &format!("{order}-{name}"), body)
    };
    let begun = post("/api/orders/3steps/init", "init", &body);
    let id = begun["operation"]["operationId"].as_str();
    let id = id.unwrap_or_else(|| panic!("{order}: {begun}")).to_owned();
    body["operationId"] = json!(id);
    if let Some(request) = begun["threeDSAuthUrl"]
        .as_str()
        .and(begun["threeDSAuthRequest"].as_str())
    {
        let form = format!(
            "ThreeDsRequest={request}&ReturnUrl=https%3A%2F%2Fshop.example%2Fback&transactionId={id}"
        );
        let challenge = run.press("/threeds/start", &form).location.unwrap();
        let result = challenge.replace("/challenge/", "/result/");
        let back = run.press(&result, "answer=approve").location.unwrap();
        let page = run.until_answered(|server| http::send(server, "GET", &back, &[], ""));
        let (_, rest) = page.text.split_once(r#"name="PaRes" value=""#).unwrap();
        let response = rest.split_once('"').unwrap().0;
        let validation = json!({ "operationId": id, "threeDSAuthResponse": response });
        let validated = post("/api/orders/3steps/validation", "validation", &validation);
        assert_eq!(
            validated["operation"]["operationResult"], "THREEDS_VALIDATED",
            "{order}: {validated}"
        );
        body["threeDSAuthData"] = validated["threeDSAuthResult"].clone();
    }
    pay_in_one_call(run, api_key, order, "/api/orders/3steps/payment", &body)
}

/// A payment with a wallet. If the wallet does not authenticate the buyer, the device check follows.
fn pay_with_wallet(run: &Run, api_key: &str, order: &str, flow: &str) -> Paid {
    let message = json!({ "paymentMethodDetails": {
        "pan": "4761730000000003", "expirationMonth": 12, "expirationYear": 2030, "authMethod": flow,
        "cryptogram": "AAAA"
    } });
    let token = json!({ "signedMessage": message.to_string() });
    let body = json!({
        "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
        "paymentSession": {
            "amount": "3545", "resultUrl": "https://shop.example/ok", "notificationUrl": "http://127.0.0.1:9/hook"
        },
        "walletPaymentData": { "paymentMethodData": { "tokenizationData": { "token": token.to_string() } } }
    });
    let path = "/api/orders/walletpay";
    if flow != "PAN_ONLY" {
        return pay_in_one_call(run, api_key, order, path, &body);
    }
    let merchant = ("x-api-key", api_key);
    let answer = run.call("POST", path, merchant, &format!("{order}-pay"), &body);
    let session = answer["iframe"]["sessionId"].as_str();
    let session = session.unwrap_or_else(|| panic!("{order}: {answer}"));
    let frame = ("session", session);
    let poll = |attempt: u8| {
        let path = format!("/api/fe/build/gdi_and_finalize?attemptNumber={attempt}");
        run.call("GET", &path, frame, "", &Value::Null)
    };
    let checking = poll(1);
    run.press(path_of(checking["url"].as_str().unwrap()), "");
    let state = poll(2);
    let mut paid = sale(order, result_of(order, &state));
    move_money(run, api_key, "PAY", &mut paid);
    paid
}

/// A reservation that is paid with its link, increased, captured, and charged a part and a delayed charge.
fn stay(run: &Run, api_key: &str, order: &str) -> Vec<Paid> {
    if api_key == "sandbox-no-token" {
        return vec![pay_by_telephone(run, api_key, order)];
    }
    let more = json!({ "reservationType": "PREPAID_REFUNDABLE", "collectionType": "DELAYED", "deposit": "2000" });
    let mut paid = reserve(run, api_key, order, more);
    let merchant = ("x-api-key", api_key);
    let read = run.call(
        "GET",
        &format!("/api/orders/{order}"),
        merchant,
        "",
        &Value::Null,
    );
    let held = read["operations"][0]["operationId"].clone();
    let held = held.as_str().unwrap();
    let post = |path: &str, amount: i64| {
        let body =
            json!({ "originalOperationId": held, "amount": amount.to_string(), "currency": "EUR" });
        run.call("POST", path, merchant, &format!("{order}{path}"), &body)
    };
    let increment = post("/api/incrementals", 500);
    let id = increment["operation"]["operationId"].as_str();
    let id = id.unwrap_or_else(|| panic!("{order}: {increment}"));
    paid.moved.push((id.to_owned(), "INCREMENTAL", 500));
    let captured = post(&format!("/api/operations/{held}/captures"), 2500);
    let id = captured["operationId"].as_str();
    let id = id.unwrap_or_else(|| panic!("{order}: {captured}"));
    paid.moved.push((id.to_owned(), "CAPTURE", 2500));
    for (path, amount) in [
        (format!("/api/reservation/{order}/mit"), 400),
        (String::from("/api/delay_charges"), 300),
    ] {
        paid.told.push(result_of(order, &post(&path, amount)));
        paid.charges += 1;
    }
    paid.totals = (2000 + 500 + 400 + 300, 2500 + 400 + 300);
    vec![paid]
}

/// A reservation that is guaranteed with a card by its link and cancelled too late.
fn cancel_late(run: &Run, api_key: &str, order: &str) -> Paid {
    if api_key == "sandbox-no-token" {
        return pay_by_telephone(run, api_key, order);
    }
    let more = json!({ "reservationType": "GUARANTEED_PENALTY" });
    let mut paid = reserve(run, api_key, order, more);
    let path = format!("/api/reservations/{order}/cancels");
    let merchant = ("x-api-key", api_key);
    // A repeated call may find that the penalty is already charged: then its answer has none.
    let key = format!("{order}-cancel");
    let cancelled = run.call("POST", &path, merchant, &key, &Value::Null);
    assert!(cancelled["errors"].is_null(), "{order}: {cancelled}");
    paid.told.push(String::from("EXECUTED"));
    paid.charges = 1;
    paid
}

/// A reservation for today, and its first payment with a link, after the terms were accepted.
fn reserve(run: &Run, api_key: &str, order: &str, more: Value) -> Paid {
    let merchant = ("x-api-key", api_key);
    let post = |path: &str, body: &Value| {
        run.call("POST", path, merchant, &format!("{order}{path}"), body)
    };
    let structure = format!("{order}-structure");
    post("/api/structures", &json!({ "structureId": structure }));
    let text = json!({ "language": "eng", "checkMarkLabel": "I accept", "linkLabel": "Terms", "text": "PHA+VGVybXM8L3A+" });
    let terms = json!({ "name": "Terms", "termsAndConditions": [text] });
    let terms = post("/api/terms_and_conditions", &terms);
    let mut reservation = json!({
        "reservationId": order, "structureId": structure, "amount": "3545", "currency": "EUR",
        "checkInDate": day(-1), "checkOutDate": day(-1), "termsAndConditionsIds": [terms["termsAndConditionsId"]],
    });
    for (name, value) in more.as_object().unwrap() {
        reservation[name] = value.clone();
    }
    post("/api/reservations", &reservation);
    let link = post(&format!("/api/reservations/{order}/paybylink"), &json!({}));
    let address = link["paymentLink"]["link"].as_str();
    let address = path_of(address.unwrap_or_else(|| panic!("{order}: {link}")));
    run.press(&format!("{address}/accept"), "accepted=0");
    let mut paid = sale(order, String::new());
    paid.told = pay_at(run, order, address);
    paid
}

/// A payment on a hosted page or over a link.
fn pay_on_page(run: &Run, api_key: &str, order: &str, path: &str) -> Paid {
    let body = json!({
        "order": { "orderId": order, "amount": "3545", "currency": "EUR" },
        "paymentSession": {
            "amount": "3545", "paymentService": "CARDS", "resultUrl": "https://shop.example/ok",
            "cancelUrl": "https://shop.example/ko", "notificationUrl": "http://127.0.0.1:9/hook"
        },
        "expirationDate": day(2)
    });
    let merchant = ("x-api-key", api_key);
    let made = run.call("POST", path, merchant, &format!("{order}-page"), &body);
    let address = made["hostedPage"]
        .as_str()
        .or(made["paymentLink"]["link"].as_str());
    let address = address.unwrap_or_else(|| panic!("{order}: {made}"));
    let mut paid = sale(order, String::new());
    paid.told = pay_at(run, order, path_of(address));
    move_money(run, api_key, "PAY", &mut paid);
    paid
}

/// Uses two cards at a page; returns the results.
fn pay_at(run: &Run, order: &str, address: &str) -> Vec<String> {
    let session_path = format!("{address}/session");
    let headers = [
        ("origin", "http://localhost:8787"),
        ("sec-fetch-site", "same-origin"),
    ];
    let opened =
        run.until_answered(|server| http::send(server, "POST", &session_path, &headers, ""));
    let opened: Value = serde_json::from_str(&opened.text).unwrap();
    let session = opened["session"].as_str();
    let session = session.unwrap_or_else(|| panic!("{order}: {opened}"));
    let cards = ["4761730000001167", "4761730000003007"];
    pay_with_cards(run, order, session, &cards)
}

/// A day in the future.
fn day(days: i64) -> String {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seconds = i64::try_from(since_epoch.unwrap().as_secs()).unwrap() + days * 86_400;
    payframe_payment_domain::calendar::instant(seconds * 1000)[..10].to_owned()
}

/// A sale with one result.
fn sale(order: &str, told: String) -> Paid {
    Paid {
        order: order.to_owned(),
        told: vec![told],
        moved: Vec::new(),
        totals: (3545, 3545),
        charges: 0,
    }
}

fn result_of(order: &str, answer: &Value) -> String {
    let result = answer["operation"]["operationResult"].as_str();
    result
        .unwrap_or_else(|| panic!("{order}: {answer}"))
        .to_owned()
}

fn pay(
    run: &Run,
    api_key: &str,
    order: &str,
    action: &str,
    cards: &[&str],
    contract: Option<&str>,
) -> Paid {
    let is_method = |case: &&str| case.bytes().all(|byte| byte.is_ascii_uppercase());
    let method = cards.first().copied().filter(is_method);
    // Other methods cannot hold money for later.
    let action = if method.is_some() { "PAY" } else { action };
    let recurrence = match contract {
        Some(contract_id) => json!({
            "action": "CONTRACT_CREATION", "contractId": contract_id, "contractType": "MIT_UNSCHEDULED"
        }),
        None => json!({ "action": "NO_RECURRING" }),
    };
    let build = json!({
        "merchantUrl": "https://shop.example",
        "order": {
            "orderId": order, "amount": "3545", "currency": "EUR",
            "customerInfo": { "billingAddress": { "country": "PRT" } }
        },
        "paymentSession": {
            "actionType": action, "amount": "3545", "paymentService": method.unwrap_or("CARDS"), "resultUrl": "https://shop.example/ok",
            "cancelUrl": "https://shop.example/ko", "notificationUrl": "http://127.0.0.1:9/hook",
            "recurrence": recurrence
        },
        "form": { "closing": "FRAME", "attempts": 3 }
    });
    let merchant = ("x-api-key", api_key);
    let built = run.call(
        "POST",
        "/api/orders/build",
        merchant,
        &format!("{order}-build"),
        &build,
    );
    let session = built["sessionId"]
        .as_str()
        .unwrap_or_else(|| panic!("{order}: {built}"))
        .to_owned();
    let frame = ("session", session.as_str());
    let mut told = Vec::new();
    if method.is_some() {
        run.press(path_of(built["url"].as_str().unwrap()), "answer=approve");
        let state = run.call("GET", "/api/build/state", frame, "", &Value::Null);
        let result = state["operation"]["operationResult"].as_str();
        told.push(
            result
                .unwrap_or_else(|| panic!("{order}: {state}"))
                .to_owned(),
        );
    }
    if method.is_none() {
        told = pay_with_cards(run, order, &session, cards);
    }
    let captured = if action == "PAY" { 3545 } else { 0 };
    let mut paid = Paid {
        order: order.to_owned(),
        told,
        moved: Vec::new(),
        totals: (3545, captured),
        charges: 0,
    };
    if paid.told.last().is_some_and(|result| result != "PENDING") {
        move_money(run, api_key, action, &mut paid);
    }
    paid
}

/// Submits cards one after the other in a session, and closes it with each. Returns the results.
fn pay_with_cards(run: &Run, order: &str, session: &str, cards: &[&str]) -> Vec<String> {
    let frame = ("session", session);
    let mut told = Vec::new();
    for (attempt, number) in cards.iter().enumerate() {
        let entry = json!([
            { "id": "CARD_NUMBER", "value": number }, { "id": "EXPIRATION_DATE", "value": "1230" },
            { "id": "SECURITY_CODE", "value": "123" }, { "id": "CARDHOLDER_NAME", "value": "Anna Rossi" },
        ]);
        let entered = run.call(
            "POST",
            "/api/fe/build/text",
            frame,
            &format!("{order}-card-{attempt}"),
            &entry,
        );
        if let Some(url) = entered["gdiStatus"]["gdiUrl"].as_str() {
            run.call(
                "POST",
                path_of(url),
                ("accept", "*/*"),
                "page",
                &Value::Null,
            );
        }
        let key = format!("{order}-close-{attempt}");
        let mut state = run.call(
            "POST",
            "/api/build/finalize_payment",
            frame,
            &key,
            &json!({}),
        );
        if let Some(url) = state["url"].as_str() {
            if *number == DEMANDING {
                told.push(String::from("DECLINED"));
            }
            let token = url.rsplit('/').next().unwrap();
            run.press(
                &format!("/threeds/result/{token}"),
                "answer=approve&code=123456",
            );
            state = run.call("GET", "/api/build/state", frame, "", &Value::Null);
        }
        let result = state["operation"]["operationResult"].as_str();
        told.push(
            result
                .unwrap_or_else(|| panic!("{order}, card {attempt}: {state}"))
                .to_owned(),
        );
    }
    told
}

/// Refunds a sale in parts; captures a pre-authorization in parts and releases the rest.
fn move_money(run: &Run, api_key: &str, action: &str, paid: &mut Paid) {
    let merchant = ("x-api-key", api_key);
    let order = &paid.order;
    let read = run.call(
        "GET",
        &format!("/api/orders/{order}"),
        merchant,
        "",
        &Value::Null,
    );
    // The newest operation is the payment.
    let payment = read["operations"][0]["operationId"].as_str().unwrap();
    let steps: &[(&str, &str, i64)] = if action == "PAY" {
        &[("refunds", "REFUND", 1000), ("refunds", "REFUND", 545)]
    } else {
        paid.totals = (1500, 1500);
        &[
            ("captures", "CAPTURE", 1000),
            ("captures", "CAPTURE", 500),
            // The amount exceeds the captured one, so it is the open one.
            ("refunds", "VOID", 2045),
        ]
    };
    for (step, (call, kind, amount)) in steps.iter().enumerate() {
        let path = format!("/api/operations/{payment}/{call}");
        let body = json!({ "amount": amount.to_string(), "currency": "EUR" });
        let taken = run.call(
            "POST",
            &path,
            merchant,
            &format!("{order}-move-{step}"),
            &body,
        );
        let id = taken["operationId"].as_str();
        let id = id.unwrap_or_else(|| panic!("{order}, {call} {amount}: {taken}"));
        paid.moved.push((id.to_owned(), kind, *amount));
    }
}
