//! How a session ends, or allows another attempt: outcomes, refusals, cancelling, limits.

use super::redirect::given_up;
use super::{
    Authentication, BookedOn, Counters, Effect, Limit, PendingCompletion, PreviousAttempt,
    Recorded, State, Step, moved, unchanged,
};
use crate::card::EnteredCard;
use crate::operation::OperationResult;

pub(super) fn cancel_asked(
    counters: Counters,
    state: State,
    operation_id: String,
    now_ms: i64,
) -> Step {
    let card = match state {
        State::Complete { .. } | State::Cancelled { .. } => return unchanged(counters, state),
        State::CheckingDevice { card, .. }
        | State::Ready { card }
        | State::VerifyingDevice { card, .. }
        | State::Challenged { card, .. }
        | State::Authorizing { card, .. }
        | State::SteppingUp { card, .. } => Some(card),
        State::Redirected { redirect } | State::AuthorizingMethod { redirect, .. } => {
            return given_up(counters, redirect.method, operation_id, now_ms);
        }
        State::ChoosingMethod | State::CollectingCard(_) | State::Dead => None,
    };
    let record = Effect::Record {
        operation_id: operation_id.clone(),
        terminal: BookedOn::Caller,
        card,
        authentication: None,
        result: Recorded::Own(OperationResult::Canceled),
        repeats: None,
    };
    moved(
        counters,
        State::Cancelled {
            operation_id,
            since_ms: now_ms,
        },
        vec![record, Effect::ForgetCard],
    )
}

pub(super) fn limit_passed(counters: Counters, state: State, limit: Limit, now_ms: i64) -> Step {
    match (state, limit) {
        (
            State::ChoosingMethod
            | State::CollectingCard(_)
            | State::CheckingDevice { .. }
            | State::Ready { .. },
            Limit::Idle | Limit::Hard,
        ) => moved(counters, State::Dead, vec![Effect::ForgetCard]),
        // The page of the device check never came (contract 6.2).
        (
            State::VerifyingDevice {
                card, completion, ..
            },
            Limit::Idle | Limit::Hard,
        ) => complete(
            counters,
            Some(card),
            None,
            Booking::of(completion, THREEDS_FAILED),
            now_ms,
        ),
        (
            State::Challenged {
                card, completion, ..
            },
            Limit::Challenge,
        ) => refused(counters, card, completion, None, THREEDS_FAILED, now_ms),
        (State::Redirected { redirect }, Limit::Redirect) => {
            given_up(counters, redirect.method, redirect.operation_id, now_ms)
        }
        (State::Complete { .. } | State::Cancelled { .. }, Limit::Retention) => {
            moved(counters, State::Dead, Vec::new())
        }
        (other, _) => unchanged(counters, other),
    }
}

/// A completion call was refused, and another card or a correction could succeed (contract 3.7).
pub(super) fn refused(
    mut counters: Counters,
    card: EnteredCard,
    completion: PendingCompletion,
    authentication: Option<Authentication>,
    result: Recorded,
    now_ms: i64,
) -> Step {
    counters.attempts_left = counters.attempts_left.saturating_sub(1);
    if counters.attempts_left == 0 {
        return complete(
            counters,
            Some(card),
            authentication,
            Booking::of(completion, result),
            now_ms,
        );
    }
    let PendingCompletion {
        operation_id,
        terminal_id,
        idempotency_key,
        repeats,
    } = completion;
    let record = Effect::Record {
        operation_id: operation_id.clone(),
        terminal: BookedOn::Terminal(terminal_id),
        card: Some(card),
        authentication,
        result,
        repeats,
    };
    let state = State::CollectingCard(PreviousAttempt::Refused {
        operation_id,
        idempotency_key,
    });
    moved(
        counters,
        state,
        vec![record, Effect::ForgetCard, Effect::RestartIdle],
    )
}

/// A decline that was recorded is final: another card or a correction could succeed.
pub(super) fn declined_for_good(
    mut counters: Counters,
    card: EnteredCard,
    declined: PendingCompletion,
    now_ms: i64,
) -> Step {
    counters.attempts_left = counters.attempts_left.saturating_sub(1);
    let operation_id = declined.operation_id.clone();
    let mut effects = vec![Effect::FinishDecline { operation_id }, Effect::ForgetCard];
    if counters.attempts_left == 0 {
        let state = State::Complete {
            card: Some(card),
            operation_id: declined.operation_id,
            since_ms: now_ms,
        };
        return moved(counters, state, effects);
    }
    effects.push(Effect::RestartIdle);
    let state = State::CollectingCard(PreviousAttempt::Refused {
        operation_id: declined.operation_id,
        idempotency_key: declined.idempotency_key,
    });
    moved(counters, state, effects)
}

pub(super) struct Booking {
    pub(super) operation_id: String,
    pub(super) terminal: BookedOn,
    pub(super) result: Recorded,
    /// The declined operation that it repeats after a challenge.
    pub(super) repeats: Option<String>,
}

impl Booking {
    pub(super) fn of(completion: PendingCompletion, result: Recorded) -> Booking {
        Booking {
            operation_id: completion.operation_id,
            terminal: BookedOn::Terminal(completion.terminal_id),
            result,
            repeats: completion.repeats,
        }
    }
}

pub(super) fn complete(
    counters: Counters,
    card: Option<EnteredCard>,
    authentication: Option<Authentication>,
    booking: Booking,
    now_ms: i64,
) -> Step {
    let Booking {
        operation_id,
        terminal,
        result,
        repeats,
    } = booking;
    let state = State::Complete {
        card: card.clone(),
        operation_id: operation_id.clone(),
        since_ms: now_ms,
    };
    let record = Effect::Record {
        operation_id,
        terminal,
        card,
        authentication,
        result,
        repeats,
    };
    moved(counters, state, vec![record, Effect::ForgetCard])
}

pub(super) const THREEDS_FAILED: Recorded = Recorded::Own(OperationResult::ThreeDsFailed);
