//! How an issuer asks the buyer of a session now.

use payframe_payment_domain::session::{Challenge, ChallengeMeans, State};

/// Whether the challenge of this operation is a confirmation.
pub(super) fn confirms(state: &State, operation_id: &str) -> bool {
    matches!(
        state,
        State::Challenged {
            challenge: Challenge {
                means: ChallengeMeans::Confirmation,
                ..
            },
            completion,
            ..
        } if completion.operation_id == operation_id
    )
}
