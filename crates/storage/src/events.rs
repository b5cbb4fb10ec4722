//! The feed of events: everything that merchants are told, and what their shops told the gateway, in the order of their commits, without a gap. Merchants read it page by page.
//! The outbox ([`super::outbox`]) delivers notifications of them, except of what shops told.
//!
//! [`next_place`] counts in a row of the merchant's own. The row is locked until the transaction ends, so the next position is given after
//! that. A reader who sees an event sees every event before it, and a transaction that is rolled back leaves no gap. The same row gives
//! the times of operations, which no two operations of a merchant share. All changes of a merchant wait for this lock, so a change asks
//! for it when only writing is left to do.

use super::lock_order::Rank;
use super::{Connection, Row, StoreError, query, query_scalar};
use payframe_protocol::fulfilment::Fulfilment;
use payframe_protocol::notice::Notice;
use payframe_protocol::operation::Notification;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An event of the feed.
pub struct FeedEvent {
    /// Where it is.
    pub cursor: Cursor,
    /// When it was written. It is not before that of the event before it.
    pub written_ms: i64,
    /// Its id.
    pub event_id: String,
    /// What happened.
    pub told: Told,
}

/// What an event tells of, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Told {
    /// The result of an operation: the body of the notification about it.
    Operation(Box<Notification>),
    /// The state of an order's goods.
    Goods {
        /// As the shop told it.
        fulfilment: Fulfilment,
    },
    /// Something else: the body of the notification about it.
    Notice(Box<Notice>),
}

/// A part of the feed.
pub struct FeedPage {
    /// In the order of the feed.
    pub events: Vec<FeedEvent>,
    /// Behind the last of them.
    pub end: Cursor,
    /// Whether the feed goes on behind them.
    pub has_more: bool,
}

/// A place in a merchant's feed: behind one of its events, or at its beginning.
///
/// The start of the event's id is a part of it. So a cursor of another merchant, or one from before the database was restored, is
/// recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// 0 at the beginning.
    position: i64,
    /// Empty at the beginning.
    mark: String,
}

/// Where to begin to read.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// With the oldest event that is kept.
    Oldest,
    /// Behind a cursor.
    Behind(&'a Cursor),
    /// Behind the newest event.
    Newest,
}

/// The place of the next event in a merchant's feed.
#[derive(Clone, Copy, Debug)]
pub struct FeedPlace {
    position: i64,
    written_ms: i64,
    /// The time of the operation that the event is about, if it is a new one.
    pub time_ms: i64,
}

/// Whether an event is about a new operation, which needs a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// It gets its time now.
    NewOperation,
    /// An operation that has its time, or no operation.
    Other,
}

/// Takes the next place in the merchant's feed, for an event that the same change writes. The time of a new operation is `now_ms`, or
/// later if an operation already has that time (contract 1.8).
pub async fn next_place(
    connection: &mut Connection,
    merchant_id: &str,
    about: About,
    now_ms: i64,
) -> Result<FeedPlace, StoreError> {
    connection.takes_lock(Rank::Feed, merchant_id)?;
    let row = query(
        "INSERT INTO event_feed (merchant_id, last_position, last_written_ms, last_time_ms) VALUES (?, 1, ?, ?) \
         ON CONFLICT (merchant_id) DO UPDATE SET last_position = event_feed.last_position + 1, \
         last_written_ms = CASE WHEN event_feed.last_written_ms > excluded.last_written_ms \
                                THEN event_feed.last_written_ms ELSE excluded.last_written_ms END, \
         last_time_ms = CASE WHEN excluded.last_time_ms = 0 THEN event_feed.last_time_ms \
                             WHEN event_feed.last_time_ms < excluded.last_time_ms THEN excluded.last_time_ms \
                             ELSE event_feed.last_time_ms + 1 END \
         RETURNING last_position, last_written_ms, last_time_ms",
    )
    .bind(merchant_id)
    .bind(now_ms)
    .bind(match about {
        About::NewOperation => now_ms,
        About::Other => 0,
    })
    .fetch_one(connection)
    .await?;
    Ok(FeedPlace {
        position: row.try_get("last_position")?,
        written_ms: row.try_get("last_written_ms")?,
        time_ms: row.try_get("last_time_ms")?,
    })
}

/// The time of the merchant's next operation, or of another thing in the merchant's lists, without an event: `now_ms`, or later if an
/// operation already has that time (contract 1.8).
pub async fn next_time(
    connection: &mut Connection,
    merchant_id: &str,
    now_ms: i64,
) -> Result<i64, StoreError> {
    connection.takes_lock(Rank::Feed, merchant_id)?;
    let time = query_scalar(
        "INSERT INTO event_feed (merchant_id, last_position, last_written_ms, last_time_ms) VALUES (?, 0, 0, ?) \
         ON CONFLICT (merchant_id) DO UPDATE SET \
         last_time_ms = CASE WHEN event_feed.last_time_ms < excluded.last_time_ms THEN excluded.last_time_ms \
                             ELSE event_feed.last_time_ms + 1 END \
         RETURNING last_time_ms",
    )
    .bind(merchant_id)
    .bind(now_ms)
    .fetch_one(connection)
    .await?;
    Ok(time)
}

/// Writes the event of an operation at its place in the merchant's feed.
pub fn add(
    connection: &mut Connection,
    merchant_id: &str,
    place: FeedPlace,
    notification: &Notification,
) -> Result<(), StoreError> {
    let told = Told::Operation(Box::new(notification.clone()));
    write(
        connection,
        merchant_id,
        place,
        &notification.event_id,
        &told,
    )
}

