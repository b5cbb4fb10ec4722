//! One way to an endpoint: a verb and a path pattern below a base path (contract 1.1).

use super::endpoint::{Endpoint, Name, Verb};

/// A verb and a path below which an endpoint is served.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    pub(crate) endpoint: &'static Endpoint,
    pub(crate) verb: Verb,
    base: &'static str,
    /// The path below the base.
    pub(crate) pattern: &'static str,
}

impl Route {
    /// The routes of an endpoint.
    pub(crate) fn of(endpoint: &'static Endpoint) -> impl Iterator<Item = Route> {
        endpoint
            .names()
            .flat_map(move |Name { verb, path, bases }| {
                bases.iter().map(move |base| Route {
                    endpoint,
                    verb,
                    base,
                    pattern: path,
                })
            })
    }

    /// The whole path, in axum's syntax.
    pub(crate) fn path(self) -> String {
        format!("/api{}{}", self.base, self.pattern)
    }

    /// The part of a call's path below the base, as it was sent.
    pub(crate) fn below_base(self, path: &str) -> &str {
        path.strip_prefix("/api")
            .and_then(|path| path.strip_prefix(self.base))
            .unwrap_or(path)
    }

    /// The parameter in the path of a call, decoded; empty if the path has none. `None`: it is not UTF-8.
    ///
    /// A fixed path can belong to a route with a parameter (`GET /orders/build`), so axum's `Path` would not find it.
    pub(crate) fn parameter(self, path: &str) -> Option<String> {
        let pieces = self.below_base(path).split('/');
        let found = pieces
            .zip(self.pattern.split('/'))
            .find(|(_, expected)| expected.starts_with('{'));
        found.map_or(Some(String::new()), |(piece, _)| decode(piece))
    }
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
