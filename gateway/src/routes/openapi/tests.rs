//! Tests that the declarations are complete, and that the document contains what it has to.

use super::*;
use std::collections::HashSet;

#[test]
fn every_declaration_is_whole() {
    let mut ids = HashSet::new();
    for endpoint in endpoints() {
        let id = &endpoint.id;
        assert!(ids.insert(id), "{id} is there twice");
        assert!(
            !endpoint.title.is_empty() && !endpoint.title.ends_with('.'),
            "{id}: title"
        );
        assert!(endpoint.about.ends_with('.'), "{id}: about");
        for code in endpoint.refusals {
            assert!(!code.statuses().is_empty(), "{id}: {code} is no refusal");
        }
        assert!(!endpoint.bases.is_empty(), "{id}: bases");
        let parameters = endpoint.path.matches('{').count();
        assert!(parameters <= 1, "{id}: path");
        let described = endpoint.parameter.iter().count();
        assert_eq!(parameters, described, "{id}: params of utoipa::path");
        let is_known = TAGS.iter().any(|(name, _)| *name == endpoint.tag);
        assert!(is_known, "{id}: tag");
    }
}

#[test]
fn every_member_that_is_read_is_described() {
    fn free(path: &str, schema: &Value, found: &mut Vec<String>) {
        if schema.as_object().is_some_and(Map::is_empty) {
            found.push(path.to_owned());
        }
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            free(&format!("{path}.{name}"), member, found);
        }
        if let Some(items) = schema.get("items") {
            free(&format!("{path}[]"), items, found);
        }
    }
    let mut found = Vec::new();
    for endpoint in endpoints() {
        for parameter in &endpoint.query {
            let path = format!("{}?{}", endpoint.id, parameter.name);
            free(&path, &parameter.schema, &mut found);
        }
        if let Some((_, schema)) = &endpoint.body {
            free(&endpoint.id, schema, &mut found);
        }
    }
    assert!(found.is_empty(), "needed, and never read: {found:?}");
}

#[test]
fn every_body_has_an_example() {
    for endpoint in endpoints() {
        let takes_one = endpoint.body.is_some();
        assert_eq!(
            request_examples::of(&endpoint.id).is_some(),
            takes_one,
            "{}: each body has an example in request_examples.rs, and nothing else has one",
            endpoint.id
        );
    }
}

#[test]
fn every_reference_is_there() {
    fn references(value: &Value, found: &mut HashSet<String>) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get("$ref") {
                    found.insert(reference.clone());
                }
                members
                    .values()
                    .for_each(|member| references(member, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = HashSet::new();
    references(&document, &mut found);
    assert!(found.len() > 10);
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

/// Parts 4.1 and 4.2 of the interface outline, name by name.
const OUTLINE: &[(&str, &str)] = &[
    ("POST", "/orders/hpp"),
    ("POST", "/v2/orders/paybylink"),
    ("POST", "/v1/orders/paybylink"),
    ("POST", "/paybylink/{linkId}/cancels"),
    ("POST", "/orders/3steps/init"),
    ("POST", "/orders/3steps/validation"),
    ("POST", "/orders/3steps/payment"),
    ("POST", "/orders/mit"),
    ("POST", "/orders/card_verification"),
    ("POST", "/orders/moto"),
    ("POST", "/orders/walletpay"),
    ("POST", "/orders/build"),
    ("POST", "/build/finalize_payment"),
    ("POST", "/build/cancel"),
    ("GET", "/build/state"),
    ("GET", "/build/cardData"),
    ("GET", "/build/integrity"),
    ("POST", "/build/confirm_payment"),
    ("GET", "/orders"),
    ("GET", "/orders/{orderId}"),
    ("GET", "/operations"),
    ("GET", "/operations/{operationId}"),
    ("GET", "/operations/{operationId}/actions"),
    ("POST", "/operations/{operationId}/refunds"),
    ("POST", "/operations/{operationId}/captures"),
    ("POST", "/operations/{operationId}/cancels"),
    ("GET", "/contracts/customers/{customerId}"),
    ("POST", "/contracts/{contractId}/deactivation"),
    ("GET", "/payment_methods"),
    ("GET", "/orders/paybylink"),
    ("GET", "/orders/paybylink/{linkId}"),
    ("POST", "/orders/paybylink/{linkId}/renewals"),
];

#[test]
fn the_document_has_every_operation_of_the_outline() {
    let document = document();
    for (verb, path) in OUTLINE {
        let there = document["paths"][path][verb.to_ascii_lowercase()].is_object();
        assert!(there, "{verb} {path} is not declared");
    }
}
