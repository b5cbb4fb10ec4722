//! The OpenAPI document, made from the endpoints ([`super::router`]).
//!
//! The doc comment of its handler says what a call does, the structs of its bodies describe these ([`super::requests`] and the types that
//! are serialized): `utoipa` collects them. What is the same for every call (headers, credentials, refusals, other paths) follows
//! from the endpoint's kind, as in [`super::pipeline`], so it is added here. utoipa's derive of the whole document would need all
//! of that repeated at each handler.

use super::addresses;
use super::answers::AnswerSchema;
use super::api_version;
use super::caller::Callers;
use super::code_list;
use super::endpoint::{
    Availability, BACK_OFFICE, Endpoint, FRAMES, GUARANTEED_COLLECTION, Name, Needed, Object,
    OrderVersion, PAYMENTS, SANDBOX, Verb,
};
use super::money::Money;
use super::order_of_checks::CHECKS;
use super::requests::schema::order_id;
use super::router::endpoints;
use super::unknown_members;
use super::{request_examples, webhooks};
use payframe_error_codes::ErrorCode::{
    self, GW9001, GW9002, GW9004, GW9005, GW9009, GW9010, GW9013, GW9020, GW9106, GW9107, PS0000,
    PS0025, PS0026, PS0035, PS0041,
};
use payframe_protocol::api::ApiProblems;
use serde_json::{Map, Value, json};
use strum::IntoEnumIterator;

/// The document.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    let [notification, notice] = webhooks::shapes();
    let mut schemas = schemas(&[AnswerSchema::of::<ApiProblems>(), notification, notice]);
    for endpoint in endpoints() {
        for (number, (path, name)) in served(endpoint).enumerate() {
            let described = describe(endpoint, number, name, &path);
            let verbs = paths.entry(path).or_insert_with(|| json!({}));
            verbs[name.verb.name().to_ascii_lowercase()] = described;
        }
        schemas.extend(endpoint.schemas.clone());
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Payframe gateway",
            "version": env!("CARGO_PKG_VERSION"),
            "description": format!("{ABOUT}\n\n{}\n## Codes\n\n{ABOUT_CODES}\n\n{}", order_of_checks(), code_list::table()),
        },
        "servers": [{ "url": "/api" }],
        "tags": TAGS.map(|(name, about)| json!({ "name": name, "description": about })),
        "paths": paths,
        "webhooks": webhooks::document(),
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "apiKey": { "type": "apiKey", "in": "header", "name": "X-API-KEY",
                            "description": "The merchant's server. The key must never reach a browser." },
                "bearer": { "type": "http", "scheme": "bearer", "description": "The same key." },
                "session": { "type": "apiKey", "in": "header", "name": "session",
                             "description": "A frame of ours, for its own session." },
            },
        },
    })
}

/// Every path of an operation in the documents, the main one first. The prefix `/v1`, which every path may
/// have, is described once for all.
pub(crate) fn served(endpoint: &'static Endpoint) -> impl Iterator<Item = (String, Name)> {
    endpoint.names().flat_map(|name| {
        let has_plain = name.bases.contains(&"");
        let first = name.bases.first().copied();
        let named = name
            .bases
            .iter()
            .filter(move |base| Some(**base) == first || !(has_plain && **base == "/v1"));
        named.map(move |base| (format!("{base}{}", name.path), name))
    })
}

/// The codes that a call can be refused with, in the order of the checks.
pub(crate) fn refusals(endpoint: &'static Endpoint) -> Vec<ErrorCode> {
    let posted = endpoint.verb != Verb::Get;
    let mut given = endpoint.refusals.to_vec();
    given.extend([
        GW9020, GW9002, GW9004, GW9005, PS0026, PS0041, GW9013, PS0000,
    ]);
    if posted {
        given.extend([PS0025, GW9001, PS0035]);
        if endpoint.callers != Callers::Frame {
            given.push(GW9106);
            if unknown_members::schema(endpoint).is_some_and(addresses::may_hold_some) {
                given.push(GW9107);
            }
        }
    }
    match endpoint.money {
        Money::Asked => given.push(GW9009),
        Money::AskedOfBuyer => given.extend([GW9009, GW9010]),
        Money::None => {}
    }
    ErrorCode::iter()
        .filter(|code| given.contains(code))
        .collect()
}

/// The order of the checks, as a Markdown table.
pub(crate) fn order_of_checks() -> String {
    let mut table = String::from("| | Check | Answer |\n|---|---|---|\n");
    for (number, check) in CHECKS.iter().enumerate() {
        let (name, answer) = (check.name, check.failed.markdown());
        table.push_str(&format!("| {} | {name} | {answer} |\n", number + 1));
    }
    table
}

