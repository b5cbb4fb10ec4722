//! What may be charged for a reservation: each row of the contract's table, and random series of charges.

use super::*;
use proptest::prelude::*;

fn amount(minor: u64) -> Amount {
    Amount::from_minor(minor).unwrap()
}

const DAY: i64 = 86_400_000;

fn agreement(kind: ReservationType, collection: CollectionType) -> Agreement {
    Agreement {
        kind,
        collection,
        amount: amount(30_001),
        deposit: Some(amount(5_000)),
        nights: 3,
        parts: Vec::new(),
        stay: Stay {
            check_in_ms: 10 * DAY,
            check_out_ms: 13 * DAY,
            over_ms: 104 * DAY,
        },
        cancellation: Vec::new(),
        delayed_percent: 100,
        has_terms: false,
    }
}

fn paid() -> ReservationHistory {
    ReservationHistory {
        cancelled_ms: None,
        paid: Paid::Yes,
        is_accepted: true,
        has_card: true,
        charges: Vec::new(),
    }
}

fn charged(charge: Charge, minor: u64) -> Charged {
    Charged {
        charge,
        amount: amount(minor),
        part: None,
        counts: true,
    }
}

/// The table as contract 8.3.0 has it, one line for each type.
#[test]
fn the_table_is_the_contracts() {
    use CollectionType::{Delayed, Installment, Instant};
    let line = |kind, collection| {
        let allowed = Charge::ALL
            .into_iter()
            .filter(|charge| rule(kind, collection, *charge).is_some());
        let allowed: Vec<&str> = allowed.map(Charge::code).collect();
        format!("{:?}: {}", first(kind, collection), allowed.join(" "))
    };
    for kind in [
        ReservationType::PrepaidRefundable,
        ReservationType::PrepaidNotRefundable,
        ReservationType::Bundle,
    ] {
        assert_eq!(line(kind, Instant), "Sale: DELAYED PART");
        assert_eq!(line(kind, Delayed), "Hold: INCREMENTAL DELAYED PART");
        assert_eq!(line(kind, Installment), "Installment: DELAYED PART");
    }
    for collection in CollectionType::ALL {
        let no_show = line(ReservationType::GuaranteedNoShow, collection);
        assert_eq!(no_show, "Verification: NO_SHOW DELAYED");
        let penalty = line(ReservationType::GuaranteedPenalty, collection);
        assert_eq!(penalty, "Verification: NO_SHOW DELAYED PENALTY");
    }
}

#[test]
fn a_no_show_costs_a_night_once_from_the_check_in_on() {
    let agreed = agreement(ReservationType::GuaranteedNoShow, CollectionType::Instant);
    let permitted_amount = |history: &ReservationHistory, minor, now_ms| {
        agreed.permitted_amount(history, Charge::NoShow, Some(amount(minor)), now_ms)
    };
    // 30001 / 3, rounded up.
    let night = amount(10_001);
    assert_eq!(permitted_amount(&paid(), 10_001, 10 * DAY), Ok(night));
    assert_eq!(
        permitted_amount(&paid(), 10_002, 10 * DAY),
        Err(ReservationChargeError::AboveLimit(night))
    );
    assert_eq!(
        permitted_amount(&paid(), 1, 10 * DAY - 1),
        Err(ReservationChargeError::TooEarly)
    );
    assert_eq!(permitted_amount(&paid(), 1, 104 * DAY - 1), Ok(night));
    assert_eq!(
        permitted_amount(&paid(), 1, 104 * DAY),
        Err(ReservationChargeError::TooLate)
    );
    let mut history = paid();
    history.charges.push(charged(Charge::NoShow, 1));
    assert_eq!(
        permitted_amount(&history, 1, 11 * DAY),
        Err(ReservationChargeError::Used)
    );
    // A refused charge does not count.
    history.charges[0].counts = false;
    assert_eq!(permitted_amount(&history, 1, 11 * DAY), Ok(night));
}

