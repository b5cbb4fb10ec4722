//! The elements of the page, found by their ids: in this document, or in that of a sibling frame.
//!
//! The loader knows which document has which element: it provides the function [`find`]. Page and widget are
//! built and released together, so a missing element is a broken build; the error names it. An element of another
//! document belongs to another realm, so its type can not be tested: its id has to be enough.

use crate::frame_scripts::find;
use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use web_sys::{CssStyleSheet, Element, Event, EventTarget, HtmlElement};

/// The element with this id.
///
/// # Errors
/// If there is none.
pub fn element<T: JsCast>(id: &str) -> Result<T, JsValue> {
    find(id)
        .map(JsCast::unchecked_into)
        .ok_or_else(|| JsValue::from_str(id))
}

/// A new element with these attributes, which is not in the page yet. The page takes no markup as text: it enforces Trusted Types.
///
/// # Errors
/// If a name is not valid.
pub fn new_element(tag: &str, attributes: &[(&str, &str)]) -> Result<Element, JsValue> {
    let made = document().create_element(tag)?;
    for (name, value) in attributes {
        made.set_attribute(name, value)?;
    }
    Ok(made)
}

/// Writes a text into an element of the page, unless the element has this text already.
pub fn write(id: &str, text: &str) {
    if let Ok(place) = element::<Element>(id)
        && place.text_content().as_deref() != Some(text)
    {
        place.set_text_content(Some(text));
    }
}

/// Shows or hides an element of the page.
pub fn show(id: &str, shown: bool) {
    if let Ok(place) = element::<HtmlElement>(id) {
        place.set_hidden(!shown);
    }
}

/// Moves the focus to an element of the page.
pub fn focus(id: &str) {
    if let Ok(place) = element::<HtmlElement>(id) {
        // If the browser refuses the focus, nothing can be done.
        let _ = place.focus();
    }
}

/// Styles this document before all styles that a merchant's appearance adds.
pub fn adopt_style(css: &str) {
    // Neither call can fail: the text is our own.
    if let Ok(style) = CssStyleSheet::new()
        && style.replace_sync(css).is_ok()
    {
        document().adopted_style_sheets().unshift(&style);
    }
}

/// Sets an attribute, or removes it.
pub fn mark(element: &Element, attribute: &str, value: Option<&str>) {
    // Valid attribute names can be set and removed.
    let _ = match value {
        Some(value) => element.set_attribute(attribute, value),
        None => element.remove_attribute(attribute),
    };
}

/// Listens for as long as the document lives.
///
/// All listeners share one compiled shape: the closure is a trait object on purpose.
pub fn on(target: &EventTarget, event: &str, act: impl FnMut(Event) + 'static) {
    fn listen(target: &EventTarget, event: &str, act: Box<dyn FnMut(Event)>) {
        let listener = Closure::wrap(act);
        // Adding a listener to our own element can't fail.
        let _ = target.add_event_listener_with_callback(event, listener.as_ref().unchecked_ref());
        listener.forget();
    }
    listen(target, event, Box::new(act));
}
