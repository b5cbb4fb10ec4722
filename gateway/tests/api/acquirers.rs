//! Several acquirers: each payment stays with the one that was asked first, also when the settings change.

use crate::acquirer_desk::Desk;
use crate::actions::{done, paid, stands};
use crate::external_3ds::init;
use crate::harness::{APPROVED, OWN_MERCHANT, TestApp};
use crate::keys::{command, made};
use crate::server_to_server::moto;
use payframe_gateway::config::Mode;
use payframe_payment_ports::acquirer::AuthorizationResult;
use serde_json::json;

#[tokio::test]
async fn a_payment_is_given_back_by_the_acquirer_that_took_it() {
    let desk = Desk::with(AuthorizationResult::Approved);
    let app = desk.app().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    assert_eq!(desk.asked(), ["first authorize IMPLICIT"]);
    desk.change(|plan| plan.chosen = Some("second"));
    let app = app.restarted().await;
    let id = done(&app, &sale, "refunds", 100).await;
    assert_eq!(stands(&app, &id).await, "REFUND/EXECUTED");
    assert_eq!(desk.asked(), ["first REFUND 100 EUR of the authorization"]);
    // A payment after the change goes to the new one.
    paid(&app, "sandbox-implicit", "A2", "EUR").await;
    assert_eq!(desk.asked(), ["second authorize IMPLICIT"]);
}

#[tokio::test]
async fn an_acquirer_is_told_whether_money_is_captured_and_which_capture_is_meant() {
    let desk = Desk::with(AuthorizationResult::Approved);
    let app = desk.app().await;
    let held = paid(&app, "sandbox-explicit", "A1", "EUR").await;
    let capture = done(&app, &held, "captures", 10_000).await;
    done(&app, &capture, "cancels", 10_000).await;
    assert_eq!(
        desk.asked(),
        [
            "first authorize EXPLICIT",
            "first CAPTURE 10000 EUR of the authorization",
            "first CANCEL 10000 EUR of the capture",
        ]
    );
}

#[tokio::test]
async fn an_unknown_outcome_is_asked_for_where_the_payment_was_sent() {
    let desk = Desk::with(AuthorizationResult::Approved);
    desk.change(|plan| plan.answer = None);
    let app = desk.app().await;
    let order = moto("A1", APPROVED);
    let lost = app.merchant().post("/orders/moto", &order).await;
    assert_eq!(lost.refusal(), "500 PS0000");
    desk.change(|plan| plan.chosen = Some("second"));
    let app = app.restarted().await;
    app.pass(10).await;
    desk.change(|plan| plan.answer = Some(AuthorizationResult::Approved));
    app.pass(10).await;
    let asked = desk.asked();
    assert!(asked.len() >= 3, "{asked:?}");
    let expected = |one: &String| one == "first authorize IMPLICIT";
    assert!(asked.iter().all(expected), "{asked:?}");
    let order = app.order("A1").await;
    assert_eq!(
        order["operations"][0]["operationResult"], "EXECUTED",
        "{order}"
    );
    // An acquirer without these has none of them in the operation.
    let data = &order["operations"][0]["additionalData"];
    for member in ["authorizationCode", "rrn", "schemaTID"] {
        assert!(data.get(member).is_none(), "{data}");
    }
}

