//! A named group of options, one of which is chosen.

use super::{append, make, put_first};
use crate::page::mark;
use leptos::prelude::document;
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, HtmlInputElement};

/// The texts of a group. It is drawn again if they change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) legend: String,
    pub(super) options: Vec<RadioOption>,
}

/// One option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RadioOption {
    /// Identifies the option in its group.
    pub(super) value: String,
    pub(super) title: String,
    /// The text below the title; may be empty.
    pub(super) about: String,
    pub(super) is_disabled: bool,
    /// Path of the picture of a saved card.
    pub(super) picture: Option<String>,
    /// Text of the button that removes a saved card.
    pub(super) remove: Option<String>,
}

/// The message below a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// An error, or something that is missing.
    Bad(String),
    /// A confirmation.
    Plain(String),
}

/// The position of a group in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    First,
    Last,
}

/// A group, whether or not it is on the page.
pub(super) struct GroupView {
    /// Part of its ids, and of the name of its inputs.
    name: &'static str,
    place: &'static str,
    position: Position,
    drawn: RefCell<Option<(Group, Element)>>,
}

impl GroupView {
    /// `place`: id of the element that contains it.
    pub(super) fn new(name: &'static str, place: &'static str, position: Position) -> Self {
        Self {
            name,
            place,
            position,
            drawn: RefCell::default(),
        }
    }

    /// Shows the group, or removes it. Gives its element.
    pub(super) fn keep(
        &self,
        group: Option<Group>,
        chosen: Option<&str>,
        note: Option<&Note>,
    ) -> Result<Option<Element>, JsValue> {
        let mut drawn = self.drawn.borrow_mut();
        let Some(group) = group else {
            if let Some((_, element)) = drawn.take() {
                element.remove();
            }
            return Ok(None);
        };
        if drawn.as_ref().is_none_or(|(before, _)| *before != group) {
            let element = self.draw(&group)?;
            match drawn.as_ref() {
                Some((_, former)) => replace(former, &element)?,
                None => self.put(&element)?,
            }
            *drawn = Some((group, element));
        }
        let Some((group, element)) = drawn.as_ref() else {
            return Ok(None);
        };
        for option in &group.options {
            if let Some(radio) = document().get_element_by_id(&self.id(&option.value)) {
                let radio: &HtmlInputElement = radio.unchecked_ref();
                radio.set_checked(chosen == Some(&option.value));
            }
        }
        if let Some(place) = document().get_element_by_id(&self.id("note")) {
            write_note(&place, note)?;
        }
        Ok(Some(element.clone()))
    }

    fn id(&self, part: &str) -> String {
        ["choice-", self.name, "-", part].concat()
    }

    fn put(&self, element: &Element) -> Result<(), JsValue> {
        let place = document().get_element_by_id(self.place).ok_or(self.place)?;
        match self.position {
            Position::First => put_first(&place, element),
            Position::Last => append(&place, element),
        }
    }

    fn draw(&self, group: &Group) -> Result<Element, JsValue> {
        let note = self.id("note");
        let name = ["choice-", self.name].concat();
        let element = make(
            "fieldset",
            &[
                ("id", &name),
                ("class", "choice"),
                ("aria-describedby", &note),
            ],
            "",
        )?;
        append(&element, &make("legend", &[], &group.legend)?)?;
        for option in &group.options {
            append(&element, &self.draw_option(&name, option)?)?;
        }
        append(
            &element,
            &make("p", &[("id", &note), ("class", "note")], "")?,
        )?;
        Ok(element)
    }

    fn draw_option(&self, name: &str, option: &RadioOption) -> Result<Element, JsValue> {
        let id = self.id(&option.value);
        let class = if option.picture.is_some() {
            "option kept"
        } else {
            "option"
        };
        let element = make("div", &[("class", class)], "")?;
        let radio = make(
            "input",
            &[
                ("type", "radio"),
                ("name", name),
                ("id", &id),
                ("value", &option.value),
            ],
            "",
        )?;
        mark(&radio, "disabled", option.is_disabled.then_some(""));
        append(&element, &radio)?;
        let label_id = [&id, "-name"].concat();
        let label = make("label", &[("for", &id), ("id", &label_id)], &option.title)?;
        if let Some(picture) = &option.picture {
            put_first(&label, &mark_of(picture)?)?;
        }
        append(&element, &label)?;
        if !option.about.is_empty() {
            let about = [&id, "-about"].concat();
            mark(&radio, "aria-describedby", Some(&about));
            let about = make("p", &[("id", &about), ("class", "about")], &option.about)?;
            append(&element, &about)?;
        }
        if let Some(text) = &option.remove {
            let button_id = [&id, "-remove"].concat();
            // Its name includes the card that it removes.
            let named = [&button_id, " ", &label_id].concat();
            let button = make(
                "button",
                &[
                    ("type", "button"),
                    ("class", "quiet"),
                    ("id", &button_id),
                    ("aria-labelledby", &named),
                    ("data-choice", "remove"),
                    ("data-card", &option.value),
                ],
                text,
            )?;
            append(&element, &button)?;
        }
        Ok(element)
    }
}

/// The mark of a network or of a method. The name is beside it as text.
pub(super) fn mark_of(picture: &str) -> Result<Element, JsValue> {
    let attributes = [
        ("src", picture),
        ("alt", ""),
        ("width", "34"),
        ("height", "24"),
    ];
    make("img", &attributes, "")
}

/// Writes the message below a part.
pub(super) fn write_note(place: &Element, note: Option<&Note>) -> Result<(), JsValue> {
    let (text, class) = match note {
        None => {
            place.set_text_content(None);
            return Ok(());
        }
        Some(Note::Bad(text)) => (text, "bad"),
        Some(Note::Plain(text)) => (text, ""),
    };
    if place.text_content().as_ref() != Some(text) {
        place.set_text_content(None);
        append(place, &make("span", &[("class", class)], text)?)?;
    }
    Ok(())
}

/// Replaces a part by its new version. The focus in it is restored.
pub(super) fn replace(former: &Element, element: &Element) -> Result<(), JsValue> {
    let active = document().active_element();
    let focused = active.filter(|active| former.contains(Some(active)));
    if let Some(place) = former.parent_node() {
        place.replace_child(element, former)?;
    }
    if let Some(element) = focused.and_then(|focused| document().get_element_by_id(&focused.id())) {
        let element: &HtmlElement = element.unchecked_ref();
        // Focus that the browser refuses is not given.
        let _ = element.focus();
    }
    Ok(())
}
