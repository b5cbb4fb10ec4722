//! Disputes: a buyer's bank asks about a captured payment, or takes its money back.
//!
//! [`Standing`] is where a dispute stands: its kind, its state and its deadline. [`next_state`] is the one table of what may happen to it,
//! and [`Standing::money`] says what it does to the money meanwhile. [`evidence_file`] has the rules for files that merchants send as
//! evidence. The time is a parameter, and nothing here knows who reports what happened.

pub mod evidence_file;

use thiserror::Error;

/// How far a dispute has come at the card network. Each kind is later than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DisputeKind {
    /// The bank asks for information about the payment. No money moves.
    Inquiry,
    /// The bank takes the money back.
    Chargeback,
    /// The bank insists after it read the evidence.
    PreArbitration,
    /// The network decides.
    Arbitration,
}

/// Why the buyer disputes, in plain words. The network's own code is a [`ReasonCode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeCategory {
    /// The card holder did not make the payment.
    Fraud,
    /// The goods did not arrive.
    NotReceived,
    /// The goods are not what was described.
    NotAsDescribed,
    /// It was charged more than once.
    Duplicate,
    /// A subscription was charged after it was ended.
    CanceledRecurring,
    /// A wrong sum, currency or account, or a late capture.
    ProcessingError,
    /// Something else.
    General,
}

/// The state of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeState {
    /// The merchant has to answer before the deadline.
    NeedsResponse,
    /// The evidence is with the bank.
    UnderReview,
    /// The merchant keeps the money.
    Won,
    /// The buyer keeps the money.
    Lost,
    /// The merchant agreed that the buyer keeps the money.
    Accepted,
    /// The deadline passed without an answer.
    Expired,
}

/// What happens to a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeEvent {
    /// The merchant submitted evidence.
    EvidenceSubmitted,
    /// The merchant accepted the dispute.
    Accepted,
    /// The deadline passed.
    DeadlinePassed,
    /// The bank decided for the merchant.
    Won,
    /// The bank decided for the buyer.
    Lost,
    /// The dispute came to a later stage, which has a deadline of its own.
    Advanced {
        /// The later kind.
        to: DisputeKind,
        /// The new deadline.
        deadline_ms: i64,
    },
}

/// What a dispute does to the money that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputedMoney {
    /// Nothing: the merchant has it and may refund it.
    Free,
    /// Nobody knows yet whose it is: it cannot be refunded.
    Held,
    /// The buyer has it.
    Taken,
}

/// Why an event is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DisputeError {
    /// The state does not allow it.
    #[error("the dispute is {}, which does not allow this", .0.code())]
    State(DisputeState),
    /// An inquiry takes no money, so there is nothing to accept.
    #[error("an inquiry takes no money: answer it, or refund the payment")]
    NothingToAccept,
    /// The new kind is not later than the present one.
    #[error("the dispute is at the stage {}, and comes to a later one only", .0.code())]
    NotLater(DisputeKind),
    /// A deadline is not after now.
    #[error("the deadline must be in the future")]
    DeadlinePassed,
}

/// Where a dispute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its kind.
    pub kind: DisputeKind,
    /// Its state, as it was written down: [`Standing::at`] also heeds the time.
    pub state: DisputeState,
    /// From this instant on the merchant cannot answer.
    pub deadline_ms: i64,
}

/// The table: the state behind an event. `None`: the event is refused.
pub fn next_state(state: DisputeState, event: DisputeEvent) -> Option<DisputeState> {
    use DisputeState::{Accepted, Expired, Lost, NeedsResponse, UnderReview, Won};
    match (state, event) {
        (NeedsResponse, DisputeEvent::EvidenceSubmitted) => Some(UnderReview),
        (NeedsResponse, DisputeEvent::Accepted) => Some(Accepted),
        (NeedsResponse, DisputeEvent::DeadlinePassed) => Some(Expired),
        (NeedsResponse | UnderReview | Lost | Expired, DisputeEvent::Won) => Some(Won),
        (NeedsResponse | UnderReview | Expired, DisputeEvent::Lost) => Some(Lost),
        (Accepted, _) => None,
        (_, DisputeEvent::Advanced { .. }) => Some(NeedsResponse),
        _ => None,
    }
}

