//! Members with wrong values: each is named.

use super::*;

/// Every member of every body, with values that it does not accept (another type, too long, out of bounds, not in
/// the list): the refusal names it.
#[tokio::test]
async fn every_member_with_a_wrong_value_is_named() {
    let stage = Stage::new().await;
    let mine = Mine::of(&stage).await;
    let mut tried = 0;
    for operation in Operation::all() {
        let schema = operation.schema();
        if schema["type"] != "object" {
            continue;
        }
        let target = mine.path(&operation);
        let mut paths = Vec::new();
        members("", schema, &mut paths);
        for (path, schema) in paths {
            for wrong in wrong(schema) {
                let mut body = json!({});
                if operation.codes("PS0061") && path != "sessionId" {
                    body["sessionId"] = json!(stage.session);
                }
                // The other members of `recurrence` are checked only with an action.
                if let Some((before, name)) = path.split_once("recurrence.")
                    && name != "action"
                {
                    let action = format!("{before}recurrence.action");
                    put(&mut body, &action, json!("CONTRACT_CREATION"));
                }
                put(&mut body, &path, wrong.clone());
                let body = Body::from(body.to_string());
                // An address with a wrong country is left out. Only callers who ask for it get a refusal (contract 13, D131).
                let headers: &[(&str, &str)] = match path.ends_with("Address.country") {
                    true => &[("prefer", "handling=strict")],
                    false => &[],
                };
                let answer = stage.call_at(&operation, &target, headers, body).await;
                let place = format!("{} {path} {:.40}", operation.path, wrong.to_string());
                assert_eq!(answer.status, 400, "{place}");
                assert!(!answer.text().contains(MARK), "{place}: {}", answer.text());
                let errors = answer.body["errors"].as_array().unwrap();
                let named = errors.iter().any(|error| {
                    let text = error["description"].as_str().unwrap();
                    text.strip_prefix(path.as_str())
                        .is_some_and(|rest| rest.starts_with([' ', '[']))
                });
                // These are checked after other members, which are missing here.
                let is_later = path.ends_with("installments[0].date") || path.ends_with("urrency");
                assert!(named || is_later, "{place}: {errors:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 1000, "only {tried} values were tried");
}

/// Values that a schema does not accept.
fn wrong(schema: &Value) -> Vec<Value> {
    let long = MARK.repeat(1000);
    let candidates = [
        json!(true),
        json!(MARK),
        json!(long),
        json!(""),
        json!(-1),
        json!(1.5),
        json!(10_000_000_000_000_u64),
        json!(vec![json!({}); 200]),
        json!([MARK]),
        json!({}),
    ];
    let is_wrong = |value: &Value| {
        // A text may come as a number.
        let as_text = value.is_number().then(|| json!(value.to_string()));
        let has_problems = |value: &Value| !problems(schema, value).is_empty();
        has_problems(value) && as_text.is_none_or(|text| has_problems(&text))
    };
    let is_of = |kind: &str| match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|known| known == kind),
        known => known == kind,
    };
    // The error of an incomplete object names its members.
    let lacks = |value: &Value| value == &json!({}) && is_of("object");
    // The error of a wrong list names its elements.
    let differs = |value: &Value| value.is_array() && is_of("array");
    candidates
        .into_iter()
        .filter(|value| is_wrong(value) && !lacks(value) && !differs(value))
        .collect()
}

/// A marker in the request that must not be in the answer.
const MARK: &str = "Xq7Zt";

fn put(body: &mut Value, path: &str, value: Value) {
    let mut place = body;
    for piece in path.split('.') {
        match piece.strip_suffix("[0]") {
            // The minimum number of elements of any list.
            Some(name) => {
                if !place[name].is_array() {
                    place[name] = json!([{}, {}]);
                }
                place = &mut place[name][0];
            }
            None => place = &mut place[piece],
        }
    }
    *place = value;
}
