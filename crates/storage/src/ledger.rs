//! The operations of one payment: the authorization and its follow-up operations.

use super::{Connection, Row, StoreError, amount, minor, query, query_scalar};
use payframe_money::Amount;
use payframe_payment_domain::ledger_rules::RefundShare;
use payframe_payment_domain::operation::{OperationResult, OperationType};
use payframe_protocol::operation::Operation;

/// An operation with the data that the ledger rules need.
pub struct StoredOperation {
    /// The document that the merchant reads.
    pub document: Operation,
    /// Its type.
    pub kind: OperationType,
    /// Its result.
    pub result: OperationResult,
    /// The amount.
    pub amount: Amount,
    /// When it was created.
    pub time_ms: i64,
    /// The hash of its session's id.
    pub session_hash: String,
    /// The operation that the call named; `None` for an authorization.
    pub target_id: Option<String>,
    /// Whether the acquirer's response is recorded.
    pub booking: BookingStatus,
    /// When it is released, for an authorization that is captured later.
    pub release_ms: Option<i64>,
}

/// Whether the acquirer's response to an operation is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookingStatus {
    /// The acquirer has not responded, or has not been called yet.
    Pending,
    /// The acquirer's response is recorded.
    Booked,
}

/// A new follow-up operation, with the data beside its document.
pub struct NewFollowUp<'a> {
    /// The merchant of the operation.
    pub merchant_id: &'a str,
    /// The hash of its session's id.
    pub session_hash: &'a str,
    /// The first operation of the payment.
    pub payment_id: &'a str,
    /// The operation that it refers to.
    pub target_id: &'a str,
    /// The merchant's description.
    pub description: Option<&'a str>,
    /// When it was created.
    pub time_ms: i64,
    /// The amount.
    pub amount: Amount,
    /// The part of the amount that each earlier operation pays.
    pub shares: &'a [RefundShare],
    /// When to call the acquirer again if it has not responded.
    pub inquire_ms: i64,
    /// The document that the merchant reads.
    pub document: &'a Operation,
}

/// The payment that a merchant's operation belongs to: the id of its authorization.
pub async fn payment_of(
    connection: &mut Connection,
    merchant_id: &str,
    operation_id: &str,
) -> Result<Option<String>, StoreError> {
    let found = query_scalar(
        "SELECT COALESCE(payment_id, operation_id) FROM operation WHERE operation_id = ? AND merchant_id = ?",
    )
    .bind(operation_id)
    .bind(merchant_id)
    .fetch_optional(connection)
    .await?;
    Ok(found)
}

/// The merchant and the payment of an operation of anybody: the merchant's id and the id of the authorization.
pub async fn merchant_of(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Option<(String, String)>, StoreError> {
    let row = query(
        "SELECT merchant_id, COALESCE(payment_id, operation_id) AS payment_id FROM operation WHERE operation_id = ?",
    )
    .bind(operation_id)
    .fetch_optional(connection)
    .await?;
    row.map(|row| Ok((row.try_get("merchant_id")?, row.try_get("payment_id")?)))
        .transpose()
}

/// All operations of a payment, oldest first: the authorization and its follow-up operations.
pub async fn of_payment(
    connection: &mut Connection,
    payment_id: &str,
) -> Result<Vec<StoredOperation>, StoreError> {
    let rows = query(
        "SELECT * FROM operation WHERE operation_id = ?1 OR payment_id = ?1 ORDER BY time_ms",
    )
    .bind(payment_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(stored).collect()
}

/// The captures from which the refunds of a payment are paid, by the refund's id.
pub async fn shares(
    connection: &mut Connection,
    payment_id: &str,
) -> Result<Vec<(String, RefundShare)>, StoreError> {
    let rows = query(
        "SELECT s.refund_id, s.capture_id, s.amount_minor FROM operation o \
         JOIN refund_share s ON s.refund_id = o.operation_id WHERE o.payment_id = ?",
    )
    .bind(payment_id)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let share = RefundShare {
                capture_id: row.try_get("capture_id")?,
                amount: amount(row.try_get("amount_minor")?)?,
            };
            Ok((row.try_get("refund_id")?, share))
        })
        .collect()
}

