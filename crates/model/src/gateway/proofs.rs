//! The proofs of work that the gateway asks for while somebody tries out cards at its terminal. A proof is the number of the submission that it
//! was asked for.

use super::Gateway;
use crate::setting::{Broken, Setting};
use payframe_checkout_flow::flow::Answer;
use payframe_payment_domain::session::State;

/// The proofs with which cards were taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Proofs {
    /// How many.
    pub(crate) taken: u8,
    /// Whether one was taken for another submission than its own.
    pub(crate) is_reused: bool,
}

impl Gateway {
    /// What the gateway asks for before it takes a card.
    pub(super) fn proof_due(&self, setting: &Setting, sent: Option<u8>) -> Option<Answer> {
        let takes_card = matches!(
            self.session.state,
            State::CollectingCard(_) | State::CheckingDevice { .. }
        );
        if !setting.is_attacked || !takes_card {
            return None;
        }
        let due = self.session.counters.submissions;
        let is_good = match setting.broken {
            Some(Broken::ProofsStayGood) => sent.is_some_and(|sent| sent <= due),
            _ => sent == Some(due),
        };
        (!is_good).then(|| Answer::ProofDue(due.to_string()))
    }

    /// A card was taken with this proof, as submission number `submission`.
    pub(super) fn proof_taken(&mut self, sent: Option<u8>, submission: u8) {
        self.proofs.taken += 1;
        self.proofs.is_reused |= sent != Some(submission);
    }
}
