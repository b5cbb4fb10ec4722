//! Contracts: cards that a merchant stores for later payments, and which later payments each allows (contract 2.5).
//!
//! An approved payment makes a contract, and later payments use it: by the buyer in one click ([`Kind::WithBuyer`])
//! or by the merchant alone. This module decides what the merchant alone may charge, from the contract's rules and its charges so far.
//! It does not know the card.

use payframe_card_rules::expiry::Date;

/// What a contract was agreed for (`contractType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `CIT`: the buyer pays again without entering the card.
    WithBuyer,
    /// `MIT_UNSCHEDULED`: the merchant charges when there is a reason.
    Unscheduled,
    /// `MIT_SCHEDULED`: the merchant charges at agreed intervals.
    Scheduled,
}

/// The terms of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The purpose.
    pub kind: Kind,
    /// The last day on which the merchant may charge. Only with [`Kind::Scheduled`].
    pub last_day: Option<Date>,
    /// The smallest number of days between two charges. Only with [`Kind::Scheduled`].
    pub gap_days: Option<u16>,
}

/// What a payment does with a contract when it is approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractIntent {
    /// Makes the contract, with the payment's card.
    Create {
        /// Its id, the merchant's own.
        contract_id: String,
        /// Its terms.
        rules: Rules,
    },
    /// Replaces its card with the payment's card.
    Substitute {
        /// Its id.
        contract_id: String,
    },
}

/// What a request asks for (`recurrence`). If a kind is sent, it must be that of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recurrence {
    /// `CONTRACT_CREATION`
    Create {
        /// The id of the new contract.
        contract_id: String,
        /// Its terms.
        rules: Rules,
    },
    /// `SUBSEQUENT_PAYMENT`
    Pay {
        /// The contract whose card pays.
        contract_id: String,
        /// The kind in the request, if it was sent.
        kind: Option<Kind>,
    },
    /// `CARD_SUBSTITUTION`
    Substitute {
        /// The contract that gets another card.
        contract_id: String,
        /// The kind in the request, if it was sent.
        kind: Option<Kind>,
    },
}

/// The charges of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charges {
    /// The day of the latest approved charge; `None` if there is none.
    pub latest: Option<Date>,
    /// Whether a charge has no outcome yet.
    pub is_one_running: bool,
}

/// Why the merchant may not charge a contract now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContractChargeError {
    /// The contract is for payments with the buyer.
    #[error("it was agreed for payments with the buyer")]
    NeedsBuyer,
    /// Its last day has passed.
    #[error("its last day has passed")]
    Expired,
    /// The agreed number of days since the latest charge has not passed.
    #[error("the agreed days since the latest charge have not passed")]
    TooSoon,
    /// Whether it has passed depends on a charge that has no outcome yet.
    #[error("a charge has no outcome yet")]
    ChargeRunning,
}

impl Kind {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Kind::WithBuyer => "CIT",
            Kind::Unscheduled => "MIT_UNSCHEDULED",
            Kind::Scheduled => "MIT_SCHEDULED",
        }
    }

    /// The kind of a code on the wire.
    pub fn from_code(code: &str) -> Option<Kind> {
        [Kind::WithBuyer, Kind::Unscheduled, Kind::Scheduled]
            .into_iter()
            .find(|kind| kind.code() == code)
    }

    /// Every code, in the order of the contract.
    pub const CODES: [&'static str; 3] = ["MIT_UNSCHEDULED", "MIT_SCHEDULED", "CIT"];
}

impl Rules {
    /// Whether the merchant may charge without the buyer on `today`.
    pub fn permit_charge(&self, charges: Charges, today: Date) -> Result<(), ContractChargeError> {
        match self.kind {
            Kind::WithBuyer => return Err(ContractChargeError::NeedsBuyer),
            Kind::Unscheduled => return Ok(()),
            Kind::Scheduled => {}
        }
        if self.last_day.is_some_and(|last| today > last) {
            return Err(ContractChargeError::Expired);
        }
        let Some(gap_days) = self.gap_days else {
            return Ok(());
        };
        let is_due = charges
            .latest
            .is_none_or(|latest| days_between(latest, today) >= i64::from(gap_days));
        match (is_due, charges.is_one_running) {
            (false, _) => Err(ContractChargeError::TooSoon),
            (true, true) => Err(ContractChargeError::ChargeRunning),
            (true, false) => Ok(()),
        }
    }
}

