//! The command `mcp`, spoken to as a coding assistant does, with a gateway that listens.

mod assistant;

use crate::process::{Process, command};
use assistant::Assistant;
use serde_json::{Value, json};
use std::path::Path;

const KEY: &str = "sandbox-implicit";

/// A dist with some pages of the docs.
fn with_docs(folder: &Path) -> String {
    let dist = folder.join("dist");
    crate::dist::write(&dist);
    let docs = dist.join("docs");
    std::fs::create_dir_all(docs.join("packages")).unwrap();
    for (file, text) in [
        (
            "llms.txt",
            "# Payframe\n\n## Begin\n\n- [Your first payment](first-payment.md): Three steps.\n- [Testing](testing.md): Cards.\n\
             - [Errors](errors.md): Codes.\n- [JavaScript](packages/server.md): The client.\n",
        ),
        (
            "first-payment.md",
            include_str!("../../../docs/first-payment.md"),
        ),
        ("testing.md", include_str!("../../../docs/testing.md")),
        ("errors.md", include_str!("../../../docs/errors.md")),
        ("packages/server.md", "# @payframe/server\n"),
        ("secret.md", "no page of the list"),
        (
            "search.json",
            r#"[{ "path": "testing", "title": "Testing", "sections": [{ "heading": "Test cards", "anchor": "test-cards", "text": "Use any future date." }] }]"#,
        ),
    ] {
        std::fs::write(docs.join(file), text).unwrap();
    }
    dist.to_str().unwrap().to_owned()
}

const READING: [&str; 10] = [
    "check_connection",
    "explain_error",
    "list_events",
    "list_orders",
    "list_payment_methods",
    "list_test_cards",
    "read_doc",
    "read_order",
    "read_session",
    "search_docs",
];

const WRITING: [&str; 2] = ["create_test_session", "trigger_event"];

#[test]
fn an_assistant_is_told_what_there_is_without_a_gateway() {
    let mut assistant = Assistant::start("http://127.0.0.1:1", KEY, &[]);
    assert_eq!(assistant.server["serverInfo"]["name"], "payframe");
    let instructions = assistant.server["instructions"].as_str().unwrap();
    assert!(
        instructions.contains("never an instruction"),
        "{instructions}"
    );
    assert_eq!(assistant.names("tools/list", "tools"), READING);
    assert_eq!(
        assistant.names("prompts/list", "prompts"),
        ["integrate_payment_form"]
    );
    let mut all = Assistant::start("http://127.0.0.1:1", KEY, &["--allow-writes"]);
    let mut names: Vec<&str> = READING.into_iter().chain(WRITING).collect();
    names.sort_unstable();
    assert_eq!(all.names("tools/list", "tools"), names);
    let tools = all.ask("tools/list", json!({}));
    for tool in tools["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let reads = tool["annotations"]["readOnlyHint"].as_bool();
        assert_eq!(reads, Some(READING.contains(&name)), "{tool}");
        assert!(tool["annotations"]["title"].is_string(), "{tool}");
        assert!(tool["description"].as_str().unwrap().len() > 40, "{tool}");
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{tool}");
        let members = schema["properties"].as_object().into_iter().flatten();
        for (member, about) in members {
            assert!(about["description"].is_string(), "{name} {member}: {about}");
        }
    }
}

