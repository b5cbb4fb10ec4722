//! Contracts as the merchant's server reads them: cards that are kept for later payments.
//!
//! Source: gateway contract, sections 2.9 and 8.2.9.

use serde::{Deserialize, Serialize};

/// Answer of `GET /contracts/customers/{customerId}` (8.2.9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContractList {
    /// The payer's id at the merchant.
    pub customer_id: String,
    /// Active ones, newest first; `[]` if none is left.
    pub contracts: Vec<Contract>,
}

/// Answer of `POST /contracts/{contractId}/deactivation` (8.2.10): `{}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Done {}

/// A card that is kept for later payments (2.9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Contract {
    /// The merchant's own id.
    pub contract_id: String,
    /// `CIT`, `MIT_UNSCHEDULED`, `MIT_SCHEDULED`.
    pub contract_type: String,
    /// The same, by the name that existing clients read.
    pub recurring_contract_type: String,
    /// The last day on which it may be charged, `YYYY-MM-DD`; absent where none was agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract_expiry_date: Option<String>,
    /// Days between charges, at least; absent where none were agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract_frequency: Option<String>,
    /// `CARD`.
    pub payment_method: String,
    /// Network code.
    pub payment_circuit: String,
    /// `***` and the last four digits.
    pub payment_instrument_info: String,
}
