//! Moving money by hand: who may do it, how much may be moved, and that it happens once.

use super::{Person, field, second_factor};
use crate::harness::{APPROVED, Answer, OWN_MERCHANT, TestApp, build};
use crate::lists::paid;
use serde_json::Value;

/// An order of €35.45 paid with a terminal's key; returns the address of an action on its payment.
async fn paid_order(app: &TestApp, api_key: &str, act: &str) -> String {
    paid(app, api_key, &build("A1"), APPROVED).await;
    let order = app.order("A1").await;
    act_on(&order["operations"][0], act)
}

fn act_on(operation: &Value, act: &str) -> String {
    let id = operation["operationId"].as_str().unwrap();
    format!("/office/orders/A1/{id}/{act}")
}

/// The fields that the form of a page sends.
fn fields(page: &Answer, amount: &str) -> Vec<(&'static str, String)> {
    vec![
        ("key", field(page, "key")),
        ("most", field(page, "most")),
        ("amount", amount.to_owned()),
        ("description", String::from("as agreed")),
    ]
}

async fn send(person: &Person<'_>, path: &str, fields: &[(&'static str, String)]) -> Answer {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    person.post(path, &fields).await
}

/// Goes through both pages. Returns what was sent last, with its answer.
async fn moved(
    person: &Person<'_>,
    path: &str,
    amount: &str,
) -> (Vec<(&'static str, String)>, Answer) {
    let page = person.get(path).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let mut fields = fields(&page, amount);
    let asked = send(person, path, &fields).await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    assert_eq!(field(&asked, "key"), field(&page, "key"));
    assert_eq!(field(&asked, "confirmed"), "yes");
    fields.push(("confirmed", String::from("yes")));
    let answer = send(person, path, &fields).await;
    (fields, answer)
}

/// Types and results of an order's operations, with their amounts.
async fn operations(app: &TestApp) -> Vec<String> {
    let operations = app.operations("A1").await;
    let operations = operations.as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    operations
        .iter()
        .map(|operation| {
            format!(
                "{} {} {}",
                text(&operation["operationType"]),
                text(&operation["operationResult"]),
                text(&operation["operationAmount"])
            )
        })
        .collect()
}

async fn audited(app: &TestApp) -> Vec<String> {
    app.texts(
        "SELECT act || ' ' || subject || ', ' || detail FROM audit_entry WHERE act NOT LIKE '%LOG%' AND act NOT LIKE '%MEMBER' ORDER BY seq",
    )
    .await
}

#[tokio::test]
async fn a_part_is_given_back_after_it_was_confirmed_and_it_is_written_down_who_did_it() {
    let app = TestApp::new().await;
    let path = paid_order(&app, "sandbox-implicit", "refund").await;
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let order = person.get("/office/orders/A1").await.text();
    assert!(order.contains(&format!("href=\"{path}\"")), "{order}");
    assert!(order.contains("€0.01 to €35.45"), "the bounds: {order}");
    let (_, answer) = moved(&person, &path, "10,50").await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/office/orders/A1?done=refund"))
    );
    assert_eq!(
        operations(&app).await,
        ["AUTHORIZATION EXECUTED 3545", "REFUND EXECUTED 1050"]
    );
    let page = person.get("/office/orders/A1?done=refund").await.text();
    assert!(page.contains("The refund was requested."), "{page}");
    assert!(page.contains("€0.01 to €24.95"), "what is left: {page}");
    assert!(page.contains("Partly refunded"));
    let refund = app.operations("A1").await[1].clone();
    assert_eq!(refund["channel"], "BACKOFFICE");
    let payment = path.split('/').nth(4).unwrap();
    let refund = refund["operationId"].as_str().unwrap();
    assert_eq!(
        audited(&app).await,
        [
            format!("REFUND order A1, Refund €10.50 of operation {payment}: begun"),
            format!("REFUND order A1, Refund €10.50 of operation {payment}: operation {refund}"),
        ]
    );
    let note = app.texts("SELECT description FROM operation WHERE description IS NOT NULL");
    assert_eq!(note.await, ["as agreed"]);
}

