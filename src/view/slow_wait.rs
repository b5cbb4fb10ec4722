//! The sentence that explains a long wait.

use crate::app::Form;
use crate::page::{show, write};
use crate::session_monitor::Running;
use crate::view::react;
use leptos::prelude::*;

/// Says it where the form says all else, as long as the wait lasts. What stands there afterwards [`crate::view::pay`] sees to.
pub fn adopt(form: Form, running: &'static Running) {
    react(move || {
        let waits = form.shown.with(|shown| shown.wait.is_some());
        if running.is_slow.get() && waits {
            write("message", &form.texts.text("slow"));
            show("message", true);
        }
    });
}
