//! What the flow does where an answer is missing: try again with patience, ask where the session stands, or say that the
//! outcome is not known. It never takes silence for a refusal.

use super::exchange::{Call, Failure};
use super::limits::{
    CHALLENGE_INTERVAL_MS, CLOSE_TRIES, DEVICE_LOST, SEND_TRIES, SERVER_INTERVAL_MS,
    UNKNOWN_INTERVAL_MS, UNKNOWN_QUESTIONS, backoff_ms,
};
use super::{Effect, Flow, Notice, Outcome, Phase, Verdict, Wish};

impl Flow {
    pub(super) fn failed(self, failure: Failure) -> (Self, Vec<Effect>) {
        if failure == Failure::Expired {
            // A session that died was never charged: contract 4.1.
            let effects = vec![
                Effect::ReportOutcome(Verdict::without_operation(Outcome::Failed)),
                Effect::WipeCard,
            ];
            return (self.enter(Phase::Expired), effects);
        }
        match self.phase.clone() {
            Phase::ChoosingMethod
            | Phase::Collecting(_)
            | Phase::Reviewing
            | Phase::Repriced
            | Phase::HandedOver
            | Phase::Complete(_)
            | Phase::Expired => self.stay(),
            Phase::OpeningCard | Phase::OpeningElsewhere => self.reread(Wish::Watch),
            _ if failure == Failure::WrongState => self.misplaced(),
            Phase::Sending { tries } if tries + 1 < SEND_TRIES => self
                .enter(Phase::Sending { tries: tries + 1 })
                .wait(backoff_ms(tries)),
            // Sending charges nothing, so the buyer may simply press again, with the same key.
            Phase::Sending { .. } => {
                let notice = match failure {
                    Failure::Connection => Notice::Connection,
                    _ => Notice::Service,
                };
                (self.enter(Phase::Collecting(notice)), vec![])
            }
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
                self.enter(phase).wait(backoff_ms(lost))
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
                self.enter(phase).wait(backoff_ms(lost))
            }
            Phase::CheckingDevice { .. } | Phase::Verifying { .. } => self.reread(Wish::Pay),
            Phase::AwaitingServer { .. } => self.wait(SERVER_INTERVAL_MS),
            Phase::Challenge { .. } | Phase::Elsewhere { .. } => self.wait(CHALLENGE_INTERVAL_MS),
            Phase::Closing { tries } if tries + 1 < CLOSE_TRIES => self
                .enter(Phase::Closing { tries: tries + 1 })
                .wait(backoff_ms(tries)),
            Phase::Cancelling { tries } if tries + 1 < CLOSE_TRIES => self
                .enter(Phase::Cancelling { tries: tries + 1 })
                .wait(backoff_ms(tries)),
            Phase::Rereading { tries, wish } if tries + 1 < CLOSE_TRIES => {
                let phase = Phase::Rereading {
                    tries: tries + 1,
                    wish,
                };
                self.enter(phase).wait(backoff_ms(tries))
            }
            Phase::Closing { .. } => self.unknown(Wish::Pay),
            Phase::Cancelling { .. } => self.unknown(Wish::GiveUp),
            Phase::Rereading { wish, .. } => self.unknown(wish),
            Phase::Unknown { asked, wish } => self.keep_asking(asked + 1, wish),
        }
    }

    /// The gateway says that the call does not fit: ask where the session stands.
    pub(super) fn misplaced(self) -> (Self, Vec<Effect>) {
        match self.phase {
            Phase::Unknown { asked, wish } => self.keep_asking(asked + 1, wish),
            Phase::Rereading { wish, .. } => self.unknown(wish),
            Phase::Cancelling { .. } => self.reread(Wish::GiveUp),
            // The same card data would have been answered as before, so somebody else's card data is there.
            Phase::Sending { .. } => self.reread(Wish::Watch),
            _ => self.reread(Wish::Pay),
        }
    }

    pub(super) fn reread(self, wish: Wish) -> (Self, Vec<Effect>) {
        self.call(Phase::Rereading { tries: 0, wish }, Call::ReadState)
    }

    pub(super) fn unknown(self, wish: Wish) -> (Self, Vec<Effect>) {
        let (flow, mut effects) = self.keep_asking(0, wish);
        effects.push(Effect::ReportOutcome(Verdict::without_operation(
            Outcome::Unknown,
        )));
        (flow, effects)
    }

    pub(super) fn keep_asking(self, asked: u16, wish: Wish) -> (Self, Vec<Effect>) {
        let asked = asked.min(UNKNOWN_QUESTIONS);
        let flow = self.enter(Phase::Unknown { asked, wish });
        if asked < UNKNOWN_QUESTIONS {
            flow.wait(UNKNOWN_INTERVAL_MS)
        } else {
            (flow, vec![])
        }
    }
}
