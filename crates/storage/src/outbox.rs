//! The outbox: notifications to merchants. A row is written in the transaction of the event. The notifier delivers it.

use super::{Connection, Row, StoreError, query, query_scalar};
use payframe_protocol::notice::Notice;
use payframe_protocol::operation::Notification;
use serde::Deserialize;

/// The delivery status of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It is sent at the time of its next attempt.
    Waiting,
    /// Acknowledged.
    Delivered,
    /// No attempt was acknowledged, and there are no more attempts.
    GivenUp,
}

/// A notification, with its delivery status.
pub struct EventRow {
    /// Its position in the order of events.
    pub seq: i64,
    /// The receiver's URL.
    pub url: String,
    /// The delivery status.
    pub delivery: Delivery,
    /// When it is sent next.
    pub next_attempt_ms: i64,
    /// Its content.
    pub told: Content,
    /// In ascending order.
    pub attempts: Vec<Attempt>,
}

/// The content of a notification.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// The result of an operation.
    Operation(Box<Notification>),
    /// Something else.
    Notice(Box<Notice>),
}

impl Content {
    /// The id of the event.
    pub fn event_id(&self) -> &str {
        match self {
            Content::Operation(notification) => &notification.event_id,
            Content::Notice(notice) => &notice.event_id,
        }
    }

    /// The instant of the event.
    pub fn event_time(&self) -> &str {
        match self {
            Content::Operation(notification) => &notification.event_time,
            Content::Notice(notice) => &notice.event_time,
        }
    }
}

/// One attempt to deliver a notification.
pub struct Attempt {
    /// Counted from one.
    pub number: i64,
    /// The time of the attempt.
    pub at_ms: i64,
    /// The status of the response, if there was one.
    pub status: Option<i64>,
    /// Why there was no response.
    pub cause: Option<String>,
}

/// A filter for notifications. `None` does not filter.
#[derive(Clone, Copy, Debug, Default)]
pub struct EventFilter<'a> {
    /// The event's id.
    pub event_id: Option<&'a str>,
    /// The merchant's order.
    pub order_id: Option<&'a str>,
    /// The delivery status.
    pub delivery: Option<Delivery>,
    /// Only notifications before this position.
    pub before_seq: Option<i64>,
}

/// Puts a notification into the outbox, due at once.
pub fn add(
    connection: &mut Connection,
    merchant_id: &str,
    url: &str,
    notification: &Notification,
    now_ms: i64,
) -> Result<(), StoreError> {
    let operation = &notification.operation;
    let letter = Letter {
        event_id: &notification.event_id,
        in_order_of: &operation.order_id,
        terminal_id: &operation.terminal_id,
        body: serde_json::to_string(notification),
    };
    letter.put(connection, merchant_id, url, now_ms)
}

/// Puts the notification of something that is no operation into the outbox, due at once. The terminal's secrets sign it.
///
/// `about` is no id of an order: notifications about the same arrive one after the other, and none of an order waits for them.
pub fn add_notice(
    connection: &mut Connection,
    (merchant_id, terminal_id): (&str, &str),
    url: &str,
    about: &str,
    notice: &Notice,
    now_ms: i64,
) -> Result<(), StoreError> {
    let letter = Letter {
        event_id: &notice.event_id,
        in_order_of: about,
        terminal_id,
        body: serde_json::to_string(notice),
    };
    letter.put(connection, merchant_id, url, now_ms)
}

/// A notification on its way into the outbox.
struct Letter<'a> {
    event_id: &'a str,
    /// What the column `order_id` has: notifications with the same arrive one after the other.
    in_order_of: &'a str,
    terminal_id: &'a str,
    body: serde_json::Result<String>,
}

impl Letter<'_> {
    fn put(
        self,
        connection: &mut Connection,
        merchant_id: &str,
        url: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let body = self
            .body
            .map_err(|_| StoreError::Unreadable("notification"))?;
        connection
            .enqueue(
                "INSERT INTO notification (event_id, merchant_id, order_id, url, body, next_attempt_ms, terminal_id, created_ms) \
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            )
            .bind(self.event_id)
            .bind(merchant_id)
            .bind(self.in_order_of)
            .bind(url)
            .bind(body)
            .bind(now_ms)
            .bind(self.terminal_id)
            .bind(now_ms);
        Ok(())
    }
}

/// The notifications that wait for delivery.
pub struct QueueLength {
    /// Their number.
    pub count: i64,
    /// When the oldest was written.
    pub oldest_ms: Option<i64>,
}

/// The waiting notifications of all merchants.
pub async fn waiting(connection: &mut Connection) -> Result<QueueLength, StoreError> {
    let row = query(
        "SELECT COUNT(*) AS waiting, MIN(NULLIF(created_ms, 0)) AS oldest_ms FROM notification WHERE state = 'WAITING'",
    )
    .fetch_one(connection)
    .await?;
    Ok(QueueLength {
        count: row.try_get("waiting")?,
        oldest_ms: row.try_get("oldest_ms")?,
    })
}

