//! Currency offers, saved cards and what else is sent with a card.

use super::call::SentBeside;
use super::{Gateway, GatewayStep};
use crate::beside::Beside;
use crate::setting::{Broken, Setting};
use crate::sums::{number_of, offered_sum, sum_of};
use payframe_checkout_flow::choices::ChoiceId;
use payframe_payment_domain::offer::AcceptedOffer;
use payframe_payment_domain::session::State;
use payframe_payment_domain::sum::Sum;

/// An offer to pay in the card's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Offer {
    /// The number of the session's sum for which it was made.
    for_sum: u8,
    is_accepted: bool,
    is_over: bool,
}

impl Gateway {
    /// Makes an offer for a card that is typed, and gives its id.
    pub(crate) fn make_offer(&mut self) -> usize {
        self.offers.push(Offer {
            for_sum: self.sum,
            is_accepted: false,
            is_over: false,
        });
        let id = self.offers.len() - 1;
        self.record(|| GatewayStep::OfferMade(id));
        id
    }

    /// Whether an offer could expire.
    pub(crate) fn has_open_offer(&self) -> bool {
        let is_open = |offer: &Offer| !offer.is_over && !offer.is_accepted;
        self.offers.iter().any(is_open)
    }

    /// The time of the offers is over. One that was accepted does not expire.
    pub(crate) fn end_offers(&mut self) {
        for offer in self.offers.iter_mut().filter(|offer| !offer.is_accepted) {
            offer.is_over = true;
        }
        self.record(|| GatewayStep::OffersEnded);
    }

    /// The customer's saved card is removed, not by this form.
    pub(crate) fn remove_saved_card(&mut self) {
        self.has_saved_card = false;
        self.record(|| GatewayStep::SavedCardRemoved);
    }

    /// The number of the sum that is due for a card with what is sent beside it.
    pub(super) fn sum_due(&self, beside: SentBeside) -> u8 {
        match beside.offer.and_then(|id| self.offers.get(id)) {
            Some(offer) => offered_sum(offer.for_sum),
            None => self.sum,
        }
    }

    /// The choices that the gateway refuses.
    pub(super) fn refused_choices(&self, setting: &Setting, beside: SentBeside) -> Vec<ChoiceId> {
        let is_current =
            |offer: &Offer| offer.for_sum == self.sum && (offer.is_accepted || !offer.is_over);
        let mut refused = Vec::new();
        if let Some(id) = beside.offer
            && setting.broken != Some(Broken::OfferUnchecked)
            && !self.offers.get(id).is_some_and(is_current)
        {
            refused.push(ChoiceId::CurrencyOffer);
        }
        if beside.is_saved && !self.has_saved_card {
            refused.push(ChoiceId::SavedCard);
        }
        let asks_consent = setting.beside.contains(&Beside::Consent) && !beside.is_saved;
        if asks_consent && !beside.consents {
            refused.push(ChoiceId::Consent);
        }
        refused
    }

    /// The offer of a card that is taken.
    pub(super) fn accept_offer(&mut self, beside: SentBeside) -> Option<AcceptedOffer> {
        let offer = self.offers.get_mut(beside.offer?)?;
        offer.is_accepted = true;
        let Sum { amount, currency } = sum_of(offered_sum(offer.for_sum));
        Some(AcceptedOffer {
            amount,
            currency,
            exchange_rate: String::new(),
        })
    }

    /// The number of the sum of the offer that the session's card was taken with.
    pub(super) fn taken_offer(&self) -> Option<u8> {
        let (State::CheckingDevice { card } | State::Ready { card }) = &self.session.state else {
            return None;
        };
        let offer = card.offer.as_ref()?;
        number_of(offer.amount.minor(), &offer.currency)
    }
}
