//! Soft declines: an issuer declines because the buyer was not authenticated, the buyer is asked, and the issuer is asked again.

use crate::contracts::{charge, creation, one_click};
use crate::external_3ds::{begin, init, validate};
use crate::harness::{APPROVED, DECLINED, TestApp, build, build_form, build_two, short, token_of};
use crate::hosted::{page_for, pay as pay_hosted, session_of};
use crate::links::link_for;
use crate::office::Person;
use crate::server_to_server::moto;
use crate::version_two::{confirm, verify};
use crate::wallets::{google, request as wallet_request};
use payframe_payment_service::ChallengeAnswer;
use serde_json::{Value, json};

/// Its issuer declines without an authentication, and approves after a challenge.
pub(crate) const DEMANDING: &str = "4761730000003114";
/// Its issuer declines for want of an authentication, also after a challenge.
const UNCONVINCED: &str = "4761730000003122";
/// Its issuer declines without an authentication, and offers none.
const UNREACHABLE: &str = "4761730000003130";

const DEMANDED: &str = "DECLINED AUTHENTICATION_REQUIRED";

/// The buyer answers the challenge of a session.
async fn answers(app: &TestApp, session: &str, state: &Value, answer: ChallengeAnswer) -> Value {
    assert_eq!(short(state), "REDIRECTED_TO_EXTERNAL_DOMAIN");
    let url = state["url"].as_str().expect("a challenge");
    let pages = app.app.buyer_pages();
    pages.challenge_answer(token_of(url), answer).await;
    app.state(session).await
}

async fn passes(app: &TestApp, session: &str, state: &Value) -> Value {
    answers(app, session, state, ChallengeAnswer::Approve).await
}

/// Result and reason of each operation of an order, the oldest first.
async fn results(app: &TestApp, order: &str) -> Vec<String> {
    let operations = app.operations(order).await;
    let told = |operation: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let result = text(&operation["operationResult"]);
        let reason = text(&operation["additionalData"]["declineReason"]);
        format!("{result} {reason}").trim_end().to_owned()
    };
    let operations = operations.as_array().unwrap();
    operations.iter().map(told).collect()
}

/// The references that the acquirer was asked for.
async fn charges(app: &TestApp) -> usize {
    let asked = payframe_storage::query("SELECT reference FROM charge");
    app.acquirer().await.ask(asked).await.unwrap().len()
}

#[tokio::test]
async fn the_buyer_is_asked_and_a_second_operation_pays() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 2)).await;
    app.enter(&session, DEMANDING).await;
    let state = app.finalize(&session).await;
    assert_eq!(results(&app, "A1").await, [DEMANDED]);
    let paid = passes(&app, &session, &state).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(results(&app, "A1").await, [DEMANDED, "EXECUTED"]);
    let operations = app.operations("A1").await;
    let [first, second] = [&operations[0], &operations[1]];
    assert_ne!(first["operationId"], second["operationId"]);
    let data = &first["additionalData"];
    assert_eq!(data["threeDS"], "NOT_SECURE");
    assert_eq!(data["authorizationStatus"], "100");
    assert_eq!(data.get("repeatsOperationId"), None);
    let data = &second["additionalData"];
    assert_eq!(data["repeatsOperationId"], first["operationId"]);
    assert_eq!(
        (&data["threeDS"], &data["liability"]),
        (&json!("FULL_SECURE"), &json!("ISSUER"))
    );
    assert_eq!(data.get("refusedExemption"), None);
    assert_eq!(charges(&app).await, 2);
    let status = &app.order("A1").await["orderStatus"];
    assert_eq!(status["capturedAmount"], "3545");
    // The merchant hears of both.
    let told = app.told().await;
    let told: Vec<_> = told
        .iter()
        .map(|told| told["operation"]["operationResult"].as_str().unwrap())
        .collect();
    assert_eq!(told, ["DECLINED", "EXECUTED"]);
    // Nothing of the card is left.
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
}

