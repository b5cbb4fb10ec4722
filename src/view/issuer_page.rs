//! What is around the issuer's page: a sentence in its place if it was removed, a button that opens it in the whole window, and
//! the elements that keep the focus in the dialog.

use crate::app::Form;
use crate::page::{element, focus, mark, new_element, on, show, write};
use crate::session_monitor::Running;
use crate::view::react;
use leptos::prelude::*;
use payframe_checkout_flow::flow::Event;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Adds the places to the page, and keeps them up to date.
///
/// # Errors
/// If the page lacks the places beside them.
pub fn adopt(form: Form, running: &'static Running) -> Result<(), JsValue> {
    let (panel, nested): (Element, Element) = (element("panel")?, element("nested")?);
    let away = [("id", "challenge-away"), ("class", "message bad")];
    nested.insert_adjacent_element("afterend", &new_element("p", &away)?)?;
    let whole = [("id", "whole"), ("class", "pay"), ("type", "button")];
    let whole = new_element("button", &whole)?;
    element::<Element>("leave")?.insert_adjacent_element("beforebegin", &whole)?;
    let edge = |id| {
        new_element(
            "div",
            &[("id", id), ("class", "sr-only"), ("tabindex", "0")],
        )
    };
    panel.insert_adjacent_element("afterbegin", &edge("before-challenge")?)?;
    panel.insert_adjacent_element("beforeend", &edge("after-challenge")?)?;
    on(&element("whole")?, "click", move |_| {
        form.dispatch(Event::WindowRequested);
    });
    // The dialog keeps the focus: after its end comes its beginning.
    on(&element("before-challenge")?, "focus", |_| focus("leave"));
    on(&element("after-challenge")?, "focus", |_| focus("title"));
    react(move || {
        let page = running.issuer_page.get();
        show("before-challenge", page.is_some());
        show("after-challenge", page.is_some());
        let page = page.unwrap_or_default();
        show("challenge-away", page.is_away);
        show("whole", page.offers_window);
        mark(&nested, "data-empty", (!page.has_come).then_some(""));
        write("challenge-away", &form.texts.text("challenge_away"));
        write("whole", &form.texts.text("challenge_open"));
    });
    Ok(())
}
