//! Payments in production with a directory server: the browser is described, the issuer asks the buyer, and its result decides.

mod bench;
mod confirmations;
mod data_share;
mod decoupled;
mod demands;
mod three_steps;

use self::bench::{Bench, NUMBER, browser};
use crate::counterpart::{
    ACS_URL, Conduct, LATER_PROOF, METHOD_URL, PROOF, completed, decoded, preference,
};
use crate::encryption::{hidden, key_of};
use crate::harness::{build_form, build_two, short, token_of};
use crate::keys::command;
use crate::server_to_server::moto;
use axum::body::Body;
use axum::http::Request;
use payframe_gateway::App;
use payframe_gateway::config::{Config, Mode, Sandbox};
use payframe_payment_ports::Clock;
use serde_json::{Value, json};

/// The value of a hidden input.
pub(super) fn field<'a>(page: &'a str, name: &str) -> &'a str {
    let (_, rest) = page
        .split_once(&format!("name=\"{name}\" value=\""))
        .unwrap();
    rest.split_once('"').unwrap().0
}

#[tokio::test]
async fn an_authenticated_buyer_pays_with_the_issuers_proof() {
    for (status, expected) in [("Y", format!("05 {PROOF}")), ("A", format!("06 {PROOF}"))] {
        let bench = Bench::start().await;
        bench.directory.behave(Conduct::Status(status));
        let session = bench.checked("A1").await;
        let closed = bench.close(&session).await.ok();
        assert_eq!(short(&closed), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        assert_eq!(bench.charges(), [expected]);
        let asked = bench.directory.heard("AReq").pop().unwrap();
        for (name, value) in [
            ("browserLanguage", json!("it-IT")),
            ("browserUserAgent", json!("Mozilla/5.0")),
            ("browserScreenWidth", json!("1440")),
            ("merchantName", json!("Blumenladen")),
            ("threeDSCompInd", json!("Y")),
        ] {
            assert_eq!(asked[name], value, "{name}");
        }
    }
}

#[tokio::test]
async fn the_billing_address_goes_to_the_issuer_and_to_the_acquirer() {
    let bench = Bench::start().await;
    let mut request = build_form("A1", 2);
    request["form"]["billingAddress"] = json!("FULL");
    let beside = [
        json!({ "id": "BILLING_COUNTRY", "value": "GB" }),
        json!({ "id": "BILLING_LINE1", "value": "10 Street" }),
        json!({ "id": "BILLING_CITY", "value": "London" }),
        json!({ "id": "BILLING_POSTAL_CODE", "value": "sw1a1aa" }),
    ];
    let session = bench.checked_with(&request, &beside).await;
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(
        bench.charges(),
        [format!("05 {PROOF} GB 10 Street London SW1A 1AA")]
    );
    let asked = bench.directory.heard("AReq").pop().unwrap();
    assert_eq!(asked["billAddrCountry"], "826");
    assert_eq!(asked["billAddrLine1"], "10 Street");
    assert_eq!(asked["billAddrCity"], "London");
    assert_eq!(asked["billAddrPostCode"], "SW1A 1AA");
}

/// This terminal pays nothing without authentication. An exemption that the issuer grants is no such payment.
#[tokio::test]
async fn an_exemption_is_claimed_unless_the_issuer_demands_a_challenge() {
    let exempt = |order: &str| {
        let mut request = build_form(order, 2);
        request["paymentSession"]["exemptions"] = json!("TRANSACTION_RISK_ANALYSIS");
        request
    };
    let of = |closed: &Value| {
        let data = &closed["operation"]["additionalData"];
        let [secure, exemption, liability] =
            ["threeDS", "exemption", "liability"].map(|name| data[name].as_str().unwrap_or("-"));
        format!("{secure} {exemption} {liability}")
    };
    const CLAIMED: &str = "TRANSACTION_RISK_ANALYSIS";
    let bench = Bench::start().await;
    let refused = bench.app.key(&bench.key);
    let refused = refused.post("/orders/build", &exempt("A0")).await;
    assert_eq!(refused.refusal(), "400 PS0026");
    assert!(refused.why().contains("terminal set"), "{}", refused.why());
    let allow = format!("exemptions={CLAIMED}");
    let allow = ["terminal", "set", "55000001", allow.as_str()];
    command(&bench.app, &allow).await.unwrap();
    for (status, told, expected) in [
        ("I", String::from(CLAIMED), "NOT_SECURE"),
        ("Y", format!("05 {PROOF} {CLAIMED}"), "FULL_SECURE"),
        ("A", format!("06 {PROOF} {CLAIMED}"), "ATTEMPTED"),
    ] {
        bench.directory.behave(Conduct::Status(status));
        let session = bench.checked_for(&exempt(status)).await;
        let closed = bench.close(&session).await.ok();
        assert_eq!(short(&closed), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        assert_eq!(bench.charges().pop(), Some(told), "{status}");
        assert_eq!(of(&closed), format!("{expected} {CLAIMED} MERCHANT"));
        let asked = bench.directory.heard("AReq").pop().unwrap();
        assert_eq!(preference(&asked), "05");
    }
    let charges = bench.charges().len();
    for status in ["N", "R", "U"] {
        bench.directory.behave(Conduct::Status(status));
        let session = bench.checked_for(&exempt(status)).await;
        let closed = bench.close(&session).await.ok();
        let expected = "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED";
        assert_eq!(short(&closed), expected, "{status}");
    }
    assert_eq!(bench.charges().len(), charges);
    bench.directory.behave(Conduct::Status("C"));
    let session = bench.checked_for(&exempt("C")).await;
    let closed = bench.close(&session).await.ok();
    let page = bench.get(closed["url"].as_str().unwrap()).await.text();
    let creq = decoded(field(&page, "creq"));
    bench.result(&bench.directory.results("Y")).await.ok();
    let asked = bench.directory.heard("AReq").pop().unwrap();
    let notify = asked["notificationURL"].as_str().unwrap().to_owned();
    let cres = format!("cres={}", completed(&creq, "Y"));
    let kind = "application/x-www-form-urlencoded";
    let sent = bench.post(&notify, kind, &cres).await;
    bench.get(sent.header("location").unwrap()).await;
    let path = format!("/build/state?sessionId={session}");
    let paid = bench.app.key(&bench.key).get(&path).await.ok();
    assert_eq!(of(&paid), "FULL_SECURE - ISSUER");
    let told = bench.charges().pop().unwrap();
    assert!(!told.contains(CLAIMED), "{told}");
}

#[tokio::test]
async fn who_is_not_authenticated_is_not_charged() {
    for status in ["N", "R", "U", "D", "I"] {
        let bench = Bench::start().await;
        bench.directory.behave(Conduct::Status(status));
        let session = bench.checked("A1").await;
        let closed = bench.close(&session).await.ok();
        // Another card may succeed.
        assert_eq!(
            short(&closed),
            "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED",
            "{status}"
        );
        assert!(bench.charges().is_empty());
    }
}

#[tokio::test]
async fn a_directory_server_without_an_answer_charges_nobody() {
    let bench = Bench::start().await;
    let session = bench.checked("A1").await;
    for conduct in [Conduct::Malformed, Conduct::WrongIds, Conduct::Broken] {
        bench.directory.behave(conduct);
        assert!(bench.close(&session).await.status >= 500, "{conduct:?}");
    }
    assert!(bench.charges().is_empty());
    bench.directory.behave(Conduct::Status("Y"));
    let closed = bench.close(&session).await.ok();
    assert_eq!(short(&closed), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
}

#[tokio::test]
async fn the_device_check_runs_the_issuers_method() {
    let bench = Bench::start().await;
    // The card ranges are known after the first payment.
    let first = bench.checked("A1").await;
    bench.close(&first).await.ok();
    let (session, check) = bench.entered("A2").await;
    let page = bench.get(&check).await;
    let policy = page.header("content-security-policy").unwrap().to_owned();
    assert!(
        policy.contains("frame-src 'self' https:;")
            && policy.contains("frame-ancestors 'self' https://shop.example")
    );
    let text = page.text();
    assert!(text.contains(&format!("action=\"{METHOD_URL}\"")), "{text}");
    let data = decoded(field(&text, "threeDSMethodData"));
    let back = data["threeDSMethodNotificationURL"].as_str().unwrap();
    let told = bench
        .post(
            back,
            "application/x-www-form-urlencoded",
            "threeDSMethodData=e30",
        )
        .await;
    assert!(told.text().contains("data-leads=\"check\""));
    // The description alone does not end the check.
    bench
        .post(
            &check,
            "application/json",
            &browser(false, false).to_string(),
        )
        .await;
    let poll = "/fe/build/check_gdi_result?attemptNumber=1";
    let frame = bench.app.frame(&session);
    assert_eq!(frame.get(poll).await.ok()["result"], "KO");
    bench
        .post(&check, "application/json", &browser(true, true).to_string())
        .await;
    bench.close(&session).await.ok();
    let asked = bench.directory.heard("AReq").pop().unwrap();
    assert_eq!(asked["threeDSServerTransID"], data["threeDSServerTransID"]);
    assert_eq!(asked["threeDSCompInd"], "Y");
    assert!(
        bench
            .get(&check)
            .await
            .text()
            .contains("data-check=\"done\"")
    );
}

#[tokio::test]
async fn a_form_that_hides_its_browser_is_not_served() {
    let bench = Bench::start().await;
    let (session, _) = bench.entered("A1").await;
    bench
        .app
        .frame(&session)
        .post("/fe/build/skip_gdi", &json!({}))
        .await
        .ok();
    let closed = bench.close(&session).await.ok();
    assert_eq!(
        short(&closed),
        "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED"
    );
    assert!(bench.charges().is_empty() && bench.directory.heard("AReq").is_empty());
}

#[tokio::test]
async fn another_site_describes_no_browser() {
    let bench = Bench::start().await;
    let (_, check) = bench.entered("A1").await;
    let path = check.strip_prefix("https://gateway.example").unwrap();
    let forged = Request::post(path)
        .header("content-type", "application/json")
        .header("origin", "https://shop.example")
        .body(Body::from(browser(true, true).to_string()));
    assert_eq!(bench.app.send(forged.unwrap()).await.status, 403);
    assert_eq!(
        bench.post(&check, "application/json", "{}").await.status,
        400
    );
}

#[tokio::test]
async fn a_passed_challenge_is_charged_with_the_later_proof() {
    let bench = Bench::start().await;
    let (session, address) = bench.challenged("A1").await;
    let page = bench.get(&address).await.text();
    assert!(page.contains(&format!("action=\"{ACS_URL}\"")), "{page}");
    let creq = decoded(field(&page, "creq"));
    assert_eq!(creq["messageType"], "CReq");
    // The browser says that all is well: this counts for nothing.
    let asked = bench.directory.heard("AReq").pop().unwrap();
    let notify = asked["notificationURL"].as_str().unwrap().to_owned();
    let cres = format!("cres={}", completed(&creq, "Y"));
    let sent = bench
        .post(&notify, "application/x-www-form-urlencoded", &cres)
        .await;
    assert_eq!(sent.status, 303);
    let back = sent.header("location").unwrap().to_owned();
    assert!(
        bench
            .get(&back)
            .await
            .text()
            .contains("http-equiv=\"refresh\"")
    );
    assert!(bench.charges().is_empty());
    // Now the issuer says it, and says it again.
    for _ in 0..2 {
        let answer = bench.result(&bench.directory.results("Y")).await.ok();
        assert_eq!(
            (&answer["messageType"], &answer["resultsStatus"]),
            (&json!("RRes"), &json!("01"))
        );
    }
    let leads = bench.get(&back).await.text();
    assert!(leads.contains("data-leads=\"/threeds/return/"), "{leads}");
    assert_eq!(
        bench.state(&session).await,
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    assert_eq!(bench.charges(), [format!("05 {LATER_PROOF}")]);
    // A later contradiction changes nothing.
    let answer = bench.result(&bench.directory.results("N")).await.ok();
    assert_eq!(answer["resultsStatus"], "03");
    assert_eq!(bench.charges().len(), 1);
    let end = bench
        .get(&format!("/threeds/return/{}", token_of(&back)))
        .await
        .text();
    assert!(end.contains("/assets/issuer/return."), "{end}");
}

#[tokio::test]
async fn a_failed_challenge_is_not_charged_whatever_the_browser_says() {
    let bench = Bench::start().await;
    let (session, address) = bench.challenged("A1").await;
    let creq = decoded(field(&bench.get(&address).await.text(), "creq"));
    bench.result(&bench.directory.results("N")).await.ok();
    let notify = address.replace("/challenge/", "/notify/");
    let cres = format!("cres={}", completed(&creq, "Y"));
    let sent = bench
        .post(&notify, "application/x-www-form-urlencoded", &cres)
        .await;
    bench.get(sent.header("location").unwrap()).await;
    let state = bench.state(&session).await;
    assert_eq!(state, "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED");
    assert!(bench.charges().is_empty());
}

#[tokio::test]
async fn an_attempted_challenge_is_charged_with_the_proof_of_the_attempt() {
    let bench = Bench::start().await;
    let (session, address) = bench.challenged("A1").await;
    bench.result(&bench.directory.results("A")).await.ok();
    bench.get(&address.replace("/challenge/", "/back/")).await;
    assert_eq!(
        bench.state(&session).await,
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    assert_eq!(bench.charges(), [format!("06 {LATER_PROOF}")]);
}

#[tokio::test]
async fn an_attempt_is_not_the_challenge_that_a_rule_demands() {
    let bench = Bench::start().await;
    let (session, address) = bench.challenged("A1").await;
    // As if the try had met a rule that lets it pass only with a challenge.
    let ruled = bench.app.change("UPDATE card_try SET rule = 'RANGE'");
    ruled.await;
    bench.result(&bench.directory.results("A")).await.ok();
    bench.get(&address.replace("/challenge/", "/back/")).await;
    let state = bench.state(&session).await;
    assert_eq!(state, "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED");
    assert!(bench.charges().is_empty());
}

#[tokio::test]
async fn a_result_after_a_restart_continues_the_payment() {
    let mut bench = Bench::start().await;
    let (session, address) = bench.challenged("A1").await;
    bench.app = bench.app.restarted().await;
    assert!(bench.get(&address).await.text().contains("name=\"creq\""));
    bench.result(&bench.directory.results("Y")).await.ok();
    bench.get(&address.replace("/challenge/", "/back/")).await;
    assert_eq!(
        bench.state(&session).await,
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    assert_eq!(bench.directory.heard("AReq").len(), 1);
}

#[tokio::test]
async fn a_result_after_the_limit_of_the_challenge_charges_nobody() {
    let bench = Bench::start().await;
    let (session, address) = bench.challenged("A1").await;
    bench.app.pass(120).await;
    bench.result(&bench.directory.results("Y")).await.ok();
    bench.get(&address.replace("/challenge/", "/back/")).await;
    let state = bench.state(&session).await;
    assert_eq!(state, "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED");
    assert!(bench.charges().is_empty());
}

#[tokio::test]
async fn a_token_opens_its_own_page_alone() {
    let bench = Bench::start().await;
    let (session, address) = bench.challenged("A1").await;
    let message = bench.directory.results("Y").to_string();
    // The buyer knows the address of the challenge, and can not pass it by that.
    for page in ["results", "return", "device"] {
        let other = address.replace("/challenge/", &format!("/{page}/"));
        let answer = bench.post(&other, "application/json", &message).await;
        assert!(
            [404, 405, 400].contains(&answer.status),
            "{page}: {}",
            answer.status
        );
    }
    let asked = bench.directory.heard("AReq").pop().unwrap();
    let results = token_of(asked["threeDSServerURL"].as_str().unwrap()).to_owned();
    for page in ["challenge", "back", "return", "device"] {
        assert_eq!(
            bench
                .get(&format!("/threeds/{page}/{results}"))
                .await
                .status,
            404,
            "{page}"
        );
    }
    assert!(!bench.get(&address).await.text().contains(&results));
    let led = bench.app.page(
        &address,
        &[
            ("sec-fetch-dest", "iframe"),
            ("sec-fetch-site", "cross-site"),
        ],
    );
    assert_eq!(led.await.status, 404);
    assert!(
        bench
            .state(&session)
            .await
            .starts_with("REDIRECTED_TO_EXTERNAL_DOMAIN")
    );
}

#[tokio::test]
async fn version_two_is_authenticated_after_its_check() {
    let bench = Bench::start().await;
    let session = bench.app.open_by(&bench.key, &build_two("A1")).await;
    let card_key = key_of(&bench.app, &session).await;
    let card = hidden(NUMBER, &card_key, &session);
    bench
        .app
        .frame(&session)
        .post("/fe/build/text", &card)
        .await
        .ok();
    let confirm = json!({ "sessionId": session, "amount": "3545" });
    bench
        .app
        .key(&bench.key)
        .post("/build/confirm_payment", &confirm)
        .await
        .ok();
    let path = "/fe/build/gdi_and_finalize?attemptNumber=1";
    let waiting = bench.app.frame(&session).get(path).await.ok();
    let check = waiting["url"].as_str().unwrap();
    bench
        .post(check, "application/json", &browser(true, true).to_string())
        .await;
    let done = bench.app.frame(&session).get(path).await.ok();
    assert_eq!(short(&done), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    assert_eq!(bench.charges(), [format!("05 {PROOF}")]);
}

#[tokio::test]
async fn orders_by_mail_or_telephone_need_no_authentication() {
    let bench = Bench::start().await;
    let merchant = bench.app.key(&bench.key);
    let paid = merchant
        .post("/orders/moto", &moto("A2", NUMBER))
        .await
        .ok();
    assert_eq!(paid["operation"]["operationResult"], "EXECUTED");
    assert_eq!(bench.charges(), [""]);
    assert!(bench.directory.heard("AReq").is_empty());
}

#[tokio::test]
async fn a_file_that_does_not_fit_stops_the_start() {
    for (mode, expected) in [
        (Mode::Production, "none.toml: "),
        (Mode::Sandbox(Sandbox::default()), "none.toml: "),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let config = Config {
            mode,
            data: folder.path().to_owned(),
            three_ds: Some(folder.path().join("none.toml")),
            ..Config::sandbox()
        };
        let opened = App::open(config, Clock::system()).await;
        let said = opened.err().unwrap().to_string();
        assert!(said.contains(expected), "{said}");
    }
}
