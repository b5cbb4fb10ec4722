//! The choice between the shop's currency and the card's.

use super::group::{Group, GroupView, Note, Position, RadioOption};
use crate::app::Form;
use crate::choices::choosing::Choosing;
use crate::choices::intl;
use crate::view::react;
use leptos::prelude::*;
use payframe_checkout_flow::choices::{Currency, OpenOffer};

/// Draws it above all other choices, if there is an offer.
pub(super) fn draw(form: Form, choosing: &'static Choosing) {
    let view = GroupView::new("currency", "choices", Position::First);
    react(move || {
        choosing.language.track();
        let open = choosing.state.with(|state| state.offer().cloned());
        let chosen = open.as_ref().and_then(|open| open.chosen).map(value);
        let said = open.as_ref().and_then(|open| open.said.as_ref());
        let note = said.map(|said| Note::Bad(form.say_of_choice(said)));
        let group = open.as_ref().map(|open| group(form, open));
        // In our own page it can't fail.
        let _ = view.keep(group, chosen, note.as_ref());
    });
}

fn value(currency: Currency) -> &'static str {
    match currency {
        Currency::Shop => "shop",
        Currency::Card => "card",
    }
}

/// The shop's currency comes first, and both look alike.
fn group(form: Form, open: &OpenOffer) -> Group {
    let [shop, card] = form.sums_of(&form.flow.borrow(), &open.offer);
    let option = |currency, title, about| RadioOption {
        value: value(currency).into(),
        title,
        about,
        ..RadioOption::default()
    };
    let own = form.texts.text("choice_currency_own");
    let other = terms(form, open, &card);
    Group {
        legend: form.texts.text("choice_currency"),
        options: vec![
            option(Currency::Shop, shop, own),
            option(Currency::Card, card, other),
        ],
    }
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
