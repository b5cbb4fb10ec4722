//! Maps paths and verbs to operations (contract 1.1).
//!
//! To add an operation, declare it in its module ([`super::operation`] shows how). To add the operations of another
//! module, name its `OPERATIONS` in [`LISTS`].

use super::error::ApiError;
use super::operation::{Alias, Operation, Verb};
use super::{
    actions, back_office, build, contracts, external_3ds, field_settings, frame, hosted,
    legal_texts, lists, reservation_charges, reservations, server_to_server, structures, wallets,
};
use axum::http::Method;
use std::borrow::Cow;

/// The operations, module by module.
const LISTS: &[&[Operation]] = &[
    build::OPERATIONS,
    server_to_server::OPERATIONS,
    external_3ds::OPERATIONS,
    wallets::OPERATIONS,
    hosted::OPERATIONS,
    lists::OPERATIONS,
    back_office::OPERATIONS,
    actions::OPERATIONS,
    contracts::OPERATIONS,
    legal_texts::OPERATIONS,
    structures::OPERATIONS,
    reservations::OPERATIONS,
    reservation_charges::OPERATIONS,
    field_settings::OPERATIONS,
    frame::OPERATIONS,
];

/// Base paths of existing clients that can change only the host: at the root, and below `/api` (contract 1.1). Each is
/// the same as `/api/v1`.
const FOREIGN_BASES: [&str; 4] = [
    "/api/phoenix-0.0/psp/api/v1",
    "/psp/api/v1",
    "/api/api/phoenix-0.0/psp/api/v1",
    "/api/psp/api/v1",
];

/// Every operation of the API.
pub(crate) fn operations() -> impl Iterator<Item = &'static Operation> {
    LISTS.iter().copied().flatten()
}

/// A call that was found by its path and verb.
pub(crate) struct Found {
    pub(crate) operation: &'static Operation,
    /// The path pattern that matched: the operation's, or one of its aliases.
    pub(crate) pattern: &'static str,
    /// The path's parameter, decoded.
    pub(crate) parameter: Option<String>,
    /// The part of the path that was matched, as it was sent, without a slash at the end.
    pub(crate) path: String,
}

/// Finds the operation of a call. `path` is the whole path, percent-encoded.
pub(crate) fn find(method: &Method, path: &str) -> Result<Found, ApiError> {
    let below = match FOREIGN_BASES
        .iter()
        .find_map(|base| path.strip_prefix(base))
    {
        Some(below) if below.starts_with('/') => Cow::Owned(format!("/v1{below}")),
        _ => Cow::Borrowed(path.strip_prefix("/api").ok_or(ApiError::NotFound)?),
    };
    let below = below.as_ref();
    let below = below.strip_suffix('/').unwrap_or(below);
    let verb = match *method {
        Method::GET | Method::HEAD => Some(Verb::Get),
        Method::POST => Some(Verb::Post),
        Method::DELETE => Some(Verb::Delete),
        _ => None,
    };
    let fitting = || {
        operations().flat_map(move |operation| {
            operation.names().filter_map(move |name| {
                let (path, parameter) = fits(&name, below)?;
                Some((operation, name, path, parameter))
            })
        })
    };
    // A fixed path wins over one with a parameter.
    let found = fitting()
        .filter(|(_, name, _, _)| Some(name.verb) == verb)
        .min_by_key(|(_, name, _, _)| name.path.contains('{'));
    if let Some((operation, name, path, parameter)) = found {
        return Ok(Found {
            operation,
            pattern: name.path,
            parameter,
            path: path.to_owned(),
        });
    }
    let mut verbs = Vec::new();
    for (_, name, _, _) in fitting() {
        let served: &[&str] = match name.verb {
            Verb::Get => &["GET", "HEAD"],
            Verb::Post => &["POST"],
            Verb::Delete => &["DELETE"],
        };
        for verb in served {
            if !verbs.contains(verb) {
                verbs.push(verb);
            }
        }
    }
    Err(if verbs.is_empty() {
        ApiError::NotFound
    } else {
        ApiError::Verb(verbs)
    })
}

/// Whether a path below `/api` matches a name: the path below the base, and its parameter.
fn fits<'a>(name: &Alias, below: &'a str) -> Option<(&'a str, Option<String>)> {
    name.bases.iter().find_map(|base| {
        let path = below.strip_prefix(base)?;
        Some((path, fits_pattern(name.path, path)?))
    })
}

/// Whether a path matches a pattern, and with which parameter.
fn fits_pattern(pattern: &str, path: &str) -> Option<Option<String>> {
    let mut parameter = None;
    let mut pieces = path.split('/');
    for expected in pattern.split('/') {
        let piece = pieces.next()?;
        if expected.starts_with('{') {
            parameter = Some(decode(piece)?);
        } else if piece != expected {
            return None;
        }
    }
    pieces.next().is_none().then_some(parameter)
}

