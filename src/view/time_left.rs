//! How much time is left, near the end of a session or challenge: above the issuer's page, or below the form with a button that prolongs the session.

use crate::app::Form;
use crate::view::{LocalForm, pressed_button};
use leptos::prelude::*;
use payframe_checkout_flow::flow::{Event, IssuerPage};

/// The time of the session, below the form. While the issuer's page is open, the panel shows the time of the challenge.
#[component]
pub fn SessionEnds(
    /// The form.
    form: LocalForm,
    /// What the buyer sees of the issuer's page.
    issuer_page: RwSignal<Option<IssuerPage>>,
    /// The seconds left that the buyer is told.
    time_left: RwSignal<Option<u32>>,
) -> impl IntoView {
    move || {
        let form = form.get_value();
        // A change of the language notifies this signal.
        form.shown.track();
        let seconds = time_left.get().filter(|_| issuer_page.get().is_none());
        view! {
            <div
                id="session-ends"
                class="message clock"
                hidden=seconds.is_none()
                on:click=move |event| {
                    if pressed_button(&event).is_some() {
                        form.dispatch(Event::RefreshRequested);
                    }
                }
            >
                <Clock id="time-left" sentence=seconds.map(|seconds| sentence(form, seconds)) />
                <button id="stay" class="quiet" type="button">
                    {form.texts.text("stay")}
                </button>
            </div>
        }
    }
}

/// The sentence with the time, while there is one.
#[component]
pub fn Clock(
    /// Its id.
    id: &'static str,
    /// The sentence.
    sentence: Option<String>,
) -> impl IntoView {
    let is_hidden = sentence.is_none();
    view! {
        <p id=id class="clock" role="timer" hidden=is_hidden>
            {sentence}
        </p>
    }
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
