//! What the members of requests mean, for the documents: what each is for, its unit, what happens without it, and an
//! example. What a member accepts is not said here; its schema says that ([`super::request_schema`]).
//!
//! The words are in one table ([`words`]). A member takes the entry whose path is the longest end of its own path, so
//! `customerInfo.cardHolderName` serves every call with a `customerInfo`. Where one name means something else in
//! one operation, that operation has an entry of its own.
//!
//! A test names each member without words. Write them into `request_members/words.rs`.

mod words;

use serde_json::{Value, json};
use words::WORDS;

/// The words for a member.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// Names joined by dots, `[]` behind those of arrays. A parameter of a query begins with `?`, one of a path
    /// stands in braces.
    path: &'static str,
    /// The only operations that the entry is for. Empty: for all.
    operations: &'static [&'static str],
    /// Sentences.
    meaning: &'static str,
    /// In place of the schema's own example.
    example: Example,
}

#[derive(Clone, Copy, Debug)]
enum Example {
    /// The schema has one, or names every value.
    OfSchema,
    Text(&'static str),
    Number(u64),
}

/// Adds the words to the members of a body's schema.
pub(super) fn describe_body(operation: &str, schema: &mut Value) {
    match schema.get_mut("items") {
        Some(items) => describe_members(operation, "[]", items),
        None => describe_members(operation, "", schema),
    }
}

/// Adds an example to the schema of a parameter of a query, and answers what the parameter means.
pub(super) fn describe_query(operation: &str, name: &str, schema: &mut Value) -> &'static str {
    describe(operation, &format!("?{name}"), schema)
}

/// Adds an example to the schema of a path's parameter, and answers what the parameter means.
pub(super) fn describe_path(operation: &str, name: &str, schema: &mut Value) -> &'static str {
    describe(operation, &format!("{{{name}}}"), schema)
}

fn describe_members(operation: &str, path: &str, schema: &mut Value) {
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, member) in members.into_iter().flatten() {
        let path = match path {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        let meaning = describe(operation, &path, member);
        member["description"] = json!(meaning);
        describe_members(operation, &path, member);
        if let Some(items) = member.get_mut("items") {
            describe_members(operation, &format!("{path}[]"), items);
        }
    }
}

fn describe(operation: &str, path: &str, schema: &mut Value) -> &'static str {
    let Some(member) = find(operation, path) else {
        return "";
    };
    match member.example {
        Example::OfSchema => {}
        Example::Text(text) => schema["examples"] = json!([text]),
        Example::Number(number) => schema["examples"] = json!([number]),
    }
    member.meaning
}

/// The entry for a member: the longest one that fits, an operation's own before the common one.
fn find(operation: &str, path: &str) -> Option<&'static Member> {
    let fits = |member: &&Member| {
        let is_end = path.strip_suffix(member.path);
        let on_border = is_end.is_some_and(|before| before.is_empty() || before.ends_with('.'));
        on_border && (member.operations.is_empty() || member.operations.contains(&operation))
    };
    WORDS
        .iter()
        .filter(fits)
        .max_by_key(|member| (member.path.len(), !member.operations.is_empty()))
}

#[cfg(test)]
mod tests;
