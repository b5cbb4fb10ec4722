//! Another build of the same order.

use super::*;

#[tokio::test]
async fn an_unpaid_order_can_be_tried_again_and_its_open_session_is_closed() {
    let app = TestApp::new().await;
    let first = app.open(&build("A1")).await;
    let answer = app
        .merchant()
        .post("/orders/build", &build("A1"))
        .await
        .ok();
    assert_eq!(answer["warnings"][0]["code"], "GW9103");
    assert_eq!(state_refusal(&app, &first).await, "400 PS0061");
    let order = app.order("A1").await;
    assert_eq!(order["operations"], json!([]), "nothing was submitted");
    assert!(app.told().await.is_empty());
    let second = answer["sessionId"].as_str().unwrap();
    app.enter(second, "4761730000001001").await;
    assert_eq!(
        short(&app.finalize(second).await),
        "PAYMENT_COMPLETE AUTHORIZATION/DECLINED"
    );
    let third = app
        .merchant()
        .post("/orders/build", &build("A1"))
        .await
        .ok();
    assert_eq!(third["warnings"], json!([]));
    let third = third["sessionId"].as_str().unwrap();
    app.enter(third, APPROVED).await;
    assert_eq!(
        short(&app.finalize(third).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    assert_eq!(
        app.merchant()
            .post("/orders/build", &build("A1"))
            .await
            .refusal(),
        "400 GW9006"
    );
    let order = app.order("A1").await;
    assert_eq!(order["operations"].as_array().unwrap().len(), 2);
    assert_eq!(order["orderStatus"]["capturedAmount"], "3545");
}

async fn state_refusal(app: &TestApp, session: &str) -> String {
    let path = format!("/build/state?sessionId={session}");
    app.merchant().get(&path).await.refusal()
}

/// An order as sent by shops that keep one id for a cart.
fn cart(amount: &str, currency: &str) -> Value {
    let mut request = build("CART-1");
    request["order"]["amount"] = json!(amount);
    request["order"]["currency"] = json!(currency);
    request["paymentSession"]["amount"] = json!(amount);
    request
}

#[tokio::test]
async fn a_cart_whose_total_changes_keeps_its_order_id() {
    let app = TestApp::new().await;
    let empty = app.open(&cart("3545", "EUR")).await;
    let typed = app
        .merchant()
        .post("/orders/build", &cart("4000", "EUR"))
        .await
        .ok();
    let warnings = typed["warnings"].as_array().unwrap();
    assert!(!warnings.is_empty() && warnings.iter().all(|warning| warning["code"] == "GW9103"));
    assert_eq!(state_refusal(&app, &empty).await, "400 PS0061");
    // A card that was entered for the former amount is discarded, and the shop gets no notification.
    let typed = typed["sessionId"].as_str().unwrap();
    app.enter(typed, APPROVED).await;
    let last = app.open(&cart("2500", "USD")).await;
    assert_eq!(state_refusal(&app, typed).await, "400 PS0061");
    assert!(app.told().await.is_empty());
    let order = app.order("CART-1").await;
    assert_eq!(order["operations"], json!([]));
    // After a declined payment the order can still be paid; its amount is that of the last call.
    app.enter(&last, DECLINED).await;
    app.finalize(&last).await;
    let paid = app.open(&cart("2600", "USD")).await;
    app.enter(&paid, APPROVED).await;
    assert_eq!(
        short(&app.finalize(&paid).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    let order = app.order("CART-1").await;
    assert_eq!(order["orderStatus"]["order"]["amount"], "2600");
    assert_eq!(order["orderStatus"]["capturedAmount"], "2600");
    assert_eq!(
        refusal(&app, &cart("2700", "USD")).await[..10],
        *"400 GW9006"
    );
    assert_eq!(
        refusal(&app, &cart("2600", "EUR")).await[..10],
        *"400 GW9006"
    );
}

#[tokio::test]
async fn a_cart_whose_payment_is_pending_keeps_its_total() {
    let app = TestApp::new().await;
    let session = app.open(&cart("3545", "EUR")).await;
    app.enter(&session, "4761730000009079").await;
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/PENDING"
    );
    assert_eq!(
        refusal(&app, &cart("4000", "EUR")).await[..10],
        *"400 GW9006"
    );
}

#[tokio::test]
async fn an_order_whose_payment_is_pending_can_not_be_paid_again() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, "4761730000009079").await;
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/PENDING"
    );
    assert_eq!(
        app.merchant()
            .post("/orders/build", &build("A1"))
            .await
            .refusal(),
        "400 GW9006"
    );
    app.pass(31).await;
    assert_eq!(
        short(&app.state(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/DECLINED"
    );
    app.open(&build("A1")).await;
}

#[tokio::test]
async fn two_builds_of_an_order_at_once_leave_one_session_open() {
    let app = TestApp::new().await;
    let (request, merchant) = (build("A1"), app.merchant());
    let (first, second) = tokio::join!(
        merchant.post("/orders/build", &request),
        merchant.post("/orders/build", &request)
    );
    first.ok();
    second.ok();
    let open = app
        .count("SELECT count(*) FROM build_session WHERE state NOT IN ('CANCELLED', 'DEAD')")
        .await;
    assert_eq!(open, 1);
}

#[tokio::test]
async fn other_merchants_have_their_own_order_ids() {
    let app = TestApp::new().await;
    app.open(&build("A1")).await;
    let other = app.key("sandbox-other-merchant");
    assert_eq!(other.get("/orders/A1").await.refusal(), "404");
    assert_eq!(
        other.post("/orders/build", &build("A1")).await.ok()["warnings"],
        json!([])
    );
}
