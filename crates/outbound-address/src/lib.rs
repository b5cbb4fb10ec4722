//! The addresses to which the gateway itself may connect, for a notification or a style sheet. Never an address in its own network.
//!
//! The name is resolved for each request, and every address is checked. The connection is made only to the checked addresses, so a name
//! that changes its address in the meantime reaches nothing else.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use thiserror::Error;
use url::{Host, Url};

/// A receiver with checked addresses.
#[derive(Debug)]
pub struct OutboundAddress {
    /// The URL that the merchant gave.
    pub url: Url,
    /// The host of the URL.
    pub host: String,
    /// Connections are made only to these.
    pub addresses: Vec<SocketAddr>,
}

/// The allowed addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowedAddresses {
    /// Public internet addresses.
    Public,
    /// Public addresses and loopback addresses.
    PublicOrLoopback,
    /// Loopback addresses.
    Loopback,
    /// All addresses.
    Anywhere,
}

impl AllowedAddresses {
    fn includes(self, address: IpAddr) -> bool {
        match self {
            AllowedAddresses::Public => is_public(address),
            AllowedAddresses::PublicOrLoopback => address.is_loopback() || is_public(address),
            AllowedAddresses::Loopback => address.is_loopback(),
            AllowedAddresses::Anywhere => true,
        }
    }
}

impl OutboundAddress {
    /// Resolves the receiver and checks its addresses against `reach`.
    pub async fn find(url: &str, reach: AllowedAddresses) -> Result<OutboundAddress, AddressError> {
        let url = Url::parse(url).map_err(|_| AddressError::BadUrl)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(AddressError::BadUrl);
        }
        let port = url.port_or_known_default().ok_or(AddressError::BadUrl)?;
        let found: Vec<SocketAddr> = match url.host().ok_or(AddressError::BadUrl)? {
            Host::Ipv4(address) => vec![(address, port).into()],
            Host::Ipv6(address) => vec![(address, port).into()],
            Host::Domain(name) => tokio::net::lookup_host((name, port))
                .await
                .map_err(|_| AddressError::Unresolvable)?
                .collect(),
        };
        if found.is_empty() {
            return Err(AddressError::Unresolvable);
        }
        let addresses: Vec<_> = found
            .into_iter()
            .filter(|found| reach.includes(found.ip()))
            .collect();
        if addresses.is_empty() {
            return Err(AddressError::PrivateAddress);
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        Ok(OutboundAddress {
            url,
            host,
            addresses,
        })
    }

    /// A client that connects only to the checked addresses. It follows no redirect.
    pub fn client(&self, user_agent: &str) -> reqwest::Result<reqwest::Client> {
        self.client_builder(user_agent).build()
    }

    /// The same before it is built: for a caller that trusts other certificates.
    pub fn client_builder(&self, user_agent: &str) -> reqwest::ClientBuilder {
        reqwest::Client::builder()
            .user_agent(user_agent)
            .redirect(reqwest::redirect::Policy::none())
            // A proxy would resolve the name itself, and connect to an address that was not checked.
            .no_proxy()
            .resolve_to_addrs(&self.host, &self.addresses)
    }
}

/// Why no connection is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// The URL is not valid, or its protocol is not HTTP.
    #[error("the URL is not valid, or its protocol is not HTTP")]
    BadUrl,
    /// The name has no address.
    #[error("the name has no address")]
    Unresolvable,
    /// None of its addresses is allowed.
    #[error("none of its addresses is allowed")]
    PrivateAddress,
}

impl AddressError {
    /// A stable code for the record.
    pub fn as_str(self) -> &'static str {
        match self {
            AddressError::BadUrl => "bad_url",
            AddressError::Unresolvable => "unresolvable",
            AddressError::PrivateAddress => "private_address",
        }
    }
}

/// Whether the address belongs to the public internet. Unknown ranges do not.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// All addresses except the special ranges of RFC 6890 and its successors.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = matches!(
        (a, b, c),
        (0 | 10 | 127 | 224..=255, _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !special
}

/// Global unicast addresses, except reserved ranges and ranges that contain an IPv4 address that is not public.
fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let parts = address.segments();
    let inner = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match parts {
        // Translation to IPv4 (RFC 6052).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(inner(high, low)),
        // 6to4 (RFC 3056).
        [0x2002, high, low, ..] => is_public_v4(inner(high, low)),
        // Protocol assignments (Teredo among them), documentation.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_public() {
        for (address, expected) in [
            ("93.184.215.14", true),
            ("1.1.1.1", true),
            ("172.15.0.1", true),
            ("172.32.0.1", true),
            ("100.63.0.1", true),
            ("127.0.0.1", false),
            ("127.9.9.9", false),
            ("10.0.0.1", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("0.0.0.0", false),
            ("0.1.2.3", false),
            ("192.0.0.8", false),
            ("192.0.2.1", false),
            ("198.18.0.1", false),
            ("198.51.100.1", false),
            ("203.0.113.1", false),
            ("224.0.0.1", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("2606:4700::1111", true),
            ("2a00:1450:4002::1", true),
            ("::1", false),
            ("::", false),
            ("fc00::1", false),
            ("fd12:3456::1", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
            ("100::1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("3fff::1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:10.0.0.1", false),
            ("::ffff:1.1.1.1", true),
            ("::127.0.0.1", false),
            ("64:ff9b::7f00:1", false),
            ("64:ff9b::101:101", true),
            ("2002:7f00:1::", false),
            ("2002:a00:1::", false),
            ("2002:101:101::", true),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[tokio::test]
    async fn receivers_inside_our_network_are_refused() {
        for (url, expected) in [
            ("http://127.0.0.1:8788/hook", AddressError::PrivateAddress),
            ("http://localhost:8788/hook", AddressError::PrivateAddress),
            ("https://[::1]/hook", AddressError::PrivateAddress),
            (
                "http://169.254.169.254/latest",
                AddressError::PrivateAddress,
            ),
            ("http://2130706433/hook", AddressError::PrivateAddress),
            ("http://0x7f.1/hook", AddressError::PrivateAddress),
            ("ftp://shop.example/hook", AddressError::BadUrl),
            ("file:///etc/passwd", AddressError::BadUrl),
            ("hook", AddressError::BadUrl),
            ("", AddressError::BadUrl),
        ] {
            assert_eq!(
                OutboundAddress::find(url, AllowedAddresses::Public)
                    .await
                    .unwrap_err(),
                expected,
                "{url}"
            );
        }
    }

    #[tokio::test]
    async fn a_developers_machine_is_not_its_network() {
        let url = "http://10.0.0.1:8788/hook";
        let of = |reach| OutboundAddress::find(url, reach);
        assert_eq!(
            of(AllowedAddresses::PublicOrLoopback).await.unwrap_err(),
            AddressError::PrivateAddress
        );
        assert_eq!(
            of(AllowedAddresses::Loopback).await.unwrap_err(),
            AddressError::PrivateAddress
        );
        assert!(of(AllowedAddresses::Anywhere).await.is_ok());
    }

    #[tokio::test]
    async fn a_developers_machine_may_be_its_own_receiver() {
        let receiver = OutboundAddress::find(
            "http://127.0.0.1:8788/hook",
            AllowedAddresses::PublicOrLoopback,
        )
        .await
        .unwrap();
        assert_eq!(receiver.addresses, ["127.0.0.1:8788".parse().unwrap()]);
        let receiver =
            OutboundAddress::find("http://[::1]:8788/hook", AllowedAddresses::PublicOrLoopback)
                .await
                .unwrap();
        assert_eq!(receiver.addresses, ["[::1]:8788".parse().unwrap()]);
    }
}
