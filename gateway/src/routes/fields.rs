//! Reading the members of a JSON body: what is wrong is noted with the member's path, what is good is read.
//!
//! A [`Section`] reads one object member by member, in the order of the contract, and copies what it has read
//! into a clean document: what no rule knows is left behind (unknown members are ignored, 1.2).
//!
//! A section for a [`RequestSchema`] has nothing to read: it notes what it is asked for, and says that members are there
//! ([`Section::has`]) so that a reader asks for theirs too. What a reader asks for is what the OpenAPI document says.

use super::error::Findings;
use super::request_schema::{self, RequestSchema};
use super::urls::public_url;
use crate::error_code::ErrorCode::{PS0008, PS0011, PS0026, PS0036};
use payframe_card_rules::expiry::Date;
use payframe_money::Amount;
use payframe_payment_domain::hosted::minutes;
use payframe_payment_domain::language::Language;
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

/// One object of the body.
pub(crate) struct Section<'a> {
    path: String,
    members: Option<&'a Map<String, Value>>,
    document: Map<String, Value>,
    /// Where there is no request, and what would be read of one is noted.
    sketch: Option<RequestSchema>,
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
            findings.add(PS0026, "the body must be an object");
        }
        Section {
            path: String::new(),
            members: body.as_object(),
            document: Map::new(),
            sketch: None,
        }
    }

    /// No request: what is asked for is noted in `sketch`.
    pub(super) fn noting(sketch: &RequestSchema) -> Section<'static> {
        Section {
            path: String::new(),
            members: None,
            document: Map::new(),
            sketch: Some(sketch.clone()),
        }
    }

    /// An element of the array member `name`, as [`Section::array`] gave it.
    pub(crate) fn element(
        &self,
        name: &str,
        index: usize,
        value: &'a Value,
        findings: &mut Findings,
    ) -> Section<'a> {
        let path = format!("{}[{index}]", self.path_of(name));
        if !value.is_object() {
            findings.add(PS0026, format!("{path} must be an object"));
        }
        Section {
            path,
            members: value.as_object(),
            document: Map::new(),
            sketch: self.sketch.as_ref().map(|sketch| sketch.element(name)),
        }
    }

    /// What was read so far, as a clean document.
    pub(crate) fn document(self) -> Map<String, Value> {
        self.document
    }

    /// The same, of a section that somebody else reads on.
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

    /// A member's value, for a rule that no other reader has; absent and `null` are the same. `schema` says what the
    /// rule accepts.
    pub(crate) fn value_of(
        &self,
        name: &str,
        presence: Presence,
        schema: impl FnOnce() -> Value,
    ) -> Option<&'a Value> {
        self.note(name, presence, schema);
        self.sent(name)
    }

    fn sent(&self, name: &str) -> Option<&'a Value> {
        self.members?.get(name).filter(|value| !value.is_null())
    }

    fn note(&self, name: &str, presence: Presence, schema: impl FnOnce() -> Value) {
        if let Some(sketch) = &self.sketch {
            sketch.member(name, presence, schema());
        }
    }

    /// Refuses the object where a member is missing.
    pub(crate) fn must_have(&self, name: &str, findings: &mut Findings) {
        if let Some(sketch) = &self.sketch {
            sketch.must_have(name);
        } else if self.sent(name).is_none() {
            findings.add(PS0026, format!("{} is missing", self.path_of(name)));
        }
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
        let sketch = self
            .sketch
            .as_ref()
            .map(|sketch| sketch.object(name, presence));
        let value = self.sent(name);
        match value {
            None if presence == Presence::Mandatory => {
                findings.add(PS0026, format!("{path} is missing"))
            }
            Some(value) if !value.is_object() => {
                findings.add(PS0026, format!("{path} must be an object"))
            }
            _ => {}
        }
        Section {
            path,
            members: value.and_then(Value::as_object),
            document: Map::new(),
            sketch,
        }
    }

    /// Whether nothing is read, but noted for the documents.
    pub(crate) fn is_sketch(&self) -> bool {
        self.sketch.is_some()
    }

    /// Whether it is an object that was sent.
    pub(crate) fn is_there(&self) -> bool {
        self.members.is_some()
    }

    /// Whether a member is there and is an array, of one that is not served.
    pub(crate) fn sent_array(&self, name: &str) -> bool {
        self.sent(name).is_some_and(Value::is_array)
    }

    /// An object member as it was sent, of which something is read that stands elsewhere in the documents.
    pub(crate) fn sent_object(&self, name: &str) -> Option<&'a Map<String, Value>> {
        self.sent(name)?.as_object()
    }

    /// Whether a member is there, so that there is something to read in it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.sketch.is_some() || self.sent(name).is_some()
    }

    /// A text of so many characters; copied.
    pub(crate) fn text(
        &mut self,
        name: &str,
        presence: Presence,
        characters: RangeInclusive<usize>,
        findings: &mut Findings,
    ) -> Option<&'a str> {
        let (least, most) = (*characters.start(), *characters.end());
        self.note(name, presence, || request_schema::text(least, most));
        let text = match self.sent(name) {
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
        accepted: &'static [&'static str],
        findings: &mut Findings,
    ) -> Option<&'static str> {
        self.note(name, Presence::Optional, || {
            request_schema::one_of(accepted)
        });
        let value = self.sent(name)?;
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
        presence: Presence,
        findings: &mut Findings,
    ) -> Option<Amount> {
        self.note(name, presence, request_schema::amount);
        let path = self.path_of(name);
        let amount = match self.sent(name) {
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
        allowed: RangeInclusive<u64>,
        findings: &mut Findings,
    ) -> Option<u64> {
        self.note(name, Presence::Optional, || {
            request_schema::count(*allowed.start(), *allowed.end())
        });
        let value = self.sent(name)?;
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
    pub(crate) fn date(&mut self, name: &str, findings: &mut Findings) -> Option<Date> {
        self.note(name, Presence::Optional, request_schema::date);
        let value = self.sent(name)?;
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
    pub(crate) fn time_of_day(&mut self, name: &str, findings: &mut Findings) {
        let schema = || request_schema::pattern("^([01][0-9]|2[0-3]):[0-5][0-9]$", "14:00");
        self.note(name, Presence::Optional, schema);
        let Some(value) = self.sent(name) else {
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
    pub(crate) fn flag(&mut self, name: &str, findings: &mut Findings) -> Option<bool> {
        self.note(name, Presence::Optional, || json!({ "type": "boolean" }));
        let flag = self.sent(name)?.as_bool();
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
    pub(crate) fn url(
        &self,
        name: &str,
        presence: Presence,
        insecure: bool,
        findings: &mut Findings,
    ) -> Option<&'a str> {
        self.note(name, presence, request_schema::url);
        let path = self.path_of(name);
        let Some(value) = self.sent(name) else {
            if presence == Presence::Mandatory {
                findings.add(PS0026, format!("{path} is missing"));
            }
            return None;
        };
        let url = value.as_str().filter(|text| public_url(text, insecure));
        if url.is_none() {
            findings.add(
                PS0026,
                format!("{path} must be an http or https URL of at most 2048 characters, on port 80 or 443"),
            );
        }
        url
    }

    /// An array of so many elements. Objects are read with [`Section::element`].
    pub(crate) fn array(
        &self,
        name: &str,
        elements: RangeInclusive<usize>,
        findings: &mut Findings,
    ) -> &'a [Value] {
        if let Some(sketch) = &self.sketch {
            let mut bounds = json!({ "maxItems": elements.end() });
            if *elements.start() > 0 {
                bounds["minItems"] = json!(elements.start());
            }
            sketch.array(name, bounds);
            // So that a reader asks for the members of an element too.
            return &ONE_ELEMENT;
        }
        let Some(value) = self.sent(name) else {
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
                    PS0026,
                    format!(
                        "{} must be an array of {least} to {most}",
                        self.path_of(name)
                    ),
                );
                &[]
            }
        }
    }

    /// An array of texts. `element` says what each has to be.
    pub(crate) fn texts(
        &self,
        name: &str,
        elements: RangeInclusive<usize>,
        element: impl FnOnce() -> Value,
        findings: &mut Findings,
    ) -> Vec<&'a str> {
        let items = self.array(name, elements, findings);
        if let Some(sketch) = &self.sketch {
            sketch.elements(name, element());
            return Vec::new();
        }
        let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
        texts.unwrap_or_else(|| {
            let path = self.path_of(name);
            findings.add(PS0026, format!("{path} must be an array of texts"));
            Vec::new()
        })
    }

    /// A language code (contract 10.1); copied as it was sent.
    pub(crate) fn language(
        &mut self,
        name: &str,
        presence: Presence,
        findings: &mut Findings,
    ) -> Option<Language> {
        self.note(name, presence, || {
            request_schema::pattern("^[A-Za-z]{3}$", "ita")
        });
        if presence == Presence::Optional && self.sent(name).is_none() {
            return None;
        }
        let language = self
            .sent(name)
            .and_then(Value::as_str)
            .and_then(Language::parse);
        match (language, self.sent(name)) {
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

static ONE_ELEMENT: [Value; 1] = [Value::Null];
