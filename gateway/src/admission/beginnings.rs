//! Calls at work that begin payments of buyers, and how many there may be in an overload.
//!
//! Each of them brings further calls. In an overload they would fill every place with payments that share the computing time, and each
//! payment would take as long as all of these together. They ask nobody outside of the gateway, so they are short: fewer of them at a time
//! begin as many payments. What waits for an acquirer is not counted here, because then fewer at a time would be fewer payments.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// The calls that begin payments.
#[derive(Debug)]
pub(super) struct Beginnings {
    at_work: AtomicUsize,
    most_in_overload: usize,
    /// When a call was turned away the last time.
    turned_away: Mutex<Option<Instant>>,
    ended: Notify,
}

/// Counts as one of them until it is dropped.
#[derive(Debug)]
pub(super) struct Beginning(Arc<Beginnings>);

impl Beginnings {
    /// At so many places.
    pub(super) fn at(places: usize) -> Beginnings {
        Beginnings {
            at_work: AtomicUsize::new(0),
            most_in_overload: (places / PLACES_FOR_ONE).max(1),
            turned_away: Mutex::new(None),
            ended: Notify::new(),
        }
    }

    /// Counts one that is at work from now on.
    pub(super) fn begin(self: &Arc<Beginnings>) -> Beginning {
        self.at_work.fetch_add(1, Ordering::Relaxed);
        Beginning(Arc::clone(self))
    }

    /// A call was turned away: from now on there is an overload, for a while.
    pub(super) fn note_overload(&self, now: Instant) {
        *self.turned_away() = Some(now);
    }

    /// Whether another one may be at work.
    pub(super) fn are_few(&self, now: Instant) -> bool {
        let is_recent = |then| now.saturating_duration_since(then) < OVERLOAD_LASTS;
        let is_overload = self.turned_away().is_some_and(is_recent);
        !is_overload || self.at_work.load(Ordering::Relaxed) < self.most_in_overload
    }

    /// Waits until another one may be at work. For one call at a time.
    pub(super) async fn until_few(&self) {
        while !self.are_few(Instant::now()) {
            self.ended.notified().await;
        }
    }

    fn turned_away(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        // A panic during the lock cannot leave the moment half changed.
        self.turned_away
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Beginning {
    fn drop(&mut self) {
        self.0.at_work.fetch_sub(1, Ordering::Relaxed);
        self.0.ended.notify_one();
    }
}

/// In an overload, one is at work for so many places. A payment's first call takes about this part of the time that all of its calls are at work, so
/// the limit costs a process that has places left next to nothing.
const PLACES_FOR_ONE: usize = 5;

/// How long there is an overload after a call was turned away: as long as callers are asked to wait.
const OVERLOAD_LASTS: Duration = Duration::from_secs(super::RETRY_AFTER_SECONDS);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_an_overload_few_begin_until_no_call_was_turned_away_for_a_while() {
        let beginnings = Arc::new(Beginnings::at(10));
        let now = Instant::now();
        let mut at_work: Vec<Beginning> = (0..10).map(|_| beginnings.begin()).collect();
        assert!(beginnings.are_few(now), "no overload, no limit");
        beginnings.note_overload(now);
        assert!(!beginnings.are_few(now));
        at_work.truncate(2);
        assert!(!beginnings.are_few(now));
        at_work.truncate(1);
        assert!(beginnings.are_few(now));
        at_work.push(beginnings.begin());
        assert!(!beginnings.are_few(now + OVERLOAD_LASTS / 2));
        assert!(beginnings.are_few(now + OVERLOAD_LASTS));
    }

    #[tokio::test]
    async fn one_that_waits_goes_on_when_another_one_has_ended() {
        let beginnings = Arc::new(Beginnings::at(1));
        let first = beginnings.begin();
        beginnings.note_overload(Instant::now() + Duration::from_secs(600));
        assert!(!beginnings.are_few(Instant::now()));
        tokio::join!(beginnings.until_few(), async { drop(first) });
        assert!(beginnings.are_few(Instant::now()));
    }
}
