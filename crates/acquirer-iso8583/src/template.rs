//! What is in the fields of a message: texts of the dialect, with values of the payment in braces.
//!
//! A field is one text, or a list of them. A text is left out if one of its values is not there for the payment, and a field without any
//! text is left out.

use serde::Deserialize;
use std::collections::HashMap;
use zeroize::Zeroizing;

/// A value of a payment, of the acquirer's settings, or of the message.
#[derive(Clone, Copy, Debug, Deserialize, Hash, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// The whole card number.
    CardNumber,
    /// The expiry, as `YYMM`.
    Expiry,
    /// The security code, if it was entered.
    SecurityCode,
    /// Its length, with two digits.
    SecurityCodeLength,
    /// What the cardholder is charged, or gets back, in minor units.
    Amount,
    /// The number of its currency (ISO 4217), with three digits.
    Currency,
    /// What the merchant gets, or gives back, in minor units with twelve digits, if the buyer pays in the card's own currency.
    MerchantAmount,
    /// The number of its currency, if the buyer pays in the card's own one.
    MerchantCurrency,
    /// UTC, as `MMDDhhmmss`.
    TransmissionTime,
    /// UTC, as `hhmmss`.
    LocalTime,
    /// UTC, as `MMDD`.
    LocalDate,
    /// UTC, as `YYMMDDhhmmss`.
    LocalDateTime,
    /// Six digits, counted up.
    TraceNumber,
    /// Twelve digits: last digit of the year, day of the year, hour, trace number.
    RetrievalReference,
    /// From the settings, or that of the gateway.
    TerminalId,
    /// From the settings.
    MerchantId,
    /// From the settings.
    AcquirerId,
    /// From the settings, if it is there.
    MerchantCategory,
    /// From the settings, if it is there.
    MerchantLocation,
    /// How the card was given, from the table `entry_mode` of the dialect.
    EntryMode,
    /// The exemption from authentication that is claimed, from the table `exemption` of the dialect.
    Exemption,
    /// The postal code of the billing address, if it was asked for and there is one.
    BillingPostalCode,
    /// The first twenty digits in the first line of the billing address, if there are any.
    BillingStreetDigits,
    /// The country of the billing address by its number of ISO 3166-1, if it was asked for.
    BillingCountry,
    /// Of the buyer's authentication or of a network token's cryptogram, if there is one.
    Eci,
    /// Of the buyer's authentication, if it has one.
    AuthenticationValue,
    /// Of the buyer's authentication, if it has one.
    DsTransactionId,
    /// The cryptogram of a network token, as base64, if the payment has one.
    TokenCryptogram,
    /// Its length as text, with two digits.
    TokenCryptogramLength,
    /// The scheme's id of the payment with which the card was stored, if it has one.
    FirstSchemeId,
    /// Of the message that this one is about: its type.
    OriginalType,
    /// The same: its trace number.
    OriginalTraceNumber,
    /// The same: its time, as `MMDDhhmmss`.
    OriginalTransmissionTime,
    /// The same: its time, as `YYMMDDhhmmss`.
    OriginalLocalDateTime,
    /// The same: its retrieval reference.
    OriginalRetrievalReference,
    /// The same: the authorization code of its answer, if it has one.
    OriginalAuthorizationCode,
    /// The acquirer's id from the settings, with zeros before it up to eleven digits.
    OriginalAcquirerId,
}

/// The values that are there.
#[derive(Default)]
pub struct Values(HashMap<Value, Zeroizing<String>>);

/// A field of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Vec<Part>>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Value(Value),
}

/// A field, as it is in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum TemplateMember {
    One(String),
    Several(Vec<String>),
}

impl Values {
    /// Adds a value. An empty one is not there.
    pub fn put(&mut self, value: Value, content: impl Into<String>) {
        let content = Zeroizing::new(content.into());
        if !content.is_empty() {
            self.0.insert(value, content);
        }
    }
}

impl Template {
    /// Reads a template. `Err`: the name in braces that does not exist.
    pub(crate) fn parse(member: &TemplateMember) -> Result<Template, String> {
        let texts = match member {
            TemplateMember::One(text) => std::slice::from_ref(text),
            TemplateMember::Several(texts) => texts,
        };
        let texts: Result<_, _> = texts.iter().map(|text| parse_text(text)).collect();
        texts.map(Template)
    }

    /// Whether the trace number alone is in it.
    pub(crate) fn is_trace_number(&self) -> bool {
        self.0 == [[Part::Value(Value::TraceNumber)]]
    }

    /// Whether the value is in it.
    pub(crate) fn names(&self, value: Value) -> bool {
        self.0
            .iter()
            .flatten()
            .any(|part| *part == Part::Value(value))
    }

    /// The field's content. `None`: it is left out.
    pub fn fill(&self, values: &Values) -> Option<Zeroizing<String>> {
        let mut content = Zeroizing::new(String::with_capacity(LONGEST));
        for text in &self.0 {
            let parts: Option<Vec<&str>> = text.iter().map(|part| part.of(values)).collect();
            for part in parts.into_iter().flatten() {
                content.push_str(part);
            }
        }
        (!content.is_empty()).then_some(content)
    }
}

impl Part {
    fn of<'a>(&'a self, values: &'a Values) -> Option<&'a str> {
        match self {
            Part::Text(text) => Some(text),
            Part::Value(value) => values.0.get(value).map(|content| content.as_str()),
        }
    }
}

fn parse_text(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, after) = behind.split_once('}').ok_or_else(|| behind.to_owned())?;
        if !before.is_empty() {
            parts.push(Part::Text(before.to_owned()));
        }
        let named = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name);
        let value = Value::deserialize(named).map_err(|_| name.to_owned())?;
        parts.push(Part::Value(value));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    Ok(parts)
}

/// No field is longer, so that no copy with card data is left behind.
const LONGEST: usize = 999;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: Option<&str>) {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        let template = Template::parse(&TemplateMember::Several(texts)).unwrap();
        let mut values = Values::default();
        values.put(Value::Amount, "3545");
        values.put(Value::Currency, "978");
        values.put(Value::Eci, "");
        let filled = template.fill(&values);
        assert_eq!(filled.as_ref().map(|text| text.as_str()), expected);
    }

    #[test]
    fn values_are_filled_in_and_texts_without_theirs_left_out() {
        check(&["000000"], Some("000000"));
        check(&["{amount}"], Some("3545"));
        check(&["A{amount}B{currency}C"], Some("A3545B978C"));
        check(
            &["{amount}", "92{security_code}", "{currency}"],
            Some("3545978"),
        );
        check(&["92{security_code}"], None);
        check(&["{eci}"], None);
    }

    #[test]
    fn a_name_that_does_not_exist_is_told() {
        let refused = |text: &str| Template::parse(&TemplateMember::One(text.to_owned()));
        assert_eq!(refused("{pan}").unwrap_err(), "pan");
        assert_eq!(refused("1{amount").unwrap_err(), "amount");
    }
}
