//! The billing address that banks compare with their own: the country, and its postal code or all its parts.
//!
//! Each part has one input from the beginning, which is shown, hidden, named and moved as the country wants it: browsers fill in what is there. Only
//! the state has an input of its own for each country, because many list their states.

use super::group::label_id;
use super::note::{Note, NoteBelow};
use super::{Asking, form_waits};
use crate::app::{App, Form};
use crate::choices::intl;
use crate::choices::read::{billing_country, countries};
use crate::page::element;
use crate::view::react;
use leptos::either::Either;
use leptos::prelude::*;
use payframe_card_rules::address::{AddressPart, AddressRules, StateKind};
use payframe_card_rules::postal_code::PostalCodeKind;
use payframe_checkout_flow::choices::{Billing, BillingParts, BillingProblem, ChoiceEvent};
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use web_sys::{Element, Event, HtmlInputElement};

/// The address below the card, if the session asks. A saved card hides it.
#[component]
pub fn BillingAddress(
    /// What all choices share.
    asking: Asking,
) -> impl IntoView {
    // Another session may ask for other parts. Then all is drawn again, and nothing else does that: browsers fill in what is there.
    let asked = Memo::new(move |_| {
        asking
            .choices
            .with(|choices| choices.billing().map(Billing::asked))
    });
    let is_hidden = move || {
        asking
            .choices
            .with(|choices| choices.saved_card().is_some())
    };
    let legend = move || asking.read(|form, _| form.texts.text("choice_billing"));
    let form = asking.form;
    move || {
        asked.get().map(|asked| {
            let (class, parts) = match asked {
                BillingParts::PostalCode => ("pair", &[AddressPart::PostalCode][..]),
                BillingParts::All => ("address", &AddressPart::ALL[..]),
            };
            let parts = parts
                .iter()
                .map(|part| view! { <PartField asking part=*part /> });
            view! {
                <fieldset
                    id=GROUP
                    class="choice"
                    hidden=is_hidden
                    inert=move || form_waits(form.get_value())
                >
                    <legend>{legend}</legend>
                    <div class=class>
                        <CountryField asking />
                        {parts.collect::<Vec<_>>()}
                    </div>
                </fieldset>
            }
        })
    }
}

/// Follows the country once the address is drawn: its parts are moved into the country's order, and another country's state is removed from the input.
/// The elements stay the same for all countries; those of parts that a country lacks are hidden.
pub fn follow_country(asking: Asking) {
    let arranged = RefCell::new(None);
    react(move || {
        asking.choices.with(|choices| {
            let asked = choices.billing();
            let wanted = asked.map(|billing| (billing.asked(), billing.country().to_owned()));
            if let Some(billing) = asked
                && arranged.replace(wanted.clone()) != wanted
                && billing.asked() == BillingParts::All
            {
                // In our own page it can't fail.
                let _ = arrange(billing);
            }
        });
    });
}

