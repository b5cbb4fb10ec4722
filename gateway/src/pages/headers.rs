//! The headers of our pages.

use crate::App;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;

/// Adds the headers of every page: its policy, no caching, no guessing of types, no referrer.
pub(crate) fn protect(page: &mut Response, policy: &str) {
    let headers = page.headers_mut();
    // A policy consists of our own words, of checked hashes and of origins, which are plain ASCII. If a
    // policy still can not be a header, the page gets a policy that forbids everything.
    let policy = HeaderValue::from_str(policy).unwrap_or(HeaderValue::from_static(SHUT));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), microphone=(), geolocation=(), payment=(self), publickey-credentials-get=(self)",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

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

/// Whether a browser says that a page of another origin sent this.
pub(crate) fn sent_from_elsewhere(app: &App, headers: &HeaderMap) -> bool {
    let header = |name: &str| headers.get(name).map(HeaderValue::as_bytes);
    // Pages without a referrer send no origin, but browsers say whether the call is from the same origin.
    match (header("sec-fetch-site"), header("origin")) {
        (Some(site), _) => site != b"same-origin",
        (None, Some(origin)) => origin != b"null" && origin != app.config().origin.as_bytes(),
        (None, None) => false,
    }
}

/// First language that the browser asks for.
pub(crate) fn accepted_language(headers: &HeaderMap) -> Option<&str> {
    let list = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    list.split([',', ';']).next().map(str::trim)
}

/// For a policy's `frame-ancestors`: every page of the web. For pages without data.
pub(crate) const ANYBODY: &str = "'self' http: https:";

const SHUT: &str = "default-src 'none'; frame-ancestors 'none'";

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
