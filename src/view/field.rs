//! Listeners and marks on the adopted inputs, and the message below each.

use crate::app::Form;
use crate::fields::FieldId;
use crate::page::{element, mark, on};
use crate::view::typing::keep_from_typing;
use crate::view::{place, react};
use crate::wire::Json;
use leptos::prelude::*;
use payframe_card_rules::network::SecurityCodePolicy;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, KeyboardEvent};

/// Values of `KeyboardEvent.keyCode`: of keys by their function, and of two letters in any keyboard layout.
const BACKSPACE: u32 = 8;
const TAB: u32 = 9;
const ENTER: u32 = 13;
const KEY_Y: u32 = 89;
const KEY_Z: u32 = 90;

/// Makes all inputs live.
pub fn adopt_all(form: Form) -> Result<(), JsValue> {
    form.fields
        .wanted()
        .try_for_each(|field| adopt(form, field.id))
}

/// Makes the current input of a field live.
pub fn adopt(form: Form, id: FieldId) -> Result<(), JsValue> {
    let note = [id.id(), "-note"].concat();
    // Without a frame there is no place for a message.
    if element::<Element>(&note).is_ok() {
        place(&note, move || view! { <Note form id /> })?;
    }
    let input = &*form.fields.field(id).input();
    on(input, "beforeinput", move |event| {
        let step = form.fields.field(id).before_edit(event.unchecked_ref());
        if let Some(forth) = step {
            form.stepped(id, forth);
        }
    });
    on(input, "input", move |event| edited(form, id, &event));
    on(input, "change", move |_| form.filled(id));
    on(input, "compositionend", move |_| {
        form.fields.field(id).composed();
        form.edited(id, || false);
    });
    on(input, "focus", move |_| {
        form.focused(Some(id));
        form.host.focused(id);
    });
    on(input, "blur", move |_| form.left(id));
    on(input, "keydown", move |event| pressed(form, id, event));
    on(input, "pointerdown", move |_| form.pointed());
    if id == FieldId::Privacy {
        keep_from_typing(form, input, "input");
    }
    let (input, shown) = (input.clone(), form.shown);
    react(move || {
        let (wrong, wait, network, code_policy) = shown.with(|shown| {
            (
                !shown.messages[id as usize].is_empty(),
                shown.wait,
                shown.network,
                shown.code_policy,
            )
        });
        mark(&input, "aria-invalid", wrong.then_some("true"));
        mark(&input, "readonly", wait.map(|_| ""));
        if id == FieldId::SecurityCode {
            let flag = |set: bool| set.then_some("");
            let none = code_policy == SecurityCodePolicy::None;
            mark(
                &input,
                "required",
                flag(code_policy == SecurityCodePolicy::Required),
            );
            mark(&input, "disabled", flag(none));
            // In a form of one frame the field is hidden; in a frame of its own it is disabled.
            if let Ok(Some(field)) = input.closest(".field") {
                mark(&field, "hidden", flag(none));
            }
            let long = network.is_some_and(|network| network.security_code_length() == 4);
            mark(&input, "data-front", flag(long));
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
    form.edited(id, || has_text(event, "inputType", "insertText"));
}

/// Backspace in an empty field moves the focus to the end of the previous field, and deletes nothing there. Undo and redo are done here
/// where the browser has dropped its undo history. Tab or Enter right after a move of the focus by the form belongs to that move.
fn pressed(form: Form, id: FieldId, event: Event) {
    // By its number, which creates no string at each key. A key event of autofill has no number, which reads as 0.
    let key = event.unchecked_ref::<KeyboardEvent>().key_code();
    let holds = |key| Json((&event).into()).member(key).0.is_truthy();
    if matches!(key, KEY_Y | KEY_Z)
        && (holds("ctrlKey") || holds("metaKey"))
        && !holds("altKey")
        && form.fields.field(id).is_formatted()
    {
        event.prevent_default();
        form.stepped(id, key == KEY_Y || holds("shiftKey"));
    } else if key == BACKSPACE
        && form.fields.field(id).input().value().is_empty()
        && let Some(before) = form.fields.before(id)
    {
        event.prevent_default();
        before.focus();
    } else if matches!(key, TAB | ENTER)
        && !["shiftKey", "ctrlKey", "metaKey", "altKey"]
            .into_iter()
            .any(holds)
        && form.takes_as_moved(id)
    {
        event.prevent_default();
    }
}

/// Whether a member of the event has this value. The event may belong to another document's realm, or be of any type.
fn has_text(event: &Event, member: &str, value: &str) -> bool {
    Json(event.into()).member(member).text().as_deref() == Some(value)
}

/// The message below a field.
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
