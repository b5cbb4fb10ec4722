//! The parts of a page's policy that depend on addresses: who may frame the page, and to where its links and forms may lead.

/// The pages that may frame a page, by their origins, as a policy may contain them.
pub fn ancestors<'a>(origins: impl Iterator<Item = &'a str>) -> String {
    let origins: Vec<&str> = origins.map(ancestor).collect();
    // `'none'` is only allowed alone.
    if origins.contains(&NOBODY) {
        NOBODY.to_owned()
    } else {
        origins.join(" ")
    }
}

/// The origin as a policy may contain it. A text that is no web origin becomes `'none'`, because one more word or
/// semicolon would make another policy, and a star, which addresses may contain, would mean other pages too.
fn ancestor(origin: &str) -> &str {
    let plain = url::Url::parse(origin).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == origin
    }) && !origin.contains('*');
    if plain { origin } else { NOBODY }
}

const NOBODY: &str = "'none'";

/// For a policy's `frame-ancestors`: every page of the web. For pages without data.
pub const ANYBODY: &str = "'self' http: https:";

/// The addresses to which a page's form may lead.
pub fn form_targets(plain_http: bool) -> &'static str {
    // Browsers check all redirects after a form against the policy, and the last one may be the shop's own address.
    if plain_http {
        "'self' https: http:"
    } else {
        "'self' https:"
    }
}

/// Whether `url` may become a link. A script or data address must not.
pub fn is_web_address(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_above_is_named() {
        for (origins, expected) in [
            (&["https://shop.example"][..], "https://shop.example"),
            (
                &["https://booking.example", "https://inn.example:8443"],
                "https://booking.example https://inn.example:8443",
            ),
            (&["https://booking.example", "https://*.example"], "'none'"),
            (&["", "https://hotel.example"], "'none'"),
        ] {
            assert_eq!(ancestors(origins.iter().copied()), expected);
        }
    }

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
            ("https://*.example", "'none'"),
            ("", "'none'"),
        ] {
            assert_eq!(ancestor(origin), expected, "{origin}");
        }
    }

    #[test]
    fn only_web_addresses_become_links() {
        for (url, expected) in [
            ("https://shop.example/ok", true),
            ("http://127.0.0.1:8788/", true),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("/ok", false),
        ] {
            assert_eq!(is_web_address(url), expected, "{url}");
        }
    }
}
