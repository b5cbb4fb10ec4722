//! Orders.

use super::{Connection, Row, Statement, Store, StoreError, Subject, Write, amount, minor, query};
use payframe_money::Amount;
use payframe_payment_domain::operation::Totals;
use payframe_payment_domain::terms::AcceptanceChannel;
use serde_json::{Map, Value};

/// An order.
pub struct OrderRow {
    /// ISO 4217 code.
    pub currency: String,
    /// The amount of the order.
    pub amount: Amount,
    /// The totals of its operations.
    pub totals: Totals,
    /// The validated document, as the merchant sent it.
    pub document: Map<String, Value>,
    /// The operation that pays it, or that is in progress.
    pub payment_operation_id: Option<String>,
    /// Whether it belongs to a reservation. A reservation is paid through its own links and charges.
    pub is_reservation: bool,
}

/// A new order.
pub struct NewOrder<'a> {
    /// The merchant of the order.
    pub merchant_id: &'a str,
    /// The merchant's order.
    pub order_id: &'a str,
    /// ISO 4217 code.
    pub currency: &'a str,
    /// The amount of the order.
    pub amount: Amount,
    /// As the merchant sent it.
    pub document: &'a Map<String, Value>,
    /// The name of the merchant's software.
    pub plugin_name: Option<&'a str>,
    /// When it was created.
    pub created_ms: i64,
    /// Whether it belongs to a reservation.
    pub is_reservation: bool,
}

/// A merchant's order.
pub async fn find(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Option<OrderRow>, StoreError> {
    let found = by_id(merchant_id, order_id);
    let row = found.fetch_optional(connection).await?;
    row.as_ref().map(order_of).transpose()
}

/// Starts a change of an order, and reads the order in it. `None`: it does not exist yet.
pub async fn begin_change(
    store: &Store,
    merchant_id: &str,
    order_id: &str,
) -> Result<(Write, Option<OrderRow>), StoreError> {
    let subject = Subject::Order {
        merchant_id,
        order_id,
    };
    let read = Some(by_id(merchant_id, order_id));
    let (write, row) = store.0.write_reading(subject, read).await?;
    Ok((write, row.as_ref().map(order_of).transpose()?))
}

fn by_id(merchant_id: &str, order_id: &str) -> Statement {
    query("SELECT * FROM merchant_order WHERE merchant_id = ? AND order_id = ?")
        .bind(merchant_id)
        .bind(order_id)
}

/// An order, with the data that is needed to record an operation.
pub struct OrderToRecord {
    /// The order.
    pub order: OrderRow,
    /// The acceptance channel of the terminal.
    pub place: AcceptanceChannel,
    /// Whether the operation changes a contract.
    pub is_promised: bool,
}

/// The data that is needed to record an operation, in one query.
pub async fn to_book(
    connection: &mut Connection,
    (merchant_id, order_id): (&str, &str),
    terminal_id: &str,
    operation_id: &str,
) -> Result<OrderToRecord, StoreError> {
    let row = query(
        "SELECT m.*, t.place, EXISTS (SELECT 1 FROM contract_change WHERE operation_id = ?) AS is_promised \
         FROM merchant_order m JOIN terminal t ON t.terminal_id = ? WHERE m.merchant_id = ? AND m.order_id = ?",
    )
    .bind(operation_id)
    .bind(terminal_id)
    .bind(merchant_id)
    .bind(order_id)
    .fetch_optional(connection)
    .await?
    .ok_or(StoreError::Unreadable("order"))?;
    Ok(OrderToRecord {
        order: order_of(&row)?,
        place: AcceptanceChannel::from_code(row.try_get("place")?)
            .ok_or(StoreError::Unreadable("place"))?,
        is_promised: row.try_get("is_promised")?,
    })
}

pub(crate) fn order_of(row: &Row) -> Result<OrderRow, StoreError> {
    let money = |column| amount(row.try_get(column)?);
    let document: &str = row.try_get("document")?;
    Ok(OrderRow {
        currency: row.try_get("currency")?,
        amount: money("amount_minor")?,
        totals: Totals {
            authorized: money("authorized_minor")?,
            captured: money("captured_minor")?,
            refunded: money("refunded_minor")?,
        },
        document: serde_json::from_str(document).map_err(|_| StoreError::Unreadable("order"))?,
        payment_operation_id: row.try_get("payment_operation_id")?,
        is_reservation: row.try_get::<i64>("is_reservation")? != 0,
    })
}

/// Writes an order, or a new attempt, which replaces document, amount and currency.
pub fn put(connection: &mut Connection, order: &NewOrder<'_>) {
    connection.enqueue(
        "INSERT INTO merchant_order (merchant_id, order_id, currency, amount_minor, document, plugin_name, created_ms, is_reservation) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (merchant_id, order_id) DO UPDATE SET \
         currency = excluded.currency, amount_minor = excluded.amount_minor, document = excluded.document, plugin_name = excluded.plugin_name, erased_ms = NULL",
    )
    .bind(order.merchant_id)
    .bind(order.order_id)
    .bind(order.currency)
    .bind(minor(order.amount))
    .bind(Value::Object(order.document.clone()).to_string())
    .bind(order.plugin_name)
    .bind(order.created_ms)
    .bind(i64::from(order.is_reservation));
}

/// A new sum of an order.
pub struct NewSum<'a> {
    /// The amount of the order.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: &'a str,
    /// The new description, if it changes.
    pub description: Option<&'a str>,
}

