//! What holds in every (state, event) pair that can be reached.

use super::*;
use std::collections::{HashSet, VecDeque};

/// Visits every (state, event) pair that can be reached, with limits and counters as they are.
pub(super) fn explore(mut check: impl FnMut(&Flow, &Event, &Flow, &[Effect])) -> usize {
    let mut seen = HashSet::new();
    let mut queue = VecDeque::new();
    let place = |flow: &Flow| {
        let Flow {
            capture_initiator,
            renewal,
            trouble,
            ..
        } = *flow;
        // A trouble changes nothing there, where there are many states.
        let trouble = trouble.filter(|_| !matches!(flow.phase, Phase::Unknown { .. }));
        (capture_initiator, renewal, trouble, flow.phase.clone())
    };
    for capture_initiator in [
        CaptureInitiator::Frame,
        CaptureInitiator::Server,
        CaptureInitiator::Page,
    ] {
        for renewal in [Renewal::Available, Renewal::Unavailable] {
            for snapshot in snapshots() {
                let (flow, _) = start(capture_initiator, renewal, snapshot);
                if seen.insert(place(&flow)) {
                    queue.push_back(flow);
                }
            }
        }
    }
    let mut pairs = 0;
    while let Some(flow) = queue.pop_front() {
        for event in events(&flow) {
            let (next, effects) = flow.clone().step(event.clone());
            check(&flow, &event, &next, &effects);
            pairs += 1;
            if seen.insert(place(&next)) {
                queue.push_back(next);
            }
        }
    }
    pairs
}

#[test]
fn every_pair_has_an_answer_and_no_answer_breaks_a_promise() {
    let pairs = explore(|flow, event, next, effects| {
        let calls: Vec<_> = effects
            .iter()
            .filter(|effect| matches!(effect, Effect::Call(..) | Effect::Wait(..)))
            .collect();
        assert!(
            calls.len() <= 1,
            "one question at a time: {flow:?} {event:?} {effects:?}"
        );
        for effect in effects {
            if let Effect::Call(_, generation) | Effect::Wait(_, generation) = effect {
                assert_eq!(
                    *generation, next.generation,
                    "a question is of the new generation: {flow:?} {event:?}"
                );
            }
        }
        if let Event::Answered(generation, _)
        | Event::StatePeeked(generation, _)
        | Event::WaitOver(generation)
        | Event::PuzzleSolved(generation, _) = event
            && *generation != flow.generation
        {
            assert_eq!(
                (next, effects),
                (flow, [].as_slice()),
                "a stale answer changes nothing"
            );
        }
        if let Phase::Complete(verdict) = &flow.phase {
            let retries = *event == Event::RetryRequested && flow.may_retry();
            let (phase, wanted) = if retries {
                (
                    Phase::Retrying(verdict.clone()),
                    vec![Effect::AskForSession],
                )
            } else {
                (flow.phase.clone(), vec![])
            };
            assert_eq!(next.phase, phase, "an outcome stays: {event:?}");
            assert_eq!(effects, wanted, "an outcome is told once: {event:?}");
        }
    });
    assert!(pairs > 10_000, "explored {pairs} pairs only");
}

#[test]
fn the_card_is_charged_only_after_a_press_and_never_after_giving_up() {
    explore(|flow, event, _, effects| {
        let closes = effects
            .iter()
            .any(|effect| matches!(effect, Effect::Call(Call::Complete, _)));
        let wished = flow.phase.was_pressed()
            || (flow.phase == Phase::Reviewing && *event == Event::Submitted(0));
        assert!(!closes || wished, "{flow:?} {event:?}");
        if closes {
            assert_eq!(
                flow.capture_initiator,
                CaptureInitiator::Frame,
                "the server closes: {flow:?} {event:?}"
            );
        }
    });
}

#[test]
fn success_is_told_only_where_the_gateway_stated_it() {
    explore(|flow, event, _, effects| {
        for effect in effects {
            if let Effect::ReportOutcome(told, _) = effect
                && told.outcome == Outcome::Approved
            {
                let stated_by_new = |session: &NewSession| {
                    session.snapshot == SessionSnapshot::Complete(told.clone())
                };
                if matches!(event, Event::Renewed(session) if stated_by_new(session)) {
                    continue;
                }
                let (Event::Answered(
                    _,
                    Answer::State(SessionSnapshot::Complete(stated))
                    | Answer::StateWithSums(SessionSnapshot::Complete(stated), _)
                    | Answer::DeviceFailed(stated),
                )
                | Event::StatePeeked(
                    _,
                    Answer::State(SessionSnapshot::Complete(stated))
                    | Answer::StateWithSums(SessionSnapshot::Complete(stated), _),
                )) = event
                else {
                    panic!("{flow:?} {event:?}");
                };
                assert_eq!(stated, told);
            }
        }
    });
}

