//! The methods that are paid on another page: a button for each.

use super::group::mark_of;
use super::{append, make, pressed, put_first};
use crate::app::Form;
use crate::choices::choosing::Choosing;
use crate::choices::read::methods;
use crate::page::{element, on};
use crate::view::react;
use leptos::prelude::*;
use payframe_checkout_flow::flow::Event;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Draws them into the panel in which the buyer chooses how to pay.
pub(super) fn draw(form: Form, choosing: &'static Choosing) -> Result<(), JsValue> {
    let place: Element = element("others")?;
    on(&place, "click", move |event| {
        let method =
            pressed(&event, "[data-method]").and_then(|button| button.get_attribute("data-method"));
        if let Some(method) = method {
            form.dispatch(Event::ElsewhereChosen(method));
        }
    });
    react(move || {
        choosing.language.track();
        // Appending to a place of our own page can't fail.
        let _ = fill(form, &place);
    });
    Ok(())
}

fn fill(form: Form, place: &Element) -> Result<(), JsValue> {
    let methods = methods(&form.session.borrow());
    if methods.is_empty() {
        return Ok(());
    }
    let heading = [("class", "others"), ("id", "others-title")];
    let heading = make("p", &heading, &form.texts.text("choice_methods"))?;
    let list = [
        ("class", "methods"),
        ("role", "group"),
        ("aria-labelledby", "others-title"),
    ];
    let list = make("div", &list, "")?;
    for method in methods {
        let button = make(
            "button",
            &[
                ("class", "method"),
                ("type", "button"),
                // The accessible name contains the visible text (WCAG 2.2, 2.5.3).
                (
                    "aria-label",
                    &form
                        .texts
                        .fill("choice_method", &[("method", &method.label)]),
                ),
                ("data-method", &method.id),
            ],
            &method.label,
        )?;
        if let Some(picture) = method.picture {
            put_first(&button, &mark_of(&picture)?)?;
        }
        append(&list, &button)?;
    }
    place.set_text_content(None);
    append(place, &heading)?;
    append(place, &list)?;
    Ok(())
}