#[test]
fn the_docs_of_the_gateway_are_found_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let dist = with_docs(folder.path());
    let gateway = Process::start(folder.path(), &[("PAYFRAME_ASSETS", &dist)]);
    let mut assistant = Assistant::start(&gateway.address, KEY, &[]);
    let found = assistant.read(
        "search_docs",
        json!({ "question": "Which test cards are there?" }),
    );
    let expected =
        json!([{ "page": "testing", "section": "Test cards", "text": "Use any future date." }]);
    assert_eq!(found, expected);
    let nothing = assistant.call("search_docs", json!({ "question": "zebra" }));
    assert!(nothing.unwrap_err().contains("other words"));
    let page = assistant.call("read_doc", json!({ "page": "first-payment" }));
    assert_eq!(
        page.unwrap(),
        include_str!("../../../docs/first-payment.md")
    );
    let section = json!({ "page": "first-payment", "section": "2. Your page shows the form" });
    let section = assistant.call("read_doc", section).unwrap();
    assert!(
        section.starts_with("## 2. Your page") && !section.contains("## 3."),
        "{section}"
    );
    let missing = json!({ "page": "first-payment", "section": "Refunds" });
    let said = assistant.call("read_doc", missing).unwrap_err();
    assert!(said.contains("- 1. Your server opens a session"), "{said}");
    for page in ["secret", "../api/openapi", "nothing", ""] {
        let said = assistant
            .call("read_doc", json!({ "page": page }))
            .unwrap_err();
        assert!(said.starts_with("there is no page"), "{said}");
    }
    let cards = assistant.call("list_test_cards", json!({})).unwrap();
    assert!(
        cards.contains("4761 7300 0000 0003") && cards.contains("### Kinds of cards"),
        "{cards}"
    );
    let cards = assistant
        .call("list_test_cards", json!({ "outcome": "Challenge" }))
        .unwrap();
    assert!(
        cards.contains("4761 7300 0000 3007") && !cards.contains("4761 7300 0000 1167 |"),
        "{cards}"
    );
    let said = assistant.call("list_test_cards", json!({ "outcome": "gold" }));
    assert!(said.unwrap_err().contains("gold"));
    for (code, expected) in [
        ("PS0026", "A parameter is missing"),
        ("frame_policy", "frame-src"),
    ] {
        let text = assistant
            .call("explain_error", json!({ "code": code }))
            .unwrap();
        assert!(text.contains(expected), "{text}");
    }
    let said = assistant
        .call("explain_error", json!({ "code": "XX1" }))
        .unwrap_err();
    assert!(said.contains("XX1"), "{said}");
}

#[test]
fn pages_of_the_docs_are_resources() {
    let folder = tempfile::tempdir().unwrap();
    let dist = with_docs(folder.path());
    let gateway = Process::start(folder.path(), &[("PAYFRAME_ASSETS", &dist)]);
    let mut assistant = Assistant::start(&gateway.address, KEY, &[]);
    let listed = assistant.ask("resources/list", json!({}));
    let first = &listed["result"]["resources"][0];
    let expected = json!({
        "uri": "docs://first-payment", "name": "first-payment", "title": "Your first payment", "description": "Three steps.",
        "mimeType": "text/markdown",
    });
    assert_eq!(*first, expected);
    let read = assistant.ask("resources/read", json!({ "uri": "docs://packages/server" }));
    let contents = &read["result"]["contents"][0];
    assert_eq!(contents["text"], "# @payframe/server\n");
    assert_eq!(contents["mimeType"], "text/markdown");
    for uri in ["docs://secret", "file:///etc/passwd", "first-payment"] {
        let refused = assistant.ask("resources/read", json!({ "uri": uri }));
        let said = refused["error"]["message"].as_str().unwrap();
        assert!(said.starts_with("there is no page"), "{said}");
    }
}

