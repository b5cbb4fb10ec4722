//! The removal of a saved card: a button, and in its place a question once it was pressed.

use crate::app::Form;
use leptos::prelude::*;
use payframe_checkout_flow::choices::ChoiceEvent;
use web_sys::Element;

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
    let question = question.map(|question| {
        view! {
            <div
                id="choice-saved-question"
                class="sure"
                role="group"
                aria-labelledby="choice-saved-sure"
                inert=question.is_answered
            >
                <p id="choice-saved-sure">{question.sentence}</p>
                <div class="answers">
                    <button
                        type="button"
                        class="method"
                        id="choice-saved-keep"
                        data-choice="keep"
                    >
                        {question.keep}
                    </button>
                    <button
                        type="button"
                        class="method"
                        id="choice-saved-confirm"
                        data-choice="confirm"
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
            data-choice="remove"
            data-card=card
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

/// A button of a removal was pressed.
pub fn pressed(form: Form, button: &Element) {
    let card = || button.get_attribute("data-card").unwrap_or_default();
    let event = match button.get_attribute("data-choice").as_deref() {
        Some("remove") => ChoiceEvent::RemovalRequested(card()),
        Some("keep") => ChoiceEvent::RemovalDropped,
        Some("confirm") => ChoiceEvent::RemovalConfirmed,
        _ => return,
    };
    form.choose(event);
}
