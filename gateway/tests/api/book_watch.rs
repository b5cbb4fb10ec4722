//! The hourly comparison of money and goods: it reads what became due since the last one, and keeps what differs.

use crate::actions::{done, paid, paid_by};
use crate::harness::TestApp;
use crate::keys::command;
use crate::office::Person;
use payframe_gateway::maintenance;
use payframe_payment_domain::reconciliation::GracePeriods;
use payframe_payment_ports::clock::millis;
use payframe_payment_service::books::{BookWatch, Piece, compare_books, open_differences};
use payframe_storage::books::{self, Standing};
use payframe_storage::query;
use serde_json::json;
use std::time::Duration;

const MERCHANT: &str = "demo";
const IMPLICIT: &str = "sandbox-implicit";
const HOUR: u64 = 3600;
const GRACE: u64 = 15 * 60;
/// Its result comes later: it is approved.
const PENDING: &str = "4761730000008881";

impl TestApp {
    async fn tells(&self, order_id: &str, state: &str) {
        let path = format!("/orders/{order_id}/fulfilment");
        let body = json!({ "state": state });
        self.merchant().put(&path, &body).await.ok();
    }

    /// The comparison of now, two orders at a time.
    fn watch(&self) -> BookWatch<'_> {
        BookWatch {
            store: self.app.store(),
            grace: GracePeriods::to_fulfil(millis(self.config().fulfil_within)),
            now_ms: self.app.clock().now_ms(),
            piece: 2,
        }
    }

    /// The orders that are kept, each with its standing.
    async fn kept(&self) -> Vec<String> {
        self.texts("SELECT order_id || ' ' || standing FROM book_open_order ORDER BY order_id")
            .await
    }

    /// What a comparison of now finds and keeps. It is the same as that of all orders.
    async fn compared(&self) -> Vec<String> {
        let watch = self.watch();
        watch.compare_all().await.unwrap();
        let page = open_differences(watch.store, (MERCHANT, ""), 1000, watch.grace, watch.now_ms);
        let page = page.await.unwrap();
        assert_eq!(page.compared_ms, Some(watch.now_ms));
        let all = compare_books(watch.store, Some(MERCHANT), watch.grace, watch.now_ms);
        assert_eq!(page.differences, all.await.unwrap().differences);
        let line = |one: &payframe_payment_service::books::OrderDifference| {
            format!("{} {}", one.order_id, one.difference.code())
        };
        page.differences.iter().map(line).collect()
    }
}

const NONE: [&str; 0] = [];

#[tokio::test]
async fn a_difference_is_found_when_its_grace_period_is_over() {
    let app = TestApp::new().await;
    paid(&app, IMPLICIT, "A1", "EUR").await;
    app.tells("A1", "FULFILLED").await;
    app.pass(1).await;
    paid(&app, IMPLICIT, "A2", "EUR").await;
    paid(&app, IMPLICIT, "A3", "EUR").await;
    app.tells("A3", "RETURNED").await;
    assert_eq!(app.compared().await, NONE);
    app.pass(GRACE + 1).await;
    assert_eq!(app.compared().await, ["A3 CANCELED_BUT_HELD"]);
    for _ in 0..70 {
        app.clock.advance(Duration::from_secs(HOUR));
        assert_eq!(app.compared().await, ["A3 CANCELED_BUT_HELD"]);
    }
    app.clock.advance(Duration::from_secs(2 * HOUR));
    let both = ["A2 PAID_NOT_FULFILLED", "A3 CANCELED_BUT_HELD"];
    assert_eq!(app.compared().await, both);
    // After a long time, and at once again.
    app.clock.advance(Duration::from_secs(1000 * HOUR));
    assert_eq!(app.compared().await, both);
    assert_eq!(app.compared().await, both);
}

