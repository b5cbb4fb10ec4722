//! The form for browsers that run no script in the frame: plain pages, with the checks of the calls that scripts make.

mod billing_address;
mod operator;
mod under_attack;

use crate::harness::{
    APPROVED, Answer, CHALLENGED, DECLINED, TestApp, build_form, short, token_of,
};
use crate::soft_declines::DEMANDING;
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

/// A session of a form, and its plain page.
struct Plain<'a> {
    app: &'a TestApp,
    session: String,
}

impl<'a> Plain<'a> {
    async fn open(app: &'a TestApp, change: impl FnOnce(&mut Value)) -> Plain<'a> {
        let mut request = build_form("A1", 3);
        change(&mut request);
        let session = app.open(&request).await;
        Plain { app, session }
    }

    fn address(&self) -> String {
        format!("/form/plain?sessionid={}&lang=en", self.session)
    }

    async fn page(&self) -> String {
        let page = self.app.page(&self.address(), &[]).await;
        assert_eq!(page.status, 200);
        page.text()
    }

    /// The values of the form on a page, as a browser sends them with the press of a button.
    fn form(page: &str, act: &str, typed: &[(&str, &str)]) -> String {
        let value = |name: &str| {
            let (_, rest) = page
                .split_once(&format!("name=\"{name}\" value=\""))
                .unwrap();
            rest.split_once('"').unwrap().0.to_owned()
        };
        let mut body = url::form_urlencoded::Serializer::new(String::new());
        for name in ["token", "shown"] {
            body.append_pair(name, &value(name));
        }
        for (name, value) in typed {
            body.append_pair(name, value);
        }
        body.append_pair("act", act).finish()
    }

    async fn send(&self, body: &str) -> Answer {
        self.send_with(body, &[("sec-fetch-site", "same-origin")])
            .await
    }

    async fn send_with(&self, body: &str, headers: &[(&str, &str)]) -> Answer {
        self.app.send(self.request(body, headers)).await
    }

    fn request(&self, body: &str, headers: &[(&str, &str)]) -> Request<Body> {
        let mut request = Request::post(self.address())
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept-language", "it-IT")
            .header("user-agent", "Lynx");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::from(body.to_owned())).unwrap()
    }

    /// Types a card into the present page, and presses Pay.
    async fn pay(&self, number: &str) -> Answer {
        self.send(&Plain::form(&self.page().await, "card", &card(number)))
            .await
    }

    async fn operations(&self) -> Vec<String> {
        let operations = self.app.operations("A1").await;
        let text = |operation: &Value, name: &str| operation[name].as_str().unwrap().to_owned();
        operations
            .as_array()
            .unwrap()
            .iter()
            .map(|operation| {
                let (kind, result) = ("operationType", "operationResult");
                format!("{} {}", text(operation, kind), text(operation, result))
            })
            .collect()
    }
}

fn card(number: &str) -> [(&str, &str); 4] {
    [
        ("cardnumber", number),
        ("cc-exp", "12 / 30"),
        ("cvc", "123"),
        ("ccname", "Anna Rossi"),
    ]
}

fn leads_back(answer: &Answer, plain: &Plain<'_>) {
    assert_eq!(answer.status, 303);
    assert_eq!(answer.header("location").unwrap(), plain.address());
}

#[tokio::test]
async fn the_forms_page_leads_a_browser_without_scripts_to_the_plain_form() {
    let app = TestApp::with_dist().await;
    let plain = Plain::open(&app, |_| {}).await;
    let session = &plain.session;
    let page = app
        .page(&format!("/form/?lang=en&sessionid={session}"), &[])
        .await;
    let address = plain.address().replace('&', "&#38;");
    assert!(page.text().contains(&format!("href=\"{address}\"")));
}

