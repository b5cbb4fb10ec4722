//! The gateway as a shop sees it: sessions of one order, and the money that each of them moved.

use payframe_money::Amount;
use payframe_order_keeper::{OperationId, Payment, PaymentOutcome, Reading};

/// The state of a session and its money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Money {
    /// The buyer can still pay.
    Open,
    /// Paid, and the issuer has not decided.
    Undecided,
    /// Approved.
    Held,
    /// Approved, and given back.
    Returned,
    /// Refused.
    Refused,
    /// Cancelled or dead. Never charged.
    Closed,
}

/// The issuer's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// Yes.
    Approved,
    /// No.
    Refused,
    /// Later.
    Undecided,
}

/// All sessions of the order, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gateway {
    /// In the order of their build calls.
    pub sessions: Vec<Money>,
}

impl Gateway {
    /// `POST /orders/build`: an earlier session of the order is closed (`GW9103`). `None` where a payment was approved (`GW9006`).
    pub(crate) fn build(&mut self) -> Option<usize> {
        let was_approved = |money: &Money| matches!(money, Money::Held | Money::Returned);
        if self.sessions.iter().any(was_approved) {
            return None;
        }
        for session in 0..self.sessions.len() {
            self.close(session);
        }
        self.sessions.push(Money::Open);
        Some(self.sessions.len() - 1)
    }

    /// `POST /build/cancel`, or a limit of the session: a complete payment stays as it is.
    pub(crate) fn close(&mut self, session: usize) {
        if self.sessions[session] == Money::Open {
            self.sessions[session] = Money::Closed;
        }
    }

    /// The buyer pays, or the issuer decides at last.
    pub(crate) fn decide(&mut self, session: usize, decision: Decision) {
        self.sessions[session] = match decision {
            Decision::Approved => Money::Held,
            Decision::Refused => Money::Refused,
            Decision::Undecided => Money::Undecided,
        };
    }

    /// A refund of the whole payment; a second one is refused (`PS0027`).
    pub(crate) fn give_back(&mut self, operation: OperationId) {
        for session in 0..self.sessions.len() {
            if id(session) == Some(operation) && self.sessions[session] == Money::Held {
                self.sessions[session] = Money::Returned;
            }
        }
    }

    /// How many charges are held.
    pub(crate) fn held(&self) -> usize {
        self.sessions
            .iter()
            .filter(|money| **money == Money::Held)
            .count()
    }

    /// `GET /orders/{orderId}`. Never `None`: only approved payments hold money.
    pub(crate) fn reading(&self) -> Option<Reading> {
        let outcome = |money: &Money| match money {
            Money::Undecided => Some(PaymentOutcome::Undecided),
            Money::Held => Some(PaymentOutcome::Approved),
            Money::Returned => Some(PaymentOutcome::Returned),
            Money::Open | Money::Refused | Money::Closed => None,
        };
        let mut payments = Vec::new();
        for (session, money) in self.sessions.iter().enumerate() {
            if let Some(outcome) = outcome(money) {
                payments.push(Payment {
                    operation: id(session)?,
                    outcome,
                    amount: due()?,
                });
            }
        }
        let held = due()?.minor() * u64::try_from(self.held()).ok()?;
        Reading::of(Amount::from_minor(held)?, payments).ok()
    }
}

fn id(session: usize) -> Option<OperationId> {
    OperationId::parse(&format!("{:018}", session + 1))
}

/// What the order costs.
pub(crate) fn due() -> Option<Amount> {
    Amount::from_minor(3545)
}