#[tokio::test]
async fn a_difference_that_is_mended_goes_and_comes_back_when_it_comes_again() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    app.tells("A1", "CANCELED").await;
    app.pass(HOUR).await;
    assert_eq!(app.compared().await, ["A1 CANCELED_BUT_HELD"]);
    done(&app, &sale, "refunds", 10000).await;
    assert_eq!(app.kept().await, ["A1 DIFFERS"]);
    assert_eq!(app.compared().await, NONE);
    assert_eq!(app.kept().await, NONE);
    app.pass(HOUR).await;
    app.tells("A1", "FULFILLED").await;
    assert_eq!(app.compared().await, NONE);
    app.pass(GRACE + 1).await;
    assert_eq!(app.compared().await, ["A1 FULFILLED_REFUNDED"]);
}

/// The result has the time of its operation, which may lie far back.
#[tokio::test]
async fn an_order_without_a_result_is_looked_at_until_it_has_one() {
    let app = TestApp::new().await;
    paid_by(&app, IMPLICIT, "A1", "EUR", "PAY", PENDING).await;
    app.tells("A1", "CANCELED").await;
    for _ in 0..3 {
        app.clock.advance(Duration::from_secs(HOUR));
        assert_eq!(app.compared().await, NONE);
        assert_eq!(app.kept().await, ["A1 UNDECIDED"]);
    }
    app.pass(0).await;
    assert_eq!(app.compared().await, ["A1 CANCELED_BUT_HELD"]);
    assert_eq!(app.kept().await, ["A1 DIFFERS"]);
}

#[tokio::test]
async fn a_dispute_that_is_won_leaves_money_that_is_held() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    app.tells("A1", "RETURNED").await;
    let disputed = json!({ "operationId": sale });
    let dispute = app.merchant().post("/test/disputes", &disputed).await.ok();
    app.pass(HOUR).await;
    assert_eq!(app.compared().await, NONE);
    app.pass(48 * HOUR).await;
    assert_eq!(app.compared().await, NONE);
    assert_eq!(app.kept().await, NONE);
    let path = format!(
        "/test/disputes/{}/result",
        dispute["disputeId"].as_str().unwrap()
    );
    let won = json!({ "result": "WON" });
    app.merchant().post(&path, &won).await.ok();
    assert_eq!(app.compared().await, ["A1 CANCELED_BUT_HELD"]);
}

/// A payment takes its time before its commit, and the clocks of processes differ: what appears behind the comparison is found by the next.
#[tokio::test]
async fn what_is_committed_late_is_found() {
    let app = TestApp::new().await;
    paid(&app, IMPLICIT, "A1", "EUR").await;
    app.pass(GRACE + 60).await;
    assert_eq!(app.compared().await, NONE);
    // Told when the grace period that is over now began.
    app.tells("A1", "CANCELED").await;
    let late = query("UPDATE order_fulfilment SET changed_ms = ?, first_ms = ?");
    let told_ms = app.watch().now_ms - millis(Duration::from_secs(GRACE + 9 * 60));
    let late = late.bind(told_ms).bind(told_ms);
    app.app.store().change(late).await.unwrap();
    app.change("UPDATE merchant_order SET last_operation_ms = last_operation_ms - 3600000")
        .await;
    assert_eq!(app.compared().await, ["A1 CANCELED_BUT_HELD"]);
}

/// A shop with five orders that differ, an hour later.
async fn shop_with_five() -> TestApp {
    let app = TestApp::new().await;
    for order_id in ["A1", "A2", "A3", "A4", "A5"] {
        paid(&app, IMPLICIT, order_id, "EUR").await;
        app.tells(order_id, "RETURNED").await;
        app.pass(60).await;
    }
    app.pass(HOUR).await;
    app
}

const ALL_FIVE: [&str; 5] = [
    "A1 CANCELED_BUT_HELD",
    "A2 CANCELED_BUT_HELD",
    "A3 CANCELED_BUT_HELD",
    "A4 CANCELED_BUT_HELD",
    "A5 CANCELED_BUT_HELD",
];

