//! 3-D Secure pages nested in ours: the unseen device check and the issuer's challenge.

use crate::app::Form;
use leptos::prelude::*;

/// Which page is nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Seen, named, and allowed to use passkeys.
    Challenge,
    /// There while it runs, and never seen, reached or read out.
    DeviceCheck,
}

/// A page of the issuer, loaded once for each address.
#[component]
pub fn Nested(
    /// The form.
    form: Form,
    /// Which page.
    kind: Kind,
) -> impl IntoView {
    let app = form.app();
    let (title, tab) = match kind {
        Kind::Challenge => (app.texts.text("challenge_frame"), None),
        Kind::DeviceCheck => (String::new(), Some("-1")),
    };
    let shown = app.shown;
    // A memo, because a page that is drawn anew is loaded anew.
    let url = Memo::new(move |_| {
        shown.with(|shown| match kind {
            Kind::Challenge => shown
                .stage
                .as_ref()
                .and_then(|stage| stage.challenge_url.clone()),
            Kind::DeviceCheck => shown.probe_url.clone(),
        })
    });
    move || {
        let title = title.clone();
        url.get()
            .map(|url| view! { <iframe src=url title=title tabindex=tab allow="publickey-credentials-get"></iframe> })
    }
}
