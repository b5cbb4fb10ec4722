//! Which of the languages that we have fits the one that was asked for.

/// Picks from `available` (three-letter codes, lower case) what fits `asked`: a three-letter code in any case, or a
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

/// Other names of our codes (contract 10.1).
const CODES: [(&str, &str); 14] = [
    ("ar", "ara"),
    ("chi", "zha"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("es", "spa"),
    ("fr", "fra"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("pt", "por"),
    ("ru", "rus"),
    ("sl", "slv"),
    ("zh", "zha"),
    ("zho", "zha"),
];

#[cfg(test)]
mod tests {
    use super::*;

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
}
