//! Draws what some payments ask beside the card: methods, billing address, currency, instalments, saved cards, consent.
//!
//! Each is a component over [`Asking`]: a reactive closure reads what is shown from the state of the choices, in the language of the page, and gives
//! the view of it. Leptos keeps the elements and changes what differs, so focus and caret stay. There is one closure for each part, and no memo or keyed
//! list, because each costs every buyer some bytes (`docs/adr/0044-choices-are-components.md`).

pub mod billing;
pub mod consent;
pub mod currency;
pub mod group;
pub mod instalments;
pub mod methods;
pub mod note;
pub mod removal;
pub mod saved;

use crate::app::Form;
use crate::choices::choosing::Choosing;
use crate::choices::intl;
use crate::page::{adopt_style, element, new_element, on};
use crate::view::{LocalForm, is_escape, mount_before, place, pressed, react, target};
use consent::ConsentBox;
use currency::CurrencyOffer;
use instalments::InstalmentPlans;
use leptos::prelude::*;
use methods::OtherMethods;
use payframe_checkout_flow::choices::{ChoiceEvent, Choices, Currency};
use payframe_checkout_flow::flow::Event;
use payframe_checkout_flow::sum::Sum;
use saved::SavedCardList;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlInputElement};

/// Draws everything that is asked, and keeps it current.
///
/// # Errors
/// If the page lacks a place for it.
pub fn draw(form: Form, choosing: &'static Choosing) -> Result<(), JsValue> {
    adopt_style(include_str!("../../www/frame/choices.css"));
    let card: Element = element("card")?;
    listen(form, &card)?;
    follow_language(form, choosing);
    let asking = Asking {
        form: StoredValue::new_local(form),
        choices: choosing.state,
        sum: choosing.sum,
        language: choosing.language,
    };
    place("others", move || view! { <OtherMethods asking /> })?;
    mount_before(&card, card.first_child(), move || {
        view! { <SavedCardList asking /> }
    });
    billing::draw(form, choosing)?;
    place("choices", move || {
        view! {
            <CurrencyOffer asking />
            <InstalmentPlans asking />
            <ConsentBox asking />
        }
    })
}

/// Adds a status region to the page, which announces politely.
///
/// # Errors
/// If the browser can't make an element.
pub fn status() -> Result<Element, JsValue> {
    let status = new_element("div", &[("class", "sr-only"), ("role", "status")])?;
    let body: Element = document().body().ok_or("body")?.into();
    body.append_child(&status)?;
    Ok(status)
}

/// What all components of choices share, as a value that their closures can hold.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    form: LocalForm,
    choices: RwSignal<Choices>,
    sum: RwSignal<Sum>,
    language: RwSignal<String>,
}

impl Asking {
    fn form(self) -> Form {
        self.form.get_value()
    }

    /// Reads the choices, in the language of the page: whoever calls it in a reactive closure is called again when they, the language or the sum
    /// that is paid change.
    fn read<T>(self, read: impl FnOnce(Form, &Choices) -> T) -> T {
        self.language.track();
        self.sum.track();
        self.choices.with(|choices| read(self.form(), choices))
    }
}

/// Whether the form works, so that nothing can be chosen.
fn form_waits(form: Form) -> bool {
    form.shown.with(|shown| shown.wait.is_some())
}

/// After a change of the language everything is written in that language, the sum too.
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

/// Listens for the buyer's actions in all parts: listeners of the elements themselves cost every buyer two kilobytes more.
fn listen(form: Form, card: &Element) -> Result<(), JsValue> {
    on(card, "change", move |event| {
        if let Some(choice) = target::<HtmlInputElement>(&event).and_then(|input| chosen(&input)) {
            form.choose(choice);
        }
    });
    on(card, "click", move |event| {
        if let Some(pressed) = pressed(&event, "[data-choice]") {
            removal::pressed(form, &pressed);
        }
    });
    on(card, "keydown", move |event| {
        if is_escape(&event) && pressed(&event, ".sure").is_some() {
            form.choose(ChoiceEvent::RemovalDropped);
        }
    });
    on(&element("others")?, "click", move |event| {
        let method = pressed(&event, "[data-method]");
        if let Some(method) = method.and_then(|button| button.get_attribute("data-method")) {
            form.dispatch(Event::ElsewhereChosen(method));
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
