//! How often a payment asks a database server. Journeys are counted, and no time is measured, so the results are the same on every
//! machine. On files there is nothing to count.

use crate::actions::{done, paid};
use crate::harness::{APPROVED, TestApp, build, short};
use payframe_storage::Subject;
use std::time::Duration;
use tokio::time::timeout;

#[tokio::test]
async fn a_payment_needs_few_journeys_to_the_database_server() {
    let app = TestApp::new().await;
    let Some(mut before) = app.app.store().journeys() else {
        return;
    };
    let mut since = || {
        let now = app.app.store().journeys().unwrap();
        std::mem::replace(&mut before, now).abs_diff(now)
    };
    let session = app.open(&build("A1")).await;
    let built = since();
    app.enter(&session, APPROVED).await;
    let entered = since();
    let state = short(&app.finalize(&session).await);
    let closed = since();
    assert_eq!(state, "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let needed = [built, entered, closed];
    let most = [5, 10, 13];
    assert!(
        needed
            .iter()
            .zip(most)
            .all(|(needed, most)| *needed <= most),
        "build, card with device check, completion: {needed:?} journeys, and at most {most:?} are allowed"
    );
}

#[tokio::test]
async fn a_capture_and_a_refund_need_few_journeys_to_the_database_server() {
    let app = TestApp::new().await;
    if !app.app.store().is_shared() {
        return;
    }
    let held = paid(&app, "sandbox-explicit", "A1", "EUR").await;
    let mut needed = Vec::new();
    for action in ["captures", "refunds"] {
        let before = app.app.store().journeys().unwrap();
        done(&app, &held, action, 4000).await;
        needed.push(app.app.store().journeys().unwrap() - before);
    }
    assert!(
        needed.iter().all(|needed| *needed <= 30),
        "capture and refund: {needed:?} journeys"
    );
}

#[tokio::test]
async fn a_limit_of_refusals_costs_no_journey() {
    let mut needed = Vec::new();
    for most in [0, 3] {
        let app = TestApp::with(|config| config.refusals_per_card = Some(most)).await;
        let session = app.open(&build("A1")).await;
        app.enter(&session, APPROVED).await;
        let before = app.app.store().journeys();
        app.finalize(&session).await;
        let after = app.app.store().journeys();
        needed.push(after.zip(before).map(|(after, before)| after - before));
    }
    assert_eq!(needed[0], needed[1], "without a limit, and with one");
}

#[tokio::test]
async fn changes_of_two_orders_of_a_merchant_run_side_by_side() {
    let app = TestApp::new().await;
    let store = app.app.store();
    if !store.is_shared() {
        return;
    }
    let order = |order_id| Subject::Order {
        merchant_id: "demo",
        order_id,
    };
    let first = store.write(order("A1")).await.unwrap();
    let second = store.write(order("A2")).await.unwrap();
    for waiting in [order("A1"), Subject::Merchant("demo")] {
        let changed = timeout(Duration::from_millis(50), store.write(waiting)).await;
        assert!(changed.is_err(), "{waiting:?} does not wait");
    }
    drop(first);
    drop(second);
    let whole = store.write(Subject::Merchant("demo")).await.unwrap();
    let changed = timeout(Duration::from_millis(50), store.write(order("A3"))).await;
    assert!(
        changed.is_err(),
        "an order is changed beside its whole merchant"
    );
    drop(whole);
    drop(store.write(order("A3")).await.unwrap());
}

#[tokio::test]
async fn the_changes_of_a_session_and_of_an_operation_lock_their_order() {
    let app = TestApp::new().await;
    let store = app.app.store();
    if !store.is_shared() {
        return;
    }
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    let session_hash = app.texts("SELECT session_hash FROM build_session").await;
    let operation_id = app.texts("SELECT operation_id FROM operation").await;
    let order = store
        .write(Subject::Order {
            merchant_id: "demo",
            order_id: "A1",
        })
        .await
        .unwrap();
    for subject in [
        Subject::Session(&session_hash[0]),
        Subject::Operation(&operation_id[0]),
    ] {
        let changed = timeout(Duration::from_millis(50), store.write(subject)).await;
        assert!(changed.is_err(), "{subject:?} does not wait");
    }
    drop(order);
}
