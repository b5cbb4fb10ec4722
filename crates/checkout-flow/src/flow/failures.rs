//! What the flow does if an answer is missing: try again after growing waits, ask for the session's state, or say that the
//! outcome is not known. It never treats a missing answer as a refusal.

use super::exchange::{Call, Failure};
use super::limits::{
    BUSY_LIMIT_MS, CHALLENGE_INTERVAL_MS, COMPLETION_TRIES, DEVICE_LOST, SEND_TRIES,
    SERVER_INTERVAL_MS, UNKNOWN_INTERVAL_MS, UNKNOWN_QUESTIONS, backoff_ms,
};
use super::{CaptureInitiator, Effect, Flow, Intent, Notice, Outcome, Phase, Verdict};

impl Flow {
    pub(super) fn failed(self, failure: Failure) -> (Self, Vec<Effect>) {
        match failure {
            Failure::Expired => return self.expired(),
            Failure::Forgotten => return self.forgotten(),
            _ => {}
        }
        let pause = |tries: u8| match failure {
            Failure::Busy(ms) => ms.clamp(backoff_ms(tries), BUSY_LIMIT_MS),
            _ => backoff_ms(tries),
        };
        match self.phase.clone() {
            Phase::Opening
            | Phase::ChoosingMethod
            | Phase::Collecting(_)
            | Phase::Reviewing
            | Phase::Repriced
            | Phase::HandedOver
            | Phase::Proving { .. }
            | Phase::Resuming
            | Phase::Renewing { .. }
            | Phase::Complete(_)
            | Phase::Retrying(_)
            | Phase::Expired => self.stay(),
            Phase::OpeningCard | Phase::OpeningElsewhere { .. } => self.reread(Intent::Watch),
            _ if failure == Failure::WrongState => self.misplaced(),
            Phase::Sending { tries, proof } if tries + 1 < SEND_TRIES => self
                .enter(Phase::Sending {
                    tries: tries + 1,
                    proof,
                })
                .wait(pause(tries)),
            // Sending charges nothing, so the buyer may simply press again, with the same key.
            Phase::Sending { .. } if failure == Failure::Connection => {
                (self.enter(Phase::Collecting(Notice::Connection)), vec![])
            }
            // A gateway that answers, even with errors, is asked whether it has the card.
            Phase::Sending { .. } => self.reread(Intent::Retry),
            Phase::CheckingDevice {
                url,
                question,
                lost,
            } if lost < DEVICE_LOST => {
                let phase = Phase::CheckingDevice {
                    url,
                    question,
                    lost: lost + 1,
                };
                self.enter(phase).wait(pause(lost))
            }
            Phase::Verifying {
                url,
                question,
                lost,
            } if lost < DEVICE_LOST => {
                let phase = Phase::Verifying {
                    url,
                    question,
                    lost: lost + 1,
                };
                self.enter(phase).wait(pause(lost))
            }
            Phase::SkippingDevice { tries } if tries + 1 < COMPLETION_TRIES => self
                .enter(Phase::SkippingDevice { tries: tries + 1 })
                .wait(pause(tries)),
            Phase::LeavingChallenge { tries } if tries + 1 < COMPLETION_TRIES => self
                .enter(Phase::LeavingChallenge { tries: tries + 1 })
                .wait(pause(tries)),
            Phase::CheckingDevice { .. }
            | Phase::Verifying { .. }
            | Phase::SkippingDevice { .. } => self.reread(Intent::Pay),
            Phase::LeavingChallenge { .. } => self.reread(Intent::Watch),
            Phase::AwaitingServer { .. } => self.wait(pause(0).max(SERVER_INTERVAL_MS)),
            Phase::Challenge { .. } | Phase::Elsewhere { .. } => {
                self.wait(pause(0).max(CHALLENGE_INTERVAL_MS))
            }
            Phase::Completing { tries } if tries + 1 < COMPLETION_TRIES => self
                .enter(Phase::Completing { tries: tries + 1 })
                .wait(pause(tries)),
            Phase::Agreeing { tries } if tries + 1 < COMPLETION_TRIES => self
                .enter(Phase::Agreeing { tries: tries + 1 })
                .wait(pause(tries)),
            // The merchant's server may have closed with it.
            Phase::Agreeing { .. } => self.unknown(Intent::Watch),
            Phase::Cancelling { tries } if tries + 1 < COMPLETION_TRIES => self
                .enter(Phase::Cancelling { tries: tries + 1 })
                .wait(pause(tries)),
            Phase::Rereading { tries, intent } if tries + 1 < COMPLETION_TRIES => {
                let phase = Phase::Rereading {
                    tries: tries + 1,
                    intent,
                };
                self.enter(phase).wait(pause(tries))
            }
            Phase::Completing { .. } => self.unknown(Intent::Pay),
            Phase::Cancelling { .. } => self.unknown(Intent::GiveUp),
            Phase::Rereading {
                intent: Intent::Retry,
                ..
            } => self.not_sent(),
            Phase::Rereading { intent, .. } => self.unknown(intent),
            Phase::Unknown { asked, intent } => self.keep_asking(asked + 1, intent),
        }
    }

