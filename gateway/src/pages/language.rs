//! Which of the available languages fits the language that was asked for.

/// Used if there is no page in the language that was asked for.
pub(crate) const FALLBACK_LANGUAGE: &str = "eng";

/// Picks from `available` (three-letter codes, lower case) the language that fits `asked`: a three-letter code in any case, or a
/// web tag such as `it` or `en-GB`, of which the part before the first hyphen counts. `None` if nothing fits.
pub(crate) fn choose<'a>(
    asked: &str,
    available: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let language = asked
        .split('-')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let code = CODES
        .iter()
        .find(|(tag, _)| *tag == language)
        .map_or(language.as_str(), |(_, code)| code);
    available.into_iter().find(|candidate| *candidate == code)
}

/// Other names of our codes: web tags, with `in` and `iw` of old Java; the second codes that ISO 639-2 has for some
/// languages; and Norwegian languages, whose readers all read Bokmål (contract 10.1; languages beyond it are our own extension).
const CODES: [(&str, &str); 45] = [
    ("ar", "ara"),
    ("bg", "bul"),
    ("ca", "cat"),
    ("chi", "zha"),
    ("cs", "ces"),
    ("cze", "ces"),
    ("da", "dan"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("es", "spa"),
    ("et", "est"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("he", "heb"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("id", "ind"),
    ("in", "ind"),
    ("it", "ita"),
    ("iw", "heb"),
    ("ja", "jpn"),
    ("ko", "kor"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("nb", "nob"),
    ("nn", "nob"),
    ("nno", "nob"),
    ("no", "nob"),
    ("nor", "nob"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("rum", "ron"),
    ("sk", "slk"),
    ("sl", "slv"),
    ("slo", "slk"),
    ("sv", "swe"),
    ("th", "tha"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("vi", "vie"),
    ("zh", "zha"),
    ("zho", "zha"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_payment_domain::language::Language;
    use std::error::Error;

    #[test]
    fn codes_and_web_tags_find_their_language() {
        for (asked, expected) in [
            ("ita", Some("ita")),
            ("ITA", Some("ita")),
            ("it", Some("ita")),
            ("IT", Some("ita")),
            ("it-CH", Some("ita")),
            ("en-GB", Some("eng")),
            ("zho", Some("zha")),
            ("zh-Hant-TW", Some("zha")),
            ("de", None),
            ("nl", None),
            ("italiano", None),
            ("", None),
            ("../eng", None),
        ] {
            assert_eq!(choose(asked, ["eng", "ita", "zha"]), expected, "{asked}");
        }
    }

    #[test]
    fn other_names_of_a_language_find_it() {
        for (asked, expected) in [
            ("no", "nob"),
            ("nor", "nob"),
            ("nn-NO", "nob"),
            ("iw", "heb"),
            ("he-IL", "heb"),
            ("CZE", "ces"),
            ("pt-BR", "por"),
        ] {
            let available = ["ces", "eng", "heb", "nob", "por"];
            assert_eq!(choose(asked, available), Some(expected), "{asked}");
        }
    }

    #[test]
    fn every_locale_is_found_by_its_tag_its_code_and_in_an_order() -> Result<(), Box<dyn Error>> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../www/locales");
        let mut codes = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let file = std::fs::read_to_string(entry?.path())?;
            let locale: serde_json::Value = serde_json::from_str(&file)?;
            let member = |name: &str| locale[name].as_str().unwrap_or_default().to_owned();
            codes.push((member("$tag"), member("$code")));
        }
        assert!(codes.len() >= 32, "{} languages", codes.len());
        for (tag, code) in &codes {
            let available = || codes.iter().map(|(_, code)| code.as_str());
            for asked in [tag, code] {
                let found = choose(asked, available());
                assert_eq!(found, Some(code.as_str()), "www/locales: {asked}");
            }
            let ordered = Language::parse(code).map(Language::code);
            assert_eq!(ordered, Some(code.as_str()), "www/locales: {tag}");
        }
        Ok(())
    }

    #[test]
    fn other_names_mean_the_same_in_an_order() {
        for (name, code) in CODES.iter().filter(|(name, _)| name.len() == 3) {
            let ordered = Language::parse(name).map(Language::code);
            assert_eq!(ordered, Some(*code), "{name}");
        }
    }
}
