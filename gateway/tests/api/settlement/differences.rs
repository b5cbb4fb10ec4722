//! What differs, in the tables and in the back office.

use super::*;
use crate::acquirer_desk::Desk;
use crate::harness::APPROVED;
use crate::server_to_server::moto;
use payframe_payment_domain::settlement::Difference;
use payframe_payment_ports::acquirer::AuthorizationResult;
use payframe_payment_service::clearing_watch::ClearingWatch;
use payframe_storage::Subject;
use payframe_storage::settlements::{
    self, DifferenceFilter, DifferencePlace, DifferenceRow, DifferenceState, differences,
    open_differences,
};

/// The same before and after a comparison of now.
async fn found(app: &TestApp, filter: &DifferenceFilter<'_>) -> Vec<DifferenceRow> {
    let before = listed(app, filter).await;
    compare(app).await;
    let after = listed(app, filter).await;
    assert_eq!(before, after);
    after
}

async fn listed(app: &TestApp, filter: &DifferenceFilter<'_>) -> Vec<DifferenceRow> {
    let mut connection = app.app.store().read().await.unwrap();
    let merchant = ("demo", app.clock.now_ms());
    differences(&mut connection, merchant, filter, None, 100)
        .await
        .unwrap()
}

/// Compares the operations that came due with the files, one at a time.
async fn compare(app: &TestApp) {
    let watch = ClearingWatch {
        store: app.app.store(),
        now_ms: app.clock.now_ms(),
        piece: 1,
    };
    watch.compare_all().await.unwrap();
}

/// The orders of the operations that are kept, oldest first.
async fn kept(app: &TestApp) -> Vec<String> {
    app.texts(
        "SELECT o.order_id FROM settlement_unmatched u JOIN operation o ON o.operation_id = u.operation_id ORDER BY u.time_ms",
    )
    .await
}

/// In short, in the order of the list.
fn short(found: &[DifferenceRow]) -> Vec<String> {
    let line = |one: &DifferenceRow| {
        let about = one.order_id.as_deref().or(one.reference.as_deref());
        format!("{} {}", one.difference.code(), about.unwrap_or_default())
    };
    found.iter().map(line).collect()
}

pub(super) async fn all(app: &TestApp) -> Vec<String> {
    short(&found(app, &DifferenceFilter::default()).await)
}

#[tokio::test]
async fn an_operation_that_no_file_has_is_missed_after_days_until_one_has_it() {
    let app = TestApp::new().await;
    let early = paid(&app, IMPLICIT, "A0", "EUR").await;
    app.pass(2 * DAY).await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let refund = done(&app, &sale, "refunds", 2500).await;
    paid(&app, EXPLICIT, "A2", "EUR").await;
    let first = line("SALE", &sale, "100.00").replace("2026-11-20", "2026-11-22");
    import(&app, "first.csv", &[first]).await;
    app.pass(5 * DAY - 10).await;
    assert_eq!(all(&app).await, [""; 0]);
    // Neither what is older than the first file nor what another terminal captures.
    app.pass(20).await;
    assert_eq!(all(&app).await, ["NOT_IN_FILE A1"]);
    // An older file says that there are files from an earlier day on.
    let older = line("FEE", "", "-1.00");
    import(&app, "older.csv", &[older]).await;
    assert_eq!(all(&app).await, ["NOT_IN_FILE A1", "NOT_IN_FILE A0"]);
    let rest = [
        line("REFUND", &refund, "25.00"),
        line("SALE", &early, "100.00"),
    ];
    import(&app, "rest.csv", &rest).await;
    assert_eq!(all(&app).await, [""; 0]);
    // After half a year nobody asks any more.
    paid(&app, IMPLICIT, "A3", "EUR").await;
    app.pass(180 * DAY).await;
    assert_eq!(all(&app).await, ["NOT_IN_FILE A3"]);
    app.pass(DAY).await;
    assert_eq!(all(&app).await, [""; 0]);
}

