//! The billing address that banks compare with their own: the country, and its postal code.

use super::group::{Note, replace, write_note};
use super::{append, make, target};
use crate::app::{App, Form};
use crate::choices::choosing::Choosing;
use crate::choices::intl;
use crate::choices::read::{countries, postal_code_rule};
use crate::page::{element, mark, on};
use crate::view::react;
use leptos::prelude::*;
use payframe_card_rules::postal_code::PostalCodeKind;
use payframe_checkout_flow::choices::{Billing, BillingProblem, ChoiceEvent, Sentence};
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use web_sys::{Element, Event, HtmlInputElement};

/// Draws it below the card, if the session asks. A saved card hides it.
///
/// # Errors
/// If the page lacks a place for it.
pub(super) fn draw(form: Form, choosing: &'static Choosing) -> Result<(), JsValue> {
    listen(form)?;
    let drawn: RefCell<Option<(String, Element)>> = RefCell::default();
    react(move || {
        choosing.language.track();
        // In our own page it can't fail.
        let _ = choosing.state.with(|state| {
            let is_hidden = state.saved_card().is_some();
            keep(form, &drawn, state.billing(), is_hidden)
        });
    });
    let shown = form.shown;
    react(move || {
        let waits = shown.with(|shown| shown.wait.is_some());
        if let Some(group) = document().get_element_by_id(GROUP) {
            mark(&group, "inert", waits.then_some(""));
        }
    });
    Ok(())
}

/// Id of the input for the country.
pub const COUNTRY: &str = "choice-billing-country";

/// Id of the input for the postal code.
pub const POSTAL_CODE: &str = "choice-billing-postal";

const GROUP: &str = "choice-billing";

/// The country's input belongs to no realm that is tested for, and has the same `value` as one that is typed into.
fn country() -> Result<HtmlInputElement, JsValue> {
    element(COUNTRY)
}

fn listen(form: Form) -> Result<(), JsValue> {
    let card: Element = element("card")?;
    let is_at = |event: &Event, id: &str| target::<Element>(event).is_some_and(|at| at.id() == id);
    on(&card, "change", move |event| {
        if is_at(&event, COUNTRY)
            && let Ok(chosen) = country()
        {
            let country = chosen.value();
            let rule = postal_code_rule(&form.session.borrow(), &country);
            form.choose(ChoiceEvent::BillingCountryChosen { country, rule });
        }
    });
    on(&card, "input", move |event| {
        if is_at(&event, POSTAL_CODE)
            && let Some(input) = target::<HtmlInputElement>(&event)
        {
            form.choose(ChoiceEvent::PostalCodeTyped(input.value()));
        }
    });
    on(&card, "focusout", move |event| {
        if is_at(&event, POSTAL_CODE) {
            form.choose(ChoiceEvent::PostalCodeLeft);
        }
    });
    Ok(())
}

/// Draws it in the language of the page, or removes it, and keeps it current. `drawn`: its language, and its element.
fn keep(
    form: Form,
    drawn: &RefCell<Option<(String, Element)>>,
    billing: Option<&Billing>,
    is_hidden: bool,
) -> Result<(), JsValue> {
    let mut drawn = drawn.borrow_mut();
    let Some(billing) = billing else {
        if let Some((_, group)) = drawn.take() {
            group.remove();
        }
        return Ok(());
    };
    let language = intl::language();
    if drawn.as_ref().is_none_or(|(before, _)| *before != language) {
        let group = draw_group(form, billing)?;
        match drawn.as_ref() {
            Some((_, former)) => replace(former, &group)?,
            None => put_before(&element("choices")?, &group)?,
        }
        let country = country()?;
        country.set_value(&billing.country);
        *drawn = Some((language, group));
    }
    if let Some((_, group)) = drawn.as_ref() {
        mark(group, "hidden", is_hidden.then_some(""));
    }
    follow(form, billing)
}

