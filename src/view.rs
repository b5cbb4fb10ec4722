//! The views: what is drawn by the widget, and what it keeps up to date on the page it adopted.
//!
//! Most read the one signal of the [`ViewModel`](crate::view_model::ViewModel). The page has a place for everything that is always there (labels, buttons, the
//! panel), so the widget writes most into its place. What the page lacks is drawn by components: the message of a field, and the [`choices`] beside the
//! card. Each reactive closure of its own type costs every buyer half a kilobyte, so there are few, and each updates one visible part.

pub mod brand;
pub mod choices;
pub mod email_suggestion;
pub mod field;
pub mod issuer_page;
pub mod nested;
pub mod networks;
pub mod panel;
pub mod pay;
pub mod question;
pub mod slow_wait;
pub mod time_left;
pub mod typing;

use crate::app::Form;
use crate::page::{adopt_style, element, mark, write};
use crate::wire::Json;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, Node};

/// Makes the parts live that the buyer does not work with yet.
///
/// # Errors
/// If the page lacks a place for one.
pub fn draw(form: Form) -> Result<(), JsValue> {
    brand::adopt(form)?;
    announce(form);
    if !cfg!(feature = "split") {
        form.load_late_part();
    }
    Ok(())
}

/// Makes the parts live that belong to the late part of the module: what replaces the fields, and what follows an answer.
///
/// # Errors
/// If the page lacks a place for one.
pub fn draw_late(form: Form) -> Result<(), JsValue> {
    adopt_style(include_str!("../www/frame/late.css"));
    brand::show_accepted(form);
    panel::adopt(form)?;
    networks::adopt(form)?;
    if let Some(running) = form.monitor.running() {
        time_left::adopt(form, running)?;
        issuer_page::adopt(form, running)?;
        slow_wait::adopt(form, running);
    }
    nested::adopt(form)?;
    question::adopt(form)?;
    Ok(())
}

/// Makes the inputs and the buttons live.
///
/// # Errors
/// If the page lacks one.
pub fn bind(form: Form) -> Result<(), JsValue> {
    field::adopt_all(form)?;
    pay::adopt(form)
}

/// Runs now and whenever what is shown has changed.
///
/// All share one compiled effect: the closure is a trait object on purpose.
pub fn react(run: impl Fn() + 'static) {
    fn effect(run: Box<dyn Fn()>) {
        // Never dropped: it lives as long as the document.
        std::mem::forget(RenderEffect::new(move |_: Option<()>| run()));
    }
    effect(Box::new(run));
}

/// Shows a text in the form's message area, as an error or not. An empty text hides the area.
pub fn show_message(text: &str, is_error: bool) {
    write("message", text);
    if let Ok(area) = element::<HtmlElement>("message") {
        let class = if is_error { "message bad" } else { "message" };
        mark(&area, "class", Some(class));
        area.set_hidden(text.is_empty());
    }
}

/// Empties a place of the page and mounts a part into it.
fn place<N: IntoView + 'static>(
    id: &str,
    part: impl FnOnce() -> N + 'static,
) -> Result<(), JsValue> {
    let place: HtmlElement = element(id)?;
    place.set_text_content(None);
    mount_to(place.unchecked_into(), part).forget();
    Ok(())
}

/// Mounts a part into an element of the page, before one of its nodes. It lives as long as the document.
fn mount_before<N: IntoView + 'static>(
    place: &Element,
    next: Option<Node>,
    part: impl FnOnce() -> N + 'static,
) {
    let owner = Owner::new();
    let mut drawn = owner.with(|| part().into_view().build());
    drawn.mount(place, next.as_ref());
    std::mem::forget((owner, drawn));
}

/// Whether an event is a press of Escape.
fn is_escape(event: &Event) -> bool {
    Json(event.into()).member("key").text().as_deref() == Some("Escape")
}

/// Announces politely, for screen readers: a wait, otherwise a choice of networks, otherwise the one network.
fn announce(form: Form) {
    let shown = form.shown;
    react(move || {
        let (wait, withdrawn, choice, network) = shown.with(|shown| {
            (
                shown.wait,
                shown.choice_is_withdrawn,
                shown.choice.map(|choice| choice.networks),
                shown.network,
            )
        });
        let text = if let Some(key) = wait {
            form.texts.text(key)
        } else if choice.is_some() {
            form.texts.text("network_choice")
        } else if withdrawn {
            form.texts.text("network_choice_over")
        } else if let Some(network) = network {
            form.texts.fill("brand_found", &[("brand", network.name())])
        } else {
            String::new()
        };
        // A region that has this text already is not changed, so it is not read out again.
        write("polite", &text);
    });
}
