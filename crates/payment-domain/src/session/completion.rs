//! From the completion call to the issuer's answer.

use super::ending::{Booking, THREEDS_FAILED, complete, refused};
use super::redirect::complete_redirect;
use super::{
    BookedOn, Challenge, ChallengeMeans, ChallengeProgress, ChallengeReply, CheckProgress,
    Counters, DeviceCheck, Effect, PendingCompletion, PreviousAttempt, Recorded, State,
    StateBeforeAuthorization, Step, TransitionError, Verdict, moved, unchanged,
};
use crate::card::EnteredCard;
use crate::operation::{AuthorizationResult, OperationResult};

pub(super) fn device_check_given_up(
    counters: Counters,
    state: State,
    operation_id: String,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    match state {
        // Before any completion call: no attempt is used, the session ends (contract 6.1).
        State::CheckingDevice { card, .. } => {
            let booking = Booking {
                operation_id,
                terminal: BookedOn::Caller,
                result: THREEDS_FAILED,
                repeats: None,
            };
            Ok(complete(counters, Some(card), None, booking, now_ms))
        }
        State::VerifyingDevice {
            card,
            progress: CheckProgress::Running,
            completion,
            ..
        } => Ok(refused(
            counters,
            card,
            completion,
            None,
            THREEDS_FAILED,
            now_ms,
        )),
        State::CollectingCard(_) | State::ChoosingMethod => Err(TransitionError::WrongState),
        other => Ok(unchanged(counters, other)),
    }
}

pub(super) fn confirm_asked(
    counters: Counters,
    state: State,
    check: DeviceCheck,
    verdict: Verdict,
    call: PendingCompletion,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    match (state, verdict, check) {
        (State::Ready { card }, Verdict::Risk, _) => Ok(after_verdict(
            counters,
            card,
            verdict,
            StateBeforeAuthorization::Ready,
            call,
            now_ms,
        )),
        (State::Ready { card }, _, DeviceCheck::NotDue) => {
            let progress = CheckProgress::Done;
            Ok(unchanged(
                counters,
                State::VerifyingDevice {
                    card,
                    progress,
                    completion: call,
                },
            ))
        }
        (State::Ready { card }, _, _) => {
            let progress = CheckProgress::Running;
            let effects = vec![Effect::OpenDeviceCheck {
                submission: counters.submissions,
            }];
            Ok(moved(
                counters,
                State::VerifyingDevice {
                    card,
                    progress,
                    completion: call,
                },
                effects,
            ))
        }
        (other, _, _) => asked_again(counters, other, &call),
    }
}

pub(super) fn finalize_asked(
    counters: Counters,
    state: State,
    verdict: Verdict,
    call: PendingCompletion,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    match state {
        State::Ready { card } => Ok(after_verdict(
            counters,
            card,
            verdict,
            StateBeforeAuthorization::Ready,
            call,
            now_ms,
        )),
        other => asked_again(counters, other, &call),
    }
}

/// A completion call that is not due: it gets the running or the recorded result.
pub(super) fn asked_again(
    counters: Counters,
    state: State,
    call: &PendingCompletion,
) -> Result<Step, TransitionError> {
    match &state {
        // This is a repetition of the refused call, whose answer was lost.
        State::CollectingCard(PreviousAttempt::Refused {
            idempotency_key: Some(key),
            ..
        }) if call.idempotency_key.as_ref() == Some(key) => Ok(unchanged(counters, state)),
        State::ChoosingMethod | State::CollectingCard(_) | State::CheckingDevice { .. } => {
            Err(TransitionError::WrongState)
        }
        _ => Ok(unchanged(counters, state)),
    }
}

pub(super) fn device_verified(
    counters: Counters,
    state: State,
    verdict: Verdict,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    match state {
        State::VerifyingDevice {
            card,
            progress: CheckProgress::Done,
            completion,
            ..
        } => Ok(after_verdict(
            counters,
            card,
            verdict,
            StateBeforeAuthorization::VerifyingDevice,
            completion,
            now_ms,
        )),
        State::ChoosingMethod
        | State::CollectingCard(PreviousAttempt::None)
        | State::CheckingDevice { .. }
        | State::Ready { .. } => Err(TransitionError::WrongState),
        other => Ok(unchanged(counters, other)),
    }
}

