//! The tasks of the late part of the module ([`crate::late`]), and the queue for them. Carries out nothing.

use crate::wire::Json;
use payframe_checkout_flow::flow::{Call, Generation};
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

impl<F> LatePart<F> {
    /// Whether tasks are carried out at once.
    pub fn is_loaded(&self) -> bool {
        self.carry_out.get().is_some()
    }

    /// Whether a press of Pay waits in the queue.
    pub fn press(&self) -> QueuedPress {
        if self.waiting.borrow().iter().any(Task::pays) {
            QueuedPress::Waits
        } else {
            QueuedPress::Absent
        }
    }

    /// Takes out of the queue what `is_over` says.
    pub fn remove(&self, is_over: &mut dyn FnMut(&Task) -> bool) {
        self.waiting.borrow_mut().retain(|task| !is_over(task));
    }
}

/// Whether a press of Pay waits for the late part, so that the flow does not know of it yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuedPress {
    /// None waits.
    Absent,
    /// One waits.
    Waits,
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
    /// The first step of the flow, by the state in which the session was when the page was made.
    Open,
    /// The buyer pressed Pay before that.
    Press,
    /// What the buyer does with the form's own buttons.
    Act(Act),
    /// A request beside the flow.
    Run(GatewayTask),
    /// A command of the merchant's page.
    Command(PageCommand),
    /// The buyer typed.
    BuyerActive,
    /// The state of the fields may have changed.
    ReportChange,
    /// The currency offer was for another card.
    WithdrawOffer,
    /// The buyer left the e-mail address: it may contain a typing mistake.
    SuggestEmail,
    /// The choice of networks is in another document now.
    BindNetworks,
}

impl Task {
    /// Whether this is a press of Pay, or the page's call of it.
    pub fn pays(&self) -> bool {
        match self {
            Task::Press => true,
            Task::Act(act) => matches!(act, Act::Submit(_)),
            Task::Command(command) => command.pays(),
            _ => false,
        }
    }
}

/// What the buyer can do with the form's own buttons before the late part is loaded. It is an event of the flow; those have much to
/// free that no form needs before.
#[derive(Clone, Copy)]
pub enum Act {
    /// Presses Pay with complete fields, at this time in milliseconds.
    Submit(u64),
    /// The same, while the browser knows that it is offline.
    SubmitOffline,
    /// Wants to give up, and is asked.
    AskToGiveUp,
    /// Does not give up after all.
    StayOn,
    /// Gives up.
    GiveUp,
}

/// A command of the merchant's page.
pub struct PageCommand {
    /// The number under which it is answered.
    pub id: u32,
    /// The message that contains it. In the Build protocol it has a member `call`: the number that the page gave to the command.
    pub message: Json,
    /// [`edits`](crate::app::App::edits) when it came.
    pub edits: u32,
}

impl PageCommand {
    /// Whether it is the page's press of Pay.
    pub fn pays(&self) -> bool {
        self.message.member("type").text().as_deref() == Some("confirm")
    }
}

/// A request to the gateway, and its purpose.
#[derive(Clone, Copy)]
pub enum GatewayTask {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn press_is_known_as_long_as_it_waits() {
        let late = LatePart::<()>::default();
        late.waiting.borrow_mut().push(Task::BuyerActive);
        assert_eq!(late.press(), QueuedPress::Absent);
        let press = Task::Act(Act::Submit(0));
        late.waiting.borrow_mut().push(press);
        assert_eq!(late.press(), QueuedPress::Waits);
        late.remove(&mut Task::pays);
        assert_eq!(late.press(), QueuedPress::Absent);
    }
}
