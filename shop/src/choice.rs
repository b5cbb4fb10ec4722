//! The parameters of the checkout page: amount, currency, language, who drives the payment.
//!
//! Every name and value is checked. The answer to a wrong one gives its name and the accepted values, because
//! a demo that silently uses a default teaches the wrong thing.

use crate::money::Money;
use thiserror::Error;

/// The chosen case; every value is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The amount of each form.
    pub amount: Money,
    /// ISO 4217 letters.
    pub currency: String,
    /// Web language tag of the form, e.g. `it` or `en-GB`.
    pub locale: String,
    /// Who closes the payment.
    pub mode: Mode,
    /// How many refusals the session permits, 1 to 5.
    pub attempts: u8,
    /// Colours of page and form.
    pub theme: Theme,
    /// How many forms the page shows, 1 or 2.
    pub forms: u8,
    /// Whose button pays.
    pub button: Button,
    /// Whether the buyer chooses the delivery beside the form.
    pub asks_delivery: bool,
    /// The shop's customer: the form shows their saved cards, and asks whether to store this one.
    pub customer: Option<String>,
}

impl Choice {
    /// Reads the decoded pairs of a query. On refusal every wrong parameter is listed, in query order.
    pub fn parse<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Vec<ParameterError>> {
        Self::parse_without(&[], pairs)
    }

    /// Like [`Self::parse`], for a page that does not use all parameters.
    pub fn parse_without<'a>(
        meaningless: &[&str],
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Vec<ParameterError>> {
        let mut raw = Raw::default();
        let mut wrong = Vec::new();
        let mut seen = Vec::new();
        for (name, value) in pairs {
            if seen.contains(&name) {
                wrong.push(ParameterError::new(name, "only one value"));
                continue;
            }
            seen.push(name);
            if meaningless.contains(&name) {
                wrong.push(ParameterError::new(name, "nothing: it is for other pages"));
                continue;
            }
            if let Err(accepted) = raw.take(name, value) {
                wrong.push(ParameterError::new(name, accepted));
            }
        }
        if wrong.is_empty() {
            Ok(raw.choice())
        } else {
            Err(wrong)
        }
    }

    /// The gateway's three-letter code of the form's language. English replaces a language that the gateway does not know.
    pub fn gateway_language(&self) -> &'static str {
        let language = self
            .locale
            .split('-')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        LANGUAGES
            .iter()
            .find(|(tag, code)| *tag == language || *code == language)
            .map_or("eng", |(_, code)| code)
    }
}

/// Who closes the payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The form itself. The shop permitted it when it made the session.
    Managed,
    /// The shop's server, once the form is ready.
    Merchant,
}

impl Mode {
    /// As in the query and in the page.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Merchant => "merchant",
        }
    }

    /// As `form.closing` of `POST /orders/build`.
    pub fn closing(self) -> &'static str {
        match self {
            Self::Managed => "FRAME",
            Self::Merchant => "SERVER",
        }
    }
}

/// Colours of page and form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As set in the buyer's system.
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// As in the query and in the page.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Whose button pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// The form's own button.
    Auto,
    /// The shop's button; the form hides its own.
    Hidden,
}

impl Button {
    /// As in the query and in the page.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Hidden => "hidden",
        }
    }
}

/// A parameter that the page cannot use.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}: accepted is {accepted}")]
pub struct ParameterError {
    /// The name in the query.
    pub name: String,
    /// The accepted values.
    pub accepted: String,
}

impl ParameterError {
    fn new(name: &str, accepted: impl Into<String>) -> Self {
        Self {
            name: name.chars().take(40).collect(),
            accepted: accepted.into(),
        }
    }
}

struct Raw {
    amount_minor: u64,
    currency: String,
    locale: String,
    mode: Mode,
    attempts: u8,
    theme: Theme,
    forms: u8,
    button: Button,
    asks_delivery: bool,
    customer: Option<String>,
}

impl Default for Raw {
    fn default() -> Self {
        Self {
            amount_minor: 3545,
            currency: "EUR".to_owned(),
            locale: "en".to_owned(),
            mode: Mode::Managed,
            attempts: 3,
            theme: Theme::Auto,
            forms: 1,
            button: Button::Auto,
            asks_delivery: false,
            customer: None,
        }
    }
}

impl Raw {
    /// Takes one parameter, or says which values are accepted.
    fn take(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "amount" => {
                self.amount_minor =
                    amount(value).ok_or("an amount in minor units, 1 to 12 digits, above zero")?;
            }
            "currency" => {
                self.currency =
                    currency(value).ok_or("three letters of ISO 4217, such as EUR or USD")?;
            }
            "locale" => {
                self.locale = locale(value).ok_or("a language tag such as en, it or en-GB")?;
            }
            "mode" => {
                self.mode = one_of(
                    value,
                    [("managed", Mode::Managed), ("merchant", Mode::Merchant)],
                )
                .ok_or("managed or merchant")?;
            }
            "attempts" => {
                self.attempts = one_of(value, [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5)])
                    .ok_or("a number from 1 to 5")?;
            }
            "theme" => {
                self.theme = one_of(
                    value,
                    [
                        ("auto", Theme::Auto),
                        ("light", Theme::Light),
                        ("dark", Theme::Dark),
                    ],
                )
                .ok_or("auto, light or dark")?;
            }
            "forms" => {
                self.forms = one_of(value, [("1", 1), ("2", 2)]).ok_or("1 or 2")?;
            }
            "button" => {
                self.button = one_of(value, [("auto", Button::Auto), ("hidden", Button::Hidden)])
                    .ok_or("auto or hidden")?;
            }
            "delivery" => {
                self.asks_delivery =
                    one_of(value, [("free", false), ("choose", true)]).ok_or("free or choose")?;
            }
            "customer" => {
                self.customer = Some(customer(value).ok_or("1 to 18 letters, digits and hyphens")?);
            }
            _ => {
                return Err(
                    "no such parameter; there are amount, currency, locale, mode, attempts, theme, forms, button, delivery, customer",
                );
            }
        }
        Ok(())
    }

    fn choice(self) -> Choice {
        Choice {
            amount: Money::new(self.amount_minor, self.currency.clone()),
            currency: self.currency,
            locale: self.locale,
            mode: self.mode,
            attempts: self.attempts,
            theme: self.theme,
            forms: self.forms,
            button: self.button,
            asks_delivery: self.asks_delivery,
            customer: self.customer,
        }
    }
}

