//! Amounts on the shop's own pages.
//!
//! The form formats with the browser's `Intl`. Here the server formats, so that pages are complete
//! without script. It covers what a small shop needs: the decimal sign, groups of three, and the side of
//! the currency sign. It refuses nothing: an unknown currency is written by its letters.

/// Minor units, digits only, with their currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Money {
    minor: u64,
    currency: String,
}

impl Money {
    /// `minor` counts the smallest unit of `currency`, which is three ISO 4217 letters.
    pub fn new(minor: u64, currency: impl Into<String>) -> Self {
        Self {
            minor,
            currency: currency.into(),
        }
    }

    /// Reads an amount of the gateway's API. `None` if it does not consist of digits.
    pub fn from_wire(minor: &str, currency: &str) -> Option<Self> {
        let digits = !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit());
        digits
            .then(|| minor.parse().ok())?
            .map(|minor| Self::new(minor, currency))
    }

    /// The amount in minor units.
    pub fn minor(&self) -> u64 {
        self.minor
    }

    /// Splits into `N` parts in proportion to their weights; their sum is the whole.
    pub fn split<const N: usize>(&self, weights: [u64; N]) -> [Money; N] {
        let total = weights.iter().sum::<u64>().max(1);
        let mut rest = self.minor;
        let mut parts = weights.map(|weight| {
            let part =
                u64::try_from(u128::from(self.minor) * u128::from(weight) / u128::from(total))
                    .unwrap_or(0)
                    .min(rest);
            rest -= part;
            Money::new(part, self.currency.clone())
        });
        if let Some(first) = parts.first_mut() {
            first.minor += rest;
        }
        parts
    }

    /// As text in the language of `locale`, e.g. `€35.45`, `35,45 €`.
    pub fn format(&self, locale: &str) -> String {
        let language = locale
            .split('-')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        let style = NumberStyle::of(&language);
        let digits = minor_digits(&self.currency);
        let text = format!("{:0>width$}", self.minor, width = digits + 1);
        let (whole, fraction) = text.split_at(text.len() - digits);
        let mut number = grouped(whole, style.group);
        if digits > 0 {
            number.push(style.decimal);
            number.push_str(fraction);
        }
        match (symbol(&self.currency), style.sign_first) {
            (Some(symbol), true) => format!("{symbol}{number}"),
            (Some(symbol), false) => format!("{number}\u{a0}{symbol}"),
            (None, true) => format!("{}\u{a0}{number}", self.currency),
            (None, false) => format!("{number}\u{a0}{}", self.currency),
        }
    }
}

struct NumberStyle {
    decimal: char,
    group: char,
    sign_first: bool,
}

impl NumberStyle {
    fn of(language: &str) -> Self {
        let (decimal, group, sign_first) = match language {
            "de" | "it" | "es" | "el" | "sl" => (',', '.', false),
            "pt" => (',', '\u{a0}', false),
            "fr" => (',', '\u{202f}', false),
            "ru" => (',', '\u{a0}', false),
            _ => ('.', ',', true),
        };
        Self {
            decimal,
            group,
            sign_first,
        }
    }
}

fn grouped(whole: &str, separator: char) -> String {
    let mut text = String::with_capacity(whole.len() * 2);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// The number of digits after the decimal sign, as in the gateway's list of currencies.
fn minor_digits(currency: &str) -> usize {
    match currency {
        "BYR" | "CLP" | "ISK" | "JPY" | "KRW" | "VND" => 0,
        "BHD" | "JOD" | "KWD" => 3,
        _ => 2,
    }
}

fn symbol(currency: &str) -> Option<&'static str> {
    match currency {
        "EUR" => Some("€"),
        "USD" => Some("$"),
        "GBP" => Some("£"),
        "JPY" => Some("¥"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_in_the_language() {
        let check = |minor: u64, currency: &str, locale: &str, expected: &str| {
            assert_eq!(Money::new(minor, currency).format(locale), expected);
        };
        check(3545, "EUR", "en", "€35.45");
        check(3545, "EUR", "it", "35,45\u{a0}€");
        check(3545, "EUR", "it-CH", "35,45\u{a0}€");
        check(5, "EUR", "en", "€0.05");
        check(123_456_789, "EUR", "de", "1.234.567,89\u{a0}€");
        check(1_234_567, "JPY", "en", "¥1,234,567");
        check(50, "JPY", "en", "¥50");
        check(1234, "KWD", "en", "KWD\u{a0}1.234");
        check(100_000, "CHF", "fr", "1\u{202f}000,00\u{a0}CHF");
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        for minor in (0..200).chain([3545, 999_999_999_999]) {
            let parts = Money::new(minor, "EUR").split([69, 31]);
            assert_eq!(parts.iter().map(Money::minor).sum::<u64>(), minor);
        }
    }

    #[test]
    fn only_digits_are_an_amount() {
        assert_eq!(
            Money::from_wire("3545", "EUR"),
            Some(Money::new(3545, "EUR"))
        );
        for bad in ["", "-1", "+1", "1.0", "1e3", "x"] {
            assert_eq!(Money::from_wire(bad, "EUR"), None, "{bad}");
        }
    }
}
