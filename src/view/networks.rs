//! The choice between the networks of a card that has two, next to its number.

use crate::app::Form;
use crate::page::{element, mark, on, show, write};
use crate::view::react;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlInputElement};

/// Makes the page's two radio buttons live: hidden while there is nothing to choose, otherwise each with a network's mark and
/// its name as text.
pub fn adopt(form: Form) -> Result<(), JsValue> {
    let inputs = [element::<HtmlInputElement>(PLACES[0])?, element(PLACES[1])?];
    for (place, input) in inputs.iter().enumerate() {
        on(input, "change", move |_| form.choose_network(place));
    }
    let shown = form.shown;
    react(move || {
        let (choice, wait) = shown.with(|shown| (shown.choice, shown.wait));
        show("networks", choice.is_some());
        let Some(choice) = choice else { return };
        for ((network, input), id) in choice.networks.iter().zip(&inputs).zip(PLACES) {
            input.set_checked(network == choice.chosen);
            mark(input, "disabled", wait.map(|_| ""));
            if let Ok(picture) = element::<Element>(&[id, "-mark"].concat()) {
                mark(
                    &picture,
                    "src",
                    Some(&["/assets/methods/", network.code(), ".svg"].concat()),
                );
            }
            write(&[id, "-name"].concat(), network.name());
        }
    });
    Ok(())
}

const PLACES: [&str; 2] = ["network-0", "network-1"];
