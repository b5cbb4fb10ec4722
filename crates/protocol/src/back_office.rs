//! Lists, actions and methods as the merchant's server reads them.
//!
//! Source: gateway contract, sections 2.9 and 8.2. Orders and operations themselves are in [`crate::operation`].

use crate::operation::{Operation, OrderStatus};
use crate::warning::Warning;
use serde::{Deserialize, Serialize};

/// Answer of `GET /orders` (8.2.1): newest first. The rows have no `lastOperation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OrderList {
    /// `[]` if none.
    pub orders: Vec<OrderStatus>,
}

/// Answer of `GET /operations` (8.2.3): newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OperationList {
    /// `[]` if none.
    pub operations: Vec<Operation>,
}

/// Answer of `GET /payment_methods` (8.2.11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethodList {
    /// The methods of the calling key's terminal.
    pub payment_methods: Vec<PaymentMethod>,
}

/// A way to pay (2.9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethod {
    /// `CARD` or `APM`.
    pub payment_method_type: String,
    /// Of a card its network; of a wallet or another method what `paymentSession.paymentService` takes.
    pub circuit: String,
    /// URL of an SVG; absent where there is no picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_link: Option<String>,
    /// Whether it can be charged again without the buyer.
    pub recurring_supported: bool,
    /// Whether the buyer can pay with it again in one step.
    pub one_click_supported: bool,
}

/// Answer of `GET /operations/{operationId}/actions` (8.2.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ActionList {
    /// `[]` if nothing is allowed now.
    pub actions: Vec<AllowedAction>,
}

/// Something that may be done with an operation now (8.2.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AllowedAction {
    /// `CAPTURE`, `REFUND`, `VOID`, `CANCEL`, `INCREMENTAL`. A `VOID` is made by the call for refunds, with exactly this amount.
    pub action_type: String,
    /// Minor units; the same as `maxAmount` where only the whole is possible.
    pub min_amount: String,
    /// Minor units.
    pub max_amount: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// The last instant at which it is possible; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<String>,
    /// Path of the call, relative to the base.
    pub path: String,
}

/// Answer of the calls that move money (8.2.6 to 8.2.8): it is taken, and its outcome is in the operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    /// 18 digits.
    pub operation_id: String,
    /// Instant, UTC with milliseconds.
    pub operation_time: String,
    /// Remarks that refuse nothing; absent if none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}
