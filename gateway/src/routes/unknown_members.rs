//! Parts of a request that have no effect: the gateway always reports them. These are unknown members, such as a
//! misspelt name (`GW9106`), and addresses that are left out because of their country (`GW9107`, [`super::addresses`]).
//!
//! The struct of a body tells its members ([`super::requests`]). Any other member is accepted with a warning: in the
//! answer, in the log, and on the order's page of the back office. A caller who wants a refusal instead sends
//! `Prefer: handling=strict` (RFC 7240). Calls of frames are not checked: their requests are our own.
//!
//! Warnings contain names and never values. A name that could itself contain a number of a card is not repeated.

use super::Reply;
use super::endpoint::Endpoint;
use super::error::{ApiError, Reason};
use crate::App;
use axum::http::{HeaderMap, StatusCode};
use payframe_error_codes::ErrorCode::{self, GW9106, GW9107};
use payframe_protocol::warning::Warning;
use payframe_storage::{StoreError, Subject, order_warnings};
use serde_json::{Map, Value};

/// The parts of a request without effect, each as a code and a sentence. At most [`MOST`] unknown members are listed.
#[derive(Debug, Default)]
pub(super) struct UnknownMembers(Vec<(ErrorCode, String)>);

impl UnknownMembers {
    /// Looks for them in the body of a call from which the addresses at these paths were removed.
    pub(super) fn of(body: &Value, schema: &Value, left_out: Vec<String>) -> UnknownMembers {
        let left_out = left_out.into_iter().map(|path| {
            let why =
                "is no country (ISO 3166-1, three letters or two), so the address is left out";
            (GW9107, format!("{path}.country {why}"))
        });
        let mut found = Vec::new();
        look("", body, schema, &mut found);
        let found = found.into_iter().map(|sentence| (GW9106, sentence));
        UnknownMembers(left_out.chain(found).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses a call that has such parts, if its caller is strict.
    pub(super) fn refuse(&self) -> Result<(), ApiError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let reason = |(code, description): &(ErrorCode, String)| Reason {
            code: *code,
            description: description.clone(),
        };
        Err(ApiError::Because(
            StatusCode::BAD_REQUEST,
            self.0.iter().map(reason).collect(),
        ))
    }

    /// Writes the warnings to the log, and stores them with the order of the call, if it is known.
    pub(super) async fn keep(
        &self,
        app: &App,
        correlation_id: &str,
        order: Option<(&str, &str)>,
    ) -> Result<(), StoreError> {
        if self.0.is_empty() {
            return Ok(());
        }
        tracing::warn!(correlation_id, parts = ?self.0, "parts of a request have no effect");
        let Some((merchant_id, order_id)) = order else {
            return Ok(());
        };
        let now_ms = app.clock().now_ms();
        let mut transaction = app
            .store()
            .write(Subject::Order {
                merchant_id,
                order_id,
            })
            .await?;
        for warning in self.warnings() {
            order_warnings::keep(&mut transaction, (merchant_id, order_id), &warning, now_ms);
        }
        Ok(transaction.commit().await?)
    }

    /// Adds the warnings to a successful answer, if that is an object.
    pub(super) fn add_warnings(&self, mut reply: Reply) -> Result<Reply, ApiError> {
        if self.0.is_empty() {
            return Ok(reply);
        }
        let Ok(Value::Object(mut answer)) = serde_json::from_slice(&reply.body) else {
            return Ok(reply);
        };
        let warnings = answer
            .entry("warnings")
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(warnings) = warnings {
            for warning in self.warnings() {
                warnings.push(serde_json::to_value(warning).map_err(|_| ApiError::Ours)?);
            }
        }
        reply.body = serde_json::to_vec(&answer).map_err(|_| ApiError::Ours)?;
        Ok(reply)
    }

    fn warnings(&self) -> impl Iterator<Item = Warning> {
        self.0.iter().map(|(code, description)| Warning {
            code: code.to_string(),
            description: description.clone(),
        })
    }
}

/// The schema of the body that an endpoint reads.
pub(super) fn schema(endpoint: &'static Endpoint) -> Option<&'static Value> {
    endpoint.body.as_ref().map(|(_, schema)| schema)
}

/// Whether a caller wants a refusal for unknown members (RFC 7240, section 4.4).
pub(super) fn is_strict(headers: &HeaderMap) -> bool {
    headers
        .get_all("prefer")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|preference| preference.split(';').next()?.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("handling"))
        .is_some_and(|(_, value)| {
            value
                .trim()
                .trim_matches('"')
                .eq_ignore_ascii_case("strict")
        })
}

fn look(path: &str, value: &Value, schema: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let Some(known) = schema["properties"].as_object() else {
                return;
            };
            for (name, value) in members {
                let path = match path {
                    "" => repeatable(name).to_owned(),
                    path => format!("{path}.{}", repeatable(name)),
                };
                match known.get(name) {
                    Some(schema) => look(&path, value, schema, found),
                    None if found.len() < MOST => found.push(sentence(&path, name, known)),
                    None => return,
                }
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                look(
                    &format!("{path}[{index}]"),
                    element,
                    &schema["items"],
                    found,
                );
            }
        }
        _ => {}
    }
}

