//! The socket that the gateway listens at, with TLS or without. A task of its own serves each connection.

mod answering;
mod connection;
mod limits;
mod tls;

pub(crate) use connection::Connection;
pub use limits::Limits;
pub use tls::{Files, Tls, TlsError};

use answering::Answering;
use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use limits::{Connections, LimitedStream, Place};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Answers at a socket until `shutdown` is done; then running calls have `limit` to end, and are cut off after that.
///
/// Handlers may read the caller's address (`ConnectInfo<SocketAddr>`) and end the connection after its answers ([`Connection`]).
pub async fn serve(
    listener: TcpListener,
    tls: Option<&Tls>,
    router: Router,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
    limit: Duration,
) {
    let open = Arc::<Connections>::default();
    let (stop, stopped) = watch::channel(());
    let server = Server {
        http: Arc::new(http(limits)),
        tls: tls.cloned(),
        router,
        limits,
        stopped,
    };
    let mut shutdown = std::pin::pin!(shutdown);
    let mut serving = JoinSet::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = &mut shutdown => break,
            accepted = accept(&listener) => accepted,
            // Only the others are kept in mind.
            Some(_) = serving.join_next() => continue,
        };
        // Who may have no further connection is closed without an answer.
        if let Some(place) = Place::take(&open, peer.ip(), limits.per_address) {
            serving.spawn(server.clone().serve(stream, peer, place));
        }
    }
    drop((listener, stop));
    let ended = async { while serving.join_next().await.is_some() {} };
    if tokio::time::timeout(limit, ended).await.is_err() {
        tracing::warn!("some calls did not end in time and are cut off");
        serving.shutdown().await;
    }
}

/// The next connection, which sends data at once (`TCP_NODELAY`): otherwise the body of an answer waits until the other side confirms the
/// head, which may take its system 40 ms. Where there is none for want of something, as of descriptors, it waits a moment.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) if stream.set_nodelay(true).is_ok() => return (stream, peer),
            // It has gone already.
            Ok(_) => {}
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

fn http(limits: Limits) -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head);
    http.http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEADER_BYTES);
    http
}

/// What serves a connection.
#[derive(Clone)]
struct Server {
    http: Arc<auto::Builder<TokioExecutor>>,
    tls: Option<Tls>,
    router: Router,
    limits: Limits,
    /// Its other end is dropped when the gateway stops.
    stopped: watch::Receiver<()>,
}

impl Server {
    async fn serve(mut self, stream: TcpStream, peer: SocketAddr, place: Place) {
        let Some(tls) = self.tls.take() else {
            return self.answer(stream, peer, place).await;
        };
        let handshake = tokio::select! {
            handshake = tls.accept(stream) => handshake,
            _ = self.stopped.changed() => return,
        };
        if let Ok(stream) = handshake {
            self.answer(stream, peer, place).await;
        }
    }

    /// Answers the calls of a connection, until one of them, the other side or the gateway ends it.
    async fn answer(
        mut self,
        stream: impl AsyncRead + AsyncWrite + Send + 'static,
        peer: SocketAddr,
        place: Place,
    ) {
        let connection = Connection::new();
        let stream = LimitedStream::new(stream, place, connection.clone(), self.limits);
        let service = TowerToHyperService::new(Answering {
            router: self.router,
            connection: connection.clone(),
            peer,
            limits: self.limits,
        });
        let serving = self.http.serve_connection(TokioIo::new(stream), service);
        let mut serving = std::pin::pin!(serving);
        // An error is one of the other side, which has gone or does not speak the protocol: there is nobody to tell.
        tokio::select! {
            _ = serving.as_mut() => return,
            () = connection.is_to_end() => {}
            _ = self.stopped.changed() => {}
        }
        // Over HTTP/2 it says so by GOAWAY, and ends when all that came before has its answer.
        serving.as_mut().graceful_shutdown();
        let _ = serving.await;
    }
}

/// How long it waits after a connection could not be accepted.
const PAUSE: Duration = Duration::from_millis(50);

/// Calls that one HTTP/2 connection may have running.
const STREAMS: u32 = 64;

/// Size of all headers of a call over HTTP/2, in bytes.
const HEADER_BYTES: u32 = 32 * 1024;

#[cfg(test)]
mod tests;
