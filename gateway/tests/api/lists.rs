//! Lists of orders and operations, page by page, and the terminal's methods (contract 1.8, 8.2.1, 8.2.3, 8.2.11).

use crate::harness::{APPROVED, DECLINED, TestApp, build};
use serde_json::{Value, json};
use std::time::Duration;

/// Pays an order with a terminal's key, then moves the clock by one second.
pub(crate) async fn paid(app: &TestApp, api_key: &str, request: &Value, number: &str) {
    let session = app.open_by(api_key, request).await;
    app.enter(&session, number).await;
    let body = json!({ "sessionId": session });
    let close = app
        .key(api_key)
        .post("/build/finalize_payment", &body)
        .await;
    assert_eq!(close.status, 200, "{}", close.body);
    app.clock.advance(Duration::from_secs(1));
}

pub(crate) fn order(order_id: &str, amount: &str, custom_field: &str) -> Value {
    let mut request = build(order_id);
    request["order"]["amount"] = json!(amount);
    request["order"]["customField"] = json!(custom_field);
    request["paymentSession"]["amount"] = json!(amount);
    request
}

/// Three orders of 1000, 2000 and 3000: captured, to be captured, refused.
pub(crate) async fn shop() -> TestApp {
    let app = TestApp::new().await;
    paid(
        &app,
        "sandbox-implicit",
        &order("A1", "1000", "red"),
        APPROVED,
    )
    .await;
    paid(
        &app,
        "sandbox-explicit",
        &order("A2", "2000", "red"),
        APPROVED,
    )
    .await;
    paid(
        &app,
        "sandbox-implicit",
        &order("A3", "3000", "blue"),
        DECLINED,
    )
    .await;
    // Without an operation it is in no list.
    app.open(&order("A4", "4000", "red")).await;
    paid(
        &app,
        "sandbox-other-merchant",
        &order("B1", "1000", "red"),
        APPROVED,
    )
    .await;
    app
}

async fn ids(app: &TestApp, path: &str) -> String {
    let answer = app.merchant().get(path).await;
    if answer.status != 200 {
        return answer.refusal();
    }
    let rows = if path.starts_with("/orders") {
        &answer.body["orders"]
    } else {
        &answer.body["operations"]
    };
    let rows: Vec<&str> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let id = row["order"]["orderId"].as_str();
            id.or(row["orderId"].as_str()).unwrap()
        })
        .collect();
    rows.join(" ")
}

#[tokio::test]
async fn orders_are_found_by_what_the_contract_lists() {
    let app = shop().await;
    for (query, expected) in [
        ("", "A3 A2 A1"),
        ("?orderId=A2", "A2"),
        ("?orderId=A4", ""),
        ("?orderId=B1", ""),
        ("?orderId=", "400 PS0026"),
        ("?orderId=paybylink", "400 PS0026"),
        ("?customField=red", "A2 A1"),
        ("?customField=re", ""),
        ("?customField=red&orderState=TO_CAPTURE", "A2"),
        ("?orderState=TO_CAPTURE", "A2"),
        ("?orderState=CAPTURED", "A1"),
        ("?orderState=captured", "400 PS0026"),
        ("?minAmount=1000&maxAmount=2000", "A2 A1"),
        (
            "?amountType=ORDER_AMOUNT&minAmount=2001&maxAmount=3000",
            "A3",
        ),
        (
            "?amountType=AUTHORIZED_AMOUNT&minAmount=1&maxAmount=9000",
            "A2 A1",
        ),
        (
            "?amountType=CAPTURED_AMOUNT&minAmount=1&maxAmount=9000",
            "A1",
        ),
        (
            "?amountType=CAPTURED_AMOUNT&minAmount=0&maxAmount=0",
            "A3 A2",
        ),
        ("?amountType=ORDER_AMOUNT", "400 PS0026 PS0026"),
        ("?amountType=ORDER_AMOUNT&minAmount=1", "400 PS0026"),
        ("?maxAmount=1", "400 PS0026"),
        ("?minAmount=2&maxAmount=1", "400 PS0026"),
        ("?minAmount=-1&maxAmount=1", "400 PS0036"),
        ("?minAmount=1&maxAmount=1000000000000", "400 PS0036"),
        (
            "?amountType=SUM&minAmount=x&maxAmount=1",
            "400 PS0026 PS0036",
        ),
        ("?unknown=1", "A3 A2 A1"),
    ] {
        assert_eq!(
            ids(&app, &format!("/orders{query}")).await,
            expected,
            "{query}"
        );
    }
    let long = "x".repeat(256);
    assert_eq!(
        ids(&app, &format!("/orders?customField={long}")).await,
        "400 PS0026"
    );
}

