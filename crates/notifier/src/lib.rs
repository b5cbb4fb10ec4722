//! Delivers notifications to merchants' servers (contract, section 9).
//!
//! The outbox is a table: a row is written together with the operation that it tells of, and [`Notifier::run`] works the
//! table off, so a restart loses nothing. Each receiver has a lane of its own; a dead receiver delays
//! nobody else. Within an order events go out in order: the next waits until the former is acknowledged or
//! given up. Delivery is at least once, and what is sent is the stored text, byte by byte.
//!
//! Time comes from a [`Clock`], so that tests move it on.

mod delivery;
mod schedule;
pub mod signature;

use delivery::Dispatcher;
use payframe_outbound_address::AllowedAddresses;
use payframe_payment_ports::Clock;
use payframe_storage::Store;
use payframe_vault::Vault;
use std::sync::Arc;
use tokio::sync::Notify;

/// How many attempts there were, by `outcome` ([`OUTCOMES`]): a counter.
pub const ATTEMPTS: &str = "payframe_notification_attempts_total";

/// What comes of an attempt: the receiver has acknowledged; it has not, and is asked again; it has not, and never is again.
pub const OUTCOMES: [&str; 3] = [DELIVERED, FAILED, GIVEN_UP];

/// Delivers what waits in the outbox. Clones share everything.
#[derive(Clone)]
pub struct Notifier {
    /// Has the outbox, and the secrets that notifications are signed with.
    pub store: Store,
    /// Opens these secrets.
    pub vault: Arc<Vault>,
    /// Says what is due.
    pub clock: Clock,
    /// Where receivers may be.
    pub receivers: AllowedAddresses,
    /// Told when the outbox holds something new.
    pub outbox_filled: Arc<Notify>,
}

impl Notifier {
    /// Delivers until `shutdown` is done. Deliveries that run then get a moment to end; the rest waits in the outbox.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let outbox_filled = self.outbox_filled.clone();
        let mut dispatcher = Dispatcher::new(self);
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            dispatcher.dispatch().await;
            let pause = dispatcher.pause().await;
            tokio::select! {
                () = &mut shutdown => break,
                () = outbox_filled.notified() => {}
                () = dispatcher.lane_emptied() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
        dispatcher.stop().await;
    }
}

const DELIVERED: &str = "delivered";
const FAILED: &str = "failed";
const GIVEN_UP: &str = "given_up";
