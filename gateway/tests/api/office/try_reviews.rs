//! The queue of stopped tries: an administrator decides whether they were of real buyers or of a bot, until an end.

use super::Person;
use crate::card_testing::{Try, any_address, any_number, guarded};
use crate::harness::{APPROVED, OWN_MERCHANT, TestApp, short};
use serde_json::Value;

const QUEUE: &str = "/office/card-testing/reviews";
const DECIDED: &str = "/office/card-testing/decided";

/// The address of an office, and of a bot.
const SHARED: &str = "203.0.113.9";

/// So many tries from one address that the next one is refused.
const LIMIT: u32 = 12;

fn from_shared(number: String) -> Try {
    Try {
        number,
        address: SHARED.to_owned(),
    }
}

async fn rule_of_good_card(app: &TestApp, order: &str) -> Option<String> {
    let state = app.try_card(order, &from_shared(APPROVED.to_owned())).await;
    match state["operation"]["additionalData"]["cardTestingRule"] {
        Value::String(ref rule) => Some(rule.clone()),
        _ => {
            let paid = "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED";
            assert_eq!(short(&state), paid);
            None
        }
    }
}

/// A gateway where an address is at its limit, and two honest buyers from there were refused.
async fn refused() -> TestApp {
    let app = guarded().await;
    for count in 0..LIMIT {
        let order = format!("B{count}");
        app.try_card(&order, &from_shared(any_number(count))).await;
    }
    for order in ["H1", "H2"] {
        let rule = rule_of_good_card(&app, order).await;
        assert_eq!(rule.as_deref(), Some("ADDRESS"));
    }
    app
}

/// The page of the only group in the queue.
async fn only_group(ada: &Person<'_>) -> String {
    let queue = ada.get(QUEUE).await.text();
    let link = format!("href=\"{QUEUE}/");
    let mut links = queue.match_indices(&link);
    let (start, _) = links.next().unwrap_or_else(|| panic!("{queue}"));
    assert_eq!(links.next(), None, "{queue}");
    let address = &queue[start + "href=\"".len()..];
    address.split_once('"').unwrap().0.to_owned()
}

fn decision<'a>(verdict: &'a str, term: &'a str, reason: &'a str) -> [(&'a str, &'a str); 3] {
    [("verdict", verdict), ("term", term), ("reason", reason)]
}

