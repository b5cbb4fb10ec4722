//! How much time is left, near the end of a session or challenge: above the issuer's page, or below the form with a button that prolongs the session.

use crate::app::Form;
use crate::page::{element, new_element, on, show, write};
use crate::session_monitor::Running;
use crate::view::react;
use leptos::prelude::*;
use payframe_checkout_flow::flow::Event;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Adds the places to the page, and keeps them up to date.
///
/// # Errors
/// If the page lacks the places beside them.
pub fn adopt(form: Form, running: &'static Running) -> Result<(), JsValue> {
    let timer = |id| new_element("p", &[("id", id), ("class", "clock"), ("role", "timer")]);
    let in_panel = timer("challenge-time-left")?;
    element::<Element>("title")?.insert_adjacent_element("afterend", &in_panel)?;
    let in_form = new_element("div", &[("id", "session-ends"), ("class", "message clock")])?;
    in_form.insert_adjacent_element("beforeend", &timer("time-left")?)?;
    let stay = [("id", "stay"), ("class", "quiet"), ("type", "button")];
    in_form.insert_adjacent_element("beforeend", &new_element("button", &stay)?)?;
    element::<Element>("main")?.append_child(&in_form)?;
    on(&element("stay")?, "click", move |_| {
        form.dispatch(Event::RefreshRequested);
    });
    react(move || {
        let seconds = running.time_left.get();
        let is_challenge = running.issuer_page.with(Option::is_some);
        show("challenge-time-left", seconds.is_some() && is_challenge);
        show("session-ends", seconds.is_some() && !is_challenge);
        if let Some(seconds) = seconds {
            let sentence = sentence(form, seconds);
            write("challenge-time-left", &sentence);
            write("time-left", &sentence);
            write("stay", &form.texts.text("stay"));
        }
    });
    Ok(())
}

/// The sentence with the time.
pub fn sentence(form: Form, seconds: u32) -> String {
    form.texts.fill("time_left", &[("time", &clock(seconds))])
}

/// Minutes and seconds, such as `1:05`.
fn clock(seconds: u32) -> String {
    let digit = |number: u32| char::from_digit(number % 10, 10).unwrap_or('0');
    let minutes = seconds / 60;
    let mut text = String::new();
    if minutes >= 10 {
        text.push(digit(minutes / 10));
    }
    text.extend([
        digit(minutes),
        ':',
        digit(seconds % 60 / 10),
        digit(seconds % 10),
    ]);
    text
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn clock_shows_minutes_and_seconds() {
        for (seconds, expected) in [
            (0, "0:00"),
            (9, "0:09"),
            (59, "0:59"),
            (60, "1:00"),
            (65, "1:05"),
            (754, "12:34"),
        ] {
            assert_eq!(clock(seconds), expected);
        }
    }
}
