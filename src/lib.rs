//! The card form: a Leptos widget, compiled to WebAssembly, that makes the fields of a frame page live.
//!
//! The frame page shows its fields before this code is loaded, so the widget does not draw them: it adopts them, and
//! draws what comes beside them and after them. It handles the DOM and decides
//! nothing: rules are in `payframe-card-rules`, the flow of a payment is in `payframe-checkout-flow`, the wire types in `payframe-protocol`.
//!
//! | Module | What it does |
//! |---|---|
//! | [`app`] | puts one form together and holds what its parts share |
//! | [`build_events`] | what a page of the Build protocol is told |
//! | [`runtime`] | carries out the flow's effects; the only place that does |
//! | [`late`] | the part of the module that is loaded after the form is live |
//! | [`task`] | the tasks of that part, and the queue for them |
//! | [`frame_scripts`] | what it calls of the frame's scripts |
//! | [`host`] | messages to and from the shop's page and nested frames |
//! | [`gateway_client`] | requests to the gateway |
//! | [`wire`] | from wire types to the types of the rules and back |
//! | [`choices`] | what some payments ask beside the card: methods, currency, instalments, saved cards, consent |
//! | [`fields`] | the adopted inputs, in one document or several: typing, checking, reporting |
//! | [`session`] | what the page says about the session |
//! | [`view_model`] | what is on the screen, as data |
//! | [`texts`] | sentences in the buyer's language |
//! | [`session_monitor`] | the time of the session, the issuer's page, another session that takes over |
//! | [`view`] | what is drawn, and what is kept up to date on the page |

pub mod app;
pub mod build_events;
pub mod choices;
pub mod fields;
pub mod frame_scripts;
pub mod gateway_client;
pub mod host;
pub mod late;
pub mod page;
pub mod runtime;
pub mod session;
pub mod session_monitor;
pub mod task;
pub mod texts;
pub mod view;
pub mod view_model;
pub mod wire;

use wasm_bindgen::prelude::*;
use web_sys::MessagePort;

/// Creates the form of this document, once the handshake with the shop's page has given `port`. The frame loader calls it once, then [`draw`]
/// and [`start`], in tasks of their own if possible: each takes a slow phone about 20 ms, and a key that is pressed meanwhile is
/// handled in between.
///
/// `boot` is a `payframe_protocol::boot::Boot`, `texts` the locale's flat object of sentences, `options` a
/// `payframe_protocol::frame::FrameOptions`.
///
/// # Errors
/// If the page is not the one that this widget was built for.
#[wasm_bindgen]
pub fn prepare(
    port: MessagePort,
    #[wasm_bindgen(unchecked_param_type = "import('./port.js').Boot")] boot: JsValue,
    #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] texts: JsValue,
    #[wasm_bindgen(unchecked_param_type = "import('../sdk/messages.js').FrameOptions")]
    options: JsValue,
) -> Result<(), JsValue> {
    app::prepare(port, boot, texts, options)
}

/// Draws what the form that was prepared shows beside its inputs and buttons.
///
/// # Errors
/// Where the page is not the one that this widget was built for, or nothing was prepared.
#[wasm_bindgen]
pub fn draw() -> Result<(), JsValue> {
    app::draw()
}

/// Makes the form live that was prepared and drawn. `pressed`: the buyer pressed Pay before.
///
/// # Errors
/// Where the page is not the one that this widget was built for, or nothing was prepared.
#[wasm_bindgen]
pub fn start(pressed: bool) -> Result<(), JsValue> {
    app::start(pressed)
}

/// Loads what the form needs from the first press on, unless it is loaded. The frame loader calls it when the browser is idle; a press
/// does it too.
#[wasm_bindgen(js_name = loadLatePart)]
pub fn load_late_part() {
    app::load_late_part();
}

/// The frame of a single field was added, removed or loaded again: binds the field to its current input, with what was
/// typed before. `field`: its id. The frame loader calls it; before [`start`] and for an unknown field it does nothing.
///
/// # Errors
/// If the browser can't make an element.
#[wasm_bindgen]
pub fn rebind(field: &str) -> Result<(), JsValue> {
    app::rebind(field)
}
