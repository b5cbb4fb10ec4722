//! The header `Payframe-Version`: the version of the API that a call asks for, and that its answer has.

use super::error::ApiError;
use axum::http::{HeaderMap, HeaderValue};
use payframe_error_codes::ErrorCode::PS0026;
use payframe_protocol::api_version::ApiVersion;

const HEADER: &str = "payframe-version";

/// The version that a call asks for. One without the header gets the default.
pub(crate) fn requested(headers: &HeaderMap) -> Result<ApiVersion, ApiError> {
    let Some(value) = headers.get(HEADER) else {
        return Ok(ApiVersion::default());
    };
    let version = value.to_str().ok().and_then(ApiVersion::of);
    version.ok_or_else(|| {
        let accepted = dates().join(", ");
        let description = format!("header Payframe-Version must be one of: {accepted}");
        ApiError::bad(PS0026, description)
    })
}

/// The names of all versions.
pub(crate) fn dates() -> [&'static str; ApiVersion::ALL.len()] {
    ApiVersion::ALL.map(ApiVersion::date)
}

/// Writes into an answer which version it has.
pub(crate) fn tell(version: ApiVersion, headers: &mut HeaderMap) {
    headers.insert(HEADER, HeaderValue::from_static(version.date()));
}
