//! The choice between the shop's currency and the card's.

use super::Asking;
use super::group::{Group, RadioGroup, RadioOption};
use super::note::Note;
use crate::app::Form;
use crate::choices::intl;
use leptos::prelude::*;
use payframe_checkout_flow::choices::{Choices, Currency, OpenOffer};

/// The two currencies, while there is an offer.
#[component]
pub fn CurrencyOffer(
    /// What all choices share.
    asking: Asking,
) -> impl IntoView {
    view! { <RadioGroup asking name="currency" group=group /> }
}

fn code(currency: Currency) -> &'static str {
    match currency {
        Currency::Shop => "shop",
        Currency::Card => "card",
    }
}

/// The shop's currency comes first, and both look alike.
fn group(form: Form, choices: &Choices) -> Option<Group> {
    let open = choices.offer()?;
    let [shop, card] = form.sums_of(&form.flow.borrow(), &open.offer);
    let option = |currency, title, about| RadioOption {
        value: code(currency).into(),
        title,
        about,
        is_chosen: open.chosen == Some(currency),
        ..RadioOption::default()
    };
    let own = form.texts.text("choice_currency_own");
    let other = terms(form, open, &card);
    let said = open.said.as_ref();
    Some(Group {
        legend: form.texts.text("choice_currency"),
        options: vec![
            option(Currency::Shop, shop, own),
            option(Currency::Card, card, other),
        ],
        note: said.map(|said| Note::Bad(form.say_of_choice(said))),
        is_inert: false,
    })
}

/// What the buyer has to know before choosing the card's currency. `amount`: what is paid then, as buyers read it.
fn terms(form: Form, open: &OpenOffer, amount: &str) -> String {
    let offer = &open.offer;
    let flow = form.flow.borrow();
    let shop_currency = flow.sums().map_or("", |sums| &*sums.session.currency);
    let rate = intl::rate(&offer.sum.currency, shop_currency, &offer.exchange_rate);
    form.texts.fill(
        "choice_currency_card",
        &[
            ("amount", amount),
            ("rate", &rate),
            ("percent", &intl::percent(&offer.mark_up_percent)),
            ("time", &intl::time(open.ends_ms)),
        ],
    )
}
