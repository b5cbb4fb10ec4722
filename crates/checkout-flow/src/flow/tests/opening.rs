//! Pages that open for a session to which something has happened.

use super::*;

/// After a reload the refusal is shown again, and what the buyer typed meanwhile stays.
#[test]
fn a_page_that_opens_after_a_refusal_keeps_what_is_typed() {
    let refused = SessionSnapshot::Collecting(Some(verdict(Outcome::Declined)));
    let (flow, effects) = start(CaptureInitiator::Frame, Renewal::Unavailable, refused);
    assert_eq!(
        flow.phase,
        Phase::Collecting(Notice::Refused(Decline::Funds))
    );
    let expected = [
        Effect::NewAttempt,
        Effect::ReportRefusal(verdict(Outcome::Declined), None),
    ];
    assert_eq!(effects, expected);
}

#[test]
fn a_page_whose_state_is_not_known_asks_for_it() {
    let opening = Flow::opening(CaptureInitiator::Frame, Renewal::Unavailable);
    let (pressed, effects) = opening.clone().step(Event::Submitted(0));
    assert_eq!((pressed.phase, effects), (Phase::Opening, vec![]));
    let (flow, effects) = opening.step(Event::Opened(Answer::Failed(Failure::Service)));
    assert_eq!(effects, [Effect::Call(Call::ReadState, flow.generation)]);
}
