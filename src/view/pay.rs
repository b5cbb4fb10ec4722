//! The pay button and its text, the cancel button, and the message above them.

use crate::app::Form;
use crate::page::{element, show};
use crate::view::{give_up, waiting_key};
use crate::wire::notice_key;
use leptos::ev;
use leptos::prelude::*;
use leptos::tachys::html::attribute::Attribute;
use leptos::tachys::html::event::on;
use payframe_checkout::flow::{Notice as Cause, Phase};
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlElement};

/// "Pay €35.45", or what the form is waiting for.
#[component]
pub fn Label(
    /// The form.
    form: Form,
) -> impl IntoView {
    let wait = form.derived(waiting_key);
    move || match wait.get() {
        Some(key) => {
            let text = form.app().texts.text(key);
            view! { <span class="spin" aria-hidden="true"></span>{text} }.into_any()
        }
        None => pay_text(form).into_any(),
    }
}

/// What the button promises: a payment, a hold, or nothing but a check.
pub fn pay_text(form: Form) -> String {
    let app = form.app();
    let key = match app.boot.action_type.as_str() {
        "VERIFY" => "verify_card",
        "PREAUTH" => "hold_amount",
        _ => "pay_amount",
    };
    app.texts.fill(key, &[("{amount}", &app.amount)])
}

/// Why the fields are back, above the button.
#[component]
pub fn Notice(
    /// The form.
    form: Form,
) -> impl IntoView {
    let key = form.derived(shown_notice);
    Effect::new(move || {
        if let Ok(place) = element::<HtmlElement>("message") {
            show(&place, key.get().is_some());
            place.set_class_name("message bad");
        }
    });
    move || key.get().map(|key| form.app().texts.text(key))
}

/// A refusal of one field is shown at that field instead.
fn shown_notice(phase: &Phase) -> Option<&'static str> {
    match phase {
        Phase::Collecting(Cause::Refused(decline)) if decline.field().is_some() => None,
        Phase::Collecting(notice) => notice_key(notice),
        _ => None,
    }
}

/// Makes the page's two buttons live.
pub fn adopt_buttons(form: Form) -> Result<(), JsValue> {
    let card: Element = element("card")?;
    let pay = StoredValue::new_local(element::<HtmlElement>("pay")?);
    let cancel: Element = element("cancel")?;
    let _ = on(ev::submit, move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        // What is missing is shown at the fields.
        let _ = form.app().submit();
    })
    .build(&card);
    let _ = on(ev::click, move |_| give_up(form)).build(&cancel);
    let busy = form.derived(|phase| waiting_key(phase).is_some());
    Effect::new(move || {
        let busy = if busy.get() { "true" } else { "false" };
        // Not `disabled`: that would throw the focus away.
        pay.with_value(|pay| {
            let _ = pay.set_attribute("aria-disabled", busy);
        });
    });
    Ok(())
}
