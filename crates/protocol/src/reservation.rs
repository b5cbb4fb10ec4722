//! Reservations as the merchant's server reads them.
//!
//! Source: gateway contract, sections 2.12, 8.3.4 to 8.3.11 and 8.3.15 to 8.3.17.

use crate::acceptance::Acceptance;
use crate::hosted::PaymentLink;
use crate::operation::Operation;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Answer of `POST /reservations` (8.3.7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReservationMade {
    /// The id of the reservation: also the `orderId` of all its payments.
    pub reservation_id: String,
}

/// Answer of `GET /reservations` (8.3.8). The name is singular.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReservationList {
    /// Newest first; `[]` if none.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<std::collections::BTreeMap<String, Value>>))]
    pub reservation: Vec<Map<String, Value>>,
}

/// Answer of `GET /reservations/{reservationId}` (8.3.10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReservationAnswer {
    /// The reservation and its totals.
    pub reservation_status: ReservationStatus,
    /// Oldest first.
    pub operations: Vec<Operation>,
    /// `[]` if none.
    pub payment_links: Vec<PaymentLink>,
    /// What buyers accepted, each with its text; `[]` if nothing.
    pub acceptances: Vec<Acceptance>,
}

/// A reservation with its totals (8.3.10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReservationStatus {
    /// The reservation as it was sent (2.12), with `status` and `creationDate`.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, Value>))]
    pub reservation: Map<String, Value>,
    /// Approved, less released; minor units.
    pub authorized_amount: String,
    /// Captured, less undone; minor units.
    pub captured_amount: String,
    /// Absent while there is no operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation_type: Option<String>,
    /// Absent while there is no operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation_time: Option<String>,
}

/// Answer of `POST /reservations/{reservationId}/cancels` (own extension).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CancelledReservation {
    /// The penalty, where one was charged by this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
}

/// Answer of the three validations (8.3.15 to 8.3.17).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Validation {
    /// `true`.
    pub valid: bool,
    /// The most that the charge may be now; minor units.
    pub max_amount: String,
    /// ISO 4217 letters.
    pub currency: String,
}
