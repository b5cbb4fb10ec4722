//! The JSON schema of a body, from its struct.
//!
//! `utoipa` derives the schemas. Here each is completed: references are replaced by what they refer to, optional members may also be
//! `null` (contract 1.2), and the formats that many members have ([`FORMATS`]) get their rules.

use serde_json::{Map, Value, json};
use std::collections::HashMap;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// The schema of a struct.
pub(crate) fn of<T: ToSchema>() -> Value {
    let mut schemas = Vec::new();
    T::schemas(&mut schemas);
    let named: HashMap<String, Value> = schemas
        .into_iter()
        .map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default()))
        .collect();
    let mut schema = serde_json::to_value(T::schema()).unwrap_or_default();
    make_whole(&mut schema, &named);
    // The comment of the struct is for readers of the source.
    if let Some(members) = schema.as_object_mut() {
        members.remove("description");
    }
    schema
}

/// The schema of a body from that of its `utoipa::path`, where `schemas` are those that it refers to.
pub(crate) fn of_body(mut schema: Value, schemas: &[(String, RefOr<Schema>)]) -> Value {
    // A body that may be left out is not `null`.
    if let Some(Value::Array(choices)) = schema.get_mut("oneOf") {
        let body = choices.pop();
        schema = body.unwrap_or_default();
    }
    let named = schemas
        .iter()
        .map(|(name, schema)| {
            (
                name.clone(),
                serde_json::to_value(schema).unwrap_or_default(),
            )
        })
        .collect();
    make_whole(&mut schema, &named);
    // The comment of the struct is for readers of the source.
    if let Some(members) = schema.as_object_mut() {
        members.remove("description");
    }
    schema
}

/// A parameter of a query.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) is_required: bool,
    pub(crate) meaning: String,
    pub(crate) schema: Value,
}

/// The parameters of a query, from its struct.
pub(crate) fn parameters<T: ToSchema>() -> Vec<Parameter> {
    let whole = of::<T>();
    let required = whole["required"].as_array().cloned().unwrap_or_default();
    let members = whole["properties"].as_object().cloned().unwrap_or_default();
    let parameter = |(name, mut schema): (String, Value)| {
        // A parameter that is not sent is absent: a query has no `null`.
        if let Some(kind) = schema.pointer_mut("/type/0").map(Value::take) {
            schema["type"] = kind;
        }
        if let Some(Value::Array(accepted)) = schema.get_mut("enum") {
            accepted.retain(|value| !value.is_null());
        }
        let members = schema.as_object_mut();
        let meaning = members.and_then(|members| members.remove("description"));
        Parameter {
            is_required: required.contains(&json!(name)),
            meaning: meaning
                .as_ref()
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            name,
            schema,
        }
    };
    members.into_iter().map(parameter).collect()
}

/// The schema of a text of one of the formats.
pub(crate) fn text_of(format: &str) -> Value {
    let mut members = Map::new();
    members.insert(String::from("type"), json!("string"));
    members.insert(String::from("format"), json!(format));
    keep_rules(&mut members);
    Value::Object(members)
}

/// The characters and length of an order's id.
pub(crate) fn order_id() -> Value {
    text_of("order-id")
}

/// The rules of a format.
fn rules_of(name: &str) -> Option<Value> {
    let found = FORMATS.iter().find(|(known, _)| *known == name);
    found.map(|(_, rules)| rules())
}

fn make_whole(schema: &mut Value, named: &HashMap<String, Value>) {
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    if let Some(Value::String(reference)) = members.remove("$ref") {
        let name = reference.rsplit('/').next().unwrap_or_default();
        put_below(members, named.get(name).cloned().unwrap_or_default());
    }
    if let Some(Value::Array(choices)) = members.remove("oneOf") {
        for mut choice in choices
            .into_iter()
            .filter(|choice| *choice != json!({ "type": "null" }))
        {
            make_whole(&mut choice, named);
            let meaning = members.get("description").cloned();
            put_below(members, choice);
            if let Some(meaning) = meaning {
                members.insert(String::from("description"), meaning);
            }
        }
        allow_null(members);
    }
    if let Some(Value::Array(pieces)) = members.remove("allOf") {
        for mut piece in pieces {
            make_whole(&mut piece, named);
            join(members, piece);
        }
    }
    let properties = members.get_mut("properties").and_then(Value::as_object_mut);
    for member in properties.into_iter().flat_map(Map::values_mut) {
        make_whole(member, named);
    }
    if let Some(items) = members.get_mut("items") {
        make_whole(items, named);
        // The description of the array also describes its elements.
        if let Some(items) = items.as_object_mut() {
            items.remove("description");
        }
    }
    keep_rules(members);
}

