//! What the headers of a request tell about the browser, for the authentication of its buyer.

use crate::App;
use axum::http::{HeaderMap, HeaderName, header};
use payframe_payment_service::BrowserData;
use payframe_web_pages::caller_address;
use payframe_web_pages::language::accepted_language;
use std::net::IpAddr;

/// A browser of which only the headers are known: without scripts.
pub(super) fn browser_of(app: &App, headers: &HeaderMap, peer: Option<IpAddr>) -> BrowserData {
    let text = |name: HeaderName| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value
            .unwrap_or_default()
            .chars()
            .take(LONGEST_HEADER)
            .collect()
    };
    let language = accepted_language(headers).unwrap_or_default();
    BrowserData {
        accept: text(header::ACCEPT),
        accept_language: text(header::ACCEPT_LANGUAGE),
        user_agent: text(header::USER_AGENT),
        ip: caller_address(app.config().proxies, peer, headers),
        language: language.chars().take(LONGEST_LANGUAGE).collect(),
        has_javascript: false,
        has_java: false,
        color_depth: 0,
        screen_height: 0,
        screen_width: 0,
        time_zone_minutes: 0,
        is_method_done: false,
        can_confirm: false,
    }
}

/// The longest header that directory servers take.
const LONGEST_HEADER: usize = 2048;

/// The longest tag of a language.
pub(super) const LONGEST_LANGUAGE: usize = 35;