    /// The gateway says that the call does not fit: read the session's state.
    pub(super) fn misplaced(self) -> (Self, Vec<Effect>) {
        match self.phase {
            Phase::Unknown { asked, intent } => self.keep_asking(asked + 1, intent),
            Phase::Rereading {
                intent: Intent::Retry,
                ..
            } => self.not_sent(),
            Phase::Rereading { intent, .. } => self.unknown(intent),
            Phase::Cancelling { .. } => self.reread(Intent::GiveUp),
            Phase::LeavingChallenge { .. } => self.reread(Intent::Watch),
            // The same card data would have the same answer as before, so another client has sent card data to the session.
            Phase::Sending { .. } => self.reread(Intent::Watch),
            _ => self.reread(Intent::Pay),
        }
    }

    /// The gateway keeps an outcome for a day. A form that was suspended for longer can not learn it.
    pub(super) fn forgotten(self) -> (Self, Vec<Effect>) {
        let told = matches!(self.phase, Phase::Unknown { .. });
        let (flow, mut effects) = self.keep_asking(UNKNOWN_QUESTIONS, Intent::Watch);
        if !told {
            effects.push(outcome_unknown());
        }
        (flow, effects)
    }

    /// Neither the card data nor the question about it has an answer. This form made no completion call; it can not know whether the
    /// merchant's server has.
    fn not_sent(self) -> (Self, Vec<Effect>) {
        match self.capture_initiator {
            CaptureInitiator::Frame | CaptureInitiator::Page => {
                (self.enter(Phase::Collecting(Notice::Service)), vec![])
            }
            CaptureInitiator::Server => self.unknown(Intent::Watch),
        }
    }

    pub(super) fn reread(self, intent: Intent) -> (Self, Vec<Effect>) {
        self.call(Phase::Rereading { tries: 0, intent }, Call::ReadState)
    }

    pub(super) fn unknown(self, intent: Intent) -> (Self, Vec<Effect>) {
        let (flow, mut effects) = self.keep_asking(0, intent);
        effects.push(outcome_unknown());
        (flow, effects)
    }

    pub(super) fn keep_asking(self, asked: u16, intent: Intent) -> (Self, Vec<Effect>) {
        let asked = asked.min(UNKNOWN_QUESTIONS);
        let flow = self.enter(Phase::Unknown { asked, intent });
        if asked < UNKNOWN_QUESTIONS {
            flow.wait(UNKNOWN_INTERVAL_MS)
        } else {
            (flow, vec![])
        }
    }
}

fn outcome_unknown() -> Effect {
    Effect::ReportOutcome(Verdict::without_operation(Outcome::Unknown), None)
}
