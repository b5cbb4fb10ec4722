//! What was agreed about a reservation, and whether a charge is allowed by it.
//!
//! Every route asks [`Agreement::permitted_amount`], so a validation and the charge itself cannot differ. This module has no clock
//! and no calendar: the days of the stay are parameters, as instants.

use super::charges::{
    Charge, ChargeFrequency, ChargeLimit, FirstPayment, ReservationChargeError, Window, first, rule,
};
use super::{CollectionType, ReservationType};
use crate::operation::OperationResult;
use payframe_money::Amount;

/// What buyer and merchant have agreed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// What was agreed about paying it.
    pub kind: ReservationType,
    /// How the amount is collected.
    pub collection: CollectionType,
    /// The price of the stay.
    pub amount: Amount,
    /// The amount that is paid in advance, if it is not the whole price.
    pub deposit: Option<Amount>,
    /// At least 1.
    pub nights: u32,
    /// With [`CollectionType::Installment`]: the first one is paid through the link.
    pub parts: Vec<Part>,
    /// The instants of the stay.
    pub stay: Stay,
    /// What a guest who cancels owes, for each point in time; earliest first. If there are none, the penalty is owed at any time.
    pub cancellation: Vec<Step>,
    /// The maximum sum of delayed charges, in percent of the amount.
    pub delayed_percent: u64,
    /// Whether the buyer has to accept something before the card is used.
    pub has_terms: bool,
}

/// A part of the amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// How much.
    pub amount: Amount,
    /// Who charges it.
    pub by: ChargeInitiator,
    /// The first moment of its day. It has no meaning for the first part.
    pub due_ms: i64,
}

/// Who charges a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChargeInitiator {
    /// The gateway, on its day.
    Gateway,
    /// The merchant, by a call.
    Merchant,
}

/// The instants of a stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// When the guest may come.
    pub check_in_ms: i64,
    /// The first moment of the check-out date.
    pub check_out_ms: i64,
    /// The first moment at which nothing can be charged any more.
    pub over_ms: i64,
}

/// A point of the terms of cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The time from which the amount is owed.
    pub from_ms: i64,
    /// What is owed.
    pub owed: Amount,
}

/// What has happened to a reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservationHistory {
    /// When it was cancelled, if it was.
    pub cancelled_ms: Option<i64>,
    /// The result of the first payment.
    pub paid: Paid,
    /// Whether the buyer has accepted what had to be.
    pub is_accepted: bool,
    /// Whether the card was stored.
    pub has_card: bool,
    /// What was charged since.
    pub charges: Vec<Charged>,
}

/// The result of the first payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paid {
    /// There is none.
    No,
    /// It has no outcome yet.
    Running,
    /// It is approved.
    Yes,
    /// It was completely reversed.
    Undone,
}

/// A charge that was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charged {
    /// The kind of charge.
    pub charge: Charge,
    /// The amount.
    pub amount: Amount,
    /// The index of the part, if the gateway charged it.
    pub part: Option<usize>,
    /// Whether it is approved, or may still be approved.
    pub counts: bool,
}

impl Agreement {
    /// The maximum amount of a charge. With an amount: whether that amount is allowed.
    pub fn permitted_amount(
        &self,
        history: &ReservationHistory,
        charge: Charge,
        amount: Option<Amount>,
        now_ms: i64,
    ) -> Result<Amount, ReservationChargeError> {
        let Some(rule) = rule(self.kind, self.collection, charge) else {
            return Err(match history.cancelled_ms {
                Some(_) => ReservationChargeError::Cancelled,
                None => ReservationChargeError::OtherType,
            });
        };
        match (rule.window, history.cancelled_ms) {
            (Window::AfterCancellation, Some(_)) => {}
            (Window::AfterCancellation, None) => return Err(ReservationChargeError::TooEarly),
            (_, Some(_)) => return Err(ReservationChargeError::Cancelled),
            (_, None) => {}
        }
        match history.paid {
            Paid::Running => return Err(ReservationChargeError::Running),
            Paid::Undone => return Err(ReservationChargeError::Undone),
            // All other charges are refused because there is no card.
            Paid::No if charge == Charge::Incremental => {
                return Err(ReservationChargeError::NotPaid);
            }
            Paid::No | Paid::Yes => {}
        }
        if history.paid == Paid::Yes && self.has_terms && !history.is_accepted {
            return Err(ReservationChargeError::NotAccepted);
        }
        let (from_ms, until_ms) = match rule.window {
            Window::WhileActive | Window::AfterCancellation => (i64::MIN, i64::MAX),
            Window::FromCheckIn => (self.stay.check_in_ms, self.stay.over_ms),
            Window::FromCheckOut => (self.stay.check_out_ms, self.stay.over_ms),
        };
        if now_ms < from_ms {
            return Err(ReservationChargeError::TooEarly);
        }
        if now_ms >= until_ms {
            return Err(ReservationChargeError::TooLate);
        }
        let is_once = |charged: &&Charged| {
            charged.counts && matches!(charged.charge, Charge::NoShow | Charge::Penalty)
        };
        if rule.times == ChargeFrequency::Once
            && history.charges.iter().any(|charged| is_once(&charged))
        {
            return Err(ReservationChargeError::Used);
        }
        let limit = self.limit(history, charge, rule.ceiling, now_ms);
        if limit.is_zero() {
            return Err(ReservationChargeError::Nothing);
        }
        if amount.is_some_and(|amount| amount > limit) {
            return Err(ReservationChargeError::AboveLimit(limit));
        }
        if charge != Charge::Incremental && !(history.paid == Paid::Yes && history.has_card) {
            return Err(ReservationChargeError::NoCard);
        }
        Ok(limit)
    }

