//! Sums as the gateway has them: text in the minor unit, with a currency. There are no floating point numbers here.

use crate::errors::PayframeError;
use serde::{Deserialize, Serialize};

/// A sum: 35.45 EUR is `"3545"` with `"EUR"`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    /// Whole, in the minor unit of the currency.
    pub amount: String,
    /// Three letters of ISO 4217.
    pub currency: String,
}

/// A sum for a request. `amount_minor` is in the minor unit of the currency, with at most 12 digits; `currency` is three letters of ISO 4217.
///
/// # Errors
///
/// `bad_value`
pub fn money(amount_minor: u64, currency: &str) -> Result<Money, PayframeError> {
    if currency.len() != 3 || !currency.bytes().all(|letter| letter.is_ascii_uppercase()) {
        return Err(PayframeError::refused_value(
            "currency",
            "must be three capital letters of ISO 4217, such as EUR",
        ));
    }
    if amount_minor > 999_999_999_999 {
        return Err(PayframeError::refused_value(
            "amount_minor",
            "must be a whole number of at most 12 digits, in the minor unit of the currency (3545 for 35.45 EUR)",
        ));
    }
    Ok(Money {
        amount: amount_minor.to_string(),
        currency: currency.to_owned(),
    })
}
