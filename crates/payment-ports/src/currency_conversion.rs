//! Currency conversion: the offer to pay in the card's own currency.
//!
//! A quote is stored with its offer and is valid as long as the offer. A new call may return another quote, and does not change existing
//! offers. The port answers from memory. Without a rate there is no offer, which is not an error.

use payframe_payment_domain::offer::ExchangeRate;

/// Quotes rates between currencies.
pub trait CurrencyConversion: Send + Sync {
    /// The rate between a merchant's currency and a card's (ISO 4217 codes), mark-up included. `None` if there is no offer.
    fn quote(&self, merchant_currency: &str, card_currency: &str) -> Option<Quote>;
}

/// A rate and its mark-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The rate, mark-up included.
    pub rate: ExchangeRate,
    /// The mark-up over the reference rate: a percentage with two decimals.
    pub mark_up_percent: &'static str,
}
