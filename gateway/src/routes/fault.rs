//! Faults that a caller may ask the sandbox for (contract 11.9).

use super::error::ApiError;
use crate::App;
use axum::http::{HeaderMap, StatusCode};
use payframe_error_codes::ErrorCode::{GW9005, PS0026};
use std::time::Duration;

/// The fault of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// It is carried out, and no answer is sent.
    Timeout,
    /// Its answer is late.
    Slow(Duration),
}

impl Fault {
    /// Reads the header. Faults that prevent the call are refusals at once.
    pub(crate) fn read(app: &App, headers: &HeaderMap) -> Result<Fault, ApiError> {
        let Some(value) = headers.get(HEADER) else {
            return Ok(Fault::None);
        };
        if !app.config().mode.heeds_faults() {
            return Err(ApiError::bad(
                PS0026,
                format!("{HEADER} is not enabled here"),
            ));
        }
        let malformed = || {
            ApiError::bad(
                PS0026,
                format!("{HEADER} must be timeout, 500, drop, or slow:<ms> with 1 to 60000 ms"),
            )
        };
        match value.to_str().map_err(|_| malformed())? {
            "timeout" => Ok(Fault::Timeout),
            "drop" => Err(ApiError::Close),
            "500" => Err(ApiError::with(
                StatusCode::INTERNAL_SERVER_ERROR,
                GW9005,
                "injected sandbox fault",
            )),
            text => match text.strip_prefix("slow:").and_then(plain_number) {
                Some(ms @ 1..=60_000) => Ok(Fault::Slow(Duration::from_millis(ms.into()))),
                _ => Err(malformed()),
            },
        }
    }

    /// Waits, if the answer is to be late.
    pub(crate) async fn wait(self) {
        if let Fault::Slow(delay) = self {
            tokio::time::sleep(delay).await;
        }
    }
}

/// A number that consists only of digits.
fn plain_number(text: &str) -> Option<u32> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

const HEADER: &str = "x-sandbox-fault";