/// M17: plain pages take the card and charge it once.
#[tokio::test]
async fn a_card_is_charged_by_a_plain_form() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let page = plain.page().await;
    assert!(page.contains("You pay €35.45 to"), "{page}");
    assert!(!page.contains("<script"));
    leads_back(&plain.pay(APPROVED).await, &plain);
    assert_eq!(plain.operations().await, ["AUTHORIZATION EXECUTED"]);
    let operation = &app.operations("A1").await[0];
    assert_eq!(operation["operationAmount"], "3545");
    let end = plain.page().await;
    assert!(end.contains("Payment complete"), "{end}");
    assert!(
        end.contains("href=\"https://shop.example/ok\" target=\"_top\""),
        "{end}"
    );
    assert!(!end.contains("name=\"token\""), "nothing is left to send");
    assert!(!app.keeps(APPROVED).await);
}

#[tokio::test]
async fn nobody_but_the_shop_frames_the_page_and_it_sends_only_to_us() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let page = app.page(&plain.address(), &[]).await;
    assert_eq!(
        page.header("content-security-policy").unwrap(),
        "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors https://shop.example; require-trusted-types-for 'script'; \
         trusted-types 'none'; report-uri /reports; report-to reports"
    );
    assert_eq!(page.header("cache-control").unwrap(), "no-store");
    assert_eq!(page.header("referrer-policy").unwrap(), "no-referrer");
}

#[tokio::test]
async fn mistakes_are_shown_beside_their_fields_and_nothing_is_sent() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let typed = [
        ("cardnumber", "4761730000000004"),
        ("cc-exp", "13 / 30"),
        ("cvc", "99"),
        ("ccname", "Anna \"Rossi\" <b>"),
    ];
    let body = Plain::form(&plain.page().await, "card", &typed);
    // A reload sends the same again.
    for _ in 0..2 {
        let answer = plain.send(&body).await;
        assert_eq!(answer.status, 422);
        let page = answer.text();
        for text in [
            "id=\"CARD_NUMBER-note\">Check the card number: there is a typing mistake in it.",
            "id=\"EXPIRATION_DATE-note\">The month must be from 01 to 12.",
            "id=\"SECURITY_CODE-note\">The security code has 3–4 digits.",
            "id=\"CARDHOLDER_NAME-note\">Use letters;",
            "value=\"13 / 30\"",
            "value=\"Anna &#34;Rossi&#34; &#60;b&#62;\"",
        ] {
            assert!(page.contains(text), "{text}: {page}");
        }
        assert!(!page.contains("4761730000000004") && !page.contains("value=\"99\""));
    }
    assert_eq!(
        short(&app.state(&plain.session).await),
        "CARD_DATA_COLLECTION"
    );
    leads_back(&plain.pay(APPROVED).await, &plain);
    assert_eq!(plain.operations().await, ["AUTHORIZATION EXECUTED"]);
}

#[tokio::test]
async fn two_presses_at_once_and_a_reload_charge_once() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let body = Plain::form(&plain.page().await, "card", &card(APPROVED));
    let headers = [("sec-fetch-site", "same-origin")];
    let first = app.send_apart(plain.request(&body, &headers));
    let second = app.send_apart(plain.request(&body, &headers));
    leads_back(&first.await.unwrap(), &plain);
    leads_back(&second.await.unwrap(), &plain);
    leads_back(&plain.send(&body).await, &plain);
    assert_eq!(plain.operations().await, ["AUTHORIZATION EXECUTED"]);
}

#[tokio::test]
async fn a_form_that_is_sent_again_with_another_card_does_nothing() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let page = plain.page().await;
    leads_back(
        &plain
            .send(&Plain::form(&page, "card", &card(DECLINED)))
            .await,
        &plain,
    );
    leads_back(
        &plain
            .send(&Plain::form(&page, "card", &card(APPROVED)))
            .await,
        &plain,
    );
    assert_eq!(plain.operations().await, ["AUTHORIZATION DECLINED"]);
}

