//! Data share only at a gateway with directory servers: the issuer is told of the payment, and asks nobody.

use super::bench::Bench;
use crate::counterpart::{Conduct, DS_ID, LATER_PROOF, PROOF, preference};
use crate::harness::{build_form, short};
use crate::keys::command;
use serde_json::{Value, json};

const PAID: &str = "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED";

fn sharing(order: &str) -> Value {
    let mut request = build_form(order, 2);
    request["paymentSession"]["exemptions"] = json!("DATA_SHARE_ONLY");
    request
}

/// A gateway whose operator allows the terminal to share data only.
async fn bench() -> Bench {
    let bench = Bench::start().await;
    let allow = ["terminal", "set", "55000001", "exemptions=DATA_SHARE_ONLY"];
    command(&bench.app, &allow).await.unwrap();
    bench
}

/// What an operation says of its authentication.
fn told(closed: &Value) -> String {
    let data = &closed["operation"]["additionalData"];
    ["threeDS", "dataShareOnly", "exemption", "liability"]
        .map(|name| data[name].as_str().unwrap_or("-"))
        .join(" ")
}

/// This terminal pays nothing without authentication. An issuer that takes note of the data has done what it was asked for.
#[tokio::test]
async fn the_payment_goes_on_without_a_proof_and_the_merchant_is_liable() {
    let bench = bench().await;
    for (status, charge, expected) in [
        (
            "I",
            format!("shared Some(\"07\") {DS_ID}"),
            "NOT_SECURE YES - MERCHANT",
        ),
        ("Y", format!("05 {PROOF}"), "FULL_SECURE - - ISSUER"),
        ("A", format!("06 {PROOF}"), "ATTEMPTED - - ISSUER"),
    ] {
        bench.directory.behave(Conduct::Status(status));
        let session = bench.checked_for(&sharing(status)).await;
        let closed = bench.close(&session).await.ok();
        assert_eq!(short(&closed), PAID, "{status}");
        assert_eq!(told(&closed), expected, "{status}");
        assert_eq!(closed["operation"]["warnings"], json!([]));
        assert_eq!(bench.charges().pop(), Some(charge), "{status}");
        let asked = bench.directory.heard("AReq").pop().unwrap();
        assert_eq!(preference(&asked), "06");
    }
    let charges = bench.charges().len();
    for status in ["N", "R", "U", "D"] {
        bench.directory.behave(Conduct::Status(status));
        let session = bench.checked_for(&sharing(status)).await;
        let closed = bench.close(&session).await.ok();
        let expected = "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED";
        assert_eq!(short(&closed), expected, "{status}");
    }
    assert_eq!(bench.charges().len(), charges);
}

#[tokio::test]
async fn an_issuer_that_answers_by_a_challenge_charges_nobody() {
    let bench = bench().await;
    bench.directory.behave(Conduct::Status("C"));
    let session = bench.checked_for(&sharing("A1")).await;
    let closed = bench.close(&session).await;
    assert!(closed.status >= 500, "{}", closed.status);
    assert!(bench.charges().is_empty());
    // The next call asks again.
    bench.directory.behave(Conduct::Status("I"));
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), PAID);
    assert_eq!(bench.charges().len(), 1);
}

#[tokio::test]
async fn a_soft_decline_leads_to_a_challenge() {
    let bench = bench().await;
    bench.demand_challenges();
    bench.directory.behave(Conduct::OnDemand);
    let session = bench.checked_for(&sharing("A1")).await;
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), "REDIRECTED_TO_EXTERNAL_DOMAIN");
    let asked = bench.directory.heard("AReq");
    assert_eq!(
        asked.iter().map(preference).collect::<Vec<_>>(),
        ["06", "04"]
    );
    bench.result(&bench.directory.results("Y")).await.ok();
    let address = closed["url"].as_str().unwrap();
    bench.get(&address.replace("/challenge/", "/back/")).await;
    assert_eq!(bench.state(&session).await, PAID);
    let charges = [
        format!("shared Some(\"07\") {DS_ID}"),
        format!("05 {LATER_PROOF}"),
    ];
    assert_eq!(bench.charges(), charges);
}
