//! Compares every call of every test with the OpenAPI document: the document allows every accepted request, and describes
//! every answer. The harness sends all calls through this module.

use jsonschema::Validator;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// A call as it was sent, to check its answer.
pub(crate) struct Sent<'a> {
    pub(crate) verb: &'a str,
    /// With its query.
    pub(crate) target: &'a str,
    pub(crate) body: &'a Value,
}

/// An answer.
pub(crate) struct Came<'a> {
    pub(crate) status: u16,
    pub(crate) bytes: &'a [u8],
    pub(crate) body: &'a Value,
    pub(crate) retry_after: Option<&'a str>,
    pub(crate) replayed: bool,
}

/// Checks one call.
#[track_caller]
pub(crate) fn check(sent: &Sent<'_>, came: &Came<'_>) {
    let (path, query) = sent.target.split_once('?').unwrap_or((sent.target, ""));
    let Some(operation) = operation(sent.verb, path) else {
        assert!(
            matches!(came.status, 404 | 405),
            "{} {path} is not in the document and was answered {}",
            sent.verb,
            came.status
        );
        return;
    };
    let place = format!("{} {path}", sent.verb);
    let responses = &operation["responses"];
    let response = &responses[came.status.to_string()];
    assert!(
        response.is_object(),
        "{place}: status {} is not in the document",
        came.status
    );
    let content = &response["content"]["application/json"]["schema"];
    if content.is_null() {
        assert!(
            came.bytes.is_empty(),
            "{place}: a body that is not in the document"
        );
    } else if sent.verb != "HEAD" {
        let problems = problems(content, came.body);
        assert!(
            problems.is_empty(),
            "{place}: the answer {} is not of the document: {problems:?}",
            came.body
        );
    }
    let listed = operation["description"].as_str().unwrap_or_default();
    for error in came.body["errors"].as_array().into_iter().flatten() {
        let code = error["code"].as_str().unwrap_or_default();
        assert!(
            listed.contains(&format!("`{code}`")),
            "{place}: {code} is not among the refusals of the document"
        );
    }
    if matches!(came.status, 429 | 503) {
        assert!(
            came.retry_after
                .is_some_and(|seconds| seconds.parse::<u32>().is_ok_and(|seconds| seconds > 0))
        );
    }
    if came.status == 200 && !came.replayed {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let left_out = sent.body.is_null() && operation["requestBody"]["required"] == false;
        if !schema.is_null() && !left_out {
            let mut body = sent.body.clone();
            write_numbers(&mut body, schema);
            let problems = problems(schema, &body);
            assert!(
                problems.is_empty(),
                "{place}: taken, though not of the document: {problems:?}"
            );
        }
        check_query(&place, operation, query);
    }
}

/// Turns numbers into texts where a member is a text: the document allows that once for all members.
fn write_numbers(body: &mut Value, schema: &Value) {
    match body {
        Value::Object(members) => members
            .iter_mut()
            .for_each(|(name, member)| write_numbers(member, &schema["properties"][name.as_str()])),
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| write_numbers(element, &schema["items"])),
        Value::Number(number) => {
            let text = Value::String(number.to_string());
            let takes = |value: &Value| match &schema["type"] {
                Value::Array(kinds) => kinds.iter().any(|kind| is(kind, value)),
                Value::Null => true,
                kind => is(kind, value),
            };
            if !takes(body) && takes(&text) {
                *body = text;
            }
        }
        _ => {}
    }
}

fn check_query(place: &str, operation: &Value, query: &str) {
    let sent: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        if parameter["in"] != "query" {
            continue;
        }
        let name = parameter["name"].as_str().unwrap();
        let Some((_, text)) = sent.iter().find(|(known, _)| known == name) else {
            assert!(
                parameter["required"] != true,
                "{place}: taken without {name}"
            );
            continue;
        };
        let schema = &parameter["schema"];
        let value = match schema["type"].as_str() {
            Some("integer") => serde_json::from_str(text).unwrap_or(Value::Null),
            _ => Value::from(text.as_str()),
        };
        let problems = problems(schema, &value);
        assert!(
            problems.is_empty(),
            "{place}: {name} taken, though not of the document: {problems:?}"
        );
    }
}

