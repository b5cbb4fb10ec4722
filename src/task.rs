//! The tasks of the late part of the module ([`crate::late`]), and the queue for them. Carries out nothing.

use crate::wire::Json;
use payframe_checkout_flow::flow::{Call, Effect, Event, Generation};
use std::cell::{Cell, RefCell};

/// Whether the late part is loaded, and the tasks that wait for it. `F`: the form to which the tasks belong.
pub struct LatePart<F> {
    /// Carries out a task. `None` until the late part is loaded.
    pub carry_out: Cell<Option<CarryOut<F>>>,
    /// The tasks that wait, in order.
    pub waiting: RefCell<Vec<Task>>,
    /// Whether it is being loaded.
    pub is_loading: Cell<bool>,
}

/// Carries out a task of a form.
pub type CarryOut<F> = fn(F, Task);

impl<F> Default for LatePart<F> {
    fn default() -> Self {
        Self {
            carry_out: Cell::new(None),
            waiting: RefCell::default(),
            is_loading: Cell::new(false),
        }
    }
}

/// A task of the late part.
pub enum Task {
    /// One step of the flow, and its effects.
    Step(Event),
    /// Effects of the flow, in order.
    Perform(Vec<Effect>),
    /// A request beside the flow.
    Run(Errand),
    /// A message of the merchant's page.
    Message(Json),
    /// The buyer typed.
    HearBuyer,
    /// The currency offer was for another card.
    WithdrawOffer,
    /// The choice of networks is in another document now.
    BindNetworks,
}

impl Task {
    /// Whether this is a press of Pay, or the page's call of it.
    pub fn pays(&self) -> bool {
        match self {
            Task::Step(event) => *event == Event::Submitted,
            Task::Message(message) => message.member("type").text().as_deref() == Some("confirm"),
            _ => false,
        }
    }
}

/// A request to the gateway, and its purpose.
#[derive(Clone, Copy)]
pub enum Errand {
    /// A call of the flow.
    Flow(Call, Generation),
    /// Reads the session's state; with the page's command that asked for it.
    PeekState(Generation, Option<u32>),
    /// Reads which card was used.
    CardUsed,
    /// The look-up with this id.
    Networks(u32),
    /// The removal of a saved card that the buyer confirmed.
    RemoveCard,
}
