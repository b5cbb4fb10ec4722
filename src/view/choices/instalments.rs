//! Payment at once or in parts.

use super::Asking;
use super::group::{Group, RadioGroup, RadioOption};
use crate::app::Form;
use crate::choices::intl::{digits, money, money_of};
use leptos::prelude::*;
use payframe_checkout_flow::choices::{Choices, InstalmentParts};
use payframe_checkout_flow::sum::Sum;

/// The numbers of parts, if the session offers instalments.
#[component]
pub fn InstalmentPlans(
    /// What all choices share.
    asking: Asking,
) -> impl IntoView {
    view! { <RadioGroup asking name="installments" group=group /> }
}

/// In the currency that is paid.
fn group(form: Form, choices: &Choices) -> Option<Group> {
    let offered = choices.instalments()?;
    let sum = form.flow.borrow().payable().cloned()?;
    let total = money(&sum);
    let total = form
        .texts
        .fill("choice_installments_total", &[("amount", &total)]);
    let option = |count: u8, title, about| RadioOption {
        value: digits(count.into()),
        title,
        about,
        is_chosen: offered.chosen == count,
        ..RadioOption::default()
    };
    let once = form.texts.text("choice_installments_once");
    let at_once = option(1, once, total.clone());
    let in_parts = offered.offered.iter().map(|count| {
        let number = digits((*count).into());
        let parts = form
            .texts
            .fill("choice_installments_count", &[("count", &number)]);
        let about = [&*parts, " · ", &total].concat();
        option(*count, parts_of(&sum, *count), about)
    });
    Some(Group {
        legend: form.texts.text("choice_installments"),
        options: std::iter::once(at_once).chain(in_parts).collect(),
        note: None,
        is_inert: false,
    })
}

/// "3 × €11.81", or "€11.83 + 2 × €11.81".
fn parts_of(sum: &Sum, count: u8) -> String {
    // The gateway's amounts are numbers.
    let amount_minor = sum.amount_minor.parse().unwrap_or(0);
    let parts = InstalmentParts::of(amount_minor, count);
    let each = money_of(sum, parts.each_minor);
    if parts.first_minor == parts.each_minor {
        return [&*digits(count.into()), " × ", &each].concat();
    }
    let first = money_of(sum, parts.first_minor);
    let others = digits(u64::from(count) - 1);
    [&*first, " + ", &others, " × ", &each].concat()
}
