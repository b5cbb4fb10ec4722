//! `/fields/` and the form without own fields: which page is served, who may frame it, what it contains.

use crate::dist::HASH;
use crate::harness::{APPROVED, Answer, TestApp, build, build_form, build_two};
use serde_json::{Value, json};
use std::time::Duration;

const SHOP: &str = "https://shop.example";

/// Who may frame a page, as its policy says.
fn ancestors(page: &Answer) -> &str {
    let policy = page.header("content-security-policy").unwrap();
    let (_, after) = policy.split_once("frame-ancestors ").unwrap();
    after.split_once(';').unwrap().0
}

async fn open(app: &TestApp, request: &Value) -> Value {
    app.merchant().post("/orders/build", request).await.ok()
}

fn address(session: &str, id: &str, more: &str) -> String {
    format!("/fields/?id={id}&sessionid={session}{more}")
}

#[tokio::test]
async fn every_field_of_a_build_answer_has_its_page() {
    let app = TestApp::with_dist().await;
    let answer = open(&app, &build("A1")).await;
    for field in answer["fields"].as_array().unwrap() {
        let page = app
            .page(
                field["src"].as_str().unwrap(),
                &[("referer", "https://shop.example/")],
            )
            .await;
        assert_eq!(page.status, 200);
        assert_eq!(ancestors(&page), SHOP);
        let boot = page.boot();
        assert_eq!(boot["session"], answer["sessionId"]);
        assert_eq!(boot["merchantOrigin"], SHOP);
        assert_eq!(boot["state"]["state"], "CARD_DATA_COLLECTION");
        assert_eq!(boot["field"]["id"], field["id"]);
        let shown = format!(
            r#"<html lang="it" data-page="{}" data-theme="light">"#,
            field["id"].as_str().unwrap()
        );
        assert!(page.text().starts_with(&shown), "{}", page.text());
    }
}

#[tokio::test]
async fn a_page_may_take_the_merchants_filtered_sheet_and_nothing_else_from_outside() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let page = app.page(&address(&session, "CARD_NUMBER", ""), &[]).await;
    assert_eq!(
        page.header("content-security-policy").unwrap(),
        format!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' '{HASH}'; style-src 'self' '{HASH}'; \
             img-src 'self' data:; font-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors https://shop.example; require-trusted-types-for 'script'; trusted-types payframe-page; report-uri /reports; report-to reports"
        )
    );
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let page = app
        .page(
            &address(&session, "CARD_NUMBER", ""),
            &[("accept-encoding", "gzip, br")],
        )
        .await;
    assert_eq!(page.header("content-encoding"), Some("br"));
}