/// Adds the rules of a schema that `members` does not have.
fn put_below(members: &mut Map<String, Value>, schema: Value) {
    if let Value::Object(schema) = schema {
        for (name, value) in schema {
            members.entry(name).or_insert(value);
        }
    }
}

/// Adds the properties of a piece of an object.
fn join(members: &mut Map<String, Value>, piece: Value) {
    let Value::Object(piece) = piece else {
        return;
    };
    for (name, value) in piece {
        match (members.get_mut(&name), value) {
            (Some(Value::Object(known)), Value::Object(more)) => known.extend(more),
            (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
            (Some(_), _) => {}
            (None, value) => {
                members.insert(name, value);
            }
        }
    }
}

fn allow_null(members: &mut Map<String, Value>) {
    match members.get_mut("type") {
        Some(Value::Array(kinds)) => kinds.push(json!("null")),
        Some(kind) => *kind = json!([kind.take(), "null"]),
        None => {}
    }
    if let Some(Value::Array(accepted)) = members.get_mut("enum") {
        accepted.push(Value::Null);
    }
}

/// A comment for readers without the source: one line, and links to types without their brackets.
pub(crate) fn plain(comment: &str) -> String {
    let text = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace("[`crate::api::", "`")
        .replace("[`", "`")
        .replace("`]", "`")
}

/// Gives a format its rules, and removes rules without effect.
fn keep_rules(members: &mut Map<String, Value>) {
    if let Some(Value::String(text)) = members.get_mut("description") {
        *text = plain(text);
    }
    if members.get("minLength") == Some(&json!(0)) {
        members.remove("minLength");
    }
    let Some(Value::String(name)) = members.remove("format") else {
        return;
    };
    let Some(Value::Object(rules)) = rules_of(&name) else {
        return;
    };
    let may_be_null = members["type"].is_array();
    for (name, value) in rules {
        match name.as_str() {
            "type" => {
                members.insert(name, value);
                if may_be_null {
                    allow_null(members);
                }
            }
            _ => {
                members.entry(name).or_insert(value);
            }
        }
    }
}

/// Makes the rules of a format.
type Rules = fn() -> Value;

/// The formats, by the names that the structs give them.
const FORMATS: &[(&str, Rules)] = &[
    ("amount", || {
        json!({
            "type": ["string", "integer"], "pattern": "^[0-9]{1,12}$", "minimum": 0,
            "maximum": 999_999_999_999_u64, "examples": ["3545"],
        })
    }),
    (
        "base64",
        || json!({ "pattern": "^[A-Za-z0-9+/]+={0,2}$", "examples": ["PHA+VGhlIHRlcm1zPC9wPg=="] }),
    ),
    (
        "contract-id",
        || json!({ "pattern": r"^[A-Za-z0-9#*+\-.:;=?\[\]_{|}]{1,255}$", "examples": ["contract-7"] }),
    ),
    // A text that names no country does not refuse the call: its address is ignored.
    ("country", || json!({ "examples": ["ITA"] })),
    (
        "currency",
        || json!({ "pattern": "^[A-Za-z]{3}$", "examples": ["EUR"] }),
    ),
    (
        "date",
        || json!({ "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "examples": ["2030-01-31"] }),
    ),
    (
        "date-time",
        || json!({ "format": "date-time", "examples": ["2026-09-01T01:20:00.001Z"] }),
    ),
    ("end-time", || {
        json!({
            "pattern": r"^([01][0-9]|2[0-3]):[0-5][0-9](Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$",
            "examples": ["18:30+02:00"],
        })
    }),
    (
        "language",
        || json!({ "pattern": "^[A-Za-z]{3}$", "examples": ["ita"] }),
    ),
    ("number", || {
        json!({
            "type": ["string", "integer"], "pattern": "^[0-9]{1,4}$", "minimum": 0, "maximum": 9999,
            "examples": ["3"],
        })
    }),
    // An order's id must not be a word that is a path (contract 2.1).
    ("order-id", || {
        json!({
            "pattern": r"^[A-Za-z0-9#*+\-.:;=?\[\]_{|}]{1,27}$", "not": { "const": "paybylink" },
            "examples": ["A1B2C3"],
        })
    }),
    (
        "time",
        || json!({ "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "examples": ["14:00"] }),
    ),
    ("uri", || {
        json!({
            "format": "uri", "maxLength": 2048, "pattern": "^[hH][tT][tT][pP][sS]?:",
            "examples": ["https://shop.example/ok"],
        })
    }),
];

#[cfg(test)]
mod tests {
    use super::super::forms::ActionTypes;
    use super::super::{Member, Part, Parts};
    use super::*;
    use serde::Deserialize;

    /// Not told.
    #[derive(Default, Deserialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    struct Whole {
        /// What it is
        /// about.
        #[schema(value_type = Option<ActionTypes>)]
        action_type: Member,
        /// How much.
        #[schema(value_type = Option<String>, format = "amount", examples("5"))]
        amount: Member,
        /// A name.
        #[schema(value_type = String, min_length = 1, max_length = 3, examples("a"))]
        name: Member,
        /// The first.
        #[schema(value_type = Option<Piece>)]
        first: Part<Piece>,
        /// All.
        #[schema(value_type = Option<Vec<Piece>>, max_items = 2)]
        all: Parts<Piece>,
        #[serde(flatten)]
        #[schema(value_type = Flat)]
        flat: Flat,
        /// Read, and not told.
        #[schema(ignore)]
        hidden: Member,
    }

    /// Not told.
    #[derive(Default, Deserialize, ToSchema)]
    struct Piece {
        /// How many.
        #[schema(value_type = u64, minimum = 1, examples(2))]
        count: Member,
    }

    /// Not told.
    #[derive(Default, Deserialize, ToSchema)]
    struct Flat {
        /// Whether it is even.
        #[schema(value_type = bool)]
        even: Member,
    }

    #[test]
    fn a_schema_is_whole() {
        let count =
            json!({ "type": "integer", "minimum": 1, "examples": [2], "description": "How many." });
        assert_eq!(
            of::<Whole>(),
            json!({ "type": "object", "required": ["even", "name"], "properties": {
                "actionType": { "type": ["string", "null"], "enum": ["PAY", "VERIFY", "PREAUTH", null],
                                "description": "What it is about." },
                "amount": { "type": ["string", "integer", "null"], "pattern": "^[0-9]{1,12}$", "minimum": 0,
                            "maximum": 999_999_999_999_u64, "examples": ["5"], "description": "How much." },
                "name": { "type": "string", "minLength": 1, "maxLength": 3, "examples": ["a"],
                          "description": "A name." },
                "first": { "type": ["object", "null"], "required": ["count"], "properties": { "count": count },
                           "description": "The first." },
                "all": { "type": ["array", "null"], "maxItems": 2, "description": "All.",
                         "items": { "type": "object", "required": ["count"], "properties": { "count": count } } },
                "even": { "type": "boolean", "description": "Whether it is even." },
            } })
        );
    }

    #[test]
    fn what_is_not_told_is_read() {
        let whole: Part<Whole> =
            Part::of(&json!({ "hidden": 1, "even": true, "first": { "count": 2 } }));
        let sent = whole.members();
        let nothing_else = [&sent.action_type, &sent.amount, &sent.name];
        assert!(nothing_else.iter().all(|member| !member.is_there()));
        assert!(sent.hidden.is_there() && sent.flat.even.is_there() && !sent.all.is_there());
        assert_eq!(sent.first.members().count.sent(), Some(&json!(2)));
    }
}
