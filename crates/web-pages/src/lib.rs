//! What all HTML pages have in common: a filled template as an answer, the headers that every page has, redirects, the
//! compression of pages that are written at each request, the choice of a language, the colours, and two pages: a [`notice`], and the way [back](post_back) to a merchant.
//!
//! For crates that answer pages: the gateway's own pages, the sandbox's and the back office. It knows no settings and no payments.

pub mod language;
pub mod notice;
pub mod policy;
pub mod post_back;
pub mod reports;
pub mod script;
pub mod theme;
pub mod upload;

use askama::Template;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use std::net::IpAddr;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

/// A filled template as an answer, without the headers that depend on the page.
pub fn render(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(problem) => {
            tracing::error!(%problem, "a page could not be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Where browsers send their reports of what a page's policy stopped. The gateway takes them there.
pub const REPORTS_PATH: &str = "/reports";

/// Adds the headers of every page: its policy, with Trusted Types and the address for reports, no script without a hash ([`script`]), no
/// caching, no guessing of types, no referrer.
pub fn protect(page: &mut Response, policy: &str) {
    let headers = page.headers_mut();
    // Pages with scripts name their own.
    let types = match policy.contains("trusted-types") {
        true => "",
        false => "; require-trusted-types-for 'script'; trusted-types 'none'",
    };
    // Browsers that know `report-to` ignore `report-uri`.
    let policy = format!("{policy}{types}; report-uri {REPORTS_PATH}; report-to reports");
    // A policy consists of our own words, of checked hashes and of origins, which are plain ASCII. If a
    // policy still cannot be a header, the page gets a policy that forbids everything.
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(SHUT));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            HeaderName::from_static("reporting-endpoints"),
            "reports=\"/reports\"",
        ),
        (
            HeaderName::from_static(INTEGRITY_POLICY),
            "blocked-destinations=(script), endpoints=(reports)",
        ),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), microphone=(), geolocation=(), payment=(self), publickey-credentials-get=(self)",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Lifts the demand that each script has a hash, for a page whose scripts are another release's.
pub fn allow_scripts_without_hash(page: &mut Response) {
    page.headers_mut().remove(INTEGRITY_POLICY);
}

/// <https://w3c.github.io/webappsec-subresource-integrity/#integrity-policy-section>
const INTEGRITY_POLICY: &str = "integrity-policy";

/// A style or a script that is part of the program. Frames in an origin of their own load it too, so every origin may.
pub fn static_file(kind: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "public, max-age=300"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ];
    (headers, text).into_response()
}

/// The page that asks the buyer's device for a confirmation, for the challenge with this token.
pub fn confirmation_address(token: &str) -> String {
    format!("/threeds/confirmation/{token}")
}

/// The page that waits while an issuer asks the buyer apart from the browser, for the challenge with this token.
pub fn waiting_address(token: &str) -> String {
    format!("/threeds/waiting/{token}")
}

