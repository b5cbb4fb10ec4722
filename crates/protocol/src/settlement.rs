//! Settlements as the merchant's server reads them: clearing files of acquirers, their payouts and their lines (own extension).
//!
//! Sums have a sign, from the merchant's view: refunds are negative, and a fee is positive if the acquirer keeps it.

use serde::{Deserialize, Serialize};

/// Answer of `GET /settlements`: newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettlementList {
    /// `[]` if there is none.
    pub settlements: Vec<Settlement>,
    /// `after` of the next call; absent if there are no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A clearing file of an acquirer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Settlement {
    /// 18 digits.
    pub settlement_id: String,
    /// The name of the file.
    pub file_name: String,
    /// The terminals that it is about.
    pub terminal_ids: Vec<String>,
    /// Instant at which it was imported.
    pub imported_time: String,
    /// The first day of its bookings, in the file's time zone: `2026-11-20`.
    pub first_day: String,
    /// The last day of its bookings.
    pub last_day: String,
    /// How many lines differ from the books, and are not marked as cleared.
    pub open_differences: u64,
    /// The sums of its lines, by currency.
    pub sums: Vec<SettlementSum>,
}

/// Sums of lines in one currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettlementSum {
    /// ISO 4217 letters.
    pub currency: String,
    /// How many lines.
    pub lines: u64,
    /// Payments less refunds, and what else is in the file: minor units, with a minus below zero.
    pub gross_amount: String,
    /// What the acquirer keeps: minor units, with a minus if it gives it back.
    pub fee_amount: String,
    /// What the acquirer pays out: minor units, with a minus below zero.
    pub net_amount: String,
}

/// Answer of `GET /settlements/{settlementId}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettlementAnswer {
    /// The file.
    pub settlement: Settlement,
    /// The sums of its payouts, by currency.
    pub payouts: Vec<SettlementPayout>,
    /// Its lines, in the order of the file.
    pub lines: Vec<SettlementLine>,
    /// `after` of the next call; absent if there are no more lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A payout of a clearing file, in one currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettlementPayout {
    /// As the acquirer calls it; absent if its lines name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout_id: Option<String>,
    /// Its sums.
    pub sum: SettlementSum,
}

/// A line of a clearing file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SettlementLine {
    /// Where it begins in the file: 1 is the first line.
    pub line: u64,
    /// `PAYMENT`, `REFUND`, or `OTHER`: a fee, a chargeback or a correction.
    pub kind: String,
    /// The day on which the acquirer booked it, in the file's time zone.
    pub booked_day: String,
    /// The payout; absent if the line names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout_id: Option<String>,
    /// The operation that it is about; absent if none fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
    /// The order of that operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// What the line calls its operation; absent if it names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The acquirer's own reference; absent if the line has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acquirer_reference: Option<String>,
    /// Minor units, with a minus for refunds.
    pub gross_amount: String,
    /// What the acquirer keeps: minor units, with a minus if it gives it back.
    pub fee_amount: String,
    /// Minor units: the gross amount less the fee.
    pub net_amount: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// `AMOUNT_DIFFERS`, `CURRENCY_DIFFERS`, `NOT_IN_BOOKS`, `BOOKED_TWICE`; absent if the line agrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Whether the difference is marked as cleared; absent if the line agrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_cleared: Option<bool>,
}
