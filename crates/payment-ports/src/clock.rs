//! The source of time.
//!
//! All code that needs the time uses a [`Clock`], so that tests can advance the time instead of sleeping. It does not schedule anything:
//! timers are periodic jobs that are called with the time. For the rules of days see [`payframe_payment_domain::calendar`].

use jiff::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// Returns the time, in milliseconds since 1970-01-01 UTC. Clones of a manual clock share its time.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Clock {
        Clock(Source::System)
    }

    /// A clock that stays at `start_ms` until it is advanced.
    pub fn manual(start_ms: i64) -> Clock {
        Clock(Source::Manual(Arc::new(AtomicI64::new(start_ms))))
    }

    /// The present instant.
    pub fn now_ms(&self) -> i64 {
        match &self.0 {
            Source::System => Timestamp::now().as_millisecond(),
            Source::Manual(time) => time.load(Ordering::SeqCst),
        }
    }

    /// Advances a manual clock. Has no effect on the machine's clock.
    pub fn advance(&self, by: Duration) {
        if let Source::Manual(time) = &self.0 {
            time.fetch_add(millis(by), Ordering::SeqCst);
        }
    }

    /// Sets a manual clock to another instant, also backwards.
    pub fn set(&self, now_ms: i64) {
        if let Source::Manual(time) = &self.0 {
            time.store(now_ms, Ordering::SeqCst);
        }
    }
}

/// A duration in milliseconds. Durations beyond the range of `i64` (292 million years) become the largest one.
pub fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_stands_still_until_it_is_moved() {
        let clock = Clock::manual(1_000);
        let other_hand = clock.clone();
        assert_eq!(clock.now_ms(), 1_000);
        clock.advance(Duration::from_secs(2));
        assert_eq!(other_hand.now_ms(), 3_000);
    }
}
