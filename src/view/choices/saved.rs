//! The saved cards above the fields, and the question before one is removed.

use super::Asking;
use super::group::{Group, RadioGroup, RadioOption, label_id};
use super::note::Note;
use crate::app::{App, Form};
use crate::choices::intl;
use crate::fields::FieldId;
use crate::page::mark;
use crate::view::is_escape;
use leptos::prelude::*;
use payframe_checkout_flow::choices::{
    ChoiceEvent, Choices, Removal, SavedCard, SavedCards, Sentence,
};
use web_sys::KeyboardEvent;

/// The cards, if the session shows some. Like all choices they can not be used while the form works.
#[component]
pub fn SavedCardList(
    /// What all choices share.
    asking: Asking,
) -> impl IntoView {
    let group = asking.derive(group);
    let beside = |asking, card| view! { <RemoveCard asking card /> }.into_any();
    view! {
        <RadioGroup
            asking
            name="saved"
            group
            choose=choose
            beside
            inert=asking.form_waits()
        />
    }
}

/// The card's name, as in the outcome.
pub fn name(form: &App, card: &SavedCard) -> String {
    form.texts.fill(
        "card_used",
        &[("brand", &card.brand), ("last4", &card.last4)],
    )
}

/// Id of the input of a card.
pub fn radio(card: &str) -> String {
    ["choice-saved-", card].concat()
}

/// Id of the button that removes a card.
pub fn remove_button(card: &str) -> String {
    [&*radio(card), "-remove"].concat()
}

/// Id of the input for a card that is typed.
pub const OTHER: &str = "choice-saved-other";

/// Hides and disables the fields that a saved card does not need, or shows them with their former content; nothing is said of a hidden field. Those in
/// frames of their own can only be disabled. Gives whether the focus was in a field that is out of use now.
pub fn hide_fields(form: Form, hidden: bool) -> bool {
    let active = document().active_element();
    let mut was_in_hidden = false;
    for id in FieldId::ALL {
        let field = form.fields.field(id);
        if !field.wanted || matches!(id, FieldId::SecurityCode | FieldId::Privacy) {
            continue;
        }
        if hidden {
            was_in_hidden |= field.is_in_use();
            field.message.set(None);
        }
        if let Ok(Some(place)) = field.input().closest(".field")
            && document().contains(Some(&place))
        {
            was_in_hidden |= hidden && place.contains(active.as_deref());
            mark(&place, "hidden", hidden.then_some(""));
        }
        mark(&field.input(), "disabled", hidden.then_some(""));
    }
    was_in_hidden
}

fn choose(value: String) -> Option<ChoiceEvent> {
    Some(ChoiceEvent::CardChosen((value != NO_CARD).then_some(value)))
}

fn group(form: Form, choices: &Choices) -> Option<Group> {
    let saved = choices.saved_cards()?;
    let chosen = saved.chosen().map(|card| &card.id);
    let mut options: Vec<_> = saved
        .cards
        .iter()
        .map(|card| {
            let ends = if card.is_expired {
                "choice_saved_over"
            } else {
                "choice_saved_ends"
            };
            RadioOption {
                value: card.id.clone(),
                title: name(form, card),
                about: form
                    .texts
                    .fill(ends, &[("date", &intl::month(&card.expires))]),
                is_chosen: chosen == Some(&card.id),
                is_disabled: card.is_expired,
                picture: Some(["/assets/methods/", &card.network, ".svg"].concat()),
            }
        })
        .collect();
    if !options.is_empty() {
        options.push(RadioOption {
            value: NO_CARD.into(),
            title: form.texts.text("choice_saved_other"),
            is_chosen: chosen.is_none(),
            ..RadioOption::default()
        });
    }
    Some(Group {
        legend: form.texts.text("choice_saved"),
        options,
        note: note(form, saved),
    })
}

fn note(form: Form, cards: &SavedCards) -> Option<Note> {
    let said = cards.said.as_ref()?;
    let text = form.say_of_choice(said);
    Some(match said {
        Sentence::CardRemoved(_) => Note::Plain(text),
        _ => Note::Bad(text),
    })
}

/// The button that removes a card, and the question in its place once it was pressed.
#[component]
fn RemoveCard(asking: Asking, card: String) -> impl IntoView {
    let removal = {
        let card = card.clone();
        asking.derive_with(move |form, choices| removal(form, choices, &card))
    };
    let choose = move |event| asking.choose(event);
    move || {
        let removal = removal.get()?;
        let id = remove_button(&card);
        // Its name includes the card that it removes.
        let named = [&*id, " ", &label_id(&radio(&card))].concat();
        let requested = card.clone();
        Some(view! {
            <button
                type="button"
                class="quiet"
                id=id
                aria-labelledby=named
                hidden=removal.question.is_some()
                on:click=move |_| choose(ChoiceEvent::RemovalRequested(requested.clone()))
            >
                {removal.button}
            </button>
            {removal.question.map(|question| view! { <Question question choose /> })}
        })
    }
}

/// The question before a card is removed. "Keep" comes first: a buyer who presses twice keeps the card.
#[component]
fn Question(
    question: QuestionTexts,
    choose: impl Fn(ChoiceEvent) + Copy + 'static,
) -> impl IntoView {
    let pressed = move |event: KeyboardEvent| {
        if is_escape(&event) {
            choose(ChoiceEvent::RemovalDropped);
        }
    };
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
                    on:click=move |_| choose(ChoiceEvent::RemovalDropped)
                >
                    {question.keep}
                </button>
                <button
                    type="button"
                    class="method"
                    id="choice-saved-confirm"
                    on:click=move |_| choose(ChoiceEvent::RemovalConfirmed)
                >
                    {question.confirm}
                </button>
            </div>
        </div>
    }
}

/// What is shown beside a card that can be removed.
#[derive(Clone, PartialEq, Eq)]
struct RemovalTexts {
    button: String,
    question: Option<QuestionTexts>,
}

/// The question, and its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionTexts {
    sentence: String,
    keep: String,
    confirm: String,
    /// Whether the card is being removed.
    is_answered: bool,
}

/// `None`: there is no such card, or the buyer can remove none.
fn removal(form: Form, choices: &Choices, card: &str) -> Option<RemovalTexts> {
    let saved = form.session.borrow().member("saved");
    let cards = choices
        .saved_cards()
        .filter(|_| saved.member("removable").0.is_truthy())?;
    let card = cards.cards.iter().find(|known| known.id == card)?;
    let (asked, is_answered) = match &cards.removal {
        Removal::None => (None, false),
        Removal::Asked(id) => (Some(id), false),
        Removal::Running(id) => (Some(id), true),
    };
    let remove = form.texts.text("choice_saved_remove");
    let question = || QuestionTexts {
        sentence: form
            .texts
            .fill("choice_saved_sure", &[("card", &name(form, card))]),
        keep: form.texts.text("choice_saved_keep"),
        confirm: remove.clone(),
        is_answered,
    };
    let question = (asked == Some(&card.id)).then(question);
    Some(RemovalTexts {
        button: remove,
        question,
    })
}

/// The value of the option of another card.
const NO_CARD: &str = "other";
