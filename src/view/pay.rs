//! The pay button with its text, the cancel button, and the message above them.

use crate::app::Form;
use crate::page::{element, mark, on, show, write};
use crate::view::react;
use leptos::prelude::*;
use payframe_checkout::flow::Event;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// What the button promises: a payment, a hold, or nothing but a check.
pub fn pay_text(form: Form) -> String {
    let key = match form.session.action_type.as_str() {
        "VERIFY" => "verify_card",
        "PREAUTH" => "hold_amount",
        _ => "pay_amount",
    };
    form.texts.fill(key, &[("amount", &form.session.amount())])
}

/// Makes the buttons of the page live.
pub fn adopt(form: Form) -> Result<(), JsValue> {
    on(&element("card")?, "submit", move |event| {
        event.prevent_default();
        // What is missing is shown at the fields.
        let _ = form.submit();
    });
    on(&element("cancel")?, "click", move |_| {
        form.dispatch(Event::CancelRequested)
    });
    let pay: Element = element("pay")?;
    let shown = form.shown;
    react(move || {
        let (wait, notice) = shown.with(|shown| (shown.wait, shown.notice));
        let text = |key| form.texts.text(key);
        // Not `disabled`: that would throw the focus away.
        mark(&pay, "aria-disabled", wait.map(|_| "true"));
        // Until the sum is there, the page's own word stands.
        if wait.is_some() || !form.session.amount().is_empty() {
            write("pay-label", &wait.map_or_else(|| pay_text(form), text));
        }
        write("message", &notice.map(text).unwrap_or_default());
        show("message", notice.is_some());
    });
    Ok(())
}
