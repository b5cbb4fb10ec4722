//! How often somebody may call (contract 1.10): token buckets in memory.
//!
//! Each process counts for itself: several processes together allow as many times more.

use super::caller::Caller;
use super::error::ApiError;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The buckets of everybody who called lately.
pub(crate) struct Rates {
    merchant: Allowance,
    buckets: Mutex<Buckets>,
}

struct Buckets {
    by_account: HashMap<String, Bucket>,
    /// From this many on, those of accounts that have been quiet are dropped before another one comes.
    sweep_at: usize,
}

struct Bucket {
    /// Thousandths of a call that are left.
    left: i64,
    at_ms: i64,
}

struct Allowance {
    per_second: i64,
    burst: i64,
}

impl Rates {
    /// So many calls a second for each API key, and twice as many at once.
    pub(crate) fn new(merchant_calls_per_second: u32) -> Rates {
        let per_second = i64::from(merchant_calls_per_second);
        Rates {
            merchant: Allowance {
                per_second,
                burst: 2 * per_second,
            },
            buckets: Mutex::new(Buckets {
                by_account: HashMap::new(),
                sweep_at: FULL,
            }),
        }
    }

    /// Lets a call pass, or says how long to wait.
    pub(crate) fn admit(&self, caller: &Caller, now_ms: i64) -> Result<(), ApiError> {
        let allowance = match caller {
            Caller::Merchant { .. } => &self.merchant,
            Caller::Frame { .. } => &FRAME,
        };
        self.take(caller.account(), allowance, now_ms)
            .map_err(ApiError::TooMany)
    }

    /// The same for what a session's frame asks beside the API; in seconds, how long to wait.
    pub(crate) fn admit_frame(&self, session_hash: &str, now_ms: i64) -> Result<(), u64> {
        self.take(session_hash, &FRAME, now_ms)
    }

    fn take(&self, account: &str, allowance: &Allowance, now_ms: i64) -> Result<(), u64> {
        // A panic while the map is held leaves it whole.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.sweep(now_ms);
        let full = allowance.burst * 1000;
        let bucket = buckets
            .by_account
            .entry(account.to_owned())
            .or_insert(Bucket {
                left: full,
                at_ms: now_ms,
            });
        let refill = (now_ms - bucket.at_ms).clamp(0, FORGET_MS) * allowance.per_second;
        bucket.left = (bucket.left + refill).min(full);
        bucket.at_ms = bucket.at_ms.max(now_ms);
        if bucket.left < 1000 {
            // Less than a call is missing, so less than a second.
            return Err(1);
        }
        bucket.left -= 1000;
        Ok(())
    }
}

impl Buckets {
    /// Who has not called for so long has a full bucket anyway. Where most have not, the next sweep waits until there are twice as
    /// many: otherwise each call of a busy minute would look through all of them.
    fn sweep(&mut self, now_ms: i64) {
        if self.by_account.len() < self.sweep_at {
            return;
        }
        self.by_account
            .retain(|_, bucket| now_ms - bucket.at_ms < FORGET_MS);
        self.sweep_at = FULL.max(2 * self.by_account.len());
    }
}

const FRAME: Allowance = Allowance {
    per_second: 10,
    burst: 30,
};

const FORGET_MS: i64 = 60_000;
const FULL: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_then_so_many_each_second() {
        let rates = Rates::new(50);
        let allowance = Allowance {
            per_second: 10,
            burst: 30,
        };
        let passed = |now_ms| {
            (0..100)
                .filter(|_| rates.take("a", &allowance, now_ms).is_ok())
                .count()
        };
        assert_eq!(passed(0), 30);
        assert_eq!(passed(99), 0);
        assert_eq!(passed(100), 1);
        assert_eq!(passed(1_100), 10);
        assert_eq!(passed(1_000_000), 30);
        assert!(rates.take("b", &allowance, 0).is_ok());
    }

    #[test]
    fn quiet_accounts_take_no_room_and_busy_ones_are_not_looked_through_at_each_call() {
        let rates = Rates::new(50);
        let call = |account: usize, now_ms| {
            let _ = rates.take(&account.to_string(), &FRAME, now_ms);
            let buckets = rates.buckets.lock().unwrap();
            (buckets.by_account.len(), buckets.sweep_at)
        };
        for account in 0..=FULL {
            call(account, 0);
        }
        assert_eq!(call(0, 1), (FULL + 1, 2 * FULL), "nobody has been quiet");
        for account in 0..2 * FULL {
            call(account, 2);
        }
        assert_eq!(call(0, FORGET_MS + 2), (1, FULL), "all have");
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing() {
        let rates = Rates::new(50);
        let allowance = Allowance {
            per_second: 10,
            burst: 1,
        };
        assert!(rates.take("a", &allowance, 10_000).is_ok());
        assert!(rates.take("a", &allowance, 5_000).is_err());
        assert!(rates.take("a", &allowance, 10_050).is_err());
    }
}
