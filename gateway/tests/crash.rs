//! Kills the gateway's process many times, without warning, while it takes payments. Then compares its database
//! with the acquirer's: every order has one outcome, every paid order one charge, every refund, capture and
//! release one movement of money; none is lost or doubled.
//!
//! If `PAYFRAME_TEST_DATABASE` names a server, three processes on one database are called in turn, and each time
//! another one is killed.
//!
//! The clients do what real ones have to do: each repeats a call, with the same idempotency key, until it gets
//! an answer. `CRASH_SEED` repeats a run's choices; `CRASH_ROUNDS` changes how often the process is killed.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/database.rs"]
mod database;
#[path = "support/http.rs"]
mod http;

use database::TestDatabase;
use payframe_gateway::config::Config;
use payframe_storage::{Column, Row, Store, StoreError, query};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const ROUNDS: u32 = 30;
const CLIENTS: usize = 4;
const KEYS: [&str; 4] = [
    "sandbox-implicit",
    "sandbox-no-token",
    "sandbox-other-merchant",
    "sandbox-bin8",
];

/// The common state of a run.
struct Run {
    /// Where the current processes listen.
    servers: Mutex<Vec<Option<SocketAddr>>>,
    /// How often a process was looked for.
    turns: AtomicUsize,
    /// The process is not killed any more: open payments are finished, and no new ones begin.
    last_call: AtomicBool,
    interrupted: AtomicU32,
    replayed: AtomicU32,
}

/// An order as its client sees it.
struct Paid {
    order: String,
    /// Results that the client received, one for each call that closes a payment.
    told: Vec<String>,
    /// Later movements of the money: the id in the answer, type and amount.
    moved: Vec<(String, &'static str, i64)>,
    /// Authorized and captured in the end.
    totals: (i64, i64),
    /// For a reservation: how often the card was charged besides the payment.
    charges: usize,
}

#[test]
fn killing_the_process_loses_no_payment_and_charges_none_twice() {
    let seed = number("CRASH_SEED").unwrap_or_else(any_seed);
    let rounds = number("CRASH_ROUNDS").map_or(ROUNDS, |rounds| rounds as u32);
    // Not with a macro: its output appears only when the test ends, and a test that hangs is stopped before that.
    writeln!(
        std::io::stderr(),
        "CRASH_SEED={seed} CRASH_ROUNDS={rounds} repeats it"
    )
    .unwrap();
    let place = Place::make();
    let processes = place.processes();
    let run = Arc::new(Run {
        servers: Mutex::new(vec![None; processes]),
        turns: AtomicUsize::new(0),
        last_call: AtomicBool::new(false),
        interrupted: AtomicU32::new(0),
        replayed: AtomicU32::new(0),
    });
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let run = Arc::clone(&run);
            std::thread::spawn(move || pay_until_last_call(&run, client))
        })
        .collect();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut gateways: Vec<Option<Gateway>> = (0..processes).map(|_| None).collect();
    for _ in 0..rounds {
        let one = random.usize(..processes);
        run.servers.lock().unwrap()[one] = None;
        gateways[one] = None;
        let mut gateway = place.start();
        if random.u64(..5) == 0 {
            // It is killed while it starts, perhaps during recovery.
            std::thread::sleep(Duration::from_millis(random.u64(..150)));
        } else {
            run.servers.lock().unwrap()[one] = Some(gateway.address());
            std::thread::sleep(Duration::from_millis(20 + random.u64(..180)));
        }
        gateways[one] = Some(gateway);
    }
    run.last_call.store(true, Ordering::SeqCst);
    for (one, place_of_one) in gateways.iter_mut().enumerate() {
        run.servers.lock().unwrap()[one] = None;
        *place_of_one = None;
        let gateway = place_of_one.insert(place.start());
        run.servers.lock().unwrap()[one] = Some(gateway.address());
    }
    let payments: Vec<Paid> = clients
        .into_iter()
        .flat_map(|client| client.join().unwrap())
        .collect();
    place.wait_for_pending();
    drop(gateways);

    let interrupted = run.interrupted.load(Ordering::SeqCst);
    println!(
        "{} payments, {interrupted} calls cut off, {} replayed",
        payments.len(),
        run.replayed.load(Ordering::SeqCst)
    );
    assert!(
        interrupted >= rounds / 10,
        "the process was hardly ever killed in mid-call"
    );
    reconcile(&place, &payments);
}