fn describe(endpoint: &'static Endpoint, number: usize, name: Name, path: &str) -> Value {
    let mut described = json!({
        "operationId": if number == 0 { endpoint.id.clone() } else { format!("{}_{}", endpoint.id, number + 1) },
        "tags": [endpoint.tag],
        "summary": endpoint.title,
        "description": about(endpoint, number),
        "security": credentials(endpoint.callers),
        "parameters": parameters(endpoint, name.verb, path),
        "responses": responses(endpoint, path),
    });
    if let Some((needed, schema)) = &endpoint.body {
        described["requestBody"] = json!({
            "required": *needed == Needed::Yes,
            "content": { "application/json": { "schema": schema } },
        });
        if let Some(example) = request_examples::of(&endpoint.id) {
            described["requestBody"]["content"]["application/json"]["example"] = example;
        }
    }
    described
}

fn about(endpoint: &'static Endpoint, number: usize) -> String {
    let mut text = endpoint.about.clone();
    if number > 0
        && let Some((path, name)) = served(endpoint).next()
    {
        text = format!("The same call as `{} {path}`. {text}", name.verb.name());
    }
    let codes: Vec<String> = refusals(endpoint)
        .into_iter()
        .map(|code| format!("`{code}`"))
        .collect();
    format!(
        "{text}\n\nRefusals, in the order of the checks: {}.",
        codes.join(", ")
    )
}

fn credentials(callers: Callers) -> Value {
    match callers {
        Callers::Merchant => json!([{ "apiKey": [] }, { "bearer": [] }]),
        Callers::MerchantOrFrame => json!([{ "apiKey": [] }, { "bearer": [] }, { "session": [] }]),
        Callers::Frame => json!([{ "session": [] }]),
    }
}

fn parameters(endpoint: &'static Endpoint, verb: Verb, path: &str) -> Vec<Value> {
    let mut parameters = Vec::new();
    if let Some(name) = parameter_name(path) {
        let mut schema = if name == "orderId" {
            let mut schema = order_id();
            // One word is not allowed as an order's id: it is the path of another endpoint.
            if let Some(members) = schema.as_object_mut() {
                members.remove("not");
            }
            schema
        } else {
            json!({ "type": "string", "minLength": 1 })
        };
        let parameter = endpoint.parameter.as_ref();
        schema["examples"] = json!([parameter.map(|parameter| &parameter.example)]);
        parameters.push(json!({
            "name": name, "in": "path", "required": true,
            "description": parameter.map(|parameter| &parameter.meaning), "schema": schema,
        }));
    }
    for parameter in &endpoint.query {
        parameters.push(json!({
            "name": parameter.name, "in": "query", "required": parameter.is_required,
            "description": parameter.meaning, "schema": parameter.schema,
        }));
    }
    parameters.push(json!({
        "name": "Correlation-Id", "in": "header", "required": false,
        "description": "A UUID for each call, the same when the call is repeated; it ties the logs of both sides together. One that is missing or malformed is replaced; the answer has the one that holds.",
        "schema": { "type": "string", "examples": ["1b2c7f52-8a4d-4c0e-9b36-5d1f0e7a2c48"] },
    }));
    if endpoint.callers != Callers::Frame {
        parameters.push(json!({
            "name": "Payframe-Version", "in": "header", "required": false,
            "description": "The version of the API that the caller was written for. Without it the call gets the one that was the newest when the API key was made.",
            "schema": { "type": "string", "enum": api_version::dates() },
        }));
    }
    if endpoint.order_version == OrderVersion::Compared {
        parameters.push(json!({
            "name": "If-Match", "in": "header", "required": false,
            "description": "The `ETag` of `GET /orders/{orderId}`: the version of the order on which the caller decided. If the order has changed since, nothing is done, and the answer is 412 `GW9012`.",
            "schema": { "type": "string", "maxLength": 255, "examples": ["\"5f2b8c1e9d3a47f0\""] },
        }));
    }
    if verb != Verb::Get {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": endpoint.idempotency_key == Needed::Yes && !endpoint.makes_key(),
            "description": if endpoint.makes_key() {
                "With the same key the same call is carried out once; for two days the answer is given again. Where it is missing one is made and answered, with the warning `GW9105`: such a call cannot be repeated safely."
            } else {
                "With the same key the same call is carried out once; for two days the answer is given again. A refusal is not kept: correct the call, and send it with the same key."
            },
            "schema": { "type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[ -~]{1,63}$",
                        "examples": [IDEMPOTENCY_KEY] },
        }));
        if endpoint.callers != Callers::Frame {
            parameters.push(json!({
                "name": "Prefer", "in": "header", "required": false,
                "description": "`handling=strict` refuses a body with members that nobody reads (`GW9106`), or an address with an unknown country (`GW9107`); else they are warned of.",
                "schema": { "type": "string", "examples": ["handling=strict"] },
            }));
        }
    }
    parameters
}

fn parameter_name(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once('{')?;
    rest.split_once('}').map(|(name, _)| name)
}

