//! Reservations (contract 2.12).

/// What was agreed about paying a reservation (`reservationType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReservationType {
    /// `PREPAID_REFUNDABLE`: paid ahead, refundable.
    PrepaidRefundable,
    /// `PREPAID_NOT_REFUNDABLE`: paid ahead, not refundable.
    PrepaidNotRefundable,
    /// `GUARANTEED_NOSHOW`: the card is checked; a night may be charged to who does not come.
    GuaranteedNoShow,
    /// `GUARANTEED_PENALTY`: the card is checked; who cancels late owes a fixed penalty.
    GuaranteedPenalty,
    /// `BUNDLE`: a package, paid ahead.
    Bundle,
}

impl ReservationType {
    /// The code on the wire.
    pub(crate) fn code(self) -> &'static str {
        match self {
            ReservationType::PrepaidRefundable => "PREPAID_REFUNDABLE",
            ReservationType::PrepaidNotRefundable => "PREPAID_NOT_REFUNDABLE",
            ReservationType::GuaranteedNoShow => "GUARANTEED_NOSHOW",
            ReservationType::GuaranteedPenalty => "GUARANTEED_PENALTY",
            ReservationType::Bundle => "BUNDLE",
        }
    }

    /// The type of a code on the wire.
    pub(crate) fn from_code(code: &str) -> Option<ReservationType> {
        ReservationType::ALL
            .into_iter()
            .find(|kind| kind.code() == code)
    }

    /// Every type, in the order of the contract.
    pub(crate) const ALL: [ReservationType; 5] = [
        ReservationType::PrepaidRefundable,
        ReservationType::PrepaidNotRefundable,
        ReservationType::GuaranteedNoShow,
        ReservationType::GuaranteedPenalty,
        ReservationType::Bundle,
    ];

    /// Every code, in the order of the contract.
    pub(crate) const CODES: [&'static str; 5] = [
        "PREPAID_REFUNDABLE",
        "PREPAID_NOT_REFUNDABLE",
        "GUARANTEED_NOSHOW",
        "GUARANTEED_PENALTY",
        "BUNDLE",
    ];
}
