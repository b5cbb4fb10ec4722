//! Draws what some payments ask beside the card: methods, billing address, currency, instalments, saved cards, consent.
//!
//! Each is a component over [`Asking`]: a reactive closure reads what is shown from the state of the choices, in the language of the page, and gives
//! the view of it. Leptos keeps the elements and changes what differs, so focus and caret stay. Closures are few, because every type of one costs each
//! buyer a kilobyte, and no memo or keyed list is among them (`docs/adr/0044-choices-are-components.md`).

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
use crate::page::{adopt_style, element, new_element};
use crate::view::{mount_before, place, react};
use consent::ConsentBox;
use currency::CurrencyOffer;
use instalments::InstalmentPlans;
use leptos::prelude::*;
use methods::OtherMethods;
use payframe_checkout_flow::choices::{ChoiceEvent, Choices};
use saved::SavedCardList;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Draws everything that is asked, and keeps it current.
///
/// # Errors
/// If the page lacks a place for it.
pub fn draw(form: Form, choosing: &'static Choosing) -> Result<(), JsValue> {
    adopt_style(include_str!("../../www/frame/choices.css"));
    let card: Element = element("card")?;
    follow_language(form, choosing);
    let asking = Asking {
        form: StoredValue::new_local(form),
        choices: choosing.state,
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
    /// The form belongs to this thread.
    form: StoredValue<Form, LocalStorage>,
    choices: RwSignal<Choices>,
    language: RwSignal<String>,
}

impl Asking {
    fn form(self) -> Form {
        self.form.get_value()
    }

    /// Reads the choices, in the language of the page: whoever calls it in a reactive closure is called again when either changes.
    fn read<T>(self, read: impl FnOnce(Form, &Choices) -> T) -> T {
        self.language.track();
        self.choices.with(|choices| read(self.form(), choices))
    }

    /// A listener that passes this event on. All have one type for each type of the browser's event, because each type costs every buyer some bytes.
    fn on<E>(self, event: ChoiceEvent) -> impl FnMut(E) + 'static {
        move |_| {
            self.form().choose(event.clone());
        }
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
