//! From the closing call to the issuer's answer.

use super::ending::{Booking, THREEDS_FAILED, complete, refused};
use super::redirect::settled;
use super::{
    AfterRefusal, Authentication, BookedOn, Challenge, ChallengeProgress, ChallengeReply,
    CheckProgress, ClosingCall, Counters, DeviceCheck, Effect, Recorded, Stage, State, Step,
    TransitionError, Verdict, moved, unchanged,
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
        // Before any closing call: no attempt is used, the session ends (contract 6.1).
        State::CheckingDevice { card, .. } => {
            let booking = Booking {
                operation_id,
                terminal: BookedOn::Caller,
                result: THREEDS_FAILED,
            };
            Ok(complete(counters, Some(card), None, booking, now_ms))
        }
        State::VerifyingDevice {
            card,
            progress: CheckProgress::Running,
            closing,
            ..
        } => Ok(refused(
            counters,
            card,
            closing,
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
    call: ClosingCall,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    match (state, verdict, check) {
        (State::Ready { card }, Verdict::Risk, _) => {
            Ok(judged(counters, card, verdict, Stage::Ready, call, now_ms))
        }
        (State::Ready { card }, _, DeviceCheck::NotDue) => {
            let progress = CheckProgress::Done;
            Ok(unchanged(
                counters,
                State::VerifyingDevice {
                    card,
                    progress,
                    closing: call,
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
                    closing: call,
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
    call: ClosingCall,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    match state {
        State::Ready { card } => Ok(judged(counters, card, verdict, Stage::Ready, call, now_ms)),
        other => asked_again(counters, other, &call),
    }
}

/// A closing call that is not due: it gets the running or the recorded result.
pub(super) fn asked_again(
    counters: Counters,
    state: State,
    call: &ClosingCall,
) -> Result<Step, TransitionError> {
    match &state {
        // This is a repetition of the refused call, whose answer was lost.
        State::CollectingCard(AfterRefusal::Yes {
            asked_by: Some(key),
            ..
        }) if call.asked_by.as_ref() == Some(key) => Ok(unchanged(counters, state)),
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
            closing,
            ..
        } => Ok(judged(
            counters,
            card,
            verdict,
            Stage::VerifyingDevice,
            closing,
            now_ms,
        )),
        State::ChoosingMethod
        | State::CollectingCard(AfterRefusal::No)
        | State::CheckingDevice { .. }
        | State::Ready { .. } => Err(TransitionError::WrongState),
        other => Ok(unchanged(counters, other)),
    }
}

/// The step after a verdict on a card, while its closing call is in progress.
pub(super) fn judged(
    counters: Counters,
    card: EnteredCard,
    verdict: Verdict,
    from: Stage,
    closing: ClosingCall,
    now_ms: i64,
) -> Step {
    match verdict {
        Verdict::Pass(authentication) => {
            let operation_id = closing.operation_id.clone();
            let state = State::Authorizing {
                card,
                authentication,
                from,
                closing,
            };
            moved(counters, state, vec![Effect::AskIssuer { operation_id }])
        }
        Verdict::Challenge => {
            let operation_id = closing.operation_id.clone();
            let challenge = Challenge {
                wrong_codes: 0,
                since_ms: now_ms,
            };
            let state = State::Challenged {
                card,
                challenge,
                closing,
            };
            moved(
                counters,
                state,
                vec![Effect::OpenChallenge { operation_id }],
            )
        }
        Verdict::Refused => refused(counters, card, closing, None, THREEDS_FAILED, now_ms),
        Verdict::Risk => {
            let booking = Booking::of(closing, Recorded::Own(OperationResult::DeniedByRisk));
            complete(counters, Some(card), None, booking, now_ms)
        }
    }
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
            challenge,
            closing,
        } if closing.operation_id == operation_id => match challenge.heard(reply) {
            ChallengeProgress::Passed => {
                let verdict = Verdict::Pass(Authentication::Full);
                judged(counters, card, verdict, Stage::Challenged, closing, now_ms)
            }
            ChallengeProgress::Again(challenge) => unchanged(
                counters,
                State::Challenged {
                    card,
                    challenge,
                    closing,
                },
            ),
            ChallengeProgress::Failed => {
                refused(counters, card, closing, None, THREEDS_FAILED, now_ms)
            }
        },
        // A challenge that is over has its outcome.
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
        State::Challenged { card, closing, .. } => Ok(refused(
            counters,
            card,
            closing,
            None,
            THREEDS_FAILED,
            now_ms,
        )),
        State::ChoosingMethod
        | State::CollectingCard(AfterRefusal::No)
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
    settlement: AuthorizationResult,
    now_ms: i64,
) -> Result<Step, TransitionError> {
    let (card, authentication, closing) = match state {
        State::Authorizing {
            card,
            authentication,
            closing,
            ..
        } => (card, authentication, closing),
        State::Settling { redirect, .. } => {
            return Ok(settled(counters, redirect, settlement, now_ms));
        }
        _ => return Err(TransitionError::WrongState),
    };
    let result = Recorded::Issuer(settlement);
    Ok(match settlement {
        AuthorizationResult::Declined => refused(
            counters,
            card,
            closing,
            Some(authentication),
            result,
            now_ms,
        ),
        AuthorizationResult::Approved
        | AuthorizationResult::Failed
        | AuthorizationResult::Pending => complete(
            counters,
            Some(card),
            Some(authentication),
            Booking::of(closing, result),
            now_ms,
        ),
    })
}
