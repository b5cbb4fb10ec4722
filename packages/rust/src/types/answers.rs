//! What the gateway answers and notifies of. Members may be added.
//!
//! Made by `tools/types.mjs`; changes by hand are lost. It is longer than most, because it has one type for each object of the API.

use crate::types::choices::{
    AttackState, BuildState, DisputeCategory, DisputeKind, DisputeState, EventType,
    FulfilmentState, MoneyStatus, NoticeType, NotificationType, RefundApprovalState,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Something that a buyer accepted on the page of a link, or on a hosted page: evidence, which never changes (own extension).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Acceptance {
    /// When it was accepted.
    pub accepted_time: String,
    /// What stood beside the box that was ticked.
    pub check_mark_label: String,
    /// Of the text that was shown, three letters.
    pub language: String,
    /// The link, or the hosted page.
    pub link_id: String,
    /// `TERMS`, `STAY` (of a structure condition), `CANCELLATION` (the same).
    pub part: String,
    /// The text.
    pub text: String,
    /// SHA-256 of the text's bytes, in hex.
    pub text_hash: String,
    /// The terms and conditions, or the structure condition.
    pub text_id: String,
}

/// Something that may be done with an operation now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AllowedAction {
    /// `CAPTURE`, `REFUND`, `VOID`, `CANCEL`, `INCREMENTAL`.
    pub action_type: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// The last instant at which it is possible; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<String>,
    /// Minor units.
    pub max_amount: String,
    /// Minor units; the same as `maxAmount` where only the whole is possible.
    pub min_amount: String,
    /// Path of the call, relative to the base.
    pub path: String,
}

/// Answer of `GET /build/cardData`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CardData {
    /// First 6 digits, 8 for some networks.
    pub bin: String,
    /// Network code.
    pub circuit: String,
    /// `MMYY`.
    pub expiring_date: String,
    /// `CREDIT`, `DEBIT`, `PREPAID`; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub funding: Option<String>,
    /// ISO 3166-1 alpha-3; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer_country: Option<String>,
    /// Last four digits.
    pub last_four_digits: String,
}

/// Answer of `PATCH /build/session`: what the session charges now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChangedSession {
    /// What the session charges, in the minor unit of `currency`.
    pub amount: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// What the order costs.
    pub order_amount: String,
    /// Where the session stands.
    pub state: BuildState,
    /// `warnings`, as in the OpenAPI document.
    pub warnings: Vec<GatewayWarning>,
}

/// The clock of a sandbox: the answer of `GET /test/clock` and of `POST /test/clock/advance`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ClockReading {
    /// Instant: the last one to which the clock can be advanced now.
    pub latest_time: String,
    /// Instant: the real time now.
    pub real_time: String,
    /// How many seconds the clock is ahead of the real time; 0 if it was never advanced.
    pub seconds_ahead: u32,
    /// Instant: the time of payments now.
    pub time: String,
}

/// Answer of the two creation calls of links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreatedLink {
    /// The link.
    pub payment_link: PaymentLink,
    /// 32 hex digits, to be compared with the token of notifications.
    pub security_token: String,
    /// `[]` if none.
    pub warnings: Vec<GatewayWarning>,
}

/// A buyer's bank asks about a captured payment, or takes its money back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Dispute {
    /// The disputed money, in the smallest unit of the currency.
    pub amount: String,
    /// Why the buyer disputes, in plain words.
    pub category: DisputeCategory,
    /// Instant of its last change.
    pub changed_time: String,
    /// Its currency.
    pub currency: String,
    /// From this instant on it cannot be answered.
    pub deadline: String,
    /// UUID.
    pub dispute_id: String,
    /// What the merchant submitted last; only in answers about one dispute, and absent if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<SubmittedEvidence>,
    /// The files of the merchant; only in answers about one dispute, and absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<DisputeFile>>,
    /// How far it has come at the card network.
    pub kind: DisputeKind,
    /// Instant at which it was opened.
    pub opened_time: String,
    /// The operation whose captured money is disputed.
    pub operation_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// Why, as the network writes it.
    pub reason_code: String,
    /// The acquirer's own number of the case; absent if it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// What is to be done, or what became of it.
    pub state: DisputeState,
    /// The terminal of the operation.
    pub terminal_id: String,
}

/// A file of evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DisputeFile {
    /// Instant at which it was added.
    pub added_time: String,
    /// UUID.
    pub file_id: String,
    /// `application/pdf`, `image/png`, `image/jpeg`: found in its content.
    pub media_type: String,
    /// What the merchant calls it.
    pub name: String,
    /// How many bytes it has.
    pub size: u32,
}

/// Answer of `GET /disputes`: newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DisputePage {
    /// `[]` if none.
    pub disputes: Vec<Dispute>,
    /// Whether more disputes are behind these.
    pub has_more: bool,
}