#[tokio::test]
async fn a_process_that_ends_between_two_pieces_loses_nothing() {
    let app = shop_with_five().await;
    let watch = app.watch();
    let begun = watch.begin(MERCHANT).await.unwrap();
    let Piece::Compared(next) = watch.compare_piece(MERCHANT, begun).await.unwrap() else {
        panic!("all orders in one piece");
    };
    assert_eq!(app.kept().await, ["A1 DIFFERS", "A2 DIFFERS"]);
    let written = app.count(
        "SELECT count(*) FROM book_comparison WHERE merchant_id = 'demo' AND ended_ms IS NULL",
    );
    assert_eq!(written.await, 1);
    let app = app.restarted().await;
    let again = app.watch().begin(MERCHANT).await.unwrap();
    assert_eq!(again, next);
    assert_eq!(app.compared().await, ALL_FIVE);
}

#[tokio::test]
async fn two_processes_lose_nothing_and_write_nothing_that_is_old() {
    let app = shop_with_five().await;
    let (one, other) = (app.watch(), app.watch());
    let begun = one.begin(MERCHANT).await.unwrap();
    assert_eq!(other.begin(MERCHANT).await.unwrap(), begun);
    let first = other.compare_piece(MERCHANT, begun).await.unwrap();
    assert!(matches!(first, Piece::Compared(_)));
    let second = one.compare_piece(MERCHANT, begun).await.unwrap();
    assert_eq!(second, Piece::Overtaken);
    let (one, other) = tokio::join!(one.compare_all(), other.compare_all());
    one.unwrap();
    other.unwrap();
    assert_eq!(app.compared().await, ALL_FIVE);
}

/// Judged before a change of the order, and written after another process has judged it anew.
#[tokio::test]
async fn an_old_judgement_does_not_end_a_new_difference() {
    let app = shop_with_five().await;
    let store = app.app.store();
    app.watch().compare_all().await.unwrap();
    let old = books::progress(&mut store.read().await.unwrap(), MERCHANT).await;
    let old = old.unwrap().unwrap();
    app.pass(HOUR).await;
    app.watch().compare_all().await.unwrap();
    let mut change = store
        .write(payframe_storage::Subject::Statement)
        .await
        .unwrap();
    assert!(!books::advance(&mut change, MERCHANT, &old).await.unwrap());
    drop(change);
    assert_eq!(app.compared().await, ALL_FIVE);
}

#[tokio::test]
async fn an_order_that_changes_while_it_is_compared_is_judged_again() {
    let app = shop_with_five().await;
    let watch = app.watch();
    let begun = watch.begin(MERCHANT).await.unwrap();
    let piece = watch.compare_piece(MERCHANT, begun).await.unwrap();
    assert!(matches!(piece, Piece::Compared(_)));
    // Behind the piece, and before the next one.
    for order_id in ["A1", "A5"] {
        let order = app.order(order_id).await;
        let id = order["operations"][0]["operationId"].as_str().unwrap();
        done(&app, id, "refunds", 10000).await;
    }
    app.tells("A2", "FULFILLED").await;
    assert_eq!(
        app.compared().await,
        ["A3 CANCELED_BUT_HELD", "A4 CANCELED_BUT_HELD"]
    );
}

#[tokio::test]
async fn another_time_for_the_goods_misses_no_order() {
    let app = TestApp::new().await;
    paid(&app, IMPLICIT, "A1", "EUR").await;
    app.tells("A1", "FULFILLED").await;
    app.pass(1).await;
    paid(&app, IMPLICIT, "A2", "EUR").await;
    app.clock.advance(Duration::from_secs(50 * HOUR));
    assert_eq!(app.compared().await, NONE);
    let compared_within = async |hours: u64| {
        let watch = BookWatch {
            grace: GracePeriods::to_fulfil(millis(Duration::from_secs(hours * HOUR))),
            ..app.watch()
        };
        watch.compare_all().await.unwrap();
        app.kept().await
    };
    assert_eq!(compared_within(24).await, ["A2 DIFFERS"]);
    assert_eq!(compared_within(72).await, NONE);
    app.clock.advance(Duration::from_secs(23 * HOUR));
    assert_eq!(compared_within(72).await, ["A2 DIFFERS"]);
}

