//! Carts whose total changes, or that nobody pays for (contract 13, D141 and D144).

use super::*;

/// A hosted page for a cart of one order id.
async fn cart_page(app: &TestApp, amount: &str) -> Answer {
    let mut request = hosted_order("CART-1", "CARDS");
    request["order"]["customerInfo"] = json!({});
    request["order"]["amount"] = json!(amount);
    request["paymentSession"]["amount"] = json!(amount);
    raw(app, Method::POST, "/orders/hpp", Some(&request)).await
}

#[tokio::test]
async fn d141_a_cart_whose_total_changes_keeps_its_order_id_on_hosted_pages() {
    let app = TestApp::new().await;
    let address = |answer: &Value| answer["hostedPage"].as_str().unwrap().to_owned();
    let never_opened = address(&cart_page(&app, "3545").await.ok());
    let changed = cart_page(&app, "4000").await.ok();
    assert_eq!(codes(&changed), ["GW9103", "GW9103"]);
    let warnings = changed["warnings"].to_string();
    assert!(
        warnings.contains("another amount or currency"),
        "{warnings}"
    );
    assert_eq!(open_session(&app, &never_opened).await.status, 409);
    // A card that was entered for the former total is discarded, and the shop gets no notification.
    let opened = address(&changed);
    let session = session_of(&app, &opened).await;
    app.enter(&session, APPROVED).await;
    let last = cart_page(&app, "2500").await.ok();
    assert_eq!(codes(&last), ["GW9103", "GW9103"]);
    assert_eq!(open_session(&app, &opened).await.status, 409);
    let finalized = json!({ "sessionId": session });
    let late = app.frame(&session);
    let late = late.post("/build/finalize_payment", &finalized).await;
    assert_ne!(late.status, 200, "the former total is not paid");
    assert_eq!(app.told().await, [json!(null); 0]);
    assert_eq!(app.order("CART-1").await["operations"], json!([]));
    // After a declined payment the order can still be paid, also with the form in a page of the shop.
    let session = session_of(&app, &address(&last)).await;
    pay_on_page(&app, &session, DECLINED).await;
    let mut build = crate::harness::build("CART-1");
    build["order"]["amount"] = json!("2600");
    build["paymentSession"]["amount"] = json!("2600");
    app.open(&build).await;
    let paid = address(&cart_page(&app, "2700").await.ok());
    let session = session_of(&app, &paid).await;
    let state = pay_on_page(&app, &session, APPROVED).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let order = app.order("CART-1").await;
    assert_eq!(order["orderStatus"]["order"]["amount"], "2700");
    assert_eq!(order["orderStatus"]["capturedAmount"], "2700");
    for amount in ["2700", "2800"] {
        let refused = cart_page(&app, amount).await;
        assert_eq!(refused.refusal(), "400 GW9006");
    }
}

#[tokio::test]
async fn d141_a_cart_whose_payment_is_pending_keeps_its_total_on_hosted_pages() {
    let app = TestApp::new().await;
    let page = cart_page(&app, "3545").await.ok();
    let session = session_of(&app, page["hostedPage"].as_str().unwrap()).await;
    let state = pay_on_page(&app, &session, "4761730000009079").await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/PENDING");
    assert_eq!(cart_page(&app, "4000").await.refusal(), "400 GW9006");
    let order = app.order("CART-1").await;
    assert_eq!(order["orderStatus"]["order"]["amount"], "3545");
}

#[tokio::test]
async fn d144_a_cart_that_nobody_paid_for_leaves_nothing_behind() {
    let app = TestApp::new().await;
    for amount in ["3545", "4000", "2000"] {
        let mut request = hosted_order("A1", "CARDS");
        request["version"] = json!("3");
        request["merchantUrl"] = json!("https://shop.example");
        request["order"]["customerInfo"] = json!({});
        request["order"]["amount"] = json!(amount);
        request["paymentSession"]["amount"] = json!(amount);
        let answer = raw(&app, Method::POST, "/orders/build", Some(&request))
            .await
            .ok();
        // The session that is closed, and the order that accepts another amount.
        let expected: &[&str] = match amount {
            "3545" => &[],
            _ => &["GW9103", "GW9103"],
        };
        assert_eq!(codes(&answer), expected, "{amount}");
    }
    let order = app.order("A1").await;
    assert_eq!(order["operations"], json!([]));
    assert_eq!(order["orderStatus"]["order"]["amount"], "2000");
    assert_eq!(app.told().await, [json!(null); 0]);
}
