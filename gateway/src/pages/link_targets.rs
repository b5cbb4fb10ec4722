//! To which addresses a page may lead: by a link, or by a form.

/// The addresses to which a page's form may lead.
pub(super) fn form_targets(plain_http: bool) -> &'static str {
    // Browsers check all redirects after a form against the policy, and the last one may be the shop's own address.
    if plain_http {
        "'self' https: http:"
    } else {
        "'self' https:"
    }
}

/// Whether `url` may become a link. A script or data address must not.
pub(super) fn is_web_address(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}
