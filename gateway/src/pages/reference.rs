//! The API reference for readers: one page at `/api/docs`, and the Markdown of `docs/api.md` and `docs/api/`. Both show the OpenAPI
//! document as sentences and tables, so they contain nothing that is not in it.

mod markdown;
mod schema;

pub use markdown::{MarkdownPage, markdown_pages};

use crate::routes::openapi_document;
use askama::Template;
use askama::filters::{Safe, escape};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use payframe_web_pages::protect;
use schema::{BODY_COLUMNS, example, kind, rows};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// `GET /api/docs`
pub(super) async fn page() -> Response {
    static PAGE: LazyLock<Option<String>> = LazyLock::new(html);
    let Some(html) = &*PAGE else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut page = Html(html.as_str()).into_response();
    // There is no script, picture or font: only this style sheet inside the page.
    let style = STANDARD.encode(Sha256::digest(STYLE));
    protect(
        &mut page,
        &format!(
            "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    );
    page
}

/// A part of the reference. Texts may contain words in backticks, and no other markup.
enum Block {
    Heading(usize, String),
    Text(String),
    Table(Vec<String>, Vec<Vec<String>>),
    /// Code in a language.
    Code(&'static str, String),
}

/// What every call has in common, then one chapter for each group of calls, for the notifications, and for the types of requests and of answers.
struct Chapter {
    title: String,
    blocks: Vec<Block>,
}

/// The first chapter has the title of the whole.
fn chapters(document: &Value) -> Vec<Chapter> {
    let mut chapters = vec![introduction(document)];
    chapters.extend(items(&document["tags"]).map(|tag| calls(document, tag)));
    chapters.push(notifications(&document["webhooks"]));
    chapters.push(types_of_requests(document));
    chapters.push(types_of_answers(&document["components"]["schemas"]));
    chapters
}

fn introduction(document: &Value) -> Chapter {
    let mut blocks = vec![Block::Text(String::from(
        "Base: `{origin}/api`. The same as an OpenAPI document: `{origin}/api/openapi.json`. In the examples `$API` is \
         the base, `$KEY` an API key, and `$SESSION` the id of a session.",
    ))];
    let paragraphs = text(&document["info"]["description"]).split("\n\n");
    blocks.extend(paragraphs.map(paragraph_or_table));
    Chapter {
        title: String::from("API reference"),
        blocks,
    }
}

/// The calls of a group.
fn calls(document: &Value, tag: &Value) -> Chapter {
    let mut blocks = vec![Block::Text(text(&tag["description"]).to_owned())];
    for (path, verb, operation) in operations(document) {
        if operation["tags"][0] == tag["name"] {
            describe(path, verb, operation, &mut blocks);
        }
    }
    Chapter {
        title: text(&tag["name"]).to_owned(),
        blocks,
    }
}

/// The objects that several calls take. Each has a title, and is described once.
fn types_of_requests(document: &Value) -> Chapter {
    let mut blocks = Vec::new();
    for (name, schema) in request_types(document) {
        blocks.push(Block::Heading(3, name.to_owned()));
        blocks.push(table(&BODY_COLUMNS, rows(schema)));
    }
    Chapter {
        title: String::from("Types of requests"),
        blocks,
    }
}

/// The titled objects in the bodies of all calls, by name.
fn request_types(document: &Value) -> BTreeMap<&str, &Value> {
    let mut found = BTreeMap::new();
    for (_, _, operation) in operations(document) {
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        find_titled(body, &mut found);
    }
    found
}

fn find_titled<'a>(schema: &'a Value, found: &mut BTreeMap<&'a str, &'a Value>) {
    if let Some(title) = schema["title"].as_str() {
        found.insert(title, schema);
    }
    let parts = members(&schema["properties"]).map(|(_, member)| member);
    for part in parts
        .chain([&schema["items"]])
        .filter(|part| part.is_object())
    {
        find_titled(part, found);
    }
}

fn types_of_answers(schemas: &Value) -> Chapter {
    let mut blocks = Vec::new();
    for (name, schema) in members(schemas) {
        blocks.push(Block::Heading(3, name.to_owned()));
        if let Some(description) = schema["description"].as_str() {
            blocks.push(Block::Text(one_line(description)));
        }
        let mut rows = rows(schema);
        // Answers have no examples.
        rows.iter_mut().for_each(|row| row.truncate(4));
        if rows.is_empty() {
            blocks.push(Block::Text(format!("{}.", kind(schema))));
        } else {
            blocks.push(table(&["Member", "Type", "Always", "Meaning"], rows));
        }
    }
    Chapter {
        title: String::from("Types of answers"),
        blocks,
    }
}

fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    members(&document["paths"]).flat_map(|(path, verbs)| {
        members(verbs).map(move |(verb, operation)| (path, verb, operation))
    })
}

fn describe(path: &str, verb: &str, operation: &Value, blocks: &mut Vec<Block>) {
    let name = format!("`{} {path}`", verb.to_ascii_uppercase());
    blocks.push(Block::Heading(
        3,
        format!("{name} {}", text(&operation["summary"])),
    ));
    for paragraph in text(&operation["description"]).split("\n\n") {
        blocks.push(Block::Text(paragraph.to_owned()));
    }
    let callers: Vec<&str> = items(&operation["security"])
        .filter_map(|way| members(way).next())
        .filter_map(|(name, _)| match name {
            "apiKey" => Some("the merchant's server, with its API key"),
            "session" => Some("a frame, with its session"),
            _ => None,
        })
        .collect();
    blocks.push(Block::Text(format!("Callers: {}.", callers.join("; "))));
    tell_parameters(operation, blocks);
    let body = &operation["requestBody"];
    if body.is_object() {
        let needed = if body["required"] == true {
            ""
        } else {
            " It may be left out."
        };
        let schema = &body["content"]["application/json"]["schema"];
        blocks.push(Block::Text(format!("Body: {}.{needed}", kind(schema))));
        let rows = rows(schema);
        if !rows.is_empty() {
            blocks.push(table(&BODY_COLUMNS, rows));
        }
        // An operation is described once. Its other names have a number after the id.
        if !text(&operation["operationId"]).contains('_') {
            blocks.push(Block::Code("sh", curl(path, operation)));
        }
    }
    let good = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    let answer = match good {
        Value::Null => String::from("nothing"),
        schema => kind(schema),
    };
    blocks.push(Block::Text(format!("Answer: {answer}.")));
}

/// Headers that every call of a server may have. The parts on all calls tell of them.
const EVERY_CALL_HAS: [&str; 2] = ["Correlation-Id", "Payframe-Version"];

/// Parameters, except those that every call has.
fn tell_parameters(operation: &Value, blocks: &mut Vec<Block>) {
    let parameters: Vec<Vec<String>> = items(&operation["parameters"])
        .filter(|parameter| !EVERY_CALL_HAS.contains(&text(&parameter["name"])))
        .map(|parameter| {
            vec![
                format!("`{}`", text(&parameter["name"])),
                text(&parameter["in"]).to_owned(),
                kind(&parameter["schema"]),
                yes(parameter["required"] == true),
                one_line(text(&parameter["description"])),
                example(&parameter["schema"]),
            ]
        })
        .collect();
    if !parameters.is_empty() {
        blocks.push(table(
            &["Parameter", "In", "Type", "Needed", "Meaning", "Example"],
            parameters,
        ));
    }
}

/// A call with the operation's example as its body.
fn curl(path: &str, operation: &Value) -> String {
    let mut path = path.to_owned();
    for parameter in items(&operation["parameters"]).filter(|one| one["in"] == "path") {
        let name = format!("{{{}}}", text(&parameter["name"]));
        path = path.replace(&name, text(&parameter["schema"]["examples"][0]));
    }
    let credential = match operation["security"][0]["session"].is_array() {
        true => "session: $SESSION",
        false => "X-API-KEY: $KEY",
    };
    let key = items(&operation["parameters"]).any(|one| one["name"] == "Idempotency-Key");
    let key = match key {
        true => " -H \"Idempotency-Key: $(uuidgen)\"",
        false => "",
    };
    let body = pretty(&operation["requestBody"]["content"]["application/json"]["example"]);
    format!(
        "curl \"$API{path}\" \\\n  -H \"{credential}\" -H \"Correlation-Id: $(uuidgen)\"{key} \\\n  \
         -H 'Content-Type: application/json' -d '{}'",
        body.replace('\'', r"'\''")
    )
}

/// The notifications to merchants' servers.
fn notifications(webhooks: &Value) -> Chapter {
    let mut blocks = vec![Block::Text(String::from(
        "What the gateway posts to merchants' servers. Answer with any 2xx.",
    ))];
    for (_, verbs) in members(webhooks) {
        let operation = &verbs["post"];
        let body = &operation["requestBody"]["content"]["application/json"];
        let event_type = text(&body["example"]["eventType"]);
        blocks.push(Block::Heading(
            3,
            format!("`{event_type}` {}", text(&operation["summary"])),
        ));
        blocks.push(Block::Text(text(&operation["description"]).to_owned()));
        tell_parameters(operation, &mut blocks);
        blocks.push(Block::Text(format!(
            "Body: {} with `eventType` `{event_type}`.",
            kind(&body["schema"]["allOf"][0])
        )));
        blocks.push(Block::Code("json", pretty(&body["example"])));
    }
    Chapter {
        title: String::from("Notifications"),
        blocks,
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}

/// The whole reference, one chapter after the other.
fn blocks(document: &Value) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (place, chapter) in chapters(document).into_iter().enumerate() {
        let level = if place == 0 { 1 } else { 2 };
        blocks.push(Block::Heading(level, chapter.title));
        blocks.extend(chapter.blocks);
    }
    blocks
}

/// The reference as a page; `None` if it cannot be written, and the log says why.
fn html() -> Option<String> {
    let page = ReferencePage {
        style: STYLE,
        blocks: &blocks(&openapi_document()),
    };
    page.render()
        .inspect_err(|problem| tracing::error!(%problem, "the API reference cannot be shown"))
        .ok()
}

/// The page at `/api/docs`.
#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage<'a> {
    style: &'static str,
    blocks: &'a [Block],
}