/// The list of notifications. `$where`: what an index leads to.
macro_rules! listed_where {
    ($where:literal) => {
        concat!(
            "SELECT seq, url, state, next_attempt_ms, body FROM notification WHERE ",
            $where,
            " AND (?2 IS NULL OR event_id = ?2) AND (?3 IS NULL OR order_id = ?3) AND (?4 IS NULL OR state = ?4) \
             AND (?5 IS NULL OR seq < ?5) ORDER BY seq DESC LIMIT ?6"
        )
    };
}

/// A merchant's notifications, newest first, each with every attempt.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &EventFilter<'_>,
    most: u32,
) -> Result<Vec<EventRow>, StoreError> {
    let rows = query(match filter {
        EventFilter {
            event_id: Some(_), ..
        } => listed_where!("merchant_id = ?1 AND event_id = ?2"),
        EventFilter {
            order_id: Some(_), ..
        } => listed_where!("merchant_id = ?1 AND order_id = ?3"),
        // Few are in these states. An expression keeps SQLite from going through all of the merchant's.
        EventFilter {
            delivery: Some(Delivery::Waiting | Delivery::GivenUp),
            ..
        } => listed_where!("merchant_id || '' = ?1 AND state = ?4"),
        _ => listed_where!("merchant_id = ?1"),
    })
    .bind(merchant_id)
    .bind(filter.event_id)
    .bind(filter.order_id)
    .bind(filter.delivery.map(Delivery::code))
    .bind(filter.before_seq)
    .bind(most)
    .fetch_all(&mut *connection)
    .await?;
    let mut events = rows
        .iter()
        .map(event_of)
        .collect::<Result<Vec<_>, StoreError>>()?;
    let (Some(newest), Some(oldest)) = (events.first(), events.last()) else {
        return Ok(events);
    };
    let attempts = query(
        "SELECT n.seq, a.attempt, a.at_ms, a.status, a.cause FROM notification n \
         JOIN notification_attempt a ON a.event_id = n.event_id \
         WHERE n.merchant_id = ? AND n.seq BETWEEN ? AND ? ORDER BY a.attempt",
    )
    .bind(merchant_id)
    .bind(oldest.seq)
    .bind(newest.seq)
    .fetch_all(connection)
    .await?;
    for row in &attempts {
        let seq: i64 = row.try_get("seq")?;
        // There may be other events between the newest and the oldest of the list.
        if let Some(event) = events.iter_mut().find(|event| event.seq == seq) {
            event.attempts.push(Attempt {
                number: row.try_get("attempt")?,
                at_ms: row.try_get("at_ms")?,
                status: row.try_get("status")?,
                cause: row.try_get("cause")?,
            });
        }
    }
    Ok(events)
}

/// The merchant of a notification, for commands of the operator.
pub async fn merchant_of(
    connection: &mut Connection,
    event_id: &str,
) -> Result<Option<String>, StoreError> {
    let merchant_id = query_scalar("SELECT merchant_id FROM notification WHERE event_id = ?")
        .bind(event_id)
        .fetch_optional(connection)
        .await?;
    Ok(merchant_id)
}

/// Makes a notification due at once, whatever its status. `false`: it does not exist, or its next attempt is due before `soon_ms` anyway,
/// or is in progress.
pub async fn send_again(
    connection: &mut Connection,
    merchant_id: &str,
    event_id: &str,
    now_ms: i64,
    soon_ms: i64,
) -> Result<bool, StoreError> {
    let changed = query(
        "UPDATE notification SET state = 'WAITING', next_attempt_ms = ? \
         WHERE merchant_id = ? AND event_id = ? AND (state <> 'WAITING' OR next_attempt_ms > ?)",
    )
    .bind(now_ms)
    .bind(merchant_id)
    .bind(event_id)
    .bind(soon_ms)
    .execute(connection)
    .await?;
    Ok(changed == 1)
}

impl Delivery {
    /// The code of a column.
    pub fn code(self) -> &'static str {
        match self {
            Delivery::Waiting => "WAITING",
            Delivery::Delivered => "DELIVERED",
            Delivery::GivenUp => "GIVEN_UP",
        }
    }

    /// The status with this code.
    pub fn from_code(code: &str) -> Option<Delivery> {
        Delivery::ALL
            .into_iter()
            .find(|delivery| delivery.code() == code)
    }

    /// All of them.
    pub const ALL: [Delivery; 3] = [Delivery::Waiting, Delivery::Delivered, Delivery::GivenUp];
}

fn event_of(row: &Row) -> Result<EventRow, StoreError> {
    let unreadable = || StoreError::Unreadable("notification");
    Ok(EventRow {
        seq: row.try_get("seq")?,
        url: row.try_get("url")?,
        delivery: Delivery::from_code(row.try_get("state")?).ok_or_else(unreadable)?,
        next_attempt_ms: row.try_get("next_attempt_ms")?,
        told: serde_json::from_str(row.try_get("body")?).map_err(|_| unreadable())?,
        attempts: Vec::new(),
    })
}

/// An attempt that is due within this time is not brought forward, because it may be running. Where several processes deliver, a
/// running attempt is due again after half a minute.
pub const SOON_MS: i64 = 35_000;
