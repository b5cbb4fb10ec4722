//! Keeps keys of a run of typing from pressing buttons: see [`payframe_card_rules::keys`].

use crate::app::Form;
use crate::page::on;
use crate::wire::Json;
use payframe_card_rules::keys::TypingRun;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};

/// `KeyboardEvent.keyCode` of Enter, of the blank, and of a key that an input method takes.
const ENTER: u32 = 13;
const BLANK: u32 = 32;
const COMPOSED: u32 = 229;

/// Keeps runs of typing from pressing elements that match the selector, in this element or the element itself.
pub fn keep_from_typing(form: Form, root: &Element, pressed: &'static str) {
    let run = Rc::new(Cell::new(TypingRun::default()));
    let begun = run.clone();
    on(root, "focusin", move |event| {
        begun.take();
        if fits(&event, pressed) {
            form.focused(None);
        }
    });
    // Some browsers press a button when the space bar is released.
    for kind in ["keydown", "keyup"] {
        let run = run.clone();
        on(root, kind, move |event| {
            let mut typing = run.get();
            if fits(&event, pressed) && is_refused(&event, &mut typing) {
                event.prevent_default();
            }
            run.set(typing);
        });
    }
}

fn fits(event: &Event, selector: &str) -> bool {
    let target = event.target();
    target.is_some_and(|target| {
        let target: &Element = target.unchecked_ref();
        target.matches(selector).unwrap_or(false)
    })
}

/// Whether a key that would press a button belongs to a run of typing. Updates the run.
fn is_refused(event: &Event, run: &mut TypingRun) -> bool {
    let now = js_sys::Date::now();
    let holds = |key| Json(event.into()).member(key).0.is_truthy();
    let code = event.unchecked_ref::<KeyboardEvent>().key_code();
    if matches!(code, ENTER | BLANK) {
        return run.holds(now);
    }
    // The names of keys that write nothing are longer.
    let key = Json(event.into()).member("key").text_or_empty();
    let writes =
        key.chars().count() == 1 && !["ctrlKey", "metaKey", "altKey"].into_iter().any(holds);
    if writes || code == COMPOSED {
        run.typed(now);
    }
    false
}
