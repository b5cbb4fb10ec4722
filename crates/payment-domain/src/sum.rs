//! A sum: an amount with its currency.

use super::offer::AcceptedOffer;
use payframe_money::{Amount, minor_digits};
use std::fmt;

/// An amount with its currency.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    /// In the minor unit of `currency`.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
}

impl Sum {
    /// Reads a sum from a text like `3545 EUR`.
    pub fn parse(text: &str) -> Option<Sum> {
        let (amount, currency) = text.split_once(' ')?;
        minor_digits(currency)?;
        Some(Sum {
            amount: Amount::parse(amount)?,
            currency: currency.to_owned(),
        })
    }
}

impl From<&AcceptedOffer> for Sum {
    fn from(offer: &AcceptedOffer) -> Sum {
        Sum {
            amount: offer.amount,
            currency: offer.currency.clone(),
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.amount, self.currency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(text: &str) -> Sum {
        Sum::parse(text).unwrap()
    }

    #[test]
    fn a_sum_is_read_as_it_is_written() {
        for text in ["3545 EUR", "0 JPY", "999999999999 KWD"] {
            assert_eq!(sum(text).to_string(), text);
        }
        for text in [
            "", "3545", "3545EUR", "3545 eur", "-1 EUR", "1 XXX9", "1  EUR",
        ] {
            assert_eq!(Sum::parse(text), None, "{text}");
        }
    }
}
