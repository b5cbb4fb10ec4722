//! Payment links: making them in both versions, paying with them, and how they end.

mod ends;

use crate::harness::{
    APPROVED, Answer, CHALLENGED, DECLINED, TestApp, build_form, short, token_of,
};
use crate::hosted::{back_from, followed, form, hpp, open_session, pay, session_of, text_of};
use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};

/// A request for a link that is valid to the end of this day. The harness's clock starts on 2026-11-20 at 11:00 in Rome.
pub(crate) fn link_until(order_id: &str, last_day: &str) -> Value {
    let mut request = hpp(order_id);
    request["expirationDate"] = json!(last_day);
    let session = request["paymentSession"].as_object_mut().unwrap();
    session.remove("resultUrl");
    session.remove("cancelUrl");
    request
}

/// Makes a link and returns it.
async fn made(app: &TestApp, request: &Value) -> Value {
    let answer = app
        .merchant()
        .post("/v2/orders/paybylink", request)
        .await
        .ok();
    answer["paymentLink"].clone()
}

pub(crate) async fn link_for(app: &TestApp, order_id: &str) -> Value {
    made(app, &link_until(order_id, "2026-11-25")).await
}

pub(crate) fn id_of(link: &Value) -> &str {
    link["linkId"].as_str().unwrap()
}

fn address_of(link: &Value) -> &str {
    link["link"].as_str().unwrap()
}

pub(crate) async fn read(app: &TestApp, link: &Value) -> Value {
    let path = format!("/orders/paybylink/{}", id_of(link));
    app.merchant().get(&path).await.ok()["paymentLink"].clone()
}

async fn cancel(app: &TestApp, link: &Value) -> Answer {
    let path = format!("/paybylink/{}/cancels", id_of(link));
    app.merchant().post(&path, &json!({})).await
}

async fn renew(app: &TestApp, link: &Value) -> Answer {
    let path = format!("/orders/paybylink/{}/renewals", id_of(link));
    app.merchant().post(&path, &json!({})).await
}

/// Presses a button of a challenge's page.
async fn press(app: &TestApp, url: &str, answer: &str) -> Answer {
    let request = Request::post(format!("/threeds/result/{}", token_of(url)))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(format!("answer={answer}&code=")))
        .unwrap();
    app.send(request).await
}

#[tokio::test]
async fn version_one_answers_six_members_and_lasts_thirty_days() {
    let app = TestApp::new().await;
    let mut request = link_until("A1", "");
    request["expirationDate"] = Value::Null;
    for path in ["/v1/orders/paybylink", "/orders/paybylink"] {
        let answer = app.merchant().post(path, &request).await.ok();
        let link = &answer["paymentLink"];
        let members: Vec<&str> = link
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let expected = ["amount", "expirationDate", "link", "linkId", "status"];
        assert_eq!(members, expected);
        assert_eq!(link["expirationDate"], "2026-12-20");
        assert_eq!(
            (&link["amount"], &link["status"]),
            (&json!("3545"), &json!("ACTIVE"))
        );
        assert!(id_of(link).len() <= 36);
        assert!(address_of(link).starts_with("https://gateway.example/link/"));
        assert_eq!(answer["securityToken"].as_str().unwrap().len(), 32);
        assert!(answer["warnings"].is_array());
    }
}

#[tokio::test]
async fn version_two_answers_everything_and_reads_a_time() {
    let app = TestApp::new().await;
    let mut request = link_until("A1", "2026-11-20");
    request["expirationTime"] = json!("18:30+02:00");
    let link = made(&app, &request).await;
    let (id, address) = (id_of(&link), address_of(&link));
    assert_eq!(
        link,
        json!({
            "linkId": id, "link": address, "amount": "3545", "expirationDate": "2026-11-20", "expirationTime": "18:30+02:00",
            "status": "ACTIVE", "orderId": "A1", "currency": "EUR", "actionType": "PAY",
            "captureType": "IMPLICIT", "creationTime": "2026-11-20T10:00:00.000Z", "renewals": 0,
        })
    );
    assert_eq!(read(&app, &link).await, link);
    app.pass(6 * 3600 + 30 * 60 - 1).await;
    assert_eq!(read(&app, &link).await["status"], "ACTIVE");
    app.pass(1).await;
    assert_eq!(read(&app, &link).await["status"], "EXPIRED");
    // Both may also be inside the payment.
    let mut request = link_until("A2", "");
    request["expirationDate"] = Value::Null;
    request["paymentSession"]["expirationDate"] = json!("2026-11-21");
    request["paymentSession"]["expirationTime"] = json!("16:30Z");
    let link = made(&app, &request).await;
    assert_eq!(link["expirationDate"], "2026-11-21");
    assert_eq!(link["expirationTime"], "16:30Z");
}

