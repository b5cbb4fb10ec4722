//! Listeners and marks on the adopted inputs, and the message below each.

use crate::app::Form;
use crate::fields::FieldId;
use crate::page::{mark, on};
use crate::view::{place, react};
use leptos::prelude::*;
use payframe_protocol::frame::FrameMessage;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, InputEvent, KeyboardEvent};

/// Makes all inputs of the page live.
pub fn adopt_all(form: Form) -> Result<(), JsValue> {
    FieldId::ALL.into_iter().try_for_each(|id| adopt(form, id))
}

fn adopt(form: Form, id: FieldId) -> Result<(), JsValue> {
    place(
        &[id.id(), "-note"].concat(),
        move || view! { <Note form id /> },
    )?;
    let input = &form.fields.field(id).input;
    on(input, "beforeinput", move |event| {
        form.fields.field(id).before_edit(event.unchecked_ref());
    });
    on(input, "input", move |event| edited(form, id, &event));
    on(input, "focus", move |_| {
        let field = id.id().into();
        form.host.send(&FrameMessage::Focus { field });
    });
    on(input, "blur", move |_| form.left(id));
    on(input, "keydown", move |event| {
        step_back(form, id, event.unchecked_ref())
    });
    let (input, shown) = (input.clone(), form.shown);
    react(move || {
        let (wrong, wait, network) = shown.with(|shown| {
            (
                !shown.messages[id as usize].is_empty(),
                shown.wait,
                shown.network,
            )
        });
        mark(&input, "aria-invalid", wrong.then_some("true"));
        mark(&input, "readonly", wait.map(|_| ""));
        if id == FieldId::SecurityCode {
            let long = network.is_some_and(|network| network.security_code_length() == 4);
            let key = if long {
                "security_code_placeholder_4"
            } else {
                "security_code_placeholder"
            };
            mark(&input, "placeholder", Some(&form.texts.text(key)));
        }
    });
    Ok(())
}

fn edited(form: Form, id: FieldId, event: &Event) {
    let typed = event
        .dyn_ref::<InputEvent>()
        .is_some_and(|event| event.input_type() == "insertText");
    form.edited(id, typed);
}

/// Backspace in an empty field goes to the end of the one before, which loses nothing by that key.
fn step_back(form: Form, id: FieldId, event: &KeyboardEvent) {
    let before = (id as usize)
        .checked_sub(1)
        .and_then(|place| form.fields.all().get(place));
    // A key event without a key comes from autofill.
    if let Some(before) = before
        && event
            .dyn_ref::<KeyboardEvent>()
            .is_some_and(|event| event.key() == "Backspace")
        && form.fields.field(id).input.value().is_empty()
    {
        event.prevent_default();
        before.focus();
    }
}

/// What is said about a field, below it.
#[component]
fn Note(
    /// The form.
    form: Form,
    /// The field.
    id: FieldId,
) -> impl IntoView {
    let shown = form.shown;
    view! { <span class="bad">{move || shown.with(|shown| shown.messages[id as usize].clone())}</span> }
}