#[tokio::test]
async fn the_address_says_how_the_field_is_wanted() {
    let app = TestApp::with_dist().await;
    let request = build("A1");
    let mut with_holder = build("A2");
    with_holder["order"]["customerInfo"] =
        json!({ "cardHolderName": "Anna Rossi", "cardHolderEmail": "anna@shop.example" });
    let correlation_id = "0d5ae5fb-8ad2-4f83-97f0-3cf2aa6fd4dc";
    let mut sessions = Vec::new();
    for request in [&request, &with_holder] {
        let headers = [
            ("correlation-id", correlation_id),
            (
                "idempotency-key",
                request["order"]["orderId"].as_str().unwrap(),
            ),
        ];
        let answer = app
            .key("sandbox-six-fields")
            .post_with("/orders/build", request, &headers)
            .await
            .ok();
        let ids: Vec<&str> = answer["fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| field["id"].as_str().unwrap())
            .collect();
        assert_eq!(
            ids,
            [
                "CARD_NUMBER",
                "EXPIRATION_DATE",
                "SECURITY_CODE",
                "CARDHOLDER_NAME",
                "CARDHOLDER_SURNAME",
                "CARDHOLDER_EMAIL"
            ]
        );
        sessions.push(answer["sessionId"].as_str().unwrap().to_owned());
    }
    let field = |id: &str,
                 placeholder: bool,
                 driver: &str,
                 errors: &str,
                 label: Value,
                 default: Value| {
        json!({ "id": id, "driver": driver, "placeholder": placeholder, "errors": errors, "label": label,
                "defaultValue": default, "correlationId": correlation_id })
    };
    for (session, id, more, expected) in [
        (
            0,
            "CARDHOLDER_NAME",
            "",
            field(
                "CARDHOLDER_NAME",
                true,
                "self",
                "outside",
                Value::Null,
                Value::Null,
            ),
        ),
        (
            1,
            "CARDHOLDER_NAME",
            "&placeholder=Y&driver=self&errors=outside&label=",
            field(
                "CARDHOLDER_NAME",
                true,
                "self",
                "outside",
                Value::Null,
                json!("Anna Rossi"),
            ),
        ),
        (
            1,
            "CARDHOLDER_EMAIL",
            "&placeholder=N&driver=form&errors=inside&label=Your%20%3Ce-mail%3E",
            field(
                "CARDHOLDER_EMAIL",
                false,
                "form",
                "inside",
                json!("Your <e-mail>"),
                json!("anna@shop.example"),
            ),
        ),
        (
            1,
            "CARDHOLDER_SURNAME",
            "&placeholder=x&driver=x&errors=x&other=1",
            field(
                "CARDHOLDER_SURNAME",
                true,
                "self",
                "outside",
                Value::Null,
                Value::Null,
            ),
        ),
    ] {
        let page = app.page(&address(&sessions[session], id, more), &[]).await;
        assert_eq!(page.boot()["field"], expected, "{id} {more}");
        assert!(!page.text().contains("<e-mail>"));
    }
    for (more, shown) in [
        (
            "&lang=ENG&theme=dark",
            r#"lang="en" data-page="CARD_NUMBER" data-theme="dark""#,
        ),
        (
            "&lang=ITA&theme=auto",
            r#"lang="it" data-page="CARD_NUMBER" data-theme="auto""#,
        ),
        (
            "&lang=eng",
            r#"lang="en" data-page="CARD_NUMBER" data-theme="light""#,
        ),
    ] {
        let page = app
            .page(&address(&sessions[0], "CARD_NUMBER", more), &[])
            .await;
        assert!(page.text().contains(shown), "{more}: {}", page.text());
    }
}

#[tokio::test]
async fn buttons_and_device_checks_have_pages_of_their_own() {
    let app = TestApp::with_dist().await;
    let mut request = build("A1");
    request["paymentSession"]["paymentService"] = Value::Null;
    let answer = open(&app, &request).await;
    let src = answer["fields"][0]["src"].as_str().unwrap();
    let session = answer["sessionId"].as_str().unwrap();
    let page = app.page(src, &[]).await;
    assert!(page.text().contains(r#"data-page="button""#));
    let boot = page.boot();
    assert_eq!(
        (&boot["field"]["id"], &boot["state"]["state"]),
        (&json!("PAY_WITH_CARD"), &json!("PAYMENT_METHOD_SELECTION"))
    );
    // A page that opens later, or again, still finds the button.
    app.frame(session)
        .post("/fe/build/action/PAY_WITH_CARD", &json!({}))
        .await
        .ok();
    let page = app.page(src, &[]).await;
    assert_eq!(
        (page.status, &page.boot()["state"]["state"]),
        (200, &json!("CARD_DATA_COLLECTION"))
    );
    assert_eq!(
        app.page(&address(session, "GDI", ""), &[]).await.status,
        404
    );

    let session = app.open(&build_two("A2")).await;
    app.enter(&session, APPROVED).await;
    let confirmed = app
        .merchant()
        .post(
            "/build/confirm_payment",
            &json!({ "sessionId": session, "amount": "3545" }),
        )
        .await
        .ok();
    let page = app
        .page(
            confirmed["fieldSet"]["fields"][0]["src"].as_str().unwrap(),
            &[],
        )
        .await;
    assert!(page.text().contains(r#"data-page="gdi""#));
    let boot = page.boot();
    assert_eq!(
        (&boot["field"]["id"], &boot["version"]),
        (&json!("GDI"), &json!(2))
    );
    assert_eq!(boot["state"]["state"], "GDI_VERIFICATION");
}

#[tokio::test]
async fn what_cannot_be_shown_says_so_to_the_page_that_may_hear_it() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let unavailable = |id: &str, origin: Value, code: &str, message: &str| json!({ "id": id, "origin": origin, "code": code, "message": message });
    let expired = "the session has expired: start again from POST /orders/build";
    let anybody = "'self' http: https:";
    let from = |referer: &'static str| [("referer", referer)];
    for (address, headers, status, boot, may_frame) in [
        (
            address(&session, "CARDHOLDER_EMAIL", ""),
            &[][..],
            404,
            unavailable(
                "CARDHOLDER_EMAIL",
                json!(SHOP),
                "HF9002",
                "the session has no such field",
            ),
            SHOP,
        ),
        (
            address(&session, "%3Cb%3E", ""),
            &[],
            404,
            unavailable("", json!(SHOP), "HF9002", "the session has no such field"),
            SHOP,
        ),
        (
            address("none", "CARD_NUMBER", ""),
            &from("https://any.example/pay"),
            404,
            unavailable(
                "CARD_NUMBER",
                json!("https://any.example"),
                "HF0003",
                expired,
            ),
            anybody,
        ),
        (
            address("none", "CARD_NUMBER", ""),
            &[],
            404,
            unavailable("CARD_NUMBER", Value::Null, "HF0003", expired),
            anybody,
        ),
        (
            String::from("/fields"),
            &[],
            404,
            unavailable("", Value::Null, "HF0003", expired),
            anybody,
        ),
        (
            address(&session, "CARD_NUMBER", "&sessionid=a"),
            &[],
            404,
            unavailable("", Value::Null, "HF0003", expired),
            anybody,
        ),
    ] {
        let page = app.page(&address, headers).await;
        assert_eq!(
            (page.status, page.boot(), ancestors(&page)),
            (status, boot, may_frame),
            "{address}"
        );
        assert_eq!(page.header("cache-control"), Some("no-store"));
        assert!(page.text().contains(r#"data-page="unavailable-field""#));
    }
    app.pass(301).await;
    let page = app
        .page(
            &address(&session, "CARD_NUMBER", "&lang=eng"),
            &from("https://shop.example/"),
        )
        .await;
    assert_eq!(
        (page.status, page.boot(), ancestors(&page)),
        (
            410,
            unavailable("CARD_NUMBER", json!(SHOP), "HF0003", expired),
            SHOP
        )
    );
    assert!(page.text().contains(r#"lang="en""#));
}

#[tokio::test]
async fn a_page_of_another_origin_hears_that_it_is_not_the_merchants_and_nothing_more() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let field = address(&session, "CARD_NUMBER", "");
    for referer in [
        "https://evil.example/",
        "http://shop.example/",
        "https://shop.example:8443/",
    ] {
        let page = app.page(&field, &[("referer", referer)]).await;
        let origin = referer.strip_suffix('/').unwrap();
        assert_eq!(
            page.boot(),
            json!({ "id": "CARD_NUMBER", "origin": origin, "code": "HF9003",
                    "message": "the page's origin is not that of merchantUrl" })
        );
        assert_eq!(
            (page.status, ancestors(&page)),
            (200, "'self' http: https:")
        );
        assert!(
            !page.text().contains(&session) && !page.text().contains("https://shop.example\""),
            "{}",
            page.text()
        );
    }
    // The permitted twins: the merchant's page, our own, and a browser that sends no such header.
    for headers in [
        &[("referer", "https://shop.example/pay")][..],
        &[("referer", "https://gateway.example/fields/")],
        &[("referer", "about:blank")],
        &[],
    ] {
        assert_eq!(
            app.page(&field, headers).await.boot()["session"],
            session.as_str(),
            "{headers:?}"
        );
    }
    // Reading the state from outside does not keep the session alive.
    app.clock.advance(Duration::from_secs(200));
    app.page(&field, &[("referer", "https://evil.example/")])
        .await;
    app.pass(200).await;
    assert_eq!(app.page(&field, &[]).await.status, 410);
}

#[tokio::test]
async fn a_field_that_is_loaded_is_a_sign_of_the_buyer() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    for _ in 0..3 {
        app.pass(200).await;
        assert_eq!(
            app.page(&address(&session, "CARD_NUMBER", ""), &[])
                .await
                .status,
            200
        );
    }
}

#[tokio::test]
async fn the_form_with_fields_outside_is_a_page_of_its_own() {
    let app = TestApp::with_dist().await;
    let answer = open(&app, &build_form("A1", 3)).await;
    let src = answer["form"]["src"].as_str().unwrap();
    for (more, name) in [
        ("", "form"),
        ("&layout=fields", "fields-host"),
        ("&layout=other", "form"),
    ] {
        let page = app
            .page(
                &format!("{src}{more}&button=hidden&cancellation=hidden&theme=dark"),
                &[],
            )
            .await;
        let shown = format!(
            r#"data-page="{name}" data-theme="dark" data-button="hidden" data-cancellation="hidden""#
        );
        assert!(page.text().contains(&shown), "{more}: {}", page.text());
        assert_eq!(page.boot()["session"], answer["sessionId"]);
        assert_eq!(
            page.header("content-security-policy").unwrap(),
            format!(
                "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' '{HASH}'; style-src '{HASH}'; \
                 img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; \
                 form-action 'none'; frame-ancestors https://shop.example; require-trusted-types-for 'script'; trusted-types payframe-page; report-uri /reports; report-to reports"
            )
        );
    }
}

/// A session takes over a form with its typed data only for the same order of the same terminal.
#[tokio::test]
async fn a_session_follows_another_of_its_own_order_only() {
    let app = TestApp::with_dist().await;
    let former = app.open(&build_form("A1", 1)).await;
    let status = async |session: &str, former: &str| {
        let address = format!("/form/?sessionid={session}&follows={former}");
        app.page(&address, &[]).await.status
    };
    let again = app.open(&build_form("A1", 1)).await;
    assert_eq!(status(&again, &former).await, 200);
    assert_eq!(status(&again, "unknown").await, 404);
    let other_order = app.open(&build_form("A2", 1)).await;
    assert_eq!(status(&other_order, &former).await, 404);
    let open_with = async |key: &str| {
        let answer = app
            .key(key)
            .post("/orders/build", &build_form("A1", 1))
            .await;
        answer.ok()["sessionId"].as_str().unwrap().to_owned()
    };
    let other_merchant = open_with("sandbox-other-merchant").await;
    assert_eq!(status(&other_merchant, &former).await, 404);
    let other_terminal = open_with("sandbox-explicit").await;
    assert_eq!(status(&other_terminal, &former).await, 404);
    // Alone, each of them gets its form.
    let alone = app
        .page(&format!("/form/?sessionid={other_merchant}"), &[])
        .await;
    assert_eq!(alone.status, 200);
}