#[tokio::test]
async fn what_a_link_cannot_be_made_of_is_refused_by_name() {
    let app = TestApp::new().await;
    let both = ["/v1/orders/paybylink", "/v2/orders/paybylink"];
    let two = &both[1..];
    for (paths, member, value, expected) in [
        (
            &both[..],
            "expirationDate",
            json!("2026-11-19"),
            "400 PS0042",
        ),
        (&both, "expirationDate", json!("2027-02-19"), "400 PS0042"),
        (&both, "expirationDate", json!("20.11.2026"), "400 PS0008"),
        (&both, "expirationDate", json!("2026-02-30"), "400 PS0008"),
        (&both, "expirationDate", json!(20_261_120), "400 PS0008"),
        (two, "expirationDate", Value::Null, "400 PS0026"),
        (two, "expirationTime", json!("18:30"), "400 PS0011"),
        (two, "expirationTime", json!("24:00Z"), "400 PS0011"),
        (two, "paymentSessions", json!([]), "400 PS0026"),
        (&both, "order", json!([]), "400 PS0026 PS0026 PS0026 PS0026"),
    ] {
        for path in paths {
            let mut request = link_until("A1", "2026-11-25");
            request[member] = value.clone();
            let answer = app.merchant().post(path, &request).await;
            assert_eq!(
                answer.refusal(),
                expected,
                "{path} {member} {value} {}",
                answer.why()
            );
            assert!(answer.why().contains(member), "{path} {}", answer.why());
        }
    }
    let mut past = link_until("A1", "2026-11-20");
    past["expirationTime"] = json!("10:00Z");
    let past = app.merchant().post("/v2/orders/paybylink", &past).await;
    assert_eq!(past.refusal(), "400 PS0042");
    let mut hold = link_until("A1", "2026-11-20");
    hold["paymentSession"]["actionType"] = json!("PREAUTH");
    let hold = app.merchant().post("/v1/orders/paybylink", &hold).await;
    assert_eq!(hold.refusal(), "400 PS0042");
    for path in both {
        assert_eq!(app.nobody().post(path, &json!({})).await.status, 401);
    }
    assert_eq!(app.count("SELECT count(*) FROM hosted_page").await, 0);
}

#[tokio::test]
async fn a_link_is_paid_once_and_says_by_what() {
    let app = TestApp::new().await;
    let link = link_for(&app, "A1").await;
    let session = session_of(&app, address_of(&link)).await;
    let paid = pay(&app, &session, APPROVED).await;
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let order = app.order("A1").await;
    let operation = &order["operations"][0];
    assert_eq!(operation["channelDetail"], "PAY_BY_LINK");
    assert_eq!(operation["paymentLinkId"], link["linkId"]);
    assert_eq!(order["paymentLinks"][0]["status"], "PAID");
    assert_eq!(
        order["paymentLinks"][0]["paidByOperationId"],
        operation["operationId"]
    );
    let told = &app.told().await[0];
    assert_eq!(told["eventType"], "PAY_BY_LINK");
    assert_eq!(told["operation"], *operation);
    // The gateway's own page shows the outcome.
    let here = address_of(&link)
        .strip_prefix("https://gateway.example")
        .unwrap();
    assert_eq!(back_from(&app, address_of(&link)).await, here);
    assert!(
        text_of(&app, address_of(&link))
            .await
            .contains("Pagamento completato")
    );
    assert_eq!(open_session(&app, address_of(&link)).await.status, 409);
    assert_eq!(cancel(&app, &link).await.refusal(), "400 PS0045");
    assert_eq!(renew(&app, &link).await.refusal(), "400 PS0045");
    // A refund does not make the link valid again.
    let path = format!(
        "/operations/{}/refunds",
        operation["operationId"].as_str().unwrap()
    );
    let refund = json!({ "amount": "3545", "currency": "EUR" });
    app.merchant().post(&path, &refund).await.ok();
    assert_eq!(read(&app, &link).await["status"], "PAID");
    assert_eq!(open_session(&app, address_of(&link)).await.status, 409);
}

#[tokio::test]
async fn a_merchants_own_addresses_are_used_where_there_are_some() {
    let app = TestApp::new().await;
    let mut request = link_until("A1", "2026-11-25");
    request["paymentSession"]["resultUrl"] = json!("https://shop.example/thanks");
    request["paymentSession"]["cancelUrl"] = json!("https://shop.example/basket");
    let link = made(&app, &request).await;
    let left = form(&app, address_of(&link), "cancel", "").await;
    assert_eq!(left.header("location"), Some("https://shop.example/basket"));
    let session = session_of(&app, address_of(&link)).await;
    pay(&app, &session, APPROVED).await;
    assert_eq!(
        back_from(&app, address_of(&link)).await,
        "https://shop.example/thanks"
    );
}

