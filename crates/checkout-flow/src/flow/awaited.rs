//! Who has to act next. What counts time, warns and explains waits asks for this, and not for the phase itself.

use super::Phase;

/// Who the form waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Awaited {
    /// The buyer, at the form. Time runs: the session ends after a time without activity.
    Buyer,
    /// The gateway: the buyer waits.
    Gateway,
    /// The buyer, on the issuer's page. Time runs: the issuer's page ends.
    Issuer,
    /// The merchant's page, for another session.
    Merchant,
    /// Nobody whose time is counted: the payment has ended or may have ended, or the buyer is on the page of another method, or reads
    /// another amount.
    Nobody,
}

impl Phase {
    /// Who has to act next.
    pub fn awaited(&self) -> Awaited {
        match self {
            phase if phase.is_at_rest() => Awaited::Buyer,
            phase if phase.asks_for_session() => Awaited::Merchant,
            Self::Challenge { .. } => Awaited::Issuer,
            Self::Complete(_)
            | Self::Expired
            | Self::Unknown { .. }
            | Self::Elsewhere { .. }
            | Self::Repriced => Awaited::Nobody,
            _ => Awaited::Gateway,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::{Intent, Notice, Outcome, Verdict};

    #[test]
    fn who_acts_next_follows_from_the_phase() {
        let url = String::new;
        let verdict = || Verdict::without_operation(Outcome::Failed);
        for (phase, expected) in [
            (Phase::ChoosingMethod, Awaited::Buyer),
            (Phase::Collecting(Notice::None), Awaited::Buyer),
            (Phase::Reviewing, Awaited::Buyer),
            (Phase::Sending { tries: 0 }, Awaited::Gateway),
            (Phase::Closing { tries: 1 }, Awaited::Gateway),
            (Phase::Resuming, Awaited::Gateway),
            (Phase::Challenge { url: url() }, Awaited::Issuer),
            (Phase::LeavingChallenge { tries: 0 }, Awaited::Gateway),
            (Phase::Renewing { pressed: true }, Awaited::Merchant),
            (Phase::Retrying(verdict()), Awaited::Merchant),
            (Phase::Complete(verdict()), Awaited::Nobody),
            (Phase::Expired, Awaited::Nobody),
            (
                Phase::Unknown {
                    asked: 1,
                    intent: Intent::Pay,
                },
                Awaited::Nobody,
            ),
            // These waits are not slow: the buyer has not left, or not decided, yet.
            (Phase::Elsewhere { url: url() }, Awaited::Nobody),
            (Phase::Repriced, Awaited::Nobody),
        ] {
            assert_eq!(phase.awaited(), expected, "{phase:?}");
        }
    }
}
