//! Counts calls in the memory of one process: governor's limiters.

use governor::clock::Clock as GovernorClock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use payframe_payment_ports::Clock;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

type Accounts = RateLimiter<String, DashMapStateStore<String>, RateClock, NoOpMiddleware<Duration>>;

/// One limit, for many accounts.
pub(super) struct OwnLimiter {
    /// `None`: every call is refused.
    accounts: Option<Accounts>,
    clock: RateClock,
    /// From this number of accounts on, full accounts are removed before another one is added.
    purge_at: AtomicUsize,
}

impl OwnLimiter {
    /// So many calls a second, and so many at once. 0 refuses all.
    pub(super) fn new(per_second: u32, burst: u32, clock: &Clock) -> OwnLimiter {
        let quota = NonZeroU32::new(per_second.min(MOST_PER_SECOND))
            .zip(NonZeroU32::new(burst))
            .map(|(per_second, burst)| Quota::per_second(per_second).allow_burst(burst));
        let clock = RateClock(clock.clone());
        OwnLimiter {
            accounts: quota.map(|quota| RateLimiter::dashmap_with_clock(quota, clock.clone())),
            clock,
            purge_at: AtomicUsize::new(FULL),
        }
    }

    /// Takes one call from an account. The error is the number of seconds to wait.
    pub(super) fn take(&self, account: &str) -> Result<(), u64> {
        let Some(accounts) = &self.accounts else {
            return Err(1);
        };
        // If most accounts are in use, the next purge waits until there are twice as many. Otherwise each call of a busy
        // minute would go through all of them.
        if accounts.len() >= self.purge_at.load(Ordering::Relaxed) {
            accounts.retain_recent();
            let next = FULL.max(2 * accounts.len());
            self.purge_at.store(next, Ordering::Relaxed);
        }
        accounts.check_key(&account.to_owned()).map_err(|refused| {
            let wait = refused.wait_time_from(GovernorClock::now(&self.clock));
            wait.as_millis().div_ceil(1000).max(1) as u64
        })
    }
}

/// The time since 1970, in milliseconds. A clock that goes back allows no additional calls.
#[derive(Clone, Debug)]
struct RateClock(Clock);

impl GovernorClock for RateClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        Duration::from_millis(self.0.now_ms().unsigned_abs())
    }
}

/// One each nanosecond: governor's smallest unit.
const MOST_PER_SECOND: u32 = 1_000_000_000;

const FULL: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    const START_MS: i64 = 1_760_000_000_000;

    #[test]
    fn a_burst_passes_and_then_so_many_each_second() {
        let clock = Clock::manual(START_MS);
        let limiter = OwnLimiter::new(10, 30, &clock);
        let passed_after = |ms| {
            clock.advance(Duration::from_millis(ms));
            (0..100).filter(|_| limiter.take("a").is_ok()).count()
        };
        assert_eq!(passed_after(0), 30);
        assert_eq!(limiter.take("a"), Err(1));
        assert_eq!(passed_after(99), 0);
        assert_eq!(passed_after(1), 1);
        assert_eq!(passed_after(1_000), 10);
        assert_eq!(passed_after(1_000_000), 30);
        assert!(limiter.take("b").is_ok());
    }

    #[test]
    fn quiet_accounts_take_no_room_and_busy_ones_are_not_looked_through_at_each_call() {
        let clock = Clock::manual(START_MS);
        let limiter = OwnLimiter::new(10, 30, &clock);
        let call = |account: usize| {
            let _ = limiter.take(&account.to_string());
            let accounts = limiter.accounts.as_ref().unwrap().len();
            (accounts, limiter.purge_at.load(Ordering::Relaxed))
        };
        for account in 0..=FULL {
            call(account);
        }
        assert_eq!(call(0), (FULL + 1, 2 * FULL), "nobody has been quiet");
        for account in 0..2 * FULL {
            call(account);
        }
        clock.advance(Duration::from_secs(60));
        assert_eq!(call(0), (1, FULL), "all have");
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing() {
        let clock = Clock::manual(START_MS);
        let limiter = OwnLimiter::new(10, 1, &clock);
        clock.advance(Duration::from_secs(10));
        assert!(limiter.take("a").is_ok());
        clock.set(START_MS + 5_000);
        assert!(limiter.take("a").is_err());
        clock.set(START_MS + 10_050);
        assert!(limiter.take("a").is_err());
        clock.set(START_MS + 10_100);
        assert!(limiter.take("a").is_ok());
    }
}
