//! Sums the days of merchants that are over, so that the page of figures does not read their operations again.
//!
//! One day is summed in a change, with a pause after each, so that payments do not wait for it. What is not summed yet, or changed
//! afterwards, is read from the operations: nothing is wrong while this work is late.

use super::DueWork;
use super::error::{PaymentError, report};
use payframe_storage::day_sums::{self, MOST_DAYS};
use payframe_storage::merchants;
use payframe_storage::statistics::DAY_MS;
use std::time::Instant;

impl DueWork<'_> {
    /// Sums the days of all merchants that have no sum, and deletes what no statistics show any more. A merchant whose days cannot be summed
    /// does not stop the others.
    pub async fn sum_days(&self) {
        let store = self.context.store();
        let today = self.context.clock().now_ms() / DAY_MS;
        let all = async {
            let mut connection = store.read().await?;
            Ok::<_, PaymentError>(merchants::all(&mut connection).await?)
        };
        let all = match all.await {
            Ok(all) => all,
            Err(problem) => return report("the sums of days", &problem),
        };
        for (merchant_id, _) in all {
            if let Err(problem) = self.sum_days_of(&merchant_id, today).await {
                report("the sums of days", &problem);
            }
        }
    }

    async fn sum_days_of(&self, merchant_id: &str, today: i64) -> Result<(), PaymentError> {
        let store = self.context.store();
        let first = today + 1 - MOST_DAYS;
        let mut connection = store.read().await?;
        let days = day_sums::without_sum(&mut connection, merchant_id, first..today).await?;
        drop(connection);
        if days.is_empty() {
            return Ok(());
        }
        for day in days {
            let began = Instant::now();
            day_sums::sum(store, merchant_id, day).await?;
            // Payments get the same time for their work.
            tokio::time::sleep(began.elapsed()).await;
        }
        day_sums::forget(store, merchant_id, first).await?;
        Ok(())
    }
}