#[tokio::test]
async fn differences_are_filtered_and_listed_page_by_page() {
    let app = TestApp::new().await;
    let month = month(&app).await;
    app.pass(6 * DAY).await;
    for (difference, expected) in [
        (Difference::AmountDiffers, vec!["AMOUNT_DIFFERS A2"]),
        (Difference::NotInFile, vec!["NOT_IN_FILE A2"]),
        (Difference::BookedTwice, vec![]),
    ] {
        let filter = DifferenceFilter {
            difference: Some(difference),
            ..DifferenceFilter::default()
        };
        assert_eq!(short(&found(&app, &filter).await), expected);
    }
    let of_file = DifferenceFilter {
        file_id: Some(&month.file_id),
        state: Some(DifferenceState::Open),
        ..DifferenceFilter::default()
    };
    assert_eq!(found(&app, &of_file).await.len(), 2);
    let cleared = DifferenceFilter {
        state: Some(DifferenceState::Cleared),
        ..DifferenceFilter::default()
    };
    assert!(found(&app, &cleared).await.is_empty());
    let mut connection = app.app.store().read().await.unwrap();
    let mut pages = Vec::new();
    let mut place: Option<DifferencePlace> = None;
    loop {
        let merchant = ("demo", app.clock.now_ms());
        let filter = DifferenceFilter::default();
        let page = differences(&mut connection, merchant, &filter, place.as_ref(), 1)
            .await
            .unwrap();
        let Some(last) = page.last() else { break };
        place = Some(last.place());
        pages.extend(short(&page));
    }
    assert_eq!(pages, all(&app).await);
    assert_eq!(pages.len(), 3);
}

#[tokio::test]
async fn what_was_given_back_on_the_same_day_is_not_missed() {
    let app = TestApp::new().await;
    let month = month(&app).await;
    let sale = paid(&app, IMPLICIT, "A4", "EUR").await;
    done(&app, &sale, "refunds", 10000).await;
    app.pass(6 * DAY).await;
    assert_eq!(
        crate::actions::stands(&app, &sale).await,
        "AUTHORIZATION/VOIDED"
    );
    let missed = found(
        &app,
        &DifferenceFilter {
            difference: Some(Difference::NotInFile),
            ..DifferenceFilter::default()
        },
    )
    .await;
    assert_eq!(short(&missed), ["NOT_IN_FILE A2"]);
    let told = import(&app, "june.csv", &[line("SALE", &sale, "100.00")]).await;
    assert!(told.contains("1 lines: 1 agree"), "{told}");
    assert_ne!(month.sale, sale);
}

#[tokio::test]
async fn only_what_the_acquirer_of_the_file_was_asked_for_is_missed() {
    let desk = Desk::with(AuthorizationResult::Approved);
    let app = desk.app().await;
    app.merchant()
        .post("/orders/moto", &moto("A1", APPROVED))
        .await
        .ok();
    import(&app, "first.csv", &[line("FEE", "", "-1.00")]).await;
    app.pass(6 * DAY).await;
    assert_eq!(all(&app).await, ["NOT_IN_FILE A1"]);
    app.change("UPDATE settlement_scope SET acquirer = 'first'")
        .await;
    assert_eq!(all(&app).await, ["NOT_IN_FILE A1"]);
    app.change("UPDATE settlement_scope SET acquirer = 'second'")
        .await;
    assert_eq!(all(&app).await, [""; 0]);
}

