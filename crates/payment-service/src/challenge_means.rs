//! How an issuer asks the buyer of a session now.

use payframe_payment_domain::session::{ChallengeMeans, State};

/// How the issuer asks for this operation. `None`: it does not, or the challenge is over.
pub(super) fn challenge_means(state: &State, operation_id: &str) -> Option<ChallengeMeans> {
    match state {
        State::Challenged {
            challenge,
            completion,
            ..
        } if completion.operation_id == operation_id => Some(challenge.means),
        _ => None,
    }
}

/// Whether the challenge of this operation is a confirmation.
pub(super) fn is_confirmation(state: &State, operation_id: &str) -> bool {
    challenge_means(state, operation_id) == Some(ChallengeMeans::Confirmation)
}
