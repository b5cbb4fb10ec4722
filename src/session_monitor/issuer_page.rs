//! The watch over the issuer's page.

use super::frame_content::{Place, content};
use crate::wire::Json;
use gloo_timers::callback::Timeout;
use leptos::prelude::window;
use payframe_checkout_flow::flow::FrameContent;
use std::cell::Cell;
use wasm_bindgen::JsValue;

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
    pub fn content(&self) -> Option<FrameContent> {
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
        Some(content(place().as_ref(), &own_origin, &self.address))
    }

    /// Whether a message is from the document in the frame. `source`: its member of this name.
    pub fn is_of(&self, source: &JsValue) -> bool {
        let nested = self.frame.member("contentWindow");
        nested.is_there() && nested.0 == *source
    }
}
