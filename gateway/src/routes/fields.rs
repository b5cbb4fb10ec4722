//! Checks the members of a body: an error is noted with the member's path, a valid value is read.
//!
//! A [`Section`] is one object of the body. Its members are checked one by one, in the order of the contract, and valid values
//! are copied into a clean document. Members without a rule are not copied (unknown members are ignored, 1.2).

use super::error::{ApiError, RequestErrors};
use super::requests::{Member, Part, Parts};
use payframe_card_rules::expiry::Date;
use payframe_error_codes::ErrorCode::{PS0008, PS0011, PS0026, PS0036};
use payframe_money::Amount;
use payframe_payment_domain::card_data_in_text::{self, CardDataFound};
use payframe_payment_domain::hosted::minutes;
use payframe_payment_domain::language::Language;
use payframe_payment_service::merchant_urls::public_url;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// One object of the body.
#[derive(Debug)]
pub(crate) struct Section {
    path: String,
    is_object: bool,
    document: Map<String, Value>,
}

/// Whether a member must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// The member is mandatory.
    Mandatory,
    /// The member may be missing.
    Optional,
}

impl Section {
    /// The body itself.
    pub(crate) fn body<T>(body: &Part<T>, findings: &mut RequestErrors) -> Section {
        if !body.is_object() {
            findings.add(PS0026, "the body must be an object");
        }
        Section::new(String::new(), body)
    }

    /// An object member. If it is missing, its own mandatory members are reported as missing too.
    pub(crate) fn section<T>(
        &self,
        name: &str,
        part: &Part<T>,
        presence: Presence,
        findings: &mut RequestErrors,
    ) -> Section {
        let path = self.path_of(name);
        if part.is_there() && !part.is_object() {
            findings.add(PS0026, format!("{path} must be an object"));
        } else if !part.is_there() && presence == Presence::Mandatory {
            findings.add(PS0026, format!("{path} is missing"));
        }
        Section::new(path, part)
    }

    /// An element of the array member `name`, as [`Section::array`] gave it.
    pub(crate) fn element<T>(
        &self,
        name: &str,
        index: usize,
        element: &Part<T>,
        findings: &mut RequestErrors,
    ) -> Section {
        let path = format!("{}[{index}]", self.path_of(name));
        if !element.is_object() {
            findings.add(PS0026, format!("{path} must be an object"));
        }
        Section::new(path, element)
    }

    fn new<T>(path: String, part: &Part<T>) -> Section {
        Section {
            path,
            is_object: part.is_object(),
            document: Map::new(),
        }
    }

    /// What was read so far, as a clean document.
    pub(crate) fn document(self) -> Map<String, Value> {
        self.document
    }

    /// The same, for a section that other code continues to read.
    pub(crate) fn take_document(&mut self) -> Map<String, Value> {
        std::mem::take(&mut self.document)
    }

    /// The path of a member.
    pub(crate) fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    /// Refuses the object if a member is missing.
    pub(crate) fn must_have(&self, name: &str, is_there: bool, findings: &mut RequestErrors) {
        if !is_there {
            findings.add(PS0026, format!("{} is missing", self.path_of(name)));
        }
    }

