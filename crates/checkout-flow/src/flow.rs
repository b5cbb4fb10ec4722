//! The form's state machine: what a payment in the form does next, as one pure function.
//!
//! Use it through [`Flow::collecting`], [`Flow::opening`] and [`Flow::step`]; the caller carries out the [`Effect`]s and
//! reports their results as [`Event`]s. It decides order, retries, limits and outcomes. It does not know
//! card data, clocks, requests or the screen, and it never claims a result that the gateway has not stated.
//!
//! Every call and every wait carries the [`Generation`] in which it was asked for. An answer to an earlier generation is
//! ignored, so a late, repeated or reordered answer can never move the form backwards.

mod answers;
mod challenge_failure;
mod choosing;
mod countdown;
mod event;
mod exchange;
mod failures;
mod issuer_frame;
mod issuer_page;
mod limits;
mod new_session;
mod outcome;
mod phase;
mod renewal;
#[cfg(test)]
mod tests;
mod timing;
mod waiting_for;

pub use challenge_failure::ChallengeFailure;
pub use countdown::TimeLeft;
pub use event::{Effect, Event};
pub use exchange::{Answer, Call, Failure, Generation, SessionSnapshot};
pub use issuer_frame::{FrameContent, IssuerPage};
pub use new_session::{NewSession, Renewal, Terms};
pub use outcome::{Outcome, Verdict};
pub use phase::{CaptureInitiator, Intent, Notice, Phase, ProofOfWork};
pub use waiting_for::WaitingFor;

use crate::choices::Choices;
use crate::sum::Sums;
use core::mem::discriminant;
use limits::{DEVICE_QUESTIONS, SERVER_INTERVAL_MS, SERVER_LIMIT_MS};
use timing::Timing;

/// The flow of one session, and of those that take its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    capture_initiator: CaptureInitiator,
    renewal: Renewal,
    /// The problem of the issuer's page, kept until it is reported with the outcome.
    trouble: Option<ChallengeFailure>,
    /// What the buyer was shown. `None`: the merchant's page does everything but the fields.
    sums: Option<Sums>,
    /// `None` until the choices are shown.
    choices: Option<Choices>,
    /// Whether the buyer is asked if they want to give the payment up.
    asks_to_give_up: bool,
    /// `None`: no time is counted.
    timing: Option<Timing>,
    generation: Generation,
    phase: Phase,
}

impl Flow {
    /// Begins with a session that waits for a card, and to which nothing has happened.
    pub fn collecting(capture_initiator: CaptureInitiator, renewal: Renewal) -> Self {
        Self::begin(capture_initiator, renewal, Phase::Collecting(Notice::None))
    }

    /// Begins with a session in any state, which [`Event::Opened`] tells.
    pub fn opening(capture_initiator: CaptureInitiator, renewal: Renewal) -> Self {
        Self::begin(capture_initiator, renewal, Phase::Opening)
    }

    fn begin(capture_initiator: CaptureInitiator, renewal: Renewal, phase: Phase) -> Self {
        Self {
            capture_initiator,
            renewal,
            trouble: None,
            sums: None,
            choices: None,
            asks_to_give_up: false,
            timing: None,
            generation: Generation::default(),
            phase,
        }
    }

    /// The buyer is shown these sums. Without any, no answer is about another sum.
    #[must_use]
    pub fn with_sums(self, sums: Sums) -> Self {
        Self {
            sums: Some(sums),
            ..self
        }
    }

    /// Identifies the current question: see [`Event::StatePeeked`].
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// The current phase.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Whether the buyer is asked if they want to give the payment up.
    pub fn asks_to_give_up(&self) -> bool {
        self.asks_to_give_up
    }

    /// The one transition function. An event that does not belong to the current phase or generation changes nothing.
    pub fn step(self, event: Event) -> (Self, Vec<Effect>) {
        let (flow, mut effects) = self.take(event);
        let (flow, follows) = flow.follow_wait();
        effects.extend(follows);
        (flow, effects)
    }

