//! Both books of an order held against each other: the money that the gateway holds, and what the shop told of the goods
//! ([`super::fulfilment`]).
//!
//! Every difference has a cause in a sentence and the action that ends it. Zero differences is the normal state. A difference counts only
//! once nothing has moved for a while: a shop that is between two calls is no difference. This module moves no money and knows no
//! tables; the time is a parameter.

use super::fulfilment::FulfilmentState;
use super::operation::Totals;
use payframe_money::Amount;

/// What both books say of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderFacts {
    /// The sums of its operations.
    pub totals: Totals,
    /// What disputes hold, or took back: nobody can refund it.
    pub disputed: Amount,
    /// Payments that were approved and that are neither released nor refunded as a whole.
    pub charges: u32,
    /// Whether an operation has no result yet.
    pub has_pending: bool,
    /// When its newest operation was made. `None`: it has none.
    pub money_moved_ms: Option<i64>,
    /// What the shop told of its goods last, and when.
    pub goods: Option<(FulfilmentState, i64)>,
    /// When the merchant's shop first told something of any order. Payments before that are not missed. `None`: it tells nothing.
    pub telling_since_ms: Option<i64>,
}

/// How long each side may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GracePeriods {
    /// A paid order may wait so long until the shop tells that its goods are sent.
    pub to_fulfil_ms: i64,
    /// A shop and its staff may take so long between two calls that belong together.
    pub to_settle_ms: i64,
}

impl GracePeriods {
    /// With this time for the goods, and 15 minutes between two calls.
    pub fn to_fulfil(to_fulfil_ms: i64) -> GracePeriods {
        GracePeriods {
            to_fulfil_ms,
            to_settle_ms: 15 * 60_000,
        }
    }
}

/// A way in which the books of an order differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Difference {
    /// Several payments of one order are held.
    SeveralCharges,
    /// Money is held, and the goods are not sent.
    PaidNotFulfilled,
    /// The goods are sent, and no money ever came.
    FulfilledUnpaid,
    /// The goods are sent, and the payment has no result.
    FulfilledUndecided,
    /// The goods are sent, and all money went back.
    FulfilledRefunded,
    /// The goods are sent, and the money is authorized but not captured.
    FulfilledUncaptured,
    /// The goods are not sent or came back, and money is held.
    CanceledButHeld,
}

/// A difference, and since when nothing has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundDifference {
    /// What differs.
    pub difference: Difference,
    /// The last movement of money or goods.
    pub since_ms: i64,
}

/// Compares both books of an order. Usually the answer is empty.
pub fn compare(facts: &OrderFacts, grace: GracePeriods, now_ms: i64) -> Vec<FoundDifference> {
    let told_ms = facts.goods.map(|(_, told_ms)| told_ms);
    let Some(since_ms) = facts.money_moved_ms.max(told_ms) else {
        return Vec::new();
    };
    let quiet_ms = now_ms.saturating_sub(since_ms);
    let several = (facts.charges > 1).then_some(Difference::SeveralCharges);
    let found = several.into_iter().chain(of_goods(facts));
    found
        .filter(|difference| quiet_ms >= difference.grace_ms(grace))
        .map(|difference| FoundDifference {
            difference,
            since_ms,
        })
        .collect()
}

/// How money and goods differ: in one way at most.
fn of_goods(facts: &OrderFacts) -> Option<Difference> {
    let totals = facts.totals;
    let holds = facts.holds();
    match facts.state() {
        FulfilmentState::None => {
            let is_missed = match (facts.telling_since_ms, facts.money_moved_ms) {
                (Some(telling_ms), Some(moved_ms)) => moved_ms >= telling_ms,
                _ => false,
            };
            (holds && is_missed).then_some(Difference::PaidNotFulfilled)
        }
        // The dispute says what became of the money.
        FulfilmentState::Partial | FulfilmentState::Fulfilled
            if !holds && !facts.disputed.is_zero() =>
        {
            None
        }
        FulfilmentState::Partial | FulfilmentState::Fulfilled if !holds => {
            Some(if facts.has_pending {
                Difference::FulfilledUndecided
            } else if totals.refunded.is_zero() {
                Difference::FulfilledUnpaid
            } else {
                Difference::FulfilledRefunded
            })
        }
        FulfilmentState::Fulfilled if totals.captured.is_zero() => {
            Some(Difference::FulfilledUncaptured)
        }
        FulfilmentState::Partial | FulfilmentState::Fulfilled => None,
        // A refund that has no result yet may be the end of it.
        FulfilmentState::Canceled | FulfilmentState::Returned => {
            (holds && !facts.has_pending).then_some(Difference::CanceledButHeld)
        }
    }
}

