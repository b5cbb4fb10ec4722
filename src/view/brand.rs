//! The picture of the card's network, beside the number.

use crate::app::Form;
use leptos::prelude::*;

/// The network's mark with its name as text, or a plain card while it is open.
#[component]
pub fn Brand(
    /// The form.
    form: Form,
) -> impl IntoView {
    let shown = form.app().shown;
    move || {
        let network = shown.with(|shown| shown.network);
        let mark = ["#n-", network.map_or("card", |network| network.code())].concat();
        let name = network.map(|network| network.name());
        view! {
            <svg viewBox="0 0 34 24" role=name.map(|_| "img") aria-label=name aria-hidden=name.is_none().then_some("true")>
                <use href=mark />
            </svg>
        }
    }
}
