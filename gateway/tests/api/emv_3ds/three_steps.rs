//! Payments in three steps at a gateway with directory servers: the browser is described between the first call and the second one, and
//! then the issuer is asked.

mod refusals;

use super::bench::{Bench, NUMBER, browser};
use super::field;
use crate::counterpart::{
    ACS_URL, Conduct, DS_ID, LATER_PROOF, METHOD_URL, PROOF, completed, decoded, preference,
};
use crate::external_3ds::init;
use crate::harness::{Answer, token_of};
use crate::keys::command;
use serde_json::{Value, json};

const FORM: &str = "application/x-www-form-urlencoded";

/// A payment in three steps: what the first call was, and what it answered.
struct Steps<'a> {
    bench: &'a Bench,
    request: Value,
    begun: Value,
}

impl<'a> Steps<'a> {
    async fn begin(bench: &'a Bench, request: Value) -> Steps<'a> {
        let merchant = bench.app.key(&bench.key);
        let begun = merchant.post("/orders/3steps/init", &request).await.ok();
        Steps {
            bench,
            request,
            begun,
        }
    }

    fn id(&self) -> &str {
        self.begun["operation"]["operationId"].as_str().unwrap()
    }

    /// The merchant's page sends the browser. Returns the address of the payment's page.
    async fn come(&self) -> String {
        let fields = [
            (
                "ThreeDsRequest",
                self.begun["threeDSAuthRequest"].as_str().unwrap(),
            ),
            ("ReturnUrl", "https://shop.example/back?order=1"),
            ("transactionId", self.id()),
        ];
        let address = self.begun["threeDSAuthUrl"].as_str().unwrap();
        let sent = post_form(self.bench, address, &fields).await;
        assert_eq!(sent.status, 303, "{}", sent.text());
        sent.header("location").unwrap().to_owned()
    }

    /// The same with a browser that describes itself.
    async fn described(&self) -> String {
        let page = self.come().await;
        let check = page.replace("/step/", "/device/");
        let text = self.bench.get(&page).await.text();
        assert!(text.contains(&format!("data-check=\"{check}\"")), "{text}");
        let told = browser(true, true).to_string();
        let told = self.bench.post(&check, "application/json", &told).await;
        assert_eq!(told.status, 204);
        page
    }

    /// The issuer has been asked about a browser that describes itself.
    async fn asked(&self) -> String {
        let page = self.described().await;
        let sent = self.bench.post(&page, FORM, "").await;
        assert_eq!((sent.status, sent.header("location")), (303, Some(&*page)));
        page
    }

    /// What the last page posts to the merchant.
    async fn brought(&self, page: &str) -> String {
        let text = self.bench.get(page).await.text();
        let form = r#"<form id="back" method="post" action="https://shop.example/back?order=1">"#;
        assert!(text.contains(form), "{text}");
        assert_eq!(field(&text, "paymentId"), self.id());
        field(&text, "PaRes").to_owned()
    }

    async fn validate(&self, response: &str) -> Answer {
        let request = json!({ "operationId": self.id(), "threeDSAuthResponse": response });
        let merchant = self.bench.app.key(&self.bench.key);
        merchant.post("/orders/3steps/validation", &request).await
    }

    /// The browser comes back by this page, and the merchant's server validates what it brings.
    async fn validated(&self, page: &str) -> Value {
        let response = self.brought(page).await;
        self.validate(&response).await.ok()
    }

    async fn pay(&self, validated: &Value) -> Answer {
        let mut last = self.request.clone();
        last["operationId"] = json!(self.id());
        let result = &validated["threeDSAuthResult"];
        if let Some(value) = result.get("authenticationValue") {
            last["threeDSAuthData"] = json!({
                "authenticationValue": value, "eci": result["eci"], "xid": result["xid"]
            });
        }
        let merchant = self.bench.app.key(&self.bench.key);
        merchant.post("/orders/3steps/payment", &last).await
    }

    /// `operationResult`, as the merchant's server sees it.
    async fn result(&self) -> String {
        let path = format!("/operations/{}", self.id());
        let operation = self.bench.app.key(&self.bench.key).get(&path).await.ok();
        operation["operationResult"].as_str().unwrap().to_owned()
    }
}

async fn post_form(bench: &Bench, address: &str, fields: &[(&str, &str)]) -> Answer {
    let body = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields)
        .finish();
    bench.post(address, FORM, &body).await
}

