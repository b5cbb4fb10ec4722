//! What a buyer has to accept before paying: a clause is a part of a text that never changes, in one language.

use super::language::Language;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// A clause, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The id of the terms and conditions, or of the structure condition.
    pub text_id: String,
    /// The part of the text.
    pub part: ClausePart,
    /// The language, as the merchant sent it with the text.
    pub language: String,
    /// The label of the box.
    pub label: String,
    /// The text of the link that opens the clause.
    pub link_label: String,
    /// The clause: HTML in base64.
    pub text: String,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClausePart {
    /// Terms and conditions, which have only this part.
    Terms,
    /// The part of a structure condition about the stay.
    Stay,
    /// The part of a structure condition about cancellation.
    Cancellation,
}

impl Clause {
    /// A part of a text. `entries` are its languages as the merchant sent them. The clause is in the language of the page, else in
    /// English, else in the first language.
    pub fn of(
        text_id: &str,
        part: ClausePart,
        entries: &[Value],
        language: &str,
    ) -> Option<Clause> {
        let entry = in_language(entries, language)?;
        let (label, link_label, text) = part.members();
        let member = |name: &str| entry[name].as_str().map(str::to_owned);
        Some(Clause {
            text_id: text_id.to_owned(),
            part,
            language: member("language")?,
            label: member(label)?,
            link_label: member(link_label)?,
            text: member(text)?,
        })
    }

    /// The text as HTML.
    pub fn html(&self) -> Option<String> {
        String::from_utf8(STANDARD.decode(&self.text).ok()?).ok()
    }
}

impl ClausePart {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            ClausePart::Terms => "TERMS",
            ClausePart::Stay => "STAY",
            ClausePart::Cancellation => "CANCELLATION",
        }
    }

    /// The part of a code.
    pub fn from_code(code: &str) -> Option<ClausePart> {
        [
            ClausePart::Terms,
            ClausePart::Stay,
            ClausePart::Cancellation,
        ]
        .into_iter()
        .find(|part| part.code() == code)
    }

    /// The names of the members with its label, the text of its link, and its text (contract 2.12).
    fn members(self) -> (&'static str, &'static str, &'static str) {
        match self {
            ClausePart::Terms => ("checkMarkLabel", "linkLabel", "text"),
            ClausePart::Stay => (
                "checkMarkLabelStructureCondition",
                "linkLabelStructureCondition",
                "textStructureCondition",
            ),
            ClausePart::Cancellation => (
                "checkMarkLabelCancellationCondition",
                "linkLabelCancellationCondition",
                "textCancellationCondition",
            ),
        }
    }
}

/// The entry in this language, else in English, else the first entry.
pub fn in_language<'a>(entries: &'a [Value], language: &str) -> Option<&'a Value> {
    let find = |wanted: &str| {
        entries.iter().find(|entry| {
            let code = entry["language"].as_str().and_then(Language::parse);
            code.is_some_and(|code| code.code() == wanted)
        })
    };
    find(language).or_else(|| find("eng")).or(entries.first())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(language: &str) -> Value {
        json!({ "language": language, "checkMarkLabel": "I accept", "linkLabel": "Terms", "text": "PHA+w6Q8L3A+" })
    }

    #[test]
    fn a_clause_is_in_the_pages_language() {
        let check = |languages: &[&str], asked: &str, expected: &str| {
            let entries: Vec<Value> = languages.iter().map(|code| entry(code)).collect();
            let clause = Clause::of("T1", ClausePart::Terms, &entries, asked).unwrap();
            assert_eq!(clause.language, expected, "{languages:?} {asked}");
        };
        check(&["eng", "ITA"], "ita", "ITA");
        check(&["deu", "eng"], "ita", "eng");
        check(&["deu", "fra"], "ita", "deu");
    }

    #[test]
    fn a_clause_has_its_text() {
        let clause = Clause::of("T1", ClausePart::Terms, &[entry("eng")], "eng").unwrap();
        assert_eq!(clause.html().as_deref(), Some("<p>ä</p>"));
        // Terms have no part about the stay.
        assert_eq!(
            Clause::of("T1", ClausePart::Stay, &[entry("eng")], "eng"),
            None
        );
        assert_eq!(Clause::of("T1", ClausePart::Terms, &[], "eng"), None);
    }

    #[test]
    fn parts_have_codes() {
        for part in [
            ClausePart::Terms,
            ClausePart::Stay,
            ClausePart::Cancellation,
        ] {
            assert_eq!(ClausePart::from_code(part.code()), Some(part));
        }
        assert_eq!(ClausePart::from_code("OTHER"), None);
    }
}