#[tokio::test]
async fn a_clock_that_goes_back_misses_no_order() {
    let app = shop_with_five().await;
    let early = app.watch().now_ms;
    app.watch().compare_all().await.unwrap();
    app.clock.advance(Duration::from_secs(500 * HOUR));
    app.watch().compare_all().await.unwrap();
    // The clock was wrong: what happens now lies behind what was compared.
    let right = BookWatch {
        now_ms: early,
        ..app.watch()
    };
    right.compare_all().await.unwrap();
    let moved = query(
        "UPDATE order_fulfilment SET changed_ms = ?, state = 'CANCELED' WHERE order_id = 'A5'",
    );
    app.change("DELETE FROM book_open_order").await;
    app.app
        .store()
        .change(moved.bind(early + 1000))
        .await
        .unwrap();
    let later = BookWatch {
        now_ms: early + millis(Duration::from_secs(GRACE)) + 1000,
        ..right
    };
    later.compare_all().await.unwrap();
    assert_eq!(app.kept().await, ["A5 DIFFERS"]);
}

#[tokio::test]
async fn the_order_of_an_erased_buyer_stays_a_difference() {
    let app = shop_with_five().await;
    app.watch().compare_all().await.unwrap();
    app.change("UPDATE merchant_order SET erased_ms = 1, document = '{\"orderId\":\"A1\",\"amount\":\"10000\",\"currency\":\"EUR\"}' WHERE order_id = 'A1'")
        .await;
    maintenance::tidy_up(&app.app).await;
    app.pass(24 * 400 * HOUR).await;
    maintenance::tidy_up(&app.app).await;
    assert_eq!(app.compared().await, ALL_FIVE);
}

#[tokio::test]
async fn the_page_shows_some_orders_at_a_time_as_they_are_now() {
    let app = shop_with_five().await;
    app.change(
        "INSERT INTO book_open_order (merchant_id, order_id, standing) \
         SELECT 'demo', 'B' || order_id, 'DIFFERS' FROM merchant_order",
    )
    .await;
    maintenance::compare_books(&app.app).await;
    let watch = app.watch();
    let place = (MERCHANT, "A1");
    let page = open_differences(watch.store, place, 2, watch.grace, watch.now_ms);
    let page = page.await.unwrap();
    assert_eq!(page.next.as_deref(), Some("A3"));
    let orders: Vec<_> = page.differences.iter().map(|one| &one.order_id).collect();
    assert_eq!(orders, ["A2", "A3"]);
    let ada = Person::logged_in(&app, "ada", "viewer").await;
    let shown = ada.get("/office/books?after=A3").await.text();
    assert!(
        shown.contains(">A4</a>") && !shown.contains(">A3</a>"),
        "{shown}"
    );
    assert!(shown.contains("and again every hour"), "{shown}");
    // Before the next comparison.
    app.tells("A4", "FULFILLED").await;
    let shown = ada.get("/office/books?after=A3").await.text();
    assert!(
        !shown.contains(">A4</a>") && shown.contains(">A5</a>"),
        "{shown}"
    );
}

#[tokio::test]
async fn each_merchant_is_compared_for_itself() {
    let app = shop_with_five().await;
    let mut connection = app.app.store().read().await.unwrap();
    app.watch().compare_all().await.unwrap();
    let differing = Some(Standing::Differs);
    for (merchant_id, expected) in [(MERCHANT, 5), ("other", 0)] {
        let kept = books::open(&mut connection, merchant_id, differing, "", 1000);
        assert_eq!(kept.await.unwrap().len(), expected, "{merchant_id}");
    }
    drop(connection);
    let unfinished = app.count("SELECT count(*) FROM book_comparison WHERE ended_ms IS NULL");
    assert_eq!(unfinished.await, 0);
    let report = command(&app, &["reconcile"]).await.unwrap_err();
    assert!(report.to_string().contains('5'), "{report}");
}
