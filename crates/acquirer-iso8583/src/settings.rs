//! The members of an `[[acquirer]]` with `protocol = "iso8583"` in the file that `PAYFRAME_ACQUIRERS` names.
//!
//! What cannot be used is refused with the name of the member and with what is accepted. Keys and certificates are in files of their own.

use crate::dialect::Dialect;
use crate::link::{Endpoint, Tls};
use crate::mac::MacKey;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// How one acquirer is reached.
#[derive(Clone)]
pub struct IsoSettings {
    pub(crate) name: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) dialect: Dialect,
    pub(crate) mac: Option<MacKey>,
    pub(crate) identity: Identity,
    pub(crate) connections: usize,
    pub(crate) connect_limit: Duration,
    pub(crate) answer_limit: Duration,
    pub(crate) echo_interval: Duration,
}

/// As whom the gateway speaks. Empty texts are not sent.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    pub(crate) acquirer_id: String,
    pub(crate) merchant_id: String,
    /// `None`: the gateway's own terminals.
    pub(crate) terminal_id: Option<String>,
    pub(crate) merchant_category: String,
    pub(crate) merchant_location: String,
}

/// Whether a connection may be without TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainTcp {
    /// Nowhere.
    Refused,
    /// To the same machine.
    SameMachine,
}

/// A member that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{member} must be {accepts}")]
pub struct SettingError {
    /// Its name.
    pub member: &'static str,
    /// What is accepted.
    pub accepts: String,
}

/// The members, as they are in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IsoMembers {
    host: String,
    port: u16,
    #[serde(default = "yes")]
    tls: bool,
    ca_file: Option<PathBuf>,
    client_certificate_file: Option<PathBuf>,
    client_key_file: Option<PathBuf>,
    dialect_file: PathBuf,
    mac_key_file: Option<PathBuf>,
    acquirer_id: String,
    merchant_id: String,
    terminal_id: Option<String>,
    #[serde(default)]
    merchant_category: String,
    #[serde(default)]
    merchant_location: String,
    #[serde(default = "two")]
    connections: usize,
    #[serde(default = "five")]
    connect_seconds: u64,
    #[serde(default = "thirty")]
    answer_seconds: u64,
    #[serde(default = "sixty")]
    echo_seconds: u64,
}

impl IsoSettings {
    /// Reads the files that the members name. Paths are relative to `folder`.
    ///
    /// # Errors
    /// The first member that cannot be used.
    pub fn read(
        name: &str,
        members: IsoMembers,
        folder: &Path,
        plain: PlainTcp,
    ) -> Result<IsoSettings, SettingError> {
        let is_local = ["localhost", "127.0.0.1", "::1"].contains(&members.host.as_str());
        if !members.tls && (plain == PlainTcp::Refused || !is_local) {
            return Err(refused(
                "tls",
                match plain {
                    PlainTcp::Refused => "true in production: card numbers never travel in clear",
                    PlainTcp::SameMachine => "true, unless the host is on the same machine",
                },
            ));
        }
        if members.port == 0 {
            return Err(refused("port", "a number from 1 to 65535"));
        }
        if !(1..=MOST_CONNECTIONS).contains(&members.connections) {
            return Err(refused("connections", "a whole number from 1 to 16"));
        }
        let limits = [
            ("connect_seconds", members.connect_seconds),
            ("answer_seconds", members.answer_seconds),
        ];
        for (member, seconds) in limits {
            if !(1..=120).contains(&seconds) {
                return Err(refused(member, "a whole number of seconds from 1 to 120"));
            }
        }
        if !(5..=3_600).contains(&members.echo_seconds) {
            return Err(refused(
                "echo_seconds",
                "a whole number of seconds from 5 to 3600",
            ));
        }
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if members.acquirer_id.is_empty()
            || members.acquirer_id.len() > 11
            || !is_number(&members.acquirer_id)
        {
            return Err(refused("acquirer_id", "1 to 11 digits"));
        }
        if members.merchant_id.is_empty() {
            return Err(refused(
                "merchant_id",
                "the id that the acquirer gave to the merchant",
            ));
        }
        let path = folder.join(&members.dialect_file);
        let text = std::fs::read_to_string(path).map_err(|problem| {
            refused(
                "dialect_file",
                &format!("the path of a dialect's file ({problem})"),
            )
        })?;
        let dialect = Dialect::parse(&text).map_err(|problem| {
            refused(
                "dialect_file",
                &format!("the path of a dialect's file ({problem})"),
            )
        })?;
        let mac = match (dialect.mac, &members.mac_key_file) {
            (None, None) => None,
            (None, Some(_)) => {
                return Err(refused(
                    "mac_key_file",
                    "left out, because the dialect has no mac",
                ));
            }
            (Some(algorithm), file) => {
                let text = file.as_ref().and_then(|file| read_text(folder, file));
                let key = text.and_then(|text| MacKey::parse(algorithm, &text));
                Some(key.ok_or_else(|| refused("mac_key_file", algorithm.accepted()))?)
            }
        };
        let tls = match members.tls {
            true => Some(tls(&members, folder)?),
            false => None,
        };
        Ok(IsoSettings {
            name: name.to_owned(),
            endpoint: Endpoint {
                host: members.host,
                port: members.port,
                tls,
            },
            dialect,
            mac,
            identity: Identity {
                acquirer_id: members.acquirer_id,
                merchant_id: members.merchant_id,
                terminal_id: members.terminal_id,
                merchant_category: members.merchant_category,
                merchant_location: members.merchant_location,
            },
            connections: members.connections,
            connect_limit: Duration::from_secs(members.connect_seconds),
            answer_limit: Duration::from_secs(members.answer_seconds),
            echo_interval: Duration::from_secs(members.echo_seconds),
        })
    }