/// Writes a follow-up operation before it is requested from the acquirer.
pub fn add(connection: &mut Connection, new: &NewFollowUp<'_>) -> Result<(), StoreError> {
    let operation = new.document;
    connection.enqueue(
        "INSERT INTO operation (operation_id, merchant_id, terminal_id, order_id, session_hash, operation_type, result, \
         time_ms, amount_minor, currency, document, settle_ms, payment_id, target_id, description, stage) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'ASKING')",
    )
    .bind(&operation.operation_id)
    .bind(new.merchant_id)
    .bind(&operation.terminal_id)
    .bind(&operation.order_id)
    .bind(new.session_hash)
    .bind(&operation.operation_type)
    .bind(&operation.operation_result)
    .bind(new.time_ms)
    .bind(minor(new.amount))
    .bind(&operation.operation_currency)
    .bind(document(operation)?)
    .bind(new.inquire_ms)
    .bind(new.payment_id)
    .bind(new.target_id)
    .bind(new.description);
    for share in new.shares {
        connection
            .enqueue(
                "INSERT INTO refund_share (refund_id, capture_id, amount_minor) VALUES (?, ?, ?)",
            )
            .bind(&operation.operation_id)
            .bind(&share.capture_id)
            .bind(minor(share.amount));
    }
    super::orders::put_last_operation(
        connection,
        new.merchant_id,
        &operation.order_id,
        new.time_ms,
    );
    Ok(())
}

/// Links a follow-up operation to the call that requested it.
pub fn put_asked(
    connection: &mut Connection,
    operation_id: &str,
    asked_by: &str,
    fingerprint: &str,
) {
    connection
        .enqueue("UPDATE operation SET asked_by = ?, asked_fingerprint = ? WHERE operation_id = ?")
        .bind(asked_by)
        .bind(fingerprint)
        .bind(operation_id);
}

/// The operation that a call has requested, and the fingerprint of that call.
pub async fn find_asked(
    connection: &mut Connection,
    asked_by: &str,
) -> Result<Option<(String, String)>, StoreError> {
    let row = query("SELECT operation_id, asked_fingerprint FROM operation WHERE asked_by = ?")
        .bind(asked_by)
        .fetch_optional(connection)
        .await?;
    row.map(|row| {
        Ok((
            row.try_get("operation_id")?,
            row.try_get("asked_fingerprint")?,
        ))
    })
    .transpose()
}

/// Postpones the release of an authorization.
pub fn put_release(connection: &mut Connection, payment_id: &str, release_ms: i64) {
    connection
        .enqueue("UPDATE operation SET release_ms = ? WHERE operation_id = ?")
        .bind(release_ms)
        .bind(payment_id);
}

/// The payments that waited for the acquirer when the last process ended.
pub async fn asking(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    let ids = query_scalar(
        "SELECT DISTINCT payment_id FROM operation WHERE stage = 'ASKING' AND payment_id IS NOT NULL",
    )
    .fetch_all(connection)
    .await?;
    Ok(ids)
}

/// An authorization whose capture period has ended.
pub struct OverdueAuthorization {
    /// The operation's id.
    pub payment_id: String,
    /// When the period ended.
    pub release_ms: i64,
}

/// The authorizations whose capture period has ended by `now_ms`, but for those whose release was postponed.
pub async fn overdue(
    connection: &mut Connection,
    now_ms: i64,
) -> Result<Vec<OverdueAuthorization>, StoreError> {
    let rows = query(
        "SELECT operation_id, release_ms FROM operation WHERE result = 'AUTHORIZED' AND release_ms <= ? \
         AND COALESCE(release_retry_ms, 0) <= ? ORDER BY release_ms LIMIT 500",
    )
    .bind(now_ms)
    .bind(now_ms)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(OverdueAuthorization {
                payment_id: row.try_get("operation_id")?,
                release_ms: row.try_get("release_ms")?,
            })
        })
        .collect()
}

/// The periodic job tries to release the authorization again at `retry_ms`. What may be captured does not depend on it.
pub async fn postpone_release(
    connection: &mut Connection,
    payment_id: &str,
    retry_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE operation SET release_retry_ms = ? WHERE operation_id = ?")
        .bind(retry_ms)
        .bind(payment_id)
        .execute(connection)
        .await?;
    Ok(())
}

fn stored(row: &Row) -> Result<StoredOperation, StoreError> {
    let unreadable = || StoreError::Unreadable("operation");
    Ok(StoredOperation {
        document: serde_json::from_str(row.try_get("document")?).map_err(|_| unreadable())?,
        kind: OperationType::from_code(row.try_get("operation_type")?).ok_or_else(unreadable)?,
        result: OperationResult::from_code(row.try_get("result")?).ok_or_else(unreadable)?,
        amount: amount(row.try_get("amount_minor")?)?,
        time_ms: row.try_get("time_ms")?,
        session_hash: row.try_get("session_hash")?,
        target_id: row.try_get("target_id")?,
        booking: match row.try_get("stage")? {
            "ASKING" => BookingStatus::Pending,
            "BOOKED" => BookingStatus::Booked,
            _ => return Err(unreadable()),
        },
        release_ms: row.try_get("release_ms")?,
    })
}

fn document(operation: &Operation) -> Result<String, StoreError> {
    serde_json::to_string(operation).map_err(|_| StoreError::Unreadable("operation"))
}
