//! Confirmations by the buyer's device, at a gateway with directory servers: the page in the challenge's place, what it sends, and what the
//! issuer's answer leads to.

use super::bench::{Bench, browser};
use super::field;
use crate::counterpart::{ACS_URL, Conduct, LATER_PROOF, PROOF};
use crate::harness::{Answer, short};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

const CONFIRMED: &str = "outcome=CONFIRMED&assertion=%7B%22id%22%3A%22AAEC%22%2C%22response%22%3A%7B%22clientDataJSON%22%3A%22e30%22%2C\
     %22authenticatorData%22%3A%22AA%22%2C%22signature%22%3A%22AA%22%7D%7D";

const PAID: &str = "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED";

const REFUSED: &str = "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED";

/// A session whose issuer asks the device and says this to the outcome, and the address of the page.
async fn asked(bench: &Bench, order: &str, then: &'static str) -> (String, String) {
    bench.directory.behave(Conduct::Confirms(then));
    let (session, check) = bench.entered(order).await;
    let mut able = browser(true, true);
    able["canConfirm"] = json!(true);
    let able = able.to_string();
    let described = bench.post(&check, "application/json", &able).await;
    assert_eq!(described.status, 204);
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), "REDIRECTED_TO_EXTERNAL_DOMAIN");
    let challenge = bench.get(closed["url"].as_str().unwrap()).await;
    assert_eq!(challenge.status, 303);
    let address = challenge.header("location").unwrap().to_owned();
    assert!(address.starts_with("/threeds/confirmation/"), "{address}");
    (session, address)
}

async fn send(bench: &Bench, address: &str, body: &str) -> Answer {
    let kind = "application/x-www-form-urlencoded";
    bench.post(address, kind, body).await
}

/// Where the browser is led.
fn leads(answer: &Answer) -> &str {
    assert_eq!(answer.status, 303);
    answer.header("location").unwrap()
}

/// L18: the device confirms in place of the issuer's page.
#[tokio::test]
async fn a_confirmed_payment_is_charged_once_with_the_issuers_proof() {
    let bench = Bench::start().await;
    let (session, address) = asked(&bench, "A1", "Y").await;
    let page = bench.get(&address).await;
    let policy = page.header("content-security-policy").unwrap().to_owned();
    assert!(policy.contains("form-action 'self'"), "{policy}");
    let page = page.text();
    let (_, data) = page.split_once("data-asked=\"").unwrap();
    let data = data.split_once('"').unwrap().0.replace("&#34;", "\"");
    let data: Value = serde_json::from_str(&data).unwrap();
    assert_eq!(
        data["credentialIds"],
        json!(["AAECAwQFBgcICQoL", "AwQFBgcICQoLDA0O"])
    );
    assert_eq!(
        (&data["value"], &data["currency"], &data["payeeOrigin"]),
        (
            &json!("35.45"),
            &json!("EUR"),
            &json!("https://shop.example")
        )
    );
    assert!(page.contains("Conferma con questo dispositivo"), "{page}");
    assert!(bench.charges().is_empty());
    let challenge = address.replace("/confirmation/", "/challenge/");
    for _ in 0..2 {
        assert_eq!(leads(&send(&bench, &address, CONFIRMED).await), challenge);
    }
    assert_eq!(bench.state(&session).await, PAID);
    assert_eq!(bench.charges(), [format!("05 {PROOF}")]);
    assert_eq!(bench.directory.heard("AReq").len(), 2);
    // The page is over, and leads on.
    assert_eq!(leads(&bench.get(&address).await), challenge);
    let back = address.replace("/confirmation/", "/return/");
    assert_eq!(leads(&bench.get(&challenge).await), back);
}

/// L19: another way is the issuer's page, in the same attempt.
#[tokio::test]
async fn another_way_is_the_issuers_page_whose_result_decides() {
    let bench = Bench::start().await;
    let (session, address) = asked(&bench, "A1", "C").await;
    let challenge = leads(&send(&bench, &address, "outcome=CANCELLED").await).to_owned();
    let page = bench.get(&challenge).await.text();
    assert!(page.contains(&format!("action=\"{ACS_URL}\"")), "{page}");
    assert!(!field(&page, "creq").is_empty());
    // A device that signs now is late.
    send(&bench, &address, CONFIRMED).await;
    assert!(bench.charges().is_empty());
    bench.result(&bench.directory.results("Y")).await.ok();
    bench
        .get(&address.replace("/confirmation/", "/back/"))
        .await;
    assert_eq!(bench.state(&session).await, PAID);
    assert_eq!(bench.charges(), [format!("05 {LATER_PROOF}")]);
}

