//! When the last client is done: waits until everything that was begun is finished.

use anyhow::{Result, bail};
use sqlx::SqliteConnection;
use std::time::{Duration, Instant};

/// Records that are not finished when the last client is.
pub(crate) trait Unfinished {
    /// What is not finished yet, in words, and how many there are of each.
    async fn unfinished(&mut self) -> Result<Vec<(&'static str, i64)>>;
}

/// Waits until everything is finished.
pub(crate) async fn settle(records: &mut impl Unfinished) -> Result<()> {
    let deadline = Instant::now() + SETTLE_LIMIT;
    loop {
        let mut left = records.unfinished().await?;
        left.retain(|(_, count)| *count > 0);
        if left.is_empty() {
            return Ok(());
        }
        if Instant::now() > deadline {
            let left = left.iter().map(|(what, count)| format!("{count} {what}"));
            let left: Vec<String> = left.collect();
            bail!(
                "after {SETTLE_LIMIT:?} of rest there are {}",
                left.join(", ")
            );
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// The answers to questions about numbers, with what each is about.
pub(crate) async fn counts(
    tables: &mut SqliteConnection,
    questions: &[(&'static str, &'static str)],
) -> Result<Vec<(&'static str, i64)>> {
    let mut counts = Vec::new();
    for (what, question) in questions {
        let count = sqlx::query_scalar(*question)
            .fetch_one(&mut *tables)
            .await?;
        counts.push((*what, count));
    }
    Ok(counts)
}

/// The question about payments and movements that the gateway has not decided.
pub(crate) const UNDECIDED: (&str, &str) = (
    "operations without an outcome",
    "SELECT count(*) FROM operation WHERE result = 'PENDING' OR stage <> 'BOOKED'",
);

/// Longer than a failed notification waits for its next attempt, and longer than an idle session lives.
const SETTLE_LIMIT: Duration = Duration::from_secs(300);