/// Result, status, electronic commerce indicator and proof.
fn said(validated: &Value) -> String {
    let result = &validated["threeDSAuthResult"];
    let proof = result["authenticationValue"].as_str().unwrap_or("-");
    let [status, eci] = ["status", "eci"].map(|name| result[name].as_str().unwrap());
    let operation = validated["operation"]["operationResult"].as_str().unwrap();
    format!("{operation} {status} {eci} {proof}")
}

fn paid(answer: &Value) -> String {
    let operation = &answer["operation"];
    let secure = operation["additionalData"]["threeDS"]
        .as_str()
        .unwrap_or("-");
    format!(
        "{} {secure}",
        operation["operationResult"].as_str().unwrap()
    )
}

#[tokio::test]
async fn an_issuer_that_asks_nobody_is_told_of_the_browser_first() {
    for (status, told, secure) in [
        ("Y", "VALIDATED 05", "FULL_SECURE"),
        ("A", "ATTEMPTED 06", "ATTEMPTED"),
    ] {
        let bench = Bench::start().await;
        bench.directory.behave(Conduct::Status(status));
        let mut request = init("A1", NUMBER);
        request["order"]["customerInfo"] = json!({ "cardHolderName": "Anna Rossi" });
        let steps = Steps::begin(&bench, request).await;
        assert_eq!(steps.begun["operation"]["operationResult"], "PENDING");
        assert_eq!(steps.begun["threeDSEnrollmentStatus"], "ENROLLED");
        assert!(bench.directory.heard("AReq").is_empty());
        let page = steps.asked().await;
        let asked = bench.directory.heard("AReq").pop().unwrap();
        for (name, value) in [
            ("browserLanguage", json!("it-IT")),
            ("browserUserAgent", json!("Mozilla/5.0")),
            ("browserScreenWidth", json!("1440")),
            ("threeDSCompInd", json!("Y")),
            ("purchaseAmount", json!("3545")),
        ] {
            assert_eq!(asked[name], value, "{name}");
        }
        // The merchant's server has not asked yet.
        assert_eq!(steps.result().await, "PENDING");
        let validated = steps.validated(&page).await;
        assert_eq!(
            said(&validated),
            format!("THREEDS_VALIDATED {told} {PROOF}")
        );
        assert_eq!(validated["threeDSAuthResult"]["xid"], DS_ID);
        assert_eq!(
            validated["threeDSAuthResult"]["merchantAcquirerBin"],
            "400000"
        );
        assert_eq!(validated["threeDSAuthResult"]["version"], "2.3.1");
        let answer = steps.pay(&validated).await.ok();
        assert_eq!(paid(&answer), format!("EXECUTED {secure}"));
        assert_eq!(bench.charges(), [format!("{} {PROOF}", &told[10..])]);
        assert_eq!(steps.pay(&validated).await.ok(), answer);
        assert_eq!(bench.charges().len(), 1);
        assert_eq!(bench.app.count("SELECT count(*) FROM sealed_card").await, 0);
    }
}

#[tokio::test]
async fn the_device_check_runs_the_issuers_method_in_the_merchants_page() {
    let bench = Bench::start().await;
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    let page = steps.come().await;
    let shown = bench.get(&page).await;
    let policy = shown.header("content-security-policy").unwrap();
    assert!(
        policy.contains("frame-src 'self';")
            && policy.contains("frame-ancestors 'self' https://shop.example;"),
        "{policy}"
    );
    let check = page.replace("/step/", "/device/");
    let shown = bench.get(&check).await.text();
    assert!(
        shown.contains(&format!("action=\"{METHOD_URL}\"")),
        "{shown}"
    );
    let data = decoded(field(&shown, "threeDSMethodData"));
    let back = data["threeDSMethodNotificationURL"].as_str().unwrap();
    let told = bench.post(back, FORM, "threeDSMethodData=e30").await;
    assert!(told.text().contains("data-leads=\"check\""));
    let described = browser(true, true).to_string();
    bench.post(&check, "application/json", &described).await;
    bench.post(&page, FORM, "").await;
    let asked = bench.directory.heard("AReq").pop().unwrap();
    assert_eq!(asked["threeDSServerTransID"], data["threeDSServerTransID"]);
    // No page of this payment asks the buyer's device.
    assert!(asked.get("threeDSRequestorSpcSupport").is_none());
    let over = bench.get(&check).await.text();
    assert!(over.contains("data-check=\"done\""), "{over}");
}

