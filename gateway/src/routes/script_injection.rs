//! Refuses scripts in the data: strings that a page could run (contract 1.10, `PS0041`).

use super::error::{ApiError, RequestErrors};
use payframe_error_codes::ErrorCode::PS0041;
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// Refuses a body with a script in any of its strings, at any depth.
pub(crate) fn refuse(body: &Value) -> Result<(), ApiError> {
    let mut findings = RequestErrors::default();
    search(body, &mut String::new(), &mut findings);
    findings.into_result()
}

/// Refuses a query with a script in any of its values.
pub(crate) fn refuse_in_query(query: &[(String, String)]) -> Result<(), ApiError> {
    let mut findings = RequestErrors::default();
    for (name, value) in query {
        if is_script(value) {
            findings.add(PS0041, format!("script in {}", safe_name(name)));
        }
    }
    findings.into_result()
}

/// Names of members come from the sender, so only names that look like our own are repeated.
fn safe_name(name: &str) -> &str {
    let known = name.len() <= 40 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if known { name } else { "?" }
}

fn search(value: &Value, path: &mut String, findings: &mut RequestErrors) {
    match value {
        Value::String(text) if is_script(text) => {
            let place = if path.is_empty() {
                "the body"
            } else {
                path.as_str()
            };
            findings.add(PS0041, format!("script in {place}"));
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                within(path, &format!("[{index}]"), |path| {
                    search(item, path, findings)
                });
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let step = safe_name(name);
                let dot = if path.is_empty() { "" } else { "." };
                within(path, &format!("{dot}{step}"), |path| {
                    search(member, path, findings)
                });
            }
        }
        _ => {}
    }
}

fn within(path: &mut String, step: &str, search: impl FnOnce(&mut String)) {
    let length = path.len();
    // Deep nesting would make the description arbitrarily long.
    if length < 200 {
        path.push_str(step);
    }
    search(path);
    path.truncate(length);
}

fn is_script(text: &str) -> bool {
    match PATTERN.as_ref() {
        Some(pattern) => pattern.is_match(text),
        // The pattern is a constant, and a test compiles it. If it were broken, every value would be refused.
        None => true,
    }
}

static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?i)<\s*/?\s*(script|iframe|object|embed|svg|img|link|meta|style)\b|javascript:|\bon[a-z]+\s*=\s*["']"#)
        .ok()
});

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn scripts_are_found() {
        for text in [
            "<script>alert(1)</script>",
            "< / SCRIPT >",
            "a<img src=x>",
            "<svg/onload=1>",
            "JavaScript:alert(1)",
            r#"" onerror="x"#,
            "x onclick = 'y'",
            "<style>",
        ] {
            assert!(is_script(text), "{text}");
        }
    }

    #[test]
    fn ordinary_text_passes() {
        for text in [
            "",
            "Order 42",
            "a < b",
            "<b>bold</b>",
            "java script",
            "on=1",
            "scripture <scripture>",
            "Łódź ✓",
        ] {
            assert!(!is_script(text), "{text}");
        }
    }

    #[test]
    fn a_script_is_named_by_its_place_not_by_its_text() {
        let body = json!({"order": {"transactionSummary": [{"label": "<script>evil"}]}, "<script>": "<img x"});
        let Err(ApiError::Because(_, problems)) = refuse(&body) else {
            panic!("it passed")
        };
        let texts: Vec<&str> = problems
            .iter()
            .map(|problem| problem.description.as_str())
            .collect();
        assert_eq!(
            texts,
            ["script in ?", "script in order.transactionSummary[0].label"]
        );
    }
}