#[test]
fn a_penalty_is_owed_by_who_cancels_later_than_agreed() {
    let mut agreed = agreement(ReservationType::GuaranteedPenalty, CollectionType::Instant);
    let penalty = |agreed: &Agreement, cancelled_ms| {
        let history = ReservationHistory {
            cancelled_ms: Some(cancelled_ms),
            ..paid()
        };
        agreed.permitted_amount(&history, Charge::Penalty, None, cancelled_ms)
    };
    assert_eq!(penalty(&agreed, 0), Ok(amount(5_000)));
    let step = |day: i64, owed| Step {
        from_ms: day * DAY,
        owed: amount(owed),
    };
    agreed.cancellation = vec![step(3, 1_000), step(8, 9_000)];
    assert_eq!(
        penalty(&agreed, 3 * DAY - 1),
        Err(ReservationChargeError::Nothing)
    );
    assert_eq!(penalty(&agreed, 3 * DAY), Ok(amount(1_000)));
    // It is never more than the agreed penalty.
    assert_eq!(penalty(&agreed, 8 * DAY), Ok(amount(5_000)));
    agreed.deposit = None;
    assert_eq!(penalty(&agreed, 8 * DAY), Ok(amount(9_000)));
    // It is not charged before the cancellation, and not after a no-show.
    assert_eq!(
        agreed.permitted_amount(&paid(), Charge::Penalty, None, 9 * DAY),
        Err(ReservationChargeError::TooEarly)
    );
    let mut history = paid();
    history.charges.push(charged(Charge::NoShow, 1));
    history.cancelled_ms = Some(11 * DAY);
    assert_eq!(
        agreed.permitted_amount(&history, Charge::Penalty, None, 11 * DAY),
        Err(ReservationChargeError::Used)
    );
}

#[test]
fn delayed_charges_come_to_the_amount_at_most() {
    let agreed = agreement(ReservationType::Bundle, CollectionType::Instant);
    let mut history = paid();
    let permitted_amount = |history: &ReservationHistory, minor| {
        agreed.permitted_amount(history, Charge::Delayed, Some(amount(minor)), 13 * DAY)
    };
    assert_eq!(permitted_amount(&history, 30_001), Ok(amount(30_001)));
    history.charges.push(charged(Charge::Delayed, 30_000));
    assert_eq!(permitted_amount(&history, 1), Ok(amount(1)));
    assert_eq!(
        permitted_amount(&history, 2),
        Err(ReservationChargeError::AboveLimit(amount(1)))
    );
    history.charges.push(charged(Charge::Delayed, 1));
    assert_eq!(
        permitted_amount(&history, 1),
        Err(ReservationChargeError::Nothing)
    );
    let early = agreed.permitted_amount(&paid(), Charge::Delayed, None, 13 * DAY - 1);
    assert_eq!(early, Err(ReservationChargeError::TooEarly));
}

#[test]
fn what_the_gateway_charges_by_itself_is_not_the_merchants_to_charge() {
    let mut agreed = agreement(
        ReservationType::PrepaidRefundable,
        CollectionType::Installment,
    );
    let part = |minor, by, day: i64| Part {
        amount: amount(minor),
        by,
        due_ms: day * DAY,
    };
    agreed.parts = vec![
        part(10_000, ChargeInitiator::Gateway, 0),
        part(8_000, ChargeInitiator::Gateway, 5),
        part(7_000, ChargeInitiator::Merchant, 6),
    ];
    let mut history = paid();
    let due =
        |history: &ReservationHistory| agreed.permitted_amount(history, Charge::Part, None, 0);
    // 30001 minus the first part and the part that is still to come.
    assert_eq!(due(&history), Ok(amount(12_001)));
    assert_eq!(agreed.due_part(&history, 5 * DAY - 1), None);
    assert_eq!(agreed.due_part(&history, 5 * DAY), Some((1, amount(8_000))));
    // It was tried and refused, so the merchant may charge it.
    history.charges.push(Charged {
        charge: Charge::Part,
        amount: amount(8_000),
        part: Some(1),
        counts: false,
    });
    assert_eq!(agreed.due_part(&history, 5 * DAY), None);
    assert_eq!(due(&history), Ok(amount(20_001)));
}

