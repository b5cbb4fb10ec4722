//! What a reader reads, as a JSON schema: the description and the reading are one piece of code.
//!
//! A [`super::fields::Section`] or [`super::query::Query`] that is made for a sketch has nothing to read. It notes
//! each member that it is asked for, and answers that there is none. So a reader that is run once in this way
//! leaves a description of what it would read, and a member can't be read without being in it.
//!
//! What a sketch does not hold: rules between members. They are sentences in the operation's `about`.

use super::fields::Presence;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The members of an object, or the parameters of a query. Clones are the same sketch.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestSchema(Arc<Mutex<Vec<Member>>>);

#[derive(Clone, Debug)]
struct Member {
    name: String,
    presence: Presence,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Said to be needed, and not read yet.
    Free,
    Schema(Value),
    Object(RequestSchema),
    Array {
        bounds: Value,
        element: Element,
    },
}

#[derive(Clone, Debug)]
enum Element {
    Object(RequestSchema),
    Schema(Value),
}

impl RequestSchema {
    /// A member with a schema.
    pub(super) fn member(&self, name: &str, presence: Presence, schema: Value) {
        self.note(name, presence, Kind::Schema(schema));
    }

    /// An object member.
    pub(super) fn object(&self, name: &str, presence: Presence) -> RequestSchema {
        let part = RequestSchema::default();
        self.note(name, presence, Kind::Object(part.clone()));
        part
    }

    /// An array member of objects. `bounds` has its `minItems` and `maxItems`.
    pub(super) fn array(&self, name: &str, bounds: Value) {
        let element = Element::Object(RequestSchema::default());
        self.note(name, Presence::Optional, Kind::Array { bounds, element });
    }

    /// The elements of an array member that was noted, where they are objects.
    pub(super) fn element(&self, name: &str) -> RequestSchema {
        let members = self.members();
        let found = members.iter().find(|member| member.name == name);
        match found.map(|member| &member.kind) {
            Some(Kind::Array {
                element: Element::Object(sketch),
                ..
            }) => sketch.clone(),
            _ => RequestSchema::default(),
        }
    }

    /// Says of an array member that was noted what its elements are, where they are no objects.
    pub(super) fn elements(&self, name: &str, schema: Value) {
        for member in self.members().iter_mut() {
            if member.name == name
                && let Kind::Array { element, .. } = &mut member.kind
            {
                *element = Element::Schema(schema.clone());
            }
        }
    }

    /// Says of a member that it must be there, noted or yet to be.
    pub(super) fn must_have(&self, name: &str) {
        let mut members = self.members();
        match members.iter_mut().find(|member| member.name == name) {
            Some(member) => member.presence = Presence::Mandatory,
            None => members.push(Member {
                name: name.to_owned(),
                presence: Presence::Mandatory,
                kind: Kind::Free,
            }),
        }
    }

    /// As a schema of an object.
    pub(super) fn schema(&self) -> Value {
        let members = self.members();
        let properties: Map<String, Value> = members
            .iter()
            .map(|member| (member.name.clone(), member.schema()))
            .collect();
        let required: Vec<&str> = members
            .iter()
            .filter(|member| member.presence == Presence::Mandatory)
            .map(|member| member.name.as_str())
            .collect();
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }

    /// As query parameters: name, whether it must be there, schema.
    pub(super) fn parameters(&self) -> Vec<(String, Presence, Value)> {
        let parameter = |member: &Member| match &member.kind {
            Kind::Schema(schema) => (member.name.clone(), member.presence, schema.clone()),
            _ => (member.name.clone(), member.presence, json!({})),
        };
        self.members().iter().map(parameter).collect()
    }

    /// A member that is noted twice is what was said of it last; what must be there must be there.
    fn note(&self, name: &str, presence: Presence, kind: Kind) {
        let mut members = self.members();
        let Some(member) = members.iter_mut().find(|member| member.name == name) else {
            members.push(Member {
                name: name.to_owned(),
                presence,
                kind,
            });
            return;
        };
        if presence == Presence::Mandatory {
            member.presence = Presence::Mandatory;
        }
        member.kind = kind;
    }

