//! What is stored of orders' money and goods, for the comparison of both
//! ([`payframe_payment_domain::reconciliation`]).

use super::{Connection, Row, StoreError, amount, query};
use payframe_payment_domain::fulfilment::FulfilmentState;
use payframe_payment_domain::operation::Totals;
use payframe_payment_domain::reconciliation::OrderFacts;

/// An order whose books may differ.
pub struct Candidate {
    /// The merchant of the order.
    pub merchant_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// ISO 4217 code.
    pub currency: String,
    /// What both books say.
    pub facts: OrderFacts,
}

/// The orders whose books may differ, of one merchant or of all, at most `most`. The rules decide; this only leaves out the orders that
/// agree for sure. Orders of reservations have rules of their own, and are never among them.
pub async fn candidates(
    connection: &mut Connection,
    merchant_id: Option<&str>,
    most: u32,
) -> Result<Vec<Candidate>, StoreError> {
    let rows = query(
        "SELECT m.merchant_id, m.order_id, m.currency, m.authorized_minor, m.captured_minor, m.refunded_minor, \
                m.last_operation_ms, f.state, f.changed_ms, t.telling_since_ms, COALESCE(c.charges, 0) AS charges, \
                CAST(COALESCE((SELECT SUM(d.amount) FROM dispute d WHERE d.merchant_id = m.merchant_id AND d.order_id = m.order_id \
                               AND d.kind <> 'INQUIRY' AND d.state <> 'WON'), 0) AS BIGINT) AS disputed, \
                EXISTS (SELECT 1 FROM operation p WHERE p.merchant_id = m.merchant_id AND p.order_id = m.order_id \
                        AND p.result = 'PENDING') AS has_pending \
         FROM merchant_order m \
         LEFT JOIN order_fulfilment f ON f.merchant_id = m.merchant_id AND f.order_id = m.order_id \
         LEFT JOIN (SELECT merchant_id, MIN(first_ms) AS telling_since_ms FROM order_fulfilment GROUP BY merchant_id) AS t \
                ON t.merchant_id = m.merchant_id \
         LEFT JOIN (SELECT merchant_id, order_id, COUNT(*) AS charges FROM operation \
                    WHERE operation_type = 'AUTHORIZATION' AND result IN ('AUTHORIZED', 'EXECUTED') \
                    GROUP BY merchant_id, order_id HAVING COUNT(*) > 1) AS c \
                ON c.merchant_id = m.merchant_id AND c.order_id = m.order_id \
         WHERE m.is_reservation = 0 AND (?1 IS NULL OR m.merchant_id = ?1) \
         AND (c.charges > 1 \
              OR f.state IN ('PARTIAL', 'FULFILLED') AND (m.authorized_minor = m.refunded_minor OR m.captured_minor = 0) \
              OR f.state IN ('CANCELED', 'RETURNED') AND m.authorized_minor > m.refunded_minor \
              OR COALESCE(f.state, 'NONE') = 'NONE' AND m.authorized_minor > m.refunded_minor \
                 AND m.last_operation_ms >= t.telling_since_ms) \
         ORDER BY m.merchant_id, m.order_id LIMIT ?2",
    )
    .bind(merchant_id)
    .bind(i64::from(most))
    .fetch_all(connection)
    .await?;
    rows.iter().map(candidate).collect()
}

fn candidate(row: &Row) -> Result<Candidate, StoreError> {
    let money = |column| amount(row.try_get(column)?);
    let state: Option<&str> = row.try_get("state")?;
    let state = match state {
        None => None,
        Some(code) => {
            Some(FulfilmentState::from_code(code).ok_or(StoreError::Unreadable("fulfilment"))?)
        }
    };
    let changed_ms: Option<i64> = row.try_get("changed_ms")?;
    let charges: i64 = row.try_get("charges")?;
    Ok(Candidate {
        merchant_id: row.try_get("merchant_id")?,
        order_id: row.try_get("order_id")?,
        currency: row.try_get("currency")?,
        facts: OrderFacts {
            totals: Totals {
                authorized: money("authorized_minor")?,
                captured: money("captured_minor")?,
                refunded: money("refunded_minor")?,
            },
            disputed: money("disputed")?,
            charges: u32::try_from(charges).map_err(|_| StoreError::Unreadable("charges"))?,
            has_pending: row.try_get("has_pending")?,
            money_moved_ms: row.try_get("last_operation_ms")?,
            goods: state.zip(changed_ms),
            telling_since_ms: row.try_get("telling_since_ms")?,
        },
    })
}
