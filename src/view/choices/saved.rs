//! The saved cards above the fields, and the question before one is removed.

use super::group::{Group, RadioGroup, RadioOption};
use super::note::Note;
use super::removal::{self, Question, Removal};
use super::{Asking, form_waits};
use crate::app::{App, Form};
use crate::choices::intl;
use crate::fields::FieldId;
use crate::page::mark;
use leptos::prelude::*;
use payframe_checkout_flow::choices::{
    Choices, Removal as RemovalState, SavedCard, SavedCards, Sentence,
};

/// The cards, if the session shows some. Like all choices they can not be used while the form works.
#[component]
pub fn SavedCardList(
    /// What all choices share.
    asking: Asking,
) -> impl IntoView {
    view! { <RadioGroup asking name="saved" group=group /> }
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
    removal::button_id(&radio(card))
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

fn group(form: Form, choices: &Choices) -> Option<Group> {
    let saved = choices.saved_cards()?;
    let listed = form.session.borrow().member("saved");
    let is_removable = listed.member("removable").0.is_truthy();
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
                removal: is_removable.then(|| removal(form, saved, card)),
            }
        })
        .collect();
    if !options.is_empty() {
        options.push(RadioOption {
            value: "other".into(),
            title: form.texts.text("choice_saved_other"),
            is_chosen: chosen.is_none(),
            ..RadioOption::default()
        });
    }
    Some(Group {
        legend: form.texts.text("choice_saved"),
        options,
        note: note(form, saved),
        is_inert: form_waits(form),
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

fn removal(form: Form, cards: &SavedCards, card: &SavedCard) -> Removal {
    let (asked, is_answered) = match &cards.removal {
        RemovalState::None => (None, false),
        RemovalState::Asked(id) => (Some(id), false),
        RemovalState::Running(id) => (Some(id), true),
    };
    let remove = form.texts.text("choice_saved_remove");
    let question = || Question {
        sentence: form
            .texts
            .fill("choice_saved_sure", &[("card", &name(form, card))]),
        keep: form.texts.text("choice_saved_keep"),
        confirm: remove.clone(),
        is_answered,
    };
    Removal {
        card: card.id.clone(),
        button: remove.clone(),
        question: (asked == Some(&card.id)).then(question),
    }
}
