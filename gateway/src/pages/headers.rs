//! What the headers of a page say that depend on the gateway or the caller: who may frame it, in which language, only by TLS.

use crate::App;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

/// Tells browsers that reach us by TLS to use only TLS.
pub(crate) async fn stay_secure(State(app): State<App>, mut answer: Response) -> Response {
    if app.config().origin.starts_with("https://") {
        let two_years = HeaderValue::from_static("max-age=63072000");
        answer
            .headers_mut()
            .insert(header::STRICT_TRANSPORT_SECURITY, two_years);
    }
    answer
}

/// The origin as a policy may contain it. A text that is no web origin becomes `'none'`, because one more word or
/// semicolon would make another policy.
pub(crate) fn ancestor(origin: &str) -> &str {
    let plain = url::Url::parse(origin).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == origin
    });
    if plain { origin } else { "'none'" }
}

/// First language that the browser asks for.
pub(crate) fn accepted_language(headers: &HeaderMap) -> Option<&str> {
    let list = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    list.split([',', ';']).next().map(str::trim)
}

/// For a policy's `frame-ancestors`: every page of the web. For pages without data.
pub(crate) const ANYBODY: &str = "'self' http: https:";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_origins_get_into_a_policy() {
        for (origin, expected) in [
            ("https://shop.example", "https://shop.example"),
            ("http://127.0.0.1:8788", "http://127.0.0.1:8788"),
            ("https://shop.example/", "'none'"),
            ("https://shop.example; script-src *", "'none'"),
            ("https://shop.example https://evil.example", "'none'"),
            ("null", "'none'"),
            ("*", "'none'"),
            ("", "'none'"),
        ] {
            assert_eq!(ancestor(origin), expected, "{origin}");
        }
    }

    #[test]
    fn the_first_accepted_language_counts() {
        for (value, expected) in [
            ("it-CH, it;q=0.9, en;q=0.8", "it-CH"),
            ("en;q=0.5", "en"),
            ("*", "*"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(value));
            assert_eq!(accepted_language(&headers), Some(expected));
        }
        assert_eq!(accepted_language(&HeaderMap::new()), None);
    }
}
