//! TLS where no proxy stands in front: the certificate, which may change while the gateway serves, and connections that speak it.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

/// Where the certificate and its key are: PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The certificate, and those that lead from it to a root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// A certificate, for those who are to speak TLS.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    shown: Arc<Shown>,
}

/// The certificate that is shown to those who come.
#[derive(Debug)]
struct Shown {
    files: Files,
    certified: RwLock<Arc<CertifiedKey>>,
}

impl Tls {
    /// Reads certificate and key.
    pub fn open(files: Files) -> Result<Tls, String> {
        let shown = Arc::new(Shown {
            certified: RwLock::new(Arc::new(certified(&files)?)),
            files,
        });
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|problem| problem.to_string())?
            .with_no_client_auth()
            .with_cert_resolver(shown.clone());
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Tls {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            shown,
        })
    }

    /// Reads them again, for those who come from now on. What cannot be used leaves the former ones; then the answer says why.
    pub fn refresh(&self) -> Result<(), String> {
        let fresh = Arc::new(certified(&self.shown.files)?);
        // A panic while it is held leaves it whole.
        let mut certified = self
            .shown
            .certified
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if fresh.cert != certified.cert {
            tracing::info!("a new certificate is shown from now on");
        }
        *certified = fresh;
        Ok(())
    }

    /// Reads them again every hour and whenever the process hears the signal SIGHUP, until `shutdown` is done.
    pub fn keep_refreshed(self, shutdown: impl Future<Output = ()>) -> impl Future<Output = ()> {
        // Now, and not when it is first waited for: until then the signal would end the process.
        let mut told = Told::new();
        async move {
            let mut shutdown = std::pin::pin!(shutdown);
            let mut hour = tokio::time::interval(Duration::from_secs(3600));
            loop {
                tokio::select! {
                    () = &mut shutdown => return,
                    _ = hour.tick() => {}
                    () = told.again() => {}
                }
                if let Err(problem) = self.refresh() {
                    tracing::error!(problem, "the certificate cannot be read again");
                }
            }
        }
    }

    pub(super) fn accept(&self, connection: TcpStream) -> Handshake {
        Handshake {
            accept: self.acceptor.accept(connection),
            limit: Box::pin(sleep(HANDSHAKE)),
        }
    }
}

impl ResolvesServerCert for Shown {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let certified = self
            .certified
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&certified))
    }
}

/// Reads a certificate and the key that belongs to it.
fn certified(files: &Files) -> Result<CertifiedKey, String> {
    let Files { certificate, key } = files;
    let of =
        |file: &PathBuf, problem: &dyn std::fmt::Display| format!("{}: {problem}", file.display());
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificate)
        .map_err(|problem| of(certificate, &problem))?
        .collect();
    let chain = chain.map_err(|problem| of(certificate, &problem))?;
    if chain.is_empty() {
        return Err(of(certificate, &"there is no certificate in it"));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|problem| of(key, &problem))?;
    CertifiedKey::from_der(chain, private, &ring::default_provider())
        .map_err(|problem| of(key, &format!("not the key of the certificate: {problem}")))
}

/// The signal by which an operator says that files have changed.
struct Told {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

impl Told {
    #[cfg(unix)]
    fn new() -> Told {
        let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup());
        if let Err(problem) = &signal {
            tracing::error!(%problem, "cannot listen for SIGHUP");
        }
        Told {
            signal: signal.ok(),
        }
    }

    #[cfg(not(unix))]
    fn new() -> Told {
        Told {}
    }

    async fn again(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}

/// A connection that becomes one with TLS, for as long as that may take.
pub(super) struct Handshake {
    accept: Accept<TcpStream>,
    limit: Pin<Box<Sleep>>,
}

/// A connection: whoever reads or writes first makes it speak TLS, so that nobody waits for another one's handshake.
pub struct Connection(Stage);

enum Stage {
    Plain(TcpStream),
    Greeting(Box<Handshake>),
    Secured(Box<TlsStream<TcpStream>>),
}

impl Connection {
    pub(super) fn plain(connection: TcpStream) -> Connection {
        Connection(Stage::Plain(connection))
    }

    pub(super) fn secured(handshake: Handshake) -> Connection {
        Connection(Stage::Greeting(Box::new(handshake)))
    }

    #[cfg(test)]
    pub(super) fn sends_at_once(&self) -> io::Result<bool> {
        match &self.0 {
            Stage::Plain(connection) => connection.nodelay(),
            Stage::Secured(connection) => connection.get_ref().0.nodelay(),
            Stage::Greeting(_) => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// What to read from and write to, once it is there.
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Pin<&mut dyn Both>>> {
        if let Stage::Greeting(handshake) = &mut self.0 {
            let greeted = Pin::new(&mut handshake.accept).poll(context);
            if greeted.is_pending() && handshake.limit.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.0 = Stage::Secured(Box::new(ready!(greeted)?));
        }
        Poll::Ready(Ok(match &mut self.0 {
            Stage::Plain(connection) => Pin::new(connection),
            Stage::Secured(connection) => Pin::new(connection.as_mut()),
            // It has become a secured one just now.
            Stage::Greeting(_) => return Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }))
    }
}

/// Reads and writes.
trait Both: AsyncRead + AsyncWrite + Unpin {}

impl<T: AsyncRead + AsyncWrite + Unpin> Both for T {}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.get_mut().poll_ready(context))?.poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.get_mut().poll_ready(context))?.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.get_mut().poll_ready(context))?.poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        match &self.0 {
            Stage::Plain(connection) => connection.is_write_vectored(),
            Stage::Secured(connection) => connection.is_write_vectored(),
            Stage::Greeting(_) => false,
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.get_mut().poll_ready(context))?.poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        if let Stage::Greeting(_) = connection.0 {
            // Nothing was said that would have to be ended.
            return Poll::Ready(Ok(()));
        }
        ready!(connection.poll_ready(context))?.poll_shutdown(context)
    }
}

/// How long a greeting may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
