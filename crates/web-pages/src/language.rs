//! Which of the available languages fits the language that was asked for.

use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;

/// Used if there is no page in the language that was asked for.
pub const FALLBACK_LANGUAGE: &str = "eng";

/// Picks from `available` (three-letter codes, lower case) the language that fits `asked`: a three-letter code in any case, or a
/// web tag such as `it` or `en-GB`, of which the part before the first hyphen counts. `None` if nothing fits.
pub fn choose<'a>(asked: &str, available: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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

/// How the language with this web tag is written: `ltr` or `rtl`.
pub fn direction(tag: &str) -> &'static str {
    match tag {
        "ar" | "he" => "rtl",
        _ => "ltr",
    }
}

/// The texts in files that are part of the program: the code of each language, with its file in JSON.
///
/// # Panics
/// If a file does not have the members of `T`. A test of each program that has such files reads them all.
#[expect(clippy::expect_used)]
pub fn read_texts<T: DeserializeOwned, const N: usize>(
    files: [(&'static str, &str); N],
) -> [(&'static str, T); N] {
    files.map(|(code, json)| {
        let texts = serde_json::from_str(json).expect("the file has the members of the texts");
        (code, texts)
    })
}

/// The texts, one set for each language code, in the first of the languages that were asked for and are available; else in English.
pub fn choose_texts<'a, T>(
    available: &'static [(&'static str, T)],
    asked: impl IntoIterator<Item = Option<&'a str>>,
) -> &'static T {
    let codes = || available.iter().map(|(code, _)| *code);
    let code = asked
        .into_iter()
        .flatten()
        .find_map(|asked| choose(asked, codes()))
        .unwrap_or(FALLBACK_LANGUAGE);
    let (_, texts) = available
        .iter()
        .find(|(known, _)| *known == code)
        .unwrap_or(&available[0]);
    texts
}

/// First language that the browser asks for.
pub fn accepted_language(headers: &HeaderMap) -> Option<&str> {
    let list = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    list.split([',', ';']).next().map(str::trim)
}

/// The country that the browser is set to, as two letters: the region of the first language that it asks for, if it has one.
pub fn accepted_country(headers: &HeaderMap) -> Option<&str> {
    let is_country =
        |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    accepted_language(headers)?
        .split('-')
        .skip(1)
        .find(is_country)
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
    use axum::http::HeaderValue;
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
    fn the_first_language_that_is_available_counts() {
        static TEXTS: [(&str, &str); 3] = [("eng", "en"), ("deu", "de"), ("ita", "it")];
        for (asked, expected) in [
            ([Some("it-IT"), Some("en")], "it"),
            ([Some("sv"), Some("ITA")], "it"),
            ([Some("de-AT"), Some("en")], "de"),
            ([None, Some("deu")], "de"),
            ([None, Some("en-US")], "en"),
            ([None, None], "en"),
        ] {
            assert_eq!(*choose_texts(&TEXTS, asked), expected, "{asked:?}");
        }
    }

    #[test]
    fn the_first_accepted_language_counts() {
        for (value, expected) in [
            ("it-CH, it;q=0.9, en;q=0.8", "it-CH"),
            ("en;q=0.5", "en"),
            ("*", "*"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(value));
            assert_eq!(accepted_language(&headers), Some(expected));
        }
        assert_eq!(accepted_language(&HeaderMap::new()), None);
    }

    #[test]
    fn the_country_is_the_region_of_the_first_accepted_language() {
        for (value, expected) in [
            ("it-CH, it;q=0.9, en-US;q=0.8", Some("CH")),
            ("zh-Hant-TW", Some("TW")),
            ("de, en-US;q=0.5", None),
            ("es-419", None),
            ("*", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(value));
            assert_eq!(accepted_country(&headers), expected, "{value}");
        }
        assert_eq!(accepted_country(&HeaderMap::new()), None);
    }

    #[test]
    fn every_locale_is_found_by_its_tag_its_code_and_in_an_order() -> Result<(), Box<dyn Error>> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/locales");
        let mut codes = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let file = std::fs::read_to_string(entry?.path())?;
            let locale: serde_json::Value = serde_json::from_str(&file)?;
            let member = |name: &str| locale[name].as_str().unwrap_or_default().to_owned();
            assert_eq!(direction(&member("$tag")), member("$dir"));
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
