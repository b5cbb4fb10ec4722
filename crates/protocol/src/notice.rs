//! What the merchant's server is told besides the money of orders (own extension): that a terminal is under attack, what becomes of a
//! refund that waits for a second member, what becomes of a dispute, and that a page was changed. The money itself is told of by [`crate::operation::Notification`].

use crate::dispute::Dispute;
use serde::{Deserialize, Serialize};

/// What the merchant's server is told of something that is no operation. It is posted to the terminal's address for notifications.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// UUID, the same in every attempt.
    pub event_id: String,
    /// Instant of the change.
    pub event_time: String,
    /// `TERMINAL_ATTACK`, `REFUND_APPROVAL`, `DISPUTE`, `PAGE_CHANGE`.
    pub event_type: String,
    /// Only in `TERMINAL_ATTACK`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<TerminalAttack>,
    /// Only in `REFUND_APPROVAL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_approval: Option<RefundApproval>,
    /// Only in `DISPUTE`: the dispute without its evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispute: Option<Dispute>,
    /// Only in `PAGE_CHANGE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_change: Option<PageChange>,
}

/// A page that shows the terminal's form has scripts, policies or security headers that it did not have before, or lacks some.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageChange {
    /// The terminal.
    pub terminal_id: String,
    /// Origin and path of the page.
    pub page: String,
    /// How many are new.
    pub added: u32,
    /// How many have another content than before.
    pub changed: u32,
    /// How many are gone.
    pub removed: u32,
    /// Instant at which a buyer's browser reported it.
    pub found_time: String,
}

/// Somebody tries out stolen cards at a terminal, or no longer does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TerminalAttack {
    /// The terminal.
    pub terminal_id: String,
    /// Whether it began or ended.
    pub state: AttackState,
    /// Instant at which it began.
    pub since_time: String,
}

/// Whether a terminal is under attack.
///
/// `BEGUN`: it is from now on. `ENDED`: it no longer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AttackState {
    /// It is from now on.
    Begun,
    /// It no longer is.
    Ended,
}

/// A refund in the back office that waits for a second member, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RefundApproval {
    /// The id of the request, the same in all events about it.
    pub request_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// The operation that is refunded.
    pub operation_id: String,
    /// The terminal of the operation.
    pub terminal_id: String,
    /// What is refunded, in the smallest unit of the currency.
    pub amount: String,
    /// Its currency.
    pub currency: String,
    /// What became of it.
    pub state: RefundApprovalState,
    /// Instant at which it was asked for.
    pub asked_time: String,
    /// From this instant on nobody can approve it.
    pub end_time: String,
}

/// What became of a refund that waits for a second member.
///
/// `ASKED`: it waits. `APPROVED`: a second member approved it; an `OPERATION` event tells of the refund. `DECLINED`: a member declined it,
/// or whoever asked withdrew it. `NOT_POSSIBLE`: it was approved, and nothing could be refunded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RefundApprovalState {
    /// It waits.
    Asked,
    /// A second member approved it.
    Approved,
    /// A member declined it, or whoever asked withdrew it.
    Declined,
    /// It was approved, and nothing could be refunded.
    NotPossible,
}
