//! What is stored of orders' money and goods, for the comparison of both ([`payframe_payment_domain::reconciliation`]): which orders are
//! to be looked at, what both books say of them, and how far the comparison of a merchant is.
//!
//! Each function reads a piece, by an index, whatever the number of orders. The rules are not here, and nobody is told anything.

use super::{Connection, Row, StoreError, amount, query, query_scalar};
use payframe_payment_domain::fulfilment::FulfilmentState;
use payframe_payment_domain::operation::Totals;
use payframe_payment_domain::reconciliation::{GracePeriods, OrderFacts};

/// What both books say of an order.
pub struct OrderBooks {
    /// The merchant's order.
    pub order_id: String,
    /// ISO 4217 code.
    pub currency: String,
    /// What is compared.
    pub facts: OrderFacts,
}

/// A span of time in which differences begin to count.
#[derive(Clone, Copy, Debug)]
pub struct DueSpan {
    /// Its start, excluded.
    pub after_ms: i64,
    /// Its end, included.
    pub until_ms: i64,
    /// How long after the last movement of an order its differences count.
    pub grace: GracePeriods,
}

/// How far the comparison of a merchant's books is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Every order whose difference counted by then was looked at.
    pub compared_ms: i64,
    /// With this time to send the goods.
    pub fulfil_ms: i64,
    /// When a comparison last came to its end. `None`: the first one has not.
    pub ended_ms: Option<i64>,
    /// How often it was written.
    pub turn: i64,
}

/// Why an order is looked at again although nothing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its books differ.
    Differs,
    /// An operation has no result yet. The result moves money, and has no time of its own.
    Undecided,
}

/// A page of a merchant's orders.
pub struct OrderPage {
    /// What both books say of them.
    pub orders: Vec<OrderBooks>,
    /// The last order of the page, behind which the next one begins. `None`: there is none.
    pub last: Option<String>,
}

/// What both books say of the orders `m` of the merchant `?1`. Each value is looked up for each order, so that no table is joined as a whole. For
/// `EXISTS`, a server would read all operations once.
macro_rules! books_of {
    () => {
        "SELECT m.order_id, m.currency, m.authorized_minor, m.captured_minor, m.refunded_minor, m.last_operation_ms, m.is_reservation, \
         (SELECT f.state FROM order_fulfilment f WHERE f.merchant_id = m.merchant_id AND f.order_id = m.order_id) AS state, \
         (SELECT f.changed_ms FROM order_fulfilment f WHERE f.merchant_id = m.merchant_id AND f.order_id = m.order_id) AS changed_ms, \
         (SELECT MIN(t.first_ms) FROM order_fulfilment t WHERE t.merchant_id = ?1) AS telling_since_ms, \
         (SELECT COUNT(*) FROM operation p WHERE p.merchant_id = m.merchant_id AND p.order_id = m.order_id \
          AND p.operation_type = 'AUTHORIZATION' AND p.result IN ('AUTHORIZED', 'EXECUTED')) AS charges, \
         CAST(COALESCE((SELECT SUM(d.amount) FROM dispute d WHERE d.merchant_id = m.merchant_id AND d.order_id = m.order_id \
                        AND d.kind <> 'INQUIRY' AND d.state <> 'WON'), 0) AS BIGINT) AS disputed, \
         (SELECT COUNT(*) FROM operation p WHERE p.merchant_id = m.merchant_id AND p.order_id = m.order_id \
          AND p.result = 'PENDING') > 0 AS has_pending "
    };
}

