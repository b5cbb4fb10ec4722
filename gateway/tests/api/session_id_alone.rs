//! What somebody learns who has a session's id and nothing else: less than the merchant's server, and no more than the form shows.

use crate::harness::{APPROVED, DECLINED, TestApp, build, build_form, short};
use serde_json::{Value, json};

/// A session whose form may tell its page these digits.
fn telling(order_id: &str, card_summary: &str) -> Value {
    let mut request = build(order_id);
    request["form"] = json!({ "cardSummary": card_summary });
    request
}

#[tokio::test]
async fn a_frame_reads_the_digits_that_the_session_allows_and_the_merchant_reads_all() {
    let app = TestApp::new().await;
    for (summary, expected) in [
        ("NONE", json!({ "circuit": "VISA" })),
        (
            "LAST4",
            json!({ "circuit": "VISA", "lastFourDigits": "0003" }),
        ),
        (
            "BIN_LAST4",
            json!({ "circuit": "VISA", "bin": "476173", "lastFourDigits": "0003" }),
        ),
    ] {
        let session = app.open(&telling(summary, summary)).await;
        app.enter(&session, APPROVED).await;
        let path = format!("/build/cardData?sessionId={session}");
        for state in ["READY_FOR_PAYMENT", "PAYMENT_COMPLETE"] {
            let read = app.frame(&session).get("/build/cardData").await.ok();
            assert_eq!(read, expected, "{summary} in {state}");
            let whole = app.merchant().get(&path).await.ok();
            assert_eq!(whole["expiringDate"], "1230", "{summary} in {state}");
            app.finalize(&session).await;
        }
    }
}

/// The buyer did not type it, so the form has to say which card is charged.
#[tokio::test]
async fn of_a_stored_card_a_frame_reads_the_last_four_digits() {
    let app = TestApp::new().await;
    let mut request = build("A1");
    request["paymentSession"]["recurrence"] =
        json!({ "action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "CIT" });
    let session = app.open(&request).await;
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    let mut request = build("A2");
    request["paymentSession"]["recurrence"] =
        json!({ "action": "SUBSEQUENT_PAYMENT", "contractId": "K1", "contractType": "CIT" });
    let session = app.open(&request).await;
    let read = app.frame(&session).get("/build/cardData").await.ok();
    let expected = json!({ "circuit": "VISA", "lastFourDigits": "0003" });
    assert_eq!(read, expected);
}

#[tokio::test]
async fn ranges_are_looked_up_only_while_a_card_can_be_entered() {
    let app = TestApp::new().await;
    let session = app.open(&build_form("A1", 2)).await;
    let networks = async || {
        let bin = json!({ "bin": "47617384" });
        let answer = app.frame(&session).post("/fe/build/bin", &bin).await;
        answer.ok()["networks"].as_array().unwrap().len()
    };
    assert_eq!(networks().await, 1, "before a card is entered");
    app.enter(&session, DECLINED).await;
    assert_eq!(networks().await, 0, "a card is ready");
    app.finalize(&session).await;
    assert_eq!(networks().await, 1, "another card can be entered");
    app.enter(&session, APPROVED).await;
    app.finalize(&session).await;
    assert_eq!(networks().await, 0, "it is paid");
}

/// Whoever tries out stolen cards must not learn more of an issuer's reason than the sentence that buyers read.
#[tokio::test]
async fn an_issuers_reason_is_told_to_frames_as_coarse_as_to_buyers() {
    let app = TestApp::new().await;
    for (number, of_issuer, told) in [
        ("4761730000002090", "209", "100"),
        ("4761730000001209", "120", "100"),
        (DECLINED, "116", "116"),
        ("4761730000009095", "909", "909"),
        (APPROVED, "000", "000"),
    ] {
        let session = app.open(&build(number)).await;
        app.enter(&session, number).await;
        let whole = app.finalize(&session).await;
        let read = app.frame(&session).get("/build/state").await.ok();
        assert_eq!(short(&read), short(&whole), "{number}");
        let code =
            |state: &Value| state["operation"]["additionalData"]["authorizationStatus"].clone();
        assert_eq!((code(&whole), code(&read)), (json!(of_issuer), json!(told)));
    }
}
