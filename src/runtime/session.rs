//! What the session monitor does: counts the time, warns, explains a long wait, and passes on that the buyer is here.

use crate::app::{App, say_urgently};
use crate::page::{mark, on};
use crate::session_monitor::{Running, now_ms};
use crate::view::{react, time_left};
use crate::wire::{Json, object};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use payframe_checkout_flow::flow::{Awaited, ChallengeTrouble, Event};
use payframe_protocol::frame::{Ask, ExpiringDetail, FrameMessage, ShimCommand};
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::Element;

impl App {
    /// Starts the session monitor, except where the merchant's page sees to all but the fields.
    pub fn start_monitor(&'static self) {
        if self.session.borrow().is_led_by_page() {
            return;
        }
        self.monitor.run(self.flow.borrow().phase().awaited());
        for sign in ["keydown", "pointerdown"] {
            on(&window(), sign, |_| self.hear_buyer());
        }
        // Back from another tab, the bank's app, sleep, the browser's memory of pages, or from being offline.
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
            self.hear_buyer();
        }
    }

    /// The flow may have moved on, and the gateway may have said something.
    pub fn follow_session(&'static self) {
        let Some(running) = self.monitor.running() else {
            return;
        };
        let awaited = self.flow.borrow().phase().awaited();
        let told = self.monitor.take_told();
        let moved = running.awaited() != awaited;
        if moved {
            self.begin_wait(running, awaited);
        }
        if moved || told.is_some() {
            running.countdown.borrow_mut().follow(awaited, told);
            self.do_what_is_due(running);
        }
    }

    /// The buyer gave a sign: typed, or pressed something.
    pub fn hear_buyer(&'static self) {
        let Some(running) = self.monitor.running() else {
            return;
        };
        if !running.is_named.get() {
            self.await_quiet(running);
        }
        let takes = running.countdown.borrow_mut().takes_sign(now_ms());
        if takes {
            self.refresh_state();
        }
    }

    fn ask_on_return(&'static self) {
        let running = self.monitor.running();
        if running.is_some_and(|running| running.awaited() != Awaited::Nobody) {
            self.refresh_state();
        }
    }

    /// What the page's side loads for the form's name does not come between two keys.
    fn await_quiet(&'static self, running: &'static Running) {
        let name = Timeout::new(QUIET_MS, move || {
            running.is_named.set(true);
            self.report_title();
        });
        running.quiet_timer.set(Some(name));
    }

    /// The page is to call the frame as the form is called, now and in another language.
    fn report_title(&'static self) {
        let sandbox = self.session.borrow().is_sandbox();
        let told = RefCell::new(String::new());
        react(move || {
            // Once other words are there, all views are asked to look.
            self.shown.track();
            let title = Json(document().into()).member("title").text_or_empty();
            if *told.borrow() != title {
                told.replace(title.clone());
                self.host.send(&FrameMessage::Ask(Ask::Title {
                    title,
                    sandbox: Some(sandbox),
                }));
            }
        });
    }

    /// The form waits for somebody else from now on.
    fn begin_wait(&'static self, running: &'static Running, awaited: Awaited) {
        running.time_left.set(None);
        running.is_slow.set(false);
        let explain = (awaited == Awaited::Gateway)
            .then(|| Timeout::new(SLOW_MS, move || self.explain_wait(running)));
        running.slow_timer.set(explain);
        if let Some(root) = document().document_element()
            && root.get_attribute(COVERS).is_some()
        {
            mark(&root, COVERS, None);
            self.host.send(&FrameMessage::Ask(Ask::Uncover));
        }
    }

    /// A wait is long: the buyer learns that this is known, and what to do.
    fn explain_wait(&self, running: &Running) {
        running.is_slow.set(true);
        say_urgently(&self.texts.text("slow"));
        self.host.send(&FrameMessage::Error {
            code: "gateway_slow".into(),
            message: "The gateway takes longer than usual to answer.".into(),
        });
    }

    /// Does what is due, and comes back when more is.
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
            say_urgently(&time_left::sentence(self, seconds_left));
            let expiring = Ask::Expiring(ExpiringDetail { seconds_left });
            self.host.send(&FrameMessage::Ask(expiring));
        }
        if due.challenge_is_over {
            self.dispatch(Event::ChallengeTroubled(ChallengeTrouble::TimedOut));
        }
        if due.asks_gateway {
            self.refresh_state();
        }
    }

    /// What the page answers to what it was asked from here.
    pub fn handle_answer(&'static self, command: ShimCommand) {
        match command {
            ShimCommand::Renew { id, session } => self.take_over(id, session),
            // A keypad came up, which the page alone is told.
            ShimCommand::Reveal { .. } => reveal_focused(),
            // The page may want the issuer's page in the whole window, or give it all of a small screen, whose size this frame is not told.
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

/// So long nothing is typed before the page is told of the form's name.
const QUIET_MS: u32 = 1_000;
