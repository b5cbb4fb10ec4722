//! Refunds in the back office that wait for a second member, and the sums above which they do.

use super::{Connection, Row, StoreError, amount, minor, query, query_scalar};
use payframe_money::Amount;
use payframe_payment_domain::back_office::RefundRequestState;

/// The sum of a currency above which refunds wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRule {
    /// The currency.
    pub currency: String,
    /// Larger refunds wait.
    pub above: Amount,
}

/// A refund that a member asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRequest {
    /// Its id: the key of the form that asked.
    pub id: String,
    /// The order.
    pub order_id: String,
    /// The version of the order that the member saw.
    pub order_version: String,
    /// The operation that is refunded.
    pub operation_id: String,
    /// The first operation of its payment.
    pub payment_id: String,
    /// The terminal of the operation.
    pub terminal_id: String,
    /// What is refunded.
    pub amount: Amount,
    /// Its currency.
    pub currency: String,
    /// A note for the merchant's books.
    pub note: Option<String>,
    /// The id of the member who asked.
    pub asked_by: String,
    /// When.
    pub asked_ms: i64,
    /// From then on nobody can approve it.
    pub ends_ms: i64,
}

/// A refund that a member asked for, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRequestRow {
    /// What was asked for.
    pub request: RefundRequest,
    /// The name of the member who asked.
    pub asker: String,
    /// What became of it.
    pub state: RefundRequestState,
    /// The name of the member who decided, and when.
    pub decided: Option<(String, i64)>,
    /// The refund's operation, or why there is none.
    pub outcome: Option<String>,
}

/// The sum of a currency above which refunds of a merchant wait. `None`: none waits.
pub async fn rule(
    connection: &mut Connection,
    merchant_id: &str,
    currency: &str,
) -> Result<Option<Amount>, StoreError> {
    let above: Option<i64> =
        query_scalar("SELECT above FROM refund_rule WHERE merchant_id = ? AND currency = ?")
            .bind(merchant_id)
            .bind(currency)
            .fetch_optional(connection)
            .await?;
    above.map(amount).transpose()
}

/// All these sums of a merchant, by currency.
pub async fn rules(
    connection: &mut Connection,
    merchant_id: &str,
) -> Result<Vec<RefundRule>, StoreError> {
    let rows =
        query("SELECT currency, above FROM refund_rule WHERE merchant_id = ? ORDER BY currency")
            .bind(merchant_id)
            .fetch_all(connection)
            .await?;
    let read = |row: &Row| {
        Ok(RefundRule {
            currency: row.try_get("currency")?,
            above: amount(row.try_get("above")?)?,
        })
    };
    rows.iter().map(read).collect()
}

/// Sets the sum of a currency. `None`: no refund in it waits.
pub async fn put_rule(
    connection: &mut Connection,
    merchant_id: &str,
    currency: &str,
    above: Option<Amount>,
) -> Result<(), StoreError> {
    let statement = match above {
        Some(above) => query(
            "INSERT INTO refund_rule (merchant_id, currency, above) VALUES (?, ?, ?) \
             ON CONFLICT (merchant_id, currency) DO UPDATE SET above = excluded.above",
        )
        .bind(merchant_id)
        .bind(currency)
        .bind(minor(above)),
        None => query("DELETE FROM refund_rule WHERE merchant_id = ? AND currency = ?")
            .bind(merchant_id)
            .bind(currency),
    };
    statement.execute(connection).await?;
    Ok(())
}

