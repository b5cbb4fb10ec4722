//! From an issuer's demand for an authentication to the challenge: the declined operation stays as it is, and a new one repeats it.
//!
//! An attempt is repeated once at most, and only after a challenge. Who can not be challenged is declined.

use super::completion::{after_verdict, issuer_answered};
use super::ending::declined_for_good;
use super::{
    BookedOn, Counters, Effect, PendingCompletion, Recorded, State, StateBeforeAuthorization, Step,
    StepUp, TransitionError, Verdict, moved,
};
use crate::operation::AuthorizationResult;

/// The issuer declined, because the buyer was not authenticated. After a challenge this is a decline as any other.
pub(super) fn authentication_demanded(
    counters: Counters,
    state: State,
    operation_id: String,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    match state {
        State::Authorizing {
            card,
            authentication,
            from:
                from @ (StateBeforeAuthorization::Ready | StateBeforeAuthorization::VerifyingDevice),
            completion: declined @ PendingCompletion { repeats: None, .. },
        } => {
            let record = Effect::Record {
                operation_id: declined.operation_id.clone(),
                terminal: BookedOn::Terminal(declined.terminal_id.clone()),
                card: Some(card.clone()),
                authentication: Some(authentication),
                result: Recorded::Issuer(AuthorizationResult::Declined),
                repeats: None,
            };
            let state = State::SteppingUp {
                card,
                from,
                declined,
                operation_id,
            };
            Ok(moved(counters, state, vec![record]))
        }
        other => issuer_answered(counters, other, AuthorizationResult::Declined, now_ms),
    }
}

/// The answer to the question for a challenge. Without a challenge, the decline stays the outcome of the attempt.
pub(super) fn step_up_answered(
    counters: Counters,
    state: State,
    answer: StepUp,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    let State::SteppingUp {
        card,
        from,
        declined,
        operation_id,
    } = state
    else {
        return Err(TransitionError::WrongState);
    };
    let verdict = match answer {
        StepUp::Challenge => Verdict::Challenge,
        StepUp::Confirmation => Verdict::Confirmation,
        StepUp::Decoupled { until_ms } => Verdict::Decoupled { until_ms },
        StepUp::Refused => Verdict::Refused,
        StepUp::NotPossible => return Ok(declined_for_good(counters, card, declined, now_ms)),
    };
    let completion = PendingCompletion {
        operation_id,
        repeats: Some(declined.operation_id),
        terminal_id: declined.terminal_id,
        idempotency_key: declined.idempotency_key,
    };
    Ok(after_verdict(
        counters, card, verdict, from, completion, now_ms,
    ))
}