#[tokio::test]
async fn a_comparison_keeps_what_no_file_has_and_reads_the_rest_once() {
    let app = TestApp::new().await;
    import(&app, "first.csv", &[line("FEE", "", "-1.00")]).await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    paid(&app, IMPLICIT, "A2", "EUR").await;
    paid(&app, IMPLICIT, "A3", "EUR").await;
    app.pass(DAY).await;
    paid(&app, IMPLICIT, "A4", "EUR").await;
    let second = line("SALE", &sale, "100.00");
    import(&app, "second.csv", &[second]).await;
    app.pass(5 * DAY - 10).await;
    compare(&app).await;
    assert_eq!(kept(&app).await, ["A2", "A3"]);
    // Without these rows, what was compared is not asked for again.
    app.change("DELETE FROM settlement_unmatched").await;
    assert_eq!(all(&app).await, [""; 0]);
    app.pass(20).await;
    assert_eq!(all(&app).await, ["NOT_IN_FILE A4"]);
    assert_eq!(kept(&app).await, ["A4"]);
    // The import of a file that begins earlier compares all of it again.
    let older = line("FEE", "", "-2.00").replace("2026-11-20", "2026-11-19");
    import(&app, "older.csv", &[older]).await;
    assert_eq!(kept(&app).await, ["A2", "A3", "A4"]);
    let missed = ["NOT_IN_FILE A4", "NOT_IN_FILE A3", "NOT_IN_FILE A2"];
    assert_eq!(all(&app).await, missed);
    assert_eq!(kept(&app).await, ["A2", "A3", "A4"]);
    app.pass(175 * DAY - DAY / 2).await;
    assert_eq!(all(&app).await, ["NOT_IN_FILE A4"]);
    assert_eq!(kept(&app).await, ["A4"]);
}

#[tokio::test]
async fn a_comparison_that_a_file_overtakes_writes_nothing() {
    let app = TestApp::new().await;
    import(&app, "first.csv", &[line("FEE", "", "-1.00")]).await;
    paid(&app, IMPLICIT, "A1", "EUR").await;
    app.pass(6 * DAY).await;
    let store = app.app.store();
    let mut connection = store.read().await.unwrap();
    let scopes = settlements::scopes(&mut connection, None).await.unwrap();
    let span = scopes[0].due(app.clock.now_ms()).unwrap();
    let older = line("FEE", "", "-2.00").replace("2026-11-20", "2026-11-19");
    import(&app, "older.csv", &[older]).await;
    assert_eq!(all(&app).await, ["NOT_IN_FILE A1"]);
    // What the import has compared.
    app.change("DELETE FROM settlement_unmatched").await;
    let mut change = store.write(Subject::Statement).await.unwrap();
    let is_kept = settlements::keep(&mut change, &scopes[0], span);
    assert!(!is_kept.await.unwrap());
    drop(change);
    assert_eq!(kept(&app).await, [""; 0]);
}

#[tokio::test]
async fn what_has_no_result_when_it_is_compared_is_missed_once_it_has_one() {
    let app = TestApp::new().await;
    import(&app, "first.csv", &[line("FEE", "", "-1.00")]).await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    app.pass(6 * DAY).await;
    let to = |result: &str| {
        format!("UPDATE operation SET result = '{result}' WHERE operation_id = '{sale}'").leak()
    };
    app.change(to("PENDING")).await;
    assert_eq!(all(&app).await, [""; 0]);
    app.change(to("EXECUTED")).await;
    assert_eq!(all(&app).await, ["NOT_IN_FILE A1"]);
}

#[tokio::test]
async fn open_differences_are_counted() {
    let app = TestApp::new().await;
    month(&app).await;
    for order_id in ["A3", "A4"] {
        paid(&app, IMPLICIT, order_id, "EUR").await;
    }
    app.pass(6 * DAY).await;
    // Three are missed, and at most two are counted.
    for _ in 0..2 {
        let mut connection = app.app.store().read().await.unwrap();
        let merchant = ("demo", app.clock.now_ms());
        let mut open = open_differences(&mut connection, merchant, 2)
            .await
            .unwrap();
        open.sort_by_key(|(difference, _)| difference.code());
        assert_eq!(
            open,
            [
                (Difference::AmountDiffers, 1),
                (Difference::NotInBooks, 1),
                (Difference::NotInFile, 2)
            ]
        );
        compare(&app).await;
    }
}
