//! Tests that the reference matches the document, and that its pages in `docs` are current.

use super::*;
use std::path::Path;

/// The pages in `docs` match the code, and there is no other.
#[test]
fn the_reference_in_docs_is_current() {
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let pages = markdown_pages();
    for page in &pages {
        let kept = std::fs::read_to_string(docs.join(&page.file)).unwrap_or_default();
        assert!(
            kept == page.text,
            "docs/{} is not current: renew it with `cargo xtask reference`",
            page.file
        );
    }
    let chapters = std::fs::read_dir(docs.join("api")).unwrap().count();
    assert_eq!(chapters + 1, pages.len(), "a page of docs/api is not made");
}

fn markdown() -> String {
    let pages = markdown_pages().into_iter();
    pages.map(|page| page.text).collect()
}

#[test]
fn a_type_leads_to_its_page() {
    let pages = markdown_pages();
    let has = |file: &str, part: &str| {
        let page = pages.iter().find(|page| page.file == file).unwrap();
        assert!(page.text.contains(part), "{file}: {part}");
    };
    has("api.md", "- [Payments](api/payments.md)");
    has(
        "api/payments.md",
        "Answer: [`IntegrityAnswer`](types-of-answers.md#integrityanswer).",
    );
    has("api/types-of-answers.md", "\n## IntegrityAnswer\n");
    has("api/types-of-answers.md", "[`Operation`](#operation)");
    has(
        "api/payments.md",
        "| `order` | [`Order`](types-of-requests.md#order) |",
    );
    has(
        "api/types-of-requests.md",
        "| [`CustomerInfo`](#customerinfo) |",
    );
}

/// A type is described once, so it must be the same in all calls; and no type of answers may have its name.
#[test]
fn a_type_of_requests_is_one() {
    let document = openapi_document();
    let mut found_types: BTreeMap<String, Value> = BTreeMap::new();
    for (path, _, operation) in operations(&document) {
        let mut of_call = BTreeMap::new();
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        find_titled(body, &mut of_call);
        for (name, schema) in of_call {
            let members = schema["properties"].clone();
            let first = found_types.entry(name.to_owned());
            let first = first.or_insert_with(|| members.clone());
            assert!(
                *first == members,
                "{path}: {name} has other members elsewhere"
            );
            assert!(document["components"]["schemas"][name].is_null(), "{name}");
        }
    }
    assert!(found_types.contains_key("Order"), "{found_types:?}");
}

#[test]
fn what_is_told_cannot_become_markup() {
    assert_eq!(
        marked_up("a<b> `c\"&`").0,
        "a&#60;b&#62; <code>c&#34;&#38;</code>"
    );
    assert_eq!(marked_up("`open").0, "<code>open</code>");
}

/// With the headers that the call takes.
#[test]
fn every_body_is_shown_in_a_call() {
    let document = openapi_document();
    let text = markdown();
    for (path, _, operation) in operations(&document) {
        let id = super::text(&operation["operationId"]);
        if operation["requestBody"].is_null() || id.contains('_') {
            continue;
        }
        let call = curl(path, operation);
        assert!(text.contains(&call), "{id}");
        let frame_only = path.starts_with("/fe/");
        let credential = ["X-API-KEY: $KEY", "session: $SESSION"][usize::from(frame_only)];
        for header in [credential, "Correlation-Id: ", "Idempotency-Key: "] {
            assert!(call.contains(header), "{id}: {header}");
        }
        assert!(
            !call.lines().next().unwrap().contains('{'),
            "{id}: the path"
        );
    }
}

#[test]
fn every_operation_is_told() {
    let text = markdown();
    let document = openapi_document();
    for (path, verb, _) in operations(&document) {
        let name = format!("## `{} {path}` ", verb.to_ascii_uppercase());
        assert!(text.contains(&name), "{name}");
    }
}

#[test]
fn the_page_has_every_part_of_the_reference() {
    let page = html().unwrap();
    let blocks = blocks(&openapi_document());
    let count = |is: fn(&Block) -> bool| blocks.iter().filter(|block| is(block)).count();
    let headings = count(|block| matches!(block, Block::Heading(level, _) if *level > 1));
    for (markup, expected) in [
        ("<li class=\"l", headings),
        ("<a href=\"#s", headings),
        ("<p>", count(|block| matches!(block, Block::Text(_)))),
        ("<table>", count(|block| matches!(block, Block::Table(..)))),
        ("<pre ", count(|block| matches!(block, Block::Code(..)))),
    ] {
        assert!(expected > 10, "{markup}");
        assert_eq!(page.matches(markup).count(), expected, "{markup}");
    }
    assert!(page.contains("<h1 id=\"s0\">API reference</h1>"));
    assert!(
        page.contains("<tr><th>Member</th><th>Type</th>"),
        "cells of a head"
    );
}
