//! Forms, network, gateway, acquirer and merchant's server together, as a [`Model`] for the checker.
//!
//! An [`Action`] is one thing that one of them does, or that happens to one of them. [`World::drain`] continues
//! without further faults: from every state of the world it has to lead to an end.

mod actions;
mod choosing;
mod drain;
mod transitions;

use super::beside::Seen;
use super::card::Card;
use super::form::{CallProgress, Form};
use super::gateway::{Ask, Client, Gateway};
use super::setting::{Bounds, Setting};
use payframe_checkout_flow::choices::Currency;
use payframe_checkout_flow::flow::{FrameContent, Renewal, Terms};
use payframe_payment_domain::operation::AuthorizationResult;
use payframe_payment_domain::session::{
    ChallengeReply, ConfirmationReply, PreviousAttempt, State, StepUp,
};

/// The merchant's server, in the mode `SERVER`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Server {
    call: Option<CallProgress>,
    key: u8,
}

/// Everything, at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    pub(crate) forms: Vec<Option<Form>>,
    server: Server,
    /// Calls whose sender is gone or does not wait any more: they may still arrive. Sorted, because their order has no meaning.
    abandoned_calls: Vec<(Client, Ask)>,
    pub(crate) gateway: Gateway,
    pub(crate) left: Bounds,
    /// What the form showed at the last press, by tab.
    pub(crate) pressed: Vec<Option<Seen>>,
    /// What was charged last, where something is asked beside the card.
    pub(crate) charged: Option<Seen>,
    /// Whether the buyer has consented to saving the card, in any tab.
    has_consented: bool,
    pub(crate) reported_paid: bool,
    pub(crate) reported_unpaid: bool,
    pub(crate) reported_unknown: bool,
    pub(crate) reported_refusal: bool,
    pub(crate) was_cut_off: bool,
    /// A violation, recorded when it happened.
    pub(crate) wrong: Option<Violation>,
}