#[test]
fn an_end_wipes_the_card() {
    explore(|flow, event, next, effects| {
        let was_told = matches!(flow.phase, Phase::Retrying(_)) && *event == Event::RenewalFailed;
        let ended = matches!(next.phase, Phase::Complete(_) | Phase::Expired)
            && next.phase != flow.phase
            && !was_told;
        assert_eq!(
            ended && !next.may_retry(),
            effects.contains(&Effect::WipeCard),
            "{flow:?} {event:?}"
        );
        assert!(
            !(ended && next.may_retry()) || effects.contains(&Effect::ForgetSecurityCode),
            "another try asks for the security code again: {flow:?} {event:?}"
        );
    });
}

#[test]
fn a_waiting_phase_always_has_a_question_out() {
    explore(|flow, event, next, effects| {
        let waits = matches!(
            next.phase,
            Phase::OpeningCard
                | Phase::OpeningElsewhere { .. }
                | Phase::Elsewhere { .. }
                | Phase::Sending { .. }
                | Phase::Proving { .. }
                | Phase::CheckingDevice { .. }
                | Phase::Verifying { .. }
                | Phase::SkippingDevice { .. }
                | Phase::AwaitingServer { .. }
                | Phase::Completing { .. }
                | Phase::Challenge { .. }
                | Phase::LeavingChallenge { .. }
                | Phase::Rereading { .. }
                | Phase::Cancelling { .. }
        );
        let asks = effects.iter().any(|effect| {
            matches!(
                effect,
                Effect::Call(..) | Effect::Wait(..) | Effect::SolvePuzzle(..)
            )
        });
        assert!(
            !waits || asks || next.generation == flow.generation,
            "{flow:?} {event:?} {next:?}"
        );
    });
}

/// K3: the browser leaves for a method's page only because the buyer pressed, once for each press.
#[test]
fn the_browser_leaves_only_after_a_press() {
    explore(|flow, event, _, effects| {
        let leaves = effects
            .iter()
            .filter(|effect| matches!(effect, Effect::Leave(_)))
            .count();
        let pressed = match event {
            Event::LeaveRequested => matches!(flow.phase, Phase::Elsewhere { .. }),
            Event::Answered(_, Answer::State(SessionSnapshot::Elsewhere(_))) => {
                matches!(flow.phase, Phase::OpeningElsewhere { .. })
            }
            _ => false,
        };
        assert!(
            leaves <= usize::from(pressed),
            "{flow:?} {event:?} {effects:?}"
        );
    });
}

/// K7: what charges the card does not follow from another amount, but from the buyer's press after it.
#[test]
fn another_amount_is_accepted_before_the_charge() {
    explore(|flow, event, next, effects| {
        let charges = effects.iter().any(|effect| {
            matches!(
                effect,
                Effect::Call(Call::Complete | Call::VerifyDevice(_), _)
            )
        });
        if matches!(event, Event::Answered(generation, Answer::StateWithSums(..)) if *generation == flow.generation)
        {
            assert!(!charges, "{flow:?} {effects:?}");
        }
        if flow.phase == Phase::Repriced {
            assert!(!charges, "{flow:?} {event:?}");
            let accepted = matches!(next.phase, Phase::Agreeing { .. });
            assert!(!accepted || *event == Event::Submitted(0), "{event:?}");
        }
    });
}

/// K8: the device check of version 2, which leads to the charge, runs only after a press or the server's confirmation.
#[test]
fn a_device_check_after_confirming_needs_a_press_or_the_server() {
    explore(|flow, event, _, effects| {
        let verifies = effects
            .iter()
            .any(|effect| matches!(effect, Effect::Call(Call::VerifyDevice(_), _)));
        let waited = matches!(flow.phase, Phase::AwaitingServer { .. });
        assert!(
            !verifies || flow.phase.was_pressed() || waited,
            "{flow:?} {event:?}"
        );
        assert!(!verifies || flow.capture_initiator != CaptureInitiator::Page);
    });
}

#[test]
fn nothing_is_said_to_be_free_of_charge_where_the_outcome_may_be_forgotten() {
    explore(|flow, event, next, effects| {
        let (Event::Answered(generation, Answer::Failed(Failure::Forgotten))
        | Event::StatePeeked(generation, Answer::Failed(Failure::Forgotten))) = event
        else {
            return;
        };
        if *generation == flow.generation && next.phase != flow.phase {
            assert!(
                matches!(next.phase, Phase::Unknown { .. }),
                "{flow:?} {next:?}"
            );
        }
        let wiped = effects.contains(&Effect::WipeCard);
        assert!(!wiped, "what is unknown is no end: {flow:?} {effects:?}");
    });
}
