//! Languages that a merchant may ask for: those of contract 10.1, and more as our own extension.

/// The language of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A language of the gateway: three letters, lower case.
    Known(&'static str),
    /// A well-formed code of another language: English is used.
    Unknown,
}

impl Language {
    /// Reads three letters in any case; `None` for anything else.
    pub fn parse(text: &str) -> Option<Language> {
        if text.len() != 3 || !text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let canonical = match lower.as_str() {
            "chi" | "zho" => "zha",
            "cze" => "ces",
            "nno" | "nor" => "nob",
            "rum" => "ron",
            "slo" => "slk",
            other => other,
        };
        Some(
            LANGUAGES
                .iter()
                .find(|known| **known == canonical)
                .map_or(Language::Unknown, |known| Language::Known(known)),
        )
    }

    /// The language that is used: English for an unknown language.
    pub fn code(self) -> &'static str {
        match self {
            Language::Known(code) => code,
            Language::Unknown => "eng",
        }
    }
}

/// One file of `www/locales` each.
const LANGUAGES: [&str; 34] = [
    "ara", "bul", "cat", "ces", "dan", "deu", "ell", "eng", "est", "fin", "fra", "heb", "hrv",
    "hun", "ind", "ita", "jpn", "kor", "lav", "lit", "nob", "pol", "por", "ron", "rus", "slk",
    "slv", "spa", "swe", "tha", "tur", "ukr", "vie", "zha",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_three_letters_in_any_case() {
        for (text, expected) in [
            ("ita", Some(Language::Known("ita"))),
            ("ENG", Some(Language::Known("eng"))),
            ("zho", Some(Language::Known("zha"))),
            ("CHI", Some(Language::Known("zha"))),
            ("heb", Some(Language::Known("heb"))),
            ("NOR", Some(Language::Known("nob"))),
            ("slo", Some(Language::Known("slk"))),
            ("nld", Some(Language::Unknown)),
            ("it", None),
            ("", None),
            ("ita ", None),
            ("12a", None),
            ("ità", None),
        ] {
            assert_eq!(Language::parse(text), expected, "{text}");
        }
    }
}