#[tokio::test]
async fn forms_that_are_not_of_this_page_do_nothing() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let body = Plain::form(&plain.page().await, "card", &card(APPROVED));
    for headers in [
        [("sec-fetch-site", "cross-site")],
        [("sec-fetch-site", "same-site")],
        [("origin", "https://shop.example")],
    ] {
        assert_eq!(plain.send_with(&body, &headers).await.status, 403);
    }
    for wrong in [
        body.replace("token=", "token=0"),
        body.replace("3545", "1"),
        body.replace("token=", "other="),
        body.replace("act=card", "act=refund"),
        String::new(),
    ] {
        leads_back(&plain.send(&wrong).await, &plain);
    }
    // The token of another session.
    let other = app.open(&build_form("A2", 3)).await;
    let other = Plain {
        app: &app,
        session: other,
    };
    leads_back(&other.send(&body).await, &other);
    assert_eq!(
        short(&app.state(&plain.session).await),
        "CARD_DATA_COLLECTION"
    );
    assert_eq!(
        short(&app.state(&other.session).await),
        "CARD_DATA_COLLECTION"
    );
    // The permitted twin.
    leads_back(&plain.send(&body).await, &plain);
    assert_eq!(plain.operations().await, ["AUTHORIZATION EXECUTED"]);
}

#[tokio::test]
async fn a_payment_that_is_over_takes_no_form() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let body = Plain::form(&plain.page().await, "card", &card(APPROVED));
    let cancel = json!({ "sessionId": plain.session });
    app.merchant().post("/build/cancel", &cancel).await.ok();
    leads_back(&plain.send(&body).await, &plain);
    assert_eq!(plain.operations().await, ["CANCEL CANCELED"]);
    assert!(plain.page().await.contains("Payment cancelled"));
    let unknown = Plain {
        app: &app,
        session: String::from("none"),
    };
    assert_eq!(unknown.send(&body).await.status, 404);
}

#[tokio::test]
async fn nobody_pays_a_sum_that_the_page_did_not_show() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let body = Plain::form(&plain.page().await, "card", &card(APPROVED));
    change_sum(&app, &plain.session).await;
    let answer = plain.send(&body).await;
    assert!(
        answer
            .text()
            .contains("The amount is now €40.00. Check it and pay again.")
    );
    assert_eq!(
        short(&app.state(&plain.session).await),
        "CARD_DATA_COLLECTION"
    );
    leads_back(&plain.pay(APPROVED).await, &plain);
    let operation = &app.operations("A1").await[0];
    assert_eq!(operation["operationAmount"], "4000");
}

async fn change_sum(app: &TestApp, session: &str) {
    let body = json!({ "sessionId": session, "amount": "4000" }).to_string();
    let headers = [("content-type", "application/json")];
    let merchant = app.merchant();
    let request = merchant.request(
        axum::http::Method::PATCH,
        "/build/session",
        &headers,
        Body::from(body),
    );
    app.send(request).await.ok();
}

#[tokio::test]
async fn a_card_that_was_sent_waits_for_a_press_for_the_new_sum() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let mut items = crate::harness::card(APPROVED);
    let shown = json!({ "id": "SHOWN_SUM", "value": "3545 EUR" });
    items.as_array_mut().unwrap().push(shown);
    let answer = app
        .frame(&plain.session)
        .post("/fe/build/text", &items)
        .await;
    let url = answer.ok()["gdiStatus"]["gdiUrl"].clone();
    let token = token_of(url.as_str().unwrap()).to_owned();
    let done = app.app.buyer_pages().device_check_done(&token).await;
    done.unwrap();
    let old = Plain::form(&plain.page().await, "pay", &[]);
    change_sum(&app, &plain.session).await;
    leads_back(&plain.send(&old).await, &plain);
    assert_eq!(short(&app.state(&plain.session).await), "READY_FOR_PAYMENT");
    let page = plain.page().await;
    assert!(
        page.contains("now asks for €40.00. Pay only if you agree."),
        "{page}"
    );
    leads_back(&plain.send(&Plain::form(&page, "pay", &[])).await, &plain);
    let operation = &app.operations("A1").await[0];
    assert_eq!(operation["operationAmount"], "4000");
}

