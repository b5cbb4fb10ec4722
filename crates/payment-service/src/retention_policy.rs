//! How long records are kept: what the operator sets. [`super::retention`] deletes what is older.

/// How long records are kept, in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionPolicy {
    /// Responses for repeated calls. The contract demands one day (1.7).
    pub answers_days: u32,
    /// Events of the feed.
    pub events_days: u32,
    /// Notifications that were delivered or given up, with their attempts.
    pub notifications_days: u32,
    /// What closed sessions leave, and sessions without an operation.
    pub sessions_days: u32,
    /// Answers of directory servers, and messages to acquirers over ISO 8583. Payments are refunded and disputed within 13 months.
    pub proofs_days: u32,
}

impl Default for RetentionPolicy {
    fn default() -> RetentionPolicy {
        RetentionPolicy {
            answers_days: 2,
            events_days: 90,
            notifications_days: 90,
            sessions_days: 30,
            proofs_days: 430,
        }
    }
}
