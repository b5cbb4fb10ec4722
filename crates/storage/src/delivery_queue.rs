//! The outbox for the notifier: due notifications, and the results of attempts. For the merchants' view see [`super::outbox`].

use super::{Row, Store, StoreError, Subject, query, query_scalar};
use std::fmt;

/// A notification that is due.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its id, the same in each attempt.
    pub event_id: String,
    /// The merchant of the event.
    pub merchant_id: String,
    /// The merchant's order, or what else the event is about. Events about the same are sent one after the other.
    pub order_id: String,
    /// The terminal whose secrets sign it.
    pub terminal_id: String,
    /// The receiver's URL.
    pub url: String,
    /// The body, sent unchanged.
    pub body: String,
    /// The number of attempts so far.
    pub attempts: u32,
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    /// The receiver responded.
    Answered {
        /// The HTTP status.
        status: u16,
    },
    /// The receiver did not respond.
    NoAnswer {
        /// The reason, as a stable code for the record.
        cause: &'static str,
    },
}

impl AttemptResult {
    /// Any 2xx; the body is ignored (contract 9.2).
    pub fn is_acknowledged(&self) -> bool {
        matches!(self, AttemptResult::Answered { status: 200..=299 })
    }
}

impl fmt::Display for AttemptResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttemptResult::Answered { status } => write!(f, "{status}"),
            AttemptResult::NoAnswer { cause } => f.write_str(cause),
        }
    }
}

/// The events that are due at `now_ms`, in order: for each order only the first one that waits, and for each receiver a limited number, so
/// that a long queue of one receiver does not hide the others.
pub async fn due(store: &Store, now_ms: i64) -> Result<Vec<Event>, StoreError> {
    let rows = query(
        "SELECT event_id, merchant_id, order_id, terminal_id, url, body, attempts FROM
           (SELECT *, ROW_NUMBER() OVER (PARTITION BY merchant_id, url ORDER BY seq) AS place FROM notification AS event
            WHERE state = 'WAITING' AND next_attempt_ms <= ?
              AND NOT EXISTS (SELECT 1 FROM notification AS former
                              WHERE former.merchant_id = event.merchant_id AND former.order_id = event.order_id
                                AND former.seq < event.seq AND former.state = 'WAITING')) AS queue
         WHERE place <= ? ORDER BY seq",
    )
    .bind(now_ms)
    .bind(BATCH)
    .fetch_all(&mut *store.read().await?)
    .await?;
    rows.iter().map(Event::read).collect()
}

/// When the next event becomes due that is not yet due at `now_ms`.
pub async fn next_due_ms(store: &Store, now_ms: i64) -> Result<Option<i64>, StoreError> {
    Ok(query_scalar("SELECT MIN(next_attempt_ms) FROM notification WHERE state = 'WAITING' AND next_attempt_ms > ?")
        .bind(now_ms)
        .fetch_one(&mut *store.read().await?)
        .await?)
}

/// Claims an event for an attempt that ends before `until_ms`. Returns whether this process has it: only one of several processes can
/// claim an event. If that process ends, the event becomes due again.
pub async fn claim(
    store: &Store,
    event: &Event,
    now_ms: i64,
    until_ms: i64,
) -> Result<bool, StoreError> {
    if !store.is_shared() {
        return Ok(true);
    }
    let claim = query(
        "UPDATE notification SET next_attempt_ms = ? \
         WHERE event_id = ? AND state = 'WAITING' AND attempts = ? AND next_attempt_ms <= ?",
    );
    let claim = claim
        .bind(until_ms)
        .bind(&event.event_id)
        .bind(event.attempts)
        .bind(now_ms);
    Ok(store.change(claim).await? > 0)
}

/// Records an attempt. Without an acknowledgement the event waits until `next_ms`. If that is `None`, it is given up.
pub async fn record(
    store: &Store,
    event: &Event,
    attempt: u32,
    now_ms: i64,
    finding: &AttemptResult,
    next_ms: Option<i64>,
) -> Result<(), StoreError> {
    let (status, cause) = match finding {
        AttemptResult::Answered { status } => (Some(*status), None),
        AttemptResult::NoAnswer { cause } => (None, Some(*cause)),
    };
    let state = match (finding.is_acknowledged(), next_ms) {
        (true, _) => "DELIVERED",
        (false, Some(_)) => "WAITING",
        (false, None) => "GIVEN_UP",
    };
    let mut transaction = store.write(Subject::Statement).await?;
    query("INSERT INTO notification_attempt (event_id, attempt, at_ms, status, cause) VALUES (?, ?, ?, ?, ?)")
        .bind(&event.event_id)
        .bind(attempt)
        .bind(now_ms)
        .bind(status)
        .bind(cause)
        .execute(&mut transaction)
        .await?;
    query("UPDATE notification SET attempts = ?, state = ?, next_attempt_ms = COALESCE(?, next_attempt_ms) WHERE event_id = ?")
        .bind(attempt)
        .bind(state)
        .bind(next_ms)
        .bind(&event.event_id)
        .execute(&mut transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

impl Event {
    fn read(row: &Row) -> Result<Event, StoreError> {
        Ok(Event {
            event_id: row.try_get("event_id")?,
            merchant_id: row.try_get("merchant_id")?,
            order_id: row.try_get("order_id")?,
            terminal_id: row.try_get("terminal_id")?,
            url: row.try_get("url")?,
            body: row.try_get("body")?,
            attempts: u32::try_from(row.try_get::<i64>("attempts")?)
                .map_err(|_| StoreError::Unreadable("notification"))?,
        })
    }
}

/// For one receiver at a time. The remaining events are read when its lane is empty.
const BATCH: i64 = 20;
