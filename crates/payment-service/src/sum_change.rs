//! A change of a session's sum, and how it is stored.

use super::error::PaymentError;
use payframe_money::Amount;
use payframe_payment_domain::sum::Sum;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, cards, orders};
use serde_json::Value;

/// A change of a session's sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SumChange {
    /// The new sum of the session.
    pub sum: Sum,
    /// The new amount of the order.
    pub order_amount: Amount,
    /// The new description of the order, if it changes.
    pub description: Option<String>,
}

impl SumChange {
    /// A change of the amount of session and order (contract 4.5).
    pub(crate) fn of_amount(row: &SessionRow, amount: Amount) -> SumChange {
        SumChange {
            sum: Sum {
                amount,
                currency: row.terms.currency.clone(),
            },
            order_amount: amount,
            description: None,
        }
    }

    /// Whether it changes anything about the order besides the sum.
    pub(crate) fn touches(&self, order: &orders::OrderRow) -> bool {
        let known = order.document.get("description").and_then(Value::as_str);
        let described = self.description.as_deref();
        self.order_amount != order.amount || (described.is_some() && described != known)
    }

    /// Writes it into the session and its order. Offers for the former sum are withdrawn.
    pub(crate) async fn carry_out(
        &self,
        connection: &mut Connection,
        row: &mut SessionRow,
    ) -> Result<(), PaymentError> {
        row.amount = self.sum.amount;
        row.terms.currency.clone_from(&self.sum.currency);
        cards::withdraw_offers(connection, &row.hash);
        let sum = orders::NewSum {
            amount: self.order_amount,
            currency: &self.sum.currency,
            description: self.description.as_deref(),
        };
        let order = (row.terms.merchant_id.as_str(), row.terms.order_id.as_str());
        Ok(orders::change_sum(connection, order, &sum).await?)
    }
}