#[tokio::test]
async fn a_browser_without_scripts_is_known_by_its_headers() {
    let bench = Bench::start().await;
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    let page = steps.come().await;
    let shown = bench.get(&page).await.text();
    assert!(shown.contains("<noscript><button"), "{shown}");
    bench.post(&page, FORM, "").await;
    let asked = bench.directory.heard("AReq").pop().unwrap();
    assert_eq!(asked["browserJavascriptEnabled"], false);
    assert_eq!(asked["browserUserAgent"], "Mozilla/5.0");
    let validated = steps.validated(&page).await;
    assert_eq!(
        paid(&steps.pay(&validated).await.ok()),
        "EXECUTED FULL_SECURE"
    );
}

#[tokio::test]
async fn a_double_press_is_one_question() {
    let bench = Bench::start().await;
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    let page = steps.described().await;
    let (one, other) = tokio::join!(bench.post(&page, FORM, ""), bench.post(&page, FORM, ""));
    assert_eq!((one.status, other.status), (303, 303));
    // Another answer would count for nothing.
    bench.directory.behave(Conduct::Status("N"));
    assert_eq!(bench.post(&page, FORM, "").await.status, 303);
    assert_eq!(bench.directory.heard("AReq").len(), 1);
    let validated = steps.validated(&page).await;
    assert_eq!(
        said(&validated),
        format!("THREEDS_VALIDATED VALIDATED 05 {PROOF}")
    );
}

#[tokio::test]
async fn a_question_without_an_answer_is_asked_again() {
    let mut bench = Bench::start().await;
    bench.directory.behave(Conduct::Broken);
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    let page = steps.described().await;
    assert_eq!(bench.post(&page, FORM, "").await.status, 503);
    assert_eq!(steps.result().await, "PENDING");
    let Steps { request, begun, .. } = steps;
    bench.app = bench.app.restarted().await;
    let steps = Steps {
        bench: &bench,
        request,
        begun,
    };
    bench.directory.behave(Conduct::Status("Y"));
    assert_eq!(bench.post(&page, FORM, "").await.status, 303);
    let asked = bench.directory.heard("AReq");
    assert_eq!(asked.last().unwrap()["browserLanguage"], "it-IT");
    let validated = steps.validated(&page).await;
    assert_eq!(
        paid(&steps.pay(&validated).await.ok()),
        "EXECUTED FULL_SECURE"
    );
}

