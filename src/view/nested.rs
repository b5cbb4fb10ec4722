//! 3-D Secure pages nested in ours: the hidden device check and the issuer's challenge.

use crate::app::Form;
use crate::page::{element, mark};
use crate::view::react;
use crate::view_model::ViewModel;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Shows the hidden device check that the flow asks for, and loads each address once.
///
/// # Errors
/// If the page lacks the place.
pub fn adopt_probe(form: Form) -> Result<(), JsValue> {
    nest(form, "probe", |shown| shown.probe_url.as_deref())
}

/// Shows the issuer's page in the panel, and loads each address once.
///
/// # Errors
/// If the panel is not drawn.
pub fn adopt_challenge(form: Form) -> Result<(), JsValue> {
    nest(form, "nested", |shown| {
        shown
            .stage
            .as_ref()
            .and_then(|stage| stage.challenge_url.as_deref())
    })
}

fn nest(
    form: Form,
    place: &'static str,
    wanted: fn(&ViewModel) -> Option<&str>,
) -> Result<(), JsValue> {
    let (place_id, place): (_, Element) = (place, element(place)?);
    let shown = form.shown;
    let filled = StoredValue::new(None::<String>);
    react(move || {
        shown.with(|shown| {
            let url = wanted(shown);
            // A loaded frame stays: a frame that is inserted again loads again. A frame that the session monitor has removed is not restored.
            if filled.with_value(|filled| filled.as_deref() == url) {
                return;
            }
            filled.set_value(url.map(str::to_owned));
            place.set_text_content(None);
            let seen = place_id == "nested";
            if seen {
                form.close_issuer_page();
            }
            if let (Some(url), Ok(frame)) = (url, document().create_element("iframe")) {
                let title = seen.then(|| form.texts.text("challenge_frame"));
                mark(&frame, "title", title.as_deref());
                mark(&frame, "tabindex", (!seen).then_some("-1"));
                mark(&frame, "allow", Some("publickey-credentials-get"));
                mark(&frame, "sandbox", Some(CHALLENGE_SANDBOX));
                mark(&frame, "src", Some(url));
                // Appending to a place of our own page can't fail.
                let _ = place.append_child(&frame);
                if seen {
                    form.open_issuer_page(&frame);
                }
            }
        });
    });
    Ok(())
}

/// What an issuer's page may do. It can open the bank's app, but it can not navigate the whole window to another page.
const CHALLENGE_SANDBOX: &str = "allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts \
     allow-top-navigation-to-custom-protocols";
