//! What can happen to the choices, and what follows.

use super::{Asked, Currency, CurrencyOffer, SavedCard};

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceEvent {
    /// Another session took the place of the one before, with an offer of its own if it makes one.
    SessionRenewed(Asked),
    /// The gateway offers another currency for the card that is typed.
    Offered {
        /// The offer.
        offer: CurrencyOffer,
        /// The time, in milliseconds.
        now_ms: u64,
    },
    /// The offer is not valid for the current payment: another card, another amount.
    OfferWithdrawn,
    /// The time that [`ChoiceEffect::Wait`] asked for has passed.
    TimePassed {
        /// The time, in milliseconds.
        now_ms: u64,
        /// Whether a call is on its way to the gateway, which then decides about the offer.
        form_waits: bool,
    },
    /// The buyer chose a currency.
    CurrencyChosen(Currency),
    /// The buyer chose in how many parts to pay; 1 is at once.
    InstalmentsChosen(u8),
    /// The buyer chose the saved card with this id, or, without one, to type a card.
    CardChosen(Option<String>),
    /// The buyer wants the saved card with this id removed, and has to confirm that.
    RemovalRequested(String),
    /// The buyer keeps the card after all.
    RemovalDropped,
    /// The buyer confirmed the removal.
    RemovalConfirmed,
    /// The gateway answered the removal.
    RemovalAnswered(RemovalAnswer),
    /// The buyer ticked the consent, or took the tick away.
    ConsentTicked(bool),
    /// The buyer pressed Pay.
    Submitted {
        /// The time, in milliseconds.
        now_ms: u64,
    },
    /// What was chosen goes to the gateway.
    Sent,
    /// The gateway refused a choice.
    Refused(ChoiceId),
}

/// A choice that the gateway can refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceId {
    /// The currency offer is over.
    CurrencyOffer,
    /// The saved card was removed, or can not be used any more.
    SavedCard,
    /// The payment needs the consent.
    Consent,
}

/// The result of a removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemovalAnswer {
    /// The card is removed. These are left.
    Removed(Vec<SavedCard>),
    /// The card was gone already.
    Gone,
    /// The result is not known: the card stays in the list.
    Failed,
}

/// What follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceEffect {
    /// Announce it politely.
    Announce(Sentence),
    /// Announce it at once.
    Urge(Sentence),
    /// Move the focus there.
    Focus(Spot),
    /// Report [`ChoiceEvent::TimePassed`] after so many milliseconds.
    Wait(u32),
    /// What is sent with the card has changed: the next submission is a new one.
    SubmitAnew,
    /// Show the fields of the card that pays now, and hide those that a saved card does not need.
    UseCard,
    /// Ask the gateway again about the first digits of the card.
    LookUpAnew,
    /// Ask the gateway to remove the saved card with this id, and report [`ChoiceEvent::RemovalAnswered`].
    RemoveCard(String),
}

/// What the buyer is told about a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sentence {
    /// There is an offer.
    CurrencyOffered,
    /// The currency is still to be chosen.
    CurrencyMissing,
    /// The offer has expired.
    OfferOver,
    /// The offer was withdrawn.
    OfferGone,
    /// This card was removed.
    CardRemoved(SavedCard),
    /// The saved card can not be used any more.
    CardGone,
    /// The saved card could not be removed.
    RemovalFailed,
    /// The payment needs the consent.
    ConsentMissing,
}

/// Where the focus can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The first of the two currencies.
    Currency,
    /// The box of the consent.
    Consent,
    /// The answer that keeps a card, in the question before a removal.
    KeepCard,
    /// The button that removes the card with this id.
    RemoveCard(String),
    /// The saved card that is chosen, or else the number of the card.
    ChosenCard,
}