#[tokio::test]
async fn the_issuers_result_decides_a_challenge_and_not_the_browser() {
    for (status, told, secure) in [
        (
            "Y",
            format!("THREEDS_VALIDATED VALIDATED 05 {LATER_PROOF}"),
            "FULL_SECURE",
        ),
        (
            "A",
            format!("THREEDS_VALIDATED ATTEMPTED 06 {LATER_PROOF}"),
            "ATTEMPTED",
        ),
        ("N", String::from("THREEDS_FAILED FAILED 07 -"), ""),
    ] {
        let bench = Bench::start().await;
        bench.directory.behave(Conduct::Status("C"));
        let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
        let page = steps.asked().await;
        let challenge = bench.get(&page).await;
        let challenge = challenge.header("location").unwrap().to_owned();
        assert_eq!(challenge, page.replace("/step/", "/challenge/"));
        // The merchant's page may hold it in a frame, and has led the browser here.
        let framed = [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-dest", "iframe"),
        ];
        let shown = bench.app.page(&challenge, &framed).await.text();
        assert!(shown.contains(&format!("action=\"{ACS_URL}\"")), "{shown}");
        let creq = decoded(field(&shown, "creq"));
        let asked = bench.directory.heard("AReq").pop().unwrap();
        let notify = asked["notificationURL"].as_str().unwrap().to_owned();
        let cres = format!("cres={}", completed(&creq, "Y"));
        let back = bench.post(&notify, FORM, &cres).await;
        let back = back.header("location").unwrap().to_owned();
        assert_eq!(token_of(&back), token_of(&page));
        // The browser is back before the result: both pages wait.
        let ways_back = [back.clone(), page.replace("/step/", "/return/")];
        for path in &ways_back {
            let text = bench.get(path).await.text();
            assert!(text.contains("http-equiv=\"refresh\""), "{text}");
            assert!(!text.contains("PaRes"), "{text}");
        }
        let received = bench.result(&bench.directory.results(status)).await.ok();
        assert_eq!(received["resultsStatus"], "01");
        let leads = bench.get(&back).await.text();
        assert!(leads.contains("data-leads=\"/threeds/return/"), "{leads}");
        // A later contradiction changes nothing.
        let other = if status == "N" { "Y" } else { "N" };
        let received = bench.result(&bench.directory.results(other)).await.ok();
        assert_eq!(received["resultsStatus"], "03");
        let validated = steps.validated(&ways_back[1]).await;
        assert_eq!(said(&validated), told);
        let answer = steps.pay(&validated).await;
        if status == "N" {
            assert_eq!(answer.refusal(), "400 GW9003");
            assert!(bench.charges().is_empty());
        } else {
            assert_eq!(paid(&answer.ok()), format!("EXECUTED {secure}"));
            assert_eq!(bench.charges(), [told[28..].trim().to_owned()]);
        }
        assert_eq!(bench.app.count("SELECT count(*) FROM sealed_card").await, 0);
    }
}

#[tokio::test]
async fn a_challenge_that_nobody_ends_fails_in_time() {
    let bench = Bench::start().await;
    bench.directory.behave(Conduct::Status("C"));
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    let page = steps.asked().await;
    bench.app.pass(120).await;
    assert_eq!(steps.result().await, "THREEDS_FAILED");
    bench.result(&bench.directory.results("Y")).await.ok();
    let validated = steps.validated(&page).await;
    assert_eq!(said(&validated), "THREEDS_FAILED FAILED 07 -");
    assert_eq!(steps.pay(&validated).await.refusal(), "400 GW9003");
    assert!(bench.charges().is_empty());
}

#[tokio::test]
async fn a_browser_that_never_comes_ends_the_payment_after_thirty_minutes() {
    let bench = Bench::start().await;
    let steps = Steps::begin(&bench, init("A1", NUMBER)).await;
    let page = steps.come().await;
    bench.app.pass(1799).await;
    assert_eq!(steps.result().await, "PENDING");
    bench.app.pass(1).await;
    assert_eq!(steps.result().await, "THREEDS_FAILED");
    // Nobody is asked any more.
    assert_eq!(bench.post(&page, FORM, "").await.status, 303);
    assert!(bench.directory.heard("AReq").is_empty());
    let validated = steps.validated(&page).await;
    assert_eq!(said(&validated), "THREEDS_FAILED FAILED 07 -");
}

/// This terminal pays nothing without authentication. An exemption that the issuer grants is no such payment.
#[tokio::test]
async fn an_exemption_is_claimed_unless_the_issuer_demands_a_challenge() {
    const CLAIMED: &str = "TRANSACTION_RISK_ANALYSIS";
    let bench = Bench::start().await;
    let allow = format!("exemptions={CLAIMED}");
    let allow = ["terminal", "set", "55000001", allow.as_str()];
    command(&bench.app, &allow).await.unwrap();
    for (status, told) in [
        ("I", String::from(CLAIMED)),
        ("C", format!("05 {LATER_PROOF}")),
    ] {
        bench.directory.behave(Conduct::Status(status));
        let mut request = init(status, NUMBER);
        request["exemptions"] = json!(CLAIMED);
        let steps = Steps::begin(&bench, request).await;
        let page = steps.asked().await;
        let asked = bench.directory.heard("AReq").pop().unwrap();
        assert_eq!(preference(&asked), "05");
        if status == "C" {
            bench.result(&bench.directory.results("Y")).await.ok();
            bench.get(&page.replace("/step/", "/back/")).await;
        }
        let validated = steps.validated(&page).await;
        steps.pay(&validated).await.ok();
        assert_eq!(bench.charges().pop(), Some(told), "{status}");
    }
}
