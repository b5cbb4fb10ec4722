//! Sums by number: those of a session after so many changes, and those of offers for them.

use payframe_checkout_flow::sum::{self, Sums};
use payframe_money::Amount;
use payframe_payment_domain::sum::Sum;

/// The sum of a session after this number of changes; from [`FIRST_OFFER`] on, that of an offer for it.
#[expect(clippy::expect_used, reason = "a small number is an amount")]
pub fn sum_of(number: u8) -> Sum {
    let (amount_minor, currency) = match number.checked_sub(FIRST_OFFER) {
        Some(offered) => (IN_DOLLARS + u64::from(offered), "USD"),
        None => (IN_EUROS + u64::from(number), "EUR"),
    };
    Sum {
        amount: Amount::from_minor(amount_minor).expect("an amount"),
        currency: String::from(currency),
    }
}

/// The number of a sum.
pub(crate) fn number_of(amount_minor: u64, currency: &str) -> Option<u8> {
    let number = match currency {
        "USD" => amount_minor.checked_sub(IN_DOLLARS)? + u64::from(FIRST_OFFER),
        _ => amount_minor.checked_sub(IN_EUROS)?,
    };
    u8::try_from(number).ok()
}

/// The first sum in each currency.
const IN_EUROS: u64 = 3_545;
const IN_DOLLARS: u64 = 3_952;

/// The number of the sum of an offer for the session's sum of this number.
pub(crate) fn offered_sum(for_sum: u8) -> u8 {
    for_sum + FIRST_OFFER
}

/// The sums in a state object: numbers for [`sum_of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ToldSums {
    pub(crate) session: u8,
    pub(crate) offer: Option<u8>,
}

impl ToldSums {
    pub(crate) fn sums(self) -> Sums {
        Sums {
            session: form_sum(self.session),
            offer: self.offer.map(form_sum),
        }
    }
}

/// The sum of this number, as a form knows it.
pub(crate) fn form_sum(number: u8) -> sum::Sum {
    let Sum { amount, currency } = sum_of(number);
    sum::Sum {
        amount_minor: amount.minor().to_string(),
        currency,
        minor_digits: 2,
    }
}

/// The number of a sum that a form shows.
pub(crate) fn form_number(sum: &sum::Sum) -> Option<u8> {
    number_of(sum.amount_minor.parse().ok()?, &sum.currency)
}

/// From this number on, sums are those of offers.
const FIRST_OFFER: u8 = 100;