/// Answer of `GET /events`: oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EventPage {
    /// `[]` if nothing has happened since.
    pub events: Vec<FeedEvent>,
    /// Whether more events are there already.
    pub has_more: bool,
    /// `after` of the next call.
    pub next_cursor: String,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FeedEvent {
    /// The terminal that is under attack, or no longer is; only in `TERMINAL_ATTACK`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<TerminalAttack>,
    /// The place of the event in the feed.
    pub cursor: String,
    /// The dispute that was opened or changed, without its evidence; only in `DISPUTE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispute: Option<Dispute>,
    /// UUID, the same as in the notification, if there is one.
    pub event_id: String,
    /// `PAYMENT`, `PAY_BY_LINK`, `OPERATION`, `ORDER_FULFILMENT`, `TERMINAL_ATTACK`, `REFUND_APPROVAL`, `DISPUTE`, `PAGE_CHANGE`.
    pub event_type: EventType,
    /// What the shop told of the order's goods; only in `ORDER_FULFILMENT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fulfilment: Option<Fulfilment>,
    /// The body of the notification about it, whether one is sent or not; only where it is about money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notification: Option<Notification>,
    /// The page that was changed; only in `PAGE_CHANGE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_change: Option<PageChange>,
    /// Instant at which it was written into the feed.
    pub recorded_time: String,
    /// The refund that waits for a second member; only in `REFUND_APPROVAL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_approval: Option<RefundApproval>,
}

/// One thing that the page must show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Field {
    /// `CARD_FIELD`, `CARD`, `APM` or `GDI`.
    pub class: String,
    /// Field id, e.g.
    pub id: String,
    /// Address of the frame.
    pub src: String,
    /// `TEXT`, `ACTION` or `GDI`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// The fields of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FieldSet {
    /// In the order in which they are shown.
    pub fields: Vec<Field>,
    /// The session that the fields belong to.
    pub session_id: String,
}

/// Where the one-frame form is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FormAddress {
    /// Instant at which the session ends at the latest.
    pub expires_at: String,
    /// The form as HTML, to be printed into the merchant's page as it is: an element with its frame, which can be typed into before any script of the page has run.
    pub html: String,
    /// Address of the frame.
    pub src: String,
}

/// The goods of an order as the shop told them: the answer of `PUT /orders/{orderId}/fulfilment`, in `GET /orders/{orderId}`, and in events of the type `ORDER_FULFILMENT`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Fulfilment {
    /// Instant at which the shop first told this state with this note.
    pub changed_time: String,
    /// The shop's note; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The merchant's order.
    pub order_id: String,
    /// The state of its goods.
    pub state: FulfilmentState,
}

/// A remark that refuses nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GatewayWarning {
    /// `GW91…` or `TRA…`.
    pub code: String,
    /// English.
    pub description: String,
}

/// Answer of `POST /orders/hpp`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HostedPage {
    /// Where to send the browser.
    pub hosted_page: String,
    /// 32 hex digits, to be compared with the token of notifications.
    pub security_token: String,
    /// `[]` if none.
    pub warnings: Vec<GatewayWarning>,
}

/// Answer of `GET /orders/paybylink/{linkId}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LinkDetails {
    /// The order as it was sent.
    pub order: Map<String, Value>,
    /// The link.
    pub payment_link: PaymentLink,
}

/// What the merchant's server is told of something that is no operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Notice {
    /// Only in `TERMINAL_ATTACK`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<TerminalAttack>,
    /// Only in `DISPUTE`: the dispute without its evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispute: Option<Dispute>,
    /// UUID, the same in every attempt.
    pub event_id: String,
    /// Instant of the change.
    pub event_time: String,
    /// `TERMINAL_ATTACK`, `REFUND_APPROVAL`, `DISPUTE`, `PAGE_CHANGE`.
    pub event_type: NoticeType,
    /// Only in `PAGE_CHANGE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_change: Option<PageChange>,
    /// Only in `REFUND_APPROVAL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_approval: Option<RefundApproval>,
}

/// What the merchant's server is told when an operation gets a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Notification {
    /// UUID, the same in every attempt.
    pub event_id: String,
    /// Instant of the change.
    pub event_time: String,
    /// `PAYMENT`, `PAY_BY_LINK`, `OPERATION`.
    pub event_type: NotificationType,
    /// The operation as it was at that instant.
    pub operation: Operation,
    /// That of the answer which created the payment.
    pub security_token: String,
}

