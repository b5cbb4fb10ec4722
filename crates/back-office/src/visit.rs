//! Where a request comes from.

use crate::BackOffice;
use axum::extract::FromRequestParts;
use axum::extract::connect_info::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use payframe_web_pages::caller_address;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

/// Where a request comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    /// The caller's address. `None`: a proxy of ours did not tell it.
    pub(crate) address: Option<IpAddr>,
    /// The family of the browser, for the list of log-ins.
    pub(crate) browser: &'static str,
}

impl Visit {
    /// The caller's address. Empty: unknown.
    pub(crate) fn address_text(&self) -> String {
        self.address
            .map_or_else(String::new, |address| address.to_canonical().to_string())
    }

    /// The addresses that the caller's subscriber has, as text: one address of version 4, or 2⁶⁴ of version 6.
    pub(crate) fn network(&self) -> Option<String> {
        self.address.map(network)
    }
}

impl FromRequestParts<BackOffice> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        office: &BackOffice,
    ) -> Result<Visit, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(address)| address.ip());
        Ok(Visit {
            address: caller_address(office.settings().proxies, peer, &parts.headers),
            browser: browser(&parts.headers),
        })
    }
}

/// The family of a browser. Whoever calls can claim what they like; members only need to recognize their own.
fn browser(headers: &HeaderMap) -> &'static str {
    let agent = headers.get(header::USER_AGENT);
    let agent = agent.and_then(|agent| agent.to_str().ok());
    let agent = agent.unwrap_or_default();
    let found = BROWSERS.iter().find(|(mark, _)| agent.contains(mark));
    found.map_or("Another browser", |(_, family)| family)
}

/// What the families are recognized by, in this order: browsers also claim to be those that they descend from.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// The addresses that one subscriber has: one address of version 4, or 2⁶⁴ of version 6.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{:x}", address.to_bits() >> 64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_told_by_its_family() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "Chrome",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 \
                 Edg/140.0.0.0",
                "Edge",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 \
                 Mobile/15E148 Safari/604.1",
                "Safari",
            ),
            ("curl/8.0", "Another browser"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::USER_AGENT, agent.parse().unwrap());
            assert_eq!(browser(&headers), expected, "{agent}");
        }
        assert_eq!(browser(&HeaderMap::new()), "Another browser");
    }

    #[test]
    fn a_network_is_one_subscribers() {
        let check = |text: &str, other: &str, same: bool| {
            let [one, other] = [text, other].map(|text| network(text.parse().unwrap()));
            assert_eq!(one == other, same, "{text}");
        };
        check("1.2.3.4", "1.2.3.5", false);
        check("1.2.3.4", "::ffff:1.2.3.4", true);
        check("2001:db8::1", "2001:db8::ffff:2", true);
        check("2001:db8::1", "2001:db8:0:1::1", false);
    }
}
