//! A second acquirer: asked if the first has surely not taken a payment, and never after an unknown outcome.

use crate::acquirer_desk::Desk;
use crate::actions::{done, paid, stands};
use crate::harness::{APPROVED, Answer, TestApp};
use crate::server_to_server::moto;
use payframe_payment_ports::acquirer::AuthorizationResult;
use serde_json::json;

const FIRST: &str = "first authorize IMPLICIT";
const SECOND: &str = "second authorize IMPLICIT";

/// Acquirers that approve everything. The second one is the fallback of the first.
fn desk() -> Desk {
    let desk = Desk::with(AuthorizationResult::Approved);
    desk.change(|plan| plan.fallback = Some("second"));
    desk
}

async fn pay(app: &TestApp, order_id: &str) -> Answer {
    let order = moto(order_id, APPROVED);
    app.merchant().post("/orders/moto", &order).await
}

async fn result(app: &TestApp, order_id: &str) -> String {
    let order = app.order(order_id).await;
    let operations = order["operations"].as_array().unwrap();
    assert_eq!(operations.len(), 1, "{order}");
    operations[0]["operationResult"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Begins to pay an order, and ends the process while this acquirer is asked.
async fn crashed_while_asking(desk: &Desk, acquirer: &'static str) -> TestApp {
    let app = desk.app().await;
    desk.change(|plan| plan.stuck = vec![acquirer]);
    tokio::select! {
        _ = pay(&app, "A1") => panic!("it was to wait"),
        () = desk.until_asked(acquirer) => {}
    }
    let app = app.crashed().await;
    desk.asked();
    desk.change(|plan| plan.stuck.clear());
    app
}

/// A payment that the first acquirer was asked for, without an answer. It is asked for again with time.
async fn unknown_outcome() -> (Desk, TestApp) {
    let desk = desk();
    desk.change(|plan| plan.silent = vec!["first"]);
    let app = desk.app().await;
    assert_eq!(pay(&app, "A1").await.refusal(), "500 PS0000");
    (desk, app)
}

#[tokio::test]
async fn a_payment_that_was_surely_not_taken_goes_to_the_fallback_and_stays_there() {
    for takes_nothing in [false, true] {
        let desk = desk();
        desk.change(|plan| match takes_nothing {
            true => plan.taking_nothing = vec!["first"],
            false => plan.unreachable = vec!["first"],
        });
        let app = desk.app().await;
        let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
        assert_eq!(desk.asked(), [FIRST, SECOND]);
        assert_eq!(stands(&app, &sale).await, "AUTHORIZATION/EXECUTED");
        // The first one is there again.
        desk.change(|plan| {
            plan.taking_nothing.clear();
            plan.unreachable.clear();
        });
        let app = app.restarted().await;
        let id = done(&app, &sale, "refunds", 100).await;
        assert_eq!(stands(&app, &id).await, "REFUND/EXECUTED");
        assert_eq!(desk.asked(), ["second REFUND 100 EUR of the authorization"]);
        paid(&app, "sandbox-implicit", "A2", "EUR").await;
        assert_eq!(
            desk.asked(),
            [FIRST],
            "the next payment begins at the first"
        );
    }
}

#[tokio::test]
async fn an_acquirer_is_chosen_once_for_each_attempt_by_order_and_card() {
    let desk = desk();
    desk.change(|plan| plan.answer = Some(AuthorizationResult::Declined));
    let app = desk.app().await;
    pay(&app, "A1").await.ok();
    let first = desk.chosen_for();
    assert_eq!(first, ["91000001 demo A1 EUR VISA 47617300"]);
    // The next attempt of the order is the same share.
    desk.change(|plan| plan.answer = None);
    pay(&app, "A1").await;
    assert_eq!(desk.chosen_for(), first);
    // Nothing is chosen again for what is on its way.
    app.pass(10).await;
    let app = app.restarted().await;
    desk.change(|plan| plan.answer = Some(AuthorizationResult::Approved));
    app.pass(600).await;
    assert!(desk.chosen_for().is_empty());
}

#[tokio::test]
async fn a_refusal_is_an_answer_and_nobody_else_is_asked() {
    let desk = desk();
    desk.change(|plan| plan.answer = Some(AuthorizationResult::Declined));
    let app = desk.app().await;
    pay(&app, "A1").await.ok();
    assert_eq!(desk.asked(), [FIRST]);
    desk.change(|plan| plan.answer = Some(AuthorizationResult::Failed));
    pay(&app, "A2").await.ok();
    assert_eq!(desk.asked(), [FIRST]);
    assert_eq!(result(&app, "A1").await, "DECLINED");
    assert_eq!(result(&app, "A2").await, "FAILED");
}

#[tokio::test]
async fn an_unknown_outcome_never_goes_to_the_fallback() {
    let (desk, app) = unknown_outcome().await;
    // Now nothing can be sent. But the first request may have arrived.
    desk.change(|plan| {
        plan.silent.clear();
        plan.unreachable = vec!["first"];
    });
    app.pass(10).await;
    let app = app.restarted().await;
    app.pass(60).await;
    let asked = desk.asked();
    assert!(asked.len() >= 3, "{asked:?}");
    assert!(asked.iter().all(|one| one == FIRST), "{asked:?}");
    desk.change(|plan| plan.unreachable.clear());
    app.pass(600).await;
    assert_eq!(desk.asked(), [FIRST]);
    assert_eq!(result(&app, "A1").await, "EXECUTED");
}

#[tokio::test]
async fn an_adapter_that_took_nothing_at_a_repetition_ends_the_payment() {
    let (desk, app) = unknown_outcome().await;
    desk.change(|plan| {
        plan.silent.clear();
        plan.taking_nothing = vec!["first"];
    });
    app.pass(10).await;
    assert_eq!(desk.asked(), [FIRST, FIRST]);
    assert_eq!(result(&app, "A1").await, "FAILED");
}

#[tokio::test]
async fn a_call_that_is_repeated_with_its_key_asks_nobody_else() {
    let desk = desk();
    desk.change(|plan| plan.silent = vec!["first"]);
    let app = desk.app().await;
    let key = [("idempotency-key", "k")];
    let order = moto("A1", APPROVED);
    let merchant = app.merchant();
    let lost = merchant.post_with("/orders/moto", &order, &key).await;
    assert_eq!(lost.refusal(), "500 PS0000");
    desk.change(|plan| {
        plan.silent.clear();
        plan.unreachable = vec!["first"];
    });
    let again = merchant.post_with("/orders/moto", &order, &key).await;
    assert_eq!(again.refusal(), "500 PS0000");
    let asked = desk.asked();
    assert!(asked.iter().all(|one| one == FIRST), "{asked:?}");
    // Another order goes to the fallback, and its answer is told again.
    let (order, key) = (moto("A2", APPROVED), [("idempotency-key", "l")]);
    let paid = merchant.post_with("/orders/moto", &order, &key).await;
    let again = merchant.post_with("/orders/moto", &order, &key).await;
    assert_eq!(paid.bytes, again.bytes);
    assert_eq!(desk.asked(), [FIRST, SECOND]);
}

#[tokio::test]
async fn after_a_crash_nobody_knows_whether_the_first_was_asked() {
    let desk = desk();
    let app = crashed_while_asking(&desk, "first").await;
    desk.change(|plan| plan.unreachable = vec!["first"]);
    app.pass(10).await;
    let app = app.restarted().await;
    app.pass(10).await;
    let asked = desk.asked();
    assert!(asked.len() >= 2, "{asked:?}");
    assert!(asked.iter().all(|one| one == FIRST), "{asked:?}");
    desk.change(|plan| plan.unreachable.clear());
    app.pass(600).await;
    assert_eq!(result(&app, "A1").await, "EXECUTED");
}

#[tokio::test]
async fn after_a_crash_the_fallback_is_asked_if_it_was_its_turn() {
    let desk = desk();
    desk.change(|plan| plan.unreachable = vec!["first"]);
    let app = crashed_while_asking(&desk, "second").await;
    let choice =
        "SELECT acquirer FROM acquirer_choice WHERE fallback IS NULL AND fallback_key IS NULL";
    assert_eq!(app.texts(choice).await, ["second"]);
    desk.change(|plan| plan.unreachable.clear());
    let app = app.restarted().await;
    app.pass(10).await;
    let asked = desk.asked();
    assert!(!asked.is_empty());
    assert!(asked.iter().all(|one| one == SECOND), "{asked:?}");
    assert_eq!(result(&app, "A1").await, "EXECUTED");
}

#[tokio::test]
async fn a_fallback_that_can_not_be_reached_either_keeps_the_payment() {
    let desk = desk();
    desk.change(|plan| plan.unreachable = vec!["first", "second"]);
    let app = desk.app().await;
    assert_eq!(pay(&app, "A1").await.refusal(), "500 PS0000");
    assert_eq!(desk.asked(), [FIRST, SECOND]);
    desk.change(|plan| plan.unreachable = vec!["second"]);
    app.pass(10).await;
    assert_eq!(desk.asked(), [SECOND]);
    desk.change(|plan| plan.unreachable.clear());
    app.pass(600).await;
    assert_eq!(desk.asked(), [SECOND]);
    assert_eq!(result(&app, "A1").await, "EXECUTED");
}

#[tokio::test]
async fn a_fallback_that_is_not_set_up_any_more_is_not_asked() {
    let desk = desk();
    desk.change(|plan| {
        plan.unreachable = vec!["first"];
        plan.gone = vec!["second"];
    });
    let app = desk.app().await;
    assert_eq!(pay(&app, "A1").await.refusal(), "500 PS0000");
    assert_eq!(desk.asked(), [FIRST]);
    desk.change(|plan| plan.unreachable.clear());
    app.pass(10).await;
    assert_eq!(desk.asked(), [FIRST]);
    assert_eq!(result(&app, "A1").await, "EXECUTED");
}

#[tokio::test]
async fn another_process_that_asks_the_first_in_between_keeps_the_payment_there() {
    let desk = desk();
    let app = desk.app().await;
    desk.change(|plan| {
        plan.slow = vec!["first"];
        plan.unreachable = vec!["first"];
    });
    let meanwhile = async {
        desk.until_asked("first").await;
        // What another process does before it asks.
        app.change("UPDATE acquirer_choice SET fallback = NULL, fallback_key = NULL")
            .await;
        desk.change(|plan| plan.slow.clear());
    };
    let (answer, ()) = tokio::join!(pay(&app, "A1"), meanwhile);
    assert_eq!(answer.refusal(), "500 PS0000");
    assert_eq!(desk.asked(), [FIRST]);
    desk.change(|plan| plan.unreachable.clear());
    app.pass(10).await;
    assert_eq!(result(&app, "A1").await, "EXECUTED");
    assert_eq!(desk.asked(), [FIRST]);
}

#[tokio::test]
async fn a_follow_up_operation_waits_for_the_acquirer_of_its_payment() {
    let desk = desk();
    let app = desk.app().await;
    let sale = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    desk.asked();
    desk.change(|plan| plan.unreachable = vec!["first"]);
    let path = format!("/operations/{sale}/refunds");
    let body = json!({ "amount": "100", "currency": "EUR" });
    app.merchant().post(&path, &body).await;
    app.pass(60).await;
    let asked = desk.asked();
    assert!(
        asked.iter().all(|one| one.starts_with("first ")),
        "{asked:?}"
    );
}
