//! Mechanical checks of the translations: placeholders, numbers, punctuation, length, script, direction.
//!
//! The build checks that no text is missing. Only people can check that a sentence is right. The tests of
//! `crates/web-pages/src/language.rs` check that each language can be requested.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::Path;

type Texts = BTreeMap<String, String>;

/// Marks a place in a text where the bidirectional algorithm needs a hint.
const LEFT_TO_RIGHT_MARK: char = '\u{200e}';
/// The only text that is Latin in every language.
const EXAMPLE_HOST: &str = "@example.com";
/// The minimum number of languages.
const LEAST: usize = 32;

/// English and all other languages, by file name without extension.
fn locales() -> Result<(Texts, BTreeMap<String, Texts>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../www/locales");
    let mut locales = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.context("a file name that is text")?.to_owned();
        let texts: Texts = serde_json::from_slice(&std::fs::read(&path)?)
            .with_context(|| format!("{name}.json"))?;
        locales.insert(name, texts);
    }
    let english = locales.remove("en").context("en.json is missing")?;
    Ok((english, locales))
}

/// Calls `problem_of` with language, English text and translation for each text, and fails with all problems.
fn check(problem_of: impl Fn(&Texts, &str, &str) -> Option<&'static str>) -> Result<()> {
    let (english, locales) = locales()?;
    let mut problems = Vec::new();
    for (name, texts) in &locales {
        for (key, original) in english.iter().filter(|(key, _)| !key.starts_with('$')) {
            let text = texts.get(key).map_or("", String::as_str);
            if let Some(problem) = problem_of(texts, original, text) {
                problems.push(format!("www/locales/{name}.json, {key}: {problem}: {text}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

/// `{name}` and runs of digits, in alphabetical order, because their order depends on the language.
fn facts(text: &str) -> Vec<&str> {
    let mut facts: Vec<&str> = gaps(text)
        .chain(text.split(|letter: char| !letter.is_ascii_digit()))
        .filter(|fact| !fact.is_empty())
        .collect();
    facts.sort_unstable();
    facts
}

fn gaps(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split('{').skip(1);
    parts.map(|part| part.split_once('}').map_or(part, |(name, _)| name))
}

/// The words of the language: without placeholders and without the example address.
fn words(text: &str) -> String {
    let mut words = String::new();
    for (place, part) in text.split('{').enumerate() {
        let rest = match part.split_once('}') {
            Some((_, rest)) if place > 0 => rest,
            _ => part,
        };
        words.push_str(rest);
        words.push(' ');
    }
    match words.split_once(EXAMPLE_HOST) {
        Some((before, after)) => {
            let start = before
                .rfind(|letter: char| !letter.is_ascii_alphanumeric())
                .map_or(0, |place| {
                    place + before[place..].chars().next().map_or(0, char::len_utf8)
                });
            format!("{}{after}", &before[..start])
        }
        None => words,
    }
}

fn is_latin(letter: char) -> bool {
    letter.is_alphabetic() && (letter < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(&letter))
}

fn is_right_to_left(letter: char) -> bool {
    letter.is_alphabetic() && ('\u{590}'..'\u{900}').contains(&letter)
}

/// Whether most letters of the language fulfil `is_such`.
fn mostly(texts: &Texts, is_such: impl Fn(char) -> bool) -> bool {
    let of_language = texts.iter().filter(|(key, _)| !key.starts_with('$'));
    let letters: Vec<char> = of_language
        .flat_map(|(_, text)| words(text).chars().collect::<Vec<_>>())
        .filter(|letter| letter.is_alphabetic())
        .collect();
    2 * letters.iter().filter(|letter| is_such(**letter)).count() > letters.len()
}

fn tag(texts: &Texts) -> &str {
    texts.get("$tag").map_or("", String::as_str)
}

/// I1: every label, hint, error and status is there, none empty or in another language.
#[test]
fn there_are_enough_languages_and_each_file_is_named_after_its_tag() -> Result<()> {
    let (_, others) = locales()?;
    assert!(others.len() + 1 >= LEAST, "{} languages", others.len() + 1);
    for (name, texts) in &others {
        assert_eq!(name, tag(texts));
    }
    Ok(())
}

#[test]
fn gaps_and_numbers_are_those_of_the_english_text() -> Result<()> {
    check(|_, english, text| {
        (facts(english) != facts(text)).then_some("not the gaps or numbers of the English text")
    })
}

/// I1: every label, hint, error and status is there, none empty or in another language.
#[test]
fn no_text_is_empty_or_padded() -> Result<()> {
    check(|_, _, text| {
        (text.is_empty() || text != text.trim()).then_some("empty, or blank at an end")
    })
}

#[test]
fn no_text_is_much_longer_than_the_english_one() -> Result<()> {
    check(|_, english, text| {
        let limit = 2 * english.chars().count() + 20;
        (text.chars().count() > limit).then_some("too long for its place")
    })
}

#[test]
fn sentences_end_as_the_english_ones_do() -> Result<()> {
    check(|texts, english, text| {
        let stops = |text: &str| text.ends_with(['.', '。']);
        // Thai has no full stop.
        let stop = tag(texts) == "th" || stops(english) == stops(text);
        let wait = english.ends_with('…') == text.ends_with('…');
        (!stop || !wait).then_some("does not end as the English text does")
    })
}

/// I1: every label, hint, error and status is there, none empty or in another language.
#[test]
fn no_sentence_was_left_in_english() -> Result<()> {
    check(|_, english, text| {
        let sentence = words(english).chars().filter(|c| is_latin(*c)).count() > 4;
        (sentence && english == text).then_some("the same as in English")
    })
}

#[test]
fn no_latin_word_is_left_in_another_script() -> Result<()> {
    check(|texts, _, text| {
        // The code of the United States has this name in every language.
        let text = words(text).replace("ZIP", "");
        (!mostly(texts, is_latin) && text.chars().any(is_latin))
            .then_some("Latin letters outside gaps and the example address")
    })
}

#[test]
fn no_foreign_letter_slipped_into_a_latin_text() -> Result<()> {
    check(|texts, _, text| {
        let foreign = |letter: char| letter.is_alphabetic() && !is_latin(letter);
        (mostly(texts, is_latin) && words(text).chars().any(foreign))
            .then_some("a letter of another script that looks Latin")
    })
}

/// I6: layout is mirrored while number, expiry and amounts read correctly.
#[test]
fn direction_fits_the_script() -> Result<()> {
    let (english, others) = locales()?;
    for texts in others.values().chain([&english]) {
        let expected = if mostly(texts, is_right_to_left) {
            "rtl"
        } else {
            "ltr"
        };
        let direction = texts.get("$dir").map(String::as_str);
        assert_eq!(direction, Some(expected), "{}", tag(texts));
    }
    Ok(())
}

#[test]
fn month_and_year_keep_their_order_where_writing_goes_to_the_left() -> Result<()> {
    check(|texts, _, text| {
        if texts.get("$dir").map(String::as_str) != Some("rtl") {
            return None;
        }
        let (month, year) = text.split_once('/')?;
        let kept = month.contains(LEFT_TO_RIGHT_MARK) && year.contains(LEFT_TO_RIGHT_MARK);
        (!kept).then_some("needs U+200E on both sides, or it reads year / month")
    })
}

#[test]
fn french_marks_keep_their_narrow_blank() -> Result<()> {
    check(|texts, _, text| {
        let mut before = ' ';
        for letter in text.chars() {
            if tag(texts) == "fr" && "!?:;".contains(letter) && before != '\u{202f}' {
                return Some("needs U+202F before the mark");
            }
            before = letter;
        }
        None
    })
}

#[test]
fn the_checks_see_what_they_are_for() {
    assert_eq!(facts("{b} 04 / 29 {a}"), ["04", "29", "a", "b"]);
    assert_eq!(words("Über {brand}: ab@example.com.").trim(), "Über  : .");
    assert_eq!(words("כמו name@example.com.").trim(), "כמו .");
    assert!(is_latin('ễ') && !is_latin('е') && !is_latin('א'));
    assert!(is_right_to_left('ש') && is_right_to_left('ج') && !is_right_to_left('е'));
}
