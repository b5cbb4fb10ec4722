//! How a payment continues in another session.

use super::guarantees::explore;
use super::*;
use std::collections::HashSet;

fn session(snapshot: SessionSnapshot, terms: Terms) -> Event {
    Event::Renewed(NewSession {
        capture_initiator: CaptureInitiator::Frame,
        snapshot,
        terms,
        sums: Some(sums("3545")),
        asked: Asked::default(),
    })
}

fn collecting(renewal: Renewal) -> Flow {
    start(
        CaptureInitiator::Frame,
        renewal,
        SessionSnapshot::Collecting(None),
    )
    .0
}

fn dies(flow: Flow) -> (Flow, Vec<Effect>) {
    let generation = flow.generation;
    let death = Answer::Failed(Failure::Expired);
    if flow.phase.is_at_rest() {
        flow.step(Event::StatePeeked(generation, death))
    } else {
        flow.step(Event::Answered(generation, death))
    }
}

fn calls(effects: &[Effect]) -> Vec<&Effect> {
    let is_call = |effect: &&Effect| matches!(effect, Effect::Call(..));
    effects.iter().filter(is_call).collect()
}

/// K15: while the page is asked, nothing is reported and nothing is lost.
#[test]
fn a_dead_session_is_renewed_silently() {
    let (flow, effects) = dies(collecting(Renewal::Available));
    assert_eq!(flow.phase, Phase::Renewing { pressed: false });
    assert_eq!(effects, [Effect::AskForSession]);
    let renewed = session(SessionSnapshot::Collecting(None), Terms::Same);
    let (flow, effects) = flow.step(renewed);
    assert_eq!(flow.phase, Phase::Collecting(Notice::None));
    assert_eq!(effects, [Effect::NewAttempt]);
}

#[test]
fn without_another_session_the_end_is_told_once() {
    let told = [
        Effect::ReportOutcome(Verdict::without_operation(Outcome::Failed), None),
        Effect::WipeCard,
    ];
    let (flow, effects) = dies(collecting(Renewal::Unavailable));
    assert_eq!(
        (flow.phase, effects.as_slice()),
        (Phase::Expired, told.as_slice())
    );
    let (flow, _) = dies(collecting(Renewal::Available));
    let (flow, effects) = flow.step(Event::RenewalFailed);
    assert_eq!(
        (&flow.phase, effects.as_slice()),
        (&Phase::Expired, told.as_slice())
    );
    let (_, effects) = flow.step(Event::RenewalFailed);
    assert_eq!(effects, []);
}

/// The press may have found the session dead, or come while the page is asked.
#[test]
fn a_press_goes_on_with_a_session_of_the_same_terms() {
    let sent = collecting(Renewal::Available).step(Event::Submitted(0)).0;
    let (waiting, _) = dies(collecting(Renewal::Available));
    for flow in [dies(sent).0, waiting.step(Event::Submitted(0)).0] {
        assert_eq!(flow.phase, Phase::Renewing { pressed: true });
        let renewed = session(SessionSnapshot::Collecting(None), Terms::Same);
        let (flow, effects) = flow.step(renewed);
        assert_eq!(flow.phase, Phase::Resuming);
        assert_eq!(effects, [Effect::NewAttempt, Effect::CheckFields]);
        let (sends, effects) = flow.clone().step(Event::Submitted(0));
        assert!(matches!(sends.phase, Phase::Sending { tries: 0, .. }));
        assert_eq!(count(&effects, Call::SendCard), 1);
        let (rests, effects) = flow.step(Event::FieldsIncomplete);
        assert_eq!(rests.phase, Phase::Collecting(Notice::None));
        assert_eq!(effects, []);
    }
}

#[test]
fn a_press_does_not_agree_to_other_terms() {
    let (flow, _) = dies(collecting(Renewal::Available));
    let renewed = || session(SessionSnapshot::Collecting(None), Terms::Changed);
    let pressed = flow.clone().step(Event::Submitted(0)).0;
    let (pressed, effects) = pressed.step(renewed());
    assert_eq!(pressed.phase, Phase::Collecting(Notice::None));
    assert!(effects.contains(&Effect::AskToPayAgain));
    assert!(!effects.contains(&Effect::CheckFields));
    // Without a press, the buyer only reads the new sum.
    let (_, effects) = flow.step(renewed());
    assert!(effects.contains(&Effect::ShowNewTerms));
}

/// A session that is ready has a card that this buyer may not have seen.
#[test]
fn a_press_does_not_pay_with_a_card_that_another_session_brought() {
    let (flow, _) = dies(collecting(Renewal::Available));
    let flow = flow.step(Event::Submitted(0)).0;
    let (flow, effects) = flow.step(session(SessionSnapshot::Ready, Terms::Same));
    assert_eq!(flow.phase, Phase::Reviewing);
    assert_eq!(calls(&effects), [] as [&Effect; 0]);
}

