//! The session monitor: how long session and challenge last, who gives signs of life, and what the issuer's place shows.
//!
//! It is part of the form from its start, and dates what the gateway says. What acts on that comes with the late part of the module
//! ([`crate::late`]) and is in [`crate::runtime`]: it counts the time, warns, explains a long wait, passes on that the buyer is here, and lets
//! another session take over. Here is what that knows, and what [`crate::view`] draws of it. It decides nothing about the payment: that does
//! the flow, which asks the gateway. Fields in frames of the Build protocol have none of it: their page sees to the rest.

mod issuer_page;
mod place;

pub use issuer_page::{IssuerPage, Watch};
pub use place::{Content, Place};

use crate::wire::Json;
use gloo_timers::callback::Timeout;
use js_sys::Date;
use leptos::prelude::*;
use payframe_checkout_flow::countdown::{Countdown, TimeLeft};
use payframe_checkout_flow::flow::{Awaited, Failure};
use std::cell::{Cell, OnceCell, RefCell};

/// See the module.
pub struct SessionMonitor {
    /// Milliseconds since 1970 at which the gateway answered last.
    answered_ms: Cell<f64>,
    /// How long things last, as the gateway said last, until the countdown knows it.
    told: Cell<Option<TimeLeft>>,
    /// Once the late part is there.
    running: OnceCell<Running>,
}

impl SessionMonitor {
    /// `state`: the state object of the page, which was made a moment ago.
    pub fn new(state: &Json) -> Self {
        let monitor = Self {
            answered_ms: Cell::new(Date::now()),
            told: Cell::new(None),
            running: OnceCell::new(),
        };
        monitor.heard(state);
        monitor
    }

    /// Dates an answer: the death of a session means that nothing was charged only to who has heard of it lately enough.
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

    /// Takes from a state object how long things last.
    pub fn heard(&self, state: &Json) {
        let seconds = state.member("secondsLeft").0.as_f64();
        self.told.set(seconds.map(|seconds| TimeLeft {
            seconds: seconds as u32,
            told_ms: now_ms(),
        }));
    }

    /// What the gateway said since this was asked last.
    pub fn take_told(&self) -> Option<TimeLeft> {
        self.told.take()
    }

    /// From now on it runs, in a form that waits for `awaited`.
    pub fn run(&self, awaited: Awaited) {
        self.running.get_or_init(|| Running::new(awaited));
    }

    /// What it knows while it runs: `None` before the late part is there, and where the merchant's page sees to the rest.
    pub fn running(&self) -> Option<&Running> {
        self.running.get()
    }
}

/// What the monitor knows while it runs. Its signals are what the views draw.
pub struct Running {
    /// Seconds that the buyer is told are left.
    pub time_left: RwSignal<Option<u32>>,
    /// Whether a wait takes so long that it is explained.
    pub is_slow: RwSignal<bool>,
    /// What the issuer's place shows.
    pub issuer_page: RwSignal<IssuerPage>,
    /// When what is due.
    pub countdown: RefCell<Countdown>,
    /// Until the next of that is due.
    pub timer: Cell<Option<Timeout>>,
    /// Until a wait is called long.
    pub slow_timer: Cell<Option<Timeout>>,
    /// Until nothing has been typed for a moment.
    pub quiet_timer: Cell<Option<Timeout>>,
    /// Whether the page was told how the form is called.
    pub is_named: Cell<bool>,
    /// While the issuer's page is open.
    pub watch: RefCell<Option<Watch>>,
}

impl Running {
    fn new(awaited: Awaited) -> Self {
        Self {
            time_left: RwSignal::new(None),
            is_slow: RwSignal::new(false),
            issuer_page: RwSignal::default(),
            countdown: RefCell::new(Countdown::new(awaited, now_ms())),
            timer: Cell::default(),
            slow_timer: Cell::default(),
            quiet_timer: Cell::default(),
            is_named: Cell::new(false),
            watch: RefCell::default(),
        }
    }

    /// Who the form waits for.
    pub fn awaited(&self) -> Awaited {
        self.countdown.borrow().awaited()
    }
}

/// Milliseconds since 1970 by the clock of this device.
pub fn now_ms() -> u64 {
    Date::now() as u64
}

/// Half of the time for which the gateway tells an outcome (contract 4.1): whoever was heard of within it would have heard the
/// outcome, too.
const MEMORY_MS: f64 = 43_200_000.0;
