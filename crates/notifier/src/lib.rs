//! Delivers notifications to merchants' servers (contract, section 9).
//!
//! The outbox is a table. A row is written in the same transaction as the operation that it reports, and [`Notifier::run`] sends the rows,
//! so a restart loses nothing. Each receiver has its own lane, so a receiver that does not respond delays no other receiver. Events of one
//! order are sent in order: the next event waits until the previous one is acknowledged or given up. Delivery is at least once, and the
//! stored text is sent byte by byte.
//!
//! A notifier looks into the outbox when this process has filled it ([`Notifier::outbox_filled`]), when another process says so
//! (`NOTIFY` of the database server, which its owner turns into the same signal), when a retry is due, and every ten seconds in any case.
//!
//! Time comes from a [`Clock`], so that tests can advance it. A signature has the real time, because receivers compare it with theirs.

mod delivery;
mod schedule;
pub mod signature;

use delivery::Dispatcher;
use payframe_outbound_address::AllowedAddresses;
use payframe_payment_ports::Clock;
use payframe_payment_ports::Vault;
use payframe_storage::Store;
use std::sync::Arc;
use tokio::sync::Notify;

/// The number of attempts, by `outcome` ([`OUTCOMES`]): a counter.
pub const ATTEMPTS: &str = "payframe_notification_attempts_total";

/// The outcomes of an attempt: acknowledged; failed and retried later; failed and not retried.
pub const OUTCOMES: [&str; 3] = [DELIVERED, FAILED, GIVEN_UP];

/// Delivers the notifications of the outbox. Clones share everything.
#[derive(Clone)]
pub struct Notifier {
    /// Contains the outbox, and the secrets that sign notifications.
    pub store: Store,
    /// Decrypts these secrets.
    pub vault: Arc<dyn Vault>,
    /// Determines what is due.
    pub clock: Clock,
    /// The addresses at which receivers are allowed.
    pub receivers: AllowedAddresses,
    /// Signalled when the outbox has a new notification.
    pub outbox_filled: Arc<Notify>,
}

impl Notifier {
    /// Delivers until `shutdown` completes. Running deliveries then have a short time to complete. The other events stay in the outbox.
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
