//! Orders.

use super::{Connection, StoreProblem, amount, minor};
use crate::domain::operation::Totals;
use payframe_checkout::money::Amount;
use serde_json::{Map, Value};
use sqlx::Row;

/// An order.
pub(crate) struct OrderRow {
    pub(crate) currency: String,
    pub(crate) amount: Amount,
    pub(crate) totals: Totals,
    pub(crate) refunded: Amount,
    /// As the merchant sent it, checked.
    pub(crate) document: Map<String, Value>,
    /// The operation that pays it, or is about to.
    pub(crate) payment_operation_id: Option<String>,
}

/// An order to be written.
pub(crate) struct NewOrder<'a> {
    pub(crate) merchant_id: &'a str,
    pub(crate) order_id: &'a str,
    pub(crate) currency: &'a str,
    pub(crate) amount: Amount,
    pub(crate) document: &'a Map<String, Value>,
    pub(crate) plugin_name: Option<&'a str>,
    pub(crate) created_ms: i64,
}

/// A merchant's order.
pub(crate) async fn find(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Option<OrderRow>, StoreProblem> {
    let row = sqlx::query("SELECT * FROM merchant_order WHERE merchant_id = ? AND order_id = ?")
        .bind(merchant_id)
        .bind(order_id)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let money = |column| amount(row.try_get(column)?);
    let document: &str = row.try_get("document")?;
    Ok(Some(OrderRow {
        currency: row.try_get("currency")?,
        amount: money("amount_minor")?,
        totals: Totals {
            authorized: money("authorized_minor")?,
            captured: money("captured_minor")?,
        },
        refunded: money("refunded_minor")?,
        document: serde_json::from_str(document).map_err(|_| StoreProblem::Unreadable("order"))?,
        payment_operation_id: row.try_get("payment_operation_id")?,
    }))
}

/// Writes an order, or a new attempt of it: then the document is the new one.
pub(crate) async fn put(
    connection: &mut Connection,
    order: &NewOrder<'_>,
) -> Result<(), StoreProblem> {
    sqlx::query(
        "INSERT INTO merchant_order (merchant_id, order_id, currency, amount_minor, document, plugin_name, created_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (merchant_id, order_id) DO UPDATE SET \
         document = excluded.document, plugin_name = excluded.plugin_name",
    )
    .bind(order.merchant_id)
    .bind(order.order_id)
    .bind(order.currency)
    .bind(minor(order.amount))
    .bind(Value::Object(order.document.clone()).to_string())
    .bind(order.plugin_name)
    .bind(order.created_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// Fixes another amount (contract 4.5), in the document too.
pub(crate) async fn change_amount(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
    amount: Amount,
) -> Result<(), StoreProblem> {
    let order = find(connection, merchant_id, order_id)
        .await?
        .ok_or(StoreProblem::Unreadable("order"))?;
    let mut document = order.document;
    document.insert(String::from("amount"), Value::from(amount.to_string()));
    sqlx::query("UPDATE merchant_order SET amount_minor = ?, document = ? WHERE merchant_id = ? AND order_id = ?")
        .bind(minor(amount))
        .bind(Value::Object(document).to_string())
        .bind(merchant_id)
        .bind(order_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Reserves the order for an operation that is about to pay it. `false`: another one has it.
pub(crate) async fn reserve(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
    operation_id: &str,
) -> Result<bool, StoreProblem> {
    let changed = sqlx::query(
        "UPDATE merchant_order SET payment_operation_id = ? \
         WHERE merchant_id = ? AND order_id = ? AND (payment_operation_id IS NULL OR payment_operation_id = ?)",
    )
    .bind(operation_id)
    .bind(merchant_id)
    .bind(order_id)
    .bind(operation_id)
    .execute(connection)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Gives the order free again: this operation does not pay it.
pub(crate) async fn release(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
    operation_id: &str,
) -> Result<(), StoreProblem> {
    sqlx::query(
        "UPDATE merchant_order SET payment_operation_id = NULL \
         WHERE merchant_id = ? AND order_id = ? AND payment_operation_id = ?",
    )
    .bind(merchant_id)
    .bind(order_id)
    .bind(operation_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes new totals.
pub(crate) async fn put_totals(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
    totals: Totals,
) -> Result<(), StoreProblem> {
    sqlx::query(
        "UPDATE merchant_order SET authorized_minor = ?, captured_minor = ? WHERE merchant_id = ? AND order_id = ?",
    )
    .bind(minor(totals.authorized))
    .bind(minor(totals.captured))
    .bind(merchant_id)
    .bind(order_id)
    .execute(connection)
    .await?;
    Ok(())
}
