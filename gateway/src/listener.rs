//! The socket that the gateway listens at, with TLS or without. axum-server serves it; this file configures it.

mod calls;
mod limits;
mod tls;

pub use limits::Limits;
pub use tls::{Files, Tls, TlsError};

use axum::Router;
use axum::extract::Request;
use axum_server::accept::NoDelayAcceptor;
use axum_server::{Handle, Server};
use hyper_util::rt::TokioTimer;
use limits::{LimitedAcceptor, limit_body};
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;

/// Answers at a socket until `shutdown` is done; then running calls have `limit` to end, and are cut off after that.
///
/// Handlers may read the caller's address (`ConnectInfo<SocketAddr>`). Connections send data at once (`TCP_NODELAY`): otherwise the body
/// of an answer waits until the other side confirms the head, which may take its system 40 ms.
pub async fn serve(
    listener: TcpListener,
    tls: Option<&Tls>,
    router: Router,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
    limit: Duration,
) -> io::Result<()> {
    let limited = move |request: Request| async move { limit_body(request, limits) };
    let service = router
        .layer(axum::middleware::map_request(limited))
        .into_make_service_with_connect_info::<SocketAddr>();
    let handle = Handle::<SocketAddr>::new();
    let mut server = Server::from_listener(listener).handle(handle.clone());
    let builder = server.http_builder();
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEADER_BYTES);
    let serving = async {
        match tls {
            Some(tls) => {
                let acceptor = LimitedAcceptor::new(tls.acceptor(), limits);
                server.acceptor(acceptor).serve(service).await
            }
            None => {
                let acceptor = LimitedAcceptor::new(NoDelayAcceptor, limits);
                server.acceptor(acceptor).serve(service).await
            }
        }
    };
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        ended = &mut serving => return ended,
        () = shutdown => {}
    }
    handle.graceful_shutdown(Some(limit));
    serving.await?;
    if handle.connection_count() > 0 {
        tracing::warn!("some calls did not end in time and are cut off");
    }
    Ok(())
}

/// Calls that one HTTP/2 connection may have running.
const STREAMS: u32 = 64;

