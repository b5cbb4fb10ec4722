//! Operations and orders as the merchant's server reads them.
//!
//! Source: gateway contract, sections 2.7 and 8.2.2. A frame never sees these: see [`crate::api::OperationSummary`].

use crate::acceptance::Acceptance;
use crate::dispute::Dispute;
use crate::fulfilment::Fulfilment;
use crate::hosted::PaymentLink;
use crate::warning::Warning;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// One thing that happened to an order's money, or that failed to (2.7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// The merchant's order.
    pub order_id: String,
    /// 18 digits.
    pub operation_id: String,
    /// `ECOMMERCE`, `POS`, `BACKOFFICE`.
    pub channel: String,
    /// E.g. `BUILD`.
    pub channel_detail: String,
    /// E.g. `AUTHORIZATION` (2.7.1).
    pub operation_type: String,
    /// E.g. `EXECUTED` (2.7.2).
    pub operation_result: String,
    /// Instant, UTC with milliseconds.
    pub operation_time: String,
    /// `CARD` or `APM`; absent where no method was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_method: Option<String>,
    /// Network or method code; absent where none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_circuit: Option<String>,
    /// `***` and the last four digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_instrument_info: Option<String>,
    /// The scheme's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_end_to_end_id: Option<String>,
    /// The operation that this one undoes; absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_operation_id: Option<String>,
    /// Minor units, digits only.
    pub operation_amount: String,
    /// ISO 4217 letters.
    pub operation_currency: String,
    /// What the merchant sent with the order; `{}` if nothing.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, Value>))]
    pub customer_info: Map<String, Value>,
    /// E.g. `TRA001`.
    pub warnings: Vec<Warning>,
    /// The link that it was paid over; absent for everything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_link_id: Option<String>,
    /// The terminal that it is booked on.
    pub terminal_id: String,
    /// The same for everything that is done with an order at points of sale; absent where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omnichannel_id: Option<String>,
    /// Authorization code, response code, masked number and so on (2.7.3). `exemption`: the exemption from authentication that was claimed.
    /// `dataShareOnly`: `YES`, if the issuer only took note of the data of the payment, as the merchant asked, and authenticated nobody.
    /// `liability`: who bears a fraud as a rule, `ISSUER` or `MERCHANT`.
    /// `declineReason`: `AUTHENTICATION_REQUIRED`, if the issuer declined because the buyer was not authenticated. `repeatsOperationId`: the
    /// operation that was declined for that reason, if this one repeats it after a challenge; `refusedExemption`: the exemption that it claimed.
    pub additional_data: BTreeMap<String, Value>,
}

/// Answer of the calls that make a payment from beginning to end (8.1.7 to 8.1.10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OperationAnswer {
    /// What became of it.
    pub operation: Operation,
}

/// Answer of `GET /orders/{orderId}` (8.2.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct OrderAnswer {
    /// The order and its totals.
    pub order_status: OrderStatus,
    /// The version of the order, as in the header `ETag` without its quotation marks (own extension). It changes with the order as it was
    /// sent, with its operations, its fulfilment and its disputes. `If-Match` with it makes a refund, a capture or a cancel fail if the order has changed.
    pub order_version: String,
    /// What the shop told of the order's goods (own extension); absent while it told nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fulfilment: Option<Fulfilment>,
    /// Newest first.
    pub operations: Vec<Operation>,
    /// `[]` if none.
    pub payment_links: Vec<PaymentLink>,
    /// What buyers accepted before they paid (own extension); absent if nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acceptances: Vec<Acceptance>,
    /// The order's disputes (own extension), newest first, without their evidence; absent if none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
    /// What disputes hold that are not decided, in minor units (own extension): it cannot be refunded. Absent if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disputed_amount: Option<String>,
    /// What disputes took back, in minor units (own extension). Absent if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charged_back_amount: Option<String>,
}

/// An order with its totals (8.2.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct OrderStatus {
    /// The order as it was sent (2.1), with the amount as text.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, Value>))]
    pub order: Map<String, Value>,
    /// What became of its money, in one word (own extension).
    pub status: MoneyStatus,
    /// Approved, less released; minor units.
    pub authorized_amount: String,
    /// Captured, less undone; minor units.
    pub captured_amount: String,
    /// Given back; minor units.
    pub refunded_amount: String,
    /// Absent while there is no operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation_type: Option<String>,
    /// Absent while there is no operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation_time: Option<String>,
    /// The newest operation; absent while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<Operation>,
}

/// What became of an order's money, in one word (own extension). The sums decide first. Only where nothing was captured, refunded or held,
/// the newest operation does.
///
/// `UNPAID`: there is no operation. `TO_CAPTURE`: approved money is held, and not all of it is captured. `PAID`: all approved money is
/// captured, and nothing is refunded. `PARTLY_REFUNDED`: a part of the captured money is refunded. `REFUNDED`: all of it is refunded.
/// `PENDING`: the payment has no final result. `VERIFIED`: the card was verified without a charge. `REFUSED`: the issuer, the risk
/// rules or 3-D Secure refused the last attempt. `CANCELED`: the buyer or the merchant cancelled it. `FAILED`: it failed for
/// technical reasons. `RELEASED`: approved money was released, or its capture was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MoneyStatus {
    /// There is no operation.
    Unpaid,
    /// Approved money is held, and not all of it is captured.
    ToCapture,
    /// All approved money is captured, and nothing is refunded.
    Paid,
    /// A part of the captured money is refunded.
    PartlyRefunded,
    /// All of it is refunded.
    Refunded,
    /// The payment has no final result.
    Pending,
    /// The card was verified without a charge.
    Verified,
    /// The issuer, the risk rules or 3-D Secure refused the last attempt.
    Refused,
    /// The buyer or the merchant cancelled it.
    Canceled,
    /// It failed for technical reasons.
    Failed,
    /// Approved money was released, or its capture was cancelled.
    Released,
}

/// What the merchant's server is told when an operation gets a result (9.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// UUID, the same in every attempt.
    pub event_id: String,
    /// Instant of the change.
    pub event_time: String,
    /// That of the answer which created the payment.
    pub security_token: String,
    /// The operation as it was at that instant.
    pub operation: Operation,
    /// `PAYMENT`, `PAY_BY_LINK`, `OPERATION`.
    pub event_type: String,
}

/// The member of `additionalData` that names the rule against card testing that refused an operation.
pub const CARD_TESTING_RULE: &str = "cardTestingRule";
