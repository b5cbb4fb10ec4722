//! Single payments, played from start to end.

use super::super::limits::{COMPLETION_TRIES, SERVER_INTERVAL_MS, SERVER_LIMIT_MS};
use super::*;
use crate::decline::Decline;

#[test]
fn managed_payment_runs_through() {
    let (flow, effects) = play(
        CaptureInitiator::Frame,
        SessionSnapshot::Collecting(None),
        &[
            |_| Event::Submitted(0),
            |generation| {
                Event::Answered(
                    generation,
                    Answer::CardTaken("https://issuer.example/check".into()),
                )
            },
            |_| Event::Hinted,
            |generation| Event::Answered(generation, Answer::DevicePassed),
            |generation| {
                Event::Answered(
                    generation,
                    Answer::State(SessionSnapshot::Challenge(
                        "https://issuer.example/a".into(),
                    )),
                )
            },
            |_| Event::Hinted,
            |generation| {
                Event::Answered(
                    generation,
                    Answer::State(SessionSnapshot::Complete(Verdict {
                        outcome: Outcome::Approved,
                        decline: None,
                        operation_id: "1".into(),
                    })),
                )
            },
        ],
    );
    assert!(
        matches!(flow.phase, Phase::Complete(ref verdict) if verdict.outcome == Outcome::Approved)
    );
    assert_eq!(count(&effects, Call::SendCard), 1);
    assert_eq!(count(&effects, Call::Complete), 1);
    assert!(effects.contains(&Effect::ForgetSecurityCode));
    assert!(effects.contains(&Effect::ReadCard));
}

#[test]
fn a_second_press_sends_nothing() {
    let (_, effects) = play(
        CaptureInitiator::Frame,
        SessionSnapshot::Collecting(None),
        &[|_| Event::Submitted(0), |_| Event::Submitted(0)],
    );
    assert_eq!(count(&effects, Call::SendCard), 1);
}

#[test]
fn declined_card_can_be_retried() {
    let (flow, effects) = play(
        CaptureInitiator::Frame,
        SessionSnapshot::Collecting(None),
        &[
            |_| Event::Submitted(0),
            |generation| Event::Answered(generation, Answer::CardTakenNoCheck),
            |generation| {
                Event::Answered(
                    generation,
                    Answer::State(SessionSnapshot::Collecting(Some(Verdict {
                        outcome: Outcome::Declined,
                        decline: Some(Decline::Funds),
                        operation_id: "1".into(),
                    }))),
                )
            },
        ],
    );
    assert_eq!(
        flow.phase,
        Phase::Collecting(Notice::Refused(Decline::Funds))
    );
    assert!(effects.contains(&Effect::NewAttempt));
    assert!(!effects.contains(&Effect::WipeCard));
}

#[test]
fn a_lost_closing_answer_is_asked_again_and_then_unknown_until_the_gateway_speaks() {
    let (mut flow, _) = play(
        CaptureInitiator::Frame,
        SessionSnapshot::Collecting(None),
        &[
            |_| Event::Submitted(0),
            |generation| Event::Answered(generation, Answer::CardTakenNoCheck),
        ],
    );
    let mut closes = 1;
    while matches!(flow.phase, Phase::Completing { .. }) {
        let generation = flow.generation;
        (flow, _) = flow.step(Event::Answered(
            generation,
            Answer::Failed(Failure::Connection),
        ));
        if matches!(flow.phase, Phase::Completing { .. }) {
            let generation = flow.generation;
            let (next, effects) = flow.step(Event::WaitOver(generation));
            flow = next;
            closes += count(&effects, Call::Complete);
        }
    }
    assert_eq!(closes, usize::from(COMPLETION_TRIES));
    assert_eq!(
        flow.phase,
        Phase::Unknown {
            asked: 0,
            intent: Intent::Pay
        }
    );
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::Answered(
        generation,
        Answer::State(SessionSnapshot::Complete(verdict(Outcome::Approved))),
    ));
    assert!(matches!(flow.phase, Phase::Complete(_)));
    assert!(effects.contains(&Effect::ReportOutcome(verdict(Outcome::Approved), None)));
}

