//! How long records are kept, and the work that deletes older ones.
//!
//! Records of money are never deleted by age: orders, operations, disputes, settlements. Nor is the audit log, whose entries cover each
//! other. What is deleted goes in small changes, by an index, with a pause after each, so that payments do not wait for it. Where several
//! processes share a database, one deletes at a time.

use super::error::{PaymentError, report};
use super::retention_policy::RetentionPolicy;
use super::{DueWork, card_testing, meter, refusal_limit};
use payframe_payment_domain::back_office::Act;
use payframe_storage::audit::{self, Author, Entry};
use payframe_storage::retention::OldRecords;
use payframe_storage::{Subject, merchants};
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
    /// Deletes all records that are old by now. A kind that cannot be deleted does not stop the others. What was deleted is in the audit log.
    pub async fn tidy_up(&self) {
        let clock = self.context.clock();
        let (now_ms, real_ms) = (clock.now_ms(), clock.real().now_ms());
        let mut all = Vec::new();
        for (kind, before_ms) in self.context.settings().retention.limits(now_ms, real_ms) {
            let mut deleted = 0;
            if let Err(problem) = self.delete_old(kind, before_ms, &mut deleted).await {
                report("the deletion of old records", &problem);
            }
            if deleted > 0 && kind.is_record() {
                all.push(kind.name());
            }
        }
        if let Err(problem) = self.note_deleted(&all, real_ms).await {
            report("the audit log of deleted records", &problem);
        }
    }

    /// Leaves one entry for the whole run in the audit log of each merchant: a change deletes records of several. It says no number, because
    /// that would tell a merchant how much the others have.
    async fn note_deleted(&self, all: &[&str], at_ms: i64) -> Result<(), PaymentError> {
        if all.is_empty() {
            return Ok(());
        }
        let detail = all.join(", ");
        let mut change = self.context.store().write(Subject::Gateway).await?;
        for (merchant_id, _) in merchants::all(&mut change).await? {
            let entry = Entry {
                merchant_id: &merchant_id,
                author: Author::Gateway,
                at_ms,
                act: Act::DeleteOldRecords,
                subject: "",
                detail: &detail,
            };
            audit::add(&mut change, &entry).await?;
        }
        change.commit().await?;
        Ok(())
    }

    /// Deletes the old records of a kind, and counts them, also up to a failure.
    async fn delete_old(
        &self,
        kind: OldRecords,
        before_ms: i64,
        all: &mut u64,
    ) -> Result<(), PaymentError> {
        loop {
            let began = Instant::now();
            let mut change = self.context.store().write(Subject::Retention).await?;
            let deleted = kind.delete(&mut change, before_ms, AT_ONCE).await?;
            change.commit().await?;
            meter::deleted(kind.name(), deleted);
            *all += deleted;
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
