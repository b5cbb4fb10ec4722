//! Schemas of the OpenAPI document in words, and their members as rows of a table.

use super::{items, members, one_line, text, yes};
use serde_json::Value;
use std::fmt::Write as _;

/// The first example of a schema.
pub(super) fn example(schema: &Value) -> String {
    match &schema["examples"][0] {
        Value::Null => String::new(),
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    }
}

/// The columns of a body's members.
pub(super) const BODY_COLUMNS: [&str; 5] = ["Member", "Type", "Needed", "Meaning", "Example"];

/// The members of a schema. The members of its objects follow with their path, unless the object has a title: then it is a type of its own.
pub(super) fn rows(schema: &Value) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    collect("", schema, &mut found);
    found
}

fn collect(path: &str, schema: &Value, found: &mut Vec<Vec<String>>) {
    if !path.is_empty() && schema["title"].is_string() {
        return;
    }
    if schema["items"].is_object() {
        return collect(&format!("{path}[]"), &schema["items"], found);
    }
    let required: Vec<&str> = items(&schema["required"]).map(text).collect();
    for (name, member) in members(&schema["properties"]) {
        let path = match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        found.push(vec![
            format!("`{path}`"),
            kind(member),
            yes(required.contains(&name)),
            one_line(text(&member["description"])),
            example(member),
        ]);
        collect(&path, member, found);
    }
}

/// The values that a schema accepts, in words.
pub(super) fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return format!("`{name}`");
    }
    if let Some(title) = schema["title"].as_str() {
        return format!("`{title}`");
    }
    for several in ["anyOf", "oneOf"] {
        let kinds: Vec<String> = items(&schema[several])
            .filter(|one| one["type"] != "null")
            .map(kind)
            .collect();
        if !kinds.is_empty() {
            return kinds.join(" or ");
        }
    }
    let accepted: Vec<String> = items(&schema["enum"])
        .filter(|value| !value.is_null())
        .map(|value| {
            format!(
                "`{}`",
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            )
        })
        .collect();
    if !accepted.is_empty() {
        return format!("one of {}", accepted.join(", "));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(text).collect(),
        kind => vec![text(kind)],
    };
    let words: Vec<String> = kinds
        .into_iter()
        .filter(|kind| *kind != "null")
        .map(|kind| word(kind, schema))
        .collect();
    let mut words = words.join(" or ");
    if let Some(format) = schema["format"]
        .as_str()
        .filter(|format| !format.starts_with("int"))
    {
        let _ = write!(words, ", {format}");
    } else if let Some(pattern) = schema["pattern"].as_str() {
        let _ = write!(words, " `{pattern}`");
    }
    words
}

fn word(kind: &str, schema: &Value) -> String {
    let bounds = |least: &str, most: &str, unit: &str| match (&schema[least], &schema[most]) {
        (Value::Null, Value::Null) => String::new(),
        (Value::Null, most) => format!(" of at most {most}{unit}"),
        (least, Value::Null) => format!(" of at least {least}{unit}"),
        (least, most) => format!(" of {least} to {most}{unit}"),
    };
    match kind {
        "string" => format!("text{}", bounds("minLength", "maxLength", " characters")),
        "integer" => format!("whole number{}", bounds("minimum", "maximum", "")),
        "boolean" => String::from("`true` or `false`"),
        "array" => {
            let element = self::kind(&schema["items"]);
            format!(
                "array of {element}{}",
                bounds("minItems", "maxItems", "").replace(" of", ",")
            )
        }
        "" => String::from("any JSON"),
        other => other.to_owned(),
    }
}
