//! The work of a process besides answering calls: timed work, and payments that a crash interrupted.
//!
//! The process calls [`run_due_work`] and [`tell_calls`] every second; tests call them after they move the clock.

use crate::{App, monitoring, rotation};
use payframe_back_office::staff::Staff;
use payframe_payment_domain::reconciliation::GracePeriods;
use payframe_payment_ports::clock::millis;
use payframe_payment_service::books::{BookWatch, PIECE};
use payframe_payment_service::clearing_watch::ClearingWatch;
use payframe_payment_service::report;
use std::time::{Duration, Instant};
use tokio::time::{Interval, MissedTickBehavior};

/// Finishes the payments that were in progress when the last process ended. Call it once, before serving, and not where other
/// processes share the database: a payment in progress may be theirs. There, [`run_due_work`] finishes the rest.
pub async fn recover(app: &App) {
    app.due_work().recover().await;
    run_due_work(app).await;
}

/// Carries out everything that is due by now. Before that the clock follows other processes, where tests may advance it.
pub async fn run_due_work(app: &App) {
    let began = Instant::now();
    if let Err(problem) = app.follow_test_clock().await {
        report("the test clock", &problem.into());
    }
    app.due_work().run().await;
    let real_ms = app.clock().real().now_ms();
    if let Err(problem) = rotation::follow(app.store(), app.vault(), real_ms).await {
        report("the change of the vault's keys", &problem.into());
    }
    monitoring::due_work_done(began);
}

/// Cleans up: deletes what is no longer needed, sums the days that are over, and disables dormant members of the back office.
pub async fn tidy_up(app: &App) {
    app.due_work().tidy_up().await;
    app.due_work().sum_days().await;
    let staff = Staff::new(app.store());
    if let Err(problem) = staff.disable_dormant(app.clock().real().now_ms()).await {
        tracing::error!(%problem, "dormant members of the back office could not be disabled");
    }
}

/// Goes on with the comparison of the money that is held with what shops told of their goods, for the back office, the log and the metrics.
pub async fn compare_books(app: &App) {
    let grace = GracePeriods::to_fulfil(millis(app.config().fulfil_within));
    let watch = BookWatch {
        store: app.store(),
        grace,
        now_ms: app.clock().now_ms(),
        piece: PIECE,
    };
    if let Err(problem) = watch.compare_all().await {
        report("the comparison of the books", &problem.into());
    }
}

/// Goes on with the comparison of operations with clearing files, for the back office.
pub async fn compare_clearing(app: &App) {
    let watch = ClearingWatch {
        store: app.store(),
        now_ms: app.clock().now_ms(),
        piece: PIECE,
    };
    if let Err(problem) = watch.compare_all().await {
        report("the comparison with clearing files", &problem.into());
    }
}

/// Tells the other processes on the same database of the calls that they do not know of, so that all limit calls together.
pub async fn tell_calls(app: &App) {
    app.rates().tell_all().await;
}

/// Does what is due every second, tells of calls, cleans up and compares books and clearing files every hour, until `shutdown` is done. Each may take longer
/// than its time, so none waits for another one.
pub async fn run(app: &App, shutdown: impl Future<Output = ()>) {
    let due_work = async {
        let mut second = every(1);
        loop {
            second.tick().await;
            run_due_work(app).await;
        }
    };
    let counts = async {
        let mut second = every(1);
        loop {
            second.tick().await;
            tell_calls(app).await;
        }
    };
    let cleaning = async {
        let mut hour = every(3600);
        loop {
            hour.tick().await;
            tidy_up(app).await;
        }
    };
    let books = async {
        let mut hour = every(3600);
        loop {
            hour.tick().await;
            compare_books(app).await;
            compare_clearing(app).await;
        }
    };
    tokio::select! {
        () = shutdown => {}
        () = due_work => {}
        () = counts => {}
        () = cleaning => {}
        () = books => {}
    }
}

/// Begins at once. After work that took longer than this time, the next beat comes at once, and no missed one is made up for.
fn every(seconds: u64) -> Interval {
    let mut interval = tokio::time::interval(Duration::from_secs(seconds));
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}