/// Where a span is cut so that it has few orders: behind `most` movements of one kind. `None`: the whole span has fewer.
pub async fn piece_end_ms(
    connection: &mut Connection,
    merchant_id: &str,
    span: &DueSpan,
    most: u32,
) -> Result<Option<i64>, StoreError> {
    let [settle, fulfil] = span.moved();
    let end_ms = query_scalar(
        "SELECT MIN(due_ms) FROM (\
         SELECT * FROM (SELECT last_operation_ms + ?4 AS due_ms FROM merchant_order \
         WHERE merchant_id = ?1 AND last_operation_ms > ?2 AND last_operation_ms <= ?3 ORDER BY last_operation_ms LIMIT 1 OFFSET ?10) AS a \
         UNION ALL SELECT * FROM (SELECT last_operation_ms + ?7 AS due_ms FROM merchant_order \
         WHERE merchant_id = ?1 AND last_operation_ms > ?5 AND last_operation_ms <= ?6 ORDER BY last_operation_ms LIMIT 1 OFFSET ?10) AS b \
         UNION ALL SELECT * FROM (SELECT changed_ms + ?4 AS due_ms FROM order_fulfilment \
         WHERE merchant_id = ?1 AND changed_ms > ?2 AND changed_ms <= ?3 ORDER BY changed_ms LIMIT 1 OFFSET ?10) AS c \
         UNION ALL SELECT * FROM (SELECT changed_ms + ?7 AS due_ms FROM order_fulfilment \
         WHERE merchant_id = ?1 AND changed_ms > ?5 AND changed_ms <= ?6 ORDER BY changed_ms LIMIT 1 OFFSET ?10) AS d \
         UNION ALL SELECT * FROM (SELECT changed_ms AS due_ms FROM dispute \
         WHERE merchant_id = ?1 AND changed_ms > ?8 AND changed_ms <= ?9 ORDER BY changed_ms LIMIT 1 OFFSET ?10) AS e) AS ends",
    )
    .bind(merchant_id)
    .bind(settle.after_ms)
    .bind(settle.until_ms)
    .bind(span.grace.to_settle_ms)
    .bind(fulfil.after_ms)
    .bind(fulfil.until_ms)
    .bind(span.grace.to_fulfil_ms)
    .bind(span.after_ms)
    .bind(span.until_ms)
    .bind(i64::from(most) - 1)
    .fetch_one(connection)
    .await?;
    Ok(end_ms)
}

/// The orders of which a difference may begin to count in this span: a grace period ends after a movement of money or goods, or a dispute
/// changes. Orders of reservations have rules of their own, and are never among them.
pub async fn due(
    connection: &mut Connection,
    merchant_id: &str,
    span: &DueSpan,
) -> Result<Vec<OrderBooks>, StoreError> {
    let [settle, fulfil] = span.moved();
    let rows = query(concat!(
        books_of!(),
        "FROM (SELECT order_id FROM merchant_order WHERE merchant_id = ?1 AND last_operation_ms > ?2 AND last_operation_ms <= ?3 \
         UNION SELECT order_id FROM merchant_order WHERE merchant_id = ?1 AND last_operation_ms > ?4 AND last_operation_ms <= ?5 \
         UNION SELECT order_id FROM order_fulfilment WHERE merchant_id = ?1 AND changed_ms > ?2 AND changed_ms <= ?3 \
         UNION SELECT order_id FROM order_fulfilment WHERE merchant_id = ?1 AND changed_ms > ?4 AND changed_ms <= ?5 \
         UNION SELECT order_id FROM dispute WHERE merchant_id = ?1 AND changed_ms > ?6 AND changed_ms <= ?7) AS moved \
         JOIN merchant_order m ON m.merchant_id = ?1 AND m.order_id = moved.order_id WHERE m.is_reservation = 0"
    ))
    .bind(merchant_id)
    .bind(settle.after_ms)
    .bind(settle.until_ms)
    .bind(fulfil.after_ms)
    .bind(fulfil.until_ms)
    .bind(span.after_ms)
    .bind(span.until_ms)
    .fetch_all(connection)
    .await?;
    rows.iter().map(books).collect()
}

/// All orders of a merchant behind an order, at most `most`, without those of reservations.
pub async fn all(
    connection: &mut Connection,
    merchant_id: &str,
    behind: &str,
    most: u32,
) -> Result<OrderPage, StoreError> {
    let rows = query(concat!(
        books_of!(),
        "FROM merchant_order m WHERE m.merchant_id = ?1 AND m.order_id > ?2 ORDER BY m.order_id LIMIT ?3"
    ))
    .bind(merchant_id)
    .bind(behind)
    .bind(most)
    .fetch_all(connection)
    .await?;
    let mut orders = Vec::new();
    for row in &rows {
        let is_reservation: i64 = row.try_get("is_reservation")?;
        if is_reservation == 0 {
            orders.push(books(row)?);
        }
    }
    let last = rows.last().map(|row| row.try_get("order_id")).transpose()?;
    Ok(OrderPage { orders, last })
}