#[tokio::test]
async fn version_two_holds_where_it_is_asked_to() {
    let app = TestApp::new().await;
    let mut request = link_until("A1", "2026-11-25");
    request["paymentSession"]["actionType"] = json!("PREAUTH");
    let link = made(&app, &request).await;
    assert_eq!(
        (&link["actionType"], &link["captureType"]),
        (&json!("PREAUTH"), &json!("EXPLICIT"))
    );
    let session = session_of(&app, address_of(&link)).await;
    let held = pay(&app, &session, APPROVED).await;
    assert_eq!(short(&held), "PAYMENT_COMPLETE AUTHORIZATION/AUTHORIZED");
    assert_eq!(read(&app, &link).await["status"], "PAID");
}

#[tokio::test]
async fn links_are_listed_newest_first_and_by_what_they_are() {
    let app = TestApp::new().await;
    for number in 0..5 {
        let mut request = link_until(&format!("A{number}"), "2026-11-20");
        request["order"]["customerId"] = json!(format!("cust-{}", number % 2));
        request["order"]["customField"] = json!(format!("field-{number}"));
        made(&app, &request).await;
    }
    let cancelled = link_for(&app, "B1").await;
    cancel(&app, &cancelled).await.ok();
    let orders = async |query: &str| -> Vec<String> {
        let answer = app
            .merchant()
            .get(&format!("/orders/paybylink{query}"))
            .await
            .ok();
        let links = answer["paymentLinks"].as_array().unwrap();
        links
            .iter()
            .map(|link| link["orderId"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(orders("").await, ["B1", "A4", "A3", "A2", "A1", "A0"]);
    assert_eq!(orders("?orderId=A3").await, ["A3"]);
    assert_eq!(orders("?customerId=cust-1").await, ["A3", "A1"]);
    assert_eq!(orders("?customField=field-2").await, ["A2"]);
    assert_eq!(orders("?status=CANCELED").await, ["B1"]);
    assert_eq!(orders("?status=EXPIRED").await, [""; 0]);
    assert_eq!(orders("?status=ACTIVE&maxRecords=2").await, ["A4", "A3"]);
    // Page by page, without gaps and repetitions.
    let mut seen = Vec::new();
    let mut until = String::new();
    loop {
        let path = format!("/orders/paybylink?maxRecords=2{until}");
        let page = app.merchant().get(&path).await.ok();
        let links = page["paymentLinks"].as_array().unwrap().clone();
        let Some(last) = links.last() else { break };
        until = format!("&toTime={}", last["creationTime"].as_str().unwrap());
        seen.extend(
            links
                .iter()
                .map(|link| link["orderId"].as_str().unwrap().to_owned()),
        );
    }
    assert_eq!(seen, ["B1", "A4", "A3", "A2", "A1", "A0"]);
    app.pass(13 * 3600).await;
    assert_eq!(
        orders("?status=EXPIRED").await,
        ["A4", "A3", "A2", "A1", "A0"]
    );
    assert_eq!(orders("?status=ACTIVE").await, [""; 0]);
    let other = app.key("sandbox-other-merchant");
    assert_eq!(
        other.get("/orders/paybylink").await.ok(),
        json!({ "paymentLinks": [] })
    );
    for (query, expected) in [
        ("status=USED", "400 PS0026"),
        ("maxRecords=0", "400 PS0026"),
        ("fromTime=yesterday", "400 PS0010"),
        (
            "fromTime=2026-11-20T01:00:00Z&toTime=2026-11-19T01:00:00Z",
            "400 PS0012",
        ),
        ("orderId=paybylink", "400 PS0026"),
    ] {
        let answer = app
            .merchant()
            .get(&format!("/orders/paybylink?{query}"))
            .await;
        assert_eq!(answer.refusal(), expected, "{query}");
    }
}

#[tokio::test]
async fn another_merchants_link_is_missing() {
    let app = TestApp::new().await;
    let link = link_for(&app, "A1").await;
    let id = id_of(&link);
    let page = app.merchant().post("/orders/hpp", &hpp("A2")).await.ok();
    let page_id = app
        .texts("SELECT page_id FROM hosted_page WHERE kind = 'PAGE'")
        .await
        .remove(0);
    for (key, id) in [
        ("sandbox-other-merchant", id),
        ("sandbox-implicit", "none"),
        ("sandbox-implicit", page_id.as_str()),
    ] {
        let caller = app.key(key);
        let details = caller.get(&format!("/orders/paybylink/{id}")).await;
        let renewed = caller
            .post(&format!("/orders/paybylink/{id}/renewals"), &json!({}))
            .await;
        let cancelled = caller
            .post(&format!("/paybylink/{id}/cancels"), &json!({}))
            .await;
        for answer in [details, renewed, cancelled] {
            assert_eq!((answer.status, answer.bytes.len()), (404, 0), "{key} {id}");
        }
    }
    // Another terminal of the same merchant may.
    let details = app
        .key("sandbox-explicit")
        .get(&format!("/orders/paybylink/{id}"))
        .await
        .ok();
    assert_eq!(details["paymentLink"], link);
    assert_eq!(details["order"]["description"], "Order 42");
    assert_eq!(details.get("securityToken"), None);
    assert_eq!(
        open_session(&app, page["hostedPage"].as_str().unwrap())
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn every_base_serves_links_and_one_verb_more() {
    let app = TestApp::new().await;
    let link = link_for(&app, "A1").await;
    let id = id_of(&link);
    for base in ["", "/v1", "/v2"] {
        let merchant = app.merchant();
        merchant
            .get(&format!("{base}/orders/paybylink/{id}"))
            .await
            .ok();
        merchant.get(&format!("{base}/orders/paybylink")).await.ok();
        merchant
            .post(
                &format!("{base}/orders/paybylink/{id}/renewals"),
                &json!({}),
            )
            .await
            .ok();
        // Without a body, as in the contract.
        let path = format!("{base}/orders/paybylink/{id}/renewals");
        let bare = app
            .merchant()
            .request(Method::POST, &path, &[], Body::empty());
        app.send(bare).await.ok();
    }
    for (method, path, expected) in [
        (Method::DELETE, format!("/orders/paybylink/{id}"), 405),
        (Method::DELETE, format!("/v1/orders/paybylink/{id}"), 405),
        (Method::PUT, format!("/v2/orders/paybylink/{id}"), 405),
        (Method::GET, String::from("/v2/orders"), 404),
        (Method::POST, String::from("/v2/orders/hpp"), 404),
        (Method::GET, format!("/v1/v2/orders/paybylink/{id}"), 404),
        (Method::DELETE, format!("/v2/orders/paybylink/{id}"), 200),
        (Method::POST, format!("/v2/paybylink/{id}/cancels"), 200),
    ] {
        let request = app
            .merchant()
            .request(method.clone(), &path, &[], Body::empty());
        assert_eq!(app.send(request).await.status, expected, "{method} {path}");
    }
    assert_eq!(read(&app, &link).await["status"], "CANCELED");
}

/// A link in several windows at once, by card and by another method, is paid once.
#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_pay_a_link_once() {
    let app = TestApp::new().await;
    for round in 0..4 {
        let mut request = link_until(&format!("A{round}"), "2026-11-25");
        request["paymentSession"]["paymentService"] = Value::Null;
        let link = made(&app, &request).await;
        let session = session_of(&app, address_of(&link)).await;
        app.enter(&session, APPROVED).await;
        let body = json!({ "sessionId": session });
        let close = async || {
            app.frame(&session)
                .post("/build/finalize_payment", &body)
                .await
                .status
        };
        let by_method = async || {
            let chosen = form(&app, address_of(&link), "method", "method=PAYPAL").await;
            let there = chosen.header("location").unwrap_or_default().to_owned();
            let Some(path) = there.strip_prefix("https://gateway.example/methods") else {
                return;
            };
            let press = Request::post(format!("/methods{path}"))
                .header("content-type", "application/x-www-form-urlencoded")
                .body(Body::from("answer=approve"))
                .unwrap();
            app.send(press).await;
        };
        tokio::join!(
            close(),
            by_method(),
            close(),
            by_method(),
            cancel(&app, &link),
            close(),
            open_session(&app, address_of(&link))
        );
        let order = app.order(&format!("A{round}")).await;
        let good = order["operations"].as_array().unwrap().iter();
        let good = good
            .filter(|operation| operation["operationResult"] == "EXECUTED")
            .count();
        let status = read(&app, &link).await["status"].clone();
        assert_eq!(good, usize::from(status == "PAID"), "{order}");
        assert!(status == "PAID" || status == "CANCELED", "{status}");
        let captured = if good == 1 { "3545" } else { "0" };
        assert_eq!(order["orderStatus"]["capturedAmount"], captured);
    }
}
