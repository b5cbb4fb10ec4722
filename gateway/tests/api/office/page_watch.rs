//! Watched pages in the back office: the inventory, what was found, who decides, and the export.

use super::{Person, command};
use crate::harness::TestApp;
use crate::page_watch::{PAGE, PARTS, TERMINAL, changes, load, session, watched};

const LIST: &str = "/office/page-watch";
const ENTRIES: &str =
    "/office/page-watch/91000001/entries?page=https%3A%2F%2Fshop.example%2Fcheckout";
const SETTING: &str = "/office/page-watch/91000001";

/// The address of the entry with this word in its row.
async fn entry(person: &Person<'_>, word: &str) -> String {
    let page = person.get(ENTRIES).await.text();
    let row = page.split("<tr>").find(|row| row.contains(word)).unwrap();
    let (_, address) = row.split_once("href=\"").unwrap();
    let (address, _) = address.split_once('"').unwrap();
    address.replace("&#38;", "&").replace("&amp;", "&")
}

fn decision<'a>(decision: &'a str, justification: &'a str) -> [(&'a str, &'a str); 4] {
    [
        ("decision", decision),
        ("justification", justification),
        ("varies", ""),
        ("page", PAGE),
    ]
}

#[tokio::test]
async fn an_administrator_turns_the_watch_on_and_off() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    assert!(ada.get(LIST).await.text().contains("No page was reported"));
    for (typed, shown) in [("1", "Every load"), ("20", "1 load of 20")] {
        assert_eq!(ada.post(SETTING, &[("one_of", typed)]).await.status, 303);
        let page = ada.get(LIST).await.text();
        assert!(page.contains(shown), "{page}");
    }
    for wrong in ["", "-1", "10001", "many"] {
        let answer = ada.post(SETTING, &[("one_of", wrong)]).await;
        assert_eq!(answer.status, 400, "{wrong}");
        assert!(
            answer
                .text()
                .contains("Type a whole number from 0 to 10000.")
        );
    }
    ada.post(SETTING, &[("one_of", "0")]).await;
    assert!(!ada.get(LIST).await.text().contains("1 load of 20"));
    let log = app.texts("SELECT detail FROM audit_entry WHERE act = 'CHANGE_TERMINAL'");
    assert_eq!(log.await.last().unwrap(), "page_watch=off");
}

#[tokio::test]
async fn what_is_found_is_decided_with_a_justification_and_exported() {
    let app = TestApp::new().await;
    watched(&app).await;
    let session_id = session(&app, "O1").await;
    load(&app, &session_id, PAGE, &PARTS).await;
    let changed = [PARTS[0], ("SCRIPT", "metrics2"), PARTS[2], PARTS[3]];
    load(&app, &session_id, PAGE, &changed).await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let list = ada.get(LIST).await.text();
    assert!(list.contains("1 change to decide"), "{list}");
    let entries = ada.get(ENTRIES).await.text();
    for shown in [
        "To authorize",
        "Changed",
        "Gone",
        "https://cdn.example/metrics.js",
    ] {
        assert!(entries.contains(shown), "{shown}: {entries}");
    }
    let open = ada.get(&format!("{ENTRIES}&state=open")).await.text();
    assert!(open.contains("metrics.js") && !open.contains("gateway.js"));
    let found = entry(&ada, ">Changed<").await;
    let shown = ada.get(&found).await.text();
    assert!(
        shown.contains("metrics2") && shown.contains("metrics1"),
        "{shown}"
    );
    let without = ada.post(&found, &decision("authorize", "  ")).await;
    assert_eq!(without.status, 400);
    assert!(without.text().contains("Write why"));
    let kept = ada
        .post(&found, &decision("authorize", "=Measures visits"))
        .await;
    assert_eq!(kept.status, 303);
    let entries = ada.get(ENTRIES).await.text();
    assert!(entries.contains("Authorized") && entries.contains("=Measures visits"));
    assert!(ada.get(LIST).await.text().contains("No open change"));
    let sheet = ada.get("/office/page-watch.csv").await;
    let text = sheet.text();
    let row = text.lines().find(|line| line.contains("metrics2")).unwrap();
    assert!(
        row.contains("'=Measures visits") && row.contains("ada"),
        "{row}"
    );
    assert!(
        row.contains("Authorized") && row.contains("metrics1"),
        "{row}"
    );
    assert_eq!(text.lines().count(), 6, "{text}");
    ada.post(&found, &decision("withdraw", "No longer needed"))
        .await;
    assert!(ada.get(ENTRIES).await.text().contains("Not authorized"));
    let log = app.texts(
        "SELECT act || ' ' || detail FROM audit_entry WHERE act LIKE '%PAGE_ENTRY' ORDER BY seq",
    );
    assert_eq!(
        log.await,
        [
            "AUTHORIZE_PAGE_ENTRY SCRIPT https://cdn.example/metrics.js: =Measures visits",
            "WITHDRAW_PAGE_ENTRY SCRIPT https://cdn.example/metrics.js: No longer needed",
        ]
    );
}

