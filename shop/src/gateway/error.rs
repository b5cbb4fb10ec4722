//! Why a call of the gateway did not work.

use reqwest::StatusCode;
use serde::Deserialize;
use thiserror::Error;

/// One reason of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReportedError {
    /// `PS…` or `GW…`.
    pub code: String,
    /// English text that names the field.
    #[serde(default)]
    pub description: String,
}

/// The body of a refusal.
#[derive(Deserialize)]
pub(super) struct ErrorsAnswer {
    pub(super) errors: Vec<ReportedError>,
}

/// Why a call did not work, sorted by who has to act.
#[derive(Debug, Error)]
pub enum GatewayError {
    /// No answer: the operator of the gateway has to act, or it is a network failure.
    #[error("the gateway cannot be reached: {0}")]
    Unreachable(String),
    /// The gateway refused: the shop's request or settings are wrong.
    #[error("the gateway refused ({status}){}", reason(first.as_ref()))]
    Refused {
        /// Status of the answer.
        status: StatusCode,
        /// First reason, if the answer names one.
        first: Option<ReportedError>,
    },
    /// The gateway's answer does not match the contract.
    #[error("the gateway's answer cannot be read: {0}")]
    Unreadable(String),
}

impl GatewayError {
    /// The object named in the path does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if *status == StatusCode::NOT_FOUND)
    }
}

/// The text after the status of a refusal.
fn reason(first: Option<&ReportedError>) -> String {
    first.map_or_else(String::new, |refusal| {
        format!(": {} {}", refusal.code, refusal.description)
    })
}

impl From<reqwest::Error> for GatewayError {
    fn from(error: reqwest::Error) -> Self {
        // Without the address, which may contain a session id.
        Self::Unreachable(error.without_url().to_string())
    }
}
