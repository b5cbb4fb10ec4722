//! The saved cards above the fields, and the question before one is removed.

use super::group::{Group, GroupView, Note, Position, RadioOption};
use super::{append, make};
use crate::app::{App, Form};
use crate::choices::choosing::Choosing;
use crate::choices::intl;
use crate::fields::FieldId;
use crate::page::mark;
use crate::view::react;
use leptos::prelude::*;
use payframe_checkout_flow::choices::{ChoiceEvent, Removal, SavedCard, SavedCards, Sentence};
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Draws them if the session shows some.
pub(super) fn draw(form: Form, choosing: &'static Choosing) {
    let view = GroupView::new("saved", "card", Position::First);
    let shown = form.shown;
    react(move || {
        choosing.language.track();
        let cards = choosing.state.with(|state| state.saved_cards().cloned());
        let chosen = cards
            .as_ref()
            .map(|cards| cards.chosen().map_or("other", |card| &card.id));
        let note = cards.as_ref().and_then(|cards| note(form, cards));
        let group = cards.as_ref().map(|cards| group(form, cards));
        // In our own page it can't fail.
        if let Ok(Some(element)) = view.keep(group, chosen, note.as_ref())
            && let Some(cards) = &cards
        {
            let waits = shown.with_untracked(|shown| shown.wait.is_some());
            mark(&element, "inert", waits.then_some(""));
            let _ = keep_question(form, cards);
        }
    });
    // They are disabled while the form works, like all choices.
    react(move || {
        let waits = shown.with(|shown| shown.wait.is_some());
        if let Some(element) = document().get_element_by_id("choice-saved") {
            mark(&element, "inert", waits.then_some(""));
        }
    });
}

/// A button in them was pressed.
pub(super) fn pressed(form: Form, button: &Element) {
    let card = || button.get_attribute("data-card").unwrap_or_default();
    let event = match button.get_attribute("data-choice").as_deref() {
        Some("remove") => ChoiceEvent::RemovalRequested(card()),
        Some("keep") => ChoiceEvent::RemovalDropped,
        Some("confirm") => ChoiceEvent::RemovalConfirmed,
        _ => return,
    };
    form.choose(event);
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

fn note(form: Form, cards: &SavedCards) -> Option<Note> {
    let said = cards.said.as_ref()?;
    let text = form.say_of_choice(said);
    Some(match said {
        Sentence::CardRemoved(_) => Note::Plain(text),
        _ => Note::Bad(text),
    })
}

fn group(form: Form, cards: &SavedCards) -> Group {
    let saved = form.session.borrow().member("saved");
    let is_removable = saved.member("removable").0.is_truthy();
    let remove = is_removable.then(|| form.texts.text("choice_saved_remove"));
    let mut options: Vec<_> = cards
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
                is_disabled: card.is_expired,
                picture: Some(["/assets/methods/", &card.network, ".svg"].concat()),
                remove: remove.clone(),
            }
        })
        .collect();
    if !options.is_empty() {
        options.push(RadioOption {
            value: "other".into(),
            title: form.texts.text("choice_saved_other"),
            ..RadioOption::default()
        });
    }
    Group {
        legend: form.texts.text("choice_saved"),
        options,
    }
}

/// Shows the question before a removal below its card, in place of the button, or removes it.
fn keep_question(form: Form, cards: &SavedCards) -> Result<(), JsValue> {
    let (asked, runs) = match &cards.removal {
        Removal::None => (None, false),
        Removal::Asked(id) => (Some(id), false),
        Removal::Running(id) => (Some(id), true),
    };
    if let Some(former) = document().get_element_by_id(QUESTION) {
        former.remove();
    }
    for card in &cards.cards {
        let Some(button) = document().get_element_by_id(&remove_button(&card.id)) else {
            continue;
        };
        let is_asked = asked == Some(&card.id);
        mark(&button, "hidden", is_asked.then_some(""));
        if is_asked && let Some(option) = button.parent_node() {
            let question = question(form, card)?;
            mark(&question, "inert", runs.then_some(""));
            append(&option, &question)?;
        }
    }
    Ok(())
}

fn question(form: Form, card: &SavedCard) -> Result<Element, JsValue> {
    let name = name(form, card);
    let attributes = [
        ("id", QUESTION),
        ("class", "sure"),
        ("role", "group"),
        ("aria-labelledby", "choice-saved-sure"),
    ];
    let question = make("div", &attributes, "")?;
    let text = form.texts.fill("choice_saved_sure", &[("card", &name)]);
    append(
        &question,
        &make("p", &[("id", "choice-saved-sure")], &text)?,
    )?;
    let answers = make("div", &[("class", "answers")], "")?;
    // "Keep" comes first: a buyer who presses twice keeps the card.
    for (answer, id, key) in [
        ("keep", "choice-saved-keep", "choice_saved_keep"),
        ("confirm", "choice-saved-confirm", "choice_saved_remove"),
    ] {
        let attributes = [
            ("type", "button"),
            ("class", "method"),
            ("id", id),
            ("data-choice", answer),
        ];
        append(
            &answers,
            &make("button", &attributes, &form.texts.text(key))?,
        )?;
    }
    append(&question, &answers)?;
    Ok(question)
}

const QUESTION: &str = "choice-saved-question";
