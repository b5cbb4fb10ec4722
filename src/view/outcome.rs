//! How it ended: a mark, a heading that takes the focus, a sentence, the card.

use crate::app::Form;
use leptos::html;
use leptos::prelude::*;
use payframe_checkout::decline::Decline;
use payframe_checkout::flow::{Event, Outcome, Phase};

/// The texts and the mark of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    title: &'static str,
    text: &'static str,
    mark: &'static str,
    class: &'static str,
    may_recheck: bool,
}

impl End {
    fn of(phase: &Phase, action_type: &str) -> Self {
        let (outcome, decline) = match phase {
            Phase::Complete(verdict) => (verdict.outcome, verdict.decline),
            Phase::Expired => return Self::bad("expired_title", "expired_text"),
            _ => (Outcome::Unknown, None),
        };
        match outcome {
            Outcome::Approved => {
                let (title, text) = match action_type {
                    "VERIFY" => ("verified_title", "verified_text"),
                    "PREAUTH" => ("held_title", "held_text"),
                    _ => ("approved_title", "approved_text"),
                };
                Self::neutral(title, text, "✓", "mark approved")
            }
            Outcome::Pending => Self::neutral("pending_title", "pending_text", "…", "mark"),
            Outcome::Declined => Self::bad("declined_title", decline.unwrap_or(Decline::Issuer).code()),
            Outcome::Cancelled => Self::neutral("cancelled_title", "cancelled_text", "×", "mark"),
            Outcome::Failed => Self::bad("failed_title", "failed_text"),
            Outcome::Reversed => Self::neutral("reversed_title", "reversed_text", "↩", "mark"),
            Outcome::Unknown => Self {
                may_recheck: true,
                ..Self::neutral("unknown_title", "unknown_text", "?", "mark")
            },
        }
    }

    fn neutral(title: &'static str, text: &'static str, mark: &'static str, class: &'static str) -> Self {
        Self {
            title,
            text,
            mark,
            class,
            may_recheck: false,
        }
    }

    fn bad(title: &'static str, text: &'static str) -> Self {
        Self::neutral(title, text, "!", "mark failed")
    }
}

/// The last thing that the buyer sees.
#[component]
pub fn OutcomePanel(
    /// The form.
    form: Form,
) -> impl IntoView {
    let app = form.app();
    let end = form.derived(move |phase| End::of(phase, &form.app().boot.action_type));
    let title = NodeRef::<html::H2>::new();
    focus_on_mount(title);
    let text = move |key| {
        let app = form.app();
        app.texts
            .fill(key, &[("{amount}", &app.amount), ("{merchant}", &app.boot.merchant)])
    };
    let again = app.texts.text("check_again");
    let card = app.card_used;
    view! {
        <div class="stage">
            <span class=move || end.get().class aria-hidden="true">{move || end.get().mark}</span>
            <h2 class="title" tabindex="-1" node_ref=title>{move || text(end.get().title)}</h2>
            <p>{move || text(end.get().text)}</p>
            <p class="muted">{move || card.get()}</p>
            {move || {
                let again = again.clone();
                end.get().may_recheck.then(|| {
                    view! {
                        <button class="pay" type="button" on:click=move |_| form.dispatch(Event::RecheckRequested)>{again}</button>
                    }
                })
            }}
        </div>
    }
}

/// Moves the focus to a heading once it is in the page, so that what replaced the fields is read out.
pub fn focus_on_mount(heading: NodeRef<html::H2>) {
    Effect::new(move || {
        if let Some(heading) = heading.get() {
            // Focus that the browser refuses is not given.
            let _ = heading.focus();
        }
    });
}
