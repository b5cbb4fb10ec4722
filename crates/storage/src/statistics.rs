//! Figures about a merchant's payments: what was approved and given back, day by day, and why payments were refused.
//!
//! A payment counts on the day on which it was made, in UTC, with the result that it has now. What was given up by its buyer
//! or has no result yet counts as no attempt.

use super::{Connection, StoreError, query, query_scalar};
use payframe_payment_domain::operation::OperationResult;

/// One day in one currency. Days without a payment have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayFigures {
    /// Days since 1970-01-01.
    pub day: i64,
    /// What was approved.
    pub approved_minor: i64,
    /// What was given back.
    pub refunded_minor: i64,
    /// How many payments were approved.
    pub approved: i64,
    /// How many were refused or failed.
    pub refused: i64,
}

/// Why payments were refused, and how many of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its result.
    pub result: OperationResult,
    /// What the issuer said, where it was asked (contract 10.6).
    pub issuer_code: Option<String>,
    /// How many.
    pub count: i64,
}

/// Instants from the first one on, before the second one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// From here on.
    pub from_ms: i64,
    /// Before this.
    pub to_ms: i64,
}

/// The currencies that a merchant was paid in, or asked to be, within a period.
pub async fn currencies(
    connection: &mut Connection,
    merchant_id: &str,
    period: Period,
) -> Result<Vec<String>, StoreError> {
    let found = query_scalar(
        "SELECT DISTINCT currency FROM operation WHERE merchant_id = ? AND time_ms >= ? AND time_ms < ? ORDER BY currency",
    )
    .bind(merchant_id)
    .bind(period.from_ms)
    .bind(period.to_ms)
    .fetch_all(connection)
    .await?;
    Ok(found)
}

/// The days of a period on which something happened, in the order of the calendar.
pub async fn days(
    connection: &mut Connection,
    merchant_id: &str,
    currency: &str,
    period: Period,
) -> Result<Vec<DayFigures>, StoreError> {
    let rows = query(
        "SELECT day, CAST(SUM(CASE WHEN part = 'APPROVED' THEN amount_minor ELSE 0 END) AS BIGINT) AS approved_minor, \
         CAST(SUM(CASE WHEN part = 'REFUNDED' THEN amount_minor ELSE 0 END) AS BIGINT) AS refunded_minor, \
         SUM(CASE WHEN part = 'APPROVED' THEN 1 ELSE 0 END) AS approved, \
         SUM(CASE WHEN part = 'REFUSED' THEN 1 ELSE 0 END) AS refused FROM ( \
         SELECT time_ms / 86400000 AS day, amount_minor, \
         CASE WHEN operation_type = 'REFUND' THEN CASE WHEN result IN ('EXECUTED', 'VOIDED', 'REFUNDED') THEN 'REFUNDED' END \
              WHEN operation_type NOT IN ('AUTHORIZATION', 'CARD_VERIFICATION', 'NOSHOW', 'DELAY_CHARGE') THEN NULL \
              WHEN result IN ('AUTHORIZED', 'EXECUTED', 'VOIDED', 'REFUNDED') THEN 'APPROVED' \
              WHEN result IN ('DECLINED', 'DENIED_BY_RISK', 'THREEDS_FAILED', 'FAILED') THEN 'REFUSED' END AS part \
         FROM operation WHERE merchant_id = ? AND currency = ? AND time_ms >= ? AND time_ms < ?) AS counted \
         WHERE part IS NOT NULL GROUP BY day ORDER BY day",
    )
    .bind(merchant_id)
    .bind(currency)
    .bind(period.from_ms)
    .bind(period.to_ms)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(DayFigures {
                day: row.try_get("day")?,
                approved_minor: row.try_get("approved_minor")?,
                refunded_minor: row.try_get("refunded_minor")?,
                approved: row.try_get("approved")?,
                refused: row.try_get("refused")?,
            })
        })
        .collect()
}

/// Why payments of a period were refused, the most frequent reason first.
pub async fn refused(
    connection: &mut Connection,
    merchant_id: &str,
    currency: &str,
    period: Period,
) -> Result<Vec<Refused>, StoreError> {
    let rows = query(
        "SELECT result, issuer_code, COUNT(*) AS refused FROM operation \
         WHERE merchant_id = ? AND currency = ? AND time_ms >= ? AND time_ms < ? \
         AND operation_type IN ('AUTHORIZATION', 'CARD_VERIFICATION', 'NOSHOW', 'DELAY_CHARGE') \
         AND result IN ('DECLINED', 'DENIED_BY_RISK', 'THREEDS_FAILED', 'FAILED') \
         GROUP BY result, issuer_code ORDER BY COUNT(*) DESC, result, issuer_code",
    )
    .bind(merchant_id)
    .bind(currency)
    .bind(period.from_ms)
    .bind(period.to_ms)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Refused {
                result: OperationResult::from_code(row.try_get("result")?)
                    .ok_or(StoreError::Unreadable("operation result"))?,
                issuer_code: row.try_get("issuer_code")?,
                count: row.try_get("refused")?,
            })
        })
        .collect()
}
