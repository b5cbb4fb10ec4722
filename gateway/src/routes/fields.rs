//! Reading the members of a JSON body: what is wrong is noted with the member's path, what is good is read.
//!
//! A [`Section`] reads one object member by member, in the order of the contract, and copies what it has read
//! into a clean document: what no rule knows is left behind (unknown members are ignored, 1.2).

use super::problem::Findings;
use crate::domain::language::Language;
use payframe_checkout::money::Amount;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// One object of the body.
pub(crate) struct Section<'a> {
    path: String,
    members: Option<&'a Map<String, Value>>,
    document: Map<String, Value>,
}

/// Whether a member must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It must.
    Mandatory,
    /// It may.
    Optional,
}

impl<'a> Section<'a> {
    /// The body itself.
    pub(crate) fn body(body: &'a Value, findings: &mut Findings) -> Section<'a> {
        if !body.is_object() {
            findings.add("PS0026", "the body must be an object");
        }
        Section {
            path: String::new(),
            members: body.as_object(),
            document: Map::new(),
        }
    }

    /// An element of an array.
    pub(crate) fn element(path: String, value: &'a Value, findings: &mut Findings) -> Section<'a> {
        if !value.is_object() {
            findings.add("PS0026", format!("{path} must be an object"));
        }
        Section {
            path,
            members: value.as_object(),
            document: Map::new(),
        }
    }

    /// What was read so far, as a clean document.
    pub(crate) fn document(self) -> Map<String, Value> {
        self.document
    }

    /// The path of a member.
    pub(crate) fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    /// A member's value; absent and `null` are the same.
    pub(crate) fn value(&self, name: &str) -> Option<&'a Value> {
        self.members?.get(name).filter(|value| !value.is_null())
    }

    /// Puts a value into the clean document.
    pub(crate) fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.document.insert(name.to_owned(), value.into());
    }

    /// An object member. Where it is missing, its own mandatory members are too.
    pub(crate) fn section(
        &self,
        name: &str,
        presence: Presence,
        findings: &mut Findings,
    ) -> Section<'a> {
        let path = self.path_of(name);
        let value = self.value(name);
        match value {
            None if presence == Presence::Mandatory => {
                findings.add("PS0026", format!("{path} is missing"))
            }
            Some(value) if !value.is_object() => {
                findings.add("PS0026", format!("{path} must be an object"))
            }
            _ => {}
        }
        Section {
            path,
            members: value.and_then(Value::as_object),
            document: Map::new(),
        }
    }

    /// Whether an object member is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// A text of so many characters; copied.
    pub(crate) fn text(
        &mut self,
        name: &str,
        presence: Presence,
        characters: RangeInclusive<usize>,
        findings: &mut Findings,
    ) -> Option<&'a str> {
        let text = match self.value(name) {
            None => {
                if presence == Presence::Mandatory {
                    findings.add("PS0026", format!("{} is missing", self.path_of(name)));
                }
                return None;
            }
            Some(value) => value
                .as_str()
                .filter(|text| characters.contains(&text.chars().count())),
        };
        match text {
            Some(text) => self.put(name, text),
            None => {
                let (least, most) = (characters.start(), characters.end());
                let path = self.path_of(name);
                findings.add(
                    "PS0026",
                    format!("{path} must be a text of {least} to {most} characters"),
                );
            }
        }
        text
    }

    /// One of several texts; copied.
    pub(crate) fn one_of(
        &mut self,
        name: &str,
        accepted: &'static [&'static str],
        findings: &mut Findings,
    ) -> Option<&'static str> {
        let value = self.value(name)?;
        let found = value
            .as_str()
            .and_then(|text| accepted.iter().find(|known| **known == text))
            .copied();
        match found {
            Some(text) => self.put(name, text),
            None => findings.add(
                "PS0026",
                format!(
                    "{} must be one of {}",
                    self.path_of(name),
                    accepted.join(", ")
                ),
            ),
        }
        found
    }

    /// An amount (contract 1.6); copied as text.
    pub(crate) fn amount(
        &mut self,
        name: &str,
        presence: Presence,
        findings: &mut Findings,
    ) -> Option<Amount> {
        let path = self.path_of(name);
        let amount = match self.value(name) {
            None => {
                if presence == Presence::Mandatory {
                    findings.add("PS0026", format!("{path} is missing"));
                }
                return None;
            }
            Some(Value::String(text)) => Amount::parse(text),
            Some(Value::Number(number)) => number.as_u64().and_then(Amount::from_minor),
            Some(_) => None,
        };
        match amount {
            Some(amount) => self.put(name, amount.to_string()),
            None => findings.add(
                "PS0036",
                format!("{path} must be 1 to 12 digits, in the minor unit"),
            ),
        }
        amount
    }

    /// A whole number; copied.
    pub(crate) fn count(
        &mut self,
        name: &str,
        allowed: RangeInclusive<u64>,
        findings: &mut Findings,
    ) -> Option<u64> {
        let value = self.value(name)?;
        let count = value.as_u64().filter(|count| allowed.contains(count));
        match count {
            Some(count) => self.put(name, count),
            None if *allowed.end() == u64::MAX => {
                findings.add(
                    "PS0026",
                    format!(
                        "{} must be a whole number from {}",
                        self.path_of(name),
                        allowed.start()
                    ),
                );
            }
            None => {
                let (least, most) = (allowed.start(), allowed.end());
                findings.add(
                    "PS0026",
                    format!(
                        "{} must be a whole number from {least} to {most}",
                        self.path_of(name)
                    ),
                );
            }
        }
        count
    }

    /// A date (contract 1.9); copied.
    pub(crate) fn date(&mut self, name: &str, findings: &mut Findings) {
        let Some(value) = self.value(name) else {
            return;
        };
        match value.as_str().filter(|text| is_date(text)) {
            Some(text) => self.put(name, text),
            None => findings.add(
                "PS0008",
                format!("{} must be a date, YYYY-MM-DD", self.path_of(name)),
            ),
        }
    }

    /// An array of at most so many elements.
    pub(crate) fn array(
        &self,
        name: &str,
        elements: RangeInclusive<usize>,
        findings: &mut Findings,
    ) -> &'a [Value] {
        let Some(value) = self.value(name) else {
            return &[];
        };
        match value
            .as_array()
            .filter(|items| elements.contains(&items.len()))
        {
            Some(items) => items,
            None => {
                let (least, most) = (elements.start(), elements.end());
                findings.add(
                    "PS0026",
                    format!(
                        "{} must be an array of {least} to {most}",
                        self.path_of(name)
                    ),
                );
                &[]
            }
        }
    }

    /// A language code (contract 10.1); copied as it was sent.
    pub(crate) fn language(
        &mut self,
        name: &str,
        presence: Presence,
        findings: &mut Findings,
    ) -> Option<Language> {
        if presence == Presence::Optional && !self.has(name) {
            return None;
        }
        let language = self
            .value(name)
            .and_then(Value::as_str)
            .and_then(Language::parse);
        match (language, self.value(name)) {
            (Some(_), Some(value)) => self.put(name, value.clone()),
            _ => findings.add(
                "PS0026",
                format!(
                    "{} must be a language code of three letters",
                    self.path_of(name)
                ),
            ),
        }
        language
    }
}

/// Whether a text is a day that exists.
pub(crate) fn is_date(text: &str) -> bool {
    payframe_checkout::expiry::Date::parse(text).is_some()
}
