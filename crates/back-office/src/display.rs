//! Amounts, instants and addresses as the pages of the back office show them.

use super::moment::Moment;
use payframe_money::currency_format::format_amount;
use payframe_money::{Amount, minor_digits};
use payframe_payment_domain::calendar::parse_instant;

/// An instant as the API writes it.
pub(super) fn moment(text: &str) -> Moment {
    Moment(parse_instant(text).unwrap_or_default())
}

/// An amount, in English.
pub(super) fn sum(amount: Amount, currency: &str) -> String {
    format_amount(amount, currency, "eng")
}

/// An amount that the API writes as text.
pub(super) fn sum_of_text(amount: &str, currency: &str) -> String {
    Amount::parse(amount).map_or_else(
        || format!("{amount} {currency}"),
        |amount| sum(amount, currency),
    )
}

/// How many digits a currency has after the decimal point.
pub(super) fn digits(currency: &str) -> u8 {
    minor_digits(currency).unwrap_or(2)
}

/// The form that an amount must have, for the message about a wrong one.
pub(super) fn amount_hint(currency: &str) -> String {
    match digits(currency) {
        0 => format!("a whole number of {currency}, as in 1234"),
        count => {
            let example = Amount::from_minor(123_456)
                .unwrap_or_default()
                .to_typed(count);
            format!(
                "a number of {currency} with at most {count} digits behind the point, as in {example}"
            )
        }
    }
}

/// The sum of several payments, which can be larger than any single amount. Sums of more than 12 digits are shown as the largest
/// that can be written.
pub(super) fn sum_of_minor(minor: i64, currency: &str) -> String {
    let amount = u64::try_from(minor).ok().and_then(Amount::from_minor);
    sum(amount.unwrap_or(Amount::MAX), currency)
}

/// A sum with a sign, of any size.
pub(super) fn signed_sum(minor: i64, currency: &str) -> String {
    let written = sum_of_minor(
        i64::try_from(minor.unsigned_abs()).unwrap_or(i64::MAX),
        currency,
    );
    match minor < 0 {
        true => format!("\u{2212}{written}"),
        false => written,
    }
}

/// The address of a page with a query, in which empty values are left out.
pub(super) fn address(path: &str, query: &[(&str, &str)]) -> String {
    let mut writer = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in query.iter().filter(|(_, value)| !value.is_empty()) {
        writer.append_pair(name, value);
    }
    match writer.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// A segment of a path, with any content.
pub(super) fn segment(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_the_digits_of_their_currency() {
        assert_eq!(sum_of_text("3545", "EUR"), "€35.45");
        assert_eq!(sum_of_text("3545", "JPY"), "¥3,545");
        assert_eq!(sum_of_text("much", "EUR"), "much EUR");
        assert_eq!(amount_hint("JPY"), "a whole number of JPY, as in 1234");
        assert!(amount_hint("KWD").ends_with("at most 3 digits behind the point, as in 123.456"));
    }

    #[test]
    fn a_sum_below_zero_has_a_sign() {
        assert_eq!(signed_sum(-3545, "EUR"), "\u{2212}€35.45");
        assert_eq!(signed_sum(3545, "EUR"), "€35.45");
        assert_eq!(signed_sum(0, "JPY"), "¥0");
    }

    #[test]
    fn an_address_has_what_was_asked_for_and_no_more() {
        assert_eq!(address("/office/orders", &[("q", "")]), "/office/orders");
        assert_eq!(
            address("/office/orders", &[("q", "a&b"), ("from", ""), ("to", "1")]),
            "/office/orders?q=a%26b&to=1"
        );
    }

    #[test]
    fn a_piece_of_a_path_ends_nothing() {
        assert_eq!(segment("A1"), "A1");
        assert_eq!(segment("#*?;=[1]"), "%23*%3F%3B%3D%5B1%5D");
    }
}