impl Standing {
    /// A new dispute.
    pub fn opened(
        kind: DisputeKind,
        deadline_ms: i64,
        now_ms: i64,
    ) -> Result<Standing, DisputeError> {
        if deadline_ms <= now_ms {
            return Err(DisputeError::DeadlinePassed);
        }
        Ok(Standing {
            kind,
            state: DisputeState::NeedsResponse,
            deadline_ms,
        })
    }

    /// The standing at a time: a deadline may have passed that nobody has written down.
    pub fn at(self, now_ms: i64) -> Standing {
        let is_over = self.state == DisputeState::NeedsResponse && self.deadline_ms <= now_ms;
        Standing {
            state: if is_over {
                DisputeState::Expired
            } else {
                self.state
            },
            ..self
        }
    }

    /// The standing behind an event at `now_ms`.
    pub fn after(self, event: DisputeEvent, now_ms: i64) -> Result<Standing, DisputeError> {
        let now = match event {
            DisputeEvent::DeadlinePassed => self,
            _ => self.at(now_ms),
        };
        let state = next_state(now.state, event).ok_or(DisputeError::State(now.state))?;
        match event {
            DisputeEvent::Accepted if now.kind == DisputeKind::Inquiry => {
                Err(DisputeError::NothingToAccept)
            }
            DisputeEvent::Advanced { to, .. } if to <= now.kind => {
                Err(DisputeError::NotLater(now.kind))
            }
            DisputeEvent::Advanced { to, deadline_ms } => Standing::opened(to, deadline_ms, now_ms),
            _ => Ok(Standing { state, ..now }),
        }
    }

    /// What it does to the money.
    pub fn money(self) -> DisputedMoney {
        match (self.kind, self.state) {
            (DisputeKind::Inquiry, _) | (_, DisputeState::Won) => DisputedMoney::Free,
            (_, DisputeState::NeedsResponse | DisputeState::UnderReview) => DisputedMoney::Held,
            (_, DisputeState::Lost | DisputeState::Accepted | DisputeState::Expired) => {
                DisputedMoney::Taken
            }
        }
    }

    /// Whether the merchant can submit evidence and change its files.
    pub fn needs_response(self) -> bool {
        self.state == DisputeState::NeedsResponse
    }
}

/// The network's code of the reason, such as `10.4`: 1 to 20 letters, digits, dots and hyphens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonCode(String);

impl ReasonCode {
    /// Reads it. `None`: it has another form.
    pub fn parse(text: &str) -> Option<ReasonCode> {
        let is_sound = (1..=20).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-');
        is_sound.then(|| ReasonCode(text.to_owned()))
    }

    /// As the network writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl DisputeKind {
    /// All, the earliest first.
    pub const ALL: [DisputeKind; 4] = [
        DisputeKind::Inquiry,
        DisputeKind::Chargeback,
        DisputeKind::PreArbitration,
        DisputeKind::Arbitration,
    ];

    /// Their codes.
    pub const CODES: [&'static str; 4] = [
        DisputeKind::Inquiry.code(),
        DisputeKind::Chargeback.code(),
        DisputeKind::PreArbitration.code(),
        DisputeKind::Arbitration.code(),
    ];

    /// The code on the wire and in the database.
    pub const fn code(self) -> &'static str {
        match self {
            DisputeKind::Inquiry => "INQUIRY",
            DisputeKind::Chargeback => "CHARGEBACK",
            DisputeKind::PreArbitration => "PRE_ARBITRATION",
            DisputeKind::Arbitration => "ARBITRATION",
        }
    }

    /// The kind of a code.
    pub fn from_code(code: &str) -> Option<DisputeKind> {
        DisputeKind::ALL
            .into_iter()
            .find(|kind| kind.code() == code)
    }
}

impl DisputeCategory {
    /// All.
    pub const ALL: [DisputeCategory; 7] = [
        DisputeCategory::Fraud,
        DisputeCategory::NotReceived,
        DisputeCategory::NotAsDescribed,
        DisputeCategory::Duplicate,
        DisputeCategory::CanceledRecurring,
        DisputeCategory::ProcessingError,
        DisputeCategory::General,
    ];

