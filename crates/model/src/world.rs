//! Forms, network, gateway, acquirer and merchant's server together, as a [`Model`] for the checker.
//!
//! An [`Action`] is one thing that one of them does or that befalls one of them. [`World::calm`] is what happens
//! when nothing goes wrong any more: from wherever the world is, that has to lead to an end.

mod actions;
mod drain;
mod transitions;

use super::card::Card;
use super::form::{Form, Place};
use super::gateway::{Ask, Broken, Client, Gateway};
use payframe_checkout_flow::flow::Closing;
use payframe_payment_domain::operation::AuthorizationResult;
use payframe_payment_domain::session::{AfterRefusal, ChallengeReply, State};
use stateright::{Model, Property};

/// What is checked, and how far.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) closing: Closing,
    pub(crate) tabs: usize,
    pub(crate) cards: &'static [Card],
    /// The buyer is asked for a method first.
    pub(crate) with_method: bool,
    pub(crate) bounds: Bounds,
    pub(crate) broken: Option<Broken>,
}

/// How often things may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bounds {
    /// Losses, repetitions, delays, outages, crashes, silences.
    pub(crate) faults: u8,
    /// Presses of Pay that do something.
    pub(crate) presses: u8,
    /// Loads of a page anew.
    pub(crate) loads: u8,
    /// Times that the buyer gives up.
    pub(crate) cancels: u8,
    /// Closing calls of the merchant's server.
    pub(crate) server_asks: u8,
}

/// The merchant's server, in the mode `SERVER`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Server {
    line: Option<Place>,
    key: u8,
}

/// Everything, at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) forms: Vec<Option<Form>>,
    server: Server,
    /// Calls whose sender is gone or no longer waits: they may still arrive. In order, because order means nothing.
    adrift: Vec<(Client, Ask)>,
    pub(crate) gateway: Gateway,
    pub(crate) left: Bounds,
    pub(crate) told_paid: bool,
    pub(crate) told_unpaid: bool,
    pub(crate) told_unknown: bool,
    pub(crate) told_refusal: bool,
    pub(crate) was_cut_off: bool,
    /// What never may be, noticed in the moment in which it was.
    pub(crate) wrong: Option<Wrong>,
}

/// What a form must not do, whatever comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wrong {
    /// It told an outcome that is not the gateway's.
    FalseOutcome,
    /// It told a refusal of an operation that was not refused.
    FalseRefusal,
    /// It closed the payment after the buyer had given it up.
    ClosedAgainstWill,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Choose(usize),
    Press(usize, Option<Card>),
    GiveUp(usize),
    /// The buyer leaves the issuer's page by the form's own button.
    Leave(usize),
    /// The buyer is back at a form at rest, which looks where the session stands.
    Glimpse(usize),
    Recheck(usize),
    Hint(usize),
    Load(usize),
    /// A wait ends.
    Wake(usize),
    /// The form polls until a limit: nothing new for so long.
    Persist(usize),
    /// No call of the form has an answer until it does something else.
    CutOff(usize),
    ServerAsks,
    ServerCrashes,
    Arrive(Client),
    /// The network keeps a copy.
    ArriveTwice(Client),
    LoseCall(Client),
    /// The caller stops waiting; the call is still on its way.
    Overtake(Client),
    ArriveLate(usize),
    Hear(Client),
    LoseAnswer(Client),
    AskAcquirer,
    Book,
    /// The acquirer cannot be asked.
    AcquirerSilent,
    Crash,
    /// The booking is written, its answer neither kept nor sent.
    BookAndCrash,
    Recover,
    DeviceReports,
    Reply(ChallengeReply),
    LimitPasses,
    /// The outcome is told no more, and whoever slept has not heard it.
    DayPasses,
    PendingResolves(AuthorizationResult),
}

impl Model for Setting {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        let state = if self.with_method {
            State::ChoosingMethod
        } else {
            State::CollectingCard(AfterRefusal::No)
        };
        let mut world = World {
            forms: vec![None; self.tabs],
            server: Server { line: None, key: 0 },
            adrift: Vec::new(),
            gateway: Gateway::new(state),
            left: self.bounds,
            told_paid: false,
            told_unpaid: false,
            told_unknown: false,
            told_refusal: false,
            was_cut_off: false,
            wrong: None,
        };
        for tab in 0..self.tabs {
            world.load(self, tab);
        }
        vec![world]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        if world.wrong.is_some() {
            return;
        }
        world.buyers(self, actions);
        world.travels(self, actions);
        world.works(actions);
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        let mut world = world.clone();
        world.act(self, action);
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        super::properties::of(self)
    }
}

impl World {
    fn line(&self, client: Client) -> Option<&Place> {
        match client {
            Client::Tab(tab) => self.forms[tab].as_ref()?.line.as_ref(),
            Client::Server => self.server.line.as_ref(),
        }
    }

    fn line_mut(&mut self, client: Client) -> Option<&mut Place> {
        match client {
            Client::Tab(tab) => self.forms[tab].as_mut()?.line.as_mut(),
            Client::Server => self.server.line.as_mut(),
        }
    }
}

/// Stands for a caller that no longer waits.
const NOBODY: Client = Client::Tab(usize::MAX);