#[tokio::test]
async fn an_issuer_that_is_not_convinced_is_asked_twice_and_no_more() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 2)).await;
    for attempt in 1..=2 {
        app.enter(&session, UNCONVINCED).await;
        let state = app.finalize(&session).await;
        let declined = passes(&app, &session, &state).await;
        let state = match attempt {
            1 => "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED",
            _ => "PAYMENT_COMPLETE AUTHORIZATION/DECLINED",
        };
        assert_eq!(short(&declined), state, "one attempt for both requests");
    }
    assert_eq!(results(&app, "A1").await, [DEMANDED; 4]);
    assert_eq!(charges(&app).await, 4);
}

#[tokio::test]
async fn without_a_challenge_the_decline_is_the_outcome() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 2)).await;
    app.enter(&session, UNREACHABLE).await;
    let declined = app.finalize(&session).await;
    assert_eq!(
        short(&declined),
        "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED"
    );
    assert_eq!(declined, app.state(&session).await);
    app.enter(&session, UNREACHABLE).await;
    let declined = app.finalize(&session).await;
    assert_eq!(short(&declined), "PAYMENT_COMPLETE AUTHORIZATION/DECLINED");
    assert_eq!(results(&app, "A1").await, [DEMANDED; 2]);
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
    // Another session pays the order.
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    let paid = app.finalize(&session).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}

#[tokio::test]
async fn a_refused_exemption_is_remembered_and_not_claimed_again() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["paymentSession"]["exemptions"] = json!("TRUSTED_BENEFICIARY");
    let session = app.open(&request).await;
    app.enter(&session, DEMANDING).await;
    let state = app.finalize(&session).await;
    passes(&app, &session, &state).await;
    let operations = app.operations("A1").await;
    let [first, second] = [0, 1].map(|index| &operations[index]["additionalData"]);
    assert_eq!(first["exemption"], "TRUSTED_BENEFICIARY");
    assert_eq!(second["refusedExemption"], "TRUSTED_BENEFICIARY");
    assert_eq!(second.get("exemption"), None);
    assert_eq!(second["liability"], "ISSUER");
}

#[tokio::test]
async fn data_that_was_only_shared_can_be_declined_until_the_buyer_is_authenticated() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["paymentSession"]["exemptions"] = json!("DATA_SHARE_ONLY");
    let session = app.open(&request).await;
    app.enter(&session, DEMANDING).await;
    let state = app.finalize(&session).await;
    assert_eq!(results(&app, "A1").await, [DEMANDED]);
    passes(&app, &session, &state).await;
    assert_eq!(results(&app, "A1").await, [DEMANDED, "EXECUTED"]);
    let operations = app.operations("A1").await;
    let [first, second] = [0, 1].map(|index| &operations[index]["additionalData"]);
    assert_eq!(first["dataShareOnly"], "YES");
    assert_eq!(second.get("dataShareOnly"), None);
    assert_eq!(second.get("refusedExemption"), None);
    assert_eq!(second["threeDS"], "FULL_SECURE");
    assert_eq!(second["liability"], "ISSUER");
}

#[tokio::test]
async fn a_challenge_that_is_left_fails_or_takes_too_long_is_as_every_challenge() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 5)).await;
    let failed = "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED";
    app.enter(&session, DEMANDING).await;
    let state = app.finalize(&session).await;
    let rejected = answers(&app, &session, &state, ChallengeAnswer::Reject).await;
    assert_eq!(short(&rejected), failed);
    app.enter(&session, DEMANDING).await;
    app.finalize(&session).await;
    let frame = app.frame(&session);
    let left = frame.post("/fe/build/leave_challenge", &json!({})).await;
    assert_eq!(short(&left.ok()), failed);
    app.enter(&session, DEMANDING).await;
    app.finalize(&session).await;
    app.pass(app.config().challenge.as_secs() + 1).await;
    assert_eq!(short(&app.state(&session).await), failed);
    let expected = [DEMANDED, "THREEDS_FAILED"].repeat(3);
    assert_eq!(results(&app, "A1").await, expected);
    let operations = app.operations("A1").await;
    let data = &operations[5]["additionalData"];
    assert_eq!(data["repeatsOperationId"], operations[4]["operationId"]);
    // Another card pays, and is not one that repeats anything.
    app.enter(&session, APPROVED).await;
    let paid = app.finalize(&session).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let data = &paid["operation"]["additionalData"];
    assert_eq!(data.get("repeatsOperationId"), None);
    assert_eq!(charges(&app).await, 4);
}