impl Recurrence {
    /// What to do when the payment is approved; `None` if the card is only used.
    pub fn requested_contract(&self) -> Option<ContractIntent> {
        match self {
            Recurrence::Create { contract_id, rules } => Some(ContractIntent::Create {
                contract_id: contract_id.clone(),
                rules: *rules,
            }),
            Recurrence::Substitute { contract_id, .. } => Some(ContractIntent::Substitute {
                contract_id: contract_id.clone(),
            }),
            Recurrence::Pay { .. } => None,
        }
    }
}

/// The id of the contract that a reservation's first payment makes. No merchant can name it: it has a character that
/// ids cannot contain.
pub fn hidden_id(reservation_id: &str) -> String {
    format!("{HIDDEN}{reservation_id}")
}

/// Whether a contract is a reservation's: only charges of that reservation can use it.
pub fn is_hidden(contract_id: &str) -> bool {
    contract_id.starts_with(HIDDEN)
}

const HIDDEN: &str = "reservation/";

/// Whether a text can be a contract's id: 1 to 255 characters of the order id's alphabet (contract 2.5).
pub fn is_contract_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"#*+-.:;=?[]_{|}".contains(&byte);
    (1..=255).contains(&text.len()) && text.bytes().all(allowed)
}

/// Calendar days from `earlier` to `later`; negative the other way round.
fn days_between(earlier: Date, later: Date) -> i64 {
    day_number(later) - day_number(earlier)
}