    /// Copies a value into the clean document.
    pub(crate) fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.document.insert(name.to_owned(), value.into());
    }

    /// Whether an object was sent.
    pub(crate) fn is_there(&self) -> bool {
        self.is_object
    }

    /// Copies a text that people write. It is stored as it is, so card data in it is refused.
    pub(crate) fn free_text<'a>(
        &mut self,
        name: &str,
        member: &'a Member,
        presence: Presence,
        characters: RangeInclusive<usize>,
        findings: &mut RequestErrors,
    ) -> Option<&'a str> {
        let text = self.text(name, member, presence, characters, findings)?;
        self.without_card_data(name, text, card_data_in_text::find(text), findings)
    }

    /// Copies what a merchant calls a customer by: an id, a telephone number, a tax number. Card data in it is refused, too.
    pub(crate) fn customers_id<'a>(
        &mut self,
        name: &str,
        member: &'a Member,
        most: usize,
        findings: &mut RequestErrors,
    ) -> Option<&'a str> {
        let text = self.text(name, member, Presence::Optional, 0..=most, findings)?;
        self.without_card_data(name, text, card_data_in_text::find_in_id(text), findings)
    }

    fn without_card_data<'a>(
        &self,
        name: &str,
        text: &'a str,
        found: Option<CardDataFound>,
        findings: &mut RequestErrors,
    ) -> Option<&'a str> {
        let Some(found) = found else {
            return Some(text);
        };
        let path = self.path_of(name);
        findings.add(
            PS0026,
            format!(
                "{path} holds {}: card data is taken by the form only",
                found.words()
            ),
        );
        None
    }

    /// Copies a text of limited length, such as an id.
    pub(crate) fn text<'a>(
        &mut self,
        name: &str,
        member: &'a Member,
        presence: Presence,
        characters: RangeInclusive<usize>,
        findings: &mut RequestErrors,
    ) -> Option<&'a str> {
        let text = match member.sent() {
            None => {
                if presence == Presence::Mandatory {
                    findings.add(PS0026, format!("{} is missing", self.path_of(name)));
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
                    PS0026,
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
        member: &Member,
        accepted: &'static [&'static str],
        findings: &mut RequestErrors,
    ) -> Option<&'static str> {
        let value = member.sent()?;
        let found = value
            .as_str()
            .and_then(|text| accepted.iter().find(|known| **known == text))
            .copied();
        match found {
            Some(text) => self.put(name, text),
            None => findings.add(
                PS0026,
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
        member: &Member,
        presence: Presence,
        findings: &mut RequestErrors,
    ) -> Option<Amount> {
        let path = self.path_of(name);
        let amount = match member.sent() {
            None => {
                if presence == Presence::Mandatory {
                    findings.add(PS0026, format!("{path} is missing"));
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
                PS0036,
                format!("{path} must be 1 to 12 digits, in the minor unit"),
            ),
        }
        amount
    }

    /// A whole number; copied.
    pub(crate) fn count(
        &mut self,
        name: &str,
        member: &Member,
        allowed: RangeInclusive<u64>,
        findings: &mut RequestErrors,
    ) -> Option<u64> {
        let value = member.sent()?;
        let count = value.as_u64().filter(|count| allowed.contains(count));
        match count {
            Some(count) => self.put(name, count),
            None if *allowed.end() == u64::MAX => {
                findings.add(
                    PS0026,
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
                    PS0026,
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
    pub(crate) fn date(
        &mut self,
        name: &str,
        member: &Member,
        findings: &mut RequestErrors,
    ) -> Option<Date> {
        let value = member.sent()?;
        let date = value.as_str().and_then(Date::parse);
        match date {
            Some(_) => self.put(name, value.clone()),
            None => findings.add(
                PS0008,
                format!("{} must be a date, YYYY-MM-DD", self.path_of(name)),
            ),
        }
        date
    }

    /// A time of day (contract 1.9); copied.
    pub(crate) fn time_of_day(
        &mut self,
        name: &str,
        member: &Member,
        findings: &mut RequestErrors,
    ) {
        let Some(value) = member.sent() else {
            return;
        };
        match value.as_str().filter(|text| minutes(text, 23).is_some()) {
            Some(text) => self.put(name, text),
            None => findings.add(
                PS0011,
                format!("{} must be a time of day, HH:mm", self.path_of(name)),
            ),
        }
    }

    /// `true` or `false`.
    pub(crate) fn flag(
        &mut self,
        name: &str,
        member: &Member,
        findings: &mut RequestErrors,
    ) -> Option<bool> {
        let flag = member.sent()?.as_bool();
        match flag {
            Some(flag) => self.put(name, flag),
            None => findings.add(
                PS0026,
                format!("{} must be true or false", self.path_of(name)),
            ),
        }
        flag
    }

    /// A public web address (contract 1.10); not copied. `insecure` allows every port.
    pub(crate) fn url<'a>(
        &self,
        name: &str,
        member: &'a Member,
        presence: Presence,
        insecure: bool,
        findings: &mut RequestErrors,
    ) -> Option<&'a str> {
        let path = self.path_of(name);
        let Some(value) = member.sent() else {
            if presence == Presence::Mandatory {
                findings.add(PS0026, format!("{path} is missing"));
            }
            return None;
        };
        let url = value.as_str().filter(|text| public_url(text, insecure));
        if url.is_none() {
            let accepted = match insecure {
                true => "an http or https URL of at most 2048 characters",
                false => "an https URL of at most 2048 characters, on port 443",
            };
            findings.add(PS0026, format!("{path} must be {accepted}"));
        }
        url
    }

    /// An array with a limited number of objects, which are read with [`Section::element`].
    pub(crate) fn array<'a, T>(
        &self,
        name: &str,
        parts: &'a Parts<T>,
        elements: RangeInclusive<usize>,
        findings: &mut RequestErrors,
    ) -> &'a [Part<T>] {
        if !parts.is_there() {
            return &[];
        }
        match parts
            .elements()
            .filter(|items| elements.contains(&items.len()))
        {
            Some(items) => items,
            None => {
                self.refuse_array(name, elements, findings);
                &[]
            }
        }
    }

    /// An array with a limited number of texts.
    pub(crate) fn texts<'a>(
        &self,
        name: &str,
        member: &'a Member,
        elements: RangeInclusive<usize>,
        findings: &mut RequestErrors,
    ) -> Vec<&'a str> {
        let Some(value) = member.sent() else {
            return Vec::new();
        };
        let Some(items) = value
            .as_array()
            .filter(|items| elements.contains(&items.len()))
        else {
            self.refuse_array(name, elements, findings);
            return Vec::new();
        };
        let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
        texts.unwrap_or_else(|| {
            let path = self.path_of(name);
            findings.add(PS0026, format!("{path} must be an array of texts"));
            Vec::new()
        })
    }

    fn refuse_array(
        &self,
        name: &str,
        elements: RangeInclusive<usize>,
        findings: &mut RequestErrors,
    ) {
        let (least, most) = (elements.start(), elements.end());
        findings.add(
            PS0026,
            format!(
                "{} must be an array of {least} to {most}",
                self.path_of(name)
            ),
        );
    }

    /// A language code (contract 10.1), copied as it was sent.
    pub(crate) fn language(
        &mut self,
        name: &str,
        member: &Member,
        presence: Presence,
        findings: &mut RequestErrors,
    ) -> Option<Language> {
        if presence == Presence::Optional && !member.is_there() {
            return None;
        }
        let language = member
            .sent()
            .and_then(Value::as_str)
            .and_then(Language::parse);
        match (language, member.sent()) {
            (Some(_), Some(value)) => self.put(name, value.clone()),
            _ => findings.add(
                PS0026,
                format!(
                    "{} must be a language code of three letters",
                    self.path_of(name)
                ),
            ),
        }
        language
    }
}

/// A body that is being checked, with the errors found so far.
pub(super) struct BodyCheck {
    pub(super) body: Section,
    pub(super) findings: RequestErrors,
}

impl BodyCheck {
    /// Nothing but the body's own type is checked.
    pub(super) fn of<T>(sent: &Part<T>) -> BodyCheck {
        let mut findings = RequestErrors::default();
        let body = Section::body(sent, &mut findings);
        BodyCheck { body, findings }
    }

    /// The document, if there are no errors.
    pub(super) fn finish(self) -> Result<Map<String, Value>, ApiError> {
        self.findings.into_result()?;
        Ok(self.body.document())
    }
}
