//! The question whether the card may be saved: a check box that is not ticked, and the terms.

use super::group::{Note, replace, write_note};
use super::{append, make, put_first};
use crate::app::Form;
use crate::choices::choosing::Choosing;
use crate::choices::intl;
use crate::choices::read::consent as asked;
use crate::page::{element, mark};
use crate::view::react;
use leptos::prelude::*;
use payframe_checkout_flow::choices::Sentence;
use payframe_protocol::boot::{BootConsent, ConsentKind};
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlInputElement};

/// Draws it below all other choices, if the session asks. A saved card hides it.
pub(super) fn draw(form: Form, choosing: &'static Choosing) {
    let view = ConsentView {
        form,
        drawn: RefCell::default(),
    };
    react(move || {
        choosing.language.track();
        // In our own page it can't fail.
        let _ = view.keep(choosing);
    });
}

struct ConsentView {
    form: Form,
    /// Its texts, and its element.
    drawn: RefCell<Option<(Words, Element)>>,
}

#[derive(Clone, PartialEq, Eq)]
struct Words {
    label: String,
    terms: String,
    is_required: bool,
}

impl ConsentView {
    fn keep(&self, choosing: &Choosing) -> Result<(), JsValue> {
        let mut drawn = self.drawn.borrow_mut();
        let (consent, is_hidden) = choosing
            .state
            .with(|state| (state.consent(), state.saved_card().is_some()));
        let Some(consent) = consent else {
            if let Some((_, element)) = drawn.take() {
                element.remove();
            }
            return Ok(());
        };
        let Some(asked) = asked(&self.form.session.borrow()) else {
            return Ok(());
        };
        let words = words(self.form, &asked);
        if drawn.as_ref().is_none_or(|(before, _)| *before != words) {
            let group = group(&words)?;
            match drawn.as_ref() {
                Some((_, former)) => replace(former, &group)?,
                None => {
                    let place: Element = element("choices")?;
                    append(&place, &group)?;
                }
            }
            *drawn = Some((words, group));
        }
        if let Some((_, group)) = drawn.as_ref() {
            mark(group, "hidden", is_hidden.then_some(""));
        }
        let said = Note::Bad(self.form.say_of_choice(&Sentence::ConsentMissing));
        let wrong = consent.is_missed.then_some(&said);
        write_note(&element("choice-consent-note")?, wrong)?;
        let input: HtmlInputElement = element("choice-consent-box")?;
        mark(&input, "aria-invalid", wrong.map(|_| "true"));
        input.set_checked(consent.is_given);
        Ok(())
    }
}

fn group(words: &Words) -> Result<Element, JsValue> {
    let group = [("class", "field"), ("id", "choice-consent")];
    let group = make("div", &group, "")?;
    let input = make(
        "input",
        &[
            ("type", "checkbox"),
            ("name", "choice-consent"),
            ("id", "choice-consent-box"),
            (
                "aria-describedby",
                "choice-consent-terms choice-consent-note",
            ),
        ],
        "",
    )?;
    mark(&input, "required", words.is_required.then_some(""));
    let label = [("class", "tick"), ("for", "choice-consent-box")];
    let label = make("label", &label, &words.label)?;
    put_first(&label, &input)?;
    append(&group, &label)?;
    let terms = [("class", "about"), ("id", "choice-consent-terms")];
    append(&group, &make("p", &terms, &words.terms)?)?;
    let note = [("class", "note"), ("id", "choice-consent-note")];
    append(&group, &make("p", &note, "")?)?;
    Ok(group)
}

/// Who charges, how often, until when, and how to stop it.
fn words(form: Form, asked: &BootConsent) -> Words {
    let merchant = form.session.borrow().text("merchant");
    let text = |key: &str, name: &str, value: &str| form.texts.fill(key, &[(name, value)]);
    let by_merchant = |key: &str| text(key, "merchant", &merchant);
    let buyer_confirms = asked.kind == ConsentKind::WithBuyer;
    let mut sentences = vec![by_merchant(if buyer_confirms {
        "choice_consent_with"
    } else {
        "choice_consent_alone"
    })];
    match asked.gap_days.filter(|days| *days > 0) {
        Some(days) => {
            let days = intl::days(&intl::digits(days.into()));
            sentences.push(text("choice_consent_gap", "days", &days));
        }
        None if !buyer_confirms => sentences.push(by_merchant("choice_consent_when")),
        None => {}
    }
    sentences.push(match &asked.last_day {
        Some(day) => text("choice_consent_until", "date", &intl::day(day)),
        None => form.texts.text("choice_consent_endless"),
    });
    sentences.push(match &asked.text {
        Some(text) => text.clone(),
        None => by_merchant("choice_consent_stop"),
    });
    if !asked.required {
        sentences.push(form.texts.text("choice_consent_optional"));
    }
    Words {
        label: by_merchant("choice_consent"),
        terms: sentences.join(" "),
        is_required: asked.required,
    }
}
