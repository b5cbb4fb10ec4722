//! What differs, in the tables and in the back office.

use super::*;
use crate::acquirer_desk::Desk;
use crate::harness::APPROVED;
use crate::server_to_server::moto;
use payframe_payment_domain::settlement::Difference;
use payframe_payment_ports::acquirer::AuthorizationResult;
use payframe_storage::settlements::{
    DifferenceFilter, DifferencePlace, DifferenceRow, DifferenceState, differences,
};

async fn found(app: &TestApp, filter: &DifferenceFilter<'_>) -> Vec<DifferenceRow> {
    let mut connection = app.app.store().read().await.unwrap();
    let merchant = ("demo", app.clock.now_ms());
    differences(&mut connection, merchant, filter, None, 100)
        .await
        .unwrap()
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
        place = Some(DifferencePlace {
            at_ms: last.at_ms,
            target: last.target.to_string(),
        });
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