    fn take(self, event: Event) -> (Self, Vec<Effect>) {
        match event {
            Event::Answered(generation, _)
            | Event::WaitOver(generation)
            | Event::PuzzleSolved(generation, _)
            | Event::StatePeeked(generation, _)
                if generation != self.generation =>
            {
                self.stay()
            }
            Event::StatePeeked(_, answer) => self.state_peeked(answer),
            Event::Answered(_, answer) => self.answered(answer),
            Event::WaitOver(_) => self.wait_over(),
            Event::Opened(answer) => match self.phase {
                Phase::Opening => self.opened(answer),
                _ => self.stay(),
            },
            Event::PuzzleSolved(_, solution) => self.puzzle_solved(solution),
            Event::MethodChosen => match self.phase {
                Phase::ChoosingMethod => self.call(Phase::OpeningCard, Call::ChooseCard),
                _ => self.stay(),
            },
            Event::ElsewhereChosen(method) => match self.phase {
                Phase::ChoosingMethod => {
                    self.call(Phase::OpeningElsewhere { method }, Call::ChooseElsewhere)
                }
                _ => self.stay(),
            },
            Event::ChoicesOpened { asked, types_card } => self.choices_opened(asked, types_card),
            Event::Choice(event) => self.choice(event),
            Event::OfferWaitOver(now_ms) => self.offer_wait_over(now_ms),
            Event::GivingUpRequested if self.phase.may_be_given_up() => {
                (self.asking_to_give_up(true), vec![])
            }
            Event::GivingUpRequested => self.stay(),
            Event::GivingUpDropped => (self.asking_to_give_up(false), vec![]),
            Event::LeaveRequested => match &self.phase {
                Phase::Elsewhere { url } => {
                    let leave = Effect::Leave(url.clone());
                    (self, vec![leave])
                }
                _ => self.stay(),
            },
            Event::Submitted(now_ms) => match self.phase {
                Phase::Collecting(_) | Phase::Resuming => {
                    self.asking_to_give_up(false).submit(now_ms)
                }
                // The press counts as soon as there is another session.
                Phase::Renewing { .. } => (self.enter(Phase::Renewing { pressed: true }), vec![]),
                Phase::Reviewing if self.capture_initiator == CaptureInitiator::Frame => {
                    self.call(Phase::Completing { tries: 0 }, Call::Complete)
                }
                // The form does not make the completion call, or the other side may have made it already: the gateway learns what the buyer agrees to.
                Phase::Reviewing | Phase::Repriced => {
                    self.call(Phase::Agreeing { tries: 0 }, Call::AgreeToSum)
                }
                _ => self.stay(),
            },
            Event::SubmittedOffline => match self.phase {
                Phase::Collecting(_) | Phase::Resuming => {
                    (self.enter(Phase::Collecting(Notice::Connection)), vec![])
                }
                _ => self.stay(),
            },
            Event::ChallengeLeft => match self.phase {
                Phase::Challenge { .. } => self
                    .with_challenge_failure(ChallengeFailure::Cancelled)
                    .call(Phase::LeavingChallenge { tries: 0 }, Call::LeaveChallenge),
                _ => self.stay(),
            },
            Event::CancelRequested => match self.phase {
                _ if !self.phase.may_be_given_up() => self.stay(),
                Phase::Challenge { .. } => self
                    .with_challenge_failure(ChallengeFailure::Cancelled)
                    .call(Phase::Cancelling { tries: 0 }, Call::Cancel),
                _ => self.call(Phase::Cancelling { tries: 0 }, Call::Cancel),
            },
            Event::IssuerPageSeen(content) => self.issuer_page_seen(content),
            Event::IssuerPageLate => self.issuer_page_late(),
            Event::ChallengeTroubled(trouble) => self.challenge_troubled(trouble),
            Event::WindowRequested => self.window_requested(),
            Event::TimingStarted(now_ms) => self.timing_started(now_ms),
            Event::TimeTold(told) => self.time_told(told),
            Event::TimePassed(now_ms) => self.time_passed(now_ms),
            Event::WaitIsLong => self.wait_is_long(),
            Event::BuyerActive(now_ms) => self.buyer_active(now_ms),
            Event::BuyerReturned => self.buyer_returned(),
            Event::RefreshRequested => self.refresh(),
            Event::RetryRequested
            | Event::Renewed(_)
            | Event::RenewalFailed
            | Event::FieldsIncomplete => self.renewal(event),
            Event::RecheckRequested => match self.phase {
                Phase::Unknown { .. } => self.ask_again(Call::ReadState),
                _ => self.stay(),
            },
            Event::Hinted => self.hinted(),
        }
    }

    /// What the form waits for may have happened: it asks now.
    fn hinted(self) -> (Self, Vec<Effect>) {
        match self.phase {
            Phase::CheckingDevice { question, .. } => self.ask_device(question),
            Phase::Challenge { .. } | Phase::AwaitingServer { .. } | Phase::Unknown { .. } => {
                self.ask_again(Call::ReadState)
            }
            Phase::Verifying { question, .. } => self.ask_again(Call::VerifyDevice(question)),
            _ => self.stay(),
        }
    }

