//! The actions of the session monitor: tells the flow the time and what the buyer does, and carries out what follows: warns, and explains a
//! long wait.

use crate::app::{App, announce_assertively};
use crate::page::{mark, on};
use crate::session_monitor::{Running, now_ms};
use crate::view::{react, time_left};
use crate::wire::{Json, object};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use payframe_checkout_flow::flow::{Effect, Event, WaitingFor};
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
        self.monitor.run();
        for sign in ["keydown", "pointerdown"] {
            on(&window(), sign, |_| self.on_buyer_activity());
        }
        // The buyer is back from another tab, the bank's app, sleep, the back-forward cache, or from being offline.
        on(&document(), "visibilitychange", |_| {
            if !Json(document().into()).member("hidden").0.is_truthy() {
                self.dispatch(Event::BuyerReturned);
            }
        });
        on(&window(), "pageshow", |event| {
            if Json(event.into()).member("persisted").0.is_truthy() {
                self.dispatch(Event::BuyerReturned);
            }
        });
        on(&window(), "online", |_| self.dispatch(Event::BuyerReturned));
        if let Some(running) = self.monitor.running() {
            self.await_quiet(running);
            self.listen_around_issuer_page(running);
        }
        self.dispatch(Event::TimingStarted(now_ms()));
        if self.has_been_typed_in() {
            self.on_buyer_activity();
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
        let now_ms = now_ms();
        let is_due = self.flow.borrow().is_activity_due(now_ms);
        if is_due {
            self.dispatch(Event::BuyerActive(now_ms));
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

    /// Carries out an effect that is about the time, or about the issuer's page.
    pub(super) fn monitor_session(&'static self, effect: Effect) {
        let Some(running) = self.monitor.running() else {
            return;
        };
        match effect {
            Effect::BeginWait(waiting_for) => self.begin_wait(running, waiting_for),
            Effect::CountOn(0) => self.dispatch(Event::TimePassed(now_ms())),
            Effect::CountOn(ms) => {
                let passed = || self.dispatch(Event::TimePassed(now_ms()));
                let ms = u32::try_from(ms).ok();
                running.timer.set(ms.map(|ms| Timeout::new(ms, passed)));
            }
            Effect::Warn(seconds_left) => {
                announce_assertively(&time_left::sentence(self, seconds_left));
                let expiring = Ask::Expiring(ExpiringDetail { seconds_left });
                self.host.send(&FrameMessage::Ask(expiring));
            }
            Effect::ExplainWait => {
                announce_assertively(&self.texts.text("slow"));
                self.host.error(
                    PayframeErrorCode::GatewaySlow,
                    "The gateway takes longer than usual to answer.",
                );
            }
            Effect::RemoveIssuerPage(_) => self.take_away(running),
            Effect::ReportTrouble(trouble) => self.report_trouble(trouble),
            Effect::OpenIssuerWindow(address) => self.open_issuer_window(&address),
            _ => {}
        }
    }

    /// The form starts to wait for somebody else.
    fn begin_wait(&'static self, running: &'static Running, waiting_for: WaitingFor) {
        let explain = (waiting_for == WaitingFor::Gateway)
            .then(|| Timeout::new(SLOW_MS, || self.dispatch(Event::WaitIsLong)));
        running.slow_timer.set(explain);
        if let Some(root) = document().document_element()
            && root.get_attribute(COVERS).is_some()
        {
            mark(&root, COVERS, None);
            self.host.send(&FrameMessage::Ask(Ask::Uncover));
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
            ShimCommand::Redirect { .. } => self.dispatch(Event::WindowRequested),
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
