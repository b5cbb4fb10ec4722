//! The state of the choices while they are open.

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::RwSignal;
use payframe_checkout_flow::choices::Choices;
use std::cell::Cell;
use web_sys::Element;

/// The choices of a form that has some.
pub struct Choosing {
    /// What is asked and chosen.
    pub state: RwSignal<Choices>,
    /// The language in which they are drawn.
    pub language: RwSignal<String>,
    /// The status region: announces politely.
    pub status: Element,
    /// Runs until the time of an offer has passed.
    pub timer: Cell<Option<TimeoutHandle>>,
    /// Whether something must still be chosen before the card can be sent; then the buyer is told. A function in a box, because the check of a
    /// press is in the first part of the module, and the choices are in the late part.
    pub refuses_press: Box<dyn Fn() -> bool>,
}
