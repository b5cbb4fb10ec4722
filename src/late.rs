//! The late part of the module: code that no form needs before the first press or look-up is loaded after the form is live.
//!
//! With the feature `split`, as in releases, `cargo xtask build` divides the module at [`wasm_split`](wasm_split_helpers::wasm_split):
//! a chunk of its own contains this function, and all code that only this function reaches. The frame loads the chunk when the browser
//! is idle, or when a task needs it. Without the feature, as in tests, there is one module and nothing waits.

use crate::app::{App, Form};
use crate::choices;
use crate::host::listen_for_hints;
use crate::runtime::carry_out;
use crate::task::{CarryOut, Task};
use crate::view;
use leptos::prelude::set_timeout;
use payframe_checkout_flow::flow::Event;
use payframe_protocol::frame::PayframeErrorCode;
use std::time::Duration;

/// The chunk did not load.
struct Missing;

impl App {
    /// Passes the task to the late part: at once if it is loaded, otherwise in order as soon as it is.
    pub(crate) fn later(&'static self, task: Task) {
        if let Some(carry_out) = self.late.carry_out.get() {
            return carry_out(self, task);
        }
        let pays = task.pays();
        self.late.waiting.borrow_mut().push(task);
        if pays {
            // It is shown while it waits.
            self.refresh();
        }
        self.load_late_part();
    }

    /// Passes the task to the late part if it is loaded. For tasks that are of no use later, or done when it is loaded.
    pub(crate) fn tell_late_part(&'static self, task: Task) {
        if let Some(carry_out) = self.late.carry_out.get() {
            carry_out(self, task);
        }
    }

    /// Loads the late part, unless it is loaded or being loaded.
    pub fn load_late_part(&'static self) {
        if self.late.is_loaded() || self.late.is_loading.replace(true) {
            return;
        }
        #[cfg(feature = "split")]
        wasm_bindgen_futures::spawn_local(async move { self.arrived(chunk(self).await) });
        #[cfg(not(feature = "split"))]
        self.arrived(chunk(self));
    }

    fn arrived(&'static self, loaded: Result<CarryOut<Form>, Missing>) {
        self.late.is_loading.set(false);
        match loaded {
            Ok(carry_out) => {
                self.late.carry_out.set(Some(carry_out));
                for task in self.late.waiting.take() {
                    carry_out(self, task);
                }
                // No press waits any more, also where one was refused.
                self.refresh();
            }
            Err(Missing) => {
                set_timeout(|| self.load_late_part(), RETRY);
                let mut pressed = false;
                self.late.remove(&mut |task| {
                    let pays = task.pays();
                    pressed |= pays;
                    if let Task::Command(command) = task {
                        self.host.reply(command.id, Some(SCRIPT_BLOCKED));
                        return true;
                    }
                    pays
                });
                if pressed {
                    self.press_failed();
                }
            }
        }
    }

    /// Nothing was sent, and a press is dropped: the buyer decides again.
    fn press_failed(&'static self) {
        self.host
            .error(SCRIPT_BLOCKED, "a part of the form did not load");
        self.fields.stated.set(Some("connection_lost"));
        self.refresh();
    }
}

/// A part did not load.
const SCRIPT_BLOCKED: PayframeErrorCode = PayframeErrorCode::ScriptBlocked;

/// The wait before a chunk that did not load is requested again: without it nothing counts the session's time.
const RETRY: Duration = Duration::from_secs(5);

/// The split point. Makes the parts of the page live that only the late part fills. In a split module this function is
/// asynchronous, and fails if the chunk does not load.
#[cfg_attr(feature = "split", wasm_split_helpers::wasm_split(payment, fallible))]
fn chunk(form: Form) -> Result<CarryOut<Form>, Missing> {
    form.take_first_sums();
    form.start_monitor();
    form.start_build_events();
    listen_for_hints(move || form.dispatch(Event::Hinted));
    // The page is built with this module, so it has the places for these parts.
    let _ = view::draw_late(form);
    choices::adopt(form);
    form.tell_first_change();
    Ok(carry_out)
}

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for Missing {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}
