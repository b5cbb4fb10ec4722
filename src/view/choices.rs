//! Draws what some payments ask beside the card: methods, billing address, currency, instalments, saved cards, consent.
//!
//! Everything is drawn from [`Choosing`] and kept current: each part is one reactive closure that draws its part again if
//! its texts have changed, and otherwise changes only attributes, so that focus and caret stay. Listeners are few: they are on the page's own
//! elements, and receive the events of all parts.

pub mod billing;
mod consent;
mod currency;
mod group;
mod instalments;
mod methods;
pub mod saved;

use crate::app::Form;
use crate::choices::choosing::Choosing;
use crate::choices::intl;
use crate::page::{adopt_style, element, mark, on};
use crate::view::react;
use crate::wire::Json;
use leptos::prelude::*;
use payframe_checkout_flow::choices::{ChoiceEvent, Currency};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlInputElement, Node};

/// Draws everything that is asked, and keeps it current.
///
/// # Errors
/// If the page lacks a place for it.
pub fn draw(form: Form, choosing: &'static Choosing) -> Result<(), JsValue> {
    adopt_style(include_str!("../../www/frame/choices.css"));
    listen(form)?;
    follow_language(form, choosing);
    methods::draw(form, choosing)?;
    billing::draw(form, choosing)?;
    currency::draw(form, choosing);
    instalments::draw(form, choosing);
    consent::draw(form, choosing);
    saved::draw(form, choosing);
    Ok(())
}

/// Adds a status region to the page, which announces politely.
///
/// # Errors
/// If the browser can't make an element.
pub fn status() -> Result<Element, JsValue> {
    let status = make("div", &[("class", "sr-only"), ("role", "status")], "")?;
    let body: Element = document().body().ok_or("body")?.into();
    body.append_child(&status)?;
    Ok(status)
}

/// An element with these attributes and this text.
fn make(tag: &str, attributes: &[(&str, &str)], text: &str) -> Result<Element, JsValue> {
    let element = document().create_element(tag)?;
    for (name, value) in attributes {
        mark(&element, name, Some(value));
    }
    if !text.is_empty() {
        element.set_text_content(Some(text));
    }
    Ok(element)
}

/// Adds a part at the end of the place.
fn append(place: &Node, part: &Element) -> Result<(), JsValue> {
    place.append_child(part).map(|_| ())
}

/// Adds a part at the beginning of the place.
fn put_first(place: &Node, part: &Element) -> Result<(), JsValue> {
    place
        .insert_before(part, place.first_child().as_ref())
        .map(|_| ())
}

/// After a change of the language everything is drawn again, and the sum is written in that language.
fn follow_language(form: Form, choosing: &'static Choosing) {
    let shown = form.shown;
    react(move || {
        // A change of the texts notifies this signal.
        shown.with(|_| ());
        let language = intl::language();
        if choosing.language.with_untracked(|drawn| *drawn != language) {
            choosing.language.set(language);
            form.show_sum();
            // The views read the sum of the session again.
            shown.notify();
        }
    });
}

/// Listens for the buyer's actions in all parts.
fn listen(form: Form) -> Result<(), JsValue> {
    let card: Element = element("card")?;
    on(&card, "change", move |event| {
        if let Some(choice) = target::<HtmlInputElement>(&event).and_then(|input| chosen(&input)) {
            form.choose(choice);
        }
    });
    on(&card, "click", move |event| {
        if let Some(pressed) = pressed(&event, "[data-choice]") {
            saved::pressed(form, &pressed);
        }
    });
    on(&card, "keydown", move |event| {
        let is_escape = Json((&event).into()).member("key").text().as_deref() == Some("Escape");
        if is_escape && pressed(&event, ".sure").is_some() {
            form.choose(ChoiceEvent::RemovalDropped);
        }
    });
    Ok(())
}

/// The choice that an input stands for.
fn chosen(input: &HtmlInputElement) -> Option<ChoiceEvent> {
    let value = input.value();
    Some(match input.name().as_str() {
        "choice-currency" if value == "card" => ChoiceEvent::CurrencyChosen(Currency::Card),
        "choice-currency" => ChoiceEvent::CurrencyChosen(Currency::Shop),
        "choice-installments" => ChoiceEvent::InstalmentsChosen(value.parse().ok()?),
        "choice-saved" if value == "other" => ChoiceEvent::CardChosen(None),
        "choice-saved" => ChoiceEvent::CardChosen(Some(value)),
        "choice-consent" => ChoiceEvent::ConsentTicked(input.checked()),
        _ => return None,
    })
}

fn target<T: JsCast>(event: &Event) -> Option<T> {
    event.target().map(JsCast::unchecked_into)
}

/// The element that matches the selector, at the target of the event or around it.
fn pressed(event: &Event, selector: &str) -> Option<Element> {
    target::<Element>(event)?.closest(selector).ok().flatten()
}