#[test]
fn what_stands_in_the_way_is_told() {
    let mut agreed = agreement(ReservationType::GuaranteedNoShow, CollectionType::Instant);
    let permitted_amount = |agreed: &Agreement, change: fn(&mut ReservationHistory)| {
        let mut history = paid();
        change(&mut history);
        agreed.permitted_amount(&history, Charge::NoShow, Some(amount(1)), 11 * DAY)
    };
    assert_eq!(
        permitted_amount(&agreed, |history| history.cancelled_ms = Some(1)),
        Err(ReservationChargeError::Cancelled)
    );
    assert_eq!(
        permitted_amount(&agreed, |history| history.paid = Paid::Running),
        Err(ReservationChargeError::Running)
    );
    assert_eq!(
        permitted_amount(&agreed, |history| history.paid = Paid::Undone),
        Err(ReservationChargeError::Undone)
    );
    assert_eq!(
        permitted_amount(&agreed, |history| history.paid = Paid::No),
        Err(ReservationChargeError::NoCard)
    );
    assert_eq!(
        permitted_amount(&agreed, |history| history.has_card = false),
        Err(ReservationChargeError::NoCard)
    );
    assert!(permitted_amount(&agreed, |history| history.is_accepted = false).is_ok());
    agreed.has_terms = true;
    assert_eq!(
        permitted_amount(&agreed, |history| history.is_accepted = false),
        Err(ReservationChargeError::NotAccepted)
    );
    let other = agreed.permitted_amount(&paid(), Charge::Part, None, 0);
    assert_eq!(other, Err(ReservationChargeError::OtherType));
}

fn any_agreement() -> impl Strategy<Value = Agreement> {
    let part = (1u64..4_000, any::<bool>(), 0i64..20);
    (
        prop::sample::select(ReservationType::ALL.to_vec()),
        prop::sample::select(CollectionType::ALL.to_vec()),
        1u64..40_000,
        prop::option::of(1u64..40_000),
        1u32..9,
        prop::collection::vec(part, 2..6),
        prop::collection::vec((0i64..12, 0u64..50_000), 0..4),
    )
        .prop_map(
            |(kind, collection, whole, deposit, nights, parts, mut steps)| {
                steps.sort_unstable();
                let sum: u64 = parts.iter().map(|(minor, _, _)| *minor).sum();
                let is_split = collection == CollectionType::Installment;
                Agreement {
                    // The parts of an agreement always fit together: other requests are refused when they are read.
                    amount: amount(if is_split { whole + sum } else { whole }),
                    deposit: deposit.map(|deposit| amount(deposit.min(whole))),
                    nights,
                    parts: parts
                        .into_iter()
                        .filter(|_| is_split)
                        .map(|(minor, is_gateway, day)| Part {
                            amount: amount(minor),
                            by: if is_gateway {
                                ChargeInitiator::Gateway
                            } else {
                                ChargeInitiator::Merchant
                            },
                            due_ms: day * DAY,
                        })
                        .collect(),
                    cancellation: steps
                        .into_iter()
                        .map(|(day, owed)| Step {
                            from_ms: day * DAY,
                            owed: amount(owed),
                        })
                        .collect(),
                    ..agreement(kind, collection)
                }
            },
        )
}

