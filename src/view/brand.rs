//! The picture of the card's network, beside the number, and those of the networks that the shop takes.

use crate::app::Form;
use crate::page::{element, mark, new_element};
use crate::view::react;
use leptos::prelude::*;
use payframe_card_rules::co_badge::{Choice, Chooser};
use payframe_card_rules::network::Network;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Adds the marks of the networks that the session takes, and their names for screen readers. Fields in frames of
/// their own have no room for them.
pub fn show_accepted(form: Form) {
    let Ok(place) = element::<Element>("accepted") else {
        return;
    };
    // In our own page it can't fail.
    let _ = add_marks(form, &place);
    mark(&place, "hidden", None);
}

fn add_marks(form: Form, place: &Element) -> Result<(), JsValue> {
    let names = new_element("span", &[("class", "sr-only")])?;
    names.set_text_content(Some(&form.fields.accepted_names()));
    place.append_child(&names)?;
    for network in form.session.borrow().networks.iter() {
        let picture = new_element("img", &[("src", &file(network)), ("alt", "")])?;
        place.append_child(&picture)?;
    }
    Ok(())
}

fn file(network: Network) -> String {
    ["/assets/methods/", network.code(), ".svg"].concat()
}

/// Shows the network's mark with its name as text, or a plain card while the network is not known.
pub fn adopt(form: Form) -> Result<(), JsValue> {
    let picture: Element = element("brand")?;
    let shown = form.shown;
    react(move || {
        // Beside a choice of two networks, neither is emphasized until the buyer has chosen it.
        let network = shown.with(|shown| {
            let decided = |choice: Choice| choice.by == Chooser::Buyer;
            shown.network.filter(|_| shown.choice.is_none_or(decided))
        });
        mark(&picture, "hidden", network.is_none().then_some(""));
        if let Some(network) = network {
            let file = file(network);
            // The same picture is not fetched again.
            if picture.get_attribute("src").as_deref() != Some(&file) {
                mark(&picture, "src", Some(&file));
                mark(&picture, "alt", Some(network.name()));
            }
        }
    });
    Ok(())
}
