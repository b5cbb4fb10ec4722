//! The methods that are paid on another page: a button for each.

use super::Asking;
use super::group::Picture;
use crate::choices::read::methods;
use leptos::prelude::*;
use payframe_protocol::boot::BootMethod;

/// The buttons with their heading, in the panel in which the buyer chooses how to pay.
#[component]
pub fn OtherMethods(
    /// What all choices share.
    asking: Asking,
) -> impl IntoView {
    move || {
        asking.language.track();
        let methods = methods(&asking.form().session.borrow());
        (!methods.is_empty()).then(|| {
            let buttons = methods
                .into_iter()
                .map(|method| view! { <MethodButton asking method /> });
            view! {
                <p class="others" id="others-title">
                    {asking.form().texts.text("choice_methods")}
                </p>
                <div class="methods" role="group" aria-labelledby="others-title">
                    {buttons.collect_view()}
                </div>
            }
        })
    }
}

#[component]
fn MethodButton(asking: Asking, method: BootMethod) -> impl IntoView {
    let form = asking.form();
    // The accessible name contains the visible text (WCAG 2.2, 2.5.3).
    let name = form
        .texts
        .fill("choice_method", &[("method", &method.label)]);
    view! {
        <button
            class="method"
            type="button"
            aria-label=name
            data-method=method.id
        >
            {method.picture.map(|picture| view! { <Picture picture /> })}
            {method.label}
        </button>
    }
}