/// M6: the limit of polling is no outcome. What was reported before stays, and nothing else is reported.
#[test]
fn asking_in_vain_ends_and_the_outcome_stays_unknown() {
    let (mut flow, _) = start(
        CaptureInitiator::Frame,
        Renewal::Unavailable,
        SessionSnapshot::Ready,
    );
    (flow, _) = flow.step(Event::Submitted(0));
    let mut outcomes = Vec::new();
    let mut questions = 0;
    loop {
        let generation = flow.generation;
        let failed = Event::Answered(generation, Answer::Failed(Failure::Connection));
        let (next, effects) = flow.step(failed);
        outcomes.extend(effects.iter().filter_map(|effect| match effect {
            Effect::ReportOutcome(verdict, _) => Some(verdict.outcome),
            _ => None,
        }));
        let generation = next.generation;
        let waits = effects
            .iter()
            .any(|effect| matches!(effect, Effect::Wait(..)));
        if !waits {
            flow = next;
            break;
        }
        (flow, _) = next.step(Event::WaitOver(generation));
        questions += 1;
        assert!(questions < 1000, "it ends: {flow:?}");
    }
    assert!(flow.phase.has_stopped_asking());
    assert!(matches!(flow.phase, Phase::Unknown { .. }));
    assert_eq!(outcomes, [Outcome::Unknown]);
    // The buyer may ask again, and is shown the outcome as soon as the gateway states it.
    let (flow, effects) = flow.step(Event::RecheckRequested);
    assert_eq!(count(&effects, Call::ReadState), 1);
    let generation = flow.generation;
    let state = Answer::State(SessionSnapshot::Complete(verdict(Outcome::Approved)));
    let (flow, _) = flow.step(Event::Answered(generation, state));
    assert!(matches!(flow.phase, Phase::Complete(_)));
}

#[test]
fn what_the_page_sees_to_is_not_asked_for() {
    let (flow, _) = start(
        CaptureInitiator::Page,
        Renewal::Unavailable,
        SessionSnapshot::Collecting(None),
    );
    let (flow, _) = flow.step(Event::Submitted(0));
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::Answered(generation, Answer::CardTakenNoCheck));
    assert_eq!(flow.phase, Phase::HandedOver);
    assert_eq!(effects, [Effect::ForgetSecurityCode]);
}

#[test]
fn the_form_waits_for_the_server_with_a_limit() {
    let (mut flow, _) = start(
        CaptureInitiator::Server,
        Renewal::Unavailable,
        SessionSnapshot::Ready,
    );
    let mut asked = 0;
    while matches!(flow.phase, Phase::AwaitingServer { .. }) {
        let generation = flow.generation;
        let (next, effects) = flow.step(Event::WaitOver(generation));
        asked += count(&effects, Call::ReadState);
        assert_eq!(count(&effects, Call::Complete), 0);
        let generation = next.generation;
        (flow, _) = next.step(Event::Answered(
            generation,
            Answer::Failed(Failure::Connection),
        ));
    }
    assert_eq!(asked, (SERVER_LIMIT_MS / SERVER_INTERVAL_MS) as usize);
    assert!(matches!(
        flow.phase,
        Phase::Unknown {
            intent: Intent::Watch,
            ..
        }
    ));
}

#[test]
fn a_reload_does_not_charge_without_a_press() {
    let (flow, effects) = start(
        CaptureInitiator::Frame,
        Renewal::Unavailable,
        SessionSnapshot::Ready,
    );
    assert_eq!(
        (flow.phase(), effects.as_slice()),
        (&Phase::Reviewing, [Effect::ReadCard].as_slice())
    );
}

/// K2: the card opens in place, and a second press does nothing.
#[test]
fn a_second_choice_of_a_method_asks_nothing() {
    let (flow, effects) = play(
        CaptureInitiator::Frame,
        SessionSnapshot::MethodSelection,
        &[
            |_| Event::MethodChosen,
            |_| Event::MethodChosen,
            |_| Event::ElsewhereChosen("wallet".into()),
            |generation| {
                Event::Answered(generation, Answer::State(SessionSnapshot::Collecting(None)))
            },
            |_| Event::MethodChosen,
        ],
    );
    assert_eq!(flow.phase, Phase::Collecting(Notice::None));
    assert_eq!(count(&effects, Call::ChooseCard), 1);
    assert_eq!(count(&effects, Call::ChooseElsewhere), 0);
}

