//! What the views of the choices read.

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::RwSignal;
use payframe_checkout_flow::choices::Choices;
use payframe_checkout_flow::sum::Sum;
use std::cell::Cell;
use web_sys::Element;

/// What is drawn of the choices of a form that has some. The flow decides it: `App::advance` copies it here after each step.
pub struct Choosing {
    /// What is asked and chosen.
    pub state: RwSignal<Choices>,
    /// The sum that is paid.
    pub sum: RwSignal<Sum>,
    /// The language in which they are drawn.
    pub language: RwSignal<String>,
    /// The status region: announces politely.
    pub status: Element,
    /// Runs until the time of an offer has passed.
    pub timer: Cell<Option<TimeoutHandle>>,
}