/// One thing that happened to an order's money, or that failed to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Operation {
    /// Authorization code, response code, masked number and so on.
    pub additional_data: Map<String, Value>,
    /// The operation that this one undoes; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_operation_id: Option<String>,
    /// `ECOMMERCE`, `POS`, `BACKOFFICE`.
    pub channel: String,
    /// `channelDetail`, as in the OpenAPI document.
    pub channel_detail: String,
    /// What the merchant sent with the order; `{}` if nothing.
    pub customer_info: Map<String, Value>,
    /// The same for everything that is done with an order at points of sale; absent where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omnichannel_id: Option<String>,
    /// Minor units, digits only.
    pub operation_amount: String,
    /// ISO 4217 letters.
    pub operation_currency: String,
    /// 18 digits.
    pub operation_id: String,
    /// `operationResult`, as in the OpenAPI document.
    pub operation_result: String,
    /// Instant, UTC with milliseconds.
    pub operation_time: String,
    /// `operationType`, as in the OpenAPI document.
    pub operation_type: String,
    /// The merchant's order.
    pub order_id: String,
    /// Network or method code; absent where none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_circuit: Option<String>,
    /// The scheme's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_end_to_end_id: Option<String>,
    /// `***` and the last four digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_instrument_info: Option<String>,
    /// The link that it was paid over; absent for everything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_link_id: Option<String>,
    /// `CARD` or `APM`; absent where no method was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_method: Option<String>,
    /// The terminal that it is booked on.
    pub terminal_id: String,
    /// `warnings`, as in the OpenAPI document.
    pub warnings: Vec<GatewayWarning>,
}

/// Answer of `GET /orders/{orderId}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Order {
    /// What buyers accepted before they paid (own extension); absent if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptances: Option<Vec<Acceptance>>,
    /// What disputes took back, in minor units (own extension).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charged_back_amount: Option<String>,
    /// What disputes hold that are not decided, in minor units (own extension): it cannot be refunded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disputed_amount: Option<String>,
    /// The order's disputes (own extension), newest first, without their evidence; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disputes: Option<Vec<Dispute>>,
    /// What the shop told of the order's goods (own extension); absent while it told nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fulfilment: Option<Fulfilment>,
    /// Newest first.
    pub operations: Vec<Operation>,
    /// The order and its totals.
    pub order_status: OrderStatus,
    /// The version of the order, as in the header `ETag` without its quotation marks (own extension).
    pub order_version: String,
    /// `[]` if none.
    pub payment_links: Vec<PaymentLink>,
}

/// An order with its totals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OrderStatus {
    /// Approved, less released; minor units.
    pub authorized_amount: String,
    /// Captured, less undone; minor units.
    pub captured_amount: String,
    /// The newest operation; absent while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<Operation>,
    /// Absent while there is no operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation_time: Option<String>,
    /// Absent while there is no operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation_type: Option<String>,
    /// The order as it was sent, with the amount as text.
    pub order: Map<String, Value>,
    /// Given back; minor units.
    pub refunded_amount: String,
    /// What became of its money, in one word (own extension).
    pub status: MoneyStatus,
}

/// A page that shows the terminal's form has scripts, policies or security headers that it did not have before, or lacks some.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PageChange {
    /// How many are new.
    pub added: u32,
    /// How many have another content than before.
    pub changed: u32,
    /// Instant at which a buyer's browser reported it.
    pub found_time: String,
    /// Origin and path of the page.
    pub page: String,
    /// How many are gone.
    pub removed: u32,
    /// The terminal.
    pub terminal_id: String,
}

/// A payment link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PaymentLink {
    /// `PAY`, `VERIFY`, `PREAUTH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_type: Option<String>,
    /// What the link asks for; minor units.
    pub amount: String,
    /// `IMPLICIT`, `EXPLICIT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture_type: Option<String>,
    /// Instant, UTC with milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<String>,
    /// ISO 4217 letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The last valid day, `YYYY-MM-DD` in the terminal's time zone.
    pub expiration_date: String,
    /// `HH:mm` with its zone, as in `18:30+02:00`; absent where the link is good to the end of its last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<String>,
    /// Where the buyer pays.
    pub link: String,
    /// At most 36 characters.
    pub link_id: String,
    /// The merchant's order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// Absent until it is paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid_by_operation_id: Option<String>,
    /// How often it was renewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renewals: Option<u32>,
    /// `ACTIVE`, `PAID`, `EXPIRED`, `CANCELED`, `FAILED`.
    pub status: String,
}

/// A refund in the back office that waits for a second member, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RefundApproval {
    /// What is refunded, in the smallest unit of the currency.
    pub amount: String,
    /// Instant at which it was asked for.
    pub asked_time: String,
    /// Its currency.
    pub currency: String,
    /// From this instant on nobody can approve it.
    pub end_time: String,
    /// The operation that is refunded.
    pub operation_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// The id of the request, the same in all events about it.
    pub request_id: String,
    /// What became of it.
    pub state: RefundApprovalState,
    /// The terminal of the operation.
    pub terminal_id: String,
}

