//! The one error type of this crate.
//!
//! [`PayframeError::kind`] says whose fault it is, [`PayframeError::code`] what happened. Codes are stable; compare them, never the sentences. An
//! error holds no API key, no session, no body and no signature, and has no source that could hold them, so it can be logged as it is.
//! It is for what fails: a declined payment is an answer, not an error.

use serde::Serialize;
use std::fmt;

/// Whose fault an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call or an option is wrong; change the program.
    Caller,
    /// The buyer can do something about it, such as starting the payment again.
    Buyer,
    /// The issuer, the network or the payment method said no.
    Issuer,
    /// No answer of the gateway arrived.
    Network,
    /// The gateway failed.
    Gateway,
    /// The gateway is not set up for this call; tell its operator.
    Operator,
    /// A notification could not be verified.
    Notification,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Caller => "caller",
            Self::Buyer => "buyer",
            Self::Issuer => "issuer",
            Self::Network => "network",
            Self::Gateway => "gateway",
            Self::Operator => "operator",
            Self::Notification => "notification",
        })
    }
}

/// Something that this crate could not do. Serialized, it is what a structured log needs.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PayframeError {
    /// On the heap, because results are moved more often than errors are made.
    details: Box<ErrorDetails>,
}

/// What an error holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ErrorDetails {
    pub(crate) message: String,
    pub(crate) kind: ErrorKind,
    pub(crate) code: String,
    pub(crate) status: Option<u16>,
    pub(crate) member: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) correlation_id: Option<String>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) is_retryable: bool,
    pub(crate) outcome_unknown: bool,
}

impl PayframeError {
    pub(crate) fn new(kind: ErrorKind, code: &str, message: impl Into<String>) -> Self {
        Self::of(ErrorDetails {
            message: message.into(),
            kind,
            code: code.to_owned(),
            status: None,
            member: None,
            request_id: None,
            correlation_id: None,
            idempotency_key: None,
            is_retryable: false,
            outcome_unknown: false,
        })
    }

    pub(crate) fn of(details: ErrorDetails) -> Self {
        Self {
            details: Box::new(details),
        }
    }

    /// An option or a value that this crate does not accept. `accepted` is a sentence part: "must be …".
    pub(crate) fn refused_value(member: &str, accepted: &str) -> Self {
        let mut error = Self::new(
            ErrorKind::Caller,
            "bad_value",
            format!("{member} {accepted}"),
        );
        error.details.member = Some(member.to_owned());
        error
    }

    /// Whose fault it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.details.kind
    }

    /// What happened: a code of the gateway, such as `PS0026`, or one of this crate, such as `timeout`.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.details.code
    }

    /// The sentence, which [`fmt::Display`] writes too.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.details.message
    }

    /// The HTTP status of the answer; `None` if there was none.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.details.status
    }

    /// The member of the request, or the argument, that is wrong; `None` if none is named.
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        self.details.member.as_deref()
    }

    /// The gateway's own id of the call (header `cid`): tell it to the operator.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.details.request_id.as_deref()
    }

    /// The id of the call in the logs of both sides.
    #[must_use]
    pub fn correlation_id(&self) -> Option<&str> {
        self.details.correlation_id.as_deref()
    }

    /// The key to repeat the call with; `None` if the call carried none.
    #[must_use]
    pub fn idempotency_key(&self) -> Option<&str> {
        self.details.idempotency_key.as_deref()
    }

    /// Whether the same call, with the same idempotency key, can succeed later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.details.is_retryable
    }

    /// Whether the gateway may have carried out a call that writes although it seems to have failed. Repeat the call with
    /// [`PayframeError::idempotency_key`], or read the order, before anything else.
    #[must_use]
    pub fn outcome_unknown(&self) -> bool {
        self.details.outcome_unknown
    }
}

impl fmt::Display for PayframeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.details.message)
    }
}

impl fmt::Debug for PayframeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.details.fmt(f)
    }
}

impl std::error::Error for PayframeError {}

/// Whose fault a code of the gateway is.
pub(crate) fn kind_of(code: &str, status: u16) -> ErrorKind {
    match code {
        "PS0004" | "PS0032" | "PS0033" | "PS0034" => ErrorKind::Issuer,
        "PS0018" => ErrorKind::Gateway,
        "PS0040" | "PS0051" | "GW0002" | "GW9009" | "GW9010" => ErrorKind::Operator,
        "PS0044" | "PS0061" => ErrorKind::Buyer,
        "GW9005" => ErrorKind::Caller,
        _ if status >= 500 => ErrorKind::Gateway,
        _ => ErrorKind::Caller,
    }
}
