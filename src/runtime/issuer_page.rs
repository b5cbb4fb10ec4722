//! Watches the issuer's page, tells the flow what its frame shows, and carries out what follows: removes anything else that is put in its place,
//! opens the whole window, and lets the page around the form give it more room.

use crate::app::{App, announce_assertively};
use crate::host;
use crate::page::{element, on};
use crate::session_monitor::{IssuerPageMonitor, Running};
use crate::wire::{self, Json};
use gloo_net::http::Request;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use payframe_checkout_flow::flow::{ChallengeFailure, Event};
use payframe_protocol::frame::{Ask, FlowState, FrameMessage};
use std::cell::Cell;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

impl App {
    /// The issuer's page was opened in this frame.
    pub fn open_issuer_page(&'static self, frame: &Element) {
        let Some(running) = self.monitor.running() else {
            return;
        };
        let late = || self.dispatch(Event::IssuerPageLate);
        on(frame, "load", move |_| self.look(running));
        let frame = Json(frame.into());
        let watch = IssuerPageMonitor {
            address: frame.member("src").text_or_empty(),
            frame,
            looking: Cell::default(),
            late: Timeout::new(SILENCE_MS, late),
        };
        running.seen.set(None);
        running.watch.replace(Some(watch));
        self.look_again(running);
        self.host.send(&FrameMessage::Ask(Ask::Challenge));
    }

    /// The issuer's page was closed.
    pub fn close_issuer_page(&self) {
        if let Some(running) = self.monitor.running() {
            running.watch.take();
        }
    }

    /// Listens for events of browser and page about the issuer's page.
    pub(super) fn listen_around_issuer_page(&'static self, running: &'static Running) {
        on(&window(), "securitypolicyviolation", move |event| {
            let directive = Json(event.into()).member("effectiveDirective").text();
            if running.watch.borrow().is_some() && directive.as_deref() == Some("frame-src") {
                self.dispatch(Event::ChallengeTroubled(ChallengeFailure::Blocked));
            }
        });
        host::listen_for_false_ends(move |source| {
            let from_it = |watch: &IssuerPageMonitor| watch.is_of(source);
            let is_false = running.watch.borrow().as_ref().is_some_and(from_it);
            if is_false {
                self.dispatch(Event::ChallengeTroubled(ChallengeFailure::Mismatched));
            }
        });
    }

    /// A script in the merchant's page can send the frame elsewhere. A document that never finishes loading fires no event, so the frame is
    /// checked at intervals.
    fn look_again(&'static self, running: &'static Running) {
        if let Some(watch) = &*running.watch.borrow() {
            let look = move || {
                self.look(running);
                self.look_again(running);
            };
            watch.looking.set(Some(Timeout::new(LOOK_MS, look)));
        }
    }

    fn look(&'static self, running: &'static Running) {
        let content = running
            .watch
            .borrow()
            .as_ref()
            .and_then(IssuerPageMonitor::content);
        if let Some(content) = content
            && running.seen.replace(Some(content)) != Some(content)
        {
            self.dispatch(Event::IssuerPageSeen(content));
        }
    }

    /// Removes the frame, so that the buyer does not take another document for the issuer's page.
    pub(super) fn take_away(&'static self, running: &'static Running) {
        if let Ok(place) = element::<Element>("nested") {
            place.set_text_content(None);
        }
        announce_assertively(&self.texts.text("challenge_away"));
        let Some(address) = address(running) else {
            return;
        };
        // Finds the cause: is the issuer's page not reachable, does it refuse to be framed, or was the frame sent elsewhere?
        spawn_local(async move {
            let answer = Request::get(&address).send().await;
            let trouble = if answer.is_ok_and(|answer| answer.ok()) {
                ChallengeFailure::Replaced
            } else {
                ChallengeFailure::Unreachable
            };
            // It may be closed by now, or replaced by another challenge.
            if self::address(running) == Some(address) {
                self.dispatch(Event::ChallengeTroubled(trouble));
            }
        });
    }

    pub(super) fn report_trouble(&self, trouble: ChallengeFailure) {
        if let Some(code) = wire::error_code(trouble) {
            let message = "The issuer's page did not do what it should; see docs/errors.md.";
            self.host.error(code, message);
        }
    }

    /// Opens the issuer's page in the whole window.
    pub(super) fn open_issuer_window(&self, address: &str) {
        self.host.state(FlowState::RedirectedToExternalDomain);
        // A browser that refuses leaves the buyer with the button, whose press it allows.
        let _ = window().open_with_url_and_target(address, "_top");
    }
}

/// The address of the issuer's page that is open.
fn address(running: &Running) -> Option<String> {
    let watch = running.watch.borrow();
    watch.as_ref().map(|watch| watch.address.clone())
}

/// After this time without a sign of the issuer's page, the buyer may open it in the whole window.
const SILENCE_MS: u32 = 10_000;

/// The interval of the checks of the frame's content.
const LOOK_MS: u32 = 100;
