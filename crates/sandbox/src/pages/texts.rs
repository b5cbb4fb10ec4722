//! The texts of the sandbox's pages, in each language of the form. They are data, under `www/threeds/texts`.

use payframe_web_pages::language::{choose_texts, direction, read_texts};
use serde::Deserialize;
use std::sync::LazyLock;

/// All sentences of one language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Texts {
    /// Three-letter code of the language.
    pub(super) code: String,
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
    /// Holds `{code}`.
    pub(super) sandbox_note: String,
    pub(super) code_label: String,
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

    /// For the layout.
    pub(super) fn dir(&self) -> &'static str {
        direction(&self.tag)
    }

    /// The note with the code, as what is before the code and what is after it.
    pub(super) fn sandbox_note(&self) -> (&str, &str) {
        self.sandbox_note.split_once("{code}").unwrap_or_default()
    }
}

/// The files of these codes.
macro_rules! files {
    ($($code:literal)*) => {
        [$(($code, include_str!(concat!("../../../../www/threeds/texts/", $code, ".json")))),*]
    };
}

static TEXTS: LazyLock<[(&str, Texts); 34]> = LazyLock::new(|| {
    read_texts(files! {
        "ara" "bul" "cat" "ces" "dan" "deu" "ell" "eng" "est"
        "fin" "fra" "heb" "hrv" "hun" "ind" "ita" "jpn" "kor"
        "lav" "lit" "nob" "pol" "por" "ron" "rus" "slk" "slv"
        "spa" "swe" "tha" "tur" "ukr" "vie" "zha"
    })
});

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeMap;
    use std::error::Error;
    use std::fs;
    use std::path::{Path, PathBuf};

    fn www(folder: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../www")
            .join(folder)
    }

    #[test]
    fn every_language_of_the_form_has_its_texts() -> Result<(), Box<dyn Error>> {
        let mut form = Vec::new();
        for entry in fs::read_dir(www("locales"))? {
            let locale: Value = serde_json::from_str(&fs::read_to_string(entry?.path())?)?;
            let member = |name: &str| locale[name].as_str().unwrap_or_default().to_owned();
            form.push((member("$code"), member("$tag")));
        }
        form.sort();
        let ours: Vec<(String, String)> = TEXTS
            .iter()
            .map(|(_, texts)| (texts.code.clone(), texts.tag.clone()))
            .collect();
        assert_eq!(ours, form);
        for (code, texts) in TEXTS.iter() {
            assert_eq!(*code, texts.code);
            assert_eq!(Texts::of([Some(texts.tag.as_str())]).code, *code);
        }
        Ok(())
    }

    #[test]
    fn no_text_is_empty_or_english_or_has_other_placeholders() -> Result<(), Box<dyn Error>> {
        let read = |code: &str| -> Result<BTreeMap<String, String>, Box<dyn Error>> {
            let file = www("threeds/texts").join(format!("{code}.json"));
            Ok(serde_json::from_str(&fs::read_to_string(file)?)?)
        };
        let english = read("eng")?;
        for (code, _) in TEXTS.iter().filter(|(code, _)| *code != "eng") {
            for (key, text) in read(code)? {
                let original = &english[&key];
                assert_eq!(gaps(&text), gaps(original), "{code} {key}: {text}");
                assert!(!text.trim().is_empty(), "{code} {key}");
                let may_be_equal = SAME_IN_ENGLISH.contains(&text.as_str());
                assert!(may_be_equal || text != *original, "{code} {key}: {text}");
            }
        }
        Ok(())
    }

    /// The names of the placeholders.
    fn gaps(text: &str) -> Vec<&str> {
        let parts = text.split('{').skip(1);
        parts
            .map(|part| part.split_once('}').map_or(part, |(name, _)| name))
            .collect()
    }

    /// Words that some languages share with English.
    const SAME_IN_ENGLISH: [&str; 3] = ["Sandbox", "Shop", "Card"];
}
