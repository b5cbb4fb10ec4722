//! Lists of orders: what they are searched by, for merchants' servers and for people.

use super::orders::{OrderRow, order_of};
use super::{Connection, Row, StoreError, Window, minor, query};
use payframe_money::Amount;

/// Which orders are looked for; what is `None` does not matter.
#[derive(Default)]
pub(crate) struct OrderFilter<'a> {
    pub(crate) order_id: Option<&'a str>,
    pub(crate) currency: Option<&'a str>,
    /// Which of an order's amounts, from where and up to where, both included.
    pub(crate) amount: Option<(AmountType, Amount, Amount)>,
    pub(crate) state: Option<OrderState>,
    pub(crate) status: Option<OrderStatus>,
    pub(crate) custom_field: Option<&'a str>,
    /// What one of its operations was paid with.
    pub(crate) paid_with: PaidWith<'a>,
}

/// What an operation was paid with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PaidWith<'a> {
    /// Network, wallet or method, as the operation names it.
    pub(crate) circuit: Option<&'a str>,
    /// Of the card's number.
    pub(crate) last_four: Option<&'a str>,
}

/// One of an order's amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AmountType {
    /// What it is sold for.
    Order,
    /// What was approved, less what was released.
    Authorized,
    /// What was captured, less what was undone.
    Captured,
}

/// How far an order's money has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderState {
    /// Something is left to capture.
    ToCapture,
    /// Captured, and nothing is left.
    Captured,
}

/// What became of an order, in one word. An order has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderStatus {
    /// Its newest operation is not final.
    Pending,
    /// Something is left to capture.
    ToCapture,
    /// All that was approved is captured, and nothing was given back.
    Paid,
    /// A part was given back.
    PartlyRefunded,
    /// All was given back.
    Refunded,
    /// What was held or taken has been released or undone.
    Released,
    /// The card was checked, without a charge.
    Verified,
    /// Refused by the issuer, by rules about risk, or by 3-D Secure.
    Refused,
    /// Given up.
    Cancelled,
    /// A technical failure.
    Failed,
}

/// An order in a list.
pub(crate) struct ListedOrder {
    pub(crate) order_id: String,
    pub(crate) order: OrderRow,
    pub(crate) status: OrderStatus,
    /// Of its newest operation: type, time, and what it was paid with.
    pub(crate) last_type: String,
    pub(crate) last_ms: i64,
    pub(crate) circuit: Option<String>,
    pub(crate) instrument: Option<String>,
}

