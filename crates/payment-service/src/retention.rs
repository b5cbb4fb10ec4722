//! How long records are kept, and the work that deletes older ones.
//!
//! Records of money are never deleted by age: orders, operations, disputes, settlements. Nor is the audit log, whose entries cover each
//! other. What is deleted goes in small changes, by an index, with a pause after each, so that payments do not wait for it. Where several
//! processes share a database, one deletes at a time.

use super::error::{PaymentError, report};
use super::retention_policy::RetentionPolicy;
use super::{DueWork, card_testing, meter, refusal_limit};
use payframe_storage::Subject;
use payframe_storage::retention::OldRecords;
use std::time::Instant;

impl RetentionPolicy {
    /// The kinds of records, and the instant before which those of a kind are old. `real_ms`: the time of parties outside, which a test
    /// clock does not advance.
    fn limits(self, now_ms: i64, real_ms: i64) -> [(OldRecords, i64); 11] {
        let days = |days: u32| i64::from(days) * DAY_MS;
        [
            (OldRecords::Answers, now_ms - days(self.answers_days)),
            (OldRecords::Events, now_ms - days(self.events_days)),
            (
                OldRecords::Notifications,
                now_ms - days(self.notifications_days),
            ),
            (OldRecords::Sessions, now_ms - days(self.sessions_days)),
            (OldRecords::Authentications, now_ms - days(self.proofs_days)),
            // Acquirers over ISO 8583 live in the real time, also those of a sandbox whose clock is ahead.
            (OldRecords::Exchanges, real_ms - days(self.proofs_days)),
            (OldRecords::CardTries, now_ms - card_testing::COUNTS_MS),
            (OldRecords::CardTryReviews, now_ms - days(self.proofs_days)),
            (OldRecords::CardSources, now_ms - card_testing::COUNTS_MS),
            (OldRecords::CardRefusals, now_ms - refusal_limit::COUNTS_MS),
            // Longer than the clocks of processes differ: another one may still take the token.
            (OldRecords::WalletTokens, now_ms - HOUR_MS),
        ]
    }
}

impl DueWork<'_> {
    /// Deletes all records that are old by now. A kind that cannot be deleted does not stop the others.
    pub async fn tidy_up(&self) {
        let clock = self.context.clock();
        let (now_ms, real_ms) = (clock.now_ms(), clock.real().now_ms());
        for (kind, before_ms) in self.context.settings().retention.limits(now_ms, real_ms) {
            if let Err(problem) = self.delete_old(kind, before_ms).await {
                report("the deletion of old records", &problem);
            }
        }
    }

    async fn delete_old(&self, kind: OldRecords, before_ms: i64) -> Result<(), PaymentError> {
        loop {
            let began = Instant::now();
            let mut change = self.context.store().write(Subject::Retention).await?;
            let deleted = kind.delete(&mut change, before_ms, AT_ONCE).await?;
            change.commit().await?;
            meter::deleted(kind.name(), deleted);
            if deleted < u64::from(AT_ONCE) {
                return Ok(());
            }
            // Payments get the same time for their work.
            tokio::time::sleep(began.elapsed()).await;
        }
    }
}

/// How many records one change deletes: on a file, other changes wait for it.
const AT_ONCE: u32 = 200;

const DAY_MS: i64 = 86_400_000;
const HOUR_MS: i64 = 3_600_000;
