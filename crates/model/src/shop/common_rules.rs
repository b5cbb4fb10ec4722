//! Rules that shops use in place of the keeper, as a [`Model`] for the checker: each rule breaks a property.
//!
//! These shops have one server and no crashes: the faults do not need more.

use super::gateway::{Decision, Gateway, Money};
use super::{AGREES, FULFILLED_ONCE, GIVEN_UP_IS_UNPAID, PAID_IS_HELD};
use stateright::{Model, Property};
use std::fmt;

/// A rule that is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// "Cancel unpaid orders after M minutes": by the shop's own records.
    CancelUnpaid,
    /// "Wait two seconds": the handler of notifications sleeps, so that the return page is first. Nothing is locked.
    WaitTwoSeconds,
    /// "A failure cancels": at any time.
    LateFailureCancels,
    /// "The first message wins": later messages count as repetitions, whatever they say.
    FirstMessageWins,
    /// "The return page knows": its parameters are the outcome.
    BrowserIsTruth,
    /// "The order is made when the buyer is back": a notification before that finds none, and is acknowledged.
    OrderOnReturn,
}

/// An order in such a shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BookStatus {
    /// Not paid yet.
    Waiting,
    /// Paid.
    Paid,
    /// Given up, stock released.
    Cancelled,
}

/// The source of a message to the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Messenger {
    /// The buyer's browser.
    ReturnPage,
    /// The gateway.
    Notification,
}

/// A message on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    from: Messenger,
    session: usize,
    decision: Decision,
}

/// Shop and gateway, at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleWorld {
    gateway: Gateway,
    /// Sorted, because their order has no meaning.
    messages: Vec<Message>,
    /// Handlers that have read the order and not written it yet.
    handlers: Vec<(Message, BookStatus)>,
    order: Option<BookStatus>,
    fulfils: u8,
    presses: u8,
    timed_out: bool,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleAction {
    /// The buyer presses Pay: a form is built and shown.
    Press,
    /// The buyer pays.
    Pay(usize, Decision),
    /// A message arrives.
    Deliver(Message),
    /// The buyer closes the tab: the return page is never opened.
    Lose(Message),
    /// A handler that has read the order writes it.
    Write(Message),
    /// The shop's M minutes are over.
    TimeOut,
}

impl fmt::Display for RuleAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |decision: &Decision| match decision {
            Decision::Approved => "approved",
            Decision::Refused => "refused",
            Decision::Undecided => "pending",
        };
        let who = |message: &Message| {
            let from = match message.from {
                Messenger::ReturnPage => "return page",
                Messenger::Notification => "notification",
            };
            format!(
                "{from} of attempt {} (\"{}\")",
                message.session + 1,
                said(&message.decision)
            )
        };
        match self {
            RuleAction::Press => write!(f, "The buyer presses Pay, the form is shown."),
            RuleAction::Pay(session, decision) => {
                let attempt = session + 1;
                write!(
                    f,
                    "The buyer pays in attempt {attempt}: {}.",
                    said(decision)
                )
            }
            RuleAction::Deliver(message) => write!(f, "The shop takes the {}.", who(message)),
            RuleAction::Lose(message) => write!(f, "The {} is lost.", who(message)),
            RuleAction::Write(message) => {
                write!(f, "The handler of the {} writes the order.", who(message))
            }
            RuleAction::TimeOut => write!(f, "M minutes are over."),
        }
    }
}

impl Model for Rule {
    type State = RuleWorld;
    type Action = RuleAction;

    fn init_states(&self) -> Vec<RuleWorld> {
        vec![RuleWorld {
            gateway: Gateway::default(),
            messages: Vec::new(),
            handlers: Vec::new(),
            order: None,
            fulfils: 0,
            presses: 2,
            timed_out: false,
        }]
    }