impl OrderFacts {
    /// The approved money that was neither released nor refunded, and that no dispute holds or took.
    pub fn held(&self) -> Amount {
        let held = self.totals.authorized.checked_sub(self.totals.refunded);
        let held = held.and_then(|held| held.checked_sub(self.disputed));
        held.unwrap_or_default()
    }

    fn holds(&self) -> bool {
        !self.held().is_zero()
    }

    /// What the shop told last. It told nothing: nothing is sent.
    fn state(&self) -> FulfilmentState {
        self.goods.map_or(FulfilmentState::None, |(state, _)| state)
    }
}

impl Difference {
    fn grace_ms(self, grace: GracePeriods) -> i64 {
        match self {
            Difference::PaidNotFulfilled => grace.to_fulfil_ms,
            Difference::SeveralCharges
            | Difference::FulfilledUnpaid
            | Difference::FulfilledUndecided
            | Difference::FulfilledRefunded
            | Difference::FulfilledUncaptured
            | Difference::CanceledButHeld => grace.to_settle_ms,
        }
    }

    /// A stable code.
    pub fn code(self) -> &'static str {
        match self {
            Difference::SeveralCharges => "SEVERAL_CHARGES",
            Difference::PaidNotFulfilled => "PAID_NOT_FULFILLED",
            Difference::FulfilledUnpaid => "FULFILLED_UNPAID",
            Difference::FulfilledUndecided => "FULFILLED_UNDECIDED",
            Difference::FulfilledRefunded => "FULFILLED_REFUNDED",
            Difference::FulfilledUncaptured => "FULFILLED_UNCAPTURED",
            Difference::CanceledButHeld => "CANCELED_BUT_HELD",
        }
    }

    /// The cause, in a sentence.
    pub fn cause(self) -> &'static str {
        match self {
            Difference::SeveralCharges => "More than one payment of this order is held.",
            Difference::PaidNotFulfilled => {
                "The buyer's money is held, and the shop has not told that goods were sent."
            }
            Difference::FulfilledUnpaid => {
                "The shop told that goods were sent, and no money is held for the order."
            }
            Difference::FulfilledUndecided => {
                "The shop told that goods were sent, and the payment has no result yet: it may be refused."
            }
            Difference::FulfilledRefunded => {
                "The shop told that goods were sent, and all money of the order was given back."
            }
            Difference::FulfilledUncaptured => {
                "The shop told that goods were sent, and the money is only reserved: it is released by itself when its time is over."
            }
            Difference::CanceledButHeld => {
                "The shop told that the goods will not be sent or came back, and money is still held."
            }
        }
    }

    /// What ends it, in a sentence.
    pub fn action(self) -> &'static str {
        match self {
            Difference::SeveralCharges => {
                "Refund the payment that the buyer does not owe; the order shows each of them."
            }
            Difference::PaidNotFulfilled => {
                "Send the goods and tell FULFILLED, or refund the payment and tell CANCELED."
            }
            Difference::FulfilledUnpaid => {
                "Have the buyer pay the order, for example over a link, or take the goods back and tell RETURNED."
            }
            Difference::FulfilledUndecided => {
                "Wait for the result. If it is a refusal, take the goods back and tell RETURNED. Have the shop send goods only when the order is PAID."
            }
            Difference::FulfilledRefunded => {
                "Tell RETURNED if the goods came back or if they were given up; otherwise have the buyer pay again under a new order."
            }
            Difference::FulfilledUncaptured => "Capture the authorization.",
            Difference::CanceledButHeld => {
                "Refund or release the money. If the goods were sent after all, tell FULFILLED."
            }
        }
    }

    /// All of them.
    pub const ALL: [Difference; 7] = [
        Difference::SeveralCharges,
        Difference::PaidNotFulfilled,
        Difference::FulfilledUnpaid,
        Difference::FulfilledUndecided,
        Difference::FulfilledRefunded,
        Difference::FulfilledUncaptured,
        Difference::CanceledButHeld,
    ];
}

#[cfg(test)]
mod tests;
