//! Leaves members without a value out of answers: `null` is never sent (contract 1.2). Typed clients fail on `null`.
//!
//! The wire types leave them out themselves. Every successful answer passes this function, also an answer that was
//! stored and is sent again. Elements of arrays stay: a list keeps its length.

use serde_json::Value;

/// The same JSON without members that are `null`. JSON without such members keeps its bytes.
pub(super) fn left_out(body: Vec<u8>) -> Vec<u8> {
    // A quick check. Without the word `null` there is nothing to remove.
    if !body.windows(4).any(|window| window == b"null") {
        return body;
    }
    let Ok(mut value) = serde_json::from_slice::<Value>(&body) else {
        return body;
    };
    if !remove(&mut value) {
        return body;
    }
    serde_json::to_vec(&value).unwrap_or(body)
}

/// Whether there was anything to remove.
fn remove(value: &mut Value) -> bool {
    match value {
        Value::Object(members) => {
            let before = members.len();
            members.retain(|_, member| !member.is_null());
            let mut found = members.len() < before;
            for member in members.values_mut() {
                found |= remove(member);
            }
            found
        }
        Value::Array(elements) => {
            let mut found = false;
            for element in elements {
                found |= remove(element);
            }
            found
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_without_a_value_are_left_out() {
        let check = |body: &str, expected: &str| {
            let left = left_out(body.as_bytes().to_vec());
            assert_eq!(String::from_utf8(left).unwrap(), expected);
        };
        check(r#"{"a":null,"b":1}"#, r#"{"b":1}"#);
        check(r#"{"a":[{"b":null},null]}"#, r#"{"a":[{},null]}"#);
        check(r#"{"b":"null",  "a":1}"#, r#"{"b":"null",  "a":1}"#);
        check("", "");
    }
}
