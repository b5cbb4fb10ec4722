//! The state of the issuer's page: what its frame shows, and the watch over it.

use super::{Content, Place};
use crate::wire::Json;
use gloo_timers::callback::Timeout;
use leptos::prelude::window;
use std::cell::Cell;
use wasm_bindgen::JsValue;

/// What the issuer's frame shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IssuerPage {
    /// Whether it is open.
    pub is_open: bool,
    /// Whether a document of this challenge has been in it. An empty document could belong to anybody.
    pub has_come: bool,
    /// Whether it was removed, because something else was in its place.
    pub is_away: bool,
    /// Whether the buyer may open it in the whole window.
    pub offers_window: bool,
}

/// The watch over one issuer's page. It ends when this is dropped.
pub struct IssuerPageMonitor {
    /// The address of the issuer's page.
    pub address: String,
    /// The frame in which it is shown.
    pub frame: Json,
    /// Runs until the next check of the content.
    pub looking: Cell<Option<Timeout>>,
    /// Runs until the page is late.
    pub late: Timeout,
}

impl IssuerPageMonitor {
    /// What the frame shows. `None` once it is out of the page.
    pub fn content(&self) -> Option<Content> {
        let nested = self.frame.member("contentWindow");
        if !nested.is_there() {
            return None;
        }
        let location = nested.member("location");
        // A document of another origin can not be read.
        let place = || {
            Some(Place {
                href: location.member("href").text()?,
                origin: location.member("origin").text()?,
                path: location.member("pathname").text()?,
            })
        };
        let own_origin = window().location().origin().ok()?;
        Some(Content::of(place().as_ref(), &own_origin, &self.address))
    }

    /// Whether a message is from the document in the frame. `source`: its member of this name.
    pub fn is_of(&self, source: &JsValue) -> bool {
        let nested = self.frame.member("contentWindow");
        nested.is_there() && nested.0 == *source
    }
}