#[tokio::test]
async fn the_buyer_may_cancel_instead_of_the_challenge() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 2)).await;
    app.enter(&session, DEMANDING).await;
    let state = app.finalize(&session).await;
    let body = json!({ "sessionId": session });
    let cancelled = app.frame(&session).post("/build/cancel", &body).await;
    assert_eq!(short(&cancelled.ok()), "PAYMENT_COMPLETE CANCEL/CANCELED");
    // The issuer's page is over.
    let pages = app.app.buyer_pages();
    let token = token_of(state["url"].as_str().unwrap());
    pages
        .challenge_answer(token, ChallengeAnswer::Approve)
        .await;
    assert_eq!(results(&app, "A1").await, [DEMANDED, "CANCELED"]);
    assert_eq!(charges(&app).await, 1);
}

#[tokio::test]
async fn a_repeated_call_gets_the_challenge_again_and_asks_nobody() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, DEMANDING).await;
    let finalize = async |key: &str| {
        let body = json!({ "sessionId": session });
        let merchant = app.merchant();
        let headers = [("idempotency-key", key)];
        merchant
            .post_with("/build/finalize_payment", &body, &headers)
            .await
    };
    let [one, other] = [(); 2].map(|()| uuid::Uuid::new_v4().to_string());
    let first = finalize(&one).await.ok();
    assert_eq!(finalize(&one).await.ok(), first);
    assert_eq!(finalize(&other).await.ok(), first);
    assert_eq!(charges(&app).await, 1);
    let app = app.restarted().await;
    let paid = passes(&app, &session, &first).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(results(&app, "A1").await, [DEMANDED, "EXECUTED"]);
}

#[tokio::test]
async fn version_two_asks_after_its_device_check() {
    let app = TestApp::new().await;
    let session = app.open(&build_two("A1")).await;
    app.enter(&session, DEMANDING).await;
    confirm(&app, &session, "3545").await.ok();
    let state = verify(&app, &session).await;
    let paid = passes(&app, &session, &state).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(results(&app, "A1").await, [DEMANDED, "EXECUTED"]);
}

#[tokio::test]
async fn a_hosted_page_stays_open_for_the_challenge() {
    let app = TestApp::new().await;
    for (order, number, expected) in [
        ("A1", DEMANDING, "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"),
        (
            "A2",
            UNCONVINCED,
            "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED",
        ),
    ] {
        let address = page_for(&app, order).await;
        let session = session_of(&app, &address).await;
        let state = pay_hosted(&app, &session, number).await;
        let page = app.page(&address, &[]).await;
        assert_eq!(page.status, 200, "{}", page.text());
        let over = passes(&app, &session, &state).await;
        assert_eq!(short(&over), expected);
    }
    let link = link_for(&app, "A3").await;
    let session = session_of(&app, link["link"].as_str().unwrap()).await;
    let state = pay_hosted(&app, &session, DEMANDING).await;
    let paid = passes(&app, &session, &state).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let refused = "SELECT refused FROM hosted_page WHERE order_id = 'A2'";
    assert_eq!(app.count(refused).await, 1, "one try of the buyer");
}

#[tokio::test]
async fn a_stored_card_is_challenged_where_its_buyer_is_there() {
    let app = TestApp::new().await;
    let session = app.open(&creation("A1", "K1", "CIT")).await;
    app.enter(&session, DEMANDING).await;
    let state = app.finalize(&session).await;
    let paid = passes(&app, &session, &state).await;
    assert_eq!(paid["operation"]["additionalData"]["contractId"], "K1");
    let session = app.open(&one_click("A2", "K1")).await;
    let state = app.finalize(&session).await;
    let paid = passes(&app, &session, &state).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(paid["operation"]["additionalData"]["contractId"], "K1");
    assert_eq!(results(&app, "A2").await, [DEMANDED, "EXECUTED"]);
}

