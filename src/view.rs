//! The views: what is drawn by the widget, and what it keeps up to date on the page it adopted.
//!
//! Most read the one signal of the [`ViewModel`](crate::view_model::ViewModel). The page has a place for what is there before the widget (fields, labels,
//! buttons), so the widget writes into its place. What the page lacks is drawn by components: the message of a field, the [`choices`] beside the card, the
//! [`panel`] that replaces the fields, the [`question`] before giving up, the [`time_left`]. Each reactive closure of its own type costs every buyer half a
//! kilobyte, so there are few, and each updates one visible part.

pub mod brand;
pub mod choices;
pub mod email_suggestion;
pub mod field;
pub mod nested;
pub mod networks;
pub mod panel;
pub mod pay;
pub mod question;
pub mod slow_wait;
pub mod time_left;
pub mod typing;

use crate::app::Form;
use crate::page::{adopt_style, element, focus, mark, write};
use crate::session_monitor::Running;
use crate::wire::Json;
use leptos::mount::mount_to;
use leptos::prelude::*;
use leptos::task::tick;
use panel::PanelInPlace;
use question::GiveUpQuestion;
use time_left::SessionEnds;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
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
    networks::adopt(form)?;
    // Without it the page does everything but the fields.
    if let Some(running) = form.monitor.running() {
        draw_in_place_of_fields(form, running)?;
        slow_wait::adopt(form, running);
        nested::adopt_challenge(form)?;
        email_suggestion::draw(form);
    }
    nested::adopt_probe(form)
}

/// Draws what replaces the fields or their buttons, below the form.
fn draw_in_place_of_fields(form: Form, running: &Running) -> Result<(), JsValue> {
    let local = StoredValue::new_local(form);
    let (issuer_page, time_left) = (running.issuer_page, running.time_left);
    mount_before(&element("main")?, None, move || {
        view! {
            <PanelInPlace form=local issuer_page time_left />
            <GiveUpQuestion form=local />
            <SessionEnds form=local issuer_page time_left />
        }
    });
    Ok(())
}

/// The form, as closures of components hold it: it belongs to this thread.
pub type LocalForm = StoredValue<Form, LocalStorage>;

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

/// The target of an event.
fn target<T: JsCast>(event: &Event) -> Option<T> {
    event.target().map(JsCast::unchecked_into)
}

/// The element that matches the selector, at the target of the event or around it.
fn pressed(event: &Event, selector: &str) -> Option<Element> {
    target::<Element>(event)?.closest(selector).ok().flatten()
}

/// Id of the button that was pressed.
fn pressed_button(event: &Event) -> Option<String> {
    pressed(event, "button").map(|button| button.id())
}

/// Moves the focus after the next update of the page, because the element may still be hidden. Not by a timer, which may fire late: the focus would then
/// leave a field in which the buyer is typing.
fn focus_when_drawn(id: &'static str) {
    spawn_local(async move {
        tick().await;
        focus(id);
    });
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
