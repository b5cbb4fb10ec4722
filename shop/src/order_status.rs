//! The status of an order, decided by the server's own view of it.
//!
//! Only this status decides whether the shop ships, not the browser's message and not a notification alone.
//! An order counts as paid only if amount and currency are those that the shop asked for.

use crate::{
    gateway::{Operation, OrderView},
    ledger::ShopOrder,
};

/// The status that the shop shows and acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderStatus {
    /// Nothing happened yet.
    Open,
    /// The whole amount is captured.
    Paid,
    /// The whole amount is authorized, to be captured later.
    Held,
    /// The issuer has not answered yet.
    Pending,
    /// The last attempt was refused.
    Refused,
    /// The buyer cancelled.
    Cancelled,
    /// The last attempt failed for technical reasons.
    Failed,
    /// The money was captured and refunded.
    Reversed,
    /// A state that this shop does not know, or another amount than ordered: a person must look at it.
    Unclear,
}

impl OrderStatus {
    /// Compares the gateway's view with what the shop ordered.
    pub fn of(ordered: &ShopOrder, view: &OrderView) -> Self {
        let good = view
            .operations
            .iter()
            .find(|operation| is_payment(operation) && is_good(operation));
        if let Some(operation) = good {
            return Self::of_payment(ordered, view, operation);
        }
        if view
            .operations
            .iter()
            .any(|operation| operation.operation_result == "PENDING")
        {
            return Self::Pending;
        }
        match view
            .operations
            .first()
            .map(|operation| operation.operation_result.as_str())
        {
            None => Self::Open,
            Some("DECLINED" | "DENIED_BY_RISK" | "THREEDS_FAILED") => Self::Refused,
            Some("CANCELED") => Self::Cancelled,
            Some("FAILED") => Self::Failed,
            Some("THREEDS_VALIDATED") => Self::Open,
            Some(_) => Self::Unclear,
        }
    }

    fn of_payment(ordered: &ShopOrder, view: &OrderView, payment: &Operation) -> Self {
        if matches!(payment.operation_result.as_str(), "VOIDED" | "REFUNDED") {
            return Self::Reversed;
        }
        let totals = &view.order_status;
        if totals.order.currency != ordered.currency {
            return Self::Unclear;
        }
        let Some(owed) = ordered.total_minor() else {
            return Self::Unclear;
        };
        let whole = |amount: &str| amount.parse() == Ok(owed);
        match (
            whole(&totals.captured_amount),
            whole(&totals.authorized_amount),
        ) {
            (true, _) => Self::Paid,
            (false, true) => Self::Held,
            (false, false) => Self::Unclear,
        }
    }

    /// Stable code for scripts and styles.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Held => "held",
            Self::Pending => "pending",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::Reversed => "reversed",
            Self::Unclear => "unclear",
        }
    }

    /// A title of two words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Open => "Not paid yet",
            Self::Paid => "Paid",
            Self::Held => "Amount held",
            Self::Pending => "Waiting for the bank",
            Self::Refused | Self::Failed => "Not paid",
            Self::Cancelled => "Cancelled",
            Self::Reversed => "Paid back",
            Self::Unclear => "Needs a look",
        }
    }

    /// One sentence for the buyer.
    pub fn sentence(self, order_id: &str) -> String {
        match self {
            Self::Open => format!("Not paid yet. Order {order_id} is still open."),
            Self::Paid => format!("Paid. Order {order_id}: the shop's server confirms."),
            Self::Held => format!(
                "Amount held. Order {order_id}: the shop's server confirms, and charges on shipping."
            ),
            Self::Pending => format!(
                "Not final yet. Order {order_id}: the bank has not answered, please do not pay again."
            ),
            Self::Refused => {
                format!("Not paid. Order {order_id}: the card was refused, nothing was charged.")
            }
            Self::Cancelled => format!("Cancelled. Order {order_id}: nothing was charged."),
            Self::Failed => format!(
                "Not paid. Order {order_id}: the payment failed for technical reasons, nothing was charged."
            ),
            Self::Reversed => {
                format!("Paid back. Order {order_id}: the amount was returned to the card.")
            }
            Self::Unclear => {
                format!("Order {order_id} needs a look by the shop. Please do not pay again.")
            }
        }
    }
}