/// K3: the buyer is sent to the method's page, and the form asks the gateway for the outcome.
#[test]
fn a_method_paid_elsewhere_takes_the_buyer_there() {
    let page = || SessionSnapshot::Elsewhere("https://method.example/a".into());
    let (mut flow, _) = start(
        CaptureInitiator::Frame,
        Renewal::Unavailable,
        SessionSnapshot::MethodSelection,
    );
    (flow, _) = flow.step(Event::ElsewhereChosen("wallet".into()));
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::Answered(generation, Answer::State(page())));
    assert!(effects.contains(&Effect::Leave("https://method.example/a".into())));
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::WaitOver(generation));
    assert_eq!(count(&effects, Call::ReadState), 1);
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::Answered(generation, Answer::State(page())));
    assert!(
        !effects.contains(&Effect::Leave("https://method.example/a".into())),
        "once"
    );
    let generation = flow.generation;
    let (flow, _) = flow.step(Event::WaitOver(generation));
    let generation = flow.generation;
    let paid = Answer::State(SessionSnapshot::Complete(verdict(Outcome::Approved)));
    let (flow, _) = flow.step(Event::Answered(generation, paid));
    assert_eq!(flow.phase, Phase::Complete(verdict(Outcome::Approved)));
}

/// K7: the server confirms with another amount; the buyer accepts, and only then the check runs that leads to the charge.
#[test]
fn another_amount_waits_for_the_buyer() {
    let verifying = |url: &str| Answer::State(SessionSnapshot::Verifying(url.into()));
    let (flow, _) = start(
        CaptureInitiator::Server,
        Renewal::Unavailable,
        SessionSnapshot::Ready,
    );
    let generation = flow.generation;
    let (flow, _) = flow.step(Event::WaitOver(generation));
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::Answered(
        generation,
        repriced(SessionSnapshot::Ready),
    ));
    assert_eq!(flow.phase, Phase::Repriced);
    assert!(effects.contains(&Effect::NewAttempt));
    let (flow, effects) = flow.step(Event::Submitted(0));
    assert_eq!(count(&effects, Call::AgreeToSum), 1);
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::Answered(generation, verifying("")));
    assert_eq!(count(&effects, Call::VerifyDevice(1)), 1);
    let generation = flow.generation;
    let (flow, _) = flow.step(Event::Answered(
        generation,
        verifying("https://issuer.example/v"),
    ));
    assert!(matches!(flow.phase, Phase::Verifying { ref url, .. } if url.ends_with("/v")));
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::WaitOver(generation));
    assert_eq!(count(&effects, Call::VerifyDevice(2)), 1);
    let generation = flow.generation;
    let paid = Answer::State(SessionSnapshot::Complete(verdict(Outcome::Approved)));
    let (flow, _) = flow.step(Event::Answered(generation, paid));
    assert_eq!(flow.phase, Phase::Complete(verdict(Outcome::Approved)));
}

/// The sum changes while the buyer types: what was typed stays, and the next press is for the new sum.
#[test]
fn another_sum_while_typing_is_only_shown() {
    let collecting = SessionSnapshot::Collecting(None);
    let (flow, _) = start(
        CaptureInitiator::Frame,
        Renewal::Unavailable,
        collecting.clone(),
    );
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::StatePeeked(generation, repriced(collecting)));
    assert_eq!(flow.phase, Phase::Collecting(Notice::None));
    assert_eq!(
        effects,
        [looks_up(), Effect::NewAttempt, Effect::ShowNewTerms]
    );
}

/// The sum changes while a press is on its way: nothing is charged, and the buyer is asked again.
#[test]
fn a_press_for_another_sum_is_asked_again() {
    let collecting = || SessionSnapshot::Collecting(None);
    let (flow, _) = start(CaptureInitiator::Frame, Renewal::Unavailable, collecting());
    let (flow, _) = flow.step(Event::Submitted(0));
    // The gateway does not take the card for another sum.
    let generation = flow.generation;
    let (flow, _) = flow.step(Event::Answered(
        generation,
        Answer::Failed(Failure::WrongState),
    ));
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::Answered(generation, repriced(collecting())));
    assert_eq!(flow.phase, Phase::Collecting(Notice::SumChanged));
    assert_eq!(effects, [looks_up(), Effect::NewAttempt]);
    // Nor does it close for another sum, once it has the card.
    let (flow, _) = flow.step(Event::Submitted(0));
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::Answered(generation, Answer::CardTakenNoCheck));
    assert_eq!(count(&effects, Call::Complete), 1);
    let generation = flow.generation;
    let (flow, _) = flow.step(Event::Answered(
        generation,
        Answer::Failed(Failure::WrongState),
    ));
    let generation = flow.generation;
    let other_sum = Answer::StateWithSums(SessionSnapshot::Ready, sums("3700"));
    let (flow, _) = flow.step(Event::Answered(generation, other_sum));
    assert_eq!(flow.phase, Phase::Repriced);
    let (flow, effects) = flow.step(Event::Submitted(0));
    assert_eq!(count(&effects, Call::AgreeToSum), 1);
    let generation = flow.generation;
    let ready = Answer::State(SessionSnapshot::Ready);
    let (_, effects) = flow.step(Event::Answered(generation, ready));
    assert_eq!(count(&effects, Call::Complete), 1);
}

