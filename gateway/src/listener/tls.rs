//! TLS without a proxy in front: the certificate, which may change while the gateway serves.

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Paths of the certificate and its key, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The certificate, with the certificates that lead from it to a root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// A certificate for TLS connections.
#[derive(Clone, Debug)]
pub struct Tls {
    files: Files,
    config: watch::Sender<Arc<ServerConfig>>,
}

/// Why a certificate cannot be used.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read, or is not PEM.
    #[error("{}: {source}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The reader's error.
        source: pem::Error,
    },
    /// A file contains something else.
    #[error("{}: there is no certificate in it", .0.display())]
    NoCertificate(PathBuf),
    /// The key belongs to another certificate, or its kind is not known.
    #[error("{}: not the key of the certificate: {source}", file.display())]
    OtherKey {
        /// The key's file.
        file: PathBuf,
        /// The error of rustls.
        source: rustls::Error,
    },
    /// The cryptography library supports no safe version of TLS.
    #[error("no TLS version is available: {0}")]
    NoVersion(#[source] rustls::Error),
}

impl Tls {
    /// Reads certificate and key.
    pub fn open(files: Files) -> Result<Tls, TlsError> {
        let config = watch::Sender::new(Arc::new(server_config(&files)?));
        Ok(Tls { files, config })
    }

    /// Reads the files again, for new connections. If they cannot be used, the former ones stay, and the error says why.
    pub fn refresh(&self) -> Result<(), TlsError> {
        let config = server_config(&self.files)?;
        self.config.send_replace(Arc::new(config));
        tracing::info!("certificate and key have been read again");
        Ok(())
    }

    /// Reads the files again every hour and whenever the process receives the signal SIGHUP, until `shutdown` is done.
    pub fn keep_refreshed(self, shutdown: impl Future<Output = ()>) -> impl Future<Output = ()> {
        // Registered now, not at the first wait: until then the signal would end the process.
        let mut signal = HangupSignal::new();
        async move {
            let mut shutdown = std::pin::pin!(shutdown);
            let mut hour = tokio::time::interval_at(Instant::now() + HOUR, HOUR);
            loop {
                tokio::select! {
                    () = &mut shutdown => return,
                    _ = hour.tick() => {}
                    () = signal.next() => {}
                }
                if let Err(problem) = self.refresh() {
                    tracing::error!(%problem, "the certificate cannot be read again");
                }
            }
        }
    }

    /// The handshake of a connection, which has a limited time.
    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let acceptor = TlsAcceptor::from(self.config.borrow().clone());
        timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await?
    }
}

/// Reads a certificate and the key that belongs to it. An error says which of the files is wrong.
fn server_config(files: &Files) -> Result<ServerConfig, TlsError> {
    let Files { certificate, key } = files;
    let unreadable = |file: &PathBuf| {
        let file = file.clone();
        move |source| TlsError::Unreadable { file, source }
    };
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(unreadable(certificate))?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(certificate.clone()));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(TlsError::NoVersion)?
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .map_err(|source| TlsError::OtherKey {
            file: key.clone(),
            source,
        })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The signal by which an operator says that files have changed.
struct HangupSignal {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

impl HangupSignal {
    #[cfg(unix)]
    fn new() -> HangupSignal {
        let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup());
        if let Err(problem) = &signal {
            tracing::error!(%problem, "cannot listen for SIGHUP");
        }
        HangupSignal {
            signal: signal.ok(),
        }
    }

    #[cfg(not(unix))]
    fn new() -> HangupSignal {
        HangupSignal {}
    }

    async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}

/// How long a handshake may take.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

const HOUR: Duration = Duration::from_secs(3600);
