//! Simulated pages: the device check, the challenge and the page of an alternative method, where the gateway shows them itself.
//!
//! Real issuers and operators have pages of their own, and an adapter for them is never asked. A simulator's pages do what its
//! test cards say. It answers from memory, and changes nothing.

use payframe_card_rules::secret::Secret;
use payframe_payment_domain::session::ChallengeReply;

/// Decides what simulated pages do.
pub trait SimulatorPages: Send + Sync {
    /// How the device check of a card goes.
    fn device_check(&self, number: &Secret) -> DeviceCheckPage;

    /// Whether the challenge page of a card ever comes to an end.
    fn challenge(&self, number: &Secret) -> ChallengePage;

    /// What a buyer's answer to the challenge of a card is.
    fn judge(&self, number: &Secret, answer: &ChallengeAnswer) -> ChallengeReply;

    /// What the page of an alternative method sends back with the buyer, for the operator to read. `None`: the buyer has left
    /// it, and the payment is given up.
    fn return_data(&self, answer: MethodAnswer) -> Option<String>;
}

/// How a simulated device check goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceCheckPage {
    /// It reports after this long.
    Reports {
        /// Zero is at once.
        after_ms: u64,
    },
    /// It stays silent.
    NeverReports,
}

/// How a simulated challenge goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengePage {
    /// It takes answers.
    TakesAnswers,
    /// It never ends.
    NeverEnds,
}

/// What a buyer does on a challenge page. Not `Debug`: whatever was typed stays out of logs.
#[derive(Clone, PartialEq, Eq)]
pub enum ChallengeAnswer {
    /// Types a code.
    Code(String),
    /// Presses the button that stands for the right code.
    Approve,
    /// Presses the button that refuses.
    Reject,
    /// Leaves.
    Cancel,
}

/// What a buyer presses on the page of an alternative method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodAnswer {
    /// Pays.
    Approve,
    /// Refuses.
    Refuse,
    /// Pays later.
    Pending,
    /// Leaves.
    Cancel,
}
