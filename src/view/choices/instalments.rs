//! Payment at once or in parts.

use super::Asking;
use super::group::{Group, RadioGroup, RadioOption};
use crate::app::Form;
use crate::choices::intl::{Sum, digits};
use leptos::prelude::*;
use payframe_checkout_flow::choices::{ChoiceEvent, Choices, InstalmentParts, Payable};

/// The numbers of parts, if the session offers instalments.
#[component]
pub fn InstalmentPlans(
    /// What all choices share.
    asking: Asking,
) -> impl IntoView {
    let group = asking.derive(group);
    view! { <RadioGroup asking name="installments" group choose=choose /> }
}

fn choose(value: String) -> Option<ChoiceEvent> {
    value.parse().ok().map(ChoiceEvent::InstalmentsChosen)
}

/// In the currency that is paid.
fn group(form: Form, choices: &Choices) -> Option<Group> {
    let offered = choices.instalments()?;
    let sum = match choices.offer() {
        Some(open) if choices.payable() == Payable::Card => Sum::of_offer(&open.offer),
        _ => Sum::of_session(&form.session.borrow()),
    };
    let total = sum.written();
    let total = form
        .texts
        .fill("choice_installments_total", &[("amount", &total)]);
    let at_once = RadioOption {
        value: "1".into(),
        title: form.texts.text("choice_installments_once"),
        about: total.clone(),
        is_chosen: offered.chosen == 1,
        ..RadioOption::default()
    };
    let in_parts = offered.offered.iter().map(|count| {
        let value = digits((*count).into());
        let parts = form
            .texts
            .fill("choice_installments_count", &[("count", &value)]);
        RadioOption {
            value,
            title: parts_of(&sum, *count),
            about: [&*parts, " · ", &total].concat(),
            is_chosen: offered.chosen == *count,
            ..RadioOption::default()
        }
    });
    Some(Group {
        legend: form.texts.text("choice_installments"),
        options: std::iter::once(at_once).chain(in_parts).collect(),
        note: None,
    })
}

/// "3 × €11.81", or "€11.83 + 2 × €11.81".
fn parts_of(sum: &Sum, count: u8) -> String {
    // The gateway's amounts are numbers.
    let amount_minor = sum.amount_minor.parse().unwrap_or(0);
    let parts = InstalmentParts::of(amount_minor, count);
    let each = sum.with(parts.each_minor).written();
    if parts.first_minor == parts.each_minor {
        return [&*digits(count.into()), " × ", &each].concat();
    }
    let first = sum.with(parts.first_minor).written();
    let others = digits(u64::from(count) - 1);
    [&*first, " + ", &others, " × ", &each].concat()
}
