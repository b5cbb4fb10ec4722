//! Addresses with an unknown country: they are left out of a request with a warning, and never cause a refusal (contract 13,
//! D131). Shops send what their buyers wrote.
//!
//! The request's schema tells where addresses are ([`super::requests`]): an object with a `country`.

use super::customer::country;
use serde_json::Value;

/// Removes such addresses from a body, and returns their paths.
pub(super) fn leave_out(body: &mut Value, schema: &Value) -> Vec<String> {
    let mut left_out = Vec::new();
    look("", body, schema, &mut left_out);
    left_out
}

/// Whether a request may have addresses.
pub(super) fn may_hold_some(schema: &Value) -> bool {
    let members = schema["properties"].as_object();
    let mut members = members.into_iter().flatten();
    members.any(|(_, member)| is_address(member) || may_hold_some(member))
        || schema.get("items").is_some_and(may_hold_some)
}

fn is_address(schema: &Value) -> bool {
    schema["properties"].get("country").is_some()
}

fn look(path: &str, value: &mut Value, schema: &Value, left_out: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.retain(|name, member| {
            let schema = &schema["properties"][name.as_str()];
            let path = match path {
                "" => name.clone(),
                path => format!("{path}.{name}"),
            };
            let is_unknown =
                is_address(schema) && member.get("country").is_some_and(is_unknown_country);
            if is_unknown {
                left_out.push(path);
            } else {
                look(&path, member, schema, left_out);
            }
            !is_unknown
        }),
        Value::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                look(
                    &format!("{path}[{index}]"),
                    element,
                    &schema["items"],
                    left_out,
                );
            }
        }
        _ => {}
    }
}

/// Whether `country` is sent and is not the code of a country.
fn is_unknown_country(sent: &Value) -> bool {
    !sent.is_null() && sent.as_str().and_then(country).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_addresses_with_an_unknown_country_are_left_out() {
        let address = json!({ "type": "object", "properties": { "city": {}, "country": {} } });
        let schema = json!({ "type": "object", "properties": { "order": { "type": "object", "properties": {
            "home": address.clone(), "ways": { "type": "array", "items": { "type": "object", "properties": { "to": address } } }
        } } } });
        assert!(may_hold_some(&schema));
        assert!(may_hold_some(
            &schema["properties"]["order"]["properties"]["ways"]
        ));
        assert!(!may_hold_some(
            &json!({ "type": "object", "properties": { "country": {} } })
        ));
        let mut body = json!({ "country": "??", "order": {
            "country": "??", "home": { "city": "Roma", "country": "Italy" },
            "ways": [{ "to": { "country": "it" } }, { "to": { "country": 39 } }, { "to": { "country": null } }, { "to": {} }]
        } });
        let left_out = leave_out(&mut body, &schema);
        assert_eq!(left_out, ["order.home", "order.ways[1].to"]);
        let rest = json!({ "country": "??", "order": {
            "country": "??",
            "ways": [{ "to": { "country": "it" } }, {}, { "to": { "country": null } }, { "to": {} }]
        } });
        assert_eq!(body, rest);
    }
}
