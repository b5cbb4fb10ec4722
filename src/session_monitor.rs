//! What the form keeps an eye on beside the flow: how long session and challenge last, when the gateway was heard last, what
//! went wrong around the issuer's page, and whether the page can bring another session.
//!
//! Counting seconds, warning and asking the page is done by the frame's session monitor (`www/frame/session-monitor.js`), which is loaded
//! once the form is live; here is only what decides. No timers, no requests, no views.

use crate::view_model::{PanelAction, ViewModel};
use crate::wire::{self, Json};
use js_sys::Date;
use payframe_checkout_flow::flow::{Failure, Outcome, Phase, Verdict};
use payframe_protocol::frame::{ChallengeProblem, FlowState, FrameOptions};
use payframe_protocol::port::FormNotice;
use std::cell::Cell;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    // The loader's. Where it has none, as in frames of the Build protocol, there is no such script.
    #[wasm_bindgen(js_name = payframeNotify, catch)]
    fn notify(what: &str, seconds: f64) -> Result<(), JsValue>;
}

/// See the module.
pub struct SessionMonitor {
    /// Whether the page said that it can bring another session.
    can_renew: bool,
    /// Milliseconds since 1970 at which the gateway answered last.
    heard_ms: Cell<f64>,
    /// What the gateway said last: seconds until the session or its challenge ends.
    seconds_left: Cell<f64>,
    trouble: Cell<Option<ChallengeProblem>>,
    /// Whether the page is being asked for another session, before anything is told of the end of this one.
    asking: Cell<bool>,
    /// Whether a press of Pay found the session dead, or came while another one was being asked for.
    pressed: Cell<bool>,
}

/// What stays in the fields at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is over.
    Nothing,
    /// Another session may go on with the same card.
    AllButCode,
    /// Another session is being asked for.
    All,
}

impl SessionMonitor {
    /// `options`: what the page said about the form.
    pub fn new(options: &FrameOptions) -> Self {
        Self {
            can_renew: options.renew == Some(true),
            heard_ms: Cell::new(Date::now()),
            seconds_left: Cell::new(f64::NAN),
            trouble: Cell::new(None),
            asking: Cell::new(false),
            pressed: Cell::new(false),
        }
    }

    /// Dates an answer: the death of a session means that nothing was charged only to who has heard of it lately enough.
    pub fn date(&self, answer: Result<Json, Failure>) -> Result<Json, Failure> {
        let now_ms = Date::now();
        match answer {
            Err(Failure::Expired) if now_ms - self.heard_ms.get() > MEMORY_MS => {
                Err(Failure::Forgotten)
            }
            Err(Failure::Connection) => Err(Failure::Connection),
            answer => {
                self.heard_ms.set(now_ms);
                answer
            }
        }
    }

    /// Takes from a state object how long things last.
    pub fn heard(&self, state: &Json) {
        let seconds = state.member("secondsLeft").0.as_f64();
        self.seconds_left.set(seconds.unwrap_or(f64::NAN));
    }

    /// The flow goes from one phase to another.
    pub fn moves(&self, before: &Phase, after: &Phase) {
        if matches!(after, Phase::Challenge { .. }) && !matches!(before, Phase::Challenge { .. }) {
            self.trouble.set(None);
        }
        if matches!(after, Phase::Expired) && !matches!(before, Phase::Expired) {
            self.asking.set(self.can_renew);
            self.pressed.set(matches!(before, Phase::Sending { .. }));
        }
    }

    /// Tells the script, and how long things last where that is news.
    pub fn notify(&self, what: FormNotice) {
        // Without it nobody counts; the session ends all the same, and the form says so.
        let _ = notify(what.into(), self.seconds_left.replace(f64::NAN));
    }

    /// Tells the script what the form does now.
    pub fn notify_phase(&self, phase: &Phase) {
        self.notify(match phase {
            phase if phase.is_at_rest() => FormNotice::Rest,
            Phase::Challenge { .. } => FormNotice::Challenge,
            Phase::Expired if self.asking.get() => FormNotice::Renew,
            Phase::Complete(_) | Phase::Expired | Phase::Unknown { .. } => FormNotice::Over,
            _ => FormNotice::Wait,
        });
    }

    /// Something happened around the issuer's page. The first trouble counts.
    pub fn trouble(&self, problem: ChallengeProblem) {
        if self.trouble.get().is_none() {
            self.trouble.set(Some(problem));
        }
    }

    /// Why the issuer did not confirm the buyer, if something is known beside the refusal.
    pub fn cause_of(&self, verdict: &Verdict) -> Option<ChallengeProblem> {
        let is_bad = matches!(
            verdict.outcome,
            Outcome::Declined | Outcome::Failed | Outcome::Cancelled
        );
        self.trouble.take().filter(|_| is_bad)
    }

    /// What stays in the fields at the end that `phase` is.
    pub fn keeps(&self, phase: &Phase) -> Kept {
        match phase {
            _ if !self.can_renew => Kept::Nothing,
            Phase::Expired => Kept::All,
            phase if may_try_again(phase) => Kept::AllButCode,
            _ => Kept::Nothing,
        }
    }

    /// What the page is told of where the flow stands. While another session is being asked for that is nothing, but for a press
    /// of Pay that waits for it.
    pub fn state_of(&self, phase: &Phase) -> Option<FlowState> {
        match phase {
            Phase::Expired if self.asking.get() => {
                self.pressed.get().then_some(FlowState::Processing)
            }
            phase => Some(wire::flow_state(phase)),
        }
    }

    /// Whether another session is being asked for.
    pub fn asks_for_renewal(&self) -> bool {
        self.asking.get()
    }

    /// Pay was pressed at the end of the session. Gives whether the press waits for another one.
    pub fn press(&self) -> bool {
        let waits = self.asking.get();
        self.pressed.set(waits);
        waits
    }

    /// There is none. Gives whether one was asked for before anything was told.
    pub fn give_up_renewal(&self) -> bool {
        self.asking.take()
    }

    /// There is one. Gives whether a press of Pay waits for it.
    pub fn renewed(&self) -> bool {
        self.asking.set(false);
        self.trouble.set(None);
        self.pressed.take()
    }

    /// What the renewal of a session changes on the screen.
    pub fn amend(&self, phase: &Phase, shown: &mut ViewModel) {
        if self.asks_for_renewal() {
            shown.stage = None;
            shown.wait = Some("reading");
        } else if self.can_renew
            && may_try_again(phase)
            && let Some(stage) = &mut shown.stage
        {
            stage.press = Some(PanelAction::TryAgain);
        }
    }
}

/// Whether another session could bring this payment to a good end.
fn may_try_again(phase: &Phase) -> bool {
    matches!(phase, Phase::Complete(verdict) if matches!(verdict.outcome, Outcome::Declined | Outcome::Failed))
}

/// Half of the time for which the gateway tells an outcome (contract 4.1): whoever was heard of within it would have heard the
/// outcome, too.
const MEMORY_MS: f64 = 43_200_000.0;
