//! The line to the frame's session monitor: what the form does, how long session and challenge last, and when the gateway was heard
//! last.
//!
//! Counting seconds, warning and asking the page for another session is done by that script (`www/frame/session-monitor.js`), which is
//! loaded once the form is live. What follows from it is decided in the flow. No timers, no requests, no views.

use crate::wire::Json;
use js_sys::Date;
use payframe_checkout_flow::flow::{Failure, Phase};
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
    /// Milliseconds since 1970 at which the gateway answered last.
    heard_ms: Cell<f64>,
    /// What the gateway said last: seconds until the session or its challenge ends.
    seconds_left: Cell<f64>,
}

impl Default for SessionMonitor {
    /// The page was made a moment ago.
    fn default() -> Self {
        Self {
            heard_ms: Cell::new(Date::now()),
            seconds_left: Cell::new(f64::NAN),
        }
    }
}

impl SessionMonitor {
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
            // It is told with the effect that asks.
            Phase::Renewing { .. } | Phase::Retrying(_) => return,
            Phase::Complete(_) | Phase::Expired | Phase::Unknown { .. } => FormNotice::Over,
            _ => FormNotice::Wait,
        });
    }
}

/// Half of the time for which the gateway tells an outcome (contract 4.1): whoever was heard of within it would have heard the
/// outcome, too.
const MEMORY_MS: f64 = 43_200_000.0;
