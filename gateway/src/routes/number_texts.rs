//! Numbers where a member is a text: shops whose ids are integers send `"customerId": 7`. They are turned into texts
//! with the same decimal digits first, so every reader knows only one form.
//!
//! The request's schema tells which members are texts ([`super::requests`]). A member that accepts numbers keeps
//! what was sent. A number whose original spelling is not certain stays a number, and its reader refuses it.

use serde_json::{Number, Value};

/// Turns the numbers of a body into texts where its schema has a text.
pub(super) fn write_numbers(body: &mut Value, schema: &Value) {
    match body {
        Value::Object(members) => {
            for (name, member) in members {
                write_numbers(member, &schema["properties"][name.as_str()]);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                write_numbers(element, &schema["items"]);
            }
        }
        Value::Number(number) if is_text(schema) => {
            if let Some(text) = decimal(number) {
                *body = Value::String(text);
            }
        }
        _ => {}
    }
}

/// Whether a schema takes texts and no numbers.
fn is_text(schema: &Value) -> bool {
    match &schema["type"] {
        Value::String(kind) => kind == "string",
        Value::Array(kinds) => {
            let has = |kind: &str| kinds.iter().any(|known| known == kind);
            has("string") && !has("integer") && !has("number")
        }
        _ => false,
    }
}

/// The original spelling of a number, if it is certain: whole numbers of 64 bits, and fractions that a double represents. (A
/// double keeps 15 digits; a number without a fraction may have been written with an exponent.)
fn decimal(number: &Number) -> Option<String> {
    let text = number.to_string();
    let is_certain = number.is_u64()
        || number.is_i64()
        || (!text.contains('e')
            && !text.ends_with(".0")
            && text.bytes().filter(u8::is_ascii_digit).count() <= 15);
    is_certain.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_number_becomes_a_text_where_the_schema_has_one() {
        let schema = json!({ "type": "object", "properties": {
            "id": { "type": ["string", "null"] },
            "amount": { "type": ["string", "integer"] },
            "count": { "type": "integer" },
            "free": { "description": "Any JSON." },
            "rows": { "type": "array", "items": { "type": "object", "properties": { "value": { "type": "string" } } } },
            "words": { "type": "array", "items": { "type": "string" } },
        } });
        let check = |body: Value, expected: Value| {
            let mut written = body;
            write_numbers(&mut written, &schema);
            assert_eq!(written, expected);
        };
        check(json!({ "id": 0 }), json!({ "id": "0" }));
        check(json!({ "id": -7 }), json!({ "id": "-7" }));
        check(
            json!({ "id": u64::MAX }),
            json!({ "id": "18446744073709551615" }),
        );
        check(json!({ "id": 12.5 }), json!({ "id": "12.5" }));
        check(json!({ "id": null }), json!({ "id": null }));
        check(
            json!({ "amount": 1, "count": 2, "free": 3, "unknown": 4 }),
            json!({ "amount": 1, "count": 2, "free": 3, "unknown": 4 }),
        );
        check(
            json!({ "rows": [{ "value": 1 }, 2], "words": ["a", 3] }),
            json!({ "rows": [{ "value": "1" }, 2], "words": ["a", "3"] }),
        );
    }

    #[test]
    fn a_number_whose_writing_is_not_certain_stays() {
        let schema = json!({ "type": "string" });
        for text in ["1e2", "1.0", "36893488147419103232", "0.1234567890123456"] {
            let mut body: Value = serde_json::from_str(text).unwrap();
            write_numbers(&mut body, &schema);
            assert!(body.is_number(), "{text}");
        }
    }
}
