//! The gateway's order as a shop reads it: which payments there are, and how much money is held.

use payframe_money::Amount;
use std::fmt;

/// The 18 digits of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationId(u64);

impl OperationId {
    /// Reads exactly 18 digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digits = text.len() == 18 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_digits.then(|| text.parse().ok().map(Self)).flatten()
    }
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:018}", self.0)
    }
}

/// The outcome of a payment, as far as its money is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaymentOutcome {
    /// `PENDING`
    Undecided,
    /// `AUTHORIZED`, `EXECUTED`
    Approved,
    /// `VOIDED`, `REFUNDED`: approved before, and nothing of it remains.
    Returned,
}

/// A payment that has money, may get it, or had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Payment {
    /// Its operation.
    pub operation: OperationId,
    /// Its outcome.
    pub outcome: PaymentOutcome,
    /// The requested amount.
    pub amount: Amount,
}

/// The members of `GET /orders/{orderId}` that are used, as texts of the API. An order that does not exist (404) has none: [`Reading::default`].
#[derive(Clone, Copy, Debug)]
pub struct OrderView<'a> {
    /// `orderStatus.order.currency`
    pub currency: &'a str,
    /// `orderStatus.authorizedAmount`: approved minus released.
    pub authorized: &'a str,
    /// `orderStatus.refundedAmount`
    pub refunded: &'a str,
    /// `operations` in reverse, which is oldest first: the gateway answers the newest first.
    pub operations: &'a [Operation<'a>],
}

/// One of `operations`.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'a> {
    /// `operationId`
    pub id: &'a str,
    /// `operationType`
    pub kind: &'a str,
    /// `operationResult`
    pub result: &'a str,
    /// `operationAmount`
    pub amount: &'a str,
}

/// The result of reading the order. The default is an order without payments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reading {
    held: Amount,
    payments: Vec<Payment>,
}

/// Why an answer cannot be used. The order needs a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// The currency is not that of the shop's order.
    #[error("the currency is not that of the shop's order")]
    Currency,
    /// An amount or an id does not have the format of the contract.
    #[error("an amount or an id does not have the format of the contract")]
    Form,
    /// The operation or the result is unknown: another version of the contract, or an order of a reservation.
    #[error("the operation or the result is unknown")]
    Unknown,
    /// More is refunded than was approved, or the held money belongs to no payment.
    #[error("the totals do not match the payments")]
    Totals,
}

impl Reading {
    /// Reads the gateway's answer, for an order in this currency.
    ///
    /// # Errors
    ///
    /// [`ReadingError`]: pass `ReadUnreadable` to the order.
    pub fn parse(view: &OrderView<'_>, currency: &str) -> Result<Self, ReadingError> {
        if view.currency != currency {
            return Err(ReadingError::Currency);
        }
        let authorized = amount(view.authorized)?;
        let held = authorized
            .checked_sub(amount(view.refunded)?)
            .ok_or(ReadingError::Totals)?;
        let mut payments = Vec::new();
        for operation in view.operations {
            if let Some(outcome) = outcome(operation)? {
                payments.push(Payment {
                    operation: OperationId::parse(operation.id).ok_or(ReadingError::Form)?,
                    outcome,
                    amount: amount(operation.amount)?,
                });
            }
        }
        Self::of(held, payments)
    }

    /// A reading from another source: the held money (approved minus released and refunded), and
    /// the payments, oldest first.
    ///
    /// # Errors
    ///
    /// [`ReadingError::Totals`]: the held money belongs to no approved payment.
    pub fn of(held: Amount, payments: Vec<Payment>) -> Result<Self, ReadingError> {
        let is_approved = |payment: &Payment| payment.outcome == PaymentOutcome::Approved;
        if !held.is_zero() && !payments.iter().any(is_approved) {
            return Err(ReadingError::Totals);
        }
        Ok(Self { held, payments })
    }

    /// The held money: approved minus released and refunded.
    #[must_use]
    pub fn held(&self) -> Amount {
        self.held
    }

