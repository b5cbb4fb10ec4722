//! What there is to do for the late part of the module ([`crate::late`]), and what waits for that part. Carries out nothing.

use payframe_checkout_flow::flow::{Call, Effect, Event, Turn};
use payframe_protocol::frame::ShimCommand;
use std::cell::{Cell, RefCell};

/// Whether the late part is there, and what waits for it. `F`: the form that tasks are of.
pub struct LatePart<F> {
    /// Carries out a task, once it is there.
    pub carry_out: Cell<Option<CarryOut<F>>>,
    /// In order.
    pub waiting: RefCell<Vec<Task>>,
    /// Whether it is on its way.
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

/// What there is to do for the late part.
pub enum Task {
    /// One step of the flow, and what follows from it.
    Step(Event),
    /// Effects of the flow, in order.
    Perform(Vec<Effect>),
    /// A request beside the flow.
    Run(Errand),
    /// What the merchant's page answers to what the session monitor asked for.
    Answer(ShimCommand),
    /// The buyer typed.
    HearBuyer,
    /// The currency offer was for another card.
    WithdrawOffer,
    /// The choice of networks is in another document now.
    BindNetworks,
}

/// What is asked of the gateway, and for whom.
#[derive(Clone, Copy)]
pub enum Errand {
    /// What the flow asks.
    Flow(Call, Turn),
    /// Where the session stands, and the page's command that asked for it.
    Glimpse(Turn, Option<u32>),
    /// Which card was used.
    CardUsed,
    /// The look-up with this number.
    Networks(u32),
    /// The removal of a saved card that the buyer confirmed.
    RemoveCard,
}