/// Days since 0000-03-01 of the Gregorian calendar: years begin in March, so that a leap day is a year's last.
fn day_number(date: Date) -> i64 {
    let (year, month) = (i64::from(date.year), i64::from(date.month));
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + i64::from(date.day) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day(text: &str) -> Date {
        Date::parse(text).unwrap()
    }

    fn scheduled(last_day: Option<&str>, gap_days: Option<u16>) -> Rules {
        Rules {
            kind: Kind::Scheduled,
            last_day: last_day.map(day),
            gap_days,
        }
    }

    const NONE: Charges = Charges {
        latest: None,
        is_one_running: false,
    };

    #[test]
    fn a_charge_is_judged_as_the_contract_says() {
        let check = |rules: Rules, latest: Option<&str>, running, today, expected| {
            let charges = Charges {
                latest: latest.map(day),
                is_one_running: running,
            };
            let judged = rules.permit_charge(charges, day(today));
            assert_eq!(judged, expected, "{rules:?} {charges:?} on {today}");
        };
        let of = |kind| Rules {
            kind,
            last_day: None,
            gap_days: None,
        };
        let (today, ok) = ("2026-11-20", Ok(()));
        check(
            of(Kind::WithBuyer),
            None,
            false,
            today,
            Err(ContractChargeError::NeedsBuyer),
        );
        check(of(Kind::Unscheduled), Some(today), true, today, ok);
        check(of(Kind::Scheduled), Some(today), true, today, ok);
        let until = scheduled(Some("2026-11-20"), None);
        check(until, None, false, "2026-11-20", ok);
        check(
            until,
            None,
            false,
            "2026-11-21",
            Err(ContractChargeError::Expired),
        );
        let monthly = scheduled(None, Some(30));
        check(monthly, None, false, today, ok);
        check(monthly, Some("2026-10-21"), false, today, ok);
        check(
            monthly,
            Some("2026-10-22"),
            false,
            today,
            Err(ContractChargeError::TooSoon),
        );
        check(
            monthly,
            Some("2026-10-22"),
            true,
            today,
            Err(ContractChargeError::TooSoon),
        );
        check(
            monthly,
            Some("2026-10-21"),
            true,
            today,
            Err(ContractChargeError::ChargeRunning),
        );
        check(
            monthly,
            None,
            true,
            today,
            Err(ContractChargeError::ChargeRunning),
        );
        // The periods include a leap day, and the end of a year.
        check(
            scheduled(None, Some(2)),
            Some("2028-02-28"),
            false,
            "2028-03-01",
            ok,
        );
        check(
            scheduled(None, Some(2)),
            Some("2027-02-28"),
            false,
            "2027-03-01",
            Err(ContractChargeError::TooSoon),
        );
        check(
            scheduled(None, Some(1)),
            Some("2026-12-31"),
            false,
            "2027-01-01",
            ok,
        );
    }

    #[test]
    fn nobody_can_name_a_reservations_contract() {
        let hidden = hidden_id("R1");
        assert!(is_hidden(&hidden) && !is_contract_id(&hidden));
        assert!(!is_hidden("R1") && is_contract_id("R1"));
    }

    #[test]
    fn ids_are_of_the_documented_alphabet() {
        for (text, expected) in [
            ("A1", true),
            ("#*+-.:;=?[]_{|}", true),
            ("", false),
            ("a b", false),
            ("a/b", false),
            ("é", false),
        ] {
            assert_eq!(is_contract_id(text), expected, "{text}");
        }
        assert!(is_contract_id(&"a".repeat(255)));
        assert!(!is_contract_id(&"a".repeat(256)));
    }

    fn any_day() -> impl Strategy<Value = Date> {
        (2000u16..2100, 1u8..=12, 1u8..=28).prop_map(|(year, month, day)| Date { year, month, day })
    }

    fn next(date: Date) -> Date {
        let later = Date {
            day: date.day + 1,
            ..date
        };
        let text = format!("{:04}-{:02}-{:02}", later.year, later.month, later.day);
        Date::parse(&text).unwrap_or(if date.month < 12 {
            Date {
                month: date.month + 1,
                day: 1,
                ..date
            }
        } else {
            Date {
                year: date.year + 1,
                month: 1,
                day: 1,
            }
        })
    }

    proptest! {
        /// A merchant tries to charge every day. No two charges are closer than agreed, none is after the last day, and the
        /// merchant never has to wait for longer than agreed.
        #[test]
        fn charges_keep_their_distance_and_their_last_day(
            start in any_day(),
            gap_days in 1u16..40,
            length in 1usize..120,
            tries in proptest::collection::vec(any::<bool>(), 160),
        ) {
            let mut days = vec![start];
            while days.len() < tries.len() {
                days.push(next(*days.last().unwrap()));
            }
            let rules = Rules { kind: Kind::Scheduled, last_day: Some(days[length]), gap_days: Some(gap_days) };
            let mut charged: Vec<usize> = Vec::new();
            for (place, tried) in tries.iter().enumerate() {
                let charges = Charges { latest: charged.last().map(|latest| days[*latest]), is_one_running: false };
                let judged = rules.permit_charge(charges, days[place]);
                let due = charged.last().is_none_or(|latest| place - latest >= usize::from(gap_days));
                prop_assert_eq!(judged.is_ok(), due && place <= length);
                if *tried && judged.is_ok() {
                    charged.push(place);
                }
            }
            for pair in charged.windows(2) {
                prop_assert!(pair[1] - pair[0] >= usize::from(gap_days));
            }
        }

        #[test]
        fn only_the_merchants_own_contracts_are_charged_alone(
            today in any_day(), latest in proptest::option::of(any_day()), running in any::<bool>(),
        ) {
            let charges = Charges { latest, is_one_running: running };
            let rules = |kind| Rules { kind, last_day: None, gap_days: None };
            prop_assert_eq!(rules(Kind::WithBuyer).permit_charge(charges, today), Err(ContractChargeError::NeedsBuyer));
            prop_assert_eq!(rules(Kind::Unscheduled).permit_charge(charges, today), Ok(()));
            prop_assert_eq!(rules(Kind::Scheduled).permit_charge(charges, today), Ok(()));
        }

        #[test]
        fn days_are_counted_one_by_one(day in any_day()) {
            prop_assert_eq!(days_between(day, next(day)), 1);
            prop_assert_eq!(days_between(day, day), 0);
        }
    }

    #[test]
    fn a_contract_without_charges_is_due() {
        assert_eq!(
            scheduled(None, Some(9999)).permit_charge(NONE, day("2026-11-20")),
            Ok(())
        );
    }
}