    fn wait_over(self) -> (Self, Vec<Effect>) {
        match self.phase.clone() {
            Phase::Sending { .. } => self.ask_again(Call::SendCard),
            Phase::Verifying { question, .. } => self.ask_again(Call::VerifyDevice(question)),
            // Ten seconds without a report: a form goes on without the check. Pages of the Build protocol get its failure
            // from the gateway, as they know it (contract 6.1).
            Phase::CheckingDevice {
                question: DEVICE_QUESTIONS..,
                ..
            } if self.capture_initiator != CaptureInitiator::Page => {
                self.call(Phase::SkippingDevice { tries: 0 }, Call::SkipDevice)
            }
            Phase::CheckingDevice { question, .. } => self.ask_device(question),
            Phase::SkippingDevice { .. } => self.ask_again(Call::SkipDevice),
            Phase::LeavingChallenge { .. } => self.ask_again(Call::LeaveChallenge),
            Phase::AwaitingServer { waited_ms } if waited_ms >= SERVER_LIMIT_MS => {
                self.unknown(Intent::Watch)
            }
            Phase::AwaitingServer { waited_ms } => {
                let phase = Phase::AwaitingServer {
                    waited_ms: waited_ms + SERVER_INTERVAL_MS,
                };
                self.call(phase, Call::ReadState)
            }
            Phase::Completing { .. } => self.ask_again(Call::Complete),
            Phase::Agreeing { .. } => self.ask_again(Call::AgreeToSum),
            Phase::Challenge { .. }
            | Phase::Elsewhere { .. }
            | Phase::Rereading { .. }
            | Phase::Unknown { .. } => self.ask_again(Call::ReadState),
            Phase::Cancelling { .. } => self.ask_again(Call::Cancel),
            Phase::Opening
            | Phase::ChoosingMethod
            | Phase::OpeningCard
            | Phase::OpeningElsewhere { .. }
            | Phase::Collecting(_)
            | Phase::Reviewing
            | Phase::Repriced
            | Phase::HandedOver
            | Phase::Proving { .. }
            | Phase::Renewing { .. }
            | Phase::Resuming
            | Phase::Complete(_)
            | Phase::Retrying(_)
            | Phase::Expired => self.stay(),
        }
    }

    fn send_card(self, proof: ProofOfWork) -> (Self, Vec<Effect>) {
        self.call(Phase::Sending { tries: 0, proof }, Call::SendCard)
    }

    /// A puzzle of another release can not be read: nothing was charged, and the buyer is told that the service failed.
    fn puzzle_solved(self, solution: Option<String>) -> (Self, Vec<Effect>) {
        match (&self.phase, solution) {
            (Phase::Proving { asked }, Some(solution)) => {
                let asked = *asked;
                self.send_card(ProofOfWork { asked, solution })
            }
            (Phase::Proving { .. }, None) => {
                (self.enter(Phase::Collecting(Notice::Service)), vec![])
            }
            _ => self.stay(),
        }
    }

    /// The last question makes the gateway end the check. Only a page of the Build protocol asks it.
    fn ask_device(self, question: u8) -> (Self, Vec<Effect>) {
        let last = match self.capture_initiator {
            CaptureInitiator::Page => DEVICE_QUESTIONS,
            CaptureInitiator::Frame | CaptureInitiator::Server => DEVICE_QUESTIONS - 1,
        };
        self.ask_again(Call::CheckDevice(question.min(last)))
    }

    /// Only the first problem of a challenge counts.
    fn with_challenge_failure(self, trouble: ChallengeFailure) -> Self {
        Self {
            trouble: self.trouble.or(Some(trouble)),
            ..self
        }
    }

    fn stay(self) -> (Self, Vec<Effect>) {
        (self, vec![])
    }

    /// A new phase is a new generation: answers to questions of an earlier generation do not count.
    fn enter(self, phase: Phase) -> Self {
        // Something else is on the screen: the question to give up is closed.
        let is_same = discriminant(&self.phase) == discriminant(&phase);
        Self {
            asks_to_give_up: self.asks_to_give_up && is_same,
            generation: self.generation.next(),
            phase,
            ..self
        }
    }

    fn asking_to_give_up(self, asks_to_give_up: bool) -> Self {
        Self {
            asks_to_give_up,
            ..self
        }
    }

    fn call(self, phase: Phase, call: Call) -> (Self, Vec<Effect>) {
        let flow = self.enter(phase);
        let effect = Effect::Call(call, flow.generation);
        (flow, vec![effect])
    }

    fn ask_again(self, call: Call) -> (Self, Vec<Effect>) {
        let phase = self.phase.clone();
        self.call(phase, call)
    }

    fn wait(self, ms: u32) -> (Self, Vec<Effect>) {
        let phase = self.phase.clone();
        let flow = self.enter(phase);
        let effect = Effect::Wait(ms, flow.generation);
        (flow, vec![effect])
    }
}
