//! The place that takes turns with the fields: choice of method, review, challenge, outcome.

use crate::app::Form;
use crate::view::challenge::{Challenge, ChallengeProps};
use crate::view::outcome::{OutcomePanel, OutcomePanelProps};
use crate::view::pay::pay_text;
use crate::view::{Screen, give_up};
use leptos::prelude::*;
use payframe_checkout::flow::Event;

/// Whatever is shown in place of the fields.
#[component]
pub fn Panel(
    /// The form.
    form: Form,
) -> impl IntoView {
    let screen = form.derived(Screen::of);
    move || match screen.get() {
        Screen::Fields => ().into_any(),
        Screen::Methods => methods(form).into_any(),
        Screen::Review => review(form).into_any(),
        Screen::Challenge(url) => Challenge(ChallengeProps { form, url }).into_any(),
        Screen::Outcome => OutcomePanel(OutcomePanelProps { form }).into_any(),
    }
}

fn methods(form: Form) -> impl IntoView {
    let by_card = form.app().texts.text("pay_with_card");
    view! {
        <div class="stage">
            <button class="pay" type="button" on:click=move |_| form.dispatch(Event::MethodChosen)>{by_card}</button>
            {cancel(form)}
        </div>
    }
}

fn review(form: Form) -> impl IntoView {
    let card = form.app().card_used;
    view! {
        <div class="stage">
            <p>{move || card.get()}</p>
            <button class="pay" type="button" on:click=move |_| form.dispatch(Event::Submitted)>{pay_text(form)}</button>
            {cancel(form)}
        </div>
    }
}

/// The quiet button that gives the payment up.
pub fn cancel(form: Form) -> impl IntoView {
    let text = form.app().texts.text("cancel_payment");
    view! { <button class="quiet" type="button" on:click=move |_| give_up(form)>{text}</button> }
}
