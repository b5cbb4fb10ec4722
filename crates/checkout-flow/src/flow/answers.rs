//! What the flow does with an answer that the gateway gave.

use super::exchange::{Answer, Call, Failure, SessionSnapshot};
use super::limits::{
    CHALLENGE_INTERVAL_MS, DEVICE_INTERVAL_MS, DEVICE_QUESTIONS, PROOFS, SERVER_INTERVAL_MS,
    VERIFY_QUESTIONS,
};
use super::{
    CaptureInitiator, ChallengeFailure, Effect, Flow, Intent, IssuerPage, Notice, Outcome, Phase,
    Verdict,
};

impl Flow {
    /// The session's state, read while the form was at rest: another tab, the merchant's server or a limit may have
    /// changed it. If it is as expected, nothing changes, and the notice on the screen stays.
    pub(super) fn state_peeked(self, answer: Answer) -> (Self, Vec<Effect>) {
        match answer {
            _ if !self.phase.is_at_rest() => self.stay(),
            Answer::Failed(Failure::Expired) => self.expired(),
            Answer::Failed(Failure::Forgotten) => self.forgotten(),
            Answer::State(snapshot) => self.peeked_at(snapshot),
            Answer::StateWithSums(snapshot, sums) => {
                let (flow, other_sum) = self.take_sums(&snapshot, sums);
                let (flow, mut effects) = flow.peeked_at(snapshot);
                if let Some(follows) = other_sum {
                    effects.extend(follows);
                    if flow.phase.is_at_rest() {
                        // The next call names another sum, so it is a new attempt.
                        effects.push(Effect::NewAttempt);
                        effects.push(Effect::ShowNewTerms);
                    }
                }
                (flow, effects)
            }
            _ => self.stay(),
        }
    }

    /// A state that the form does not know is read again.
    pub(super) fn opened(self, answer: Answer) -> (Self, Vec<Effect>) {
        match answer {
            // The page shows these sums.
            Answer::State(snapshot) | Answer::StateWithSums(snapshot, _) => {
                let (flow, mut effects) = self.follow(snapshot);
                // What is in the fields was typed into this page, and the gateway has not got it.
                if matches!(flow.phase, Phase::Collecting(_)) {
                    effects.retain(|effect| *effect != Effect::ForgetSecurityCode);
                }
                (flow, effects)
            }
            _ => self.reread(Intent::Watch),
        }
    }

    fn peeked_at(self, snapshot: SessionSnapshot) -> (Self, Vec<Effect>) {
        match (&self.phase, &snapshot) {
            (Phase::HandedOver, SessionSnapshot::Complete(_)) => self.follow(snapshot),
            (Phase::HandedOver, _)
            | (Phase::ChoosingMethod, SessionSnapshot::MethodSelection)
            | (
                Phase::Collecting(_),
                SessionSnapshot::MethodSelection | SessionSnapshot::Collecting(_),
            )
            | (Phase::Reviewing, SessionSnapshot::Ready) => self.stay(),
            _ => self.follow(snapshot),
        }
    }

    pub(super) fn answered(self, answer: Answer) -> (Self, Vec<Effect>) {
        if !self.phase.has_question_out() {
            return self.stay();
        }
        match answer {
            Answer::Failed(failure) => self.failed(failure),
            Answer::StateWithSums(snapshot, sums) => {
                let (flow, other_sum) = self.take_sums(&snapshot, sums);
                match other_sum {
                    Some(mut effects) => {
                        let (flow, follows) = flow.repriced(snapshot);
                        effects.extend(follows);
                        (flow, effects)
                    }
                    None => flow.on_state(snapshot),
                }
            }
            Answer::State(snapshot) => self.on_state(snapshot),
            Answer::CardTaken(_)
            | Answer::CardTakenNoCheck
            | Answer::CardRefused(_)
            | Answer::ProofDue(_) => self.card_answered(answer),
            Answer::DevicePassed => match self.phase {
                Phase::CheckingDevice { .. } => self.ready(),
                _ => self.stay(),
            },
            Answer::DevicePending => match self.phase {
                Phase::CheckingDevice { question, .. } if question >= DEVICE_QUESTIONS => {
                    self.reread(Intent::Pay)
                }
                Phase::CheckingDevice { url, question, .. } => {
                    let question = question + 1;
                    let phase = Phase::CheckingDevice {
                        url,
                        question,
                        lost: 0,
                    };
                    Self { phase, ..self }.wait(DEVICE_INTERVAL_MS)
                }
                _ => self.stay(),
            },
            Answer::DeviceFailed(verdict) => match self.phase {
                Phase::CheckingDevice { .. } => self.complete(verdict),
                _ => self.stay(),
            },
        }
    }

