//! The picture of the card's network, beside the number.

use crate::app::Form;
use leptos::prelude::*;

/// The network's mark with its name as text, or a plain card while it is open.
#[component]
pub fn Brand(
    /// The form.
    form: Form,
) -> impl IntoView {
    let network = form.app().fields.network;
    let mark = move || ["#n-", network.get().map_or("card", |network| network.code())].concat();
    let name = move || network.get().map(|network| network.name());
    let role = move || network.get().map(|_| "img");
    let hidden = move || network.get().is_none().then_some("true");
    view! {
        <svg viewBox="0 0 34 24" role=role aria-label=name aria-hidden=hidden>
            <use href=mark />
        </svg>
    }
}
