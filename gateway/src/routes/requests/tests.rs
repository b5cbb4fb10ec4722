//! Tests that every member of a request has a description and an example.

use super::super::openapi;
use serde_json::Value;
use std::collections::BTreeSet;

/// A member of a request: the operation's id, the member's path as in the table, its description and its schema.
type Found = (String, String, String, Value);

fn description(of: &Value) -> String {
    of["description"].as_str().unwrap_or_default().to_owned()
}

fn collect(operation: &str, path: &str, schema: &Value, found: &mut Vec<Found>) {
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let path = match path {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        found.push((
            operation.to_owned(),
            path.clone(),
            description(member),
            member.clone(),
        ));
        collect(operation, &path, member, found);
        collect(operation, &format!("{path}[]"), &member["items"], found);
    }
}

/// Every member and parameter of every operation of the document.
fn members() -> Vec<Found> {
    let document = openapi::document();
    let mut found = Vec::new();
    for verbs in document["paths"].as_object().unwrap().values() {
        for operation in verbs.as_object().unwrap().values() {
            // An alias has a number behind the id.
            let id = operation["operationId"].as_str().unwrap();
            let id = id.split('_').next().unwrap();
            for parameter in operation["parameters"].as_array().unwrap() {
                let name = parameter["name"].as_str().unwrap();
                let path = match parameter["in"].as_str().unwrap() {
                    "query" => format!("?{name}"),
                    "path" => format!("{{{name}}}"),
                    _ => name.to_owned(),
                };
                let schema = parameter["schema"].clone();
                found.push((id.to_owned(), path, description(parameter), schema));
            }
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            collect(id, "", body, &mut found);
            collect(id, "[]", &body["items"], &mut found);
        }
    }
    found
}

const WHERE: &str = "write them into its struct in gateway/src/routes/requests, or into the declaration of the path";

#[test]
fn every_member_of_a_request_has_its_meaning() {
    let members = members();
    assert!(members.len() > 1000, "{} members", members.len());
    let without: BTreeSet<String> = members
        .iter()
        .filter(|(_, _, description, _)| !description.ends_with('.'))
        .map(|(operation, path, _, _)| format!("{path} ({operation})"))
        .collect();
    assert!(
        without.is_empty(),
        "{} members have no words, or words without a full stop; {WHERE}: {without:#?}",
        without.len()
    );
}

#[test]
fn every_member_of_a_request_has_an_example() {
    let needs_one = |schema: &Value| {
        let is = |kind: &str| match &schema["type"] {
            Value::Array(kinds) => kinds.iter().any(|one| one == kind),
            one => one == kind,
        };
        let shows = ["enum", "const"]
            .iter()
            .any(|word| schema.get(word).is_some())
            || schema["examples"][0] != Value::Null;
        !shows && !is("object") && !is("array") && !is("boolean")
    };
    let without: BTreeSet<String> = members()
        .into_iter()
        .filter(|(_, _, _, schema)| needs_one(schema))
        .map(|(operation, path, _, _)| format!("{path} ({operation})"))
        .collect();
    assert!(
        without.is_empty(),
        "{} members have no example (`examples`); {WHERE}: {without:#?}",
        without.len()
    );
}

/// An example that the schema refuses would teach the wrong thing.
#[test]
fn the_examples_are_accepted() {
    for (operation, path, _, schema) in members() {
        for example in schema["examples"].as_array().into_iter().flatten() {
            let place = format!("{path} ({operation}): {example}");
            let Some(text) = example.as_str() else {
                let number = example.as_u64().expect(&place);
                assert!(number >= schema["minimum"].as_u64().unwrap_or(0), "{place}");
                assert!(
                    number <= schema["maximum"].as_u64().unwrap_or(u64::MAX),
                    "{place}"
                );
                continue;
            };
            let length = text.chars().count() as u64;
            assert!(
                length >= schema["minLength"].as_u64().unwrap_or(0),
                "{place}"
            );
            assert!(
                length <= schema["maxLength"].as_u64().unwrap_or(u64::MAX),
                "{place}"
            );
            if let Some(pattern) = schema["pattern"].as_str() {
                assert!(
                    regex::Regex::new(pattern).unwrap().is_match(text),
                    "{place}"
                );
            }
        }
    }
}