/// The orders to look at again behind an order, at most `most`, each with its standing. Those of one standing, or of all.
pub async fn open(
    connection: &mut Connection,
    merchant_id: &str,
    standing: Option<Standing>,
    behind: &str,
    most: u32,
) -> Result<Vec<(OrderBooks, Standing)>, StoreError> {
    let question = match standing {
        None => query(concat!(
            books_of!(),
            ", b.standing FROM (SELECT order_id, standing FROM book_open_order WHERE merchant_id = ?1 AND order_id > ?2 \
             ORDER BY order_id LIMIT ?3) AS b \
             JOIN merchant_order m ON m.merchant_id = ?1 AND m.order_id = b.order_id ORDER BY m.order_id"
        )),
        Some(_) => query(concat!(
            books_of!(),
            ", b.standing FROM (SELECT order_id, standing FROM book_open_order WHERE merchant_id = ?1 AND order_id > ?2 \
             AND standing = ?4 ORDER BY order_id LIMIT ?3) AS b \
             JOIN merchant_order m ON m.merchant_id = ?1 AND m.order_id = b.order_id ORDER BY m.order_id"
        )),
    };
    let mut question = question.bind(merchant_id).bind(behind).bind(most);
    if let Some(standing) = standing {
        question = question.bind(standing.code());
    }
    let rows = question.fetch_all(connection).await?;
    let read = |row: &Row| Ok((books(row)?, Standing::from_code(row.try_get("standing")?)?));
    rows.iter().map(read).collect()
}

/// How far the comparison of a merchant's books is. `None`: it has not begun.
pub async fn progress(
    connection: &mut Connection,
    merchant_id: &str,
) -> Result<Option<Progress>, StoreError> {
    let row = query(
        "SELECT compared_ms, fulfil_ms, ended_ms, turn FROM book_comparison WHERE merchant_id = ?",
    )
    .bind(merchant_id)
    .fetch_optional(connection)
    .await?;
    let read = |row: &Row| {
        Ok(Progress {
            compared_ms: row.try_get("compared_ms")?,
            fulfil_ms: row.try_get("fulfil_ms")?,
            ended_ms: row.try_get("ended_ms")?,
            turn: row.try_get("turn")?,
        })
    };
    row.as_ref().map(read).transpose()
}

/// Begins the comparison of a merchant's books, unless it has begun.
pub async fn begin(
    connection: &mut Connection,
    merchant_id: &str,
    progress: &Progress,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO book_comparison (merchant_id, compared_ms, fulfil_ms, ended_ms, turn) VALUES (?, ?, ?, ?, ?) \
         ON CONFLICT (merchant_id) DO NOTHING",
    )
    .bind(merchant_id)
    .bind(progress.compared_ms)
    .bind(progress.fulfil_ms)
    .bind(progress.ended_ms)
    .bind(progress.turn)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes how far the comparison is, as the first statement of a change. `false`: it was written since `progress` was read, so what was
/// read with it must not be written.
pub async fn advance(
    connection: &mut Connection,
    merchant_id: &str,
    progress: &Progress,
) -> Result<bool, StoreError> {
    let changed = query(
        "UPDATE book_comparison SET compared_ms = ?, fulfil_ms = ?, ended_ms = ?, turn = turn + 1 WHERE merchant_id = ? AND turn = ?",
    )
    .bind(progress.compared_ms)
    .bind(progress.fulfil_ms)
    .bind(progress.ended_ms)
    .bind(merchant_id)
    .bind(progress.turn)
    .execute(connection)
    .await?;
    Ok(changed == 1)
}

/// Writes that an order is to be looked at again, or no more.
pub async fn put_standing(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
    standing: Option<Standing>,
) -> Result<(), StoreError> {
    let statement = match standing {
        None => query("DELETE FROM book_open_order WHERE merchant_id = ? AND order_id = ?")
            .bind(merchant_id)
            .bind(order_id),
        Some(standing) => query(
            "INSERT INTO book_open_order (merchant_id, order_id, standing) VALUES (?, ?, ?) \
             ON CONFLICT (merchant_id, order_id) DO UPDATE SET standing = excluded.standing",
        )
        .bind(merchant_id)
        .bind(order_id)
        .bind(standing.code()),
    };
    statement.execute(connection).await?;
    Ok(())
}

impl DueSpan {
    /// When money and goods last moved if a difference begins to count in the span: one that is between two calls, and one that waits for
    /// its goods.
    fn moved(&self) -> [DueSpan; 2] {
        [self.grace.to_settle_ms, self.grace.to_fulfil_ms].map(|grace_ms| DueSpan {
            after_ms: self.after_ms.saturating_sub(grace_ms),
            until_ms: self.until_ms.saturating_sub(grace_ms),
            ..*self
        })
    }
}

impl Standing {
    fn code(self) -> &'static str {
        match self {
            Standing::Differs => "DIFFERS",
            Standing::Undecided => "UNDECIDED",
        }
    }

    fn from_code(code: &str) -> Result<Standing, StoreError> {
        match code {
            "DIFFERS" => Ok(Standing::Differs),
            "UNDECIDED" => Ok(Standing::Undecided),
            _ => Err(StoreError::Unreadable("standing")),
        }
    }
}

fn books(row: &Row) -> Result<OrderBooks, StoreError> {
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
    Ok(OrderBooks {
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