/// Pays one order after the other, each to its end, until the last call. Pays each case at least once, because a slow machine
/// may not reach all of them before that.
fn pay_until_last_call(run: &Run, client: usize) -> Vec<Paid> {
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
const CASES: [&[&str]; 17] = [
    &["4761730000000003"],
    &["3STEPS", "4761730000003007"],
    &["4761730000001167", "5413330000000001"],
    &["HOSTED", "/api/orders/hpp"],
    &["4761730000003007"],
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
        "pan": "4761730000000003", "expirationMonth": 12, "expirationYear": 2030, "authMethod": flow
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
    // Other methods can not hold money for later.
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

impl Run {
    /// Calls until there is an answer. Also repeats calls that were refused because of the rate or because the first one still runs.
    fn call(
        &self,
        method: &str,
        path: &str,
        credential: (&str, &str),
        key: &str,
        body: &Value,
    ) -> Value {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let correlation_id = uuid::Uuid::new_v4().to_string();
        let headers = [
            credential,
            ("content-type", "application/json"),
            ("correlation-id", correlation_id.as_str()),
            ("idempotency-key", key),
        ];
        let response =
            self.until_answered(|server| http::send(server, method, path, &headers, &body));
        serde_json::from_str(&response.text).unwrap_or(Value::Null)
    }

    /// Presses a button of a page of the sandbox.
    fn press(&self, path: &str, form: &str) -> http::Response {
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        self.until_answered(|server| http::send(server, "POST", path, &headers, form))
    }

    /// The next process that listens, if any.
    fn next(&self) -> Option<SocketAddr> {
        let there: Vec<SocketAddr> = self
            .servers
            .lock()
            .unwrap()
            .iter()
            .flatten()
            .copied()
            .collect();
        let turn = self.turns.fetch_add(1, Ordering::SeqCst);
        there.get(turn % there.len().max(1)).copied()
    }

    fn until_answered(
        &self,
        send: impl Fn(SocketAddr) -> std::io::Result<http::Response>,
    ) -> http::Response {
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut was_cut_off = false;
        while Instant::now() < deadline {
            let server = self.next();
            match server.map(&send) {
                Some(Ok(response))
                    if !matches!(response.status, None | Some(409 | 429 | 500..)) =>
                {
                    self.replayed
                        .fetch_add(u32::from(was_cut_off), Ordering::SeqCst);
                    return response;
                }
                Some(Ok(http::Response {
                    status: Some(_), ..
                }))
                | None => {}
                Some(_) => {
                    was_cut_off = true;
                    self.interrupted.fetch_add(1, Ordering::SeqCst);
                }
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("no answer within a minute");
    }
}

fn path_of(url: &str) -> &str {
    url.strip_prefix("http://localhost:8787").unwrap()
}

/// What the processes of a run have in common.
struct Place {
    folder: tempfile::TempDir,
    database: TestDatabase,
}

impl Place {
    fn make() -> Place {
        Place {
            folder: tempfile::tempdir().unwrap(),
            database: TestDatabase::make(),
        }
    }

    /// The number of processes that can share the database.
    fn processes(&self) -> usize {
        self.database.url().map_or(1, |_| 3)
    }

    fn start(&self) -> Gateway {
        let data = self.folder.path();
        let process = Command::new(env!("CARGO_BIN_EXE_payframe-gateway"))
            .env("PAYFRAME_MODE", "sandbox")
            .env("PAYFRAME_LISTEN", "127.0.0.1:0")
            .env("PAYFRAME_ORIGIN", "http://localhost:8787")
            .env("PAYFRAME_DATA", data)
            .envs(self.database.url().map(|url| ("DATABASE_URL", url)))
            .env("PAYFRAME_ASSETS", data.join("no-dist"))
            .env("PAYFRAME_PENDING_SECONDS", "1")
            // Long enough for slow machines.
            .env("PAYFRAME_CHALLENGE_SECONDS", "900")
            .env("PAYFRAME_LOG", "off")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Gateway(process)
    }

    fn gateways(&self, question: &'static str) -> Vec<Row> {
        ask(question, Store::open(&self.config().storage()))
    }

    fn acquirers(&self, question: &'static str) -> Vec<Row> {
        ask(
            question,
            payframe_gateway::open_acquirers_books(&self.config()),
        )
    }

    fn config(&self) -> Config {
        Config {
            data: self.folder.path().to_owned(),
            database_url: self.database.url(),
            ..Config::sandbox()
        }
    }

    /// Waits for payments in progress. Processes that share a database recover the payments of a killed one only after some seconds.
    fn wait_for_pending(&self) {
        let open = "SELECT operation_id FROM operation WHERE result = 'PENDING' \
            UNION ALL SELECT session_hash FROM build_session WHERE state = 'AUTHORIZING'";
        for _ in 0..300 {
            if self.gateways(open).is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("a payment never got its result");
    }
}

fn ask(question: &'static str, store: impl Future<Output = Result<Store, StoreError>>) -> Vec<Row> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async { store.await.unwrap().ask(query(question)).await.unwrap() })
}

fn get<'r, T: Column<'r>>(row: &'r Row, column: &str) -> T {
    row.try_get(column).unwrap()
}

/// The gateway's process. It is killed when this value is dropped.
struct Gateway(Child);

impl Gateway {
    /// Waits for the line that says that the process is ready.
    fn address(&mut self) -> SocketAddr {
        let mut lines = BufReader::new(self.0.stdout.take().unwrap()).lines();
        let line = lines
            .next()
            .expect("the process ended before it was ready")
            .unwrap();
        let ready = line.strip_prefix("listening on http://").unwrap();
        // The mode follows the address.
        ready.split(' ').next().unwrap().parse().unwrap()
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Compares the gateway's database with the acquirer's, and both with what the clients received.
fn reconcile(place: &Place, payments: &[Paid]) {
    let mut operations: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for row in place.gateways("SELECT order_id, operation_id, result FROM operation WHERE payment_id IS NULL ORDER BY time_ms",
    ) {
        operations
            .entry(get(&row, "order_id"))
            .or_default()
            .push((get(&row, "operation_id"), get(&row, "result")));
    }
    let mut charges: BTreeMap<String, String> = BTreeMap::new();
    let question =
        "SELECT reference, coalesce(final_settlement, settlement) AS settlement FROM charge";
    for row in place.acquirers(question) {
        assert!(
            charges
                .insert(get(&row, "reference"), get(&row, "settlement"))
                .is_none()
        );
    }
    let mut movements = Vec::new();
    for Paid {
        order,
        told,
        moved,
        totals: (_, captured),
        charges: more,
    } in payments
    {
        // Operations that are captured in whole or in part, with nothing left open, are executed.
        let good = if *captured > 0 {
            "EXECUTED"
        } else {
            "AUTHORIZED"
        };
        let booked = operations.remove(order).unwrap_or_default();
        let results: Vec<&str> = booked.iter().map(|(_, result)| result.as_str()).collect();
        let expected: Vec<&str> = told
            .iter()
            .map(|result| match result.as_str() {
                "PENDING" | "AUTHORIZED" => good,
                other => other,
            })
            .collect();
        assert_eq!(
            results, expected,
            "{order}: the gateway's books are not what its client was told"
        );
        assert_eq!(
            results.iter().filter(|result| **result == good).count(),
            1 + more,
            "{order}: one final success, and one for each charge"
        );
        for (operation_id, result) in &booked {
            let settlement = charges.remove(operation_id);
            let expected = if result == good {
                "APPROVED"
            } else {
                "DECLINED"
            };
            assert_eq!(
                settlement.as_deref(),
                Some(expected),
                "{order}: the acquirer's books are not the gateway's"
            );
        }
        for (id, kind, amount) in moved {
            movements.push((id.clone(), (*kind).to_owned(), *amount));
        }
    }
    movements.sort();
    let booked = "SELECT operation_id AS id, operation_type AS kind, amount_minor FROM operation \
                  WHERE payment_id IS NOT NULL AND stage = 'BOOKED' \
                  AND (result IN ('EXECUTED', 'AUTHORIZED') OR operation_type = 'VOID' AND result = 'VOIDED')";
    assert_eq!(
        movements,
        moved_in(&place.gateways(booked)),
        "the gateway's movements"
    );
    let done =
        "SELECT reference AS id, kind, amount_minor FROM movement WHERE settlement = 'APPROVED'";
    let done = moved_in(&place.acquirers(done));
    assert_eq!(movements, done, "the acquirer's movements");
    let others = place.gateways(
        "SELECT operation_id FROM operation WHERE payment_id IS NOT NULL AND result NOT IN ('EXECUTED', 'AUTHORIZED') \
         AND NOT (operation_type = 'VOID' AND result = 'VOIDED')",
    );
    assert!(others.is_empty(), "movements that no client asked for");
    assert!(
        operations.is_empty(),
        "operations that no client knows: {operations:?}"
    );
    assert!(
        charges.is_empty(),
        "charges that the gateway does not know: {charges:?}"
    );
    for row in place.gateways("SELECT order_id, authorized_minor, captured_minor, refunded_minor, payment_operation_id FROM merchant_order",
    ) {
        let order: String = get(&row, "order_id");
        let paid = payments.iter().find(|paid| paid.order == order).unwrap();
        let refunds = paid.moved.iter().filter(|(_, kind, _)| *kind == "REFUND");
        let refunded: i64 = refunds.map(|(_, _, amount)| amount).sum();
        assert_eq!(
            (
                get::<i64>(&row, "authorized_minor"),
                get::<i64>(&row, "captured_minor"),
                get::<i64>(&row, "refunded_minor")
            ),
            (paid.totals.0, paid.totals.1, refunded),
            "{order}"
        );
        assert!(
            get::<Option<String>>(&row, "payment_operation_id")
                .is_some(),
            "{order}"
        );
    }
    for row in place.gateways(
        "SELECT order_id, state, count(*) AS sessions FROM build_session GROUP BY order_id, state",
    ) {
        let order: String = get(&row, "order_id");
        let paid = payments.iter().find(|paid| paid.order == order).unwrap();
        assert_eq!(
            (
                get::<String>(&row, "state").as_str(),
                get::<i64>(&row, "sessions")
            ),
            ("COMPLETE", 1 + paid.charges as i64),
            "{order}"
        );
    }
    // One for each operation whose merchant wants notifications, and one more for each that was pending first.
    let notified = place.gateways("SELECT event_id FROM notification").len();
    let told_of: Vec<String> = place.gateways("SELECT operation_id FROM operation JOIN build_session USING (session_hash) WHERE notification_url IS NOT NULL",
    )
    .iter()
    .map(|row| get(row, "operation_id"))
    .collect();
    let recorded = told_of.len();
    let pending = place
        .acquirers("SELECT reference FROM charge WHERE final_ms IS NOT NULL")
        .iter()
        .filter(|charge| told_of.contains(&get::<String>(charge, "reference")))
        .count();
    // A preassigned operation gets a notification as pending, too.
    let announced = place.gateways("SELECT session_hash FROM build_session WHERE announced_operation_id IS NOT NULL AND notification_url IS NOT NULL",
    )
    .len();
    assert_eq!(notified, recorded + pending + announced, "notifications");
    let unpaid = place.gateways(
        "SELECT page_id FROM hosted_page WHERE status <> 'PAID' OR refused <> 1 OR paid_by NOT IN \
         (SELECT payment_operation_id FROM merchant_order WHERE payment_operation_id IS NOT NULL)",
    );
    assert!(unpaid.is_empty(), "pages that do not know of their payment");
    let unheard =
        place.gateways("SELECT operation_id FROM external_3ds WHERE status NOT IN ('AUTHENTICATED', 'FRICTIONLESS')");
    assert!(unheard.is_empty(), "authentications that were lost");
    // Each contract exists once, and every change of one is finished.
    let made = payments
        .iter()
        .filter(|paid| paid.order.ends_with("-later") || paid.charges > 0)
        .count();
    let contracts = place.gateways("SELECT contract_id FROM contract WHERE is_active = 1");
    assert_eq!(contracts.len(), made, "contracts");
    let changes = place.gateways("SELECT operation_id FROM contract_change");
    assert!(
        changes.is_empty(),
        "changes of contracts that were left undone"
    );
    let unaccepted = place.gateways(
        "SELECT reservation_id FROM reservation r WHERE 1 <> (SELECT count(*) FROM acceptance a WHERE a.order_id = r.reservation_id)",
    );
    assert!(unaccepted.is_empty(), "acceptances that were lost");
    let kept = place.gateways("SELECT session_hash FROM sealed_card");
    assert!(
        kept.is_empty(),
        "cards of finished payments are still there"
    );
}

/// Sorted by their ids, like the text that is compared here.
fn moved_in(rows: &[Row]) -> Vec<(String, String, i64)> {
    let read = |row| (get(row, "id"), get(row, "kind"), get(row, "amount_minor"));
    let mut moved: Vec<_> = rows.iter().map(read).collect();
    moved.sort();
    moved
}

/// A number from a variable. A value that cannot be read is an error, not a missing one.
fn number(variable: &str) -> Option<u64> {
    let given = std::env::var(variable).ok()?;
    let number = given.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} takes a number, not {given}")))
}

/// A new seed for each run.
fn any_seed() -> u64 {
    fastrand::u64(..1_000_000_000)
}
