//! The gateway's offer to pay in the card's own currency: its content, how long it is valid, and what the buyer chose.

use super::{ChoiceEffect, Choices, FocusTarget, Sentence};
use crate::sum::Sum;

/// An offer as the gateway makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrencyOffer {
    /// The id with which it is accepted.
    pub id: String,
    /// What is paid, in the card's currency.
    pub sum: Sum,
    /// How much of the shop's currency one unit of the card's currency is, as a decimal number.
    pub exchange_rate: String,
    /// By how many percent that is more than the reference rate, as a decimal number.
    pub mark_up_percent: String,
    /// How long the gateway accepts it.
    pub expires_in_s: u32,
}

/// One of the two currencies that an offer gives a choice of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Currency {
    /// The shop's.
    Shop,
    /// The card's.
    Card,
}

/// Which sum is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payable {
    /// That of the session.
    Shop,
    /// That of the offer.
    Card,
    /// The buyer still has to choose between the two.
    Undecided,
}

/// An offer that the buyer can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOffer {
    /// The offer.
    pub offer: CurrencyOffer,
    /// When the gateway stops accepting it, in milliseconds of the events' clock.
    pub ends_ms: u64,
    /// What the buyer chose. At first nothing, so that neither currency is favoured.
    pub chosen: Option<Currency>,
    /// The message below the choice.
    pub said: Option<Sentence>,
    /// Whether it was sent to the gateway with the card: once accepted, it does not expire.
    pub is_sent: bool,
}

impl OpenOffer {
    /// Identifies the offer and the choice: as long as this is the same, the sum that is paid is the same.
    pub fn paid(&self) -> (&str, Option<Currency>) {
        (&self.offer.id, self.chosen)
    }

    pub(super) fn choose(&mut self, currency: Currency) {
        self.chosen = Some(currency);
        self.said = None;
        self.is_sent = false;
    }

    /// Whether it would have expired when it reaches the gateway.
    fn is_over(&self, now_ms: u64) -> bool {
        now_ms + LEEWAY_MS >= self.ends_ms
    }

    fn wait(&self, now_ms: u64) -> ChoiceEffect {
        let left_ms = self.ends_ms.saturating_sub(LEEWAY_MS + now_ms);
        let left_ms = u32::try_from(left_ms).unwrap_or(u32::MAX);
        ChoiceEffect::Wait(left_ms.max(SHORTEST_WAIT_MS))
    }
}

impl Choices {
    pub(super) fn offered(&mut self, offer: CurrencyOffer, now_ms: u64) -> Vec<ChoiceEffect> {
        // A saved card is paid in the shop's currency.
        if self.saved_card().is_some() {
            return vec![];
        }
        let ran_out = std::mem::take(&mut self.offer_ran_out);
        let open = OpenOffer {
            ends_ms: now_ms + u64::from(offer.expires_in_s) * 1000,
            offer,
            chosen: None,
            said: ran_out.then_some(Sentence::OfferOver),
            is_sent: false,
        };
        let wait = open.wait(now_ms);
        self.offer = Some(open);
        vec![ChoiceEffect::Announce(Sentence::CurrencyOffered), wait]
    }

    pub(super) fn withdraw(&mut self) -> Vec<ChoiceEffect> {
        match self.offer.take() {
            Some(_) => vec![ChoiceEffect::Announce(Sentence::OfferGone)],
            None => vec![],
        }
    }

    pub(crate) fn time_passed(&mut self, now_ms: u64, form_waits: bool) -> Vec<ChoiceEffect> {
        match &self.offer {
            Some(open) if open.is_sent => vec![],
            Some(open) if form_waits || !open.is_over(now_ms) => vec![open.wait(now_ms)],
            Some(_) => self.offer_over(),
            None => vec![],
        }
    }

    /// The offer has expired: the gateway is asked for another one. If there is none, the buyer pays in the shop's currency.
    pub(super) fn offer_over(&mut self) -> Vec<ChoiceEffect> {
        self.offer = None;
        self.offer_ran_out = true;
        vec![
            ChoiceEffect::Urge(Sentence::OfferOver),
            ChoiceEffect::SubmitAnew,
            ChoiceEffect::LookUpAnew,
        ]
    }

    /// The effects if the currency must still be chosen.
    pub(super) fn currency_missing(&mut self, now_ms: u64) -> Vec<ChoiceEffect> {
        let Some(open) = self.offer.as_mut().filter(|open| !open.is_sent) else {
            return vec![];
        };
        if open.is_over(now_ms) {
            return self.offer_over();
        }
        if open.chosen.is_some() {
            return vec![];
        }
        open.said = Some(Sentence::CurrencyMissing);
        vec![
            ChoiceEffect::Urge(Sentence::CurrencyMissing),
            ChoiceEffect::Focus(FocusTarget::Currency),
        ]
    }
}

/// For this time before the gateway stops accepting an offer it can not be chosen any more: it would have expired on arrival.
const LEEWAY_MS: u64 = 2_000;
const SHORTEST_WAIT_MS: u32 = 500;
