//! The question before a payment is given up. It replaces the buttons, because a frame may not be high enough for a dialog
//! above them.

use crate::app::Form;
use crate::page::{element, focus, mark, on, show};
use crate::task::{Act, Task};
use crate::view::react;
use crate::wire::Json;
use leptos::prelude::*;
use payframe_checkout_flow::flow::Event;
use std::cell::Cell;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Makes the question live.
pub fn adopt(form: Form) -> Result<(), JsValue> {
    let (question, keep) = (element::<Element>("question")?, element::<Element>("keep")?);
    let (give_up, main) = (element::<Element>("give-up")?, element::<Element>("main")?);
    on(&keep, "click", move |_| {
        form.dispatch(Event::GivingUpDropped)
    });
    on(&question, "keydown", move |event| {
        if Json((&event).into()).member("key").text().as_deref() == Some("Escape") {
            event.prevent_default();
            form.dispatch(Event::GivingUpDropped);
        }
    });
    on(&give_up, "click", move |_| {
        form.dispatch(Event::CancelRequested);
    });
    let was_asking = Cell::new(false);
    react(move || {
        let asking = form.shown.with(|shown| shown.asks_to_give_up);
        if was_asking.replace(asking) == asking {
            return;
        }
        let active = document().active_element();
        let was_in_it = question.contains(active.as_deref());
        show("question", asking);
        mark(&main, "data-asking", asking.then_some(""));
        if asking {
            focus("keep");
        } else if was_in_it {
            let panel = form.shown.with_untracked(|shown| shown.stage.is_some());
            focus(if panel { "leave" } else { "cancel" });
        }
    });
    Ok(())
}

/// Gives the payment up: at once if nothing was typed yet, otherwise the buyer is asked.
pub fn give_up(form: Form) {
    form.later(Task::Act(if form.has_been_typed_in() {
        Act::AskToGiveUp
    } else {
        Act::GiveUp
    }));
}