#[tokio::test]
async fn real_buyers_are_let_through_until_the_end_that_was_chosen() {
    let app = refused().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let group = only_group(&ada).await;
    let page = ada.get(&group).await.text();
    for words in [
        "2 stopped",
        "Tries from this address are refused until then.",
        "Tries from this address are not stopped by this rule until then.",
        "/office/orders/H1",
        "/office/orders/H2",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let wrong = ada.post(&group, &decision("BUYERS", "hour", " ")).await;
    assert_eq!(wrong.status, 400);
    assert!(wrong.text().contains("Write why"), "{}", wrong.text());
    let kept = ada
        .post(&group, &decision("BUYERS", "hour", "Our own office"))
        .await;
    assert_eq!(kept.status, 303);
    assert_eq!(
        kept.header("location"),
        Some("/office/card-testing/reviews?done=decided")
    );
    // The same form again changes nothing.
    let again = ada.post(&group, &decision("ATTACK", "month", "Slip")).await;
    assert_eq!(
        again.header("location"),
        Some("/office/card-testing/reviews?done=before")
    );
    assert!(
        ada.get(QUEUE)
            .await
            .text()
            .contains("Nothing waits for a decision.")
    );
    assert_eq!(ada.get(&group).await.status, 404);
    let decided = ada.get(DECIDED).await.text();
    for words in [
        "2 tries from one address",
        "Real buyers",
        "Our own office",
        "ada",
        "End now",
    ] {
        assert!(decided.contains(words), "{words}: {decided}");
    }
    let log = app
        .texts("SELECT detail FROM audit_entry WHERE act = 'REVIEW_TRIES'")
        .await;
    assert_eq!(
        log,
        ["ADDRESS BUYERS for one hour, after 2 tries: Our own office"]
    );
    assert_eq!(rule_of_good_card(&app, "H3").await, None);
    // The other rules go on, and so does this one at its end.
    app.pass(3_700).await;
    assert_eq!(
        rule_of_good_card(&app, "H4").await.as_deref(),
        Some("ADDRESS")
    );
    let ada = Person::logged_in(&app, "ada2", "administrator").await;
    assert!(
        ada.get(&only_group(&ada).await)
            .await
            .text()
            .contains("1 stopped")
    );
    assert!(!ada.get(DECIDED).await.text().contains("End now"));
}

#[tokio::test]
async fn an_attack_is_stopped_also_when_its_tries_count_no_more_until_somebody_ends_it() {
    let app = refused().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let group = only_group(&ada).await;
    ada.post(
        &group,
        &decision("ATTACK", "week", "A list of stolen cards"),
    )
    .await;
    app.pass(86_500).await;
    app.app.due_work().tidy_up().await;
    assert_eq!(app.count("SELECT count(*) FROM card_try").await, 0);
    assert_eq!(
        rule_of_good_card(&app, "H3").await.as_deref(),
        Some("ADDRESS")
    );
    let elsewhere = Try {
        number: APPROVED.to_owned(),
        address: any_address(7),
    };
    let state = app.try_card("H4", &elsewhere).await;
    assert_eq!(short(&state), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    // What a decision in force stops, is decided.
    let ada = Person::logged_in(&app, "ada2", "administrator").await;
    assert!(ada.get(QUEUE).await.text().contains("Nothing waits"));
    let decided = ada.get(DECIDED).await.text();
    let (_, rest) = decided.split_once(&format!("action=\"{DECIDED}/")).unwrap();
    let end = format!("{DECIDED}/{}", rest.split_once('"').unwrap().0);
    let otto = Person::logged_in(&app, "otto", "operator").await;
    assert_eq!(otto.post(&end, &[]).await.status, 403);
    let fay = Person::of_merchant(&app, &own_shop(&app).await, "fay", "administrator").await;
    let foreign = fay.post(&end, &[]).await;
    assert_eq!(
        foreign.header("location"),
        Some("/office/card-testing/decided?done=over")
    );
    assert_eq!(
        rule_of_good_card(&app, "H5").await.as_deref(),
        Some("ADDRESS")
    );
    let ended = ada.post(&end, &[]).await;
    assert_eq!(
        ended.header("location"),
        Some("/office/card-testing/decided?done=ended")
    );
    let again = ada.post(&end, &[]).await;
    assert_eq!(
        again.header("location"),
        Some("/office/card-testing/decided?done=over")
    );
    assert_eq!(rule_of_good_card(&app, "H6").await, None);
    let log = app
        .texts("SELECT detail FROM audit_entry WHERE act = 'END_REVIEW'")
        .await;
    assert_eq!(log, ["ADDRESS ATTACK"]);
}

#[tokio::test]
async fn nobody_else_decides_and_no_hash_is_shown() {
    let app = refused().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let group = only_group(&ada).await;
    let page = ada.get(&group).await.text();
    let hashes = app
        .texts("SELECT DISTINCT rule_subject FROM card_try WHERE rule IS NOT NULL")
        .await;
    assert_eq!(hashes.len(), 1);
    assert!(
        !page.contains(&hashes[0]) && !page.contains(SHARED),
        "{page}"
    );
    let form = decision("BUYERS", "day", "Why not");
    let otto = Person::logged_in(&app, "otto", "operator").await;
    for path in [QUEUE, DECIDED, &group] {
        assert_eq!(otto.get(path).await.status, 403, "{path}");
    }
    assert_eq!(otto.post(&group, &form).await.status, 403);
    let fay = Person::of_merchant(&app, &own_shop(&app).await, "fay", "administrator").await;
    assert!(fay.get(QUEUE).await.text().contains("Nothing waits"));
    assert_eq!(fay.get(&group).await.status, 404);
    fay.post(&group, &form).await;
    // Without the token of a page of the log-in.
    assert_eq!(ada.send(&group, &form, &[]).await.status, 403);
    for (verdict, term) in [("PERHAPS", "day"), ("BUYERS", "year")] {
        let answer = ada.post(&group, &decision(verdict, term, "Why")).await;
        assert_eq!(answer.status, 400, "{verdict} {term}");
    }
    assert_eq!(app.count("SELECT count(*) FROM card_try_review").await, 0);
}

async fn own_shop(app: &TestApp) -> String {
    app.own_shop().await;
    OWN_MERCHANT.to_owned()
}
