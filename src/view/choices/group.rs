//! A named group of options, one of which is chosen.

use super::Asking;
use super::note::{Note, NoteBelow};
use super::removal::{Removal, RemoveCard};
use crate::app::Form;
use leptos::prelude::*;
use payframe_checkout_flow::choices::Choices;

/// What a group shows.
pub struct Group {
    /// Its name.
    pub legend: String,
    /// In the order of the screen.
    pub options: Vec<RadioOption>,
    /// The message below it.
    pub note: Option<Note>,
    /// Whether nothing in it can be used.
    pub is_inert: bool,
}

/// One option.
#[derive(Default)]
pub struct RadioOption {
    /// Identifies the option in its group.
    pub value: String,
    /// Its name.
    pub title: String,
    /// The text below the title; may be empty.
    pub about: String,
    /// Whether the buyer has chosen it, or it is chosen from the beginning.
    pub is_chosen: bool,
    /// Whether it can not be chosen.
    pub is_disabled: bool,
    /// Path of the picture of a saved card.
    pub picture: Option<String>,
    /// How a saved card is removed.
    pub removal: Option<Removal>,
}

/// The group, while there is one.
///
/// It is one closure for all groups, which gives the whole view. Leptos keeps the elements and changes what differs, so the focus stays.
#[component]
pub fn RadioGroup(
    /// What all choices share.
    asking: Asking,
    /// Part of the ids, and of the name of the inputs.
    name: &'static str,
    /// Reads what the group shows.
    group: fn(Form, &Choices) -> Option<Group>,
) -> impl IntoView {
    move || {
        asking.read(group).map(|group| {
            let option = |option| view! { <RadioRow name option /> };
            view! {
                <fieldset
                    id=["choice-", name].concat()
                    class="choice"
                    aria-describedby=part_id(name, "note")
                    inert=group.is_inert
                >
                    <legend>{group.legend}</legend>
                    {group.options.into_iter().map(option).collect::<Vec<_>>()}
                    <NoteBelow id=part_id(name, "note") note=group.note />
                </fieldset>
            }
        })
    }
}

/// One option: the radio button, its title, and what is said of it.
#[component]
fn RadioRow(name: &'static str, option: RadioOption) -> impl IntoView {
    let id = part_id(name, &option.value);
    let about_id = (!option.about.is_empty()).then(|| [&*id, "-about"].concat());
    let about = about_id
        .clone()
        .map(|id| view! { <p id=id class="about">{option.about}</p> });
    let class = match option.picture {
        Some(_) => "option kept",
        None => "option",
    };
    let picture = option.picture.map(|picture| view! { <Picture picture /> });
    let removal = option.removal.map(|removal| {
        view! { <RemoveCard removal radio=id.clone() label=label_id(&id) /> }
    });
    view! {
        <div class=class>
            <input
                type="radio"
                name=["choice-", name].concat()
                id=id.clone()
                value=option.value
                disabled=option.is_disabled
                aria-describedby=about_id
                prop:checked=option.is_chosen
            />
            <label for=id.clone() id=label_id(&id)>
                {picture}
                {option.title}
            </label>
            {about}
            {removal}
        </div>
    }
}

/// The mark of a network or of a method. The name is beside it as text.
#[component]
pub fn Picture(
    /// Its path.
    picture: String,
) -> impl IntoView {
    view! { <img src=picture alt="" width="34" height="24" /> }
}

/// Id of a part of a group: of an input, with its value, or of the message.
pub fn part_id(name: &str, part: &str) -> String {
    ["choice-", name, "-", part].concat()
}

/// Id of the label of an input.
pub fn label_id(input: &str) -> String {
    [input, "-name"].concat()
}
