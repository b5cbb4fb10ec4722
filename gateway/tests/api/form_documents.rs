//! Which documents of a form show saved cards, and what somebody gets who has the session's id and no such document.

use crate::harness::{APPROVED, TestApp, build_form};
use crate::saved_cards::form::{Tab, enter, items, keep, remove, shown, shown_by, with_saved};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

const NONE: Vec<Value> = Vec::new();

/// A gateway whose customer has a saved card, and a session that shows it.
async fn with_card() -> (TestApp, String) {
    let app = TestApp::with_dist().await;
    keep(&app, "K1", APPROVED).await;
    let session = app.open(&with_saved("A1", "USE_AND_REMOVE")).await;
    (app, session)
}

/// The documents of whoever has the session's id, with this end of the address.
async fn elsewhere(app: &TestApp, session: &str, rest: &str) -> String {
    let address = format!("/form/?sessionid={session}{rest}");
    let page = app.page(&address, &[]).await;
    assert_eq!(page.status, 200, "{rest}");
    assert_eq!(shown_by(&page), NONE, "{rest}");
    page.text()
}

/// K17: a tab that loads its form again finds the cards; whoever has the session's id alone gets the form without them.
#[tokio::test]
async fn saved_cards_stay_in_the_tab_that_saw_them_first() {
    let (app, session) = with_card().await;
    let mut tab = Tab::of(&app, &session);
    let cards = tab.shown().await;
    assert_eq!(cards.len(), 1);
    for _ in 0..3 {
        let text = elsewhere(&app, &session, "").await;
        assert!(!text.contains("0003") && !text.contains("2030"), "{text}");
        // What it needs to pay with another card is there.
        assert!(text.contains(r#""fields":["CARD_NUMBER""#), "{text}");
    }
    assert_eq!(tab.shown().await, cards);
    assert_eq!(tab.shown().await, cards);
    let id = &cards[0]["id"];
    let left = remove(&app, &session, id).await.ok();
    assert_eq!(left["cards"], json!([]));
}

/// The script reads the storage of its tab, so it has to be there, and to run before anything else of a document without the cards.
#[tokio::test]
async fn a_document_keeps_a_pass_or_looks_for_one() {
    let (app, session) = with_card().await;
    let mut tab = Tab::of(&app, &session);
    let script = |text: &str| {
        let (_, rest) = text.split_once("<script src=\"").unwrap();
        rest.split_once("></script>").unwrap().0.to_owned()
    };
    let first = script(&tab.load().await.text());
    let address = "/assets/form-pass.0011223344556677.js\" integrity=\"sha384-";
    assert!(first.starts_with(address), "{first}");
    let pass = tab.pass.clone().unwrap();
    assert!(first.ends_with(&format!("\" crossorigin async data-pass=\"{pass}\"")));
    let second = elsewhere(&app, &session, "").await;
    let (before, _) = second.split_once(r#"id="boot""#).unwrap();
    let looking = script(before);
    assert!(looking.starts_with(address), "{looking}");
    assert!(!looking.contains("async") && !looking.contains("data-pass"));
}

#[tokio::test]
async fn a_pass_is_good_for_one_document_of_its_session() {
    let (app, session) = with_card().await;
    let other = app.open(&with_saved("A2", "USE")).await;
    let mut tab = Tab::of(&app, &session);
    let mut other_tab = Tab::of(&app, &other);
    tab.load().await;
    other_tab.load().await;
    let used = tab.pass.clone().unwrap();
    assert_eq!(tab.shown().await.len(), 1);
    let foreign = other_tab.pass.clone().unwrap();
    for wrong in [&used, &foreign, "", "x", &used[1..]] {
        let text = elsewhere(&app, &session, &format!("&pass={wrong}")).await;
        // The tab has been asked already.
        assert!(!text.contains("form-pass"), "{wrong}: {text}");
    }
    assert_eq!(tab.shown().await.len(), 1, "its own pass is still good");
    // Another process knows it, too.
    let pass = tab.pass.take();
    let app = app.restarted().await;
    let mut tab = Tab::of(&app, &session);
    tab.pass = pass;
    assert_eq!(tab.shown().await.len(), 1);
}

#[tokio::test]
async fn of_documents_that_are_loaded_at_once_one_shows_the_cards() {
    let (app, session) = with_card().await;
    let load = async || shown(&app, &session).await.len();
    let (a, b, c) = tokio::join!(load(), load(), load());
    assert_eq!(a + b + c, 1);
}

/// A window, a check whether the page is there, or a request of the merchant's page shows no form, and costs the buyer nothing.
#[tokio::test]
async fn what_is_no_frame_sees_no_card_and_takes_nobodys_turn() {
    let (app, session) = with_card().await;
    let address = format!("/form/?sessionid={session}");
    let head = Request::head(&address).body(Body::empty()).unwrap();
    assert_eq!(app.send(head).await.status, 200);
    for (destination, site) in [
        ("document", "none"),
        ("document", "cross-site"),
        ("object", "cross-site"),
        ("script", "cross-site"),
        ("empty", "cross-site"),
        ("empty", "same-site"),
    ] {
        let headers = [("sec-fetch-dest", destination), ("sec-fetch-site", site)];
        let page = app.page(&address, &headers).await;
        assert_eq!(shown_by(&page), NONE, "{destination} {site}");
        assert!(!page.text().contains("form-pass"), "{destination} {site}");
    }
    let framed = [
        ("sec-fetch-dest", "iframe"),
        ("sec-fetch-site", "cross-site"),
    ];
    let page = app.page(&address, &framed).await;
    assert_eq!(shown_by(&page).len(), 1);
}

/// A session that takes over the form of another one is loaded by that form. Its cards have the same ids, so the choice stays.
#[tokio::test]
async fn a_session_that_takes_over_shows_the_cards_to_the_form() {
    let (app, session) = with_card().await;
    let cards = shown(&app, &session).await;
    let next = app.open(&with_saved("A1", "USE_AND_REMOVE")).await;
    let address = format!("/form/?sessionid={next}&follows={session}&pass=of-the-former");
    let form = [
        ("sec-fetch-dest", "empty"),
        ("sec-fetch-site", "same-origin"),
    ];
    let page = app.page(&address, &form).await;
    assert_eq!(shown_by(&page), cards);
    assert!(
        enter(&app, &next, &items(&cards[0]["id"], "123"))
            .await
            .is_empty()
    );
}

/// The id of a card is known to documents that show it. It is good in sessions of their order, and in no other one of the customer.
#[tokio::test]
async fn the_id_of_a_card_is_unknown_in_other_orders() {
    let (app, session) = with_card().await;
    let id = shown(&app, &session).await[0]["id"].clone();
    let later = app.open(&with_saved("A2", "USE_AND_REMOVE")).await;
    assert_eq!(
        enter(&app, &later, &items(&id, "123")).await,
        [json!(["SAVED_CARD", "HF0001"])]
    );
    assert_eq!(remove(&app, &later, &id).await.refusal(), "400 PS0017");
    let own = shown(&app, &later).await[0]["id"].clone();
    assert_ne!(own, id);
    assert!(enter(&app, &later, &items(&own, "123")).await.is_empty());
    assert!(enter(&app, &session, &items(&id, "123")).await.is_empty());
}

/// A form that has no saved cards to show is the same for everybody, as often as it is loaded.
#[tokio::test]
async fn a_form_without_saved_cards_needs_no_pass() {
    let (app, _) = with_card().await;
    let mut stranger = with_saved("A3", "USE");
    stranger["order"]["customerId"] = json!("cust-8");
    for request in [build_form("A2", 1), stranger] {
        let session = app.open(&request).await;
        for _ in 0..2 {
            let text = elsewhere(&app, &session, "").await;
            assert!(!text.contains("form-pass"), "{text}");
        }
    }
}
