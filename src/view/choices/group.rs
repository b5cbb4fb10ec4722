//! A named group of options, one of which is chosen.

use super::Asking;
use super::note::{Note, NoteBelow};
use leptos::prelude::*;
use payframe_checkout_flow::choices::ChoiceEvent;

/// What a group shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub legend: String,
    /// In the order of the screen.
    pub options: Vec<RadioOption>,
    /// The message below it.
    pub note: Option<Note>,
}

/// One option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
}

/// Draws a part beside the option with this value.
pub type Beside = fn(Asking, String) -> AnyView;

/// The group, while there is one. An option stays on the page, with its focus, as long as the group has one with its value.
#[component]
pub fn RadioGroup(
    /// What all choices share.
    asking: Asking,
    /// Part of the ids, and of the name of the inputs.
    name: &'static str,
    /// What it shows.
    group: Memo<Option<Group>>,
    /// What it means that the option with this value is chosen.
    choose: fn(String) -> Option<ChoiceEvent>,
    /// Draws what belongs to an option beside its texts.
    #[prop(optional)]
    beside: Option<Beside>,
    /// Whether nothing in it can be used.
    #[prop(optional, into)]
    inert: Signal<bool>,
) -> impl IntoView {
    let shown = move || group.with(Option::is_some);
    let legend = move || group.with(|group| group.as_ref().map(|group| group.legend.clone()));
    let values = move || {
        group.with(|group| {
            let options = group.iter().flat_map(|group| &group.options);
            options
                .map(|option| option.value.clone())
                .collect::<Vec<_>>()
        })
    };
    let note = move || {
        let note = group.with(|group| group.as_ref()?.note.clone());
        view! { <NoteBelow id=part_id(name, "note") note /> }
    };
    view! {
        <Show when=shown>
            <fieldset
                id=["choice-", name].concat()
                class="choice"
                aria-describedby=part_id(name, "note")
                inert=inert
            >
                <legend>{legend}</legend>
                <For each=values key=String::clone let:value>
                    <RadioRow asking name group value choose beside />
                </For>
                {note}
            </fieldset>
        </Show>
    }
}

/// One option: the radio button, its title, and what is said of it.
#[component]
fn RadioRow(
    asking: Asking,
    name: &'static str,
    group: Memo<Option<Group>>,
    value: String,
    choose: fn(String) -> Option<ChoiceEvent>,
    beside: Option<Beside>,
) -> impl IntoView {
    let beside = beside.map(|beside| beside(asking, value.clone()));
    let option = Memo::new(move |_| {
        group.with(|group| {
            let mut options = group.as_ref()?.options.iter();
            options.find(|option| option.value == value).cloned()
        })
    });
    let has_picture = option.with_untracked(|option| {
        option
            .as_ref()
            .is_some_and(|option| option.picture.is_some())
    });
    let texts = move || {
        option.get().map(|option| {
            let id = part_id(name, &option.value);
            let about_id = (!option.about.is_empty()).then(|| [&*id, "-about"].concat());
            let about = about_id
                .clone()
                .map(|id| view! { <p id=id class="about">{option.about}</p> });
            let value = option.value.clone();
            let chosen = move |_| {
                if let Some(event) = choose(value.clone()) {
                    asking.choose(event);
                }
            };
            view! {
                <input
                    type="radio"
                    name=["choice-", name].concat()
                    id=id.clone()
                    value=option.value
                    disabled=option.is_disabled
                    aria-describedby=about_id
                    prop:checked=option.is_chosen
                    on:change=chosen
                />
                <label for=id.clone() id=label_id(&id)>
                    {option.picture.map(|picture| view! { <Picture picture /> })}
                    {option.title}
                </label>
                {about}
            }
        })
    };
    view! {
        <div class=if has_picture { "option kept" } else { "option" }>{texts} {beside}</div>
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
