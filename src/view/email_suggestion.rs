//! Another e-mail address, where the typed one contains a likely mistake. It is a proposal below the field: what was typed stays unless the buyer
//! takes it. The address is sent to nobody.

use crate::app::{App, Form};
use crate::fields::FieldId;
use crate::page::{element, new_element, on, write};
use leptos::prelude::*;
use payframe_card_rules::email::likely_address;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlElement};

/// The place of the proposal, while there is one.
const PLACE: &str = "email-meant";
/// The attribute of the place that has the text for which the proposal was made.
const MADE_FOR: &str = "data-for";

/// The buyer left the field.
pub fn suggest(form: Form) {
    withdraw();
    let input = form.fields.field(FieldId::Email).input().clone();
    let typed = input.value();
    let Some(address) = likely_address(&typed).filter(|_| !input.read_only()) else {
        return;
    };
    let Some(place) = new_place(&input) else {
        return;
    };
    // The text is on the page already, in the input above.
    let _ = place.set_attribute(MADE_FOR, &typed);
    // Isolated, so that the address is shown from left to right in every language.
    let isolated = ["\u{2066}", &address, "\u{2069}"].concat();
    let question = form.texts.fill("email_meant", &[("email", &isolated)]);
    write("polite", &question);
    // Without a button nothing is offered.
    let _ = add_button(form, &place, &question, address);
}

fn add_button(form: Form, place: &Element, question: &str, address: String) -> Result<(), JsValue> {
    let button = new_element("button", &[("type", "button"), ("class", "meant")])?;
    button.set_text_content(Some(question));
    on(&button, "click", move |_| take(form, &address));
    place.append_child(&button)?;
    Ok(())
}

/// The buyer typed: a proposal for another text is withdrawn.
pub fn withdraw_if_changed(form: Form) {
    if let Ok(place) = element::<Element>(PLACE)
        && place.get_attribute(MADE_FOR) != Some(form.fields.field(FieldId::Email).input().value())
    {
        place.remove();
    }
}

fn withdraw() {
    if let Ok(place) = element::<Element>(PLACE) {
        place.remove();
    }
}

fn take(form: Form, address: &str) {
    let field = form.fields.field(FieldId::Email);
    field.input().set_value(address);
    App::edited(form, FieldId::Email, || false);
    withdraw();
    field.focus();
}

/// Below the field; above the message of the form if the field is in a frame of its own, which has no room. `None`: a field of the Build
/// protocol, whose page has its own form.
fn new_place(input: &HtmlElement) -> Option<Element> {
    let message = element::<Element>("message").ok()?;
    let place = new_element("div", &[("id", PLACE)]).ok()?;
    let in_form = input
        .owner_document()
        .is_some_and(|page| page == document());
    match input.closest(".field").ok().flatten().filter(|_| in_form) {
        Some(field) => field.append_child(&place).ok()?,
        None => message
            .parent_node()?
            .insert_before(&place, Some(&message))
            .ok()?,
    };
    Some(place)
}
