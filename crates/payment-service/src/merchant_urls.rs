//! URLs that merchants give (contract 1.10, 3.1).

use url::{Host, Url};

/// The origin of a merchant's page: https, or http on a loopback address if `insecure` allows it.
pub fn merchant_origin(text: &str, insecure: bool) -> Option<String> {
    let url = parse(text)?;
    let good = match url.scheme() {
        "https" => true,
        "http" => insecure && is_loopback(&url),
        _ => false,
    };
    good.then(|| url.origin().ascii_serialization())
}

/// The same, if the text is only an origin.
pub fn exact_origin(text: &str, insecure: bool) -> Option<String> {
    let url = parse(text)?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    merchant_origin(text, insecure).filter(|_| is_bare)
}

/// Whether a browser, or the notifier, may load this URL: https on its usual port. `insecure` allows http and every port.
pub fn public_url(text: &str, insecure: bool) -> bool {
    parse(text).is_some_and(|url| insecure || (url.scheme() == "https" && url.port().is_none()))
}

/// An http or https URL with a plain host, without a password in it.
fn parse(text: &str) -> Option<Url> {
    // The parser removes line breaks, and spaces around the URL. A program that gets the original text may not.
    if text.len() > 2048 || text.trim() != text || text.chars().any(char::is_control) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let good = matches!(url.scheme(), "http" | "https")
        && url.host().is_some_and(|host| is_plain(&host))
        && url.port() != Some(0)
        && url.username().is_empty()
        && url.password().is_none();
    good.then_some(url)
}

/// Whether a host is an address, or a name of letters, digits, hyphens and underscores.
///
/// The URL parser also accepts `*`, `;` and `,` in a name. In a policy such as `frame-ancestors`, the first matches every host, and the
/// others begin another rule.
fn is_plain(host: &Host<&str>) -> bool {
    let Host::Domain(name) = host else {
        return true;
    };
    let is_label = |label: &str| {
        let is_good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        (1..=63).contains(&label.len()) && label.bytes().all(is_good)
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

/// Whether only this machine can answer there.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merchant_urls_are_cut_to_their_origin() {
        let check = |text: &str, insecure, expected: Option<&str>| {
            assert_eq!(
                merchant_origin(text, insecure).as_deref(),
                expected,
                "{text}"
            );
        };
        check("https://shop.example", false, Some("https://shop.example"));
        check(
            "https://Shop.example:443/basket?x=1#y",
            false,
            Some("https://shop.example"),
        );
        check(
            "https://shop.example:8443",
            false,
            Some("https://shop.example:8443"),
        );
        check("http://127.0.0.1:8788", true, Some("http://127.0.0.1:8788"));
        check(
            "http://localhost:8788/",
            true,
            Some("http://localhost:8788"),
        );
        check("http://[::1]:1", true, Some("http://[::1]:1"));
        check("http://127.0.0.1:8788", false, None);
        check("http://shop.example", true, None);
        check("http://localhost.example", true, None);
        check("shop.example", true, None);
        check("ftp://shop.example", true, None);
        check("javascript:alert(1)", true, None);
        check("https://user:secret@shop.example", true, None);
        check("", true, None);
        // Hosts with a special meaning in the policy that says who may frame the form.
        check("https://*", true, None);
        check("https://*.shop.example", true, None);
        check("https://x;sandbox", true, None);
        check("https://shop.example,evil", true, None);
        check("https://shop.example'self'", true, None);
        check("https://shop..example", true, None);
        check("https://shop.example.", true, None);
        check("https://shop.example:0", true, None);
        let long = format!("https://{}.example", "a".repeat(64));
        check(&long, true, None);
        check(
            "https://b\u{fc}cher.example",
            false,
            Some("https://xn--bcher-kva.example"),
        );
        check(
            "https://my_shop.example",
            false,
            Some("https://my_shop.example"),
        );
    }

    #[test]
    fn an_exact_origin_has_nothing_behind_it() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(exact_origin(text, false).as_deref(), expected, "{text}");
        };
        check("https://hotel.example", Some("https://hotel.example"));
        check("https://hotel.example/", Some("https://hotel.example"));
        check("https://Hotel.example:443", Some("https://hotel.example"));
        check("https://hotel.example/rooms", None);
        check("https://hotel.example?x=1", None);
        check("https://hotel.example#x", None);
        check("https://*.hotel.example", None);
        check("http://hotel.example", None);
        check("'self'", None);
    }

    #[test]
    fn other_urls_are_https_on_the_usual_port() {
        let check = |text: &str, insecure, expected| {
            assert_eq!(public_url(text, insecure), expected, "{text}")
        };
        check("https://shop.example/ok?a=1", false, true);
        check("https://shop.example:443/ok", false, true);
        check("http://shop.example/ok", false, false);
        check("http://shop.example:443/ok", false, false);
        check("http://shop.example/ok", true, true);
        check("https://shop.example:8443/ok", false, false);
        check("https://shop.example:8443/ok", true, true);
        check("https://*/ok", true, false);
        check("https://shop.example:0/ok", true, false);
        check("data:text/html,x", true, false);
        check("/ok", true, false);
        check("https://shop.example/ok?a=b c", false, true);
        check("https://shop.example/ok\r\nx: y", false, false);
        check("ht\ntps://shop.example/ok", false, false);
        check(" https://shop.example/ok", false, false);
        check(
            &format!("https://shop.example/{}", "a".repeat(2100)),
            true,
            false,
        );
    }
}
