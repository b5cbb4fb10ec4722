//! Listeners and marks on the adopted inputs, and the message below each.

use crate::app::Form;
use crate::fields::FieldId;
use crate::view::{place, waiting_key};
use leptos::ev;
use leptos::prelude::*;
use leptos::tachys::html::attribute::Attribute;
use leptos::tachys::html::event::on;
use payframe_protocol::frame::FrameMessage;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{InputEvent, KeyboardEvent};

/// Makes all inputs of the page live.
pub fn adopt_all(form: Form) -> Result<(), JsValue> {
    FieldId::ALL.into_iter().try_for_each(|id| adopt(form, id))
}

fn adopt(form: Form, id: FieldId) -> Result<(), JsValue> {
    place(&[id.id(), "-note"].concat(), move || Note(NoteProps { form, id }))?;
    let app = form.app();
    let input = &app.fields.field(id).input;
    // The listeners stay with the element; their removers are not needed.
    let _ = (
        on(ev::beforeinput, move |event: InputEvent| form.app().fields.field(id).before_edit(&event)),
        on(ev::input, move |event: ev::Event| edited(form, id, &event)),
        on(ev::focus, move |_| {
            let field = id.id().into();
            form.app().host.send(&FrameMessage::Focus { field });
        }),
        on(ev::blur, move |_| left(form, id)),
        on(ev::keydown, move |event: KeyboardEvent| step_back(form, id, &event)),
    )
        .build(input);
    mark(form, id);
    Ok(())
}

fn edited(form: Form, id: FieldId, event: &ev::Event) {
    let typed = event
        .dyn_ref::<InputEvent>()
        .is_some_and(|event| event.input_type() == "insertText");
    form.app().edited(id, typed);
}

fn left(form: Form, id: FieldId) {
    let app = form.app();
    if let Some(message) = app.fields.left(id) {
        app.say_urgently(&app.sentence(message));
        app.report_change();
    }
    app.host.send(&FrameMessage::Blur { field: id.id().into() });
}

/// Backspace in an empty field goes to the end of the one before, which loses nothing by that key.
fn step_back(form: Form, id: FieldId, event: &KeyboardEvent) {
    let app = form.app();
    let before = (id as usize).checked_sub(1).and_then(|place| app.fields.all().get(place));
    if let Some(before) = before
        && event.key() == "Backspace"
        && app.fields.field(id).input.value().is_empty()
    {
        event.prevent_default();
        before.focus();
    }
}

/// Keeps the input's marks: invalid with its message, read-only while the form works, placeholder by network.
fn mark(form: Form, id: FieldId) {
    let message = form.app().fields.field(id).message;
    Effect::new(move || {
        let invalid = message.get().is_some();
        set(form, id, "aria-invalid", invalid.then_some("true"));
    });
    let busy = form.derived(|phase| waiting_key(phase).is_some());
    Effect::new(move || set(form, id, "readonly", busy.get().then_some("")));
    if id == FieldId::SecurityCode {
        let network = form.app().fields.network;
        Effect::new(move || {
            let long = network.get().is_some_and(|network| network.security_code_length() == 4);
            let key = if long { "security_code_placeholder_4" } else { "security_code_placeholder" };
            set(form, id, "placeholder", Some(&form.app().texts.text(key)));
        });
    }
}

fn set(form: Form, id: FieldId, attribute: &str, value: Option<&str>) {
    let app = form.app();
    let input = &app.fields.field(id).input;
    // Valid attribute names can be set and removed.
    let _ = match value {
        Some(value) => input.set_attribute(attribute, value),
        None => input.remove_attribute(attribute),
    };
}

/// What is said about a field, below it.
#[component]
fn Note(
    /// The form.
    form: Form,
    /// The field.
    id: FieldId,
) -> impl IntoView {
    let message = form.app().fields.field(id).message;
    move || {
        message.get().map(|message| {
            let text = form.app().sentence(message);
            view! { <span class="bad">{text}</span> }
        })
    }
}
