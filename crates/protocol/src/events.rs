//! The feed of events as the merchant's server reads it. An event holds the notification that is sent about it.

use crate::operation::Notification;
use serde::{Deserialize, Serialize};

/// Answer of `GET /events`: oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventList {
    /// `[]` if nothing has happened since.
    pub events: Vec<Event>,
    /// `after` of the next call. Store it once the events are processed.
    pub next_cursor: String,
    /// Whether more events are there already. Without more, ask again later.
    pub has_more: bool,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The place of the event in the feed: `after` with it reads on behind it.
    pub cursor: String,
    /// UUID, the same as in the notification.
    pub event_id: String,
    /// `PAYMENT`, `PAY_BY_LINK`, `OPERATION`.
    pub event_type: String,
    /// Instant at which it was written into the feed. The feed keeps it for 90 days from then.
    pub recorded_time: String,
    /// The body of the notification about it, whether one is sent or not.
    pub notification: Notification,
}
