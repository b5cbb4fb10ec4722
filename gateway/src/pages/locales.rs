//! The form's own texts, in every language: the files of `www/locales`, and how values come into a sentence.

use std::sync::LazyLock;

/// The texts that a page takes, with the code of each language. Read by [`payframe_web_pages::language::read_texts`].
pub(super) type InAllLanguages<T> = LazyLock<[(&'static str, T); LOCALES.len()]>;

/// A text with its placeholders replaced by the values of their names. Placeholders inside a value are not replaced.
pub(super) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, gap)) = rest.split_once('{') {
        filled.push_str(before);
        let found = values.iter().find_map(|(name, value)| {
            let after = gap.strip_prefix(name)?.strip_prefix('}')?;
            Some((*value, after))
        });
        let (value, after) = found.unwrap_or(("{", gap));
        filled.push_str(value);
        rest = after;
    }
    filled + rest
}

/// Three-letter code and text of each file of `www/locales`.
pub(super) const LOCALES: [(&str, &str); 34] = [
    ("ara", include_str!("../../../www/locales/ar.json")),
    ("bul", include_str!("../../../www/locales/bg.json")),
    ("cat", include_str!("../../../www/locales/ca.json")),
    ("ces", include_str!("../../../www/locales/cs.json")),
    ("dan", include_str!("../../../www/locales/da.json")),
    ("deu", include_str!("../../../www/locales/de.json")),
    ("ell", include_str!("../../../www/locales/el.json")),
    ("eng", include_str!("../../../www/locales/en.json")),
    ("spa", include_str!("../../../www/locales/es.json")),
    ("est", include_str!("../../../www/locales/et.json")),
    ("fin", include_str!("../../../www/locales/fi.json")),
    ("fra", include_str!("../../../www/locales/fr.json")),
    ("heb", include_str!("../../../www/locales/he.json")),
    ("hrv", include_str!("../../../www/locales/hr.json")),
    ("hun", include_str!("../../../www/locales/hu.json")),
    ("ind", include_str!("../../../www/locales/id.json")),
    ("ita", include_str!("../../../www/locales/it.json")),
    ("jpn", include_str!("../../../www/locales/ja.json")),
    ("kor", include_str!("../../../www/locales/ko.json")),
    ("lit", include_str!("../../../www/locales/lt.json")),
    ("lav", include_str!("../../../www/locales/lv.json")),
    ("nob", include_str!("../../../www/locales/nb.json")),
    ("pol", include_str!("../../../www/locales/pl.json")),
    ("por", include_str!("../../../www/locales/pt.json")),
    ("ron", include_str!("../../../www/locales/ro.json")),
    ("rus", include_str!("../../../www/locales/ru.json")),
    ("slk", include_str!("../../../www/locales/sk.json")),
    ("slv", include_str!("../../../www/locales/sl.json")),
    ("swe", include_str!("../../../www/locales/sv.json")),
    ("tha", include_str!("../../../www/locales/th.json")),
    ("tur", include_str!("../../../www/locales/tr.json")),
    ("ukr", include_str!("../../../www/locales/uk.json")),
    ("vie", include_str!("../../../www/locales/vi.json")),
    ("zha", include_str!("../../../www/locales/zh.json")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_the_code_that_stands_beside_it() {
        for (code, text) in LOCALES {
            let file: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(file["$code"], code);
        }
    }
}
