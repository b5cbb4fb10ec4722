//! The sentence that explains a long wait.

use crate::app::Form;
use crate::session_monitor::Running;
use crate::view::{react, show_message};
use leptos::prelude::*;

/// Shows it in the form's message area as long as the wait lasts. Afterwards [`crate::view::pay`] writes there.
pub fn adopt(form: Form, running: &'static Running) {
    react(move || {
        let waits = form.shown.with(|shown| shown.wait.is_some());
        if running.is_slow.get() && waits {
            show_message(&form.texts.text("slow"), false);
        }
    });
}
