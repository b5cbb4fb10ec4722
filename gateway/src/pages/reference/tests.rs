//! That the reference tells the document, and that `docs/api.md` is current.

use super::*;

/// `docs/api.md` is what the code says.
#[test]
fn the_reference_in_docs_is_current() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/api.md");
    let kept = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        kept == markdown(),
        "docs/api.md is not current: renew it with `cargo xtask reference`"
    );
}

#[test]
fn what_is_told_cannot_become_markup() {
    assert_eq!(
        marked_up("a<b> `c\"&`"),
        "a&lt;b&gt; <code>c&quot;&amp;</code>"
    );
    assert_eq!(marked_up("`open"), "<code>open</code>");
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
        let name = format!("### `{} {path}` ", verb.to_ascii_uppercase());
        assert!(text.contains(&name), "{name}");
    }
}