fn sentence(path: &str, name: &str, known: &Map<String, Value>) -> String {
    match nearest(name, known) {
        Some(nearest) => format!("{path} is not read; the nearest known name is {nearest}"),
        None => format!("{path} is not read; no known name is near"),
    }
}

/// The known name that differs least, if it differs by less than half.
fn nearest<'a>(name: &str, known: &'a Map<String, Value>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    known
        .keys()
        .map(|known| {
            (
                strsim::normalized_damerau_levenshtein(&name, &known.to_ascii_lowercase()),
                known,
            )
        })
        .filter(|(likeness, _)| *likeness > 0.5)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, known)| known.as_str())
}

/// A name that may be part of a text: short, plain, and with too few digits to contain a card's number or code.
fn repeatable(name: &str) -> &str {
    let is_plain = name.len() <= LONGEST_NAME
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    if is_plain && digits < FEWEST_HIDDEN_DIGITS {
        name
    } else {
        "?"
    }
}

const MOST: usize = 20;
const LONGEST_NAME: usize = 64;
const FEWEST_HIDDEN_DIGITS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(body: Value, expected: &[&str]) {
        let schema = json!({ "type": "object", "properties": {
            "order": { "type": "object", "properties": { "orderId": {}, "amount": {} } },
            "lines": { "type": "array", "items": { "type": "object", "properties": { "label": {} } } },
            "free": { "description": "Any JSON." },
        } });
        let mut found = Vec::new();
        look("", &body, &schema, &mut found);
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_not_read_is_named_with_the_nearest_name() {
        check(
            json!({ "order": { "orderId": "1", "amount": "2" }, "free": { "a": 1 } }),
            &[],
        );
        check(
            json!({ "order": { "orderID": "1", "ammount": "2", "x": 0 }, "lines": [{}, { "lable": "3" }] }),
            &[
                "lines[1].lable is not read; the nearest known name is label",
                "order.ammount is not read; the nearest known name is amount",
                "order.orderID is not read; the nearest known name is orderId",
                "order.x is not read; no known name is near",
            ],
        );
    }

    #[test]
    fn a_name_that_may_be_a_secret_is_not_repeated() {
        check(
            json!({ "4349940199004549": 1, "cvv-123": 1, "<b>": 1 }),
            &["? is not read; no known name is near"; 3],
        );
    }

    #[test]
    fn a_caller_is_strict_by_the_header_prefer() {
        for (text, expected) in [
            ("handling=strict", true),
            ("respond-async, Handling=\"strict\"; foo", true),
            ("handling=lenient", false),
            ("handling=lenient, handling=strict", false),
            ("strict", false),
        ] {
            let headers = HeaderMap::from_iter([(
                axum::http::header::HeaderName::from_static("prefer"),
                axum::http::HeaderValue::from_static(text),
            )]);
            assert_eq!(is_strict(&headers), expected, "{text}");
        }
    }
}
