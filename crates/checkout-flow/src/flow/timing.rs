//! The time that a form counts: how long session and issuer's page still last, and whether a wait is long.
//!
//! It is counted once [`Event::TimingStarted`](super::Event::TimingStarted) came. Fields in frames of the Build protocol count none: their page
//! does. Nothing ends because of it: the gateway is asked, and decides.

use super::countdown::{Countdown, TimeLeft};
use super::{ChallengeFailure, Effect, Flow, Phase, WaitingFor};

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Timing {
    countdown: Countdown,
    /// The seconds left that the buyer is told.
    warning: Option<u32>,
    /// Whether the wait is so long that it is explained.
    is_long: bool,
}

impl Flow {
    /// The seconds left that the buyer is told; `None` while there is time enough.
    pub fn seconds_left(&self) -> Option<u32> {
        self.timing.as_ref()?.warning
    }

    /// Whether the gateway takes so long that the buyer is told.
    pub fn is_wait_long(&self) -> bool {
        self.timing.as_ref().is_some_and(|timing| timing.is_long)
    }

    /// Whether something follows from [`Event::BuyerActive`](super::Event::BuyerActive) at this time. Asked at each key, so that a key costs no step.
    pub fn is_activity_due(&self, now_ms: u64) -> bool {
        let timing = self.timing.as_ref();
        timing.is_some_and(|timing| timing.countdown.is_activity_due(now_ms))
    }

    pub(super) fn timing_started(self, now_ms: u64) -> (Self, Vec<Effect>) {
        if self.timing.is_some() {
            return self.stay();
        }
        let waiting_for = self.phase.waiting_for();
        let timing = Timing {
            countdown: Countdown::new(waiting_for, now_ms),
            warning: None,
            is_long: false,
        };
        let flow = Self {
            timing: Some(timing),
            ..self
        };
        (flow, vec![Effect::BeginWait(waiting_for)])
    }

    pub(super) fn time_told(mut self, told: TimeLeft) -> (Self, Vec<Effect>) {
        let Some(timing) = &mut self.timing else {
            return self.stay();
        };
        timing
            .countdown
            .follow(self.phase.waiting_for(), Some(told));
        self.time_passed(told.received_ms)
    }

    /// Does what is due.
    pub(super) fn time_passed(mut self, now_ms: u64) -> (Self, Vec<Effect>) {
        let Some(timing) = &mut self.timing else {
            return self.stay();
        };
        let due = timing.countdown.due(now_ms);
        let before = std::mem::replace(&mut timing.warning, due.warning);
        let mut effects: Vec<_> = due.again_in_ms.map(Effect::CountOn).into_iter().collect();
        if let (None, Some(seconds_left)) = (before, due.warning) {
            effects.push(Effect::Warn(seconds_left));
        }
        let flow = if due.challenge_is_over && matches!(self.phase, Phase::Challenge { .. }) {
            self.with_challenge_failure(ChallengeFailure::TimedOut)
        } else {
            self
        };
        if !due.asks_gateway {
            return (flow, effects);
        }
        let (flow, asks) = flow.refresh();
        effects.extend(asks);
        (flow, effects)
    }

    /// The gateway prolongs the session when it is asked.
    pub(super) fn buyer_active(mut self, now_ms: u64) -> (Self, Vec<Effect>) {
        let is_due = self
            .timing
            .as_mut()
            .is_some_and(|timing| timing.countdown.should_report_activity(now_ms));
        if is_due { self.refresh() } else { self.stay() }
    }

    pub(super) fn buyer_returned(self) -> (Self, Vec<Effect>) {
        if self.timing.is_none() || self.phase.waiting_for() == WaitingFor::Nobody {
            return self.stay();
        }
        self.refresh()
    }

    pub(super) fn wait_is_long(mut self) -> (Self, Vec<Effect>) {
        match &mut self.timing {
            Some(timing) if timing.countdown.waiting_for() == WaitingFor::Gateway => {
                timing.is_long = true;
                (self, vec![Effect::ExplainWait])
            }
            _ => self.stay(),
        }
    }

    /// After each event: whether the form waits for somebody else now.
    pub(super) fn follow_wait(mut self) -> (Self, Vec<Effect>) {
        let waiting_for = self.phase.waiting_for();
        match &mut self.timing {
            Some(timing) if timing.countdown.waiting_for() != waiting_for => {
                timing.countdown.follow(waiting_for, None);
                timing.warning = None;
                timing.is_long = false;
                // What is due is known with the time, which comes with the next event.
                (
                    self,
                    vec![Effect::BeginWait(waiting_for), Effect::CountOn(0)],
                )
            }
            _ => self.stay(),
        }
    }

    /// Asks the gateway how the session stands. If the form waits for nobody, that is no question of the flow.
    pub(super) fn refresh(self) -> (Self, Vec<Effect>) {
        if self.phase.is_at_rest() {
            let peek = Effect::PeekState(self.generation);
            return (self, vec![peek]);
        }
        self.hinted()
    }
}