    /// The payments, oldest first.
    #[must_use]
    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }
}

fn amount(text: &str) -> Result<Amount, ReadingError> {
    Amount::parse(text).ok_or(ReadingError::Form)
}

/// `None` for operations without money of their own: refusals, and operations that follow a payment (the totals include them).
fn outcome(operation: &Operation<'_>) -> Result<Option<PaymentOutcome>, ReadingError> {
    match operation.kind {
        "AUTHORIZATION" => {}
        "CAPTURE" | "VOID" | "REFUND" | "CANCEL" | "CARD_VERIFICATION" => return Ok(None),
        _ => return Err(ReadingError::Unknown),
    }
    match operation.result {
        "AUTHORIZED" | "EXECUTED" => Ok(Some(PaymentOutcome::Approved)),
        "PENDING" => Ok(Some(PaymentOutcome::Undecided)),
        "VOIDED" | "REFUNDED" => Ok(Some(PaymentOutcome::Returned)),
        "DECLINED" | "DENIED_BY_RISK" | "THREEDS_VALIDATED" | "THREEDS_FAILED" | "CANCELED"
        | "FAILED" => Ok(None),
        _ => Err(ReadingError::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(
        kind: &str,
        result: &str,
        authorized: &str,
    ) -> Result<Vec<PaymentOutcome>, ReadingError> {
        let operation = Operation {
            id: "347074400000000001",
            kind,
            result,
            amount: "3545",
        };
        let view = OrderView {
            currency: "EUR",
            authorized,
            refunded: "0",
            operations: &[operation],
        };
        let reading = Reading::parse(&view, "EUR")?;
        Ok(reading
            .payments()
            .iter()
            .map(|payment| payment.outcome)
            .collect())
    }

    #[test]
    fn every_result_of_the_contract_has_a_meaning() {
        let check = |result: &str, authorized: &str, expected: &[PaymentOutcome]| {
            assert_eq!(
                read("AUTHORIZATION", result, authorized),
                Ok(expected.to_vec())
            );
        };
        check("AUTHORIZED", "3545", &[PaymentOutcome::Approved]);
        check("EXECUTED", "3545", &[PaymentOutcome::Approved]);
        check("PENDING", "0", &[PaymentOutcome::Undecided]);
        check("VOIDED", "0", &[PaymentOutcome::Returned]);
        check("REFUNDED", "0", &[PaymentOutcome::Returned]);
        for refused in [
            "DECLINED",
            "DENIED_BY_RISK",
            "THREEDS_VALIDATED",
            "THREEDS_FAILED",
            "CANCELED",
            "FAILED",
        ] {
            check(refused, "0", &[]);
        }
        for follow_up in ["CAPTURE", "VOID", "REFUND", "CANCEL", "CARD_VERIFICATION"] {
            assert_eq!(read(follow_up, "EXECUTED", "0"), Ok(vec![]));
        }
    }

    #[test]
    fn what_is_not_in_the_contract_is_refused() {
        assert_eq!(
            read("AUTHORIZATION", "APPROVED", "0"),
            Err(ReadingError::Unknown)
        );
        assert_eq!(read("NOSHOW", "EXECUTED", "0"), Err(ReadingError::Unknown));
        assert_eq!(
            read("AUTHORIZATION", "PENDING", "-1"),
            Err(ReadingError::Form)
        );
        assert_eq!(
            read("AUTHORIZATION", "DECLINED", "3545"),
            Err(ReadingError::Totals)
        );
        let view = OrderView {
            currency: "USD",
            authorized: "0",
            refunded: "0",
            operations: &[],
        };
        assert_eq!(Reading::parse(&view, "EUR"), Err(ReadingError::Currency));
        let view = OrderView {
            currency: "EUR",
            refunded: "1",
            ..view
        };
        assert_eq!(Reading::parse(&view, "EUR"), Err(ReadingError::Totals));
    }
}
