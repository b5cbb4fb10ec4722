//! The texts of the plain form, in every language of the form, from the form's own files (`www/locales`).

use super::super::locales::{self, InAllLanguages, LOCALES};
use payframe_web_pages::language::{choose_texts, read_texts};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// All texts of one language.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct PlainTexts(BTreeMap<String, String>);

impl PlainTexts {
    /// The texts of the first language that is available; else English.
    pub(super) fn of<'a>(asked: impl IntoIterator<Item = Option<&'a str>>) -> &'static PlainTexts {
        choose_texts(&*TEXTS, asked)
    }

    /// The text of a key; empty if there is none, which a test excludes.
    pub(super) fn text(&self, key: &str) -> &str {
        self.0.get(key).map_or("", String::as_str)
    }

    /// Three-letter code.
    pub(super) fn code(&self) -> &str {
        self.text("$code")
    }

    /// A text with its placeholders replaced. Placeholders inside a value are not replaced.
    pub(super) fn fill(&self, key: &str, values: &[(&str, &str)]) -> String {
        locales::fill(self.text(key), values)
    }
}

static TEXTS: InAllLanguages<PlainTexts> = LazyLock::new(|| read_texts(LOCALES));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_is_found() {
        for (_, texts) in TEXTS.iter() {
            assert_eq!(PlainTexts::of([Some(texts.code())]).code(), texts.code());
        }
        assert_eq!(PlainTexts::of([None, Some("it-CH")]).code(), "ita");
        assert_eq!(PlainTexts::of([Some("tlh"), None]).code(), "eng");
    }

    #[test]
    fn only_known_placeholders_of_the_text_are_filled() {
        let texts = PlainTexts::of([Some("en")]);
        assert_eq!(
            texts.fill(
                "card_number_not_accepted",
                &[("brand", "{accepted}"), ("accepted", "Visa")]
            ),
            "This shop does not take {accepted}. It takes Visa."
        );
        assert_eq!(texts.fill("label_pay_with", &[]), "Pay with {method}");
    }
}