proptest! {
    /// For any series of charges and outcomes: the sums stay within the agreement, nothing is charged
    /// outside of its time window, and a cancelled reservation is charged only its penalty.
    #[test]
    fn no_series_of_charges_goes_beyond_the_agreement(
        agreed in any_agreement(),
        tries in prop::collection::vec((prop::sample::select(Charge::ALL.to_vec()), 1u64..45_000, any::<bool>(), 0i64..12), 1..40),
        cancelled_at in prop::option::of(0usize..40),
        has_card in any::<bool>(),
    ) {
        let mut history = ReservationHistory { has_card, ..paid() };
        let mut now_ms = 0;
        for (number, (charge, minor, is_good, days)) in tries.into_iter().enumerate() {
            now_ms += days * DAY;
            if cancelled_at == Some(number) {
                history.cancelled_ms = Some(now_ms);
            }
            while let Some((place, part)) = agreed.due_part(&history, now_ms) {
                prop_assert!(history.cancelled_ms.is_none() && has_card);
                history.charges.push(Charged { charge: Charge::Part, amount: part, part: Some(place), counts: is_good });
            }
            let wanted = amount(minor);
            match agreed.permitted_amount(&history, charge, Some(wanted), now_ms) {
                Ok(limit) => {
                    prop_assert!(wanted <= limit);
                    prop_assert!(history.cancelled_ms.is_none() || charge == Charge::Penalty);
                    prop_assert!(has_card || charge == Charge::Incremental);
                    prop_assert!(charge != Charge::NoShow || now_ms >= agreed.stay.check_in_ms);
                    prop_assert!(charge != Charge::Delayed || now_ms >= agreed.stay.check_out_ms);
                    // A validation answers an amount that a charge would accept.
                    prop_assert_eq!(agreed.permitted_amount(&history, charge, Some(limit), now_ms), Ok(limit));
                    // Increments belong to the held amount, which has a limit of its own.
                    if charge != Charge::Incremental {
                        history.charges.push(Charged { charge, amount: wanted, part: None, counts: is_good });
                    }
                }
                Err(ReservationChargeError::AboveLimit(limit)) => prop_assert!(wanted > limit && !limit.is_zero()),
                Err(_) => {}
            }
        }
        let sum = |charge: Charge| history.charges.iter()
            .filter(|charged| charged.counts && charged.charge == charge)
            .map(|charged| charged.amount.minor())
            .sum::<u64>();
        let once = history.charges.iter()
            .filter(|charged| charged.counts && matches!(charged.charge, Charge::NoShow | Charge::Penalty))
            .count();
        prop_assert!(once <= 1);
        prop_assert!(sum(Charge::Delayed) <= agreed.amount.minor());
        prop_assert!(sum(Charge::Penalty) <= agreed.penalty().minor());
        prop_assert!(sum(Charge::NoShow) <= agreed.one_night().minor().max(agreed.penalty().minor()));
        let parts = sum(Charge::Part);
        prop_assert!(parts == 0 || agreed.first_amount().minor() + parts <= agreed.amount.minor());
        prop_assert!(parts == 0 || !agreed.kind.is_guaranteed());
        for place in 1..agreed.parts.len() {
            let tried = history.charges.iter().filter(|charged| charged.part == Some(place)).count();
            prop_assert!(tried <= 1, "part {} was tried {} times", place, tried);
        }
    }

    /// A later cancellation never costs less, if the amounts of the terms rise. Nobody owes more than the penalty.
    #[test]
    fn nobody_owes_more_than_the_penalty(agreed in any_agreement(), at in 0i64..20) {
        let owed = agreed.owed(at * DAY);
        prop_assert!(owed <= agreed.penalty());
        let named = agreed.cancellation.iter().map(|step| step.owed.min(agreed.penalty()));
        prop_assert!(owed.is_zero() || agreed.cancellation.is_empty() || named.clone().any(|step| step == owed));
    }

    /// The price of one night times the nights is never less than the amount, and exceeds it by at most one unit for each night.
    #[test]
    fn a_night_is_rounded_up(whole in 1u64..1_000_000, nights in 1u32..400) {
        let mut agreed = agreement(ReservationType::GuaranteedNoShow, CollectionType::Instant);
        (agreed.amount, agreed.nights) = (amount(whole), nights);
        let all = agreed.one_night().minor() * u64::from(nights);
        prop_assert!(all >= whole && all < whole + u64::from(nights));
    }
}
