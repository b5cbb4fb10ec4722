//! Reservations in the back office.

use super::{Person, field};
use crate::harness::{APPROVED, TestApp};
use crate::reservations::{operations, paid, reservation, with};
use serde_json::json;

const DAY: u64 = 86_400;

#[tokio::test]
async fn a_reservation_is_found_and_told_with_what_was_agreed_and_charged() {
    let app = TestApp::new().await;
    let guest = json!({ "customerName": "Anna", "customerSurname": "Rossi" });
    paid(
        &app,
        &with(reservation("R1", "GUARANTEED_NOSHOW"), guest),
        APPROVED,
    )
    .await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let list = person
        .get("/office/reservations?surname=ros&kind=GUARANTEED_NOSHOW")
        .await
        .text();
    assert!(
        list.contains("<a href=\"/office/reservations/R1\">R1</a>"),
        "{list}"
    );
    let none = person
        .get("/office/reservations?surname=bianchi")
        .await
        .text();
    assert!(none.contains("No reservation fits"), "{none}");
    assert_eq!(
        person.get("/office/reservations?kind=LOST").await.status,
        400
    );
    let page = person.get("/office/reservations/R1").await;
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    for expected in [
        "Guaranteed, a night for a no-show",
        "<dt>Guest</dt><dd>Anna Rossi</dd>",
        "<dt>One night</dt><dd>€100.01</dd>",
        "<dt>First payment</dt><dd><span class=\"badge good\">Yes</span></dd>",
        "Card check",
        "/office/orders/R1",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("/cancel\""), "a viewer");
    let other = Person::of_merchant(&app, "other", "otto", "operator").await;
    assert_eq!(other.get("/office/reservations/R1").await.status, 404);
    assert_eq!(
        other.get("/office/reservations/R1/cancel").await.status,
        404
    );
    let order = person.get("/office/orders/R1").await.text();
    assert!(
        order.contains("href=\"/office/reservations/R1\""),
        "{order}"
    );
}

#[tokio::test]
async fn a_no_show_is_charged_when_it_may_be_and_once() {
    let app = TestApp::new().await;
    paid(&app, &reservation("R1", "GUARANTEED_NOSHOW"), APPROVED).await;
    let path = "/office/reservations/R1/charges/no-show";
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let early = person.get(path).await;
    assert_eq!(early.status, 400);
    assert!(
        early.text().contains("it is too early for this charge"),
        "{}",
        early.text()
    );
    app.pass(5 * DAY + 9 * 3600).await;
    let person = Person::logged_in(&app, "anna", "operator").await;
    let offered = person.get("/office/reservations/R1").await.text();
    assert!(
        offered.contains("Charge a no-show&#32;<span class=\"quietly\">up to €100.01</span>"),
        "{offered}"
    );
    let page = person.get(path).await;
    let (key, most) = (field(&page, "key"), field(&page, "most"));
    let above = [("key", key.as_str()), ("most", &most), ("amount", "100.02")];
    let refused = person.post(path, &above).await;
    assert!(
        refused.text().contains("Possible: €0.01 to €100.01."),
        "{}",
        refused.text()
    );
    let fields = [
        ("key", key.as_str()),
        ("most", &most),
        ("amount", "100.01"),
        ("description", "did not come"),
    ];
    let asked = person.post(path, &fields).await;
    assert!(
        asked.text().contains("Charge a no-show €100.01"),
        "{}",
        asked.text()
    );
    let confirmed = [&fields[..], &[("confirmed", "yes")]].concat();
    let answer = person.post(path, &confirmed).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/reservations/R1?done=charged")
    );
    let again = person.post(path, &confirmed).await;
    assert_eq!(
        again.header("location"),
        Some("/office/reservations/R1?done=before")
    );
    assert_eq!(
        operations(&app, "R1").await,
        ["CARD_VERIFICATION EXECUTED 0", "NOSHOW EXECUTED 10001"]
    );
    let viewer = Person::logged_in(&app, "vera", "viewer").await;
    assert_eq!(viewer.post(path, &confirmed).await.status, 403);
    let audited = app.texts("SELECT subject || ', ' || detail FROM audit_entry WHERE act = 'CHARGE_RESERVATION' ORDER BY seq");
    let audited = audited.await;
    assert_eq!(audited.len(), 2);
    assert_eq!(
        audited[0],
        "reservation R1, Charge a no-show €100.01: begun"
    );
}

#[tokio::test]
async fn a_reservation_is_cancelled_with_what_is_owed_for_it() {
    let app = TestApp::new().await;
    let penalty = with(
        reservation("R1", "GUARANTEED_PENALTY"),
        json!({ "deposit": "5000" }),
    );
    paid(&app, &penalty, APPROVED).await;
    let path = "/office/reservations/R1/cancel";
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let asked = person.get(path).await;
    assert!(
        asked.text().contains("<dt>Owed now</dt><dd>€50.00</dd>"),
        "{}",
        asked.text()
    );
    let key = field(&asked, "key");
    let answer = person.post(path, &[("key", &key)]).await;
    assert_eq!(
        answer.header("location"),
        Some("/office/reservations/R1?done=cancelled")
    );
    let again = person.post(path, &[("key", &key)]).await;
    assert_eq!(
        again.header("location"),
        Some("/office/reservations/R1?done=before")
    );
    assert_eq!(
        operations(&app, "R1").await,
        ["CARD_VERIFICATION EXECUTED 0", "NOSHOW EXECUTED 5000"]
    );
    let page = person.get("/office/reservations/R1").await.text();
    assert!(
        page.contains("Cancelled") && !page.contains("/cancel\""),
        "{page}"
    );
}
