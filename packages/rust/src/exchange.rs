//! One call from its first attempt to its answer or error, without I/O.
//!
//! The transport sends the request and hands over what came of it; this says whether to wait and send it again, what the
//! answer is, or which error the call ends with.

use crate::errors::{ErrorDetails, ErrorKind, PayframeError, kind_of};
use crate::options::Settings;
use crate::retry::{Answer, Attempt, Failure, can_be_repeated, delay, is_outcome_unknown};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// The version of the API that this crate is written for.
const API_VERSION: &str = "2026-11-27";

/// The method of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Reads.
    Get,
    /// Does something.
    Post,
    /// Sets something.
    Put,
    /// Changes something.
    Patch,
    /// Removes something.
    Delete,
}

impl Verb {
    pub(crate) fn method(self) -> Method {
        match self {
            Self::Get => Method::GET,
            Self::Post => Method::POST,
            Self::Put => Method::PUT,
            Self::Patch => Method::PATCH,
            Self::Delete => Method::DELETE,
        }
    }
}

/// What a call sends, and which member of the answer is wanted.
pub(crate) struct Sent {
    verb: Verb,
    /// Below `/api`, with its ids encoded.
    path: String,
    query: Vec<(String, String)>,
    body: Option<Vec<u8>>,
    /// `None` for the whole answer.
    member: Option<&'static str>,
}

impl Sent {
    pub(crate) fn new(verb: Verb, path: impl Into<String>) -> Self {
        Self {
            verb,
            path: path.into(),
            query: Vec::new(),
            body: None,
            member: None,
        }
    }

    pub(crate) fn member(mut self, name: &'static str) -> Self {
        self.member = Some(name);
        self
    }

    pub(crate) fn pair(mut self, name: &str, value: &str) -> Self {
        self.query.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The members of an object as the query. Members without a value are left out.
    pub(crate) fn query(mut self, query: &impl Serialize) -> Result<Self, PayframeError> {
        let Value::Object(members) = json_of(query)? else {
            return Err(no_json());
        };
        for (name, value) in members {
            match value {
                Value::String(text) => self.query.push((name, text)),
                value => self.query.push((name, value.to_string())),
            }
        }
        Ok(self)
    }

    /// No member of the API has a fraction, so one is a sum in the major unit, or a rounding error: it is refused.
    pub(crate) fn body(mut self, body: &impl Serialize) -> Result<Self, PayframeError> {
        let value = json_of(body)?;
        check_whole("body", &value)?;
        self.body = Some(value.to_string().into_bytes());
        Ok(self)
    }
}

/// The options of one call.
#[derive(Default)]
pub(crate) struct CallOptions {
    pub(crate) idempotency_key: Option<String>,
    pub(crate) order_version: Option<String>,
}

/// What is sent. All attempts of a call send the same. The API key is added by who sends it.
pub(crate) struct Request {
    pub(crate) verb: Verb,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
    correlation_id: String,
    idempotency_key: Option<String>,
}

/// What follows from an attempt.
pub(crate) enum Verdict {
    /// The request is sent again, after this time.
    Pause(Duration),
    /// The call is over, with this answer.
    Answered(Value),
}

/// A call under way.
pub(crate) struct Exchange {
    pub(crate) request: Request,
    settings: Arc<Settings>,
    member: Option<&'static str>,
    retries: u32,
    is_unknown: bool,
}

impl Exchange {
    pub(crate) fn new(
        settings: &Arc<Settings>,
        sent: Sent,
        options: CallOptions,
    ) -> Result<Self, PayframeError> {
        Ok(Self {
            member: sent.member,
            request: request(settings, sent, options)?,
            settings: Arc::clone(settings),
            retries: 0,
            is_unknown: false,
        })
    }

    /// What follows from an attempt, or the error of a call that has failed.
    pub(crate) fn judge(&mut self, attempt: Attempt) -> Result<Verdict, PayframeError> {
        let attempt = match attempt {
            Attempt::Answered(mut answer) if answer.status == 200 => {
                let wanted = answer.body.take().and_then(|body| self.wanted(body));
                match wanted {
                    Some(wanted) => return Ok(Verdict::Answered(wanted)),
                    None => Attempt::Answered(answer),
                }
            }
            attempt => attempt,
        };
        if self.request.verb != Verb::Get {
            self.is_unknown = is_outcome_unknown(&attempt, self.is_unknown);
        }
        let is_retryable = can_be_repeated(&attempt);
        if is_retryable && self.retries < self.settings.max_retries {
            let pause = delay(&attempt, self.retries, self.settings.runtime.as_ref());
            if let Some(pause) = pause {
                self.retries += 1;
                return Ok(Verdict::Pause(pause));
            }
        }
        Err(self.error(&attempt, is_retryable))
    }

