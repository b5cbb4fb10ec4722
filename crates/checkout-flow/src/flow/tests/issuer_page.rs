//! What the buyer sees of the issuer's page, and when another way is offered.

use super::*;

const URL: &str = "https://issuer.example/a";

fn challenged() -> Flow {
    let challenge = SessionSnapshot::Challenge(URL.into());
    start(CaptureInitiator::Frame, Renewal::Unavailable, challenge).0
}

fn page(flow: &Flow) -> IssuerPage {
    match flow.phase {
        Phase::Challenge { page, .. } => page,
        _ => panic!("{flow:?}"),
    }
}

#[test]
fn a_page_that_has_come_and_is_replaced_is_removed_once() {
    let (flow, effects) = challenged().step(Event::IssuerPageSeen(FrameContent::Nothing));
    assert_eq!(
        (flow.clone(), effects),
        (challenged(), vec![]),
        "it still loads"
    );
    let flow = flow.step(Event::IssuerPageSeen(FrameContent::Ours)).0;
    assert!(page(&flow).has_come);
    for content in [FrameContent::Nothing, FrameContent::Other] {
        let (away, effects) = flow.clone().step(Event::IssuerPageSeen(content));
        assert!(page(&away).is_away);
        assert_eq!(effects, [Effect::RemoveIssuerPage(URL.into())]);
        for content in [FrameContent::Ours, FrameContent::Other] {
            let (same, effects) = away.clone().step(Event::IssuerPageSeen(content));
            assert_eq!((same, effects), (away.clone(), vec![]));
        }
    }
}

#[test]
fn the_whole_window_is_offered_if_the_page_does_not_come_or_fails() {
    let late = challenged().step(Event::IssuerPageLate).0;
    assert!(page(&late).offers_window);
    let come = challenged()
        .step(Event::IssuerPageSeen(FrameContent::Ours))
        .0;
    assert!(!page(&come.clone().step(Event::IssuerPageLate).0).offers_window);
    let (failed, effects) = come.step(Event::ChallengeTroubled(ChallengeFailure::Blocked));
    assert!(page(&failed).offers_window);
    assert_eq!(effects, [Effect::ReportTrouble(ChallengeFailure::Blocked)]);
    let (_, effects) = failed.step(Event::WindowRequested);
    assert_eq!(effects, [Effect::OpenIssuerWindow(URL.into())]);
}

/// The page of a challenge stays as it is while the gateway is asked, and another challenge begins anew.
#[test]
fn a_poll_keeps_the_page_and_another_challenge_does_not() {
    let flow = challenged()
        .step(Event::IssuerPageSeen(FrameContent::Ours))
        .0;
    let answer = |flow: Flow, answer| {
        let flow = flow.step(Event::Hinted).0;
        let generation = flow.generation;
        flow.step(Event::Answered(generation, answer)).0
    };
    let challenge = |url: &str| SessionSnapshot::Challenge(url.into());
    assert!(page(&answer(flow.clone(), Answer::State(challenge(URL)))).has_come);
    assert!(page(&answer(flow.clone(), repriced(challenge(URL)))).has_come);
    let another = challenge("https://issuer.example/b");
    assert!(!page(&answer(flow, Answer::State(another))).has_come);
}