    /// The same with shorter limits, for tests of what happens at their end.
    #[must_use]
    pub fn with_limits(self, answer_limit: Duration, echo_interval: Duration) -> IsoSettings {
        IsoSettings {
            answer_limit,
            echo_interval,
            ..self
        }
    }
}

fn tls(members: &IsoMembers, folder: &Path) -> Result<Tls, SettingError> {
    let server = ServerName::try_from(members.host.clone())
        .map_err(|_| refused("host", "the name or the address in the host's certificate"))?;
    let mut roots = RootCertStore::empty();
    match &members.ca_file {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(file) => {
            let certificates = certificates(folder, file).unwrap_or_default();
            let (added, _) = roots.add_parsable_certificates(certificates);
            if added == 0 {
                return Err(refused("ca_file", CERTIFICATES));
            }
        }
    }
    let versions = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|problem| refused("tls", &format!("possible ({problem})")))?;
    let trusting = versions.with_root_certificates(roots);
    let config = match (&members.client_certificate_file, &members.client_key_file) {
        (None, None) => trusting.with_no_client_auth(),
        (Some(certificate), Some(key)) => {
            let chain = certificates(folder, certificate)
                .ok_or_else(|| refused("client_certificate_file", CERTIFICATES))?;
            let key = PrivateKeyDer::from_pem_file(folder.join(key))
                .map_err(|_| refused("client_key_file", KEY))?;
            trusting
                .with_client_auth_cert(chain, key)
                .map_err(|_| refused("client_key_file", KEY))?
        }
        (Some(_), None) => return Err(refused("client_key_file", KEY)),
        (None, Some(_)) => return Err(refused("client_certificate_file", CERTIFICATES)),
    };
    Ok(Tls {
        config: Arc::new(config),
        server,
    })
}

/// The certificates of a file. `None`: there are none.
fn certificates(folder: &Path, file: &Path) -> Option<Vec<CertificateDer<'static>>> {
    let certificates = CertificateDer::pem_file_iter(folder.join(file)).ok()?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().ok()?;
    (!certificates.is_empty()).then_some(certificates)
}

fn read_text(folder: &Path, file: &Path) -> Option<zeroize::Zeroizing<String>> {
    let text = std::fs::read_to_string(folder.join(file)).ok()?;
    Some(zeroize::Zeroizing::new(text))
}

fn refused(member: &'static str, accepts: &str) -> SettingError {
    SettingError {
        member,
        accepts: accepts.to_owned(),
    }
}

fn yes() -> bool {
    true
}

fn two() -> usize {
    2
}

fn five() -> u64 {
    5
}

fn thirty() -> u64 {
    30
}

fn sixty() -> u64 {
    60
}

const CERTIFICATES: &str = "the path of a file with certificates, as PEM";
const KEY: &str = "the path of the file with the private key of client_certificate_file, as PEM";
const MOST_CONNECTIONS: usize = 16;