fn one_of<T: Copy, const N: usize>(value: &str, accepted: [(&str, T); N]) -> Option<T> {
    accepted
        .into_iter()
        .find(|(text, _)| *text == value)
        .map(|(_, meaning)| meaning)
}

fn customer(value: &str) -> Option<String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    ((1..=18).contains(&value.len()) && value.bytes().all(plain)).then(|| value.to_owned())
}

fn amount(value: &str) -> Option<u64> {
    let digits = (1..=12).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
    digits
        .then(|| value.parse().ok())?
        .filter(|minor| *minor > 0)
}

fn currency(value: &str) -> Option<String> {
    let letters = value.len() == 3 && value.bytes().all(|byte| byte.is_ascii_alphabetic());
    letters.then(|| value.to_ascii_uppercase())
}

/// Checks the form of a language tag (BCP 47): a language of two or three letters, then parts of letters and digits.
fn locale(value: &str) -> Option<String> {
    let mut parts = value.split('-');
    let language = parts.next()?;
    let plausible = (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_alphabetic())
        && value.len() <= 35
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
    plausible.then(|| value.to_owned())
}

/// Web tag and gateway code.
const LANGUAGES: [(&str, &str); 12] = [
    ("ar", "ara"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("es", "spa"),
    ("fr", "fra"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("pt", "por"),
    ("ru", "rus"),
    ("sl", "slv"),
    ("zh", "zha"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(pairs: &[(&str, &str)]) -> Result<Choice, Vec<ParameterError>> {
        Choice::parse(pairs.iter().copied())
    }

    #[test]
    fn nothing_chosen_is_the_plain_case() {
        let choice = parse(&[]).expect("defaults are valid");
        assert_eq!(choice.amount, Money::new(3545, "EUR"));
        assert_eq!(
            (choice.mode, choice.attempts, choice.forms),
            (Mode::Managed, 3, 1)
        );
        assert_eq!((choice.theme, choice.locale.as_str()), (Theme::Auto, "en"));
    }

    #[test]
    fn wrong_values_are_refused_by_name() {
        let check = |name: &str, value: &str, fine: bool| {
            let found = parse(&[(name, value)]);
            assert_eq!(found.is_ok(), fine, "{name}={value}");
            if let Err(wrong) = found {
                assert_eq!(wrong[0].name, name);
                assert!(!wrong[0].accepted.is_empty());
            }
        };
        check("amount", "1", true);
        check("amount", "999999999999", true);
        check("amount", "1000000000000", false);
        check("amount", "0", false);
        check("amount", "000", false);
        check("amount", "", false);
        check("amount", "12.50", false);
        check("amount", "-5", false);
        check("currency", "usd", true);
        check("currency", "EURO", false);
        check("currency", "978", false);
        check("locale", "en-GB", true);
        check("locale", "ITA", true);
        check("locale", "zh-Hant-TW", true);
        check("locale", "e", false);
        check("locale", "it_IT", false);
        check("locale", "\"><script>", false);
        check("mode", "merchant", true);
        check("mode", "Managed", false);
        check("attempts", "5", true);
        check("attempts", "0", false);
        check("attempts", "6", false);
        check("theme", "dark", true);
        check("theme", "blue", false);
        check("forms", "2", true);
        check("forms", "3", false);
        check("button", "hidden", true);
        check("button", "no", false);
        check("delivery", "choose", true);
        check("delivery", "express", false);
        check("customer", "ada-7", true);
        check("customer", "", false);
        check("customer", "a b", false);
        check("customer", "nineteen-characters", false);
        check("ammount", "1", false);
    }

    #[test]
    fn every_wrong_parameter_is_listed() {
        let wrong = parse(&[
            ("amount", "x"),
            ("mode", "y"),
            ("forms", "1"),
            ("forms", "2"),
        ])
        .expect_err("three are wrong");
        let names: Vec<_> = wrong
            .iter()
            .map(|parameter| parameter.name.as_str())
            .collect();
        assert_eq!(names, ["amount", "mode", "forms"]);
    }

    #[test]
    fn parameter_of_another_page_is_refused() {
        let wrong = Choice::parse_without(&["forms"], [("forms", "2"), ("theme", "dark")])
            .expect_err("one is wrong");
        assert_eq!(wrong.len(), 1);
        assert_eq!(wrong[0].name, "forms");
    }

    #[test]
    fn languages_are_sent_by_their_gateway_code() {
        let check = |locale: &str, expected: &str| {
            assert_eq!(
                parse(&[("locale", locale)])
                    .expect("valid")
                    .gateway_language(),
                expected
            );
        };
        check("it", "ita");
        check("it-CH", "ita");
        check("ITA", "ita");
        check("en-GB", "eng");
        check("de", "deu");
        check("nl", "eng");
    }
}
