//! The meaning of an answer of the gateway for an order. Only this file decides what is paid.

use crate::READS_UNTIL_PERSON;
use crate::messages::{Cause, Output};
use crate::order::{Goods, Intent, Order, Status, WaitingFor};
use crate::reading::{Payment, PaymentOutcome, Reading};
use payframe_money::Amount;

/// The evaluated answer.
struct Evaluation {
    /// Whether a payment covers the whole amount and is kept.
    is_covered: bool,
    /// Payments to refund, each with its amount to refund.
    extra: Vec<(Payment, Amount)>,
    /// The held money besides these.
    kept: Amount,
    is_undecided: bool,
    was_returned: bool,
}

impl Order {
    /// Evaluates the answer to the newest question.
    pub(crate) fn apply_reading(&mut self, reading: &Reading, outputs: &mut Vec<Output>) {
        let evaluation = self.evaluate(reading);
        for (payment, amount) in &evaluation.extra {
            if !self.at.returning.contains(&payment.operation) {
                self.at.returning.push(payment.operation);
                outputs.push(Output::GiveBack {
                    operation: payment.operation,
                    amount: *amount,
                });
            }
        }
        if evaluation.is_covered {
            self.paid(evaluation.kept, outputs);
        } else if !evaluation.kept.is_zero() {
            self.partly_paid(outputs);
        } else if evaluation.extra.is_empty() {
            self.nothing_held(&evaluation, outputs);
        } else if self.at.goods == Goods::Released {
            self.needs_person(Cause::PaidAfterRelease, outputs);
        }
        self.go_on(&evaluation, outputs);
    }

    fn evaluate(&self, reading: &Reading) -> Evaluation {
        let has =
            |outcome: PaymentOutcome| reading.payments().iter().any(|one| one.outcome == outcome);
        let keeps = self.at.intent != Intent::GiveBack && self.at.goods != Goods::Released;
        let approved = || {
            let payments = reading.payments().iter();
            payments.filter(|one| one.outcome == PaymentOutcome::Approved)
        };
        let cover = approved().find(|one| {
            keeps && one.amount >= self.at.due && !self.at.returning.contains(&one.operation)
        });
        let mut kept = reading.held();
        let mut extra = Vec::new();
        if cover.is_some() || !keeps {
            let owed = cover.map_or(Amount::ZERO, |one| one.amount);
            let mut excess = kept.checked_sub(owed).unwrap_or(Amount::ZERO);
            for payment in approved().filter(|one| Some(*one) != cover) {
                let amount = payment.amount.min(excess);
                if !amount.is_zero() {
                    excess = excess.checked_sub(amount).unwrap_or(Amount::ZERO);
                    kept = kept.checked_sub(amount).unwrap_or(Amount::ZERO);
                    extra.push((*payment, amount));
                }
            }
        }
        // Money that is being refunded already is not a part payment.
        if cover.is_none() && keeps {
            for payment in approved().filter(|one| self.at.returning.contains(&one.operation)) {
                let amount = payment.amount.min(kept);
                kept = kept.checked_sub(amount).unwrap_or(Amount::ZERO);
                if !amount.is_zero() {
                    extra.push((*payment, amount));
                }
            }
        }
        Evaluation {
            is_covered: cover.is_some() && kept >= self.at.due,
            extra,
            kept,
            is_undecided: has(PaymentOutcome::Undecided),
            was_returned: has(PaymentOutcome::Returned),
        }
    }

    fn paid(&mut self, kept: Amount, outputs: &mut Vec<Output>) {
        self.at.intent = Intent::Sell;
        self.close_all(outputs);
        if kept > self.at.due {
            self.needs_person(Cause::TooMuch, outputs);
            return;
        }
        self.at.status = Status::Paid;
        self.at.called = self.at.called.filter(|cause| *cause == Cause::NotGivenBack);
        self.fulfil(outputs);
        // Shipping is first in the list, so that the buyer does not wait for the other outputs.
        outputs.sort_by_key(|output| *output != Output::Fulfil);
    }

    fn partly_paid(&mut self, outputs: &mut Vec<Output>) {
        self.at.status = Status::PartlyPaid;
        self.close_all(outputs);
        if self.at.goods != Goods::Fulfilled {
            self.call(Cause::TooLittle, outputs);
        }
    }

    fn nothing_held(&mut self, evaluation: &Evaluation, outputs: &mut Vec<Output>) {
        let is_over = self.at.intent != Intent::Sell || evaluation.was_returned;
        if is_over {
            self.close_all(outputs);
        }
        if evaluation.is_undecided {
            if self.at.goods == Goods::Reserved && !matches!(self.at.status, Status::NeedsPerson(_))
            {
                self.at.status = Status::Paying(WaitingFor::Issuer);
            }
        } else if evaluation.was_returned {
            // The open attempts are being closed. When the last one is closed, the order is read again.
            if self.at.open.is_empty() {
                self.at.status = Status::Refunded;
                self.at.called = None;
                self.release(outputs);
            }
        } else if self.at.goods == Goods::Fulfilled {
            self.needs_person(Cause::FulfilledUnpaid, outputs);
        } else if !self.at.open.is_empty() {
            if self.at.goods == Goods::Reserved {
                self.at.status = Status::Paying(WaitingFor::Buyer);
            }
        } else if is_over {
            self.at.status = Status::GivenUp;
            self.at.called = None;
            self.release(outputs);
        } else {
            self.at.status = Status::Unpaid;
            self.at.called = None;
        }
    }

    fn needs_person(&mut self, cause: Cause, outputs: &mut Vec<Output>) {
        self.at.status = Status::NeedsPerson(cause);
        self.call(cause, outputs);
    }

    /// Reads the order again while it can change without a message, and calls a person if nothing changes for too long.
    fn go_on(&mut self, evaluation: &Evaluation, outputs: &mut Vec<Output>) {
        let is_with_buyer = self.at.status == Status::Paying(WaitingFor::Buyer);
        if !evaluation.is_undecided && evaluation.extra.is_empty() && !is_with_buyer {
            self.at.reads = 0;
            return;
        }
        self.ask_later(outputs);
        if self.at.reads < READS_UNTIL_PERSON {
            return;
        }
        if !evaluation.extra.is_empty() {
            self.call(Cause::NotGivenBack, outputs);
        } else if evaluation.is_undecided {
            if self.at.status == Status::Paying(WaitingFor::Issuer) {
                self.at.status = Status::NeedsPerson(Cause::Undecided);
            }
            self.call(Cause::Undecided, outputs);
        }
    }
}
