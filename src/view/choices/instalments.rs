//! Payment at once or in parts.

use super::group::{Group, GroupView, Position, RadioOption};
use crate::app::Form;
use crate::choices::choosing::Choosing;
use crate::choices::intl::{digits, money, money_of};
use crate::view::react;
use leptos::prelude::*;
use payframe_checkout_flow::choices::{InstalmentParts, Instalments};
use payframe_checkout_flow::sum::Sum;

/// Draws it if the session offers instalments, in the currency that is paid.
pub(super) fn draw(form: Form, choosing: &'static Choosing) {
    let view = GroupView::new("installments", "choices", Position::Last);
    react(move || {
        choosing.language.track();
        choosing.state.with(|state| {
            let offered = state.instalments();
            let chosen = offered.map(|offered| digits(offered.chosen.into()));
            let sum = choosing.sum.get();
            let group = offered.map(|offered| group(form, offered, &sum));
            // In our own page it can't fail.
            let _ = view.keep(group, chosen.as_deref(), None);
        });
    });
}

fn group(form: Form, offered: &Instalments, sum: &Sum) -> Group {
    let total = money(sum);
    let total = form
        .texts
        .fill("choice_installments_total", &[("amount", &total)]);
    let at_once = RadioOption {
        value: "1".into(),
        title: form.texts.text("choice_installments_once"),
        about: total.clone(),
        ..RadioOption::default()
    };
    let in_parts = offered.offered.iter().map(|count| {
        let value = digits((*count).into());
        let parts = form
            .texts
            .fill("choice_installments_count", &[("count", &value)]);
        RadioOption {
            value,
            title: parts_of(sum, *count),
            about: [&*parts, " · ", &total].concat(),
            ..RadioOption::default()
        }
    });
    Group {
        legend: form.texts.text("choice_installments"),
        options: std::iter::once(at_once).chain(in_parts).collect(),
    }
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