fn arrange(billing: &Billing) -> Result<(), JsValue> {
    let state: HtmlInputElement = element(input_id(AddressPart::State))?;
    state.set_value(billing.typed(AddressPart::State));
    for part in billing.rules().parts() {
        let input: Element = element(input_id(part))?;
        if let Some(field) = input.closest(".field")?
            && let Some(parts) = field.parent_element()
        {
            parts.append_child(&field)?;
        }
    }
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
        let label = choices.and_then(|choices| {
            choices.with_untracked(|choices| Some(label(form, choices.billing()?.rules(), part)))
        });
        form.texts
            .fill(key, &[("field", &label.unwrap_or_default())])
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

/// The list of countries.
#[component]
fn CountryField(asking: Asking) -> impl IntoView {
    let label = move || asking.read(|form, _| form.texts.text("choice_billing_country"));
    let note = move || {
        let note = asking.read(|form, choices| note(form, choices.billing()?, None));
        view! { <NoteBelow id=note_id(COUNTRY) note /> }
    };
    let is_invalid = move || {
        asking
            .choices
            .with(|choices| choices.billing()?.problem(None).map(|_| "true"))
    };
    let begins_open = chosen_country(asking).is_empty();
    let options = move || {
        asking.language.track();
        let chosen = chosen_country(asking);
        let names = intl::countries(countries(&asking.form().session.borrow()));
        let open = begins_open.then(<(String, String)>::default);
        let option = |(name, code)| {
            let is_chosen = code == chosen;
            view! { <option value=code prop:selected=is_chosen>{name}</option> }
        };
        open.into_iter()
            .chain(names)
            .map(option)
            .collect::<Vec<_>>()
    };
    let chosen = move |event: Event| {
        let code = event_target_value(&event);
        let country = billing_country(&asking.form().session.borrow(), code);
        asking.choose(ChoiceEvent::BillingCountryChosen(country));
    };
    view! {
        <div class="field wide">
            <label for=COUNTRY id=label_id(COUNTRY)>{label}</label>
            <div class="box">
                <select
                    id=COUNTRY
                    name="country"
                    autocomplete="billing country"
                    required=true
                    aria-describedby=note_id(COUNTRY)
                    aria-invalid=is_invalid
                    on:change=chosen
                >
                    {options}
                </select>
            </div>
            {note}
        </div>
    }
}

fn chosen_country(asking: Asking) -> String {
    asking.choices.with_untracked(|choices| {
        let billing = choices.billing();
        billing.map_or_else(String::new, |billing| billing.country().to_owned())
    })
}

/// A part with its input: a list where the country lists its states. What the buyer types is in the input alone, and is not written there again.
#[component]
fn PartField(asking: Asking, part: AddressPart) -> impl IntoView {
    // The text that the input began with, and the country for which it did.
    let mut first = None;
    move || {
        asking.read(|form, choices| {
            let billing = choices.billing()?;
            let country = (part == AddressPart::State).then(|| billing.country().to_owned());
            let typed = match first.take() {
                Some((known, typed)) if known == country => typed,
                _ => billing.typed(part).to_owned(),
            };
            first = Some((country, typed.clone()));
            let shown = shown(form, billing, part, typed);
            Some(view! { <Part asking part shown /> })
        })
    }
}

/// What depends on country and language, and the message.
pub struct PartShown {
    label: String,
    is_asked: bool,
    is_required: bool,
    /// Which keyboard a phone shows.
    keyboard: Option<&'static str>,
    /// What the input begins with.
    typed: String,
    /// Code and name of each state that the country lists.
    states: Vec<(String, String)>,
    note: Option<Note>,
}

fn shown(form: Form, billing: &Billing, part: AddressPart, typed: String) -> PartShown {
    let rules = billing.rules();
    let code = rules
        .postal_code
        .filter(|_| part == AddressPart::PostalCode);
    let owned = |(code, name): (&str, &str)| (code.to_owned(), name.to_owned());
    let is_state = part == AddressPart::State;
    PartShown {
        label: label(form, rules, part),
        is_asked: rules.parts().any(|asked| asked == part),
        is_required: rules.is_required(part),
        keyboard: code.map(|rule| if rule.is_numeric() { "numeric" } else { "text" }),
        typed,
        states: rules.states().filter(|_| is_state).map(owned).collect(),
        note: note(form, billing, Some(part)),
    }
}

#[component]
fn Part(asking: Asking, part: AddressPart, shown: PartShown) -> impl IntoView {
    let edited = move |event: Event| {
        asking.choose(ChoiceEvent::BillingEdited(part, event_target_value(&event)));
    };
    let left = move |_| asking.choose(ChoiceEvent::BillingLeft(part));
    let id = input_id(part);
    let name = match part {
        AddressPart::Line1 => "address-line1",
        AddressPart::Line2 => "address-line2",
        AddressPart::City => "address-level2",
        AddressPart::State => "address-level1",
        AddressPart::PostalCode => "postal-code",
    };
    let autocomplete = ["billing ", name].concat();
    let (longest, capitals) = match part {
        // With what buyers type between the parts of a code.
        AddressPart::PostalCode => ("20", "characters"),
        // As `payframe_card_rules::address::LONGEST_PART`.
        _ => ("50", "words"),
    };
    let class = match part {
        AddressPart::Line1 | AddressPart::Line2 => "field wide",
        _ => "field",
    };
    let is_invalid = shown.note.is_some().then_some("true");
    let input = if shown.states.is_empty() {
        Either::Left(view! {
            <input
                id=id
                name=name
                type="text"
                autocomplete=autocomplete
                autocapitalize=capitals
                spellcheck="false"
                enterkeyhint="next"
                maxlength=longest
                inputmode=shown.keyboard
                required=shown.is_required
                aria-describedby=note_id(id)
                aria-invalid=is_invalid
                value=shown.typed
                on:input=edited
                on:focusout=left
            />
        })
    } else {
        let option = |(code, name): (String, String)| {
            let is_chosen = code == shown.typed;
            view! { <option value=code selected=is_chosen>{name}</option> }
        };
        let none = (String::new(), String::new());
        let options = std::iter::once(none).chain(shown.states).map(option);
        Either::Right(view! {
            <select
                id=id
                name=name
                autocomplete=autocomplete
                required=shown.is_required
                aria-describedby=note_id(id)
                aria-invalid=is_invalid
                on:input=edited
                on:focusout=left
            >
                {options.collect::<Vec<_>>()}
            </select>
        })
    };
    view! {
        <div class=class hidden=!shown.is_asked>
            <label for=id id=label_id(id)>{shown.label}</label>
            <div class="box">{input}</div>
            <NoteBelow id=note_id(id) note=shown.note />
        </div>
    }
}

fn note(form: Form, billing: &Billing, part: Option<AddressPart>) -> Option<Note> {
    let problem = billing.problem(part)?;
    Some(Note::Bad(say(form, problem)))
}

/// What the country calls a part, and that it may be left out.
fn label(form: &App, rules: AddressRules<'_>, part: AddressPart) -> String {
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

fn note_id(input: &str) -> String {
    [input, "-note"].concat()
}

const GROUP: &str = "choice-billing";
