//! A gateway that takes the card only with a proof of work, because somebody tries out cards at the terminal.

use super::guarantees::explore;
use super::*;

const PUZZLE: &str = "15.16.puzzle";

fn due(generation: Generation) -> Event {
    Event::Answered(generation, Answer::ProofDue(PUZZLE.into()))
}

fn solved(generation: Generation) -> Event {
    Event::PuzzleSolved(generation, Some("1.2".into()))
}

fn pressed(script: &[fn(Generation) -> Event]) -> (Flow, Vec<Effect>) {
    let mut all: Vec<fn(Generation) -> Event> = vec![|_| Event::Submitted(0)];
    all.extend(script);
    play(
        CaptureInitiator::Frame,
        SessionSnapshot::Collecting(None),
        &all,
    )
}

/// M18: the buyer presses once.
#[test]
fn the_card_is_sent_again_with_the_solution_and_the_payment_goes_on() {
    let (flow, effects) = pressed(&[due]);
    assert_eq!(flow.phase, Phase::Proving { asked: 1 });
    let solve = Effect::SolvePuzzle(PUZZLE.into(), flow.generation);
    assert_eq!(effects.last(), Some(&solve));
    let (flow, effects) = pressed(&[due, solved]);
    let proof = ProofOfWork {
        asked: 1,
        solution: "1.2".into(),
    };
    assert_eq!(flow.phase, Phase::Sending { tries: 0, proof });
    assert_eq!(count(&effects, Call::SendCard), 2);
    let taken = |generation| Event::Answered(generation, Answer::CardTakenNoCheck);
    let (_, effects) = pressed(&[due, solved, taken]);
    assert_eq!(count(&effects, Call::Complete), 1);
}

#[test]
fn a_repetition_without_an_answer_sends_the_same_solution() {
    let lost = |generation| Event::Answered(generation, Answer::Failed(Failure::Connection));
    let (flow, _) = pressed(&[due, solved, lost, Event::WaitOver]);
    let proof = ProofOfWork {
        asked: 1,
        solution: "1.2".into(),
    };
    assert_eq!(flow.phase, Phase::Sending { tries: 1, proof });
}

#[test]
fn a_gateway_that_is_never_content_ends_the_press_and_not_the_payment() {
    let (flow, effects) = pressed(&[due, solved, due, solved, due, solved, due]);
    assert_eq!(flow.phase, Phase::Collecting(Notice::Service));
    assert_eq!(count(&effects, Call::SendCard), 4);
    let (flow, _) = flow.step(Event::Submitted(0));
    assert!(matches!(flow.phase, Phase::Sending { proof, .. } if proof == ProofOfWork::default()));
    let (flow, _) = pressed(&[due, |generation| Event::PuzzleSolved(generation, None)]);
    assert_eq!(flow.phase, Phase::Collecting(Notice::Service));
}

#[test]
fn the_buyer_may_cancel_while_the_proof_is_computed_and_a_solution_after_that_sends_no_card() {
    let (flow, _) = pressed(&[due]);
    let generation = flow.generation;
    let (flow, effects) = flow.step(Event::CancelRequested);
    assert_eq!(count(&effects, Call::Cancel), 1);
    let (_, effects) = flow.step(solved(generation));
    assert_eq!(effects, []);
}

#[test]
fn puzzles_are_solved_only_where_the_gateway_asked_for_it() {
    explore(|flow, event, next, effects| {
        let solves = effects
            .iter()
            .any(|effect| matches!(effect, Effect::SolvePuzzle(..)));
        let is_asked = matches!(flow.phase, Phase::Sending { .. })
            && matches!(event, Event::Answered(_, Answer::ProofDue(_)));
        assert!(!solves || is_asked, "{flow:?} {event:?}");
        assert_eq!(
            solves,
            matches!(next.phase, Phase::Proving { .. }) && next.generation != flow.generation,
            "{flow:?} {event:?}"
        );
    });
}
