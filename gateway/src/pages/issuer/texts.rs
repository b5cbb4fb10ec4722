//! The texts of the pages on the way to an issuer, in each language. They are data, under `www/issuer/texts`.

use payframe_web_pages::language::{choose_texts, direction, read_texts};
use serde::Deserialize;
use std::sync::LazyLock;

/// All sentences of one language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Texts {
    /// Web tag of the language.
    pub(super) tag: String,
    pub(super) device_title: String,
    pub(super) challenge_title: String,
    pub(super) continue_button: String,
    pub(super) waiting_title: String,
    pub(super) waiting_text: String,
    pub(super) return_title: String,
    pub(super) return_text: String,
    pub(super) return_link: String,
    pub(super) start_bad_title: String,
    pub(super) start_bad_text: String,
    pub(super) page_gone_title: String,
    pub(super) page_gone_text: String,
    pub(super) failed_title: String,
    pub(super) failed_text: String,
}

impl Texts {
    /// The texts of the first language that is available; else English.
    pub(super) fn of<'a>(asked: impl IntoIterator<Item = Option<&'a str>>) -> &'static Texts {
        choose_texts(&*TEXTS, asked)
    }

    /// For the layout.
    pub(super) fn dir(&self) -> &'static str {
        direction(&self.tag)
    }
}

static TEXTS: LazyLock<[(&str, Texts); 5]> = LazyLock::new(|| {
    read_texts([
        ("eng", include_str!("../../../../www/issuer/texts/eng.json")),
        ("deu", include_str!("../../../../www/issuer/texts/deu.json")),
        ("fra", include_str!("../../../../www/issuer/texts/fra.json")),
        ("ita", include_str!("../../../../www/issuer/texts/ita.json")),
        ("spa", include_str!("../../../../www/issuer/texts/spa.json")),
    ])
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_text() {
        let texts = Texts::of([Some("ita")]);
        assert_eq!(texts.tag, "it");
        assert_eq!(Texts::of([Some("xxx"), None]).tag, "en");
        assert_eq!(TEXTS.len(), 5);
    }
}