    /// The error of an answer with status 200 that does not have the form of the contract.
    pub(crate) fn unreadable(mut self) -> PayframeError {
        let answer = Attempt::Answered(Answer {
            status: 200,
            ..Answer::default()
        });
        self.is_unknown = self.request.verb != Verb::Get;
        self.error(&answer, false)
    }

    /// An answer, from its parts.
    pub(crate) fn read(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> Attempt {
        let header = |name: &str| Some(headers.get(name)?.to_str().ok()?.to_owned());
        let request_id = header("cid");
        let body: Option<Value> = serde_json::from_slice(body).ok();
        let (code, description) = match body.as_ref().and_then(problem) {
            Some((code, description)) => (Some(code), Some(description)),
            None if status == 404 && request_id.is_some() => (
                Some("not_found".to_owned()),
                Some(
                    "The gateway has no such object of this merchant, or no such call.".to_owned(),
                ),
            ),
            None => (None, None),
        };
        Attempt::Answered(Answer {
            status,
            retry_after: header("retry-after"),
            code,
            // To look for the key is no way out for it.
            description: description.map(|text| text.replace(self.settings.api_key.expose(), "…")),
            request_id,
            body,
        })
    }

    /// The part of an answer that the call is for; `None` if it is not the gateway's.
    fn wanted(&self, mut body: Value) -> Option<Value> {
        match self.member {
            Some(member) => body.get_mut(member).map(Value::take),
            None => (body.is_object() || body.is_array()).then_some(body),
        }
    }

    fn error(&self, attempt: &Attempt, is_retryable: bool) -> PayframeError {
        let (kind, code, mut message) = fault(attempt);
        if self.is_unknown {
            let verb = self.request.verb.method();
            message.push_str(&format!(" Whether the {verb} was carried out is not known: repeat it with the same idempotency key, or read the order."));
        }
        let answer = match attempt {
            Attempt::Answered(answer) => Some(answer),
            Attempt::Failed { .. } => None,
        };
        PayframeError::of(ErrorDetails {
            message,
            kind,
            code,
            status: answer.map(|answer| answer.status),
            member: answer.and_then(member_in),
            request_id: answer.and_then(|answer| answer.request_id.clone()),
            correlation_id: Some(self.request.correlation_id.clone()),
            idempotency_key: self.request.idempotency_key.clone(),
            is_retryable,
            outcome_unknown: self.is_unknown,
        })
    }
}

/// Kind, code and sentence of what an attempt came to.
fn fault(attempt: &Attempt) -> (ErrorKind, String, String) {
    let (kind, code, message) = match attempt {
        Attempt::Failed {
            failure: Failure::Timeout,
            ..
        } => (
            ErrorKind::Network,
            "timeout",
            "The gateway did not answer in time.".to_owned(),
        ),
        Attempt::Failed {
            failure: Failure::Unreachable,
            ..
        } => (
            ErrorKind::Network,
            "unreachable",
            "The gateway can not be reached, or the connection was lost.".to_owned(),
        ),
        Attempt::Answered(Answer { status, .. }) if *status < 400 => (
            ErrorKind::Gateway,
            "unreadable_answer",
            format!(
                "The answer, with status {status}, is not the gateway's. Check the option gateway."
            ),
        ),
        Attempt::Answered(answer) => {
            let status = answer.status;
            let code = answer.code.clone();
            let code = code.unwrap_or_else(|| format!("http_{status}"));
            let text = answer.description.clone();
            let text = text.unwrap_or_else(|| format!("The gateway answered {status}."));
            return (
                kind_of(&code, status),
                code.clone(),
                format!("{code}: {text}"),
            );
        }
    };
    (kind, code.to_owned(), message)
}

fn request(
    settings: &Settings,
    sent: Sent,
    options: CallOptions,
) -> Result<Request, PayframeError> {
    let runtime = settings.runtime.as_ref();
    let correlation_id = runtime.uuid();
    let mut headers = HeaderMap::new();
    headers.insert("accept", HeaderValue::from_static(JSON));
    insert(&mut headers, "correlation-id", &correlation_id)?;
    headers.insert("payframe-version", HeaderValue::from_static(API_VERSION));
    let idempotency_key = match sent.verb {
        Verb::Get => None,
        _ => Some(options.idempotency_key.unwrap_or_else(|| runtime.uuid())),
    };
    if let Some(key) = &idempotency_key {
        if !is_between(key, b' ', b'~') {
            return Err(PayframeError::refused_value(
                "idempotency_key",
                "must be 1 to 63 printable ASCII characters",
            ));
        }
        insert(&mut headers, "idempotency-key", key)?;
    }
    if let Some(version) = &options.order_version {
        if !is_between(version, b'!', b'~') || version.contains('"') {
            return Err(PayframeError::refused_value(
                "order_version",
                "must be the order_version of an order that was read",
            ));
        }
        insert(&mut headers, "if-match", &format!("\"{version}\""))?;
    }
    if sent.body.is_some() {
        headers.insert("content-type", HeaderValue::from_static(JSON));
    }
    let refused_path = |accepted: &str| PayframeError::refused_value("path", accepted);
    let mut url = Url::parse(&format!("{}{}", settings.base, sent.path))
        .map_err(|_| refused_path("must be the part of the address behind /api"))?;
    if !sent.query.is_empty() {
        url.query_pairs_mut().extend_pairs(&sent.query);
    }
    if url.as_str().len() > LONGEST_URL {
        return Err(refused_path(
            "must not be longer than 16000 characters, with its query",
        ));
    }
    Ok(Request {
        verb: sent.verb,
        url,
        headers,
        body: sent.body,
        correlation_id,
        idempotency_key,
    })
}

fn insert(headers: &mut HeaderMap, name: &'static str, text: &str) -> Result<(), PayframeError> {
    let value = HeaderValue::from_str(text)
        .map_err(|_| PayframeError::refused_value(name, "must be printable ASCII characters"))?;
    headers.insert(HeaderName::from_static(name), value);
    Ok(())
}

/// Whether a text is 1 to 63 characters of this range.
fn is_between(text: &str, first: u8, last: u8) -> bool {
    let is_inside = |letter: u8| (first..=last).contains(&letter);
    (1..=63).contains(&text.len()) && text.bytes().all(is_inside)
}

fn json_of(value: &impl Serialize) -> Result<Value, PayframeError> {
    serde_json::to_value(value).map_err(|_| no_json())
}

fn no_json() -> PayframeError {
    PayframeError::refused_value("body", "must be an object of JSON")
}

/// `name` is the member that holds the value.
fn check_whole(name: &str, value: &Value) -> Result<(), PayframeError> {
    match value {
        Value::Number(number) if number.is_f64() => Err(PayframeError::refused_value(
            name,
            "must be text of digits, or a whole number: money() makes sums",
        )),
        Value::Array(items) => items.iter().try_for_each(|item| check_whole(name, item)),
        Value::Object(members) => members
            .iter()
            .try_for_each(|(name, inner)| check_whole(name, inner)),
        _ => Ok(()),
    }
}

/// Code and sentence of a refusal of the gateway.
fn problem(body: &Value) -> Option<(String, String)> {
    let first = body.get("errors")?.get(0)?;
    let code = first.get("code")?.as_str()?;
    let text = first.get("description")?.as_str()?;
    let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = &code[letters..];
    let is_code = (2..=3).contains(&letters)
        && (3..=4).contains(&digits.len())
        && digits.bytes().all(|letter| letter.is_ascii_digit());
    is_code.then(|| (code.to_owned(), text.chars().take(500).collect()))
}

/// The member that a refusal names. The gateway puts it into its sentence: in front, or behind "script in".
fn member_in(answer: &Answer) -> Option<String> {
    let text = answer.description.as_deref()?;
    if !is_about_member(answer.code.as_deref()?) {
        return None;
    }
    let is_path = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .is_some_and(|first| first.is_ascii_lowercase())
            && letters.all(|letter| letter.is_ascii_alphanumeric() || "._[]".contains(letter))
    };
    if let Some(member) = text.strip_prefix("script in ") {
        return (!member.contains(' ')).then(|| member.to_owned());
    }
    let mut words = text.split(' ');
    match (words.next()?, words.next()?) {
        ("header", name) => Some(name.trim_end_matches([',', '.', ':']).to_owned()),
        (member, "is" | "must" | "exceed" | "holds") if is_path(member) => Some(member.to_owned()),
        _ => None,
    }
}

/// Whether refusals with this code are about a member.
fn is_about_member(code: &str) -> bool {
    let number = |prefix: &str| code.strip_prefix(prefix)?.parse::<u16>().ok();
    match (number("PS"), number("GW")) {
        (Some(number), _) => matches!(number, 5..=13 | 17 | 25 | 26 | 29 | 36 | 41 | 42),
        (_, Some(number)) => matches!(number, 1 | 9020 | 9106 | 9107),
        _ => false,
    }
}

const JSON: &str = "application/json";
const LONGEST_URL: usize = 16_000;
