//! The question whether the card may be saved: a check box that is not ticked, and the terms.

use super::Asking;
use super::note::{Note, NoteBelow};
use crate::app::Form;
use crate::choices::intl;
use crate::choices::read::consent as asked;
use leptos::prelude::*;
use payframe_checkout_flow::choices::{Choices, Sentence};
use payframe_protocol::boot::{BootConsent, ConsentKind};

/// The check box with its terms, if the session asks. A saved card hides it.
#[component]
pub fn ConsentBox(
    /// What all choices share.
    asking: Asking,
) -> impl IntoView {
    move || {
        asking.read(shown).map(|shown| {
            view! {
                <div class="field" id="choice-consent" hidden=shown.is_hidden>
                    <label class="tick" for="choice-consent-box">
                        <input
                            type="checkbox"
                            name="choice-consent"
                            id="choice-consent-box"
                            aria-describedby="choice-consent-terms choice-consent-note"
                            aria-invalid=shown.note.is_some().then_some("true")
                            required=shown.is_required
                            prop:checked=shown.is_given
                        />
                        {shown.label}
                    </label>
                    <p class="about" id="choice-consent-terms">
                        {shown.terms}
                    </p>
                    <NoteBelow id="choice-consent-note".into() note=shown.note />
                </div>
            }
        })
    }
}

/// What is on the screen.
struct Shown {
    label: String,
    terms: String,
    is_required: bool,
    is_given: bool,
    is_hidden: bool,
    note: Option<Note>,
}

fn shown(form: Form, choices: &Choices) -> Option<Shown> {
    let consent = choices.consent()?;
    let asked = asked(&form.session.borrow())?;
    let missing = || Note::Bad(form.say_of_choice(&Sentence::ConsentMissing));
    let merchant = form.session.borrow().text("merchant");
    Some(Shown {
        label: form
            .texts
            .fill("choice_consent", &[("merchant", &merchant)]),
        terms: terms(form, &asked, &merchant),
        is_required: asked.required,
        is_given: consent.is_given,
        is_hidden: choices.saved_card().is_some(),
        note: consent.is_missed.then(missing),
    })
}

/// Who charges, how often, until when, and how to stop it.
fn terms(form: Form, asked: &BootConsent, merchant: &str) -> String {
    let text = |key: &str, name: &str, value: &str| form.texts.fill(key, &[(name, value)]);
    let by_merchant = |key: &str| text(key, "merchant", merchant);
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
    sentences.join(" ")
}
