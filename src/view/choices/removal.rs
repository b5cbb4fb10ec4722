//! The removal of a saved card: a button, and in its place a question once it was pressed.

use super::Asking;
use crate::view::is_escape;
use leptos::prelude::*;
use payframe_checkout_flow::choices::ChoiceEvent;
use web_sys::KeyboardEvent;

/// What is shown of it.
pub struct Removal {
    /// Id of the card.
    pub card: String,
    /// Text of the button.
    pub button: String,
    /// The question.
    pub question: Option<Question>,
}

/// The question before a card is removed.
pub struct Question {
    /// What is asked.
    pub sentence: String,
    /// The answer that keeps the card.
    pub keep: String,
    /// The answer that removes it.
    pub confirm: String,
    /// Whether the card is being removed.
    pub is_answered: bool,
}

/// The button that removes a card, and the question in its place once it was pressed. "Keep" comes first: a buyer who presses twice keeps the
/// card.
#[component]
pub fn RemoveCard(
    /// What all choices share.
    asking: Asking,
    /// What it shows.
    removal: Removal,
    /// Id of the card's radio button.
    radio: String,
    /// Id of the card's name.
    label: String,
) -> impl IntoView {
    let Removal {
        card,
        button,
        question,
    } = removal;
    let id = button_id(&radio);
    // Its name includes the card that it removes.
    let named = [&*id, " ", &label].concat();
    let is_asked = question.is_some();
    let pressed = move |event: KeyboardEvent| {
        if is_escape(&event) {
            asking.form().choose(ChoiceEvent::RemovalDropped);
        }
    };
    let question = question.map(|question| {
        view! {
            <div
                id="choice-saved-question"
                class="sure"
                role="group"
                aria-labelledby="choice-saved-sure"
                inert=question.is_answered
                on:keydown=pressed
            >
                <p id="choice-saved-sure">{question.sentence}</p>
                <div class="answers">
                    <button
                        type="button"
                        class="method"
                        id="choice-saved-keep"
                        on:click=asking.on(ChoiceEvent::RemovalDropped)
                    >
                        {question.keep}
                    </button>
                    <button
                        type="button"
                        class="method"
                        id="choice-saved-confirm"
                        on:click=asking.on(ChoiceEvent::RemovalConfirmed)
                    >
                        {question.confirm}
                    </button>
                </div>
            </div>
        }
    });
    view! {
        <button
            type="button"
            class="quiet"
            id=id
            aria-labelledby=named
            hidden=is_asked
            on:click=asking.on(ChoiceEvent::RemovalRequested(card))
        >
            {button}
        </button>
        {question}
    }
}

/// Id of the button that removes the card of this radio button.
pub fn button_id(radio: &str) -> String {
    [radio, "-remove"].concat()
}
