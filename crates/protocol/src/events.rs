//! The feed of events as the merchant's server reads it. An event about money holds the notification that is sent about
//! it, an event about goods what the shop told, and the others what their notification tells of.

use crate::dispute::Dispute;
use crate::fulfilment::Fulfilment;
use crate::notice::{PageChange, RefundApproval, TerminalAttack};
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
    /// UUID, the same as in the notification, if there is one.
    pub event_id: String,
    /// `PAYMENT`, `PAY_BY_LINK`, `OPERATION`, `ORDER_FULFILMENT`, `TERMINAL_ATTACK`, `REFUND_APPROVAL`, `DISPUTE`, `PAGE_CHANGE`.
    pub event_type: String,
    /// Instant at which it was written into the feed. The feed keeps it for 90 days from then.
    pub recorded_time: String,
    /// The body of the notification about it, whether one is sent or not; only where it is about money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notification: Option<Notification>,
    /// What the shop told of the order's goods; only in `ORDER_FULFILMENT`. No notification is sent about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fulfilment: Option<Fulfilment>,
    /// The terminal that is under attack, or no longer is; only in `TERMINAL_ATTACK`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<TerminalAttack>,
    /// The refund that waits for a second member; only in `REFUND_APPROVAL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_approval: Option<RefundApproval>,
    /// The dispute that was opened or changed, without its evidence; only in `DISPUTE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispute: Option<Dispute>,
    /// The page that was changed; only in `PAGE_CHANGE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_change: Option<PageChange>,
}
