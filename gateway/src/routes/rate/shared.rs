//! Counts calls together with the other processes on the same database server.
//!
//! A call waits for the database only if it completes a portion ([`super::tally`]). All other calls are told in the background, each second.
//! While the database does not answer, each process limits by its own count alone: nobody is refused for that reason.

use super::tally::{Limit, Tally, Verdict};
use payframe_payment_ports::Clock;
use payframe_payment_ports::clock::millis;
use payframe_storage::call_rates::UncountedCalls;
use payframe_storage::{Store, StoreError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// What this process knows of the calls of all.
#[derive(Clone)]
pub(super) struct SharedCounts(Arc<Counts>);

struct Counts {
    store: Store,
    clock: Clock,
    accounts: Mutex<Accounts>,
}

#[derive(Default)]
struct Accounts {
    tallies: HashMap<String, (Limit, Tally)>,
    /// Until then the database is not asked, because it did not answer.
    silent_until_ms: i64,
    /// When rows that say nothing are deleted again.
    tidy_at_ms: i64,
}

impl SharedCounts {
    pub(super) fn new(store: Store, clock: Clock) -> SharedCounts {
        let accounts = Accounts {
            tidy_at_ms: clock.now_ms() + millis(TIDY_PAUSE),
            ..Accounts::default()
        };
        SharedCounts(Arc::new(Counts {
            store,
            clock,
            accounts: Mutex::new(accounts),
        }))
    }

    /// Takes one call. The error is the number of seconds to wait.
    pub(super) async fn take(&self, limit: Limit, account: String) -> Result<(), u64> {
        match self.0.take(limit, &account) {
            Verdict::Passed => Ok(()),
            Verdict::PassedAndTell(calls) => {
                let untold = UncountedCalls {
                    account,
                    per_second: limit.per_second,
                    calls,
                };
                self.tell(vec![untold]).await;
                Ok(())
            }
            Verdict::Refused { wait_ms } => Err(wait_ms.unsigned_abs().div_ceil(1000).max(1)),
        }
    }

    /// Tells what was not told, and forgets the accounts of which nothing counts.
    pub(super) async fn tell_all(&self) {
        let untold = self.0.hand_over_all();
        for part in untold.chunks(MOST_ROWS) {
            self.tell(part.to_vec()).await;
        }
        if self.0.tidies()
            && let Err(problem) = self.0.store.forget_quiet_accounts().await
        {
            self.0.is_silent(&problem);
        }
    }

    /// Tells of calls and hears of those of the others. Returns after a moment in any case; the journey goes on to its end.
    async fn tell(&self, untold: Vec<UncountedCalls>) {
        let counts = Arc::clone(&self.0);
        let told = tokio::spawn(async move { counts.tell(untold).await });
        // If it panics, the log says so. The calls were allowed already.
        let _ = timeout(LONGEST_WAIT, told).await;
    }
}

impl Counts {
    fn take(&self, limit: Limit, account: &str) -> Verdict {
        let now_ms = self.clock.now_ms();
        let mut accounts = self.accounts();
        if now_ms < accounts.silent_until_ms {
            return Verdict::Passed;
        }
        if let Some((_, tally)) = accounts.tallies.get_mut(account) {
            return tally.take(limit, now_ms);
        }
        if accounts.tallies.len() >= MOST_ACCOUNTS {
            return Verdict::Passed;
        }
        let mut tally = Tally::default();
        let verdict = tally.take(limit, now_ms);
        accounts.tallies.insert(account.to_owned(), (limit, tally));
        verdict
    }

    async fn tell(&self, untold: Vec<UncountedCalls>) {
        let counted = self.store.count_calls(untold.clone()).await;
        let now_ms = self.clock.now_ms();
        let used: HashMap<String, i64> = match counted {
            Ok(counted) => counted
                .into_iter()
                .map(|counted| (counted.account, counted.used_milli))
                .collect(),
            Err(problem) => {
                self.is_silent(&problem);
                HashMap::new()
            }
        };
        let mut accounts = self.accounts();
        for UncountedCalls { account, calls, .. } in untold {
            let Some((limit, tally)) = accounts.tallies.get_mut(&account) else {
                continue;
            };
            match used.get(&account) {
                Some(used_milli) => tally.heard(*limit, calls, *used_milli, now_ms),
                None => tally.lost(calls),
            }
        }
    }

    fn hand_over_all(&self) -> Vec<UncountedCalls> {
        let now_ms = self.clock.now_ms();
        let mut accounts = self.accounts();
        accounts
            .tallies
            .retain(|_, (limit, tally)| !tally.is_quiet(*limit, now_ms));
        if now_ms < accounts.silent_until_ms {
            return Vec::new();
        }
        let hand_over = |(account, (limit, tally)): (&String, &mut (Limit, Tally))| {
            let calls = tally.hand_over();
            (calls > 0).then(|| UncountedCalls {
                account: account.clone(),
                per_second: limit.per_second,
                calls,
            })
        };
        accounts.tallies.iter_mut().filter_map(hand_over).collect()
    }

    /// Whether rows are to be deleted now.
    fn tidies(&self) -> bool {
        let now_ms = self.clock.now_ms();
        let mut accounts = self.accounts();
        let is_due = now_ms >= accounts.tidy_at_ms.max(accounts.silent_until_ms);
        if is_due {
            accounts.tidy_at_ms = now_ms + millis(TIDY_PAUSE);
        }
        is_due
    }

    fn is_silent(&self, problem: &StoreError) {
        let now_ms = self.clock.now_ms();
        let mut accounts = self.accounts();
        if now_ms >= accounts.silent_until_ms {
            accounts.silent_until_ms = now_ms + millis(SILENCE);
            tracing::warn!(%problem, "the calls of other processes are not known: each process limits calls by its own count for a while");
        }
    }

    /// A panic during the lock leaves numbers that are at most a call wrong.
    fn accounts(&self) -> MutexGuard<'_, Accounts> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long a call waits for the database.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// How long the database is left alone after it did not answer.
const SILENCE: Duration = Duration::from_secs(5);
/// The time between two deletions of rows.
const TIDY_PAUSE: Duration = Duration::from_secs(60);
/// Above this number of accounts, further ones are counted by this process alone.
const MOST_ACCOUNTS: usize = 10_000;
/// How many accounts are told of at a time.
const MOST_ROWS: usize = 1_000;
