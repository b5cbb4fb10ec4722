//! The cookie on the way to a log-in provider and back. It opens nothing: it proves that the browser that comes back is the one that left.
//!
//! It is `SameSite=Lax`, because the provider's page sends the browser back, and belongs to the addresses of that way alone.

use crate::BackOffice;
use crate::login_session::is_secure;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use std::time::Duration;

/// Puts the cookie into an answer: a token for so long, or `None` to delete it.
pub(super) fn put(office: &BackOffice, page: &mut Response, token: Option<&str>, life: Duration) {
    let name = name(office);
    let secure = if is_secure(office) { "; Secure" } else { "" };
    let cookie = format!(
        "{name}={}; Path=/office/login/provider; HttpOnly; SameSite=Lax{secure}; Max-Age={}",
        token.unwrap_or_default(),
        life.as_secs()
    );
    // Our names and base64url are plain ASCII.
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        page.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

/// The token of the cookie in these headers.
pub(super) fn token_of<'a>(office: &BackOffice, headers: &'a HeaderMap) -> Option<&'a str> {
    payframe_web_pages::cookie_value(headers, name(office))
}

fn name(office: &BackOffice) -> &'static str {
    if is_secure(office) {
        "__Secure-payframe-provider"
    } else {
        "payframe-provider"
    }
}
