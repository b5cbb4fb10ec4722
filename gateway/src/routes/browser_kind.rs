//! What a browser says of itself in the headers of every call: its kind, which many browsers share. Nothing is asked of it, and nothing is
//! kept in it.

use axum::http::HeaderMap;

/// The headers that name a browser's kind. Whatever a network on the way may change is not among them.
pub(super) const NAMES_OF_KIND: [&str; 5] = [
    "user-agent",
    "accept-language",
    "sec-ch-ua",
    "sec-ch-ua-mobile",
    "sec-ch-ua-platform",
];

/// A text that is the same for browsers of one kind, to be hashed.
pub(super) fn kind_of_browser(headers: &HeaderMap) -> String {
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let values = NAMES_OF_KIND.map(|name| value(name).unwrap_or_default());
    // No value of a header has this character.
    values.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn kind(headers: &[(&'static str, &'static str)]) -> String {
        let headers = headers.iter().map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        });
        kind_of_browser(&headers.collect())
    }

    #[test]
    fn browsers_of_one_kind_say_the_same_and_others_do_not() {
        let one = [("user-agent", "A/1"), ("accept-language", "de")];
        let on_the_way = [
            one[1],
            one[0],
            ("accept-encoding", "br"),
            ("x-forwarded-for", "192.0.2.1"),
        ];
        assert_eq!(kind(&one), kind(&on_the_way));
        for other in [
            vec![],
            vec![("user-agent", "A/1")],
            vec![("user-agent", "A/2"), one[1]],
            vec![one[0], ("accept-language", "fr")],
            vec![one[0], ("sec-ch-ua", "de")],
            vec![one[0], one[1], ("sec-ch-ua-platform", "Linux")],
        ] {
            assert_ne!(kind(&one), kind(&other), "{other:?}");
        }
    }
}
