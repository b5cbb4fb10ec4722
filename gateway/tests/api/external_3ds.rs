//! 3-step payments: the merchant's server leads the authentication (contract 8.1.5 to 8.1.7).

mod capture_and_contract;
mod refusals;
mod repetition;

use crate::harness::{APPROVED, Answer, CHALLENGED, DECLINED, TestApp, build};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

pub(crate) fn init(order_id: &str, number: &str) -> Value {
    json!({
        "order": { "orderId": order_id, "amount": "3545", "currency": "EUR", "customerId": "cust-7" },
        "card": { "pan": number, "expiryDate": "1230", "cvv": "123" }
    })
}

/// The payment for an earlier call of `init` with this request.
fn payment(request: &Value, operation_id: &str) -> Value {
    let mut payment = request.clone();
    payment["operationId"] = json!(operation_id);
    payment
}

pub(crate) async fn begin(app: &TestApp, request: &Value) -> Value {
    app.merchant()
        .post("/orders/3steps/init", request)
        .await
        .ok()
}

fn id_of(begun: &Value) -> &str {
    begun["operation"]["operationId"].as_str().unwrap()
}

fn result_of(answer: &Value) -> &str {
    answer["operation"]["operationResult"].as_str().unwrap()
}

pub(crate) async fn validate(app: &TestApp, operation_id: &str, response: &str) -> Answer {
    let request = json!({ "operationId": operation_id, "threeDSAuthResponse": response });
    app.merchant()
        .post("/orders/3steps/validation", &request)
        .await
}

async fn pay(app: &TestApp, request: &Value) -> Answer {
    app.merchant().post("/orders/3steps/payment", request).await
}

/// Sends a form of a page, as a browser does.
async fn post_form(app: &TestApp, path: &str, fields: &[(&str, &str)]) -> Answer {
    let body = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields)
        .finish();
    let request = Request::post(path)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(body))
        .unwrap();
    app.send(request).await
}

/// The browser opens the address from `init`. Returns the address of the challenge.
async fn come(app: &TestApp, begun: &Value) -> String {
    let path = begun["threeDSAuthUrl"]
        .as_str()
        .unwrap()
        .strip_prefix("https://gateway.example")
        .unwrap();
    let answer = post_form(
        app,
        path,
        &[
            (
                "ThreeDsRequest",
                begun["threeDSAuthRequest"].as_str().unwrap(),
            ),
            ("ReturnUrl", "https://shop.example/back?order=1"),
            ("transactionId", id_of(begun)),
        ],
    )
    .await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").unwrap().to_owned()
}