/// An approval of a sandbox is not money that can be refunded in production.
#[tokio::test]
async fn nothing_is_moved_where_there_is_no_acquirer() {
    let app = TestApp::in_sandbox(|sandbox| sandbox.merchants = false).await;
    let key = app.own_shop().await;
    paid(&app, &key, &build("A1"), APPROVED).await;
    let order = app.key(&key).get("/orders/A1").await.ok();
    let path = act_on(&order["operations"][0], "refund");
    let app = app.passed_off_as_production().await;
    let person = Person::of_merchant(&app, OWN_MERCHANT, "olaf", "operator").await;
    second_factor::set_up(&app, &person).await;
    let (_, answer) = moved(&person, &path, "10,50").await;
    assert_eq!(answer.status, 400);
    let said = answer.text();
    assert!(said.contains("the terminal has no acquirer"), "{said}");
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 1);
}

#[tokio::test]
async fn a_form_that_is_sent_twice_moves_money_once() {
    let app = TestApp::new().await;
    let path = paid_order(&app, "sandbox-implicit", "refund").await;
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let (mut fields, _) = moved(&person, &path, "10").await;
    let again = send(&person, &path, &fields).await;
    assert_eq!(
        again.header("location"),
        Some("/office/orders/A1?done=before")
    );
    // The same form with another amount, or after everything was refunded, is not carried out again.
    fields[2].1 = String::from("11");
    let other = send(&person, &path, &fields).await;
    assert_eq!(
        other.header("location"),
        Some("/office/orders/A1?done=before")
    );
    moved(&person, &path, "25.45").await;
    let late = send(&person, &path, &fields).await;
    assert_eq!(
        late.header("location"),
        Some("/office/orders/A1?done=before")
    );
    assert_eq!(
        operations(&app).await,
        [
            "AUTHORIZATION REFUNDED 3545",
            "REFUND EXECUTED 1000",
            "REFUND EXECUTED 2545"
        ]
    );
}

#[tokio::test]
async fn two_clicks_at_once_move_money_once() {
    let app = TestApp::new().await;
    let path = paid_order(&app, "sandbox-explicit", "increment").await;
    // Only a pre-authorization can be increased. This refusal must not be stored as an answer.
    let person = Person::logged_in(&app, "olaf", "operator").await;
    assert_eq!(person.get(&path).await.status, 400);
    let path = path.replace("increment", "capture");
    let page = person.get(&path).await;
    let mut fields = fields(&page, "10");
    fields.push(("confirmed", String::from("yes")));
    let (one, other) = tokio::join!(send(&person, &path, &fields), send(&person, &path, &fields));
    let mut went: Vec<_> = [&one, &other]
        .iter()
        .map(|answer| answer.header("location").unwrap_or("").to_owned())
        .collect();
    went.sort();
    assert_eq!(
        went,
        [
            "/office/orders/A1?done=before",
            "/office/orders/A1?done=capture"
        ]
    );
    assert_eq!(
        operations(&app).await,
        ["AUTHORIZATION AUTHORIZED 3545", "CAPTURE EXECUTED 1000"]
    );
}

#[tokio::test]
async fn an_amount_that_is_not_possible_is_said_and_kept() {
    let app = TestApp::new().await;
    let path = paid_order(&app, "sandbox-implicit", "refund").await;
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let page = person.get(&path).await;
    assert_eq!(field(&page, "amount"), "35.45");
    for (typed, sentence) in [
        ("35.46", "Possible: €0.01 to €35.45."),
        ("0", "Possible: €0.01 to €35.45."),
        ("", "Write an amount."),
        (
            "10.005",
            "Write a number of EUR with at most 2 digits behind the point, as in 1234.56.",
        ),
        (
            "1,000.00",
            "Write a number of EUR with at most 2 digits behind the point, as in 1234.56.",
        ),
    ] {
        for confirmed in ["", "yes"] {
            let mut fields = fields(&page, typed);
            fields.push(("confirmed", confirmed.to_owned()));
            let answer = send(&person, &path, &fields).await;
            let said = format!("<p class=\"wrong\" id=\"amount-wrong\">{sentence}</p>");
            assert_eq!(answer.status, 400, "{typed}");
            assert!(answer.text().contains(&said), "{typed}: {}", answer.text());
            assert_eq!(field(&answer, "amount"), typed);
            assert_eq!(field(&answer, "description"), "as agreed");
        }
    }
    assert_eq!(operations(&app).await, ["AUTHORIZATION EXECUTED 3545"]);
    assert!(audited(&app).await.is_empty());
}