fn responses(endpoint: &'static Endpoint, path: &str) -> Value {
    let mut good = json!({ "description": "Done.", "headers": common_headers() });
    let schema = match endpoint.answers.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        several => Some(json!({ "anyOf": several })),
    };
    if let Some(schema) = schema {
        good["content"] = json!({ "application/json": { "schema": schema } });
    }
    if endpoint.order_version == OrderVersion::Told {
        good["headers"]["ETag"] = json!({
            "description": "The version of the order: `orderVersion` in quotation marks. Calls that move its money take it in `If-Match`.",
            "schema": { "type": "string" },
        });
    }
    if endpoint.verb != Verb::Get {
        good["headers"]["Idempotency-Replayed"] = json!({
            "description": "`true` where the answer was given before.",
            "schema": { "type": "string", "enum": ["true"] },
        });
    }
    let mut responses = json!({
        "200": good,
        "401": refused(401, &[GW9020]),
    });
    if path.contains('{') || endpoint.object == Object::InBody {
        responses["404"] = json!({ "description": "There is no such object of yours. No body.", "headers": common_headers() });
    }
    if endpoint.availability == Availability::WithTestClock {
        responses["404"] = json!({ "description": "This gateway is no sandbox, so it has no such call. No body.", "headers": common_headers() });
    }
    let given = refusals(endpoint);
    let mut statuses: Vec<u16> = given
        .iter()
        .flat_map(|code| code.statuses())
        .copied()
        .collect();
    statuses.sort_unstable();
    statuses.dedup();
    for status in statuses {
        let fitting: Vec<ErrorCode> = given
            .iter()
            .copied()
            .filter(|code| code.statuses().contains(&status))
            .collect();
        responses[status.to_string()] = refused(status, &fitting);
    }
    responses
}

fn refused(status: u16, fitting: &[ErrorCode]) -> Value {
    let lines: Vec<String> = fitting
        .iter()
        .map(|code| format!("`{code}`: {}", code.meaning()))
        .collect();
    let mut headers = common_headers();
    if matches!(status, 429 | 503) {
        headers["Retry-After"] = json!({
            "description": "Seconds to wait.", "required": true, "schema": { "type": "integer", "minimum": 1 },
        });
    }
    json!({
        "description": lines.join("\n\n"),
        "headers": headers,
        "content": { "application/json": { "schema": reference(&AnswerSchema::of::<ApiProblems>()) } },
    })
}

/// The headers of every answer.
fn common_headers() -> Value {
    json!({
        "cid": { "description": "The gateway's own id of the call.", "required": true,
                 "schema": { "type": "string", "format": "uuid" } },
        "Payframe-Version": { "description": "The version of the API that answered.", "required": true,
                              "schema": { "type": "string", "enum": api_version::dates() } },
    })
}

fn reference(shape: &AnswerSchema) -> Value {
    (shape.describe)(&mut Map::new())
}

fn schemas(shapes: &[AnswerSchema]) -> Map<String, Value> {
    let mut found = Map::new();
    for shape in shapes {
        (shape.describe)(&mut found);
    }
    found
}

/// The headings of the document in their order, and what is below each.
pub(crate) const TAGS: [(&str, &str); 5] = [
    (PAYMENTS, "To get paid."),
    (
        BACK_OFFICE,
        "To know what became of it, and to act on it afterwards.",
    ),
    (
        GUARANTEED_COLLECTION,
        "To be sure of a guest's money: reservations, what their buyers accept, and what may be charged later.",
    ),
    (
        FRAMES,
        "What the form's own frames call. Nobody else needs these; they may change with the form.",
    ),
    (
        SANDBOX,
        "For tests: time that passes at once. Only a sandbox has these calls; in production their paths do not exist.",
    ),
];

const ABOUT: &str = "\
Every path is also served below `/api/v1`. One slash at a path's end is ignored; `HEAD` is `GET` without a body.

Amounts are in the minor unit of their currency (`\"3545\"` is 35.45 EUR); in requests digits or a number, in answers \
always text. A member that is a text may come as a JSON number in requests of servers, and keeps its decimal writing. \
Members that are not known are ignored; `null` is the same as absent. Instants are UTC with milliseconds.

A refusal by issuer, risk rules or 3-D Secure is an answer with status 200 whose operation says so. Refused requests \
are answered with `errors`; clients read the first. Of several checks that fail the first of the order of checks \
answers. An API key may call 50 times a second, with bursts of 100, and all keys of a merchant together ten times as often. All browsers with one address may call 100 times a second, which is checked before the credential. Above a limit the answer is 429 with `Retry-After`. \
While the gateway has no access to its database, or too much to do, the answer is 503 with `Retry-After`: send the same call again, with the same key.

A call may name the version of the API that its caller was written for: `Payframe-Version: 2026-11-27`. Each answer and each \
notification says its version in the same header. A call without it gets the version that was the newest when its API key was made.";

const ABOUT_CODES: &str = "\
Codes are stable: compare them, never the sentences beside them. A code with a status refuses the call; a warning stands in \
`warnings` of a call or an operation that was carried out; those of the browser are `errorCode` of events of the class `Build`.";

/// The contract check replaces it with a new key for each call (`tests/contract/hooks.py`): with one key for all calls,
/// every call after the first would be refused.
const IDEMPOTENCY_KEY: &str = "6f1d3a9e-0c52-4b7e-8a14-2e9b5c7d8f30";

#[cfg(test)]
mod tests;
