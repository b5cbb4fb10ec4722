//! The socket that the gateway listens at, with TLS or without.

mod tls;

pub use tls::{Connection, Files, Tls};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use std::io;
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// A socket whose connections send at once what they are given: otherwise the body of an answer, which comes after its head,
/// waits until the other side has confirmed the head, and that may take its system 40 ms.
pub struct Socket {
    listener: TcpListener,
    tls: Option<Tls>,
}

/// Listens at an address.
pub async fn listen(address: SocketAddr, tls: Option<Tls>) -> io::Result<Socket> {
    let listener = TcpListener::bind(address).await?;
    Ok(Socket { listener, tls })
}

impl Listener for Socket {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (connection, address) = Listener::accept(&mut self.listener).await;
        if let Err(problem) = connection.set_nodelay(true) {
            // It works all the same, only slower.
            tracing::debug!(%problem, "a connection can not be told to send at once");
        }
        let connection = match &self.tls {
            Some(tls) => Connection::secured(tls.accept(connection)),
            None => Connection::plain(connection),
        };
        (connection, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Listener::local_addr(&self.listener)
    }
}

/// The other end of a connection, for handlers that want to know it (`axum::extract::ConnectInfo`).
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

impl Connected<IncomingStream<'_, Socket>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Socket>) -> Peer {
        Peer(*stream.remote_addr())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::extract::ConnectInfo;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    #[tokio::test]
    async fn handlers_know_the_other_end() {
        let listener = listen(([127, 0, 0, 1], 0).into(), None).await.unwrap();
        let server = listener.local_addr().unwrap();
        let told =
            |ConnectInfo(Peer(address)): ConnectInfo<Peer>| async move { address.to_string() };
        let service = axum::Router::new()
            .route("/", axum::routing::get(told))
            .into_make_service_with_connect_info::<Peer>();
        tokio::spawn(axum::serve(listener, service).into_future());
        let mut caller = TcpStream::connect(server).await.unwrap();
        let request = b"GET / HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n\r\n";
        caller.write_all(request).await.unwrap();
        let mut answer = String::new();
        let own = caller.local_addr().unwrap().to_string();
        caller.read_to_string(&mut answer).await.unwrap();
        assert!(answer.ends_with(&own), "{answer}");
    }

    #[tokio::test]
    async fn connections_send_at_once() {
        let mut listener = listen(([127, 0, 0, 1], 0).into(), None).await.unwrap();
        let _buyer = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        let (connection, _) = listener.accept().await;
        assert!(connection.sends_at_once().unwrap());
    }
}