/// After the buyer gave up, the form does not ask for another press at another sum.
#[test]
fn giving_up_is_not_undone_by_another_sum() {
    let (flow, _) = start(
        CaptureInitiator::Frame,
        Renewal::Unavailable,
        SessionSnapshot::Ready,
    );
    let (flow, _) = flow.step(Event::CancelRequested);
    let generation = flow.generation;
    let (flow, _) = flow.step(Event::Answered(
        generation,
        Answer::Failed(Failure::WrongState),
    ));
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::Answered(
        generation,
        repriced(SessionSnapshot::Ready),
    ));
    assert_eq!(flow.phase, Phase::Cancelling { tries: 0 });
    assert_eq!(count(&effects, Call::Cancel), 1);
}

#[test]
fn a_session_that_nobody_asked_for_is_taken_only_before_anything_is_paid() {
    let session = |terms| {
        Event::Renewed(NewSession {
            capture_initiator: CaptureInitiator::Frame,
            snapshot: SessionSnapshot::Collecting(None),
            terms,
            sums: None,
            asked: Asked::default(),
        })
    };
    let collecting = SessionSnapshot::Collecting(None);
    let (flow, _) = start(CaptureInitiator::Frame, Renewal::Unavailable, collecting);
    let (typing, effects) = flow.clone().step(session(Terms::Changed));
    assert_eq!(typing.phase, Phase::Collecting(Notice::None));
    assert_eq!(effects, [Effect::NewAttempt, Effect::ShowNewTerms]);
    let (sending, _) = flow.step(Event::Submitted(0));
    let (same, effects) = sending.clone().step(session(Terms::Changed));
    assert_eq!((same, effects), (sending, vec![]));
}

#[test]
fn a_silent_device_check_is_left_to_the_gateway_only_by_pages_of_the_build_protocol() {
    for (capture_initiator, last) in [
        (CaptureInitiator::Frame, 9),
        (CaptureInitiator::Server, 9),
        (CaptureInitiator::Page, 10),
    ] {
        let (mut flow, _) = play(
            capture_initiator,
            SessionSnapshot::Collecting(None),
            &[
                |_| Event::Submitted(0),
                |generation| {
                    Event::Answered(
                        generation,
                        Answer::CardTaken("https://issuer.example/check".into()),
                    )
                },
            ],
        );
        let (mut questions, mut skipped) = (0, false);
        for _ in 0..40 {
            let generation = flow.generation;
            let (next, effects) = flow.step(Event::WaitOver(generation));
            flow = next;
            for effect in effects {
                if let Effect::Call(call, generation) = effect {
                    match call {
                        Call::CheckDevice(question) => questions = questions.max(question),
                        Call::SkipDevice => skipped = true,
                        // After the last question the gateway would have stated the outcome.
                        _ => assert_eq!(
                            (call, capture_initiator),
                            (Call::ReadState, CaptureInitiator::Page)
                        ),
                    }
                    if let Call::CheckDevice(_) = call {
                        flow = flow
                            .step(Event::Answered(generation, Answer::DevicePending))
                            .0;
                    }
                }
            }
        }
        assert_eq!(
            (questions, skipped),
            (last, capture_initiator != CaptureInitiator::Page)
        );
    }
}

#[test]
fn a_busy_gateway_is_given_the_time_that_it_asks_for() {
    for (asked_ms, waited_ms) in [(5_000, 5_000), (10, 500), (900_000, 60_000)] {
        let (flow, _) = play(
            CaptureInitiator::Frame,
            SessionSnapshot::Collecting(None),
            &[|_| Event::Submitted(0)],
        );
        let generation = flow.generation;
        let busy = Answer::Failed(Failure::Busy(asked_ms));
        let (_, effects) = flow.step(Event::Answered(generation, busy));
        assert!(
            matches!(effects.as_slice(), [Effect::Wait(ms, _)] if *ms == waited_ms),
            "{effects:?}"
        );
    }
}

#[test]
fn offline_at_submit_sends_nothing() {
    let (flow, effects) = play(
        CaptureInitiator::Frame,
        SessionSnapshot::Collecting(None),
        &[|_| Event::SubmittedOffline],
    );
    assert_eq!(flow.phase, Phase::Collecting(Notice::Connection));
    assert!(effects.is_empty());
}