    fn actions(&self, world: &RuleWorld, actions: &mut Vec<RuleAction>) {
        if world.presses > 0 && world.order != Some(BookStatus::Paid) {
            actions.push(RuleAction::Press);
        }
        for (session, money) in world.gateway.sessions.iter().enumerate() {
            if *money == Money::Open {
                actions.extend(
                    [Decision::Approved, Decision::Refused, Decision::Undecided]
                        .map(|decision| RuleAction::Pay(session, decision)),
                );
            }
        }
        for message in &world.messages {
            actions.push(RuleAction::Deliver(*message));
            if message.from == Messenger::ReturnPage {
                actions.push(RuleAction::Lose(*message));
            }
        }
        let handlers = world.handlers.iter();
        actions.extend(handlers.map(|(message, _)| RuleAction::Write(*message)));
        if *self == Rule::CancelUnpaid && world.order.is_some() && !world.timed_out {
            actions.push(RuleAction::TimeOut);
        }
    }

    fn next_state(&self, world: &RuleWorld, action: RuleAction) -> Option<RuleWorld> {
        let mut world = world.clone();
        match action {
            RuleAction::Press => {
                world.presses -= 1;
                world.gateway.build()?;
                if *self != Rule::OrderOnReturn && world.order.is_none() {
                    world.order = Some(BookStatus::Waiting);
                }
            }
            RuleAction::Pay(session, decision) => {
                world.gateway.decide(session, decision);
                for from in [Messenger::ReturnPage, Messenger::Notification] {
                    world.messages.push(Message {
                        from,
                        session,
                        decision,
                    });
                }
                world.messages.sort_unstable();
            }
            RuleAction::Deliver(message) => {
                world.messages.retain(|one| *one != message);
                self.take(&mut world, message);
            }
            RuleAction::Lose(message) => world.messages.retain(|one| *one != message),
            RuleAction::Write(message) => {
                let at = world.handlers.iter().position(|(one, _)| *one == message)?;
                let (_, order) = world.handlers.remove(at);
                world.order = Some(order);
                self.write(&mut world, message);
            }
            RuleAction::TimeOut => {
                world.timed_out = true;
                if world.order == Some(BookStatus::Waiting) {
                    world.order = Some(BookStatus::Cancelled);
                }
            }
        }
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(PAID_IS_HELD, |_, world: &RuleWorld| {
                world.order != Some(BookStatus::Paid) || world.gateway.held() > 0
            }),
            Property::always(FULFILLED_ONCE, |_, world: &RuleWorld| world.fulfils <= 1),
            Property::always(GIVEN_UP_IS_UNPAID, |_, world: &RuleWorld| {
                world.order != Some(BookStatus::Cancelled) || world.gateway.held() == 0
            }),
            // These shops send no queries: without a message on its way, they never learn more.
            Property::always(AGREES, |_, world: &RuleWorld| {
                let is_quiet = world.messages.is_empty() && world.handlers.is_empty();
                !is_quiet || (world.order == Some(BookStatus::Paid)) == (world.gateway.held() > 0)
            }),
        ]
    }
}

impl Rule {
    /// A handler reads the order. Only if it sleeps then, something can happen before it writes.
    fn take(self, world: &mut RuleWorld, message: Message) {
        if self == Rule::OrderOnReturn && message.from == Messenger::ReturnPage {
            world.order = world.order.or(Some(BookStatus::Waiting));
        }
        let Some(order) = world.order else {
            return;
        };
        if self == Rule::WaitTwoSeconds {
            world.handlers.push((message, order));
        } else {
            self.write(world, message);
        }
    }

    fn write(self, world: &mut RuleWorld, message: Message) {
        let is_waiting = world.order == Some(BookStatus::Waiting);
        let from_browser = message.from == Messenger::ReturnPage;
        let is_good = match message.decision {
            Decision::Approved => true,
            Decision::Undecided => self == Rule::BrowserIsTruth && from_browser,
            Decision::Refused => false,
        };
        if is_good && is_waiting {
            world.order = Some(BookStatus::Paid);
            world.fulfils += 1;
        }
        let cancels = match self {
            Rule::LateFailureCancels => true,
            Rule::FirstMessageWins => is_waiting,
            _ => false,
        };
        if message.decision == Decision::Refused && cancels {
            world.order = Some(BookStatus::Cancelled);
        }
    }
}