#[tokio::test]
async fn what_is_not_allowed_is_an_alarm_whenever_it_comes_back() {
    let app = TestApp::new().await;
    watched(&app).await;
    let session_id = session(&app, "O2").await;
    let skimmer = [&PARTS[..], &[("SCRIPT", "skimmer1")]].concat();
    load(&app, &session_id, PAGE, &PARTS).await;
    load(&app, &session_id, PAGE, &skimmer).await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let found = entry(&ada, "skimmer").await;
    app.pass(1).await;
    ada.post(&found, &decision("withdraw", "Removed from the shop"))
        .await;
    app.pass(1).await;
    load(&app, &session_id, PAGE, &PARTS).await;
    load(&app, &session_id, PAGE, &skimmer).await;
    let told = changes(&app).await;
    let added: Vec<u64> = told
        .iter()
        .map(|change| change["added"].as_u64().unwrap())
        .collect();
    // New, gone, back.
    assert_eq!(added, [1, 0, 1]);
}

#[tokio::test]
async fn what_differs_at_each_load_is_an_alarm_until_a_member_says_so() {
    let app = TestApp::new().await;
    watched(&app).await;
    let session_id = session(&app, "O3").await;
    load(&app, &session_id, PAGE, &PARTS).await;
    let with = |token: &'static str| [PARTS[0], PARTS[1], ("INLINE", token), PARTS[3]];
    load(&app, &session_id, PAGE, &with("start2")).await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let found = entry(&ada, ">Changed<").await;
    let mut fields = decision("authorize", "Has the number of the visit");
    fields[2].1 = "on";
    assert_eq!(ada.post(&found, &fields).await.status, 303);
    for token in ["start3", "start4", "start5"] {
        load(&app, &session_id, PAGE, &with(token)).await;
    }
    assert_eq!(changes(&app).await.len(), 1);
    // The twin: another place is no such script.
    load(
        &app,
        &session_id,
        PAGE,
        &[&with("start6")[..], &[("INLINE", "other1")]].concat(),
    )
    .await;
    assert_eq!(changes(&app).await.len(), 2);
}

#[tokio::test]
async fn viewers_read_and_do_not_decide_and_other_merchants_see_nothing() {
    let app = TestApp::new().await;
    watched(&app).await;
    let session_id = session(&app, "O4").await;
    load(&app, &session_id, PAGE, &PARTS).await;
    let victor = Person::logged_in(&app, "victor", "viewer").await;
    let found = entry(&victor, "metrics").await;
    assert!(!victor.get(&found).await.text().contains("textarea"));
    assert_eq!(
        victor
            .post(&found, &decision("authorize", "x"))
            .await
            .status,
        403
    );
    assert_eq!(victor.get(SETTING).await.status, 403);
    assert_eq!(victor.post(SETTING, &[("one_of", "0")]).await.status, 403);
    command(&app, &["merchant", "add", "blumen", "Blumenladen"])
        .await
        .unwrap();
    let olga = Person::of_merchant(&app, "blumen", "olga", "administrator").await;
    for path in [ENTRIES, &found, SETTING] {
        assert_eq!(olga.get(path).await.status, 404, "{path}");
    }
    assert_eq!(
        olga.post(&found, &decision("authorize", "x")).await.status,
        404
    );
    assert_eq!(olga.post(SETTING, &[("one_of", "0")]).await.status, 404);
    let sheet = olga.get("/office/page-watch.csv").await.text();
    assert_eq!(sheet.lines().count(), 1, "{sheet}");
    assert!(!olga.get(LIST).await.text().contains(TERMINAL));
}