/// Escaped, with words in backticks as code.
fn marked_up(text: &str) -> Safe<String> {
    let mut html = String::with_capacity(text.len());
    let mut in_code = false;
    let Ok(escaped) = escape(text, askama::filters::Html);
    for character in escaped.to_string().chars() {
        match character {
            '`' => {
                html.push_str(if in_code { "</code>" } else { "<code>" });
                in_code = !in_code;
            }
            other => html.push(other),
        }
    }
    if in_code {
        html.push_str("</code>");
    }
    Safe(html)
}

/// A Markdown table as a table, a heading as a heading, everything else as text.
fn paragraph_or_table(paragraph: &str) -> Block {
    if let Some(heading) = paragraph.strip_prefix("## ") {
        return Block::Heading(2, heading.to_owned());
    }
    let mut lines = paragraph.lines().map(|line| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    });
    if !paragraph.starts_with('|') {
        return Block::Text(one_line(paragraph));
    }
    let heads = lines.next().unwrap_or_default();
    Block::Table(heads, lines.skip(1).collect())
}

fn table(heads: &[&str], rows: Vec<Vec<String>>) -> Block {
    Block::Table(heads.iter().map(|head| (*head).to_owned()).collect(), rows)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn yes(is: bool) -> String {
    String::from(if is { "yes" } else { "" })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = value.as_object().into_iter().flatten();
    members.map(|(name, value)| (name.as_str(), value))
}

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:minmax(14rem,22rem) minmax(0,1fr)}\
nav{position:sticky;top:0;height:100vh;overflow:auto;border-inline-end:1px solid #8886;font-size:.85rem}\
nav ul{list-style:none;margin:0;padding:1rem}nav .l2{font-weight:600;margin-top:.75rem}\
main{padding:1rem 2rem;max-width:70rem}h3{margin-top:2.5rem}\
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}\
.wide{overflow-x:auto}table{border-collapse:collapse;margin:.5rem 0}\
th,td{border:1px solid #8886;padding:.3rem .6rem;text-align:start;vertical-align:top}\
@media(max-width:60rem){body{display:block}nav{position:static;height:auto}}";

#[cfg(test)]
mod tests;
