//! Holds every call of every test against the OpenAPI document: what the gateway takes the document allows, and what
//! it answers the document says. The harness sends all calls through here.

use regex::Regex;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// A call as it was sent, for the check of its answer.
pub(crate) struct Sent<'a> {
    pub(crate) verb: &'a str,
    /// With its query.
    pub(crate) target: &'a str,
    pub(crate) body: &'a Value,
}

/// What came back.
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
    if came.status == 429 {
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

/// A member that is a text may come as a number: the document says so once for all.
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

/// The document's operation of a call. The prefix `/v1` may stand before every path.
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

/// What is wrong with a value, by the parts of JSON Schema that the document uses.
pub(crate) fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    hold("", schema, value, &mut found);
    found
}

fn hold(path: &str, schema: &Value, value: &Value, found: &mut Vec<String>) {
    for (word, rule) in schema.as_object().unwrap_or(&Map::new()) {
        let fine = match word.as_str() {
            "$ref" => {
                let target = DOCUMENT
                    .pointer(rule.as_str().unwrap().trim_start_matches('#'))
                    .unwrap();
                hold(path, target, value, found);
                true
            }
            "type" => match rule {
                Value::Array(kinds) => kinds.iter().any(|kind| is(kind, value)),
                kind => is(kind, value),
            },
            "enum" => rule.as_array().unwrap().contains(value),
            "const" => rule == value,
            "not" => !problems(rule, value).is_empty(),
            "anyOf" => rule
                .as_array()
                .unwrap()
                .iter()
                .any(|one| problems(one, value).is_empty()),
            "oneOf" => {
                rule.as_array()
                    .unwrap()
                    .iter()
                    .filter(|one| problems(one, value).is_empty())
                    .count()
                    == 1
            }
            "pattern" => value
                .as_str()
                .is_none_or(|text| Regex::new(rule.as_str().unwrap()).unwrap().is_match(text)),
            "minLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().unwrap()),
            "maxLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 <= rule.as_u64().unwrap()),
            "minimum" => value
                .as_f64()
                .is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value
                .as_f64()
                .is_none_or(|number| number <= rule.as_f64().unwrap()),
            "minItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    hold(&format!("{path}[{index}]"), rule, item, found);
                }
                true
            }
            "properties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = rule.get(name) {
                        hold(&format!("{path}.{name}"), schema, member, found);
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object();
                for (name, member) in value.as_object().into_iter().flatten() {
                    if known.is_none_or(|known| !known.contains_key(name)) {
                        hold(&format!("{path}.{name}"), rule, member, found);
                    }
                }
                true
            }
            "required" => rule.as_array().unwrap().iter().all(|name| {
                value
                    .as_object()
                    .is_none_or(|members| members.contains_key(name.as_str().unwrap()))
            }),
            "description" | "examples" | "default" | "format" | "propertyNames" => true,
            other => panic!("the check does not know the word {other} of JSON Schema"),
        };
        if !fine {
            found.push(format!("{path}: {word} {rule}"));
        }
    }
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

/// As it is served.
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
