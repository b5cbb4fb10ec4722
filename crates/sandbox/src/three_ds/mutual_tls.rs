//! Both ends of mutual TLS: who has no certificate of the authority gets no further than the handshake.

use super::ThreeDsProblem;
use super::identities::{Identities, Side};
use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use reqwest::{Certificate, Client, Identity, redirect};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A socket whose callers have to show a certificate.
pub(super) struct TlsSocket {
    listener: TcpListener,
    config: RustlsConfig,
}

impl TlsSocket {
    pub(super) fn open(
        listen: SocketAddr,
        identities: &Identities,
        side: Side,
    ) -> Result<TlsSocket, ThreeDsProblem> {
        let config = server_config(identities, side)?;
        let listener = TcpListener::bind(listen).map_err(ThreeDsProblem::Listen)?;
        listener
            .set_nonblocking(true)
            .map_err(ThreeDsProblem::Listen)?;
        Ok(TlsSocket {
            listener,
            config: RustlsConfig::from_config(Arc::new(config)),
        })
    }

    /// `https` address of this machine, with a slash at the end.
    pub(super) fn address(&self) -> Result<String, ThreeDsProblem> {
        let address = self.listener.local_addr();
        let port = address.map_err(ThreeDsProblem::Listen)?.port();
        Ok(format!("https://localhost:{port}/"))
    }

    /// Answers until `stop` is done.
    pub(super) async fn serve(
        self,
        router: Router,
        stop: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        let handle = Handle::new();
        let server =
            axum_server::from_tcp_rustls(self.listener, self.config)?.handle(handle.clone());
        tokio::select! {
            served = server.serve(router.into_make_service()) => served,
            () = stop => {
                handle.shutdown();
                Ok(())
            }
        }
    }
}

fn server_config(identities: &Identities, side: Side) -> Result<ServerConfig, ThreeDsProblem> {
    let of = |file: PathBuf| {
        move |problem: String| ThreeDsProblem::Identity {
            file: file.clone(),
            problem,
        }
    };
    let provider = Arc::new(ring::default_provider());
    let roots = root_store(&identities.authority())?;
    let verifier =
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build();
    let verifier = verifier.map_err(|problem| of(identities.authority())(problem.to_string()))?;
    let certificates = certificates(&identities.certificate(side))?;
    let unreadable = of(identities.key(side));
    let key = PrivateKeyDer::from_pem_file(identities.key(side));
    let key = key.map_err(|problem| unreadable(problem.to_string()))?;
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder
                .with_client_cert_verifier(verifier)
                .with_single_cert(certificates, key)
        });
    config.map_err(|problem| unreadable(problem.to_string()))
}

fn root_store(file: &Path) -> Result<RootCertStore, ThreeDsProblem> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(file)? {
        let added = roots.add(certificate);
        added.map_err(|problem| ThreeDsProblem::Identity {
            file: file.to_owned(),
            problem: problem.to_string(),
        })?;
    }
    Ok(roots)
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, ThreeDsProblem> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    read.map_err(|problem| ThreeDsProblem::Identity {
        file: file.to_owned(),
        problem: problem.to_string(),
    })
}

/// A client that shows a certificate, and also trusts the authority of the folder.
pub(super) fn client(
    identities: &Identities,
    side: Side,
    limit: Duration,
) -> Result<Client, ThreeDsProblem> {
    let read = |file: PathBuf| {
        std::fs::read(&file).map_err(|source| ThreeDsProblem::File { file, source })
    };
    let mut identity = read(identities.key(side))?;
    identity.push(b'\n');
    identity.extend_from_slice(&read(identities.certificate(side))?);
    let authority = read(identities.authority())?;
    let built = Identity::from_pem(&identity).and_then(|identity| {
        Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .identity(identity)
            .add_root_certificate(Certificate::from_pem(&authority)?)
            .timeout(limit)
            .build()
    });
    built.map_err(|problem| ThreeDsProblem::Identity {
        file: identities.certificate(side),
        problem: problem.to_string(),
    })
}