fn put_before(place: &Element, group: &Element) -> Result<(), JsValue> {
    let around = place.parent_node().ok_or("choices")?;
    around.insert_before(group, Some(place)).map(drop)
}

/// Shows what depends on the country, and the message.
fn follow(form: Form, billing: &Billing) -> Result<(), JsValue> {
    let (country, postal_code) = (country()?, element::<HtmlInputElement>(POSTAL_CODE)?);
    let rule = billing.rule();
    if let Some(field) = postal_code.closest(".field")? {
        mark(&field, "hidden", rule.is_none().then_some(""));
    }
    if let Some(rule) = rule {
        let label = match rule.kind {
            PostalCodeKind::Zip => "choice_billing_zip",
            PostalCodeKind::Postal => "choice_billing_postal",
        };
        let place: Element = element(POSTAL_CODE_LABEL)?;
        place.set_text_content(Some(&form.texts.text(label)));
        let keyboard = if rule.is_numeric() { "numeric" } else { "text" };
        mark(&postal_code, "inputmode", Some(keyboard));
        mark(&postal_code, "required", rule.is_required.then_some(""));
    }
    let problem = billing.problem.as_ref();
    let is_of_country = problem == Some(&BillingProblem::CountryMissing);
    let said = problem.map(|problem| Note::Bad(said(form, problem)));
    for (input, is_its) in [(&country, is_of_country), (&postal_code, !is_of_country)] {
        let said = said.as_ref().filter(|_| is_its);
        mark(input, "aria-invalid", said.map(|_| "true"));
        write_note(&element(&note_id(&input.id()))?, said)?;
    }
    Ok(())
}

fn said(form: &App, problem: &BillingProblem) -> String {
    form.say_of_choice(&Sentence::Billing(problem.clone()))
}

fn draw_group(form: Form, billing: &Billing) -> Result<Element, JsValue> {
    let text = |key| form.texts.text(key);
    let group = make("fieldset", &[("id", GROUP), ("class", "choice")], "")?;
    append(&group, &make("legend", &[], &text("choice_billing"))?)?;
    let pair = make("div", &[("class", "pair")], "")?;
    let country = make(
        "select",
        &[
            ("id", COUNTRY),
            ("name", "country"),
            ("autocomplete", "billing country"),
            ("required", ""),
        ],
        "",
    )?;
    if billing.country.is_empty() {
        append(&country, &make("option", &[("value", "")], "")?)?;
    }
    for (name, code) in intl::countries(countries(&form.session.borrow())) {
        append(&country, &make("option", &[("value", &code)], &name)?)?;
    }
    append(&pair, &field(&text("choice_billing_country"), &country)?)?;
    let postal_code = make(
        "input",
        &[
            ("id", POSTAL_CODE),
            ("name", "postal-code"),
            ("type", "text"),
            ("autocomplete", "billing postal-code"),
            ("autocapitalize", "characters"),
            ("spellcheck", "false"),
            ("enterkeyhint", "next"),
            ("maxlength", "20"),
            ("value", billing.typed()),
        ],
        "",
    )?;
    append(&pair, &field(&text("choice_billing_postal"), &postal_code)?)?;
    append(&group, &pair)?;
    Ok(group)
}

/// An input with its label, and the place of its message.
fn field(label: &str, input: &Element) -> Result<Element, JsValue> {
    let id = input.id();
    let field = make("div", &[("class", "field")], "")?;
    let label_id = [&id, "-name"].concat();
    let label = make("label", &[("for", &id), ("id", &label_id)], label)?;
    append(&field, &label)?;
    let place = make("div", &[("class", "box")], "")?;
    append(&place, input)?;
    append(&field, &place)?;
    let note = note_id(&id);
    mark(input, "aria-describedby", Some(&note));
    append(&field, &make("p", &[("id", &note), ("class", "note")], "")?)?;
    Ok(field)
}

fn note_id(input: &str) -> String {
    [input, "-note"].concat()
}

const POSTAL_CODE_LABEL: &str = "choice-billing-postal-name";
