//! The states before a card is complete: choosing it, submitting it, its device check, and changes of the amount.

use super::ending::{Booking, complete};
use super::{
    BookedOn, CheckProgress, Counters, DeviceCheck, Effect, PreviousAttempt, Recorded, SUBMISSIONS,
    State, Step, TransitionError, moved, unchanged,
};
use crate::card::{DeviceMark, EnteredCard};
use crate::operation::OperationResult;

pub(super) enum Submitted {
    Bad,
    Good {
        card: Box<EnteredCard>,
        check: DeviceCheck,
    },
}

pub(super) fn card_method_chosen(counters: Counters, state: State) -> Step {
    match state {
        State::ChoosingMethod => moved(
            counters,
            State::CollectingCard(PreviousAttempt::None),
            Vec::new(),
        ),
        // A second click is answered with the current state (contract 5.4).
        other => unchanged(counters, other),
    }
}

pub(super) fn submission(
    mut counters: Counters,
    state: State,
    operation_id: String,
    now_ms: i64,
    submitted: Submitted,
) -> Result<Step, TransitionError> {
    if !matches!(
        state,
        State::CollectingCard(_) | State::CheckingDevice { .. }
    ) {
        return Err(TransitionError::WrongState);
    }
    counters.submissions = counters.submissions.saturating_add(1);
    let number = counters.submissions;
    Ok(match submitted {
        Submitted::Good {
            card,
            check: DeviceCheck::NotDue,
        } if number <= SUBMISSIONS => moved(
            counters,
            State::Ready { card: *card },
            vec![Effect::KeepCard],
        ),
        Submitted::Good { card, .. } if number <= SUBMISSIONS => {
            let effects = vec![
                Effect::KeepCard,
                Effect::OpenDeviceCheck { submission: number },
            ];
            moved(counters, State::CheckingDevice { card: *card }, effects)
        }
        // An invalid submission is not stored, and the valid one before it is deleted.
        Submitted::Bad if number < SUBMISSIONS => match state {
            State::CheckingDevice { .. } => moved(
                counters,
                State::CollectingCard(PreviousAttempt::None),
                vec![Effect::ForgetCard],
            ),
            collecting => unchanged(counters, collecting),
        },
        Submitted::Good { .. } | Submitted::Bad => {
            let result = Recorded::Own(OperationResult::Failed);
            complete(
                counters,
                None,
                None,
                Booking {
                    operation_id,
                    terminal: BookedOn::Caller,
                    result,
                    repeats: None,
                },
                now_ms,
            )
        }
    })
}

pub(super) fn device_checked(counters: Counters, state: State, submission: u8) -> Step {
    let state = match state {
        // The report for an earlier card changes nothing.
        other if counters.submissions != submission => other,
        State::CheckingDevice { card } => State::Ready { card },
        State::VerifyingDevice {
            card, completion, ..
        } => State::VerifyingDevice {
            card,
            progress: CheckProgress::Done,
            completion,
        },
        other => other,
    };
    unchanged(counters, state)
}

/// The check did not report: the payment continues, with the mark that the check was not done.
pub(super) fn device_check_skipped(
    counters: Counters,
    state: State,
) -> Result<Step, TransitionError> {
    match state {
        State::CheckingDevice { card, .. } => {
            let card = EnteredCard {
                device: DeviceMark::NotDone,
                ..card
            };
            Ok(unchanged(counters, State::Ready { card }))
        }
        State::ChoosingMethod | State::CollectingCard(_) | State::VerifyingDevice { .. } => {
            Err(TransitionError::WrongState)
        }
        // The check has just reported, or the call is a repetition.
        other => Ok(unchanged(counters, other)),
    }
}

pub(super) fn amount_changed(counters: Counters, state: State) -> Result<Step, TransitionError> {
    match state {
        State::ChoosingMethod
        | State::CollectingCard(_)
        | State::Complete { .. }
        | State::Cancelled { .. } => Ok(unchanged(counters, state)),
        // An offer is for one amount (contract 4.5).
        State::CheckingDevice { card } => Ok(unchanged(
            counters,
            State::CheckingDevice {
                card: EnteredCard {
                    offer: None,
                    ..card
                },
            },
        )),
        State::Ready { card } => Ok(unchanged(
            counters,
            State::Ready {
                card: EnteredCard {
                    offer: None,
                    ..card
                },
            },
        )),
        State::VerifyingDevice { .. }
        | State::Challenged { .. }
        | State::Authorizing { .. }
        | State::SteppingUp { .. }
        | State::Redirected { .. }
        | State::AuthorizingMethod { .. }
        | State::Dead => Err(TransitionError::WrongState),
    }
}