/// Writes a request, which then waits. `false`: it was written before.
pub async fn add(
    connection: &mut Connection,
    merchant_id: &str,
    request: &RefundRequest,
) -> Result<bool, StoreError> {
    let added = query(
        "INSERT INTO refund_request (request_id, merchant_id, order_id, order_version, operation_id, payment_id, terminal_id, \
         amount, currency, note, asked_by, asked_ms, ends_ms, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (request_id) DO NOTHING",
    )
    .bind(&request.id)
    .bind(merchant_id)
    .bind(&request.order_id)
    .bind(&request.order_version)
    .bind(&request.operation_id)
    .bind(&request.payment_id)
    .bind(&request.terminal_id)
    .bind(minor(request.amount))
    .bind(&request.currency)
    .bind(&request.note)
    .bind(&request.asked_by)
    .bind(request.asked_ms)
    .bind(request.ends_ms)
    .bind(RefundRequestState::Waiting.code())
    .execute(connection)
    .await?;
    Ok(added > 0)
}

/// The requests of a merchant, with the names of their members; a narrower condition may follow.
macro_rules! requests {
    ($rest:literal) => {
        concat!(
            "SELECT r.*, a.name AS asker, d.name AS decider FROM refund_request r \
             JOIN member a ON a.member_id = r.asked_by LEFT JOIN member d ON d.member_id = r.decided_by \
             WHERE r.merchant_id = ? ",
            $rest
        )
    };
}

/// A request of a merchant.
pub async fn find(
    connection: &mut Connection,
    merchant_id: &str,
    request_id: &str,
) -> Result<Option<RefundRequestRow>, StoreError> {
    let row = query(requests!("AND r.request_id = ?"))
        .bind(merchant_id)
        .bind(request_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// The newest requests of a merchant, newest first, at most `max`.
pub async fn newest(
    connection: &mut Connection,
    merchant_id: &str,
    max: i64,
) -> Result<Vec<RefundRequestRow>, StoreError> {
    let rows = query(requests!("ORDER BY r.asked_ms DESC, r.request_id LIMIT ?"))
        .bind(merchant_id)
        .bind(max)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// Decides a request that still waits. `false`: it was decided, or its time is over.
pub async fn decide(
    connection: &mut Connection,
    request_id: &str,
    state: RefundRequestState,
    member_id: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let decided = query(
        "UPDATE refund_request SET state = ?, decided_by = ?, decided_ms = ? \
         WHERE request_id = ? AND state = ? AND ends_ms > ?",
    )
    .bind(state.code())
    .bind(member_id)
    .bind(now_ms)
    .bind(request_id)
    .bind(RefundRequestState::Waiting.code())
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(decided > 0)
}

/// Notes what became of an approved request. `false`: it is noted already.
pub async fn finish(
    connection: &mut Connection,
    request_id: &str,
    state: RefundRequestState,
    outcome: &str,
) -> Result<bool, StoreError> {
    let noted = query(
        "UPDATE refund_request SET state = ?, outcome = ? WHERE request_id = ? AND state = ?",
    )
    .bind(state.code())
    .bind(outcome)
    .bind(request_id)
    .bind(RefundRequestState::Approved.code())
    .execute(connection)
    .await?;
    Ok(noted > 0)
}

fn read(row: &Row) -> Result<RefundRequestRow, StoreError> {
    let decider: Option<String> = row.try_get("decider")?;
    let decided_ms: Option<i64> = row.try_get("decided_ms")?;
    Ok(RefundRequestRow {
        request: RefundRequest {
            id: row.try_get("request_id")?,
            order_id: row.try_get("order_id")?,
            order_version: row.try_get("order_version")?,
            operation_id: row.try_get("operation_id")?,
            payment_id: row.try_get("payment_id")?,
            terminal_id: row.try_get("terminal_id")?,
            amount: amount(row.try_get("amount")?)?,
            currency: row.try_get("currency")?,
            note: row.try_get("note")?,
            asked_by: row.try_get("asked_by")?,
            asked_ms: row.try_get("asked_ms")?,
            ends_ms: row.try_get("ends_ms")?,
        },
        asker: row.try_get("asker")?,
        state: RefundRequestState::from_code(row.try_get("state")?)
            .ok_or(StoreError::Unreadable("state of a refund request"))?,
        decided: decider.zip(decided_ms),
        outcome: row.try_get("outcome")?,
    })
}
