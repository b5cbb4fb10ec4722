//! The billing address that banks compare with their own: the country, and its postal code or all its parts.
//!
//! Each part has one input from the beginning, which is shown, hidden, named and moved as the country wants it: browsers fill in what is there. Only
//! the state has an input of its own for each country, because many list their states.

use super::Asking;
use super::group::label_id;
use super::note::{Note, NoteBelow};
use crate::app::{App, Form};
use crate::choices::intl;
use crate::choices::read::{billing_country, countries};
use leptos::prelude::*;
use payframe_card_rules::address::{AddressPart, AddressRules, StateKind};
use payframe_card_rules::postal_code::PostalCodeKind;
use payframe_checkout_flow::choices::{
    Billing, BillingParts, BillingProblem, ChoiceEvent, Choices,
};
use web_sys::Event;

/// The address below the card, if the session asks. A saved card hides it.
#[component]
pub fn BillingAddress(
    /// What all choices share.
    asking: Asking,
) -> impl IntoView {
    let asked = asking.derive(|_, choices| choices.billing().map(Billing::asked));
    let is_hidden = asking.derive(|_, choices| choices.saved_card().is_some());
    let parts = asking.derive(parts);
    let legend = move || {
        asking.language.track();
        asking.form().texts.text("choice_billing")
    };
    let class = move || match asked.get() {
        Some(BillingParts::PostalCode) => "pair",
        _ => "address",
    };
    view! {
        <Show when=move || asked.get().is_some()>
            <fieldset
                id="choice-billing"
                class="choice"
                hidden=is_hidden
                inert=asking.form_waits()
            >
                <legend>{legend}</legend>
                <div class=class>
                    <CountryField asking />
                    <For each=move || parts.get() key=key let:part>
                        <PartField asking part=part.0 />
                    </For>
                </div>
            </fieldset>
        </Show>
    }
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

/// The parts on the page, each with the country for which it has an input of its own: first those that the country lacks, which are hidden, then the
/// others in the order of the country.
fn parts(_: Form, choices: &Choices) -> Vec<(AddressPart, String)> {
    let Some(billing) = choices.billing() else {
        return vec![];
    };
    let all = match billing.asked() {
        BillingParts::PostalCode => &[AddressPart::PostalCode][..],
        BillingParts::All => &AddressPart::ALL[..],
    };
    let asked: Vec<_> = billing.rules().parts().collect();
    let hidden = all.iter().filter(|part| !asked.contains(part));
    let shown = asked.iter().filter(|part| all.contains(part));
    let with_country = |part: &AddressPart| match part {
        AddressPart::State => (*part, billing.country().to_owned()),
        _ => (*part, String::new()),
    };
    hidden.chain(shown).map(with_country).collect()
}

fn key((part, country): &(AddressPart, String)) -> String {
    [input_id(*part), country].concat()
}

/// The list of countries.
#[component]
fn CountryField(asking: Asking) -> impl IntoView {
    let field = asking.derive(country_shown);
    let names = Memo::new(move |_| {
        asking.language.track();
        intl::countries(countries(&asking.form().session.borrow()))
    });
    let country = asking.derive(|_, choices| {
        choices
            .billing()
            .map_or_else(String::new, |billing| billing.country().to_owned())
    });
    let begins_open = country.with_untracked(String::is_empty);
    let options = move || {
        let country = country.get();
        let option = |(name, code): &(String, String)| {
            view! {
                <option value=code.clone() prop:selected=*code == country>
                    {name.clone()}
                </option>
            }
        };
        let open = begins_open.then(<(String, String)>::default);
        names.with(|names| open.iter().chain(names).map(option).collect_view())
    };
    let chosen = move |event: Event| {
        let code = event_target_value(&event);
        let country = billing_country(&asking.form().session.borrow(), code);
        asking.choose(ChoiceEvent::BillingCountryChosen(country));
    };
    view! {
        <Field class="field wide" id=COUNTRY field>
            <select
                id=COUNTRY
                name="country"
                autocomplete="billing country"
                required=true
                aria-describedby=note_id(COUNTRY)
                aria-invalid=invalid(field)
                on:change=chosen
            >
                {options}
            </select>
        </Field>
    }
}

/// The input of a part: a list where the country lists its states. The buyer's text is in it alone, nothing is written there again.
#[component]
fn PartField(asking: Asking, part: AddressPart) -> impl IntoView {
    let field = asking.derive_with(move |form, choices| part_shown(form, choices, part));
    let (typed, states) = asking.choices.with_untracked(|choices| {
        let billing = choices.billing();
        let typed = billing.map_or("", |billing| billing.typed(part));
        (typed.to_owned(), states(billing, part))
    });
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
    let keyboard = move || field.with(|field| field.as_ref()?.keyboard);
    let input = if states.is_empty() {
        view! {
            <input
                id=id
                name=name
                type="text"
                autocomplete=autocomplete
                autocapitalize=capitals
                spellcheck="false"
                enterkeyhint="next"
                maxlength=longest
                inputmode=keyboard
                value=typed
                required=required(field)
                aria-describedby=note_id(id)
                aria-invalid=invalid(field)
                on:input=edited
                on:focusout=left
            />
        }
        .into_any()
    } else {
        let option = |(code, name): (String, String)| {
            let is_chosen = code == typed;
            view! {
                <option value=code selected=is_chosen>
                    {name}
                </option>
            }
        };
        view! {
            <select
                id=id
                name=name
                autocomplete=autocomplete
                required=required(field)
                aria-describedby=note_id(id)
                aria-invalid=invalid(field)
                on:input=edited
                on:focusout=left
            >
                <option value=""></option>
                {states.into_iter().map(option).collect_view()}
            </select>
        }
        .into_any()
    };
    view! {
        <Field class id field>
            {input}
        </Field>
    }
}

/// What depends on country and language, and the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldShown {
    label: String,
    is_asked: bool,
    is_required: bool,
    /// Which keyboard a phone shows.
    keyboard: Option<&'static str>,
    note: Option<Note>,
}

