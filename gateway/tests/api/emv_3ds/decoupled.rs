//! Decoupled authentications, at a gateway with directory servers: the page that waits in the challenge's place, and what the issuer's result
//! leads to.

use super::bench::Bench;
use crate::counterpart::{Conduct, LATER_PROOF};
use crate::harness::{Answer, short};
use serde_json::json;

const PAID: &str = "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED";

const REFUSED: &str = "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED";

const WAITING: &str = "REDIRECTED_TO_EXTERNAL_DOMAIN";

/// A session whose issuer asks apart from the browser, and the address of the page that waits.
async fn asked(bench: &Bench, order: &str) -> (String, String) {
    bench.directory.behave(Conduct::Status("D"));
    let session = bench.checked(order).await;
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), WAITING);
    let challenge = bench.get(closed["url"].as_str().unwrap()).await;
    let address = leads(&challenge).to_owned();
    assert!(address.starts_with("/threeds/waiting/"), "{address}");
    (session, address)
}

/// Where the browser is led.
fn leads(answer: &Answer) -> &str {
    assert_eq!(answer.status, 303);
    answer.header("location").unwrap()
}

/// L21: the page waits in the issuer's place.
#[tokio::test]
async fn the_page_waits_and_the_issuers_yes_is_charged_once_with_its_proof() {
    let bench = Bench::patient().await;
    let (session, address) = asked(&bench, "A1").await;
    let page = bench.get(&address).await;
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap().to_owned();
    assert!(
        policy.contains("form-action 'none'")
            && policy.contains("frame-ancestors 'self' https://shop.example"),
        "{policy}"
    );
    let page = page.text();
    for part in [
        "Conferma questo pagamento con la tua banca",
        "Open the app of &#60;Bank &#38; Co&#62;.",
        "role=\"status\"",
        "http-equiv=\"refresh\"",
    ] {
        assert!(page.contains(part), "{part} is missing in {page}");
    }
    assert!(bench.charges().is_empty());
    for _ in 0..2 {
        let answer = bench.result(&bench.directory.results("Y")).await.ok();
        assert_eq!(answer["resultsStatus"], "01");
    }
    let challenge = address.replace("/waiting/", "/challenge/");
    assert_eq!(leads(&bench.get(&address).await), challenge);
    let back = address.replace("/waiting/", "/return/");
    assert_eq!(leads(&bench.get(&challenge).await), back);
    assert_eq!(bench.state(&session).await, PAID);
    assert_eq!(bench.charges(), [format!("05 {LATER_PROOF}")]);
    let path = format!("/build/state?sessionId={session}");
    let paid = bench.app.key(&bench.key).get(&path).await.ok();
    let data = &paid["operation"]["additionalData"];
    assert_eq!(
        (&data["threeDS"], &data["liability"]),
        (&json!("FULL_SECURE"), &json!("ISSUER"))
    );
    // A later contradiction changes nothing.
    let answer = bench.result(&bench.directory.results("N")).await.ok();
    assert_eq!(answer["resultsStatus"], "03");
    assert_eq!(bench.charges().len(), 1);
}

#[tokio::test]
async fn each_other_result_is_that_of_a_challenge() {
    for (status, expected, charge) in [
        ("A", PAID, Some(format!("06 {LATER_PROOF}"))),
        ("N", REFUSED, None),
        ("R", REFUSED, None),
        ("U", REFUSED, None),
    ] {
        let bench = Bench::patient().await;
        let (session, address) = asked(&bench, "A1").await;
        bench.result(&bench.directory.results(status)).await.ok();
        assert_eq!(bench.get(&address).await.status, 303);
        assert_eq!(bench.state(&session).await, expected, "{status}");
        assert_eq!(bench.charges(), Vec::from_iter(charge), "{status}");
    }
}

#[tokio::test]
async fn the_time_is_that_of_the_terminal_and_a_later_result_charges_nobody() {
    let bench = Bench::patient().await;
    let (session, address) = asked(&bench, "A1").await;
    // Longer than a challenge in the browser may take.
    bench.app.pass(600).await;
    assert_eq!(bench.get(&address).await.status, 200);
    assert!(bench.state(&session).await.starts_with(WAITING));
    bench.app.pass(40).await;
    assert_eq!(bench.get(&address).await.status, 303);
    assert_eq!(bench.state(&session).await, REFUSED);
    let answer = bench.result(&bench.directory.results("Y")).await.ok();
    assert_eq!(answer["errorCode"], "402");
    bench.get(&address).await;
    assert_eq!(bench.state(&session).await, REFUSED);
    assert!(bench.charges().is_empty());
}

/// L22: who leaves is not charged.
#[tokio::test]
async fn a_buyer_who_leaves_is_not_charged_whatever_the_issuer_says_later() {
    let bench = Bench::patient().await;
    let (session, address) = asked(&bench, "A1").await;
    let left = bench.app.frame(&session);
    left.post("/fe/build/leave_challenge", &json!({}))
        .await
        .ok();
    assert_eq!(bench.state(&session).await, REFUSED);
    bench.result(&bench.directory.results("Y")).await.ok();
    assert_eq!(bench.get(&address).await.status, 303);
    assert_eq!(bench.state(&session).await, REFUSED);
    assert!(bench.charges().is_empty());
}

#[tokio::test]
async fn a_result_after_a_restart_continues_the_payment() {
    let mut bench = Bench::patient().await;
    let (session, address) = asked(&bench, "A1").await;
    bench.app = bench.app.restarted().await;
    assert_eq!(bench.get(&address).await.status, 200);
    bench.result(&bench.directory.results("Y")).await.ok();
    assert_eq!(bench.get(&address).await.status, 303);
    assert_eq!(bench.state(&session).await, PAID);
    assert_eq!(bench.directory.heard("AReq").len(), 1);
}

#[tokio::test]
async fn a_terminal_that_does_not_ask_for_it_gets_no_payment_by_it() {
    let bench = Bench::start().await;
    bench.directory.behave(Conduct::Status("D"));
    let session = bench.checked("A1").await;
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), REFUSED);
    // No address for results was opened.
    let answer = bench.result(&bench.directory.results("Y")).await;
    assert_eq!(answer.status, 404);
    assert_eq!(bench.state(&session).await, REFUSED);
    assert!(bench.charges().is_empty());
}

#[tokio::test]
async fn a_declined_authorization_is_repeated_after_the_buyer_was_asked_apart() {
    let bench = Bench::patient().await;
    bench.demand_challenges();
    bench.directory.behave(Conduct::ApartOnDemand);
    let session = bench.checked("A1").await;
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), WAITING);
    let challenge = closed["url"].as_str().unwrap();
    let address = leads(&bench.get(challenge).await).to_owned();
    bench.result(&bench.directory.results("Y")).await.ok();
    assert_eq!(bench.get(&address).await.status, 303);
    assert_eq!(bench.state(&session).await, PAID);
    assert_eq!(bench.charges().len(), 2);
}
