//! The texts of the gateway's notices, in each language. They are data, under `www/pages/texts`.

use payframe_web_pages::language::{choose_texts, read_texts};
use serde::Deserialize;
use std::sync::LazyLock;

/// All sentences of one language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Texts {
    /// Web tag of the language.
    pub(super) tag: String,
    pub(super) form_unknown_title: String,
    pub(super) form_unknown_text: String,
    pub(super) form_dead_title: String,
    pub(super) form_dead_text: String,
    pub(super) failed_title: String,
    pub(super) failed_text: String,
}

impl Texts {
    /// The texts of the first language that is available; else English.
    pub(super) fn of<'a>(asked: impl IntoIterator<Item = Option<&'a str>>) -> &'static Texts {
        choose_texts(&*TEXTS, asked)
    }
}

static TEXTS: LazyLock<[(&str, Texts); 5]> = LazyLock::new(|| {
    read_texts([
        ("eng", include_str!("../../../www/pages/texts/eng.json")),
        ("deu", include_str!("../../../www/pages/texts/deu.json")),
        ("fra", include_str!("../../../www/pages/texts/fra.json")),
        ("ita", include_str!("../../../www/pages/texts/ita.json")),
        ("spa", include_str!("../../../www/pages/texts/spa.json")),
    ])
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_text() {
        for (code, texts) in TEXTS.iter() {
            assert!(!texts.form_dead_title.is_empty(), "{code}");
        }
    }
}