/// An input with its label, and the place of its message.
#[component]
fn Field(
    class: &'static str,
    id: &'static str,
    field: Memo<Option<FieldShown>>,
    children: Children,
) -> impl IntoView {
    let label = move || field.with(|field| field.as_ref().map(|field| field.label.clone()));
    let is_hidden = move || field.with(|field| field.as_ref().is_some_and(|field| !field.is_asked));
    let note = move || {
        let note = field.with(|field| field.as_ref()?.note.clone());
        view! { <NoteBelow id=note_id(id) note /> }
    };
    view! {
        <div class=class hidden=is_hidden>
            <label for=id id=label_id(id)>
                {label}
            </label>
            <div class="box">{children()}</div>
            {note}
        </div>
    }
}

fn required(field: Memo<Option<FieldShown>>) -> impl Fn() -> bool + Send + 'static {
    move || field.with(|field| field.as_ref().is_some_and(|field| field.is_required))
}

fn invalid(field: Memo<Option<FieldShown>>) -> impl Fn() -> Option<&'static str> + Send + 'static {
    move || field.with(|field| field.as_ref()?.note.as_ref().map(|_| "true"))
}

fn country_shown(form: Form, choices: &Choices) -> Option<FieldShown> {
    let billing = choices.billing()?;
    Some(FieldShown {
        label: form.texts.text("choice_billing_country"),
        is_asked: true,
        is_required: true,
        keyboard: None,
        note: note(form, billing, None),
    })
}

fn part_shown(form: Form, choices: &Choices, part: AddressPart) -> Option<FieldShown> {
    let billing = choices.billing()?;
    let rules = billing.rules();
    let code = rules
        .postal_code
        .filter(|_| part == AddressPart::PostalCode);
    Some(FieldShown {
        label: label(form, rules, part),
        is_asked: rules.parts().any(|asked| asked == part),
        is_required: rules.is_required(part),
        keyboard: code.map(|rule| if rule.is_numeric() { "numeric" } else { "text" }),
        note: note(form, billing, Some(part)),
    })
}

fn note(form: Form, billing: &Billing, part: Option<AddressPart>) -> Option<Note> {
    let problem = billing.problem(part)?;
    Some(Note::Bad(say(form, problem)))
}

/// Code and name of each state that the country lists.
fn states(billing: Option<&Billing>, part: AddressPart) -> Vec<(String, String)> {
    let billing = billing.filter(|_| part == AddressPart::State);
    let listed = billing.into_iter().flat_map(|billing| {
        let owned = |(code, name): (&str, &str)| (code.to_owned(), name.to_owned());
        billing.rules().states().map(owned).collect::<Vec<_>>()
    });
    listed.collect()
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