#[test]
fn a_refusal_for_good_can_be_retried_with_another_session_only() {
    let refused = SessionSnapshot::Complete(verdict(Outcome::Declined));
    let declined = |renewal| start(CaptureInitiator::Frame, renewal, refused.clone()).0;
    assert!(!declined(Renewal::Unavailable).may_retry());
    let flow = declined(Renewal::Available);
    assert!(flow.may_retry());
    let (asking, effects) = flow.clone().step(Event::RetryRequested);
    assert_eq!(asking.phase, Phase::Retrying(verdict(Outcome::Declined)));
    assert_eq!(effects, [Effect::AskForSession]);
    let (again, effects) = asking.clone().step(Event::RetryRequested);
    assert_eq!((&again, effects), (&asking, vec![]), "it is asked once");
    let (back, effects) = asking.clone().step(Event::RenewalFailed);
    assert_eq!((back.phase, effects), (flow.phase, vec![]));
    let renewed = session(SessionSnapshot::Collecting(None), Terms::Same);
    assert_eq!(
        asking.step(renewed).0.phase,
        Phase::Collecting(Notice::None)
    );
}

#[test]
fn a_session_that_nobody_asked_for_replaces_none_that_may_be_charged() {
    explore(|flow, event, next, effects| {
        let asked = matches!(flow.phase, Phase::Renewing { .. } | Phase::Retrying(_));
        let is_ignored = match event {
            Event::RenewalFailed => !asked,
            Event::Renewed(_) => !flow.phase.takes_session(),
            _ => false,
        };
        if is_ignored {
            assert_eq!((next, effects), (flow, [].as_slice()));
        }
        if matches!(event, Event::Renewed(_)) {
            assert!(!flow.phase.was_pressed() || is_ignored, "{flow:?}");
        }
        let asks = effects.contains(&Effect::AskForSession);
        assert!(!asks || flow.renewal == Renewal::Available, "{flow:?}");
        let begins = matches!(next.phase, Phase::Renewing { .. } | Phase::Retrying(_));
        assert_eq!(asks, begins && !asked, "{flow:?} {event:?}");
    });
}

/// So the guarantees of [`super::guarantees`] apply to it, too, and no answer about the former session counts.
#[test]
fn another_session_begins_as_a_first_one_does() {
    let mut visited = HashSet::new();
    explore(|flow, _, _, _| {
        let asked = matches!(flow.phase, Phase::Renewing { .. } | Phase::Retrying(_));
        if !asked || !visited.insert((flow.capture_initiator, flow.phase.clone())) {
            return;
        }
        for snapshot in snapshots() {
            let (first, mut wanted) = start(
                CaptureInitiator::Frame,
                Renewal::Available,
                snapshot.clone(),
            );
            // A page that opens has no code of a former session.
            if matches!(snapshot, SessionSnapshot::Collecting(Some(_))) {
                wanted.insert(0, Effect::ForgetSecurityCode);
            }
            wanted.insert(0, Effect::NewAttempt);
            let (renewed, mut effects) = flow.clone().step(session(snapshot, Terms::Same));
            let renewed = match renewed.phase {
                // The press goes on, if the fields are complete.
                Phase::Resuming => {
                    assert_eq!(effects.pop(), Some(Effect::CheckFields));
                    renewed.step(Event::FieldsIncomplete).0
                }
                _ => renewed,
            };
            assert_eq!(renewed.phase, first.phase);
            assert_eq!(renewed.trouble, None);
            assert_ne!(
                renewed.generation, flow.generation,
                "a former answer is a stale one"
            );
            let kinds = |effects: &[Effect]| -> Vec<_> {
                effects.iter().map(std::mem::discriminant).collect()
            };
            assert_eq!(kinds(&effects), kinds(&wanted));
        }
    });
    assert!(!visited.is_empty());
}

/// A problem of the issuer's page is reported with the refusal that follows, once, and with nothing else.
#[test]
fn the_first_trouble_of_a_challenge_is_told_with_its_refusal() {
    let challenge = SessionSnapshot::Challenge("https://issuer.example/a".into());
    let (flow, _) = start(
        CaptureInitiator::Frame,
        Renewal::Unavailable,
        challenge.clone(),
    );
    let troubled = |flow: Flow, trouble| flow.step(Event::ChallengeTroubled(trouble)).0;
    let flow = troubled(flow, ChallengeFailure::TimedOut);
    let left = flow.clone().step(Event::ChallengeLeft).0;
    let answer = |flow: Flow, snapshot| {
        let generation = flow.generation;
        flow.step(Event::Answered(generation, Answer::State(snapshot)))
    };
    let refused = SessionSnapshot::Collecting(Some(verdict(Outcome::Declined)));
    let (back, effects) = answer(left, refused);
    let told = Effect::ReportRefusal(verdict(Outcome::Declined), Some(ChallengeFailure::TimedOut));
    assert!(effects.contains(&told), "{effects:?}");
    assert_eq!(back.trouble, None);
    let (_, effects) = answer(flow, SessionSnapshot::Complete(verdict(Outcome::Approved)));
    let told = Effect::ReportOutcome(verdict(Outcome::Approved), None);
    assert!(effects.contains(&told), "{effects:?}");
    let elsewhere = collecting(Renewal::Unavailable);
    let same = troubled(elsewhere.clone(), ChallengeFailure::TimedOut);
    assert_eq!(same, elsewhere, "there is no issuer's page");
}
