//! The billing address that banks compare with their own: the country, and its postal code or all its parts.
//!
//! Each part has one input from the beginning, which is shown, hidden, named and moved as the country wants it: browsers fill in what is there. Only
//! the state's is another one where a country lists its states. As views and keyed lists all this costs more than it is worth:
//! `docs/adr/0044-choices-are-components.md`.

use crate::app::{App, Form};
use crate::choices::choosing::Choosing;
use crate::choices::intl;
use crate::choices::read::{billing_country, countries};
use crate::page::{element, focus, mark, new_element, on};
use crate::view::{react, target};
use leptos::prelude::*;
use payframe_card_rules::address::{AddressPart, AddressRules, StateKind};
use payframe_card_rules::postal_code::PostalCodeKind;
use payframe_checkout_flow::choices::{Billing, BillingParts, BillingProblem, ChoiceEvent};
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlInputElement};

/// Draws it below the card, if the session asks. A saved card hides it.
///
/// # Errors
/// If the page lacks a place for it.
pub fn draw(form: Form, choosing: &'static Choosing) -> Result<(), JsValue> {
    listen(form)?;
    let drawn: RefCell<Option<Drawn>> = RefCell::default();
    react(move || {
        choosing.language.track();
        // In our own page it can't fail.
        let _ = choosing.state.with(|state| {
            let is_hidden = state.saved_card().is_some();
            keep(form, &mut drawn.borrow_mut(), state.billing(), is_hidden)
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

/// Id of the input for a part.
pub fn input_id(part: AddressPart) -> &'static str {
    match part {
        AddressPart::Line1 => "choice-billing-line1",
        AddressPart::Line2 => "choice-billing-line2",
        AddressPart::City => "choice-billing-city",
        AddressPart::State => "choice-billing-state",
        AddressPart::PostalCode => "choice-billing-postal",
    }
}

/// What is wrong, as the buyer reads it.
pub fn say(form: &App, problem: &BillingProblem) -> String {
    let of_part = |key, part| {
        let choices = form.choices.get().map(|choosing| choosing.state);
        let name = choices.and_then(|choices| {
            choices.with_untracked(|choices| Some(name(form, choices.billing()?.rules(), part)))
        });
        form.texts
            .fill(key, &[("field", &name.unwrap_or_default())])
    };
    match problem {
        BillingProblem::CountryMissing => form.texts.text("choice_billing_country_missing"),
        BillingProblem::PostalCodeMissing => form.texts.text("choice_billing_postal_missing"),
        BillingProblem::PostalCodeWrong { example } => form
            .texts
            .fill("choice_billing_postal_wrong", &[("example", example)]),
        BillingProblem::PartMissing(part) => of_part("choice_billing_missing", *part),
        BillingProblem::PartWrong(part) => of_part("choice_billing_wrong", *part),
    }
}

/// What is on the page.
struct Drawn {
    group: Element,
    language: String,
    asked: BillingParts,
    /// The country for which the parts are arranged.
    country: String,
}

/// The input of a part. That of a list belongs to no realm that is tested for, and has the same `value` as one that is typed into.
fn input(id: &str) -> Result<HtmlInputElement, JsValue> {
    element(id)
}

fn listen(form: Form) -> Result<(), JsValue> {
    let card: Element = element("card")?;
    let part_at = |event: &Event| {
        let id = target::<Element>(event)?.id();
        AddressPart::ALL
            .into_iter()
            .find(|part| input_id(*part) == id)
    };
    on(&card, "change", move |event| {
        if target::<Element>(&event).is_some_and(|at| at.id() == COUNTRY)
            && let Ok(chosen) = input(COUNTRY)
        {
            let country = billing_country(&form.session.borrow(), chosen.value());
            form.choose(ChoiceEvent::BillingCountryChosen(country));
        }
    });
    on(&card, "input", move |event| {
        if let Some(part) = part_at(&event)
            && let Ok(input) = input(input_id(part))
        {
            form.choose(ChoiceEvent::BillingEdited(part, input.value()));
        }
    });
    on(&card, "focusout", move |event| {
        if let Some(part) = part_at(&event) {
            form.choose(ChoiceEvent::BillingLeft(part));
        }
    });
    Ok(())
}

/// Draws it in the language of the page, or removes it, and keeps it current.
fn keep(
    form: Form,
    drawn: &mut Option<Drawn>,
    billing: Option<&Billing>,
    is_hidden: bool,
) -> Result<(), JsValue> {
    let Some(billing) = billing else {
        if let Some(drawn) = drawn.take() {
            drawn.group.remove();
        }
        return Ok(());
    };
    let focused = drawn.as_ref().and_then(focused_in);
    let language = intl::language();
    let is_drawn = |drawn: &Drawn| drawn.language == language && drawn.asked == billing.asked();
    if !drawn.as_ref().is_some_and(is_drawn) {
        let group = draw_group(form, billing)?;
        match drawn.as_ref() {
            Some(drawn) => replace(&drawn.group, &group)?,
            None => put_before(&element("choices")?, &group)?,
        }
        input(COUNTRY)?.set_value(billing.country());
        *drawn = Some(Drawn {
            group,
            language,
            asked: billing.asked(),
            country: String::new(),
        });
    }
    if let Some(drawn) = drawn {
        mark(&drawn.group, "hidden", is_hidden.then_some(""));
        if drawn.country != billing.country() {
            if drawn.asked == BillingParts::All {
                arrange(&drawn.group, billing)?;
            }
            billing.country().clone_into(&mut drawn.country);
        }
        // An element that is replaced or moved loses the focus.
        if let Some(id) = focused.filter(|id| focused_in(drawn).as_ref() != Some(id)) {
            focus(&id);
        }
    }
    follow(form, billing)
}

/// Id of the input that has the focus.
fn focused_in(drawn: &Drawn) -> Option<String> {
    let active = document().active_element();
    let focused = active.filter(|active| drawn.group.contains(Some(active)))?;
    Some(focused.id())
}

/// A new element with this text.
fn make(tag: &str, attributes: &[(&str, &str)], text: &str) -> Result<Element, JsValue> {
    let element = new_element(tag, attributes)?;
    if !text.is_empty() {
        element.set_text_content(Some(text));
    }
    Ok(element)
}

/// Adds a part at the end of the place.
fn append(place: &Element, part: &Element) -> Result<(), JsValue> {
    place.append_child(part).map(drop)
}

/// Replaces a part by its new version.
fn replace(former: &Element, element: &Element) -> Result<(), JsValue> {
    if let Some(place) = former.parent_node() {
        place.replace_child(element, former)?;
    }
    Ok(())
}

fn put_before(place: &Element, group: &Element) -> Result<(), JsValue> {
    let around = place.parent_node().ok_or("choices")?;
    around.insert_before(group, Some(place)).map(drop)
}

/// Puts the parts into the order of the country, with its states.
fn arrange(group: &Element, billing: &Billing) -> Result<(), JsValue> {
    let rules = billing.rules();
    let former: Element = element(input_id(AddressPart::State))?;
    let state = draw_state(rules, billing.typed(AddressPart::State))?;
    mark(&state, "aria-describedby", Some(&note_id(&former.id())));
    replace(&former, &state)?;
    // A list shows what is chosen once its options are there.
    input(&state.id())?.set_value(billing.typed(AddressPart::State));
    let parts = group.query_selector(".address")?.ok_or("address")?;
    for part in rules.parts() {
        let input: Element = element(input_id(part))?;
        if let Some(field) = input.closest(".field")? {
            append(&parts, &field)?;
        }
    }
    Ok(())
}

/// Shows what depends on the country, and the messages.
fn follow(form: Form, billing: &Billing) -> Result<(), JsValue> {
    let rules = billing.rules();
    for part in AddressPart::ALL {
        let Some(input) = document().get_element_by_id(input_id(part)) else {
            continue;
        };
        let is_asked = rules.parts().any(|asked| asked == part);
        if let Some(field) = input.closest(".field")? {
            mark(&field, "hidden", (!is_asked).then_some(""));
        }
        let is_required = rules.is_required(part);
        mark(&input, "required", is_required.then_some(""));
        if is_asked {
            let label: Element = element(&label_id(&input.id()))?;
            label.set_text_content(Some(&name(form, rules, part)));
        }
        follow_problem(form, &input, billing.problem(Some(part)))?;
    }
    if let (Some(rule), Ok(code)) = (rules.postal_code, input(input_id(AddressPart::PostalCode))) {
        let keyboard = if rule.is_numeric() { "numeric" } else { "text" };
        mark(&code, "inputmode", Some(keyboard));
    }
    follow_problem(form, &element(COUNTRY)?, billing.problem(None))
}

fn follow_problem(
    form: Form,
    input: &Element,
    problem: Option<&BillingProblem>,
) -> Result<(), JsValue> {
    mark(input, "aria-invalid", problem.map(|_| "true"));
    let place: Element = element(&note_id(&input.id()))?;
    let said = problem.map(|problem| say(form, problem));
    if place.text_content() != Some(said.clone().unwrap_or_default()) {
        place.set_text_content(None);
        if let Some(said) = said {
            append(&place, &make("span", &[("class", "bad")], &said)?)?;
        }
    }
    Ok(())
}

/// What the country calls a part, and that it may be left out.
fn name(form: &App, rules: AddressRules<'_>, part: AddressPart) -> String {
    let name = form.texts.text(match part {
        AddressPart::Line1 => "choice_billing_line1",
        AddressPart::Line2 => "choice_billing_line2",
        AddressPart::City => "choice_billing_city",
        AddressPart::State => match rules.state_kind() {
            StateKind::State => "choice_billing_state",
            StateKind::Province => "choice_billing_province",
            StateKind::County => "choice_billing_county",
            StateKind::Prefecture => "choice_billing_prefecture",
            StateKind::Emirate => "choice_billing_emirate",
            StateKind::Region => "choice_billing_region",
        },
        AddressPart::PostalCode => match rules.postal_code.map(|rule| rule.kind) {
            Some(PostalCodeKind::Zip) => "choice_billing_zip",
            _ => "choice_billing_postal",
        },
    });
    if rules.is_required(part) {
        return name;
    }
    form.texts
        .fill("choice_billing_optional", &[("field", &name)])
}

fn draw_group(form: Form, billing: &Billing) -> Result<Element, JsValue> {
    let text = |key| form.texts.text(key);
    let group = make("fieldset", &[("id", GROUP), ("class", "choice")], "")?;
    append(&group, &make("legend", &[], &text("choice_billing"))?)?;
    let (class, parts) = match billing.asked() {
        BillingParts::PostalCode => ("pair", &[AddressPart::PostalCode][..]),
        BillingParts::All => ("address", &AddressPart::ALL[..]),
    };
    let place = make("div", &[("class", class)], "")?;
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
    if billing.country().is_empty() {
        append(&country, &make("option", &[("value", "")], "")?)?;
    }
    for (name, code) in intl::countries(countries(&form.session.borrow())) {
        append(&country, &make("option", &[("value", &code)], &name)?)?;
    }
    append(
        &place,
        &field("field wide", &text("choice_billing_country"), &country)?,
    )?;
    for part in parts {
        let class = match part {
            AddressPart::Line1 | AddressPart::Line2 => "field wide",
            _ => "field",
        };
        let input = draw_input(*part, billing.typed(*part))?;
        append(&place, &field(class, "", &input)?)?;
    }
    append(&group, &place)?;
    Ok(group)
}

/// The input of a part, in which this was typed.
fn draw_input(part: AddressPart, typed: &str) -> Result<Element, JsValue> {
    let name = match part {
        AddressPart::Line1 => "address-line1",
        AddressPart::Line2 => "address-line2",
        AddressPart::City => "address-level2",
        AddressPart::State => "address-level1",
        AddressPart::PostalCode => "postal-code",
    };
    let (longest, capitals) = match part {
        // With what buyers type between the parts of a code.
        AddressPart::PostalCode => ("20", "characters"),
        // As `payframe_card_rules::address::LONGEST_PART`.
        _ => ("50", "words"),
    };
    let input = make(
        "input",
        &[
            ("id", input_id(part)),
            ("name", name),
            ("type", "text"),
            ("autocomplete", &["billing ", name].concat()),
            ("autocapitalize", capitals),
            ("spellcheck", "false"),
            ("enterkeyhint", "next"),
            ("maxlength", longest),
        ],
        "",
    )?;
    // Where somebody lives stands in no attribute.
    input.unchecked_ref::<HtmlInputElement>().set_value(typed);
    Ok(input)
}

/// The input of the state: a list where the country has one.
fn draw_state(rules: AddressRules<'_>, typed: &str) -> Result<Element, JsValue> {
    let text = draw_input(AddressPart::State, typed)?;
    if rules.states().next().is_none() {
        return Ok(text);
    }
    let list = make("select", &[], "")?;
    for name in ["id", "name", "autocomplete"] {
        mark(&list, name, text.get_attribute(name).as_deref());
    }
    append(&list, &make("option", &[("value", "")], "")?)?;
    for (code, name) in rules.states() {
        append(&list, &make("option", &[("value", code)], name)?)?;
    }
    Ok(list)
}

/// An input with its label, and the place of its message.
fn field(class: &str, label: &str, input: &Element) -> Result<Element, JsValue> {
    let id = input.id();
    let field = make("div", &[("class", class)], "")?;
    let label = make("label", &[("for", &id), ("id", &label_id(&id))], label)?;
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

fn label_id(input: &str) -> String {
    [input, "-name"].concat()
}

const GROUP: &str = "choice-billing";
