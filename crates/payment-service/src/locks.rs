//! Locks by name: one holder at a time for every session, order and idempotency key that is in use.
//!
//! Tokio's mutex has no names. A concurrent map such as `dashmap` holds its shards only briefly and can not be awaited, so this is a map of
//! Tokio's mutexes, from which names that nobody uses disappear.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::OwnedMutexGuard;

/// Locks by name. A name without a holder or a waiting caller uses no memory.
#[derive(Default)]
pub struct Locks {
    by_name: Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>,
}

/// A held lock. Dropping it releases the lock to the next waiting caller.
pub type Held = OwnedMutexGuard<()>;

impl Locks {
    /// Waits for the lock of `name`, in the order of the requests.
    pub async fn lock(&self, name: &str) -> Held {
        self.of(name).lock_owned().await
    }

    /// The lock of `name`, if nobody holds it or waits for it.
    pub fn hold_at_once(&self, name: &str) -> Option<Held> {
        self.of(name).try_lock_owned().ok()
    }

    fn of(&self, name: &str) -> Arc<tokio::sync::Mutex<()>> {
        // A panic during the lock cannot leave the map inconsistent: each change is one insertion.
        let mut by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = by_name.get(name).and_then(Weak::upgrade) {
            return lock;
        }
        if by_name.len() >= SWEEP_AT {
            by_name.retain(|_, lock| lock.strong_count() > 0);
        }
        let lock = Arc::new(tokio::sync::Mutex::new(()));
        by_name.insert(name.to_owned(), Arc::downgrade(&lock));
        lock
    }
}

/// From this number of names on, unused names are removed before a new one is added.
const SWEEP_AT: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn a_name_is_held_by_one_at_a_time() {
        let locks = Locks::default();
        let held = locks.lock("a").await;
        let waiting = tokio::time::timeout(Duration::from_millis(10), locks.lock("a"));
        assert!(waiting.await.is_err());
        assert!(locks.hold_at_once("a").is_none());
        let _other = locks.lock("b").await;
        drop(held);
        let _again = locks.hold_at_once("a").unwrap();
    }

    #[tokio::test]
    async fn unused_names_take_no_room() {
        let locks = Locks::default();
        for name in 0..5 * SWEEP_AT {
            drop(locks.lock(&name.to_string()).await);
        }
        assert!(locks.by_name.lock().unwrap().len() <= SWEEP_AT);
    }
}