/// Answers the challenge with a button or a code. Returns where the browser goes next.
async fn answer(app: &TestApp, challenge: &str, fields: &[(&str, &str)]) -> String {
    let path = challenge.replace("/challenge/", "/result/");
    let path = path.split('?').next().unwrap();
    let answer = post_form(app, path, fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").unwrap().to_owned()
}

/// What the last page posts to the merchant.
async fn brought(app: &TestApp, way_back: &str) -> (String, String) {
    let page = app.page(way_back, &[]).await;
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(
        text.contains(
            r#"<form id="back" method="post" action="https://shop.example/back?order=1">"#
        ),
        "{text}"
    );
    let value = |name: &str| {
        let (_, rest) = text
            .split_once(&format!(r#"name="{name}" value=""#))
            .unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    (value("PaRes"), value("paymentId"))
}

/// The buyer ends the challenge with this button. Returns the `PaRes`.
pub(crate) async fn challenged(app: &TestApp, begun: &Value, button: &str) -> String {
    let challenge = come(app, begun).await;
    // The merchant's own page may hold it in a frame.
    let framed = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-dest", "iframe"),
    ];
    assert_eq!(app.page(&challenge, &framed).await.status, 200);
    let way_back = answer(app, &challenge, &[("answer", button)]).await;
    let (response, operation_id) = brought(app, &way_back).await;
    assert_eq!(operation_id, id_of(begun));
    response
}

fn proof_of(validated: &Value) -> Value {
    let result = &validated["threeDSAuthResult"];
    json!({
        "authenticationValue": result["authenticationValue"], "eci": result["eci"], "xid": result["xid"]
    })
}

#[tokio::test]
async fn a_challenged_payment_takes_three_steps_and_is_one_operation() {
    let app = TestApp::new().await;
    let request = init("A1", CHALLENGED);
    let begun = begin(&app, &request).await;
    assert_eq!(result_of(&begun), "PENDING");
    assert_eq!(begun["threeDSEnrollmentStatus"], "ENROLLED");
    assert_eq!(begun["operation"]["channelDetail"], "SERVER_TO_SERVER");
    assert_eq!(begun["operation"]["paymentInstrumentInfo"], "***3007");
    let id = id_of(&begun).to_owned();
    let early = pay(&app, &payment(&request, &id)).await;
    assert_eq!(early.refusal(), "400 GW9003");
    let response = challenged(&app, &begun, "approve").await;
    // Until the merchant's server asks, nothing changes for it.
    assert_eq!(
        app.order("A1").await["operations"][0]["operationResult"],
        "PENDING"
    );
    let validated = validate(&app, &id, &response).await.ok();
    assert_eq!(result_of(&validated), "THREEDS_VALIDATED");
    assert_eq!(validated["threeDSAuthResult"]["status"], "VALIDATED");
    assert_eq!(validated["threeDSAuthResult"]["eci"], "05");
    assert_eq!(validated["threeDSAuthResult"]["version"], "2.2.0");
    assert_eq!(validate(&app, &id, &response).await.ok(), validated);
    let mut last = payment(&request, &id);
    last["threeDSAuthData"] = proof_of(&validated);
    let paid = pay(&app, &last).await.ok();
    assert_eq!(result_of(&paid), "EXECUTED");
    assert_eq!(id_of(&paid), id);
    assert_eq!(
        paid["operation"]["additionalData"]["threeDS"],
        "FULL_SECURE"
    );
    assert_eq!(pay(&app, &last).await.ok(), paid);
    assert_eq!(validate(&app, &id, &response).await.ok(), validated);
    let order = app.order("A1").await;
    assert_eq!(order["operations"].as_array().unwrap().len(), 1);
    assert_eq!(order["orderStatus"]["capturedAmount"], "3545");
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
    let refund = json!({ "amount": "45", "currency": "EUR" });
    app.merchant()
        .post(&format!("/operations/{id}/refunds"), &refund)
        .await
        .ok();
}

#[tokio::test]
async fn the_first_step_says_what_the_issuer_says() {
    let app = TestApp::new().await;
    for (number, first, last) in [
        (APPROVED, "PENDING notneeded", "EXECUTED FULL_SECURE"),
        ("4761730000003007", "PENDING ENROLLED", ""),
        ("4761730000003015", "PENDING ENROLLED", ""),
        ("4761730000003023", "PENDING ENROLLED", ""),
        (
            "4761730000003031",
            "THREEDS_VALIDATED UNAVAILABLE",
            "EXECUTED NOT_SECURE",
        ),
        (
            "4761730000003049",
            "THREEDS_VALIDATED NOT_ENROLLED",
            "EXECUTED NOT_SECURE",
        ),
        (
            "4761730000003056",
            "THREEDS_VALIDATED UNAVAILABLE",
            "EXECUTED NOT_SECURE",
        ),
        ("4761730000003064", "THREEDS_FAILED ENROLLED", "400 GW9003"),
        (
            "4761730000003072",
            "PENDING notneeded",
            "EXECUTED ATTEMPTED",
        ),
        ("4761730000003080", "PENDING ENROLLED", ""),
        (
            "4761730000003098",
            "PENDING notneeded",
            "EXECUTED FULL_SECURE",
        ),
        ("4761730000006000", "PENDING notneeded", "DENIED_BY_RISK "),
        (DECLINED, "PENDING notneeded", "DECLINED FULL_SECURE"),
    ] {
        let order_id = &number[12..];
        let request = init(order_id, number);
        let begun = begin(&app, &request).await;
        let status = begun["threeDSEnrollmentStatus"].as_str().unwrap();
        assert_eq!(format!("{} {status}", result_of(&begun)), first, "{number}");
        let is_due = first == "PENDING ENROLLED";
        let has_address = first.starts_with("PENDING");
        assert_eq!(
            begun["threeDSAuthRequest"] == "notneeded",
            !is_due,
            "{number}"
        );
        assert_eq!(
            begun.get("threeDSAuthUrl").is_some(),
            has_address,
            "{number}"
        );
        let warned = begun["operation"]["warnings"][0]["code"] == "TRA001";
        assert_eq!(warned, last.ends_with("NOT_SECURE"), "{number}");
        if last.is_empty() {
            continue;
        }
        let paid = pay(&app, &payment(&request, id_of(&begun))).await;
        let found = if paid.status == 200 {
            let secure = paid.body["operation"]["additionalData"]["threeDS"].as_str();
            format!("{} {}", result_of(&paid.body), secure.unwrap_or(""))
        } else {
            paid.refusal()
        };
        assert_eq!(found, last, "{number}");
    }
}

/// Contract 13, D128 and D129: for clients that validate whatever `init` answers.
#[tokio::test]
async fn a_buyer_who_is_not_asked_can_be_validated_by_a_word() {
    let app = TestApp::new().await;
    for (number, eci, status, secure) in [
        (APPROVED, "05", "VALIDATED", "FULL_SECURE"),
        ("4761730000003072", "06", "ATTEMPTED", "ATTEMPTED"),
    ] {
        let request = init(&number[12..], number);
        let begun = begin(&app, &request).await;
        let id = id_of(&begun).to_owned();
        assert_eq!(result_of(&begun), "PENDING");
        assert_eq!(begun["threeDSAuthRequest"], "notneeded");
        let other = validate(&app, &id, "needed").await;
        assert_eq!(other.refusal(), "400 GW9003");
        let validated = validate(&app, &id, "notneeded").await.ok();
        assert_eq!(result_of(&validated), "THREEDS_VALIDATED");
        let result = &validated["threeDSAuthResult"];
        assert_eq!(
            (&result["eci"], &result["status"]),
            (&json!(eci), &json!(status))
        );
        assert_eq!(validate(&app, &id, "notneeded").await.ok(), validated);
        let mut last = payment(&request, &id);
        assert_eq!(pay(&app, &last).await.refusal(), "400 PS0026");
        last["threeDSAuthData"] =
            json!({ "authenticationValue": "another", "threeDSAuthResponse": "notneeded" });
        assert_eq!(pay(&app, &last).await.refusal(), "400 PS0026");
        last["threeDSAuthData"] = json!({
            "authenticationValue": result["authenticationValue"], "threeDSAuthResponse": "notneeded"
        });
        let paid = pay(&app, &last).await.ok();
        assert_eq!(result_of(&paid), "EXECUTED");
        assert_eq!(paid["operation"]["additionalData"]["threeDS"], secure);
        assert_eq!(pay(&app, &last).await.ok(), paid);
    }
}

/// Contract 13, D129: a browser that is sent to the address anyway returns at once.
#[tokio::test]
async fn a_buyer_who_is_not_asked_comes_back_at_once() {
    let app = TestApp::new().await;
    let begun = begin(&app, &init("A1", APPROVED)).await;
    let challenge = come(&app, &begun).await;
    let page = app.page(&challenge, &[]).await;
    assert_eq!(page.status, 303);
    let (response, operation_id) = brought(&app, page.header("location").unwrap()).await;
    assert_eq!(
        (response.as_str(), operation_id.as_str()),
        ("notneeded", id_of(&begun))
    );
    // This word does not open a challenge that is due.
    let asked = begin(&app, &init("A2", CHALLENGED)).await;
    let fields = [
        ("ThreeDsRequest", "notneeded"),
        ("ReturnUrl", "https://shop.example/back?order=1"),
        ("transactionId", id_of(&asked)),
    ];
    let refused = post_form(&app, "/threeds/start", &fields).await;
    assert_ne!(refused.status, 303);
    let unvalidated = validate(&app, id_of(&asked), "notneeded").await;
    assert_eq!(unvalidated.refusal(), "400 GW9003");
}

#[tokio::test]
async fn a_challenge_that_fails_ends_the_payment_when_it_is_validated() {
    let app = TestApp::new().await;
    for (order_id, number, button) in [
        ("A1", CHALLENGED, "reject"),
        ("A2", CHALLENGED, "cancel"),
        ("A3", "4761730000003015", "approve"),
    ] {
        let request = init(order_id, number);
        let begun = begin(&app, &request).await;
        let response = challenged(&app, &begun, button).await;
        let validated = validate(&app, id_of(&begun), &response).await.ok();
        assert_eq!(result_of(&validated), "THREEDS_FAILED", "{order_id}");
        assert_eq!(validated["threeDSAuthResult"]["status"], "FAILED");
        assert!(
            validated["threeDSAuthResult"]
                .get("authenticationValue")
                .is_none()
        );
        let again = validate(&app, id_of(&begun), &response).await.ok();
        assert_eq!(again, validated);
        let mut last = payment(&request, id_of(&begun));
        last["threeDSAuthData"] = json!({ "authenticationValue": "x", "eci": "05", "xid": "x" });
        let refused = pay(&app, &last).await.refusal();
        assert!(
            refused == "400 GW9003" || refused == "400 PS0026",
            "{refused}"
        );
        assert_eq!(
            app.order(order_id).await["orderStatus"]["capturedAmount"],
            "0"
        );
    }
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

#[tokio::test]
async fn the_third_wrong_code_fails_and_a_challenge_before_insufficient_funds_is_passed() {
    let app = TestApp::new().await;
    let begun = begin(&app, &init("A1", CHALLENGED)).await;
    let challenge = come(&app, &begun).await;
    let code = [("answer", "code"), ("code", "000000")];
    assert!(answer(&app, &challenge, &code).await.ends_with("?left=2"));
    assert!(answer(&app, &challenge, &code).await.ends_with("?left=1"));
    // The buyer may reload the page.
    assert_eq!(app.page(&challenge, &[]).await.status, 200);
    let way_back = answer(&app, &challenge, &code).await;
    let (response, _) = brought(&app, &way_back).await;
    let validated = validate(&app, id_of(&begun), &response).await.ok();
    assert_eq!(result_of(&validated), "THREEDS_FAILED");

    let request = init("A2", "4761730000003080");
    let begun = begin(&app, &request).await;
    let challenge = come(&app, &begun).await;
    let right = [("answer", "code"), ("code", " 123456 ")];
    let way_back = answer(&app, &challenge, &right).await;
    let (response, _) = brought(&app, &way_back).await;
    let validated = validate(&app, id_of(&begun), &response).await.ok();
    let mut last = payment(&request, id_of(&begun));
    last["threeDSAuthData"] = proof_of(&validated);
    let paid = pay(&app, &last).await.ok();
    assert_eq!(result_of(&paid), "DECLINED");
    assert_eq!(
        paid["operation"]["additionalData"]["authorizationStatus"],
        "116"
    );
    assert_eq!(pay(&app, &last).await.ok(), paid);
}

#[tokio::test]
async fn a_challenge_that_nobody_ends_fails_in_time() {
    let app = TestApp::new().await;
    let endless = begin(&app, &init("A1", "4761730000003023")).await;
    let left_open = begin(&app, &init("A2", CHALLENGED)).await;
    let never_seen = begin(&app, &init("A3", CHALLENGED)).await;
    let challenge = come(&app, &endless).await;
    let path = challenge.replace("/challenge/", "/result/");
    let waiting = post_form(&app, &path, &[("answer", "approve")]).await;
    assert_eq!(waiting.status, 200);
    come(&app, &left_open).await;
    let result = async |order_id: &str| {
        app.order(order_id).await["operations"][0]["operationResult"].clone()
    };
    app.pass(59).await;
    assert_eq!(result("A1").await, "PENDING");
    app.pass(1).await;
    for order_id in ["A1", "A2"] {
        assert_eq!(result(order_id).await, "THREEDS_FAILED", "{order_id}");
    }
    assert_eq!(result("A3").await, "PENDING");
    // A browser that returns to the page now brings the failure to the shop.
    let gone_on = app.page(&challenge, &[]).await;
    assert_eq!(gone_on.status, 303);
    let (response, _) = brought(&app, gone_on.header("location").unwrap()).await;
    let validated = validate(&app, id_of(&endless), &response).await.ok();
    assert_eq!(validated["threeDSAuthResult"]["status"], "FAILED");
    app.pass(1740).await;
    assert_eq!(result("A3").await, "THREEDS_FAILED");
    assert_eq!(result_of(&never_seen), "PENDING");
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

#[tokio::test]
async fn a_payment_that_is_never_made_is_given_up_after_thirty_minutes() {
    let app = TestApp::new().await;
    let request = init("A1", APPROVED);
    let begun = begin(&app, &request).await;
    let challenged_request = init("A2", CHALLENGED);
    let second = begin(&app, &challenged_request).await;
    app.pass(1200).await;
    let response = challenged(&app, &second, "approve").await;
    // The challenge's own limit ends with it.
    app.pass(300).await;
    let validated = validate(&app, id_of(&second), &response).await.ok();
    app.pass(299).await;
    let mut last = payment(&challenged_request, id_of(&second));
    last["threeDSAuthData"] = proof_of(&validated);
    assert_eq!(result_of(&pay(&app, &last).await.ok()), "EXECUTED");
    app.pass(1).await;
    assert_eq!(
        app.order("A1").await["operations"][0]["operationResult"],
        "CANCELED"
    );
    let late = pay(&app, &payment(&request, id_of(&begun))).await;
    assert_eq!(late.refusal(), "400 GW9003");
    assert!(late.why().contains("CANCELED"), "{}", late.why());
    // Errors in the call are reported before a wrong order of calls.
    let mut wrong = payment(&request, id_of(&begun));
    wrong["captureType"] = json!("EXPLICIT");
    assert_eq!(pay(&app, &wrong).await.refusal(), "400 PS0026");
}