fn is_payment(operation: &Operation) -> bool {
    operation.operation_type == "AUTHORIZATION"
}

fn is_good(operation: &Operation) -> bool {
    matches!(
        operation.operation_result.as_str(),
        "AUTHORIZED" | "EXECUTED" | "VOIDED" | "REFUNDED"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(captured: &str, authorized: &str, operations: &[(&str, &str)], expected: OrderStatus) {
        let view = serde_json::from_value(json!({
            "orderStatus": {
                "order": { "amount": "3545", "currency": "EUR" },
                "authorizedAmount": authorized, "capturedAmount": captured,
            },
            "operations": operations.iter().map(|(kind, result)| json!({
                "operationId": "1", "operationType": kind, "operationResult": result, "operationTime": "",
            })).collect::<Vec<_>>(),
        }))
        .expect("a readable order");
        assert_eq!(
            OrderStatus::of(&ShopOrder::example("3545", "EUR"), &view),
            expected,
            "{operations:?}"
        );
    }

    #[test]
    fn standing_follows_the_operations_and_the_totals() {
        check("0", "0", &[], OrderStatus::Open);
        check(
            "3545",
            "3545",
            &[("AUTHORIZATION", "EXECUTED")],
            OrderStatus::Paid,
        );
        check(
            "0",
            "3545",
            &[("AUTHORIZATION", "AUTHORIZED")],
            OrderStatus::Held,
        );
        check(
            "3545",
            "3545",
            &[("AUTHORIZATION", "AUTHORIZED"), ("CAPTURE", "EXECUTED")],
            OrderStatus::Paid,
        );
        check(
            "3545",
            "3545",
            &[("AUTHORIZATION", "DECLINED"), ("AUTHORIZATION", "EXECUTED")],
            OrderStatus::Paid,
        );
        check(
            "0",
            "0",
            &[("AUTHORIZATION", "PENDING")],
            OrderStatus::Pending,
        );
        check(
            "0",
            "0",
            &[("AUTHORIZATION", "DECLINED")],
            OrderStatus::Refused,
        );
        check(
            "0",
            "0",
            &[("AUTHORIZATION", "THREEDS_FAILED")],
            OrderStatus::Refused,
        );
        check(
            "0",
            "0",
            &[("AUTHORIZATION", "DENIED_BY_RISK")],
            OrderStatus::Refused,
        );
        check(
            "0",
            "0",
            &[("CANCEL", "CANCELED"), ("AUTHORIZATION", "DECLINED")],
            OrderStatus::Cancelled,
        );
        check(
            "0",
            "0",
            &[("AUTHORIZATION", "FAILED")],
            OrderStatus::Failed,
        );
        check(
            "0",
            "0",
            &[("VOID", "VOIDED"), ("AUTHORIZATION", "VOIDED")],
            OrderStatus::Reversed,
        );
    }

    #[test]
    fn an_order_with_a_fee_is_paid_only_with_it() {
        let view = serde_json::from_value(json!({
            "orderStatus": {
                "order": { "amount": "3580", "currency": "EUR" },
                "authorizedAmount": "3580", "capturedAmount": "3580",
            },
            "operations": [{ "operationId": "1", "operationType": "AUTHORIZATION", "operationResult": "EXECUTED", "operationTime": "" }],
        }))
        .expect("a readable order");
        let mut ordered = ShopOrder::example("3545", "EUR");
        assert_eq!(OrderStatus::of(&ordered, &view), OrderStatus::Unclear);
        ordered.fee_minor = "35".to_owned();
        assert_eq!(OrderStatus::of(&ordered, &view), OrderStatus::Paid);
    }

    #[test]
    fn another_amount_or_an_unknown_result_is_never_paid() {
        check(
            "100",
            "100",
            &[("AUTHORIZATION", "EXECUTED")],
            OrderStatus::Unclear,
        );
        check(
            "0",
            "0",
            &[("AUTHORIZATION", "EXECUTED")],
            OrderStatus::Unclear,
        );
        check(
            "0",
            "0",
            &[("AUTHORIZATION", "SOMETHING_NEW")],
            OrderStatus::Unclear,
        );
        check(
            "3545",
            "3545",
            &[("CANCEL", "EXECUTED")],
            OrderStatus::Unclear,
        );
    }
}
