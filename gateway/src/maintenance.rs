//! What a process does beside answering calls: what time has brought about, and what a crash left behind.
//!
//! [`sweep`] is called every second by the process, and by tests after they moved the clock.

use crate::{App, monitoring, rotation};
use payframe_payment_service::report;
use std::time::{Duration, Instant};

/// Finishes what was on its way when the last process ended. Call it once, before serving, and not where other
/// processes share the database: what is on its way there may be theirs, and what is not is swept.
pub async fn recover(app: &App) {
    app.due_work().recover().await;
    sweep(app).await;
}

/// Gives effect to everything that time has brought about by now.
pub async fn sweep(app: &App) {
    let began = Instant::now();
    app.due_work().sweep().await;
    if let Err(problem) = rotation::follow(app.store(), app.vault(), app.clock().now_ms()).await {
        report("the change of the vault's keys", &problem.into());
    }
    monitoring::swept(began);
}

/// Sweeps every second, and tidies up every hour, until `shutdown` is done.
pub async fn run(app: &App, shutdown: impl Future<Output = ()>) {
    let mut second = tokio::time::interval(Duration::from_secs(1));
    second.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut hour = tokio::time::interval(Duration::from_secs(3600));
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => return,
            _ = second.tick() => sweep(app).await,
            _ = hour.tick() => app.due_work().tidy_up().await,
        }
    }
}
