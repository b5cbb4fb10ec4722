//! What may be charged for a reservation: at first, later, how much, when, and after what (contract 8.3.0).
//!
//! [`first`] and [`rule`] are the table: they give the rule for a type, a collection and a charge. How a rule decides about
//! a charge is in [`super::agreement`].

use super::{CollectionType, ReservationType};
use crate::operation::{OperationResult, OperationType};
use payframe_money::Amount;

/// The first payment of a reservation, which its link makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstPayment {
    /// Checks the card; nothing is charged.
    Verification,
    /// Charges the deposit, or the whole amount if there is none.
    Sale,
    /// Holds the same amount for 28 days.
    Hold,
    /// Charges the first installment.
    Installment,
}

/// A charge after the first payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// More money is held.
    Incremental,
    /// The guest did not come.
    NoShow,
    /// An amount is charged after the stay.
    Delayed,
    /// An installment, or the rest of the amount.
    Part,
    /// The reservation was cancelled too late.
    Penalty,
}

/// When a charge is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// While the reservation is active.
    WhileActive,
    /// From the check-in time until 90 days after the check-out date.
    FromCheckIn,
    /// From the check-out date until 90 days later.
    FromCheckOut,
    /// Once the reservation is cancelled.
    AfterCancellation,
}

/// The maximum sum of all charges of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChargeLimit {
    /// The first held amount, once more.
    Held,
    /// One night.
    Night,
    /// The penalty.
    Penalty,
    /// The reservation's amount.
    Whole,
    /// What is still due of the amount.
    Due,
}

/// How often a charge is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChargeFrequency {
    /// Once for the reservation: either a penalty or a no-show.
    Once,
    /// Until the limit is reached.
    Several,
}

/// A cell of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// When.
    pub window: Window,
    /// How much.
    pub ceiling: ChargeLimit,
    /// How often.
    pub times: ChargeFrequency,
}

/// What the link of a reservation does.
pub fn first(kind: ReservationType, collection: CollectionType) -> FirstPayment {
    match (kind.is_guaranteed(), collection) {
        (true, _) => FirstPayment::Verification,
        (false, CollectionType::Instant) => FirstPayment::Sale,
        (false, CollectionType::Delayed) => FirstPayment::Hold,
        (false, CollectionType::Installment) => FirstPayment::Installment,
    }
}

/// The table: the rule for a charge; `None` if the reservation has no such charge.
pub fn rule(kind: ReservationType, collection: CollectionType, charge: Charge) -> Option<Rule> {
    use ChargeFrequency::{Once, Several};
    use ReservationType::{GuaranteedNoShow, GuaranteedPenalty};
    let rule = |window, ceiling, times| {
        Some(Rule {
            window,
            ceiling,
            times,
        })
    };
    match (charge, kind) {
        (Charge::NoShow, GuaranteedNoShow) => rule(Window::FromCheckIn, ChargeLimit::Night, Once),
        (Charge::NoShow, GuaranteedPenalty) => {
            rule(Window::FromCheckIn, ChargeLimit::Penalty, Once)
        }
        (Charge::Penalty, GuaranteedPenalty) => {
            rule(Window::AfterCancellation, ChargeLimit::Penalty, Once)
        }
        (Charge::NoShow | Charge::Penalty, _) => None,
        (Charge::Delayed, _) => rule(Window::FromCheckOut, ChargeLimit::Whole, Several),
        (Charge::Part | Charge::Incremental, GuaranteedNoShow | GuaranteedPenalty) => None,
        (Charge::Part, _) => rule(Window::WhileActive, ChargeLimit::Due, Several),
        (Charge::Incremental, _) if collection == CollectionType::Delayed => {
            rule(Window::WhileActive, ChargeLimit::Held, Several)
        }
        (Charge::Incremental, _) => None,
    }
}

/// Why a charge is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub enum ReservationChargeError {
    /// `GW9003`: the reservation is cancelled.
    Cancelled,
    /// `GW9003`: its type has no such charge.
    OtherType,
    /// `GW9003`: the operation that is named as the original cannot be followed by a charge.
    Original,
    /// `GW9003`: nothing is held yet that could be increased.
    NotPaid,
    /// `GW9003`: the first payment has no outcome yet.
    Running,
    /// `GW9003`: the first payment was completely reversed.
    Undone,
    /// `GW9003`: the buyer has not accepted the terms.
    NotAccepted,
    /// `GW9003`: not yet.
    TooEarly,
    /// `GW9003`: not any more.
    TooLate,
    /// `GW9003`: it is already charged.
    Used,
    /// `PS0026`: nothing is left to charge.
    Nothing,
    /// `PS0026`: more than this.
    AboveLimit(Amount),
    /// `PS0043`: no card was stored.
    NoCard,
}

impl Charge {
    /// The code that it is stored by.
    pub fn code(self) -> &'static str {
        match self {
            Charge::Incremental => "INCREMENTAL",
            Charge::NoShow => "NO_SHOW",
            Charge::Delayed => "DELAYED",
            Charge::Part => "PART",
            Charge::Penalty => "PENALTY",
        }
    }

    /// The charge of a stored code.
    pub fn from_code(code: &str) -> Option<Charge> {
        Charge::ALL.into_iter().find(|charge| charge.code() == code)
    }

    /// The type of the operation that records it.
    pub fn operation_type(self) -> OperationType {
        match self {
            Charge::Incremental => OperationType::Incremental,
            // A late cancellation is recorded like a no-show.
            Charge::NoShow | Charge::Penalty => OperationType::NoShow,
            Charge::Delayed => OperationType::DelayCharge,
            Charge::Part => OperationType::Authorization,
        }
    }

    /// Every charge.
    pub const ALL: [Charge; 5] = [
        Charge::Incremental,
        Charge::NoShow,
        Charge::Delayed,
        Charge::Part,
        Charge::Penalty,
    ];
}

/// Whether a no-show or a delayed charge can name an operation as its original (contract 8.2.0).
pub fn can_be_followed(kind: OperationType, result: OperationResult) -> bool {
    use OperationResult::{Authorized, Executed};
    use OperationType::{Authorization, CardVerification};
    matches!(
        (kind, result),
        (Authorization, Authorized | Executed) | (CardVerification, Executed)
    )
}

impl ReservationChargeError {
    /// Why, for the merchant.
    pub fn sentence(self) -> &'static str {
        match self {
            ReservationChargeError::Cancelled => {
                "the reservation is CANCELED, which allows no charge"
            }
            ReservationChargeError::Original => {
                "originalOperationId must name the payment of a reservation: AUTHORIZATION AUTHORIZED, AUTHORIZATION EXECUTED or CARD_VERIFICATION EXECUTED"
            }
            ReservationChargeError::OtherType => "the reservation's type has no such charge",
            ReservationChargeError::NotPaid => "the reservation is not paid yet",
            ReservationChargeError::Running => "the reservation's first payment has no outcome yet",
            ReservationChargeError::Undone => {
                "the reservation's first payment was voided or refunded"
            }
            ReservationChargeError::NotAccepted => {
                "the buyer has not accepted the reservation's terms"
            }
            ReservationChargeError::TooEarly => "it is too early for this charge",
            ReservationChargeError::TooLate => {
                "it is too late for this charge: it ends 90 days after checkOutDate"
            }
            ReservationChargeError::Used => {
                "the reservation was charged for a no-show or a penalty already"
            }
            ReservationChargeError::Nothing => {
                "amount is above what may be charged: nothing is left"
            }
            ReservationChargeError::AboveLimit(_) => "amount is above what may be charged",
            ReservationChargeError::NoCard => "no card was kept for the reservation",
        }
    }
}
