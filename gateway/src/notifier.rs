//! Delivers notifications.

use crate::App;

/// Delivers until `shutdown` is done.
pub async fn run(app: App, shutdown: impl Future<Output = ()>) {
    let _ = app;
    shutdown.await;
}