    /// Their codes.
    pub const CODES: [&'static str; 7] = [
        DisputeCategory::Fraud.code(),
        DisputeCategory::NotReceived.code(),
        DisputeCategory::NotAsDescribed.code(),
        DisputeCategory::Duplicate.code(),
        DisputeCategory::CanceledRecurring.code(),
        DisputeCategory::ProcessingError.code(),
        DisputeCategory::General.code(),
    ];

    /// The code on the wire and in the database.
    pub const fn code(self) -> &'static str {
        match self {
            DisputeCategory::Fraud => "FRAUD",
            DisputeCategory::NotReceived => "NOT_RECEIVED",
            DisputeCategory::NotAsDescribed => "NOT_AS_DESCRIBED",
            DisputeCategory::Duplicate => "DUPLICATE",
            DisputeCategory::CanceledRecurring => "CANCELED_RECURRING",
            DisputeCategory::ProcessingError => "PROCESSING_ERROR",
            DisputeCategory::General => "GENERAL",
        }
    }

    /// The category of a code.
    pub fn from_code(code: &str) -> Option<DisputeCategory> {
        DisputeCategory::ALL
            .into_iter()
            .find(|category| category.code() == code)
    }
}

impl DisputeState {
    /// All.
    pub const ALL: [DisputeState; 6] = [
        DisputeState::NeedsResponse,
        DisputeState::UnderReview,
        DisputeState::Won,
        DisputeState::Lost,
        DisputeState::Accepted,
        DisputeState::Expired,
    ];

    /// Their codes.
    pub const CODES: [&'static str; 6] = [
        DisputeState::NeedsResponse.code(),
        DisputeState::UnderReview.code(),
        DisputeState::Won.code(),
        DisputeState::Lost.code(),
        DisputeState::Accepted.code(),
        DisputeState::Expired.code(),
    ];

    /// The code on the wire and in the database.
    pub const fn code(self) -> &'static str {
        match self {
            DisputeState::NeedsResponse => "NEEDS_RESPONSE",
            DisputeState::UnderReview => "UNDER_REVIEW",
            DisputeState::Won => "WON",
            DisputeState::Lost => "LOST",
            DisputeState::Accepted => "ACCEPTED",
            DisputeState::Expired => "EXPIRED",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<DisputeState> {
        DisputeState::ALL
            .into_iter()
            .find(|state| state.code() == code)
    }
}

/// How many characters a text of evidence may have.
pub const MOST_TEXT_CHARACTERS: usize = 4000;

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000;
    const LATER: i64 = 2_000;
    const ADVANCED: DisputeEvent = DisputeEvent::Advanced {
        to: DisputeKind::Arbitration,
        deadline_ms: 9_000,
    };
    const EVENTS: [DisputeEvent; 6] = [
        DisputeEvent::EvidenceSubmitted,
        DisputeEvent::Accepted,
        DisputeEvent::DeadlinePassed,
        DisputeEvent::Won,
        DisputeEvent::Lost,
        ADVANCED,
    ];

    fn standing(kind: DisputeKind, state: DisputeState) -> Standing {
        Standing {
            kind,
            state,
            deadline_ms: LATER,
        }
    }

    #[test]
    fn every_state_answers_every_event_as_the_table_says() {
        let table = DisputeState::ALL.map(|state| {
            let row = EVENTS.map(|event| match next_state(state, event) {
                Some(next) => next.code(),
                None => "-",
            });
            format!("{}: {}", state.code(), row.join(" "))
        });
        let expected = [
            "NEEDS_RESPONSE: UNDER_REVIEW ACCEPTED EXPIRED WON LOST NEEDS_RESPONSE",
            "UNDER_REVIEW: - - - WON LOST NEEDS_RESPONSE",
            "WON: - - - - - NEEDS_RESPONSE",
            "LOST: - - - WON - NEEDS_RESPONSE",
            "ACCEPTED: - - - - - -",
            "EXPIRED: - - - WON LOST NEEDS_RESPONSE",
        ];
        assert_eq!(table, expected);
    }

