//! The deliveries between which a buyer chooses, with their prices.

use crate::money::Money;
use serde::Deserialize;

/// How the goods come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Delivery {
    /// In some days, without a price.
    Standard,
    /// Tomorrow.
    Express,
}

impl Delivery {
    /// The price in minor units of the order's currency.
    pub fn price_minor(self) -> u64 {
        match self {
            Self::Standard => 0,
            Self::Express => 490,
        }
    }

    /// The price as text.
    pub fn price(self, currency: &str, locale: &str) -> String {
        match self {
            Self::Standard => "Free".to_owned(),
            Self::Express => Money::new(self.price_minor(), currency).format(locale),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_written_in_the_buyers_language() {
        assert_eq!(Delivery::Express.price("EUR", "it"), "4,90\u{a0}€");
        assert_eq!(Delivery::Standard.price("EUR", "it"), "Free");
    }
}
