//! What the buyer and the gateway do to the choices.

use super::{BillingCountry, Currency, CurrencyOffer, SavedCard};
use payframe_card_rules::address::AddressPart;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceEvent {
    /// The gateway offers another currency for the card that is typed.
    Offered {
        /// The offer.
        offer: CurrencyOffer,
        /// The time, in milliseconds.
        now_ms: u64,
    },
    /// The offer is not valid for the current payment: another card, another amount.
    OfferWithdrawn,
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
    /// The buyer chose the country of the billing address.
    BillingCountryChosen(BillingCountry),
    /// This part of the billing address has this text now.
    BillingEdited(AddressPart, String),
    /// The buyer left this part of the billing address.
    BillingLeft(AddressPart),
}

/// A choice that the gateway can refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChoiceId {
    /// The currency offer is over.
    CurrencyOffer,
    /// The saved card was removed, or can not be used any more.
    SavedCard,
    /// The payment needs the consent.
    Consent,
    /// This part of the billing address is missing, or not valid. `None`: the country.
    Billing(Option<AddressPart>),
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