#[tokio::test]
async fn a_row_is_the_status_of_the_order_without_its_last_operation() {
    let app = shop().await;
    let row = app.merchant().get("/orders?orderId=A2").await.ok()["orders"][0].clone();
    let mut status = app.order("A2").await["orderStatus"].clone();
    status.as_object_mut().unwrap().remove("lastOperation");
    assert_eq!(row, status);
    assert_eq!(row["order"]["amount"], "2000");
    assert_eq!(
        (&row["authorizedAmount"], &row["capturedAmount"]),
        (&json!("2000"), &json!("0"))
    );
    assert_eq!(row["lastOperationTime"], "2026-11-20T10:00:01.000Z");
}

#[tokio::test]
async fn operations_are_found_by_what_the_contract_lists() {
    let app = shop().await;
    for (query, expected) in [
        ("", "A3 A2 A1"),
        ("?channel=ECOMMERCE", "A3 A2 A1"),
        ("?channel=POS", ""),
        ("?channel=SHOP", "400 PS0026"),
        ("?operationType=AUTHORIZATION", "A3 A2 A1"),
        ("?operationType=REFUND", ""),
        ("?operationType=NOSHOW", ""),
        ("?operationType=SALE", "400 PS0026"),
        ("?customField=blue", "A3"),
        ("?customField=blue&channel=POS", ""),
        ("?customField=%3Cscript%3E", "400 PS0041"),
        ("?maxRecords=2", "A3 A2"),
    ] {
        let path = format!("/operations{query}");
        assert_eq!(ids(&app, &path).await, expected, "{query}");
    }
    let one = app.merchant().get("/operations?maxRecords=1").await.ok();
    let id = one["operations"][0]["operationId"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        app.merchant().get(&format!("/operations/{id}")).await.ok(),
        one["operations"][0]
    );
}

#[tokio::test]
async fn a_list_is_read_page_by_page_with_the_time_of_the_last_row() {
    let app = TestApp::new().await;
    for number in 1..=7 {
        // No time passes here, but the merchant's operations still have different times.
        let session = app.open(&build(&format!("A{number}"))).await;
        app.enter(&session, APPROVED).await;
        app.finalize(&session).await;
    }
    for (list, time) in [
        ("orders", "lastOperationTime"),
        ("operations", "operationTime"),
    ] {
        let mut seen = Vec::new();
        let mut path = format!("/{list}?maxRecords=3");
        loop {
            let page = app.merchant().get(&path).await.ok();
            let rows = page[list].as_array().unwrap().clone();
            for row in &rows {
                let id = row["order"]["orderId"].as_str().or(row["orderId"].as_str());
                seen.push(id.unwrap().to_owned());
            }
            if rows.len() < 3 {
                break;
            }
            let last = rows[2][time].as_str().unwrap().to_owned();
            path = format!("/{list}?maxRecords=3&toTime={last}");
        }
        assert_eq!(seen.join(" "), "A7 A6 A5 A4 A3 A2 A1", "{list}");
    }
}

