//! What follows from the time: a warning, questions to the gateway, an explanation of a long wait.

use super::*;

const NOW: u64 = 1_700_000_000_000;

fn counted(snapshot: SessionSnapshot, seconds: u32) -> Flow {
    let (flow, _) = start(CaptureInitiator::Frame, Renewal::Unavailable, snapshot);
    let (flow, effects) = flow.step(Event::TimingStarted(NOW));
    assert_eq!(effects, [Effect::BeginWait(flow.phase.waiting_for())]);
    flow.step(told(seconds, NOW)).0
}

fn told(seconds: u32, received_ms: u64) -> Event {
    Event::TimeTold(TimeLeft {
        seconds,
        received_ms,
    })
}

fn typing() -> SessionSnapshot {
    SessionSnapshot::Collecting(None)
}

#[test]
fn the_buyer_is_warned_once_and_the_gateway_asked_at_the_end() {
    let flow = counted(typing(), 100);
    assert_eq!(flow.seconds_left(), None);
    let (flow, effects) = flow.step(Event::TimePassed(NOW + 80_000));
    assert_eq!(effects, [Effect::CountOn(1_000), Effect::Warn(20)]);
    assert_eq!(flow.seconds_left(), Some(20));
    let (flow, effects) = flow.step(Event::TimePassed(NOW + 81_000));
    assert_eq!(effects, [Effect::CountOn(1_000)]);
    assert_eq!(flow.seconds_left(), Some(19));
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::TimePassed(NOW + 102_001));
    assert_eq!(effects, [Effect::PeekState(generation)]);
    assert_eq!(
        flow.phase,
        Phase::Collecting(Notice::None),
        "nothing ends by itself"
    );
    let (flow, _) = flow.step(told(100, NOW + 102_100));
    assert_eq!(flow.seconds_left(), None, "there is time again");
}

#[test]
fn the_end_of_the_issuers_time_explains_the_refusal_that_follows() {
    let flow = counted(
        SessionSnapshot::Challenge("https://issuer.example/a".into()),
        60,
    );
    let (flow, effects) = flow.step(Event::TimePassed(NOW + 62_001));
    assert_eq!(flow.trouble, Some(ChallengeFailure::TimedOut));
    assert_eq!(count(&effects, Call::ReadState), 1);
}

#[test]
fn another_wait_begins_with_every_phase_that_somebody_else_has_to_end() {
    let flow = counted(typing(), 10);
    assert!(flow.seconds_left().is_some());
    let (flow, effects) = flow.step(Event::Submitted(NOW));
    assert!(effects.contains(&Effect::BeginWait(WaitingFor::Gateway)));
    assert_eq!(flow.seconds_left(), None);
    let (flow, effects) = flow.step(Event::WaitIsLong);
    assert_eq!(effects, [Effect::ExplainWait]);
    assert!(flow.is_wait_long());
    let generation = flow.generation;
    let back = Event::Answered(generation, Answer::CardRefused(vec![]));
    let (flow, effects) = flow.step(back);
    assert!(effects.contains(&Effect::BeginWait(WaitingFor::Buyer)));
    assert!(!flow.is_wait_long());
    let (same, effects) = flow.clone().step(Event::WaitIsLong);
    assert_eq!((same, effects), (flow, vec![]), "no wait for the gateway");
}

#[test]
fn signs_of_the_buyer_prolong_the_session() {
    let flow = counted(typing(), 900);
    assert!(!flow.is_activity_due(NOW + 19_999) && flow.is_activity_due(NOW + 20_000));
    let (flow, effects) = flow.step(Event::BuyerActive(NOW + 19_999));
    assert_eq!(effects, []);
    let generation = flow.generation;
    let (_, effects) = flow.clone().step(Event::BuyerActive(NOW + 20_000));
    assert_eq!(effects, [Effect::PeekState(generation)]);
    let (_, effects) = flow.step(Event::BuyerReturned);
    assert_eq!(effects, [Effect::PeekState(generation)]);
}

#[test]
fn a_form_that_counts_no_time_asks_only_when_it_is_asked_to() {
    let (flow, _) = start(CaptureInitiator::Page, Renewal::Unavailable, typing());
    for event in [
        Event::TimePassed(NOW),
        told(1, NOW),
        Event::BuyerActive(NOW),
        Event::BuyerReturned,
        Event::WaitIsLong,
    ] {
        let (same, effects) = flow.clone().step(event);
        assert_eq!((same, effects), (flow.clone(), vec![]));
    }
    let generation = flow.generation;
    let (_, effects) = flow.step(Event::RefreshRequested);
    assert_eq!(effects, [Effect::PeekState(generation)]);
}

#[test]
fn nobody_is_asked_after_the_end() {
    let paid = SessionSnapshot::Complete(verdict(Outcome::Approved));
    let flow = counted(paid, 900);
    let (_, effects) = flow.step(Event::BuyerReturned);
    assert_eq!(effects, []);
}
