//! Statistics of a merchant's payments: approved and refunded amounts by day, and the reasons of refusals.
//!
//! A payment counts for the day of its creation, in UTC, with its present result. Payments that the buyer cancelled, or that have no
//! result yet, are not counted.

use super::{Connection, StoreError, query, query_scalar};
use payframe_payment_domain::operation::OperationResult;

/// One day in one currency. Days without a payment have no entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayFigures {
    /// Days since 1970-01-01.
    pub day: i64,
    /// The approved amount.
    pub approved_minor: i64,
    /// The refunded amount.
    pub refunded_minor: i64,
    /// The number of approved payments.
    pub approved: i64,
    /// The number of refused or failed payments.
    pub refused: i64,
}

/// A reason for refusals, and their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusalCount {
    /// The result of the payments.
    pub result: OperationResult,
    /// The issuer's response code, if the issuer was called (contract 10.6).
    pub issuer_code: Option<String>,
    /// The number of payments.
    pub count: i64,
}

/// A period: the start is included, the end is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The start.
    pub from_ms: i64,
    /// The end.
    pub to_ms: i64,
}

/// The currencies of a merchant's payments and attempts in a period.
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

/// The days of a period with payments, in ascending order.
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

/// The reasons of refusals in a period, the most frequent first.
pub async fn refused(
    connection: &mut Connection,
    merchant_id: &str,
    currency: &str,
    period: Period,
) -> Result<Vec<RefusalCount>, StoreError> {
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
            Ok(RefusalCount {
                result: OperationResult::from_code(row.try_get("result")?)
                    .ok_or(StoreError::Unreadable("operation result"))?,
                issuer_code: row.try_get("issuer_code")?,
                count: row.try_get("refused")?,
            })
        })
        .collect()
}
