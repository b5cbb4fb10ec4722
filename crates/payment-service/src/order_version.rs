//! The version of an order: a caller who decided on one may have its call refused if the order is another one by then.
//!
//! It is a hash of what a caller reads of the order: the order as it was sent, its totals, its operations, what the shop told of its
//! goods, and its disputes. So it needs no counter that every writer would have to remember. The states of its links, which change with time, are not in it.

use payframe_protocol::dispute::Dispute;
use payframe_protocol::fulfilment::Fulfilment;
use payframe_protocol::operation::Operation;
use payframe_storage::orders::{self, OrderRow};
use payframe_storage::{Connection, StoreError, operations};
use serde_json::json;

/// Which versions of an order a caller accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedVersion {
    /// Every version.
    Any,
    /// One of these. None of them: no version.
    OneOf(Vec<String>),
}

impl ExpectedVersion {
    /// Whether this version is accepted.
    pub fn accepts(&self, version: &str) -> bool {
        match self {
            ExpectedVersion::Any => true,
            ExpectedVersion::OneOf(versions) => versions.iter().any(|one| one == version),
        }
    }
}

/// The version of an order that was read with these operations, oldest first.
pub fn version_of(
    order: &OrderRow,
    operations: &[Operation],
    fulfilment: Option<&Fulfilment>,
    disputes: &[Dispute],
) -> String {
    let totals = order.totals;
    let read = json!([
        order.document,
        totals.authorized.to_string(),
        totals.captured.to_string(),
        totals.refunded.to_string(),
        operations,
        fulfilment,
        disputes,
    ]);
    let mut version = payframe_vault::hash(&read.to_string());
    version.truncate(DIGITS);
    version
}

/// The version that an order has now. `None`: there is no such order.
pub async fn current(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Option<String>, StoreError> {
    let Some(order) = orders::find(connection, merchant_id, order_id).await? else {
        return Ok(None);
    };
    let operations = operations::of_order(connection, merchant_id, order_id).await?;
    let fulfilment = crate::fulfilments::told(connection, merchant_id, order_id).await?;
    let disputes = crate::dispute_document::of_order(connection, merchant_id, order_id).await?;
    Ok(Some(version_of(
        &order,
        &operations,
        fulfilment.as_ref(),
        &disputes,
    )))
}

/// Hexadecimal digits: 80 bits, so that no two versions of an order are the same by chance.
const DIGITS: usize = 20;
