//! Runs the examples of the guides: bash runs each block that is marked `sh curl`, one after the other, with
//! curl against a gateway that listens. A JSON block after it is what its last answer has to contain; `…` in one of its texts
//! stands for any text.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/process.rs"]
mod process;

use process::Process;
use serde_json::Value;
use std::process::Command;

/// A block of a guide that is run.
struct Example {
    /// The line in the guide.
    line: usize,
    script: String,
    /// The expected part of its last answer.
    expected: Option<Value>,
}

#[test]
fn the_examples_of_the_guide_for_operators_work() {
    check("gateway.md", include_str!("../../docs/gateway.md"), 7);
}

#[test]
fn the_examples_of_the_guide_to_the_first_payment_work() {
    let guide = include_str!("../../docs/first-payment.md");
    check("first-payment.md", guide, 2);
}

#[test]
fn the_examples_of_the_guide_to_testing_work() {
    check("testing.md", include_str!("../../docs/testing.md"), 3);
}

#[test]
fn the_examples_of_the_guide_to_subscriptions_work() {
    let guide = include_str!("../../docs/subscriptions.md");
    check("subscriptions.md", guide, 3);
}

#[test]
fn the_examples_of_the_guide_for_servers_work() {
    let guide = include_str!("../../docs/server-to-server.md");
    check("server-to-server.md", guide, 14);
}

#[test]
fn the_examples_of_the_guide_to_hosted_pages_work() {
    check(
        "hosted-page.md",
        include_str!("../../docs/hosted-page.md"),
        6,
    );
}

#[test]
fn the_examples_of_the_guide_to_guaranteed_collection_work() {
    let guide = include_str!("../../docs/guaranteed-collection.md");
    check("guaranteed-collection.md", guide, 9);
}

/// Runs the examples of a guide, which has at least `least` of them.
fn check(name: &str, guide: &str, least: usize) {
    let examples = examples(name, guide);
    assert!(
        examples.len() >= least,
        "{name}: {} examples",
        examples.len()
    );
    let folder = tempfile::tempdir().unwrap();
    let gateway = Process::start(&folder.path().join("data"), &[]);
    let mut script = String::from(PRELUDE);
    for Example {
        line,
        script: block,
        ..
    } in &examples
    {
        script.push_str(&format!(
            "echo 'line {line}' > at\n{{\n{block}}} > 'answer-{line}'\n"
        ));
    }
    // Each wait for an answer is limited.
    std::fs::write(folder.path().join(".curlrc"), "max-time = 60\n").unwrap();
    let run = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .env("GATEWAY", &gateway.address)
        .env("API", format!("{}/api", gateway.address))
        .env("KEY", "sandbox-implicit")
        .env("CURL_HOME", folder.path())
        .env("no_proxy", "*")
        .output()
        .expect("bash runs the examples");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    assert!(
        run.status.success(),
        "{name}, {}: {}{}",
        read("at").trim(),
        read(&format!(
            "answer-{}",
            read("at").trim().trim_start_matches("line ")
        )),
        String::from_utf8_lossy(&run.stderr)
    );
    for Example { line, expected, .. } in &examples {
        let Some(expected) = expected else { continue };
        let answer = read(&format!("answer-{line}"));
        let last = serde_json::Deserializer::from_str(&answer)
            .into_iter::<Value>()
            .last();
        let answer = last
            .and_then(Result::ok)
            .unwrap_or_else(|| panic!("{name}, line {line}: no JSON came: {answer}"));
        let missing = missing(expected, &answer, "");
        assert!(
            missing.is_empty(),
            "{name}, line {line}: {missing:?} in {answer}"
        );
    }
}

/// The blocks of a guide that are run, each with the JSON after it.
fn examples(name: &str, guide: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut block: Option<(String, usize, String)> = None;
    let mut follows_example = false;
    for (number, text) in guide.lines().enumerate() {
        let fence = text.strip_prefix("```");
        match (&mut block, fence) {
            (None, Some(mark)) => block = Some((mark.to_owned(), number + 1, String::new())),
            (None, None) => follows_example &= text.trim().is_empty(),
            (Some((_, _, content)), None) => {
                content.push_str(text);
                content.push('\n');
            }
            (Some((mark, line, content)), Some(_)) => {
                let (line, content) = (*line, std::mem::take(content));
                match mark.as_str() {
                    "sh curl" => {
                        examples.push(Example {
                            line,
                            script: content,
                            expected: None,
                        });
                        follows_example = true;
                    }
                    "json" if follows_example => {
                        let expected = serde_json::from_str(&content);
                        let expected =
                            expected.unwrap_or_else(|why| panic!("{name}, line {line}: {why}"));
                        examples.last_mut().unwrap().expected = Some(expected);
                        follows_example = false;
                    }
                    "sh" => {
                        assert!(
                            !content.contains("curl "),
                            "{name}, line {line}: mark the block as `sh curl`, so that it is run"
                        );
                        follows_example = false;
                    }
                    _ => follows_example = false,
                }
                block = None;
            }
        }
    }
    examples
}

/// The paths of `expected` that `found` lacks.
fn missing(expected: &Value, found: &Value, path: &str) -> Vec<String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => expected
            .iter()
            .flat_map(|(name, value)| {
                let path = format!("{path}.{name}");
                match found.get(name) {
                    Some(found) => missing(value, found, &path),
                    None => vec![path],
                }
            })
            .collect(),
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            let pairs = expected.iter().zip(found).enumerate();
            pairs
                .flat_map(|(index, (expected, found))| {
                    missing(expected, found, &format!("{path}[{index}]"))
                })
                .collect()
        }
        (Value::String(expected), Value::String(found)) if fits(expected, found) => Vec::new(),
        _ if expected == found => Vec::new(),
        _ => vec![path.to_owned()],
    }
}

/// Whether a text equals `expected`, in which `…` stands for any text.
fn fits(expected: &str, found: &str) -> bool {
    let mut pieces = expected.split('…');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = found.strip_prefix(first) else {
        return false;
    };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some((_, after)) = rest.split_once(piece) else {
            return false;
        };
        rest = after;
    }
    true
}

#[test]
fn what_an_answer_must_hold_is_compared() {
    let check = |expected: &str, found: &str, paths: &[&str]| {
        let read = |text| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(missing(&read(expected), &read(found), ""), paths);
    };
    check(r#"{ "a": "…" }"#, r#"{ "a": "x", "b": 1 }"#, &[]);
    check(r#"{ "a": "x…z" }"#, r#"{ "a": "xyz" }"#, &[]);
    check(r#"{ "a": "x…z" }"#, r#"{ "a": "xy" }"#, &[".a"]);
    check(
        r#"{ "a": { "b": 1 } }"#,
        r#"{ "a": { "c": 1 } }"#,
        &[".a.b"],
    );
    check(r#"{ "a": [] }"#, r#"{ "a": [1] }"#, &[".a"]);
    check(
        r#"{ "a": [{ "b": "1" }] }"#,
        r#"{ "a": [{ "b": "2" }] }"#,
        &[".a[0].b"],
    );
}

/// Stops at the first command that fails. If `uuidgen` is not installed, the system's own source is used.
const PRELUDE: &str = "set -euo pipefail
command -v uuidgen > /dev/null || uuidgen() { cat /proc/sys/kernel/random/uuid; }
";
