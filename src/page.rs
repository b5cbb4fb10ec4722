//! The frame page's own elements, found by their ids.
//!
//! The page and the widget are built and released together; an element that is missing is a broken build, said so
//! by name.

use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};

/// The element with this id.
///
/// # Errors
/// If the page has none, or one of another kind.
pub fn element<T: JsCast>(id: &str) -> Result<T, JsValue> {
    document()
        .get_element_by_id(id)
        .and_then(|found| found.dyn_into().ok())
        .ok_or_else(|| JsValue::from_str(id))
}

/// Shows or hides.
pub fn show(element: &web_sys::HtmlElement, shown: bool) {
    element.set_hidden(!shown);
}
