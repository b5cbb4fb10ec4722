//! The data of the session monitor: how long session and challenge last, and what the issuer's frame shows.
//!
//! The form has it from its start, and it dates the gateway's answers. The actions are loaded with the late part of the module
//! ([`crate::late`]) and are in [`crate::runtime`]: they tell the flow the time, what the buyer does and what the issuer's frame shows, and carry out what
//! follows. This module holds timers and the signals that [`crate::view`] draws. It decides nothing: the flow does. Fields in frames of
//! the Build protocol have no session monitor: their page does this.

mod frame_content;
mod issuer_page;

pub use issuer_page::IssuerPageMonitor;

use crate::wire::Json;
use gloo_timers::callback::Timeout;
use js_sys::Date;
use leptos::prelude::*;
use payframe_checkout_flow::flow::{Failure, Flow, FrameContent, IssuerPage, Phase, TimeLeft};
use std::cell::{Cell, OnceCell, RefCell};

/// See the module.
pub struct SessionMonitor {
    /// Milliseconds since 1970 at which the gateway answered last.
    answered_ms: Cell<f64>,
    /// The time left that the gateway told last, until the countdown takes it.
    time_left: Cell<Option<TimeLeft>>,
    /// Set once the late part is loaded.
    running: OnceCell<Running>,
}

impl SessionMonitor {
    /// `state`: the state object of the page, which was made a moment ago.
    pub fn new(state: &Json) -> Self {
        let monitor = Self {
            answered_ms: Cell::new(Date::now()),
            time_left: Cell::new(None),
            running: OnceCell::new(),
        };
        monitor.state_read(state);
        monitor
    }

    /// Dates an answer: a dead session means that nothing was charged only if the last answer is recent enough.
    pub fn date(&self, answer: Result<Json, Failure>) -> Result<Json, Failure> {
        let now_ms = Date::now();
        match answer {
            Err(Failure::Expired) if now_ms - self.answered_ms.get() > MEMORY_MS => {
                Err(Failure::Forgotten)
            }
            Err(Failure::Connection) => Err(Failure::Connection),
            answer => {
                self.answered_ms.set(now_ms);
                answer
            }
        }
    }

    /// Takes the time left from a state object.
    pub fn state_read(&self, state: &Json) {
        let seconds = state.member("secondsLeft").0.as_f64();
        self.time_left.set(seconds.map(|seconds| TimeLeft {
            seconds: seconds as u32,
            received_ms: now_ms(),
        }));
    }

    /// The time left that the gateway has told since the last call.
    pub fn take_time_left(&self) -> Option<TimeLeft> {
        self.time_left.take()
    }

    /// Starts the monitor.
    pub fn run(&self) {
        self.running.get_or_init(Running::default);
    }

    /// The state of the running monitor: `None` before the late part is loaded, and in the Build protocol.
    pub fn running(&self) -> Option<&Running> {
        self.running.get()
    }
}

/// The running monitor: what the views draw of the flow's time and of the issuer's page, and its timers.
#[derive(Default)]
pub struct Running {
    /// The seconds left that the buyer is told.
    pub time_left: RwSignal<Option<u32>>,
    /// Whether a wait is so long that it is explained.
    pub is_slow: RwSignal<bool>,
    /// What the buyer sees of the issuer's page. `None` while none is open.
    pub issuer_page: RwSignal<Option<IssuerPage>>,
    /// Runs until the next thing is due.
    pub timer: Cell<Option<Timeout>>,
    /// Runs until a wait is long.
    pub slow_timer: Cell<Option<Timeout>>,
    /// Runs until nothing has been typed for a moment.
    pub quiet_timer: Cell<Option<Timeout>>,
    /// Whether the page was told the form's name.
    pub is_named: Cell<bool>,
    /// What the issuer's frame showed last.
    pub seen: Cell<Option<FrameContent>>,
    /// The watch while the issuer's page is open.
    pub watch: RefCell<Option<IssuerPageMonitor>>,
}

impl Running {
    /// Takes over what the flow says.
    pub fn show(&self, flow: &Flow) {
        keep(self.time_left, flow.seconds_left());
        keep(self.is_slow, flow.is_wait_long());
        let page = match flow.phase() {
            Phase::Challenge { page, .. } => Some(*page),
            _ => None,
        };
        keep(self.issuer_page, page);
    }
}

/// Sets a signal if its value changes.
fn keep<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|before| *before != value) {
        signal.set(value);
    }
}

/// Milliseconds since 1970 by the clock of this device.
pub fn now_ms() -> u64 {
    Date::now() as u64
}

/// Half of the time for which the gateway tells an outcome (contract 4.1): a form with an answer within this time would have been told
/// the outcome, too.
const MEMORY_MS: f64 = 43_200_000.0;
