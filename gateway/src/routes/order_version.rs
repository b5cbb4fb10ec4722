//! The version of an order in headers (RFC 9110): `ETag` of the order that was read, `If-Match` of a call that moves its money.

use super::error::ApiError;
use crate::App;
use axum::extract::FromRequestParts;
use axum::http::header::{ETAG, HeaderName, HeaderValue, IF_MATCH};
use axum::http::{HeaderMap, request};
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_service::order_version::ExpectedVersion;

/// The header of an answer with this version.
pub(crate) fn header(version: &str) -> [(HeaderName, HeaderValue); 1] {
    // Versions are hexadecimal digits, which are valid in a header.
    let value = HeaderValue::from_str(&format!("\"{version}\""));
    [(ETAG, value.unwrap_or(HeaderValue::from_static("\"\"")))]
}

/// The version that the caller saw, from `If-Match`.
pub(crate) struct IfMatch(pub(crate) ExpectedVersion);

impl FromRequestParts<App> for IfMatch {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut request::Parts, _: &App) -> Result<IfMatch, ApiError> {
        read(&parts.headers).map(IfMatch)
    }
}

/// Without the header, and with `*`, every version is expected: the order is there, or the call has found nothing. A weak validator (`W/`)
/// never matches, as RFC 9110 says.
fn read(headers: &HeaderMap) -> Result<ExpectedVersion, ApiError> {
    let mut expected = Vec::new();
    let mut values = headers.get_all(IF_MATCH).iter().peekable();
    if values.peek().is_none() {
        return Ok(ExpectedVersion::Any);
    }
    for value in values {
        let text = value.to_str().map_err(|_| malformed())?;
        for one in text.split(',').map(str::trim) {
            if one == "*" {
                return Ok(ExpectedVersion::Any);
            }
            let strong = one.strip_prefix("W/").unwrap_or(one);
            let version = strong
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
                .filter(|version| !version.contains('"'))
                .ok_or_else(malformed)?;
            if strong == one {
                expected.push(version.to_owned());
            }
        }
    }
    Ok(ExpectedVersion::OneOf(expected))
}

fn malformed() -> ApiError {
    ApiError::bad(
        PS0026,
        "header If-Match must be the ETag of the order, with its quotation marks",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[&str], expected: Option<ExpectedVersion>) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(IF_MATCH, HeaderValue::from_str(value).unwrap());
        }
        assert_eq!(read(&headers).ok(), expected, "{values:?}");
    }

    fn one_of(versions: &[&str]) -> Option<ExpectedVersion> {
        let versions = versions.iter().map(|version| String::from(*version));
        Some(ExpectedVersion::OneOf(versions.collect()))
    }

    #[test]
    fn versions_are_read_from_if_match() {
        check(&[], Some(ExpectedVersion::Any));
        check(&["*"], Some(ExpectedVersion::Any));
        check(&["\"5f2b\""], one_of(&["5f2b"]));
        check(&["\"5f2b\" , \"77\""], one_of(&["5f2b", "77"]));
        check(&["\"5f2b\"", "\"77\""], one_of(&["5f2b", "77"]));
        check(&["W/\"5f2b\""], one_of(&[]));
        check(&["\"\""], one_of(&[""]));
        for malformed in ["5f2b", "", "\"5f2b", "\"5f2b\" \"77\"", "\"a\"b\""] {
            check(&[malformed], None);
        }
    }
}