#[tokio::test]
async fn where_nobody_can_be_asked_the_merchant_is_told_the_reason() {
    let app = TestApp::new().await;
    // By mail or telephone.
    let order = moto("A1", DEMANDING);
    app.merchant().post("/orders/moto", &order).await.ok();
    // By the merchant alone.
    let session = app.open(&creation("A2", "K1", "MIT_UNSCHEDULED")).await;
    app.enter(&session, DEMANDING).await;
    let state = app.finalize(&session).await;
    passes(&app, &session, &state).await;
    charge(&app, "A3", "K1").await.ok();
    // With a wallet that vouches for its card.
    let wallet = wallet_request("A4", google(DEMANDING, "CRYPTOGRAM_3DS"));
    let answer = app.merchant().post("/orders/walletpay", &wallet).await;
    answer.ok();
    // In three steps, of which the merchant leads the authentication.
    let mut request = init("A5", DEMANDING);
    let begun = begin(&app, &request).await;
    let id = begun["operation"]["operationId"].as_str().unwrap();
    let validated = validate(&app, id, "notneeded").await.ok();
    request["operationId"] = json!(id);
    let value = &validated["threeDSAuthResult"]["authenticationValue"];
    if value.is_string() {
        request["threeDSAuthData"] = json!({ "authenticationValue": value });
    }
    let merchant = app.merchant();
    let answer = merchant.post("/orders/3steps/payment", &request).await;
    answer.ok();
    // With a wallet that knows the number alone: the merchant waits for the operation of the answer.
    let wallet = wallet_request("A6", google(DEMANDING, "PAN_ONLY"));
    let answer = app.merchant().post("/orders/walletpay", &wallet).await;
    let answer = answer.ok();
    verify(&app, answer["iframe"]["sessionId"].as_str().unwrap()).await;
    let operations = app.operations("A6").await;
    let announced = &answer["operation"]["operationId"];
    assert_eq!(&operations[0]["operationId"], announced);
    for order in ["A1", "A3", "A4", "A5", "A6"] {
        assert_eq!(results(&app, order).await, [DEMANDED], "{order}");
    }
}

#[tokio::test]
async fn an_attempt_counts_once_against_its_card() {
    let app = TestApp::with(|config| config.refusals_per_card = Some(2)).await;
    let count = "SELECT count(*) FROM card_refusal";
    for (order, number, refusals) in [
        ("A1", DEMANDING, 0),
        ("A2", UNCONVINCED, 1),
        ("A3", UNREACHABLE, 2),
        ("A4", DECLINED, 3),
    ] {
        let session = app.open(&build(order)).await;
        app.enter(&session, number).await;
        let state = app.finalize(&session).await;
        if state["url"].is_string() {
            passes(&app, &session, &state).await;
        }
        assert_eq!(app.count(count).await, refusals, "{number}");
    }
}

#[tokio::test]
async fn a_card_that_pays_after_its_challenge_is_no_try_of_a_thief() {
    let app = TestApp::with(|config| config.card_testing_rules = Some(true)).await;
    for order in ["A1", "A2"] {
        let session = app.open(&build(order)).await;
        app.enter(&session, DEMANDING).await;
        let state = app.finalize(&session).await;
        passes(&app, &session, &state).await;
    }
    let outcomes = app.texts("SELECT outcome FROM card_try").await;
    assert_eq!(outcomes, ["APPROVED"; 2]);
}

#[tokio::test]
async fn the_office_says_what_was_declined_and_what_repeats_it() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["paymentSession"]["exemptions"] = json!("TRUSTED_BENEFICIARY");
    let session = app.open(&request).await;
    app.enter(&session, DEMANDING).await;
    let state = app.finalize(&session).await;
    passes(&app, &session, &state).await;
    let operations = app.operations("A1").await;
    let declined = operations[0]["operationId"].as_str().unwrap();
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let page = person.get("/office/orders/A1").await.text();
    let page = page.replace(['\n', ' '], "");
    for (label, value) in [
        ("Reason of the decline", "AUTHENTICATION_REQUIRED"),
        ("Repeats", declined),
        ("Refused exemption", "TRUSTED_BENEFICIARY"),
    ] {
        let row = format!("<dt>{label}</dt><dd>{value}</dd>");
        assert!(page.contains(&row.replace(' ', "")), "{label}: {page}");
    }
    let reason = "Reason: the issuer demanded that the buyer be authenticated first";
    assert!(page.contains(&reason.replace(' ', "")), "{page}");
}
