//! The certificates that a provider's own certificate has to lead to, in place of those of the public authorities.
//!
//! A company's provider often has a certificate of the company's own authority. It counts for that provider alone.

use reqwest::{Certificate, Client, ClientBuilder};

/// Certificates of authorities, at least one.
#[derive(Clone, Debug)]
pub(super) struct Authorities(Vec<Certificate>);

impl Authorities {
    /// Reads them as PEM. `None`: there is none, or one that cannot be used.
    pub(super) fn from_pem(pem: &[u8]) -> Option<Authorities> {
        let certificates = Certificate::from_pem_bundle(pem).ok()?;
        let authorities = Authorities(certificates);
        // A certificate is parsed when a client is made.
        let is_usable =
            !authorities.0.is_empty() && authorities.alone_in(Client::builder()).build().is_ok();
        is_usable.then_some(authorities)
    }

    /// A client that trusts these alone.
    pub(super) fn alone_in(&self, client: ClientBuilder) -> ClientBuilder {
        let client = client.tls_built_in_root_certs(false);
        let certificates = self.0.iter().cloned();
        certificates.fold(client, ClientBuilder::add_root_certificate)
    }
}