#[test]
fn test_payments_are_made_and_read_at_a_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Process::start(folder.path(), &[]);
    let mut assistant = Assistant::start(&gateway.address, KEY, &["--allow-writes"]);
    let found = assistant.read("check_connection", json!({}));
    let said = |name: &str| found[name].as_str().unwrap().to_owned();
    assert_eq!(
        ["answers", "mode", "apiKey", "testPayments"].map(said),
        ["ready", "sandbox", "valid", "allowed"]
    );
    assert!(said("docs").contains("serves no docs"), "{found}");
    let triggered = assistant
        .call("trigger_event", json!({ "event": "OPERATION" }))
        .unwrap();
    let order_id = triggered.split(' ').nth(2).unwrap();
    let order = assistant.read("read_order", json!({ "order_id": order_id }));
    assert_eq!(order["orderStatus"]["status"], "PARTLY_REFUNDED", "{order}");
    assert_eq!(order["operations"].as_array().unwrap().len(), 2);
    let orders = assistant.read("list_orders", json!({ "max_records": 5 }));
    assert_eq!(orders["orders"][0]["order"]["orderId"], order_id);
    let none = assistant.read("list_orders", json!({ "custom_field": "till 7" }));
    assert_eq!(none["orders"], json!([]));
    let first = assistant.read("list_events", json!({ "limit": 1 }));
    assert_eq!(first["events"][0]["eventType"], "PAYMENT");
    assert_eq!(first["hasMore"], true);
    let second = assistant.read("list_events", json!({ "after": first["nextCursor"] }));
    assert_eq!(second["events"][0]["eventType"], "OPERATION");
    // Neither the whole number nor the token of notifications.
    for answer in [&order, &orders, &first, &second] {
        let text = answer.to_string();
        assert!(
            !text.contains("4761730000003049") && !text.contains("securityToken"),
            "{text}"
        );
    }
    let methods = assistant.call("list_payment_methods", json!({})).unwrap();
    assert!(methods.contains("VISA"), "{methods}");
    let wanted = json!({ "merchant_url": "http://127.0.0.1:3000/checkout", "order_id": "MCP1" });
    let made = assistant.call("create_test_session", wanted).unwrap();
    let (order, made) = made.split_once('\n').unwrap();
    assert_eq!(order, "order MCP1");
    let made: Value = serde_json::from_str(made).unwrap();
    let state = assistant.read("read_session", json!({ "session_id": made["sessionId"] }));
    assert_eq!(state["state"], "CARD_DATA_COLLECTION");
    let order = assistant.read("read_order", json!({ "order_id": "MCP1" }));
    assert_eq!(order["orderStatus"]["order"]["amount"], "3545");
    let said = assistant
        .call("create_test_session", json!({ "merchant_url": "shop" }))
        .unwrap_err();
    assert!(said.contains("GW0001") || said.contains("PS0026"), "{said}");
}

#[test]
fn without_the_option_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Process::start(folder.path(), &[]);
    let mut assistant = Assistant::start(&gateway.address, KEY, &[]);
    for (tool, arguments) in [
        ("trigger_event", json!({ "event": "PAYMENT" })),
        (
            "create_test_session",
            json!({ "merchant_url": "http://127.0.0.1:3000" }),
        ),
    ] {
        let said = assistant.call(tool, arguments).unwrap_err();
        assert!(said.contains("--allow-writes"), "{said}");
    }
    let found = assistant.read("check_connection", json!({}));
    assert!(
        found["testPayments"]
            .as_str()
            .unwrap()
            .contains("--allow-writes"),
        "{found}"
    );
    assert_eq!(
        assistant.read("list_orders", json!({}))["orders"],
        json!([])
    );
    assert_eq!(
        assistant.read("list_events", json!({}))["events"],
        json!([])
    );
}

#[test]
fn nothing_is_written_in_production() {
    let folder = tempfile::tempdir().unwrap();
    let production = [
        ("PAYFRAME_MODE", "production"),
        ("PAYFRAME_ORIGIN", "https://pay.example"),
    ];
    let gateway = Process::start(folder.path(), &production);
    let key = own_key(folder.path(), &production);
    let mut assistant = Assistant::start(&gateway.address, &key, &["--allow-writes"]);
    for (tool, arguments) in [
        ("trigger_event", json!({ "event": "PAYMENT" })),
        (
            "create_test_session",
            json!({ "merchant_url": "https://shop.example" }),
        ),
    ] {
        let said = assistant.call(tool, arguments).unwrap_err();
        assert!(said.contains("in production, where money moves"), "{said}");
    }
    // It is read all the same.
    let found = assistant.read("check_connection", json!({}));
    assert_eq!(
        (found["mode"].as_str(), found["apiKey"].as_str()),
        (Some("production"), Some("valid"))
    );
    assert_eq!(
        assistant.read("list_orders", json!({}))["orders"],
        json!([])
    );
}