/// The document's operation of a call. Every path may have the prefix `/v1`.
fn operation(verb: &str, path: &str) -> Option<&'static Value> {
    let below = path
        .strip_prefix("/api/phoenix-0.0/psp")
        .unwrap_or(path)
        .strip_prefix("/api")?;
    let below = below.strip_suffix('/').unwrap_or(below);
    let verb = if verb == "HEAD" {
        "get".to_owned()
    } else {
        verb.to_ascii_lowercase()
    };
    let find = |below: &str| {
        let fitting = DOCUMENT["paths"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(pattern, verbs)| {
                verbs[verb.as_str()].is_object()
                    && pattern.split('/').count() == below.split('/').count()
                    && pattern
                        .split('/')
                        .zip(below.split('/'))
                        .all(|(expected, piece)| {
                            expected == piece || (expected.starts_with('{') && !piece.is_empty())
                        })
            });
        fitting
            .min_by_key(|(pattern, _)| pattern.contains('{'))
            .map(|(_, verbs)| &verbs[verb.as_str()])
    };
    find(below).or_else(|| find(below.strip_prefix("/v1")?))
}

/// The errors in a value, by a schema of the document.
pub(crate) fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let validator = validator(schema);
    let errors = validator.iter_errors(value);
    let told = errors.map(|error| format!("{}: {error}", error.instance_path()));
    told.collect()
}

/// The validator of a schema, made once. The document's components contain the schemas that it refers to.
fn validator(schema: &Value) -> Arc<Validator> {
    static MADE: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    let key = schema.to_string();
    if let Some(made) = MADE.lock().unwrap().get(&key) {
        return made.clone();
    }
    let mut whole = schema.clone();
    whole["components"] = DOCUMENT["components"].clone();
    let made = jsonschema::draft202012::new(&whole)
        .unwrap_or_else(|problem| panic!("{schema}: {problem}"));
    let made = Arc::new(made);
    MADE.lock().unwrap().insert(key, made.clone());
    made
}

fn is(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the check does not know the type {other}"),
    }
}

/// The document as it is served.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(payframe_gateway::openapi);

#[test]
fn the_check_finds_what_is_wrong() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"],
        "properties": { "a": { "type": ["string", "null"], "pattern": "^x", "maxLength": 2 }, "b": { "type": "integer", "minimum": 1 } },
    });
    let wrong = |value: Value| problems(&schema, &value).len();
    assert_eq!(wrong(serde_json::json!({ "a": "x" })), 0);
    assert_eq!(wrong(serde_json::json!({ "a": null, "b": 1, "c": {} })), 0);
    assert_eq!(wrong(serde_json::json!({})), 1);
    assert_eq!(wrong(serde_json::json!({ "a": "yyy" })), 2);
    assert_eq!(wrong(serde_json::json!({ "a": "x", "b": 0 })), 1);
    assert_eq!(wrong(serde_json::json!({ "a": "x", "b": 1.5 })), 1);
    assert_eq!(wrong(serde_json::json!([])), 1);
}

/// A keyword that JSON Schema does not know would check nothing, and the mistake would not be noticed.
#[test]
fn the_document_has_words_of_json_schema_only() {
    fn check(schema: &Value) {
        for (word, rule) in schema.as_object().into_iter().flatten() {
            match word.as_str() {
                "properties" => rule.as_object().unwrap().values().for_each(check),
                "items" | "additionalProperties" | "propertyNames" | "not" => check(rule),
                "allOf" | "anyOf" | "oneOf" => rule.as_array().unwrap().iter().for_each(check),
                known => assert!(WORDS.contains(&known), "{known} in {schema}"),
            }
        }
    }
    fn find(part: &Value, found: &mut usize) {
        for (name, inner) in part.as_object().into_iter().flatten() {
            match name.as_str() {
                "schema" => {
                    check(inner);
                    *found += 1;
                }
                "schemas" => {
                    inner.as_object().unwrap().values().for_each(check);
                    *found += 1;
                }
                "example" | "examples" => {}
                _ => find(inner, found),
            }
        }
        let elements = part.as_array().into_iter().flatten();
        elements.for_each(|element| find(element, found));
    }
    const WORDS: &[&str] = &[
        "$ref",
        "type",
        "enum",
        "const",
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "required",
        "title",
        "description",
        "examples",
        "default",
        "format",
        "minProperties",
        "maxProperties",
    ];
    let mut found = 0;
    find(&DOCUMENT, &mut found);
    assert!(found > 100, "{found}");
}
