//! The form's own texts, in every language: the files of `www/locales`, which of them a page takes, and how values come into a sentence.

use payframe_web_pages::language::{FALLBACK_LANGUAGE, choose};
use serde::de::DeserializeOwned;

/// The texts that a page takes, one set for each language.
pub(super) fn read_all<T: DeserializeOwned>() -> Vec<T> {
    // The files are part of the binary, and tests read the texts of each page: this cannot fail if they passed.
    #[expect(clippy::expect_used)]
    let read = |json| serde_json::from_str(json).expect("a locale has the texts of every page");
    LOCALES.map(read).into()
}

/// The texts, one set for each language, in the first of the languages that were asked for and are available; else in English. `code_of`: the
/// three-letter code of a set.
pub(super) fn chosen<'a, T>(
    available: &'static [T],
    code_of: impl Fn(&'static T) -> &'static str,
    asked: impl IntoIterator<Item = Option<&'a str>>,
) -> &'static T {
    let code = asked
        .into_iter()
        .flatten()
        .find_map(|asked| choose(asked, available.iter().map(&code_of)))
        .unwrap_or(FALLBACK_LANGUAGE);
    let found = available.iter().find(|texts| code_of(texts) == code);
    found.unwrap_or(&available[0])
}

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

/// One for each file of `www/locales`.
pub(super) const LOCALES: [&str; 34] = [
    include_str!("../../../www/locales/ar.json"),
    include_str!("../../../www/locales/bg.json"),
    include_str!("../../../www/locales/ca.json"),
    include_str!("../../../www/locales/cs.json"),
    include_str!("../../../www/locales/da.json"),
    include_str!("../../../www/locales/de.json"),
    include_str!("../../../www/locales/el.json"),
    include_str!("../../../www/locales/en.json"),
    include_str!("../../../www/locales/es.json"),
    include_str!("../../../www/locales/et.json"),
    include_str!("../../../www/locales/fi.json"),
    include_str!("../../../www/locales/fr.json"),
    include_str!("../../../www/locales/he.json"),
    include_str!("../../../www/locales/hr.json"),
    include_str!("../../../www/locales/hu.json"),
    include_str!("../../../www/locales/id.json"),
    include_str!("../../../www/locales/it.json"),
    include_str!("../../../www/locales/ja.json"),
    include_str!("../../../www/locales/ko.json"),
    include_str!("../../../www/locales/lt.json"),
    include_str!("../../../www/locales/lv.json"),
    include_str!("../../../www/locales/nb.json"),
    include_str!("../../../www/locales/pl.json"),
    include_str!("../../../www/locales/pt.json"),
    include_str!("../../../www/locales/ro.json"),
    include_str!("../../../www/locales/ru.json"),
    include_str!("../../../www/locales/sk.json"),
    include_str!("../../../www/locales/sl.json"),
    include_str!("../../../www/locales/sv.json"),
    include_str!("../../../www/locales/th.json"),
    include_str!("../../../www/locales/tr.json"),
    include_str!("../../../www/locales/uk.json"),
    include_str!("../../../www/locales/vi.json"),
    include_str!("../../../www/locales/zh.json"),
];