/// A redirect to `address` after a form was sent.
pub fn see_other(address: &str) -> Response {
    match HeaderValue::from_str(address) {
        Ok(location) => (
            StatusCode::SEE_OTHER,
            [
                (header::LOCATION, location),
                (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            ],
        )
            .into_response(),
        // The address has a character that no header may contain: there is no target.
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Whether a browser says that a page of another origin than `own_origin` sent this.
pub fn sent_from_elsewhere(own_origin: &str, headers: &HeaderMap) -> bool {
    let header = |name: &str| headers.get(name).map(HeaderValue::as_bytes);
    // Pages without a referrer send no origin, but browsers say whether the call is from the same origin.
    match (header("sec-fetch-site"), header("origin")) {
        (Some(site), _) => site != b"same-origin",
        (None, Some(origin)) => origin != b"null" && origin != own_origin.as_bytes(),
        (None, None) => false,
    }
}

/// The caller's address: the other end of the connection, or, behind `proxies` proxies of ours, the address that the outermost of
/// them saw. Each proxy appends the address that it saw on the right. Anybody may have written what is further left.
pub fn caller_address(proxies: u32, peer: Option<IpAddr>, headers: &HeaderMap) -> Option<IpAddr> {
    let Some(place) = proxies.checked_sub(1) else {
        return peer;
    };
    let seen: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|list| list.to_str().ok())
        .flat_map(|list| list.split(','))
        .collect();
    seen.iter().rev().nth(place as usize)?.trim().parse().ok()
}

/// The value of a cookie in these headers. Where a browser sends several of the name, the first one counts: it has the longest path.
pub fn cookie_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find_map(|(its_name, value)| (its_name == name).then_some(value))
}

/// For pages that are filled at each request, so they cannot be compressed at build time.
pub fn compression() -> CompressionLayer {
    CompressionLayer::new()
        .br(true)
        .gzip(true)
        .quality(CompressionLevel::Precise(BROTLI_QUALITY))
}

/// The result is at most a hundredth larger than with quality 7, which takes ten times as long.
const BROTLI_QUALITY: i32 = 5;

const SHUT: &str = "default-src 'none'; frame-ancestors 'none'";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_is_whom_our_outermost_proxy_saw() {
        let peer: IpAddr = "10.0.0.1".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "6.6.6.6, 1.2.3.4".parse().unwrap());
        headers.append("x-forwarded-for", "10.0.0.2".parse().unwrap());
        for (proxies, expected) in [
            (0, Some("10.0.0.1")),
            (1, Some("10.0.0.2")),
            (2, Some("1.2.3.4")),
            (4, None),
        ] {
            let found = caller_address(proxies, Some(peer), &headers);
            assert_eq!(found, expected.map(|ip| ip.parse().unwrap()), "{proxies}");
        }
    }

    #[test]
    fn a_cookie_is_found_by_its_whole_name() {
        for (sent, expected) in [
            (&["a=1; office=2"][..], Some("2")),
            (&["a=1;office=2;office=3"], Some("2")),
            (&["a=1", "office=2=3"], Some("2=3")),
            (&["my-office=1; office"], None),
            (&["OFFICE=1"], None),
            (&["a=\"office=1\""], None),
            (&[], None),
        ] {
            let mut headers = HeaderMap::new();
            for cookies in sent {
                headers.append(header::COOKIE, HeaderValue::from_static(cookies));
            }
            assert_eq!(cookie_value(&headers, "office"), expected, "{sent:?}");
        }
    }

    #[test]
    fn a_form_of_another_site_is_recognised() {
        let check = |headers: &[(&'static str, &'static str)], expected: bool| {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.insert(*name, HeaderValue::from_static(value));
            }
            let found = sent_from_elsewhere("https://pay.example", &map);
            assert_eq!(found, expected, "{headers:?}");
        };
        check(&[], false);
        check(&[("origin", "https://pay.example")], false);
        check(&[("origin", "null")], false);
        check(&[("origin", "https://evil.example")], true);
        check(&[("sec-fetch-site", "same-origin")], false);
        check(&[("sec-fetch-site", "same-site")], true);
        check(
            &[
                ("sec-fetch-site", "cross-site"),
                ("origin", "https://pay.example"),
            ],
            true,
        );
    }

    #[test]
    fn a_policy_that_can_not_be_a_header_forbids_everything() {
        let mut page = StatusCode::OK.into_response();
        protect(&mut page, "default-src 'self'\nx: y");
        assert_eq!(page.headers()[header::CONTENT_SECURITY_POLICY], SHUT);
    }

    #[test]
    fn a_page_demands_a_hash_of_each_script_unless_it_says_otherwise() {
        let mut page = StatusCode::OK.into_response();
        protect(&mut page, "default-src 'self'");
        assert_eq!(
            page.headers()[INTEGRITY_POLICY],
            "blocked-destinations=(script), endpoints=(reports)"
        );
        allow_scripts_without_hash(&mut page);
        assert!(!page.headers().contains_key(INTEGRITY_POLICY));
    }

    #[test]
    fn an_address_that_can_not_be_a_header_is_no_target() {
        assert_eq!(see_other("/office").status(), StatusCode::SEE_OTHER);
        assert_eq!(
            see_other("/a\r\nset-cookie: b").status(),
            StatusCode::NOT_FOUND
        );
    }
}