/// Size of all headers of a call over HTTP/2, in bytes.
const HEADER_BYTES: u32 = 32 * 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use axum::extract::ConnectInfo;
    use axum::routing::{MethodRouter, get};
    use axum_server::accept::Accept;
    use std::sync::Arc;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;
    use tokio::sync::Notify;
    use tokio::task::JoinHandle;
    use tokio::time::{Instant, timeout};

    /// Starts a server of these routes, and returns what stops it.
    async fn started(
        router: Router,
        limit: Duration,
    ) -> (SocketAddr, Arc<Notify>, JoinHandle<io::Result<()>>) {
        limited(router, Limits::default(), limit).await
    }

    async fn limited(
        router: Router,
        limits: Limits,
        limit: Duration,
    ) -> (SocketAddr, Arc<Notify>, JoinHandle<io::Result<()>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(Notify::new());
        let stopped = stop.clone();
        let serving = tokio::spawn(async move {
            serve(listener, None, router, limits, stopped.notified(), limit).await
        });
        (address, stop, serving)
    }

    async fn called(server: SocketAddr, path: &str) -> TcpStream {
        let mut caller = TcpStream::connect(server).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n\r\n");
        caller.write_all(request.as_bytes()).await.unwrap();
        caller
    }

    #[tokio::test]
    async fn handlers_know_the_other_end() {
        let told =
            |ConnectInfo(address): ConnectInfo<SocketAddr>| async move { address.to_string() };
        let (server, _stop, _serving) =
            started(Router::new().route("/", get(told)), Duration::ZERO).await;
        let mut caller = called(server, "/").await;
        let mut answer = String::new();
        let own = caller.local_addr().unwrap().to_string();
        caller.read_to_string(&mut answer).await.unwrap();
        assert!(answer.ends_with(&own), "{answer}");
    }

    #[tokio::test]
    async fn connections_send_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _buyer = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        let (connection, _) = listener.accept().await.unwrap();
        assert!(!connection.nodelay().unwrap());
        let (connection, ()) = NoDelayAcceptor.accept(connection, ()).await.unwrap();
        assert!(connection.nodelay().unwrap());
    }

    /// A call that says that it has begun, and goes on when it is told.
    fn waiting(begun: &Arc<Notify>, go_on: &Arc<Notify>) -> MethodRouter {
        let (begun, go_on) = (begun.clone(), go_on.clone());
        get(move |_: Request| async move {
            begun.notify_one();
            go_on.notified().await;
            "done"
        })
    }

    #[tokio::test]
    async fn calls_that_run_get_their_answer_and_others_are_not_waited_for() {
        let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let router = || Router::new().route("/", waiting(&begun, &go_on));
        let (server, stop, serving) = started(router(), Duration::from_secs(600)).await;
        let mut caller = called(server, "/").await;
        // A silent connection does not delay the end.
        let _silent = TcpStream::connect(server).await.unwrap();
        begun.notified().await;
        stop.notify_one();
        go_on.notify_one();
        let mut answer = String::new();
        caller.read_to_string(&mut answer).await.unwrap();
        assert!(answer.ends_with("done"), "{answer}");
        timeout(Duration::from_secs(60), serving)
            .await
            .unwrap()
            .unwrap()
            .unwrap();
        assert!(TcpStream::connect(server).await.is_err());

        // A call that does not end is cut off.
        let limit = Duration::from_millis(200);
        let (server, stop, serving) = started(router(), limit).await;
        let mut caller = called(server, "/").await;
        begun.notified().await;
        let since = Instant::now();
        stop.notify_one();
        serving.await.unwrap().unwrap();
        assert!(since.elapsed() >= limit);
        let mut answer = String::new();
        let ended = caller.read_to_string(&mut answer).await;
        assert!(ended.is_err() || answer.is_empty(), "{answer}");
    }

    /// For tests: each limit is set to this value alone.
    const SHORT: Duration = Duration::from_millis(100);

    /// Sends these bytes, and waits until the server ends the connection.
    async fn cut_off(server: SocketAddr, sent: &[u8]) -> String {
        let mut caller = TcpStream::connect(server).await.unwrap();
        caller.write_all(sent).await.unwrap();
        let mut answer = Vec::new();
        let reading = caller.read_to_end(&mut answer);
        let ended = timeout(Duration::from_secs(60), reading).await;
        // Closed in order, or reset.
        let _ = ended.expect("the connection is kept open");
        String::from_utf8(answer).unwrap()
    }

    async fn echo(body: axum::body::Bytes) -> axum::body::Bytes {
        body
    }

    #[tokio::test]
    async fn who_sends_nothing_or_half_a_call_is_cut_off() {
        let router = || Router::new().route("/", axum::routing::post(echo));
        let limits = Limits {
            silence: SHORT,
            ..Limits::default()
        };
        let (server, _stop, _serving) = limited(router(), limits, Duration::ZERO).await;
        assert_eq!(cut_off(server, b"").await, "");
        let limits = Limits {
            head: SHORT,
            ..Limits::default()
        };
        let (server, _stop, _serving) = limited(router(), limits, Duration::ZERO).await;
        let answer = cut_off(server, b"POST / HTTP/1.1\r\nhost: gat").await;
        assert!(!answer.contains("200 OK"), "{answer}");
        let limits = Limits {
            body: SHORT,
            ..Limits::default()
        };
        let (server, _stop, _serving) = limited(router(), limits, Duration::ZERO).await;
        let half = b"POST / HTTP/1.1\r\nhost: gateway\r\ncontent-length: 9\r\n\r\nhalf";
        let answer = cut_off(server, half).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        let whole = b"POST / HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\ncontent-length: 4\r\n\r\nhalf";
        let answer = cut_off(server, whole).await;
        assert!(answer.ends_with("half"), "{answer}");
    }

    /// What a caller of HTTP/2 sends first, with empty settings.
    const HTTP2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    const PING: &[u8] = b"\0\0\x08\x06\0\0\0\0\0pingpong";

    #[tokio::test]
    async fn a_connection_of_http2_has_limits_and_pings_do_not_keep_it_open() {
        let router = Router::new().route("/", get(|| async { "served" }));
        let limits = Limits {
            idle: SHORT,
            ..Limits::default()
        };
        let (server, _stop, _serving) = limited(router, limits, Duration::ZERO).await;
        let mut caller = TcpStream::connect(server).await.unwrap();
        caller.write_all(HTTP2).await.unwrap();
        let told = timeout(Duration::from_secs(60), async {
            let mut told = Vec::new();
            loop {
                let mut answer = [0; 256];
                // Each ping is sent when the one before it was answered.
                match caller.read(&mut answer).await {
                    Ok(0) | Err(_) => return told,
                    Ok(length) => told.extend_from_slice(&answer[..length]),
                }
                if caller.write_all(PING).await.is_err() {
                    return told;
                }
            }
        });
        let told = told.await.expect("pings keep the connection open");
        let has = |bytes: &[u8]| told.windows(bytes.len()).any(|window| window == bytes);
        // Identifier and value of SETTINGS_MAX_CONCURRENT_STREAMS and SETTINGS_MAX_HEADER_LIST_SIZE.
        assert!(has(&[0, 3, 0, 0, 0, 64]), "{told:?}");
        assert!(has(&[0, 6, 0, 0, 0x80, 0]), "{told:?}");
        assert!(has(b"pingpong"), "{told:?}");
    }

    #[tokio::test]
    async fn a_call_may_run_for_longer_than_a_connection_may_be_idle() {
        let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let limits = Limits {
            idle: SHORT,
            ..Limits::default()
        };
        let router = Router::new().route("/", waiting(&begun, &go_on));
        let (server, _stop, _serving) = limited(router, limits, Duration::ZERO).await;
        let mut caller = called(server, "/").await;
        begun.notified().await;
        // A connection that began later is over.
        assert_eq!(cut_off(server, b"").await, "");
        go_on.notify_one();
        let mut answer = String::new();
        caller.read_to_string(&mut answer).await.unwrap();
        assert!(answer.ends_with("done"), "{answer}");
    }

    #[tokio::test]
    async fn the_limits_count_under_tls_too() {
        let folder = tempfile::tempdir().unwrap();
        let [certificate, key] = ["cert.pem", "key.pem"].map(|file| folder.path().join(file));
        let own = rcgen::generate_simple_self_signed([String::from("gateway.example")]).unwrap();
        std::fs::write(&certificate, own.cert.pem()).unwrap();
        std::fs::write(&key, own.signing_key.serialize_pem()).unwrap();
        let mut roots = rustls::RootCertStore::empty();
        roots.add(own.cert.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let client = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = tokio_rustls::TlsConnector::from(Arc::new(client));
        let started = |limits: Limits| {
            let tls = Tls::open(Files {
                certificate: certificate.clone(),
                key: key.clone(),
            })
            .unwrap();
            async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                let address = listener.local_addr().unwrap();
                let router = Router::new().route("/", axum::routing::post(echo));
                tokio::spawn(async move {
                    let never = std::future::pending();
                    serve(listener, Some(&tls), router, limits, never, Duration::ZERO).await
                });
                address
            }
        };
        let all = Limits::default();
        let (half_head, half_body) = (
            &b"POST / HTTP/1.1\r\nhost: gat"[..],
            &b"POST / HTTP/1.1\r\nhost: gateway\r\ncontent-length: 9\r\n\r\nhalf"[..],
        );
        for (limits, sent) in [
            (
                Limits {
                    silence: SHORT,
                    ..all
                },
                &b""[..],
            ),
            (Limits { idle: SHORT, ..all }, HTTP2),
            (Limits { head: SHORT, ..all }, half_head),
            (Limits { body: SHORT, ..all }, half_body),
        ] {
            let server = started(limits).await;
            let connection = TcpStream::connect(server).await.unwrap();
            let name = "gateway.example".try_into().unwrap();
            let mut caller = client.connect(name, connection).await.unwrap();
            caller.write_all(sent).await.unwrap();
            let mut answer = Vec::new();
            let ended = timeout(Duration::from_secs(60), caller.read_to_end(&mut answer)).await;
            let _ = ended.unwrap_or_else(|_| panic!("{limits:?}: the connection is kept open"));
            assert!(!answer.starts_with(b"HTTP/1.1 200"), "{limits:?}");
        }
    }

    #[tokio::test]
    async fn an_address_has_so_many_connections_at_once() {
        let router = Router::new().route("/", get(|| async { "served" }));
        let limits = Limits {
            per_address: Some(2),
            ..Limits::default()
        };
        let (server, _stop, _serving) = limited(router, limits, Duration::ZERO).await;
        let call = b"GET / HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n\r\n";
        let mut silent = TcpStream::connect(server).await.unwrap();
        let _other = TcpStream::connect(server).await.unwrap();
        // Connections are accepted in their order, so this is the third.
        assert_eq!(cut_off(server, call).await, "");
        silent.shutdown().await.unwrap();
        assert_eq!(silent.read(&mut [0]).await.unwrap(), 0);
        assert!(cut_off(server, call).await.ends_with("served"));
    }
}