    /// The amount of the link.
    pub fn first_amount(&self) -> Amount {
        match first(self.kind, self.collection) {
            FirstPayment::Verification => self.amount,
            FirstPayment::Sale | FirstPayment::Hold => self.deposit.unwrap_or(self.amount),
            FirstPayment::Installment => self.parts.first().map_or(self.amount, |part| part.amount),
        }
    }

    /// One night, rounded up to the minor unit.
    pub fn one_night(&self) -> Amount {
        let nights = u64::from(self.nights.max(1));
        // Not more than the amount.
        Amount::from_minor(self.amount.minor().div_ceil(nights)).unwrap_or(self.amount)
    }

    /// The fixed penalty.
    pub fn penalty(&self) -> Amount {
        self.deposit.unwrap_or(self.amount)
    }

    /// What a guest owes who cancels at an instant: the amount of the last point that has passed, and never more than the penalty.
    pub fn owed(&self, cancelled_ms: i64) -> Amount {
        if self.cancellation.is_empty() {
            return self.penalty();
        }
        let passed = self
            .cancellation
            .iter()
            .rfind(|step| step.from_ms <= cancelled_ms);
        passed.map_or(Amount::ZERO, |step| step.owed.min(self.penalty()))
    }

    /// The part that the gateway has to charge now. A part is tried once: if it was refused, only the merchant can charge it.
    pub fn due_part(&self, history: &ReservationHistory, now_ms: i64) -> Option<(usize, Amount)> {
        let (place, part) = self
            .waiting(history)
            .find(|(_, part)| part.due_ms <= now_ms)?;
        let limit = self.judge_part(history, place, part.amount, now_ms).ok()?;
        Some((place, part.amount.min(limit)))
    }

    /// The parts that the gateway charges automatically, and the time of each. The first part is not among them: it is paid through the link.
    pub fn parts_by_gateway(&self) -> Vec<(usize, i64)> {
        let parts = self.parts.iter().enumerate().skip(1);
        parts
            .filter(|(_, part)| part.by == ChargeInitiator::Gateway)
            .map(|(place, part)| (place, part.due_ms))
            .collect()
    }

    /// Whether a part that the gateway charges may be charged. The amount that is reserved for it counts as due.
    fn judge_part(
        &self,
        history: &ReservationHistory,
        place: usize,
        amount: Amount,
        now_ms: i64,
    ) -> Result<Amount, ReservationChargeError> {
        let mut taken = history.clone();
        // For this decision, its amount is not reserved.
        taken.charges.push(Charged {
            charge: Charge::Part,
            amount,
            part: Some(place),
            counts: false,
        });
        self.permitted_amount(&taken, Charge::Part, Some(amount), now_ms)
    }

    /// The parts that the gateway has yet to try.
    fn waiting<'a>(
        &'a self,
        history: &'a ReservationHistory,
    ) -> impl Iterator<Item = (usize, &'a Part)> {
        let is_tried = |place| {
            history
                .charges
                .iter()
                .any(|charged| charged.part == Some(place))
        };
        self.parts
            .iter()
            .enumerate()
            .skip(1)
            .filter(move |(place, part)| part.by == ChargeInitiator::Gateway && !is_tried(*place))
    }

    fn limit(
        &self,
        history: &ReservationHistory,
        charge: Charge,
        ceiling: ChargeLimit,
        now_ms: i64,
    ) -> Amount {
        let charged = |kind: Charge| -> u64 {
            let of_kind = history
                .charges
                .iter()
                .filter(|charged| charged.counts && charged.charge == kind);
            of_kind.map(|charged| charged.amount.minor()).sum()
        };
        let left = |of: u64, taken: u64| {
            Amount::from_minor(of.saturating_sub(taken)).unwrap_or(Amount::MAX)
        };
        match ceiling {
            ChargeLimit::Held => self.first_amount(),
            ChargeLimit::Night => self.one_night(),
            ChargeLimit::Penalty => match (charge, history.cancelled_ms) {
                (Charge::Penalty, Some(cancelled_ms)) => self.owed(cancelled_ms.min(now_ms)),
                _ => self.penalty(),
            },
            ChargeLimit::Whole => {
                let whole = self.amount.minor() * self.delayed_percent / 100;
                left(whole, charged(Charge::Delayed))
            }
            ChargeLimit::Due => {
                let kept: u64 = self
                    .waiting(history)
                    .map(|(_, part)| part.amount.minor())
                    .sum();
                let first = match history.paid {
                    Paid::Yes => self.first_amount(),
                    Paid::No | Paid::Running | Paid::Undone => Amount::ZERO,
                };
                let taken = first.minor() + charged(Charge::Part) + kept;
                left(self.amount.minor(), taken)
            }
        }
    }
}

impl Paid {
    /// The effect of a result of the first payment. A refused payment has none.
    pub fn of(result: OperationResult) -> Paid {
        match result {
            OperationResult::Authorized | OperationResult::Executed => Paid::Yes,
            OperationResult::Pending | OperationResult::ThreeDsValidated => Paid::Running,
            OperationResult::Voided | OperationResult::Refunded => Paid::Undone,
            OperationResult::Declined
            | OperationResult::DeniedByRisk
            | OperationResult::ThreeDsFailed
            | OperationResult::Canceled
            | OperationResult::Failed => Paid::No,
        }
    }
}

#[cfg(test)]
mod tests;
