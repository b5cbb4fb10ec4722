//! Whether a search begins with what it looks for: with the orders that have it, if these are few, or else with the newest orders.

use super::{Connection, StoreError, Value, minor, query_scalar};
use payframe_money::Amount;

/// One of an order's amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountType {
    /// The amount of the order.
    Order,
    /// Approved, minus released.
    Authorized,
    /// Captured, minus reversed.
    Captured,
}

impl AmountType {
    /// Whether the index of this amount has it: what is not authorized or captured yet is in none.
    pub(crate) fn is_in_index(self, amount: Amount) -> bool {
        self == AmountType::Order || !amount.is_zero()
    }
}

/// What a search looks for in orders.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Searched<'a> {
    Customer(&'a str),
    CustomField(&'a str),
    /// An amount within these bounds.
    Amount(AmountType, Amount, Amount),
}

/// Whether so few orders have it that all of them can be read and sorted. Where they are more, some are among any orders, and going through
/// the newest finds them soon. `None`, what no search looks for, is not of few.
pub(crate) async fn are_few(
    connection: &mut Connection,
    merchant_id: &str,
    searched: Option<Searched<'_>>,
) -> Result<bool, StoreError> {
    // In the order of the index, so that no server collects all of them before it counts.
    macro_rules! found {
        ($column:literal, $where:literal) => {
            concat!(
                "SELECT COUNT(*) FROM (SELECT 1 AS one FROM merchant_order WHERE merchant_id = ? AND ",
                $column,
                " BETWEEN ? AND ?",
                $where,
                " ORDER BY ",
                $column,
                " LIMIT ?) AS found"
            )
        };
    }
    let Some(searched) = searched else {
        return Ok(false);
    };
    let (sql, [least, most]) = match searched {
        Searched::Customer(text) => (found!("customer_id", ""), [Value::from(text), text.into()]),
        Searched::CustomField(text) => {
            (found!("custom_field", ""), [Value::from(text), text.into()])
        }
        Searched::Amount(amount_type, least, _) if !amount_type.is_in_index(least) => {
            return Ok(false);
        }
        Searched::Amount(amount_type, least, most) => {
            let sql = match amount_type {
                AmountType::Order => {
                    found!("amount_minor", " AND last_operation_ms IS NOT NULL")
                }
                AmountType::Authorized => found!(
                    "authorized_minor",
                    " AND authorized_minor > 0 AND last_operation_ms IS NOT NULL"
                ),
                AmountType::Captured => found!(
                    "captured_minor",
                    " AND captured_minor > 0 AND last_operation_ms IS NOT NULL"
                ),
            };
            (sql, [minor(least).into(), minor(most).into()])
        }
    };
    let found: Option<i64> = query_scalar(sql)
        .bind(merchant_id)
        .bind(least)
        .bind(most)
        .bind(FEW)
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some_and(|found| found < FEW))
}

/// How many orders are few: to sort them takes as long as to find 25 among some ten thousand.
const FEW: i64 = 2000;
