//! The JSON schemas of answers, from the wire types: `utoipa` derives them from the declarations that are serialized too, and
//! their doc comments are the words of the document.

use super::requests::schema::plain;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// A type that is written as JSON.
#[derive(Clone, Copy)]
pub(crate) struct AnswerSchema {
    /// Adds the schemas of the type and of what it is made of, by their names, and returns a schema that refers to it.
    pub(crate) describe: fn(&mut Map<String, Value>) -> Value,
}

impl AnswerSchema {
    /// The schema of a type.
    pub(crate) const fn of<T: ToSchema>() -> AnswerSchema {
        AnswerSchema {
            describe: describe::<T>,
        }
    }
}

/// The schemas that a schema refers to, and those that they refer to, by their names. `known` is where they are.
pub(crate) fn referred_to(schema: &Value, known: &[(String, RefOr<Schema>)]) -> Map<String, Value> {
    let known: HashMap<&str, Value> = known
        .iter()
        .map(|(name, schema)| (name.as_str(), written(schema)))
        .collect();
    let mut found = Map::new();
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                let name = members.get("$ref").and_then(Value::as_str);
                let name = name.and_then(|reference| reference.rsplit('/').next());
                if let Some((name, schema)) = name.and_then(|name| known.get_key_value(name))
                    && found.insert((*name).to_owned(), schema.clone()).is_none()
                {
                    open.push(schema);
                }
                open.extend(members.values());
            }
            Value::Array(elements) => open.extend(elements),
            _ => {}
        }
    }
    found
}

/// Adds the schemas of a type and of what it is made of, by their names, and returns a schema that refers to it.
pub(crate) fn describe<T: ToSchema>(schemas: &mut Map<String, Value>) -> Value {
    let mut named = Vec::new();
    T::schemas(&mut named);
    for (name, schema) in named {
        schemas.insert(name, written(schema));
    }
    let name = T::name();
    let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
    schemas.insert(name.into_owned(), written(T::schema()));
    reference
}

fn written(schema: impl serde::Serialize) -> Value {
    let mut schema = serde_json::to_value(schema).unwrap_or_default();
    leave_null_out(&mut schema);
    schema
}

/// Answers omit members without a value, so `null` is removed from the schemas.
fn leave_null_out(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    if let Some(Value::Array(choices)) = members.remove("oneOf") {
        let is_null = |choice: &Value| *choice == json!({ "type": "null" });
        if let Some(Value::Object(choice)) = choices.into_iter().find(|choice| !is_null(choice)) {
            members.extend(choice);
        }
    }
    if let Some(Value::Array(kinds)) = members.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            members.insert(String::from("type"), only);
        }
    }
    if let Some(Value::String(text)) = members.get_mut("description") {
        *text = plain(text);
    }
    // Every name in JSON is a string.
    members.remove("propertyNames");
    // All numbers are integers; their Rust type has no meaning for readers.
    if members.get("type") == Some(&json!("integer")) {
        members.remove("format");
    }
    for name in ["items", "additionalProperties"] {
        if let Some(inner) = members.get_mut(name) {
            leave_null_out(inner);
            if *inner == json!({}) {
                *inner = json!({ "description": "Any JSON." });
            }
        }
    }
    let properties = members.get_mut("properties").and_then(Value::as_object_mut);
    properties
        .into_iter()
        .flat_map(Map::values_mut)
        .for_each(leave_null_out);
}

#[cfg(test)]
mod tests {
    use super::super::openapi;
    use super::*;
    use serde::Serialize;
    use std::collections::BTreeMap;
    use utoipa::PartialSchema;

    /// A whole, see [`Piece`].
    #[derive(Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    struct Whole {
        /// Its id.
        order_id: String,
        /// Absent if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// One.
        piece: Option<Piece>,
        /// Several.
        list: Vec<Piece>,
        /// Anything.
        free: BTreeMap<String, Value>,
    }

    /// A piece.
    #[derive(Serialize, ToSchema)]
    struct Piece {
        /// How many.
        count: u8,
    }

    #[test]
    fn a_schema_is_what_the_type_writes() {
        let mut schemas = Map::new();
        let whole = (AnswerSchema::of::<Whole>().describe)(&mut schemas);
        assert_eq!(whole, json!({ "$ref": "#/components/schemas/Whole" }));
        let whole = &schemas["Whole"];
        assert_eq!(whole["description"], "A whole, see `Piece`.");
        assert_eq!(whole["required"], json!(["orderId", "list", "free"]));
        let piece = "#/components/schemas/Piece";
        assert_eq!(
            whole["properties"],
            json!({
                "orderId": { "type": "string", "description": "Its id." },
                "note": { "type": "string", "description": "Absent if none." },
                "piece": { "$ref": piece, "description": "One." },
                "list": { "type": "array", "items": { "$ref": piece }, "description": "Several." },
                "free": { "type": "object", "additionalProperties": { "description": "Any JSON." },
                          "description": "Anything." },
            })
        );
        assert_eq!(schemas["Piece"]["properties"]["count"]["minimum"], 0);
        let list = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Whole" } });
        let mut known = Vec::new();
        Whole::schemas(&mut known);
        known.push((String::from("Whole"), Whole::schema()));
        known.push((String::from("Other"), Piece::schema()));
        assert_eq!(referred_to(&list, &known), schemas);
    }

    #[test]
    fn every_type_and_member_of_an_answer_has_its_meaning() {
        let document = openapi::document();
        let mut without = Vec::new();
        let schemas = document["components"]["schemas"].as_object().unwrap();
        assert!(schemas.len() > 50, "{} types", schemas.len());
        for (name, schema) in schemas {
            if schema["description"].as_str().is_none_or(str::is_empty) {
                without.push(name.clone());
            }
            for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
                if schema["description"].as_str().is_none_or(str::is_empty) {
                    without.push(format!("{name}.{member}"));
                }
            }
        }
        assert!(without.is_empty(), "write a doc comment on {without:?}");
    }
}
