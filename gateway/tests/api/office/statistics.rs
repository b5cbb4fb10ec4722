//! The figures of the overview, compared with payments that were counted by hand.

use super::Person;
use crate::harness::{APPROVED, DECLINED, TestApp};
use crate::lists::{order, paid};
use payframe_gateway::maintenance;
use serde_json::json;

const DAY: u64 = 86_400;

/// Three days: €10 and a refusal; nothing; €25.50 with a refund of €5, and $7.
async fn three_days() -> TestApp {
    let app = TestApp::new().await;
    paid(&app, "sandbox-implicit", &order("A1", "1000", ""), APPROVED).await;
    paid(&app, "sandbox-implicit", &order("A2", "9000", ""), DECLINED).await;
    // Cancelled before any payment: this is no attempt.
    let session = app.open(&order("A3", "4000", "")).await;
    app.merchant()
        .post("/build/cancel", &json!({ "sessionId": session }))
        .await;
    app.pass(2 * DAY).await;
    paid(&app, "sandbox-explicit", &order("A4", "2550", ""), APPROVED).await;
    let id = app.order("A4").await["operations"][0]["operationId"].clone();
    let id = id.as_str().unwrap();
    let body = json!({ "amount": "2550", "currency": "EUR" });
    app.merchant()
        .post(&format!("/operations/{id}/captures"), &body)
        .await
        .ok();
    app.clock.advance(std::time::Duration::from_secs(1));
    let capture = app.operations("A4").await[1]["operationId"].clone();
    let body = json!({ "amount": "500", "currency": "EUR" });
    let path = format!("/operations/{}/refunds", capture.as_str().unwrap());
    app.merchant().post(&path, &body).await.ok();
    app.clock.advance(std::time::Duration::from_secs(1));
    let mut dollars = order("A5", "700", "");
    dollars["order"]["currency"] = json!("USD");
    paid(&app, "sandbox-implicit", &dollars, APPROVED).await;
    paid(
        &app,
        "sandbox-other-merchant",
        &order("B1", "99900", ""),
        APPROVED,
    )
    .await;
    app
}

/// The cells of the table of days, row by row.
fn rows(page: &str) -> Vec<String> {
    let (_, table) = page.split_once("id=\"days\"").unwrap();
    let rows = table.split("<th scope=\"row\">").skip(1);
    let text = |cell: &str| {
        let cell = cell.split_once("</td>").map_or(cell, |(cell, _)| cell);
        cell.rsplit_once('>')
            .map_or("", |(_, text)| text)
            .to_owned()
    };
    rows.map(|row| {
        let (_, day) = row.split_once("datetime=\"").unwrap();
        let day = day.split_once('"').unwrap().0.to_owned();
        let cells = row.split("<td ").skip(1).map(text);
        [day].into_iter().chain(cells).collect::<Vec<_>>().join(" ")
    })
    .collect()
}

#[tokio::test]
async fn figures_are_those_of_the_merchants_payments_day_by_day() {
    let app = three_days().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let page = person.get("/office").await;
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    for expected in [
        "<dt>Approved</dt><dd>€35.50</dd>",
        "<dt>Payments</dt><dd>2</dd>",
        "<dt>Approval rate</dt><dd>66.7%</dd>",
        "<dt>Refunded</dt><dd>€5.00</dd>",
        "insufficient funds (116)",
        "<td>1</td><td>100%</td>",
        "<title>2026-11-22: €25.50</title>",
        "<title>2026-11-20: 50.0%</title>",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(
        rows(&text),
        [
            "2026-11-22 €25.50 1 0 100.0% €5.00",
            "2026-11-20 €10.00 1 1 50.0% €0.00"
        ]
    );
    assert!(!text.contains("€999.00"), "another merchant's");
    let dollars = person.get("/office?days=7&currency=USD").await.text();
    assert_eq!(rows(&dollars), ["2026-11-22 $7.00 1 0 100.0% $0.00"]);
    assert!(dollars.contains("No payment was refused in the last 7 days."));
}

#[tokio::test]
async fn figures_stay_exact_when_past_days_are_summed_and_change_afterwards() {
    let app = three_days().await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let before = rows(&person.get("/office").await.text());
    let sums = "SELECT COUNT(*) FROM summed_day";
    assert_eq!(app.count(sums).await, 0);
    maintenance::tidy_up(&app.app).await;
    // The day with payments and the one behind it; not the present one. The other merchant has paid on that day only.
    assert_eq!(app.count(sums).await, 2);
    assert_eq!(rows(&person.get("/office").await.text()), before);
    // A result that comes late.
    app.change("UPDATE operation SET result = 'FAILED' WHERE order_id = 'A1'")
        .await;
    let late = [
        "2026-11-22 €25.50 1 0 100.0% €5.00",
        "2026-11-20 €0.00 0 2 0.0% €0.00",
    ];
    assert_eq!(rows(&person.get("/office").await.text()), late);
    maintenance::tidy_up(&app.app).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM changed_day").await, 0);
    assert_eq!(rows(&person.get("/office").await.text()), late);
}

#[tokio::test]
async fn a_period_is_of_whole_days_and_the_present_one_is_the_last() {
    let app = TestApp::new().await;
    paid(&app, "sandbox-implicit", &order("A1", "1000", ""), APPROVED).await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let app_days = async |days: &str| {
        let text = person.get(&format!("/office?days={days}")).await.text();
        match text.contains("id=\"days\"") {
            true => rows(&text).len(),
            false => 0,
        }
    };
    assert_eq!(
        [
            app_days("7").await,
            app_days("30").await,
            app_days("90").await
        ],
        [1, 1, 1]
    );
    // Otherwise the log-in would have ended.
    app.pass(6 * DAY).await;
    let person = Person::logged_in(&app, "anna", "viewer").await;
    let shown = person.get("/office?days=7").await.text();
    assert_eq!(rows(&shown), ["2026-11-20 €10.00 1 0 100.0% €0.00"]);
    app.pass(DAY).await;
    let person = Person::logged_in(&app, "bert", "viewer").await;
    let gone = person.get("/office?days=7").await.text();
    assert!(
        gone.contains("Nobody has tried to pay anything in the last 7 days."),
        "{gone}"
    );
    // Values that are not accepted have their default.
    let shown = person.get("/office?days=400&currency=euro").await.text();
    assert!(shown.contains("aria-current=\"true\">30 days"), "{shown}");
}
