//! Which failed attempts are repeated, and how long to wait before.
//!
//! Only calls that the gateway carries out once come here: reads, and writes with an idempotency key, which is the same in every
//! attempt. Nothing here waits or sends.

use crate::runtime::Runtime;
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// What an attempt came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Attempt {
    /// There is no answer.
    Failed {
        failure: Failure,
        /// Whether the gateway can not have seen the call, because there was no connection.
        is_unsent: bool,
    },
    Answered(Answer),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Timeout,
    Unreachable,
}

/// An answer, of the gateway or of something before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// `None` if something else than the gateway answered.
    pub(crate) request_id: Option<String>,
    /// The header.
    pub(crate) retry_after: Option<String>,
    /// Of the gateway.
    pub(crate) code: Option<String>,
    pub(crate) description: Option<String>,
    /// The body, if it is JSON.
    pub(crate) body: Option<Value>,
}

/// Whether the same call may succeed later: no answer; a failure of the gateway or of something before it; too many calls; or a
/// call with the same key that is still running.
pub(crate) fn can_be_repeated(attempt: &Attempt) -> bool {
    match attempt {
        Attempt::Failed { .. } => true,
        Attempt::Answered(answer) => match answer.status {
            429 | 500 | 502 | 503 | 504 => true,
            409 => answer.code.as_deref() == Some("GW9001"),
            _ => false,
        },
    }
}

/// Whether a write may have been carried out, after this attempt and those before it.
pub(crate) fn is_outcome_unknown(attempt: &Attempt, was_unknown: bool) -> bool {
    let answer = match attempt {
        Attempt::Failed { is_unsent, .. } => return !is_unsent || was_unknown,
        Attempt::Answered(answer) => answer,
    };
    let code = answer.code.as_deref();
    match answer.status {
        // A redirect or a success that is not the gateway's answer tells nothing.
        409 | 0..400 => true,
        500.. => code != Some("GW9005") || was_unknown,
        // The gateway looks for the answer to the key before it reads the object: such a refusal is the answer to all attempts.
        status if status == 400 || status == 404 || code == Some("GW9012") => {
            answer.request_id.is_none() && was_unknown
        }
        _ => was_unknown,
    }
}

/// How long to wait before the next attempt, after so many retries; `None` if the gateway asks for more than a call should wait.
pub(crate) fn delay(attempt: &Attempt, retries: u32, runtime: &dyn Runtime) -> Option<Duration> {
    let asked = match attempt {
        Attempt::Answered(Answer {
            retry_after: Some(text),
            ..
        }) => asked(text, runtime.now()),
        _ => Duration::ZERO,
    };
    if asked > LONGEST_WAIT {
        return None;
    }
    let ceiling = LONGEST_BACKOFF.min(FIRST_BACKOFF * 2_u32.pow(retries.min(8)));
    // Half of it is fixed, so that there always is a pause; half is random, so that clients do not come back together.
    Some(asked + ceiling / 2 + (ceiling / 2).mul_f64(runtime.random().clamp(0.0, 1.0)))
}

/// What the header asks for: seconds, or a date.
fn asked(retry_after: &str, now: SystemTime) -> Duration {
    let text = retry_after.trim();
    if !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_digit()) {
        return text.parse().map_or(Duration::MAX, Duration::from_secs);
    }
    let until = httpdate::parse_http_date(text).ok();
    until
        .and_then(|until| until.duration_since(now).ok())
        .unwrap_or_default()
}

const FIRST_BACKOFF: Duration = Duration::from_millis(500);
const LONGEST_BACKOFF: Duration = Duration::from_secs(8);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
