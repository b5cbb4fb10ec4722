//! Reservations (contract 2.12): what is agreed about paying a stay. What may be charged for one, and
//! when, is in [`charges`].

pub mod agreement;
pub mod charges;

/// What was agreed about paying a reservation (`reservationType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReservationType {
    /// `PREPAID_REFUNDABLE`: paid ahead, refundable.
    PrepaidRefundable,
    /// `PREPAID_NOT_REFUNDABLE`: paid ahead, not refundable.
    PrepaidNotRefundable,
    /// `GUARANTEED_NOSHOW`: the card is checked; a night may be charged if the guest does not come.
    GuaranteedNoShow,
    /// `GUARANTEED_PENALTY`: the card is checked; a guest who cancels late owes a fixed penalty.
    GuaranteedPenalty,
    /// `BUNDLE`: a package, paid ahead.
    Bundle,
}

/// How the amount is collected (`collectionType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionType {
    /// `INSTANT`: at once.
    Instant,
    /// `DELAYED`: held for 28 days.
    Delayed,
    /// `INSTALLMENT`: in installments.
    Installment,
}

/// The unit of the points in the terms of cancellation (`CancelationDetails.dataType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointUnit {
    /// `DATE`: the last day before the amount applies.
    Date,
    /// `HOUR_FROM_CHECKIN`: hours before the check-in.
    HoursBefore,
    /// `DAY_FROM_CHECKIN`: days before the check-in.
    DaysBefore,
}

impl ReservationType {
    /// Whether the first payment only verifies the card.
    pub fn is_guaranteed(self) -> bool {
        matches!(
            self,
            ReservationType::GuaranteedNoShow | ReservationType::GuaranteedPenalty
        )
    }

    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            ReservationType::PrepaidRefundable => "PREPAID_REFUNDABLE",
            ReservationType::PrepaidNotRefundable => "PREPAID_NOT_REFUNDABLE",
            ReservationType::GuaranteedNoShow => "GUARANTEED_NOSHOW",
            ReservationType::GuaranteedPenalty => "GUARANTEED_PENALTY",
            ReservationType::Bundle => "BUNDLE",
        }
    }

    /// The type of a code on the wire.
    pub fn from_code(code: &str) -> Option<ReservationType> {
        ReservationType::ALL
            .into_iter()
            .find(|kind| kind.code() == code)
    }

    /// Every type, in the order of the contract.
    pub const ALL: [ReservationType; 5] = [
        ReservationType::PrepaidRefundable,
        ReservationType::PrepaidNotRefundable,
        ReservationType::GuaranteedNoShow,
        ReservationType::GuaranteedPenalty,
        ReservationType::Bundle,
    ];

    /// Every code, in the order of the contract.
    pub const CODES: [&'static str; 5] = [
        "PREPAID_REFUNDABLE",
        "PREPAID_NOT_REFUNDABLE",
        "GUARANTEED_NOSHOW",
        "GUARANTEED_PENALTY",
        "BUNDLE",
    ];
}

impl CollectionType {
    /// The type of a code on the wire.
    pub fn from_code(code: &str) -> Option<CollectionType> {
        let place = CollectionType::CODES
            .iter()
            .position(|known| *known == code)?;
        CollectionType::ALL.get(place).copied()
    }

    /// Every type, in the order of the contract.
    pub const ALL: [CollectionType; 3] = [
        CollectionType::Instant,
        CollectionType::Delayed,
        CollectionType::Installment,
    ];

    /// Their codes, in the same order.
    pub const CODES: [&'static str; 3] = ["INSTANT", "DELAYED", "INSTALLMENT"];
}

impl PointUnit {
    /// The unit of a code on the wire.
    pub fn from_code(code: &str) -> Option<PointUnit> {
        match code {
            "DATE" => Some(PointUnit::Date),
            "HOUR_FROM_CHECKIN" => Some(PointUnit::HoursBefore),
            "DAY_FROM_CHECKIN" => Some(PointUnit::DaysBefore),
            _ => None,
        }
    }

    /// Every code, in the order of the contract.
    pub const CODES: [&'static str; 3] = ["DATE", "HOUR_FROM_CHECKIN", "DAY_FROM_CHECKIN"];
}
