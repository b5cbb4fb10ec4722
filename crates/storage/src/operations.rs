//! Operations.

use super::few_orders::{Searched, are_few};
use super::{Connection, Row, StoreError, Window, minor, query, query_scalar};
use payframe_money::Amount;
use payframe_protocol::operation::Operation;

/// A new operation, with the data beside its document.
pub struct NewOperation<'a> {
    /// The merchant of the operation.
    pub merchant_id: &'a str,
    /// The hash of its session's id.
    pub session_hash: &'a str,
    /// When it was created.
    pub time_ms: i64,
    /// The amount.
    pub amount: Amount,
    /// When to call the acquirer again, while the operation is pending.
    pub inquire_ms: Option<i64>,
    /// When the held amount is released automatically.
    pub release_ms: Option<i64>,
    /// The document that the merchant reads.
    pub document: &'a Operation,
}

/// A pending operation that may have a final result now.
pub struct PendingOperation {
    /// The hash of its session's id.
    pub session_hash: String,
    /// The authorization, for a follow-up operation.
    pub payment_id: Option<String>,
    /// When it was made.
    pub time_ms: i64,
    /// The operation.
    pub operation: Operation,
}

/// Writes a new operation. The caller writes its time into the order ([`super::orders::change`]).
pub fn add(connection: &mut Connection, new: &NewOperation<'_>) -> Result<(), StoreError> {
    let operation = new.document;
    let document = document(operation)?;
    connection.enqueue(
        "INSERT INTO operation (operation_id, merchant_id, terminal_id, order_id, session_hash, operation_type, result, \
         time_ms, amount_minor, currency, document, settle_ms, release_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
    .bind(document)
    .bind(new.inquire_ms)
    .bind(new.release_ms);
    Ok(())
}

/// When a stored operation was created.
pub async fn time_of(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Option<i64>, StoreError> {
    let time_ms = query_scalar("SELECT time_ms FROM operation WHERE operation_id = ?")
        .bind(operation_id)
        .fetch_optional(connection)
        .await?;
    Ok(time_ms)
}

/// Replaces a preassigned operation.
pub fn replace(connection: &mut Connection, new: &NewOperation<'_>) -> Result<(), StoreError> {
    let operation = new.document;
    let document = document(operation)?;
    connection.enqueue(
        "UPDATE operation SET terminal_id = ?, operation_type = ?, result = ?, document = ?, settle_ms = ?, release_ms = ? \
         WHERE operation_id = ?",
    )
    .bind(&operation.terminal_id)
    .bind(&operation.operation_type)
    .bind(&operation.operation_result)
    .bind(document)
    .bind(new.inquire_ms)
    .bind(new.release_ms)
    .bind(&operation.operation_id);
    Ok(())
}

/// Writes the acquirer's response and replaces the previous result. `inquire_ms`: when to call the acquirer again, while the result is not
/// final. The time of the operation stays that of its creation.
pub fn record_response(
    connection: &mut Connection,
    operation: &Operation,
    inquire_ms: Option<i64>,
) -> Result<(), StoreError> {
    let document = document(operation)?;
    connection
        .enqueue(
            "UPDATE operation SET result = ?, document = ?, settle_ms = ?, stage = 'BOOKED' WHERE operation_id = ?",
        )
        .bind(&operation.operation_result)
        .bind(document)
        .bind(inquire_ms)
        .bind(&operation.operation_id);
    Ok(())
}

/// An operation of any merchant.
pub async fn find(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Option<Operation>, StoreError> {
    let row = query("SELECT document FROM operation WHERE operation_id = ?")
        .bind(operation_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(operation_of).transpose()
}

/// A merchant's operation.
pub async fn find_of_merchant(
    connection: &mut Connection,
    merchant_id: &str,
    operation_id: &str,
) -> Result<Option<Operation>, StoreError> {
    let row = query("SELECT document FROM operation WHERE operation_id = ? AND merchant_id = ?")
        .bind(operation_id)
        .bind(merchant_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(operation_of).transpose()
}

/// All operations of an order, oldest first.
pub async fn of_order(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<Operation>, StoreError> {
    let rows = query(
        "SELECT document FROM operation WHERE merchant_id = ? AND order_id = ? ORDER BY time_ms",
    )
    .bind(merchant_id)
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(operation_of).collect()
}

/// A filter for operations. `None` does not filter.
pub struct OperationFilter<'a> {
    /// How the buyer paid.
    pub channel: Option<&'a str>,
    /// Its type, in the contract's terms.
    pub operation_type: Option<&'a str>,
    /// The custom field of the order.
    pub custom_field: Option<&'a str>,
}

/// The list of operations. `$source`: where the search begins. `$where`: what holds there besides. `$time`: the time of an operation.
macro_rules! listed_from {
    ($source:literal, $where:literal, $time:literal) => {
        concat!(
            "SELECT o.document FROM ",
            $source,
            " WHERE ",
            $where,
            " AND m.merchant_id = ?1 AND o.merchant_id = ?1 AND ",
            $time,
            " >= ?2 AND ",
            $time,
            " < ?3 AND (?4 IS NULL OR o.channel = ?4) AND (?5 IS NULL OR o.operation_type = ?5) \
             AND (?6 IS NULL OR m.custom_field = ?6) \
             ORDER BY o.time_ms DESC LIMIT ?7"
        )
    };
}

/// A merchant's operations, newest first.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &OperationFilter<'_>,
    window: Window,
) -> Result<Vec<Operation>, StoreError> {
    macro_rules! of_operations {
        ($where:literal) => {
            listed_from!(
                "operation o JOIN merchant_order m ON m.merchant_id = o.merchant_id AND m.order_id = o.order_id",
                $where,
                "o.time_ms"
            )
        };
    }
    let searched = filter.custom_field.map(Searched::CustomField);
    let is_of_few = are_few(connection, merchant_id, searched).await?;
    let rows = query(match filter {
        // `CROSS JOIN` has SQLite begin with the orders, which have an index by it. The sign keeps it from the index of all operations by their
        // time, which seems to it as good as that of an order's operations.
        _ if is_of_few => listed_from!(
            "merchant_order m CROSS JOIN operation o",
            "o.order_id = m.order_id AND m.custom_field = ?6",
            "+o.time_ms"
        ),
        // Most are authorizations: they need no index, and have none.
        OperationFilter {
            operation_type: Some(operation_type),
            ..
        } if *operation_type != "AUTHORIZATION" => {
            of_operations!("o.operation_type = ?5 AND o.operation_type <> 'AUTHORIZATION'")
        }
        OperationFilter {
            channel: Some(_), ..
        } => of_operations!("o.channel = ?4"),
        _ => of_operations!("o.order_id IS NOT NULL"),
    })
    .bind(merchant_id)
    .bind(window.from_ms)
    .bind(window.to_ms)
    .bind(filter.channel)
    .bind(filter.operation_type)
    .bind(filter.custom_field)
    .bind(window.max_records)
    .fetch_all(connection)
    .await?;
    rows.iter().map(operation_of).collect()
}

/// Pending operations whose result must be requested by `now_ms`.
pub async fn due_inquiries(
    connection: &mut Connection,
    now_ms: i64,
) -> Result<Vec<PendingOperation>, StoreError> {
    let rows = query(
        "SELECT session_hash, payment_id, time_ms, document FROM operation WHERE settle_ms <= ? ORDER BY settle_ms LIMIT 500",
    )
    .bind(now_ms)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(PendingOperation {
                session_hash: row.try_get("session_hash")?,
                payment_id: row.try_get("payment_id")?,
                time_ms: row.try_get("time_ms")?,
                operation: operation_of(row)?,
            })
        })
        .collect()
}

/// The result of a pending operation is requested at `inquire_ms`, unless it has arrived in the meantime.
pub async fn postpone_inquiry(
    connection: &mut Connection,
    operation_id: &str,
    due_ms: i64,
    inquire_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE operation SET settle_ms = ? WHERE operation_id = ? AND settle_ms <= ?")
        .bind(inquire_ms)
        .bind(operation_id)
        .bind(due_ms)
        .execute(connection)
        .await?;
    Ok(())
}

fn document(operation: &Operation) -> Result<String, StoreError> {
    serde_json::to_string(operation).map_err(|_| StoreError::Unreadable("operation"))
}

fn operation_of(row: &Row) -> Result<Operation, StoreError> {
    serde_json::from_str(row.try_get("document")?).map_err(|_| StoreError::Unreadable("operation"))
}
