//! The actions of the session monitor: counts the time, warns, explains a long wait, and tells the gateway that the buyer is active.

use crate::app::{App, announce_assertively};
use crate::page::{mark, on};
use crate::session_monitor::{Running, now_ms};
use crate::view::{react, time_left};
use crate::wire::{Json, object};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use payframe_checkout_flow::flow::{ChallengeFailure, Event, WaitingFor};
use payframe_protocol::frame::{Ask, ExpiringDetail, FrameMessage, PayframeErrorCode, ShimCommand};
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::Element;

impl App {
    /// Starts the session monitor, except in the Build protocol, where the merchant's page does everything but the fields.
    pub fn start_monitor(&'static self) {
        if self.session.borrow().is_page_driven() {
            return;
        }
        self.monitor.run(self.flow.borrow().phase().waiting_for());
        for sign in ["keydown", "pointerdown"] {
            on(&window(), sign, |_| self.on_buyer_activity());
        }
        // The buyer is back from another tab, the bank's app, sleep, the back-forward cache, or from being offline.
        on(&document(), "visibilitychange", |_| {
            if !Json(document().into()).member("hidden").0.is_truthy() {
                self.ask_on_return();
            }
        });
        on(&window(), "pageshow", |event| {
            if Json(event.into()).member("persisted").0.is_truthy() {
                self.ask_on_return();
            }
        });
        on(&window(), "online", |_| self.ask_on_return());
        if let Some(running) = self.monitor.running() {
            self.await_quiet(running);
            self.listen_around_issuer_page(running);
        }
        self.follow_session();
        if self.has_been_typed_in() {
            self.on_buyer_activity();
        }
    }

    /// Updates the countdown after a step of the flow or an answer of the gateway.
    pub fn follow_session(&'static self) {
        let Some(running) = self.monitor.running() else {
            return;
        };
        let waiting_for = self.flow.borrow().phase().waiting_for();
        let time_left = self.monitor.take_time_left();
        let moved = running.waiting_for() != waiting_for;
        if moved {
            self.begin_wait(running, waiting_for);
        }
        if moved || time_left.is_some() {
            running
                .countdown
                .borrow_mut()
                .follow(waiting_for, time_left);
            self.do_what_is_due(running);
        }
    }

    /// The buyer was active: typed, or pressed something.
    pub fn on_buyer_activity(&'static self) {
        let Some(running) = self.monitor.running() else {
            return;
        };
        if !running.is_named.get() {
            self.await_quiet(running);
        }
        let takes = running
            .countdown
            .borrow_mut()
            .should_report_activity(now_ms());
        if takes {
            self.refresh_state();
        }
    }

    fn ask_on_return(&'static self) {
        let running = self.monitor.running();
        if running.is_some_and(|running| running.waiting_for() != WaitingFor::Nobody) {
            self.refresh_state();
        }
    }

    /// The page loads a script for the form's name. That does not happen between two keys.
    fn await_quiet(&'static self, running: &'static Running) {
        let name = Timeout::new(QUIET_MS, move || {
            running.is_named.set(true);
            self.report_title();
        });
        running.quiet_timer.set(Some(name));
    }

    /// Tells the page the form's name for its frame, now and after each change of the language.
    fn report_title(&'static self) {
        let diagnostics = self.session.borrow().has_diagnostics();
        let watch = self.session.borrow().is_watched();
        let title_sent = RefCell::new(String::new());
        react(move || {
            // A change of the texts notifies all views.
            self.shown.track();
            let title = Json(document().into()).member("title").text_or_empty();
            if *title_sent.borrow() != title {
                title_sent.replace(title.clone());
                self.host.send(&FrameMessage::Ask(Ask::Title {
                    title,
                    diagnostics: Some(diagnostics),
                    watch: watch.then_some(true),
                }));
            }
        });
    }

    /// The form starts to wait for somebody else.
    fn begin_wait(&'static self, running: &'static Running, waiting_for: WaitingFor) {
        running.time_left.set(None);
        running.is_slow.set(false);
        let explain = (waiting_for == WaitingFor::Gateway)
            .then(|| Timeout::new(SLOW_MS, move || self.explain_wait(running)));
        running.slow_timer.set(explain);
        if let Some(root) = document().document_element()
            && root.get_attribute(COVERS).is_some()
        {
            mark(&root, COVERS, None);
            self.host.send(&FrameMessage::Ask(Ask::Uncover));
        }
    }

    /// A wait is long: the buyer is told so, and what to do.
    fn explain_wait(&self, running: &Running) {
        running.is_slow.set(true);
        announce_assertively(&self.texts.text("slow"));
        self.host.error(
            PayframeErrorCode::GatewaySlow,
            "The gateway takes longer than usual to answer.",
        );
    }

    /// Does what is due, and sets a timer for the next time.
    fn do_what_is_due(&'static self, running: &'static Running) {
        let due = running.countdown.borrow_mut().due(now_ms());
        let again_in_ms = due.again_in_ms.and_then(|ms| u32::try_from(ms).ok());
        let again = again_in_ms.map(|ms| Timeout::new(ms, move || self.do_what_is_due(running)));
        running.timer.set(again);
        let warned = running.time_left.get_untracked();
        if warned != due.warning {
            running.time_left.set(due.warning);
        }
        if let Some(seconds_left) = due.warning
            && warned.is_none()
        {
            announce_assertively(&time_left::sentence(self, seconds_left));
            let expiring = Ask::Expiring(ExpiringDetail { seconds_left });
            self.host.send(&FrameMessage::Ask(expiring));
        }
        if due.challenge_is_over {
            self.dispatch(Event::ChallengeTroubled(ChallengeFailure::TimedOut));
        }
        if due.asks_gateway {
            self.refresh_state();
        }
    }

    /// Handles the page's answers to requests of the session monitor.
    pub fn handle_answer(&'static self, command: ShimCommand) {
        match command {
            ShimCommand::Renew { id, session } => self.take_over(id, session),
            // A keypad appeared; only the page is told of that.
            ShimCommand::Reveal { .. } => reveal_focused(),
            // The page may want the issuer's page in the whole window, or give it all of a small screen. This frame does not know the size of the
            // screen.
            ShimCommand::Redirect { .. } => self.open_issuer_window(),
            ShimCommand::Cover { .. } => {
                let running = self.monitor.running();
                if let Some(root) = document().document_element()
                    && running.is_some_and(|running| running.watch.borrow().is_some())
                {
                    mark(&root, COVERS, Some(""));
                }
            }
            _ => {}
        }
    }
}

fn reveal_focused() {
    let focused: Option<Element> = document().active_element();
    let field = focused.and_then(|focused| focused.closest(".field").ok().flatten());
    if let Some(field) = field {
        let how = object(&[("block", "nearest")]);
        field.scroll_into_view_with_scroll_into_view_options(how.unchecked_ref());
    }
}

/// Set on the root element while the frame has the whole of a small screen.
const COVERS: &str = "data-full";

/// A wait that takes longer is explained.
const SLOW_MS: u32 = 8_000;

/// For this time nothing is typed before the page is told the form's name.
const QUIET_MS: u32 = 1_000;