/// Answer of `POST /orders/build`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Session {
    /// What the page must show; absent with a redirect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<Field>>,
    /// Only where the request had the member `form`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<FormAddress>,
    /// 32 hex digits, to be compared with the token of notifications.
    pub security_token: String,
    /// The session's id: a credential.
    pub session_id: String,
    /// Where the session stands.
    pub state: BuildState,
    /// With `REDIRECTED_TO_EXTERNAL_DOMAIN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `[]` if none.
    pub warnings: Vec<GatewayWarning>,
}

/// Answer of `GET /build/state` and of the completion calls, as the merchant's server sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SessionState {
    /// With the collecting states and the device check of version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_set: Option<FieldSet>,
    /// With `PAYMENT_COMPLETE`, and with a refusal that may be tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// Where the session stands.
    pub state: BuildState,
    /// With `REDIRECTED_TO_EXTERNAL_DOMAIN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `warnings`, as in the OpenAPI document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<GatewayWarning>>,
}

/// A clearing file of an acquirer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Settlement {
    /// The name of the file.
    pub file_name: String,
    /// The first day of its bookings, in the file's time zone.
    pub first_day: String,
    /// Instant at which it was imported.
    pub imported_time: String,
    /// The last day of its bookings.
    pub last_day: String,
    /// How many lines differ from the books, and are not marked as cleared.
    pub open_differences: u32,
    /// 18 digits.
    pub settlement_id: String,
    /// The sums of its lines, by currency.
    pub sums: Vec<SettlementSum>,
    /// The terminals that it is about.
    pub terminal_ids: Vec<String>,
}

/// Answer of `GET /settlements/{settlementId}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SettlementDetails {
    /// Its lines, in the order of the file.
    pub lines: Vec<SettlementLine>,
    /// `after` of the next call; absent if there are no more lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// The sums of its payouts, by currency.
    pub payouts: Vec<SettlementPayout>,
    /// The file.
    pub settlement: Settlement,
}

/// A line of a clearing file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SettlementLine {
    /// The acquirer's own reference; absent if the line has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acquirer_reference: Option<String>,
    /// The day on which the acquirer booked it, in the file's time zone.
    pub booked_day: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// `AMOUNT_DIFFERS`, `CURRENCY_DIFFERS`, `NOT_IN_BOOKS`, `BOOKED_TWICE`; absent if the line agrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// What the acquirer keeps: minor units, with a minus if it gives it back.
    pub fee_amount: String,
    /// Minor units, with a minus for refunds.
    pub gross_amount: String,
    /// Whether the difference is marked as cleared; absent if the line agrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_cleared: Option<bool>,
    /// `PAYMENT`, `REFUND`, or `OTHER`: a fee, a chargeback or a correction.
    pub kind: String,
    /// Where it begins in the file: 1 is the first line.
    pub line: u32,
    /// Minor units: the gross amount less the fee.
    pub net_amount: String,
    /// The operation that it is about; absent if none fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
    /// The order of that operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// The payout; absent if the line names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout_id: Option<String>,
    /// What the line calls its operation; absent if it names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// Answer of `GET /settlements`: newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SettlementPage {
    /// `after` of the next call; absent if there are no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// `[]` if there is none.
    pub settlements: Vec<Settlement>,
}

/// A payout of a clearing file, in one currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SettlementPayout {
    /// As the acquirer calls it; absent if its lines name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout_id: Option<String>,
    /// Its sums.
    pub sum: SettlementSum,
}

/// Sums of lines in one currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SettlementSum {
    /// ISO 4217 letters.
    pub currency: String,
    /// What the acquirer keeps: minor units, with a minus if it gives it back.
    pub fee_amount: String,
    /// Payments less refunds, and what else is in the file: minor units, with a minus below zero.
    pub gross_amount: String,
    /// How many lines.
    pub lines: u32,
    /// What the acquirer pays out: minor units, with a minus below zero.
    pub net_amount: String,
}

/// Evidence that a merchant submitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubmittedEvidence {
    /// What buyer and merchant wrote to each other; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correspondence: Option<String>,
    /// When, how and where it was delivered; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery: Option<String>,
    /// Why the payment is right; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// What was sold; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goods: Option<String>,
    /// The terms of cancellation and refund that the buyer accepted; absent if not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_terms: Option<String>,
    /// Instant at which it was submitted.
    pub submitted_time: String,
}

/// Answer of the calls that move money: it is taken, and its outcome is in the operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Taken {
    /// 18 digits.
    pub operation_id: String,
    /// Instant, UTC with milliseconds.
    pub operation_time: String,
    /// Remarks that refuse nothing; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<GatewayWarning>>,
}

/// Somebody tries out stolen cards at a terminal, or no longer does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TerminalAttack {
    /// Instant at which it began.
    pub since_time: String,
    /// Whether it began or ended.
    pub state: AttackState,
    /// The terminal.
    pub terminal_id: String,
}
