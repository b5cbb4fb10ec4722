//! The socket that the gateway listens at.

use axum::serve::{Listener, ListenerExt};
use std::io;
use std::net::SocketAddr;
use tokio::net::{TcpListener, TcpStream};

/// Listens at an address. Connections send at once what they are given: otherwise the body of an answer, which comes after its
/// head, waits until the other side has confirmed the head, and that may take its system 40 ms.
pub async fn listen(
    address: SocketAddr,
) -> io::Result<impl Listener<Io = TcpStream, Addr = SocketAddr>> {
    let listener = TcpListener::bind(address).await?;
    Ok(listener.tap_io(|connection| {
        if let Err(problem) = connection.set_nodelay(true) {
            // It works all the same, only slower.
            tracing::debug!(%problem, "a connection can not be told to send at once");
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn connections_send_at_once() {
        let mut listener = listen(([127, 0, 0, 1], 0).into()).await.unwrap();
        let _buyer = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        let (connection, _) = listener.accept().await;
        assert!(connection.nodelay().unwrap());
    }
}
