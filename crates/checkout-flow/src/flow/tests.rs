//! Tests of the flow: guarantees for every state, and single payments from start to end.

mod choosing;
mod guarantees;
mod issuer_page;
mod opening;
mod proofs;
mod renewals;
mod timing;
mod transitions;

use super::*;
use crate::choices::{Asked, ChoiceEffect};
use crate::decline::Decline;
use crate::sum::Sum;

fn verdict(outcome: Outcome) -> Verdict {
    let decline = (outcome == Outcome::Declined).then_some(Decline::Funds);
    Verdict {
        outcome,
        decline,
        operation_id: "1".into(),
    }
}

fn snapshots() -> Vec<SessionSnapshot> {
    let mut readings = vec![
        SessionSnapshot::MethodSelection,
        SessionSnapshot::Collecting(None),
        SessionSnapshot::Collecting(Some(verdict(Outcome::Declined))),
        SessionSnapshot::Ready,
        SessionSnapshot::Challenge("https://issuer.example/a".into()),
        SessionSnapshot::Challenge("https://issuer.example/b".into()),
        SessionSnapshot::Verifying("https://issuer.example/verify".into()),
        SessionSnapshot::Verifying(String::new()),
        SessionSnapshot::Elsewhere("https://method.example/a".into()),
    ];
    readings.extend(OUTCOMES.map(|outcome| SessionSnapshot::Complete(verdict(outcome))));
    readings
}

fn answers() -> Vec<Answer> {
    let mut answers = vec![
        Answer::CardTaken("https://issuer.example/check".into()),
        Answer::CardTakenNoCheck,
        Answer::CardRefused(vec![]),
        Answer::ProofDue("15.16.puzzle".into()),
        Answer::DevicePassed,
        Answer::DevicePending,
        Answer::DeviceFailed(verdict(Outcome::Declined)),
    ];
    answers.extend(snapshots().into_iter().map(Answer::State));
    answers.extend(FAILURES.map(Answer::Failed));
    answers
}

/// The kinds of another session.
fn renewals() -> Vec<Event> {
    let mut renewals = Vec::new();
    for snapshot in [
        SessionSnapshot::Collecting(None),
        SessionSnapshot::Ready,
        SessionSnapshot::Complete(verdict(Outcome::Approved)),
    ] {
        for (capture_initiator, terms) in [
            (CaptureInitiator::Frame, Terms::Same),
            (CaptureInitiator::Frame, Terms::Changed),
            (CaptureInitiator::Server, Terms::Same),
        ] {
            renewals.push(Event::Renewed(NewSession {
                capture_initiator,
                snapshot: snapshot.clone(),
                terms,
                sums: Some(sums("3545")),
                asked: Asked::default(),
            }));
        }
    }
    renewals
}

fn events(flow: &Flow) -> Vec<Event> {
    let stale = Generation(flow.generation.0.wrapping_sub(1));
    let mut events = vec![
        Event::MethodChosen,
        Event::ElsewhereChosen("wallet".into()),
        Event::LeaveRequested,
        Event::Submitted(0),
        Event::SubmittedOffline,
        Event::FieldsIncomplete,
        Event::ChallengeTroubled(ChallengeFailure::TimedOut),
        Event::IssuerPageSeen(FrameContent::Ours),
        Event::IssuerPageSeen(FrameContent::Other),
        Event::IssuerPageLate,
        Event::WindowRequested,
        Event::RefreshRequested,
        Event::RetryRequested,
        Event::RenewalFailed,
        Event::ChallengeLeft,
        Event::CancelRequested,
        Event::RecheckRequested,
        Event::GivingUpRequested,
        Event::GivingUpDropped,
        Event::OfferWaitOver(0),
        Event::Hinted,
        Event::WaitOver(flow.generation),
        Event::WaitOver(stale),
        Event::PuzzleSolved(flow.generation, Some("1.2".into())),
        Event::PuzzleSolved(flow.generation, None),
        Event::PuzzleSolved(stale, Some("1.2".into())),
    ];
    events.extend(renewals());
    let shown = flow.sums.as_ref().map(|sums| &*sums.session.amount_minor);
    let other = sums(if shown == Some("3545") {
        "3600"
    } else {
        "3545"
    });
    let repriced = |snapshot| Answer::StateWithSums(snapshot, other.clone());
    let repriced = snapshots().into_iter().map(repriced);
    for answer in answers().into_iter().chain(repriced) {
        events.push(Event::Answered(flow.generation, answer.clone()));
        events.push(Event::Answered(stale, answer.clone()));
        events.push(Event::StatePeeked(flow.generation, answer.clone()));
        events.push(Event::StatePeeked(stale, answer));
    }
    events
}

/// The flow of a page whose session has this state.
fn start(
    capture_initiator: CaptureInitiator,
    renewal: Renewal,
    snapshot: SessionSnapshot,
) -> (Flow, Vec<Effect>) {
    Flow::opening(capture_initiator, renewal)
        .with_sums(sums("3545"))
        .step(Event::Opened(Answer::State(snapshot)))
}

/// The sums of a session that asks for this amount.
fn sums(amount_minor: &str) -> Sums {
    Sums::of_session(Sum {
        amount_minor: amount_minor.into(),
        currency: "EUR".into(),
        minor_digits: 2,
    })
}

/// The state of a session whose sum has changed.
fn repriced(snapshot: SessionSnapshot) -> Answer {
    Answer::StateWithSums(snapshot, sums("3600"))
}

/// The answer to [`repriced`]: the card's number is looked up again, because an offer was for the former sum.
fn looks_up() -> Effect {
    Effect::Choice(ChoiceEffect::LookUpAnew)
}

/// Plays answers in the current generation and gives the phase at the end.
fn play(
    capture_initiator: CaptureInitiator,
    snapshot: SessionSnapshot,
    script: &[fn(Generation) -> Event],
) -> (Flow, Vec<Effect>) {
    let (mut flow, mut all) = start(capture_initiator, Renewal::Unavailable, snapshot);
    for event in script {
        let generation = flow.generation;
        let (next, effects) = flow.step(event(generation));
        flow = next;
        all.extend(effects);
    }
    (flow, all)
}

fn count(effects: &[Effect], call: Call) -> usize {
    effects
        .iter()
        .filter(|effect| matches!(effect, Effect::Call(made, _) if *made == call))
        .count()
}

const OUTCOMES: [Outcome; 7] = [
    Outcome::Approved,
    Outcome::Pending,
    Outcome::Declined,
    Outcome::Cancelled,
    Outcome::Failed,
    Outcome::Reversed,
    Outcome::Unknown,
];
const FAILURES: [Failure; 6] = [
    Failure::Connection,
    Failure::Service,
    Failure::Busy(5_000),
    Failure::WrongState,
    Failure::Expired,
    Failure::Forgotten,
];
