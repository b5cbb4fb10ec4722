//! Who has to act next. What counts time, warns and explains waits asks for this, and not for the phase itself.

use super::Phase;

/// Who the form waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaitingFor {
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
    pub fn waiting_for(&self) -> WaitingFor {
        match self {
            phase if phase.is_at_rest() => WaitingFor::Buyer,
            phase if phase.asks_for_session() => WaitingFor::Merchant,
            Self::Challenge { .. } => WaitingFor::Issuer,
            Self::Complete(_)
            | Self::Expired
            | Self::Unknown { .. }
            | Self::Elsewhere { .. }
            | Self::Repriced => WaitingFor::Nobody,
            _ => WaitingFor::Gateway,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::{Intent, IssuerPage, Notice, Outcome, ProofOfWork, Verdict};

    #[test]
    fn who_acts_next_follows_from_the_phase() {
        let url = String::new;
        let verdict = || Verdict::without_operation(Outcome::Failed);
        for (phase, expected) in [
            (Phase::ChoosingMethod, WaitingFor::Buyer),
            (Phase::Collecting(Notice::None), WaitingFor::Buyer),
            (Phase::Reviewing, WaitingFor::Buyer),
            (
                Phase::Sending {
                    tries: 0,
                    proof: ProofOfWork::default(),
                },
                WaitingFor::Gateway,
            ),
            (Phase::Proving { asked: 1 }, WaitingFor::Gateway),
            (Phase::Completing { tries: 1 }, WaitingFor::Gateway),
            (Phase::Resuming, WaitingFor::Gateway),
            (
                Phase::Challenge {
                    url: url(),
                    page: IssuerPage::default(),
                },
                WaitingFor::Issuer,
            ),
            (Phase::LeavingChallenge { tries: 0 }, WaitingFor::Gateway),
            (Phase::Renewing { pressed: true }, WaitingFor::Merchant),
            (Phase::Retrying(verdict()), WaitingFor::Merchant),
            (Phase::Complete(verdict()), WaitingFor::Nobody),
            (Phase::Expired, WaitingFor::Nobody),
            (
                Phase::Unknown {
                    asked: 1,
                    intent: Intent::Pay,
                },
                WaitingFor::Nobody,
            ),
            // These waits are not slow: the buyer has not left, or not decided, yet.
            (Phase::Elsewhere { url: url() }, WaitingFor::Nobody),
            (Phase::Repriced, WaitingFor::Nobody),
        ] {
            assert_eq!(phase.waiting_for(), expected, "{phase:?}");
        }
    }
}