/// Payments with an unknown outcome, each sent to the named acquirer.
async fn lost(app: &TestApp, desk: &Desk, orders: &[(&str, &'static str)]) {
    desk.change(|plan| plan.answer = None);
    for (order_id, acquirer) in orders {
        desk.change(|plan| plan.chosen = Some(acquirer));
        let answer = app
            .merchant()
            .post("/orders/moto", &moto(order_id, APPROVED))
            .await;
        assert_eq!(answer.refusal(), "500 PS0000");
    }
    desk.asked();
}

#[tokio::test]
async fn work_of_another_acquirer_does_not_wait_for_a_silent_one() {
    let desk = Desk::with(AuthorizationResult::Approved);
    let app = desk.app().await;
    let orders = [("A1", "first"), ("A2", "first"), ("B1", "second")];
    lost(&app, &desk, &orders).await;
    desk.change(|plan| {
        plan.silent = vec!["first"];
        plan.answer = Some(AuthorizationResult::Approved);
    });
    app.pass(10).await;
    assert_eq!(
        desk.asked(),
        ["first authorize IMPLICIT", "second authorize IMPLICIT"],
        "who was silent is not waited for a second time"
    );
    let result = |order: serde_json::Value| order["operations"][0]["operationResult"].clone();
    assert_eq!(result(app.order("B1").await), "EXECUTED");
    desk.change(|plan| plan.silent.clear());
    app.pass(10).await;
    assert_eq!(desk.asked().len(), 2);
    for order in ["A1", "A2"] {
        assert_eq!(result(app.order(order).await), "EXECUTED");
    }
}

#[tokio::test]
async fn an_acquirer_is_asked_less_often_the_longer_it_is_silent() {
    let desk = Desk::with(AuthorizationResult::Approved);
    let app = desk.app().await;
    lost(&app, &desk, &[("A1", "first")]).await;
    let mut times = Vec::new();
    for second in 1..=600_u64 {
        app.pass(1).await;
        times.extend(desk.asked().iter().map(|_| second));
    }
    let gaps: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.is_sorted() && gaps[0] >= 5, "{times:?}");
    assert!(gaps.last() > Some(&60), "{times:?}");
    desk.change(|plan| plan.answer = Some(AuthorizationResult::Approved));
    app.pass(600).await;
    assert_eq!(desk.asked().len(), 1, "but not for good");
}

#[tokio::test]
async fn a_release_that_fails_is_tried_again_later() {
    let desk = Desk::with(AuthorizationResult::Approved);
    let app = desk.app().await;
    paid(&app, "sandbox-explicit", "A1", "EUR").await;
    desk.asked();
    desk.change(|plan| plan.answer = None);
    app.pass(6 * 86_400).await;
    let first = desk.asked();
    assert_eq!(first.len(), 1, "{first:?}");
    app.pass(1).await;
    assert_eq!(desk.asked(), [] as [String; 0]);
    desk.change(|plan| plan.answer = Some(AuthorizationResult::Approved));
    app.pass(600).await;
    assert!(!desk.asked().is_empty());
    let order = app.order("A1").await;
    let operations = order["operations"].as_array().unwrap();
    let results: Vec<_> = operations
        .iter()
        .map(|one| &one["operationResult"])
        .collect();
    assert_eq!(results, ["VOIDED", "VOIDED"], "{order}");
}

#[tokio::test]
async fn a_pending_payment_is_asked_about_where_it_was_sent() {
    let desk = Desk::with(AuthorizationResult::Pending);
    let app = desk.app().await;
    app.merchant()
        .post("/orders/moto", &moto("A1", APPROVED))
        .await
        .ok();
    desk.change(|plan| plan.chosen = Some("second"));
    app.pass(1).await;
    desk.change(|plan| plan.answer = Some(AuthorizationResult::Declined));
    app.pass(1).await;
    assert_eq!(
        desk.asked(),
        [
            "first authorize IMPLICIT",
            "first inquire 3545 EUR",
            "first inquire 3545 EUR"
        ]
    );
    let order = app.order("A1").await;
    assert_eq!(order["operations"][0]["operationResult"], "DECLINED");
}

#[tokio::test]
async fn nobody_is_asked_in_the_place_of_an_acquirer_that_is_gone() {
    let desk = Desk::with(AuthorizationResult::Approved);
    let app = desk.app().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    desk.change(|plan| plan.answer = None);
    let order = moto("A2", APPROVED);
    let lost = app.merchant().post("/orders/moto", &order).await;
    assert_eq!(lost.refusal(), "500 PS0000");
    desk.change(|plan| {
        plan.answer = Some(AuthorizationResult::Approved);
        plan.chosen = Some("second");
        plan.gone = vec!["first"];
    });
    let app = app.restarted().await;
    desk.asked();
    app.pass(60).await;
    let path = format!("/operations/{sale}/refunds");
    let body = json!({ "amount": "100", "currency": "EUR" });
    let refused = app.merchant().post(&path, &body).await;
    assert_eq!(refused.refusal(), "400 GW9009");
    assert!(
        refused.why().contains("that the payment was sent to"),
        "{}",
        refused.why()
    );
    assert!(!refused.why().contains("first"), "{}", refused.why());
    assert!(desk.asked().is_empty());
    assert_eq!(stands(&app, &sale).await, "AUTHORIZATION/EXECUTED");
    // It is back: both go on.
    desk.change(|plan| plan.gone.clear());
    app.pass(10).await;
    let order = app.order("A2").await;
    assert_eq!(
        order["operations"][0]["operationResult"], "EXECUTED",
        "{order}"
    );
    done(&app, &sale, "refunds", 100).await;
}

#[tokio::test]
async fn payments_of_the_gateways_own_acquirer_stay_with_it() {
    let desk = Desk::with(AuthorizationResult::Approved);
    desk.change(|plan| plan.chosen = None);
    let app = desk.app().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    assert_eq!(app.count("SELECT count(*) FROM acquirer_choice").await, 0);
    desk.change(|plan| plan.chosen = Some("first"));
    let id = done(&app, &sale, "refunds", 100).await;
    assert_eq!(stands(&app, &id).await, "REFUND/EXECUTED");
    assert!(desk.asked().is_empty());
}

/// The acquirers of a production gateway: they have to be there, and are not asked.
const FILE: &str = "
    [[acquirer]]
    name = 'main'
    url = 'https://adapter.example/payframe'
    secret_file = 'main.secret'
    [[terminal]]
    id = '55000001'
    acquirer = 'main'
    without_authentication = true
    [[terminal]]
    id = '55000002'
    acquirer = 'main'
    ";

/// A production gateway. Returns the keys of a terminal whose buyers pay without authentication, and of one whose buyers do not pay.
async fn in_production(desk: &Desk) -> (TestApp, [String; 2]) {
    let shared = desk.clone();
    let app = TestApp::with_ports(
        |config| {
            config.mode = Mode::Production;
            let file = config.data.join("acquirers.toml");
            let secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
            std::fs::write(config.data.join("main.secret"), secret).unwrap();
            std::fs::write(&file, FILE).unwrap();
            config.acquirers = Some(file);
        },
        move |ports| shared.replace(ports),
    )
    .await;
    let first = app.own_shop().await;
    let words = ["terminal", "add", "55000002", OWN_MERCHANT];
    command(&app, &words).await.unwrap();
    let told = command(&app, &["keys", "new", "55000002"]).await.unwrap();
    (app, [first, made(&told).1])
}

#[tokio::test]
async fn buyers_pay_without_authentication_only_where_the_operator_says_so() {
    let desk = Desk::with(AuthorizationResult::Approved);
    let (app, [without, undecided]) = in_production(&desk).await;
    for path in [
        "/orders/build",
        "/orders/hpp",
        "/orders/3steps/init",
        "/build/finalize_payment",
    ] {
        let refused = app.key(&undecided).post(path, &json!({})).await;
        assert_eq!(refused.refusal(), "400 GW9010", "{path}");
        assert!(
            refused.why().contains("can not be authenticated"),
            "{}",
            refused.why()
        );
    }
    assert!(desk.asked().is_empty());
    // Nobody has to be authenticated for this.
    let order = moto("A1", APPROVED);
    app.key(&undecided).post("/orders/moto", &order).await.ok();
    assert_eq!(desk.asked(), ["first authorize IMPLICIT"]);
    let caller = app.key(&without);
    let begun = caller
        .post("/orders/3steps/init", &init("A2", APPROVED))
        .await
        .ok();
    let mut payment = init("A2", APPROVED);
    payment["operationId"] = begun["operation"]["operationId"].clone();
    let paid = caller.post("/orders/3steps/payment", &payment).await.ok();
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED", "{paid}");
    assert_eq!(paid["operation"]["additionalData"]["threeDS"], "NOT_SECURE");
    assert_eq!(paid["operation"]["warnings"][0]["code"], "TRA001");
    assert_eq!(desk.asked(), ["first authorize IMPLICIT"]);
}