    /// The sum differs from the one that the buyer was shown, so a press was not for it. Another sum needs another completion call.
    fn repriced(self, snapshot: SessionSnapshot) -> (Self, Vec<Effect>) {
        match snapshot {
            // The buyer gave up: nothing is paid at any sum.
            snapshot if self.phase.gives_up() => self.on_state(snapshot),
            SessionSnapshot::Ready | SessionSnapshot::Verifying(_) => (
                self.enter(Phase::Repriced),
                vec![Effect::NewAttempt, Effect::ReadCard],
            ),
            SessionSnapshot::Collecting(None) => (
                self.enter(Phase::Collecting(Notice::SumChanged)),
                vec![Effect::NewAttempt],
            ),
            snapshot => {
                let (flow, mut effects) = self.follow(snapshot);
                if flow.phase.is_at_rest() {
                    effects.push(Effect::NewAttempt);
                    effects.push(Effect::AskToPayAgain);
                }
                (flow, effects)
            }
        }
    }

    pub(super) fn card_answered(self, answer: Answer) -> (Self, Vec<Effect>) {
        let Phase::Sending { proof, .. } = &self.phase else {
            return self.stay();
        };
        let asked = proof.asked + 1;
        match answer {
            Answer::ProofDue(puzzle) if asked <= PROOFS => {
                let flow = self.enter(Phase::Proving { asked });
                let effect = Effect::SolvePuzzle(puzzle, flow.generation);
                (flow, vec![effect])
            }
            // Proofs do not help.
            Answer::ProofDue(_) => (self.enter(Phase::Collecting(Notice::Service)), vec![]),
            Answer::CardTaken(url) => {
                let phase = Phase::CheckingDevice {
                    url,
                    question: 1,
                    lost: 0,
                };
                let (flow, mut effects) = self.enter(phase).wait(DEVICE_INTERVAL_MS);
                effects.insert(0, Effect::ForgetSecurityCode);
                (flow, effects)
            }
            Answer::CardTakenNoCheck => {
                let (flow, mut effects) = self.ready();
                effects.insert(0, Effect::ForgetSecurityCode);
                (flow, effects)
            }
            Answer::CardRefused(refused) => self.card_refused(refused),
            _ => self.stay(),
        }
    }

    pub(super) fn on_state(self, snapshot: SessionSnapshot) -> (Self, Vec<Effect>) {
        match (&self.phase, snapshot) {
            (Phase::Verifying { question, .. }, SessionSnapshot::Verifying(_))
                if *question >= VERIFY_QUESTIONS =>
            {
                self.reread(Intent::Pay)
            }
            (Phase::Verifying { question, .. }, SessionSnapshot::Verifying(url)) => {
                let question = question + 1;
                let phase = Phase::Verifying {
                    url,
                    question,
                    lost: 0,
                };
                self.enter(phase).wait(DEVICE_INTERVAL_MS)
            }
            // The merchant's server has confirmed, as expected.
            (Phase::AwaitingServer { .. }, SessionSnapshot::Verifying(_)) => self.verify(),
            // A poll that found nothing new.
            (Phase::AwaitingServer { .. }, SessionSnapshot::Ready) => self.wait(SERVER_INTERVAL_MS),
            (Phase::Challenge { url, .. }, SessionSnapshot::Challenge(now))
            | (Phase::Elsewhere { url }, SessionSnapshot::Elsewhere(now))
                if *url == now =>
            {
                self.wait(CHALLENGE_INTERVAL_MS)
            }
            // Only a press of the buyer leaves the page. A form that finds the session in this state offers a link and stays.
            (Phase::OpeningElsewhere { .. }, SessionSnapshot::Elsewhere(url)) => {
                let (flow, mut effects) = self.follow(SessionSnapshot::Elsewhere(url.clone()));
                effects.push(Effect::Leave(url));
                (flow, effects)
            }
            (
                Phase::Unknown {
                    asked,
                    intent: Intent::Watch,
                },
                SessionSnapshot::Ready,
            ) => {
                let asked = asked + 1;
                self.keep_asking(asked, Intent::Watch)
            }
            (
                Phase::Rereading {
                    intent: Intent::Watch,
                    ..
                },
                SessionSnapshot::Ready,
            ) => self.await_server(),
            (_, SessionSnapshot::Complete(verdict)) => self.complete(verdict),
            // The call had no effect: the buyer may press again.
            (phase, SessionSnapshot::Collecting(None)) if phase.was_pressed() => {
                (self.enter(Phase::Collecting(Notice::Service)), vec![])
            }
            (
                Phase::Rereading {
                    intent: Intent::GiveUp,
                    ..
                }
                | Phase::Unknown {
                    intent: Intent::GiveUp,
                    ..
                },
                _,
            ) => self.call(Phase::Cancelling { tries: 0 }, Call::Cancel),
            (_, snapshot) => self.follow(snapshot),
        }
    }

