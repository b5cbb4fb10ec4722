//! Examples of messages in the fixtures.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, from_value, to_value};

/// A member of a fixture.
pub(crate) fn member(fixture: &str, name: &str) -> Value {
    let mut all: Value = serde_json::from_str(fixture).expect("the fixture is JSON");
    all[name].take()
}

/// Reads and writes each example of a list; returns what was read.
pub(crate) fn round_trip<T: DeserializeOwned + Serialize>(fixture: &str, name: &str) -> Vec<T> {
    let examples = from_value::<Vec<Value>>(member(fixture, name)).expect("a list");
    let read = |example: Value| {
        let message: T =
            from_value(example.clone()).unwrap_or_else(|cause| panic!("{cause}: {example}"));
        assert_eq!(
            to_value(&message).expect("messages are JSON"),
            example,
            "left: what Rust writes, right: the fixture"
        );
        message
    };
    examples.into_iter().map(read).collect()
}