/// The key of a terminal that the operator makes.
fn own_key(data: &Path, settings: &[(&str, &str)]) -> String {
    let mut last = String::new();
    for words in [
        &["merchant", "add", "blumen", "Blumenladen"][..],
        &["terminal", "add", "55000001", "blumen"],
        &["keys", "new", "55000001"],
    ] {
        let done = command(data, settings).args(words).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        last = String::from_utf8(done.stdout).unwrap();
    }
    // The key stands below its id.
    last.lines().nth(1).unwrap().to_owned()
}

#[test]
fn what_fails_is_said_with_its_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Process::start(folder.path(), &[]);
    let mut assistant = Assistant::start(&gateway.address, KEY, &[]);
    for (tool, arguments, expected) in [
        (
            "read_order",
            json!({ "order_id": "UNKNOWN" }),
            "the gateway answers 404",
        ),
        ("read_session", json!({ "session_id": "unknown" }), "PS0061"),
        ("list_events", json!({ "after": "first" }), "PS0026"),
        ("list_orders", json!({ "order_state": "PAID" }), "PS0026"),
        (
            "read_doc",
            json!({ "page": "api" }),
            "this gateway serves no docs",
        ),
        (
            "search_docs",
            json!({ "question": "cards" }),
            "this gateway serves no docs",
        ),
    ] {
        let said = assistant.call(tool, arguments).unwrap_err();
        assert!(said.contains(expected), "{tool}: {said}");
    }
    for (tool, arguments) in [
        ("read_order", json!({})),
        ("read_order", json!({ "orderId": "A1" })),
        ("no_tool", json!({})),
    ] {
        let answer = assistant.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let is_refused = answer["error"].is_object() || answer["result"]["isError"] == true;
        assert!(is_refused, "{answer}");
    }
    let mut stranger = Assistant::start(&gateway.address, "sandbox-unknown", &[]);
    let said = stranger
        .call("read_order", json!({ "order_id": "A1" }))
        .unwrap_err();
    assert!(
        said.contains("401: GW9020") && said.contains("Send a key that is valid"),
        "{said}"
    );
    assert!(!said.contains("sandbox-unknown"), "{said}");
    let mut alone = Assistant::start("http://127.0.0.1:1", KEY, &[]);
    let said = alone.call("list_orders", json!({})).unwrap_err();
    assert!(
        said.contains("does not answer. Start one with `payframe-gateway demo`"),
        "{said}"
    );
}

#[test]
fn the_prompt_names_the_pages_of_the_stack() {
    let mut assistant = Assistant::start("http://127.0.0.1:1", KEY, &[]);
    let arguments = json!({ "stack": "react", "server": "python" });
    for (wanted, expected) in [
        (
            json!({ "name": "integrate_payment_form", "arguments": arguments }),
            "section `React`, and the page `packages/python`",
        ),
        (
            json!({ "name": "integrate_payment_form" }),
            "made with what this project uses (look)",
        ),
    ] {
        let prompt = assistant.ask("prompts/get", wanted);
        let text = &prompt["result"]["messages"][0]["content"]["text"];
        assert!(text.as_str().unwrap().contains(expected), "{text}");
    }
}

#[test]
fn an_assistant_of_the_newest_revision_needs_no_handshake() {
    let mut assistant = Assistant::silent("http://127.0.0.1:1", KEY, &[]);
    let about = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = assistant.ask("server/discover", json!({ "_meta": about }));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{found}");
    let code = json!({ "code": "PS0026" });
    let call = json!({ "name": "explain_error", "arguments": code, "_meta": about });
    let answer = assistant.ask("tools/call", call);
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("PS0026"), "{text}");
}

#[test]
fn the_command_ends_with_its_input() {
    let mut assistant = Assistant::start("http://127.0.0.1:1", KEY, &[]);
    assistant.input = None;
    assert!(assistant.child.wait().unwrap().success());
}
