//! Why there is no answer that counts.

use payframe_vault::KeyringError;
use std::error::Error;
use thiserror::Error as ThisError;

/// Why there is no answer that counts. The outcome of the request is unknown. After [`ExchangeError::Unreachable`],
/// [`ExchangeError::Paused`] and [`ExchangeError::Request`] this copy of the request was not sent; an earlier one may have been.
#[derive(Debug, ThisError)]
pub enum ExchangeError {
    /// No connection was made, so nothing was sent.
    #[error("no connection: {}", innermost(.0))]
    Unreachable(#[source] reqwest::Error),
    /// Nothing was sent, because the latest requests had no answer.
    #[error("nothing is sent for some seconds, because the latest requests had no answer")]
    Paused,
    /// No answer came within the time limit.
    #[error("no answer within the time limit")]
    Timeout(#[source] reqwest::Error),
    /// The connection ended before the answer.
    #[error("the connection ended before the answer: {}", innermost(.0))]
    Interrupted(#[source] reqwest::Error),
    /// The status is not 200.
    #[error("the status is {0}, and only 200 is an answer")]
    Status(u16),
    /// The answer is longer than allowed.
    #[error("the answer has more than {LONGEST_ANSWER_BYTES} bytes")]
    TooLong,
    /// The headers of the signature are missing or malformed.
    #[error("the answer is not signed")]
    NotSigned,
    /// No secret made the signature.
    #[error(
        "the answer's signature is not made with a known secret, for this request and this body"
    )]
    WrongSignature,
    /// The answer was signed too long ago, or in the future.
    #[error("the answer's time differs from the gateway's by {seconds} s")]
    Stale {
        /// The difference, in seconds; positive if the adapter's clock is ahead.
        seconds: i64,
    },
    /// The answer is not the expected JSON. The text of the parser is left out, because it may repeat what was sent.
    #[error("the answer is not the JSON of the protocol (line {line}, column {column})")]
    NotJson {
        /// The line in the answer.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The answer contradicts its request, or itself.
    #[error("the answer {0}")]
    Contradiction(&'static str),
    /// The request cannot be made.
    #[error("the request can not be made: {0}")]
    Request(#[source] Box<dyn Error + Send + Sync>),
}

/// What is certain of a request that has no answer that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Nothing of this copy was sent.
    NotSent,
    /// It may have been sent, and no answer came.
    NoAnswer,
    /// The answer came, and cannot be used.
    Unreadable,
}

impl ExchangeError {
    /// What is certain.
    pub(crate) fn proof(&self) -> Proof {
        match self {
            ExchangeError::Unreachable(_) | ExchangeError::Paused | ExchangeError::Request(_) => {
                Proof::NotSent
            }
            // A status does not say who set it: a proxy, when the adapter has the request already.
            ExchangeError::Timeout(_)
            | ExchangeError::Interrupted(_)
            | ExchangeError::Status(_) => Proof::NoAnswer,
            ExchangeError::TooLong
            | ExchangeError::NotSigned
            | ExchangeError::WrongSignature
            | ExchangeError::Stale { .. }
            | ExchangeError::NotJson { .. }
            | ExchangeError::Contradiction(_) => Proof::Unreadable,
        }
    }

    /// The failure of a request.
    pub(crate) fn of(problem: reqwest::Error) -> ExchangeError {
        // The operator knows the address, and the log does not need it in each line.
        let problem = problem.without_url();
        if problem.is_connect() {
            ExchangeError::Unreachable(problem)
        } else if problem.is_timeout() {
            ExchangeError::Timeout(problem)
        } else {
            ExchangeError::Interrupted(problem)
        }
    }
}

impl From<KeyringError> for ExchangeError {
    fn from(problem: KeyringError) -> ExchangeError {
        ExchangeError::Request(Box::new(problem))
    }
}

/// What a chain of errors ends with: the cause that an operator can act on.
fn innermost(problem: &reqwest::Error) -> String {
    let mut cause: &dyn Error = problem;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Longer than any answer of the protocol.
pub(crate) const LONGEST_ANSWER_BYTES: usize = 64 * 1024;