    #[test]
    fn every_kind_and_state_says_what_it_does_to_the_money() {
        for kind in DisputeKind::ALL {
            for state in DisputeState::ALL {
                let expected = match (kind, state) {
                    (DisputeKind::Inquiry, _) | (_, DisputeState::Won) => DisputedMoney::Free,
                    (_, DisputeState::NeedsResponse | DisputeState::UnderReview) => {
                        DisputedMoney::Held
                    }
                    _ => DisputedMoney::Taken,
                };
                assert_eq!(standing(kind, state).money(), expected);
            }
        }
    }

    #[test]
    fn money_that_is_free_or_taken_is_held_again_by_a_later_stage_only() {
        for kind in DisputeKind::ALL {
            for state in DisputeState::ALL {
                for event in EVENTS {
                    let before = standing(kind, state);
                    let Ok(after) = before.after(event, NOW) else {
                        continue;
                    };
                    let is_held = after.money() == DisputedMoney::Held;
                    let is_new = is_held && before.money() != DisputedMoney::Held;
                    assert!(!is_new || event == ADVANCED, "{before:?} {event:?}");
                }
            }
        }
    }

    #[test]
    fn an_answer_at_the_deadline_is_too_late_and_one_before_it_is_not() {
        let open = standing(DisputeKind::Chargeback, DisputeState::NeedsResponse);
        for event in [DisputeEvent::EvidenceSubmitted, DisputeEvent::Accepted] {
            assert!(open.after(event, LATER - 1).is_ok());
            let refused = Err(DisputeError::State(DisputeState::Expired));
            assert_eq!(open.after(event, LATER), refused);
        }
        let answered = standing(DisputeKind::Chargeback, DisputeState::UnderReview);
        assert_eq!(answered.at(LATER), answered);
    }

    #[test]
    fn a_dispute_comes_to_a_later_stage_with_a_deadline_of_its_own() {
        let won = standing(DisputeKind::Chargeback, DisputeState::Won);
        let to = |to, deadline_ms| won.after(DisputeEvent::Advanced { to, deadline_ms }, NOW);
        let again = to(DisputeKind::PreArbitration, 9_000).unwrap();
        assert_eq!(
            (again.kind, again.state, again.deadline_ms),
            (
                DisputeKind::PreArbitration,
                DisputeState::NeedsResponse,
                9_000
            )
        );
        let not_later = Err(DisputeError::NotLater(DisputeKind::Chargeback));
        assert_eq!(to(DisputeKind::Chargeback, 9_000), not_later);
        assert_eq!(to(DisputeKind::Inquiry, 9_000), not_later);
        assert_eq!(
            to(DisputeKind::Arbitration, NOW),
            Err(DisputeError::DeadlinePassed)
        );
    }

    #[test]
    fn an_inquiry_is_answered_and_not_accepted() {
        let asked = standing(DisputeKind::Inquiry, DisputeState::NeedsResponse);
        assert_eq!(
            asked.after(DisputeEvent::Accepted, NOW),
            Err(DisputeError::NothingToAccept)
        );
        let answered = asked.after(DisputeEvent::EvidenceSubmitted, NOW).unwrap();
        assert_eq!(answered.state, DisputeState::UnderReview);
    }

    #[test]
    fn codes_lead_back() {
        for kind in DisputeKind::ALL {
            assert_eq!(DisputeKind::from_code(kind.code()), Some(kind));
        }
        for category in DisputeCategory::ALL {
            assert_eq!(DisputeCategory::from_code(category.code()), Some(category));
        }
        for state in DisputeState::ALL {
            assert_eq!(DisputeState::from_code(state.code()), Some(state));
        }
    }

    #[test]
    fn reason_codes_are_short_codes() {
        for (text, is_code) in [
            ("10.4", true),
            ("4853", true),
            ("UA02", true),
            ("C-28", true),
            ("", false),
            ("10 4", false),
            ("123456789012345678901", false),
            ("ü", false),
        ] {
            assert_eq!(ReasonCode::parse(text).is_some(), is_code, "{text}");
        }
    }
}
