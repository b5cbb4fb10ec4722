//! The texts of our small pages, in each language. The texts are data, under `www/threeds/texts`.

use super::language::FALLBACK_LANGUAGE;
use super::language::choose;
use serde::Deserialize;
use std::sync::LazyLock;

/// All sentences of one language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Texts {
    /// Web tag of the language.
    pub(crate) tag: String,
    pub(crate) sandbox: String,
    pub(crate) privacy_title: String,
    pub(crate) privacy_text: String,
    pub(crate) bank: String,
    pub(crate) challenge_title: String,
    pub(crate) merchant: String,
    pub(crate) amount: String,
    pub(crate) card: String,
    pub(crate) sandbox_note: String,
    pub(crate) code: String,
    pub(crate) code_hint: String,
    pub(crate) confirm: String,
    pub(crate) approve: String,
    pub(crate) reject: String,
    pub(crate) cancel: String,
    pub(crate) shortcuts: String,
    pub(crate) code_missing: String,
    pub(crate) code_wrong_one: String,
    /// Holds `{left}`.
    pub(crate) code_wrong_many: String,
    /// Holds `{method}`.
    pub(crate) method_title: String,
    pub(crate) method_note: String,
    pub(crate) method_approve: String,
    pub(crate) method_outcomes: String,
    pub(crate) method_pending: String,
    pub(crate) method_refuse: String,
    pub(crate) waiting_title: String,
    pub(crate) waiting_text: String,
    pub(crate) return_title: String,
    pub(crate) return_text: String,
    pub(crate) return_link: String,
    pub(crate) device_title: String,
    pub(crate) device_text: String,
    pub(crate) page_gone_title: String,
    pub(crate) page_gone_text: String,
    pub(crate) start_bad_title: String,
    pub(crate) start_bad_text: String,
    pub(crate) form_unknown_title: String,
    pub(crate) form_unknown_text: String,
    pub(crate) form_dead_title: String,
    pub(crate) form_dead_text: String,
    pub(crate) failed_title: String,
    pub(crate) failed_text: String,
}

impl Texts {
    /// The texts of the first language that is available; else English.
    pub(crate) fn of<'a>(asked: impl IntoIterator<Item = Option<&'a str>>) -> &'static Texts {
        let codes = || TEXTS.iter().map(|(code, _)| *code);
        let code = asked
            .into_iter()
            .flatten()
            .find_map(|asked| choose(asked, codes()))
            .unwrap_or(FALLBACK_LANGUAGE);
        let (_, texts) = TEXTS
            .iter()
            .find(|(known, _)| *known == code)
            .unwrap_or(&TEXTS[0]);
        texts
    }
}

static TEXTS: LazyLock<[(&str, Texts); 5]> = LazyLock::new(|| {
    [
        ("eng", include_str!("../../../www/threeds/texts/eng.json")),
        ("deu", include_str!("../../../www/threeds/texts/deu.json")),
        ("fra", include_str!("../../../www/threeds/texts/fra.json")),
        ("ita", include_str!("../../../www/threeds/texts/ita.json")),
        ("spa", include_str!("../../../www/threeds/texts/spa.json")),
    ]
    .map(|(code, json)| (code, read(json)))
});

fn read(json: &str) -> Texts {
    // The files are part of the binary, and a test reads each of them: this cannot fail if the tests passed.
    #[expect(clippy::expect_used)]
    serde_json::from_str(json).expect("the texts have the members of `Texts`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_text() {
        for (code, texts) in TEXTS.iter() {
            assert!(texts.code_wrong_many.contains("{left}"), "{code}");
            assert!(texts.method_title.contains("{method}"), "{code}");
            assert!(!texts.form_dead_title.is_empty(), "{code}");
        }
    }

    #[test]
    fn the_first_language_that_we_have_counts() {
        for (asked, expected) in [
            ([Some("it-IT"), Some("en")], "it"),
            ([Some("sv"), Some("ITA")], "it"),
            ([Some("de-AT"), Some("en")], "de"),
            ([Some("FRA"), None], "fr"),
            ([None, Some("es-MX")], "es"),
            ([None, Some("en-US")], "en"),
            ([None, None], "en"),
        ] {
            assert_eq!(Texts::of(asked).tag, expected, "{asked:?}");
        }
    }
}
