//! Looks after the issuer's page: that nothing else stands in its place, that a way out is offered where it does not come, and that the
//! page around the form can give it more room.

use crate::app::{App, say_urgently};
use crate::host;
use crate::page::{element, on};
use crate::session_monitor::{Content, IssuerPage, Running, Watch};
use crate::wire::{self, Json};
use gloo_net::http::Request;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use payframe_checkout_flow::flow::{ChallengeTrouble, Event};
use payframe_protocol::frame::{Ask, FlowState, FrameMessage, StateChangeDetail};
use std::cell::Cell;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

impl App {
    /// The issuer's page is opened in this frame.
    pub fn open_issuer_page(&'static self, frame: &Element) {
        let Some(running) = self.monitor.running() else {
            return;
        };
        running.issuer_page.set(IssuerPage {
            is_open: true,
            ..IssuerPage::default()
        });
        let late = move || {
            if !running.issuer_page.with_untracked(|page| page.has_come) {
                offer_window(running);
            }
        };
        on(frame, "load", move |_| self.look(running));
        let frame = Json(frame.into());
        let watch = Watch {
            address: frame.member("src").text_or_empty(),
            frame,
            looking: Cell::default(),
            late: Timeout::new(SILENCE_MS, late),
        };
        running.watch.replace(Some(watch));
        self.look_again(running);
        self.host.send(&FrameMessage::Ask(Ask::Challenge));
    }

    /// The issuer's page is closed.
    pub fn close_issuer_page(&self) {
        if let Some(running) = self.monitor.running()
            && running.watch.take().is_some()
        {
            running.issuer_page.set(IssuerPage::default());
        }
    }

    /// Hears what browser and page tell of the issuer's page.
    pub(super) fn listen_around_issuer_page(&'static self, running: &'static Running) {
        on(&window(), "securitypolicyviolation", move |event| {
            let directive = Json(event.into()).member("effectiveDirective").text();
            if running.watch.borrow().is_some() && directive.as_deref() == Some("frame-src") {
                self.challenge_failed(running, ChallengeTrouble::Blocked);
            }
        });
        host::listen_for_false_ends(move |source| {
            let from_it = |watch: &Watch| watch.is_of(source);
            let is_false = running.watch.borrow().as_ref().is_some_and(from_it);
            if is_false {
                self.challenge_failed(running, ChallengeTrouble::Mismatched);
            }
        });
    }

    /// A script in the merchant's page can send the frame elsewhere. A document that never ends to load tells nothing, so it is looked
    /// at all the time.
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
        let content = running.watch.borrow().as_ref().and_then(Watch::content);
        let page = running.issuer_page.get_untracked();
        match content {
            Some(_) if page.is_away => {}
            Some(Content::Ours) if !page.has_come => {
                running.issuer_page.update(|page| page.has_come = true);
            }
            Some(Content::Nothing) if !page.has_come => {}
            Some(Content::Nothing | Content::Other) => self.take_away(running),
            Some(Content::Ours) | None => {}
        }
    }

    /// Nobody may take for the issuer's page what is not.
    fn take_away(&'static self, running: &'static Running) {
        if let Ok(place) = element::<Element>("nested") {
            place.set_text_content(None);
        }
        running.issuer_page.update(|page| page.is_away = true);
        say_urgently(&self.texts.text("challenge_away"));
        let Some(address) = address(running) else {
            return;
        };
        // Is the issuer's page away, or unwilling to be framed, or was the frame sent elsewhere?
        spawn_local(async move {
            let answer = Request::get(&address).send().await;
            let trouble = if answer.is_ok_and(|answer| answer.ok()) {
                ChallengeTrouble::Replaced
            } else {
                ChallengeTrouble::Unreachable
            };
            // It may be closed by now, or another one.
            if self::address(running) == Some(address) {
                self.challenge_failed(running, trouble);
            }
        });
    }

    fn challenge_failed(&'static self, running: &Running, trouble: ChallengeTrouble) {
        self.dispatch(Event::ChallengeTroubled(trouble));
        let code: &'static str = wire::problem(trouble).into();
        self.host.send(&FrameMessage::Error {
            code: code.into(),
            message: "The issuer's page did not do what it should; see docs/errors.md.".into(),
        });
        offer_window(running);
    }

    /// Opens the issuer's page in the whole window. The browser comes back to the merchant's address; the outcome is read from the gateway
    /// then.
    pub fn open_issuer_window(&self) {
        let Some(address) = self.monitor.running().and_then(address) else {
            return;
        };
        self.host
            .send(&FrameMessage::StateChange(StateChangeDetail {
                state: FlowState::RedirectedToExternalDomain,
            }));
        // A browser that refuses leaves the buyer with the button, whose press it allows.
        let _ = window().open_with_url_and_target(&address, "_top");
    }
}

/// Where the issuer's page is that is open.
fn address(running: &Running) -> Option<String> {
    let watch = running.watch.borrow();
    watch.as_ref().map(|watch| watch.address.clone())
}

/// The same challenge in the whole window, if the buyer wants it.
fn offer_window(running: &Running) {
    running.issuer_page.update(|page| page.offers_window = true);
}

/// An issuer's page that says nothing for so long may be opened in the whole window instead.
const SILENCE_MS: u32 = 10_000;

/// How often it is looked at what is in the issuer's place.
const LOOK_MS: u32 = 100;