/// The step after a verdict on a card, while its completion call is in progress.
pub(super) fn after_verdict(
    counters: Counters,
    card: EnteredCard,
    verdict: Verdict,
    from: StateBeforeAuthorization,
    completion: PendingCompletion,
    now_ms: i64,
) -> Step {
    match verdict {
        Verdict::Pass(authentication) => {
            let operation_id = completion.operation_id.clone();
            let state = State::Authorizing {
                card,
                authentication,
                from,
                completion,
            };
            moved(counters, state, vec![Effect::AskIssuer { operation_id }])
        }
        Verdict::Challenge => challenged(counters, card, ChallengeMeans::Page, completion, now_ms),
        Verdict::Confirmation => {
            let means = ChallengeMeans::Confirmation;
            challenged(counters, card, means, completion, now_ms)
        }
        Verdict::Decoupled { until_ms } => {
            let means = ChallengeMeans::Decoupled { until_ms };
            challenged(counters, card, means, completion, now_ms)
        }
        Verdict::Refused => refused(counters, card, completion, None, THREEDS_FAILED, now_ms),
        Verdict::Risk => {
            let booking = Booking::of(completion, Recorded::Own(OperationResult::DeniedByRisk));
            complete(counters, Some(card), None, booking, now_ms)
        }
        Verdict::Stopped => {
            let result = Recorded::Own(OperationResult::DeniedByRisk);
            refused(counters, card, completion, None, result, now_ms)
        }
    }
}

fn challenged(
    counters: Counters,
    card: EnteredCard,
    means: ChallengeMeans,
    completion: PendingCompletion,
    now_ms: i64,
) -> Step {
    let operation_id = completion.operation_id.clone();
    let challenge = Challenge {
        means,
        wrong_codes: 0,
        since_ms: now_ms,
    };
    let state = State::Challenged {
        card,
        challenge,
        completion,
    };
    moved(
        counters,
        state,
        vec![Effect::OpenChallenge { operation_id }],
    )
}

pub(super) fn challenge_answered(
    counters: Counters,
    state: State,
    operation_id: &str,
    reply: ChallengeReply,
    now_ms: i64,
) -> Step {
    match state {
        State::Challenged {
            card,
            challenge:
                challenge @ Challenge {
                    means: ChallengeMeans::Page | ChallengeMeans::Decoupled { .. },
                    ..
                },
            completion,
        } if completion.operation_id == operation_id => match challenge.after_reply(reply) {
            ChallengeProgress::Passed(authentication) => after_verdict(
                counters,
                card,
                Verdict::Pass(authentication),
                StateBeforeAuthorization::Challenged,
                completion,
                now_ms,
            ),
            ChallengeProgress::Again(challenge) => unchanged(
                counters,
                State::Challenged {
                    card,
                    challenge,
                    completion,
                },
            ),
            ChallengeProgress::Failed => {
                refused(counters, card, completion, None, THREEDS_FAILED, now_ms)
            }
        },
        // A challenge that is over has its outcome, and one that has no page yet has no answer to it.
        other => unchanged(counters, other),
    }
}

/// To leave the challenge is a refusal, like the issuer's own button, whatever the issuer's page does.
pub(super) fn challenge_left(
    counters: Counters,
    state: State,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    match state {
        State::Challenged {
            card, completion, ..
        } => Ok(refused(
            counters,
            card,
            completion,
            None,
            THREEDS_FAILED,
            now_ms,
        )),
        State::ChoosingMethod
        | State::CollectingCard(PreviousAttempt::None)
        | State::CheckingDevice { .. }
        | State::Ready { .. }
        | State::VerifyingDevice { .. }
        | State::Redirected { .. } => Err(TransitionError::WrongState),
        // The challenge already has its outcome.
        other => Ok(unchanged(counters, other)),
    }
}

pub(super) fn issuer_answered(
    counters: Counters,
    state: State,
    result: AuthorizationResult,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    let (card, authentication, completion) = match state {
        State::Authorizing {
            card,
            authentication,
            completion,
            ..
        } => (card, authentication, completion),
        State::AuthorizingMethod { redirect, .. } => {
            return Ok(complete_redirect(counters, redirect, result, now_ms));
        }
        _ => return Err(TransitionError::WrongState),
    };
    let recorded = Recorded::Issuer(result);
    Ok(match result {
        AuthorizationResult::Declined => refused(
            counters,
            card,
            completion,
            Some(authentication),
            recorded,
            now_ms,
        ),
        AuthorizationResult::Approved
        | AuthorizationResult::Failed
        | AuthorizationResult::Pending => complete(
            counters,
            Some(card),
            Some(authentication),
            Booking::of(completion, recorded),
            now_ms,
        ),
    })
}
