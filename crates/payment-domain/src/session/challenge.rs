//! A challenge that is open: how the issuer asks the buyer, and what an answer does.

use super::Authentication;

/// A challenge that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Challenge {
    /// How the issuer asks the buyer now.
    pub means: ChallengeMeans,
    /// The number of wrong codes that were entered.
    pub wrong_codes: u8,
    /// When it was opened.
    pub since_ms: i64,
}

/// How an issuer asks a buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChallengeMeans {
    /// By a page.
    Page,
    /// By a confirmation of the buyer's device. A page may follow.
    Confirmation,
    /// Apart from the browser, for example in its app. It has a limit of its own.
    Decoupled {
        /// From then on its result does not count.
        until_ms: i64,
    },
}

/// The issuer's verdict on a buyer's action on a challenge page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChallengeReply {
    /// The correct code, or the button that replaces it.
    Right,
    /// The issuer did not authenticate the buyer, and vouches for the attempt.
    Attempted,
    /// A wrong code.
    Wrong,
    /// The buyer refuses or leaves, or the issuer knows that it is somebody else.
    No,
    /// No decision: the challenge continues as if there had been no answer.
    Undecided,
}

/// The effect of a buyer's answer on a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeProgress {
    /// It is over, and the payment goes on with this authentication.
    Passed(Authentication),
    /// It continues.
    Again(Challenge),
    /// It is over.
    Failed,
}

impl Challenge {
    /// The effect of `reply` on the challenge.
    pub fn after_reply(self, reply: ChallengeReply) -> ChallengeProgress {
        match reply {
            ChallengeReply::Undecided => ChallengeProgress::Again(self),
            ChallengeReply::Right => ChallengeProgress::Passed(Authentication::Full),
            ChallengeReply::Attempted => ChallengeProgress::Passed(Authentication::Attempted),
            ChallengeReply::Wrong if self.wrong_codes + 1 < CODES => {
                ChallengeProgress::Again(Challenge {
                    wrong_codes: self.wrong_codes + 1,
                    ..self
                })
            }
            ChallengeReply::Wrong | ChallengeReply::No => ChallengeProgress::Failed,
        }
    }
}

/// How many wrong codes end a challenge.
pub const CODES: u8 = 3;