    fn members(&self) -> MutexGuard<'_, Vec<Member>> {
        // Each change is a whole one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Member {
    /// Where a member may be left out it may be `null` too (contract 1.2).
    fn schema(&self) -> Value {
        let mut schema = match &self.kind {
            Kind::Free => json!({}),
            Kind::Schema(schema) => schema.clone(),
            Kind::Object(sketch) => sketch.schema(),
            Kind::Array { bounds, element } => {
                let mut schema = bounds.clone();
                schema["type"] = json!("array");
                schema["items"] = match element {
                    Element::Object(sketch) => sketch.schema(),
                    Element::Schema(schema) => schema.clone(),
                };
                schema
            }
        };
        if self.presence == Presence::Mandatory || !schema.is_object() {
            return schema;
        }
        if let Some(Value::String(kind)) = schema.get("type") {
            schema["type"] = json!([kind, "null"]);
        } else if let Some(Value::Array(kinds)) = schema.get_mut("type") {
            kinds.push(json!("null"));
        }
        if let Some(Value::Array(accepted)) = schema.get_mut("enum") {
            accepted.push(Value::Null);
        }
        schema
    }
}

/// A text of so many characters.
pub(crate) fn text(least: usize, most: usize) -> Value {
    let mut schema = json!({ "type": "string", "maxLength": most });
    if least > 0 {
        schema["minLength"] = json!(least);
    }
    schema
}

/// A text of a form. `pattern` is one of ECMA-262.
pub(crate) fn pattern(pattern: &str, example: &str) -> Value {
    json!({ "type": "string", "pattern": pattern, "examples": [example] })
}

/// One of several texts.
pub(crate) fn one_of(accepted: &[&str]) -> Value {
    json!({ "type": "string", "enum": accepted })
}

/// A whole number.
pub(crate) fn count(least: u64, most: u64) -> Value {
    let mut schema = json!({ "type": "integer", "minimum": least });
    if most != u64::MAX {
        schema["maximum"] = json!(most);
    }
    schema
}

/// An amount in minor units (contract 1.6): digits, or a number.
pub(crate) fn amount() -> Value {
    json!({
        "type": ["string", "integer"], "pattern": "^[0-9]{1,12}$", "minimum": 0, "maximum": 999_999_999_999_u64,
        "examples": ["3545"],
    })
}

/// A day.
pub(crate) fn date() -> Value {
    json!({ "type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "examples": ["2030-01-31"] })
}

/// An instant.
pub(crate) fn date_time() -> Value {
    json!({ "type": "string", "format": "date-time", "examples": ["2026-09-01T01:20:00.001Z"] })
}

/// A country. Texts that name none are no reason to refuse a call: the address is left out.
pub(crate) fn country() -> Value {
    json!({ "type": "string", "examples": ["ITA"] })
}

/// A web address.
pub(crate) fn url() -> Value {
    json!({ "type": "string", "format": "uri", "maxLength": 2048, "pattern": "^[hH][tT][tT][pP][sS]?:", "examples": ["https://shop.example/ok"] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_left_out_may_be_null() {
        let sketch = RequestSchema::default();
        sketch.member("a", Presence::Optional, one_of(&["X"]));
        sketch.member("b", Presence::Mandatory, text(1, 3));
        sketch.array("c", json!({ "maxItems": 2 }));
        sketch
            .element("c")
            .member("d", Presence::Optional, amount());
        sketch.must_have("a2");
        assert_eq!(
            sketch.schema(),
            json!({
                "type": "object",
                "required": ["b", "a2"],
                "properties": {
                    "a": { "type": ["string", "null"], "enum": ["X", null] },
                    "b": { "type": "string", "minLength": 1, "maxLength": 3 },
                    "c": { "type": ["array", "null"], "maxItems": 2, "items": {
                        "type": "object", "properties": {
                            "d": { "type": ["string", "integer", "null"], "pattern": "^[0-9]{1,12}$",
                                   "minimum": 0, "maximum": 999_999_999_999_u64, "examples": ["3545"] },
                        },
                    } },
                    "a2": {},
                },
            })
        );
    }
}
