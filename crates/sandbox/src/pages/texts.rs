//! The texts of the sandbox's pages, in each language. They are data, under `www/threeds/texts`.

use payframe_web_pages::language::{choose_texts, read_texts};
use serde::Deserialize;
use std::sync::LazyLock;

/// All sentences of one language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Texts {
    /// Web tag of the language.
    pub(super) tag: String,
    pub(super) sandbox: String,
    pub(super) privacy_title: String,
    pub(super) privacy_text: String,
    pub(super) bank: String,
    pub(super) challenge_title: String,
    pub(super) merchant: String,
    pub(super) amount: String,
    pub(super) card: String,
    pub(super) sandbox_note: String,
    pub(super) code: String,
    pub(super) code_hint: String,
    pub(super) confirm: String,
    pub(super) approve: String,
    pub(super) reject: String,
    pub(super) cancel: String,
    pub(super) shortcuts: String,
    pub(super) code_missing: String,
    pub(super) code_wrong_one: String,
    /// Holds `{left}`.
    pub(super) code_wrong_many: String,
    /// Holds `{method}`.
    pub(super) method_title: String,
    pub(super) method_note: String,
    pub(super) method_approve: String,
    pub(super) method_outcomes: String,
    pub(super) method_pending: String,
    pub(super) method_refuse: String,
    pub(super) waiting_title: String,
    pub(super) waiting_text: String,
    pub(super) return_title: String,
    pub(super) return_text: String,
    pub(super) return_link: String,
    pub(super) device_title: String,
    pub(super) device_text: String,
    pub(super) page_gone_title: String,
    pub(super) page_gone_text: String,
    pub(super) start_bad_title: String,
    pub(super) start_bad_text: String,
    pub(super) failed_title: String,
    pub(super) failed_text: String,
    pub(super) enrolment_title: String,
    pub(super) enrolment_text: String,
    pub(super) enrolment_button: String,
    pub(super) enrolment_done: String,
    pub(super) enrolment_failed: String,
    pub(super) enrolment_not_possible: String,
}

impl Texts {
    /// The texts of the first language that is available; else English.
    pub(super) fn of<'a>(asked: impl IntoIterator<Item = Option<&'a str>>) -> &'static Texts {
        choose_texts(&*TEXTS, asked)
    }
}

static TEXTS: LazyLock<[(&str, Texts); 5]> = LazyLock::new(|| {
    read_texts([
        (
            "eng",
            include_str!("../../../../www/threeds/texts/eng.json"),
        ),
        (
            "deu",
            include_str!("../../../../www/threeds/texts/deu.json"),
        ),
        (
            "fra",
            include_str!("../../../../www/threeds/texts/fra.json"),
        ),
        (
            "ita",
            include_str!("../../../../www/threeds/texts/ita.json"),
        ),
        (
            "spa",
            include_str!("../../../../www/threeds/texts/spa.json"),
        ),
    ])
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_text() {
        for (code, texts) in TEXTS.iter() {
            assert!(texts.code_wrong_many.contains("{left}"), "{code}");
            assert!(texts.method_title.contains("{method}"), "{code}");
        }
    }
}