/// Writes what the shop told of an order's goods at its place in the merchant's feed.
pub fn add_fulfilment(
    connection: &mut Connection,
    merchant_id: &str,
    place: FeedPlace,
    event_id: &str,
    fulfilment: Fulfilment,
) -> Result<(), StoreError> {
    let told = Told::Goods { fulfilment };
    write(connection, merchant_id, place, event_id, &told)
}

/// Writes an event that is about no operation and no goods at its place in the merchant's feed.
pub fn add_notice(
    connection: &mut Connection,
    merchant_id: &str,
    place: FeedPlace,
    notice: &Notice,
) -> Result<(), StoreError> {
    let told = Told::Notice(Box::new(notice.clone()));
    write(connection, merchant_id, place, &notice.event_id, &told)
}

fn write(
    connection: &mut Connection,
    merchant_id: &str,
    place: FeedPlace,
    event_id: &str,
    told: &Told,
) -> Result<(), StoreError> {
    let body = serde_json::to_string(told).map_err(|_| StoreError::Unreadable("event"))?;
    connection
        .enqueue("INSERT INTO event (merchant_id, position, event_id, body, written_ms) VALUES (?, ?, ?, ?, ?)")
        .bind(merchant_id)
        .bind(place.position)
        .bind(event_id)
        .bind(body)
        .bind(place.written_ms);
    Ok(())
}

/// The next events of a merchant, at most `most`. `None`: the event of the cursor is not in the feed, so events behind it may be missing.
pub async fn page(
    connection: &mut Connection,
    merchant_id: &str,
    start: Start<'_>,
    most: u32,
) -> Result<Option<FeedPage>, StoreError> {
    let cursor = match start {
        Start::Oldest => None,
        Start::Behind(cursor) => Some(cursor.clone()),
        Start::Newest => Some(newest(connection, merchant_id).await?),
    };
    let from = cursor.as_ref().map_or(0, |cursor| cursor.position);
    // The event of the cursor, and one more than was asked for.
    let rows = query(
        "SELECT position, event_id, body, written_ms FROM event WHERE merchant_id = ? AND position >= ? ORDER BY position LIMIT ?",
    )
    .bind(merchant_id)
    .bind(from)
    .bind(i64::from(most) + 2)
    .fetch_all(connection)
    .await?;
    let mut events = rows
        .iter()
        .map(FeedEvent::read)
        .collect::<Result<Vec<_>, StoreError>>()?;
    if let Some(cursor) = &cursor {
        let first = events.first().map(|event| &event.cursor);
        let is_there = if *cursor == Cursor::beginning() {
            first.is_none_or(|first| first.position == 1)
        } else {
            first == Some(cursor)
        };
        if !is_there {
            return Ok(None);
        }
        events.retain(|event| event.cursor.position > cursor.position);
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let has_more = events.len() > most;
    events.truncate(most);
    let last = events.last().map(|event| event.cursor.clone());
    Ok(Some(FeedPage {
        events,
        end: last.or(cursor).unwrap_or_else(Cursor::beginning),
        has_more,
    }))
}

async fn newest(connection: &mut Connection, merchant_id: &str) -> Result<Cursor, StoreError> {
    let row = query(
        "SELECT position, event_id FROM event WHERE merchant_id = ? ORDER BY position DESC LIMIT 1",
    )
    .bind(merchant_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map_or(Ok(Cursor::beginning()), Cursor::read)
}

impl FeedEvent {
    fn read(row: &Row) -> Result<FeedEvent, StoreError> {
        Ok(FeedEvent {
            cursor: Cursor::read(row)?,
            written_ms: row.try_get("written_ms")?,
            event_id: row.try_get::<&str>("event_id")?.to_owned(),
            told: serde_json::from_str(row.try_get("body")?)
                .map_err(|_| StoreError::Unreadable("event"))?,
        })
    }
}

impl Cursor {
    /// Before the first event of a merchant.
    fn beginning() -> Cursor {
        Cursor {
            position: 0,
            mark: String::new(),
        }
    }

    /// The cursor of a text that [`fmt::Display`] wrote.
    pub fn parse(text: &str) -> Option<Cursor> {
        let (position, mark) = text.split_once('-')?;
        let cursor = Cursor {
            position: position.parse().ok()?,
            mark: mark.to_owned(),
        };
        // Only one text is the same place: no sign, no leading zero, a mark where there is an event.
        let is_sound = (cursor.position == 0) == mark.is_empty() && cursor.to_string() == text;
        is_sound.then_some(cursor)
    }

    fn read(row: &Row) -> Result<Cursor, StoreError> {
        let event_id: &str = row.try_get("event_id")?;
        Ok(Cursor {
            position: row.try_get("position")?,
            mark: event_id.chars().take(MARK).collect(),
        })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.position, self.mark)
    }
}

/// How many characters of an event's id are in its cursor.
const MARK: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_from_its_own_text_only() {
        for (text, is_cursor) in [
            ("0-", true),
            ("42-554ccc00", true),
            ("9223372036854775807-554ccc00", true),
            ("", false),
            ("42", false),
            ("42-", false),
            ("0-554ccc00", false),
            ("-1-554ccc00", false),
            ("+42-554ccc00", false),
            ("042-554ccc00", false),
            ("9223372036854775808-554ccc00", false),
            ("x-554ccc00", false),
        ] {
            let read = Cursor::parse(text).map(|cursor| cursor.to_string());
            assert_eq!(read.as_deref(), is_cursor.then_some(text), "{text}");
        }
    }
}
