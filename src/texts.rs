//! Sentences and amounts in the buyer's language.
//!
//! The sentences come with the page, as one flat object; amounts are written by the browser's `Intl`. Nothing of a
//! language is compiled into the widget. A missing key gives an empty text, never a key name on the screen: that no
//! key is missing is checked when the pages are built.

use js_sys::{Array, Intl, Object, Reflect};
use leptos::prelude::document;
use wasm_bindgen::JsValue;

/// The texts of one locale.
pub struct Texts {
    sentences: JsValue,
}

impl Texts {
    /// `sentences`: an object from key to text.
    pub fn new(sentences: JsValue) -> Self {
        Self { sentences }
    }

    /// The text of this key.
    pub fn text(&self, key: &str) -> String {
        Reflect::get(&self.sentences, &key.into())
            .ok()
            .and_then(|text| text.as_string())
            .unwrap_or_default()
    }

    /// The text of this key with each `{name}` replaced by its value. An unknown name stays as it is.
    pub fn fill(&self, key: &str, values: &[(&str, &str)]) -> String {
        fill(&self.text(key), values)
    }
}

fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    for (place, part) in text.split('{').enumerate() {
        let gap = part.split_once('}').filter(|_| place > 0);
        let value = gap.and_then(|(name, _)| values.iter().find(|(known, _)| *known == name));
        match (gap, value) {
            (Some((_, rest)), Some((_, value))) => {
                filled.push_str(value);
                filled.push_str(rest);
            }
            _ => {
                if place > 0 {
                    filled.push('{');
                }
                filled.push_str(part);
            }
        }
    }
    filled
}

/// An amount as the page's language writes it. `minor`: digits of the minor unit, `minor_digits` of them decimals.
pub fn amount(minor: &str, currency: &str, minor_digits: u8) -> String {
    let digits = JsValue::from(minor_digits);
    let options = Object::new();
    // Setting a property of an own plain object can't fail.
    for (key, value) in [
        ("style", &JsValue::from("currency")),
        ("currency", &JsValue::from(currency)),
        ("minimumFractionDigits", &digits),
        ("maximumFractionDigits", &digits),
    ] {
        let _ = Reflect::set(&options, &key.into(), value);
    }
    let locale = document()
        .document_element()
        .and_then(|root| root.get_attribute("lang"))
        .unwrap_or_else(|| "en".into());
    let format = Intl::NumberFormat::new(&Array::of1(&locale.into()), &options).format();
    // A decimal text, not a float: no amount is ever rounded on its way to the screen.
    let decimal = JsValue::from(decimal(minor, usize::from(minor_digits)));
    format
        .call1(&JsValue::UNDEFINED, &decimal)
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_default()
}

fn decimal(minor: &str, digits: usize) -> String {
    let mut text = String::new();
    for _ in minor.len()..=digits {
        text.push('0');
    }
    text.push_str(minor);
    if digits > 0 {
        text.insert(text.len() - digits, '.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{decimal, fill};

    #[test]
    fn gaps_are_filled_and_unknown_ones_stay() {
        let values = [("brand", "Visa"), ("last4", "0003")];
        for (text, expected) in [
            ("{brand} •••• {last4}", "Visa •••• 0003"),
            ("no gap", "no gap"),
            ("{other} {brand}", "{other} Visa"),
            ("open { brand", "open { brand"),
            ("{brand}{brand}", "VisaVisa"),
        ] {
            assert_eq!(fill(text, &values), expected);
        }
    }

    #[test]
    fn minor_units_become_a_decimal_text() {
        for (minor, digits, expected) in [
            ("3545", 2, "35.45"),
            ("5", 2, "0.05"),
            ("50", 0, "50"),
            ("12147", 3, "12.147"),
            ("0", 2, "0.00"),
        ] {
            assert_eq!(decimal(minor, digits), expected);
        }
    }
}
