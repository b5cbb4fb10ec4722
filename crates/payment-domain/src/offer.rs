//! Offers to pay in the card's own currency: the arithmetic, in whole numbers (contract 5.6).

use payframe_money::{Amount, minor_digits};

/// The price of one unit of another currency in the merchant's currency, with nine decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeRate {
    billionths: u64,
}

/// An offer that the buyer accepted, or the part of it that a follow-up operation is about: what the cardholder pays, or gets back. It does
/// not change during the session, unless the amount changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AcceptedOffer {
    /// In the minor unit of `currency`.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
    /// As it was shown.
    pub exchange_rate: String,
}

impl AcceptedOffer {
    /// What the cardholder pays, or gets back, for this amount of the order, at the rate of the offer. `None` if it cannot be converted.
    pub fn of(
        amount: Amount,
        order_currency: &str,
        currency: &str,
        exchange_rate: &str,
    ) -> Option<AcceptedOffer> {
        let rate = ExchangeRate::parse(exchange_rate)?;
        Some(AcceptedOffer {
            amount: rate.convert(amount, order_currency, currency)?,
            currency: currency.to_owned(),
            exchange_rate: exchange_rate.to_owned(),
        })
    }
}

impl ExchangeRate {
    /// A rate in billionths; not 0.
    pub const fn from_billionths(billionths: u64) -> ExchangeRate {
        assert!(
            billionths > 0,
            "a rate of 0 would make every amount infinite"
        );
        ExchangeRate { billionths }
    }

    /// Reads a rate from a decimal text; `None` for anything else, and for 0.
    pub fn parse(text: &str) -> Option<ExchangeRate> {
        let (whole, decimals) = text.split_once('.')?;
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if decimals.len() != 9 || !is_number(whole) || !is_number(decimals) {
            return None;
        }
        let billionths = format!("{whole}{decimals}").parse().ok()?;
        (billionths > 0).then_some(ExchangeRate { billionths })
    }

    /// Converts `amount` from `from` to `to`, rounded half up to the minor unit. `None` for a currency without
    /// known minor digits, and if the result has more than 12 digits.
    pub fn convert(self, amount: Amount, from: &str, to: &str) -> Option<Amount> {
        let numerator =
            u128::from(amount.minor()) * BILLION * 10_u128.pow(minor_digits(to)?.into());
        let denominator = u128::from(self.billionths) * 10_u128.pow(minor_digits(from)?.into());
        let rounded = (2 * numerator + denominator) / (2 * denominator);
        Amount::from_minor(u64::try_from(rounded).ok()?)
    }
}

impl std::fmt::Display for ExchangeRate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let billionths = u128::from(self.billionths);
        write!(f, "{}.{:09}", billionths / BILLION, billionths % BILLION)
    }
}

const BILLION: u128 = 1_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_those_of_the_contract() {
        let check = |billionths, currency, expected: &str| {
            let rate = ExchangeRate::from_billionths(billionths);
            let amount = Amount::parse("3545").unwrap();
            assert_eq!(
                rate.convert(amount, "EUR", currency).unwrap().to_string(),
                expected,
                "{currency}"
            );
        };
        check(897_085_020, "USD", "3952");
        check(1_168_224_299, "GBP", "3035");
        check(6_147_000, "JPY", "5767");
        check(2_918_500_000, "KWD", "12147");
    }

    #[test]
    fn a_rate_is_read_as_it_is_written() {
        for billionths in [1, 6_147_000, 897_085_020, 12_000_000_000] {
            let rate = ExchangeRate::from_billionths(billionths);
            assert_eq!(ExchangeRate::parse(&rate.to_string()), Some(rate));
        }
        for text in [
            "",
            "1",
            "1.0",
            "0.000000000",
            "-1.000000000",
            "1.00000000x",
            "99999999999.000000000",
        ] {
            assert_eq!(ExchangeRate::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_part_is_converted_at_the_rate_of_the_offer() {
        let part = |minor, rate| {
            let part = AcceptedOffer::of(Amount::from_minor(minor)?, "EUR", "USD", rate)?;
            Some(part.amount.minor())
        };
        assert_eq!(part(3_545, "0.897085020"), Some(3_952));
        assert_eq!(part(1_000, "0.897085020"), Some(1_115));
        assert_eq!(part(0, "0.897085020"), Some(0));
        assert_eq!(part(1_000, "0.9"), None);
    }

    #[test]
    fn half_a_minor_unit_rounds_up() {
        let rate = ExchangeRate::from_billionths(2_000_000_000);
        assert_eq!(
            rate.convert(Amount::parse("1").unwrap(), "EUR", "USD")
                .unwrap()
                .minor(),
            1
        );
        assert_eq!(
            rate.convert(Amount::parse("2").unwrap(), "EUR", "USD")
                .unwrap()
                .minor(),
            1
        );
    }

    #[test]
    fn an_amount_of_more_than_twelve_digits_is_not_offered() {
        let rate = ExchangeRate::from_billionths(1);
        assert_eq!(rate.convert(Amount::MAX, "EUR", "KWD"), None);
        assert_eq!(rate.convert(Amount::MAX, "EUR", "XXX"), None);
    }

    #[test]
    fn rates_are_written_with_nine_decimals() {
        assert_eq!(
            ExchangeRate::from_billionths(897_085_020).to_string(),
            "0.897085020"
        );
        assert_eq!(
            ExchangeRate::from_billionths(2_918_500_000).to_string(),
            "2.918500000"
        );
    }
}
