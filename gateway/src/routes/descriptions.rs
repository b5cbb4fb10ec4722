//! What the members of the wire types mean, in the words of their own doc comments, for the documents.
//!
//! The comments are read from the sources that the types are compiled from. A test finds a member without one.

use serde_json::{Map, Value, json};

/// Adds a description to every type and member that has one.
pub(crate) fn add_to(schemas: &mut Map<String, Value>) {
    for source in SOURCES {
        let mut comment = String::new();
        let mut rename = None;
        let mut inside = String::new();
        for line in source.lines() {
            let line = line.trim();
            if let Some(text) = line.strip_prefix("///") {
                comment.push_str(text);
                continue;
            }
            if line.starts_with("#[") {
                rename = quoted_after(line, "rename = ").or(rename);
                continue;
            }
            let comment = plain(&std::mem::take(&mut comment));
            let rename = rename.take();
            let Some(rest) = line.strip_prefix("pub ") else {
                continue;
            };
            if let Some(rest) = rest.strip_prefix("struct ").or(rest.strip_prefix("enum ")) {
                inside = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
                if let Some(schema) = schemas.get_mut(&inside) {
                    schema["description"] = json!(comment);
                }
                continue;
            }
            let Some((field, _)) = rest.split_once(": ") else {
                continue;
            };
            let member = rename.unwrap_or_else(|| camel_case(field));
            for name in [member.as_str(), field] {
                let path = format!("/properties/{name}");
                let found = schemas
                    .get_mut(&inside)
                    .and_then(|schema| schema.pointer_mut(&path));
                if let Some(schema) = found {
                    schema["description"] = json!(comment);
                    break;
                }
            }
        }
    }
}

/// A comment for readers without the source: links to types lose their brackets.
fn plain(comment: &str) -> String {
    let text = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace("[`crate::api::", "`")
        .replace("[`", "`")
        .replace("`]", "`")
}

fn quoted_after(line: &str, mark: &str) -> Option<String> {
    let (_, rest) = line.split_once(mark)?;
    let mut pieces = rest.split('"');
    pieces.next()?;
    pieces.next().map(str::to_owned)
}

fn camel_case(field: &str) -> String {
    let mut pieces = field.split('_');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |mut name, piece| {
        let mut letters = piece.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
        name
    })
}

const SOURCES: &[&str] = &[
    include_str!("../../../crates/protocol/src/api.rs"),
    include_str!("../../../crates/protocol/src/operation.rs"),
    include_str!("../../../crates/protocol/src/back_office.rs"),
    include_str!("../../../crates/protocol/src/build.rs"),
    include_str!("../../../crates/protocol/src/catalogue.rs"),
    include_str!("../../../crates/protocol/src/contract.rs"),
    include_str!("../../../crates/protocol/src/hosted.rs"),
    include_str!("../../../crates/protocol/src/reservation.rs"),
    include_str!("../../../crates/protocol/src/three_step.rs"),
    include_str!("../../../crates/protocol/src/wallet.rs"),
];

#[cfg(test)]
mod tests {
    use super::super::openapi;

    #[test]
    fn every_type_and_member_of_an_answer_has_its_meaning() {
        let document = openapi::document();
        let mut without = Vec::new();
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            if schema["description"].as_str().is_none_or(str::is_empty) {
                without.push(name.clone());
            }
            for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
                if schema["description"].as_str().is_none_or(str::is_empty) {
                    without.push(format!("{name}.{member}"));
                }
            }
        }
        assert!(
            without.is_empty(),
            "no comment was found for {without:?}: write one, or name the type's file in SOURCES"
        );
    }
}