    /// Enters the phase that fits the session's state at the gateway.
    pub(super) fn follow(self, snapshot: SessionSnapshot) -> (Self, Vec<Effect>) {
        match snapshot {
            SessionSnapshot::MethodSelection => (self.enter(Phase::ChoosingMethod), vec![]),
            SessionSnapshot::Collecting(None) => {
                (self.enter(Phase::Collecting(Notice::None)), vec![])
            }
            SessionSnapshot::Collecting(Some(verdict)) => {
                let notice = verdict.decline.map_or(Notice::None, Notice::Refused);
                let mut flow = self.enter(Phase::Collecting(notice));
                let trouble = flow.take_challenge_failure(&verdict);
                let effects = vec![
                    Effect::ForgetSecurityCode,
                    Effect::NewAttempt,
                    Effect::ReportRefusal(as_told(verdict, trouble), trouble),
                ];
                (flow, effects)
            }
            SessionSnapshot::Ready => self.ready(),
            SessionSnapshot::Verifying(_) => match self.capture_initiator {
                CaptureInitiator::Page => self.ready(),
                _ if self.phase.was_pressed() => self.verify(),
                // As after a reload: the device check leads to the charge.
                _ => (self.enter(Phase::Reviewing), vec![Effect::ReadCard]),
            },
            SessionSnapshot::Challenge(url) => {
                let trouble = match self.phase {
                    Phase::Challenge { .. } => self.trouble,
                    // A problem of an earlier challenge does not explain this one.
                    _ => None,
                };
                let page = match &self.phase {
                    // Its frame stays as it is.
                    Phase::Challenge { url: open, page } if *open == url => *page,
                    _ => IssuerPage::default(),
                };
                let flow = Self {
                    trouble,
                    ..self.enter(Phase::Challenge { url, page })
                };
                let (flow, mut effects) = flow.wait(CHALLENGE_INTERVAL_MS);
                effects.push(Effect::ReadCard);
                (flow, effects)
            }
            SessionSnapshot::Elsewhere(url) => self
                .enter(Phase::Elsewhere { url })
                .wait(CHALLENGE_INTERVAL_MS),
            SessionSnapshot::Complete(verdict) => self.complete(verdict),
        }
    }

    pub(super) fn ready(self) -> (Self, Vec<Effect>) {
        match self.capture_initiator {
            // Nobody has pressed Pay, as after a reload: nothing may be charged.
            CaptureInitiator::Frame if !self.phase.was_pressed() => {
                (self.enter(Phase::Reviewing), vec![Effect::ReadCard])
            }
            CaptureInitiator::Frame => self.call(Phase::Completing { tries: 0 }, Call::Complete),
            CaptureInitiator::Server | CaptureInitiator::Page => self.await_server(),
        }
    }

    fn verify(self) -> (Self, Vec<Effect>) {
        let phase = Phase::Verifying {
            url: String::new(),
            question: 1,
            lost: 0,
        };
        self.call(phase, Call::VerifyDevice(1))
    }

    pub(super) fn await_server(self) -> (Self, Vec<Effect>) {
        if self.capture_initiator == CaptureInitiator::Page {
            return (self.enter(Phase::HandedOver), vec![]);
        }
        let (flow, mut effects) = self
            .enter(Phase::AwaitingServer { waited_ms: 0 })
            .wait(SERVER_INTERVAL_MS);
        effects.push(Effect::ReadCard);
        (flow, effects)
    }

    pub(super) fn complete(mut self, verdict: Verdict) -> (Self, Vec<Effect>) {
        let trouble = self.take_challenge_failure(&verdict);
        let kept = if self.leaves_retry(&verdict) {
            // Another session may go on with the same card.
            Effect::ForgetSecurityCode
        } else {
            Effect::WipeCard
        };
        let mut effects = vec![Effect::ReportOutcome(verdict.clone(), trouble), kept];
        // A method that is paid elsewhere has no card to show.
        let by_card = !matches!(self.phase, Phase::Elsewhere { .. });
        if by_card && matches!(verdict.outcome, Outcome::Approved | Outcome::Pending) {
            effects.push(Effect::ReadCard);
        }
        (self.enter(Phase::Complete(verdict)), effects)
    }

    /// The problem of the issuer's page, if it explains this result. It is reported once.
    fn take_challenge_failure(&mut self, verdict: &Verdict) -> Option<ChallengeFailure> {
        let is_bad = matches!(
            verdict.outcome,
            Outcome::Declined | Outcome::Failed | Outcome::Cancelled
        );
        self.trouble.take().filter(|_| is_bad)
    }
}

/// A refusal, as the page is told it. If the buyer left the issuer's page, the gateway calls this a refusal, but the buyer has cancelled.
fn as_told(verdict: Verdict, trouble: Option<ChallengeFailure>) -> Verdict {
    match trouble {
        Some(ChallengeFailure::Cancelled) => Verdict {
            outcome: Outcome::Cancelled,
            decline: None,
            ..verdict
        },
        _ => verdict,
    }
}
