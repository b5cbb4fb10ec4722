//! Where a request comes from.

use crate::BackOffice;
use axum::extract::FromRequestParts;
use axum::extract::connect_info::ConnectInfo;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

/// Where a request comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    /// The caller's address. `None`: a proxy of ours did not tell it.
    pub(crate) address: Option<IpAddr>,
}

impl Visit {
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
            address: caller(office.settings().proxies, peer, &parts.headers),
        })
    }
}

/// The caller's address: the other end of the connection, or, behind `proxies` proxies of ours, the address that the outermost of
/// them saw. Each proxy appends the address that it saw on the right. Anybody may have written what is further left.
fn caller(proxies: u32, peer: Option<IpAddr>, headers: &HeaderMap) -> Option<IpAddr> {
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
            let found = caller(proxies, Some(peer), &headers);
            assert_eq!(found, expected.map(|ip| ip.parse().unwrap()), "{proxies}");
        }
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
