//! The clock of a sandbox, which tests advance (`docs/testing.md`, `docs/adr/0022-one-test-clock-for-a-sandbox.md`).
//!
//! How far it is ahead of the real time is in the database, so that all processes on it agree. A gateway in production never reads it.

use crate::{DueWork, PaymentContext};
use payframe_payment_ports::Clock;
use payframe_payment_ports::clock::millis;
use payframe_storage::{Store, StoreError, Subject, due_times, test_clock};
use std::time::Duration;

/// The clock of a sandbox, for its calls.
#[derive(Clone, Copy)]
pub struct TestClock<'a> {
    context: &'a PaymentContext,
}

impl<'a> TestClock<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> TestClock<'a> {
        TestClock { context }
    }

    /// The real time.
    pub fn real_ms(&self) -> i64 {
        self.context.clock().real().now_ms()
    }

    /// The last instant to which the clock can be advanced now.
    pub fn latest_ms(&self) -> i64 {
        self.real_ms().saturating_add(millis(MOST_AHEAD))
    }

    /// Advances the clock to `to_ms`, or to [`TestClock::latest_ms`] if that is earlier, and does everything that is due by then. Nothing
    /// is advanced if the clock is there already.
    ///
    /// What is due on the way is done in its order: the clock stops where something is due. The stops are at least a thousandth of the
    /// way apart, so that their number has a limit.
    pub async fn advance(&self, to_ms: i64) -> Result<(), StoreError> {
        let clock = self.context.clock();
        let due_work = DueWork::new(self.context);
        let to_ms = to_ms.min(self.latest_ms());
        let way_ms = to_ms.saturating_sub(clock.now_ms());
        let step_ms = (way_ms / MOST_STOPS).max(SHORTEST_STEP_MS);
        loop {
            let now_ms = clock.now_ms();
            if now_ms >= to_ms {
                break;
            }
            let next_ms = self.next_due_ms(now_ms).await?.unwrap_or(to_ms);
            let stop_ms = next_ms.max(now_ms.saturating_add(step_ms)).min(to_ms);
            self.put_at(stop_ms).await?;
            Box::pin(due_work.run()).await;
        }
        // One run does not do more than some hundred things of a kind.
        for _ in 0..MOST_ROUNDS {
            let earliest_ms = self.next_due_ms(0).await?;
            if earliest_ms.is_none_or(|earliest_ms| earliest_ms > clock.now_ms()) {
                break;
            }
            Box::pin(due_work.run()).await;
        }
        Box::pin(due_work.tidy_up()).await;
        self.context.wake_notifier();
        Ok(())
    }

    /// Puts the clock at an instant, or less than a second after it: it is always a number of whole seconds ahead, which callers add to.
    async fn put_at(&self, ms: i64) -> Result<(), StoreError> {
        let clock = self.context.clock();
        let ahead_ms = (ms.saturating_sub(self.real_ms()).saturating_add(999) / 1000) * 1000;
        let mut change = self.context.store().write(Subject::Statement).await?;
        test_clock::put_ahead(&mut change, ahead_ms).await?;
        change.commit().await?;
        clock.put_ahead(ahead_ms);
        Ok(())
    }

    async fn next_due_ms(&self, after_ms: i64) -> Result<Option<i64>, StoreError> {
        due_times::next_ms(&mut *self.context.store().read().await?, after_ms).await
    }
}

/// Puts the clock of this process as far ahead as the database says.
pub async fn follow(store: &Store, clock: &Clock) -> Result<(), StoreError> {
    clock.put_ahead(test_clock::ahead_ms(&mut *store.read().await?).await?);
    Ok(())
}

/// How far the clock can be ahead of the real time: two years.
pub const MOST_AHEAD: Duration = Duration::from_secs(731 * 86_400);

/// How often the clock stops on the way, at most.
const MOST_STOPS: i64 = 1000;

/// How far the stops are apart, at least.
const SHORTEST_STEP_MS: i64 = 1000;

/// How often due work is done at the end, at most. What fails stays due.
const MOST_ROUNDS: usize = 10;