#[tokio::test]
async fn a_window_is_a_month_at_most() {
    let app = shop().await;
    for (query, expected) in [
        // The first row's time is included; the last one's is excluded.
        (
            "fromTime=2026-11-20T10:00:00.000Z&toTime=2026-11-20T10:00:02.000Z",
            "A2 A1",
        ),
        ("fromTime=2026-11-20T10:00:00.0001Z", "A3 A2"),
        ("fromTime=2026-11-20T11:00:01%2B01:00", "A3 A2"),
        ("fromTime=2026-11-20%2011:00:01.000", "A3 A2"),
        ("toTime=2026-11-20T10:00:00.000Z", ""),
        (
            "fromTime=2026-10-20T10:00:04Z&toTime=2026-11-20T10:00:04Z",
            "A3 A2 A1",
        ),
        (
            "fromTime=2026-10-20T10:00:03.999Z&toTime=2026-11-20T10:00:04Z",
            "400 PS0026",
        ),
        ("fromTime=2026-10-01T00:00:00Z", "400 PS0026"),
        ("fromTime=2027-01-01T00:00:00Z", ""),
        (
            "fromTime=2026-11-20T10:00:01Z&toTime=2026-11-20T10:00:00Z",
            "400 PS0012",
        ),
        (
            "fromTime=2026-11-20T10:00:01Z&toTime=2026-11-20T10:00:01Z",
            "",
        ),
        ("fromTime=yesterday", "400 PS0010"),
        ("toTime=2026-11-20", "400 PS0010"),
        ("fromTime=&toTime=x", "400 PS0010 PS0010"),
        ("fromTime=x&maxRecords=0", "400 PS0026 PS0010"),
        ("maxRecords=0", "400 PS0026"),
        ("maxRecords=-1", "400 PS0026"),
        ("maxRecords=%2B1", "400 PS0026"),
        ("maxRecords=501", "400 PS0026"),
        ("maxRecords=all", "400 PS0026"),
        ("maxRecords=99999999999999999999", "400 PS0026"),
        ("maxRecords=500", "A3 A2 A1"),
    ] {
        for list in ["orders", "operations"] {
            assert_eq!(
                ids(&app, &format!("/{list}?{query}")).await,
                expected,
                "{list} {query}"
            );
        }
    }
    app.clock.advance(Duration::from_secs(31 * 86_400 - 3));
    for list in ["orders", "operations"] {
        assert_eq!(
            ids(&app, &format!("/{list}")).await,
            "A3 A2",
            "{list}: the last month"
        );
        let path = format!("/{list}?toTime=2026-12-01T00:00:00Z");
        assert_eq!(ids(&app, &path).await, "A3 A2 A1", "the month before");
    }
}

#[tokio::test]
async fn lists_and_methods_are_for_merchants_who_say_who_they_are() {
    let app = shop().await;
    let session = app.open(&build("A9")).await;
    for path in ["/orders", "/operations", "/payment_methods"] {
        assert_eq!(app.nobody().get(path).await.status, 401, "{path}");
        assert_eq!(app.key("wrong").get(path).await.status, 401, "{path}");
        assert_eq!(app.frame(&session).get(path).await.status, 401, "{path}");
        let answer = app.merchant().post(path, &json!({})).await;
        assert_eq!(
            (answer.status, answer.header("allow")),
            (405, Some("GET, HEAD"))
        );
    }
    let other = app.key("sandbox-other-merchant").get("/orders").await.ok();
    assert_eq!(other["orders"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn methods_are_the_terminals_with_pictures_that_are_served() {
    let app = TestApp::with_dist().await;
    let circuits = async |api_key: &str| {
        let answer = app.key(api_key).get("/payment_methods").await.ok();
        let methods = answer["paymentMethods"].as_array().unwrap().clone();
        for method in &methods {
            let kind = method["paymentMethodType"].as_str().unwrap();
            assert!(["CARD", "APM"].contains(&kind), "{kind}");
            for flag in ["recurringSupported", "oneClickSupported"] {
                assert_eq!(method[flag], kind == "CARD", "{flag} of {method}");
            }
            if let Some(link) = method["imageLink"].as_str() {
                let picture = app.page(link, &[]).await;
                assert_eq!(picture.status, 200, "{link}");
                assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
            }
        }
        let circuits: Vec<String> = methods
            .iter()
            .map(|method| method["circuit"].as_str().unwrap().to_owned())
            .collect();
        (circuits.join(" "), methods)
    };
    let (all, methods) = circuits("sandbox-implicit").await;
    assert!(
        all.starts_with(
            "VISA MC AMEX DINERS DISCOVER JCB UPI MAE CARTES_BANCAIRES BANCONTACT GOOGLEPAY APPLEPAY BANCOMATPAY \
             BANCONTACT"
        ),
        "{all}"
    );
    assert_eq!(
        (methods.len(), &methods[12]["paymentMethodType"]),
        (40, &json!("APM"))
    );
    assert_eq!(
        methods[0]["imageLink"],
        "https://gateway.example/assets/methods/VISA.svg"
    );
    assert_eq!(methods[9].get("imageLink"), None, "no picture, no link");
    assert_eq!(circuits("sandbox-cards-only").await.0, "VISA MC");
}
