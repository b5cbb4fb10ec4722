//! What follows from a change of the choices: effects that the caller carries out.

use super::{BillingProblem, SavedCard};
use payframe_card_rules::address::AddressPart;

/// What follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceEffect {
    /// Announce it politely.
    Announce(Sentence),
    /// Announce it at once.
    Urge(Sentence),
    /// Move the focus there.
    Focus(FocusTarget),
    /// Report [`Event::OfferWaitOver`](crate::flow::Event::OfferWaitOver) after so many milliseconds.
    Wait(u32),
    /// What is sent with the card has changed: the next submission is a new one.
    SubmitAnew,
    /// Show the fields of the card that pays now, and hide those that a saved card does not need.
    UseCard,
    /// Ask the gateway again about the first digits of the card.
    LookUpAnew,
    /// Ask the gateway to remove the saved card with this id, and report [`ChoiceEvent::RemovalAnswered`](super::ChoiceEvent::RemovalAnswered).
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
    /// A part of the billing address is missing or wrong.
    Billing(BillingProblem),
}

/// Where the focus can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FocusTarget {
    /// The first of the two currencies.
    Currency,
    /// The country of the billing address.
    BillingCountry,
    /// A part of the billing address.
    BillingPart(AddressPart),
    /// The box of the consent.
    Consent,
    /// The answer that keeps a card, in the question before a removal.
    KeepCard,
    /// The button that removes the card with this id.
    RemoveCard(String),
    /// The saved card that is chosen, or else the number of the card.
    ChosenCard,
}