#[tokio::test]
async fn what_the_issuer_does_not_accept_is_refused_and_the_buyer_may_try_again() {
    let bench = Bench::start().await;
    for status in ["N", "R", "U", "I"] {
        let (session, address) = asked(&bench, status, status).await;
        send(&bench, &address, CONFIRMED).await;
        assert_eq!(bench.state(&session).await, REFUSED, "{status}");
    }
    assert!(bench.charges().is_empty());
}

/// L20: the outcome of a browser that cannot ask is told to the issuer.
#[tokio::test]
async fn each_outcome_is_told_to_the_issuer() {
    let bench = Bench::start().await;
    for (outcome, told) in [
        ("NOT_COMPLETED", "01"),
        ("CANCELLED", "02"),
        ("TIMED_OUT", "03"),
    ] {
        let (_, address) = asked(&bench, outcome, "C").await;
        send(&bench, &address, &format!("outcome={outcome}")).await;
        let asked = bench.directory.heard("AReq").pop().unwrap();
        assert_eq!(asked["spcIncompInd"], told);
    }
}

#[tokio::test]
async fn a_silent_directory_server_changes_nothing_and_the_buyer_may_repeat_it() {
    let bench = Bench::start().await;
    let (session, address) = asked(&bench, "A1", "Y").await;
    bench.directory.behave(Conduct::Broken);
    let again = send(&bench, &address, CONFIRMED).await;
    let again = leads(&again).to_owned();
    assert_eq!(again, format!("{address}?failed=1"));
    let page = bench.get(&again).await.text();
    assert!(page.contains("Non è stato possibile raggiungere"), "{page}");
    assert!(bench.charges().is_empty());
    bench.directory.behave(Conduct::Confirms("Y"));
    send(&bench, &address, CONFIRMED).await;
    assert_eq!(bench.state(&session).await, PAID);
    assert_eq!(bench.charges().len(), 1);
}

#[tokio::test]
async fn what_the_page_did_not_send_is_refused_with_the_name_of_its_field() {
    let bench = Bench::start().await;
    let (session, address) = asked(&bench, "A1", "Y").await;
    for (body, field) in [
        ("outcome=YES", "outcome: "),
        ("outcome=CONFIRMED", "assertion: "),
        ("outcome=CONFIRMED&assertion=%7B%7D", "assertion: "),
    ] {
        let answer = send(&bench, &address, body).await;
        assert_eq!(answer.status, 400);
        let text = answer.text();
        assert!(text.starts_with(field), "{text}");
    }
    let long = format!("outcome=CONFIRMED&assertion={}", "A".repeat(70_000));
    assert_eq!(send(&bench, &address, &long).await.status, 413);
    let forged = Request::post(&address)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", "https://shop.example")
        .body(Body::from(CONFIRMED));
    assert_eq!(bench.app.send(forged.unwrap()).await.status, 403);
    // Nobody has such a page.
    let other = "/threeds/confirmation/of-nobody";
    let gone = send(&bench, other, CONFIRMED).await;
    assert_eq!(leads(&gone), "/threeds/challenge/of-nobody");
    assert_eq!(bench.directory.heard("AReq").len(), 1);
    assert_eq!(bench.state(&session).await, "REDIRECTED_TO_EXTERNAL_DOMAIN");
}

#[tokio::test]
async fn a_confirmation_has_the_time_of_a_challenge_and_may_be_left() {
    let bench = Bench::start().await;
    let (left, _) = asked(&bench, "A1", "Y").await;
    let frame = bench.app.frame(&left);
    frame
        .post("/fe/build/leave_challenge", &json!({}))
        .await
        .ok();
    assert_eq!(bench.state(&left).await, REFUSED);
    let (late, address) = asked(&bench, "A2", "Y").await;
    bench.app.pass(61).await;
    assert_eq!(bench.state(&late).await, REFUSED);
    send(&bench, &address, CONFIRMED).await;
    assert!(bench.charges().is_empty());
}