/// Sets another sum (contract 4.5), also in the document.
pub async fn change_sum(
    connection: &mut Connection,
    (merchant_id, order_id): (&str, &str),
    sum: &NewSum<'_>,
) -> Result<(), StoreError> {
    let order = find(connection, merchant_id, order_id)
        .await?
        .ok_or(StoreError::Unreadable("order"))?;
    let mut document = order.document;
    document.insert(String::from("amount"), Value::from(sum.amount.to_string()));
    document.insert(String::from("currency"), Value::from(sum.currency));
    if let Some(description) = sum.description {
        document.insert(String::from("description"), Value::from(description));
    }
    query("UPDATE merchant_order SET amount_minor = ?, currency = ?, document = ? WHERE merchant_id = ? AND order_id = ?")
        .bind(minor(sum.amount))
        .bind(sum.currency)
        .bind(Value::Object(document).to_string())
        .bind(merchant_id)
        .bind(order_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Reserves the order for an operation that is about to pay it. `false`: another operation has reserved it.
pub async fn reserve(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
    operation_id: &str,
) -> Result<bool, StoreError> {
    let changed = query(
        "UPDATE merchant_order SET payment_operation_id = ? \
         WHERE merchant_id = ? AND order_id = ? AND (payment_operation_id IS NULL OR payment_operation_id = ?)",
    )
    .bind(operation_id)
    .bind(merchant_id)
    .bind(order_id)
    .bind(operation_id)
    .execute(connection)
    .await?;
    Ok(changed == 1)
}

/// What an operation changes in its order.
pub struct OrderChange<'a> {
    /// The new totals.
    pub totals: Totals,
    /// The time of the operation, if it is a new one.
    pub last_operation_ms: Option<i64>,
    /// The operation that no longer reserves the order: it does not pay it.
    pub released: Option<&'a str>,
}

/// Writes what an operation changes in its order.
pub fn change(
    connection: &mut Connection,
    (merchant_id, order_id): (&str, &str),
    change: &OrderChange<'_>,
) {
    connection.enqueue(
        "UPDATE merchant_order SET authorized_minor = ?, captured_minor = ?, refunded_minor = ?, \
         last_operation_ms = COALESCE(?, last_operation_ms), \
         payment_operation_id = CASE WHEN payment_operation_id = ? THEN NULL ELSE payment_operation_id END \
         WHERE merchant_id = ? AND order_id = ?",
    )
    .bind(minor(change.totals.authorized))
    .bind(minor(change.totals.captured))
    .bind(minor(change.totals.refunded))
    .bind(change.last_operation_ms)
    .bind(change.released)
    .bind(merchant_id)
    .bind(order_id);
}

/// Writes the time of the order's newest operation.
pub fn put_last_operation(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
    time_ms: i64,
) {
    connection.enqueue(
        "UPDATE merchant_order SET last_operation_ms = ? WHERE merchant_id = ? AND order_id = ?",
    )
    .bind(time_ms)
    .bind(merchant_id)
    .bind(order_id);
}