#[tokio::test]
async fn bounds_that_changed_meanwhile_are_shown_before_anything_is_done() {
    let app = TestApp::new().await;
    let path = paid_order(&app, "sandbox-implicit", "refund").await;
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let page = person.get(&path).await;
    moved(&person, &path, "10").await;
    let mut stale = fields(&page, "10");
    stale.push(("confirmed", String::from("yes")));
    let answer = send(&person, &path, &stale).await;
    assert_eq!(answer.status, 400);
    let said = "What is possible has changed meanwhile. Now: €0.01 to €25.45.";
    assert!(answer.text().contains(said), "{}", answer.text());
    assert_ne!(field(&answer, "key"), field(&page, "key"));
    assert_eq!(operations(&app).await.len(), 2);
}

#[tokio::test]
async fn a_viewer_sees_no_act_and_can_not_do_any() {
    let app = TestApp::new().await;
    let path = paid_order(&app, "sandbox-implicit", "refund").await;
    let person = Person::logged_in(&app, "vera", "viewer").await;
    let order = person.get("/office/orders/A1").await.text();
    assert!(!order.contains("/refund"), "{order}");
    assert_eq!(person.get(&path).await.status, 403);
    let fields = [
        ("key", "5f2b8f4e-6d53-4f0c-9f06-0f2cf1d5a001"),
        ("most", "3545"),
        ("amount", "10"),
        ("confirmed", "yes"),
    ];
    assert_eq!(person.post(&path, &fields).await.status, 403);
    assert_eq!(operations(&app).await, ["AUTHORIZATION EXECUTED 3545"]);
}

#[tokio::test]
async fn a_form_from_elsewhere_or_without_its_key_moves_nothing() {
    let app = TestApp::new().await;
    let path = paid_order(&app, "sandbox-implicit", "refund").await;
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let page = person.get(&path).await;
    let (key, token) = (field(&page, "key"), field(&page, "token"));
    let rest = [("most", "3545"), ("amount", "10"), ("confirmed", "yes")];
    let with = |first: &[(&'static str, &'static str)]| [first, &rest].concat();
    for (fields, headers, expected) in [
        (with(&[("key", "k")]), vec![], 403),
        (with(&[("key", "k"), ("token", "guessed")]), vec![], 403),
    ] {
        let answer = person.send(&path, &fields, &headers).await;
        assert_eq!(answer.status, expected, "{fields:?}");
    }
    let mut own = vec![("key", key.as_str()), ("token", token.as_str())];
    own.extend_from_slice(&rest);
    let from = [
        ("origin", "https://shop.example"),
        ("sec-fetch-site", "cross-site"),
    ];
    assert_eq!(person.send(&path, &own, &from).await.status, 403);
    assert_eq!(person.post(&path, &rest).await.status, 400, "no key");
    let odd = [&[("key", "not-a-uuid")], &rest[..]].concat();
    assert_eq!(
        person.post(&path, &odd).await.status,
        400,
        "a key of no page"
    );
    assert_eq!(operations(&app).await, ["AUTHORIZATION EXECUTED 3545"]);
}

#[tokio::test]
async fn a_capture_is_made_in_parts_and_undone_and_the_rest_released() {
    let app = TestApp::new().await;
    let path = paid_order(&app, "sandbox-explicit", "capture").await;
    let person = Person::logged_in(&app, "olaf", "operator").await;
    moved(&person, &path, "10").await;
    let operations_then = app.operations("A1").await;
    let undo = act_on(&operations_then[1], "cancel");
    let page = person.get(&undo).await;
    // Only one amount is possible, so the page does not ask for it.
    assert!(!page.text().contains("name=\"amount\""), "{}", page.text());
    let (_, answer) = moved(&person, &undo, "").await;
    assert_eq!(
        answer.header("location"),
        Some("/office/orders/A1?done=cancel")
    );
    let release = act_on(&operations_then[0], "release");
    moved(&person, &release, "").await;
    assert_eq!(
        operations(&app).await,
        [
            "AUTHORIZATION VOIDED 3545",
            "CAPTURE VOIDED 1000",
            "CANCEL EXECUTED 1000",
            "VOID VOIDED 3545",
        ]
    );
    assert!(
        person
            .get("/office/orders?status=RELEASED")
            .await
            .text()
            .contains("A1")
    );
    let gone = person.get(&path).await;
    assert_eq!(gone.status, 400);
    assert!(
        gone.text()
            .contains("The operation does not allow this now; it is: voided.")
    );
}