/// What a form must never do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Violation {
    /// It reported an outcome that is not the gateway's.
    FalseOutcome,
    /// It reported a refusal of an operation that was not refused.
    FalseRefusal,
    /// It closed the payment after the buyer had given it up.
    ClosedAgainstWill,
    /// It continued to pay on terms for which the buyer had not pressed Pay.
    PaidUnread,
    /// A sum, a card or a number of parts is charged that no form showed when the buyer pressed Pay.
    ChargedUnseen,
    /// A sum is charged that was offered for another sum.
    ChargedStaleOffer,
    /// A card is charged without the consent that is needed.
    ChargedWithoutConsent,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The buyer chooses to pay by card, in the tab with this number.
    Choose(usize),
    /// The buyer presses Pay, with this card where the fields are shown.
    Press(usize, Option<Card>),
    /// The buyer chooses the shop's currency, or the card's.
    ChooseCurrency(usize, Currency),
    /// The buyer chooses in how many parts to pay.
    ChooseParts(usize, u8),
    /// The buyer chooses the saved card, or to type one.
    ChooseCard(usize, bool),
    /// The buyer consents to saving the card.
    Consent(usize),
    /// The gateway makes an offer in the card's currency.
    Offer(usize),
    /// The form counts the time of its offer, which is over.
    OfferTimesOut(usize),
    /// The gateway takes the offers no more that it has made.
    OffersEnd,
    /// The saved card is removed on another device.
    SavedCardGoes,
    /// The buyer cancels.
    GiveUp(usize),
    /// The buyer leaves the issuer's page by the form's own button.
    Leave(usize),
    /// The buyer is back at a form at rest, which reads the session's state.
    PeekState(usize),
    /// The buyer wants to try again with another session.
    Retry(usize),
    /// The page brings another session, on these terms.
    Renew(usize, Terms),
    /// The page has no other session.
    NotRenewed(usize),
    /// The merchant's server changes the session's sum.
    ChangeSum,
    /// The buyer asks the form to look again.
    Recheck(usize),
    /// A page of the issuer, or of the device check, tells the form that it is over.
    Hint(usize),
    /// The time that the form counts is over.
    TimeEnds(usize),
    /// The issuer's frame shows this.
    IssuerPage(usize, FrameContent),
    /// The browser does not show the issuer's page.
    IssuerPageBlocked(usize),
    /// The page is loaded again.
    Load(usize),
    /// A wait ends.
    Wake(usize),
    /// The form polls until a limit, without news.
    Persist(usize),
    /// No call of the form has an answer until it does something else.
    CutOff(usize),
    /// The merchant's server makes its completion call.
    ServerAsks,
    /// The merchant's server forgets its call and the key of it.
    ServerCrashes,
    /// A call reaches the gateway.
    Arrive(Client),
    /// The network keeps a copy.
    ArriveTwice(Client),
    /// A call is lost on its way.
    LoseCall(Client),
    /// The caller stops waiting; the call is still on its way.
    Overtake(Client),
    /// A call arrives whose caller does not wait any more.
    ArriveLate(usize),
    /// An answer reaches the caller.
    AnswerArrives(Client),
    /// An answer is lost on its way.
    LoseAnswer(Client),
    /// The acquirer gets the request for money, and answers.
    AskAcquirer,
    /// The acquirer's answer is booked.
    Book,
    /// The 3-D Secure server is asked for a challenge, and its answer is booked. It is a fault if none is possible.
    StepUp(StepUp),
    /// The acquirer cannot be asked.
    AcquirerSilent,
    /// The wait for the acquirer's answer ends, and what it may have approved is reversed. Its answer comes late.
    WaitEndsInReversal,
    /// The process crashes during a charge.
    Crash,
    /// The booking is written; its answer is neither stored nor sent.
    BookAndCrash,
    /// The gateway continues a charge that a crash or a missing answer interrupted.
    Recover,
    /// The page of the device check reports.
    DeviceReports,
    /// The buyer answers on the issuer's page.
    Reply(ChallengeReply),
    /// The issuer answers to the outcome of a confirmation by the buyer's device.
    Confirm(ConfirmationReply),
    /// Another document sends another outcome, after the issuer has asked for a challenge.
    ConfirmAgain,
    /// The session's next limit passes.
    LimitPasses,
    /// A day passes: the gateway does not tell the outcome any more, and a suspended form has missed it.
    DayPasses,
    /// A pending charge becomes final.
    PendingResolves(AuthorizationResult),
}

impl Setting {
    /// The world at the beginning.
    pub(crate) fn start(&self) -> World {
        let mut world = World {
            forms: vec![None; self.tabs],
            server: Server { call: None, key: 0 },
            abandoned_calls: Vec::new(),
            gateway: Gateway::new(self.first_state()),
            left: self.bounds,
            pressed: vec![None; self.tabs],
            charged: None,
            has_consented: false,
            reported_paid: false,
            reported_unpaid: false,
            reported_unknown: false,
            reported_refusal: false,
            was_cut_off: false,
            wrong: None,
        };
        for tab in 0..self.tabs {
            world.load(self, tab);
        }
        world
    }
}

impl Setting {
    /// Where a session begins.
    fn first_state(&self) -> State {
        if self.with_method {
            State::ChoosingMethod
        } else {
            State::CollectingCard(PreviousAttempt::None)
        }
    }

    /// Whether the page can bring another session.
    fn renewal(&self) -> Renewal {
        if self.bounds.renewals > 0 {
            Renewal::Available
        } else {
            Renewal::Unavailable
        }
    }
}

impl World {
    fn call(&self, client: Client) -> Option<&CallProgress> {
        match client {
            Client::Tab(tab) => self.forms[tab].as_ref()?.call.as_ref(),
            Client::Server => self.server.call.as_ref(),
        }
    }

    fn call_mut(&mut self, client: Client) -> Option<&mut CallProgress> {
        match client {
            Client::Tab(tab) => self.forms[tab].as_mut()?.call.as_mut(),
            Client::Server => self.server.call.as_mut(),
        }
    }
}

/// Represents a caller that does not wait any more.
pub(crate) const NOBODY: Client = Client::Tab(usize::MAX);
