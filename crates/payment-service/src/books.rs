//! Compares the money that the gateway holds with what shops told of their goods. It only reads.

use crate::meter;
use payframe_money::Amount;
use payframe_payment_domain::reconciliation::{Difference, GracePeriods, compare};
use payframe_storage::{Store, StoreError, books};

/// The comparison of all orders, of one merchant or of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Those that differ: usually none. In the order of merchants and orders.
    pub differences: Vec<OrderDifference>,
    /// Whether there may be more: only the first [`MOST`] orders that may differ are looked at.
    pub is_cut: bool,
}

/// An order whose books differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderDifference {
    /// The merchant of the order.
    pub merchant_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// What differs.
    pub difference: Difference,
    /// The last movement of money or goods.
    pub since_ms: i64,
    /// The approved money that was neither released nor refunded.
    pub held: Amount,
    /// ISO 4217 code.
    pub currency: String,
}

/// Compares the orders of one merchant or of all.
pub async fn compare_books(
    store: &Store,
    merchant_id: Option<&str>,
    grace: GracePeriods,
    now_ms: i64,
) -> Result<Comparison, StoreError> {
    let mut connection = store.read().await?;
    let candidates = books::candidates(&mut connection, merchant_id, MOST + 1).await?;
    drop(connection);
    let is_cut = candidates.len() > MOST as usize;
    let mut differences = Vec::new();
    for candidate in candidates.into_iter().take(MOST as usize) {
        for found in compare(&candidate.facts, grace, now_ms) {
            differences.push(OrderDifference {
                merchant_id: candidate.merchant_id.clone(),
                order_id: candidate.order_id.clone(),
                difference: found.difference,
                since_ms: found.since_ms,
                held: candidate.facts.held(),
                currency: candidate.currency.clone(),
            });
        }
    }
    Ok(Comparison {
        differences,
        is_cut,
    })
}

/// Compares the orders of all merchants, for the log and the metrics of a running gateway: a line for each difference.
pub async fn watch_books(
    store: &Store,
    grace: GracePeriods,
    now_ms: i64,
) -> Result<(), StoreError> {
    let comparison = compare_books(store, None, grace, now_ms).await?;
    for difference in Difference::ALL {
        let of_kind = comparison.differences.iter();
        let count = of_kind.filter(|one| one.difference == difference).count();
        meter::books_compared(difference.code(), count);
    }
    for one in &comparison.differences {
        let OrderDifference {
            merchant_id,
            order_id,
            difference,
            ..
        } = one;
        let (difference, cause) = (difference.code(), difference.cause());
        tracing::warn!(
            merchant_id,
            order_id,
            difference,
            cause,
            "the books of an order differ"
        );
    }
    Ok(())
}

/// How many orders that may differ are looked at. A shop with more has another problem than single orders.
pub const MOST: u32 = 5000;
