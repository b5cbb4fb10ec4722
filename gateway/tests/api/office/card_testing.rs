//! Rules against card testing: an administrator sees what was stopped at a terminal, and changes its settings.

use super::Person;
use crate::harness::{APPROVED, TestApp, build, short};

const PAGE: &str = "/office/card-testing/91000001";

/// The key of the terminal.
const KEY: &str = "sandbox-implicit";

/// The fields of the form, with one of them changed.
fn fields<'a>(name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![
        ("switch", "on"),
        ("card", "8"),
        ("session", "6"),
        ("address", "12"),
        ("range", "12"),
        ("terminal", "16"),
        ("merchant", "18"),
        ("device", "16"),
        ("order_value", "16"),
        ("allowed_ranges", ""),
        ("blocked_ranges", ""),
        ("allowed_addresses", ""),
        ("blocked_addresses", ""),
    ];
    for field in &mut fields {
        if field.0 == name {
            field.1 = value;
        }
    }
    fields
}

#[tokio::test]
async fn an_administrator_changes_the_rules_of_a_terminal_and_reads_what_they_stopped() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let list = ada.get("/office/card-testing").await.text();
    assert!(list.contains("Terminal 91000001") && list.contains("Nothing was stopped"));
    let kept = ada
        .post(PAGE, &fields("blocked_ranges", "4761 541333"))
        .await;
    assert_eq!(kept.status, 303);
    let shown = ada.get(PAGE).await.text();
    assert!(shown.contains(r#"value="4761,541333""#), "{shown}");
    let session = app.open_by(KEY, &build("B1")).await;
    app.enter(&session, APPROVED).await;
    let body = serde_json::json!({ "sessionId": session });
    let state = app.key(KEY).post("/build/finalize_payment", &body).await;
    let state = state.ok();
    assert_eq!(
        short(&state),
        "PAYMENT_COMPLETE AUTHORIZATION/DENIED_BY_RISK"
    );
    let list = ada.get("/office/card-testing").await.text();
    assert!(
        list.contains("1 try, with cards of blocked ranges"),
        "{list}"
    );
    let order = ada.get("/office/orders/B1").await.text();
    let reason = "a list of the terminal blocks the range of this card";
    assert!(order.contains(reason), "{order}");
    let log = app.texts("SELECT detail FROM audit_entry WHERE act = 'CHANGE_TERMINAL'");
    let log = log.await;
    assert!(log[0].contains("blocked_ranges=4761,541333"), "{log:?}");
}

#[tokio::test]
async fn stopped_tries_are_listed_newest_first_with_their_orders_page_by_page() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let stopped = "/office/card-testing/stopped";
    let none = ada.get(stopped).await.text();
    assert!(none.contains("No try was stopped."), "{none}");
    ada.post(PAGE, &fields("blocked_ranges", "4761")).await;
    for order in ["B1", "B2"] {
        let session = app.open_by(KEY, &build(order)).await;
        app.enter(&session, APPROVED).await;
        let body = serde_json::json!({ "sessionId": session });
        let state = app.key(KEY).post("/build/finalize_payment", &body).await;
        state.ok();
        app.clock.advance(std::time::Duration::from_secs(60));
    }
    // Tries of the same moment, and one of another merchant.
    app.change(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) \
         INSERT INTO card_try (operation_id, merchant_id, terminal_id, session_hash, card_id, range_id, at_ms, outcome, rule) \
         SELECT 'old' || i, CASE i WHEN 60 THEN 'other' ELSE 'demo' END, '91000001', 's', 'c', 'r', 1, 'ADMITTED', \
         CASE i WHEN 59 THEN NULL ELSE 'TERMINAL' END FROM n",
    )
    .await;
    let first = ada.get(stopped).await.text();
    let place = |order: &str| first.find(&format!("/office/orders/{order}")).unwrap();
    assert!(place("B2") < place("B1"), "newest first: {first}");
    for words in ["with cards of blocked ranges", "91000001", "Refused"] {
        assert!(first.contains(words), "{words}: {first}");
    }
    let rows = |text: &str| text.matches("<td data-label=\"When\">").count();
    assert_eq!(rows(&first), 50);
    let (_, rest) = first
        .split_once(&format!("href=\"{stopped}?before="))
        .unwrap();
    let before = rest.split_once('"').unwrap().0;
    let second = ada.get(&format!("{stopped}?before={before}")).await.text();
    // Two orders and 58 others, each once.
    assert_eq!((rows(&second), second.contains("Older tries")), (10, false));
    assert!(second.contains("Challenge demanded") && second.contains("not recorded yet"));
    assert_eq!(
        rows(&ada.get(&format!("{stopped}?before=x")).await.text()),
        50
    );
    let otto = Person::logged_in(&app, "otto", "operator").await;
    assert_eq!(otto.get(stopped).await.status, 403);
}

#[tokio::test]
async fn what_is_wrong_is_said_at_its_field_and_nothing_is_kept() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    for (field, value, sentence) in [
        ("card", "many", "Type a whole number; 0 is no limit."),
        ("terminal", "-1", "Type a whole number; 0 is no limit."),
        ("blocked_ranges", "411", "Type beginnings of card numbers"),
        ("allowed_addresses", "<b>", "Type addresses, or networks"),
    ] {
        let answer = ada.post(PAGE, &fields(field, value)).await;
        assert_eq!(answer.status, 400, "{field}");
        let text = answer.text();
        assert!(text.contains(sentence) && !text.contains("<b>"), "{text}");
    }
    let form = fields("switch", "perhaps");
    assert_eq!(ada.post(PAGE, &form).await.status, 200);
    let switch = "SELECT card_testing FROM terminal WHERE terminal_id = '91000001'";
    assert_eq!(app.texts(switch).await, ["default"]);
}

#[tokio::test]
async fn others_see_and_change_nothing() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let foreign = "/office/card-testing/92000001";
    assert_eq!(ada.get(foreign).await.status, 404);
    let answer = ada.post(foreign, &fields("switch", "off")).await;
    assert_eq!(answer.status, 404);
    let otto = Person::logged_in(&app, "otto", "operator").await;
    for path in ["/office/card-testing", PAGE] {
        assert_eq!(otto.get(path).await.status, 403, "{path}");
    }
    let answer = otto.post(PAGE, &fields("switch", "off")).await;
    assert_eq!(answer.status, 403);
}