#[tokio::test]
async fn a_challenge_is_a_page_inside_the_page() {
    let [declined, paid] = ["AUTHORIZATION DECLINED", "AUTHORIZATION EXECUTED"];
    for (number, operations) in [(CHALLENGED, vec![paid]), (DEMANDING, vec![declined, paid])] {
        let app = TestApp::new().await;
        let plain = Plain::open(&app, |_| {}).await;
        leads_back(&plain.pay(number).await, &plain);
        let page = plain.page().await;
        let (_, rest) = page.split_once("<iframe class=\"issuer\" src=\"").unwrap();
        let url = rest.split_once('"').unwrap().0;
        assert!(page.contains(">Continue</a>"), "{page}");
        let issuer = app.page(url, &[]).await;
        assert!(issuer.text().contains("<form method=\"post\""));
        let answer = Request::post(format!("/threeds/result/{}", token_of(url)))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from("code=123456&answer=code"))
            .unwrap();
        assert_eq!(app.send(answer).await.status, 303);
        assert!(plain.page().await.contains("Payment complete"));
        assert_eq!(plain.operations().await, operations);
    }
}

#[tokio::test]
async fn a_challenge_can_be_left_for_another_card() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    plain.pay(CHALLENGED).await;
    let page = plain.page().await;
    leads_back(&plain.send(&Plain::form(&page, "leave", &[])).await, &plain);
    assert!(plain.page().await.contains("name=\"cardnumber\""));
    leads_back(&plain.pay(APPROVED).await, &plain);
    assert_eq!(
        plain.operations().await,
        ["AUTHORIZATION THREEDS_FAILED", "AUTHORIZATION EXECUTED"]
    );
}

#[tokio::test]
async fn a_refused_card_leaves_another_try() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    leads_back(&plain.pay(DECLINED).await, &plain);
    let page = plain.page().await;
    assert!(page.contains("for lack of funds"), "{page}");
    leads_back(&plain.pay(APPROVED).await, &plain);
    assert_eq!(
        plain.operations().await,
        ["AUTHORIZATION DECLINED", "AUTHORIZATION EXECUTED"]
    );
}

#[tokio::test]
async fn a_payment_that_the_shop_closes_waits_for_it() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |request| request["form"]["closing"] = json!("SERVER")).await;
    leads_back(&plain.pay(APPROVED).await, &plain);
    let page = plain.page().await;
    assert!(page.contains("Waiting for the shop…"), "{page}");
    assert!(page.contains("http-equiv=\"refresh\""), "{page}");
    app.finalize(&plain.session).await;
    assert!(plain.page().await.contains("Payment complete"));
}

#[tokio::test]
async fn a_buyer_cancels_after_a_question() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |_| {}).await;
    let question = app
        .page(&format!("{}&cancel=1", plain.address()), &[])
        .await;
    let question = question.text();
    assert!(question.contains("Do you want to cancel the payment?"));
    assert_eq!(
        short(&app.state(&plain.session).await),
        "CARD_DATA_COLLECTION"
    );
    leads_back(
        &plain.send(&Plain::form(&question, "cancel", &[])).await,
        &plain,
    );
    let end = plain.page().await;
    assert!(end.contains("href=\"https://shop.example/ko\""), "{end}");
    assert_eq!(plain.operations().await, ["CANCEL CANCELED"]);
}

#[tokio::test]
async fn another_method_is_paid_on_its_own_page() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |request| {
        request["paymentSession"]
            .as_object_mut()
            .unwrap()
            .remove("paymentService");
    })
    .await;
    let page = plain.page().await;
    let (_, rest) = page.split_once("value=\"method ").unwrap();
    let act = format!("method {}", rest.split_once('"').unwrap().0);
    leads_back(&plain.send(&Plain::form(&page, &act, &[])).await, &plain);
    let page = plain.page().await;
    assert!(
        page.contains("https://gateway.example/methods/pay/"),
        "{page}"
    );
    assert!(page.contains("target=\"_top\""), "{page}");
}
