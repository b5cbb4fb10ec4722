//! The source of time.
//!
//! All code that needs the time uses a [`Clock`], so that tests can advance the time instead of sleeping. It does not schedule anything:
//! timers are periodic jobs that are called with the time. For the rules of days see [`payframe_payment_domain::calendar`].
//!
//! The clock of a sandbox can be ahead of the real time (`docs/testing.md`): payments then live in the future. What another machine or a
//! person compares with a clock of its own (signatures, log-ins, limits of calls) uses [`Clock::real`].

use jiff::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// Returns the time, in milliseconds since 1970-01-01 UTC. Clones share how far they are ahead, and those of a manual clock its time.
#[derive(Clone, Debug)]
pub struct Clock {
    source: Source,
    ahead_ms: Arc<AtomicI64>,
}

#[derive(Clone, Debug)]
enum Source {
    System,
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Clock {
        Clock::of(Source::System)
    }

    /// A clock that stays at `start_ms` until it is advanced.
    pub fn manual(start_ms: i64) -> Clock {
        Clock::of(Source::Manual(Arc::new(AtomicI64::new(start_ms))))
    }

    fn of(source: Source) -> Clock {
        Clock {
            source,
            ahead_ms: Arc::default(),
        }
    }

    /// The present instant.
    pub fn now_ms(&self) -> i64 {
        let real_ms = match &self.source {
            Source::System => Timestamp::now().as_millisecond(),
            Source::Manual(time) => time.load(Ordering::SeqCst),
        };
        real_ms.saturating_add(self.ahead_ms())
    }

    /// The same clock, never ahead of the real time.
    pub fn real(&self) -> Clock {
        Clock::of(self.source.clone())
    }

    /// How far the clock is ahead of the real time.
    pub fn ahead_ms(&self) -> i64 {
        self.ahead_ms.load(Ordering::SeqCst)
    }

    /// Puts the clock, with all its clones, this far ahead of the real time. It never goes back: less than before has no effect.
    pub fn put_ahead(&self, ahead_ms: i64) {
        self.ahead_ms.fetch_max(ahead_ms, Ordering::SeqCst);
    }

    /// Advances a manual clock. Has no effect on the machine's clock.
    pub fn advance(&self, by: Duration) {
        if let Source::Manual(time) = &self.source {
            time.fetch_add(millis(by), Ordering::SeqCst);
        }
    }

    /// Sets a manual clock to another instant, also backwards.
    pub fn set(&self, now_ms: i64) {
        if let Source::Manual(time) = &self.source {
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

    #[test]
    fn a_clock_that_is_ahead_never_goes_back_and_knows_the_real_time() {
        let clock = Clock::manual(1_000);
        let (other_hand, real) = (clock.clone(), clock.real());
        clock.put_ahead(500);
        clock.put_ahead(200);
        assert_eq!((clock.now_ms(), other_hand.now_ms()), (1_500, 1_500));
        clock.advance(Duration::from_secs(2));
        assert_eq!((clock.now_ms(), real.now_ms()), (3_500, 3_000));
        assert_eq!((clock.ahead_ms(), real.ahead_ms()), (500, 0));
    }
}
