//! Sentences in the buyer's language.
//!
//! They are loaded with the page, as one flat object. No text is compiled into the widget. A missing key gives an empty text, never the name of the key. The build
//! of the pages checks that no key is missing.

use js_sys::Reflect;
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

#[cfg(test)]
mod tests {
    use super::fill;

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
}
