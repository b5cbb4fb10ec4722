//! Ids as parts of a path. Which paths there are is not known here.

use crate::errors::PayframeError;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// An id, percent-encoded. `name` is that of the id, for the message.
pub(crate) fn segment(id: &str, name: &str) -> Result<String, PayframeError> {
    checked_id(id, name)?;
    Ok(utf8_percent_encode(id, ENCODED).to_string())
}

/// An id, if it can be one.
pub(crate) fn checked_id<'a>(id: &'a str, name: &str) -> Result<&'a str, PayframeError> {
    // URL parsers take "." and ".." for steps of the path, however they are encoded.
    if matches!(id, "" | "." | "..") {
        return Err(PayframeError::refused_value(
            name,
            "must be an id: a text that is not empty, \".\" or \"..\"",
        ));
    }
    Ok(id)
}

/// A path, if it can be the part of an address behind `/api`.
pub(crate) fn checked_path(path: &str) -> Result<&str, PayframeError> {
    let is_printed = path.bytes().all(|letter| letter.is_ascii_graphic());
    let is_step = |part: &str| {
        let plain = part.to_ascii_lowercase().replace("%2e", ".");
        plain == "." || plain == ".."
    };
    if path.starts_with('/')
        && is_printed
        && !path.contains(['?', '#', '\\'])
        && !path.split('/').any(is_step)
    {
        return Ok(path);
    }
    Err(PayframeError::refused_value(
        "path",
        "must begin with a slash, without a query: it is the part of the address behind /api",
    ))
}

/// Everything but what URLs have unreserved.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