/// A merchant's orders that have operations, the one with the newest operation first.
pub(crate) async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &OrderFilter<'_>,
    window: Window,
) -> Result<Vec<ListedOrder>, StoreError> {
    let amount_type = filter.amount.map(|(amount_type, _, _)| match amount_type {
        AmountType::Order => "ORDER",
        AmountType::Authorized => "AUTHORIZED",
        AmountType::Captured => "CAPTURED",
    });
    let state = filter.state.map(|state| match state {
        OrderState::ToCapture => "TO_CAPTURE",
        OrderState::Captured => "CAPTURED",
    });
    let instrument = filter
        .paid_with
        .last_four
        .map(|digits| format!("***{digits}"));
    let rows = query(
        "SELECT * FROM ( \
         SELECT m.*, o.operation_type AS last_type, o.circuit, o.instrument, \
         CASE WHEN o.result IN ('PENDING', 'THREEDS_VALIDATED') THEN 'PENDING' \
              WHEN m.authorized_minor > m.captured_minor THEN 'TO_CAPTURE' \
              WHEN m.captured_minor > 0 THEN CASE m.refunded_minor \
                   WHEN 0 THEN 'PAID' WHEN m.captured_minor THEN 'REFUNDED' ELSE 'PARTLY_REFUNDED' END \
              WHEN o.operation_type = 'CARD_VERIFICATION' AND o.result = 'EXECUTED' THEN 'VERIFIED' \
              WHEN o.result IN ('DECLINED', 'DENIED_BY_RISK', 'THREEDS_FAILED') THEN 'REFUSED' \
              WHEN o.result IN ('CANCELED', 'FAILED') THEN o.result ELSE 'RELEASED' END AS standing \
         FROM merchant_order m \
         JOIN operation o ON o.merchant_id = m.merchant_id AND o.order_id = m.order_id AND o.time_ms = m.last_operation_ms \
         WHERE m.merchant_id = ?1 AND m.last_operation_ms >= ?2 AND m.last_operation_ms < ?3 \
         AND (?4 IS NULL OR m.order_id = ?4) AND (?5 IS NULL OR m.custom_field = ?5) \
         AND (?6 IS NULL OR CASE ?6 WHEN 'AUTHORIZED' THEN m.authorized_minor WHEN 'CAPTURED' THEN m.captured_minor \
              ELSE m.amount_minor END BETWEEN ?7 AND ?8) \
         AND CASE ?9 WHEN 'TO_CAPTURE' THEN m.authorized_minor > m.captured_minor \
             WHEN 'CAPTURED' THEN m.captured_minor > 0 AND m.authorized_minor = m.captured_minor ELSE TRUE END \
         AND (?10 IS NULL OR m.currency = ?10) \
         AND (?11 IS NULL AND ?12 IS NULL OR EXISTS (SELECT 1 FROM operation p \
              WHERE p.merchant_id = m.merchant_id AND p.order_id = m.order_id \
              AND (?11 IS NULL OR p.circuit = ?11) AND (?12 IS NULL OR p.instrument = ?12))) \
         ) AS listed WHERE ?13 IS NULL OR standing = ?13 \
         ORDER BY last_operation_ms DESC LIMIT ?14",
    )
    .bind(merchant_id)
    .bind(window.from_ms)
    .bind(window.to_ms)
    .bind(filter.order_id)
    .bind(filter.custom_field)
    .bind(amount_type)
    .bind(filter.amount.map(|(_, least, _)| minor(least)))
    .bind(filter.amount.map(|(_, _, most)| minor(most)))
    .bind(state)
    .bind(filter.currency)
    .bind(filter.paid_with.circuit)
    .bind(instrument)
    .bind(filter.status.map(OrderStatus::code))
    .bind(window.max_records)
    .fetch_all(connection)
    .await?;
    rows.iter().map(listed).collect()
}

impl OrderStatus {
    /// The word that stands for it in addresses and questions.
    pub(crate) fn code(self) -> &'static str {
        match self {
            OrderStatus::Pending => "PENDING",
            OrderStatus::ToCapture => "TO_CAPTURE",
            OrderStatus::Paid => "PAID",
            OrderStatus::PartlyRefunded => "PARTLY_REFUNDED",
            OrderStatus::Refunded => "REFUNDED",
            OrderStatus::Released => "RELEASED",
            OrderStatus::Verified => "VERIFIED",
            OrderStatus::Refused => "REFUSED",
            OrderStatus::Cancelled => "CANCELED",
            OrderStatus::Failed => "FAILED",
        }
    }

    /// What a word stands for.
    pub(crate) fn from_code(code: &str) -> Option<OrderStatus> {
        OrderStatus::ALL
            .into_iter()
            .find(|status| status.code() == code)
    }

    /// All of them.
    pub(crate) const ALL: [OrderStatus; 10] = [
        OrderStatus::Paid,
        OrderStatus::ToCapture,
        OrderStatus::Pending,
        OrderStatus::PartlyRefunded,
        OrderStatus::Refunded,
        OrderStatus::Released,
        OrderStatus::Verified,
        OrderStatus::Refused,
        OrderStatus::Cancelled,
        OrderStatus::Failed,
    ];
}

fn listed(row: &Row) -> Result<ListedOrder, StoreError> {
    Ok(ListedOrder {
        order_id: row.try_get("order_id")?,
        order: order_of(row)?,
        status: OrderStatus::from_code(row.try_get("standing")?)
            .ok_or(StoreError::Unreadable("status of an order"))?,
        last_type: row.try_get("last_type")?,
        last_ms: row.try_get("last_operation_ms")?,
        circuit: row.try_get("circuit")?,
        instrument: row.try_get("instrument")?,
    })
}
