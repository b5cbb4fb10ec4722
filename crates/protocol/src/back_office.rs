//! Lists, actions and methods as the merchant's server reads them.
//!
//! Source: gateway contract, sections 2.9 and 8.2. Orders and operations themselves are in [`crate::operation`].

use crate::operation::{Operation, OrderStatus};
use serde::{Deserialize, Serialize};

/// Answer of `GET /orders` (8.2.1): newest first. The rows have no `lastOperation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderList {
    /// `[]` if none.
    pub orders: Vec<OrderStatus>,
}

/// Answer of `GET /operations` (8.2.3): newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperationList {
    /// `[]` if none.
    pub operations: Vec<Operation>,
}

/// Answer of `GET /payment_methods` (8.2.11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethodList {
    /// The methods of the calling key's terminal.
    pub payment_methods: Vec<PaymentMethod>,
}

/// A way to pay (2.9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethod {
    /// `CARD` or `APM`.
    pub payment_method_type: String,
    /// Network or method code.
    pub circuit: String,
    /// URL of an SVG; absent where there is no picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_link: Option<String>,
    /// Whether it can be charged again without the buyer.
    pub recurring_supported: bool,
    /// Whether the buyer can pay with it again in one step.
    pub one_click_supported: bool,
}
