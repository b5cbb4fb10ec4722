//! The question before a payment is given up. It replaces the buttons, because a frame may not be high enough for a dialog
//! above them.

use crate::app::Form;
use crate::page::{element, mark};
use crate::task::{Act, Task};
use crate::view::{LocalForm, focus_when_drawn, is_escape, pressed_button, react};
use leptos::prelude::*;
use payframe_checkout_flow::flow::Event;
use std::cell::Cell;
use web_sys::Element;

/// The question. Its element is always in the page, and hidden unless it is asked.
#[component]
pub fn GiveUpQuestion(
    /// The form.
    form: LocalForm,
) -> impl IntoView {
    follow(form.get_value());
    move || {
        let asking = form.get_value().shown.with(|shown| shown.asks_to_give_up);
        let text = |key| form.get_value().texts.text(key);
        view! {
            <div
                id="question"
                class="question"
                role="alertdialog"
                aria-labelledby="question-text"
                hidden=!asking
                on:click=move |event| match pressed_button(&event).as_deref() {
                    Some("keep") => form.get_value().dispatch(Event::GivingUpDropped),
                    Some("give-up") => form.get_value().dispatch(Event::CancelRequested),
                    _ => {}
                }
                on:keydown=move |event| {
                    if is_escape(&event) {
                        event.prevent_default();
                        form.get_value().dispatch(Event::GivingUpDropped);
                    }
                }
            >
                <p id="question-text">{text("cancel_question")}</p>
                <button id="keep" class="pay" type="button">
                    {text("cancel_back")}
                </button>
                <button id="give-up" class="quiet" type="button">
                    {text("cancel_payment")}
                </button>
            </div>
        }
    }
}

/// Hides the buttons that the question replaces, and moves the focus to it and back.
fn follow(form: Form) {
    let was_asking = Cell::new(false);
    react(move || {
        let asking = form.shown.with(|shown| shown.asks_to_give_up);
        if was_asking.replace(asking) == asking {
            return;
        }
        if let Ok(main) = element::<Element>("main") {
            mark(&main, "data-asking", asking.then_some(""));
        }
        if asking {
            return focus_when_drawn("keep");
        }
        let active = document().active_element();
        if element::<Element>("question").is_ok_and(|question| question.contains(active.as_deref()))
        {
            let panel = form.shown.with_untracked(|shown| shown.stage.is_some());
            focus_when_drawn(if panel { "leave" } else { "cancel" });
        }
    });
}

/// Gives the payment up: at once if nothing was typed yet, otherwise the buyer is asked.
pub fn give_up(form: Form) {
    form.later(Task::Act(if form.has_been_typed_in() {
        Act::AskToGiveUp
    } else {
        Act::GiveUp
    }));
}
