//! What is to move, and what that is for the cardholder.

use crate::error::ExchangeError;
use payframe_money::{Amount, minor_digits};
use payframe_payment_ports::acquirer::AcceptedOffer;
use serde::Serialize;

/// An amount with its unit.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SumMessage<'a> {
    amount_minor: u64,
    currency: &'a str,
    /// How many digits of the amount are behind the point.
    minor_digits: u8,
}

/// What the cardholder is charged, or gets back, in the card's own currency.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConversionMessage<'a> {
    #[serde(flatten)]
    sum: SumMessage<'a>,
    exchange_rate: &'a str,
}

impl<'a> SumMessage<'a> {
    pub(super) fn of(amount: Amount, currency: &'a str) -> Result<SumMessage<'a>, ExchangeError> {
        let minor_digits = minor_digits(currency)
            .ok_or_else(|| ExchangeError::Request("the currency has no minor unit".into()))?;
        Ok(SumMessage {
            amount_minor: amount.minor(),
            currency,
            minor_digits,
        })
    }
}

impl<'a> ConversionMessage<'a> {
    pub(super) fn of(offer: &'a AcceptedOffer) -> Result<ConversionMessage<'a>, ExchangeError> {
        Ok(ConversionMessage {
            sum: SumMessage::of(offer.amount, &offer.currency)?,
            exchange_rate: &offer.exchange_rate,
        })
    }
}
