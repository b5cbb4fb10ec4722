//! 3-D Secure: the unseen device check, and the issuer's page nested in ours.

use crate::app::Form;
use crate::view::outcome::focus_on_mount;
use crate::view::panel::cancel;
use leptos::html;
use leptos::prelude::*;
use payframe_checkout::flow::Phase;

/// The issuer's page in a titled dialog, with a way out.
#[component]
pub fn Challenge(
    /// The form.
    form: Form,
    /// Address of the issuer's page.
    url: String,
) -> impl IntoView {
    let app = form.app();
    let title = NodeRef::<html::H2>::new();
    focus_on_mount(title);
    view! {
        <div class="challenge" role="dialog" aria-labelledby="challenge-title">
            <h2 class="title" id="challenge-title" tabindex="-1" node_ref=title>{app.texts.text("challenge_title")}</h2>
            <iframe src=url title=app.texts.text("challenge_frame") allow="publickey-credentials-get"></iframe>
            {cancel(form)}
        </div>
    }
}

/// The device check: there while it runs, and never seen, reached or read out.
#[component]
pub fn DeviceCheck(
    /// The form.
    form: Form,
) -> impl IntoView {
    let url = form.derived(|phase| match phase {
        Phase::CheckingDevice { url, .. } => Some(url.clone()),
        _ => None,
    });
    move || {
        url.get()
            .map(|url| view! { <iframe class="probe" src=url title="" tabindex="-1" aria-hidden="true"></iframe> })
    }
}
