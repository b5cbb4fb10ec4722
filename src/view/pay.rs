//! The pay button with its text, the cancel button, and the message above them.

use crate::app::Form;
use crate::page::{element, mark, on, write};
use crate::view::typing::keep_from_typing;
use crate::view::{question, react, show_message};
use crate::wire::SUM_CHANGED;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Makes the buttons of the page live.
pub fn adopt(form: Form) -> Result<(), JsValue> {
    on(&element("card")?, "submit", move |event| {
        event.prevent_default();
        // Errors are shown at the fields.
        let _ = form.submit();
    });
    on(&element("cancel")?, "click", move |_| {
        question::give_up(form)
    });
    keep_from_typing(form, &element("main")?, "button");
    let (pay, choices): (Element, Element) = (element("pay")?, element("choices")?);
    let shown = form.shown;
    react(move || {
        let (wait, notice) = shown.with(|shown| (shown.wait, shown.notice));
        // Not `disabled`: the button would lose the focus.
        mark(&pay, "aria-disabled", wait.map(|_| "true"));
        mark(&choices, "inert", wait.map(|_| ""));
        write(
            "pay-label",
            &wait.map_or_else(
                || form.sum_texts.borrow().pay.clone(),
                |key| form.texts.text(key),
            ),
        );
        let sentence = notice.map(|key| form.sentence(key)).unwrap_or_default();
        show_message(&sentence, notice != Some(SUM_CHANGED));
    });
    Ok(())
}
