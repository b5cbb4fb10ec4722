//! Currency conversion: what a buyer is offered who could pay in the card's own currency.
//!
//! A quote is written down with the offer that is made of it, and holds as long as that: asking again may give another one and
//! changes nothing about offers that were made. It answers from memory; without a rate there is no offer, which is no error.

use payframe_payment_domain::offer::ExchangeRate;

/// Quotes rates between currencies.
pub trait CurrencyConversion: Send + Sync {
    /// The rate between a merchant's currency and a card's (ISO 4217 codes), mark-up included; `None` where no offer is made.
    fn quote(&self, merchant_currency: &str, card_currency: &str) -> Option<Quote>;
}

/// A rate, and what is inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote {
    /// With the mark-up.
    pub rate: ExchangeRate,
    /// The mark-up over the reference rate: a percentage with two decimals.
    pub mark_up_percent: &'static str,
}
