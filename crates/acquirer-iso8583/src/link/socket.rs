//! A TCP connection to a host, with or without TLS.

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// Where a host listens.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub(crate) host: String,
    pub(crate) port: u16,
    /// `None`: plain TCP.
    pub(crate) tls: Option<Tls>,
}

/// Whom to trust, and as whom to appear.
#[derive(Clone, Debug)]
pub(crate) struct Tls {
    pub(crate) config: Arc<ClientConfig>,
    pub(crate) server: ServerName<'static>,
}

/// Bytes both ways.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Why there is no connection.
#[derive(Debug, Error)]
pub(crate) enum ConnectError {
    #[error("nothing listens there within the time limit")]
    Timeout,
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tls = if self.tls.is_some() {
            ""
        } else {
            ", without TLS"
        };
        write!(f, "{}:{}{tls}", self.host, self.port)
    }
}

impl Endpoint {
    pub(crate) async fn connect(&self, limit: Duration) -> Result<Box<dyn Stream>, ConnectError> {
        let connected = async {
            let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
            // Messages are small, and each is waited for.
            stream.set_nodelay(true)?;
            Ok(match &self.tls {
                None => Box::new(stream) as Box<dyn Stream>,
                Some(tls) => {
                    let connector = TlsConnector::from(tls.config.clone());
                    Box::new(connector.connect(tls.server.clone(), stream).await?)
                }
            })
        };
        let connected = tokio::time::timeout(limit, connected).await;
        connected.map_err(|_| ConnectError::Timeout)?
    }
}
