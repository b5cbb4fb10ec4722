//! What acquirers get of a wallet's network token.

use super::{apple, google, pay, request};
use crate::acquirer_desk::Desk;
use crate::harness::APPROVED;
use crate::server_to_server::moto;
use payframe_payment_ports::acquirer::AuthorizationResult;
use serde_json::json;

#[tokio::test]
async fn acquirers_get_the_cryptogram_with_each_copy_of_its_payment_and_with_no_other() {
    let desk = Desk::with(AuthorizationResult::Approved);
    desk.change(|plan| plan.silent = vec!["first"]);
    let app = desk.app().await;
    let mut keeping = request("A1", apple(APPROVED));
    keeping["paymentSession"]["paymentService"] = json!("APPLEPAY");
    keeping["paymentSession"]["recurrence"] = json!({
        "action": "CONTRACT_CREATION", "contractId": "w-1", "contractType": "MIT_UNSCHEDULED"
    });
    assert_eq!(pay(&app, &keeping).await.refusal(), "500 PS0000");
    // Another process asks again.
    let app = app.restarted().await;
    desk.change(|plan| plan.silent.clear());
    app.pass(60).await;
    let asked = desk.asked();
    assert!(asked.len() >= 2, "{asked:?}");
    let with_cryptogram = "first authorize IMPLICIT APPLEPAY AAAA 07";
    assert!(asked.iter().all(|one| one == with_cryptogram), "{asked:?}");
    let charge = json!({
        "order": { "orderId": "A2", "amount": "100", "currency": "EUR" }, "contractId": "w-1"
    });
    app.merchant().post("/orders/mit", &charge).await.ok();
    assert_eq!(desk.asked(), ["first authorize IMPLICIT APPLEPAY"]);
    // A card's own number is no token.
    let number = request("A3", google(APPROVED, "PAN_ONLY"));
    let sent = pay(&app, &number).await.ok();
    assert_eq!(sent["paymentFlow"], "PAN_ONLY");
    app.merchant()
        .post("/orders/moto", &moto("A4", APPROVED))
        .await
        .ok();
    assert_eq!(desk.asked(), ["first authorize IMPLICIT"]);
}