/// Decodes percent-encoding once. `None`: the result is empty, or not UTF-8.
fn decode(piece: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(piece.len());
    let mut rest = piece.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| *byte == b'%').and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        match escaped {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &after[2..];
            }
            None => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: Method, path: &str) -> String {
        match find(&method, path) {
            Ok(Found {
                operation,
                parameter,
                ..
            }) => match parameter {
                Some(parameter) => format!("{} {parameter}", operation.id),
                None => operation.id.to_owned(),
            },
            Err(ApiError::Verb(verbs)) => format!("405 {}", verbs.join(", ")),
            Err(_) => String::from("404"),
        }
    }

    #[test]
    fn paths_are_found_as_the_contract_says() {
        for (method, path, expected) in [
            (Method::GET, "/api/build/state", "readState"),
            (Method::GET, "/api/v1/build/state", "readState"),
            (Method::GET, "/api/build/state/", "readState"),
            (Method::HEAD, "/api/build/state", "readState"),
            (Method::GET, "/api/build/state//", "404"),
            (Method::GET, "/api/v1/v1/build/state", "404"),
            (
                Method::GET,
                "/api/phoenix-0.0/psp/api/v1/orders/A1",
                "readOrder A1",
            ),
            (Method::GET, "/psp/api/v1/orders/A1", "readOrder A1"),
            (Method::GET, "/api/psp/api/v1/orders/A1", "readOrder A1"),
            (Method::GET, "/psp/api/v1orders/A1", "404"),
            (Method::GET, "/psp/api/v2/orders/A1", "404"),
            (Method::GET, "/api/v2/build/state", "404"),
            (Method::GET, "/api/Build/state", "404"),
            (Method::GET, "/api", "404"),
            (Method::GET, "/api/", "404"),
            (Method::GET, "/api/v1", "404"),
            (Method::GET, "/other/build/state", "404"),
            (Method::POST, "/api/build/state", "405 GET, HEAD"),
            (Method::PUT, "/api/build/cancel", "405 POST"),
            (Method::DELETE, "/api/orders/build", "405 POST, GET, HEAD"),
            (Method::POST, "/api/orders/build", "openPayment"),
            (Method::GET, "/api/orders/build", "readOrder build"),
            (Method::POST, "/api/orders/A1", "405 GET, HEAD"),
            (Method::GET, "/api/orders/A%231%3F%3B", "readOrder A#1?;"),
            (Method::GET, "/api/orders/A%2523", "readOrder A%23"),
            (Method::GET, "/api/orders/A%", "readOrder A%"),
            (Method::GET, "/api/orders/%FF", "404"),
            (Method::GET, "/api/orders/", "listOrders"),
            (Method::POST, "/api/orders", "405 GET, HEAD"),
            (Method::GET, "/api/v1/operations", "listOperations"),
            (Method::GET, "/api/payment_methods", "listPaymentMethods"),
            (Method::GET, "/api/operations/1/actions", "listActions 1"),
            (Method::POST, "/api/operations/1/refunds", "refund 1"),
            (Method::POST, "/api/v1/operations/1/captures/", "capture 1"),
            (Method::POST, "/api/operations/1/cancels", "cancel 1"),
            (Method::GET, "/api/operations/1/refunds", "405 POST"),
            (Method::POST, "/api/operations//refunds", "404"),
            (Method::GET, "/api/orders/a/b", "404"),
            (Method::POST, "/api/v1/orders/hpp", "openHostedPage"),
            (Method::POST, "/api/v2/orders/hpp", "404"),
            (Method::POST, "/api/orders/paybylink", "createPaymentLinkV1"),
            (
                Method::POST,
                "/api/v1/orders/paybylink",
                "createPaymentLinkV1",
            ),
            (
                Method::POST,
                "/api/v2/orders/paybylink/",
                "createPaymentLink",
            ),
            (Method::GET, "/api/orders/paybylink", "listPaymentLinks"),
            (Method::GET, "/api/v2/orders/paybylink", "listPaymentLinks"),
            (Method::GET, "/api/v2/orders/A1", "404"),
            (
                Method::GET,
                "/api/v1/orders/paybylink/7",
                "readPaymentLink 7",
            ),
            (
                Method::DELETE,
                "/api/v2/orders/paybylink/7",
                "cancelPaymentLink 7",
            ),
            (Method::DELETE, "/api/orders/paybylink/7", "405 GET, HEAD"),
            (
                Method::PUT,
                "/api/v2/orders/paybylink/7",
                "405 GET, HEAD, DELETE",
            ),
            (
                Method::POST,
                "/api/v2/paybylink/7/cancels",
                "cancelPaymentLink 7",
            ),
            (Method::GET, "/api/v1/v2/orders/paybylink", "404"),
            (Method::POST, "/api/fe/build/text", "submitCard"),
            (
                Method::POST,
                "/api/fe/build/text/CARD_NUMBER",
                "checkField CARD_NUMBER",
            ),
        ] {
            assert_eq!(check(method.clone(), path), expected, "{method} {path}");
        }
    }
}
